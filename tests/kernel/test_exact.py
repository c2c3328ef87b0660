# SPDX-License-Identifier: LGPL-2.1-or-later
"""Deleting and replacing exactly what was named. Judged by what ip lists, and by what ip monitor saw."""
import contextlib
import json
import os
import subprocess
import tempfile
import time

from harness import case, check, contains, equal, SLOW

FILES = tempfile.TemporaryDirectory(prefix="srv6-test-")
SEG6 = "encap seg6 mode encap segs"
GATEWAY = "2001:db8:2::3"


def setup(net):
    """Two devices, an address on each, and nexthop objects of the second."""
    h, b = net.ns("h"), net.ns("b")
    for dev, peer, address in (("v0", "w0", "2001:db8::2/64"), ("v2", "w2", "2001:db8:2::2/64")):
        net.link(h, dev, b, peer)
        h.addr(address, dev)
    for number in (13, 14):
        h.ip(f"nexthop add id {number} {SEG6} fc00:{number}::1 via {GATEWAY} dev v2 proto 143")
    return h


def routes(h, dst):
    return [line.strip() for line in h.ip(f"-6 route show {dst}").out.splitlines()]


def document(routes_, nexthops=()):
    path = os.path.join(FILES.name, "document.json")
    with open(path, "w", encoding="utf-8") as file:
        json.dump({"srv6": 1, "routes": routes_, "nexthops": list(nexthops)}, file)
    return path


def object_of(number):
    return {"id": number, "hops": [{"encap": {"behavior": "H.Encaps", "segs": [f"fc00:{number}::1"]}, "via": GATEWAY, "dev": "v2"}]}


@contextlib.contextmanager
def unchanged(h):
    """What is done meanwhile changes no route and no object, not even for a moment."""
    before = h.ip("-6 route show table all").out, h.ip("nexthop show").out
    with subprocess.Popen(["ip", "-n", h.name, "monitor", "route", "nexthop"], stdout=subprocess.PIPE, text=True) as monitor:
        time.sleep(0.2 * SLOW)
        h.ip("-6 route add blackhole fc00:eeee::/64 table 99")  # so that a monitor that sees nothing is found out
        try:
            yield
        finally:
            h.ip("-6 route del blackhole fc00:eeee::/64 table 99")
            time.sleep(0.2 * SLOW)
            monitor.terminate()
            seen = [line for line in monitor.stdout.read().splitlines() if line]
    equal(sum("fc00:eeee::" in line for line in seen), 2, "what the monitor had to see")
    equal([line for line in seen if "fc00:eeee::" not in line], [], "what was changed")
    equal((h.ip("-6 route show table all").out, h.ip("nexthop show").out), before, "state")


# ---- routes that stand before the one named

@case("exact", "a route by a nexthop object stands in the way only with the same metric and protocol")
def _(net):
    h = setup(net)
    dst = "2001:db8:300::/64"
    for before, named in (("metric 6 nhid 14", ""), ("metric 6 nhid 14", "metric 1024 "), ("nhid 14 proto 77", ""),
                          ("nhid 14 proto 77", "proto boot ")):
        h.ip(f"-6 route add {dst} {before}")
        h.ip(f"-6 route append {dst} {SEG6} fc00:16::1 dev v0")
        h.srv6(f"route del {dst} {named}{SEG6} fc00:16::1 dev v0")
        check(len(routes(h, dst)) == 1 and "nhid 14" in routes(h, dst)[0], f"{before}: {routes(h, dst)}")
        h.ip(f"-6 route del {dst}")
    # the kernel would take the other: by several hops just as by one
    h.ip(f"-6 route add {dst} nhid 14")
    h.ip(f"-6 route append {dst} {SEG6} fc00:16::1 dev v0")
    with unchanged(h):
        h.refused(f"route del {dst} {SEG6} fc00:16::1 dev v0", 1, "stands before", "uses a nexthop object",
                  "delete what stands before it too (nhid 14), and append that again")
    h.ip(f"-6 route del {dst} nhid 14")
    h.srv6(f"route del {dst} {SEG6} fc00:16::1 dev v0")
    equal(routes(h, dst), [], "routes")
    hops = f"nexthop {SEG6} fc00:16::1 via 2001:db8::3 dev v0 nexthop {SEG6} fc00:16::2 via {GATEWAY} dev v2"
    h.ip(f"-6 route add {dst} nhid 14")
    h.ip(f"-6 route append {dst} {hops}")
    equal(len(routes(h, dst)), 4, "lines of two routes")
    with unchanged(h):
        h.refused(f"route del {dst} {hops}", 1, "stands before", "uses a nexthop object")


@case("exact", "apply: routes by nexthop objects and others of one prefix, replaced and pruned")
def _(net):
    h = setup(net)
    h.ip(f"-6 route add 2001:db8:300::/64 {SEG6} fc00:16::1 dev v0 proto 143")
    for rank in ("metric 5 nhid 13", "nhid 13"):
        h.ip(f"-6 route add 2001:db8:600::/64 {rank} proto 143")
    h.ip(f"-6 route append 2001:db8:600::/64 {SEG6} fc00:16::1 dev v0 proto 143")
    path = document([{"dst": "2001:db8:300::/64", "metric": 6, "nhid": 14}], [object_of(13), object_of(14)])
    h.srv6(f"apply --prune {path}")
    equal(routes(h, "2001:db8:600::/64"), [], "pruned")
    check(len(routes(h, "2001:db8:300::/64")) == 1 and "nhid 14" in routes(h, "2001:db8:300::/64")[0],
          str(routes(h, "2001:db8:300::/64")))
    h.srv6(f"apply --dry-run --prune {path}", 0)


@case("exact", "apply: one that goes from behind one by a nexthop object, which stays")
def _(net):
    h = setup(net)
    dst = "2001:db8:700::/64"
    for protocol in ("143", "77"):
        h.ip(f"-6 route add {dst} nhid 13 proto {protocol}")
        for segment in (1, 2):
            h.ip(f"-6 route append {dst} {SEG6} fc00:16::{segment} dev v{segment // 2 * 2} proto 143")
        wanted = {"dst": dst, "hops": [{"encap": {"behavior": "H.Encaps", "segs": ["fc00:16::1"]}, "dev": "v0"}]}
        path = document([{"dst": dst, "nhid": 13, "protocol": int(protocol)}, wanted], [object_of(13)])
        h.srv6(f"apply {path}")
        there = " ".join(routes(h, dst))
        check("fc00:16::1" in there and "nhid 13" in there and "fc00:16::2" not in there, there)
        # of another protocol it is not in the way: left alone, it is still the first
        check(protocol == "143" or "nhid 13" in routes(h, dst)[0], there)
        h.srv6(f"apply --dry-run {path}", 0)
        while routes(h, dst):
            h.ip(f"-6 route del {dst}")


# ---- what the kernel does not compare

@case("exact", "a deletion that names another type, or a metric of TCP, deletes nothing even for a moment")
def _(net):
    h = setup(net)
    h.ip("-6 route add blackhole fc00:1::/64")
    h.ip("-6 route add fc00:2::/64 via 2001:db8::9")
    h.ip("-6 route add fc00:3::/64 dev v0 mtu 1300")
    h.ip("route add blackhole 198.51.100.0/24")
    with unchanged(h):
        for command, there, named in (
                ("unreachable fc00:1::/64", "type blackhole", "type unreachable"),
                ("unreachable 198.51.100.0/24", "type blackhole", "type unreachable"),
                ("unicast fc00:1::/64", "type blackhole", "type unicast"),
                ("unicast fc00:1::/64 dev v0", "type blackhole", "type unicast"),
                ("blackhole fc00:2::/64", "type unicast", "type blackhole"),
                ("blackhole fc00:2::/64 dev lo", "type unicast", "type blackhole"),
                ("fc00:3::/64 mtu 1400", "mtu 1300", "mtu 1400"), ("fc00:2::/64 mtu 1400", "no mtu", "mtu 1400")):
            line = f"route del {command}"
            for done in (h.refused(line, 1, "nothing is deleted"), h.srv6("batch -", 1, stdin=line + "\n")):
                contains(done.err, f"it has {there}, named was {named}\n", command)
    h.srv6("route del blackhole 198.51.100.0/24")
    h.srv6("route del blackhole fc00:1::/64")
    h.srv6("route del unicast fc00:2::/64")
    h.srv6("route del fc00:3::/64 mtu 1300")
    equal(routes(h, "root fc00::/14"), [], "routes")
    h.refused("route del blackhole fc00:1::/64", 1, "no such route")
    # the one named, though another stands first
    h.ip("-6 route add fc00:1::/64 dev v0 metric 5")
    h.ip("-6 route add blackhole fc00:1::/64")
    h.srv6("route del blackhole fc00:1::/64")
    check("dev v0" in routes(h, "fc00:1::/64")[0], "the other went")


# ---- what is told

@case("exact", "what differs is told, of both sides, and what to leave out")
def _(net):
    h = setup(net)
    h.ip(f"-6 route add fc00:1::/64 {SEG6} fc00::1 dev v0")
    h.ip("-6 route add fc00:2::/64 via 2001:db8::9 dev v0")
    h.ip(f"-6 route add fc00:4::/64 nexthop {SEG6} fc00::1 via 2001:db8::9 dev v0 weight 2 nexthop {SEG6} fc00::2 via 2001:db8::8 dev v0")
    h.addr("192.0.2.1/24", "v0")
    h.ip(f"route add 198.51.100.0/24 {SEG6} fc00::1 dev v0 metric 5")
    first, second = f"nexthop {SEG6} fc00::1 via 2001:db8::9 dev v0", f"nexthop {SEG6} fc00::2 via 2001:db8::8 dev v0"
    is_first = "H.Encaps segs fc00::1 via 2001:db8::9 dev v0"
    with unchanged(h):
        for command, there, named, leave in (
                ("fc00:1::/64 metric 7", "metric 1024", "metric 7", "metric"), ("fc00:1::/64 proto 99", "proto 3", "proto 99", "proto"),
                ("fc00:1::/64 nhid 5", "no nhid", "nhid 5", "nhid"), ("fc00:1::/64 onlink", "no onlink", "onlink", "the hop"),
                ("198.51.100.0/24 metric 7", "metric 5", "metric 7", "metric"),
                ("198.51.100.0/24 proto 99", "proto 3", "proto 99", "proto"),
                (f"fc00:4::/64 {first} weight 9 {second}", f"{is_first} weight 2", f"{is_first} weight 9", "the hops"),
                (f"fc00:4::/64 {first} weight 9", f"{is_first} weight 2", f"{is_first} weight 9", "the hop"),
                (f"fc00:4::/64 {second} nexthop via 2001:db8::7 dev v0",
                 f"{is_first} weight 2 + H.Encaps segs fc00::2 via 2001:db8::8 dev v0 weight 1", "via 2001:db8::7 dev v0", "the hops"),
                ("fc00:1::/64 dev v0 metric 7", "metric 1024", "metric 7", "metric"),
                ("fc00:1::/64 dev v0 proto 99", "proto 3", "proto 99", "proto"),
                ("fc00:1::/64 dev v0 metric 7 proto 99", "metric 1024 proto 3", "metric 7 proto 99", "metric and proto"),
                ("fc00:1::/64 dev v2", "dev v0", "dev v2", "the hop"),
                (f"fc00:1::/64 {SEG6} fc00::2 dev v0", "H.Encaps segs fc00::1", "H.Encaps segs fc00::2", "the encapsulation"),
                (f"fc00:1::/64 {SEG6} fc00::1 hmac 7 dev v0", "H.Encaps segs fc00::1", "H.Encaps segs fc00::1 that differs in hmac",
                 "the encapsulation"),
                ("fc00:2::/64 dev v0", "via 2001:db8::9", "dev v0 without via", "dev"),
                ("fc00:2::/64 dev v2", "via 2001:db8::9 dev v0", "dev v2 without via", "dev"),
                ("fc00:2::/64 dev v0 expires 9", "no expires via 2001:db8::9", "expires 9 dev v0 without via", "expires and dev"),
                ("fc00:2::/64 via 2001:db8::8 dev v0", "via 2001:db8::9", "via 2001:db8::8", "the hop"),
                (f"fc00:2::/64 {SEG6} fc00::1 via 2001:db8::9 dev v0", "no encapsulation", "H.Encaps segs fc00::1", "the encapsulation")):
            h.refused(f"route del {command}", 1, f"it has {there}, named was {named}\n", f"or leave {leave} out to delete")
    # as the remedy has it
    h.ip(f"-6 route add fc00:5::/64 {SEG6} fc00::1 via 2001:db8::9 dev v0")
    h.refused(f"route del fc00:5::/64 {SEG6} fc00::1 dev v0", 1, "named was dev v0 without via", "name the gateway too", "leave dev out")
    h.srv6(f"route del fc00:5::/64 {SEG6} fc00::1 via 2001:db8::9 dev v0")
    h.ip(f"-6 route add fc00:5::/64 {SEG6} fc00::1 via 2001:db8::9 dev v0")
    h.srv6(f"route del fc00:5::/64 {SEG6} fc00::1")
    h.srv6("route del fc00:1::/64 dev v0")
    h.srv6("route del fc00:2::/64")
    h.srv6(f"route del fc00:4::/64 {first} weight 2 {second} weight 1")
    h.refused("route del fc00:4::/64 metric 7", 1, "there is no such route")
    # of several the nearest
    h.ip("-6 route add fc00:3::/64 dev v2 metric 5")
    h.ip(f"-6 route add fc00:3::/64 {SEG6} fc00::1 dev v0 metric 6")
    with unchanged(h):
        h.refused("route del fc00:3::/64 segs fc00::1 dev v0 metric 7", 1, "none of the 2", "the nearest has metric 6, named was metric 7\n")


# ---- groups of nexthop objects

@case("exact", "a group's protocol is the kernel's to keep: replacing it under another one is refused, and changes nothing")
def _(net):
    h = setup(net)
    h.ip("nexthop add id 12 group 13/14")
    h.ip("-6 route add fc00:1::/64 nhid 12")
    path = document([], [object_of(13), {"id": 12, "group": [{"id": 13}]}])
    with unchanged(h):
        h.refused(f"apply {path}", 1, "group 12 has proto 0, asked for is proto 143", "give it proto 0")
        h.refused("nexthop replace id 12 group 13 proto 99", 1, "group 12 has proto 0, asked for is proto 99")
        contains(h.srv6("batch -", 1, stdin="nexthop replace id 12 group 13 proto 99\n").err, "nothing is changed")
    h.srv6("nexthop replace id 12 group 13")
    contains(h.ip("nexthop show id 12").out, "group 13 ")
    h.srv6("--no-verify nexthop replace id 12 group 14 proto 99")
    contains(h.ip("nexthop show id 12").out, "group 14 ")
    check("proto" not in h.ip("nexthop show id 12").out, "this kernel changes the protocol: the refusal has no reason")
    h.ip("nexthop replace id 12 group 13/14 proto 77")
    path = document([], [object_of(13), {"id": 12, "group": [{"id": 13}], "protocol": 0}])
    h.srv6(f"apply {path}")
    contains(h.ip("nexthop show id 12").out, "group 13 ")
    check(routes(h, "fc00:1::/64"), "the route that uses it went")


@case("exact", "--atomic: a group that was deleted and made again under another protocol comes back with its own, and its routes")
def _(net):
    h = setup(net)
    h.ip("nexthop add id 12 group 13,2/14 proto 77")
    h.ip("-6 route add fc00:1::/64 nhid 12")
    before = h.ip("-6 route show").out, h.ip("nexthop show").out
    for again in ("group 13 proto 99", "group 13", f"{SEG6} fc00:1::1 via {GATEWAY} dev v2 proto 99"):
        lines = f"nexthop del id 12\nnexthop add id 12 {again}\nroute add fc00:2::/64 nhid 12\nroute add fc00:3::/64 nhid 99\n"
        result = h.srv6("batch --atomic -", 1, stdin=lines)
        check("not as before" not in result.err, str(result))
        equal((h.ip("-6 route show").out, h.ip("nexthop show").out), before, again)


@case("exact", "an object that is named by more than its id is deleted only if it is so; what uses it stays")
def _(net):
    h = setup(net)
    h.ip("nexthop add id 12 group 13/14")
    h.ip("-6 route add fc00:1::/64 nhid 13")
    h.ip("-6 route add fc00:2::/64 nhid 12")
    with unchanged(h):
        for command, there, named in (
                ("id 13 proto 9", "proto 143", "proto 9"), (f"id 13 {SEG6} fc00:13::1 via {GATEWAY} dev v0", "dev v2", "dev v0"),
                (f"id 13 {SEG6} fc00:14::1 via {GATEWAY} dev v2", "H.Encaps segs fc00:13::1", "H.Encaps segs fc00:14::1"),
                ("id 12 group 13", "group 13,1/14,1", "group 13,1"), ("id 12 dev v0", "group 13,1/14,1", "a hop"),
                ("id 13 group 14", "no members", "group 14,1")):
            h.refused(f"nexthop del {command}", 1, "nothing is deleted", f"it has {there}, named was {named}\n")
    h.srv6("nexthop del id 12 group 13/14")
    h.srv6(f"nexthop del id 13 {SEG6} fc00:13::1 via {GATEWAY} dev v2 proto 143")
    h.srv6("nexthop del id 14 proto 143")
    equal(h.ip("nexthop show").out, "", "objects")


@case("exact", "an object of any sort is deleted by the words that it is made by, and refused with the one that is wrong")
def _(net):
    h = setup(net)
    h.addr("192.0.2.1/24", "v0")
    made = {20: "dev v0", 21: "blackhole", 22: "via 192.0.2.9 dev v0", 23: f"{SEG6} fc00::1 via {GATEWAY} dev v2", 24: "via 192.0.2.9 fdb",
            25: "group 13/14 type resilient buckets 4", 26: "dev v2"}
    for number, words in made.items():
        h.ip(f"{'-6 ' if number == 26 else ''}nexthop add id {number} {words}")
    with unchanged(h):
        for command, there, named, leave in (
                ("id 20 dev v2", "dev v0", "dev v2", "the hop"), ("id 20 blackhole", "dev v0", "blackhole", "blackhole"),
                ("id 21 dev v0", "blackhole", "a hop", "the hop"), ("id 25 blackhole", "group 13,1/14,1", "blackhole", "blackhole"),
                ("id 22 dev v0", "via 192.0.2.9", "dev v0 without via", "dev"), ("id 22 fdb", "no fdb", "fdb", "fdb"),
                ("id 23 dev v0", f"via {GATEWAY} dev v2", "dev v0 without via", "dev"),
                ("id 20 family inet6", "family inet", "family inet6", "family"),
                ("id 26 dev v2 family inet", "family inet6", "family inet", "family")):
            h.refused(f"nexthop del {command}", 1, f"it has {there}, named was {named}\n", f"or leave {leave} out to delete")
    for command in ("id 20 dev v0", "id 21 blackhole", "id 22 via 192.0.2.9 dev v0 family inet", f"id 23 via {GATEWAY} dev v2", "id 24 fdb",
                    "id 25 group 13/14", "id 26 family inet6 dev v2", f"id 14 {SEG6} fc00:14::1"):
        h.srv6(f"nexthop del {command}")
    h.srv6(f"nexthop del id 13 via {GATEWAY} dev v2 proto 143")
    equal(h.ip("nexthop show").out, "", "objects")


@case("exact", "the time that is left is no name, unless it is more than was named, or endless")
def _(net):
    h = setup(net)
    h.ip(f"-6 route add fc00:1::/64 {SEG6} fc00::1 dev v0 expires 600")
    h.ip(f"-6 route add fc00:2::/64 {SEG6} fc00::1 dev v0")
    for words, there, named in (("1::/64 {} expires 10", "expires ", "expires 10"), ("2::/64 {} expires 10", "no expires", "expires 10"),
                                ("1::/64 {} metric 5 expires 700", "metric 1024", "metric 5")):
        result = h.srv6(f"route del fc00:{words.format(f'{SEG6} fc00::1 dev v0')}", 1)
        contains(result.err, f"it has {there}", words)
        contains(result.err, f", named was {named}\n", words)
    equal(len(routes(h, "root fc00::/14")), 2, "routes before")
    h.srv6(f"route del fc00:1::/64 {SEG6} fc00::1 dev v0 expires 700")
    equal(len(routes(h, "root fc00::/14")), 1, "routes")


@case("exact", "a source prefix and a type of service that are not named are none: what has one is told, and does not go instead")
def _(net):
    h = setup(net)
    h.addr("192.0.2.1/24", "v0")
    hop = f"{SEG6} fc00::1 dev v0"
    h.ip(f"-6 route add fc00:1::/64 from 2001:db8:5::/64 {hop}")
    h.ip("route add 198.51.100.0/24 tos 8 dev v0")
    with unchanged(h):
        for words in ("fc00:1::/64", "fc00:1::/64 dev v0", f"fc00:1::/64 {hop}"):
            h.refused(f"route del {words}", 1, "it has from 2001:db8:5::/64, named was no from\n", "\n  name what is there\n")
        h.refused(f"route del fc00:1::/64 {hop} from 2001:db8:6::/64", 1, "named was from 2001:db8:6::/64\n", "\n  name what is there\n")
        for words in ("", " dev v0"):
            h.refused(f"route del 198.51.100.0/24{words}", 1, "it has tos 0x8, named was no tos\n")
    # beside one without: each is deleted by its own words
    for named, left in (("", "from"), (" from 2001:db8:5::/64", "encap")):
        h.ip(f"-6 route replace fc00:1::/64 {hop}")
        h.srv6(f"route del fc00:1::/64 {hop}{named}")
        equal([line.split()[1] for line in routes(h, "fc00:1::/64")], [left], "what is left")
    h.srv6("route del 198.51.100.0/24 tos 8 dev v0")
    equal(h.ip("route show 198.51.100.0/24").out, "", "routes")


@case("exact", "IPv4: one hop of several is not deleted alone, whichever it is; the remedies work")
def _(net):
    h = setup(net)
    h.addr("192.0.2.1/24", "v0")
    h.ip("route add 198.51.100.0/24 nexthop via 192.0.2.8 dev v0 nexthop via 192.0.2.9 dev v0")
    with unchanged(h):
        for hop in ("via 192.0.2.8 dev v0", "via 192.0.2.9 dev v0"):
            h.refused(f"route del 198.51.100.0/24 {hop}", 1, "has 2 hops, and of an IPv4 route the kernel deletes none alone")
        h.refused("route del 198.51.100.0/24 via 192.0.2.7 dev v0", 1, "is not the one named")
    h.srv6("route replace 198.51.100.0/24 via 192.0.2.8 dev v0")
    contains(h.ip("route show 198.51.100.0/24").out, "198.51.100.0/24 via 192.0.2.8 dev v0")
    h.ip("route replace 198.51.100.0/24 nexthop via 192.0.2.8 dev v0 nexthop via 192.0.2.9 dev v0")
    h.ip("route del 198.51.100.0/24 via 192.0.2.8 dev v0")  # the refusal had a reason
    equal(h.ip("route show 198.51.100.0/24").out, "", "this kernel deletes one hop: the refusal has no reason")
    h.ip("route replace 198.51.100.0/24 nexthop via 192.0.2.8 dev v0 nexthop via 192.0.2.9 dev v0")
    h.srv6("route del 198.51.100.0/24")
    equal(h.ip("route show 198.51.100.0/24").out, "", "routes")


@case("exact", "what is not there is told with a command that lists what is")
def _(net):
    h = setup(net)
    h.ip("-6 route add 2001:db8:103::/64 via 2001:db8::9 metric 5")
    for command, text, remedy in (
            ("route del ::/0", "no such route to ::/0", "ip -6 route show default table 254"),
            ("route del ::/0 dev v0", "no such route to ::/0", "ip -6 route show default table 254"),
            ("route del 203.0.113.0/24", "no such route to 203.0.113.0/24", "ip -4 route show 203.0.113.0/24 table 254"),
            (f"route del fc00:9::/64 {SEG6} fc00::1 dev v0", "no such route to fc00:9::/64", "srv6 route show fc00:9::/64 table 254"),
            ("sid del fc00:9::/64", "no such SID fc00:9::/64", "srv6 sid show fc00:9::/64 table 254")):
        h.refused(command, 1, f"there is {text} in table 254\n", f"\n  {remedy}\n")
        h.run(remedy if remedy[0] == "i" else [os.environ["SRV6"], *remedy.split()[1:]])
    h.ip("-6 route add default via 2001:db8::9")
    contains(h.ip("-6 route show default table 254").out, "default via", "as the remedy has it")


@case("exact", "a lifetime of which more than a tenth, or a minute, has gone by is not equal: apply, restore and an undo give it again")
def _(net):
    h = setup(net)
    left = lambda: int(h.ip("-6 route show fc00:1::/64").out.split("expires ")[1].split("sec")[0])
    route = f"fc00:1::/64 {SEG6} fc00::1 dev v0 proto 143 expires"
    path = document([{"dst": "fc00:1::/64", "expires": 3600, "hops": [{"encap": {"segs": ["fc00::1"]}, "dev": "v0"}]}])
    saved = os.path.join(FILES.name, "saved")
    for seconds, again in ((3590, False), (3500, True), (10, True), (4000, True)):
        h.ip(f"-6 route replace {route} {seconds}")
        h.srv6(f"apply --dry-run {path}", int(again))
        contains(h.srv6(f"apply {path}").err, f"{int(again)} changed", f"{seconds}: what changed")
        check(left() > 3595 if again else left() <= 3590, f"{seconds}: {left()} seconds are left")
        contains(h.srv6(f"apply {path}").err, "0 changed", f"{seconds}: a second time")
        h.ip(f"-6 route replace {route} 3600")
        h.srv6(f"save {saved}")
        h.ip(f"-6 route replace {route} {seconds}")
        h.srv6(f"restore {saved}")
        check(3590 < left() <= 3600 if again else left() <= 3590, f"{seconds}: {left()} seconds are left after restore")
    h.ip(f"-6 route replace {route} 3600")
    h.srv6("batch --atomic -", 1, stdin=f"route replace {route} 10\nroute change fc00:dead::/64 segs fc00::1 dev v0\n")
    check(left() > 3500, f"{left()} seconds are left after an undo")


@case("exact", "IPv4: of twins that differ in the encapsulation alone the one that is meant goes, or none")
def _(net):
    h = setup(net)
    h.addr("192.0.2.1/24", "v0")
    way = "via 192.0.2.9 dev v0 proto 143 metric 9"
    h.ip(f"route add 198.51.100.0/24 {SEG6} fc00::1 {way}")
    h.ip(f"route append 198.51.100.0/24 {way}")
    with unchanged(h):
        contains(h.srv6(f"route del 198.51.100.0/24 {way}", 1).err, "stands before the one named", "refusal")
    hop = {"encap": {"segs": ["fc00::1"]}, "via": "192.0.2.9", "dev": "v0"}
    path = document([{"dst": "198.51.100.0/24", "metric": 9, "proto": 143, "hops": [hop]}])
    h.srv6(f"apply {path}")
    left = [line for line in h.ip("-4 route show 198.51.100.0/24").out.splitlines() if line]
    equal((len(left), "encap seg6" in left[0]), (1, True), f"what is left: {left}")
    contains(h.srv6(f"apply {path}").err, "0 added, 0 changed, 0 deleted", "a second time")


@case("exact", "IPv4 compares what is named, of several hops each that is there: one that would go in place of the one named is seen")
def _(net):
    h = setup(net)
    for address, dev in (("192.0.2.1/24", "v0"), ("192.0.2.2/24", "v0"), ("203.0.113.1/24", "v2")):
        h.addr(address, dev)
    dst = "198.51.100.0/24 metric 5"
    first, second = "nexthop via 192.0.2.9 dev v0", "nexthop via 203.0.113.9 dev v2"
    for before, named in ((f"{SEG6} fc00::1 dev v0 src 192.0.2.2", "dev v0"), (f"{SEG6} fc00::1 via 192.0.2.9 dev v0", "dev v0 scope global"),
                          (f"{first} {second}", "via 192.0.2.9 dev v0"), ("via 192.0.2.9 dev v0", f"{first} {second}"),
                          (f"{first} {second}", f"nexthop {SEG6} fc00::1 via 192.0.2.9 dev v0 {second}")):
        h.ip(f"route add {dst} {before}")
        h.ip(f"route append {dst} {named}")
        both = h.ip("route show 198.51.100.0/24").out
        contains(h.srv6(f"route del {dst} {named}", 1).err, "stands before the one named", named)
        equal(h.ip("route show 198.51.100.0/24").out, both, "routes")
        h.ip(f"route del {dst} {named}")
        check(h.ip("route show 198.51.100.0/24").out.count("198.51.100.0/24") == 1, "one is left")
        h.srv6(f"route del {dst} {named}")  # the refusal had a reason: the kernel did take the other
        equal(h.ip("route show 198.51.100.0/24").out, "", "routes")


@case("exact", "sid del deletes SIDs alone: by words, in batch, also behind another route of the prefix")
def _(net):
    h = setup(net)
    h.ip(f"-6 route add fc00:1::/64 {SEG6} fc00::1 dev v0")
    h.ip("-6 route add fc00:2::/64 dev v0 metric 5")
    h.ip("-6 route add fc00:2::/64 encap seg6local action End dev v0 metric 6")
    h.ip("nexthop add id 20 encap seg6local action End via 2001:db8::9 dev v0")
    h.ip("-6 route add fc00:3::/64 nhid 20")
    with unchanged(h):
        for words in ("fc00:1::/64", "fc00:1::/64 dev v0", "2001:db8::/64", "fc00:2::/64 metric 5", "192.0.2.0/24"):
            h.srv6(f"sid del {words}", 1)
            h.srv6("batch -", 1, stdin=f"sid del {words}\n")
        h.refused("sid del fc00:1::/64", 1, "it has H.Encaps segs fc00::1", "named was a SID", "srv6 route del")
        h.refused(f"sid del fc00:1::/64 {SEG6} fc00::1 dev v0", 2, "a SID needs an endpoint behavior")
    for words in ("fc00:2::/64", "fc00:3::/64"):
        h.srv6(f"sid del {words}")
    check(routes(h, "fc00:2::/64") == ["fc00:2::/64 dev v0 metric 5 pref medium"], f"left: {routes(h, 'fc00:2::/64')}")
    equal(routes(h, "fc00:3::/64"), [], "by object")


@case("exact", "what deletes nothing deletes nothing for a moment: proto 0, metric 0, a weight, a hop beside an object")
def _(net):
    h = setup(net)
    h.ip(f"-6 route add fc00:1::/64 {SEG6} fc00::1 via 2001:db8::9 dev v0 metric 7")
    h.ip("-6 route add fc00:2::/64 nhid 13")
    with unchanged(h):
        for words in ("fc00:1::/64 proto 0", "fc00:1::/64 metric 0", f"fc00:1::/64 {SEG6} fc00::1 via 2001:db8::9 dev v0 weight 3",
                      "fc00:1::/64 via 2001:db8::9 weight 9"):
            contains(h.srv6(f"route del {words}", 1).err, "nothing is deleted", words)
        h.refused("route del fc00:2::/64 nhid 13 dev v0", 2, "a route with nhid cannot have a device")
    h.srv6(f"route del fc00:1::/64 {SEG6} fc00::1")  # its place is not named
    equal(routes(h, "fc00:1::/64"), [], "routes")


@case("exact", "a hop with a gateway that would hide a route without one from every list is refused; the remedies work")
def _(net):
    h = setup(net)
    h.ip(f"-6 route add fc00:1::/64 {SEG6} fc00::1 via 2001:db8::9 dev v0")
    h.ip(f"-6 route append fc00:1::/64 {SEG6} fc00::2 dev v2")
    add = f"route append fc00:1::/64 {SEG6} fc00::3 via 2001:db8::8"
    with unchanged(h):
        h.refused(add, 1, "would hide it from every list", "without a gateway (H.Encaps segs fc00::2 dev v2) stands")
        h.srv6("batch --atomic -", 1, stdin=add + "\n")
    h.srv6(add + " metric 9")
    h.srv6(f"route del fc00:1::/64 {SEG6} fc00::2 dev v2")
    h.srv6(add)
    h.srv6(f"route append fc00:1::/64 {SEG6} fc00::2 dev v2")
    equal(sum("encap" in line for line in routes(h, "fc00:1::/64")), 4, "hops")
    h.ip(f"-6 route append fc00:1::/64 {SEG6} fc00::4 via 2001:db8::7")  # the refusal had a reason
    check(not any("fc00::2" in line for line in routes(h, "fc00:1::/64")), "this kernel lists it: the refusal has no reason")


@case("exact", "what a deletion names and the kernel does not compare is looked at first")
def _(net):
    h = setup(net)
    h.addr("192.0.2.1/24", "v0")
    h.ip(f"route add 198.51.100.0/24 {SEG6} fc00::1 via 192.0.2.9 dev v0")
    h.ip("-6 route add blackhole fc00:1::/64")
    for words in ("198.51.100.0/24 mtu 1300", "198.51.100.0/24 hoplimit 3", "198.51.100.0/24 congctl cubic",
                  "fc00:1::/64 from 2001:db8::/64"):
        with unchanged(h):
            contains(h.srv6(f"route del {words}", 1).err, "not the one named", words)


@case("exact", "a replacement that would hide a route from every list is refused; one that another program made is told, and accuses no other")
def _(net):
    h = setup(net)
    for segment, dev in ((13, "v0"), (14, "v2")):
        h.ip(f"-6 route append fc00:5::/64 {SEG6} fc00:d::{segment} dev {dev}")
    hops = f"nexthop via 2001:db8::7 dev v0 nexthop {SEG6} fc00:a::1 via 2001:db8::8 dev v0"
    with unchanged(h):
        for words in ("", "--atomic"):
            result = h.srv6(f"batch {words} -", 1, stdin=f"route replace fc00:5::/64 {hops}\n")
            contains(result.err, "2 routes without a gateway share fc00:5::/64", "refusal")
    h.ip(f"-6 route replace fc00:5::/64 {hops}")
    listed = h.srv6("route show", None)
    if listed.rc == 3:
        contains(listed.err, "it hides the others, most likely at fc00:5::/64, which", "what is told")
        contains(listed.err, "\n  srv6 route del fc00:5::/64, with its table,", "remedy")
        check("too large" not in listed.err, listed.err)
        before = h.ip("-6 route show table all").out
        result = h.srv6("batch --atomic -", 1, stdin="route add fc00:6::/64 segs fc00::1 dev v0\nroute change fc00:dead::/64 segs fc00::1 dev v0\n")
        equal(h.ip("-6 route show table all").out, before, str(result))
    h.srv6("route del fc00:5::/64")
    h.srv6("route show")
    h.srv6(f"route replace fc00:5::/64 {hops}")
    h.srv6(f"route replace fc00:5::/64 {hops.replace('2001:db8::7', '2001:db8::9')}")
    equal(len(h.json("route show fc00:5::/64")[0]["hops"]), 2, "hops")

# SPDX-License-Identifier: LGPL-2.1-or-later
"""Batch, save, restore, apply: the state as lines and as a document. Judged by what ip lists, not by our own reader."""
import json
import os
import signal
import stat
import subprocess
import tempfile
import time

from harness import case, check, contains, equal, frame, poll, skip, udp6, SRV6, SLOW

FILES = tempfile.TemporaryDirectory(prefix="srv6-test-")
BASE = os.path.dirname(os.path.abspath(__file__))


def setup(net):
    """One namespace with two devices and an address on each."""
    h, b = net.ns("h"), net.ns("b")
    net.link(h, "v0", b, "w0")
    net.link(h, "v1", b, "w1")
    h.addr("2001:db8:1::1/64", "v0")
    h.addr("192.0.2.1/24", "v0")
    return h


def file_of(text, suffix=".json"):
    fd, path = tempfile.mkstemp(suffix=suffix, dir=FILES.name)
    with os.fdopen(fd, "w", encoding="utf-8") as file:
        file.write(text if isinstance(text, str) else json.dumps(text))
    return path


def encaps(h, family="-6"):
    return [line.strip() for line in h.ip(f"{family} route show table all").out.splitlines() if "encap" in line]


def document(routes, **more):
    return {"srv6": 1, "routes": routes, **more}


def headend(dst, *segs, **more):
    return {"dst": dst, "hops": [{"encap": {"behavior": "H.Encaps", "segs": list(segs)}, "dev": "v0"}], **more}


# ---- batch

@case("batch", "comments, continued lines, CR LF, a last line without an end")
def _(net):
    h = setup(net)
    text = ("# routes\r\n\r\nroute add fc00:1::/64 encap seg6 mode encap \\\r\n  segs fc00:a::1 dev v0\r\n"
            "route add fc00:2::/64 segs fc00:a::1,fc00:b::1 dev v0 # why\n"
            "sid add fc00:3::1 End count dev v0")
    result = h.srv6("batch -", stdin=text)
    contains(result.err, "3 done, 0 failed")
    lines = encaps(h)
    equal(len(lines), 3, "routes")
    check(any("fc00:2::/64" in line and "segs 2 [ fc00:a::1 fc00:b::1 ]" in line for line in lines), str(lines))


@case("B21", "a wrong line stops the batch, with file and line; what stands before it is done")
def _(net):
    h = setup(net)
    path = file_of("route add fc00:b1::/64 segs fc00:a::1 dev v0\n"
                   "route add fc00:b2::/64 encap seg6 mode encap segs fc00:zz::1 dev v0\n"
                   "route add fc00:b3::/64 segs fc00:a::1 dev v0\n", ".batch")
    result = h.srv6(f"batch {path}", 2)
    contains(result.err, f"{path}:2: ")
    contains(result.err, "fc00:zz::1")
    contains(result.err, "^^^^^^^^^^")
    contains(result.err, "1 done, 1 failed; stopped there")
    equal([line.split()[0] for line in encaps(h)], ["fc00:b1::/64"], "routes")


@case("batch", "what was under way behind a refusal and is done is counted")
def _(net):
    h = setup(net)
    text = "".join(f"route add fc00:{n}::/64 segs fc00:a::1 dev v0\n" for n in ("b1", "b1", "b2"))
    behind = json.loads(h.srv6("-j batch -", 1, stdin=text).out)
    equal([behind["done"], behind["failed"], behind.get("behind", 0)], [len(encaps(h)), 1, len(encaps(h)) - 1], "sum")


@case("B21", "--keep-going does the rest, for wrong words and for the kernel's refusals alike")
def _(net):
    h = setup(net)
    path = file_of("route add fc00:b1::/64 segs fc00:a::1 dev v0\n"
                   "route add fc00:b1::/64 segs fc00:a::2 dev v0\n"
                   "route add fc00:b2::/64 segs fc00:zz::1 dev v0\n"
                   "route add fc00:b3::/64 segs fc00:a::1 dev v0\n", ".batch")
    result = h.srv6(f"batch --keep-going {path}", None)
    check(result.rc in (1, 2), str(result))
    contains(result.err, f"{path}:2: ")
    contains(result.err, f"{path}:3: ")
    contains(result.err, "2 done, 2 failed")
    equal([line.split()[0] for line in encaps(h)], ["fc00:b1::/64", "fc00:b3::/64"], "routes")
    result = h.srv6(f"-j batch --keep-going {path}", None)
    errors = [json.loads(line)["error"] for line in result.err.splitlines()]
    equal([e["line"] for e in errors], [1, 2, 3, 4], "lines of the errors")
    equal(errors[0]["errno"], "EEXIST", "errno")
    equal(json.loads(result.out), {"done": 0, "failed": 4, "not_done": 0, "complete": True}, "sum")


@case("batch", "--atomic: a wrong word means that nothing is sent")
def _(net):
    h = setup(net)
    h.refused("batch --atomic " + file_of("route add fc00:b1::/64 segs fc00:a::1 dev v0\n"
                                          "route add fc00:b2::/64 segs fc00:zz::1 dev v0\n", ".batch"), 2, ":2: ")


@case("batch", "--atomic: a refusal at the end undoes adds, replaces and deletes, byte for byte")
def _(net):
    h = setup(net)
    h.ip("-6 route add fc00:1::/64 encap seg6 mode encap segs fc00:a::1 dev v0 metric 77")
    h.ip("-6 route add fc00:2::/64 encap seg6 mode inline segs fc00:a::1,fc00:a::2 dev v0")
    h.ip("-6 route add fc00:3::/64 encap seg6local action End.T table 254 count dev v1 proto 99")
    h.ip("-6 route add fc00:9::/64 via 2001:db8:1::9 dev v0")
    result = h.refused("batch --atomic " + file_of(
        "route replace fc00:1::/64 segs fc00:b::1 dev v0 metric 77\n"
        "route del fc00:2::/64\n"
        "sid replace fc00:3::/64 End dev v1\n"
        "route add fc00:4::/64 segs fc00:b::1 dev v0\n"
        "route add fc00:9::/64 segs fc00:b::1 via 2001:db8:1::9 dev v0\n", ".batch"), 1, ":5: ", "exists")
    contains(result.err, "0 done, 1 failed, 4 not done")


@case("batch", "--atomic: a refusal undoes changes in several tables and families, and touches nothing that was not changed")
def _(net):
    h = setup(net)
    encap = "encap seg6 mode encap segs"
    h.ip(f"nexthop add id 10 {encap} fc00:10::1 via 2001:db8:1::9 dev v0")
    h.ip("-6 route add 2001:db8:200::/64 table 100 nhid 10")
    for table in (100, 101):
        h.ip(f"-6 route add 2001:db8:201::/64 table {table} {encap} fc00:a::1 dev v0")
        h.ip(f"-4 route add 198.51.100.0/24 table {table} {encap} fc00:a::1 dev v0")
    h.ip("-6 route add blackhole fc00:9::/64 table 102")
    replaced = ("route replace 2001:db8:201::/64 table 100 segs fc00:b::1 dev v0\n"
                "route replace 2001:db8:201::/64 table 101 segs fc00:b::1 dev v0\n"
                "route replace 198.51.100.0/24 table 100 segs fc00:b::1 dev v0\n")
    added = "".join(f"route add fc00:8::/64 table {table} segs fc00:b::1 dev v0\n" for table in (101, 102))
    monitor = subprocess.Popen(["ip", "-n", h.name, "monitor", "route"], stdout=subprocess.PIPE, text=True)
    try:
        for last in ("route add 2001:db8:200::/64 table 100 segs fc00:b::1 dev v0\n", "nexthop del id 999\n",
                     "route change 2001:db8:ffe::/64 segs fc00:b::1 dev v0\n"):
            for lines in (replaced, added, replaced + added):
                result = h.refused("batch --atomic " + file_of(lines + last, ".batch"), 1, f":{lines.count(chr(10)) + 1}: ")
                check("not as before" not in result.err, str(result))
        time.sleep(0.2 * SLOW)
    finally:
        monitor.terminate()
        seen = monitor.communicate()[0]
    check("2001:db8:200::" not in seen and "fc00:9::" not in seen, f"routes that were not changed have events:\n{seen}")
    contains(seen, "2001:db8:201::", "events")


BAD = "route add fc00:bad::/64 segs fc00:a::1 via 2001:db8:77::1 dev v0\n"


def siblings(h, dst="fc00:6::/64", proto="boot"):
    """Four routes that share an identity; three of them the device too."""
    for segment, dev in ((1, "v0"), (2, "v1"), (3, "v1"), (4, "v1")):
        h.ip(f"-6 route append {dst} encap seg6 mode encap segs fc00:a::{segment} dev {dev} proto {proto}")


@case("batch", "--atomic: undoing keeps the order of routes that share an identity, which says which one is used")
def _(net):
    h = setup(net)
    siblings(h)
    for segment, dev in ((1, "v0"), (2, "v1"), (3, "v0")):
        h.ip(f"route append 198.51.100.0/24 encap seg6 mode encap segs fc00:a::{segment} dev {dev} metric 5 tos 0x10")
    for text in ("route del fc00:6::/64 segs fc00:a::2 dev v1", "route del fc00:6::/64 segs fc00:a::1 dev v0",
                 "route replace fc00:6::/64 segs fc00:c::1 dev v1\nroute append fc00:6::/64 segs fc00:c::2 dev v1",
                 "route del fc00:6::/64 segs fc00:a::2 dev v1\nroute del fc00:6::/64 segs fc00:a::3 dev v1",
                 "route del 198.51.100.0/24 segs fc00:a::1 dev v0 metric 5 tos 0x10",
                 "route del 198.51.100.0/24 segs fc00:a::2 dev v1 metric 5 tos 0x10"):
        result = h.refused("batch --atomic " + file_of(f"{text}\n{BAD}", ".batch"), 1, "cannot be reached")
        check("not as before" not in result.err, str(result))


@case("batch", "--atomic: a route with a limited life is put back, and is not said to be another")
def _(net):
    h = setup(net)
    h.ip("-6 route add fc00:5::/64 encap seg6 mode encap segs fc00:a::1 dev v0 mtu lock 1300 expires 5000")
    result = h.srv6("batch --atomic -", 1, stdin="route replace fc00:5::/64 segs fc00:c::1 dev v1\n" + BAD)
    check("not as before" not in result.err, str(result))
    contains(h.ip("-6 route show fc00:5::/64").out, "expires")
    contains(h.ip("-6 route show fc00:5::/64").out, "mtu lock 1300")


@case("exact", "of IPv6 routes that share identity and device, one behind another is not deleted in its place")
def _(net):
    h = setup(net)
    siblings(h)
    h.refused("route del fc00:6::/64 segs fc00:a::4 dev v1", 1, "stands before")
    h.srv6("route del fc00:6::/64 segs fc00:a::2 dev v1")
    check(not any("fc00:a::2" in line for line in encaps(h)), "deleted")
    equal(len(encaps(h)), 3, "routes")


@case("batch", "20,000 lines, each verified")
def _(net):
    h = setup(net)
    n = 20000 if SLOW == 1 else 2000
    text = "".join(f"route add 2001:db8:{i // 256:x}:{i % 256:x}::/64 segs fc00:a::1,fc00:b::{i % 9 + 1:x},fc00:c::1 dev v0\n"
                   for i in range(n))
    contains(h.srv6("batch -", stdin=text).err, f"{n} done, 0 failed")
    equal(len(encaps(h)), n, "routes")
    contains(h.srv6("batch -", stdin=text.replace("route add", "route del").replace(" dev v0", "")).err, f"{n} done, 0 failed")
    equal(len(encaps(h)), 0, "routes")


@case("batch", "a show in it sees the changes before it")
def _(net):
    h = setup(net)
    result = h.srv6("batch -", stdin="route add fc00:1::/64 segs fc00:a::1 dev v0\nroute show\n")
    contains(result.out, "fc00:1::/64")


@case("batch", "a file that is no text, a line without end, a directory, a batch in a batch")
def _(net):
    h = setup(net)
    h.refused("batch " + file_of("route add fc00:1::/64 segs fc00:a::1 dev v0\0\n", ".batch"), 2, "NUL")
    h.refused("batch /dev/zero", 2, "NUL")
    h.refused("batch " + file_of("a" * (2 << 20), ".batch"), 2, "1 MiB")
    h.refused("batch /proc/self", 2, "directory")
    h.refused("batch /does/not/exist", 2, "/does/not/exist")
    path = file_of("", ".batch")
    with open(path, "w", encoding="utf-8") as file:
        file.write(f"batch {path}\n")
    h.refused(f"batch {path}", 2, "batch")


# ---- save and restore

def fill(h):
    """Something of everything that this kernel holds, installed by ip."""
    for line in """-6 route add fc00:1::/64 encap seg6 mode encap segs fc00:a::1,fc00:b::1 dev v0
            -6 route add fc00:2::/64 encap seg6 mode inline segs fc00:a::1,fc00:b::1 dev v0 metric 7 proto 99
            -6 route add fc00:3::/64 encap seg6 mode encap.red segs fc00:a::1 dev v0 table 300 mtu 1400
            -6 route add fc00:4::/64 encap seg6 mode l2encap segs fc00:a::1 dev v1
            -6 route add fc00:5::/64 encap seg6 mode encap segs fc00:a::1 hmac 42 dev v1
            -6 route add fc00:e::1/128 encap seg6local action End count dev v0
            -6 route add fc00:e::2/128 encap seg6local action End.X nh6 2001:db8:1::2 flavors next-csid lblen 48 nflen 16 dev v0
            -6 route add fc00:e::3/128 encap seg6local action End.DT6 table 300 dev v1
            -6 route add fc00:e::4/128 encap seg6local action End.B6 srh segs fc00:a::1,fc00:b::1 dev v0
            -6 route add fc00:e::5/128 encap seg6local action End.B6.Encaps srh segs fc00:a::1 hmac 9 dev v0
            -6 route add fc00:e::6/128 encap seg6local action End.DX4 nh4 192.0.2.9 dev v0
            -6 route add fc00:6::/64 nexthop encap seg6 mode encap segs fc00:a::1 via 2001:db8:1::2 dev v0 weight 3 nexthop encap seg6 mode encap segs fc00:b::1 via 2001:db8:1::3 dev v0
            route add 198.51.100.0/24 encap seg6 mode encap segs fc00:a::1 dev v0
            route add 198.51.101.0/24 tos 0x10 encap seg6 mode l2encap.red segs fc00:a::1,fc00:b::1 via 192.0.2.7 dev v0
            -6 nexthop add id 7 encap seg6 mode encap segs fc00:a::7 dev v0
            -6 nexthop add id 8 encap seg6 mode encap segs fc00:a::8 via 2001:db8:1::8 dev v0
            -6 nexthop add id 9 via 2001:db8:1::8 dev v0
            nexthop add id 10 group 8,3/9
            -6 route add fc00:7::/64 nhid 7
            -6 route add fc00:8::/64 nhid 10
         """.strip().splitlines():
        h.ip(line.strip())


@case("restore", "a mobile behavior, which no released kernel has, does not keep the rest from coming back")
def _(net):
    h = setup(net)
    mobile = "sid add 2001:db8:f::/64 End.MAP mapped_sid 2001:db8:3::3 dev v0"
    if h.srv6(mobile, rc=None).rc == 0:
        skip("this kernel has them")
    rest = ["sid add fc00:1::1 End dev v0", "sid add fc00:1::2 End dev v0"]
    path = file_of(rest[0] + "\n" + mobile + "\n" + rest[1] + "\n", ".lines")
    got = h.srv6(f"restore {path}", rc=1)
    contains(got.err, ":2: ", "the line that is refused")
    equal([route["dst"] for route in h.json("sid show")], ["fc00:1::1", "fc00:1::2"], "SIDs")
    h.srv6("sid flush all")
    got = h.srv6(f"batch {path}", rc=1)
    contains(got.err, ":2: ", "the line that is refused")
    equal(h.json("sid show"), [], "SIDs: nothing is sent")


@case("restore", "what shares an identity, and IPv4 routes by nexthop object, come back as they were, also twice")
def _(net):
    h = setup(net)
    siblings(h)
    for words in ("nexthop add id 5 via 192.0.2.5 dev v0 encap seg6 mode encap segs fc00:a::1",
                  "nexthop add id 6 via 192.0.2.5 dev v0 onlink encap seg6 mode encap segs fc00:a::1",
                  "route add 198.51.100.0/24 nhid 5", "route add 198.51.101.0/24 nhid 6"):
        h.ip(words)
    before = h.state()
    for form in ("", "-j "):
        path = file_of("", ".state")
        h.srv6(f"{form}save {path}")
        h.srv6(f"restore {path}")
        equal(h.state(), before, "state after a restore of what is so")
        h.ip("-6 route flush fc00:6::/64")
        h.ip("nexthop flush")
        h.srv6(f"restore {path}")
        equal(h.state(), before, f"state after restore ({form or 'text'})")
        h.srv6(f"restore {path}")
        equal(h.state(), before, "state after a second restore")


def strip(state):
    lines = [text if isinstance(text, list) else text.splitlines() for text in state]
    return [sorted(line.strip() for line in part if "encap" in line or "nhid" in line or "id " in line) for part in lines]


@case("save", "what save writes, as lines and as a document, restore puts back: ip lists the same")
def _(net):
    h = setup(net)
    fill(h)
    for form in ("", "-j "):
        before = strip(h.state())
        path = file_of("", ".state")
        h.srv6(f"{form}save {path}")
        equal(os.stat(path).st_mode & 0o777, 0o600, "mode of the file")
        h.ip("-6 route flush table 300")
        for dst in ("fc00:7::/64", "fc00:8::/64"):  # ip's own flush does not manage those with an id
            h.ip(f"-6 route del {dst}")
        for words in ("-6 route flush proto boot", "-6 route flush proto 99", "route flush proto boot", "nexthop flush"):
            h.ip(words)
        check(strip(h.state()) != before, "flushed")
        h.srv6(f"restore {path}")
        equal(strip(h.state()), before, f"state after restore ({form or 'text'})")
        h.srv6(f"restore {path}")
        equal(strip(h.state()), before, "state after a second restore")


@case("save", "the document fits the JSON Schema that is installed")
def _(net):
    try:
        import jsonschema
    except ImportError:
        skip("python3-jsonschema is not installed")
    h = setup(net)
    fill(h)
    with open(os.path.join(BASE, "../../cli/document.schema.json"), encoding="utf-8") as file:
        schema = json.load(file)
    saved = json.loads(h.srv6("-j save").out)
    jsonschema.validate(saved, schema)
    equal(len(saved["routes"]), 16, "routes saved")
    for wrong in ({"routes": []}, {"srv6": 2}, {"srv6": 1, "route": []}, {"srv6": 1, "routes": [{"hops": []}]}):
        try:
            jsonschema.validate(wrong, schema)
        except jsonschema.ValidationError:
            continue
        check(False, f"the schema takes {wrong}")


@case("restore", "counters of what is so already go on")
def _(net):
    h = setup(net)
    h.forward()
    h.srv6("sid add fc00:e::1 End count dev v0")
    path = file_of("", ".state")
    h.srv6(f"-j save {path}")
    net.spaces[1].send("w0", frame(h_mac(h), udp6("2001:db8:1::9", "fc00:e::1", b"no SRH: an error")))
    poll(lambda: count_errors(h) == 1, "the SID's error counter")
    h.srv6(f"restore {path}")
    equal(count_errors(h), 1, "errors after restore")
    h.srv6(f"apply {path}")
    equal(count_errors(h), 1, "errors after apply")


def h_mac(h):
    return h.ip_json("link show v0")[0]["address"]


def count_errors(h):
    text = h.ip("-s -6 route show").out
    return int(text.split("errors ")[1].split()[0])


# ---- apply

@case("apply", "--dry-run shows + ~ -, status 1; apply makes it so; a second time there is nothing to do")
def _(net):
    h = setup(net)
    h.srv6("route add fc00:2::/64 segs fc00:a::1 dev v0 proto 143")
    h.srv6("route add fc00:3::/64 segs fc00:a::1 dev v0 proto 143")
    h.srv6("route add fc00:4::/64 segs fc00:a::1 dev v0")
    path = file_of(document([headend("fc00:1::/64", "fc00:a::1"), headend("fc00:2::/64", "fc00:a::1", "fc00:b::1")]))
    before = h.state()
    result = h.srv6(f"--dry-run apply --prune {path}", 1)
    equal(h.state(), before, "state after --dry-run")
    contains(result.out, "+ route fc00:1::/64")
    contains(result.out, "~ route fc00:2::/64")
    contains(result.out, "- route fc00:3::/64")
    check("fc00:4::" not in result.out, f"a foreign route is touched: {result}")
    changes = json.loads(h.srv6(f"-j --dry-run apply --prune {path}", 1).out)
    equal(sorted(c["change"] for c in changes), ["add", "delete", "replace"], "changes")
    contains(h.srv6(f"apply --prune {path}").err, "1 added, 1 changed, 1 deleted, 0 as they were")
    lines = encaps(h)
    equal([line.split()[0] for line in lines], ["fc00:1::/64", "fc00:2::/64", "fc00:4::/64"], "routes")
    check("proto 143" in lines[0] or "proto srv6" in lines[0], lines[0])
    equal(h.srv6(f"--dry-run apply --prune {path}").out, "", "a second look")
    contains(h.srv6(f"apply --prune {path}").err, "0 added, 0 changed, 0 deleted, 2 as they were")


@case("apply", "without --prune nothing is deleted; --protocol chooses what is owned")
def _(net):
    h = setup(net)
    h.srv6("route add fc00:3::/64 segs fc00:a::1 dev v0 proto 143")
    h.srv6("route add fc00:4::/64 segs fc00:a::1 dev v0 proto 200")
    h.srv6("apply " + file_of(document([headend("fc00:1::/64", "fc00:a::1")])))
    equal(len(encaps(h)), 3, "routes")
    h.srv6("apply --prune --protocol 200 " + file_of(document([headend("fc00:1::/64", "fc00:a::1")])))
    equal([line.split()[0] for line in encaps(h)], ["fc00:1::/64", "fc00:3::/64"], "routes")


@case("apply", "a refused route means that nothing is changed")
def _(net):
    h = setup(net)
    h.srv6("route add fc00:2::/64 segs fc00:a::1 dev v0 proto 143")
    bad = headend("fc00:5::/64", "fc00:a::1")
    bad["hops"][0]["via"] = "2001:db8:ffff::1"
    h.refused("apply --prune " + file_of(document([headend("fc00:1::/64", "fc00:a::1"), bad])), 1, "routes[1]")


@case("apply", "a broken document changes nothing, and the error names its place")
def _(net):
    h = setup(net)
    good = headend("fc00:1::/64", "fc00:a::1")
    for text, place in (
            ("", "empty"), ("{", ":1: "), ("[]", "object"), ("{}", "srv6"), ('{"srv6": 2}', "schema 1"),
            ('{"srv6": 1, "rotes": []}', "routes"), ('{"srv6": 1}\n{', ":2: "),
            ('{"srv6": 1, "routes": 5}', "array"), ('{"srv6": 1, "routes": [5]}', "routes[0]"),
            (document([good, {"dst": "fc00:2::/64", "hopps": []}]), "routes[1].hopps"),
            (document([good, headend("fc00:2::/64", "fc00:zz::1")]), "routes[1].hops[0].encap.segs[0]"),
            (document([good, headend("fc00:2::/64", "::")]), "routes[1]"),
            (document([good, {"dst": "fc00:2::/64", "hops": [{"encap": {"action": "End.X"}, "dev": "v0"}]}]), "nh6"),
            (document([good], tunsrc="ff02::1"), "tunsrc"), (document([good], protocol="kernel"), "protocol"),
            ('{"srv6": 1, "routes": [],\n "rout\\u0065s": []}', ":2: not JSON at column 2: the key is there twice"),
            ('{"srv6": 1, "routes": [{"dst": "fc00:2::/64\\u0000x"}]}', ":1: not JSON at column 32: a string with a NUL in it"),
            ('{"srv6": 1, "routes\\u0000": []}', ":1: not JSON at column 13: a string with a NUL in it"),
            ("{'srv6': 1}", ":1: not JSON at column 2: a key is in double quotes"),
            ("route add fc00:2::/64 dev d0", "a document begins with '{'; lines are read by srv6 restore and srv6 batch"),
            *((document([{"dst": "fc00:2::/64", "hops": [{"dev": "v0", "encap": {**encap, "encap_type": wrong}}]}]),
               "routes[0].hops[0].encap.encap_type") for wrong in (None, 1.5, 5, True, [])
              for encap in ({"behavior": "H.Encaps", "segs": ["fc00::1"]}, {"segs": ["fc00::1"]})),
            ('{"srv6": 1, "routes": []}\0', "NUL"), ('{"srv6": 1, "x\udc80": 1}'.encode("utf-8", "surrogateescape"), "")):
        path = file_of("")
        with open(path, "wb") as file:
            file.write(text if isinstance(text, bytes) else (text if isinstance(text, str) else json.dumps(text)).encode())
        h.refused(f"apply --prune {path}", 2, *([place] if place != "NUL" else []))
    h.refused("apply " + file_of("[" * 100000), 2)


@case("save", "a device whose name is not UTF-8 is saved as lines; the document, which cannot hold it, is not written")
def _(net):
    h = net.ns("h")
    name = b"v\xffx"
    if h.run(["ip", "link", "add", name, "type", "veth", "peer", "name", "p"]).rc:
        skip("the kernel or ip refuses that name")
    for dev in (name, b"p"):
        h.run(["ip", "link", "set", dev, "up"])
    equal(h.run([SRV6, "route", "add", "fc00:1::/64", "segs", "fc00:a::1", "dev", name]).rc, 0, "exit status of add")
    was, path = encaps(h), file_of("")
    contains(h.srv6("-j save", 1).err, "srv6 save without -j", "remedy")
    h.srv6(f"save {path}")
    h.srv6("route flush all")
    equal(encaps(h), [], "routes")
    h.srv6(f"restore {path}")
    equal(encaps(h), was, "routes")


@case("replace", "a nexthop object by a group of the same id, and back, where the kernel allows it; the routes that use it go on or it is refused")
def _(net):
    h = setup(net)
    h.srv6("nexthop add id 1 segs fc00:a::1 via 2001:db8:1::9 dev v0")
    h.srv6("nexthop add id 2 segs fc00:a::2 via 2001:db8:1::8 dev v0")
    h.srv6("route add fc00:1::/64 nhid 1")
    was = h.state()
    result = h.srv6("nexthop replace id 1 group 2", None)
    if result.rc:
        equal(h.state(), was, "state after a refusal")
        contains(result.err, "the kernel said", "refusal")
    h.srv6("nexthop add id 3 group 1/2")
    h.srv6("route add fc00:2::/64 nhid 3")
    was = h.state()
    for words in ("nexthop replace id 3 segs fc00:a::3 via 2001:db8:1::9 dev v0", "nexthop replace id 1 group 3"):
        result = h.srv6(words, None)
        equal(result.rc, 1, f"exit status of {words}")
        contains(result.err, "the kernel said", "refusal")
        equal(h.state(), was, f"state after {words}")


@case("apply", "several files and a directory are one document")
def _(net):
    h = setup(net)
    with tempfile.TemporaryDirectory() as path:
        for n, name in ((1, "a.json"), (2, "b.json"), (3, "c.txt")):
            with open(os.path.join(path, name), "w", encoding="utf-8") as file:
                json.dump(document([headend(f"fc00:{n}::/64", "fc00:a::1")]), file)
        h.srv6(f"apply --prune {path}")
    equal([line.split()[0] for line in encaps(h)], ["fc00:1::/64", "fc00:2::/64"], "routes")
    with tempfile.TemporaryDirectory() as path:
        for words in ("--dry-run apply --prune", "apply --prune", "apply"):
            h.refused(f"{words} {path}", 2, f"no *.json in {path}; an empty document is", '{"srv6": 1}')


@case("apply", "nexthop objects, groups and the routes that use them, in an order that works, there and back")
def _(net):
    h = setup(net)
    objects = [{"id": 30, "group": [{"id": 10, "weight": 1}, {"id": 20, "weight": 3}]}] + [
        {"id": n, "family": "inet6", "hops": [{"encap": {"behavior": "H.Encaps", "segs": [f"fc00:a::{n}"]},
                                               "via": f"2001:db8:1::{n}", "dev": "v0"}]} for n in (20, 10)]
    path = file_of(document([{"dst": "fc00:1::/64", "nhid": 30}], nexthops=objects))
    h.srv6(f"apply --prune {path}")
    contains(h.ip("nexthop").out, "id 30 group 10/20,3")
    contains(h.ip("-6 route show").out, "fc00:1::/64 nhid 30")
    equal(h.srv6(f"--dry-run apply --prune {path}").out, "", "a second look")
    h.srv6("apply --prune " + file_of(document([])))
    equal(h.ip("nexthop").out, "", "nexthop objects")


@case("apply", "of routes that share an identity those that are right stay or come back, and nothing is left to do")
def _(net):
    h = setup(net)
    def sibling(number, dev):
        return {"dst": "fc00:6::/64", "hops": [{"encap": {"segs": [f"fc00:a::{number}"]}, "dev": dev}]}
    for want in ([(1, "v0"), (2, "v1"), (3, "v1")], [(1, "v0"), (2, "v1"), (4, "v1")], [(1, "v0"), (9, "v1"), (4, "v1")], [(4, "v1")],
                 [(4, "v1"), (4, "v1")], []):
        h.ip("-6 route flush fc00:6::/64")
        siblings(h, proto=143)
        path = file_of(document([sibling(*w) for w in want]))
        h.srv6(f"apply --prune {path}")
        equal(sorted((line.split("[ fc00:a::")[1][0], line.split(" dev ")[1][:2]) for line in encaps(h)),
              sorted({(str(n), dev) for n, dev in want}), "routes")
        equal(h.srv6(f"--dry-run apply --prune {path}").out, "", "a second look")


@case("apply", "a plain route that shares the identity is shown as replaced, one of the document is left alone when equal")
def _(net):
    h = setup(net)
    h.ip("-6 route add fc00:1::/64 via 2001:db8:1::9 dev v0")
    h.ip("-6 route add fc00:2::/64 dev v0")
    h.ip("-6 route append fc00:2::/64 dev v1")
    h.ip("-6 route add fc00:3::/64 dev v1")
    path = file_of(document([headend("fc00:1::/64", "fc00:a::1"), headend("fc00:2::/64", "fc00:a::1"),
                             {"dst": "fc00:4::/64", "hops": [{"via": "2001:db8:1::9", "dev": "v0"}]}]))
    result = h.srv6(f"--dry-run apply {path}", 1)
    contains(result.out, "~ route fc00:1::/64")
    contains(result.out, "was fc00:1::/64 via 2001:db8:1::9")
    contains(result.out, "- route fc00:2::/64 dev v1")
    h.srv6(f"apply {path}")
    equal(len(encaps(h)), 2, "routes")
    contains(h.ip("-6 route show fc00:3::/64").out, "dev v1")
    check("dev v1" not in h.ip("-6 route show fc00:2::/64").out, "a second route of that identity is left")
    equal(h.srv6(f"--dry-run apply --prune {path}").out, "", "a second look")
    contains(h.srv6(f"apply {path}").err, "0 added, 0 changed, 0 deleted, 3 as they were")


@case("apply", "documents that say two things of one object are wrong, and the error names the place")
def _(net):
    h = setup(net)
    hop = {"encap": {"segs": ["fc00:a::1"]}, "via": "2001:db8:1::2", "dev": "v0"}
    other = {**hop, "via": "2001:db8:1::3"}
    h.refused("apply " + file_of(document([{"dst": "fc00:1::/64", "hops": [hop]}, {"dst": "fc00:1::/64", "hops": [other]}])), 2, "routes[1]")
    h.refused("apply " + file_of(document([], nexthops=[{"id": 5, "hops": [hop]}, {"id": 5, "hops": [other]}])), 2, "nexthops[1]")
    h.srv6("apply " + file_of(document([{"dst": "fc00:1::/64", "hops": [hop]}] * 2)))


@case("restore", "a device that is not there is told, and the rest is done; --dry-run changes nothing")
def _(net):
    h = setup(net)
    gone = headend("fc00:2::/64", "fc00:a::1")
    gone["hops"][0]["dev"] = "nope"
    path = file_of(document([gone, headend("fc00:1::/64", "fc00:a::1")]))
    before = h.state()
    h.srv6(f"--dry-run restore {path}", 1)
    equal(h.state(), before, "state after --dry-run")
    contains(h.srv6(f"restore {path}", 1).err, f"{path}: routes[0].hops[0].dev: there is no device 'nope'")
    equal([line.split()[0] for line in encaps(h)], ["fc00:1::/64"], "routes")
    h.refused(f"apply {path}", 2, "routes[0].hops[0].dev")


@case("restore", "a route through lo, which other tools install, comes back with a warning, and can be applied")
def _(net):
    h = setup(net)
    h.ip("-6 route add fc00:e::1/128 encap seg6local action End dev lo")
    before = h.state()
    for form in ("", "-j "):
        path = file_of("", ".state")
        h.srv6(f"{form}save {path}")
        h.ip("-6 route del fc00:e::1/128")
        contains(h.srv6(f"restore {path}").err, "warning")
        equal(h.state(), before, f"state after restore ({form or 'text'})")
    equal(h.srv6(f"--dry-run apply {path}").out, "", "changes")


@case("save", "a pipe is written to, a link stays one, a directory is none")
def _(net):
    h = setup(net)
    h.srv6("route add fc00:1::/64 segs fc00:a::1 dev v0")
    with tempfile.TemporaryDirectory() as path:
        os.mkfifo(f"{path}/pipe")
        child = h.start(["cat", f"{path}/pipe"], stdout=subprocess.PIPE)
        h.srv6(f"save {path}/pipe")
        contains(child.communicate(timeout=10)[0], "fc00:1::/64")
        check(stat.S_ISFIFO(os.stat(f"{path}/pipe").st_mode), "the pipe is no longer one")
        os.symlink("file", f"{path}/link")
        with open(f"{path}/file", "w", encoding="ascii") as file:
            file.write("old")
        h.srv6(f"save {path}/link")
        check(os.path.islink(f"{path}/link"), "the link is no longer one")
        with open(f"{path}/file", encoding="ascii") as file:
            contains(file.read(), "fc00:1::/64")
        contains(h.srv6(f"save {path}", 1).err, "directory")
        equal(sorted(os.listdir(path)), ["file", "link", "pipe"], "files")


def big(n, segment="fc00:a::1"):
    return document([headend(f"2001:db8:{i // 256:x}:{i % 256:x}::/64", segment, "fc00:b::1") for i in range(n)])


@case("apply", "10,000 routes; a second time there is nothing to do")
def _(net):
    h = setup(net)
    n = 10000 if SLOW == 1 else 1000
    path = file_of(big(n))
    h.srv6(f"apply {path}")
    equal(len(encaps(h)), n, "routes")
    equal(h.srv6(f"--dry-run apply --prune {path}").out, "", "a second look")
    h.srv6(f"apply {file_of(big(n, 'fc00:d::1'))}")
    equal(sum("fc00:d::1" in line for line in encaps(h)), n, "changed routes")


@case("apply", "killed anywhere, applied again: the state is right")
def _(net):
    h = setup(net)
    n = 4000 if SLOW == 1 else 500
    want = file_of(big(n, "fc00:d::1"))
    h.srv6(f"apply {file_of(big(n))}")
    before = file_of(big(n))
    start = time.monotonic()
    h.srv6(f"apply {want}")
    early, late = 0, time.monotonic() - start
    partly = 0
    for _ in range(30):  # closing in on the moment when the changes are made, which is short
        h.srv6(f"apply {before}")
        child = h.start([SRV6, "-q", "apply", want])
        wait = (early + late) / 2
        time.sleep(wait)
        child.send_signal(signal.SIGKILL)
        child.wait()
        there = sum("fc00:d::1" in line for line in encaps(h))
        equal(len(encaps(h)), n, "routes after the kill")
        h.srv6(f"apply {want}")
        equal(sum("fc00:d::1" in line for line in encaps(h)), n, "routes after applying again")
        partly += 0 < there < n
        if partly == 3:
            return
        if there < n:
            early = wait
        else:
            late = wait
        if late - early < 0.0005:  # the machine was busier or idler then
            early, late = early / 2, late * 2
    check(partly, "no kill came in the middle: nothing was shown")


# ---- deleting names exactly what was asked

@case("exact", "a delete that names another encapsulation deletes nothing and shows both")
def _(net):
    h = setup(net)
    h.ip("-6 route add fc00:1::/64 encap seg6 mode encap segs fc00:a::1 dev v0")
    h.ip("route add 198.51.100.0/24 encap seg6 mode encap segs fc00:a::1 dev v0")
    h.refused("route del fc00:1::/64 encap seg6 mode encap segs fc00:b::1 dev v0", 1, "fc00:a::1", "fc00:b::1")
    h.refused("route del 198.51.100.0/24 encap seg6 mode encap segs fc00:b::1 dev v0", 1, "fc00:a::1", "fc00:b::1")
    h.srv6("route del fc00:1::/64 encap seg6 mode encap segs fc00:a::1 dev v0")
    h.srv6("route del 198.51.100.0/24 encap seg6 mode encap segs fc00:a::1 dev v0")
    equal(encaps(h) + encaps(h, "-4"), [], "routes")


@case("exact", "a delete by device takes nothing that leads elsewhere, through a gateway or through a nexthop object that leads elsewhere")
def _(net):
    h = setup(net)
    h.ip("-6 addr add fc00:77::1/64 dev v0 nodad")
    for there, shown in (("via fc00:77::2 dev v0", "via fc00:77::2"), ("encap seg6 mode encap segs fc00:a::1 dev lo", "dev lo"),
                         ("nexthop via fc00:77::2 dev v0 nexthop via fc00:77::3 dev v0", "fc00:77::3"), ("blackhole", "has blackhole")):
        type_, words = ("blackhole ", "") if there == "blackhole" else ("", " " + there)
        h.ip(f"-6 route add {type_}fc00:1::/64{words}")
        before = h.ip("-6 route show fc00:1::/64").out
        h.refused("route del fc00:1::/64 dev v0", 1, "nothing is deleted", shown)
        h.refused("route del fc00:1::/64 encap seg6 mode encap segs fc00:b::1 dev v0", 1, "nothing is deleted")
        equal(h.ip("-6 route show fc00:1::/64").out, before, there)
        h.ip("-6 route del fc00:1::/64")
    h.refused("route del fc00:1::/64 dev v0", 1, "no such route")
    # of two the one without a gateway, though the other stands first
    h.ip("-6 route add fc00:1::/64 via fc00:77::2 dev v0")
    h.ip("-6 route append fc00:1::/64 dev v0")
    h.srv6("route del fc00:1::/64 dev v0")
    check("via" in h.ip("-6 route show fc00:1::/64").out, "the one with a gateway went")
    h.ip("-6 route del fc00:1::/64")
    # objects: looked at before, whether they were there or come in the same run
    h.ip("-6 nexthop add id 7 dev lo")
    h.ip("-6 route add fc00:1::/64 nhid 7")
    h.refused("route del fc00:1::/64 dev v0", 1, "nothing is deleted")
    h.ip("-6 route del fc00:1::/64")
    h.ip("nexthop del id 7")
    lines = "route add fc00:2::/64 dev v0\nroute del fc00:2::/64 dev v0\nnexthop add id 7 dev lo\nroute add fc00:1::/64 nhid 7\nroute del fc00:1::/64 dev v0\n"
    contains(h.srv6("batch -", 1, stdin=lines).err, "nothing is deleted", "an object of the same run")
    check("nhid 7" in h.ip("-6 route show fc00:1::/64").out, "the route of the object went")


@case("exact", "deletions that find nothing among many that do: each is told, and the others are done")
def _(net):
    h = setup(net)
    n = 400
    h.srv6("batch -", stdin="".join(f"route add fc00:1:{i:x}::/64 encap seg6 mode encap segs fc00:a::1 dev v0\n" for i in range(0, n, 2)))
    done = h.srv6("batch --keep-going -", 1, stdin="".join(f"route del fc00:1:{i:x}::/64 dev v0\n" for i in range(n)))
    contains(done.err, f"{n // 2} done, {n // 2} failed", "summary")
    equal(done.err.count("there is no such route"), n // 2, "failures that are told")
    equal(encaps(h), [], "routes")

# SPDX-License-Identifier: LGPL-2.1-or-later
"""apply --prune and what it owns once the document holds; what the dry run says of refusals. Judged by what ip lists."""
import json
import subprocess

from harness import case, check, contains, equal
from test_state import document, encaps, file_of, headend, setup

ENCAP = "encap seg6 mode encap segs"


def object_of(number, encap=True, **more):
    hop = {"via": f"2001:db8:1::{number}", "dev": "v0"}
    return {"id": number, "family": "inet6", "hops": [{**hop, "encap": {"segs": [f"fc00:a::{number}"]}} if encap else hop], **more}


def lines(h, what):
    """Routes to what, as ip lists them."""
    return [line.strip() for line in h.ip(f"-6 route show {what}").out.splitlines() if line]


def owned(h):
    return sorted(route["dst"] for route in h.ip_json("-6 route show table all proto 143"))


def settles(h, path, deleted):
    """The dry run shows what is deleted, apply --prune does it, and then there is nothing to do."""
    before = h.state()
    dry = h.srv6(f"--dry-run apply --prune {path}", 1)
    equal([line.split()[2] for line in dry.out.splitlines() if line.startswith("- route")], deleted, "shown as deleted")
    equal(h.state(), before, "state after the dry run")
    h.srv6(f"apply --prune {path}")
    again = h.srv6(f"--dry-run apply --prune {path}", None)
    equal((again.rc, again.out, again.err), (0, "", ""), "a second look")


# ---- which routes are SRv6 routes, before and after

@case("apply", "--prune: own routes that become SRv6 routes by the document's objects go at once, through a group too")
def _(net):
    h = setup(net)
    for number in (10, 11, 12):
        h.ip(f"nexthop add id {number} proto 77 via 2001:db8:1::{number} dev v0")
    h.ip("nexthop add id 20 proto 77 group 10/12")  # not in the document: a member of it changes
    h.ip("nexthop add id 21 proto 143 group 11/12")  # its members change
    for number, nhid in enumerate((10, 20, 21, 11), 1):
        h.ip(f"-6 route add fc00:{number}::/64 proto 143 nhid {nhid}")
        h.ip(f"-6 route add fc00:{number}:1::/64 proto 77 nhid {nhid}")
    path = file_of(document([], nexthops=[object_of(10), object_of(11, False),
                                          {"id": 21, "group": [{"id": 10}, {"id": 11}]}]))
    settles(h, path, ["fc00:1::/64", "fc00:2::/64", "fc00:3::/64"])
    equal(owned(h), ["fc00:4::/64"], "own routes: one leads to no encapsulation")
    equal(len(h.ip_json("-6 route show proto 77")), 4, "routes of others")


@case("apply", "--prune: own routes that are SRv6 routes only until the document's object changes go before that")
def _(net):
    h = setup(net)
    h.ip(f"nexthop add id 10 proto 143 {ENCAP} fc00:a::10 via 2001:db8:1::10 dev v0")
    h.ip("nexthop add id 20 proto 143 group 10")
    h.ip("-6 route add fc00:1::/64 proto 143 nhid 10")
    h.ip("-6 route add fc00:2::/64 proto 143 nhid 20")
    h.ip("-6 route add fc00:3::/64 proto 77 nhid 10")
    path = file_of(document([headend("fc00:4::/64", "fc00:a::1")],
                            nexthops=[object_of(10, False), {"id": 20, "group": [{"id": 10}]}]))
    monitor = h.start(["ip", "-o", "monitor", "route", "nexthop"], stdout=subprocess.PIPE)
    try:
        h.run("sleep 0.2")
        settles(h, path, ["fc00:1::/64", "fc00:2::/64"])
    finally:
        h.run("sleep 0.2")
        monitor.terminate()
        seen = monitor.communicate()[0]
    equal(lines(h, "fc00:3::/64")[0].split(" via")[0], "fc00:3::/64 nhid 10", "a route of others")
    # killed between the two, applying again would not know the routes any more
    gone = [seen.index(f"Deleted fc00:{n}::/64") for n in (1, 2)]
    check(max(gone) < seen.index("id 10 via"), f"the object changed first:\n{seen}")


# ---- refusals that the dry run knows

@case("apply", "the dry run tells that a group's protocol is the kernel's to keep, as the real run does")
def _(net):
    h = setup(net)
    h.ip("nexthop add id 13 proto 143 via 2001:db8:1::13 dev v0")
    h.ip("nexthop add id 12 group 13")
    group = {"id": 12, "group": [{"id": 13, "weight": 3}]}
    path = file_of(document([headend("fc00:1::/64", "fc00:a::1")], nexthops=[object_of(13, False), group]))
    before = h.state()
    dry = h.srv6(f"--dry-run apply {path}", 1)
    contains(dry.out, "~ nexthop id 12 group 13,3")
    real = h.srv6(f"apply {path}", 1)
    equal(h.state(), before, "state after a refusal")
    equal(dry.err, real.err, "what the dry run says, and the real one")
    contains(dry.err, "nexthops[1]: ")
    contains(dry.err, "give it proto 0")
    error = json.loads(h.srv6(f"-j --dry-run apply {path}", 1).err)["error"]
    equal(error["path"], "nexthops[1]", "place")
    # the remedies
    equal(h.srv6(f"--no-verify --dry-run apply {path}", 1).err, "", "with --no-verify")
    path = file_of(document([], nexthops=[object_of(13, False), {**group, "protocol": 0}]))
    equal(h.srv6(f"--dry-run apply {path}", 1).err, "", "of the group's own protocol")
    h.srv6(f"apply {path}")
    contains(h.ip("nexthop show id 12").out, "group 13,3")


# ---- routes that cannot be deleted exactly

def hidden(h, path, left, deleted):
    """Routes that --prune cannot delete: told alike by the dry run and the real one, and the rest is done."""
    there = [lines(h, dst) for dst in left]
    dry = h.srv6(f"--dry-run apply --prune {path}", 1)
    equal([line.split()[2] for line in dry.out.splitlines()], deleted, "shown")
    real = h.srv6(f"apply --prune {path}", 1)
    contains(real.err, f"{len(deleted)} deleted")
    contains(real.err, f"{len(left)} left")
    equal([line for line in real.err.splitlines() if " deleted, " not in line], dry.err.splitlines(), "what is said")
    equal([lines(h, dst) for dst in left], there, "what is left")
    for dst in left:
        contains(dry.err, f"{dst} stays: nothing is deleted: another route to {dst} in table 254 stands before", "refusal")
    again = h.srv6(f"--dry-run apply --prune {path}", 1)
    equal((again.out, again.err), ("", dry.err), "a second look")
    return dry.err


@case("apply", "--prune leaves a route behind one that the kernel would take, and says so; the rest is done")
def _(net):
    h = setup(net)
    h.ip("nexthop add id 10 proto 77 via 2001:db8:1::10 dev v0")
    h.ip("-6 route add fc00:1::/64 proto 143 nhid 10")
    h.ip("-6 route add fc00:2::/64 proto 143 dev v0")
    h.ip("-6 route add fc00:3::/64 proto 77 nhid 10")  # of another protocol: not in the way
    h.ip("-6 route add fc00:4::/64 proto 143 metric 5 nhid 10")  # of another metric
    h.ip("-6 route add fc00:5::/64 proto 143 dev v1")  # of another device
    for number in range(1, 7):
        h.ip(f"-6 route append fc00:{number}::/64 proto 143 {ENCAP} fc00:a::1 dev v0")
    deleted = [f"fc00:{number}::/64" for number in range(3, 7)]
    text = hidden(h, file_of(document([])), ["fc00:1::/64", "fc00:2::/64"], deleted)
    contains(text, "uses a nexthop object: the kernel would take that one")
    contains(text, "leads the same way: the kernel would take that one")
    for number in (3, 4, 5):
        equal(len(lines(h, f"fc00:{number}::/64")), 1, "the one before it")
    equal(len(encaps(h)), 2, "SRv6 routes")
    # while something else changes at its prefix
    path = file_of(document([headend("fc00:1::/64", "fc00:a::9", metric=9), headend("fc00:7::/64", "fc00:a::9")]))
    contains(h.srv6(f"--dry-run apply --prune {path}", 1).err, "fc00:1::/64 stays: ")
    h.srv6(f"apply --prune {path}", 1)
    equal(sum("fc00:a::9" in line for line in encaps(h)), 2, "routes of the document")
    # what the remedy leaves to the operator
    h.ip("-6 route del fc00:1::/64 nhid 10 proto 143 metric 1024")
    h.ip("-6 route append fc00:1::/64 proto 143 nhid 10")
    h.ip("-6 route del fc00:2::/64 dev v0 proto 143 metric 1024")
    h.srv6(f"apply --prune {path}")
    equal(len(encaps(h)), 2, "SRv6 routes")


@case("apply", "--prune: own routes that stand before one another all go, whichever is in the way")
def _(net):
    h = setup(net)
    h.ip(f"nexthop add id 10 proto 143 {ENCAP} fc00:a::10 via 2001:db8:1::10 dev v0")
    for family, dst in (("-6", "fc00:1::/64"), ("-4", "198.51.100.0/24")):
        if family == "-6":
            h.ip(f"-6 route add {dst} proto 143 nhid 10")
        for segment in (1, 2, 3):
            h.ip(f"{family} route append {dst} proto 143 {ENCAP} fc00:a::{segment} dev v{segment // 3}")
    settles(h, file_of(document([])), ["198.51.100.0/24"] * 3 + ["fc00:1::/64"] * 4)
    equal((encaps(h), encaps(h, "-4"), h.ip("nexthop").out), ([], [], ""), "what is left")


@case("apply", "IPv6 routes of one document that differ in their protocol alone: the kernel takes one of them, and the document is refused")
def _(net):
    h = setup(net)
    one = headend("fc00:1::/64", "fc00:a::1")
    for first, second in (({"dst": "fc00:1::/64", "nhid": 13}, {"dst": "fc00:1::/64", "nhid": 13, "protocol": 5}),
                          (one, {**one, "protocol": 5})):
        path = file_of(document([first, second], nexthops=[object_of(13)]))
        before = h.state()
        for words in ("apply", "--dry-run apply", "apply --prune"):
            h.refused(f"{words} {path}", 2, "routes[1]", "another route, routes[0]", "leads the same way", "keep one of them")
        equal(h.state(), before, "state")
    # what the kernel does take: another object, another encapsulation
    two = {**one, "hops": [{**one["hops"][0], "encap": {**one["hops"][0]["encap"], "segs": ["fc00:a::2"]}}]}
    h.srv6(f"apply {file_of(document([one, {**two, 'protocol': 5}]))}")
    equal(len(encaps(h)), 2, "routes")

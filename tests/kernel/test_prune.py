# SPDX-License-Identifier: LGPL-2.1-or-later
"""What apply leaves alone for the sake of others, what it does not take for an answer, and documents that do not agree."""
import json
import os
import tempfile

from harness import case, check, contains, equal, need_init_user
from test_state import document, encaps, file_of, headend, setup

ENCAP = "encap seg6 mode encap segs"
EMPTY = document([])


def routes_of(h):
    return sorted(r["dst"] for r in h.ip_json("-6 route show table all") + h.ip_json("-4 route show table all") if "nhid" in r)


def ids_of(h):
    return [n["id"] for n in h.ip_json("nexthop")]


def prune(h, text, stays, goes=(), rc=None):
    """--prune, with the warnings in stays and the objects that go: --dry-run, which exits with rc, says what the real run does."""
    path = file_of(text)
    before, routes = ids_of(h), routes_of(h)
    dry = h.srv6(f"--dry-run apply --prune {path}", rc or (1 if goes else 0))
    equal([line.split(" ")[3] for line in dry.out.splitlines() if line.startswith("- nexthop")], [str(n) for n in goes], "shown")
    equal((ids_of(h), routes_of(h)), (before, routes), "after --dry-run")
    real = h.srv6(f"apply --prune {path}")
    for result in (dry, real):
        told = [line.split("warning: ")[1] for line in result.err.splitlines() if "warning: " in line]
        equal(told, list(stays), "warnings")
    equal(ids_of(h), [n for n in before if n not in goes], "objects")
    equal(h.srv6(f"--dry-run apply --prune {path}").out, "", "a second look")
    return real


@case("apply", "--prune leaves an object that a route of others uses, with a warning; --dry-run says the same")
def _(net):
    h = setup(net)
    for family, dst, via in (("-6", "2001:db8:a04::/64", "2001:db8:1::7"), ("-4", "203.0.113.0/24", "192.0.2.7")):
        h.ip(f"nexthop add id 143 proto 143 {ENCAP} fc00::7 via {via} dev v0")
        h.ip(f"{family} route add {dst} proto bird nhid 143")
        prune(h, EMPTY, [f"nexthop id 143 stays: {dst} (proto bird) uses it"])
        equal(routes_of(h), [dst], "the route of bird")
        h.ip(f"{family} route del {dst}")
        prune(h, EMPTY, [], [143])


@case("apply", "--prune: objects and routes without an encapsulation, and a second route in another table")
def _(net):
    h = setup(net)
    h.ip("nexthop add id 144 proto 143 via 2001:db8:1::8 dev v0")
    h.ip("-6 route add 2001:db8:a05::/64 proto bird nhid 144")
    h.ip("-6 route add 2001:db8:a06::/64 proto static nhid 144 table 77")
    h.ip("nexthop add id 145 proto 143 via 2001:db8:1::9 dev v0")
    h.ip("-6 route add 2001:db8:a07::/64 proto 143 nhid 145")
    dry = h.srv6(f"--dry-run apply --prune {file_of(EMPTY)}", 1)
    contains(dry.out, "- route 2001:db8:a07::/64")
    result = prune(h, EMPTY, ["nexthop id 144 stays: 2001:db8:a06::/64 (proto static) and 1 more use it"], [145])
    contains(result.err, "2 deleted")
    equal(routes_of(h), ["2001:db8:a05::/64", "2001:db8:a06::/64"], "routes by object")


@case("apply", "--prune: a group of ours that others use stays with its members, and so does a member of a group of others")
def _(net):
    h = setup(net)
    for n in (10, 11, 12, 13):
        h.ip(f"nexthop add id {n} proto 143 {ENCAP} fc00::{n} via 2001:db8:1::{n} dev v0")
    h.ip("nexthop add id 20 proto 143 group 10/11")
    h.ip("-6 route add 2001:db8:a04::/64 proto bird nhid 20")
    h.ip("nexthop add id 21 proto bird group 12")
    h.ip("nexthop add id 22 proto 143 group 13")
    prune(h, EMPTY, [f"nexthop id {n} stays: 2001:db8:a04::/64 (proto bird) uses it" for n in (10, 11)] +
          ["nexthop id 12 stays: nexthop id 21 (proto bird) uses it", "nexthop id 20 stays: 2001:db8:a04::/64 (proto bird) uses it"],
          [22, 13])
    equal(routes_of(h), ["2001:db8:a04::/64"], "the route of bird")
    # of a group of others that a route of others uses
    h.ip("-6 route replace 2001:db8:a04::/64 proto bird nhid 21")
    prune(h, EMPTY, ["nexthop id 12 stays: nexthop id 21 (proto bird) uses it"], [20, 10, 11])
    equal(routes_of(h), ["2001:db8:a04::/64"], "the route of bird")


@case("apply", "--prune: an object that the document's own route uses and the document does not have stays")
def _(net):
    h = setup(net)
    h.ip(f"nexthop add id 143 proto 143 {ENCAP} fc00::7 via 2001:db8:1::7 dev v0")
    prune(h, document([{"dst": "fc00:1::/64", "nhid": 143}]), ["nexthop id 143 stays: fc00:1::/64 (proto srv6) uses it"], rc=1)
    prune(h, document([{"dst": "fc00:1::/64", "nhid": 143}]), ["nexthop id 143 stays: fc00:1::/64 (proto srv6) uses it"])
    equal(routes_of(h), ["fc00:1::/64"], "routes")
    # once the route leads elsewhere nothing uses it
    prune(h, document([headend("fc00:1::/64", "fc00:a::1")]), [], [143])


def two(h, one, other, words="apply"):
    with tempfile.TemporaryDirectory() as path:
        for name, text in (("a.json", one), ("b.json", other)):
            with open(os.path.join(path, name), "w", encoding="utf-8") as file:
                json.dump(text, file)
            os.chmod(os.path.join(path, name), 0o600)
        if words == "refused":
            h.refused(f"apply {path}", 2, f"{path}/b.json: ", f" of {path}/a.json")
        else:
            h.srv6(f"{words} {path}")


@case("apply", "documents that say two things of one object are wrong, and the error names both; within one routes may be siblings")
def _(net):
    h = setup(net)
    one, other = (headend("fc00:1::/64", f"fc00:a::{n}") for n in (1, 2))
    two(h, document([one]), document([other]), "refused")
    two(h, document([one, other]), document([one]), "refused")
    two(h, document([one]), document([one, other]), "refused")
    two(h, document([one]), document([other, headend("fc00:2::/64", "fc00:a::1")]), "refused")
    objects = [{"id": 5, "hops": [{**one["hops"][0], "via": f"2001:db8:1::{n}"}]} for n in (2, 3)]
    two(h, document([], nexthops=objects[:1]), document([], nexthops=objects[1:]), "refused")
    keys = [{"hmac": 5, "algo": "sha256", "secret": "61" * n} for n in (8, 9)]
    two(h, document([], hmac=keys[:1]), document([], hmac=keys[1:]), "refused")
    equal(encaps(h), [], "routes")
    two(h, document([one]), document([{**other, "metric": 5}, one]))
    equal(len(encaps(h)), 2, "routes of different metrics, one of them said twice")
    two(h, document([one, other]), document([other, one]))
    equal(len(encaps(h)), 3, "siblings, said twice")


@case("apply", "an HMAC key without a secret must be in the kernel: told by restore and apply, which does nothing then")
def _(net):
    need_init_user()
    h = setup(net)
    path = file_of(document([headend("fc00:1::/64", "fc00:a::1")], hmac=[{"hmac": 77}, {"hmac": 78, "algo": "sha256"}]))
    os.chmod(path, 0o600)
    h.refused(f"apply {path}", 1, "hmac[0]: HMAC key 77 is not in the kernel", "srv6 hmac set 77")
    result = h.srv6(f"restore {path}", 1)
    contains(result.err, "hmac[0]: HMAC key 77 is not in the kernel")
    contains(result.err, "hmac[1]: HMAC key 78 is not in the kernel")
    contains(result.err, "1 done, 2 failed")
    equal(len(encaps(h)), 1, "the rest is restored")
    secret = file_of("secret of a test", ".txt")
    os.chmod(secret, 0o600)
    h.srv6(f"hmac set 78 sha256 --file {secret}")
    result = h.srv6(f"restore {path}", 1)
    contains(result.err, "1 done, 1 failed")
    h.srv6(f"hmac set 77 sha256 --file {secret}")
    check("failed" in h.srv6(f"restore {path}").err, "no summary")
    h.srv6(f"apply {path}")
    two(h, document([], hmac=[{"hmac": 79}]), document([], hmac=[{"hmac": 79, "algo": "sha256", "secret": "61" * 8}]))
    contains(json.dumps(h.json("hmac show")), "79")

# SPDX-License-Identifier: LGPL-2.1-or-later
"""The monitor: what it prints, folded, is what the kernel has, whatever happens meanwhile."""
import json
import os
import signal
import subprocess
import time

from harness import Failed, case, check, contains, equal, poll, SRV6, SLOW
from test_state import setup, encaps


class Monitor:
    """srv6 -j monitor in the background; its events folded into a set of routes."""
    def __init__(self, space, words="initial"):
        read_end, write_end = os.pipe()
        self.child = space.start([SRV6, "-j", "monitor"] + words.split(), stdout=write_end, stderr=subprocess.PIPE)
        os.close(write_end)
        self.fd, self.rest, self.events, self.routes = read_end, b"", [], {}
        os.set_blocking(self.fd, False)
        self.until(lambda: any(e["event"] == "synced" for e in self.events), "the first synced")

    def take(self):
        try:
            data = os.read(self.fd, 1 << 20)
        except BlockingIOError:
            return False
        lines = (self.rest + data).split(b"\n")
        self.rest = lines.pop()
        for line in lines:
            self.fold(json.loads(line))
        return bool(data)

    def fold(self, event):
        self.events.append(event)
        if event.get("object") != "route":
            return
        route = event["route"]
        key = (route["dst"], route.get("table", 254), route.get("metric", 0))
        if event["event"] == "gone":
            self.routes.pop(key, None)
        else:
            self.routes[key] = route

    def until(self, condition, what, seconds=20):
        def look():
            while self.take():
                pass
            check(self.child.poll() is None, f"the monitor ended: {self.child.stderr.read() if self.child.poll() is not None else ''}")
            return condition()
        poll(look, what, seconds)

    def names(self):
        return sorted(key[0] for key in self.routes)

    def end(self):
        self.child.send_signal(signal.SIGTERM)
        equal(self.child.wait(10 * SLOW), 0, "exit status after SIGTERM")
        os.close(self.fd)


@case("monitor", "new, changed and gone, a JSON object a line; plain routes are not told")
def _(net):
    h = setup(net)
    h.srv6("route add fc00:1::/64 segs fc00:a::1 dev v0")
    m = Monitor(h)
    equal(m.names(), ["fc00:1::/64"], "what was there")
    h.ip("-6 route add fc00:77::/64 dev v0")
    h.srv6("route add fc00:2::/64 segs fc00:a::1 dev v0")
    h.srv6("route replace fc00:2::/64 segs fc00:b::1 dev v0")
    h.srv6("route del fc00:1::/64")
    m.until(lambda: m.names() == ["fc00:2::/64"] and m.routes and "changed" in [e["event"] for e in m.events], "the events")
    equal(next(iter(m.routes.values()))["hops"][0]["encap"]["segs"], ["fc00:b::1"], "segments")
    check(not any("fc00:77" in json.dumps(e) for e in m.events), "a plain route was told")
    m.end()


@case("B25", "an overrun is one line, and what follows makes the fold equal to the kernel")
def _(net):
    h = setup(net)
    n = 30000 if SLOW == 1 else 3000
    m = Monitor(h, "route initial")
    m.child.send_signal(signal.SIGSTOP)
    text = "".join(f"route add 2001:db8:{i // 256:x}:{i % 256:x}::/64 segs fc00:a::1,fc00:b::1,fc00:c::1 dev v0\n" for i in range(n))
    h.srv6("batch -", stdin=text)
    h.srv6("batch -", stdin=text.replace("add", "del", 1).replace("route add", "route del").replace(" dev v0", ""))
    kept = "".join(text.splitlines(keepends=True)[:500])
    h.srv6("batch -", stdin=kept)
    m.child.send_signal(signal.SIGCONT)
    h.srv6("route add fc00:ffff::/64 segs fc00:a::1 dev v0")
    m.until(lambda: "fc00:ffff::/64" in m.names() and len(m.routes) == 501, "the fold equal to the kernel", 60)
    lost = [i for i, e in enumerate(m.events) if e["event"] == "lost"]
    if lost:
        check(any(e["event"] == "synced" for e in m.events[lost[-1]:]), "lost without a synced after it")
    equal(len(encaps(h)), 501, "routes in the kernel")
    m.end()


@case("B24", "a link that goes down takes IPv4 routes away without an event: told all the same")
def _(net):
    h = setup(net)
    h.ip("-6 route add fc00:9::/64 encap seg6 mode encap segs fc00:a::1 dev v0")
    h.ip("route add 198.51.100.0/24 encap seg6 mode encap segs fc00:a::1 dev v0")
    m = Monitor(h)
    equal(m.names(), ["198.51.100.0/24", "fc00:9::/64"], "what was there")
    h.ip("link set v0 down")
    m.until(lambda: not m.routes, "both routes gone")
    gone = [e for e in m.events if e["event"] == "gone" and e["route"]["dst"].startswith("198")]
    check(gone and gone[0].get("inferred") is True, f"not marked as inferred: {gone}")
    check(any(e.get("object") == "link" for e in m.events), "no event of the link")
    m.end()


TWINS, MARK = "198.51.100.0/24", "203.0.113.0/24"


def told(h, twins, meanwhile):
    """Events of routes of one identity, as (event, segment), after all of meanwhile has been done behind the monitor's back."""
    for twin in twins:
        h.srv6(f"route {twin}")
    monitor = Monitor(h, "route initial")
    n = len(monitor.events)
    equal(n, len(twins) + 1, "events, one of them synced")
    monitor.child.send_signal(signal.SIGSTOP)
    meanwhile()
    monitor.child.send_signal(signal.SIGCONT)
    monitor.until(lambda: any(e["event"] == "gone" for e in monitor.events[n:]), "one that is gone")
    monitor.end()
    left = h.ip(f"route show {TWINS}").out
    h.srv6("route flush all")
    events = [(e["event"], e["route"]["hops"][0]["encap"]["segs"][0]) for e in monitor.events[n:]]
    for event, segment in events:
        equal(f" {segment} " in left, event != "gone", f"{segment} in what is left after {events}: {left}")
    return events


@case("B24", "of IPv4 routes with one identity the one that goes is told to be gone, also where the others change at once")
def _(net):
    h, b = net.ns("h"), net.ns("b")
    net.link(h, "v0", h, "v1")  # each the other's end: with one down the other has no carrier
    net.link(h, "v2", b, "w2")
    for number in range(3):
        h.addr(f"192.0.2.{16 * number + 1}/28", f"v{number}")
    h.addr("192.0.2.77/32", "v2")

    def down(dev, then=lambda: None):
        h.ip(f"link set {dev} down")
        then()

    def up():
        h.ip("link set v0 up\nlink set v1 up\nlink set v2 up")
        poll(lambda: all("LOWER_UP" in h.ip(f"link show v{number}").out for number in range(3)), "carriers")

    def no_carrier():
        poll(lambda: "linkdown" in h.ip(f"route show {TWINS}").out, "a route without a carrier")

    def address_gone():
        h.ip("addr del 192.0.2.77/32 dev v2\nlink set v0 down")
        no_carrier()

    for verb in ("append", "prepend"):
        for dev in ("v0", "v1"):
            twins = [f"{verb} {TWINS} segs fc00::1 dev v0", f"{verb} {TWINS} segs fc00::2 dev v1"]
            gone, stays = ("fc00::1", "fc00::2")[:: 1 if dev == "v0" else -1]
            equal(told(h, twins, lambda dev=dev: down(dev, no_carrier)), [("changed", stays), ("gone", gone)], f"{dev} down, {verb}")
            up()
        for dev, other in (("v0", "v2"), ("v2", "v0")):
            twins = [f"{verb} {TWINS} segs fc00::1 dev {dev}", f"{verb} {TWINS} segs fc00::2 dev {other}"]
            equal(told(h, twins, lambda dev=dev: down(dev)), [("gone", "fc00::1")], f"{dev} down beside {other}, {verb}")
            up()
            replaces = f"route replace {TWINS} segs fc00::3 dev {other}"
            equal(told(h, twins, lambda dev=dev, line=replaces: down(dev, lambda: h.srv6(line))), [("changed", "fc00::3"), ("gone", "fc00::1")],
                  f"{dev} down, the other replaced, {verb}")
            up()
        # On one device: one goes with the address that it prefers, of the other the carrier goes.
        twins = [f"{verb} {TWINS} segs fc00::1 dev v1 src 192.0.2.77", f"{verb} {TWINS} segs fc00::2 dev v1"]
        equal(told(h, twins, address_gone), [("changed", "fc00::2"), ("gone", "fc00::1")], f"an address gone, {verb}")
        h.addr("192.0.2.77/32", "v2")
        up()


@case("monitor", "a replacement of one of several routes with one identity, some of them plain, is told of the one that it took the place of")
def _(net):
    h, b = net.ns("h"), net.ns("b")
    for number in range(3):
        net.link(h, f"v{number}", b, f"w{number}")
        h.addr(f"192.0.2.{16 * number + 1}/28", f"v{number}")

    def happens(monitor, lines):
        """What is told when ip does that; the route to MARK is the last of it."""
        n = len(monitor.events)
        h.ip("\n".join([*lines, f"route add {MARK} encap seg6 mode encap segs fc00::f dev v0", f"route del {MARK}"]))
        monitor.until(lambda: [e["event"] for e in monitor.events[n:] if e["route"]["dst"] == MARK][-1:] == ["gone"], f"{lines}: {monitor.events[n:]}")
        return [(e["event"], e["route"]["hops"][0]["encap"]["segs"][0]) for e in monitor.events[n:] if e["route"]["dst"] != MARK]

    for to in (TWINS, "2001:db8:77::/64"):
        plain, encap, other = (f"{to} {words}" for words in ("dev v0", "encap seg6 mode encap segs fc00::1 dev v1", "encap seg6 mode encap segs fc00::3 dev v2"))
        for first, second, to_plain, to_encap in ((plain, encap, [], [("new", "fc00::3")]), (encap, plain, [("gone", "fc00::1")], [("changed", "fc00::3")])):
            for replacement, want in ((f"{to} dev v2", to_plain), (other, to_encap)):
                for before in range(3):  # how many of the routes were there when it began
                    lines = [f"route add {first}", f"route append {second}"]
                    for line in lines[:before]:
                        h.ip(line)
                    monitor = Monitor(h, "route initial")
                    if before < 2:
                        happens(monitor, lines[before:])
                    equal(happens(monitor, [f"route replace {replacement}"]), want, f"events; {lines}, {before} of them before; replaced by {replacement}")
                    monitor.end()
                    h.ip(f"route flush {to}" if to == TWINS else f"-6 route flush {to}")


@case("B24", "an address that goes takes the IPv4 routes away, and from IPv6 routes the source, that prefer it, without an event: told")
def _(net):
    h = setup(net)
    m = Monitor(h, "route initial")

    def source():
        return {key[0]: route.get("prefsrc") for key, route in m.routes.items()}

    for round_ in range(10):
        h.ip("-6 addr add 2001:db8:77::5/128 dev v1 nodad")
        h.ip("addr add 192.0.2.77/32 dev v1")
        h.srv6("route add fc00:9::/64 segs fc00:a::1 dev v0 src 2001:db8:77::5")
        h.srv6("route add 198.51.100.0/24 segs fc00:a::1 dev v0 src 192.0.2.77")
        m.until(lambda: source() == {"fc00:9::/64": "2001:db8:77::5", "198.51.100.0/24": "192.0.2.77"}, f"both, round {round_}")
        h.ip("-6 addr del 2001:db8:77::5/128 dev v1")
        m.until(lambda: m.routes and source().get("fc00:9::/64", "") is None, f"an IPv6 route without a source: {source()}")
        h.ip("addr del 192.0.2.77/32 dev v1")
        m.until(lambda: source() == {"fc00:9::/64": None}, f"no IPv4 route: {source()}")
        check("src" not in h.ip("-6 route show fc00:9::/64").out, "this kernel keeps the source")
        h.srv6("route del fc00:9::/64")
        m.until(lambda: not m.routes, "none")
    m.end()


@case("B24", "a nexthop object that is deleted takes its IPv4 routes away without an event: told all the same")
def _(net):
    h = setup(net)
    h.ip("nexthop add id 5 encap seg6 mode encap segs fc00:a::1 via 192.0.2.7 dev v0")
    h.ip("route add 198.51.100.0/24 nhid 5")
    m = Monitor(h)
    equal(m.names(), ["198.51.100.0/24"], "what was there")
    h.ip("nexthop del id 5")
    m.until(lambda: not m.routes, "the route gone")
    m.end()


# ---- what changes with an object or a device, and the kernel says nothing of

ENCAP = "encap seg6 mode encap segs"


def hops_of(route):
    """Of a route as ip -j or as we show it: gateway, device, segments, and whether it is dead, of each hop."""
    hops = route.get("nexthops") or route.get("hops") or [route]
    segments = lambda hop: hop["encap"]["segs"] if isinstance(hop.get("encap"), dict) else hop.get("segs")
    return sorted((hop.get("gateway", hop.get("via")), hop.get("dev"), json.dumps(segments(hop)), "dead" in hop.get("flags", []))
                  for hop in hops)


def by_ip(h):
    # a route by nexthop object shows its hops, and so whether there is an encapsulation
    routes = h.ip_json("-6 route show table all") + h.ip_json("-4 route show table all")
    return {r["dst"]: hops_of(r) for r in routes if '"encap"' in json.dumps(r)}


def fold_is_truth(h, m, what):
    """The fold, what is shown, and what ip shows: all three are one in the end."""
    shown = lambda: {(r["dst"], r.get("table", 254), r.get("metric", 0)): r for r in h.json("route show")}
    folded = lambda: {key[0]: hops_of(route) for key, route in m.routes.items()}
    try:
        m.until(lambda: m.routes == shown() and folded() == by_ip(h), what, 5)
    except Failed:
        pass
    equal(m.routes, shown(), f"the fold, {what}")
    equal(folded(), by_ip(h), f"the fold against ip, {what}")


def by_objects(net):
    """Two devices; routes by object, by group, and with hops of their own, of both families."""
    h, b = net.ns("h"), net.ns("b")
    net.link(h, "v0", b, "w0")
    net.link(h, "v2", b, "w2")
    h.addr("2001:db8::2/64", "v0")
    h.addr("2001:db8:2::2/64", "v2")
    h.addr("192.0.2.1/24", "v0")
    h.addr("198.51.100.1/24", "v2")
    remember(h)
    h.ip("-6 route add 2001:db8:a04::/64 nhid 12")
    h.ip("-6 route add 2001:db8:a06::/64 nhid 11")
    h.ip("-4 route add 203.0.113.0/28 nhid 22")
    hop = lambda segment, via, dev: f"nexthop {ENCAP} {segment} via {via} dev {dev}"
    h.ip(f"-6 route add 2001:db8:a05::/64 {hop('fc00::9', '2001:db8::7', 'v0')} {hop('fc00::a', '2001:db8:2::7', 'v2')}")
    h.ip(f"-4 route add 203.0.113.16/28 {hop('fc00::9', '192.0.2.7', 'v0')} {hop('fc00::a', '198.51.100.7', 'v2')}")
    return h, b


def remember(h):
    for kind, first, second in (("1", "2001:db8::7", "2001:db8:2::7"), ("2", "192.0.2.7", "198.51.100.7")):
        h.ip(f"nexthop replace id {kind}0 {ENCAP} fc00::7 via {first} dev v0")
        h.ip(f"nexthop replace id {kind}1 {ENCAP} fc00::8 via {second} dev v2")
        h.ip(f"nexthop replace id {kind}3 {ENCAP} fc00::b via {first} dev v0")
        h.ip(f"nexthop replace id {kind}2 group {kind}0/{kind}1")


def inferred(m, dst, since):
    return [e for e in m.events[since:] if e.get("object") == "route" and e["route"]["dst"] == dst and e.get("inferred")]


@case("B24", "a group that loses a member, and one that gets others: the routes are told as they are now")
def _(net):
    h, _b = by_objects(net)
    m = Monitor(h, "route nexthop initial")
    fold_is_truth(h, m, "at the start")
    since = len(m.events)
    for kind, dst in (("1", "2001:db8:a04::/64"), ("2", "203.0.113.0/28")):
        h.ip(f"nexthop del id {kind}0")
        fold_is_truth(h, m, "after a member was deleted")
        told = inferred(m, dst, since)
        check(told and told[-1]["event"] == "changed" and len(told[-1]["route"]["hops"]) == 1, f"{dst} is not told to be changed: {told}")
        h.ip(f"nexthop replace id {kind}2 group {kind}3")
        fold_is_truth(h, m, "after the group was replaced")
        h.ip(f"nexthop replace id {kind}2 group {kind}1/{kind}3,3")
        fold_is_truth(h, m, "after the group was replaced again")
        h.ip(f"nexthop replace id {kind}3 {ENCAP} fc00::c via {'2001:db8::8' if kind == '1' else '192.0.2.8'} dev v0")
        fold_is_truth(h, m, "after a member was replaced")
        h.ip(f"nexthop del id {kind}2")
        fold_is_truth(h, m, "after the group was deleted")
    m.end()


@case("B24", "a device that goes down, or loses its carrier, takes hops and members of groups away: told, as is that hops come back")
def _(net):
    h, b = by_objects(net)
    m = Monitor(h)
    fold_is_truth(h, m, "at the start")
    for space, dev, other in ((h, "v2", "down"), (b, "w2", "without carrier")):
        since = len(m.events)
        space.ip(f"link set {dev} down")
        poll(lambda: "LOWER_UP" not in h.ip("link show v2").out and not h.ip("nexthop show id 11", ok=False).out, "v2 down")
        fold_is_truth(h, m, f"v2 {other}")
        for dst in ("2001:db8:a04::/64", "2001:db8:a05::/64", "203.0.113.0/28", "203.0.113.16/28"):
            told = inferred(m, dst, since)
            check(told and told[-1]["event"] == "changed", f"v2 {other}: {dst} is not told to be changed: {told}")
        space.ip(f"link set {dev} up")
        poll(lambda: "LOWER_UP" in h.ip("link show v2").out, "v2 up")
        fold_is_truth(h, m, "v2 up again")
        if space is h:
            h.addr("2001:db8:2::2/64", "v2")
        remember(h)
        h.ip("-6 route replace 2001:db8:a06::/64 nhid 11")
        fold_is_truth(h, m, "all there again")
    h.ip("link del v2")
    fold_is_truth(h, m, "v2 deleted")
    m.end()


@case("B25", "an overrun with members that go and devices that go down in it: the fold is the truth all the same")
def _(net):
    h, _b = by_objects(net)
    m = Monitor(h)
    fold_is_truth(h, m, "at the start")
    m.child.send_signal(signal.SIGSTOP)
    n = 30000 if SLOW == 1 else 3000
    text = "".join(f"route add 2001:db8:{i // 256 + 4096:x}:{i % 256:x}::/64 segs fc00:a::1,fc00:b::1,fc00:c::1 dev v0\n" for i in range(n))
    h.srv6("batch -", stdin=text)
    h.ip("nexthop del id 10")
    h.srv6("batch -", stdin=text.replace("route add", "route del").replace(" dev v0", ""))
    h.ip("link set v2 down")
    h.ip("nexthop replace id 12 group 13")
    m.child.send_signal(signal.SIGCONT)
    m.until(lambda: any(e["event"] == "lost" for e in m.events) or SLOW > 1, "the line of the overrun", 60)
    m.until(lambda: m.events[-1]["event"] != "lost" and len(m.routes) < 100, "what followed", 60)
    fold_is_truth(h, m, "after the overrun")
    m.end()


@case("monitor", "churn: folded events are the kernel's routes at the end")
def _(net):
    import random
    h = setup(net)
    m = Monitor(h)
    random.seed(7)
    for _ in range(20):
        lines = []
        for _ in range(200):
            n = random.randrange(300)
            lines.append(random.choice((f"route replace fc00:1:{n:x}::/64 segs fc00:a::{random.randrange(1, 9)} dev v0",
                                        f"route del fc00:1:{n:x}::/64")))
        h.srv6("batch --keep-going -", None, stdin="\n".join(lines) + "\n")
    h.srv6("route replace fc00:ffff::/64 segs fc00:a::1 dev v0")
    m.until(lambda: "fc00:ffff::/64" in m.names(), "the last event", 60)
    truth = {r["dst"]: r["hops"] for r in h.json("route show")}
    equal({key[0]: [{k: hop[k] for k in ("encap", "dev") if k in hop} for hop in r["hops"]] for key, r in m.routes.items()},
          {d: [{k: hop[k] for k in ("encap", "dev") if k in hop} for hop in hops] for d, hops in truth.items()}, "folded events")
    equal(len(truth), len(encaps(h)), "routes")
    m.end()


@case("monitor", "a tunnel source that changes is told, by comparison")
def _(net):
    from harness import INIT_USER, skip
    if not INIT_USER:
        skip("the SEG6 family needs the initial user namespace")
    h = setup(net)
    m = Monitor(h, "tunsrc poll 1")
    h.srv6("tunsrc set 2001:db8:1::1")
    m.until(lambda: any(e.get("object") == "tunsrc" for e in m.events), "the event", 10)
    contains(json.dumps(m.events), "2001:db8:1::1")
    m.end()


@case("monitor", "a device is named as it was called then: after it was renamed, and when it is gone")
def _(net):
    h = setup(net)
    m = Monitor(h, "route")
    names = []
    h.ip("-6 route add fc00:1::/64 encap seg6 mode encap segs fc00:a::1 dev v1")
    h.ip("link set v1 down")
    m.until(lambda: any(e["event"] == "gone" for e in m.events), "the route gone")
    h.ip("link set v1 name again")
    h.ip("link set again up")
    h.ip("-6 route add fc00:1::/64 encap seg6 mode encap segs fc00:a::1 dev again")
    h.ip("link del again")
    m.until(lambda: sum(e["event"] == "gone" for e in m.events) == 2, "the route gone for the second time")
    names = [e["route"]["hops"][0]["dev"] for e in m.events if e.get("object") == "route"]
    equal(names, ["v1", "v1", "again", "again"], "names")
    check(not any(e.get("object") == "link" for e in m.events), "a link was told that nobody asked for")
    m.end()


@case("monitor", "ends when its output is closed, or was from the start")
def _(net):
    h = setup(net)
    for closed in (True, False):
        child = h.start(["sh", "-c", 'exec "$0" monitor >&-' if closed else 'exec "$0" monitor', SRV6], stdout=subprocess.PIPE,
                        stderr=subprocess.PIPE)
        if not closed:
            contains(child.stdout.readline(), "synced")
        child.stdout.close()
        try:
            code = child.wait(10 * SLOW)
        finally:
            child.kill()
        check(code in (0, 1), f"exit status {code}")

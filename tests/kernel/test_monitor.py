# SPDX-License-Identifier: LGPL-2.1-or-later
"""The monitor: what it prints, folded, is what the kernel has, whatever happens meanwhile."""
import json
import os
import signal
import subprocess
import time

from harness import case, check, contains, equal, poll, SRV6, SLOW
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

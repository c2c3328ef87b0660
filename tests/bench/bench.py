#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Runs the benchmark that tests/bench/run.sh has built; see there.

Every step is run by each contender in turn, in rounds, so that a change of the machine's mood meets them all alike. A
ratio is made within a round; the median of the rounds is what counts. After every step a reader of its own, which
shares no code with any contender, counts what is in the namespace: a contender that did not do its work has failed.
"""
import argparse
import ctypes
import glob
import ipaddress
import json
import os
import platform
import re
import shutil
import signal
import socket
import statistics
import struct
import subprocess
import sys
import tempfile
import textwrap
import threading
import time

HERE = os.path.dirname(os.path.abspath(__file__))
CLONE_NEWNET = 0x40000000
RTM_NEWROUTE, RTM_GETROUTE, RTM_F_NONE = 24, 26, 0
NLM_F_REQUEST, NLM_F_DUMP = 1, 0x300
MOST_GROWTH = 1.3  # of microseconds a route, between any two numbers of routes
MOST_WHOLE = 2.0   # the same of what is listed below: of ten times as many, what is quadratic costs ten times as much each
WHOLE_MOST = 100000  # routes, for the sake of memory and time
# What is done to all routes at once, or to one after the other at the same prefixes: who, step.
WHOLE = (
    ("srv6 apply", "all new"),
    ("srv6 apply", "all other"),
    ("srv6 apply", "all equal"),
    ("srv6 apply --prune", "all gone"),
    ("srv6 save", "all"),
    ("srv6 restore", "all new"),
    ("srv6 route flush", "all gone"),
    ("ip route flush", "all gone"),
    ("srv6 batch", "append"),
    ("ip -batch", "append"),
)


class Failure(Exception):
    """A contender failed, or did not do its work."""


# ---------------------------------------------------------------- the routes, said once more

def dst(i):
    return f"fd00:0:{i >> 16:x}:{i & 0xffff:x}::/64"


def segments(sid):
    """As they stand in an SRH: the last one first."""
    return b"".join(socket.inet_pton(socket.AF_INET6, a) for a in (f"fc00:3::{sid:x}", "fc00:2::2", "fc00:1::1"))


def batch_file(path, step, n, sid):
    """The lines of one step, in the grammar that ip and srv6 share."""
    tail = "" if step == "del" else f" encap seg6 mode encap segs fc00:1::1,fc00:2::2,fc00:3::{sid:x}"
    with open(path, "w", encoding="ascii") as f:
        for i in range(n):
            f.write(f"route {step} {dst(i)}{tail} dev d0\n")
    return path


def append_file(path, n, sid):
    """Two hops a prefix, each with a line of its own."""
    with open(path, "w", encoding="ascii") as f:
        for i in range(n):
            f.write(f"route append {dst(i // 2)} encap seg6 mode encap segs fc00:1::1,fc00:2::2,fc00:3::{sid:x} "
                    f"via fe80::{i % 2 + 1} dev d0\n")


def document(path, n, sid):
    """The same routes as what srv6 apply reads."""
    segs = ["fc00:1::1", "fc00:2::2", f"fc00:3::{sid:x}"]
    routes = [{"dst": dst(i), "hops": [{"encap": {"behavior": "H.Encaps", "segs": segs}, "dev": "d0"}]} for i in range(n)]
    with open(path, "w", encoding="ascii") as f:
        json.dump({"srv6": 1, "routes": routes}, f)


# ---------------------------------------------------------------- a namespace, and who counts in it

class Namespace:
    def __init__(self, name):
        self.name = name
        subprocess.run(["ip", "netns", "add", name], check=True)
        try:
            self.ip("link", "add", "d0", "type", "veth", "peer", "name", "d1")
            for dev in ("lo", "d0", "d1"):
                self.ip("link", "set", dev, "up")
            self.sock = self.netlink()
        except BaseException:
            self.close()
            raise

    def ip(self, *args):
        subprocess.run(["ip", "-n", self.name, *args], check=True)

    def close(self):
        subprocess.run(["ip", "netns", "del", self.name], check=False)

    def netlink(self):
        """A route socket inside: made by a thread that enters the namespace and ends."""
        found = []

        def inside():
            libc = ctypes.CDLL(None, use_errno=True)
            fd = os.open(f"/run/netns/{self.name}", os.O_RDONLY)
            if libc.setns(fd, CLONE_NEWNET) == 0:
                found.append(socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 0))
            os.close(fd)

        t = threading.Thread(target=inside)
        t.start()
        t.join()
        if not found:
            raise Failure("cannot enter the namespace")
        return found[0]

    def count(self, sid, dsts=None):
        """How many IPv6 routes have these segments; where dsts are given, of those to them alone."""
        want, n = segments(sid), 0
        prefixes = None if dsts is None else {socket.inet_pton(socket.AF_INET6, d.split("/")[0]) for d in dsts}
        body = struct.pack("=BBBBBBBBI", socket.AF_INET6, 0, 0, 0, 0, 0, 0, 0, 0)
        self.sock.send(struct.pack("=IHHII", 16 + len(body), RTM_GETROUTE, NLM_F_REQUEST | NLM_F_DUMP, 1, 0) + body)
        while True:
            data = self.sock.recv(65536)
            at = 0
            while at < len(data):
                length, kind = struct.unpack_from("=IH", data, at)
                if kind == 3:
                    return n
                if kind == 2:
                    raise Failure("the counting reader was refused")
                if data.find(want, at, at + length) >= 0:
                    n += prefixes is None or destination(data[at + 28:at + length]) in prefixes
                at += (length + 3) & ~3


def destination(attrs):
    """RTA_DST's bytes."""
    at = 0
    while at + 4 <= len(attrs):
        length, kind = struct.unpack_from("=HH", attrs, at)
        if kind == 1:
            return attrs[at + 4:at + length]
        at += max((length + 3) & ~3, 4)
    return None


# ---------------------------------------------------------------- contenders

class Contender:
    """How somebody does a step: a command, and whether it tells its own time (without its start) or is timed whole."""

    def __init__(self, name, command, inner=False, part=1, may_lose=False, once=False):
        self.name, self.command, self.inner = name, command, inner
        self.part = part          # does 1 in part of the routes: it takes long
        self.may_lose = may_lose  # a few routes: it has no remedy for spurious ENOMEM
        self.once = once          # in the first round alone


class Bench:
    def __init__(self, args, ns, work):
        self.args, self.ns, self.work = args, ns, work
        self.spawn = f"{args.build}/tests/bench/bench-spawn"
        self.floor = f"{args.build}/tests/bench/bench-floor"
        self.lib = f"{args.build}/tests/bench/bench-lib"
        self.tool = f"{args.build}/cli/srv6"
        self.results = []     # dicts: step, who, n, round, wall, cpu, rss_kb and what else is known
        self.failures = []
        self.before = []      # what the commands of a cold start begin with
        self.go = self.build_go()
        self.load = number(os.getloadavg()[0], 1)

    # -- running

    def run(self, command, n, inner=False, output=None, times=1, round_=0, may_fail=False, before=()):
        """One measurement: wall and cpu in seconds. The answer of a program that times itself comes before spawn's."""
        cmd = [*before, self.spawn, "-n", str(times), "-N", self.ns.name]
        cmd += ["-o", output] if output else []
        p = subprocess.run(cmd + command, capture_output=True, text=True, check=False)
        if p.returncode and not may_fail:
            raise Failure(f"{' '.join(command[:4])}: exit status {p.returncode}: {p.stderr.strip()[-400:]}")
        lines = p.stdout.splitlines()
        whole = json.loads(lines[-1])
        got = {"n": n, "round": round_, "wall": whole["wall"], "cpu": whole["user"] + whole["sys"],
               "user": whole["user"], "sys": whole["sys"], "rss_kb": whole["rss_kb"]}
        if inner:
            got |= {k: v for k, v in json.loads(lines[-2]).items() if k not in ("step", "rss_kb", "n")}
        return got

    def keep(self, section, step, who, got):
        self.results.append({"section": section, "step": step, "who": who} | got)

    def attempt(self, name, fn, *args):
        """A step; in --small, its line."""
        try:
            fn(*args)
            if self.args.small:
                print(f"PASS {name}", flush=True)
            return True
        except (Failure, OSError, ValueError, subprocess.SubprocessError) as e:
            text = " ".join(str(e).split())
            self.failures.append(name)
            print(f"FAIL {name}: {text}", file=sys.stdout if self.args.small else sys.stderr, flush=True)
            return False

    def without(self, who):
        return who in self.args.without

    def build_go(self):
        src = "/usr/share/gocode/src/github.com/vishvananda/netlink"
        if self.without("go") or not shutil.which("go") or not os.path.isdir(src):
            return None
        out = f"{self.work}/goroutes"
        env = os.environ | {"GO111MODULE": "off", "GOPATH": "/usr/share/gocode", "GOCACHE": f"{self.work}/gocache"}
        p = subprocess.run(["go", "build", "-o", out, "routes.go"], cwd=f"{HERE}/others/go", env=env, check=False)
        shutil.rmtree(f"{self.work}/gocache", ignore_errors=True)
        return out if p.returncode == 0 else None

    def pyroute2(self):
        """The python3 that has pyroute2: Debian's, wherever PATH leads."""
        for python in ("/usr/bin/python3", "python3"):
            if self.without("pyroute2") or not shutil.which(python):
                continue
            if subprocess.run([python, "-c", "import pyroute2"], capture_output=True, check=False).returncode == 0:
                return [python, f"{HERE}/others/pyroute2_routes.py"]
        return None

    def ips(self):
        if self.without("ip"):
            return []
        found = [("ip", "ip")]
        return found + ([("ip (given)", self.args.ip)] if self.args.ip else [])

    def changers(self):
        w = self.work
        c = [Contender("floor", lambda s, n, k: [self.floor, s, str(n), "--sid", str(k)], True),
             Contender("floor, echo", lambda s, n, k: [self.floor, s, str(n), "--sid", str(k), "--echo"], True),
             Contender("floor, ack", lambda s, n, k: [self.floor, s, str(n), "--sid", str(k), "--ack"], True)]
        if not self.without("lib"):
            c.append(Contender("libsrv6", lambda s, n, k: [self.lib, s, str(n), "--sid", str(k)], True))
        if not self.without("srv6"):
            c.append(Contender("srv6 batch", lambda s, n, k: [self.tool, "batch", self.lines(s, n, k)]))
        for name, ip in self.ips():
            # -force: a burst of encapsulations sees ENOMEM now and then, and ip would end there.
            c.append(Contender(f"{name} -batch", lambda s, n, k, ip=ip: [ip, "-6", "-force", "-batch",
                                                                         self.lines(s, n, k)], may_lose=True))
        if self.go:
            c.append(Contender("Go netlink", lambda s, n, k: [self.go, s, str(n), "d0", str(k)], True))
        py = self.pyroute2()
        if py:
            c.append(Contender("pyroute2", lambda s, n, k: py + [s, str(n), "d0", str(k)], True, part=10, once=True))
        return c

    def listers(self):
        c = [Contender("floor, receive", lambda n: [self.floor, "recv", str(n)], True),
             Contender("floor, parse", lambda n: [self.floor, "parse", str(n)], True)]
        if not self.without("lib"):
            c += [Contender("libsrv6", lambda n: [self.lib, "list", str(n)], True),
                  Contender("libsrv6, stream", lambda n: [self.lib, "stream", str(n)], True)]
        if not self.without("srv6"):
            c += [Contender("srv6 text", lambda n: [self.tool, "-6", "route", "show"]),
                  Contender("srv6 -j", lambda n: [self.tool, "-6", "-j", "route", "show"]),
                  Contender("srv6 text, stream", lambda n: [self.tool, "-6", "--stream", "route", "show"]),
                  Contender("srv6 -j, stream", lambda n: [self.tool, "-6", "-j", "--stream", "route", "show"])]
        for name, ip in self.ips():
            c += [Contender(f"{name} text", lambda n, ip=ip: [ip, "-6", "route", "show"]),
                  Contender(f"{name} -j", lambda n, ip=ip: [ip, "-6", "-j", "route", "show"])]
        if self.go:
            c.append(Contender("Go netlink", lambda n: [self.go, "list", str(n), "d0", "1"], True))
        py = self.pyroute2()
        if py:
            c.append(Contender("pyroute2", lambda n: py + ["list", str(n), "d0", "1"], True, once=True))
        return c

    def lines(self, step, n, sid):
        path = f"{self.work}/{step}-{n}-{sid}"
        return path if os.path.exists(path) else batch_file(path, step, n, sid)

    # -- sections

    def expect(self, sid, n, who, may_miss=0, first=0):
        """With --small, that they are to the right prefixes, too."""
        found = self.ns.count(sid, [dst(i) for i in range(first, first + n)] if self.args.small and n else None)
        if not n - may_miss <= found <= n:
            raise Failure(f"{who}: {found} routes by fc00:3::{sid:x} are there, not {n}")
        return {"missing": n - found} if found < n else {}

    def change_one(self, c, n, round_, section="change"):
        """add, replace, del by one contender: the namespace is empty before and after."""
        n = max(n // c.part, 1)
        for step, sid, there in (("add", 1, n), ("replace", 2, n), ("del", 2, 0)):
            command = c.command(step, n, sid)
            self.settle(n)
            got = self.run(command, n, c.inner, None if c.inner else "/dev/null", round_=round_, may_fail=c.may_lose)
            got |= self.expect(sid, there, f"{c.name} {step}", n // 10 if c.may_lose else 0)
            self.keep(section, step, c.name, got)

    def settle(self, n):
        """Memory of deleted routes is given back behind the scenes; without a pause the next one pays for it."""
        if not self.args.small:
            time.sleep(min(0.05 + n * 2.5e-6, 0.3))

    def empty(self):
        """After a failure: what is left must not meet the next."""
        subprocess.run(["ip", "-n", self.ns.name, "-6", "route", "flush", "root", "fd00::/32"], check=False)

    def change(self):
        alive = self.changers()
        if not self.args.small:  # the kernel's caches grow once
            self.change_one(alive[0], self.args.routes, 0, "warm")
        for r in range(self.args.rounds):
            for c in turned(alive, r):
                if not self.attempt(f"bench change {c.name}", self.change_one, c, self.args.routes, r):
                    alive.remove(c)
                    self.empty()

    def fill(self, n):
        self.run([self.floor, "add", str(n)], n, True)
        self.expect(1, n, "floor add")

    def list_one(self, c, n, round_, section="list"):
        if not c.inner and round_ == 0:
            self.check_output(c, n)
        self.keep(section, "list", c.name, self.run(c.command(n), n, c.inner, None if c.inner else "/dev/null",
                                                   round_=round_))

    def check_output(self, c, n):
        """Once, into a file: every route is in it."""
        path = f"{self.work}/output"
        self.run(c.command(n), n, False, path)
        with open(path, encoding="utf-8") as f:
            text = f.read()
        os.unlink(path)
        if " -j" in c.name:
            doc = json.loads(text)
            routes = [json.dumps(r) for r in (doc if isinstance(doc, list) else doc.get("routes", []))]
        else:
            routes = text.splitlines()
        found = {m.group() for r in routes if all(a in r for a in ("fc00:1::1", "fc00:2::2", "fc00:3::1"))
                 for m in [re.search(r"fd00:[0-9a-f:]*/64", r)] if m}
        found = len(found & {str(ipaddress.ip_network(dst(i))) for i in range(n)} if self.args.small else found)
        if found != n:
            raise Failure(f"{c.name}: shows {found} routes of {n}")

    def list(self):
        alive = self.listers()
        self.fill(self.args.routes)
        for r in range(self.args.rounds):
            for c in turned(alive, r):
                if not self.attempt(f"bench list {c.name}", self.list_one, c, self.args.routes, r):
                    alive.remove(c)
        self.run([self.floor, "del", str(self.args.routes)], self.args.routes, True)

    def codec(self):
        for r in range(self.args.rounds):
            for step in ("build", "read"):
                self.attempt(f"bench codec {step}", self.codec_one, step, r)

    def codec_one(self, step, round_):
        n = self.args.routes * 10
        got = self.run([self.lib, step, str(n)], n, True, round_=round_)
        if got["allocs"]:
            raise Failure(f"{step}: {got['allocs']} allocations in {n} messages")
        self.keep("codec", step, "libsrv6", got)

    def install(self):
        """
        The tool as it is installed: the loader finds its library in the cache, as it does ip's. In the build tree it looks
        for each library in many directories first. Returns the tool, and what a command starts with to have that cache.
        """
        prefix, cache, conf = (f"{self.work}/{name}" for name in ("installed", "ld.so.cache", "ld.so.conf"))
        subprocess.run(["cmake", "--install", self.args.build, "--prefix", prefix], check=True, stdout=subprocess.DEVNULL)
        where = glob.glob(f"{prefix}/lib*/**/libsrv6.so", recursive=True)[0]
        with open(conf, "w", encoding="ascii") as f:
            f.write(f"{os.path.dirname(where)}\ninclude /etc/ld.so.conf\n")
        subprocess.run(["/sbin/ldconfig", "-X", "-f", conf, "-C", cache], check=True)
        mount = 'mount --bind "$0" /etc/ld.so.cache && exec "$@"'
        return f"{prefix}/sbin/srv6", ["unshare", "-m", "sh", "-c", mount, cache]

    def cold(self):
        tool = self.tool
        if not self.without("srv6"):
            tool, self.before = self.install()
        contenders = [] if self.without("srv6") else [("srv6 route add", tool)]
        contenders += [(f"{name} route add", ip) for name, ip in self.ips()[:1]]  # what is given may start by a script
        for r in range(self.args.rounds):
            for who, program in contenders:
                self.attempt(f"bench cold {who}", self.cold_one, who, program, r)

    def cold_one(self, who, program, round_):
        n = 3 if self.args.small else 200
        tail = ["encap", "seg6", "mode", "encap", "segs", "fc00:1::1,fc00:2::2,fc00:3::1", "dev", "d0"]
        got = self.run([program, "route", "add", "fd00:0:0:%x::/64"] + tail, n, times=n, output="/dev/null", round_=round_,
                       before=self.before)
        self.expect(1, n, who, first=1)
        self.run([program, "route", "del", "fd00:0:0:%x::/64", "dev", "d0"], n, times=n, output="/dev/null", before=self.before)
        self.expect(1, 0, f"{who}: del")
        if round_ == 0 and shutil.which("strace"):
            got["syscalls"] = self.syscalls([program, "route", "add", dst(1)] + tail)
            self.run([program, "route", "del", dst(1), "dev", "d0"], 1, output="/dev/null", before=self.before)
        self.keep("cold", "add", who, got)

    def syscalls(self, command):
        path = f"{self.work}/strace"
        self.run(["strace", "-c", "-f", "-o", path] + command, 1, output="/dev/null", before=self.before)
        with open(path, encoding="ascii") as f:
            total = [line.split() for line in f if line.rstrip().endswith("total")]
        return int(total[-1][-2 if len(total[-1]) == 5 else -3])

    def monitor(self):
        for r in range(self.args.rounds):
            if not self.without("lib"):
                self.attempt("bench monitor libsrv6", self.follow_lib, r)
            if not self.without("srv6"):
                self.attempt("bench monitor srv6", self.follow_tool, r)

    def follow_lib(self, round_):
        n = self.args.routes
        cmd = [self.spawn, "-N", self.ns.name, self.lib, "follow", str(n)]
        with subprocess.Popen(cmd, stdout=subprocess.PIPE, text=True) as p:
            try:
                if p.stdout.readline().strip() != "ready":
                    raise Failure("follow: never in step")
                self.fill(n)
                rest = p.stdout.read().splitlines()
            finally:
                self.run([self.floor, "del", str(n)], n, True)
        if p.returncode:
            raise Failure(f"follow: exit status {p.returncode}")
        got, whole = json.loads(rest[0]), json.loads(rest[1])
        if got["n"] != n:
            raise Failure(f"follow: {got['n']} routes in the fold, not {n}")
        self.keep("monitor", "follow", "libsrv6", {"round": round_, "n": n, "wall": got["wall"], "cpu": got["cpu"],
                  "events": got["events"], "lost": got["lost"], "rss_kb": whole["rss_kb"]})

    def follow_tool(self, round_):
        n, path = self.args.routes, f"{self.work}/events"
        with open(path, "wb") as out, subprocess.Popen(
                ["ip", "netns", "exec", self.ns.name, self.tool, "-j", "monitor"], stdout=out) as p:
            try:
                wait_for(lambda: b"synced" in read_bytes(path), 10, "srv6 monitor: never in step")
                before = cpu_of(p.pid)
                self.fill(n)
                folded = Fold(path)
                wait_for(lambda: folded.read() >= n, 20, f"srv6 monitor: {folded.read()} routes in the fold, not {n}")
                got = {"round": round_, "n": n, "cpu": cpu_of(p.pid) - before, "wall": 0.0, "rss_kb": peak_of(p.pid),
                       "events": folded.events, "lost": folded.lost}
            finally:
                p.send_signal(signal.SIGTERM)
                self.run([self.floor, "del", str(n)], n, True)
        os.unlink(path)
        self.keep("monitor", "follow", "srv6 -j monitor", got)

    def whole_one(self, n, round_):
        """The rows of WHOLE, one after the other: each finds what the one before left."""
        work, tool = self.work, self.tool
        doc, other, one, saved, hops = (f"{work}/{name}" for name in ("doc", "other", "one", "saved", "hops"))
        document(doc, n, 1)
        document(other, n, 2)
        document(one, 1, 2)
        append_file(hops, n, 3)
        steps = [  # command, the SID that is looked for then, and in how many routes it must be
            ("srv6 apply", "all new", [tool, "apply", doc], 1, n),
            ("srv6 apply", "all other", [tool, "apply", other], 2, n),
            ("srv6 apply", "all equal", [tool, "apply", other], 2, n),
            ("srv6 save", "all", [tool, "save", saved], 2, n),
            ("srv6 apply --prune", "all gone", [tool, "apply", "--prune", one], 2, 1),
            ("srv6 restore", "all new", [tool, "restore", saved], 2, n),
            ("srv6 route flush", "all gone", [tool, "-6", "route", "flush", "table", "main"], 2, 0),
            ("srv6 batch", "append", [tool, "batch", hops], 3, (n + 1) // 2)]
        steps = [] if self.without("srv6") else steps
        for name, ip in self.ips()[-1:]:
            if steps:
                steps.append((None, None, [tool, "-6", "route", "flush", "table", "main"], 3, 0))
            steps += [(f"{name} -batch", "append", [ip, "-6", "-force", "-batch", hops], 3, (n + 1) // 2),
                      (f"{name} route flush", "all gone", [ip, "-6", "route", "flush", "root", "fd00::/32"], 3, 0)]
        try:
            for who, step, command, sid, there in steps:
                self.settle(n)
                may_lose = bool(who) and who.endswith("-batch") and who != "srv6 batch"
                got = self.run(command, n, output="/dev/null", round_=round_, may_fail=may_lose)
                got |= self.expect(sid, there, f"{who} {step}", n // 10 if may_lose else 0)
                if who:
                    self.keep("growth", step, who, got)
        finally:
            self.empty()

    def growth(self):
        def times(n):
            """What is short is done more often: one interrupt makes much of it. The start is taken off all the others."""
            return 1 if self.args.small or n > 50000 else 2 if n > 5000 else 9 if n > 1 else 15

        # What one route costs is what starting costs, which is no growth: it is taken off.
        sizes = [1, 50, 200] if self.args.small else [1, 1000, 10000, 100000] + ([1000000] if self.args.million else [])
        ip = "ip (given)" if self.args.ip else "ip"
        names = ("floor", "floor, receive", "libsrv6", "srv6 batch", "srv6 -j", "srv6 text", f"{ip} -batch", f"{ip} text")
        changers = [c for c in self.changers() if c.name in names]
        listers = [c for c in self.listers() if c.name in names]
        whole = True
        for r in range(min(self.args.rounds, 3)):
            for n in sizes:
                for _ in range(times(n)):
                    for c in list(changers):
                        if not self.attempt(f"bench growth {c.name} {n}", self.change_one, c, n, r, "growth"):
                            changers.remove(c)
                            self.empty()
                self.fill(n)
                for _ in range(times(n)):
                    for c in list(listers):
                        if not self.attempt(f"bench growth {c.name} {n}", self.list_one, c, n, r, "growth"):
                            listers.remove(c)
                self.run([self.floor, "del", str(n)], n, True)
                for _ in range(min(times(n), 5)):
                    if whole and n <= WHOLE_MOST:
                        whole = self.attempt(f"bench growth of the whole {n}", self.whole_one, n, r)


def turned(contenders, r):
    """A round's order: everybody comes first once."""
    at = r % max(len(contenders), 1)
    return [c for c in contenders[at:] + contenders[:at] if r == 0 or not c.once]


def read_bytes(path):
    with open(path, "rb") as f:
        return f.read()


class Fold:
    """Folds the tool's events, read from a file as it grows, into the set of routes that are there."""

    def __init__(self, path):
        self.path, self.at, self.there, self.events, self.lost = path, 0, set(), 0, 0

    def read(self):
        with open(self.path, "rb") as f:
            f.seek(self.at)
            data = f.read()
        whole = data[:data.rfind(b"\n") + 1]
        self.at += len(whole)
        for line in whole.splitlines():
            self.take(json.loads(line))
        return len(self.there)

    def take(self, e):
        self.events += 1
        event = e.get("event", e.get("verb", ""))
        self.lost += event == "lost"
        route = e.get("route", e)
        name = route.get("dst", "") if isinstance(route, dict) else ""
        if not name.startswith("fd00:"):
            return
        if event in ("del", "gone", "deleted"):
            self.there.discard(name)
        else:
            self.there.add(name)


def wait_for(done, seconds, why):
    end = time.monotonic() + seconds
    while not done():
        if time.monotonic() > end:
            raise Failure(why)
        time.sleep(0.05)


def cpu_of(pid):
    with open(f"/proc/{pid}/stat", encoding="ascii") as f:
        fields = f.read().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def peak_of(pid):
    with open(f"/proc/{pid}/status", encoding="ascii") as f:
        return next(int(line.split()[1]) for line in f if line.startswith("VmHWM"))


# ---------------------------------------------------------------- what it comes to

class Report:
    def __init__(self, results):
        self.results = results

    def rows(self, section, step, who):
        return [r for r in self.results if (r["section"], r["step"], r["who"]) == (section, step, who)]

    def whos(self, section, step):
        return list(dict.fromkeys(r["who"] for r in self.results if (r["section"], r["step"]) == (section, step)))

    def per(self, section, step, who, key):
        """Microseconds a route: the median of the rounds. None: not measured."""
        rows = self.rows(section, step, who)
        return statistics.median(r[key] / r["n"] for r in rows) * 1e6 if rows else None

    def ratio(self, section, step, who, base, key):
        """Made within each round, then the median."""
        mine = {r["round"]: r[key] / r["n"] for r in self.rows(section, step, who)}
        theirs = {r["round"]: r[key] / r["n"] for r in self.rows(section, step, base)}
        both = [mine[k] / theirs[k] for k in mine if theirs.get(k)]
        return statistics.median(both) if both else None

    def most(self, section, step, who, key):
        return max((r[key] for r in self.rows(section, step, who) if key in r), default=None)

    def sizes_grown(self):
        return sorted({r["n"] for r in self.results if r["section"] == "growth" and r["n"] > 1})

    def cost(self, step, who, key, n):
        """Of the run that was disturbed least: sizes are minutes apart, and what disturbs a run only adds to it."""
        return min((r[key] for r in self.rows("growth", step, who) if r["n"] == n), default=None)

    def by_size(self, step, who, key):
        """Microseconds a route, what one alone costs taken off."""
        costs = {n: self.cost(step, who, key, n) for n in self.sizes_grown()}
        start = self.cost(step, who, key, 1) or 0
        return {n: max(v - start, 1e-9) / (n - 1) * 1e6 for n, v in costs.items() if v is not None}

    def grown(self, step, who, key):
        """The dearest size over the cheapest."""
        got = self.by_size(step, who, key).values()
        return max(got) / min(got) if len(got) > 1 else None

    def growing(self):
        steps = [(w, s) for w in ("floor", "libsrv6", "srv6 batch", "ip -batch", "ip (given) -batch") for s in ("add", "replace", "del")]
        steps += [(w, "list") for w in ("floor, receive", "libsrv6", "srv6 text", "srv6 -j", "ip text", "ip (given) text")]
        steps += [(w, s) for base, s in WHOLE for w in self.whos("growth", s) if w.replace(" (given)", "") == base]
        return [(w, s) for w, s in steps if self.rows("growth", s, w)]

    def is_whole(self, who, step):
        return (who.replace(" (given)", ""), step) in WHOLE

    def targets(self, ip):
        """(what, at most, by cpu, by wall)"""
        both = ("cpu", "wall")
        t = []
        for step, most in (("add", 1.35), ("replace", 1.35), ("del", 1.5)):
            t.append([f"{step}: libsrv6, verified / floor", most,
                      *(self.ratio("change", step, "libsrv6", "floor", k) for k in both)])
        for step in ("add", "replace", "del"):
            t.append([f"{step}: srv6 batch / {ip} -batch", 1 / 1.5,
                      *(self.ratio("change", step, "srv6 batch", f"{ip} -batch", k) for k in both)])
        for how in (" text", " -j"):
            t.append([f"list: srv6{how} / {ip}{how}", 0.8,
                      *(self.ratio("list", "list", f"srv6{how}", f"{ip}{how}", k) for k in both)])
        return t + self.sizes() + self.absolute() + [
            ["one change, cold: srv6 / ip", 1.1,
             *(self.ratio("cold", "add", "srv6 route add", "ip route add", k) for k in both)],
            ["one change, cold: system calls / ip", 1.0, None, self.calls()]] + self.growths()

    def sizes(self):
        """Peak memory in MiB over what is allowed."""
        t = []
        for who, fixed, each in (("srv6 text", 8, 200), ("srv6 -j", 8, 200), ("srv6 text, stream", 8, 0),
                                 ("srv6 -j, stream", 8, 0)):
            kb, rows = self.most("list", "list", who, "rss_kb"), self.rows("list", "list", who)
            allowed = fixed * 1024 + each * rows[0]["n"] / 1024 if rows else 1
            t.append([f"list: {who}, peak memory / allowed", 1.0, None, kb / allowed if kb else None])
        return t

    def absolute(self):
        t = []
        for step, most in (("build", 150), ("read", 300)):
            t.append([f"{step} of one message, ns", most,
                      *(v * 1000 if v else None for v in (self.per("codec", step, "libsrv6", k) for k in ("cpu", "wall")))])
        return t

    def beside_floor(self, step, who, key):
        """The same of the ratio to the floor: what grows beyond what the kernel's own tables do."""
        mine, theirs = (self.by_size(step, w, key) for w in (who, "floor" if step != "list" else "floor, receive"))
        ratios = [mine[n] / theirs[n] for n in mine if n in theirs]
        return max(ratios) / min(ratios) if len(ratios) > 1 else None

    def calls(self):
        mine, theirs = (self.most("cold", "add", w, "syscalls") for w in ("srv6 route add", "ip route add"))
        return mine / theirs if mine and theirs else None

    def growths(self):
        t = []
        for who, step in self.growing():
            most = None if who.startswith(("floor", "ip ")) else MOST_WHOLE if self.is_whole(who, step) else MOST_GROWTH
            t.append([f"growth: {who} {step}", most, *(self.grown(step, who, k) for k in ("cpu", "wall"))])
        return t


def number(v, digits=2):
    return "-" if v is None else f"{v:.{digits}f}"


def verdict(most, value):
    return "" if most is None or value is None else "met" if value <= most else "MISSED"


def print_table(report, about, targets):
    print(f"{about['machine']}; {about['kernel']}; {about['routes']} routes, {about['rounds']} rounds, median")
    print("; ".join(f"{k} {v}" for k, v in about["versions"].items()))
    print("\n%-8s %-20s %9s %9s %8s %8s %9s" % ("step", "who", "us wall", "us cpu", "/ wall", "/ cpu", "peak MiB"))
    for section, step, base in (("change", "add", "floor"), ("change", "replace", "floor"), ("change", "del", "floor"),
                                ("list", "list", "floor, parse"), ("cold", "add", "ip route add"),
                                ("monitor", "follow", "libsrv6"), ("codec", "build", "libsrv6"),
                                ("codec", "read", "libsrv6")):
        for who in report.whos(section, step):
            rss = report.most(section, step, who, "rss_kb")
            name = step if section in ("change", "list", "codec") else section
            print("%-8s %-20s %9s %9s %8s %8s %9s" % (
                name, who, *(number(report.per(section, step, who, k), 3) for k in ("wall", "cpu")),
                *(number(report.ratio(section, step, who, base, k)) for k in ("wall", "cpu")),
                number(rss / 1024 if rss else None, 1)) + extras(report, section, step, who))
    print("\n%-52s %8s %8s %8s" % ("target", "at most", "cpu", "wall"))
    for what, most, cpu, wall in targets:
        print("%-52s %8s %8s %8s  %s" % (what, number(most), number(cpu), number(wall),
                                         verdict(most, cpu if cpu is not None else wall)))


class Markdown:
    """README.md's section on speed, but for its heading: all of it from one run."""

    def __init__(self, report, facts, targets, given, failures=()):
        self.report, self.facts, self.targets, self.failures = report, facts, targets, failures
        self.ip = "ip (given)" if given else "ip"
        self.other = f"iproute2 {self.version(self.ip)}"

    def version(self, who):
        return self.facts["versions"].get(who, "?").removeprefix("iproute2-").split(",")[0]

    def cell(self, section, step, who):
        cpu, wall = (self.report.per(section, step, who, k) for k in ("cpu", "wall"))
        return "" if cpu is None else f"{short(cpu)} ({short(wall)})"

    def row(self, name, changes, *lists):
        cells = [self.cell("change", step, changes) for step in ("add", "replace", "del")]
        cells += [self.cell("list", "list", who) for who in lists]
        return f"| {name} | " + " | ".join(cells) + " |" if any(cells) else None

    def table(self):
        rows = [self.row("floor (list: received and parsed)", "floor", "floor, parse", ""),
                self.row("floor that asks for an echo", "floor, echo", "", ""),
                self.row("libsrv6, each change verified by its echo", "libsrv6", "libsrv6", ""),
                self.row("`srv6 batch`; `srv6 route show`", "srv6 batch", "srv6 text", "srv6 -j"),
                self.row("the same with `--stream`", "", "srv6 text, stream", "srv6 -j, stream")]
        for who in ("ip (given)", "ip"):
            name = f"`ip -batch`, `ip route show`: iproute2 {self.version(who)}"
            rows.append(self.row(name, f"{who} -batch", f"{who} text", f"{who} -j"))
        rows += [self.row(f"{name} {self.version(package).split('-')[0]}", who, who, "") for name, package, who in (
            ("vishvananda/netlink", "golang-github-vishvananda-netlink-dev", "Go netlink"),
            ("pyroute2, one round, a tenth of the changes:", "python3-pyroute2", "pyroute2"))]
        return ["| | add | replace | delete | list, text | list, JSON |", "|---|---|---|---|---|---|", *(r for r in rows if r)]

    def ratios(self, step, who, base, section="change"):
        return tuple(number(self.report.ratio(section, step, who, base, k)) for k in ("cpu", "wall"))

    def each(self, who, base):
        """By CPU time, in brackets by wall time: for add, replace and delete."""
        return "{} ({}) for add, {} ({}) for replace, {} ({}) for delete".format(
            *(v for step in ("add", "replace", "del") for v in self.ratios(step, who, base)))

    def most_missing(self):
        return max((self.report.most("change", step, f"{self.ip} -batch", "missing") or 0 for step in ("add", "replace")), default=0)

    def said(self):
        r, mib = self.report, lambda who: number((r.most("list", "list", who, "rss_kb") or 0) / 1024, 0)
        calls = {who: r.most("cold", "add", f"{who} route add", "syscalls") for who in ("srv6", "ip")}
        lists = [number(v) for how in ("text", "-j") for v in [r.ratio("list", "list", f"srv6 {how}", f"{self.ip} {how}", "cpu")]]
        events = [number(r.per("monitor", "follow", who, "cpu"), 1) for who in ("libsrv6", "srv6 -j monitor")]
        lost = [r.most("monitor", "follow", who, "lost") for who in ("libsrv6", "srv6 -j monitor")]
        codec = [number((r.per("codec", step, "libsrv6", "cpu") or 0) * 1000, 0) for step in ("build", "read")]
        return [
            f"Verified changes cost, times the floor: {self.each('libsrv6', 'floor')}; aims 1.35, 1.35, 1.5. "
            f"To ask for the echo alone costs the floor {self.each('floor, echo', 'floor')}.",
            f"`srv6 batch`, times {self.other}: {self.each('srv6 batch', self.ip + ' -batch')}; aim 0.67. An IPv6 route named by prefix "
            "and device is found by the kernel itself; to delete one named by gateway or encapsulation, what is there is "
            "listed first, for up to 65,536 lines at a time.",
            f"{self.other} has no remedy where the kernel refuses encapsulations in a burst for want of memory: up to "
            f"{self.most_missing():,} of its {self.facts['routes']:,} routes were missing.",
            f"A list takes {lists[0]} (text) and {lists[1]} (JSON) of the CPU time of {self.other}; aim 0.8. It is held back until it is "
            f"known to be whole, in {mib('srv6 text')} MiB; with `--stream` in {mib('srv6 text, stream')} MiB, whatever the number.",
            "`srv6 route add` from a cold start takes {} of the CPU time and {} of the wall time of the system's iproute2 {}, both as "
            "they are installed; aim 1.1. It makes {} system calls, the other {}.".format(
                *self.ratios("add", "srv6 route add", "ip route add", "cold"), self.version("ip"), calls["srv6"], calls["ip"]),
            f"Events at the rate of the floor: {events[0]} us of CPU time each in the library, {events[1]} as JSON lines; "
            f"overruns, each made good: {lost[0]} and {lost[1]}.",
            f"Building a message takes {codec[0]} ns, reading one {codec[1]}, without an allocation; aims 150 and 300."]

    def growth(self):
        r = self.report
        sizes = r.sizes_grown()
        if len(sizes) < 2:
            return []
        lines = ["", "Growth: CPU microseconds a route by the number of routes, of the run that was disturbed least, since the sizes are "
                 "minutes apart; what one alone costs, which is the start, is taken off:",
                 "",
                 "| | " + " | ".join(f"{n:,}" for n in sizes) + " | dearest over cheapest | the same, of the ratio to the floor |",
                 "|---" * (len(sizes) + 3) + "|"]
        for who, step in r.growing():
            floor = who.startswith("floor") or r.is_whole(who, step)
            values = r.by_size(step, who, "cpu")
            lines.append(f"| {who}: {step} | " + " | ".join(short(values[n]) if n in values else "" for n in sizes) +
                         f" | {number(r.grown(step, who, 'cpu'))} | " +
                         ("" if floor else number(r.beside_floor(step, who, "cpu"))) + " |")
        ours = [list(r.by_size(step, who, "cpu").values()) for who, step in r.growing()
                if who.startswith(("libsrv6", "srv6")) and not r.is_whole(who, step)]
        return lines + ["", "The most routes cost, each, at most {} times what the fewest do, in the library and the tool; what more "
                        "the fewest cost is spent once. Aim: the dearest at most {} times the cheapest, by CPU time; the floor, which is the "
                        "kernel, does not keep to that itself, and the last column shows what comes on top of it. What is done to all at "
                        "once, or to one after the other at the same prefixes, is there to show that nothing is quadratic, which would "
                        "cost ten times as much each for ten times as many; aim {:.0f}. Where a change depends on what is there (a hop that is "
                        "appended, a flush that must not take another route), that is listed first; iproute2, which does not look, is faster "
                        "at these two.".format(number(max(v[-1] / v[0] for v in ours)), MOST_GROWTH, MOST_WHOLE)]

    def missed(self):
        lines = [f"{what}: {number(cpu if cpu is not None else wall)}, not {number(most)}" for what, most, cpu, wall in self.targets
                 if verdict(most, cpu if cpu is not None else wall) == "MISSED"]
        failed = [f"Failed: {'; '.join(self.failures)}."] if self.failures else []
        return ["", "Missed aims: " + ("; ".join(lines) if lines else "none") + ".", *failed]

    def text(self):
        f = self.facts
        intro = (f"{f['routes']:,} routes `encap seg6 mode encap` of three SIDs; microseconds of CPU time a route and, in brackets, of "
                 f"wall time, medians of {f['rounds']} interleaved rounds, all of one run. {f['machine']}; {f['kernel'].split('-')[0]}; load "
                 f"{f['load']} when it began. "
                 "The floor is a libmnl program that sends messages encoded beforehand and looks at no answer but errors. Only the "
                 "ratios, made within a round, travel to other machines.")
        lines = [intro, "", *self.table(), "", *("- " + line for line in self.said()), *self.growth(), *self.missed()]
        return "\n".join(line if line.startswith("|") else wrapped(line) for line in lines) + "\n"


def wrapped(line):
    indent = "  " if line.startswith("- ") else ""
    return textwrap.fill(line, 120, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False)


def put_section(path, text):
    """Into the section on speed, up to how it is repeated, of a file that has one; else the file is made."""
    head, tail = "## Speed\n\n", "\nTo repeat it"
    old = ""
    if os.path.exists(path):
        with open(path, encoding="utf-8") as f:
            old = f.read()
    before, found, rest = old.partition(head)
    _, more, after = rest.partition(tail)
    with open(path, "w", encoding="utf-8") as f:
        f.write(before + head + text + tail + after if found and more else text)


def short(v):
    return "" if v is None else f"{v:.0f}" if v >= 9.95 else f"{v:.1f}"


def extras(report, section, step, who):
    said = [(key, report.most(section, step, who, key)) for key in ("syscalls", "events", "lost", "missing", "resent", "allocs")]
    return "".join(f"  {k} {v}" for k, v in said if v is not None)


def version(command):
    try:
        p = subprocess.run(command, capture_output=True, text=True, check=False)
        return (p.stdout or p.stderr).strip().splitlines()[0]
    except (OSError, IndexError):
        return "?"


def about(bench):
    with open("/proc/cpuinfo", encoding="utf-8") as f:
        cpu = next((line.split(":")[1].strip() for line in f if line.startswith("model name")), platform.machine())
    with open("/proc/meminfo", encoding="ascii") as f:
        mem = int(f.readline().split()[1]) >> 20
    versions = {"ip": version(["ip", "-V"]).removeprefix("ip utility, ")}
    if bench.args.ip:
        versions["ip (given)"] = version([bench.args.ip, "-V"]).removeprefix("ip utility, ")
    if os.path.exists(bench.tool):
        versions["srv6"] = version([bench.tool, "--version"])
    for package in ("libmnl0", "python3-pyroute2", "golang-github-vishvananda-netlink-dev"):
        v = version(["dpkg-query", "-W", "-f", "${Version}\n", package])
        if v[:1].isdigit():
            versions[package] = v
    return {"machine": f"{cpu}, {os.cpu_count()} cores, {mem} GiB", "load": bench.load, "kernel": f"Linux {platform.release()}",
            "routes": bench.args.routes, "rounds": bench.args.rounds, "versions": versions}


SECTIONS = ["codec", "change", "list", "cold", "monitor", "growth"]


def some_of(words):
    def parse(text):
        for word in text.split(","):
            if word not in words:
                raise argparse.ArgumentTypeError(f"{word}: one of {', '.join(words)} is expected")
        return text.split(",")
    return parse


def arguments():
    p = argparse.ArgumentParser()
    p.add_argument("--small", action="store_true")
    p.add_argument("--million", action="store_true")
    p.add_argument("--routes", type=int, default=100000)
    p.add_argument("--rounds", type=int, default=5)
    p.add_argument("--ip")
    p.add_argument("--json")
    p.add_argument("--markdown")
    p.add_argument("--build", required=True)
    p.add_argument("--only", type=some_of(SECTIONS), default=SECTIONS)
    p.add_argument("--without", type=some_of(("srv6", "ip", "pyroute2", "go", "lib")), default=[])
    args = p.parse_args()
    if args.routes < 2 or args.rounds < 1:
        p.error("2 routes and 1 round are the fewest")
    if args.markdown and (args.only != SECTIONS or "srv6" in args.without or "lib" in args.without or "ip" in args.without):
        p.error("--markdown needs a whole run: its text speaks of every step")
    if args.small and (args.json or args.markdown):
        p.error("--small measures nothing that --json or --markdown could keep")
    if args.small:
        args.routes, args.rounds = 200, 1
    return args


def main():
    args = arguments()
    work = tempfile.mkdtemp(prefix="srv6-bench.", dir="/dev/shm" if os.access("/dev/shm", os.W_OK) else None)
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    ns = None
    try:
        ns = Namespace(f"bench-{os.getpid()}")
        bench = Bench(args, ns, work)
        try:
            for section in args.only:
                if section != "codec" or "lib" not in args.without:
                    getattr(bench, section)()
        except KeyboardInterrupt:
            bench.failures.append("interrupted")  # what was measured is still told
        if not args.small:
            report, facts = Report(bench.results), about(bench)
            targets = report.targets("ip (given)" if args.ip else "ip")
            print_table(report, facts, targets)
            if args.markdown:
                put_section(args.markdown, Markdown(report, facts, targets, args.ip, bench.failures).text())
        if args.json and not args.small:
            names = ("what", "at_most", "cpu", "wall")
            with open(args.json, "w", encoding="utf-8") as f:
                json.dump(facts | {"targets": [dict(zip(names, t)) | {
                    "met": None if t[1] is None or (t[2] is None and t[3] is None) else
                    (t[2] if t[2] is not None else t[3]) <= t[1]} for t in targets],
                    "measured": bench.results}, f, indent=1)
    finally:
        if ns:
            ns.close()
        shutil.rmtree(work, ignore_errors=True)
    return 1 if bench.failures else 0


sys.exit(main())

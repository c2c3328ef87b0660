# SPDX-License-Identifier: LGPL-2.1-or-later
"""
srv6 perf: that frames cross and are what they should be, that nothing is left, and what is said where it can't be. No
time is looked at: how long anything takes is the machine's.
"""
import json
import os
import re
import shutil
import signal
import subprocess
import tempfile
import time

from harness import case, check, contains, equal, poll, skip, NOBODY, SLOW, SRV6

SMALL = "--rounds 1 --frames 1000"
REFUSALS = ("cannot make a BPF map", "cannot make an XDP program", "cannot make a veth device",
            "cannot attach an XDP program", "cannot run an XDP program with live frames",
            "cannot make a network namespace")


def perf(h, args):
    """What srv6 perf -j prints; skips where the kernel or the permissions don't allow the instrument itself."""
    argv = [SRV6, "-j", "perf"] + args.split()
    result = h.run(argv, timeout=300)
    if result.rc == 1 and any(text in result.err for text in REFUSALS):
        skip(json.loads(result.err)["error"] if result.err.startswith("{") else result.err.splitlines()[0])
    check(result.rc in (0, 3), f"want exit status 0, or 3 with a report: {result}")
    return {"status": result.rc, **json.loads(result.out)}


def names(rows):
    return {(row["behavior"], row.get("variant", "")) for row in rows}


def whole(report, *want):
    """All of want were measured, nothing was lost, and what was not measured is not there for a fault."""
    for row in report["skipped"]:
        check(not row["fault"], f"{row['behavior']}: {row['why']}")
        check(row["why"], f"{row['behavior']} without a reason")
    for row in report["rows"]:
        equal(row["lost"], 0, f"frames that {row['behavior']} lost")
        check(row["ns"] > 0 and row["frames"] >= 1000, f"no figures: {row}")
    equal(report["status"], 0, "exit status")
    missing = set(want) - names(report["rows"]) - names(report["skipped"])
    check(not missing, f"neither measured nor skipped: {sorted(missing)}")


BOTH = ("", "tunsrc")
COUNTED = ("", "count")
ALL = [("IPv6", ""), ("IPv4", ""), ("H.Insert", "")]
ALL += [(name, v) for name in ("H.Encaps", "H.Encaps/4", "H.Encaps.Red", "H.Encaps.L2", "H.Encaps.L2.Red") for v in BOTH]
ALL += [(f"End{name}", v) for name in ("", ".X", ".T", ".DX2", ".DX4", ".DX6", ".DT4", ".DT6", ".DT46") for v in COUNTED]
ALL += [(name, "") for name in ("End.MAP", "End.M.GTP4.E", "End.M.GTP6.E", "End.M.GTP6.D", "End.M.GTP6.D.Di", "H.M.GTP4.D")]


@case("perf", "frames of all behaviors arrive and are what they should be")
def _(net):
    report = perf(net.ns("h"), SMALL)
    whole(report, *ALL)
    have = names(report["rows"])
    check({("IPv6", ""), ("IPv4", ""), ("H.Encaps", ""), ("H.Encaps", "tunsrc"), ("End", "")} <= have,
          f"too little was measured: {sorted(have)}")


@case("perf", "more segments, larger frames, more addresses: frames are right as well")
def _(net):
    h = net.ns("h")
    for args in ("--segments 3 --size 512", "--segments 16 --size 1400 --addresses 5"):
        whole(perf(h, f"H.Insert H.Encaps H.Encaps.Red H.Encaps.L2 H.Encaps.L2.Red End End.DX2 End.DT6 {SMALL} {args}"))


@case("perf", "tunsrc: a sweep over the number of addresses")
def _(net):
    report = perf(net.ns("h"), f"tunsrc {SMALL}")
    whole(report)
    have = {(row["behavior"], row.get("variant", ""), row["addresses"]) for row in report["rows"]}
    want = {(name, v, n) for name in ("H.Encaps", "H.Encaps.L2") for v in BOTH for n in (1, 4, 16, 64, 256)}
    check(want <= have, f"not measured: {sorted(want - have)}")
    check(report["method"]["tunsrc"] in ("route", "namespace"), "where the tunnel source is")


@case("perf", "a name selects its rows, and unknown words are refused")
def _(net):
    h = net.ns("h")
    report = perf(h, f"end.x {SMALL}")
    equal({name for name, _ in names(report["rows"])}, {"generator", "receive", "IPv6", "End.X", "End.X/gw"}, "rows")
    h.refused("perf End.Y", 2, "End.Y", "End.X")
    h.refused("perf --size 87", 2, "88")
    h.refused("perf --plot out.pdf", 2, ".svg")
    h.refused("perf tunsrc End", 2, "tunsrc")
    h.refused("perf --size 2048 --segments 120", 1, "too large")
    for args in ("perf --size 2049", "perf --segments 0", "perf --segments 121", "perf --addresses 0", "perf --rounds 0",
                 "perf --rounds 1001", "perf --frames 999", "perf --cpu -1"):
        h.refused(args, 2, "from")


@case("perf", "-n is refused: the caller's namespace, or another, does not matter to it")
def _(net):
    h = net.ns("h")
    h.refused("-n /proc/self/ns/net perf --rounds 1 --frames 1000 IPv6", 2, "leave out -n")


@case("perf", "--plot: a drawing of the type that the name says; what can't be written is told before it measures")
def _(net):
    h = net.ns("h")
    if os.getuid() != 0 or os.environ.get("SRV6_TEST_USERNS"):
        skip("needs root")
    if not shutil.which("gnuplot"):
        skip("gnuplot is not installed")
    with tempfile.TemporaryDirectory() as directory:
        for args, name, start in (("IPv6 H.Encaps", "rows.svg", b"<?xml"), ("tunsrc", "sweep.svg", b"<?xml"),
                                  ("IPv6", "rows.svg.png", b"\x89PNG")):
            path = os.path.join(directory, name)
            perf(h, f"{args} {SMALL} --plot {path}")
            with open(path, "rb") as file:
                data = file.read()
            check(data.startswith(start), f"{name} begins with {data[:16]}")
            check(len(data) > 1000, f"{name} has only {len(data)} bytes")
            if name == "rows.svg":
                contains(data.decode(), "H.Encaps", name)
        before = sorted(os.listdir(directory))
        h.refused(f"perf IPv6 --rounds 1000 --plot {directory}/no/such.svg", 1, "cannot write")
        equal(sorted(os.listdir(directory)), before, "files")


@case("perf", "--plot: a gnuplot that is not there is told before it measures, one that fails after the report")
def _(net):
    h = net.ns("h")
    if os.getuid() != 0 or os.environ.get("SRV6_TEST_USERNS"):
        skip("needs root")
    with tempfile.TemporaryDirectory() as directory:
        tool, path, program = shutil.which(SRV6), os.path.join(directory, "x.svg"), os.path.join(directory, "gnuplot")

        def plot(search):
            return h.run([tool, "perf", "IPv6", *SMALL.split(), "--plot", path], timeout=300, env={"PATH": search})

        with open(program, "w", encoding="ascii") as file:  # found, and no program
            file.write("#!/bin/sh\n")
        for search in ("", "/none", directory):
            result = plot(search)
            equal((result.rc, result.out), (1, ""), f"exit status, and nothing measured: {result}")
            contains(result.err, "gnuplot is not installed, and --plot needs it", "the message")
        equal(os.listdir(directory), ["gnuplot"], "files")
        os.chmod(program, 0o755)
        for text, status in (("exit 1", 1), ("cat >&2; kill -9 $$", 1), ("exec /none", 1), ("cat", 0)):
            with open(program, "w", encoding="ascii") as file:
                file.write(f"#!/bin/sh\n{text}\n")
            result = plot(directory + ":/usr/bin:/bin")
            if any(refusal in result.err for refusal in REFUSALS):
                skip(result.err.splitlines()[0])
            equal(result.rc, status, f"exit status: {result}")
            contains(result.out, "\nIPv6 ", "the report, which is there all the same")
            equal(f"gnuplot failed: {path} is not whole" in result.err, status == 1, f"the message: {result}")
        with open(path, encoding="ascii") as file:  # what was given to the last one
            check(re.fullmatch(r"set terminal svg .*\$d << EOD\n.*\"IPv6\" [\d.]+ [\d.]+ [\d.]+\nEOD\n.*\nplot \$d .*", file.read(), re.S), "the commands")


def running(argv):
    """Processes with just these arguments."""
    found = []
    for pid in os.listdir("/proc"):
        try:
            with open(f"/proc/{pid}/cmdline", "rb") as file:
                if file.read().split(b"\0")[:-1] == [os.fsencode(arg) for arg in argv]:
                    found.append(pid)
        except OSError:
            pass
    return found


def named_namespaces():
    with open("/proc/self/mounts", encoding="utf-8") as file:
        return [line for line in file if " nsfs " in line]


def children(pid):
    try:
        with open(f"/proc/{pid}/task/{pid}/children", encoding="ascii") as file:
            return [int(child) for child in file.read().split()]
    except OSError:
        return []


@case("perf", "nothing is touched, and nothing is left after it, however it ends")
def _(net):
    h = net.ns("h")
    perf(h, f"IPv6 {SMALL}")
    argv = [SRV6, "perf", "H.Encaps", "--rounds", str(1000 - os.getpid() % 500)]

    def callers():
        return h.ip("link").out, h.ip("address").out, h.state(), h.sysctl("ipv6/conf/all/forwarding"), named_namespaces()

    before = callers()
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGKILL):
        run = h.start(argv, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        (child,) = poll(lambda: children(run.pid), "its child", 5)
        own = os.readlink(f"/proc/{run.pid}/ns/net")
        poll(lambda: os.readlink(f"/proc/{child}/ns/net") != own, "its namespace", 5)
        time.sleep(0.3 * SLOW)
        run.send_signal(number)
        equal(run.wait(20 * SLOW), -number, "how it ended")
        poll(lambda: not running(argv), "the end of its child, and with it of its namespaces", 5)
    equal(callers(), before, "the caller's links, addresses, routes, sysctls and mounts")


@case("perf", "without root it says that root is needed")
def _(net):
    h = net.ns("h")
    if os.getuid() != 0 or os.environ.get("SRV6_TEST_USERNS"):
        skip("only root can become somebody else")
    result = h.run(NOBODY + [SRV6, "perf"])
    equal(result.rc, 1, f"exit status: {result}")
    contains(result.err, "needs root", "the message")

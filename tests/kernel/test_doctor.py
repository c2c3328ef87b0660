# SPDX-License-Identifier: LGPL-2.1-or-later
"""
srv6 doctor: each fault is made, found by its code, mended with the commands that doctor printed, and gone. Each is done
twice: once the commands are run as a person would type them, once by --fix. A set-up without faults raises nothing.

    a ------- r ------- b      r0: 2001:db8:a::1, 192.0.2.1, MTU 1500; r1: 2001:db8:b::1, 198.51.100.1, MTU 9000
     a0   r0     r1   b0       b (2001:db8:b::2, 198.51.100.2) is the way to fc00:2::/64
"""
import contextlib
import json
import os
import shlex
import socket
import struct
import subprocess
import tempfile
import threading
import time

import harness
from harness import INIT_USER, NOBODY, SLOW, SRV6, can, case, check, contains, equal, frame, need, need_init_user, poll, skip, udp6

CORE = "via 2001:db8:b::2 dev r1"


def healthy(net):
    """A router on which everything is as it should be; doctor has nothing to say about it."""
    a, r, b = (net.ns(name) for name in "arb")
    net.link(a, "a0", r, "r0")
    net.link(r, "r1", b, "b0")
    r.forward()
    for key in ("ipv6/conf/all/seg6_enabled", "ipv6/conf/default/seg6_enabled"):
        r.sysctl(key, 0)
    for space, dev in ((r, "r1"), (b, "b0")):
        space.ip(f"link set {dev} mtu 9000")
    r.ip("""addr add 2001:db8:a::1/64 dev r0 nodad
            addr add 192.0.2.1/24 dev r0
            addr add 2001:db8:b::1/64 dev r1 nodad
            addr add 198.51.100.1/24 dev r1
            addr add 2001:db8::1/128 dev lo nodad
            route add fc00:2::/64 via 2001:db8:b::2 dev r1
            route add 198.18.0.1/32 via 198.51.100.2 dev r1""")
    net.neigh(r, "r1", "2001:db8:b::2", "198.51.100.2")
    lines = f"""
        route add 2001:db8:100::/64 encap seg6 mode encap segs fc00:2::1,fc00:2::2 {CORE}
        route add 203.0.113.0/24 encap seg6 mode encap.red segs fc00:2::1 dev r1
        sid add fc00:1::e/128 End count dev r1
        sid add fc00:1::6/128 End.DT6 table main dev r1
        sid add fc00:1::a/128 End.X nh6 2001:db8:b::2 dev r1
        sid add fc00:1::4/128 End.DX4 nh4 198.18.0.1 dev r1
        sid add fcbb:bbbb:1::/48 End flavors next-csid lblen 32 nflen 16 dev r1
        """
    if INIT_USER:
        lines += "tunsrc set 2001:db8::1\n"
    if can("End.X next-csid"):
        lines += "sid add fcbb:bbbb:1:e001::/64 End.X nh6 2001:db8:b::2 flavors next-csid lblen 32 nflen 32 dev r1\n"
    r.srv6("batch -", stdin=lines)
    return a, r, b


def doctor(space, args="", rc=None):
    return parse(space.srv6("-j doctor " + args, rc))


def parse(result):
    try:
        return json.loads(result.out)
    except ValueError as error:
        raise harness.Failed(f"not JSON ({error}): {result}") from None


def codes(report):
    return [finding["code"] for finding in report["findings"]]


def only(report, code):
    found = [finding for finding in report["findings"] if finding["code"] == code]
    check(found, f"{code} is not found, but {codes(report)}: {report['findings']}")
    return found


def by_hand(space, finding, fill):
    """Runs the commands as they are printed."""
    check(finding["remedy"], f"no remedy: {finding}")
    for command in finding["remedy"]:
        for hole, value in fill.items():
            command = command.replace(hole, value)
        argv = shlex.split(command)
        if argv[0] == "srv6":
            argv[0] = SRV6
        result = space.run(argv)
        check(result.rc == 0, str(result))


def mend(space, code, args="", severity="error", fix=False, fill=None, holds=()):
    """code is found, its remedy is applied, and code is gone, with nothing new in its place."""
    before = doctor(space, args)
    findings = only(before, code)
    equal(findings[0]["severity"], severity, f"severity of {code}")
    for text in holds:
        contains(findings[0]["text"], text, f"text of {code}")
    check(findings[0]["why"], f"{code} has no why")
    if fix:
        done = doctor(space, f"{args} --fix {code}")
        check(done["applied"] and all(one["ok"] for one in done["applied"]), f"not applied: {done['applied']}")
        equal([one["command"] for one in done["applied"]], unique(c for f in findings for c in f["remedy"]), "what was run")
        check(code not in codes(done), f"{code} is still in the report of --fix: {done['findings']}")
    else:
        for command in unique(c for f in findings for c in f["remedy"]):
            by_hand(space, {"remedy": [command]}, fill or {})
    after = doctor(space, args)
    check(code not in codes(after), f"{code} is still there: {after['findings']}")
    new = set(codes(after)) - set(codes(before))
    check(not new, f"the remedy of {code} leads to {new}: {after['findings']}")
    return before, after


def unique(commands):
    return list(dict.fromkeys(commands))


def fault(code, text, **how):
    """
    Registers a fault twice. The function gets the namespaces, makes the fault and may return a dict with words for mend().
    by: "both", "hand" (the remedy has holes to fill), "fix" (a program that is not here is needed)
    """
    by = how.pop("by", "both")

    def register(function):
        def run(net, fix):
            spaces = healthy(net)
            more = function(net, *spaces) or {}
            words = {**how, **more}
            with contextlib.ExitStack() as stack:
                stack.callback(words.pop("cleanup", lambda: None))
                mend(spaces[1], code, fix=fix, **words)
        if by in ("both", "hand"):
            case("doctor", f"{code}: {text}: found, mended by hand, gone")(lambda net: run(net, False))
        if by in ("both", "fix"):
            case("doctor", f"{code}: {text}: found, mended by --fix, gone")(lambda net: run(net, True))
        return function
    return register


# ------------------------------------------------------------------ nothing wrong

@case("doctor", "a set-up without faults raises nothing")
def _(net):
    _, r, _ = healthy(net)
    report = doctor(r, rc=0)
    equal(report["findings"], [], "findings")
    check(report["clean"], "clean is not true")
    if INIT_USER:
        equal(report["not_checked"], [], "not checked")
    contains(r.srv6("doctor --strict").out, "nothing found", "text")


@case("doctor", "an empty namespace raises nothing")
def _(net):
    equal(doctor(net.ns("h"), rc=0)["findings"], [], "findings")


@case("doctor", "it changes nothing")
def _(net):
    _, r, _ = healthy(net)
    r.sysctl("ipv6/conf/all/forwarding", 0)
    before = r.state(), r.srv6("show").out
    doctor(r)
    r.srv6("doctor --fix", None)
    r.srv6("--dry-run doctor --fix all", None)
    equal((r.state(), r.srv6("show").out), before, "state")
    equal(r.sysctl("ipv6/conf/all/forwarding"), "0", "forwarding")


@case("doctor", "exit status: 1 with errors, 0 with warnings, 1 with warnings and --strict, 2 for unknown words")
def _(net):
    _, r, _ = healthy(net)
    r.ip("link set r1 mtu 1500")
    equal(doctor(r, rc=0)["clean"], False, "clean")
    r.srv6("doctor", 0)
    r.srv6("doctor --strict", 1)
    r.sysctl("ipv6/conf/all/forwarding", 0)
    r.srv6("doctor", 1)
    r.srv6("doctor --fix no-such-code", 2)
    r.srv6("doctor no-such-word", 2)


@case("doctor", "a route or SID as argument limits the findings to it")
def _(net):
    _, r, _ = healthy(net)
    r.ip("-6 route add 2001:db8:200::/64 encap seg6 mode encap segs fc00:dead::1 dev r1")
    r.addr("fc00:1::6/128", "r0")
    equal(set(codes(doctor(r))), {"segment-no-route", "sid-shadowed"}, "all")
    equal(codes(doctor(r, "2001:db8:200::/64", 1)), ["segment-no-route"], "of the route")
    equal(codes(doctor(r, "2001:db8:200::5", 1)), ["segment-no-route"], "of the route by an address in it")
    equal(codes(doctor(r, "fc00:1::6", 1)), ["sid-shadowed"], "of the SID")
    equal(codes(doctor(r, "2001:db8:100::/64", 0)), [], "of another route")
    equal(codes(doctor(r, "fc00:1::e table main", 0)), [], "of another SID")
    equal(codes(doctor(r, "fc00:1::e table 77", 1)), ["not-found"], "of a SID that is not in this table")
    equal(codes(doctor(r, "table 77", 1)), ["not-found"], "of a table without any")
    r.ip("-6 route add fc00:1::b/128 encap seg6local action End dev r1 table 77")
    equal(codes(doctor(r, "table 77", 1)), ["table-no-rule"], "of a table")
    equal(set(codes(doctor(r, "table main"))), {"segment-no-route", "sid-shadowed"}, "of the main table")


@case("doctor", "not-found: found, gone once it is installed")
def _(net):
    _, r, _ = healthy(net)
    equal(codes(doctor(r, "fc00:77::1", 1)), ["not-found"], "codes")
    r.srv6("sid add fc00:77::1 End dev r1")
    equal(codes(doctor(r, "fc00:77::1", 0)), [], "codes")


@case("doctor", "what may not be read is named as not checked, and the rest is examined")
def _(net):
    if not INIT_USER:
        skip("needs root, to become nobody")
    _, r, _ = healthy(net)
    r.sysctl("ipv6/conf/all/forwarding", 0)
    report = parse(r.run(NOBODY + [SRV6, "-j", "doctor"]))
    equal(codes(report), ["forwarding-off"], "codes")
    for what in ("tunnel source", "HMAC keys"):
        check(any(what in note for note in report["not_checked"]), f"{what}: {report['not_checked']}")


@case("doctor", "a remedy with something to fill in is shown, and not run")
def _(net):
    _, r, _ = healthy(net)
    r.ip("-6 route add 2001:db8:200::/64 encap seg6 mode encap segs fc00:dead::1 dev r1")
    before = r.state()
    report = doctor(r, "--fix segment-no-route", 1)
    equal(report["applied"][0]["ok"], False, "ok")
    contains(report["applied"][0]["command"], "<NEXTHOP>", "command")
    equal(r.state(), before, "state")


@case("doctor", "--fix all leaves alone what takes something away")
def _(net):
    _, r, _ = healthy(net)
    r.addr("fc00:1::6/128", "r0")
    r.sysctl("ipv6/conf/all/forwarding", 0)
    report = doctor(r, "--fix all", 1)
    equal([one["code"] for one in report["applied"]], ["forwarding-off"], "applied")
    equal(codes(report), ["sid-shadowed"], "left")


@case("doctor", "two remedies for one route are both applied")
def _(net):
    _, r, _ = healthy(net)
    r.ip("-6 route add fcbb:bbbb:2::/64 encap seg6local action End flavors next-csid lblen 32 nflen 16 dev lo")
    equal(codes(doctor(r, rc=1)), ["sid-on-lo", "prefix-length"], "codes")
    report = doctor(r, "--fix all", 0)
    equal([(one["code"], one["ok"]) for one in report["applied"]], [("sid-on-lo", True), ("prefix-length", True)], "applied")
    equal(report["findings"], [], "findings")


@case("doctor", "-n: what is printed acts in that namespace when it is typed outside")
def _(net):
    _, r, _ = healthy(net)
    r.sysctl("ipv6/conf/all/forwarding", 0)
    path = f"/proc/{os.getpid()}/fd/{r.fd}"
    out = net.ns("h").srv6(f"-n {path} doctor", 1).out
    contains(out, f"nsenter --net={path} sysctl -w net.ipv6.conf.all.forwarding=1", "text")
    line = next(line for line in out.splitlines() if line.startswith("    remedy "))
    subprocess.run(line.split("remedy ", 1)[1], shell=True, check=True, stdout=subprocess.DEVNULL)
    equal(r.sysctl("ipv6/conf/all/forwarding"), "1", "forwarding")
    if INIT_USER:
        r.ip("sr tunsrc set ff02::1")
        contains(net.ns("g").srv6(f"-n {path} doctor", 1).out, f"srv6 -n {path} tunsrc set 2001:db8::1", "text")


@case("doctor", "names of devices get no control characters to the terminal")
def _(net):
    _, r, _ = healthy(net)
    name = "e\033[31mx"
    r.run(["ip", "link", "add", name, "mtu", "9000", "type", "veth", "peer", "name", "e2"])
    r.run(["ip", "link", "set", "dev", name, "up"])
    r.run(["ip", "-4", "route", "add", "10.9.0.0/16", "encap", "seg6", "mode", "encap", "segs", "fc00:2::1", "dev", name])
    out = r.srv6("doctor").out
    contains(out, "e\\x1b[31mx", "text")
    check("\033" not in out, f"an escape in {out!r}")
    contains(only(doctor(r), "no-carrier")[0]["text"], name, "JSON, which has the name itself")


@case("doctor", "--list and the manual page name the same codes, and each is tested or named as not testable")
def _(net):
    listed = [row["code"] for row in net.ns("h").json("doctor --list")]
    equal(len(listed), len(set(listed)), "codes that stand twice")
    check(len(listed) > 40, f"only {len(listed)}")
    here = os.path.dirname(os.path.abspath(__file__))
    page = os.path.join(here, "..", "..", "man", "srv6-doctor.8")
    if not os.path.exists(page):
        skip("the manual page is not beside the tests")
    with open(page, encoding="utf-8") as file:
        lines = file.read().splitlines()
    start = lines.index(".Sh FINDINGS")
    end = next(i for i in range(start + 1, len(lines)) if lines[i].startswith(".Sh "))
    entries = [line.split()[2] for line in lines[start:end] if line.startswith(".It Cm ")]
    equal(sorted(entries), sorted(listed), "entries of the manual page")
    names = " ".join(name for name, _ in harness.CASES)
    missing = [code for code in listed if f" {code}:" not in names]
    equal(missing, [], "codes without a test")


# ------------------------------------------------------------------ the tunnel source

@fault("tunsrc-unset", "no tunnel source", severity="warning", holds=("3 hops", "7 addresses"))
def _(net, a, r, b):
    need_init_user()
    r.srv6("tunsrc unset")
    r.srv6("sid add fc00:1::b6/128 End.B6.Encaps segs fc00:2::1,fc00:2::2 dev r1")
    count = len(r.ip("-6 -o addr show").out.splitlines())
    return {"holds": ("3 hops", f"{count} addresses", "srv6 perf")}


@case("doctor", "tunsrc-unset: the address of lo is proposed")
def _(net):
    need_init_user()
    _, r, _ = healthy(net)
    r.srv6("tunsrc unset")
    equal(only(doctor(r, rc=0), "tunsrc-unset")[0]["remedy"], ["srv6 tunsrc set 2001:db8::1"], "remedy")
    r.ip("-6 addr del 2001:db8::1/128 dev lo")
    equal(only(doctor(r, rc=0), "tunsrc-unset")[0]["remedy"], ["srv6 tunsrc set 2001:db8:b::1"], "remedy without it")


def _unusable(address, word):
    @fault("tunsrc-unusable", f"the tunnel source is {word}", holds=(word,))
    def _(net, a, r, b):
        need_init_user()
        r.ip("sr tunsrc set " + address)


for _address, _word in (("ff02::1", "multicast"), ("::ffff:192.0.2.1", "IPv4-mapped"), ("::1", "loopback"),
                        ("fe80::1", "link-local")):
    _unusable(_address, _word)


@fault("tunsrc-foreign", "the tunnel source is nobody's here", severity="warning", holds=("2001:db8:dead::1",))
def _(net, a, r, b):
    need_init_user()
    r.ip("sr tunsrc set 2001:db8:dead::1")


@fault("tunsrc-foreign", "a route's own tunnel source is nobody's here", severity="warning", holds=("2001:db8:300::/64",))
def _(net, a, r, b):
    need("tunsrc")
    r.srv6("route add 2001:db8:300::/64 encap seg6 mode encap tunsrc 2001:db8:dead::1 segs fc00:2::1 dev r1")


class Zebra:
    """A process that is called zebra, and the program that changes its configuration."""
    def __init__(self, space, lines):
        self.dir = tempfile.mkdtemp(prefix="srv6-doctor-")
        self.conf = os.path.join(self.dir, "frr.conf")
        with open(self.conf, "w", encoding="ascii") as file:
            file.write("\n".join(lines) + "\n")
        program, tool = os.path.join(self.dir, "zebra"), os.path.join(self.dir, "vtysh")
        with open(tool, "w", encoding="ascii") as file:
            file.write(f"#!/bin/sh\nfor word; do case \"$word\" in source-address*) echo \"   $word\" >> {self.conf};; "
                       "esac; done\n")
        os.chmod(tool, 0o755)
        subprocess.run(["cp", os.path.realpath("/bin/sh"), program], check=True)
        # the shell reads commands from its standard input and ignores what follows -s
        self.process = space.start([program, "-s", "-f", self.conf], stdin=subprocess.PIPE)
        os.environ["PATH"] = self.dir + ":" + os.environ["PATH"]
        poll(lambda: harness.read(f"/proc/{self.process.pid}/comm") == "zebra", "zebra runs")

    def close(self):
        self.process.stdin.close()
        self.process.wait()
        os.environ["PATH"] = os.environ["PATH"].split(":", 1)[1]
        subprocess.run(["rm", "-r", self.dir], check=True)


FRR = ["segment-routing", " srv6", "  locators", "   locator main", "    prefix fc00:1::/48", "  exit"]


def frr(net, r):
    """As FRR leaves it: routes of protocol bgp, no tunnel source."""
    need_init_user()
    r.srv6("tunsrc unset")
    r.ip("-6 route add 2001:db8:400::/64 encap seg6 mode encap segs fc00:2::6 via 2001:db8:b::2 dev r1 proto bgp metric 20")
    return Zebra(r, FRR)


@fault("frr-no-source", "zebra has no source-address", severity="warning", holds=("zebra", "frr.conf"))
def _(net, a, r, b):
    return {"cleanup": frr(net, r).close}


@case("doctor", "frr-no-source: as FRR leaves it, doctor finds the missing tunnel source and mends it")
def _(net):
    _, r, _ = healthy(net)
    zebra = frr(net, r)
    try:
        equal(codes(doctor(r, rc=0)), ["tunsrc-unset", "frr-no-source"], "codes")
        equal(codes(doctor(r, "--fix all", 0)), [], "codes after --fix all")
        contains(r.ip("sr tunsrc show").out, "2001:db8::1", "tunsrc")
        contains(harness.read(zebra.conf), "source-address 2001:db8::1", "FRR's configuration")
    finally:
        zebra.close()


@case("doctor", "frr-no-source: one that has it, and one of another namespace, raise nothing")
def _(net):
    _, r, b = healthy(net)
    for space, lines in ((r, FRR + ["  encapsulation", "   source-address 2001:db8::1"]), (b, FRR)):
        zebra = Zebra(space, lines)
        try:
            equal(codes(doctor(r, rc=0)), [], "codes")
        finally:
            zebra.close()


@case("doctor", "frr-no-source: a configuration that is no file is named, and not waited for")
def _(net):
    _, r, _ = healthy(net)
    zebra = Zebra(r, FRR)
    try:
        os.unlink(zebra.conf)
        os.mkfifo(zebra.conf)
        report = parse(r.run([SRV6, "-j", "doctor"], timeout=10))
        equal(codes(report), [], "codes")
        check(any(zebra.conf in note for note in report["not_checked"]), f"not checked: {report['not_checked']}")
    finally:
        zebra.close()


@case("doctor", "tunsrc-foreign: the namespace's tunnel source is an address in a VRF, and packets leave outside of it")
def _(net):
    need_init_user()
    _, r, b = healthy(net)
    net.link(r, "c0", b, "c1")
    r.sysctl("ipv4/conf/c0/rp_filter", 0)
    r.vrf("vrf100", 100)
    r.ip("link set c0 master vrf100")
    r.addr("2001:db8:c::1/64", "c0")
    r.srv6("tunsrc set 2001:db8:c::1")
    contains(only(doctor(r, rc=0), "tunsrc-foreign")[0]["text"], "vrf100", "text")
    r.srv6("doctor --fix tunsrc-foreign", 0)
    check("tunsrc-foreign" not in codes(doctor(r)), "it is still there")


# ------------------------------------------------------------------ forwarding and sysctls

@fault("forwarding-off", "no IPv6 forwarding", holds=("fc00:1::",))
def _(net, a, r, b):
    r.sysctl("ipv6/conf/all/forwarding", 0)


@case("doctor", "forwarding-off: what End.DX6 decapsulates is forwarded, so it is an error")
def _(net):
    _, r, _ = healthy(net)
    r.ip("-6 route add fc00:1::66/128 encap seg6local action End.DX6 nh6 2001:db8:b::2 dev r1")
    r.sysctl("ipv6/conf/all/forwarding", 0)
    found = only(doctor(r, "fc00:1::66", 1), "forwarding-off")[0]
    equal(found["severity"], "error", "severity")
    contains(found["text"], "drops", "text")


@case("doctor", "forwarding-off: a host that only encapsulates gets a warning")
def _(net):
    _, r, _ = healthy(net)
    r.srv6("sid flush all", None)
    r.sysctl("ipv6/conf/all/forwarding", 0)
    if "fc00:1::e" in r.srv6("sid show").out:
        raise harness.Failed("SIDs are still there")
    equal(only(doctor(r, rc=0), "forwarding-off")[0]["severity"], "warning", "severity")


@case("doctor", "forwarding-off: devices that force it, and one that does not")
def _(net):
    _, r, _ = healthy(net)
    if r.sysctl("ipv6/conf/r0/force_forwarding") is None:
        skip("this kernel has no force_forwarding")
    r.sysctl("ipv6/conf/all/forwarding", 0)
    r.sysctl("ipv6/conf/r0/force_forwarding", 1)
    found = only(doctor(r, rc=0), "forwarding-off")
    equal(found[0]["severity"], "warning", "severity")
    contains(found[0]["text"], "do not force it: r1", "text")
    r.sysctl("ipv6/conf/r1/force_forwarding", 1)
    equal(codes(doctor(r, rc=0)), [], "codes")


@fault("ipv4-forwarding-off", "one device does not forward IPv4", holds=("r1", "fc00:1::4"))
def _(net, a, r, b):
    r.sysctl("ipv4/conf/r1/forwarding", 0)


@fault("ipv4-forwarding-off", "no IPv4 forwarding", holds=("fc00:1::4",))
def _(net, a, r, b):
    r.sysctl("ipv4/ip_forward", 0)


@fault("rp-filter", "strict on the device", holds=("fc00:1::4", "r1"))
def _(net, a, r, b):
    r.sysctl("ipv4/conf/r1/rp_filter", 1)


@fault("rp-filter", "strict in conf/all", holds=("conf/all 1",))
def _(net, a, r, b):
    r.sysctl("ipv4/conf/all/rp_filter", 1)


@case("doctor", "rp-filter: on a port of which nobody knows that SRv6 comes in there it is a warning")
def _(net):
    _, r, _ = healthy(net)
    r.sysctl("ipv4/conf/r0/rp_filter", 1)
    found = only(doctor(r, rc=0), "rp-filter")[0]
    equal(found["severity"], "warning", "severity")
    contains(found["text"], "if they came in there", "text")


@case("doctor", "rp-filter: what comes in by a port of a bridge is the bridge's")
def _(net):
    _, r, b = healthy(net)
    net.link(r, "p0", b, "p1")
    r.sysctl("ipv4/conf/p0/rp_filter", 1)
    equal(codes(doctor(r, rc=0)), ["rp-filter"], "codes of a port alone")
    if r.run(["ip", "link", "add", "br0", "type", "bridge"]).rc:
        skip("this kernel has no bridges")
    r.ip("link set p0 master br0")
    equal(codes(doctor(r, rc=0)), [], "codes of a port of a bridge")


@fault("seg6-disabled", "the address asked about", holds=("2001:db8::1",))
def _(net, a, r, b):
    return {"args": "2001:db8::1"}


@fault("seg6-disabled", "a segment of a route that is an address here", holds=("2001:db8::1",))
def _(net, a, r, b):
    r.srv6("route add 2001:db8:200::/64 encap seg6 mode encap segs fc00:2::1,2001:db8::1 " + CORE)


@case("doctor", "seg6-disabled: conf/all alone and the devices alone are not enough; seg6local routes do not need it")
def _(net):
    _, r, _ = healthy(net)
    equal(codes(doctor(r, "fc00:1::6", 0)), [], "of a seg6local SID")
    r.sysctl("ipv6/conf/all/seg6_enabled", 1)
    equal(codes(doctor(r, "2001:db8::1", 1)), ["seg6-disabled"], "conf/all alone")
    r.sysctl("ipv6/conf/r1/seg6_enabled", 1)
    found = only(doctor(r, "2001:db8::1", 0), "seg6-disabled")
    equal(found[0]["severity"], "info", "severity with one device")
    contains(found[0]["text"], "r0", "text")
    r.sysctl("ipv6/conf/r0/seg6_enabled", 1)
    equal(codes(doctor(r, "2001:db8::1", 0)), [], "both")


@fault("seg6-half-enabled", "only conf/all", severity="info", holds=("conf/all",))
def _(net, a, r, b):
    r.sysctl("ipv6/conf/all/seg6_enabled", 1)


@fault("seg6-half-enabled", "only a device", severity="info", holds=("1 of 2",))
def _(net, a, r, b):
    r.sysctl("ipv6/conf/r1/seg6_enabled", 1)


# ------------------------------------------------------------------ VRFs

@case("doctor", "kernel-no-vrf: a saved state with a VRF, before and after its module is loaded")
def _(net):
    _, r, _ = healthy(net)
    if r.sysctl("vrf/strict_mode") is not None:
        skip("the VRF module is loaded already, and can't be unloaded")
    saved = json.loads(r.srv6("-j save").out)
    route = next(route for route in saved["routes"] if route["dst"].startswith("fc00:1::6"))
    route["hops"][0]["encap"] = {"encap_type": "seg6local", "action": "End.DT46", "vrftable": 100}
    with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
        json.dump(saved, file)
        file.flush()
        args = f"--needs {file.name}"
        found = only(doctor(r, args, 1), "kernel-no-vrf")
        equal((codes(doctor(r, args)), found[0]["remedy"]), (["kernel-no-vrf"], ["modprobe vrf"]), "codes and remedy")
        if not os.environ.get("SRV6_TEST_VM"):
            return  # the rest would load a module into a machine that is not ours
        by_hand(r, found[0], {})
        equal(codes(doctor(r, args, 0)), [], "codes with the module")


def vrf_routes(r):
    r.ip("route replace default via 2001:db8:b::2 dev r1 table 100\n"
         "route replace default via 198.51.100.2 dev r1 table 100\n")


def with_vrf(r, dev="vrf100"):
    r.vrf("vrf100", 100)
    r.sysctl("ipv4/conf/vrf100/rp_filter", 0)
    vrf_routes(r)
    r.srv6(f"sid add fc00:1::46/128 End.DT46 vrftable 100 count dev {dev}")


@case("doctor", "a VRF without faults raises nothing")
def _(net):
    _, r, _ = healthy(net)
    with_vrf(r)
    equal(codes(doctor(r, rc=0)), [], "codes")


@case("doctor", "segment-no-route: a route in a VRF looks its first segment up in the VRF; packets agree")
def _(net):
    a, r, b = healthy(net)
    r.vrf("vrf100", 100)
    r.ip("link set r0 master vrf100")
    r.ip("route add unreachable ::/0 metric 4278198272 table 100\n"
         "route add 2001:db8:500::/64 encap seg6 mode encap segs fc00:2::1 via 2001:db8:b::2 dev r1 table 100\n")

    def arrives():
        wire = b.sniff("b0")
        a.send("a0", frame(a.peer_a0, udp6("2001:db8:a::2", "2001:db8:500::1", b"by the vrf")))
        return any(b"by the vrf" in data for data in wire.frames(0.3 * SLOW))

    equal(codes(doctor(r, "2001:db8:500::/64", None)), ["segment-no-route"] if not arrives() else [], "codes, as packets go")
    r.ip("-6 route del unreachable default metric 4278198272 table 100")
    equal(codes(doctor(r, "2001:db8:500::/64", None)), [] if arrives() else ["segment-no-route"], "codes without it")
    r.ip("-6 route add unreachable default metric 4278198272 table 100")
    by_hand(r, only(doctor(r, "2001:db8:500::/64", 1), "segment-no-route")[0], {})
    equal(codes(doctor(r, "2001:db8:500::/64", None)), [], "codes with the remedy")
    check(arrives(), "the packet does not arrive")


@fault("vrf-strict-off", "strict mode is off", severity="warning", holds=("fc00:1::46",))
def _(net, a, r, b):
    with_vrf(r)
    r.sysctl("vrf/strict_mode", 0)


@fault("vrf-missing", "the VRF was deleted", holds=("100",))
def _(net, a, r, b):
    with_vrf(r, "r1")
    r.ip("link del vrf100")
    vrf_routes(r)


@fault("vrf-recreated", "the VRF was made again", severity="warning", holds=("vrf100", "r1"))
def _(net, a, r, b):
    with_vrf(r, "r1")
    r.ip("link del vrf100")
    r.vrf("vrf100", 100)
    vrf_routes(r)
    decapsulate(b, r, "fc00:1::46")
    poll(lambda: errors(r, "fc00:1::46"), "errors are counted")


@fault("sid-outside-vrf", "the SID is on another device", severity="warning", holds=("r1", "vrf100"))
def _(net, a, r, b):
    with_vrf(r, "r1")


@fault("device-down", "the VRF is down", holds=("vrf100",))
def _(net, a, r, b):
    with_vrf(r)
    r.ip("link set vrf100 down")
    r.ip("link set vrf100 up")
    r.srv6("sid replace fc00:1::46/128 End.DT46 vrftable 100 count dev r1")
    r.ip("link set vrf100 down")


@fault("rp-filter", "strict on the VRF", holds=("vrf100",))
def _(net, a, r, b):
    with_vrf(r)
    r.sysctl("ipv4/conf/vrf100/rp_filter", 1)


# ------------------------------------------------------------------ SIDs

@fault("sid-shadowed", "an address is the SID", holds=("fc00:1::6", "r0", "End.DT6"))
def _(net, a, r, b):
    r.addr("fc00:1::6/128", "r0")


@fault("sid-shadowed", "an address lies in the SID's prefix", severity="info", holds=("fcbb:bbbb:1:5::1",))
def _(net, a, r, b):
    r.addr("fcbb:bbbb:1:5::1/128", "lo")


@case("doctor", "sid-shadowed: a node's own address in its next-csid prefix raises nothing")
def _(net):
    _, r, _ = healthy(net)
    r.addr("fcbb:bbbb:1::1/128", "lo")
    equal(codes(doctor(r, rc=0)), [], "codes")
    r.addr("fcbb:bbbb:1:e002::1/128", "lo")
    contains(only(doctor(r, rc=0), "sid-shadowed")[0]["text"], "fcbb:bbbb:1:e002::1", "text")


@fault("sid-on-lo", "the SID is on lo", holds=("fc00:1::b", "lo"))
def _(net, a, r, b):
    r.ip("-6 route add fc00:1::b/128 encap seg6local action End dev lo")


@fault("route-on-lo", "the route is on lo", holds=("2001:db8:200::/64", "lo"))
def _(net, a, r, b):
    r.ip("-6 route add 2001:db8:200::/64 encap seg6 mode encap segs fc00:2::1 dev lo")


@fault("table-no-rule", "the SID's table", holds=("table 77",))
def _(net, a, r, b):
    r.ip("-6 route add fc00:1::b/128 encap seg6local action End dev r1 table 77")


@fault("table-no-rule", "the route's table, IPv4", holds=("table 77",))
def _(net, a, r, b):
    r.ip("-4 route add 10.9.0.0/16 encap seg6 mode encap segs fc00:2::1 dev r1 table 77")


@fault("prefix-length", "nflen of an adjacency without its function", severity="warning", holds=("64", "32 + 16"))
def _(net, a, r, b):
    need("End.X next-csid")
    r.srv6("sid replace fcbb:bbbb:1:e001::/64 End.X nh6 2001:db8:b::2 flavors next-csid lblen 32 nflen 16 dev r1")


@fault("prefix-length", "a full-length SID", severity="warning", holds=("128",))
def _(net, a, r, b):
    r.srv6("sid del fcbb:bbbb:1::/48")
    r.srv6("sid add fcbb:bbbb:1::/128 End flavors next-csid lblen 32 nflen 16 dev r1")


@fault("sid-overlap", "one SID in another", severity="warning", holds=("fc00:5::1", "fc00:5::/64"))
def _(net, a, r, b):
    r.srv6("sid add fc00:5::/64 End.DT6 table main dev r1")
    r.srv6("sid add fc00:5::1/128 End dev r1")


@fault("sid-overlap", "the same prefix twice", severity="warning", holds=("twice", "metric 2000"))
def _(net, a, r, b):
    r.srv6("sid add fc00:5::1/128 End dev r1")
    r.srv6("sid add fc00:5::1/128 End.DT6 table main metric 2000 dev r1")


def decapsulate(b, r, sid, payload=b"doctor"):
    """An SRH-less packet in a packet, to the SID, from the core."""
    inner = udp6("2001:db8:9::1", "2001:db8:9::2", payload)
    b.send("b0", frame(b.peer_b0, harness.ip6("2001:db8:9::1", sid, inner, nh=41)))


def errors(r, sid):
    for route in r.json("-s sid show"):
        if route["dst"].split("/")[0] == sid:
            return route["hops"][0]["encap"]["stats"]["errors"]
    raise harness.Failed(f"no {sid}")


@fault("sid-errors", "packets without an SRH", severity="info", holds=("errors", "no segments left"))
def _(net, a, r, b):
    for _ in range(3):
        decapsulate(b, r, "fc00:1::e")
    poll(lambda: errors(r, "fc00:1::e") == 3, "errors are counted")


@case("doctor", "sid-errors: while they rise it is a warning")
def _(net):
    _, r, b = healthy(net)
    decapsulate(b, r, "fc00:1::e")
    poll(lambda: errors(r, "fc00:1::e"), "errors are counted")
    result = []
    thread = threading.Thread(target=lambda: result.append(doctor(r)))
    thread.start()
    while thread.is_alive():
        decapsulate(b, r, "fc00:1::e")
        time.sleep(0.01)
    thread.join()
    found = only(result[0], "sid-errors")[0]
    equal(found["severity"], "warning", "severity")
    contains(found["text"], "and rising", "text")


@fault("table-empty", "End.T into an empty table", severity="warning", by="hand", holds=("table 12345",),
       fill={"<PREFIX>": "default", "<NEXTHOP>": "2001:db8:b::2"})
def _(net, a, r, b):
    r.ip("-6 route add fc00:1::c/128 encap seg6local action End.T table 12345 dev r1")


# ------------------------------------------------------------------ where packets go

@fault("segment-invalid", "'::' among the segments", holds=("segment 3 of 3",))
def _(net, a, r, b):
    equal(harness.add_route(r, "2001:db8:200::/64", "r1", 5, harness.seg6(1, ("fc00:2::1", "fc00:2::2", "::")))[0],
                  0, "error of the kernel")


def _nexthop_object(compat):
    @fault("segment-invalid", f"in a nexthop object, nexthop_compat_mode {compat}", holds=("2001:db8:200::/64", "segment 2 of 2"))
    def _(net, a, r, b):
        r.sysctl("ipv4/nexthop_compat_mode", compat)
        r.ip("nexthop add id 5 encap seg6 mode encap segs fc00:2::1,:: via 2001:db8:b::2 dev r1")
        r.ip("-6 route add 2001:db8:200::/64 nhid 5")


for _compat in (1, 0):
    _nexthop_object(_compat)


@case("doctor", "segment-link-local: found, gone with another segment")
def _(net):
    _, r, _ = healthy(net)
    r.ip("-6 route add 2001:db8:200::/64 encap seg6 mode encap segs fe80::2 dev r1")
    only(doctor(r, rc=1), "segment-link-local")
    r.ip("-6 route replace 2001:db8:200::/64 encap seg6 mode encap segs fc00:2::2 dev r1")
    equal(codes(doctor(r, rc=0)), [], "codes")


@fault("segment-no-route", "no route to the first segment", holds=("fc00:dead::1", "first segment"))
def _(net, a, r, b):
    r.ip("-6 route add 2001:db8:200::/64 encap seg6 mode encap segs fc00:dead::1 " + CORE)


@fault("segment-no-route", "no route to a next hop", by="hand", holds=("2001:db8:dead::1", "next hop"),
       fill={"<NEXTHOP>": "2001:db8:b::2"})
def _(net, a, r, b):
    r.ip("-6 route add fc00:1::b/128 encap seg6local action End.X nh6 2001:db8:dead::1 dev r1")


@fault("segment-no-route", "the first segment is unreachable by a route that says so", by="hand", holds=("fc00:dead::1",),
       fill={"<NEXTHOP>": "2001:db8:b::2"})
def _(net, a, r, b):
    r.ip("-6 route add unreachable fc00:dead::/32")
    r.ip("-6 route add 2001:db8:200::/64 encap seg6 mode encap segs fc00:dead::1 dev r1")


@fault("segment-loop", "the default route is the encapsulation", holds=("fc00:dead::1",))
def _(net, a, r, b):
    r.ip("-6 route add default encap seg6 mode encap segs fc00:dead::1 " + CORE)


@fault("segment-loop", "two encapsulations lead to each other", holds=("through others",))
def _(net, a, r, b):
    r.ip("-6 route add fc00:8::/64 encap seg6 mode encap segs fc00:9::1 " + CORE)
    r.ip("-6 route add fc00:9::/64 encap seg6 mode encap segs fc00:8::1 " + CORE)


@fault("neighbour-failed", "the next hop does not answer", severity="warning", holds=("2001:db8:b::99", "r1"))
def _(net, a, r, b):
    r.ip("-6 route add fc00:3::/64 via 2001:db8:b::99 dev r1")
    r.ip("-6 route add 2001:db8:200::/64 encap seg6 mode encap segs fc00:3::1 dev r1")
    r.ip("-6 neigh add 2001:db8:b::99 dev r1 nud failed")


@case("doctor", "hop-dead: found while the link is down, gone when it is back")
def _(net):
    _, r, b = healthy(net)
    r.ip("-4 route add 10.9.0.0/16 nexthop encap seg6 mode encap segs fc00:2::1 via 198.51.100.2 dev r1 "
         "nexthop encap seg6 mode encap segs fc00:2::1 via 192.0.2.9 dev r0")
    equal(codes(doctor(r, rc=0)), [], "codes")
    r.ip("link set r0 down")
    only(doctor(r), "hop-dead")
    r.ip("link set r0 up")
    poll(lambda: "hop-dead" not in codes(doctor(r)), "it is gone")


@fault("nexthop-link-local", "End.X without oif", holds=("fe80::b",))
def _(net, a, r, b):
    r.ip("-6 route add fc00:1::b/128 encap seg6local action End.X nh6 fe80::b dev r1")
    if not tuple(int(n) for n in os.uname().release.split("-")[0].split(".")[:2]) >= (6, 17):
        only(doctor(r, rc=1), "nexthop-link-local")
        skip("End.X has no oif before 6.17: there is nothing that mends it")


@fault("dx4-on-link", "the next hop is on the link", severity="warning", holds=("198.51.100.2", "r1"))
def _(net, a, r, b):
    r.ip("-6 route add fc00:1::44/128 encap seg6local action End.DX4 nh4 198.51.100.2 dev r1")


@case("doctor", "dx4-on-link: as doctor says packets get lost, and with its remedy they arrive")
def _(net):
    _, r, b = healthy(net)
    r.ip("-6 route add fc00:1::44/128 encap seg6local action End.DX4 nh4 198.51.100.2 dev r1")
    inner = harness.udp4("192.0.2.9", "203.0.113.77", b"by dx4")

    def arrives():
        wire = b.sniff("b0")
        b.send("b0", frame(b.peer_b0, harness.ip6("2001:db8:9::1", "fc00:1::44", inner, nh=4)))
        return any(b"by dx4" in data and data[12:14] == b"\x08\x00" for data in wire.frames(0.3 * SLOW))

    check(not arrives(), "this kernel asks for the next hop: dx4-on-link is out of date")
    by_hand(r, only(doctor(r, "fc00:1::44", 0), "dx4-on-link")[0], {})
    equal(codes(doctor(r, "fc00:1::44", 0)), [], "codes")
    check(arrives(), "the packet does not arrive")


@case("doctor", "nexthop-link-local: End.DX6 can't be mended, and it is said")
def _(net):
    _, r, _ = healthy(net)
    r.ip("-6 route add fc00:1::b/128 encap seg6local action End.DX6 nh6 fe80::b dev r1")
    equal(only(doctor(r, rc=1), "nexthop-link-local")[0]["remedy"], [], "remedy")
    r.ip("-6 route replace fc00:1::b/128 encap seg6local action End.DX6 nh6 2001:db8:b::2 dev r1")
    equal(codes(doctor(r, rc=0)), [], "codes")


# ------------------------------------------------------------------ devices and MTU

@case("doctor", "oif-unfit: gone and no Ethernet device; gone when installed anew")
def _(net):
    _, r, b = healthy(net)
    net.link(r, "d0", b, "d1")
    r.sysctl("ipv4/conf/d0/rp_filter", 0)
    r.ip("-6 route add fc00:1::2/128 encap seg6local action End.DX2 oif d0 dev r1")
    equal(codes(doctor(r, rc=0)), [], "codes")
    r.ip("link del d0")
    net.link(r, "d0", b, "d1")
    r.sysctl("ipv4/conf/d0/rp_filter", 0)
    contains(only(doctor(r, rc=1), "oif-unfit")[0]["text"], "does not exist", "text")
    r.ip("-6 route replace fc00:1::2/128 encap seg6local action End.DX2 oif lo dev r1")
    contains(only(doctor(r, rc=1), "oif-unfit")[0]["text"], "no Ethernet", "text")
    r.ip("-6 route replace fc00:1::2/128 encap seg6local action End.DX2 oif d0 dev r1")
    equal(codes(doctor(r, rc=0)), [], "codes")


@fault("device-down", "oif is down", holds=("d0", "fc00:1::2"))
def _(net, a, r, b):
    net.link(r, "d0", b, "d1")
    r.sysctl("ipv4/conf/d0/rp_filter", 0)
    r.ip("link set d0 down")
    r.ip("-6 route add fc00:1::2/128 encap seg6local action End.DX2 oif d0 dev r1")


@case("doctor", "no-carrier: found while the other end is down, gone when it is up")
def _(net):
    _, r, b = healthy(net)
    b.ip("link set b0 down")
    only(doctor(r), "no-carrier")
    b.ip("link set b0 up")
    poll(lambda: codes(doctor(r)) == [], "it is gone")


@fault("ipv6-disabled", "an IPv4 route's device", holds=("r2",))
def _(net, a, r, b):
    net.link(r, "r2", b, "b2")
    r.ip("link set r2 mtu 9000")
    r.sysctl("ipv4/conf/r2/rp_filter", 0)
    r.sysctl("ipv6/conf/r2/disable_ipv6", 1)
    r.ip("-4 route add 10.9.0.0/16 encap seg6 mode encap segs fc00:2::1 dev r2")


@fault("mtu-small", "an IPv4 route's device", holds=("r2", "1200"))
def _(net, a, r, b):
    net.link(r, "r2", b, "b2")
    r.ip("link set r2 mtu 1200")
    r.sysctl("ipv4/conf/r2/rp_filter", 0)
    r.ip("-4 route add 10.9.0.0/16 encap seg6 mode encap segs fc00:2::1 dev r2")


@fault("mtu-overhead", "two segments into 1500 bytes", severity="warning", holds=("80 bytes", "1500", "1420"))
def _(net, a, r, b):
    r.ip("link set r1 mtu 1500")


@case("doctor", "mtu-overhead: the numbers of each encapsulation")
def _(net):
    _, r, _ = healthy(net)
    r.ip("link set r1 mtu 1500")
    r.srv6("route del 2001:db8:100::/64")
    r.srv6("route del 203.0.113.0/24")
    for mode, more, bytes_added in (("encap", "", 40 + 8 + 32), ("encap.red", "", 40 + 8 + 16), ("inline", "", 8 + 48),
                                    ("l2encap", "", 14 + 40 + 8 + 32), ("l2encap.red", "", 14 + 40 + 8 + 16),
                                    ("encap", "hmac 7", 40 + 8 + 32 + 40)):
        r.srv6(f"route replace 2001:db8:200::/64 encap seg6 mode {mode} segs fc00:2::1,fc00:2::2 {more} dev r1")
        found = only(doctor(r), "mtu-overhead")[0]
        contains(found["text"], f"at most {bytes_added} bytes", "text")
        contains(found["text"], f"leaves {1500 - bytes_added}", "text")
        equal(found["remedy"], [f"ip link set dev r1 mtu {1500 + bytes_added}"], "remedy")
    r.srv6("route replace 2001:db8:200::/64 mtu 1500 encap seg6 mode encap segs fc00:2::1,fc00:2::2 dev r1")
    equal(codes(doctor(r, rc=0)), [], "codes with an MTU of the route's own")


@fault("mtu-route", "the route's device takes more than the way out", severity="warning", holds=("9000", "1500", "1420"))
def _(net, a, r, b):
    net.link(r, "d0", b, "d1")
    r.ip("link set d0 mtu 9000")
    r.sysctl("ipv4/conf/d0/rp_filter", 0)
    r.ip("link set r1 mtu 1500\nlink set r0 mtu 1280\n")
    r.ip("-6 route add 2001:db8:200::/64 encap seg6 mode encap segs fc00:2::1,fc00:2::2 dev d0")


# ------------------------------------------------------------------ HMAC

@fault("hmac-key-missing", "the route's key", by="hand", holds=("key 42",))
def _(net, a, r, b):
    need_init_user()
    secret = tempfile.NamedTemporaryFile("w", delete=False)
    with secret as file:
        file.write("secret")
    os.chmod(secret.name, 0o600)
    r.srv6("route add 2001:db8:200::/64 encap seg6 mode encap segs fc00:2::1 hmac 42 dev r1")
    return {"fill": {"<FILE>": secret.name}, "cleanup": lambda: os.unlink(secret.name)}


@case("doctor", "hmac-key-missing: what can't be seen from here is said")
def _(net):
    need_init_user()
    _, r, _ = healthy(net)
    r.run(["ip", "sr", "hmac", "set", "42", "sha256"], stdin="secret\nsecret\n")
    r.srv6("route add 2001:db8:200::/64 encap seg6 mode encap segs fc00:2::1 hmac 42 dev r1")
    report = doctor(r, rc=0)
    equal(codes(report), [], "codes")
    check(any("key 42" in note and "algorithm" in note for note in report["not_checked"]), str(report["not_checked"]))


@fault("hmac-segments", "15 segments", holds=("15 segments",))
def _(net, a, r, b):
    need_init_user()
    r.run(["ip", "sr", "hmac", "set", "42", "sha256"], stdin="secret\nsecret\n")
    segs = ",".join(f"fc00:2::{n:x}" for n in range(1, 16))
    r.srv6(f"route add 2001:db8:200::/64 encap seg6 mode encap segs {segs} hmac 42 dev r1")


@fault("hmac-required", "required, and no key", holds=("r1",))
def _(net, a, r, b):
    need_init_user()
    r.sysctl("ipv6/conf/r1/seg6_require_hmac", 1)


@fault("hmac-required-all", "set where it has no effect", severity="warning", holds=("conf/all",))
def _(net, a, r, b):
    r.sysctl("ipv6/conf/all/seg6_require_hmac", 1)


@fault("hmac-ignored", "keys, and no check", severity="info", holds=("r1",))
def _(net, a, r, b):
    need_init_user()
    r.run(["ip", "sr", "hmac", "set", "42", "sha256"], stdin="secret\nsecret\n")
    r.sysctl("ipv6/conf/r1/seg6_require_hmac", -1)


# ------------------------------------------------------------------ the kernel

@contextlib.contextmanager
def cmdline(words):
    """The kernel's command line, as processes of this mount namespace see it."""
    with tempfile.NamedTemporaryFile("w") as file:
        file.write("quiet " + words + "\n")
        file.flush()
        subprocess.run(["mount", "--bind", file.name, "/proc/cmdline"], check=True)
        try:
            yield
        finally:
            subprocess.run(["umount", "/proc/cmdline"], check=True)


@case("doctor", "init-on-alloc: found with H.Encaps.L2 alone, gone with the word on the command line")
def _(net):
    _, r, _ = healthy(net)
    with cmdline("init_on_alloc=1"):
        equal(codes(doctor(r, rc=0)), [], "codes without H.Encaps.L2")
        r.srv6("route add 2001:db8:200::/64 encap seg6 mode l2encap segs fc00:2::1 dev r1")
        if tuple(int(n) for n in os.uname().release.split("-")[0].split(".")[:2]) >= (7, 4):
            equal(codes(doctor(r, rc=0)), [], "codes")
            skip("this kernel reallocates only when it has to")
        found = only(doctor(r, rc=0), "init-on-alloc")[0]
        contains(found["remedy"][0], "init_on_alloc=0", "remedy")
    with cmdline("init_on_alloc=0"):
        equal(codes(doctor(r, rc=0)), [], "codes with the remedy")


@case("doctor", "kernel-lacks: a saved state that needs more than this kernel has")
def _(net):
    _, r, _ = healthy(net)
    if can("tunsrc"):
        skip("this kernel has tunsrc for routes")
    saved = r.srv6("-j save").out
    with tempfile.TemporaryDirectory() as directory:
        path = os.path.join(directory, "state.json")
        with open(path, "w", encoding="utf-8") as file:
            file.write(saved)
        equal(codes(doctor(r, f"--needs {path}", 0)), [], "codes of what is here")
        with open(path, "w", encoding="utf-8") as file:
            file.write(saved.replace('"segs":', '"tunsrc":"2001:db8::1","segs":', 1))
        found = only(doctor(r, f"--needs {path}", 1), "kernel-lacks")[0]
        contains(found["text"], "tunsrc", "text")
        contains(found["text"], "7.1", "text")


@case("doctor", "unknown-encap: an action that only a mobile kernel has")
def _(net):
    _, r, _ = healthy(net)
    code, _ = harness.add_route(r, "fc00:1::d/128", "r1", 7, harness.seg6local(22, harness.nla(5, bytes(16))))
    if code:
        skip("this kernel has no action that srv6 does not know")
    equal(codes(doctor(r, "fc00:1::d", 0)), ["unknown-encap"], "codes")
    r.ip("-6 route del fc00:1::d/128 dev r1")
    equal(codes(doctor(r, rc=0)), [], "codes")


# ------------------------------------------------------------------ last, as the machine is another one afterwards

def own_machine():
    """nf_hooks_lwtunnel holds for the whole machine, and can't be set back."""
    if not os.environ.get("SRV6_TEST_VM"):
        skip("would change the machine until its next boot; run in a virtual machine")


def nfnetlink_table(space, add):
    """Adds or deletes an nf_tables table, by netlink: a batch of one."""
    def message(kind, flags, seq, body):
        return struct.pack("=IHHII", 16 + len(body), kind, flags, seq, 0) + body

    batch = struct.pack("!BBH", 0, 0, 10)  # res_id: NFNL_SUBSYS_NFTABLES
    table = struct.pack("!BBH", 1, 0, 0) + harness.nla(1, b"srv6test\0")
    request = message(16, 1, 0, batch) + message(10 << 8 | (0 if add else 2), 1 | 4 | (0x400 if add else 0), 1, table)
    request += message(17, 1, 2, batch)
    with space.inside(), socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 12) as sock:
        sock.bind((0, 0))
        sock.settimeout(3 * SLOW)
        sock.send(request)
        try:
            code = -struct.unpack_from("=i", sock.recv(65536), 16)[0]
        except (TimeoutError, socket.timeout):
            code = -1
    if code:
        skip(f"this kernel has no nf_tables ({code})")


@case("doctor", "nf-hooks-off: found with rules, gone without them")
def _(net):
    _, r, _ = healthy(net)
    if r.sysctl("netfilter/nf_hooks_lwtunnel") != "0":
        skip("this kernel has no nf_hooks_lwtunnel, or it is on")
    nfnetlink_table(r, True)
    equal(only(doctor(r, rc=0), "nf-hooks-off")[0]["remedy"], ["sysctl -w net.netfilter.nf_hooks_lwtunnel=1"], "remedy")
    nfnetlink_table(r, False)
    equal(codes(doctor(r, rc=0)), [], "codes")


@fault("nf-hooks-off", "netfilter rules and no hooks", severity="info", by="fix", holds=("netfilter",))
def _(net, a, r, b):
    own_machine()
    if r.sysctl("netfilter/nf_hooks_lwtunnel") != "0":
        skip("this kernel has no nf_hooks_lwtunnel, or it is on already")
    nfnetlink_table(r, True)


@case("doctor", "nf-hooks-on: found when the hooks are on and nobody uses them")
def _(net):
    _, r, _ = healthy(net)
    own_machine()
    if r.sysctl("netfilter/nf_hooks_lwtunnel") is None:
        skip("this kernel has no nf_hooks_lwtunnel")
    r.sysctl("netfilter/nf_hooks_lwtunnel", 1)
    equal(codes(doctor(r, rc=0)), ["nf-hooks-on"], "codes")
    nfnetlink_table(r, True)
    equal(codes(doctor(r, rc=0)), [], "codes with rules")

# SPDX-License-Identifier: LGPL-2.1-or-later
"""The tool on a kernel: what show prints add reads; flush; programs from object files."""
import contextlib
import os
import resource
import shlex
import struct
import tempfile

from harness import case, equal


def bpf_object(section):
    """An ELF object with one section: r0 = 0 (BPF_OK), exit."""
    code = struct.pack("<BBhi", 0xb7, 0, 0, 0) + struct.pack("<BBhi", 0x95, 0, 0, 0)
    names = b"\0" + section.encode() + b"\0.names\0"
    at = 64 + len(code)
    heads = at + len(names) + -(at + len(names)) % 8

    def head(name, kind, flags, offset, size):
        return struct.pack("<IIQQQQIIQQ", name, kind, flags, 0, offset, size, 0, 0, 8, 0)

    elf = b"\x7fELF\x02\x01\x01" + bytes(9) + struct.pack("<HHIQQQIHHHHHH", 1, 247, 1, 0, 0, heads, 0, 64, 0, 0, 64, 3, 2)
    body = (elf + code + names).ljust(heads, b"\0")
    return body + head(0, 0, 0, 0, 0) + head(1, 1, 6, 64, len(code)) + head(len(section) + 2, 3, 0, at, len(names))


@contextlib.contextmanager
def object_file():
    """The path of a pass.o, with a program in its section seg6local, in a folder of its own."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "pass.o")
        with open(path, "wb") as file:
            file.write(bpf_object("seg6local"))
        yield path


def host(net):
    h, b = net.ns("h"), net.ns("b")
    net.link(h, "v0", b, "v1")
    h.addr("2001:db8:1::1/64", "v0")
    return h


ROUTES = [
    "2001:db8:100::/64 segs fc00::1,fc00::2 dev v0 mtu lock 1400 proto static",
    "2001:db8:101::/64 mode inline segs fc00::1 dev v0 table 100 metric 7",
    "2001:db8:102::/64 nexthop segs fc00::1 via 2001:db8:1::3 weight 2 nexthop segs fc00::2 via 2001:db8:1::4",
    "198.51.100.0/24 segs fc00::1 hmac 5 dev v0",
    "198.51.101.0/24 mode encap.red segs fc00::1,fc00::3 via inet6 2001:db8:1::9",
    "fc00:1::1 End.X nh6 2001:db8:1::2 count dev v0",
    "fc00:1:2::/48 uN dev v0",
    "fc00:1::3 End.B6 srh segs fc00::1,fc00::2 dev v0",
]


def lines(h, command="route show"):
    return sorted(h.srv6(command).out.splitlines())


def add_all(h, routes):
    for route in routes:
        h.srv6("route add " + route)


@case("tool", "what show prints, add reads, and del names")
def _(net):
    h = host(net)
    add_all(h, ROUTES)
    before = lines(h)
    equal(len(before), len(ROUTES), "routes shown")
    for line in before:
        h.srv6("route del " + line)
    equal(lines(h), [], "routes after each was deleted by its line")
    add_all(h, before)
    equal(lines(h), before, "routes after their lines were added")


@case("tool", "flush deletes what its conditions name, and nothing else")
def _(net):
    h = host(net)
    add_all(h, ROUTES)
    h.ip("-6 route add 2001:db8:1ff::/64 via 2001:db8:1::7")
    h.refused("route flush", 2, "a condition is missing")
    h.srv6("route flush 2001:db8:100::/46 table main")
    equal(len(lines(h)), len(ROUTES) - 2, "without those of the prefix in main")
    h.srv6("sid flush all")
    equal(len(lines(h)), len(ROUTES) - 5, "without SIDs")
    h.srv6("route flush all")
    equal(lines(h), [], "all")
    equal("2001:db8:1ff::/64" in h.ip("-6 route show").out, True, "a route without encapsulation is left alone")


@case("tool", "End.BPF from an object file; shown by id, and added again by what is shown")
def _(net):
    h = host(net)
    with object_file() as path:
        h.refused(f"sid add fc00::b End.BPF endpoint object {path} section other dev v0", 2, "no section 'other'")
        h.srv6(f"sid add fc00::b End.BPF endpoint object {path} dev v0")
        h.refused(f"sid add fc00::c End.BPF endpoint object {__file__} dev v0", 2, "no BPF object file")
    encap = h.json("sid show")[0]["hops"][0]["encap"]
    equal((encap["behavior"], encap["endpoint"]["name"]), ("End.BPF", "pass.o:seg6local"), "as shown")
    shown = lines(h, "sid show")
    h.srv6("sid add fc00::c " + shlex.join(shlex.split(shown[0])[1:]))
    equal(lines(h, "sid show")[1], shown[0].replace("fc00::b", "fc00::c"), "the second")


@case("tool", "End.BPF in an atomic batch: a SID that is replaced or deleted comes back with its program when a later line is refused")
def _(net):
    h = host(net)
    with object_file() as path:
        for sid in ("fc00::b", "fc00::c"):
            h.srv6(f"sid add {sid} End.BPF endpoint object {path} dev v0")
        before = h.ip("-6 route show").out
        words = f"sid del fc00::b\nsid replace fc00::c End dev v0\nsid add fc00::d End.BPF endpoint object {path} dev v0\n"
        h.srv6("batch --atomic -", 1, stdin=words + "sid del fc00::e\n")
        equal(h.ip("-6 route show").out, before, "routes after the failure")
        h.srv6("batch --atomic -", stdin=words)
    equal([(route["dst"], route["hops"][0]["encap"]["behavior"]) for route in h.json("sid show")],
          [("fc00::c", "End"), ("fc00::d", "End.BPF")], "SIDs")


@case("tool", "End.BPF in a batch: a program is opened once, however many lines name it")
def _(net):
    h = host(net)
    with object_file() as path:
        batch = os.path.join(os.path.dirname(path), "batch")
        with open(batch, "w", encoding="ascii") as f:
            f.writelines(f"sid add fc00::{i:x} End.BPF endpoint object-file {path} dev v0\n" for i in range(1, 200))
            f.write("sid add fc00::b:1 End dev v0\n")
        limit = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (64, limit[1]))
        try:
            h.srv6(f"batch {batch}")
        finally:
            resource.setrlimit(resource.RLIMIT_NOFILE, limit)
    programs = {route["hops"][0]["encap"]["endpoint"]["id"] for route in h.json("sid show End.BPF")}
    equal((len(h.json("sid show End.BPF")), len(programs)), (199, 1), "SIDs, programs")

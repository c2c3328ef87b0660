# SPDX-License-Identifier: LGPL-2.1-or-later
"""
Endpoint behaviors: a packet with an SRH goes to a SID on e and is looked at where it comes out.

    a ------- e ------- b        e1: 2001:db8:1::1, 192.0.2.1; b (2001:db8:1::2, 192.0.2.2) is the way to fc00::/7
     a0   e0  | e1   b0
              +-------- c        e2: 2001:db8:2::1; c (2001:db8:2::2) is what only the behavior can choose
                e2   c0
"""
import ctypes
import errno
import os
import struct
import tempfile

from harness import (add_route, can, case, check, contains, equal, frame, in6, Ip6, ip6, need, need_init_user, nla, poll,
                     seg6local, skip, srh, u32, udp, udp4, udp6)

SID, NEXT = "fc00:1::e", "fc00:2::1"
USER = "2001:db8:9::1"


def endpoint(net):
    a, e, b, c = (net.ns(name) for name in "aebc")
    net.link(a, "a0", e, "e0")
    net.link(e, "e1", b, "b0")
    net.link(e, "e2", c, "c0")
    e.forward()
    for address, dev in (("2001:db8:1::1/64", "e1"), ("192.0.2.1/24", "e1"), ("2001:db8:2::1/64", "e2"),
                         ("198.51.100.1/24", "e2")):
        e.addr(address, dev)
    e.neigh("e1", "2001:db8:1::2", "192.0.2.2")
    e.neigh("e2", "2001:db8:2::2", "198.51.100.2", "fe80::c")
    e.via("fc00::/7", "2001:db8:1::2", "e1")
    e.via("2001:db8:a::/64", "2001:db8:1::2", "e1")
    e.via("203.0.113.0/24", "192.0.2.2", "e1")
    return a, e, b, c


def through(left=1, segs=(SID, NEXT), marker=b"end", dst=None):
    """UDP behind an SRH; what is left of segs says which one is the destination."""
    payload = udp(in6(USER), in6(segs[-1]), marker)
    return ip6(USER, dst or segs[len(segs) - 1 - left], srh(list(segs), left, 17) + payload, nh=43)


def wrapped(inner, kind, segs=(SID,)):
    """A packet inside another one whose last segment is the SID."""
    return ip6(USER, segs[-1], srh(list(segs), 0, kind) + inner, nh=43)


def counters(e, sid=SID):
    for route in e.json("-s sid show"):
        if route["dst"].split("/")[0] == sid:
            count = route["hops"][0]["encap"]["stats"]
            return count["packets"], count["bytes"], count["errors"]
    raise AssertionError(f"no counters of {sid}")


def counted(e, *packets, sid=SID):
    """The SID counted these, and no error."""
    equal(counters(e, sid), (len(packets), sum(map(len, packets)), 0), "packets, bytes, errors")


def cross(a, to, dev, packet, marker):
    wire = to.sniff(dev)
    a.send("a0", frame(a.peer_a0, packet))
    return wire.frame(marker)


def expect(seen, want, what):
    have = seen[14:14 + len(want)]
    check(have == want, f"{what}:\n{have.hex()}\nwant\n{want.hex()}")


def moved(packet, hops=1, **fields):
    """The packet with the destination and the segments left that it should now have, and that many hops fewer."""
    dst = fields.get("dst")
    packet = packet[:7] + bytes([packet[7] - hops]) + packet[8:24] + (in6(dst) if dst else packet[24:40]) + packet[40:]
    if "left" in fields:
        packet = packet[:43] + bytes([fields["left"]]) + packet[44:]
    return packet


def dropped(a, e, b, packet, marker, sid=SID):
    """The packet goes nowhere and is counted as an error."""
    wire = b.sniff("b0")
    a.send("a0", frame(a.peer_a0, packet))
    poll(lambda: counters(e, sid)[2] == 1, f"the error counter of {sid}")
    wire.nothing(marker)
    equal(counters(e, sid), (0, 0, 1), f"counters of {sid}")


# ------------------------------------------------- End, End.X, End.T: the next segment

@case("End", "takes the next segment, forwards, counts")
def _(net):
    a, e, b, _ = endpoint(net)
    e.srv6(f"sid add {SID} End dev e1 count")
    packet = through()
    expect(cross(a, b, "b0", packet, b"end"), moved(packet, dst=NEXT, left=0), "End")
    counted(e, packet)


@case("End", "replaced, by its like too, it starts anew; restore and apply leave it alone where it is so")
def _(net):
    a, e, b, _ = endpoint(net)
    e.srv6(f"sid add {SID} End dev e1 count")
    packet = through()
    cross(a, b, "b0", packet, b"end")
    with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
        file.write(e.srv6("-j save").out)
        file.flush()
        for command in ("restore", "apply"):
            e.srv6(f"{command} {file.name}")
            counted(e, packet)
    e.srv6(f"sid replace {SID} End dev e1 count")
    counted(e)


@case("End", "segments left 0: dropped, an error counted")
def _(net):
    a, e, b, _ = endpoint(net)
    e.srv6(f"sid add {SID} End dev e1 count")
    dropped(a, e, b, through(left=0, segs=(NEXT, SID)), b"end")


@case("End", "no SRH: dropped, an error counted")
def _(net):
    a, e, b, _ = endpoint(net)
    e.srv6(f"sid add {SID} End dev e1 count")
    dropped(a, e, b, udp6(USER, SID, b"end-bare"), b"end-bare")


@case("End", "flavor psp removes the SRH at the last but one segment, and only there")
def _(net):
    need("psp")
    a, e, b, _ = endpoint(net)
    e.srv6(f"sid add {SID} End flavors psp dev e1 count")
    packet = through()
    bare = ip6(USER, NEXT, packet[40 + 40:], hops=63)
    expect(cross(a, b, "b0", packet, b"end"), bare, "End with psp, one segment left")
    packet = through(left=2, segs=(SID, NEXT, "fc00:3::1"), marker=b"far")
    expect(cross(a, b, "b0", packet, b"far"), moved(packet, dst=NEXT, left=1), "End with psp, two segments left")


@case("End.X", "forwards to its next hop, whatever the routes say")
def _(net):
    a, e, _, c = endpoint(net)
    e.srv6(f"sid add {SID} End.X nh6 2001:db8:2::2 dev e1 count")
    packet = through()
    expect(cross(a, c, "c0", packet, b"end"), moved(packet, dst=NEXT, left=0), "End.X")
    counted(e, packet)


@case("End.X", "segments left 0: dropped, an error counted")
def _(net):
    a, e, b, _ = endpoint(net)
    e.srv6(f"sid add {SID} End.X nh6 2001:db8:2::2 dev e1 count")
    dropped(a, e, b, through(left=0, segs=(NEXT, SID)), b"end")


def has_end_x_oif(e):
    """No probe tells: install one and see whether the kernel has kept attribute 7."""
    code, text = add_route(e, "fc00:ff::1/128", "e1", 7, seg6local(2, nla(5, in6("fe80::c")) + nla(7, u32(e.index("e2")))))
    equal(code, 0, "End.X with oif: " + text)
    kept = "oif e2" in e.ip("-6 route show fc00:ff::1").out
    e.ip("-6 route del fc00:ff::1")
    return kept


@case("End.X", "oif makes a link-local next hop usable")
def _(net):
    a, e, _, c = endpoint(net)
    if not has_end_x_oif(e):
        skip("this kernel has no oif for End.X")
    e.srv6(f"sid add {SID} End.X nh6 fe80::c oif e2 dev e1 count")
    packet = through()
    expect(cross(a, c, "c0", packet, b"end"), moved(packet, dst=NEXT, left=0), "End.X with oif")


@case("End.X", "oif: a kernel without it refuses, in words, and nothing stays behind")
def _(net):
    _, e, _, _ = endpoint(net)
    if has_end_x_oif(e):
        skip("this kernel has it")
    e.refused(f"sid add {SID} End.X nh6 fe80::c oif e2 dev e1", 1, "oif")


@case("End.T", "looks the next segment up in its table")
def _(net):
    a, e, _, c = endpoint(net)
    e.via("fc00:2::/32", "2001:db8:2::2", "e2", 77)
    e.srv6(f"sid add {SID} End.T table 77 dev e1 count")
    packet = through()
    expect(cross(a, c, "c0", packet, b"end"), moved(packet, dst=NEXT, left=0), "End.T")
    counted(e, packet)


# --------------------------------------------------------------- decapsulation

@case("End.DX2", "the frame inside leaves on oif, byte for byte")
def _(net):
    a, e, _, c = endpoint(net)
    e.srv6(f"sid add {SID} End.DX2 oif e2 dev e1 count")
    inside = frame("02:00:00:00:00:aa", udp6("2001:db8:a::1", "2001:db8:b::1", b"dx2"))
    packet = wrapped(inside, 143)
    equal(cross(a, c, "c0", packet, b"dx2"), inside, "frame")
    counted(e, packet)


@case("End.DX6", "the packet inside goes to the next hop")
def _(net):
    a, e, _, c = endpoint(net)
    e.srv6(f"sid add {SID} End.DX6 nh6 2001:db8:2::2 dev e1 count")
    inside = udp6("2001:db8:b::1", "2001:db8:a::1", b"dx6")
    packet = wrapped(inside, 41)
    expect(cross(a, c, "c0", packet, b"dx6"), moved(inside), "End.DX6")
    counted(e, packet)


@case("End.DX6", "nh6 :: means the destination of the packet inside")
def _(net):
    a, e, b, _ = endpoint(net)
    e.srv6(f"sid add {SID} End.DX6 nh6 :: dev e1 count")
    inside = udp6("2001:db8:b::1", "2001:db8:a::1", b"dx6")
    expect(cross(a, b, "b0", wrapped(inside, 41), b"dx6"), moved(inside), "End.DX6")


@case("End.DX4", "the packet inside goes to the next hop")
def _(net):
    # the kernel takes the device from the route to nh4, but resolves the inner destination there, not nh4
    a, e, _, c = endpoint(net)
    e.neigh("e2", "203.0.113.7")
    e.srv6(f"sid add {SID} End.DX4 nh4 198.51.100.2 dev e1 count")
    inside = udp4("10.0.0.1", "203.0.113.7", b"dx4")
    packet = wrapped(inside, 4)
    expect(cross(a, c, "c0", packet, b"dx4"), udp4("10.0.0.1", "203.0.113.7", b"dx4", ttl=63), "End.DX4")
    counted(e, packet)


@case("End.DT6", "the packet inside is looked up in its table")
def _(net):
    a, e, _, c = endpoint(net)
    e.via("2001:db8:a::/64", "2001:db8:2::2", "e2", 77)
    e.srv6(f"sid add {SID} End.DT6 table 77 dev e1 count")
    inside = udp6("2001:db8:b::1", "2001:db8:a::1", b"dt6")
    packet = wrapped(inside, 41)
    expect(cross(a, c, "c0", packet, b"dt6"), moved(inside), "End.DT6")
    counted(e, packet)


@case("End.DT6", "a wrong kind inside, or segments left: dropped, an error counted")
def _(net):
    a, e, b, _ = endpoint(net)
    e.srv6(f"sid add {SID} End.DT6 table main dev e1 count")
    dropped(a, e, b, wrapped(udp4("10.0.0.1", "203.0.113.7", b"wrong"), 4), b"wrong")
    e.srv6(f"sid replace {SID} End.DT6 table main dev e1 count")
    inside = udp6("2001:db8:b::1", "2001:db8:a::1", b"left")
    dropped(a, e, b, ip6(USER, SID, srh([SID, NEXT], 1, 41) + inside, nh=43), b"left")


def vrf(net):
    """e2 belongs to a VRF with table 100."""
    a, e, b, c = endpoint(net)
    e.vrf("vrf100", 100)
    e.ip("link set e2 master vrf100")
    e.addr("2001:db8:2::1/64", "e2")
    e.forward()
    e.neigh("e2", "2001:db8:2::2", "198.51.100.2")
    e.via("2001:db8:a::/64", "2001:db8:2::2", "e2", 100)
    e.via("203.0.113.0/24", "198.51.100.2", "e2", 100)
    return a, e, b, c


@case("End.DT4", "the packet inside is looked up in the VRF")
def _(net):
    a, e, _, c = vrf(net)
    e.srv6(f"sid add {SID} End.DT4 vrftable 100 dev vrf100 count")
    packet = wrapped(udp4("10.0.0.1", "203.0.113.7", b"dt4"), 4)
    expect(cross(a, c, "c0", packet, b"dt4"), udp4("10.0.0.1", "203.0.113.7", b"dt4", ttl=63), "End.DT4")
    counted(e, packet)


@case("End.DT6", "vrftable: the packet inside is looked up in the VRF")
def _(net):
    a, e, _, c = vrf(net)
    e.srv6(f"sid add {SID} End.DT6 vrftable 100 dev vrf100 count")
    inside = udp6("2001:db8:b::1", "2001:db8:a::1", b"dt6vrf")
    packet = wrapped(inside, 41)
    expect(cross(a, c, "c0", packet, b"dt6vrf"), moved(inside), "End.DT6 with vrftable")
    counted(e, packet)


@case("End.DT46", "IPv4 and IPv6 inside are looked up in the VRF")
def _(net):
    a, e, _, c = vrf(net)
    e.srv6(f"sid add {SID} End.DT46 vrftable 100 dev vrf100 count")
    inside = udp6("2001:db8:b::1", "2001:db8:a::1", b"dt46-six")
    one = wrapped(inside, 41)
    expect(cross(a, c, "c0", one, b"dt46-six"), moved(inside), "End.DT46 with IPv6")
    two = wrapped(udp4("10.0.0.1", "203.0.113.7", b"dt46-four"), 4)
    expect(cross(a, c, "c0", two, b"dt46-four"), udp4("10.0.0.1", "203.0.113.7", b"dt46-four", ttl=63), "with IPv4")
    counted(e, one, two)


# ------------------------------------------------------------- bound to a policy

@case("End.B6", "inserts its SRH in front of the packet's own")
def _(net):
    a, e, b, _ = endpoint(net)
    e.srv6(f"sid add {SID} End.B6 srh segs fc00:5::1,fc00:6::1 dev e1 count")
    packet = through()
    seen = Ip6(cross(a, b, "b0", packet, b"end")[14:])
    equal((seen.src, seen.dst, seen.hops), (USER, "fc00:5::1", 63), "source, destination, hop limit")
    equal((seen.srh.segs, seen.srh.left, seen.nh), (["fc00:5::1", "fc00:6::1", SID], 2, 43), "the SRH inserted")
    equal(seen.payload, packet[40:], "the packet's own SRH and what follows")
    equal(counters(e)[0::2], (1, 0), "packets, errors")


@case("End.B6.Encaps", "takes the next segment and encapsulates")
def _(net):
    a, e, b, _ = endpoint(net)
    e.srv6(f"sid add {SID} End.B6.Encaps srh segs fc00:5::1,fc00:6::1 dev e1 count")
    packet = through()
    seen = Ip6(cross(a, b, "b0", packet, b"end")[14:])
    equal((seen.src, seen.dst), ("2001:db8:1::1", "fc00:5::1"), "outer source and destination")
    equal((seen.srh.segs, seen.srh.left, seen.nh), (["fc00:5::1", "fc00:6::1"], 1, 41), "outer SRH")
    equal(seen.payload, moved(packet, hops=0, dst=NEXT, left=0), "the packet inside")
    equal(counters(e)[0::2], (1, 0), "packets, errors")


# --------------------------------------------------------------- compressed SIDs

@case("NEXT-C-SID", "uN shifts the next SID into place, without an SRH")
def _(net):
    need("next-csid")
    a, e, b, _ = endpoint(net)
    e.srv6("sid add fcbb:bbbb:1::/48 End flavors next-csid lblen 32 nflen 16 dev e1 count")
    packet = udp6(USER, "fcbb:bbbb:1:2:3::", b"usid")
    expect(cross(a, b, "b0", packet, b"usid"), moved(packet, dst="fcbb:bbbb:2:3::"), "uN")
    counted(e, packet, sid="fcbb:bbbb:1::")


@case("NEXT-C-SID", "uN with nothing left and no SRH: dropped, an error counted")
def _(net):
    need("next-csid")
    a, e, b, _ = endpoint(net)
    e.srv6("sid add fcbb:bbbb:1::/48 uN dev e1 count")
    dropped(a, e, b, udp6(USER, "fcbb:bbbb:1::", b"usid-end"), b"usid-end", "fcbb:bbbb:1::")


@case("B17", "uA: nflen covers node and function, and the neighbour is its next hop")
def _(net):
    need("End.X next-csid")
    a, e, _, c = endpoint(net)
    sid = "fcbb:bbbb:1:e001::"
    e.srv6(f"sid add {sid}/64 uA nh6 2001:db8:2::2 dev e1 count")
    packet = udp6(USER, "fcbb:bbbb:1:e001:2::", b"usid-a")
    expect(cross(a, c, "c0", packet, b"usid-a"), moved(packet, dst="fcbb:bbbb:2::"), "uA")
    counted(e, packet, sid=sid)
    encap = [route for route in e.json("sid show") if route["dst"] == sid + "/64"][0]["hops"][0]["encap"]
    equal((encap["action"], encap["lblen"], encap["nflen"]), ("End.X", 32, 32), "what the kernel holds")


@case("B17", "a prefix that does not fit lblen and nflen is warned about, and installed")
def _(net):
    need("End.X next-csid")
    _, e, _, _ = endpoint(net)
    words = "End.X nh6 2001:db8:2::2 flavors next-csid lblen 32 nflen 16 dev e1"
    contains(e.srv6(f"sid add fcbb:bbbb:1:e001::/64 {words}").err, "/64", "warning")
    equal(e.srv6("sid add fcbb:bbbb:2::/48 End flavors next-csid dev e1").err, "", "warning where it fits")


# --------------------------------------------------------------------- End.BPF

def bpf(command, attr):
    """bpf(2); returns a file descriptor."""
    libc = ctypes.CDLL(None, use_errno=True)
    data = ctypes.create_string_buffer(attr, 128)
    number = {"x86_64": 321, "aarch64": 280}.get(os.uname().machine) or skip("bpf(2) has another number here")
    result = libc.syscall(number, command, data, 128)
    if result < 0:
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code))
    return result


def load_program(name, verdict=0):
    """An LWT_SEG6LOCAL program that returns verdict: 0 BPF_OK, 2 BPF_DROP."""
    code = struct.pack("=BBhi", 0xb7, 0, 0, verdict) + struct.pack("=BBhi", 0x95, 0, 0, 0)
    text, licence = ctypes.create_string_buffer(code, len(code)), ctypes.create_string_buffer(b"GPL")
    attr = struct.pack("=IIQQIIQI4x16s", 19, len(code) // 8, ctypes.addressof(text), ctypes.addressof(licence), 0, 0, 0, 0,
                       name)
    try:
        return bpf(5, attr)
    except OSError as error:
        if error.errno in (errno.EPERM, errno.EINVAL, errno.ENOSYS):
            skip(f"no BPF program can be loaded: {error.strerror}")
        raise


def bpf_fs():
    """A BPF file system of our own to pin in."""
    os.makedirs("/run/netns/bpf", exist_ok=True)
    if os.system("mount -t bpf bpf /run/netns/bpf 2>/dev/null"):
        skip("no BPF file system")
    return "/run/netns/bpf"


def pin(fd, path):
    text = ctypes.create_string_buffer(path.encode())
    bpf(6, struct.pack("=QII", ctypes.addressof(text), fd, 0))


@case("End.BPF", "takes the next segment, and the program decides; by pin, shown with id and name")
def _(net):
    need_init_user()
    a, e, b, _ = endpoint(net)
    root = bpf_fs()
    try:
        pin(load_program(b"pass_all"), root + "/pass_all")
        pin(load_program(b"drop_all", 2), root + "/drop_all")
        e.srv6(f"sid add {SID} End.BPF endpoint pinned {root}/pass_all dev e1 count")
        packet = through()
        expect(cross(a, b, "b0", packet, b"end"), moved(packet, dst=NEXT, left=0), "End.BPF that passes")
        counted(e, packet)
        shown = e.json("sid show")[0]["hops"][0]["encap"]["endpoint"]
        check(shown["id"] > 0, f"program id shown: {shown}")
        contains(shown["name"], "pass_all", "program name shown")
        e.srv6(f"sid replace {SID} End.BPF endpoint pinned {root}/drop_all dev e1 count")
        dropped(a, e, b, through(marker=b"gone"), b"gone")
    finally:
        os.system(f"umount {root}")


@case("End.BPF", "a pin that is not there is refused before anything is sent")
def _(net):
    _, e, _, _ = endpoint(net)
    e.refused(f"sid add {SID} End.BPF endpoint pinned /nowhere/prog dev e1", 2, "/nowhere/prog")


# ------------------------------------------------------------- what is refused

@case("seg6local", "actions that no Linux kernel implements are refused by name")
def _(net):
    _, e, _, _ = endpoint(net)
    for action in ("End.BM", "End.S", "End.AS", "End.AM"):
        e.refused(f"sid add {SID} {action} dev e1", 2, action, "no Linux kernel implements")


@case("B18", "flavors that would be refused or ignored are refused first, with the reason")
def _(net):
    _, e, _, _ = endpoint(net)
    for words in ("End flavors usp", "End flavors usd", "End.X nh6 fc00::9 flavors psp", "End.T table 1 flavors psp",
                  "End.DT6 table 1 flavors next-csid", "End.DX6 nh6 fc00::9 flavors psp", "End flavors psp lblen 32",
                  "End lblen 32 nflen 16", "End flavors next-csid lblen 33", "End flavors next-csid lblen 0",
                  "End flavors next-csid lblen 120 nflen 16", "End flavors psp,psp", "End flavors nonsense"):
        e.refused(f"sid add {SID} {words} dev e1", 2)


@case("B18", "the kernel's defaults 32 and 16 are shown")
def _(net):
    need("next-csid")
    _, e, _, _ = endpoint(net)
    e.srv6("sid add fcbb:bbbb:1::/48 End flavors next-csid dev e1")
    encap = e.json("sid show")[0]["hops"][0]["encap"]
    equal((encap["flavors"], encap["lblen"], encap["nflen"]), (["next-csid"], 32, 16), "flavors, lblen, nflen")


@case("seg6local", "flavors of End.X on a kernel that ignores them are refused, and nothing stays behind")
def _(net):
    if can("End.X next-csid"):
        skip("this kernel has them")
    _, e, _, _ = endpoint(net)
    e.refused("sid add fcbb:bbbb:1:e001::/64 End.X nh6 2001:db8:2::2 flavors next-csid lblen 32 nflen 32 dev e1", 1,
              "flavors")

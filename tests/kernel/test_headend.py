# SPDX-License-Identifier: LGPL-2.1-or-later
"""
Headend behaviors: a packet goes in at h0 and is looked at byte by byte where it comes out, behind h1.

    a ------- h ------- b        h1: 2001:db8:1::1, 192.0.2.1; b is fe00::/7's way: 2001:db8:1::2
     a0   h0   h1   b0
"""
from harness import (can, case, check, equal, frame, hmac_tlv, in6, Ip6, ip6, need, need_init_user, skip, srh, udp4,
                     udp6)

SEGS = ["fc00:2::1", "fc00:3::1", "fc00:4::1"]
SRC = "2001:db8:1::1"  # what the kernel selects on h1
V6, V4 = "2001:db8:a::/64", "198.51.100.0/24"


def headend(net):
    a, h, b = net.ns("a"), net.ns("h"), net.ns("b")
    net.link(a, "a0", h, "h0", 9000)
    net.link(h, "h1", b, "b0", 9000)
    h.forward()
    h.addr(SRC + "/64", "h1")
    h.addr("192.0.2.1/24", "h1")
    h.addr("2001:db8:5::5/128", "lo")
    h.addr("2001:db8:6::6/128", "lo")
    h.neigh("h1", "2001:db8:1::2", "192.0.2.2")
    h.via("fc00::/16", "2001:db8:1::2", "h1")
    return a, h, b


def inner6(marker, dst="2001:db8:a::1"):
    return udp6("2001:db8:9::1", dst, marker, flow=0x12345, tclass=0x20)


def inner4(marker):
    return udp4("203.0.113.1", "198.51.100.1", marker, tos=0x20)


def cross(a, b, packet, marker):
    """Sends packet into the headend; returns the frame that leaves it."""
    wire = b.sniff("b0")
    a.send("a0", frame(a.peer_a0, packet))
    return wire.frame(marker)


def outer(src, segs, payload, kind, reduced=False, flow=0, tclass=0, hops=64, **more):
    """The bytes that must leave: outer header, SRH, payload of that kind."""
    listed = segs[1:] if reduced else segs
    if reduced and not listed and not more:
        return ip6(src, segs[0], payload, nh=kind, flow=flow, tclass=tclass, hops=hops)
    header = srh(listed, len(segs) - 1, kind, **more)
    return ip6(src, segs[0], header + payload, nh=43, flow=flow, tclass=tclass, hops=hops)


def expect(seen, want, what):
    """Compares an Ethernet frame's packet with bytes; says where they part."""
    have = seen[14:14 + len(want)]
    for at, (one, other) in enumerate(zip(have, want)):
        check(one == other, f"{what}: byte {at} is {one:#04x}, want {other:#04x}\n{have.hex()}\n{want.hex()}")
    equal(len(have), len(want), f"{what}: length")


def encap(mode, count):
    @case("headend", f"{mode} with {count} segment{'s' * (count > 1)}, IPv6 inside")
    def _(net):
        a, h, b = headend(net)
        segs, marker = SEGS[:count], b"headend-v6"
        h.srv6(f"route add {V6} encap seg6 mode {mode} segs {','.join(segs)} dev h1")
        packet = inner6(marker)
        seen = cross(a, b, packet, marker)
        want = outer(SRC, segs, packet, 41, mode.endswith(".red"), flow=0x12345, tclass=0x20, hops=63)
        expect(seen, want, mode)

    @case("headend", f"{mode} with {count} segment{'s' * (count > 1)}, IPv4 inside")
    def _(net):
        a, h, b = headend(net)
        segs, marker = SEGS[:count], b"headend-v4"
        h.srv6(f"route add {V4} encap seg6 mode {mode} segs {','.join(segs)} dev h1")
        packet = inner4(marker)
        seen = cross(a, b, packet, marker)
        expect(seen, outer(SRC, segs, packet, 4, mode.endswith(".red"), hops=63), mode)


def l2encap(mode, count):
    @case("headend", f"{mode} with {count} segment{'s' * (count > 1)}: the whole frame inside")
    def _(net):
        a, h, b = headend(net)
        segs, marker = SEGS[:count], b"headend-l2"
        h.srv6(f"route add {V6} encap seg6 mode {mode} segs {','.join(segs)} dev h1")
        packet = inner6(marker)
        seen = cross(a, b, packet, marker)
        inside = frame(a.peer_a0, packet)
        want = outer(SRC, segs, inside, 143, mode.endswith(".red"), flow=0x12345, tclass=0x20, hops=63)
        expect(seen, want, mode)


for _count in (1, 3):
    for _mode in ("encap", "encap.red"):
        encap(_mode, _count)
    for _mode in ("l2encap", "l2encap.red"):
        l2encap(_mode, _count)


@case("headend", "inline: the SRH goes into the packet, the destination last")
def _(net):
    a, h, b = headend(net)
    h.srv6(f"route add {V6} encap seg6 mode inline segs {','.join(SEGS[:2])} dev h1")
    packet = inner6(b"headend-inline")
    seen = cross(a, b, packet, b"headend-inline")
    header = srh(SEGS[:2] + ["2001:db8:a::1"], 2, 17)
    expect(seen, ip6("2001:db8:9::1", SEGS[0], header + packet[40:], nh=43, flow=0x12345, tclass=0x20, hops=63), "inline")


@case("headend", "127 segments reach the wire")
def _(net):
    a, h, b = headend(net)
    segs = [f"fc00:{n:x}::1" for n in range(1, 128)]
    h.srv6(f"route add {V6} encap seg6 mode encap segs {','.join(segs)} dev h1")
    packet = inner6(b"headend-127")
    expect(cross(a, b, packet, b"headend-127"),
           outer(SRC, segs, packet, 41, flow=0x12345, tclass=0x20, hops=63), "127 segments")


@case("headend", "tag, flags and TLVs of the SRH are sent as given")
def _(net):
    a, h, b = headend(net)
    tlvs = "04060000000000007c06010203040506"
    h.srv6(f"route add {V6} encap seg6 mode encap segs {SEGS[0]} tag 4660 srh_flags 0x20 tlvs {tlvs} dev h1")
    packet = inner6(b"headend-tlvs")
    want = outer(SRC, SEGS[:1], packet, 41, flow=0x12345, tclass=0x20, hops=63, tag=4660, flags=0x20,
                 tlvs=bytes.fromhex(tlvs))
    expect(cross(a, b, packet, b"headend-tlvs"), want, "SRH")


# ---------------------------------------------------------------------- tunsrc

def source(a, b, marker, dst="2001:db8:a::1"):
    return Ip6(cross(a, b, inner6(marker, dst), marker)[14:]).src


@case("tunsrc", "of the route: on the wire, one for each route, shown, and above the namespace's")
def _(net):
    need("tunsrc")
    a, h, b = headend(net)
    h.srv6(f"route add {V6} encap seg6 mode encap tunsrc 2001:db8:5::5 segs fc00:2::1 dev h1")
    h.srv6("route add 2001:db8:b::/64 --segs fc00:2::1 --tunsrc 2001:db8:6::6 --dev h1")
    h.srv6("route add 2001:db8:c::/64 encap seg6 mode encap segs fc00:2::1 dev h1")
    equal(source(a, b, b"tunsrc-5"), "2001:db8:5::5", "outer source of the first route")
    equal(source(a, b, b"tunsrc-6", "2001:db8:b::1"), "2001:db8:6::6", "outer source of the second route")
    equal(source(a, b, b"tunsrc-0", "2001:db8:c::1"), SRC, "outer source of the route without")
    shown = {route["dst"]: route["hops"][0]["encap"].get("tunsrc") for route in h.json("route show")}
    equal(shown, {V6: "2001:db8:5::5", "2001:db8:b::/64": "2001:db8:6::6", "2001:db8:c::/64": None}, "tunsrc shown")
    if h.srv6("tunsrc set 2001:db8:77::7", None).rc == 0:
        equal(source(a, b, b"tunsrc-five"), "2001:db8:5::5", "outer source with the namespace's set too")
        equal(source(a, b, b"tunsrc-none", "2001:db8:c::1"), "2001:db8:77::7", "outer source of the route without")


@case("tunsrc", "of the route: for IPv4, encap.red and both l2encap modes")
def _(net):
    need("tunsrc")
    a, h, b = headend(net)
    for mode in ("encap.red", "l2encap", "l2encap.red"):
        h.srv6(f"route replace {V6} encap seg6 mode {mode} tunsrc 2001:db8:5::5 segs fc00:2::1,fc00:3::1 dev h1")
        equal(source(a, b, b"tunsrc-" + mode.encode()), "2001:db8:5::5", f"outer source with {mode}")
    h.srv6(f"route add {V4} encap seg6 mode encap tunsrc 2001:db8:6::6 segs fc00:2::1 dev h1")
    equal(Ip6(cross(a, b, inner4(b"tunsrc-v4"), b"tunsrc-v4")[14:]).src, "2001:db8:6::6", "outer source of IPv4")


@case("tunsrc", "of the route: a kernel without it refuses, in words, and nothing stays behind")
def _(net):
    if can("tunsrc"):
        skip("this kernel has it")
    _, h, _ = headend(net)
    words = "encap seg6 mode encap tunsrc 2001:db8:5::5 segs fc00:2::1 dev h1"
    for verb in ("add", "replace", "append"):
        h.refused(f"route {verb} {V6} {words}", 1, "tunsrc", "7.1")
    h.refused(f"route add {V4} {words}", 1, "tunsrc", "7.1")
    h.srv6(f"route add {V6} encap seg6 mode encap segs fc00:3::1 dev h1")
    h.refused(f"route replace {V6} {words}", 1, "tunsrc", "7.1")  # the old route must be what it was
    h.refused(f"route change {V6} {words}", 1, "tunsrc", "7.1")


@case("tunsrc", "of the namespace: set, seen on the wire, unset")
def _(net):
    need_init_user()
    a, h, b = headend(net)
    h.srv6(f"route add {V6} encap seg6 mode encap segs fc00:2::1 dev h1")
    h.srv6("tunsrc set 2001:db8:5::5")
    equal(source(a, b, b"namespace-set"), "2001:db8:5::5", "outer source")
    equal(h.run("ip -j sr tunsrc show").out.strip(), '[{"tunsrc":"2001:db8:5::5"}]', "what ip shows")
    h.srv6("tunsrc unset")
    equal(source(a, b, b"namespace-unset"), SRC, "outer source")


# ---------------------------------------------------------------------- lookup

@case("lookup", "the first segment is looked up in the given table")
def _(net):
    need("lookup")
    a, h, b = headend(net)
    c = net.ns("c")
    net.link(h, "h2", c, "c0")
    h.addr("2001:db8:2::1/64", "h2")
    h.neigh("h2", "2001:db8:2::2")
    h.via("fc00::/16", "2001:db8:2::2", "h2", 500)
    h.srv6(f"route add {V6} encap seg6 mode encap segs fc00:2::1 lookup 500 dev h1")
    wire = c.sniff("c0")
    a.send("a0", frame(a.peer_a0, inner6(b"lookup-500")))
    equal(wire.packet(b"lookup-500").dst, "fc00:2::1", "destination of what leaves through table 500")
    equal(h.json("route show")[0]["hops"][0]["encap"]["lookup"], 500, "lookup shown")


@case("lookup", "a kernel without it refuses, in words, and nothing stays behind")
def _(net):
    if can("lookup"):
        skip("this kernel has it")
    _, h, _ = headend(net)
    h.refused(f"route add {V6} encap seg6 mode encap segs fc00:2::1 lookup 500 dev h1", 1, "lookup", "7.3")


# ------------------------------------------------------------------------ HMAC

@case("hmac", "the kernel signs with the key that was set: SHA-1 and SHA-256")
def _(net):
    need_init_user()
    a, h, b = headend(net)
    for key, algo in ((42, "sha1"), (43, "sha256")):
        h.srv6(f"hmac set {key} {algo} fd 0", stdin="a secret\n")
        h.srv6(f"route replace {V6} encap seg6 mode encap segs fc00:2::1,fc00:3::1 hmac {key} dev h1")
        seen = Ip6(cross(a, b, inner6(b"hmac-" + algo.encode()), b"hmac-" + algo.encode())[14:])
        equal(seen.srh.flags, 8, "flags of the SRH")
        equal(seen.srh.tlvs, hmac_tlv(b"a secret", algo, key, in6(seen.src), seen.srh), f"HMAC TLV with {algo}")

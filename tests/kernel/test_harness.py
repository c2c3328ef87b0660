# SPDX-License-Identifier: LGPL-2.1-or-later
"""The harness itself: a packet through veth and the kernel's own encapsulation, without the tool."""
import errno

from harness import add_route, case, contains, equal, frame, need, seg6, seg6local, udp6


@case("harness", "a packet crosses and is parsed")
def _(net):
    need("seg6")
    a, h, b = net.ns("a"), net.ns("h"), net.ns("b")
    net.link(a, "a0", h, "h0")
    net.link(h, "h1", b, "b0")
    h.addr("2001:db8:1::1/64", "h1")
    h.forward()
    h.neigh("h1", "2001:db8:1::2")
    equal(add_route(h, "2001:db8:a::/64", "h1", 5, seg6(1, ("fc00:2::1", "fc00:3::1"))), (0, ""), "answer")
    h.via("fc00:2::/64", "2001:db8:1::2", "h1")
    wire = b.sniff("b0")
    packet = udp6("2001:db8:9::1", "2001:db8:a::1", b"harness-marker")
    a.send("a0", frame(a.peer_a0, packet))
    seen = wire.packet(b"harness-marker")
    equal((seen.dst, seen.srh.segs, seen.srh.left, seen.nh), ("fc00:2::1", ["fc00:2::1", "fc00:3::1"], 1, 41), "outer")
    equal(seen.payload[40:], packet[40:], "inner payload")


@case("harness", "the kernel's words are read")
def _(net):
    need("seg6local")
    space = net.ns("h")
    code, text = add_route(space, "fc00:1::1/128", "lo", 7, seg6local(7))
    equal(code, errno.EINVAL, "End.DT6 without a table")
    contains(text, "table or vrftable must be specified")

# SPDX-License-Identifier: LGPL-2.1-or-later
"""What the kernel takes and cannot list: it is refused, or the list says that it may not be whole."""
import ipaddress
import json
import os
import struct

from harness import NESTED, NEW, RTM_NEWROUTE, case, check, contains, equal, in6, need_init_user, netlink, nla, seg6


def one_link(net):
    h, b = net.ns("h"), net.ns("b")
    net.link(h, "v0", b, "v1")
    h.addr("2001:db8:1::1/64", "v0")
    return h


def multipath(hops, segs):
    words = []
    for hop in range(hops):
        path = ",".join(f"fc00::{hop:x}:{seg:x}" for seg in range(segs))
        words.append(f"nexthop encap seg6 mode encap segs {path} via 2001:db8:1::{hop + 2:x} dev v0")
    return " ".join(words)


@case("limits", "a route alone in its table is listed, however large it may be")
def _(net):
    h = one_link(net)
    for hops in (4, 15):
        h.srv6(f"route add 2001:db8:9::/48 table 77 {multipath(hops, 125)}")
        routes = h.json("route show table 77")
        equal([len(route["hops"]) for route in routes], [hops], "hops that are listed")
        h.srv6("route del 2001:db8:9::/48 table 77")
        equal(h.json("route show table 77"), [], "routes after deletion")


@case("limits", "a route that could not be listed is refused; every other one is, with what comes behind it")
def _(net):
    h = one_link(net)
    refused = 0
    h.srv6("route add 2001:db8:a::/48 table 77 encap seg6 mode encap segs fc00::1 dev v0")
    # A hop of five segments is 136 bytes: some on either side of 32 KiB.
    for hops, segs in ((16, 125), (31, 125), *((hops, 5) for hops in range(230, 242))):
        result = h.srv6(f"route add 2001:db8:9::/48 table 77 {multipath(hops, segs)}", None)
        routes = h.json("route show table 77")
        if result.rc == 0:
            equal([len(route.get("hops", [0])) for route in routes], [hops, 1], "hops of the routes that are listed")
            h.srv6("route del 2001:db8:9::/48 table 77")
        else:
            refused += 1
            contains(result.err, "never list it again", "refusal")
            equal([route["dst"] for route in routes], ["2001:db8:a::/48"], "routes after a refusal")
    check(4 < refused < 12, f"{refused} of 14 refused: the limit is not where it was thought to be")


@case("limits", "many HMAC keys: a list that may not be whole says so in text, in JSON and by exit status 3")
def _(net):
    need_init_user()
    h = net.ns("h")
    path = "/run/netns/secret"
    with open(path, "w", encoding="ascii", opener=lambda name, flags: os.open(name, flags, 0o600)) as file:
        file.write("s" * 32)
    # By another tool's way: this one would look after each.
    h.srv6("batch --no-verify -", stdin="".join(f"hmac set {key} sha256 file {path}\n" for key in range(1, 601)))
    os.unlink(path)
    text = h.srv6("hmac show", 3)
    contains(text.err, "perhaps not all", "message")
    check(100 < text.out.count("\n") < 600, "keys in the text")
    answer = h.srv6("-j hmac show", 3)
    shown = json.loads(answer.out)
    check("perhaps not all" in answer.err or "perhaps not all" in answer.out, f"message: {answer.err}")
    check(len(shown) > 100, "keys in JSON")
    # One that is there is not denied because the list is not whole.
    h.srv6("hmac del 600")


def raw_multipath(space, dst, hops, segs):
    """A route of any number of hops, as another program would install it. Returns the errno."""
    body = b""
    for hop in range(hops):
        path = [f"fc00::{hop + 1:x}:{seg + 1:x}" for seg in range(segs)]
        attrs = nla(5, in6(f"2001:db8:1::{hop + 2:x}")) + nla(22 | NESTED, seg6(1, path)) + nla(21, struct.pack("=H", 5))
        body += struct.pack("=HBBi", 8 + len(attrs), 0, 0, space.index("v0")) + attrs
    net = ipaddress.ip_network(dst)
    head = struct.pack("=BBBBBBBBI", 10, net.prefixlen, 0, 0, 254, 4, 0, 1, 0)
    return netlink(space, RTM_NEWROUTE, NEW, head + nla(1, net.network_address.packed) + nla(9, body))[0]


@case("limits", "a route of another program that ends the kernel's lists: said by words, status 3 and in JSON; nothing is done in spite of it")
def _(net):
    h = one_link(net)
    for text in ("2001:db8:8::/48", "2001:db8:a::/48"):
        h.srv6(f"route add {text} encap seg6 mode encap segs fc00::1 dev v0")
    equal(raw_multipath(h, "2001:db8:9::/48", 15, 125), 0, "errno")
    equal([route["dst"] for route in h.json("route show")], ["2001:db8:8::/48", "2001:db8:9::/48", "2001:db8:a::/48"], "routes")
    equal(h.ip("-6 route del 2001:db8:9::/48").rc, 0, "exit status of deletion")
    equal(raw_multipath(h, "2001:db8:9::/48", 20, 125), 0, "errno")
    listed = h.srv6("route show", None)
    if listed.rc == 0:
        contains(listed.out, "2001:db8:a::/48", "list of a kernel that lists such routes")
        return
    for words in ("route show", "route show table main", "route show dev v0", "route show --stream", "show", "save", "monitor"):
        result = h.srv6(words, None)
        equal(result.rc, 1 if words == "monitor" else 3, f"exit status of {words}")
        contains(result.err, "most likely 2001:db8:9::/48 with 20 hops", words)
    check("2001:db8:a::/48" not in listed.out, "the kernel listed what is behind it: the test shows nothing")
    equal(h.srv6("-4 route show", None).rc, 0, "exit status of the IPv4 list")
    for words in ("route del 2001:db8:8::/48 encap seg6 mode encap segs fc00::1 dev v0", "route flush table main"):
        contains(h.srv6(words, None).err, "2001:db8:9::/48", words)
    result = h.srv6("batch --atomic -", None, stdin="route replace 2001:db8:8::/48 encap seg6 mode encap segs fc00::2 dev v0\n")
    contains(result.err, "2001:db8:9::/48", "an atomic batch")
    # as the remedy has it
    h.srv6("nexthop add id 5 encap seg6 mode encap segs fc00::9 dev v0")
    h.srv6("route replace 2001:db8:9::/48 nhid 5")
    equal([route["dst"] for route in h.json("route show")], ["2001:db8:8::/48", "2001:db8:9::/48", "2001:db8:a::/48"], "once it is replaced")
    h.srv6("route del 2001:db8:9::/48")
    equal(raw_multipath(h, "2001:db8:9::/48", 20, 125), 0, "errno")
    h.srv6("route show", 3)
    h.srv6("route del 2001:db8:9::/48")
    equal([(route["dst"], route["hops"][0]["encap"]["segs"] if "hops" in route else route["encap"]["segs"])
           for route in h.json("route show")],
          [("2001:db8:8::/48", ["fc00::1"]), ("2001:db8:a::/48", ["fc00::1"])], "routes once it is gone")


@case("limits", "a hop more that would be one too many is taken back; so is a route of a group of objects that is too large")
def _(net):
    h = one_link(net)
    h.srv6("route add 2001:db8:a::/48 table 77 encap seg6 mode encap segs fc00::1 dev v0")
    h.srv6(f"route add 2001:db8:9::/48 table 77 {multipath(15, 125)}")
    path = ",".join(f"fc00::77:{seg:x}" for seg in range(125))
    for mode in ([], ["--atomic"]):
        done = h.srv6(["batch", *mode, "-"], 1, stdin=f"route append 2001:db8:9::/48 table 77 encap seg6 mode encap segs {path} "
                      "via 2001:db8:1::77 dev v0\n")
        contains(done.err, "never list it again", "refusal")
        equal([len(route["hops"]) for route in h.json("route show table 77")], [15, 1], "hops after it")
    for member in range(16):
        path = ",".join(f"fc00::{member:x}:{seg:x}" for seg in range(125))
        h.srv6(f"nexthop add id {100 + member} encap seg6 mode encap segs {path} via 2001:db8:1::{member + 2:x} dev v0")
    h.srv6(f"nexthop add id 200 group {'/'.join(str(100 + member) for member in range(16))}")
    for mode in ([], ["--atomic"]):
        h.srv6(["batch", *mode, "-"], 1, stdin="route add 2001:db8:8::/48 table 77 nhid 200\n")
        equal([route["dst"] for route in h.json("route show table 77")], ["2001:db8:9::/48", "2001:db8:a::/48"], "routes after it")

# SPDX-License-Identifier: LGPL-2.1-or-later
"""Routes: what is installed, what is shown, what is the same route, what is refused and why. v0 and v1 are one link."""
from harness import NOBODY, SRV6, add_route, case, check, contains, equal, nla, seg6, seg6local, skip, u32

A = "encap seg6 mode encap segs fc00:a::1"
B = "encap seg6 mode encap segs fc00:b::1,fc00:b::2"
GW = "2001:db8:1::2"


def link(net):
    h, p = net.ns("h"), net.ns("p")
    net.link(h, "v0", p, "v1")
    h.addr("2001:db8:1::1/64", "v0")
    h.addr("192.0.2.1/24", "v0")
    h.neigh("v0", GW, "2001:db8:1::3", "192.0.2.2")
    return h


def shown(h, what="route show"):
    return {route["dst"]: route for route in h.json(what)}


def segs(h, dst, hop=0):
    return shown(h)[dst]["hops"][hop]["encap"]["segs"]


def round_trip(h, words):
    """Adds a route, and again what show prints of it: both must be the same to the kernel and to us."""
    h.srv6("route add " + words)
    before, text = h.state(), h.srv6("route show").out.strip()
    check("\n" not in text and text, f"one line shown: {text!r}")
    h.srv6("route del " + text.split()[0])
    h.srv6("route add " + text)
    equal(h.state(), before, f"routes after adding again what was shown ({text})")
    equal(h.srv6("route show").out.strip(), text, "text shown")


@case("B01", "inline: two segments in, two shown, two in again")
def _(net):
    h = link(net)
    round_trip(h, "fc00:6::/64 encap seg6 mode inline segs fc00:2::1,fc00:3::1 dev v0")
    equal(segs(h, "fc00:6::/64"), ["fc00:2::1", "fc00:3::1"], "segments shown")
    contains(h.ip("-6 route show fc00:6::/64").out, "segs 3 [ fc00:2::1 fc00:3::1 :: ]", "what ip shows")


@case("B01", "End.B6: likewise")
def _(net):
    h = link(net)
    round_trip(h, "fc00:6::1 encap seg6local action End.B6 srh segs fc00:2::1,fc00:3::1 dev v0")
    equal(segs(h, "fc00:6::1"), ["fc00:2::1", "fc00:3::1"], "segments shown")


@case("B01", "an inline list that ip installed, with its placeholder, is shown without it")
def _(net):
    h = link(net)
    h.ip("-6 route add fc00:6::/64 encap seg6 mode inline segs fc00:2::1,fc00:3::1 dev v0")
    equal(segs(h, "fc00:6::/64"), ["fc00:2::1", "fc00:3::1"], "segments shown")


@case("B01", "an inline list without a placeholder is shown, and comes back the same")
def _(net):
    h = link(net)
    equal(add_route(h, "fc00:6::/64", "v0", 5, seg6(0, ("fc00:2::1", "fc00:3::1")))[0], 0, "raw route")
    before = h.state()
    text = h.srv6("route show").out.strip()
    h.srv6("route del fc00:6::/64")
    h.srv6("route add " + text)
    equal(h.state(), before, f"routes ({text})")


@case("B02", "what the kernel refuses without a word is refused with words, before it is sent")
def _(net):
    h = link(net)
    for words, texts in (("198.51.100.0/24 encap seg6 mode inline segs fc00:2::1", ("IPv6",)),
                         ("198.51.101.0/24 encap seg6local action End", ("IPv6",)),
                         ("fc00:d4::1 encap seg6local action End.X", ("nh6",)),
                         ("fc00:d4::1 encap seg6local action End.X nh4 192.0.2.2", ("nh4", "nh6")),
                         ("fc00:d4::1 encap seg6local action End.DT4", ("vrftable",))):
        h.refused(f"route add {words} dev v0", 2, *texts)


@case("B03", "IPv4 over SRv6, default routes, and IPv4 through an IPv6 gateway")
def _(net):
    h = link(net)
    h.srv6(f"route add 198.51.100.0/24 {A} dev v0")
    h.srv6(f"-4 route add default {A} dev v0")
    h.srv6(f"-6 route add default {B} dev v0")
    h.srv6(f"route add 198.51.101.0/24 {A} via inet6 {GW} dev v0")
    routes = shown(h)
    equal(sorted(routes), sorted(["198.51.100.0/24", "0.0.0.0/0", "198.51.101.0/24", "::/0"]), "routes shown")
    equal(routes["0.0.0.0/0"]["hops"][0]["encap"]["segs"], ["fc00:a::1"], "segments of the IPv4 default")
    equal(routes["::/0"]["hops"][0]["encap"]["segs"], ["fc00:b::1", "fc00:b::2"], "segments of the IPv6 default")
    contains(h.ip("-4 route show default").out, "segs 1 [ fc00:a::1 ]", "IPv4 default in ip")
    contains(h.ip("-6 route show default").out, "segs 2 [ fc00:b::1 fc00:b::2 ]", "IPv6 default in ip")
    contains(h.ip("-4 route show 198.51.101.0/24").out, f"via inet6 {GW}", "IPv6 gateway in ip")


@case("B03", "host bits are refused alike for both families")
def _(net):
    h = link(net)
    h.refused(f"route add 198.51.100.5/24 {A} dev v0", 2, "198.51.100.0/24")
    h.refused(f"route add 2001:db8:a::5/64 {A} dev v0", 2, "2001:db8:a::/64")


@case("B05", "26 and 60 segments, which ip cuts or loses, and 127: all there. 128 refused")
def _(net):
    h = link(net)
    for count in (26, 60, 126, 127):
        given = [f"fc00:1111:2222:3333:4444:5555:6666:{n:x}" for n in range(1, count + 1)]
        h.srv6(f"route replace fc00:5::/64 encap seg6 mode encap segs {','.join(given)} dev v0")
        equal(segs(h, "fc00:5::/64"), given, f"{count} segments shown")
    more = ",".join(f"fc00:{n:x}::1" for n in range(1, 129))
    h.refused(f"route add fc00:6::/64 encap seg6 mode encap segs {more} dev v0", 2, "128", "127")


@case("B05", "125 segments with an HMAC fit, 126 do not")
def _(net):
    h = link(net)
    given = [f"fc00:{n:x}::1" for n in range(1, 127)]
    h.srv6(f"route add fc00:5::/64 encap seg6 mode encap segs {','.join(given[:125])} hmac 9 dev v0")
    encap = shown(h)["fc00:5::/64"]["hops"][0]["encap"]
    equal((encap["segs"], encap["hmac"]), (given[:125], 9), "segments and key shown")
    h.refused(f"route add fc00:6::/64 encap seg6 mode encap segs {','.join(given)} hmac 9 dev v0", 2, "125")


@case("B06", "empty, missing and senseless segments are refused; a link-local one is warned about")
def _(net):
    h = link(net)
    for given in ("fc00:2::1,,fc00:3::1", "fc00:2::1,", "''", "::", "ff02::1", "::1", "::ffff:192.0.2.1", "default"):
        h.refused(f"route add fc00:6::/64 encap seg6 mode encap segs {given} dev v0", 2, "seg")
    h.refused("route add fc00:6::/64 encap seg6 mode encap dev v0", 2, "segs")
    contains(h.srv6("route add fc00:6::/64 encap seg6 mode encap segs fe80::1 dev v0").err, "link-local", "warning")


@case("B07", "every mode and action at once, with unknown attributes among them: all shown, none hides another")
def _(net):
    h = link(net)
    for n, mode in enumerate(("encap", "inline", "l2encap", "encap.red", "l2encap.red")):
        h.ip(f"-6 route add fc00:7:{n}::/64 encap seg6 mode {mode} segs fc00:2::1 dev v0")
    actions = ["End", "End.X nh6 fc00::9", "End.T table 100", "End.DX2 oif v0", "End.DX6 nh6 fc00::9", "End.DX4 nh4 192.0.2.2",
               "End.DT6 table 100", "End.B6 srh segs fc00:2::1", "End.B6.Encaps srh segs fc00:2::1", "End count",
               "End flavors next-csid"]
    for n, action in enumerate(actions):
        h.ip(f"-6 route add fc00:8:{n}::1 encap seg6local action {action} dev v0")
    # an attribute that no kernel knows, and a known one that is longer than it should be
    equal(add_route(h, "fc00:9:1::/64", "v0", 5, seg6(more=nla(99, b"later")))[0], 0, "seg6 with attribute 99")
    equal(add_route(h, "fc00:9:2::/64", "v0", 7, seg6local(3, nla(3, u32(100) + u32(7))))[0], 0, "a table of 8 bytes")
    h.ip("-6 route add fc00:9:3::/64 dev v0")  # and a plain one, which is none of ours
    equal(len(shown(h)), 5 + len(actions) + 2, "routes shown")
    equal(len(h.json("sid show")), len(actions) + 1, "SIDs shown")
    h.srv6("route flush all")
    equal(h.json("route show"), [], "routes after flush all")
    contains(h.ip("-6 route show fc00:9:3::/64").out, "fc00:9:3::/64", "the plain route after flush all")


@case("B10", "the state of the device is named: IPv6 off, MTU too small, down, gone, no device, no way to the gateway")
def _(net):
    h = link(net)
    h.refused(f"route add fc00:5::/64 {A} via 2001:db8:99::1 dev v0", 1, "2001:db8:99::1")
    h.refused(f"route add fc00:5::/64 {A} dev nosuch", 2, "nosuch")
    h.refused(f"route add fc00:5::/64 {A}", 2, "dev")
    h.sysctl("ipv6/conf/v0/disable_ipv6", 1)
    h.refused(f"route add fc00:5::/64 {A} dev v0", 1, "v0", "disable_ipv6")
    h.srv6(f"route add 198.51.100.0/24 {A} dev v0")
    h.sysctl("ipv6/conf/v0/disable_ipv6", 0)
    h.ip("link set v0 mtu 1200")
    h.refused(f"route add fc00:5::/64 {A} dev v0", 1, "v0", "1200", "1280")
    h.ip("link set v0 mtu 1500")
    h.ip("link set v0 down")
    h.refused(f"route add fc00:5::/64 {A} dev v0", 1, "v0", "down")
    h.refused(f"route add 198.51.101.0/24 {A} dev v0", 1, "v0", "down")


@case("B11", "an encapsulation to each hop; both families, weights, both kinds mixed")
def _(net):
    h = link(net)
    h.srv6(f"route add fc00:6::/64 nexthop {A} via {GW} dev v0 weight 1 nexthop {B} via 2001:db8:1::3 dev v0 weight 256")
    h.srv6(f"route add 198.51.100.0/24 nexthop {A} dev v0 nexthop {B} dev v0 weight 2")
    routes = shown(h)
    for dst, weights in (("fc00:6::/64", [1, 256]), ("198.51.100.0/24", [1, 2])):
        hops = routes[dst]["hops"]
        equal([hop["encap"]["segs"] for hop in hops], [["fc00:a::1"], ["fc00:b::1", "fc00:b::2"]], f"segments of {dst}")
        equal([hop["weight"] for hop in hops], weights, f"weights of {dst}")
    text = h.srv6("route show fc00:6::/64").out.strip()
    before = h.state()
    h.srv6("route del fc00:6::/64")
    h.srv6("route add " + text)
    equal(h.state(), before, "routes after adding again what was shown")


@case("B11", "an encapsulation above the hops, IPv6 hops without gateways, a bad hop among good ones: refused, nothing changed")
def _(net):
    h = link(net)
    h.refused(f"route add fc00:6::/64 {A} nexthop via {GW} dev v0 nexthop via 2001:db8:1::3 dev v0", 2, "hop")
    h.refused(f"route add fc00:6::/64 nexthop {A} dev v0 nexthop {B} dev v0", 2, "via", "append")
    h.srv6(f"route add fc00:6::/64 {A} via {GW} dev v0")
    h.refused(f"route replace fc00:6::/64 nexthop {A} via {GW} dev v0 nexthop {B} via 2001:db8:99::1 dev v0", 1)


@case("B13", "IPv6: add, append, replace, change, del, and what is the same route")
def _(net):
    h = link(net)
    h.refused(f"route change fc00:6::/64 {A} dev v0", 1, "fc00:6::/64")
    h.refused("route del fc00:6::/64", 1)
    h.refused("route del fc00:6::/64 table 4711", 1)
    h.srv6(f"route add fc00:6::/64 {A} via {GW} dev v0")
    h.refused(f"route add fc00:6::/64 {B} via {GW} dev v0", 1)
    h.srv6(f"route append fc00:6::/64 {B} via {GW} dev v0")
    equal(len(shown(h)["fc00:6::/64"]["hops"]), 2, "hops after append")
    h.srv6(f"route replace fc00:6::/64 {B} via {GW} dev v0")
    equal(segs(h, "fc00:6::/64"), ["fc00:b::1", "fc00:b::2"], "segments after replace")
    equal(len(shown(h)["fc00:6::/64"]["hops"]), 1, "hops after replace")
    h.srv6(f"route change fc00:6::/64 {A} via {GW} dev v0")
    equal(segs(h, "fc00:6::/64"), ["fc00:a::1"], "segments after change")
    h.srv6(f"route add fc00:6::/64 {B} via {GW} dev v0 metric 50")
    equal(sorted(route["metric"] for route in h.json("route show")), [50, 1024], "metrics of two routes")
    h.srv6("route del fc00:6::/64 metric 50")
    equal([route["metric"] for route in h.json("route show")], [1024], "metrics after del")
    h.srv6("route del fc00:6::/64")
    equal(h.json("route show"), [], "routes after del")


@case("B13", "IPv4: the metric is part of the identity; replace without one adds a second route")
def _(net):
    h = link(net)
    h.srv6(f"route add 198.51.100.0/24 {A} dev v0 metric 100")
    h.refused(f"route add 198.51.100.0/24 {B} dev v0 metric 100", 1)
    h.srv6(f"route replace 198.51.100.0/24 {B} dev v0")
    equal(sorted(route.get("metric", 0) for route in h.json("route show")), [0, 100], "metrics")
    h.srv6(f"route change 198.51.100.0/24 {A} dev v0 metric 100")
    h.srv6("route del 198.51.100.0/24")
    equal([route.get("metric", 0) for route in h.json("route show")], [100], "metrics after del without one")


@case("B13", "del with an encapsulation deletes only that one")
def _(net):
    h = link(net)
    h.srv6(f"route add fc00:6::/64 {A} dev v0")
    h.refused(f"route del fc00:6::/64 {B} dev v0", 1)
    h.srv6(f"route del fc00:6::/64 {A} dev v0")
    equal(h.json("route show"), [], "routes after del")


@case("B14", "one shape of JSON, whatever the number of hops")
def _(net):
    h = link(net)
    h.srv6(f"route add fc00:6::/64 {A} via {GW} dev v0")
    h.srv6(f"route add fc00:7::/64 nexthop {A} via {GW} dev v0 nexthop {B} via 2001:db8:1::3 dev v0")
    routes = shown(h)
    for dst, count in (("fc00:6::/64", 1), ("fc00:7::/64", 2)):
        hops = routes[dst]["hops"]
        equal(len(hops), count, f"hops of {dst}")
        for hop in hops:
            equal(hop["encap"]["encap_type"], "seg6", "type in the encapsulation's own object")
            equal(hop["dev"], "v0", "device by name")


@case("B15", "two tables, both shown, as numbers; key ids too")
def _(net):
    h = link(net)
    h.srv6("route add fc00:1::6 encap seg6local action End.DT6 table 100 dev v0 table 200")
    h.srv6("route add fc00:1::7 encap seg6local action End.T table main dev v0")
    h.srv6("route add fc00:8::/64 encap seg6 mode encap segs fc00:2::1 hmac 42 dev v0")
    routes = shown(h)
    equal((routes["fc00:1::6"]["table"], routes["fc00:1::6"]["hops"][0]["encap"]["table"]), (200, 100), "tables")
    equal(routes["fc00:1::7"]["hops"][0]["encap"]["table"], 254, "table main")
    equal(routes["fc00:8::/64"]["hops"][0]["encap"]["hmac"], 42, "HMAC key")


@case("B16", "count is shown with and without statistics, survives a round trip")
def _(net):
    h = link(net)
    round_trip(h, "fc00:1::e encap seg6local action End count dev v0")
    contains(h.srv6("sid show").out, " count", "text")
    check("packets" not in h.srv6("sid show").out, "counters without -s")
    contains(h.srv6("-s sid show").out, "packets 0 bytes 0 errors 0", "text with -s")
    check(h.json("sid show")[0]["hops"][0]["encap"]["count"], "count in JSON")


@case("B08", "vrftable: a kernel without VRF, strict mode off, a table without a VRF: three messages")
def _(net):
    h = link(net)
    add = "route add fc00:d4::1 encap seg6local action End.DT4 vrftable 100 dev v0"
    if h.ip("link add red type vrf table 77", ok=False).rc:
        h.refused(add, 1, "VRF", "vrftable")
        return
    h.ip("link set red up")
    h.sysctl("vrf/strict_mode", 0)
    h.refused(add, 1, "strict", "net.vrf.strict_mode=1")
    h.sysctl("vrf/strict_mode", 1)
    h.refused(add, 1, "100", "VRF")
    h.vrf("blue", 100)
    for action in ("End.DT4", "End.DT46", "End.DT6"):
        h.srv6(f"route replace fc00:d4::1 encap seg6local action {action} vrftable 100 dev v0")
        equal(h.json("sid show")[0]["hops"][0]["encap"]["vrftable"], 100, f"vrftable of {action}")


@case("B09", "End.DT6: table stays table, vrftable stays vrftable; neither and both are refused")
def _(net):
    h = link(net)
    h.srv6("sid add fc00:d6::1 End.DT6 table 254 dev v0")
    encap = h.json("sid show")[0]["hops"][0]["encap"]
    check(encap["table"] == 254 and "vrftable" not in encap, f"table alone: {encap}")
    h.refused("sid add fc00:d6::2 End.DT6 dev v0", 2, "table", "vrftable")
    h.refused("sid add fc00:d6::2 End.DT6 table 1 vrftable 2 dev v0", 2, "table", "vrftable")
    h.refused("sid add fc00:d6::2 End.T vrftable 2 dev v0", 2, "vrftable")


@case("B04", "the SRH given to the kernel is whole: full list also for reduced modes, no HMAC flag without its TLV")
def _(net):
    h = link(net)
    for mode in ("encap", "encap.red", "l2encap", "l2encap.red"):
        h.srv6(f"route replace fc00:6::/64 encap seg6 mode {mode} segs fc00:2::1,fc00:3::1,fc00:4::1 dev v0")
        contains(h.ip("-6 route show fc00:6::/64").out, f"mode {mode} segs 3 [ fc00:2::1 fc00:3::1 fc00:4::1 ]", "ip")
    h.refused("route add fc00:7::/64 encap seg6 mode encap segs fc00:2::1 srh_flags 0x08 dev v0", 2, "hmac")


@case("route", "get tells what an address takes; show filters by prefix, segment, mode, table, device")
def _(net):
    h = link(net)
    h.srv6(f"route add fc00:6::/64 {A} via {GW} dev v0")
    h.srv6("route add fc00:6:0:0:8000::/65 encap seg6 mode encap.red segs fc00:2::1 dev v0")
    h.srv6(f"route add fc00:7::/64 {B} dev v0 table 300")
    equal([route["dst"] for route in h.json("route get fc00:6::1")], ["fc00:6::/64"], "route to fc00:6::1")
    for words, want in (("table 300", ["fc00:7::/64"]), ("mode encap.red", ["fc00:6:0:0:8000::/65"]),
                        ("segs fc00:b::2", ["fc00:7::/64"]), ("root fc00:6::/64", ["fc00:6:0:0:8000::/65", "fc00:6::/64"]),
                        ("dev v0 table main", ["fc00:6:0:0:8000::/65", "fc00:6::/64"])):
        equal(sorted(route["dst"] for route in h.json("route show " + words)), want, f"route show {words}")
    h.srv6("route flush table 300")
    equal(len(h.json("route show")), 2, "routes after flush table 300")


@case("route", "--dry-run changes nothing; a netns is entered by name")
def _(net):
    h = link(net)
    before = h.state()
    contains(h.srv6(f"--dry-run route add fc00:6::/64 {A} dev v0").out, "fc00:6::/64", "dry run")
    equal(h.state(), before, "routes after a dry run")
    other = net.ns("other")
    other.srv6(f"-n h route add fc00:6::/64 {A} dev v0")
    equal(len(h.json("route show")), 1, "routes in h")
    equal(other.json("route show"), [], "routes in other")


@case("route", "a user without rights is told which right is missing")
def _(net):
    h = link(net)
    done = h.run(NOBODY + [SRV6, "route", "add", "fc00:6::/64", *A.split(), "dev", "v0"])
    if done.rc == 126 or "failed" in done.err and "srv6" not in done.err:
        skip("no other user here: " + done.err.strip())
    equal(done.rc, 1, str(done))
    contains(done.err, "CAP_NET_ADMIN", str(done))


# --------------------------------------------------------------- nexthop objects

@case("B12", "routes by nexthop id show the object's hop as derived and go back with the id alone")
def _(net):
    h = link(net)
    h.srv6(f"-6 nexthop add id 5 {A} via {GW} dev v0")
    h.srv6("route add fc00:5::/64 nhid 5")
    route = shown(h)["fc00:5::/64"]
    equal((route["nhid"], route["derived"], route["hops"][0]["encap"]["segs"]), (5, True, ["fc00:a::1"]), "route shown")
    text = h.srv6("route show fc00:5::/64").out.partition("#")[0].strip()
    check("encap" not in text, f"the hop is not written back: {text}")
    before = h.state()
    h.srv6("route del fc00:5::/64")
    h.srv6("route add " + text)
    equal(h.state(), before, "routes after adding again what was shown")
    h.srv6("route flush all")
    equal(h.json("route show"), [], "routes after flush: those of nexthop objects too")
    h.refused("route add fc00:5::/64 nhid 999", 1, "999")
    h.refused(f"route add fc00:5::/64 nhid 5 {A} dev v0", 2, "nhid")


@case("B12", "nexthop_compat_mode 0: the kernel lists no hops, and what the object says is shown all the same")
def _(net):
    h = link(net)
    h.srv6(f"-6 nexthop add id 5 {A} via {GW} dev v0")
    h.srv6("nexthop add id 6 End.T table 77 count dev v0")
    h.srv6(f"-6 nexthop add id 7 via {GW} dev v0")
    h.srv6("nexthop add id 20 group 5,3/7")
    for words in ("fc00:5::/64 nhid 5", "fc00:6::/64 nhid 6", "fc00:7::/64 nhid 7", "fc00:20::/64 nhid 20"):
        h.srv6("route add " + words)
    commands = ("route show", "-s route show", "sid show", "route show segs fc00:a::1", "sid show End.T", "route get fc00:20::/64")
    before = {command: h.json(command) for command in commands}
    equal([route["dst"] for route in before["sid show"]], ["fc00:6::/64"], "SIDs")
    state = h.state()
    h.sysctl("ipv4/nexthop_compat_mode", 0)
    for command in commands:
        equal(h.json(command), before[command], command)
    contains(h.srv6("stats fc00:6::/64 interval 1").out, "fc00:6::/64", "stats")
    text = h.srv6("route show fc00:20::/64").out
    contains(text, "weight 3", "derived hops")
    h.srv6("route flush all")
    equal(h.json("route show"), [], "routes after flush")
    h.sysctl("ipv4/nexthop_compat_mode", 1)
    for line in before["route show"]:
        h.srv6(f"route add {line['dst']} nhid {line['nhid']}")
    equal(h.state(), state, "routes, added again by id")


@case("nexthop", "objects with both kinds of encapsulation, groups with weights, replace, del")
def _(net):
    h = link(net)
    h.srv6(f"-6 nexthop add id 5 {A} via {GW} dev v0")
    h.srv6("-6 nexthop add id 6 encap seg6local action End count dev v0")
    h.srv6(f"-6 nexthop add id 7 {B} via {GW} dev v0")
    h.srv6("nexthop add id 8 group 5/7,3")
    objects = {one["id"]: one for one in h.json("nexthop show")}
    equal(objects[5]["hops"][0]["encap"]["segs"], ["fc00:a::1"], "segments of object 5")
    equal(objects[6]["hops"][0]["encap"]["action"], "End", "action of object 6")
    equal([(one["id"], one["weight"]) for one in objects[8]["group"]], [(5, 1), (7, 3)], "group")
    h.srv6(f"-6 nexthop replace id 5 {B} via {GW} dev v0")
    contains(h.ip("nexthop show id 5").out, "segs 2 [ fc00:b::1 fc00:b::2 ]", "what ip shows of object 5")
    h.refused(f"-6 nexthop add id 5 {A} dev v0", 1, "5")
    h.refused("nexthop del id 99", 1, "99")
    h.srv6("nexthop del id 8")
    equal(sorted(one["id"] for one in h.json("nexthop show")), [5, 6, 7], "objects after del")

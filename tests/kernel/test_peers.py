# SPDX-License-Identifier: LGPL-2.1-or-later
"""Both ways: what ip installs srv6 reads, what srv6 installs ip reads. ip's JSON is flat up to 6.2, nested since."""
from harness import can, case, encap_of, equal, skip

SEG6 = [f"encap seg6 mode {mode} segs fc00:2::1,fc00:3::1" for mode in ("encap", "encap.red", "l2encap", "l2encap.red")]
SEG6 += ["encap seg6 mode encap segs fc00:2::1 hmac 42"]
LOCAL = ["End", "End.X nh6 2001:db8:1::2", "End.T table 100", "End.DX2 oif v0", "End.DX6 nh6 2001:db8:1::2",
         "End.DX4 nh4 192.0.2.2", "End.DT6 table 100", "End.B6 srh segs fc00:5::1,fc00:6::1",
         "End.B6.Encaps srh segs fc00:5::1,fc00:6::1", "End flavors next-csid lblen 48 nflen 16", "End count"]
VRF = ["End.DT4 vrftable 100", "End.DT46 vrftable 100", "End.DT6 vrftable 100"]


def link(net):
    h, p = net.ns("h"), net.ns("p")
    net.link(h, "v0", p, "v1")
    h.addr("2001:db8:1::1/64", "v0")
    return h


def meaning(encap):
    """What an encapsulation says, whoever wrote it as JSON: words to text, without the placeholder of inline lists."""
    said = {}
    for key in ("mode", "tunsrc", "segs", "lookup", "action", "table", "vrftable", "nh4", "nh6", "oif", "flavors", "lblen",
                "nflen", "hmac"):
        value = encap.get(key, encap.get("srh", {}).get(key))
        if value is None:
            continue
        if key == "segs":
            value = [segment for segment in value if segment != "::"]
        if key == "hmac":
            value = int(str(value), 0)
        said[key] = str(value)
    return said


def both(h, dst):
    """The encapsulation of dst as ip and as srv6 show it."""
    ours = [route for route in h.json("route show") if route["dst"] == dst][0]["hops"][0]["encap"]
    theirs = encap_of(h.ip_json(f"{'-6' if ':' in dst else '-4'} route show {dst}")[0])
    return meaning(theirs), meaning(ours)


def peers(title, words, family="-6", dst="fc00:77::/64", ready=lambda h: None):
    @case("peers", f"{title}: ip installs, srv6 reads; srv6 installs, ip reads")
    def _(net):
        h = link(net)
        ready(h)
        if h.ip(f"{family} route add {dst} {words} dev v0", ok=False).rc:
            skip("ip or the kernel lacks it here")
        theirs, ours = both(h, dst)
        equal(ours, theirs, "what srv6 reads of ip's route")
        state = h.state()
        h.srv6(f"route del {dst}")
        h.srv6(f"route add {dst} {words} dev v0")
        equal(h.state(), state, "what ip reads of srv6's route")


for _words in SEG6:
    peers(_words[len("encap seg6 mode "):].split()[0] + (" with an HMAC" if "hmac" in _words else ""), _words)
peers("inline", "encap seg6 mode inline segs fc00:2::1,fc00:3::1")
peers("encap for IPv4", SEG6[0], "-4", "198.51.100.0/24")
for _words in LOCAL:
    peers(_words.replace(",", " and "), "encap seg6local action " + _words, dst="fc00:77::1")
for _words in VRF:
    peers(_words, "encap seg6local action " + _words, dst="fc00:77::1", ready=lambda h: h.vrf("red", 100))
peers("tunsrc", "encap seg6 mode encap tunsrc 2001:db8:1::1 segs fc00:2::1",
      ready=lambda h: None if can("tunsrc") else skip("this kernel has no tunsrc"))


@case("peers", "two hops with an encapsulation each, and a nexthop object")
def _(net):
    h = link(net)
    hops = ("nexthop encap seg6 mode encap segs fc00:2::1 via 2001:db8:1::2 dev v0 weight 1 "
            "nexthop encap seg6 mode encap segs fc00:3::1 via 2001:db8:1::3 dev v0 weight 2")
    h.ip("-6 route add fc00:77::/64 " + hops)
    h.ip("-6 nexthop add id 5 encap seg6 mode encap segs fc00:2::1 dev v0")
    equal([hop["encap"]["segs"] for hop in h.json("route show")[0]["hops"]], [["fc00:2::1"], ["fc00:3::1"]], "segments")
    equal(h.json("nexthop show")[0]["hops"][0]["encap"]["segs"], ["fc00:2::1"], "segments of the object")
    state = h.state()
    h.srv6("route del fc00:77::/64")
    h.srv6("nexthop del id 5")
    h.srv6("route add fc00:77::/64 " + hops)
    h.srv6("-6 nexthop add id 5 encap seg6 mode encap segs fc00:2::1 dev v0")
    equal(h.state(), state, "what ip reads of srv6's")

#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""What is wrong in a document, kind by kind: it is refused, and the error names the place. $SRV6: the binary."""

import json
import os
import subprocess
import unittest

SRV6 = os.environ.get("SRV6", "srv6")
DEV = "if4000001"
DST = "2001:db8::/64"


def encap(**members):
    return {"routes": [{"dst": DST, "hops": [{"dev": DEV, "encap": members}]}]}


def route(**members):
    return {"routes": [{"dst": DST, **members}]}


def nexthop(**members):
    return {"nexthops": [{"id": 5, **members}]}


def bpf(endpoint):
    return encap(behavior="End.BPF", endpoint=endpoint)


E = "routes[0].hops[0].encap"
HOP = {"dev": DEV}

# what the document has beside "srv6": 1, where it is wrong, and what is said
WRONG = [
    ({"routes": [5]}, "routes[0]", "an object is expected"),
    ({"routes": [{"hops": [HOP]}]}, "routes[0].dst", "it is missing"),
    ({"routes": [{"dst": DST, "hops": [HOP]}, {"dst": DST, "object": "rout"}]}, "routes[1].object", "no such object: rout; did you mean route"),
    (route(object="zzzz"), "routes[0].object", "no such object: zzzz"),
    (route(verb="ad"), "routes[0].verb", "no such verb: ad"),
    (route(exact=1), "routes[0].exact", "true or false is expected"),
    (route(exact=True), "routes[0].exact", "only a deletion is exact"),
    (route(derived="yes"), "routes[0].derived", "true or false is expected"),
    (route(hops=5), "routes[0].hops", "a list of at most 256 objects is expected"),
    (route(hops=[HOP] * 257), "routes[0].hops", "a list of at most 256 objects is expected"),
    (route(hops=[HOP, 5]), "routes[0].hops[1]", "an object is expected"),
    (route(hops=[{"dev": DEV, "wieght": 2}]), "routes[0].hops[0].wieght", "no such key; did you mean \"weight\"?"),
    (route(hops=[HOP], metric=1, preference=1), "routes[0].preference", "it is there twice, under two names"),
    (route(hops=[{"dev": DEV, "encap": 5}]), E, "an object is expected"),
    (encap(behavior="End.Y"), f"{E}.behavior", "no such behavior"),
    (encap(behavior=5), f"{E}.behavior", "no such behavior"),
    (encap(mode="encap", action="End"), f"{E}.action", "it is End, and another key says H.Encaps"),
    (encap(behavior="End", encap_type="seg6"), f"{E}.encap_type", "it is seg6, and End is of seg6local"),
    (encap(behavior="End", encap_type=7), f"{E}.encap_type", "a name is expected"),
    (encap(segs=["fc00::1"], encap_type="seg6local"), f"{E}.behavior", "it is missing"),
    (encap(segs=["fc00::1", "x"]), f"{E}.segs[1]", "an IPv6 address is expected"),
    (encap(raw="00"), f"{E}.encap_type", "it is missing, and so is a behavior"),
    (encap(raw="00", encap_type="nosuch"), f"{E}.encap_type", "no such encapsulation"),
    (encap(raw="00", encap_type=0), f"{E}.encap_type", "no such encapsulation"),
    (encap(raw="00", encap_type=65536), f"{E}.encap_type", "no such encapsulation"),
    (encap(raw="00", encap_type="seg6local", number=-1), f"{E}.number", "a number is expected"),
    (encap(raw="00", encap_type="seg6local", number="1"), f"{E}.number", "a number is expected"),
    (encap(behavior="End.X"), f"{E}.nh6", "End.X needs nh6"),
    (encap(behavior="End", table=5), f"{E}.table", "End takes no table"),
    (nexthop(id=0), "nexthops[0].id", "from 1 to 4294967295"),
    ({"nexthops": [{"hops": [HOP]}]}, "nexthops[0].id", "it is missing"),
    (nexthop(hops=[HOP, HOP]), "nexthops[0].hops[1]", "a nexthop object has one hop"),
    (nexthop(hops=[HOP], family="inet4"), "nexthops[0].family", "\"inet\" or \"inet6\" is expected"),
    (nexthop(hops=[HOP], family=4), "nexthops[0].family", "\"inet\" or \"inet6\" is expected"),
    ({"hmac": [5]}, "hmac[0]", "an object is expected"),
    ({"hmac": [{"algo": "sha1", "secret": "00"}]}, "hmac[0].hmac", "a key id from 1 to 4294967295 is expected"),
    ({"hmac": [{"hmac": 4294967296, "algo": "sha1", "secret": "00"}]}, "hmac[0].hmac", "a key id from 1 to"),
    ({"hmac": [{"hmac": 5, "algo": "md5", "secret": "00"}]}, "hmac[0].algo", "\"sha1\" or \"sha256\" is expected"),
    ({"hmac": [{"hmac": 5, "algo": "sha1", "secret": "0x"}]}, "hmac[0].secret", "bytes in hexadecimal are expected"),
    ({"hmac": [{"hmac": 5, "algos": "sha1"}]}, "hmac[0].algos", "no such key"),
    (bpf(5), f"{E}.endpoint", "an object with id and name, or pinned, is expected"),
    (bpf({"name": "x"}), f"{E}.endpoint", "an object with id and name, or pinned, is expected"),
    (bpf({"id": 0, "name": "x"}), f"{E}.endpoint", "an object with id and name, or pinned, is expected"),
    (bpf({"id": 1, "name": 5}), f"{E}.endpoint", "a string is expected as name"),
    (bpf({"pinned": "/nonexistent/pin"}), f"{E}.endpoint", "/nonexistent/pin"),
]


def refusal(document):
    """The error of a dry run, and its exit status."""
    got = subprocess.run([SRV6, "-j", "--dry-run", "restore", "-"], capture_output=True, text=True, timeout=30,
                         input=json.dumps({"srv6": 1, **document}))
    return got.returncode, got.stdout, json.loads(got.stderr.splitlines()[0])["error"] if got.stderr else None


class Documents(unittest.TestCase):
    def test_the_place_is_named(self):
        for document, place, text in WRONG:
            with self.subTest(place=place, text=text, document=document):
                status, out, error = refusal(document)
                self.assertEqual((status, out), (2, ""))
                self.assertEqual(error["path"], place)
                self.assertIn(text, error["text"])

    def test_in_text_too(self):
        got = subprocess.run([SRV6, "--dry-run", "restore", "-"], capture_output=True, text=True, timeout=30,
                             input=json.dumps({"srv6": 1, **encap(segs=["fc00::1", "x"])}))
        self.assertIn(f"<stdin>: {E}.segs[1]: an IPv6 address is expected", got.stderr)

    def test_what_is_right_beside_it_is_read(self):
        """The same members without the fault: the refusals above are not for something else"""
        for document in (route(hops=[HOP], metric=1), encap(behavior="End", encap_type="seg6local"), encap(segs=["fc00::1"]),
                         encap(mode="encap", behavior="H.Encaps", segs=["fc00::1"]),
                         encap(raw="0800010063000000", encap_type="seg6local", number=99), encap(raw="00", encap_type=1),
                         nexthop(hops=[HOP], family="inet"), {"hmac": [{"hmac": 4294967295, "algo": "sha1", "secret": "00"}]}):
            with self.subTest(document=document):
                got = subprocess.run([SRV6, "--dry-run", "restore", "-"], capture_output=True, text=True, timeout=30,
                                     input=json.dumps({"srv6": 1, **document}))
                self.assertEqual((got.returncode, got.stderr), (0, ""))


if __name__ == "__main__":
    unittest.main()

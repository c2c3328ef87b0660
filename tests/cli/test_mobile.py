#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""srv6 mobile: worked addresses in both directions, text and JSON, and what is refused. $SRV6 names the binary."""

import ipaddress
import json
import os
import random
import subprocess
import unittest

SRV6 = os.environ.get("SRV6", "srv6")


def srv6(*words):
    return subprocess.run([SRV6, *map(str, words)], capture_output=True, text=True, timeout=20)


def build(template, at, fields):
    """The address with (width, value) fields from bit at; an implementation of its own, on big integers."""
    value = int(ipaddress.IPv6Address(template))
    for width, field in fields:
        shift = 128 - at - width
        value = value & ~(((1 << width) - 1) << shift) | field << shift
        at += width
    return str(ipaddress.IPv6Address(value))


def session(qfi, r, u, teid):
    return [(6, qfi), (1, r), (1, u), (32, teid)]


# words of sid or src, address, words of decode, line that decode prints
WORKED = [
    ("sid --locator 2001:db8::/32 --gtp4-dst 192.0.2.1 --teid 0x12345678 --qfi 9",
     "2001:db8:c000:201:2412:3456:7800:0", "locator-len 32 gtp4",
     "locator 2001:db8::/32 gtp4-dst 192.0.2.1 teid 0x12345678 qfi 9"),
    ("sid locator 2001:db8::/32 gtp4-dst 10.0.0.2 teid 0x123 qfi 5",
     "2001:db8:a00:2:1400:1:2300:0", "--locator-len 32",
     "locator 2001:db8::/32 gtp4-dst 10.0.0.2 teid 0x123 qfi 5"),
    ("sid --locator=2001:db8:3::e/32 --gtp4-dst=10.20.0.5 --teid=291 --qfi=5",
     "2001:db8:a14:5:1400:1:2300:e", "--locator-len 32 --gtp4",
     "locator 2001:db8::e/32 gtp4-dst 10.20.0.5 teid 0x123 qfi 5"),
    ("sid --locator 2001:db8:ff00::/37 --gtp4-dst 10.20.30.0 --v4-len 24 --teid 0x12345678 --qfi 9 --r",
     "2001:db8:f850:a0f1:3091:a2b3:c000:0", "--locator-len 37 --v4-len 24",
     "locator 2001:db8:f800::/37 gtp4-dst 10.20.30.0 v4-len 24 teid 0x12345678 qfi 9 r"),
    ("sid --locator 2001:db8:3::e/64 --teid 0x123 --qfi 0",
     "2001:db8:3::1:2300:e", "--locator-len 64 --gtp6",
     "locator 2001:db8:3::e/64 teid 0x123 qfi 0"),
    ("sid --locator 2001:db8:1:2:3:400::/88 --teid 0x12345678 --qfi 9 --u",
     "2001:db8:1:2:3:425:1234:5678", "--locator-len 88 --gtp6",
     "locator 2001:db8:1:2:3:400::/88 teid 0x12345678 qfi 9 u"),
    ("src --prefix 2001:db8:2::1/64 --gtp4-src 10.0.0.2",
     "2001:db8:2:0:a00:2:0:1", "--locator-len 64 --src",
     "prefix 2001:db8:2::1/64 gtp4-src 10.0.0.2"),
    ("src --prefix 2001:db8:ffff::1/41 --gtp4-src 172.16.240.0 --v4-len 20",
     "2001:db8:ffd6:878::1", "--prefix-len 41 --src --v4_len 20",
     "prefix 2001:db8:ff80::1/41 gtp4-src 172.16.240.0 v4-len 20"),
]

# words, the word at fault (None: none in particular), what the message says
REFUSED = [
    ("sid --locator 2001:db8::/57 --gtp4-dst 10.0.0.1 --teid 1 --qfi 1", "2001:db8::/57", "57 bits leave no room"),
    ("sid --locator 2001:db8::/89 --teid 1 --qfi 1", "2001:db8::/89", "89 bits leave no room"),
    ("sid --locator 2001:db8::1 --teid 1 --qfi 1", "2001:db8::1", "128 bits leave no room"),
    ("sid --locator 10.0.0.0/8 --teid 1 --qfi 1", "10.0.0.0/8", ""),
    ("sid --locator 2001:db8::/32 --gtp4-dst 10.0.0.1 --v4-len 24 --teid 1 --qfi 1", "10.0.0.1", "would be lost"),
    ("sid --locator 2001:db8::/32 --gtp4-dst 10.0.0.1 --v4-len 0 --teid 1 --qfi 1", "0", "1"),
    ("sid --locator 2001:db8::/32 --gtp4-dst 10.0.0.1 --v4-len 33 --teid 1 --qfi 1", "33", "32"),
    ("sid --locator 2001:db8::/32 --v4-len 24 --teid 1 --qfi 1", "v4-len", "needs gtp4-dst"),
    ("sid --locator 2001:db8::/32 --gtp4-dst fc00::1 --teid 1 --qfi 1", "fc00::1", ""),
    ("sid --locator 2001:db8::/32 --teid 1 --qfi 64", "64", "63"),
    ("sid --locator 2001:db8::/32 --teid 0x100000000 --qfi 1", "0x100000000", ""),
    ("sid --locator 2001:db8::/32 --teid -1 --qfi 1", "-1", ""),
    ("sid --locator 2001:db8::/32 --qfi 1", None, "teid is missing"),
    ("sid --teid 1 --qfi 1", None, "locator is missing"),
    ("sid --locator 2001:db8::/32 --teid 1 --teid 2 --qfi 1", "teid", "given twice"),
    ("sid --locator 2001:db8::/32 --tied 1 --qfi 1", "tied", "teid"),
    ("src --prefix 2001:db8::/97 --gtp4-src 10.0.0.1", "2001:db8::/97", "97 bits leave no room"),
    ("src --prefix 2001:db8::/64", None, "gtp4-src is missing"),
    ("decode 2001:db8::1", None, "locator-len is missing"),
    ("decode 2001:db8::1 --locator-len 57", "57", "57 bits leave no room"),
    ("decode 2001:db8::1 --locator-len 89 --gtp6", "89", "89 bits leave no room"),
    ("decode 2001:db8::1 --locator-len 97 --src", "97", "97 bits leave no room"),
    ("decode 2001:db8::1 --locator-len 32 --gtp4 --src", "src", "only one of"),
    ("decode 2001:db8::1 --locator-len 32 --gtp6 --v4-len 24", "v4-len", "no IPv4"),
    ("decode 10.0.0.1 --locator-len 32", "10.0.0.1", ""),
    ("args put 2001:db8:: --bit 89 --teid 1 --qfi 1", "89", "88"),
    ("args put 2001:db8:: --bit 0 --teid 1", None, "qfi is missing"),
    ("args get 2001:db8::", None, "bit is missing"),
    ("args get 2001:db8:: --bit 0 --qfi 1", "qfi", ""),
    ("args set 2001:db8:: --bit 0", "set", ""),
]


class Mobile(unittest.TestCase):
    def ok(self, *words):
        done = srv6(*words)
        self.assertEqual((done.returncode, done.stderr), (0, ""), words)
        return done.stdout

    def test_worked_values(self):
        for make, address, how, line in WORKED:
            with self.subTest(make):
                self.assertEqual(self.ok("mobile", *make.split()), address + "\n")
                self.assertEqual(self.ok("mobile", "decode", address, *how.split()), line + "\n")
                again = line.replace("locator", "sid locator", 1) if line[0] == "l" else "src " + line
                self.assertEqual(self.ok("mobile", *again.split()), address + "\n", "what decode prints is read")

    def test_json(self):
        want = {"address": "2001:db8:c000:201:2412:3456:7800:0", "layout": "End.M.GTP4.E",
                "locator": "2001:db8::/32", "gtp4_dst": "192.0.2.1", "v4_len": 32, "bit": 64,
                "teid": 0x12345678, "qfi": 9, "r": False, "u": False}
        make = "--locator 2001:db8::/32 --gtp4-dst 192.0.2.1 --teid 0x12345678 --qfi 9".split()
        self.assertEqual(json.loads(self.ok("-j", "mobile", "sid", *make)), want)
        self.assertEqual(json.loads(self.ok("-j", "mobile", "decode", want["address"], "--locator-len", 32)), want)
        self.assertEqual(json.loads(self.ok("-j", "mobile", "decode", "2001:db8:3::1:2300:e", "--locator-len", 64, "--gtp6")),
                         {"address": "2001:db8:3::1:2300:e", "layout": "End.M.GTP6.E", "locator": "2001:db8:3::e/64",
                          "bit": 64, "teid": 0x123, "qfi": 0, "r": False, "u": False})
        self.assertEqual(json.loads(self.ok("-j", "mobile", "src", "--prefix", "2001:db8:2::1/64", "--gtp4-src", "10.0.0.2")),
                         {"address": "2001:db8:2:0:a00:2:0:1", "layout": "source", "prefix": "2001:db8:2::1/64",
                          "gtp4_src": "10.0.0.2", "v4_len": 32})
        self.assertEqual(json.loads(self.ok("-j", "mobile", "args", "get", "2001:db8:3::1:2300:e", "--bit", 64)),
                         {"address": "2001:db8:3::1:2300:e", "layout": "Args.Mob.Session", "bit": 64,
                          "teid": 0x123, "qfi": 0, "r": False, "u": False})

    def test_args_at_bits(self):
        """some: the library's own test goes through all of them"""
        rnd = random.Random(9433)
        for bit in range(0, 89, 4):
            start = str(ipaddress.IPv6Address(rnd.getrandbits(128)))
            qfi, r, u, teid = rnd.randrange(64), rnd.randrange(2), rnd.randrange(2), rnd.getrandbits(32)
            flags = ["--r"] * r + ["--u"] * u
            with self.subTest(bit=bit):
                got = self.ok("mobile", "args", "put", start, "--bit", bit, "--teid", teid, "--qfi", qfi, *flags).strip()
                want = build(start, bit, session(qfi, r, u, teid))
                self.assertEqual(ipaddress.IPv6Address(got), ipaddress.IPv6Address(want))
                self.assertEqual(self.ok("mobile", "args", "get", got, "--bit", bit),
                                 f"teid 0x{teid:x} qfi {qfi}{' r' * r}{' u' * u}\n")

    def test_random_sids(self):
        rnd = random.Random(27)
        for _ in range(15):
            v4_len = rnd.randrange(1, 33)
            length = rnd.randrange(0, 89 - v4_len)
            template = str(ipaddress.IPv6Address(rnd.getrandbits(128)))
            v4 = rnd.getrandbits(v4_len)
            dst = str(ipaddress.IPv4Address(v4 << (32 - v4_len)))
            qfi, teid = rnd.randrange(64), rnd.getrandbits(32)
            with self.subTest(template=template, length=length, dst=dst, v4_len=v4_len):
                got = self.ok("mobile", "sid", "--locator", f"{template}/{length}", "--gtp4-dst", dst, "--v4-len", v4_len,
                              "--teid", teid, "--qfi", qfi).strip()
                want = build(template, length, [(v4_len, v4)] + session(qfi, 0, 0, teid))
                self.assertEqual(ipaddress.IPv6Address(got), ipaddress.IPv6Address(want))
                parts = json.loads(self.ok("-j", "mobile", "decode", got, "--locator-len", length, "--v4-len", v4_len))
                self.assertEqual((parts["gtp4_dst"], parts["qfi"], parts["teid"]), (dst, qfi, teid))

    def test_refused(self):
        for words, at, says in REFUSED:
            with self.subTest(words):
                done = srv6("mobile", *words.split())
                self.assertEqual((done.returncode, done.stdout), (2, ""))
                self.assertIn(says, done.stderr)
                if at:
                    self.assertIn(at, done.stderr)

    def test_the_encapsulation_tells_the_numbering(self):
        text = "route add 2001:db8:e::/56 encap seg6local action End.M.GTP4.E src 2001:db8:e::100 v4_mask_len 32 dev if4000001\n"
        self.assertEqual(self.ok("--dry-run", *text.split()), text)
        message = self.ok("--dry-run", "--hex", "--mobile", "mobile-v2", *text.split())
        self.assertEqual(self.ok("--dry-run", "--hex", *text.split()), message)
        self.assertEqual(self.ok("decode", message.strip()), text)
        shown = json.loads(self.ok("-j", "decode", message.strip()))["hops"][0]["encap"]
        self.assertEqual((shown["encap_type"], shown["action"]), ("seg6local", "End.M.GTP4.E"))

    def test_refused_in_json(self):
        done = srv6("-j", "mobile", "sid", "--locator", "2001:db8::/57", "--gtp4-dst", "10.0.0.1", "--teid", 1, "--qfi", 1)
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn("57 bits leave no room", json.dumps(json.loads(done.stderr)))


if __name__ == "__main__":
    unittest.main()

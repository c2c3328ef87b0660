#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""The grammar: what is read, what is refused and how it is said, text and JSON that read themselves. $SRV6: the binary."""

import json
import os
import re
import shlex
import socket
import random
import subprocess
import tempfile
import unittest

SRV6 = os.environ.get("SRV6", "srv6")
DEV = "if4000001"  # a device that no machine has: read and shown by its number


def srv6(*words, stdin=None):
    return subprocess.run([SRV6, *words], capture_output=True, text=True, timeout=30, input=stdin)


def dry(line, *options):
    return srv6("--dry-run", *options, *shlex.split(line))


# command -> canonical text. Each text is also its own canonical form, and its JSON reads as the same.
READ = [
    ("route add 2001:db8:a::/64 encap seg6 mode encap segs fc00:2::1 dev D",
     "route add 2001:db8:a::/64 encap seg6 mode encap segs fc00:2::1 dev D"),
    ("route add 2001:db8:a::/64 --segs fc00:2::1 --tunsrc=2001:db8::1 --dev D",
     "route add 2001:db8:a::/64 encap seg6 mode encap tunsrc 2001:db8::1 segs fc00:2::1 dev D"),
    ("route add 2001:db8:a::/64 dev D tunsrc 2001:db8::1 segs fc00:2::1",
     "route add 2001:db8:a::/64 encap seg6 mode encap tunsrc 2001:db8::1 segs fc00:2::1 dev D"),
    ("route add 2001:db8:a::/64 H.Encaps.Red segs fc00:2::1,fc00:3::1 dev D",
     "route add 2001:db8:a::/64 encap seg6 mode encap.red segs fc00:2::1,fc00:3::1 dev D"),
    ("route add 2001:db8:a::/64 encap H.Insert segs fc00:2::1 dev D",
     "route add 2001:db8:a::/64 encap seg6 mode inline segs fc00:2::1 dev D"),
    ("route add 2001:db8:a::/64 mode l2encap segs fc00:2::1 dev D",
     "route add 2001:db8:a::/64 encap seg6 mode l2encap segs fc00:2::1 dev D"),
    # as iproute2 shows it: the '::' of inline and End.B6 is the kernel's
    ("route add 2001:db8:a::/64 encap seg6 mode inline segs 3 [ fc00:2::1 fc00:3::1 :: ] dev D",
     "route add 2001:db8:a::/64 encap seg6 mode inline segs fc00:2::1,fc00:3::1 dev D"),
    ("route add fc00::b encap seg6local action End.B6 segs 2 [ fc00:2::1 :: ] dev D",
     "route add fc00::b encap seg6local action End.B6 srh segs fc00:2::1 dev D"),
    ("route add 2001:db8:a::/64 segs fc00:2::1 hmac 0x10 lookup 500 dev D",
     "route add 2001:db8:a::/64 encap seg6 mode encap segs fc00:2::1 hmac 16 lookup 500 dev D"),
    ("route add 198.51.100.0/24 segs fc00::1 via inet6 fe80::1 dev D",
     "route add 198.51.100.0/24 encap seg6 mode encap segs fc00::1 via inet6 fe80::1 dev D"),
    ("route add default segs fc00::1 dev D", "route add 0.0.0.0/0 encap seg6 mode encap segs fc00::1 dev D"),
    ("-6 route add default segs fc00::1 dev D", "route add ::/0 encap seg6 mode encap segs fc00::1 dev D"),
    ("route add default segs fc00::1 via fe80::1 dev D", "route add ::/0 encap seg6 mode encap segs fc00::1 via fe80::1 dev D"),
    ("route replace 2001:db8::/32 segs fc00::1 dev D table 100 proto static metric 7 mtu lock 1400 rtt 2s features ecn",
     "route replace 2001:db8::/32 encap seg6 mode encap segs fc00::1 dev D table 100 proto static metric 7 mtu lock 1400 "
     "rtt 2000ms features 1"),
    ("route add 2001:db8::/32 segs fc00::1 dev D src 2001:db8::7 table main proto boot pref high",
     "route add 2001:db8::/32 encap seg6 mode encap segs fc00::1 dev D src 2001:db8::7 pref high"),
    ("route add 10.0.0.0/8 nexthop segs fc00::1 via 10.1.1.1 dev D weight 5 nexthop segs fc00::2 via inet6 fe80::2 dev D weight 1",
     "route add 10.0.0.0/8 nexthop encap seg6 mode encap segs fc00::1 via 10.1.1.1 dev D weight 5 "
     "nexthop encap seg6 mode encap segs fc00::2 via inet6 fe80::2 dev D weight 1"),
    ("route add 2001:db8::/32 nhid 7", "route add 2001:db8::/32 nhid 7"),
    ("route add 2001:db8::/32 via fe80::1 dev D onlink", "route add 2001:db8::/32 via fe80::1 dev D onlink"),
    ("route del 2001:db8::/32", "route del 2001:db8::/32"),
    ("route prepend 10.0.0.0/8 segs fc00::1 dev D", "route prepend 10.0.0.0/8 encap seg6 mode encap segs fc00::1 dev D"),
    ("sid add fc00::1 End dev D", "route add fc00::1 encap seg6local action End dev D"),
    ("sid add fc00::1 End.X nh6 fe80::1 oif D count flavors next-csid lblen 48 nflen 16 dev D",
     "route add fc00::1 encap seg6local action End.X nh6 fe80::1 oif D count flavors next-csid lblen 48 nflen 16 dev D"),
    ("sid add fc00::1 --count End --flavors PSP --dev D", "route add fc00::1 encap seg6local action End count flavors psp dev D"),
    ("sid add fc00::1 End count packets 5 bytes 700 errors 1 dev D", "route add fc00::1 encap seg6local action End count dev D"),
    ("sid add fc00::1 End.DT6 table 100 dev D table 200",
     "route add fc00::1 encap seg6local action End.DT6 table 100 dev D table 200"),
    ("sid add fc00::1 End.DT6 vrftable 100 dev D", "route add fc00::1 encap seg6local action End.DT6 vrftable 100 dev D"),
    ("sid add fc00::1 encap seg6local action End.B6.Encaps srh segs fc00::2,fc00::3 hmac 9 dev D",
     "route add fc00::1 encap seg6local action End.B6.Encaps srh segs fc00::2,fc00::3 hmac 9 dev D"),
    # uA: the lengths come from the prefix, the block being 32 bits
    ("sid add fcbb:bbbb:1:e001::/64 uA nh6 fe80::1 dev D",
     "route add fcbb:bbbb:1:e001::/64 encap seg6local action End.X nh6 fe80::1 flavors next-csid lblen 32 nflen 32 dev D"),
    ("sid add fcbb:bbbb:1::/48 uN dev D", "route add fcbb:bbbb:1::/48 encap seg6local action End flavors next-csid dev D"),
    ("sid add fcbb:bbbb:100::/40 uN dev D",
     "route add fcbb:bbbb:100::/40 encap seg6local action End flavors next-csid lblen 32 nflen 8 dev D"),
    ("sid add fc00::46 uDT46 vrftable 5 dev D", "route add fc00::46 encap seg6local action End.DT46 vrftable 5 dev D"),
    ("route add 2001:db8::/32 encap mpls raw 00112233 dev D", "route add 2001:db8::/32 encap mpls raw 00112233 dev D"),
    ("route add 2001:db8::/32 encap seg6local number 99 raw 0800010063000000 dev D",
     "route add 2001:db8::/32 encap seg6local number 99 raw 0800010063000000 dev D"),
    ("nexthop add id 5 segs fc00::1 via fe80::1 dev D", "nexthop add id 5 encap seg6 mode encap segs fc00::1 via fe80::1 dev D"),
    ("nexthop add 5 segs fc00::1 dev D family inet", "nexthop add id 5 family inet encap seg6 mode encap segs fc00::1 dev D"),
    ("nexthop replace id 9 group 5,3/6", "nexthop replace id 9 group 5,3/6"),
    ("nexthop del id 9", "nexthop del id 9"),
    ("tunsrc set 2001:db8::1", "tunsrc set 2001:db8::1"),
    ("tunsrc unset", "tunsrc unset"),
    ("hmac del 4294967295", "hmac del 4294967295"),
]

# command, the sentence, the word or part under the caret
REFUSED = [
    ("rout add", "rout: no such object; did you mean 'route'?", "rout"),
    ("route ad x", "ad: no such command; did you mean 'add'?", "ad"),
    ("route add 2001:zz segs fc00::1 dev D", "a prefix is expected, not '2001:zz'", "2001:zz"),
    ("route add 2001:db8::1/32 segs fc00::1 dev D", "2001:db8::1/32 has bits set behind its prefix length", "2001:db8::1/32"),
    ("route add 10.0.0.1/8 segs fc00::1 dev D", "10.0.0.1/8 has bits set behind its prefix length", "10.0.0.1/8"),
    ("route add 2001:db8::/129 segs fc00::1 dev D", "a prefix is expected, not '2001:db8::/129'", "2001:db8::/129"),
    ("-4 route add 2001:db8::/32 segs fc00::1 dev D", "2001:db8::/32: an IPv4 prefix is expected (-4)", "2001:db8::/32"),
    ("route add 2001:db8::/64 segs fc00::1,fc00:zz,fc00::2 dev D", "segs: an IPv6 address is expected, not 'fc00:zz'", "fc00:zz"),
    ("route add 2001:db8::/64 segs fc00::1,,fc00::2 dev D", "segs: segment 2 is empty: an IPv6 address is expected", ","),
    ("route add 2001:db8::/64 segs fc00::1, dev D", "segs: segment 2 is empty: an IPv6 address is expected", ","),
    ("route add 2001:db8::/64 segs 10.0.0.1 dev D", "segs: an IPv6 address is expected, not '10.0.0.1'", "10.0.0.1"),
    ("route add 2001:db8::/64 segs any dev D", "segs: an IPv6 address is expected, not 'any'", "any"),
    ("route add 2001:db8::/64 segs fc00::1 dev", "dev: DEV must follow", None),
    ("route add 2001:db8::/64 segs fc00::1 dev nosuchdev0", "dev: there is no device 'nosuchdev0'", "nosuchdev0"),
    ("route add 2001:db8::/64 segs fc00::1 dev D dev D", "dev: it is there twice", "dev"),
    ("route add 2001:db8::/64 segs fc00::1 segs fc00::2 dev D", "segs: it is there twice", "segs"),
    ("route add 2001:db8::/64 segs fc00::1 devv D", "devv: no such word; did you mean 'dev'?", "devv"),
    ("route add 2001:db8::/64 segs fc00::1 cleanup dev D",
     "cleanup: ip's help has it, but neither ip nor any kernel does anything with it", "cleanup"),
    ("route add 2001:db8::/64 segs fc00::1 hmac zz dev D", "hmac: a number is expected, not 'zz'", "zz"),
    ("route add 2001:db8::/64 segs fc00::1 hmac 0 dev D", "hmac: 0 is out of range, it is from 1 to 4294967295", "0"),
    ("route add 2001:db8::/64 segs fc00::1 hmac 4294967296 dev D",
     "hmac: 4294967296 is out of range, it is from 1 to 4294967295", "4294967296"),
    ("route add 2001:db8::/64 segs fc00::1 lookup 0 dev D", "lookup: table 0 is none", "0"),
    ("route add 2001:db8::/64 encap seg6 mode inlin segs fc00::1 dev D", "inlin: no such mode; did you mean 'inline'?", "inlin"),
    ("route add 2001:db8::/64 encap seg7 mode inline", "seg7: no such encapsulation; did you mean 'seg6'?", "seg7"),
    ("route add fc00::1 encap seg6local action end dev D", "end: no such action; did you mean 'End'?", "end"),
    ("route add fc00::1 encap seg6 action End dev D", "End: not with encap seg6; it is encap seg6local", "End"),
    ("route add fc00::1 End action End.X dev D", "End.X: a behavior was given already", "End.X"),
    ("route add 2001:db8::/64 encap seg6 dev D", "an encapsulation needs segments or a behavior: segs ADDR6,...", "seg6"),
    ("route add fc00::1 encap seg6local dev D", "encap seg6local: an action is missing, such as action End", "seg6local"),
    ("route add 2001:db8::/64 encap mpls 100 dev D", "encap mpls: only SRv6 encapsulations are set by words", "mpls"),
    ("route add 2001:db8::/64 encap seg6 mode inline tunsrc 2001:db8::1 segs fc00::1 dev D", "H.Insert takes no tunsrc", "tunsrc"),
    ("sid add fc00::1 End.X dev D", "End.X needs nh6", "End.X"),
    ("sid add fc00::1 End.X nh6 fe80::1 table 100 dev D", "table: End.X takes no table", "table"),
    ("sid add fc00::1 End flavors psp,usx dev D", "flavors: 'usx' is none of them; psp, usp, usd, next-csid is expected", "usx"),
    ("sid add fc00::1 End flavors psp,psp dev D", "flavors: 'psp' is there twice", "psp"),
    ("sid add fc00::1 dev D", "a SID needs a behavior: End, End.X nh6 ADDR6, End.DT46 vrftable TABLE, ...", None),
    ("sid add fc00::1 H.Encaps segs fc00::2 dev D", "a SID needs an endpoint behavior; this is one of a headend", "H.Encaps"),
    ("sid add fc00::1 End.BM dev D", "no Linux kernel implements End.BM", "End.BM"),
    ("sid add fc00::1 End dev lo", "dev: a route with an encapsulation on lo answers every packet with unreachable: "
     "the kernel takes it and never runs it", "lo"),
    ("route add 10.0.0.0/8 encap seg6 mode encap segs fc00::1 nexthop via 10.1.1.1 dev D",
     "an encapsulation before the first nexthop belongs to no hop", "encap"),
    ("route add 10.0.0.0/8 via inet6 10.0.0.1 dev D", "via: an IPv6 address is expected, not '10.0.0.1'", "10.0.0.1"),
    ("route add 10.0.0.0/8 mode inline segs fc00::1 dev D", "H.Insert applies to IPv6 routes only", "10.0.0.0/8"),
    ("route add 2001:db8::/32 segs fc00::1 dev D proto 256", "proto: a protocol's name or number up to 255 is expected, not '256'",
     "256"),
    ("nexthop add segs fc00::1 dev D", "a nexthop object needs its number: id ID", None),
    ("nexthop add id 0 segs fc00::1 dev D", "id: 0 is out of range, it is from 1 to 4294967295", "0"),
    ("tunsrc set 10.0.0.1", "10.0.0.1: the tunnel source is expected, an IPv6 address", "10.0.0.1"),
    ("tunsrc set ff02::1", "ff02::1 is a multicast address, which can't be the source of packets that are forwarded", "ff02::1"),
    ("tunsrc set 2001:db8::1 x y", "tunsrc set: 'y' was not expected", "y"),
    ("hmac set 5 md5", "md5: sha1 or sha256 is expected", "md5"),
    ("hmac set 5 sha256 secret abcd", "secret: never on the command line, where everyone can read it", "secret"),
    ("hmac set 5 sha256 fil x", "file FILE or fd N is expected here", None),
    ("hmac set 0 sha256", "0: a key id is from 1 to 4294967295", "0"),
    ("route show tabel 5", "tabel: no such condition; did you mean 'table'?", "tabel"),
    ("route show table nosuchtable", "table: a routing table's number or name is expected, not 'nosuchtable'", "nosuchtable"),
    ("route flush", "route flush: a condition is missing", None),
    ("behavior End.Y", "End.Y: no such behavior; did you mean 'End.X'?", "End.Y"),
]


def argv(command):
    return shlex.split(command.replace(" D", " " + DEV))


class Read(unittest.TestCase):
    def test_canonical_text_reads_itself(self):
        for command, text in READ:
            text = text.replace(" D", " " + DEV)
            with self.subTest(command):
                got = srv6("--dry-run", "-q", *argv(command))
                self.assertEqual((got.returncode, got.stderr, got.stdout), (0, "", text + "\n"))
                again = dry(text, "-q")
                self.assertEqual((again.returncode, again.stderr, again.stdout), (0, "", text + "\n"))

    def test_conditions_of_lists(self):
        for words in ("to", "to to", "root", "table", "mode", "segs", "dev"):
            got = srv6("route", "show", *words.split())
            self.assertEqual(got.returncode, 2, f"{words}: {got}")
            self.assertRegex(got.stderr, "must follow", words)
        self.assertEqual(srv6("batch", "-", stdin="route show " + "to " * 300000 + "\n").returncode, 2)

    def test_a_table_behind_a_bare_encapsulation_would_be_the_encapsulations(self):
        text = dry("route del 2001:db8:a::/64 table 17 End segs fc00:2::1 tag 7").stdout
        self.assertEqual(text, "route del 2001:db8:a::/64 table 17 encap seg6local action End srh segs fc00:2::1 tag 7\n")
        self.assertEqual(dry(text).stdout, text)

    def test_json_is_one_object_and_the_same_for_both_texts(self):
        for command, text in READ:
            with self.subTest(command):
                a = srv6("--dry-run", "-j", "-q", *argv(command))
                b = dry(text.replace(" D", " " + DEV), "-j", "-q")
                told = {k: v for k, v in json.loads(a.stdout).items() if (k, v) not in (("table", 254), ("protocol", "boot"))}
                self.assertEqual(told, json.loads(b.stdout))
                pretty = dry(text.replace(" D", " " + DEV), "-jp", "-q")
                self.assertEqual(told, json.loads(pretty.stdout))

    def test_shape_of_json(self):
        o = json.loads(dry(f"route add 2001:db8::/32 segs fc00::1,fc00::2 hmac 0x2a dev {DEV} table 100 proto 200", "-j").stdout)
        self.assertEqual(o, {"object": "route", "verb": "add", "dst": "2001:db8::/32", "table": 100, "protocol": 200, "hops": [
            {"encap": {"encap_type": "seg6", "behavior": "H.Encaps", "mode": "encap", "segs": ["fc00::1", "fc00::2"], "hmac": 42},
             "dev": DEV}]})

    def test_bytes_need_no_socket_and_decode_to_the_text(self):
        for command, text in READ:
            if not text.startswith(("route add", "route del", "nexthop add", "nexthop del")):
                continue
            if "flavors next-csid" in text or "features" in text:
                continue
            with self.subTest(command):
                bytes_ = srv6("--dry-run", "--hex", "-q", *argv(command)).stdout.strip()
                got = srv6("decode", bytes_)
                want = text.replace(" D", " " + DEV)
                # what the message says and the command left to its default
                self.assertEqual(got.stdout.replace(" scope link", "").replace(" scope nowhere", "").replace(" proto unspec", ""),
                                 want + "\n", got.stderr)

    def test_usid_names(self):
        got = dry(f"sid add fcbb:bbbb:1:e001::/64 uA nh6 fe80::1 dev {DEV}", "--usid").stdout
        self.assertEqual(got, f"route add fcbb:bbbb:1:e001::/64 encap seg6local action uA nh6 fe80::1 lblen 32 nflen 32 dev {DEV}\n")
        self.assertEqual(dry(got, "--usid").stdout, got)
        # no nflen: the kernel's 16. "uA" and "uN" alone would be read as the 32 that fit this prefix
        for words in ("End.X nh6 fe80::1 flavors next-csid", "End flavors next-csid"):
            got = dry(f"sid add fcbb:bbbb:1:e001::/64 {words} dev {DEV}", "--usid", "-q").stdout
            self.assertEqual(got, f"route add fcbb:bbbb:1:e001::/64 encap seg6local action {words} dev {DEV}\n")

    def test_usid_names_in_json_mean_what_the_words_mean(self):
        for words, members in (("uN", {}), ("uA nh6 fe80::1", {"nh6": "fe80::1"}), ("uA nh6 fe80::1 lblen 48", {"nh6": "fe80::1", "lblen": 48}),
                               ("uA nh6 fe80::1 nflen 16", {"nh6": "fe80::1", "nflen": 16}),
                               ("uN flavors psp", {"flavors": ["psp"]}), ("uDT6 table 254", {"table": 254})):
            for length in (48, 64, 80, 128):
                route = {"dst": f"fcbb:bbbb:1::/{length}",
                         "hops": [{"encap": {"behavior": words.split()[0], **members}, "dev": DEV}]}
                got = srv6("--dry-run", "-q", "restore", "-", stdin=json.dumps({"srv6": 1, "routes": [route]}))
                want = dry(f"sid replace fcbb:bbbb:1::/{length} {words} dev {DEV}", "-q").stdout
                self.assertEqual(got.stdout.replace(" proto srv6", ""), want.replace("/128 ", " "), got.stderr)

    def test_addresses_are_written_as_inet_ntop_writes_them(self):
        rng = random.Random(8986)
        segs = []
        for _ in range(2000):
            groups = [rng.choice([0, 0, 0, 1, 0xffff, 0xabc, rng.getrandbits(16)]) for _ in range(8)]
            segs.append(b"".join(g.to_bytes(2, "big") for g in groups))
        segs = [s for s in segs if any(s[:12]) and s[0] != 0xff and s[:12] != bytes(10) + b"\xff\xff"]
        for at in range(0, len(segs) - 100, 100):
            long = [":".join(f"{s[i] << 8 | s[i + 1]:x}" for i in range(0, 16, 2)) for s in segs[at:at + 100]]
            got = json.loads(dry(f"route add 2001:db8::/32 segs {','.join(long)} dev {DEV}", "-j", "-q").stdout)
            self.assertEqual(got["hops"][0]["encap"]["segs"], [socket.inet_ntop(socket.AF_INET6, s) for s in segs[at:at + 100]])

    def test_127_segments_and_not_128(self):
        segs = [f"fc00:1111:2222:3333:4444:5555:6666:{i:x}" for i in range(1, 129)]
        self.assertEqual(dry(f"route add 2001:db8::/32 segs {','.join(segs[:127])} dev {DEV}").returncode, 0)
        got = dry(f"route add 2001:db8::/32 segs {','.join(segs)} dev {DEV}", "--hex")
        self.assertEqual((got.returncode, got.stdout), (2, ""))
        self.assertIn("128 segments do not fit", got.stderr)

    def test_warnings(self):
        got = dry(f"route add 2001:db8::/32 segs fe80::1 dev {DEV}")
        self.assertEqual((got.returncode, got.stderr),
                         (0, "srv6: warning: segment fe80::1 is a link-local address: it is never forwarded\n"))
        got = dry(f"sid add fc00:1::/56 End flavors next-csid dev {DEV}", "-j")
        self.assertEqual(got.returncode, 0)
        self.assertEqual(json.loads(got.stderr)["warning"],
                         "next-csid with lblen 32 and nflen 16 goes with a /48 prefix, and this one is /56")
        self.assertEqual(dry(f"route add 2001:db8::/32 segs fe80::1 dev {DEV}", "-q").stderr, "")


class Refused(unittest.TestCase):
    def caret(self, lines):
        for line, below in zip(lines, lines[1:]):
            if below.strip(" ^") == "" and "^" in below:
                at = below.index("^")
                return line[at:at + below.count("^")]
        return None

    def test_text_and_caret(self):
        for command, sentence, part in REFUSED:
            with self.subTest(command):
                got = srv6("--dry-run", *argv(command))
                lines = got.stderr.rstrip("\n").split("\n")
                self.assertEqual((got.returncode, got.stdout, lines[0]), (2, "", "srv6: " + sentence))
                if part is not None:
                    self.assertEqual(self.caret(lines), part.replace("D", DEV) if part == "D" else part)

    def test_json(self):
        for command, sentence, part in REFUSED:
            with self.subTest(command):
                got = srv6("--dry-run", "-j", *argv(command))
                self.assertEqual((got.returncode, got.stdout), (2, ""))
                error = json.loads(got.stderr)["error"]
                self.assertEqual(error["text"], sentence)
                self.assertGreater(error["code"], 0)
                self.assertTrue(error["errno"].startswith("E"))
                if part is not None:
                    line = " ".join(a for a in argv(command) if a not in ("-4", "-6"))
                    self.assertEqual(error["word"], part)
                    self.assertEqual(line[error["column"] - 1:][:len(part)], part)

    def test_long_lines_are_cut_around_the_caret(self):
        segs = ",".join(f"fc00:1111:2222:3333:4444:5555:6666:{i:x}" for i in range(1, 100)) + ",fc00:zz"
        lines = dry(f"route add 2001:db8::/32 segs {segs} dev {DEV}").stderr.split("\n")
        self.assertEqual(self.caret(lines), "fc00:zz")
        self.assertLess(max(map(len, lines)), 130)

    def test_terminals_are_given_no_control_characters(self):
        got = srv6("--dry-run", "route", "add", "2001:db8::/32", "segs", "fc00::1\x1b[31m", "dev", DEV)
        self.assertEqual(got.returncode, 2)
        self.assertNotIn("\x1b", got.stderr)

    def test_options(self):
        for words in (["-x"], ["-n"], ["--color=alwys", "show"], ["--dry-run=1", "show"], ["--mobile", "v9", "show"], []):
            with self.subTest(words):
                self.assertEqual(srv6(*words).returncode, 2)
        self.assertEqual(srv6("-n", "no-such-namespace-of-tests", "show").returncode, 1)


class Help(unittest.TestCase):
    def test_every_level(self):
        tool = srv6("help")
        self.assertEqual((tool.returncode, tool.stderr), (0, ""))
        self.assertEqual(srv6("--help").stdout, tool.stdout)
        for line in tool.stdout.split("\n\nOPTIONS")[0].split("\n")[4:]:
            words = line[:21].split()
            if not words:
                continue
            with self.subTest(words):
                got = srv6(*words, "--help")
                self.assertEqual((got.returncode, got.stderr), (0, ""))
                self.assertIn("usage: srv6 [OPTIONS] " + " ".join(words), got.stdout)
                self.assertEqual(srv6("help", *words[:1]).returncode, 0)
                if len(words) > 1:
                    self.assertEqual(srv6(words[0], "help").stdout, srv6("help", words[0]).stdout)

    def test_words_of_the_rows(self):
        text = srv6("route", "add", "--help").stdout
        for word in ("segs ADDR6", "tunsrc ADDR6", "vrftable TABLE", "weight 1..256", "mtu [lock] BYTES", "End.DT46", "encap.red"):
            self.assertIn(word, text)

    def test_behaviors(self):
        rows = json.loads(srv6("-j", "behavior").stdout)
        self.assertEqual(len(rows), 27)
        for row in rows:
            with self.subTest(row["behavior"]):
                self.assertEqual(json.loads(srv6("-j", "behavior", row["behavior"]).stdout), row)
                self.assertIn(row["summary"], srv6("behavior", row["behavior"]).stdout)

    def test_complete_knows_what_help_explains(self):
        def complete(*words):
            return srv6("complete", *words).stdout.split()
        for command in ("doctor", "batch", "apply", "perf"):
            options = re.findall(r"^  (--[a-z-]+)", srv6(command, "--help").stdout, re.M)
            self.assertGreater(len(options), 1, command)
            self.assertLessEqual(set(options), set(complete(command)), command)
        codes = {row["code"] for row in json.loads(srv6("-j", "doctor", "--list").stdout)}
        self.assertEqual(codes - set(complete("doctor", "--fix")), set())
        self.assertEqual(codes & set(complete("doctor")), set())
        self.assertEqual(complete("hmac", "set", "1"), ["sha1", "sha256", "file", "fd"])
        self.assertIn("vrftable", complete("sid", "add", "fc00::1", "End.DT4"))

    def test_version(self):
        self.assertRegex(srv6("-V").stdout, r"^srv6 \d+\.\d+\.\d+, libsrv6 \d")
        self.assertEqual(set(json.loads(srv6("-j", "version").stdout)), {"srv6", "libsrv6"})

    def test_output_that_cannot_be_written(self):
        with open("/dev/full", "w") as full:
            got = subprocess.run([SRV6, "behavior"], stdout=full, stderr=subprocess.PIPE, text=True)
        self.assertEqual(got.returncode, 1)
        self.assertIn("the output could not be written", got.stderr)


class Decode(unittest.TestCase):
    ROUTE = ("640000001800050600000000000000000a400000fe030001000000001400010020010db8000a00000000000000000000"
             "2400168020000100010000000002040000000000fc0000020000000000000000000000010600150005000000080004000109fd3d")

    def test_words_lines_and_blanks(self):
        want = "route add 2001:db8:a::/64 encap seg6 mode encap segs fc00:2::1 dev if1039993089\n"
        self.assertEqual(srv6("decode", self.ROUTE).stdout, want)
        self.assertEqual(srv6("decode", self.ROUTE + self.ROUTE).stdout, 2 * want)
        spaced = " ".join(self.ROUTE[i:i + 8] for i in range(0, len(self.ROUTE), 8))
        self.assertEqual(srv6("decode", stdin=spaced + " # a route\n\n" + self.ROUTE + "\n").stdout, 2 * want)

    def test_broken(self):
        for text in ("6", "zz", "64000000", self.ROUTE[:-2], self.ROUTE.replace("14000100", "ff000100", 1)):
            with self.subTest(text[:20]):
                got = srv6("decode", text)
                self.assertEqual((got.returncode, got.stdout), (2, ""))
        got = srv6("decode", stdin="zz\n" + self.ROUTE + "\n")
        self.assertEqual((got.returncode, len(got.stdout.splitlines())), (2, 1))


class Secrets(unittest.TestCase):
    def test_from_a_file_and_never_shown(self):
        with tempfile.NamedTemporaryFile("w") as f:
            f.write("geheim\n")
            f.flush()
            got = srv6("--dry-run", "hmac", "set", "5", "sha256", "file", f.name)
            self.assertEqual((got.returncode, got.stdout, got.stderr), (0, "hmac set 5 sha256\n", ""))
            got = srv6("--dry-run", "-j", "--secrets", "hmac", "set", "5", "sha256", "file", f.name)
            self.assertEqual(json.loads(got.stdout)["secret"], b"geheim".hex())
            self.assertEqual(srv6("--dry-run", "--hex", "hmac", "set", "5", "sha256", "file", f.name).stdout, "")
            os.chmod(f.name, 0o644)
            self.assertIn("can be read by others", srv6("--dry-run", "hmac", "set", "5", "sha1", "file", f.name).stderr)

    def test_no_error_shows_one(self):
        lines = ("hmac set 0 sha256 secret 676568", "hmac set 5 sha256 secret 67656g", "hmac set 5 sha256 secret 676568 x",
                 "hmac sett 5 sha256 secret 676568", "hmac set 5 sha256 --secret=676568 x", "hmac set 5 sha256 676568")
        for line in lines:
            for options in ((), ("-j",)):
                with self.subTest(line, options=options):
                    got = srv6(*options, "--dry-run", "batch", "-", stdin=line + "\n")
                    self.assertEqual(got.returncode, 2)
                    self.assertNotIn("67656", got.stdout + got.stderr)
        got = srv6("--dry-run", "hmac", "set", "5", "sha256", "676568")
        self.assertEqual((got.returncode, "676" in got.stderr), (2, False))

    def test_from_a_descriptor_and_bounds(self):
        self.assertEqual(srv6("--dry-run", "hmac", "set", "5", "sha1", "fd", "0", stdin="x" * 64 + "\n").returncode, 0)
        for secret in ("", "\n", "x" * 65):
            got = srv6("--dry-run", "hmac", "set", "5", "sha1", "fd", "0", stdin=secret)
            self.assertEqual((got.returncode, got.stdout), (2, ""))


if __name__ == "__main__":
    unittest.main()

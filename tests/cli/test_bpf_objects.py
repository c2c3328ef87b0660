#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""
Object files of End.BPF that are none, or not whole, or too much: each is refused with its reason, before the kernel is asked
for anything. What the kernel itself refuses is in tests/kernel/test_listings.py. $SRV6: the binary.
"""

import os
import struct
import subprocess
import tempfile
import unittest

SRV6 = os.environ.get("SRV6", "srv6")
NO_OBJECT = "it is no BPF object file"
PASS = struct.pack("<BBhi", 0xb7, 0, 0, 0) + struct.pack("<BBhi", 0x95, 0, 0, 0)  # r0 = 0, exit
NAMES = b"\0seg6local\0.shstrtab\0.rel\0"
HEAD, SECTION = 64, 64


def object_file(code=PASS, names=NAMES, rel=b"", kind=1, machine=247, elf_class=2, shentsize=SECTION, shstrndx=2, shnum=4, shoff=None):
    """An object with one program, in section seg6local, whatever is wrong with it. rel: what it refers to"""
    at, places = HEAD, []
    for data in (code, names, rel):
        places.append((at, len(data)))
        at += len(data) + -len(data) % 8
    ident = b"\x7fELF" + bytes([elf_class, 1, 1]) + bytes(9)
    head = ident + struct.pack("<HHIQQQIHHHHHH", 1, machine, 1, 0, 0, at if shoff is None else shoff, 0, HEAD, 0, 0, shentsize, shnum, shstrndx)
    body = b"".join(data + bytes(-len(data) % 8) for data in (code, names, rel))
    rows = ((1, kind, 0), (11, 3, 0), (21, 9, 1))
    heads = b"".join(struct.pack("<IIQQQQIIQQ", name, type_, 0, 0, *place, 0, info, 8, 0) for (name, type_, info), place in zip(rows, places))
    return head + body + bytes(SECTION) + heads


class Objects(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = os.path.join(folder.name, "a.o")

    def refusal(self, data=None, words=""):
        """What is said of a SID by this file; nothing is changed in any case."""
        if data is not None:
            with open(self.path, "wb") as file:
                file.write(data)
        line = f"--dry-run sid add fc00::1 End.BPF endpoint object {self.path} {words} dev if4000001"
        got = subprocess.run([SRV6, *line.split()], capture_output=True, text=True, timeout=30)
        self.assertEqual((got.returncode, got.stdout), (2, ""), got)
        self.assertIn(f"{self.path}: ", got.stderr)
        return got.stderr.splitlines()[0]

    def test_what_is_whole_is_given_to_the_kernel(self):
        with open(self.path, "wb") as file:
            file.write(object_file())
        got = subprocess.run([SRV6, *f"--dry-run sid add fc00::1 End.BPF endpoint object {self.path} dev if4000001".split()],
                             capture_output=True, text=True, timeout=30)
        self.assertTrue(got.returncode == 0 or "the kernel refused it: " in got.stderr, got)

    def test_what_is_no_object(self):
        whole = object_file()
        for what, data in (("empty", b""), ("text", b"#!/bin/sh\n" * 20), ("only its magic", whole[:4]), ("cut in its head", whole[:HEAD - 1]),
                           ("cut in its sections", whole[:-1]), ("of 32 bits", object_file(elf_class=1)), ("a program of x86-64", object_file(machine=62)),
                           ("sections of another size", object_file(shentsize=SECTION + 1)), ("more sections than there are", object_file(shnum=5)),
                           ("names in a section that there is not", object_file(shstrndx=4)), ("sections beyond the file", object_file(shoff=1 << 40)),
                           ("sections at an odd place", object_file(shoff=HEAD + 1, shnum=1, shstrndx=0))):
            with self.subTest(what):
                self.assertIn(NO_OBJECT, self.refusal(data))

    def test_what_is_no_file(self):
        self.assertIn("No such file or directory", self.refusal())
        os.mkdir(self.path)
        self.assertIn(NO_OBJECT, self.refusal())
        os.rmdir(self.path)
        os.mkfifo(self.path)  # nobody writes into it, and nobody waits
        self.assertIn(NO_OBJECT, self.refusal())

    def test_a_file_that_may_not_be_read(self):
        if os.getuid() == 0:
            raise unittest.SkipTest("root may read all files")
        with open(self.path, "wb") as file:
            file.write(object_file())
        os.chmod(self.path, 0)
        self.assertIn("Permission denied", self.refusal())

    def test_the_section(self):
        whole = object_file()
        for what, data, words in (("of another name", whole, "section other"), ("the default's name", object_file(names=NAMES.replace(b"seg6local", b"seg5local")), ""),
                                  ("without contents", object_file(code=b""), ""), ("of half an instruction", object_file(code=PASS + bytes(4)), ""),
                                  ("of zeros that are not in the file", object_file(kind=8), ""), ("with a name beyond the names", object_file(names=b"\0"), "")):
            with self.subTest(what):
                section = words.split()[-1] if words else "seg6local"
                self.assertIn(f"it has no section '{section}' with instructions", self.refusal(data, words))

    def test_maps_and_calls_are_for_bpftool(self):
        self.assertIn("section 'seg6local' uses maps or other sections, which is for bpftool to load", self.refusal(object_file(rel=bytes(16))))


if __name__ == "__main__":
    unittest.main()

#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Writes what the fuzzers start from, out of the golden files: seeds.py GOLDEN-DIR OUT-DIR. The form is replay.c's."""
import glob
import json
import os
import struct
import sys

ROUTE_TYPES = (24, 25, 104, 105)


def escape(data):
    return "".join(chr(b) if 32 <= b < 127 and b != 92 else f"\\x{b:02x}" for b in data)


def cases(path):
    """Each case: its words, its bytes, its text, its JSON; what is not there is empty."""
    with open(path, encoding="utf-8") as f:
        for block in f.read().split("\n\n"):
            by = {}
            for line in block.splitlines():
                by.setdefault(line[:1], []).append(line[2:])
            yield by


def words(line):
    """Without the tool's own options: the first byte says what they said. Devices by number, there being none here."""
    first, out, it = 0, [], iter(line.split(" "))
    for w in it:
        if w == "-4":
            first |= 1
        elif w == "-6":
            first |= 2
        elif w == "--mobile":
            first |= 4 if next(it) == "mobile-v2" else 0
        elif w in ("-j", "--dry-run", "--hex", "--secrets"):
            continue
        else:
            out.append({"v0": "if10", "v1": "if11"}.get(w, w))
    return first, " ".join(out)


def bpf_object(relocated):
    """An object file with one program: its sections' names, the program, its license, and what it would refer to."""
    names = b"\0lwt_seg6local\0license\0.shstrtab\0.rel\0"
    program = struct.pack("<BBhi", 0xB7, 0, 0, 0) + struct.pack("<BBhi", 0x95, 0, 0, 0)
    rel = struct.pack("<QQ", 0, 0)
    parts, at = [], 64
    for data in (program, b"GPL\0", names, rel):
        parts.append((at, len(data)))
        at += (len(data) + 7) // 8 * 8
    kinds = ((5, 1, 0), (15, 1, 0), (23, 3, 0), (33, 9 if relocated else 1, 1))
    sections = bytes(64)
    for (name, kind, info), (off, size) in zip(kinds, parts):
        sections += struct.pack("<IIQQQQIIQQ", name, kind, 0, 0, off, size, 0, info, 8, 0)
    head = struct.pack("<16sHHIQQQIHHHHHH", b"\x7fELF\2\1\1", 1, 247, 1, 0, 0, at, 0, 64, 0, 0, 64, 5, 3)
    return head + b"".join(d + bytes(-len(d) % 8) for d in (program, b"GPL\0", names, rel)) + sections


def collect(golden):
    seeds = {"read": [], "argv": [], "batch": [], "json": []}
    seeds["elf"] = [how + bpf_object(r) for r in (False, True) for how in (b"\0", b"\3seg6local\0", b"\2")]
    lines, docs = [], []
    for path in sorted(glob.glob(f"{golden}/*.t")):
        for by in cases(path):
            message = bytes.fromhex("".join(by.get("x", [])).replace(" ", ""))
            if len(message) >= 16 and int.from_bytes(message[4:6], "little") in ROUTE_TYPES:
                seeds["read"].append(message)
            for line in by.get(">", []) + by.get("=", []):
                first, text = words(line)
                for how in (0, 8):
                    seeds["argv"].append(bytes([first | how]) + text.encode())
                lines.append(text)
            for text in by.get("j", []):
                doc = json.loads(text.replace('"v0"', '"if10"').replace('"v1"', '"if11"'))
                if isinstance(doc, dict) and doc.pop("object", "") == "route":
                    doc.pop("verb", None)
                    docs.append(doc)
    for i in range(0, len(lines), 5):
        seeds["batch"].append(bytes([i // 5 % 16]) + "\n".join(lines[i:i + 5]).encode() + b"\n")
    for i in range(0, len(docs), 3):
        seeds["json"].append(json.dumps({"srv6": 1, "routes": docs[i:i + 3]}).encode())
    return seeds


def main():
    golden, out = sys.argv[1:3]
    for name, inputs in collect(golden).items():
        with open(os.path.join(out, f"{name}.txt"), "w", encoding="ascii") as f:
            for i, data in enumerate(dict.fromkeys(inputs)):
                f.write(f"golden-{name}-{i:03d} t {escape(data)}\n")


main()

# SPDX-License-Identifier: LGPL-2.1-or-later
"""Lists as text and as JSON that say the same: capabilities, nexthop objects, the report of srv6 perf; programs by id and pin."""
import json
import os
import re
import struct
import subprocess
import sys

from harness import NOBODY, SRV6, case, check, contains, equal, need_init_user, skip
from test_perf import REFUSALS, SMALL
from test_tool import host, object_file


@case("caps", "a line each, with what JSON says, and the reason where something is missing")
def _(net):
    h = net.ns("h")
    rows, lines = h.json("caps"), h.srv6("caps").out.splitlines()
    check(len(rows) > 20 and len(lines) == len(rows), f"{len(rows)} objects, {len(lines)} lines")
    for row, line in zip(rows, lines):
        check(row["can"] in ("yes", "no", "unknown"), f"{row}")
        want = [row["name"], row["can"]]
        equal([line[:34].strip(), line[35:43].strip()], want, "name and answer")
        equal(re.findall(r" since (\S+?);?(?: |$)", line[43:])[:1], [row["since"]] if "since" in row else [], f"since: {line}")
        check("why" not in row or row["can"] != "yes" and line.endswith(row["why"]), f"why: {row} {line}")
    check({"behavior End", "behavior H.Encaps"} <= {row["name"] for row in rows if row["can"] == "yes"}, f"what every kernel has: {rows}")


@case("nexthop", "show: all, or one by its number; other words are refused, and one that there is not is no row")
def _(net):
    h = host(net)
    for number in (5, 6):
        h.srv6(f"nexthop add id {number} encap seg6 mode encap segs fc00::{number} dev v0")
    equal([row["id"] for row in h.json("nexthop show")], [5, 6], "all")
    for words in ("id 6", "6"):
        equal([row["id"] for row in h.json(f"nexthop show {words}")], [6], words)
    equal(len(h.srv6("nexthop").out.splitlines()), 2, "lines without a verb")
    equal(h.srv6("nexthop show id 6").out.split()[:2], ["id", "6"], "as text")
    for words in ("id", "id 0", "id x", "x", "6 7"):
        h.refused(f"nexthop show {words}", 2, "nexthop")
    equal(h.json("nexthop show id 7"), [], "one that there is not")


def need_other_user():
    if os.getuid() != 0 or os.environ.get("SRV6_TEST_USERNS"):
        skip("only root can become somebody else")


@case("nexthop", "show without rights is what root sees; a change is refused, and said why")
def _(net):
    need_other_user()
    h = host(net)
    h.srv6("nexthop add id 5 encap seg6 mode encap segs fc00::1,fc00::2 dev v0")
    h.srv6("nexthop add id 6 group 5")
    for words in ("nexthop show", "-j nexthop show", "--stream nexthop show", "nexthop show id 6"):
        want, have = h.srv6(words).out, h.run([*NOBODY, SRV6, *words.split()])
        check("id 6" in want or '"id":6' in want, f"what root sees: {want}")
        equal((have.rc, have.out, have.err), (0, want, ""), words)
    before = h.ip("nexthop").out
    for words in ("nexthop del id 6", "nexthop add id 7 group 5"):
        have = h.run([*NOBODY, SRV6, *words.split()])
        equal((have.rc, have.out), (1, ""), f"exit status and output: {have}")
        contains(have.err, "ermi", "the message")  # permission, permitted
    equal(h.ip("nexthop").out, before, "objects")


@case("tool", "End.BPF from an object file: without rights, and a program that the kernel refuses, with its last words")
def _(net):
    need_other_user()
    h = host(net)
    before = h.state()
    with object_file() as path:
        os.chmod(os.path.dirname(path), 0o755)
        words = f"sid add fc00::b End.BPF endpoint object {path} dev v0"
        have = h.run([*NOBODY, SRV6, *words.split()])
        equal((have.rc, have.out), (2, ""), f"exit status and output: {have}")
        contains(have.err, f"{path}: the kernel refused it: Operation not permitted", "without rights")
        with open(path, "r+b") as file:
            data = file.read()
            at = data.index(struct.pack("<BBhi", 0xb7, 0, 0, 0))
            file.seek(at)
            file.write(struct.pack("<BBhi", 0xbf, 0x10 * 5, 0, 0))  # r0 = r5, which nothing was put into
        said = h.srv6(words, 2).err
        contains(said, f"{path}: the kernel refused it: ", "the message")
        contains(said, "R5 !read_ok", "the verifier's reason")
        check("processed" not in said, f"its statistics are no reason: {said}")
    equal(h.state(), before, "routes")


@case("tool", "End.BPF: a program by its id and in a document; one that there is not, or of another kind, is refused")
def _(net):
    need_init_user()  # to load it
    h = host(net)
    with object_file() as path:
        h.srv6(f"sid add fc00::b End.BPF endpoint object {path} dev v0")
    number = h.json("sid show")[0]["hops"][0]["encap"]["endpoint"]["id"]
    h.srv6(f"sid add fc00::c End.BPF endpoint id {number} dev v0")
    equal([row["hops"][0]["encap"]["endpoint"]["id"] for row in h.json("sid show")], [number] * 2, "programs")
    document = {"srv6": 1, "routes": [{"dst": "fc00::d", "hops": [{"dev": "v0", "encap": {"behavior": "End.BPF", "endpoint": {"id": number}}}]}]}
    h.srv6("restore -", stdin=json.dumps(document))
    equal(len(h.json("sid show End.BPF")), 3, "SIDs, one by a document")
    for words, text in (("id 4294967295", "4294967295"), ("id 0", "from 1"), ("nosuch x", "nosuch"), ("pinned /none", "/none")):
        h.refused(f"sid add fc00::e End.BPF endpoint {words} dev v0", 2, text)
    document["routes"][0]["hops"][0]["encap"]["endpoint"]["id"] = 4294967295
    contains(h.srv6("restore -", 2, stdin=json.dumps(document)).err, "routes[0].hops[0].encap.endpoint", "place")


def text_of(h, args):
    """What srv6 perf prints as text; skips where the kernel or the permissions don't allow it."""
    result = h.run([SRV6, "perf", *args.split()], timeout=300)
    if result.rc == 1 and any(text in result.err for text in REFUSALS):
        skip(result.err.splitlines()[0])
    equal(result.rc, 0, f"exit status: {result}")
    return result.out


@case("perf", "text: the machine, a row a behavior with its ratio to plain forwarding, and the noise")
def _(net):
    text = text_of(net.ns("h"), f"H.Encaps {SMALL} --size 200 --pdr")
    head, table = text.split("\n\n")[:2]
    contains(head, "200-byte frames, 1 segment, 1 rounds of up to 1000 frames", "head")
    lines = table.splitlines()
    equal(lines[0].split()[:3], ["behavior", "variant", "ns/frame"], "heading")
    rows = {(words[0], words[1] if words[1] == "tunsrc" else ""): words for words in map(str.split, lines[1:])}
    check({("IPv6", ""), ("H.Encaps", "")} <= set(rows), f"rows: {table}")
    plain, encaps = float(rows["IPv6", ""][1]), rows["H.Encaps", ""]
    check(abs(float(encaps[5]) - float(encaps[1]) / plain) < 0.02, f"ratio to plain: {table}")
    check(abs(float(encaps[4]) * float(encaps[1]) / 1e6 - 1) < 0.01, f"kpps: {table}")
    for part in ("All frames sent arrived as they should", "Noise: between quartiles lie", "PDR: not searched for"):
        contains(text, part, "text")


@case("perf", "text of a sweep: a row for each number of addresses, with and without a tunnel source")
def _(net):
    text = text_of(net.ns("h"), f"tunsrc {SMALL}")
    rows = re.findall(r"^(H\.\S+) +(\d+) +([\d.]+) +\d+ +[\d.]+% +([\d.]+) +\d+ +[\d.]+% +([+-][\d.]+)%$", text, re.M)
    equal([row[:2] for row in rows], [(name, str(n)) for name in ("H.Encaps", "H.Encaps.L2") for n in (1, 4, 16, 64, 256)], "rows")
    for row in rows:
        check(abs(100 * (float(row[2]) / float(row[3]) - 1) - float(row[4])) < 0.2 + abs(float(row[4])) / 500, f"gain: {row}")
    for part in ("plain IPv6: ", "In all of these:\n  generator"):
        contains(text, part, "text")


@case("perf", "text: what is not measured is listed with the reason that JSON has, and only that")
def _(net):
    h = net.ns("h")
    text = text_of(h, f"IPv6 H.M.GTP4.D End.DT4 {SMALL}")
    rows = json.loads(h.run([SRV6, "-j", "perf", *f"IPv6 H.M.GTP4.D End.DT4 {SMALL}".split()], timeout=300).out)["skipped"]
    listed = re.search(r"\n\nNot measured:\n(.*?)\n\n", text, re.S)
    lines = [line.split(None, 1) for line in listed[1].splitlines()] if listed else []
    equal(lines, [[row["behavior"], (f"{row['variant']:7} " if "variant" in row else "") + row["why"]] for row in rows], "not measured")
    mobile = [row for row in h.json("caps") if row["name"] == "behavior H.M.GTP4.D"]
    if mobile and mobile[0]["can"] == "no":
        contains(text, "  H.M.GTP4.D               in no released kernel\n", "text")


DISTURBER = """
import os, sys, time
os.sched_setaffinity(0, {int(sys.argv[1])})
os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1))
print("ready", flush=True)
end = time.monotonic() + 60
while time.monotonic() < end:
    rest = time.monotonic() + 0.0002
    while time.monotonic() < rest:
        pass
    time.sleep(0.0002)
"""


@case("perf", "text: rounds that something else ran in are told")
def _(net):
    h = net.ns("h")
    cpu = max(os.sched_getaffinity(0))
    run = h.start([sys.executable, "-c", DISTURBER, str(cpu)], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    try:
        if run.stdout.readline() != "ready\n":
            skip("no process may run in real time here")
        # Its passes take longer than the other lets it have the processor.
        text = text_of(h, f"IPv6 --cpu {cpu} --rounds 2 --frames 2000")
    finally:
        run.kill()
        run.wait()
        run.stdout.close()
    contains(text, "\nIPv6: 2 of 2 rounds had no undisturbed pass\n", "text")

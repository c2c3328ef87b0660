# SPDX-License-Identifier: LGPL-2.1-or-later
"""Lists as text and as JSON that say the same: capabilities, nexthop objects, the report of srv6 perf; programs by id and pin."""
import json
import re

from harness import SRV6, case, check, contains, equal, need_init_user, skip
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

# SPDX-License-Identifier: LGPL-2.1-or-later
"""
Changes that follow each other at one prefix. In one call the library tells what is there from the kernel's echoes; a call
for each line has to look every time. Both must come to the same: each line's end and words, and what ip then lists.
"""
import random
import re

from harness import case, check, equal, SLOW

SEG6 = "encap seg6 mode encap segs"
SEEDS = 12 if SLOW == 1 else 4  # most of the time goes into namespaces
GATEWAYS = {"fd00": ("fc00:99::2", "fc00:99::3"), "10": ("192.0.2.2", "192.0.2.3")}


def setup(net, name):
    h = net.ns(name)
    net.link(h, "v0", net.ns(f"{name}p"), "w0")
    net.link(h, "v1", net.ns(f"{name}q"), "w1")
    h.addr("fc00:99::1/64", "v0")
    h.addr("192.0.2.1/24", "v0")
    for i in (1, 2):
        h.ip(f"nexthop add id {i} {SEG6} fc00:{i}::1 via fc00:99::{i + 1} dev v0")
    return h


def way(rng, family):
    """Where a hop leads, with or without an encapsulation; in few enough ways that they meet."""
    encap = rng.choice(("", f"{SEG6} fc00:a::1 ", f"{SEG6} fc00:b::1 "))
    via = rng.choice(GATEWAYS[family])
    return encap + rng.choice((f"via {via} dev v0", f"via {via} dev v0", "dev v0", "dev v1"))


def route_line(rng, family, prefix):
    verb = rng.choice(("add", "replace", "change", "append", "append", "append", "del", "del"))
    hop = way(rng, family)
    if verb == "del" and rng.random() < 0.3:
        return f"route del {prefix}"
    if verb == "append" and family == "10" and rng.random() < 0.3:
        verb = "prepend"
    if verb in ("add", "replace") and rng.random() < 0.15:
        via = GATEWAYS[family]
        hop = f"nexthop {SEG6} fc00:c::1 via {via[0]} dev v0 nexthop {SEG6} fc00:d::1 via {via[1]} dev v0"
    elif family == "fd00" and rng.random() < 0.15:
        hop = f"nhid {rng.choice((1, 2))}"
    metric = rng.choice(("", "", "", "", " metric 100"))
    return f"route {verb} {prefix} {hop}{metric}"


def lines_of(seed, objects):
    rng = random.Random(seed)
    prefixes = {"fd00": ("fd00:1::/64", "fd00:2::/64"), "10": ("10.1.0.0/16", "10.2.0.0/16")}
    found = []
    for _ in range(40):
        family = rng.choice(("fd00", "fd00", "10"))
        if objects and rng.random() < 0.08:
            i = rng.choice((1, 2))
            found += [f"nexthop del id {i}", f"nexthop add id {i} {SEG6} fc00:{i}::1 via fc00:99::{i + 1} dev v0"]
        else:
            found.append(route_line(rng, family, rng.choice(prefixes[family])))
    return found


def told(err):
    """The words of each failure by its line."""
    ends = {}
    for line in err.splitlines():
        m = re.match(r"srv6: <stdin>:(\d+): (.*)", line)
        if m:
            ends[int(m.group(1))] = m.group(2)
    return ends


def listed(h):
    return h.ip("-6 route show table all proto boot").out, h.ip("-4 route show table all proto boot").out, h.ip("nexthop show").out


def one_by_one(h, lines):
    """With a command that is no change after each, for which what was gathered goes out: each is a call of its own."""
    done = h.srv6("batch --keep-going -", rc=None, stdin="".join(f"{line}\nbehavior End\n" for line in lines))
    return {(number + 1) // 2: words for number, words in told(done.err).items()}, listed(h)


def together(h, lines):
    done = h.srv6("batch --keep-going -", rc=None, stdin="".join(line + "\n" for line in lines))
    return told(done.err), listed(h)


def compare(net, seeds, objects):
    refused = 0
    for seed in seeds:
        one, all_ = setup(net, f"a{seed}"), setup(net, f"b{seed}")
        lines = lines_of(seed, objects)
        a, b = one_by_one(one, lines), together(all_, lines)
        script = "\n".join(f"{i + 1}: {line}" for i, line in enumerate(lines))
        equal(b[0], a[0], f"what is said, seed {seed}:\n{script}\n")
        equal(b[1], a[1], f"what is there, seed {seed}:\n{script}\n")
        refused += len(a[0])
    check(refused > len(seeds), "lines that look at what is there were refused")


@case("sequence", "of changes at few prefixes: in one call as one by one")
def _(net):
    compare(net, range(SEEDS), False)


@case("sequence", "with nexthop objects that go, and routes with them: in one call as one by one")
def _(net):
    compare(net, range(100, 100 + SEEDS), True)


@case("sequence", "a route that goes with its nexthop object is made again, though it is as the document has it before")
def _(net):
    h = setup(net, "h")
    h.srv6("route add fd00:1::/64 nhid 1")
    h.srv6("route add fd00:2::/64 nhid 2")
    before = listed(h)
    h.srv6("restore -", stdin=f"""nexthop del id 1
nexthop add id 1 {SEG6} fc00:1::1 via fc00:99::2 dev v0
route replace fd00:1::/64 nhid 1
route replace fd00:2::/64 nhid 2
""")
    equal(listed(h), before, "routes and objects")

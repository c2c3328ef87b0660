# SPDX-License-Identifier: LGPL-2.1-or-later
"""Lists that come as they are: srv6 --stream."""
import json
import os
import shutil
import subprocess

from harness import SRV6, case, contains, equal, skip

N = 60000
SMALL = 8 << 20  # bytes of memory


def fill(net):
    h = net.ns("h")
    net.link(h, "d0", net.ns("b"), "d1")
    lines = "".join(f"route add fd00:0:{i >> 16:x}:{i & 0xffff:x}::/64 encap seg6 mode encap segs fc00::1,fc00::2 dev d0\n"
                    for i in range(N))
    h.srv6("batch -", stdin=lines)
    return h


def limited(h, *words):
    """The tool with no more than SMALL bytes of memory of its own."""
    with open(shutil.which(SRV6), "rb") as f:
        if b"san_init" in f.read():
            skip("a sanitizer needs memory of its own")
    p = h.start(["sh", "-c", f'ulimit -d {SMALL >> 10}; exec "$0" "$@"', SRV6, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    out, err = p.communicate(timeout=120)
    return p.returncode, out, err


def changed_meanwhile(h, *words):
    """The tool's list is read a bit, then an early route goes and comes, then the rest of it is read."""
    p = h.start([SRV6, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    start = os.read(p.stdout.fileno(), 1000).decode()  # nothing that is read ahead is lost
    h.srv6("route del fd00:0:0:1::/64")
    rest, err = p.communicate(timeout=120)
    return p.returncode, start + rest, err


@case("stream", "a list as it comes needs little memory; one that is held back until it is whole needs more")
def _(net):
    h = fill(net)
    status, out, err = limited(h, "-6", "--stream", "route", "show")
    equal((status, err), (0, ""), "status and errors")
    equal(out.count("encap seg6"), N, "routes")
    status, out, err = limited(h, "-6", "-j", "--stream", "route", "show")
    equal((status, err), (0, ""), "status and errors")
    equal(len(json.loads(out)), N, "routes")
    status, out, err = limited(h, "-6", "route", "show")
    equal((status, out), (1, ""), "held back: status and output")
    contains(err, "out of memory")


@case("stream", "what changes while it is listed is told at the end, by words and by status")
def _(net):
    h = fill(net)
    status, out, err = changed_meanwhile(h, "-6", "--stream", "route", "show")
    equal(status, 3, "status")
    contains(err, "may not be whole")
    h.srv6("route add fd00:0:0:1::/64 encap seg6 mode encap segs fc00::1,fc00::2 dev d0")
    status, out, err = changed_meanwhile(h, "-6", "-j", "--stream", "route", "show")
    equal(status, 3, "status")
    equal(json.loads(out)[-1], {"incomplete": True}, "the last element")
    contains(json.loads(err)["error"]["text"], "may not be whole")

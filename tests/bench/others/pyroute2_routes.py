#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""pyroute2's part of the benchmark: pyroute2_routes.py add|replace|del|list N DEV SID"""
import json
import resource
import sys
import time

from pyroute2 import IPRoute


def cpu():
    r = resource.getrusage(resource.RUSAGE_SELF)
    return r.ru_utime + r.ru_stime


def change(ipr, step, n, dev, sid):
    index = ipr.link_lookup(ifname=dev)[0]
    # pyroute2 0.7.2 writes the segments as they come, and an SRH has the last one first.
    encap = {"type": "seg6", "mode": "encap", "segs": f"fc00:3::{sid:x},fc00:2::2,fc00:1::1"}
    start = time.perf_counter(), cpu()
    for i in range(n):
        more = {} if step == "del" else {"encap": encap}
        ipr.route(step, dst=f"fd00:0:{i >> 16:x}:{i & 0xffff:x}::/64", oif=index, **more)
    return n, start


def listing(ipr):
    start = time.perf_counter(), cpu()
    seen = 0
    for r in ipr.get_routes(family=10, table=254):
        encap = r.get_attr("RTA_ENCAP")
        seen += encap is not None and len(encap.get_attr("SEG6_IPTUNNEL_SRH")["segs"]) == 3
    return seen, start


def main():
    step, n, dev, sid = sys.argv[1], int(sys.argv[2]), sys.argv[3], int(sys.argv[4])
    with IPRoute() as ipr:
        done, start = listing(ipr) if step == "list" else change(ipr, step, n, dev, sid)
        print(json.dumps({"step": step, "n": done, "wall": time.perf_counter() - start[0], "cpu": cpu() - start[1]}))
    return 0 if done >= n else 1


sys.exit(main())

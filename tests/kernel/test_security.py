# SPDX-License-Identifier: LGPL-2.1-or-later
"""A device may have any name: what terminals act on is never shown as it is, and JSON stays JSON."""
import json
import re
import subprocess

from harness import SRV6, case, check, equal, skip

NAME = b"a\x1b[2J\xc2\x9b\xff\x7fz"
CONTROLS = re.compile(rb"[\x00-\x08\x0b-\x1f\x7f]|\xc2[\x80-\x9f]|\xff")


@case("security", "a device's name with escape sequences in text, JSON, errors and saved documents")
def _(net):
    h = net.ns("h")

    def run(*words):
        done = subprocess.run(["ip", "netns", "exec", h.name, *words], capture_output=True, check=False)
        check(not CONTROLS.search(done.stdout + done.stderr), f"{words}: {done.stdout + done.stderr!r}")
        return done

    if run("ip", "link", "add", NAME, "type", "veth", "peer", "name", "p").returncode:
        skip("the kernel or ip refuses that name")
    for dev in (NAME, b"p"):
        run("ip", "link", "set", dev, "up")
    equal(run(SRV6, "route", "add", "2001:db8:1::/64", "segs", "fc00::1", "dev", NAME).returncode, 0, "route add")
    text = run(SRV6, "route", "show").stdout
    check(b"\\x1b" in text, f"the name is shown escaped: {text!r}")
    run(SRV6, "stats")
    refusal = run(SRV6, "-j", "save")
    equal((refusal.returncode, refusal.stdout), (1, b""), "-j save: JSON cannot hold the name")
    check(b"UTF-8" in refusal.stderr, f"-j save: {refusal.stderr!r}")
    equal(run(SRV6, "save").returncode, 0, "save")
    for words in (("route", "show"), ("show",)):
        out = run(SRV6, "-j", *words).stdout.decode()
        try:
            json.loads(out)
        except ValueError as why:
            check(False, f"{words}: {why}: {out!r}")
        equal(run(SRV6, *words).returncode, 0, " ".join(words))
    equal(run(SRV6, "route", "add", "2001:db8:1::/64", "segs", "fc00::1", "dev", NAME).returncode, 1, "again")
    json.loads(run(SRV6, "-j", "route", "add", "2001:db8:1::/64", "segs", "fc00::1", "dev", NAME).stderr.decode())

# SPDX-License-Identifier: LGPL-2.1-or-later
"""srv6 stats: counters of SIDs that packets go through, and rates that agree with what was sent."""
import json
import os
import pty
import signal
import subprocess
import time

from harness import SLOW, SRV6, case, check, contains, equal, frame, need, poll
from test_endpoints import SID, endpoint, through

OTHER = "fc00:1::d"
KEYS = ["time", "dst", "table", "metric", "dev", "behavior", "packets", "bytes", "errors", "packets_per_second", "bits_per_second",
        "errors_per_second"]


def counting(net):
    """A router with a SID that counts; skips where the kernel has no counters."""
    need("seg6local")
    a, e, _b, _c = endpoint(net)
    e.srv6(f"sid add {SID} End count dev e1")
    return a, e


def send(a, n, left=1):
    """That many packets to the SID; returns their bytes. left 0: it is their end, which End may not be: an error."""
    packet = through(left, segs=(SID, "fc00:2::1") if left else ("fc00:2::1", SID))
    for _ in range(n):
        a.send("a0", frame(a.peer_a0, packet))
    return n * len(packet)


def start(h, words, **kwargs):
    return h.start([SRV6, *words.split()], **{"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **kwargs})


def listening(run):
    """Waits until it has its handlers of signals and sleeps: netlink's lists don't let it wait, only the interval does."""
    def sleeps():
        with open(f"/proc/{run.pid}/status", encoding="ascii") as file:
            status = dict(line.rstrip("\n").split(":\t", 1) for line in file if ":\t" in line)
        return int(status["SigCgt"], 16) >> (signal.SIGTERM - 1) & 1 and status["State"].startswith("S")
    poll(sleeps, "its sleep")


def shown(e, sid=SID):
    """What srv6 show says that the SID has counted."""
    route = next(route for route in e.json("-s show")["routes"] if (route["dst"], route["metric"]) == (sid, 1024))
    return [route["hops"][0]["encap"]["stats"][key] for key in ("packets", "bytes", "errors")]


def count_of(row):
    return [row[key] for key in ("packets", "bytes", "errors")]


def rates_of(row):
    return [row[key] for key in ("packets_per_second", "bits_per_second", "errors_per_second")]


@case("stats", "watch: counters are those of show, rates are what was sent in that time, nothing is 0, and a replaced SID has none")
def _(net):
    a, e = counting(net)
    e.srv6(f"sid add {SID} End count dev e1 metric 2000")  # the same but for its metric, and never taken
    sent = send(a, 3)
    run = start(e, "-j stats --watch 1")

    def row():
        """The next one of the SID that is sent to; the other has counted nothing."""
        rows = sorted((json.loads(run.stdout.readline()) for _ in range(2)), key=lambda row: row["metric"])
        equal((rows[1]["metric"], count_of(rows[1])), (2000, [0, 0, 0]), "the other SID")
        check(rates_of(rows[1]) in ([0] * 3, [None] * 3), f"rates of the other SID: {rows[1]}")
        return rows[0]
    try:
        one = row()
        equal((list(one), [one[key] for key in KEYS[1:6]]), (KEYS, [SID, 254, 1024, "e1", "End"]), "keys and what they say")
        equal((count_of(one), rates_of(one)), ([3, sent, 0], [0, 0, 0]), "counters and rates before")
        more, bad = send(a, 200), send(a, 40, left=0)
        before, total = one, [0.0, 0.0, 0.0]
        while one["packets"] + one["errors"] < 243:
            one = row()
            seconds = (one["time"] - before["time"]) / 1000
            check(0.5 < seconds < 10 * SLOW, f"{seconds} s between two readings")
            total = [have + rate * seconds for have, rate in zip(total, rates_of(one))]
            before = one
        equal((count_of(one), shown(e)), ([203, sent + more, 40], [203, sent + more, 40]), "counters: watched, shown")
        for have, want, what in zip(total, (200, 8 * more, 40), ("packets", "bits", "errors")):
            check(0.8 * want < have < 1.25 * want, f"{what} by their rates: {have}, sent were {want} ({bad} bytes of errors)")
        equal(rates_of(row()), [0, 0, 0], "rates when nothing is sent any more")
        e.srv6(f"sid replace {SID} End count dev e1 mtu 1400")  # not an equal one: that would be left as it is
        one = row()
        equal((count_of(one), rates_of(one)), ([0, 0, 0], [None] * 3), "after it was replaced")
        equal(rates_of(row()), [0, 0, 0], "and a second later")
        run.send_signal(signal.SIGINT)
        out, err = run.communicate(timeout=20 * SLOW)
        equal((run.returncode, err, out and not out.endswith("\n")), (0, "", ""), "how it ended at SIGINT")
    finally:
        run.kill()
        run.communicate()


@case("stats", "a signal ends watch at once, and an interval early: what was counted until then is told")
def _(net):
    a, e = counting(net)
    for number in (signal.SIGTERM, signal.SIGINT):
        run = start(e, "stats watch 60")
        listening(run)
        run.send_signal(number)
        equal((run.communicate(timeout=20 * SLOW), run.returncode), (("", ""), 0), f"watch at signal {number}")
    began = time.monotonic()
    run = start(e, "-j stats interval 60")
    listening(run)
    sent = send(a, 50)
    poll(lambda: shown(e)[0] == 50, "the packets")
    run.send_signal(signal.SIGINT)
    out, err = run.communicate(timeout=20 * SLOW)
    one = json.loads(out)
    equal((run.returncode, err, count_of(one)), (0, "", [50, sent, 0]), "interval at SIGINT")
    seconds = time.monotonic() - began
    check(one["packets_per_second"] > 0.9 * 50 / seconds, f"a rate over the {seconds} s until then: {one}")


@case("stats", "text: a line a SID, large numbers with a unit, rates that are not known, and what does not count")
def _(net):
    a, e = counting(net)
    e.srv6("sid add fc00:1::9 End dev e1")
    e.srv6("sid add fc00:3::9 End.T table 254 dev e1")
    e.srv6("route add fc00:4::/64 segs fc00:2::1 dev e1")  # no SID: not spoken of
    run = start(e, "stats interval 1")
    listening(run)
    sent = send(a, 300)
    e.srv6(f"sid add {OTHER} End count dev e1")
    out, err = run.communicate(timeout=20 * SLOW)
    lines = out.splitlines()
    equal((run.returncode, err, len(lines)), (0, "", 4), f"how it ended: {out}")
    equal(lines[0].split(), "SID behavior packets/s bits/s errors/s packets bytes errors".split(), "heading")
    rows = {line.split()[0]: line.split()[1:] for line in lines[1:3]}
    equal(rows[OTHER], ["End", "-", "-", "-", "0", "0", "0"], "a SID that is new")
    have = rows[SID]
    equal([have[i] for i in (0, 3, 4, 5, 6)], ["End", "0", "300", str(sent), "0"], "the SID that counts")
    check(have[2].endswith("k") and 8 * sent / 5 < 1000 * float(have[2][:-1]) <= 8 * sent, f"bits a second of {8 * sent}: {have}")
    check(abs(1000 * float(have[2][:-1]) / int(have[1]) / (8 * sent / 300) - 1) < 0.015, f"bits and packets a second: {have}")
    check(60 < int(have[1]) <= 300, f"packets a second of 300: {have}")
    contains(lines[3], "2 more without counters; a SID counts from when it is installed with 'count'", "last line")
    e.srv6(f"sid del {OTHER}")
    equal([row["dst"] for row in map(json.loads, e.srv6("-j stats interval 1").out.splitlines())], [SID], "as JSON: those that count")
    text = e.srv6("stats fc00:3::/64 interval 1").out.splitlines()
    equal((len(text), text[1].split()[:2]), (2, ["1", "more"]), "where none of those asked for counts")


@case("stats", "on a terminal watch stays in place; where nobody reads it any more it ends")
def _(net):
    _, e = counting(net)
    master, slave = pty.openpty()
    run = start(e, "stats watch 1", stdout=slave)
    os.close(slave)
    full = open("/dev/full", "w", encoding="ascii")
    unread = start(e, "stats watch 1", stdout=full)
    full.close()
    try:
        text = ""
        while "\n" not in text:
            text += os.read(master, 4096).decode()
        equal(text[:9], "\x1b[H\x1b[JSID", "how it starts")
        _, err = unread.communicate(timeout=20 * SLOW)
        equal(unread.returncode, 1, "exit status where the output is full")
        contains(err, "the output could not be written", "message")
    finally:
        run.terminate()
        run.communicate()
        unread.kill()
        os.close(master)


@case("stats", "wrong words are refused before anything is waited for")
def _(net):
    h = net.ns("h")
    for words, text in (("watch", "seconds"), ("watch 0", "1 to 86400"), ("watch x", "seconds"), ("interval 86401", "1 to 86400"),
                        ("tabel 5", "did you mean 'table'?"), ("fc00:1::e fc00:1::d", "a prefix was given already")):
        h.refused(f"stats {words}", 2, text)

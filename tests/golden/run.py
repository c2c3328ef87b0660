#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""
Golden lines: a command, its canonical text, its JSON and its bytes are four faces of one truth.

usage: tests/golden/run.py [--write] [FILE.t...]

An entry is a block of lines; blank lines part them, # starts a comment:

    > route add ...     the command, as words
    x 64000000 ...      the message, in hexadecimal; lines and blanks do not count; # starts a comment here too
    = route add ...     the canonical text, which the command, the text itself and the bytes must all give
    d route add ...     where decoding says more (the scope of an IPv4 route): its text, which must give the same bytes
    j {"dst": ...}      the JSON, likewise; decoding may add what is in DEFAULTS
    ! 2                 instead of the last three: the exit status of a command that is refused, and
    e srv6: ...         what it says, line by line

Without ">" the bytes are a message of the kernel's: they are decoded only. With --write, text, JSON, status and message
are taken from the tool where an entry has none: read them before they are committed. Bytes are never taken from it.
Every entry is run with v0 and v1 being interfaces 10 and 11, in a namespace made for that.
"""
import glob
import json
import os
import shlex
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
SRV6 = os.environ.get("SRV6", "srv6")


def enter():
    if os.environ.get("SRV6_GOLDEN_INSIDE"):
        return
    os.environ["SRV6_GOLDEN_INSIDE"] = "1"
    argv = ["unshare", "--net"] + ([] if os.getuid() == 0 else ["--user", "--map-root-user"])
    os.execvp(argv[0], argv + [sys.executable, os.path.abspath(__file__)] + sys.argv[1:])


# A message holds these whether they were asked for or not.
DEFAULTS = {"type": ("unicast",), "table": (254,), "protocol": ("boot", "unspec"), "scope": ("global", "link"),
            "family": ("inet6", "inet")}


class Entry:
    def __init__(self, lines):
        self.lines = lines
        self.command = self.text = self.decoded = self.json = self.status = None
        self.hex, self.message = "", []
        for line in lines:
            mark, rest = line[:1], line[2:]
            if mark == ">":
                self.command = rest
            elif mark == "x":
                self.hex += "".join(rest.partition("#")[0].split())
            elif mark == "=":
                self.text = rest
            elif mark == "d":
                self.decoded = rest
            elif mark == "j":
                self.json = json.loads(rest)
            elif mark == "!":
                self.status = int(rest)
            elif mark == "e":
                self.message.append(rest)
            elif mark != "#":
                raise ValueError(f"no such line: {line}")

    def name(self):
        comment = [line[2:] for line in self.lines if line.startswith("#")]
        return self.command or (comment[-1] if comment else self.hex[:32])


def entries(path):
    with open(path, encoding="utf-8") as file:
        for block in file.read().split("\n\n"):
            lines = [line for line in block.splitlines() if line]
            if any(not line.startswith("#") for line in lines):
                yield Entry(lines)


class Different(Exception):
    pass


def run(*argv):
    """The tool's exit status, standard output and standard error; a crash is no answer."""
    done = subprocess.run([SRV6, *argv], capture_output=True, text=True, stdin=subprocess.DEVNULL, check=False,
                          timeout=60, env={**os.environ, "LC_ALL": "C"}, errors="backslashreplace")
    if done.returncode < 0 or "Sanitizer" in done.stderr or "runtime error:" in done.stderr:
        raise Different(f"{shlex.join(argv)} crashed: {done.stderr}")
    return done.returncode, done.stdout, done.stderr


def output(*argv):
    status, out, err = run(*argv)
    if status:
        raise Different(f"{shlex.join(argv)} exits {status}: {err.strip()}")
    return out.strip()


def same(what, have, want):
    if have != want:
        raise Different(f"{what}:\n  have {have}\n  want {want}")


def one_json(text, what):
    """A JSON object, also where it stands in an array alone."""
    try:
        value = json.loads(text)
    except ValueError:
        raise Different(f"{what} is not JSON: {text}") from None
    return value[0] if isinstance(value, list) and len(value) == 1 else value


def generic(message):
    return message[8:12] not in ("1800", "1900", "6800", "6900")


def masked(message):
    """The number of a generic netlink family is the kernel's choice: 29 stands for any."""
    return message[:8] + "1d00" + message[12:] if generic(message) else message


def without_defaults(value, known):
    if not isinstance(value, dict):
        return value
    return {key: item for key, item in value.items() if key in known or item not in DEFAULTS.get(key, ())}


def faces(entry):
    """Each face by each way that leads to it: (what, have, want)."""
    options = []
    if entry.command:
        words = shlex.split(entry.command)
        options = words[:2] if words[0] == "--mobile" else []
        yield "bytes of the command", masked(output("--dry-run", "--hex", *words)), entry.hex
        yield "text of the command", output("--dry-run", *words), entry.text
        yield "JSON of the command", one_json(output("--dry-run", "-j", *words), "JSON of the command"), entry.json
        for text in filter(None, (entry.text, entry.decoded)):
            yield "bytes of the text", masked(output("--dry-run", "--hex", *options, *shlex.split(text))), entry.hex
        yield "text of the text", output("--dry-run", *options, *shlex.split(entry.text)), entry.text
    if not generic(entry.hex):
        yield "text of the bytes", output(*options, "decode", entry.hex), entry.decoded or entry.text
        decoded = one_json(output(*options, "-j", "decode", entry.hex), "JSON of the bytes")
        yield "JSON of the bytes", without_defaults(decoded, entry.json), without_defaults(entry.json, decoded)


def refused(entry):
    status, out, err = run(*shlex.split(entry.command))
    same("exit status", status, entry.status)
    same("message", err.rstrip("\n").split("\n"), entry.message)
    same("standard output", out, "")


def test(entry):
    if entry.status is not None:
        refused(entry)
        return
    if entry.text is None or entry.json is None or not entry.hex:
        raise Different("the entry lacks a face")
    for what, have, want in faces(entry):
        same(what, have, want)


def fill(entry):
    """Adds what the tool says where the entry has nothing."""
    if entry.status is not None or (entry.text and entry.json):
        return
    argv = ["--dry-run", *shlex.split(entry.command)] if entry.command else ["decode", entry.hex]
    words = shlex.split(entry.command or "")
    options = words[:2] if words[:1] == ["--mobile"] else []
    if entry.command and not entry.hex:
        status, _, err = run(*argv[1:])
        entry.lines += [f"! {status}"] + ["e " + line for line in err.rstrip("\n").split("\n")]
        return
    try:
        entry.lines += ["= " + output(*argv)] if not entry.text else []
        entry.lines += ["j " + json.dumps(one_json(output("-j", *argv), ""))] if not entry.json else []
        decoded = entry.lines and not generic(entry.hex) and output(*options, "decode", entry.hex)
        text = [line[2:] for line in entry.lines if line[0] == "="][0]
        if decoded and decoded != text and not entry.decoded:
            entry.lines.insert([line[0] for line in entry.lines].index("=") + 1, "d " + decoded)
    except Different as why:
        print(f"{entry.name()}: {why}", file=sys.stderr)


def main():
    enter()
    subprocess.run(["ip", "link", "add", "v0", "index", "10", "type", "veth", "peer", "name", "v1", "index", "11"],
                   check=True)
    paths = [word for word in sys.argv[1:] if not word.startswith("-")] or sorted(glob.glob(os.path.join(HERE, "*.t")))
    failed = False
    for path in paths:
        family = os.path.basename(path)[:-2]
        if "--write" in sys.argv:
            filled = list(entries(path))
            for entry in filled:
                fill(entry)
            with open(path, "w", encoding="utf-8") as file:
                file.write("\n\n".join("\n".join(entry.lines) for entry in filled) + "\n")
            continue
        for entry in entries(path):
            try:
                test(entry)
                print(f"PASS {family}: {entry.name()}", flush=True)
            except (Different, ValueError, subprocess.SubprocessError) as why:
                failed = True
                print(f"FAIL {family}: {entry.name()}: {why}", flush=True)
    return 1 if failed else 0


sys.exit(main())

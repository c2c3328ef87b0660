#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""
The completions of zsh and fish, run in these shells: their syntax, and that they offer what the tool says may follow, as it is.
That of bash is in test_complete.py. A line a test: PASS, FAIL or SKIP where a shell is not installed. $SRV6: the binary.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile

SRV6 = shutil.which(os.environ.get("SRV6", "srv6"))
FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../completion")
P = "2001:db8::/64"
LINES = ("help ", "route ", "mobile ", f"route add {P} ", f"route add {P} mode ", f"route add {P} dev ", "hmac set 5 ", "batch ")
ODD = "a b", "$(touch ran)", "`touch ran`", "it's", "-a", "{x,y}", "*", "~"  # devices may be called so


class Failed(Exception):
    pass


def equal(have, want, what):
    if have != want:
        raise Failed(f"{what}: have {have!r}, want {want!r}")


def run(argv, folder=None):
    """Lines of a command, in a folder; nothing may be said on standard error."""
    got = subprocess.run(argv, capture_output=True, text=True, timeout=60, stdin=subprocess.DEVNULL, cwd=folder,
                         env={"PATH": f"{folder}:/usr/bin:/bin" if folder else os.environ["PATH"], "HOME": "/nonexistent", "LC_ALL": "C.UTF-8"})
    if got.returncode or got.stderr:
        raise Failed(f"{argv}: exit status {got.returncode}: {got.stderr}")
    return got.stdout.splitlines()


def zsh(folder, line):
    """What _srv6 gives to compadd, or "files" where it leaves it to them, the cursor behind line."""
    script = 'words=("${(@)argv[2,-1]}") CURRENT=$#words; compadd() { [[ $1 = -a ]] && for word ("${(@P)2}") print -r -- "=$word" }; ' \
             '_files() { print -r -- "=files" }; widget() { . $1 }; widget $1'
    lines = run(["zsh", "-fc", script, "zsh", f"{FOLDER}/_srv6", "srv6", *line.split(" ")], folder)
    return [line[1:] for line in lines if line.startswith("=")]  # one that does not is within a word


def fish(folder, line):
    """All that fish itself offers, the cursor behind line: its own completion of files comes with it."""
    return run(["fish", "--no-config", "-c", 'source $argv[1]; complete -C "srv6 $argv[2]"', f"{FOLDER}/srv6.fish", line], folder)


def commands():
    """Every object, as srv6 help lists them."""
    return list(dict.fromkeys(re.findall(r"^  ([a-z]+) ", "\n".join(run([SRV6, "help"])).split("\n\nOPTIONS")[0], re.M)))


def offered(line):
    return run([SRV6, "complete", *line.split()])


def everything(shell, folder):
    have = commands()
    if not {"route", "sid", "monitor", "doctor", "version"} <= set(have):
        raise Failed(f"not all the commands: {have}")
    for line, want in [("", have)] + [(line, offered(line)) for line in LINES]:
        if len(want) < 2:
            raise Failed(f"nothing to choose from: {line}: {want}")
        missing = [word for word in want if word not in shell(folder, line)]
        equal(missing, [], f"not offered behind '{line}'")


def as_they_are(shell, folder):
    """Words of the tool are no words of the shell, and are not run."""
    os.unlink(f"{folder}/srv6")
    with open(f"{folder}/words", "w", encoding="ascii") as file:
        file.write("\n".join(ODD) + "\n")
    with open(f"{folder}/srv6", "w", encoding="ascii") as file:
        file.write(f"#!/bin/sh\necho \"$*\" >{folder}/asked\nexec cat {folder}/words\n")
    os.chmod(f"{folder}/srv6", 0o755)
    have = shell(folder, f"route add {P} dev ")
    equal([word for word in ODD if word not in have], [], f"words that are not as they were in {have}")
    for line in (f"route add {P} dev ", f"route add {P} dev if"):  # the word that is not finished is no word yet
        shell(folder, line)
        with open(f"{folder}/asked", encoding="ascii") as file:
            equal(file.read(), f"complete route add {P} dev\n", "what the tool was asked")
    equal(os.path.exists(f"{folder}/ran"), False, "whether a word was run")


def nothing(shell, folder):
    """Where the tool has nothing to say, the shell's own way: files."""
    os.symlink("/dev/null", f"{folder}/file-of-routes")
    equal("files" in shell(folder, "restore ") or "file-of-routes" in shell(folder, "restore file"), True, "files are offered")


TESTS = ("zsh", "syntax", lambda folder: run(["zsh", "-n", f"{FOLDER}/_srv6"])), ("fish", "syntax", lambda folder: run(["fish", "--no-execute", f"{FOLDER}/srv6.fish"]))
TESTS += tuple((shell.__name__, name, lambda folder, shell=shell, test=test: test(shell, folder)) for shell in (zsh, fish)
               for name, test in (("every command, and what may follow it", everything), ("words are offered as they are", as_they_are),
                                  ("files where nothing is offered", nothing)))


def outcome(shell, test):
    if not shutil.which(shell):
        return "SKIP", f": {shell} is not installed"
    with tempfile.TemporaryDirectory() as folder:
        os.symlink(SRV6, f"{folder}/srv6")
        try:
            test(folder)
        except (Failed, subprocess.SubprocessError) as why:
            return "FAIL", ": " + str(why).replace("\n", " ")
    return "PASS", ""


def main():
    bad = False
    for shell, name, test in TESTS:
        result, why = outcome(shell, test)
        bad |= result == "FAIL"
        print(f"{result} {shell}: {name}{why}")
    return bad


if __name__ == "__main__":
    sys.exit(main())

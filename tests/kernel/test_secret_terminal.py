# SPDX-License-Identifier: LGPL-2.1-or-later
"""Secrets of HMAC keys that are typed at a terminal: asked for twice, never shown, and the terminal is as it was after it."""
import fcntl
import json
import os
import pty
import signal
import subprocess
import termios

from harness import SLOW, SRV6, case, contains, equal, need_init_user, poll, setns


class Terminal:
    """A run of the tool with a terminal of its own, which shows nothing but what the tool itself writes there."""
    def __init__(self, space, words, hangup=signal.SIG_DFL):
        self.master, self.slave = pty.openpty()
        os.set_blocking(self.master, False)
        self.old, self.shown = termios.tcgetattr(self.slave), ""
        self.run = subprocess.Popen([SRV6, *words.split()], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                    text=True, preexec_fn=lambda: self.enter(space, hangup))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.run.kill()
        self.run.communicate()
        for fd in (self.master, self.slave):
            if fd >= 0:
                os.close(fd)

    def enter(self, space, hangup):
        setns(space.fd)
        signal.signal(signal.SIGHUP, hangup)
        os.setsid()
        fcntl.ioctl(self.slave, termios.TIOCSCTTY, 0)

    def flags(self):
        return termios.tcgetattr(self.slave)[3]

    def look(self):
        """All that the terminal has shown so far."""
        try:
            self.shown += os.read(self.master, 4096).decode()
        except BlockingIOError:
            pass
        return self.shown

    def answer(self, prompt, text, end="\n"):
        """Waits for a prompt at the end of what is shown, and types."""
        poll(lambda: self.look().endswith(prompt), f"{prompt!r} on the terminal: {self.shown!r}")
        equal(self.flags() & termios.ECHO, 0, "echo while the secret is typed")
        os.write(self.master, (text + end).encode())

    def type(self, first, again):
        self.answer("secret: ", first)
        self.answer("again: ", again)
        return self.end()

    def end(self):
        """Exit status, standard output, standard error; the terminal must be as it was."""
        out, err = self.run.communicate(timeout=20 * SLOW)
        equal(termios.tcgetattr(self.slave), self.old, "the terminal's settings after it")
        equal(self.look(), "secret: \r\nagain: \r\n", "what the terminal has shown")
        return self.run.returncode, out, err


def keys(h):
    return {key["hmac"]: bytes.fromhex(key["secret"]).decode() for key in h.json("--secrets hmac show")}


@case("hmac", "a secret typed twice at the terminal is set, and never shown")
def _(net):
    need_init_user()
    h = net.ns("h")
    with Terminal(h, "hmac set 5 sha256") as terminal:
        equal(terminal.type("open sesame", "open sesame"), (0, "", ""), "how it ended")
    with Terminal(h, "hmac set 6 sha1") as terminal:
        equal(terminal.type("x" * 64, "x" * 64), (0, "", ""), "how it ended")
    equal(keys(h), {5: "open sesame", 6: "x" * 64}, "keys")
    contains(h.ip("sr hmac show").out, 'hmac 5 algo sha256 secret "open sesame"', "what ip shows")


@case("hmac", "two that differ at the terminal are refused, and nothing is set")
def _(net):
    need_init_user()
    h = net.ns("h")
    h.srv6("hmac set 5 sha256 fd 0", stdin="before")
    for first, again in (("open sesame", "open sesamE"), ("open", "open sesame"), ("open sesame", "open"), ("", "x"), ("open\x04", "open sesame")):
        with Terminal(h, "hmac set 5 sha256") as terminal:
            rc, out, err = terminal.type(first, again)
        equal((rc, out, err), (2, "", "srv6: the two are not the same\n"), f"after {first!r} and {again!r}")
    equal(keys(h), {5: "before"}, "keys")


@case("hmac", "a secret that is empty or too long is refused at the terminal, and no part of it is left for whoever reads there next")
def _(net):
    h = net.ns("h")
    for secret, why in (("", "the secret is empty"), ("x" * 65, "longer than 64 bytes"), ("x" * 200, "longer than 64 bytes")):
        with Terminal(h, "--dry-run hmac set 5 sha256") as terminal:
            rc, out, err = terminal.type(secret, secret)
            os.set_blocking(terminal.slave, False)
            try:
                left = os.read(terminal.slave, 4096)
            except BlockingIOError:
                left = b""
        equal((rc, out, left), (2, "", b""), f"exit status, output and what is left to read after {len(secret)} bytes")
        contains(err, why, "message")


@case("hmac", "no key that is typed ends the question: whatever it is, it is part of the secret")
def _(net):
    h = net.ns("h")
    with Terminal(h, "--dry-run -j --secrets hmac set 5 sha256") as terminal:
        rc, out, _err = terminal.type("\x03 \x1c \x1a", "\x03 \x1c \x1a")  # interrupt, quit, suspend
        equal((rc, json.loads(out)["secret"]), (0, "03201c201a"), "exit status and secret")
    with Terminal(h, "--dry-run hmac set 5 sha256") as terminal:  # end of file hands over what is there; what stands behind it is dropped
        equal(terminal.type("x\x04y", "x\x04")[:2], (0, "hmac set 5 sha256\n"), "exit status and output")


@case("hmac", "a signal while it asks ends it, and the terminal has its echo again")
def _(net):
    h = net.ns("h")
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGQUIT):
        for answers in (0, 1):
            with Terminal(h, "--dry-run hmac set 5 sha256") as terminal:
                if answers:
                    terminal.answer("secret: ", "x")
                poll(lambda: terminal.look().endswith(("secret: ", "again: ")[answers]), "the question")
                equal(terminal.flags() & termios.ECHO, 0, "echo while it asks")
                terminal.run.send_signal(number)
                out, err = terminal.run.communicate(timeout=20 * SLOW)
                equal((terminal.run.returncode, out, err), (-number, "", ""), "how it ended")
                equal(termios.tcgetattr(terminal.slave), terminal.old, f"the terminal's settings after signal {number}")


@case("hmac", "a terminal that goes away is told, and is no secret")
def _(net):
    h = net.ns("h")
    for answers in (0, 1):
        with Terminal(h, "--dry-run hmac set 5 sha256", signal.SIG_IGN) as terminal:
            if answers:
                terminal.answer("secret: ", "x")
            poll(lambda: terminal.look().endswith(("secret: ", "again: ")[answers]), "the question")
            os.close(terminal.slave)
            os.close(terminal.master)
            terminal.master = terminal.slave = -1
            out, err = terminal.run.communicate(timeout=20 * SLOW)
            equal((terminal.run.returncode, out), (2, ""), f"exit status and output ({err})")
            contains(err, "the terminal could not be read", "message")


@case("hmac", "without a terminal, and in a batch, it says where a secret can come from")
def _(net):
    h = net.ns("h")
    for words in (["hmac", "set", "5", "sha256"], ["-j", "hmac", "set", "5", "sha256"]):
        result = h.run(["setsid", "--wait", SRV6, "--dry-run"] + words)
        equal((result.rc, result.out), (2, ""), str(result))
        for text in ("there is no terminal to ask at", "add file FILE, or fd 0 to read it from standard input"):
            contains(result.err, text, str(result))
    with open("/run/netns/batch", "w", encoding="ascii") as file:
        file.write("hmac set 5 sha256\n")
    with Terminal(h, "--dry-run batch /run/netns/batch") as terminal:
        out, err = terminal.run.communicate(timeout=20 * SLOW)
        equal((terminal.run.returncode, out, terminal.look()), (2, "", ""), "exit status, output, terminal")
    contains(err, "batch:1: where is the secret? there is no terminal to ask at", "message")
    os.unlink("/run/netns/batch")


@case("hmac", "one key is shown alone, one that there is not is told, and so is a file that cannot be read")
def _(net):
    h = net.ns("h")
    contains(h.srv6("hmac show x", 2).err, "x: a key id is expected", "message")
    contains(h.srv6("hmac set 5 sha256 file /run/netns/none", 2).err, "/run/netns/none: No such file or directory", "message")
    contains(h.srv6("hmac set 5 sha256 file /run/netns", 2).err, "the secret could not be read: Is a directory", "message")
    need_init_user()
    for key in (5, 6):
        h.srv6(f"hmac set {key} sha1 fd 0", stdin="x")
    equal(h.srv6("hmac show 6").out, "6 sha1\n", "key 6")
    contains(h.srv6("hmac show 7", 1).err, "there is no key 7", "message")

#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Input that nobody vouches for, and what must not get out: see SECURITY.md. $SRV6: the binary."""

import json
import os
import re
import shutil
import signal
import subprocess
import tempfile
import time
import unittest

SRV6 = os.environ.get("SRV6", "srv6")
DEV = "if4000001"
GOOD = f"route add 2001:db8:a::/64 segs fc00:2::1 dev {DEV}\n"
CONTROLS = re.compile(rb"[\x00-\x08\x0b-\x1f\x7f]|\xc2[\x80-\x9f]")


def srv6(*words, stdin=None):
    return subprocess.run([SRV6, *words], capture_output=True, timeout=60, input=stdin)


class Files(unittest.TestCase):
    def setUp(self):
        self.dir = tempfile.mkdtemp(prefix="srv6-test-")
        self.addCleanup(shutil.rmtree, self.dir)

    def path(self, name, data=None):
        path = os.path.join(self.dir, name)
        if data is not None:
            with open(path, "wb") as f:
                f.write(data)
        return path

    def refused(self, done, *parts):
        self.assertEqual(done.returncode, 2, done.stderr)
        for part in parts:
            self.assertIn(part, done.stderr)
        self.assertIsNone(CONTROLS.search(done.stderr), done.stderr)

    def test_batch_nul(self):
        self.refused(srv6("--dry-run", "batch", self.path("b", GOOD.encode() + b"route\0add\n")), b":2:", b"NUL")

    def test_batch_device(self):
        self.refused(srv6("--dry-run", "batch", "/dev/zero"), b"NUL")

    def test_batch_long_line(self):
        self.refused(srv6("--dry-run", "batch", self.path("b", b"x" * (2 << 20))), b"1 MiB")

    def test_batch_escapes(self):
        done = srv6("--dry-run", "batch", self.path("b", b"route add \x1b]0;own\x07\xc2\x9b31m\x9b2J \xff\n"))
        self.refused(done)
        self.assertNotIn(b"\x9b", done.stderr)
        done = srv6("-j", "--dry-run", "batch", self.path("b", b"route add \x1b]0;own\x07\xc2\x9b31m\x9b2J \xff\n"))
        self.refused(done)
        json.loads(done.stderr.decode().splitlines()[0])

    def test_fifo(self):
        """It is waited for, as any program waits; a signal ends that, and nothing was done"""
        fifo = self.path("fifo")
        os.mkfifo(fifo)
        waits = subprocess.Popen([SRV6, "--dry-run", "batch", fifo], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        time.sleep(0.3)
        self.assertIsNone(waits.poll())
        waits.send_signal(signal.SIGTERM)
        out, _ = waits.communicate(timeout=60)
        self.assertEqual((waits.returncode, out), (-signal.SIGTERM, b""))

    def test_directory(self):
        """In a directory nobody named the files one by one: a pipe or a loop of links in it is no document"""
        for make in (lambda p: os.mkfifo(p), lambda p: os.symlink(self.dir, p)):
            bad = self.path("a.json")
            make(bad)
            self.refused(srv6("--dry-run", "apply", self.dir), b"a.json", b"not a regular file")
            os.unlink(bad)

    def test_json(self):
        for name, data in (("deep", b"[" * 100000), ("NUL", b'{"srv6": 1\0}'), ("UTF-8", b'{"srv6": 1, "\xff\xfe": 1}'),
                           ("surrogate", b'{"srv6": 1, "routes": [{"dst": "\\ud800"}]}'), ("empty", b""),
                           ("cut", b'{"srv6": 1, "routes": ['), ("twice", b'{"srv6": 1} {"srv6": 1}'),
                           ("escapes", b'{"srv6": 1, "\\u001b[2J": 1}'), ("number", b'{"srv6": 1e400}')):
            with self.subTest(name):
                self.refused(srv6("--dry-run", "apply", self.path("d.json", data)))

    def test_save_special(self):
        """What is no regular file is written to and never replaced"""
        link = self.path("link")
        os.symlink(self.path("target", b"old"), link)
        if srv6("save", link).returncode == 0:
            self.assertTrue(os.path.islink(link))
            self.assertEqual(os.stat(self.path("target")).st_mode & 0o777, 0o600)
            self.assertEqual(sorted(os.listdir(self.dir)), ["link", "target"])
        srv6("save", "/dev/null")
        self.assertFalse(os.path.isfile("/dev/null"))

    def test_secret(self):
        """Not from the command line; not in errors, --hex or --dry-run of it; not in a core dump"""
        secret = "c0ffee1234567890deadbeefcafe5a5a"
        done = srv6("hmac", "set", "1", "sha256", "secret", secret)
        self.refused(done, b"never on the command line")
        key = self.path("key", bytes.fromhex(secret))
        os.chmod(key, 0o600)
        for words in (("--dry-run",), ("--hex", "--dry-run"), ("-j", "--dry-run")):
            done = srv6(*words, "hmac", "set", "1", "sha256", "file", key)
            self.assertNotIn(secret.encode(), done.stdout + done.stderr, words)
        line = f"hmac set 1 sha256 secret {secret} nonsense\n".encode()
        for words in ((), ("-j",)):
            done = srv6(*words, "--dry-run", "batch", self.path("b", line))
            self.refused(done)
            self.assertNotIn(secret.encode(), done.stdout + done.stderr)

    def test_core(self):
        """Once a file with secrets is open, no memory of the process is dumped"""
        fifo = self.path("fifo")
        os.mkfifo(fifo)
        waits = subprocess.Popen([SRV6, "--dry-run", "batch", fifo], stdout=subprocess.DEVNULL)
        try:
            with open(fifo, "wb", buffering=0):
                time.sleep(0.3)
                with open(f"/proc/{waits.pid}/coredump_filter") as f:
                    self.assertEqual(int(f.read(), 16), 0)
        finally:
            waits.wait(timeout=60)

    def test_unknown_key(self):
        """A key that a document does not have is refused, also where there is none like it"""
        for key, said in (("zzzzqqqq", b"zzzzqqqq: no such key"), ("rotues", b"routes")):
            done = srv6("--dry-run", "apply", "-", stdin=json.dumps({"srv6": 1, key: []}).encode())
            self.refused(done, said)

    def test_no_shell(self):
        """The tool and the library call nothing that starts a shell"""
        if not shutil.which("nm"):
            self.skipTest("nm is not installed")
        library = next((line.split()[2] for line in subprocess.run(["ldd", SRV6], capture_output=True, text=True).stdout.splitlines()
                        if "libsrv6" in line), None)
        for file in filter(None, (SRV6, library)):
            names = subprocess.run(["nm", "-D", "--undefined-only", file], capture_output=True, text=True, check=True).stdout
            found = set(re.findall(r"\bU (\w+)", names)) & {"system", "popen", "wordexp"}
            self.assertEqual(found, set(), file)


if __name__ == "__main__":
    unittest.main()

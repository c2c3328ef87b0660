# SPDX-License-Identifier: LGPL-2.1-or-later
"""The namespace's tunnel source and HMAC keys, by generic netlink: only root of the initial user namespace may."""
import contextlib
import json
import os

from harness import case, check, contains, equal, need_init_user, reachable, skip


@contextlib.contextmanager
def container(h):
    """The tool, and what runs a command as root of a user namespace."""
    inside = ["unshare", "--user", "--map-root-user", "--net"]
    done = h.run(inside + ["true"])
    if done.rc:
        skip("no user namespace here: " + done.err.strip())
    with reachable() as (srv6, env):
        yield srv6, lambda argv: h.run(inside + argv, env=env)


@case("B19", "tunsrc: unset is said in words, unsuitable addresses are refused, foreign ones warned about")
def _(net):
    need_init_user()
    h = net.ns("h")
    contains(h.srv6("tunsrc show").out, "unset", "tunsrc shown")
    equal(h.json("tunsrc show"), [{"tunsrc": "::"}], "tunsrc as JSON")
    for address in ("ff02::1", "::1", "fe80::1", "::ffff:192.0.2.1", "192.0.2.1", "nonsense"):
        h.srv6(f"tunsrc set {address}", 2)
        equal(h.json("tunsrc show"), [{"tunsrc": "::"}], f"tunsrc after {address}")
    contains(h.srv6("tunsrc set 2001:db8::1").err, "2001:db8::1", "warning about an address that is not ours")
    equal(h.srv6("tunsrc show").out.split()[0], "2001:db8::1", "tunsrc")
    h.addr("2001:db8::2/128", "lo")
    equal(h.srv6("tunsrc set 2001:db8::2").err, "", "warning about an address that is ours")
    h.srv6("tunsrc unset")
    contains(h.srv6("tunsrc show").out, "unset", "tunsrc after unset")


@case("B20", "hmac: keys by file and descriptor, never by word; secrets shown only when asked; overwritten; deleted")
def _(net):
    need_init_user()
    h = net.ns("h")
    path = "/run/netns/secret"
    with open(path, "w", encoding="ascii", opener=lambda name, flags: os.open(name, flags, 0o600)) as file:
        file.write("x" * 64)
    h.srv6(f"hmac set 1 sha1 file {path}")
    h.srv6("hmac set 2 sha256 fd 0", stdin="other\n")
    equal([(key["hmac"], key["algo"]) for key in h.json("hmac show")], [(1, "sha1"), (2, "sha256")], "keys")
    check("secret" not in h.srv6("-j hmac show").out and "other" not in h.srv6("hmac show").out, "no secret is shown")
    equal(bytes.fromhex(h.json("--secrets hmac show")[1]["secret"]), b"other", "secret when asked for")
    contains(h.ip("sr hmac show").out, 'hmac 2 algo sha256 secret "other"', "what ip shows")
    h.srv6("hmac set 1 sha256 fd 0", stdin="new")
    equal(h.json("hmac show")[0]["algo"], "sha256", "algorithm after a second set")
    h.srv6("hmac set 3 sha1 fd 0", 2, stdin="x" * 65)
    h.srv6("hmac set 3 sha1 fd 0", 2, stdin="")
    h.srv6("hmac set 3 md5 fd 0", 2, stdin="x")
    h.srv6("hmac set 0 sha1 fd 0", 2, stdin="x")
    contains(h.srv6("hmac set 3 sha1 secret topsecret", 2).err, "never on the command line", "message")
    h.srv6("hmac del 1")
    contains(h.srv6("hmac del 1", 1).err, "no HMAC key 1", "message")
    equal([key["hmac"] for key in h.json("hmac show")], [2], "keys after del")
    os.unlink(path)


@case("B19", "an atomic batch that fails puts the tunnel source and the keys back, secrets too; one that does not has set them")
def _(net):
    need_init_user()
    h = net.ns("h")
    h.up("lo")
    paths = [f"/run/netns/secret{i}" for i in range(2)]
    for path, text in zip(paths, ("first", "second")):
        with open(path, "w", encoding="ascii", opener=lambda name, flags: os.open(name, flags, 0o600)) as file:
            file.write(text)
    h.addr("2001:db8::1/128", "lo")
    h.addr("2001:db8::2/128", "lo")
    h.srv6("tunsrc set 2001:db8::1")
    for key in (1, 2):
        h.srv6(f"hmac set {key} sha256 file {paths[0]}")
    def shown():
        return h.ip("sr tunsrc show").out, sorted(h.ip("sr hmac show").out.splitlines())
    lines = (f"tunsrc set 2001:db8::2\nhmac set 1 sha1 file {paths[1]}\nhmac set 3 sha256 file {paths[1]}\nhmac del 2\n")
    before = shown()
    result = h.srv6("batch --atomic -", 1, stdin=lines + "route del 2001:db8:9::/48\n")
    contains(result.err, "<stdin>:5", "place of the failure")
    equal(shown(), before, "tunnel source and keys after the failure")
    h.srv6("batch --atomic -", stdin=lines)
    source, keys = shown()
    contains(source, "2001:db8::2", "tunnel source")
    equal([key.split() for key in keys], [["hmac", "1", "algo", "sha1", "secret", '"second"'],
                                          ["hmac", "3", "algo", "sha256", "secret", '"second"']], "keys")


@case("apply", "a document's tunnel source takes the place of another, null unsets it, and one that says nothing of it leaves it alone")
def _(net):
    need_init_user()
    h = net.ns("h")
    h.up("lo")
    for address in (1, 2):
        h.addr(f"2001:db8::{address}/128", "lo")
    h.srv6("tunsrc set 2001:db8::1")
    for document, want, dry in (({"tunsrc": "2001:db8::2"}, "2001:db8::2", 1), ({"tunsrc": "2001:db8::2"}, "2001:db8::2", 0),
                                ({}, "2001:db8::2", 0), ({"tunsrc": None}, "::", 1), ({}, "::", 0)):
        path = "/run/netns/document.json"
        with open(path, "w", encoding="ascii") as file:
            json.dump({"srv6": 1, **document}, file)
        h.srv6(f"--dry-run apply {path}", dry)
        h.srv6(f"apply {path}")
        equal(h.ip("sr tunsrc show").out.split()[-1], want, f"tunnel source after {document}")
        os.unlink(path)


@case("B20", "the whole list of keys, however many")
def _(net):
    need_init_user()
    h = net.ns("h")
    for key in range(1, 121):
        h.srv6(f"hmac set {key} sha256 fd 0", stdin=f"secret of 64 bytes {key:045}")
    equal(sorted(key["hmac"] for key in h.json("hmac show")), list(range(1, 121)), "keys")


@case("permissions", "root of a container is told that tunsrc and HMAC keys are the initial namespace's; routes work")
def _(net):
    h = net.ns("h")
    with container(h) as (srv6, run):
        for words in (["tunsrc", "set", "2001:db8::1"], ["tunsrc", "show"], ["hmac", "show"], ["hmac", "del", "1"]):
            done = run([srv6] + words)
            equal(done.rc, 1, str(done))
            contains(done.err, "initial user namespace", str(done))
            contains(done.err, "EPERM", str(done))
        script = ("ip link add v0 type veth peer name v1 && ip link set v0 up && ip link set v1 up && "
                  f"{srv6} route add fc00:1::/64 encap seg6 mode encap segs fc00:2::1 dev v0 && {srv6} -j route show")
        done = run(["sh", "-c", script])
        equal(done.rc, 0, str(done))
        contains(done.out, "fc00:1::/64", "route in the container")


@case("permissions", "show goes on without what may not be read, and says so")
def _(net):
    h = net.ns("h")
    with container(h) as (srv6, run):
        done = run([srv6, "show"])
    contains(done.err, "initial user namespace", str(done))
    check(done.rc in (0, 3), str(done))

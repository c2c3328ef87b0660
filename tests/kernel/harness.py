# SPDX-License-Identifier: LGPL-2.1-or-later
"""
Tests against the running kernel: network namespaces, packets sent and looked at byte by byte.

A test is a function with a name that says what is right:

    @case("B05", "128 segments are refused")
    def _(net):
        h = net.ns("h")                         # a namespace with lo up
        b = net.ns("b")
        net.link(h, "v0", b, "v1")              # veth, up, fixed MACs, no DAD
        h.addr("2001:db8:1::1/64", "v0")
        h.neigh("v0", "2001:db8:1::2")          # behind v0; no resolution
        h.srv6("route add ... dev v0")          # fails the test unless it exits 0
        h.refused("route add ...", 2, "at most 127")
        equal(h.json("route show")[0]["dst"], "...", "destination")

skip("why") where the kernel or the permissions don't allow it. Everything happens in a network and a mount
namespace of the runner's own (see run.py): names are free, and nothing is left behind even after a kill.
"""
import contextlib
import ctypes
import errno
import glob
import hmac
import ipaddress
import json
import os
import shlex
import shutil
import socket
import struct
import subprocess
import tempfile
import time

SRV6 = os.environ.get("SRV6", "srv6")
SLOW = float(os.environ.get("SRV6_TEST_SLOW", "1"))  # under emulation all waits are longer
INIT_USER = os.environ.get("SRV6_TEST_USERNS", "") == ""  # generic netlink SEG6 works in the initial one alone
# In front of a command: another user, without rights but to read: homes, and what is built in them, are often closed to others.
NOBODY = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "--bounding-set=-all,+dac_read_search",
          "--inh-caps=-all,+dac_read_search", "--ambient-caps=+dac_read_search"]
CLONE_NEWNET = 0x40000000
NETNS_DIR = "/run/netns/"
CASES = []


class Skip(Exception):
    pass


class Failed(AssertionError):
    pass


def case(name, text):
    """Registers a test: name is B01 .. B25 for a known problem, else the group it belongs to."""
    check(" -- " not in text, "' -- ' parts a test's name from the reason")
    def register(function):
        CASES.append((f"{name} {text}", function))
        return function
    return register


def skip(why):
    raise Skip(why)


def check(condition, text):
    if not condition:
        raise Failed(text)


def equal(have, want, what):
    if have != want:
        raise Failed(f"{what}: have {have!r}, want {want!r}")


def contains(text, part, what="text"):
    if part not in text:
        raise Failed(f"{what} lacks {part!r}:\n{text}")


def poll(condition, what, seconds=5):
    """Waits until condition() is true and returns what it returned."""
    end = time.monotonic() + seconds * SLOW
    while True:
        value = condition()
        if value:
            return value
        if time.monotonic() > end:
            raise Failed(f"timed out: {what}")
        time.sleep(0.02)


def read(path):
    with open(path, encoding="ascii") as file:
        return file.read().strip()


@contextlib.contextmanager
def reachable():
    """A copy of the tool for root of a container, who may not enter another's closed home; and the environment it needs."""
    tool = shutil.which(SRV6)
    with tempfile.TemporaryDirectory(prefix="srv6-test-") as folder:
        os.chmod(folder, 0o755)
        for file in [tool] + glob.glob(os.path.join(os.path.dirname(tool), "../libsrv6.so.0")):
            shutil.copy(file, folder)
        yield os.path.join(folder, os.path.basename(tool)), {"LD_LIBRARY_PATH": folder}


# ------------------------------------------------------------------ namespaces

_libc = ctypes.CDLL(None, use_errno=True)


def system(name, *args):
    """A function of libc that says -1 and errno."""
    if getattr(_libc, name)(*args) < 0:
        code = ctypes.get_errno()
        raise OSError(code, f"{name}: {os.strerror(code)}")


def setns(fd):
    system("setns", fd, CLONE_NEWNET)


def make_namespace(name):
    """As ip netns add does it; a program less matters under emulation."""
    home = os.open("/proc/thread-self/ns/net", os.O_RDONLY | os.O_CLOEXEC)
    system("unshare", CLONE_NEWNET)
    try:
        with open(NETNS_DIR + name, "x", encoding="ascii"):
            pass
        system("mount", b"/proc/thread-self/ns/net", (NETNS_DIR + name).encode(), b"none", 4096, None)  # MS_BIND
    finally:
        setns(home)
        os.close(home)


class Result:
    """A command's end. Reads as its standard output."""
    def __init__(self, argv, done):
        self.argv, self.rc = argv, done.returncode
        self.out, self.err = done.stdout, done.stderr

    def __str__(self):
        return f"$ {shlex.join(self.argv)}\nexit status {self.rc}\n{self.out}{self.err}"


class Namespace:
    def __init__(self, name):
        self.name = name
        self.fd = os.open(NETNS_DIR + name, os.O_RDONLY | os.O_CLOEXEC)

    @contextlib.contextmanager
    def inside(self):
        """This process's network namespace is this one meanwhile."""
        home = os.open("/proc/thread-self/ns/net", os.O_RDONLY | os.O_CLOEXEC)
        setns(self.fd)
        try:
            yield
        finally:
            setns(home)
            os.close(home)

    def run(self, argv, stdin="", timeout=60, env=None):
        if isinstance(argv, str):
            argv = shlex.split(argv)
        fd = self.fd
        done = subprocess.run(argv, input=stdin, capture_output=True, text=True, timeout=timeout * SLOW, check=False,
                              errors="backslashreplace", preexec_fn=lambda: setns(fd),
                              env={**os.environ, **(env or {}), "LC_ALL": "C"})
        result = Result(argv, done)
        if done.returncode < 0 or "AddressSanitizer" in done.stderr or "runtime error:" in done.stderr:
            raise Failed(f"crashed: {result}")
        return result

    def start(self, argv, **kwargs):
        """A program in the background; the caller ends it."""
        if isinstance(argv, str):
            argv = shlex.split(argv)
        fd = self.fd
        return subprocess.Popen(argv, text=True, preexec_fn=lambda: setns(fd), **kwargs)

    def ip(self, command, ok=True):
        """ip, which must succeed. Several commands, a line each, go in one batch."""
        if "\n" in command:
            lines = "\n".join(line.strip() for line in command.strip().splitlines())
            result = self.run(["ip", "-batch", "-"], stdin=lines + "\n")
        else:
            result = self.run(["ip"] + shlex.split(command))
            for _ in range(20):  # seg6 routes get an ENOMEM now and then that means nothing; ip does not try again
                if "Cannot allocate memory" not in result.err:
                    break
                time.sleep(0.01)
                result = self.run(["ip"] + shlex.split(command))
        check(not ok or result.rc == 0, str(result))
        return result

    def srv6(self, command, rc=0, stdin="", env=None):
        """Our tool, which must exit with rc."""
        argv = [SRV6] + (shlex.split(command) if isinstance(command, str) else command)
        result = self.run(argv, stdin=stdin, env=env)
        check(rc is None or result.rc == rc, f"want exit status {rc}: {result}")
        return result

    def refused(self, command, rc, *texts):
        """Our tool, which must refuse with rc and say all of texts; the routes must be what they were."""
        before = self.state()
        result = self.srv6(command, rc)
        for text in texts:
            contains(result.err, text, str(result) + "\nmessage")
        equal(self.state(), before, f"routes after a refusal ({command})")
        return result

    def json(self, command):
        """What our tool prints with -j, parsed. A list wherever it shows a list."""
        result = self.srv6("-j " + command)
        try:
            return json.loads(result.out or "[]")
        except ValueError as error:
            raise Failed(f"not JSON ({error}): {result}") from None

    def ip_json(self, command):
        return json.loads(self.ip("-j " + command).out or "[]")

    def state(self):
        """All routes and nexthop objects, as ip sees them, but for the kernel's own: a device may come up meanwhile."""
        routes = [self.ip(f"{family} route show table all").out.splitlines() for family in ("-4", "-6")]
        own = [[line for line in lines if " proto kernel " not in line] for lines in routes]
        return own + [self.ip("nexthop").out]

    def sysctl(self, key, value=None):
        """Reads or writes net.KEY (dots or slashes: use slashes where a name has dots); None where there is none."""
        path = "/proc/sys/net/" + (key if "/" in key else key.replace(".", "/"))
        with self.inside():
            if not os.path.exists(path):
                return None
            if value is None:
                return read(path)
            with open(path, "w", encoding="ascii") as file:
                file.write(str(value))
        return str(value)

    # What every test sets up goes by netlink of our own, not by ip: under emulation that is ten times faster.

    def ask(self, kind, flags, body, what):
        code, text = netlink(self, kind, flags, body)
        check(code == 0, f"{what} in {self.name}: {os.strerror(code)} {text}")

    def up(self, dev, mtu=0):
        body = struct.pack("=BBHiII", 0, 0, 0, self.index(dev), 1, 1) + (nla(4, u32(mtu)) if mtu else b"")
        self.ask(RTM_NEWLINK, 0, body, f"{dev} up")

    def addr(self, address, dev):
        one = ipaddress.ip_interface(address)
        body = struct.pack("=BBBBI", family(one), one.network.prefixlen, 2 if one.version == 6 else 0, 0, self.index(dev))
        self.ask(RTM_NEWADDR, NEW, body + nla(2, one.ip.packed) + nla(1, one.ip.packed), f"address {address}")

    def via(self, dst, gateway, dev, table=254):
        """A plain route."""
        prefix = ipaddress.ip_network(dst)
        body = struct.pack("=BBBBBBBBI", family(prefix), prefix.prefixlen, 0, 0, 0, 3, 0, 1, 0)
        body += nla(1, prefix.network_address.packed) + nla(5, ipaddress.ip_address(gateway).packed)
        self.ask(RTM_NEWROUTE, NEW, body + nla(4, u32(self.index(dev))) + nla(15, u32(table)), f"route to {dst}")

    def neigh(self, dev, *addresses):
        """Permanent neighbours behind dev, all with the MAC of its other end."""
        for address in addresses:
            one = ipaddress.ip_address(address)
            body = struct.pack("=BBHiHBB", family(one), 0, 0, self.index(dev), 0x80, 0, 1)
            body += nla(1, one.packed) + nla(2, raw_mac(getattr(self, "peer_" + dev)))
            self.ask(RTM_NEWNEIGH, NLM_F_CREATE | NLM_F_REPLACE, body, f"neighbour {address}")

    def forward(self):
        """Forwards both families, and lets decapsulated IPv4 in from anywhere."""
        self.sysctl("ipv6/conf/all/forwarding", 1)
        self.sysctl("ipv4/conf/all/forwarding", 1)
        self.sysctl("ipv4/conf/all/rp_filter", 0)
        self.sysctl("ipv4/conf/default/rp_filter", 0)
        with self.inside():
            for dev in os.listdir("/proc/sys/net/ipv4/conf"):
                with open(f"/proc/sys/net/ipv4/conf/{dev}/rp_filter", "w", encoding="ascii") as file:
                    file.write("0")

    def sniff(self, dev):
        return Sniffer(self, dev)

    def send(self, dev, frame):
        """Sends an Ethernet frame out of dev, as it is."""
        with self.inside(), socket.socket(socket.AF_PACKET, socket.SOCK_RAW, 0) as sock:
            sock.bind((dev, 0))
            sock.send(frame)

    def index(self, dev):
        with self.inside():
            return socket.if_nametoindex(dev)

    def vrf(self, name, table, strict=True):
        """A VRF device, up; skips where the kernel has none."""
        if self.ip(f"link add {name} type vrf table {table}", ok=False).rc:
            skip("this kernel has no VRF devices")
        self.ip(f"link set {name} up")
        if strict:
            self.sysctl("vrf/strict_mode", 1)


class Net:
    """One test's namespaces; all of them go with it."""
    def __init__(self):
        self.spaces, self.links = [], 0

    def ns(self, name):
        make_namespace(name)
        space = Namespace(name)
        self.spaces.append(space)
        space.up("lo")
        return space

    def link(self, one, dev_one, two, dev_two, mtu=0):
        """A veth pair with MACs 02:00:00:00:00:01, :02, :03 ... in order of creation; no DAD, no router solicitations."""
        macs = [mac(self.links * 2 + n) for n in (1, 2)]
        self.links += 1
        peer = bytes(16) + named(dev_two, macs[1]) + nla(28, u32(two.fd))
        info = nla(1, b"veth\0") + nla(2 | NESTED, nla(1 | NESTED, peer))
        one.ask(RTM_NEWLINK, NEW, bytes(16) + named(dev_one, macs[0]) + nla(18 | NESTED, info), f"{dev_one}, {dev_two}")
        for space, dev, peer in ((one, dev_one, macs[1]), (two, dev_two, macs[0])):
            space.sysctl(f"ipv6/conf/{dev}/accept_dad", 0)
            space.sysctl(f"ipv6/conf/{dev}/router_solicitations", 0)
            space.up(dev, mtu)
            setattr(space, f"peer_{dev}", peer)

    def neigh(self, space, dev, *addresses):
        space.neigh(dev, *addresses)

    def close(self):
        for space in self.spaces:
            os.close(space.fd)
            system("umount2", (NETNS_DIR + space.name).encode(), 2)  # MNT_DETACH
            os.unlink(NETNS_DIR + space.name)


def mac(number):
    return f"02:00:00:00:00:{number:02x}"


def named(dev, address):
    return nla(3, dev.encode() + b"\0") + nla(1, raw_mac(address))


def family(address):
    return 10 if address.version == 6 else 2


def raw_mac(text):
    return bytes.fromhex(text.replace(":", ""))


# --------------------------------------------------------------------- packets

def in6(text):
    return ipaddress.IPv6Address(text).packed


def in4(text):
    return ipaddress.IPv4Address(text).packed


def csum(data):
    if len(data) % 2:
        data += b"\0"
    total = sum(struct.unpack(f"!{len(data) // 2}H", data))
    while total >> 16:
        total = (total & 0xffff) + (total >> 16)
    return ~total & 0xffff


def udp(src, dst, payload, sport=4000, dport=5000):
    """UDP with its checksum; src and dst packed, of either family."""
    length = 8 + len(payload)
    head = struct.pack("!HHHH", sport, dport, length, 0)
    if len(src) == 16:
        pseudo = src + dst + struct.pack("!II", length, 17)
    else:
        pseudo = src + dst + struct.pack("!BBH", 0, 17, length)
    return head[:6] + struct.pack("!H", csum(pseudo + head + payload) or 0xffff) + payload


def ip6(src, dst, payload, nh=17, hops=64, tclass=0, flow=0):
    return struct.pack("!IHBB", 6 << 28 | tclass << 20 | flow, len(payload), nh, hops) + in6(src) + in6(dst) + payload


def ip4(src, dst, payload, proto=17, ttl=64, tos=0):
    head = struct.pack("!BBHHHBBH", 0x45, tos, 20 + len(payload), 1, 0x4000, ttl, proto, 0) + in4(src) + in4(dst)
    return head[:10] + struct.pack("!H", csum(head)) + head[12:] + payload


def srh(segments, left, nh, flags=0, tag=0, tlvs=b""):
    """An SRH as on the wire; segments in path order."""
    body = b"".join(in6(segment) for segment in reversed(segments)) + tlvs
    return struct.pack("!BBBBBBH", nh, len(body) // 8, 4, left, len(segments) - 1, flags, tag) + body


def udp6(src, dst, payload, **kwargs):
    return ip6(src, dst, udp(in6(src), in6(dst), payload), **kwargs)


def udp4(src, dst, payload, **kwargs):
    return ip4(src, dst, udp(in4(src), in4(dst), payload), **kwargs)


def frame(dst_mac, packet, src_mac="02:00:00:00:00:fe"):
    kind = 0x86dd if packet[0] >> 4 == 6 else 0x0800
    return raw_mac(dst_mac) + raw_mac(src_mac) + struct.pack("!H", kind) + packet


class Srh:
    def __init__(self, data):
        check(len(data) >= 8, "SRH cut short")
        self.nh, self.hdrlen, self.type, self.left, self.last, self.flags, self.tag = struct.unpack("!BBBBBBH", data[:8])
        size = (self.hdrlen + 1) * 8
        check(len(data) >= size, "SRH longer than the packet")
        end = 8 + 16 * (self.last + 1)
        self.wire = [str(ipaddress.IPv6Address(data[at:at + 16])) for at in range(8, min(end, size), 16)]
        self.segs = self.wire[::-1]  # path order
        self.tlvs = data[end:size]
        self.bytes, self.rest = data[:size], data[size:]


class Ip6:
    """An IPv6 packet: its header, the SRH if there is one, and what comes after in payload (of kind nh)."""
    def __init__(self, data):
        check(len(data) >= 40 and data[0] >> 4 == 6, f"not IPv6: {data.hex()}")
        word, self.length, self.nh, self.hops = struct.unpack("!IHBB", data[:8])
        self.tclass, self.flow = word >> 20 & 0xff, word & 0xfffff
        self.src, self.dst = (str(ipaddress.IPv6Address(data[at:at + 16])) for at in (8, 24))
        self.payload, self.srh = data[40:40 + self.length], None
        if self.nh == 43:
            self.srh = Srh(self.payload)
            self.nh, self.payload = self.srh.nh, self.srh.rest


def hmac_tlv(secret, algo, key, src, header):
    """The HMAC TLV that a parsed SRH must carry (RFC 8754 2.1.2)."""
    segments = b"".join(in6(segment) for segment in header.wire)
    text = src + bytes([header.last, header.flags]) + struct.pack("!I", key) + segments
    digest = hmac.new(secret, text, algo).digest()
    return bytes([5, 38, 0, 0]) + struct.pack("!I", key) + digest + bytes(32 - len(digest))


class Sniffer:
    """What arrives on a device from the moment this is made."""
    def __init__(self, space, dev):
        with space.inside():
            self.sock = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(3))
            self.sock.bind((dev, 3))
        self.sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 20)

    def frames(self, seconds):
        end = time.monotonic() + seconds
        while True:
            self.sock.settimeout(max(end - time.monotonic(), 0.001))
            try:
                data, where = self.sock.recvfrom(65535)
            except (TimeoutError, socket.timeout):
                return
            if where[2] != 4:  # PACKET_OUTGOING
                yield data

    def frame(self, marker, seconds=3):
        """The first Ethernet frame that contains marker."""
        for data in self.frames(seconds * SLOW):
            if marker in data:
                return data
        raise Failed(f"no packet with {marker!r} arrived")

    def packet(self, marker, seconds=3):
        """The first IPv6 packet that contains marker, parsed."""
        return Ip6(self.frame(marker, seconds)[14:])

    def nothing(self, marker, seconds=0.3):
        for data in self.frames(seconds * SLOW):
            check(marker not in data, f"a packet with {marker!r} arrived")


# ---------------------------------------------------------------- raw netlink

NLM_F_REQUEST, NLM_F_ACK, NLM_F_REPLACE, NLM_F_EXCL, NLM_F_CREATE = 1, 4, 0x100, 0x200, 0x400
RTM_NEWLINK, RTM_NEWADDR, RTM_NEWROUTE, RTM_NEWNEIGH, RTM_NEWNEXTHOP = 16, 20, 24, 28, 104
NEW = NLM_F_CREATE | NLM_F_EXCL
NESTED = 0x8000


def nla(kind, data):
    return struct.pack("=HH", 4 + len(data), kind) + data + b"\0" * (-len(data) % 4)


def u32(number):
    return struct.pack("=I", number)


def netlink(space, kind, flags, body):
    """Sends one request; returns (errno, the kernel's words)."""
    with space.inside(), socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 0) as sock:
        sock.bind((0, 0))
        for option in (10, 11):  # NETLINK_CAP_ACK, NETLINK_EXT_ACK
            sock.setsockopt(270, option, 1)
        sock.settimeout(5 * SLOW)
        sock.send(struct.pack("=IHHII", 16 + len(body), kind, flags | NLM_F_REQUEST | NLM_F_ACK, 1, 0) + body)
        answer = sock.recv(65536)
    code = -struct.unpack_from("=i", answer, 16)[0]
    text, at = "", 36
    while struct.unpack_from("=H", answer, 6)[0] & 0x200 and at + 4 <= len(answer):
        length, attr = struct.unpack_from("=HH", answer, at)
        if attr & 0x3fff == 1:
            text = answer[at + 4:at + length].rstrip(b"\0").decode()
        at += (length + 3) & ~3
    return code, text


def seg6(mode=1, segments=("fc00::1",), more=b""):
    """Contents of a seg6 encapsulation attribute."""
    return nla(1, struct.pack("=i", mode) + srh(segments, len(segments) - 1, 0)) + more


def seg6local(action, more=b""):
    return nla(1, u32(action)) + more


def add_route(space, dst, dev, encap_type, encap, flags=NEW):
    """Installs a route to the prefix dst through dev with the bytes of an encapsulation."""
    prefix = ipaddress.ip_network(dst)
    scope = 0 if prefix.version == 6 else 253
    body = struct.pack("=BBBBBBBBI", family(prefix), prefix.prefixlen, 0, 0, 254, 3, scope, 1, 0)
    body += nla(1, prefix.network_address.packed) + nla(4, u32(space.index(dev)))
    body += nla(22 | NESTED, encap) + nla(21, struct.pack("=H", encap_type))
    return netlink(space, RTM_NEWROUTE, flags, body)


def probe(encap_type, encap, of=10):
    """What the kernel says to an encapsulation, nothing being installed: ENOENT means that it takes it."""
    global _probe_space
    if _probe_space is None:
        make_namespace("probe")
        _probe_space = Namespace("probe")
        _probe_space.up("lo")
    body = struct.pack("=BBBBI", of, 0, 0, 0, 0) + nla(1, u32(1)) + nla(5, u32(1))
    body += nla(8 | NESTED, encap) + nla(7, struct.pack("=H", encap_type))
    return netlink(_probe_space, RTM_NEWNEXTHOP, NLM_F_REPLACE, body)


_probe_space = None
_can = {}


def _flavors(mask):
    return nla(11 | NESTED, nla(1, u32(mask)))


# What only some kernels have, each with a request whose answer tells; independent of the tool under test.
_PROBES = {
    "seg6": lambda: probe(5, seg6())[0] == errno.ENOENT,
    "seg6local": lambda: probe(7, seg6local(1))[0] == errno.ENOENT,
    "tunsrc": lambda: probe(5, seg6(more=nla(2, bytes(16))))[0] != errno.ENOENT,
    "lookup": lambda: probe(5, seg6(more=nla(3, u32(0))))[0] != errno.ENOENT,
    "psp": lambda: probe(7, seg6local(1, _flavors(0x2)))[0] == errno.ENOENT,
    "next-csid": lambda: probe(7, seg6local(1, _flavors(0x10)))[0] == errno.ENOENT,
    "End.X next-csid": lambda: probe(7, seg6local(2, nla(5, bytes(16)) + _flavors(1 << 31)))[0] == errno.EOPNOTSUPP,
    "mobile": lambda: probe(11, seg6local(0xffff))[0] == errno.EOPNOTSUPP,
}


def can(what):
    if what not in _can:
        _can[what] = _PROBES[what]()
    return _can[what]


def need(what):
    if not can(what):
        skip(f"this kernel has no {what}")


def need_init_user():
    """For tunsrc and HMAC keys."""
    if not INIT_USER:
        skip("needs root in the initial user namespace")


def encap_of(route):
    """The encapsulation of a route of ip -j: nested since iproute2 6.3, flat before."""
    encap = route["encap"]
    if isinstance(encap, dict):
        return {**encap, "encap": encap["encap_type"]}
    return route

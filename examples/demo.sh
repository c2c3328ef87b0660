#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# examples/demo.sh - SRv6 in three network namespaces, with packets
#
# Run as root (sudo examples/demo.sh). Installs the packages that are missing, builds, and then
#
#     host ----------- headend ----------- endpoint
#     2001:db8:1::2    2001:db8:1::1
#                      2001:db8:2::1       2001:db8:2::2
#
# sends packets from host to addresses behind the endpoint. The headend encapsulates them, the endpoint takes them
# out. What is done to each is said before it is done. Nothing outside these namespaces is touched, and they are
# gone at the end, also when it is interrupted.
set -euo pipefail
cd "$(dirname "$0")/.."
case ${1-} in
'') ;;
-h|--help) sed -n '3,/^set/{/^set/d;s/^# \{0,1\}//;p}' examples/demo.sh; exit 0 ;;
*) echo "$0 takes no words but --help" >&2; exit 2 ;;
esac
[ "$(id -u)" = 0 ] || { echo "network namespaces need root: sudo $0" >&2; exit 1; }
tests/install-packages build demo

srv6=${SRV6:-$PWD/build/cli/srv6}
if [ -z "${SRV6:-}" ]; then
	echo "building in build/"
	cmake -S . -B build -DSRV6_TESTS=OFF >/dev/null
	cmake --build build -j"$(nproc)" >/dev/null
fi

host=demo-$$-host headend=demo-$$-headend endpoint=demo-$$-endpoint
cleanup() {
	for ns in $host $headend $endpoint; do
		ip netns del "$ns" 2>/dev/null || :
	done
}
trap cleanup EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP

say() { printf '\n%s\n' "$*"; }
on() { # NAMESPACE COMMAND...
	local ns=$1
	shift
	ip netns exec "$ns" "$@"
}
run() { # NAMESPACE srv6-WORDS...: shown, and done
	local ns=$1
	shift
	echo "  ${ns##*-}\$ srv6 $*"
	on "$ns" "$srv6" "$@" 2>&1 | sed 's/^/    /'
}

for ns in $host $headend $endpoint; do
	ip netns add "$ns"
	on "$ns" sysctl -qw net.ipv6.conf.all.forwarding=1 net.ipv6.conf.default.accept_dad=0
	ip -n "$ns" link set lo up
done
ip link add eth0 netns $host type veth peer name left netns $headend
ip link add right netns $headend type veth peer name eth0 netns $endpoint
for device in "$host eth0" "$headend left" "$headend right" "$endpoint eth0"; do
	ip -n ${device% *} link set "${device#* }" up
done
ip -n $host addr add 2001:db8:1::2/64 dev eth0
ip -n $headend addr add 2001:db8:1::1/64 dev left
ip -n $headend addr add 2001:db8:2::1/64 dev right
ip -n $headend addr add 2001:db8:5::a/128 dev lo
ip -n $headend addr add 2001:db8:5::b/128 dev lo
ip -n $endpoint addr add 2001:db8:2::2/64 dev eth0
ip -n $endpoint addr add 2001:db8:a::1/128 dev lo
ip -n $endpoint addr add 2001:db8:b::1/128 dev lo
ip -n $host route add default via 2001:db8:1::1
ip -n $headend route add fc00:e::/64 via 2001:db8:2::2
ip -n $endpoint route add default via 2001:db8:2::1

# The outer source of the next packet to the SID, seen on the wire at the endpoint
outer_source() { # COMMAND...: what makes that packet
	on $endpoint python3 -c '
import ipaddress, socket, subprocess, sys, time
wire = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(0x86dd))
wire.bind(("eth0", 0x86dd))
wire.settimeout(0.2)
ping = subprocess.Popen(sys.argv[1:], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
end = time.monotonic() + 10
while time.monotonic() < end:
    try:
        packet = wire.recv(2048)[14:]
    except (TimeoutError, socket.timeout):
        continue
    if packet[24:40] == ipaddress.ip_address("fc00:e::d6").packed:
        print(ipaddress.ip_address(packet[8:24]))
        break
else:
    print("nothing arrived")
ping.wait()
' "$@"
}
# One UDP datagram: ping is not installed everywhere
send() { # ADDRESS
	outer_source ip netns exec $host python3 -c '
import socket, sys, time
for _ in range(3):
    socket.socket(socket.AF_INET6, socket.SOCK_DGRAM).sendto(b"demo", (sys.argv[1], 9))
    time.sleep(0.3)
' "$1"
}

say "The endpoint: a SID that decapsulates IPv6 and counts."
run $endpoint sid add fc00:e::d6 End.DT6 table main dev eth0 count

say "The headend: two routes that encapsulate, without a source of their own."
for net in a b; do
	run $headend route add 2001:db8:$net::/64 encap seg6 mode encap segs fc00:e::d6 dev right
done
echo "  outer source on the wire, to 2001:db8:a::1: $(send 2001:db8:a::1) (the kernel selects it, for every packet)"

say "A source for each route: tunsrc."
if run $headend route replace 2001:db8:a::/64 encap seg6 mode encap tunsrc 2001:db8:5::a segs fc00:e::d6 dev right; then
	run $headend route replace 2001:db8:b::/64 encap seg6 mode encap tunsrc 2001:db8:5::b segs fc00:e::d6 dev right
	for net in a b; do
		echo "  outer source on the wire, to 2001:db8:$net::1: $(send 2001:db8:$net::1)"
	done
else
	say "That is as it should be: this kernel ($(uname -r)) has no per-route tunsrc, which came with Linux 7.1."
	echo "An older kernel says yes and forgets it; srv6 looks, says so, and leaves the route as it was."
	say "What this kernel has is one source for the whole namespace."
	run $headend tunsrc set 2001:db8:5::a
	run $headend tunsrc show
	echo "  outer source on the wire, to 2001:db8:a::1: $(send 2001:db8:a::1)"
fi

say "The routes:"
run $headend route show
say "The SID and what it counted:"
run $endpoint -s sid show

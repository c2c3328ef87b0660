#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# The installed tree, as its users have it: examples are compiled against it with what pkg-config says and nothing else,
# in C and (the header) in C++, and run in a namespace. $SRV6_BUILD: the build to install.
set -u
cd "$(dirname "$0")/.." || exit 2
top=$PWD build=${SRV6_BUILD:-$PWD/build}
if [ -z "${SRV6_TEST_INSIDE-}" ]; then
	user=()
	[ "$(id -u)" = 0 ] || user=(--user --map-root-user)
	SRV6_TEST_INSIDE=1 exec unshare --net "${user[@]}" "$0" "$@"
fi
root=$(mktemp -d "${TMPDIR:-/tmp}/srv6-install.XXXXXX") || exit 2
follower=''
trap '[ -z "$follower" ] || kill "$follower" 2>/dev/null; rm -rf "$root"' EXIT
failed=0
try() { # NAME COMMAND...
	local name=$1
	shift
	if "$@" >"$root/log" 2>&1; then
		echo "PASS $name"
	else
		echo "FAIL $name: $(tail -n 1 "$root/log")"
		sed 's/^/  /' "$root/log"
		failed=1
	fi
}
shown() { "$root/bin/srv6" route show 2>/dev/null | grep -q "$1"; }
eventually() { for _ in $(seq 100); do if "$@"; then return 0; fi; sleep 0.1; done; return 1; }

cmake -S "$top" -B "$root/build" -DCMAKE_INSTALL_PREFIX="$root/usr" -DCMAKE_INSTALL_LIBDIR=lib -DSRV6_TESTS=OFF >"$root/log" 2>&1 &&
	cmake --build "$root/build" -j"$(nproc)" >>"$root/log" 2>&1
try "cmake --install" cmake --install "$root/build"
mkdir -p "$root/bin"
ln -s "$root/usr/sbin/srv6" "$root/bin/srv6"
export PKG_CONFIG_PATH=$root/usr/lib/pkgconfig LD_LIBRARY_PATH=$root/usr/lib

cc=${CC:-cc}
strict="-Wall -Wextra -Werror"
for example in dump follow; do
	# shellcheck disable=SC2046
	try "$example.c compiles with cc and pkg-config" $cc $strict "examples/$example.c" \
		$(pkg-config --cflags --libs libsrv6) -o "$root/$example"
done
# shellcheck disable=SC2046
try "libnl.c compiles with cc and pkg-config" $cc $strict examples/libnl.c \
	$(pkg-config --cflags --libs libsrv6 libnl-route-3.0) -o "$root/libnl"
echo '#include <libsrv6/libsrv6.h>' >"$root/header.c"
for language in "-x c -std=c99" "-x c -std=c11" "-x c++ -std=c++11"; do
	# shellcheck disable=SC2046,SC2086
	try "the header alone as ${language##*=}" $cc $strict -Wpedantic $language -fsyntax-only "$root/header.c" \
		$(pkg-config --cflags libsrv6)
done

ip link add eth0 type veth peer name eth1 && ip link set eth0 up && ip link set eth1 up && ip link set lo up
try "the installed srv6 runs" "$root/bin/srv6" route add 2001:db8:1::/64 encap seg6 mode encap segs fc00:9::1 dev eth0
try "dump lists the route" bash -c "'$root/dump' | grep -q '2001:db8:1::/64 H.Encaps fc00:9::1'"
try "libnl installs its route" "$root/libnl" eth0
try "and srv6 shows it" shown '2001:db8:78::/64 encap seg6 mode encap segs fc00:1::1'
"$root/follow" eth0 >"$root/follow.out" 2>&1 &
follower=$!
try "follow installs its route" eventually shown '2001:db8:77::/64 .*segs fc00:1::1,fc00:2::1'
"$root/bin/srv6" route del 2001:db8:77::/64
try "and puts it back when it is deleted" eventually shown '2001:db8:77::/64 .*segs fc00:1::1,fc00:2::1'
# What release builds have, in the files as they are installed
tool=$root/usr/sbin/srv6 library=$(readlink -f "$root/usr/lib/libsrv6.so.0")
hardened() { # FILE: each is a line that readelf shows
	readelf -lW "$1" | grep -q GNU_RELRO || { echo "no RELRO"; return 1; }
	readelf -dW "$1" | grep -qE 'BIND_NOW|FLAGS_1.*NOW' || { echo "no BIND_NOW"; return 1; }
	readelf -lW "$1" | grep GNU_STACK | grep -q 'RW ' || { echo "an executable stack"; return 1; }
	readelf -hW "$1" | grep -q 'Type: *DYN' || { echo "fixed addresses"; return 1; }
	readelf -sW --dyn-syms "$1" | grep -q '__stack_chk_fail' || { echo "no stack protector"; return 1; }
	readelf -sW --dyn-syms "$1" | grep -qE '__(v?snprintf|memcpy|read|recv|fprintf|strcpy)_chk' || { echo "no FORTIFY_SOURCE"; return 1; }
	! readelf -dW "$1" | grep -E 'RPATH|RUNPATH|TEXTREL' || return 1
}
if grep -q '^SRV6_SANITIZE:STRING=.' "$root/build/CMakeCache.txt"; then
	echo "SKIP hardened: a build with sanitizers"
else
	try "srv6: RELRO, BIND_NOW, PIE, stack protector, FORTIFY, no executable stack, no RPATH" hardened "$tool"
	try "libsrv6.so: likewise" hardened "$library"
fi
for page in srv6.8 libsrv6.3; do
	try "man page $page is installed" test -s "$root/usr/share/man/man${page##*.}/$page"
done
exit $failed

#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# tests/bench/run.sh - builds the benchmark and runs it: one table of ratios, beside the targets
#
# usage: tests/bench/run.sh [--small] [--million] [--routes N] [--rounds N] [--ip PATH] [--json FILE] [--markdown FILE]
#                           [--build DIR] [--only STEP,...] [--without WHO,...]
#
#   --small     few routes, once, for correctness alone: PASS and FAIL lines, no times
#   --million   growth up to 1,000,000 routes
#   --routes N  routes a step (100,000)          --rounds N  interleaved rounds (5)
#   --ip PATH   a second ip to compare with      --json FILE the results as JSON
#   --markdown FILE  the section on speed with this run's numbers: README.md itself, or a file of its own
#   --build DIR build there, and keep it         --only ...  of: codec change list cold monitor growth
#   --without   of: srv6 ip pyroute2 go lib
#
# As root, in network namespaces of its own. pyroute2 and Go netlink take part where Debian's packages are installed
# (python3-pyroute2; golang-go and golang-github-vishvananda-netlink-dev).
set -eu
from=$PWD
cd "$(dirname "$0")/../.."
build='' previous=''
for arg; do # files and folders are the caller's
	shift
	case $previous:$arg in
	*:-h|*:--help) sed -n '3,/^set/{/^set/d;s/^# \{0,1\}//;p}' tests/bench/run.sh; exit 0 ;;
	--build:[!/]*|--json:[!/]*|--markdown:[!/]*|--ip:*/*) case $arg in /*) ;; *) arg=$from/$arg ;; esac ;;
	esac
	[ "$previous" = --build ] && build=$arg
	set -- "$@" "$arg"
	previous=$arg
done
if [ "$(id -u)" != 0 ]; then
	echo "SKIP bench: needs root, for network namespaces"
	exit 77
fi
if [ -z "$build" ]; then
	build=$(mktemp -d "${TMPDIR:-/tmp}/srv6-bench.XXXXXXXX")
	trap 'rm -rf "$build"' EXIT
	trap 'exit 130' INT; trap 'exit 143' TERM HUP
	set -- "$@" --build "$build"
fi
log=$(mktemp "${TMPDIR:-/tmp}/srv6-bench-log.XXXXXXXX")
if ! { cmake -S . -B "$build" -DCMAKE_BUILD_TYPE=Release -DSRV6_BENCH=ON &&
	cmake --build "$build" -j "$(nproc)" --target bench; } >"$log" 2>&1; then
	cat "$log" >&2; rm -f "$log"
	echo "FAIL bench: does not build"
	exit 1
fi
rm -f "$log"
python3 tests/bench/bench.py "$@"

#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# tests/run.sh - installs what is missing, builds, and runs every test
#
# usage: tests/run.sh [--no-vm | --all-vm] [GROUP...]
#
# GROUP is one of: build units golden cli man static abi kernel bench install valgrind asan tsan clang fuzz vm (default: all).
# A line a test: PASS, FAIL or SKIP, the last two with the reason. The last line is
# "N passed, N failed, N skipped"; the exit status is 1 where anything failed.
#
# Everything that touches a network does so in namespaces of its own: the machine's routes, sysctls
# and interfaces are left alone. Without root the tests run in a user namespace, as far as they can.
#
#   --no-vm    leave out the test under another kernel
#   --all-vm   all tests under all three, not just those of tests/vm/chosen under the newest (tests/vm/run.sh --all)
#
# Nothing runs for ever: what exceeds its time is stopped, and FAIL. $SRV6_TEST_PATIENCE multiplies the times (default 1).
#
# What a group runs is any program that prints lines "PASS name", "FAIL name: why", "SKIP name: why";
# one that prints none of them is a test itself: exit status 0 passed, 77 skipped, else failed.
set -u
cd "$(dirname "$0")/.." || exit 2
top=$PWD
vm=one groups=()
for arg; do
	case $arg in
	--no-vm) vm=none ;;
	--all-vm) vm=all ;;
	-h|--help) sed -n '3,/^set/{/^set/d;s/^# \{0,1\}//;p}' "$0"; exit 0 ;;
	build|units|golden|cli|man|static|abi|kernel|bench|install|valgrind|asan|tsan|clang|fuzz|vm) groups+=("$arg") ;;
	*) echo "tests/run.sh: unknown word '$arg' (see --help)" >&2; exit 2 ;;
	esac
done
[ ${#groups[@]} -gt 0 ] || groups=(build units golden cli man static abi kernel bench install valgrind asan tsan clang fuzz vm)

passed=0 failed=0 skipped=0
work=$(mktemp -d "${TMPDIR:-/tmp}/srv6-tests.XXXXXXXX") || exit 2
child=''
trap '[ -z "$child" ] || kill "$child" 2>/dev/null; rm -rf "$work"' EXIT
trap 'exit 130' INT; trap 'exit 143' TERM HUP
patience=${SRV6_TEST_PATIENCE:-1}

count() { # of LINES of results, printed with "GROUP: " in front of each name
	passed=$((passed + $(grep -c '^PASS ' "$2")))
	failed=$((failed + $(grep -c '^FAIL ' "$2")))
	skipped=$((skipped + $(grep -c '^SKIP ' "$2")))
	grep -E '^(PASS|FAIL|SKIP) ' "$2" | sed "s|^\(....\) |\1 $1: |"
}
result() { # GROUP "PASS name" | "FAIL name: why" | "SKIP name: why"
	echo "$2" >"$work/one"
	count "$1" "$work/one"
}
# Stopped with all its children when its time is up: 124 then, or 137. Waited for in the background, so that an
# interruption is heeded at once.
limited() { # SECONDS COMMAND...
	local rc
	timeout -k 10 $(($1 * patience)) "${@:2}" </dev/null &
	child=$!
	wait $child
	rc=$?
	child=''
	return $rc
}
# A program's result lines, or its exit status where it prints none; what else it says is shown if it fails.
program() { # GROUP NAME SECONDS COMMAND...
	local group=$1 name=$2 seconds=$3 log=$work/log rc
	shift 3
	limited "$seconds" "$@" >"$log" 2>&1
	rc=$?
	count "$group" "$log"
	case $rc in
	124|137) result "$group" "FAIL $name: stopped after $((seconds * patience)) s" ;;
	*) if grep -qE '^(PASS|FAIL|SKIP) ' "$log"; then
		[ $rc = 0 ] || [ $rc = 77 ] || grep -q '^FAIL ' "$log" ||
			result "$group" "FAIL $name: exit status $rc after its tests"
	else
		case $rc in
		0) result "$group" "PASS $name" ;;
		77) result "$group" "SKIP $name: $(tail -n 1 "$log")" ;;
		*) result "$group" "FAIL $name: exit status $rc" ;;
		esac
	fi ;;
	esac
	[ $rc != 77 ] || return 0
	[ $rc = 0 ] || grep -vE '^(PASS|SKIP) ' "$log" | tail -n 60 | sed 's/^/    /'
	return $rc
}
wanted() { [[ " ${groups[*]} " == *" $1 "* ]]; }

# ------------------------------------------------------------------- builds
build() { # GROUP NAME DIRECTORY CMAKE-OPTION...
	program "$1" "$2" 900 bash -c 'cmake -S . -B "$@" && cmake --build "$1" -j"$(nproc)"' build \
		"$top/$3" -DSRV6_TESTS=ON -DSRV6_WERROR="${CI:+ON}" "${@:4}" # the demo builds there without tests
}

# Each unit program's own tests, a line each: check writes them as TAP.
units() { # GROUP DIRECTORY
	local group=$1 dir=$top/$2 test tap=$work/tap
	while read -r test; do
		rm -f "$tap"
		CK_TAP_LOG_FILE_NAME=$tap limited 900 ctest --test-dir "$dir" -R "^$test\$" --timeout $((870 * patience)) \
			--output-on-failure >"$work/ctest" 2>&1
		local rc=$?
		: >"$work/lines"
		[ ! -f "$tap" ] || sed -n -e 's/^ok [0-9]* - [^:]*:\([^:]*\):\([^:]*\):.*/PASS '"$test"': \1: \2/p' \
			-e 's/^not ok [0-9]* - \([^:]*\):\([^:]*\):\([^:]*\): *\(.*\)/FAIL '"$test"': \2: \3: \4/p' \
			"$tap" >"$work/lines"
		if [ $rc != 0 ]; then
			grep -q '^FAIL' "$work/lines" || echo "FAIL $test: see below" >>"$work/lines"
		elif grep -q '\*\*\*Skipped' "$work/ctest"; then
			echo "SKIP $test: nothing here allows it" >"$work/lines"
		elif [ ! -s "$work/lines" ]; then
			echo "PASS $test" >"$work/lines"
		fi
		count "$group" "$work/lines"
		[ $rc = 0 ] || sed 's/^/    /' "$work/ctest" | tail -n 60
	done < <(ctest --test-dir "$dir" -N | sed -n 's/^ *Test *#[0-9]*: //p')
}
programs() { # GROUP NAME-PATTERN...: every executable file of these
	local group=$1 file
	shift
	for file; do
		[ ! -f "$file" ] || [ ! -x "$file" ] || program "$group" "$(basename "$file")" 900 "$file"
	done
}

# ------------------------------------------------------------------- groups
start=$SECONDS
tests/install-packages build demo test >"$work/apt" 2>&1 || result build "FAIL packages: $(tail -n 1 "$work/apt")"
cat "$work/apt"

if ! build build "gcc${CI:+, warnings are errors}" build -DCMAKE_C_COMPILER=gcc; then
	echo "$passed passed, $failed failed, $skipped skipped"
	exit 1
fi
export SRV6=$top/build/cli/srv6 SRV6_BUILD=$top/build
export PYTHONDONTWRITEBYTECODE=1

! wanted units || units units build
! wanted golden || program golden golden 900 tests/golden/run.py
! wanted cli || programs cli tests/cli/*
! wanted man || programs man tests/man/*
# clang-tidy and scan-build take minutes: tests/static/run alone runs them too
! wanted static || program static static 600 tests/static/run format gcc cppcheck faults
! wanted abi || programs abi tests/abi/run
if wanted kernel; then
	program kernel kernel 1500 tests/kernel/run.py
	cp "$work/log" "$work/running"
fi
! wanted bench || program bench bench 900 tests/bench/run.sh --small # that it works, not how fast
! wanted install || program install install 900 tests/install.sh
! wanted valgrind || programs valgrind tests/valgrind/run
if wanted asan && build asan "gcc with AddressSanitizer and UBSan" build-asan -DCMAKE_C_COMPILER=gcc \
	-DSRV6_SANITIZE=address,undefined -DCMAKE_BUILD_TYPE=Debug; then
	export SRV6=$top/build-asan/cli/srv6 SRV6_BUILD=$top/build-asan
	units asan build-asan
	program asan golden 900 tests/golden/run.py
	programs asan tests/cli/*
	program asan kernel 1500 tests/kernel/run.py
	export SRV6=$top/build/cli/srv6 SRV6_BUILD=$top/build
fi
! wanted clang || build clang "clang${CI:+, warnings are errors}" build-clang -DCMAKE_C_COMPILER=clang
# The threads' test alone: the others have one thread.
if wanted tsan && program tsan "gcc with ThreadSanitizer" 900 bash -c 'cmake -S . -B "$1" -DCMAKE_C_COMPILER=gcc -DSRV6_TOOL=OFF \
	-DSRV6_SANITIZE=thread -DCMAKE_BUILD_TYPE=Debug && cmake --build "$1" -j"$(nproc)" --target unit-threads' tsan "$top/build-tsan"; then
	program tsan "sixteen threads" 300 build-tsan/tests/unit-threads
fi
! wanted fuzz || program fuzz fuzz 1500 tests/fuzz/run.sh --fixed --seconds "${FUZZ_SECONDS:-$([ -n "${CI-}" ] && echo 60 || echo 10)}"
if wanted vm; then
	with=()
	[ ! -f "$work/running" ] || with=(--with "$work/running")
	case $vm in
	none) result vm "SKIP other kernels: --no-vm" ;;
	one) program vm vm 1500 tests/vm/run.sh --chosen "${with[@]}" ;;
	all) program vm vm 9000 tests/vm/run.sh --all "${with[@]}" ;;
	esac
	grep '^|' "$work/log"
fi
echo "took $((SECONDS - start)) s"
echo "$passed passed, $failed failed, $skipped skipped"
[ $failed = 0 ]

#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# tests/vm/run.sh - the kernel tests under other kernels: stock Debian ones, under qemu
#
# usage: tests/vm/run.sh [--all | SUITE...] [--chosen] [--with FILE] [-- PATTERN...]
#
# SUITE: trixie-backports (the default: the newest), trixie, bookworm. --all: these three and the running kernel.
# --chosen: only the tests that tests/vm/chosen names; without it, all (half an hour a kernel under emulation).
# --with: results of the running kernel that are at hand already, for its column of the table.
# PATTERN: only tests with this in their name. $SRV6 is the tool (default: build/cli/srv6).
# Prints a line a test and kernel, and then one table of all: pass, skip or fail; why, below it.
set -u
cd "$(dirname "$0")/../.." || exit 2
suites=() patterns=() running=no with=''
limit=$((2700 * ${SRV6_TEST_PATIENCE:-1})) # seconds for a kernel
while [ $# -gt 0 ]; do
	case $1 in
	--all) suites=(bookworm trixie trixie-backports) running=yes ;;
	--chosen) mapfile -t patterns < <(grep -v '^#' tests/vm/chosen) ;;
	--with) with=$2; shift ;;
	--) shift; patterns=("$@"); break ;;
	-*) sed -n '3,/^set/{/^set/d;s/^# \{0,1\}//;p}' "$0"; exit 2 ;;
	*) suites+=("$1") ;;
	esac
	shift
done
[ ${#suites[@]} -gt 0 ] || suites=(trixie-backports)
export SRV6=${SRV6:-$PWD/build/cli/srv6} SRV6_TEST_SLOW=8 PYTHONDONTWRITEBYTECODE=1

skip_all() { echo "SKIP other kernels: $*"; exit 0; }
[ "$(uname -m)" = x86_64 ] || skip_all "only x86_64 machines are provided for"
tests/install-packages vm >/dev/null 2>&1 || skip_all "packages are missing: $(tests/install-packages vm 2>&1 | tail -n 1)"

work=$(mktemp -d "${TMPDIR:-/tmp}/srv6-vm.XXXXXXXX") || exit 2
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP
kernels=()
# The results of one kernel, into $work/RELEASE
record() { # RELEASE COMMAND...
	local release=$1 file=$work/results.$1 rc
	shift
	kernels+=("$release")
	"$@" >"$file" 2>&1
	rc=$?
	[ $rc = 0 ] || [ $rc = 1 ] || echo "FAIL the run: exit status $rc" >>"$file"
	grep -qE '^(PASS|FAIL|SKIP) ' "$file" || echo "FAIL the run: no test ran" >>"$file"
	# output of the guest without a result line belongs to the failure above it
	sed -E "s/^(PASS|FAIL|SKIP) /\1 $release /" "$file"
}
for suite in "${suites[@]}"; do
	if ! directory=$(timeout -k 10 600 tests/vm/fetch "$suite" 2>"$work/fetch"); then
		echo "SKIP $suite: $(tail -n 1 "$work/fetch")"
		continue
	fi
	record "$(<"$directory/release")" tests/vm/boot -t "$limit" "$directory" /usr/bin/python3 tests/kernel/run.py "${patterns[@]}"
done
if [ -n "$with" ]; then
	kernels+=("$(uname -r)")
	cp "$with" "$work/results.$(uname -r)"
elif [ $running = yes ]; then
	SRV6_TEST_SLOW=1 record "$(uname -r)" /usr/bin/python3 tests/kernel/run.py "${patterns[@]}"
fi
[ ${#kernels[@]} -gt 0 ] || exit 0

# ------------------------------------------------------------------- the table
files=("${kernels[@]/#/$work/results.}")
awk -v kernels="${kernels[*]}" '
	BEGIN { n = split(kernels, kernel, " ") }
	FNR == 1 { file++ }
	/^(PASS|FAIL|SKIP) / {
		name = substr($0, 6)
		if (at = index(name, " -- ")) name = substr(name, 1, at - 1)
		if (!(name in known)) { known[name]; order[++count] = name }
		is[name, file] = tolower($1)
	}
	END {
		head = "| test |"; line = "|---|"
		for (k = 1; k <= n; k++) { head = head " " kernel[k] " |"; line = line "---|" }
		print head; print line
		for (i = 1; i <= count; i++) {
			row = "| " order[i] " |"
			for (k = 1; k <= n; k++) {
				state = is[order[i], k]; row = row " " (state == "" ? "-" : state) " |"
				total[k, state]++
			}
			print row
		}
		row = "| passed / failed / skipped |"
		for (k = 1; k <= n; k++) row = row sprintf(" %d / %d / %d |", total[k, "pass"], total[k, "fail"], total[k, "skip"])
		print row
	}' "${files[@]}"
! grep -q '^FAIL' "${files[@]}"

#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# tests/fuzz/run.sh - builds the fuzzers and runs them on the kept corpus and the golden files
#
# usage: tests/fuzz/run.sh [--fixed] [--seconds N] [--runs N] [--seed N] [--fast] [--no-asan] [--build DIR] [--corpus DIR] [TARGET...]
#
# TARGET is the NAME of a fuzz_NAME.c (default: all of them). A line a target: PASS with the number of runs done, or FAIL
# with the input, which stays in DIR/found. What it finds belongs into regress/NAME.txt once it is mended.
#
#   --seconds N  time for each (60)        --runs N     as many runs instead, however long they take
#   --build DIR  build there, and keep it  --corpus DIR keep and grow what was found to be worth trying
#   --fixed      as many runs as the list below has for each, in --seconds at most: one build on one machine does nearly the
#                same ones each time (addresses are not random then; json-c's hashes are), another one does others
#   --seed N     what chance starts from (1); random: another one each time, which is told
#   --no-asan    undefined behavior alone is looked for: several times as many runs in the same time
#   --fast       as --no-asan, and comparisons are not traced either: most runs, and least sense in them
#
# At night: --seconds 3600 --seed random --corpus DIR. The last lines are the finds, in base64, as far as they are short.
set -u
cd "$(dirname "$0")/../.." || exit 2
here=tests/fuzz seconds=60 runs='' build='' corpus='' sanitize=address,undefined seed=1 fast=OFF targets=()
more=(-reload=0)
# Half of what a slow machine does in a minute.
declare -A fixed=([argv]=1500000 [batch]=40000 [build]=2300000 [elf]=8000000 [encap]=5500000 [genl]=7500000 [json]=1400000
	[kernel]=15000 [read]=2000000)
while [ $# -gt 0 ]; do
	case $1 in
	--seconds) seconds=$2; shift ;;
	--runs) runs=$2; shift ;;
	--fixed) runs=fixed ;;
	--build) build=$2; shift ;;
	--corpus) corpus=$2; shift ;;
	--seed) seed=$2; shift ;;
	--no-asan) sanitize=undefined ;;
	--fast) sanitize=undefined fast=ON more+=(-entropic=0) ;;
	-h|--help) sed -n '3,/^set/{/^set/d;s/^# \{0,1\}//;p}' "$0"; exit 0 ;;
	-*) echo "tests/fuzz/run.sh: unknown option '$1' (see --help)" >&2; exit 2 ;;
	*) targets+=("$1") ;;
	esac
	shift
done
same=(setarch -R) # addresses are among what is compared
"${same[@]}" true 2>/dev/null || same=()
if ! command -v clang >/dev/null; then
	echo "SKIP fuzz: no clang"
	exit 77
fi
work=$(mktemp -d "${TMPDIR:-/tmp}/srv6-fuzz.XXXXXXXX") || exit 2
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT; trap 'exit 143' TERM HUP
build=${build:-$work/build}
corpus=${corpus:-$work/corpus}
if [ "$seed" = random ]; then
	seed=$(od -An -N4 -tu4 /dev/urandom | tr -d ' ')
	echo "seed $seed"
fi
if ! { CC=clang cmake -S . -B "$build" -DSRV6_FUZZ=ON -DSRV6_FUZZ_FAST=$fast -DSRV6_SANITIZE=$sanitize &&
	cmake --build "$build" -j "$(nproc)" --target fuzzers; } >"$work/log" 2>&1; then
	tail -n 40 "$work/log"
	echo "FAIL fuzz: does not build (libclang-rt-14-dev or its like is needed)"
	exit 1
fi
if [ ${#targets[@]} -eq 0 ]; then
	for f in $here/fuzz_*.c; do
		f=${f##*/fuzz_}
		targets+=("${f%.c}")
	done
fi

mkdir -p "$work/seeds" "$build/found" "$corpus"
python3 $here/seeds.py tests/golden "$work/seeds" || exit 2

seed() { # TARGET: everything kept goes into its corpus
	local f
	mkdir -p "$corpus/$1"
	for f in "$here/corpus/$1.txt" "$here/regress/$1.txt" "$work/seeds/$1.txt"; do
		[ ! -s "$f" ] || "$build/tests/fuzz/replay-$1" -o "$corpus/$1" "$f" >/dev/null || return 1
	done
}

one() { # TARGET
	local log="$build/found/$1.log" rc done_runs
	local limit=(-max_total_time="$seconds")
	case $runs in
	fixed)
		[ -n "${fixed[$1]-}" ] || { echo "FAIL fuzz $1: it has no number of runs in tests/fuzz/run.sh"; return 1; }
		limit+=(-runs="${fixed[$1]}") ;;
	?*) limit=(-runs="$runs") ;;
	esac
	seed "$1" || { echo "FAIL fuzz $1: the kept inputs cannot be read"; return 1; }
	# Files of allocations that were given back are kept small: fresh memory is what costs most.
	ASAN_OPTIONS=quarantine_size_mb=1:max_malloc_fill_size=0:${ASAN_OPTIONS:-} UBSAN_OPTIONS=print_stacktrace=1 \
		"${same[@]}" "$build/tests/fuzz/fuzz-$1" "${limit[@]}" "${more[@]}" -seed="$seed" -max_len=4096 -timeout=25 -rss_limit_mb=1024 -print_final_stats=1 \
		-artifact_prefix="$build/found/$1-" "$corpus/$1" >"$log" 2>&1 </dev/null
	rc=$?
	done_runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
	if [ $rc -eq 0 ] && [ "${done_runs:-0}" -gt 0 ]; then
		echo "PASS fuzz $1 ($done_runs runs)"
		return 0
	fi
	grep -E 'does not hold|differs|ERROR|runtime error|SUMMARY|#[0-9]+ 0x.* /.*\.c' "$log" | head -n 20
	finds+=("$1 $(sed -n 's/^Base64: //p' "$log" | head -n 1 | cut -c1-2000)")
	echo "FAIL fuzz $1: $(sed -n 's/.*Test unit written to //p' "$log" | head -n 1) after ${done_runs:-?} runs; $log"
	return 1
}

failed=0 finds=()
for t in "${targets[@]}"; do
	one "$t" || failed=1
done
for f in "${finds[@]}"; do
	echo "found by fuzz $f"
done
exit $failed

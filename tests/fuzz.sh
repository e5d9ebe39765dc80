#!/bin/sh
# make fuzz: builds the fuzzers with sanitizers for each engine there is, below ./fuzz,
# lets each one search for FUZZ_SECONDS, as many at once as there are processors, and
# prints what it found in base64. FUZZ_FLAGS are further flags of libFuzzer.
#
#     fuzz.sh SOURCES
#     fuzz.sh SOURCES ENGINE NAME     only the search, what it needs is built
#
# FUZZ_ENGINES is of "libfuzzer afl", FUZZERS of "gotrace v1 ..."; all, unless they are set.
set -u

top=$(cd "$1" && pwd) || exit 99
work=$PWD/fuzz
mktrace=$PWD/tests/mktrace
mutator=$PWD/tests/fuzz_afl.so
seconds=${FUZZ_SECONDS:-60}
found=0

# Traces above this many bytes are read too slowly to be changed often.
seed_bytes=20000

all_fuzzers() {
	grep -l '^const struct fuzz_corpus' "$top"/tests/fuzz_*.c | sed 's|.*/fuzz_\(.*\)\.c$|\1|'
}

all_engines() {
	echo 'int LLVMFuzzerTestOneInput(void) { return 0; }' |
		clang -fsanitize=fuzzer,address -x c - -o "$work/probe" 2> /dev/null && echo libfuzzer
	command -v afl-clang-fast > /dev/null && command -v afl-fuzz > /dev/null && echo afl
	rm -f "$work/probe"
}

# build ENGINE COMPILER
build() (
	mkdir -p "$work/$1" && cd "$work/$1" || exit 99
	{
		[ -e Makefile ] || "$top/configure" --enable-fuzzing --enable-sanitizers CC="$2" \
			CFLAGS='-O1 -g'
	} > build.log 2>&1 && ${MAKE:-make} fuzzers >> build.log 2>&1 && exit
	tail -n 40 build.log
	exit 99
)

# corpus_of NAME: the suffix and the folders of its inputs, from its own table.
corpus_of() {
	sed -n 's/^const struct fuzz_corpus fuzz_corpus = {\(.*\), NULL.*/\1/p' \
		"$top/tests/fuzz_$1.c" | tr -d '",{'
}

# plant NAME: the inputs to begin with, in $seeds; $suffix is theirs.
plant() {
	seeds=$work/seeds/$1
	rm -rf "$seeds" "$work/found/$1"
	mkdir -p "$seeds" "$work/found/$1"
	# shellcheck disable=SC2046 # words are wanted
	set -- $(corpus_of "$1")
	suffix=$1
	shift
	for folder; do
		for file in "$top/testdata/$folder"/*"$suffix"; do
			[ "$(wc -c < "$file")" -gt "$seed_bytes" ] ||
				cp "$file" "$seeds/$(echo "$folder" | tr '/.' '__')-${file##*/}"
		done
	done
	[ "$suffix" != .trace ] || simulate
}

simulate() {
	for version in 11 19 21 22 23 25 26; do
		"$mktrace" --version=$version --goroutines=6 --procs=3 --generations=2 --events=150 \
			-o "$seeds/simulated-$version.trace" || exit 99
	done
}

# The words of NAME; those of traces, where it has none of its own.
dictionary_of() {
	own=$top/testdata/fuzz/$1.dict
	if [ -e "$own" ]; then echo "$own"; else echo "$top/testdata/fuzz/gotrace.dict"; fi
}

# tell ENGINE NAME EXECUTIONS FILE...: what came of it; the files may be patterns of none.
tell() {
	echo "$1, $2: $seconds s, ${3:-no} executions"
	shift 3
	for file; do
		[ -e "$file" ] || continue
		found=$((found + 1))
		echo "FOUND: $file"
		base64 "$file"
	done
}

# What it learns stays in corpus/NAME for the next time.
run_libfuzzer() {
	mkdir -p "$work/corpus/$1"
	# shellcheck disable=SC2086 # flags are words
	"$work/libfuzzer/tests/fuzz_$1" -max_total_time="$seconds" -max_len="$seed_bytes" \
		-timeout=120 -report_slow_units=60 -rss_limit_mb=3000 -print_final_stats=1 \
		-dict="$(dictionary_of "$1")" -artifact_prefix="$work/found/$1/" ${FUZZ_FLAGS:-} \
		"$work/corpus/$1" "$seeds" > "$work/$1.log" 2>&1
	status=$?
	tell libfuzzer "$1" "$(sed -n 's/^stat::number_of_executed_units: //p' "$work/$1.log")" \
		"$work/found/$1"/*
	[ "$status" -eq 0 ] && return
	found=$((found + 1))
	tail -n 40 "$work/$1.log"
}

run_afl() {
	out=$work/afl-out/$1
	rm -rf "$out"
	unset AFL_CUSTOM_MUTATOR_LIBRARY
	if [ "$suffix" = .trace ]; then
		export AFL_CUSTOM_MUTATOR_LIBRARY="$mutator"
	fi
	mkdir -p "$work/afl-out"
	AFL_NO_UI=1 AFL_HANG_TMOUT=60000 AFL_NO_AFFINITY=1 AFL_SKIP_CPUFREQ=1 \
		AFL_I_DONT_CARE_ABOUT_MISSING_CRASHES=1 afl-fuzz -V "$seconds" -m none -t 10000+ \
		-i "$seeds" -o "$out" -x "$(dictionary_of "$1")" "$work/afl/tests/fuzz_$1" > "$work/$1.log" 2>&1
	status=$?
	tell afl "$1" "$(sed -n 's/^execs_done *: //p' "$out/default/fuzzer_stats")" \
		"$out"/default/crashes/id* "$out"/default/hangs/id*
	[ "$status" -eq 0 ] && return
	found=$((found + 1))
	tail -n 40 "$work/$1.log"
}

processors() {
	getconf _NPROCESSORS_ONLN 2> /dev/null || echo 2
}

# search ENGINE NAME: fails if something was found. Prints in one piece: others search, too.
search() {
	plant "$2"
	case $1 in
	libfuzzer) run_libfuzzer "$2" ;;
	afl) run_afl "$2" ;;
	esac > "$work/$2.told"
	cat "$work/$2.told"
	[ "$found" -eq 0 ]
}

mkdir -p "$work"
if [ $# -eq 3 ]; then
	search "$2" "$3"
	exit
fi
status=0
engines=${FUZZ_ENGINES:-$(all_engines)}
if [ -z "$engines" ]; then
	echo "fuzzing needs clang with libFuzzer, or AFL++"
	exit 77
fi
for engine in $engines; do
	case $engine in
	libfuzzer) build libfuzzer clang || exit ;;
	afl)
		${MAKE:-make} tests/fuzz_afl.so || exit 99
		build afl afl-clang-fast || exit
		;;
	esac
	# shellcheck disable=SC2086 # names are words
	printf '%s\n' ${FUZZERS:-$(all_fuzzers)} |
		xargs -n 1 -P "$(processors)" sh "$0" "$1" "$engine" || status=1
done
[ "$status" -eq 0 ] || echo "something was found"
exit "$status"

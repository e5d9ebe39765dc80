#!/bin/sh
# What `make bench`, `make bench-go` and `make bench-instructions` run in the build directory:
# makes the traces that are not there yet, then measures. doc/PERFORMANCE.md tells more.
#
#     BENCH_TRACES='a b'     measure these files instead
#     BENCH_SIZES='1 10'     traces of about so many MB
#     BENCH_PROGRAMS='p q'   made by these programs of testdata/gen
#     BENCH_DIR=DIR          where the traces are kept, and the numbers as JSON
#     BENCH_RUNS=N           of each cost
#     BENCH_FLAGS=--each-key for the benchmark
#     BENCH_BEFORE=PROGRAM   another ttrace: its instructions stand beside ours
#     GO='command'           the Go that makes the traces and whose tools are measured
#
# usage: bench.sh SRCDIR [go|instructions]
set -eu

srcdir=$1
mode=${2:-}
dir=${BENCH_DIR:-bench}
go=${GO:-go}
programs=${BENCH_PROGRAMS:-pipeline httpserver}
largest_of_all=500 # above that one program is enough
largest_counted=20 # MB, since counting takes fifty times as long as loading
mkdir -p "$dir"

case $mode in
go)
	sizes=${BENCH_SIZES:-1 10 100}
	if ! $go build -o "$dir/go-tool-trace" cmd/trace; then
		echo "bench: '$go' does not build its own cmd/trace" >&2
		exit 1
	fi
	;;
instructions) sizes=${BENCH_SIZES:-10} ;;
*) sizes=${BENCH_SIZES:-1 10 100 1000} ;;
esac

# make_trace FILE COMMAND...: COMMAND writes the file named by its last argument.
make_trace() {
	file=$1
	shift
	if [ ! -s "$file" ]; then
		echo "making $file" >&2
		"$@" "$file.new" >&2
		mv "$file.new" "$file"
	fi
}

# simulate GOROUTINES GENERATIONS MB FILE
simulate() {
	tests/mktrace --seed=1 --quiet-start --goroutines="$1" --procs=8 --generations="$2" \
		--size="$3M" -o "$4"
}

# run_go PROGRAM MB FILE: long enough for the size limit to end it.
run_go() {
	[ -x "$dir/$1" ] || $go build -trimpath -o "$dir/$1" "$srcdir/testdata/gen/$1/main.go"
	"$dir/$1" -size $(($2 * 15625 / 16)) -procs 4 -dur 900s -o "$3"
}

# The positional arguments are the traces.
set --
if [ -n "${BENCH_TRACES:-}" ]; then
	# shellcheck disable=SC2086 # a list of files
	set -- "$@" $BENCH_TRACES
elif command -v "${go%% *}" >/dev/null; then
	first=${programs%% *}
	for program in $programs; do
		for size in $sizes; do
			[ "$program" = "$first" ] || [ "$size" -le "$largest_of_all" ] || continue
			make_trace "$dir/$program-$size.trace" run_go "$program" "$size"
			set -- "$@" "$dir/$program-$size.trace"
		done
	done
else
	for size in $sizes; do
		generations=$((size / 8 + 1))
		make_trace "$dir/simulated-$size.trace" simulate 2000 "$generations" "$size"
		set -- "$@" "$dir/simulated-$size.trace"
	done
fi
if [ "$mode" != go ] && [ -z "${BENCH_TRACES:-}" ]; then
	make_trace "$dir/goroutines.trace" simulate 100000 2 10
	set -- "$@" "$dir/goroutines.trace"
fi

# measure OPTION... TRACE...
measure() {
	# shellcheck disable=SC2086 # a list of flags
	tests/bench --program=./ttrace --runs="${BENCH_RUNS:-3}" ${BENCH_FLAGS:-} "$@"
}

# count_instructions TRACE...
count_instructions() {
	[ -z "${BENCH_BEFORE:-}" ] || set -- --before="$BENCH_BEFORE" "$@"
	sh "$srcdir/tests/bench-instructions.sh" ./ttrace "$@"
}

case $mode in
go) measure --go="$dir/go-tool-trace" --json="$dir/go.json" "$@" ;;
instructions) count_instructions "$@" ;;
*)
	status=0
	measure --keys="$srcdir/tests/bench-keys.txt" --json="$dir/bench.json" "$@" || status=$?
	case " ${BENCH_FLAGS:-} " in
	*' --frames '* | *' --analyses '*) exit $status ;; # nothing else
	esac
	for trace; do
		shift
		[ "$(wc -c <"$trace")" -gt $((largest_counted * 1000000)) ] || set -- "$@" "$trace"
	done
	count_instructions "$@" && exit $status
	;;
esac

#!/bin/sh
# What `make bench` and `make bench-go` run in the build directory: makes the traces that
# are not there yet, then measures. doc/PERFORMANCE.md tells more.
#
#     BENCH_TRACES='a b'     measure these files instead
#     BENCH_SIZES='1 10'     traces of about so many MB
#     BENCH_PROGRAMS='p q'   made by these programs of testdata/gen
#     BENCH_DIR=DIR          where the traces are kept, and the numbers as JSON
#     BENCH_RUNS=N           of each cost
#     BENCH_FLAGS=--each-key for the benchmark
#     GO='command'           the Go that makes the traces and whose tools are measured
#
# usage: bench.sh SRCDIR [go]
set -eu

srcdir=$1
mode=${2:-}
dir=${BENCH_DIR:-bench}
go=${GO:-go}
programs=${BENCH_PROGRAMS:-pipeline httpserver}
largest_of_all=500 # above that one program is enough
mkdir -p "$dir"

if [ "$mode" = go ]; then
	sizes=${BENCH_SIZES:-1 10 100}
	if ! $go build -o "$dir/go-tool-trace" cmd/trace; then
		echo "bench: '$go' does not build its own cmd/trace" >&2
		exit 1
	fi
	set -- --go="$dir/go-tool-trace" --json="$dir/go.json"
else
	sizes=${BENCH_SIZES:-1 10 100 1000}
	set -- --keys="$srcdir/tests/bench-keys.txt" --json="$dir/bench.json"
fi
# shellcheck disable=SC2086 # a list of flags
set -- --program=./ttrace --runs="${BENCH_RUNS:-3}" "$@" ${BENCH_FLAGS:-}

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

# The positional arguments grow by the traces' names.
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

exec tests/bench "$@"

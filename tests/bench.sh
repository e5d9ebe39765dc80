#!/bin/sh
# What `make bench` runs in the build directory: makes the traces that are not
# there yet, then measures. doc/BENCHMARK.md tells more.
#
#     BENCH_TRACES='a b'  measure these files instead
#     BENCH_GO=1          traces of real Go programs, made with the go on the PATH
#     BENCH_FLAGS=--json  for the benchmark
#
# usage: bench.sh SRCDIR
set -eu

srcdir=$1
mkdir -p bench

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

simulate() {
	tests/mktrace --seed=1 --quiet-start --goroutines=2000 --procs=8 --generations=12 \
		--size=100M -o "$1"
}

# run_go PROGRAM FILE: long enough for the size limit to end it.
run_go() {
	[ -x "bench/$1" ] ||
		go build -trimpath -o "bench/$1" "$srcdir/testdata/gen/$1/main.go"
	"bench/$1" -size 97656 -procs 4 -dur 60s -o "$2"
}

if [ -n "${BENCH_TRACES:-}" ]; then
	# shellcheck disable=SC2086 # a list of files
	set -- $BENCH_TRACES
elif [ -n "${BENCH_GO:-}" ]; then
	make_trace bench/pipeline.trace run_go pipeline
	make_trace bench/httpserver.trace run_go httpserver
	set -- bench/pipeline.trace bench/httpserver.trace
else
	make_trace bench/simulated.trace simulate
	set -- bench/simulated.trace
fi

# shellcheck disable=SC2086 # a list of flags
exec tests/bench ${BENCH_FLAGS:-} --program=./ttrace --keys="$srcdir/tests/bench-keys.txt" "$@"

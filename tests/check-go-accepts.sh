#!/bin/sh
# Go's own reader accepts what the simulated scheduler writes. Skipped where
# there is no go that reads all the formats.
set -u

mktrace=${TTRACE_MKTRACE:-./tests/mktrace}
seeds=${TTRACE_SEEDS:-12}

if ! command -v go >/dev/null 2>&1; then
	echo "skipped: there is no go"
	exit 77
fi
if [ ! -x "$mktrace" ]; then
	echo "skipped: $mktrace is not built"
	exit 77
fi

dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
trap 'exit 1' HUP INT TERM

accepts() {
	go tool trace -d=parsed "$dir/trace" >"$dir/parsed" 2>"$dir/message"
}

# An older go does not know the latest format, or has no -d=parsed.
if ! "$mktrace" --version=26 --events=10 -o "$dir/trace" || ! accepts; then
	echo "skipped: this go does not read traces of 1.26"
	exit 77
fi

failed=0

# Takes the options of mktrace.
check() {
	if ! "$mktrace" "$@" -o "$dir/trace"; then
		echo "mktrace $*: failed"
		failed=1
	elif ! accepts; then
		echo "mktrace $*: refused: $(head -n 3 "$dir/message")"
		failed=1
	fi
}

seed=1
while [ "$seed" -le "$seeds" ]; do
	check --random="$seed"
	seed=$((seed + 1))
done
for version in 11 19 21; do
	check --version="$version" --seed=1 --events=20000
	check --version="$version" --seed=2 --events=100
done
for version in 22 23 25 26; do
	check --version="$version" --goroutines=200 --events=20000 --generations=4 --hostile-text
	check --version="$version" --quiet-start --procs=1 --equal-times=30
done
exit "$failed"

#!/bin/sh
# Counting instructions tells something of each stage of loading, all stages together are what
# the process took, and a program compared with itself has not changed. Skipped where there is
# no valgrind, where it cannot run the program, as with sanitizers, and without -g.
set -u

count=$TTRACE_SRCDIR/tests/bench-instructions.sh
trace=$TTRACE_TESTDATA/contention-go1.26.trace
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT

fail() {
	echo "FAIL: $*"
	cat "$work/out"
	exit 1
}

VALGRIND=no-valgrind-here sh "$count" "$TTRACE" "$trace" >"$work/out" || fail "without valgrind"
grep -q '^no instructions are counted' "$work/out" || fail "nothing is said without valgrind"

if ! valgrind --tool=callgrind --callgrind-out-file="$work/profile" "$TTRACE" --load-only "$trace" \
	>"$work/events" 2>"$work/messages"; then
	echo "skipped: no valgrind that runs the program"
	exit 77
fi
if ! grep -q 'order\.c' "$work/profile"; then
	echo "skipped: the program is built without -g"
	exit 77
fi

# The total must be what valgrind itself says at its end, and of the stages none is empty.
sh "$count" "$TTRACE" "$trace" >"$work/out" || fail "$TTRACE"
awk -v events="$(sed -n 's/^events //p' "$work/events")" \
	-v all="$(sed -n 's/.*Collected : //p' "$work/messages")" '
	function differ(a, b) { return a - b > b / 100 || b - a > b / 100 }
	/^  / {
		if ($NF <= 0)
			print "empty: " $0
		if ($1 == "total")
			total = $NF
		else
			sum += $NF
	}
	END {
		if (differ(total, all / events))
			print "the total is " total " instructions an event, not " all / events
		if (differ(sum, total))
			print "all stages together are " sum
	}' "$work/out" >"$work/wrong"
[ ! -s "$work/wrong" ] || fail "$(cat "$work/wrong")"

sh "$count" "$TTRACE" --before="$TTRACE" "$trace" >"$work/out" || fail "compared with itself"
grep -Eq '^  total .* [-+]0\.[0-4] %$' "$work/out" || fail "a program differs from itself"

if sh "$count" "$TTRACE" "$0" >"$work/out" 2>&1; then
	fail "a file that is no trace was measured"
fi

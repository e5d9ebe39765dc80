#!/bin/sh
# shellcheck disable=SC3045 # where sh knows no ulimit -d, `within` fails and the test is skipped
# Bounds on memory are kept: the program runs where the system gives it no more. All of its
# data counts there, the stacks of its threads too.
set -u

mktrace=${TTRACE_MKTRACE:-./tests/mktrace}
work=${TMPDIR:-/tmp}/ttrace-memory.$$
trace=$work/many.trace
beside_mib=32 # more than a run has of data beside what grows with the trace
input=/dev/null
failed=0

skip() {
	echo "skipped: $*"
	exit 77
}

complain() {
	printf '%s\n' "$*" >&2
	failed=1
}

# So much of a bound is for what grows with the trace, where it is small.
room() {
	echo $(($1 * 3 / 4))
}

# within MIB ARGUMENT...: runs the program with so much memory, keeping what it says.
within() {
	mib=$1
	shift
	(ulimit -d $((mib * 1024)) && exec "$TTRACE" "$@") >"$work/out" 2>"$work/err" <"$input"
}

events() {
	sed -n 's/^events //p' "$work/out"
}

mkdir -p "$work" || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
[ -x "$mktrace" ] || skip "$mktrace is missing"
[ "$(uname)" = Linux ] || skip "other systems count other things"
within $beside_mib --version || skip "the program does not run in $beside_mib MiB: sanitizers?"
"$mktrace" --seed=1 --quiet-start --goroutines=200 --procs=8 --generations=100 --size=12M \
	-o "$trace" || exit 1

within $beside_mib --load-only "$trace" &&
	complain "the whole trace fits $beside_mib MiB: this can show nothing"
"$TTRACE" --load-only "$trace" >"$work/out"
all=$(events)
before=0
for bound_mib in 10 18 26; do
	within $(($(room $bound_mib) + beside_mib)) --load-only --memory=${bound_mib}M "$trace" ||
		complain "--memory=${bound_mib}M: $(cat "$work/err")"
	now=$(events)
	if [ "${now:-0}" -le "$before" ] || [ "$now" -ge "$all" ]; then
		complain "--memory=${bound_mib}M: ${now:-no} events of $all, after $before"
	fi
	before=${now:-0}
	input=$trace
	within $(($(room $bound_mib) + beside_mib)) --load-only --memory=${bound_mib}M - ||
		complain "--memory=${bound_mib}M of standard input: $(cat "$work/err")"
	input=/dev/null
done

# What is resident counts whole, the program with it.
for bound_mib in 32 40; do
	"$TTRACE" --load-only --memory=${bound_mib}M "$trace" >"$work/out" ||
		complain "--memory=${bound_mib}M fails"
	peak=$(sed -n 's/^peak-bytes //p' "$work/out")
	if [ "${peak:-0}" -eq 0 ] || [ "$peak" -gt $((bound_mib * 1024 * 1024)) ]; then
		complain "--memory=${bound_mib}M: $peak bytes"
	fi
done

# What is printed of a part says so.
within $(($(room 26) + beside_mib)) --memory=26M --report=lanes --height=5 "$trace" ||
	complain "--report=lanes: $(cat "$work/err")"
grep -q '^ttrace: of .*many.trace not loaded: [0-9]* generations, ' "$work/err" ||
	complain "does not say what is left out: $(cat "$work/err")"

within $(($(room 26) + beside_mib)) --memory=26M --find='dur>1ns' --limit=1 "$trace" ||
	complain "--find: $(cat "$work/err")"
grep -q '^ttrace: of .*many.trace not loaded: [0-9]* generations, ' "$work/err" ||
	complain "--find does not say what is left out: $(cat "$work/err")"
within $(($(room 26) + beside_mib)) --memory=26M --report=summary --query='dur>1ns' "$trace" ||
	complain "--report=summary --query: $(cat "$work/err")"
grep -q 'what follows is of this time, which is loaded' "$work/out" ||
	complain "--report=summary does not say of which time it is"

# One generation is more than that.
within $beside_mib --load-only --memory=1M "$trace" && complain "1 MiB is enough"
grep -q ' alone may need .* of memory, more than the 1 MiB that may be used' "$work/err" ||
	complain "does not say what is needed: $(cat "$work/err")"

# What is written while it is read holds one generation at a time.
for form in wire parsed; do
	"$TTRACE" --dump=$form "$trace" | cksum >"$work/wanted"
	within $beside_mib --dump=$form "$trace" || complain "--dump=$form: $(cat "$work/err")"
	cksum <"$work/out" | cmp -s - "$work/wanted" || complain "--dump=$form is another one"
done
within $beside_mib --report=summary "$trace" || complain "--report=summary: $(cat "$work/err")"
grep -q 'All goroutines by function' "$work/out" || complain "--report=summary is none"
within $beside_mib --export=json "$trace" || complain "--export=json: $(cat "$work/err")"
exit $failed

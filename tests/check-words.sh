#!/bin/sh
# What is printed of a trace that is not Go's says no word of Go: every report in every form, what is
# found, checked, exported and refused.
set -u

work=${TMPDIR:-/tmp}/ttrace-words.$$
failed=0

mkdir -p "$work" || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
unset NO_COLOR COLUMNS COLORTERM TTRACE_PAGER PAGER

words='[Gg]oroutine|[^a-zA-Z][Pp]rocs?[^a-zA-Z]|[^a-zA-Z_0-9][GPM][0-9]+[^a-zA-Z_0-9]|[^a-zA-Z_]GC[^a-zA-Z_]|gc_|[Ss][Tt][Ww]|GOMAXPROCS'
words="$words"'|[Cc]ollector|[Ww]orld|[Rr]untime|(^|[^_a-z])syscalls?([^_a-z]|$)|[^a-z]P[^a-zA-Z0-9]|assist|sweep|mutator|stop-the-world|stops the world|[Hh]eap|wake\.g|(^|,)[gpm],|"[gpm]":|max_g'

# says_none OPTION...: of the trace; what is asked for itself may stand there.
says_none() {
	asked=$1
	for form in text csv json markdown; do
		"$TTRACE" --no-pager --no-state --width=150 "$@" --format=$form "$trace" \
			>"$work/out" 2>"$work/err" </dev/null
		[ -s "$work/out" ] || [ -s "$work/err" ] || [ $form != text ] || {
			echo "$(basename "$trace"): $*: says nothing" >&2
			failed=1
		}
		grep -v -e '^usage: ' -e '^       ttrace' "$work/err" |
			grep -v -F -e "$asked: a trace of function_graph tells of no" >>"$work/out"
		grep -E "$words" "$work/out" >"$work/found" || continue
		echo "$(basename "$trace"): $* --format=$form: $(head -n 2 "$work/found")" >&2
		failed=1
	done
}

# Those that a shell completes, and some with what stands behind a colon.
"$TTRACE" --report=? 2>&1 | head -n 1 | sed -e 's/.*wanted //' -e 's/ or /, /' | tr -d ' ' |
	tr ',' '\n' >"$work/reports"
[ "$(wc -l <"$work/reports")" -gt 15 ] || {
	echo "there are few reports" >&2
	exit 1
}
printf '%s\n' actors actor:138 actor:99 function:bash top:slices top:sync tree:slices latency:sched \
	longest:block 'latency:dur>1us' 'heat:dur>1us' task:1 region:x >>"$work/reports"

for name in plain lost trace-cmd retval-args cut; do
	trace=$TTRACE_TESTDATA/function_graph/$name.txt
	while read -r report; do
		case $report in
		# They ask for more than their name; with it they are above.
		goroutine | function | region | task | top | tree | latency | heat | longest) continue ;;
		# Calls of the system are the kernel's word before they were Go's.
		syscalls) continue ;;
		dump) says_none --report=dump --at=10us ;;
		why) says_none --report=why --actor=138 --at=10us ;;
		*) says_none --report="$report" ;;
		esac
	done <"$work/reports"
	for more in '--find=dur>1us' '--find=state=running' '--check=max(dur>1us)<1ms' \
		'--check=actors.count<1' '--diff='"$TTRACE_TESTDATA/function_graph/cut.txt" \
		--export=csv:spans --export=folded:slices --actor=138 --actor=99 --query=actor=138; do
		says_none "$more"
	done
	says_none --report=summary --query=actor=138
	says_none --report=lanes --actor=138 --at=10us
	says_none --report=lanes --row=zz
	says_none --report=lanes --group=creator
	says_none --query=actor=x
done

# Who works for a packet, in columns that there are.
cat >"$work/marked" <<'END'
# tracer: function_graph
# CPU  DURATION                  FUNCTION CALLS
### Packet 1
 0)   1.234 us    |  name();
### Packet 1, end
END
trace=$work/marked
says_none --report=task:1
grep -q running "$work/out" || {
	echo "task:1: $(cat "$work/out")" >&2
	failed=1
}

# People are not told an id that the source made up; programs are, and what they ask for by it.
trace=$TTRACE_TESTDATA/function_graph/retval-args.txt
for report in summary lanes actors dump top function:'CPU 0'; do
	"$TTRACE" --no-pager --no-state --report="$report" --at=10us "$trace" >"$work/out" 2>&1 </dev/null
	grep -q 'CPU 0' "$work/out" && ! grep -q -e 'task -[0-9]' "$work/out" && continue
	echo "$report: $(grep -e 'task -[0-9]' "$work/out")" >&2
	failed=1
done
exit $failed

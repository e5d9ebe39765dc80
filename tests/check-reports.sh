#!/bin/sh
# Every report with each of the options that reports share: it makes a difference, or it is refused
# with a reason. One that is silently left aside fails. What is written for other programs is read back.
set -u

work=${TMPDIR:-/tmp}/ttrace-reports.$$
failed=0

mkdir -p "$work" || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
unset NO_COLOR COLUMNS COLORTERM TTRACE_PAGER PAGER

complain() {
	printf '%s\n' "$*" >&2
	failed=1
}

# Columns: what of --format=csv, json, markdown, --query, --from, --sort, --limit the report takes (+)
# or refuses (-); the trace; the column to sort by; further options; the report. With = an option is
# taken but happens to change nothing: where there is but one row, say. + stands between options.
table() {
	cat <<-'END'
	+++++-- http  count     .             summary
	+++++-- http  share     .             lanes
	+++++-- http  start     .             critical-path
	++++=-- http  start     --goroutine=13+--at=12ms why
	++++=-- http  depth     --at=20ms     dump
	+++---- http  .         .             input
	+++++++ http  duration  .             goroutine:7
	+++++++ gc    -dur      .             findings
	+++++++ http  cum       .             top:net
	+++++++ http  cum       .             top:sync
	+++++++ http  cum       .             top:syscall
	+++++++ http  cum       .             top:sched
	+++++++ cpu   cum       .             top:cpu
	+++++++ http  cum       .             top:offcpu
	+++++-+ http  self      .             tree:net
	+++++-+ http  self      .             tree:sync
	+++++-+ http  self      .             tree:syscall
	+++++-+ http  self      .             tree:sched
	+++++-+ cpu   self      .             tree:cpu
	+++++-+ http  self      .             tree:offcpu
	+++++++ http  count     .             goroutines
	+++++++ gc    running   .             function:main.main.func1.1
	+++++++ http  -count    .             regions
	+++++++ http  -duration .             region:query
	+++++++ http  count     .             tasks
	+++--++ alloc end       .             allocations
	+++++++ http  event     .             task:33
	+++++++ gc    mark      .             gc
	+++++++ gc    start     .             stw
	+++++++ gc    ready     .             utilisation
	+++-+++ gc    start     .             mmu
	+++++++ http  start     .             longest:sched
	+++++++ http  start     .             latency:sched
	+++++++ gc    start     .             latency:stw
	+++++++ gc    start     .             latency:gc
	+++++++ gc    start     .             latency:assist
	+++++++ gc    start     .             latency:sweep
	+++++++ http  start     .             latency:syscall
	+++++++ http  start     .             latency:block
	+++++++ http  start     .             latency:block=select
	+++++++ http  start     .             latency:region=query
	+++++++ http  start     .             latency:task=request
	+++++++ http  start     .             latency:dur>20us
	+++++-- http  count     .             heat:sched
	+++++-- gc    from      .             heat:stw
	+++++-- http  count     .             heat:task=request
	+++++-- http  count     .             heat:dur>20us
	END
}

# The trace, a query that finds something of it but not all, and an interval, by name.
choose() {
	case $1 in
	http) set -- httpserver-go1.26 'g=7 state=blocked | state=ready dur>20us' 12ms 31ms ;;
	gc) set -- gcheavy-go1.26 'state=running dur>150us g<=22' 9ms 14ms ;;
	alloc) set -- allocfree-go1.26 'state=blocked' 9ms 14ms ;;
	cpu) set -- samples-go1.26 'g=11' 100ms 200ms ;;
	esac
	trace=$TTRACE_TESTDATA/$1.trace query=$2 from=$3 to=$4
}

# prints NAME OPTION...: the report into a file, without the lines that repeat what was asked for.
prints() {
	name=$1
	shift
	# shellcheck disable=SC2086 # several words
	"$TTRACE" --no-pager --width=200 --report="$report" $more "$@" "$trace" \
		>"$work/whole" 2>"$work/err" </dev/null
	status=$?
	grep -v -e '^  query  ' -e '^  time  ' -e '^  interval  ' "$work/whole" >"$work/$name"
	return $status
}

# tries MARK OPTION...: the option does what the mark says, beside --format=csv where there is that.
tries() {
	mark=$1
	shift
	prints with "$@"
	status=$?
	case $mark in
	+)
		[ $status -eq 0 ] || complain "$report: status $status with $*: $(cat "$work/err")"
		! cmp -s "$work/with" "$work/base" || complain "$report: $* changes nothing"
		;;
	=)
		[ $status -eq 0 ] || complain "$report: status $status with $*"
		cmp -s "$work/with" "$work/base" || complain "$report: $* changes something"
		;;
	-)
		[ $status -eq 2 ] || complain "$report: status $status with $*"
		grep -q -e '--' "$work/err" || complain "$report: says no option it refuses: $*"
		;;
	esac
}

# reads FORM FILE: what a report wrote is as another program wants it.
reads() {
	"$TTRACE_READFORMS" "$1" <"$2" >"$work/wrong" ||
		complain "$report: $1 is wrong: $(head -n 1 "$work/wrong")"
}

seen=
while read -r marks which column more report; do
	choose "$which"
	[ "$more" != . ] || more=
	more=$(printf %s "$more" | tr + ' ')
	seen="$seen ${report%%:*}"
	csv=${marks%??????}
	rest=$marks
	prints base || complain "$report: status $? without more"
	[ "$column" != . ] || column=start
	for form in csv json markdown; do
		mark=${rest%"${rest#?}"}
		tries "$mark" --format=$form
		[ "$mark" != + ] || reads $form "$work/whole"
		rest=${rest#?}
	done
	[ "$report" = dump ] || set -- --from="$from" --to="$to"
	[ "$report" != dump ] || set -- --from=1ms --to=40ms
	tries "${rest%???}" --query="$query"
	rest=${rest#?}
	tries "${rest%??}" "$@"
	rest=${rest#?}
	tries "${rest%?}" --sort="$column"
	tries "${rest#?}" --limit=1
	# The same as a table for programs, where what people are told beside it cannot mislead.
	[ "$csv" = + ] || continue
	more="$more --format=csv"
	prints base || complain "$report: status $? as csv"
	rest=${marks#???}
	tries "${rest%???}" --query="$query"
	rest=${rest#?}
	tries "${rest%??}" "$@"
	rows=+
	[ "$report" != input ] || rows=- # it is one
	tries $rows --sort="$column"
	tries $rows --limit=1
	# Of several traces each row says of which it is; a goroutine is of one.
	case $report in goroutine:* | why) continue ;; esac
	prints with "$trace" || complain "$report: status $? of two traces"
	head -n 1 "$work/with" | grep -q '^file,' || complain "$report: rows do not name their trace"
done <<END
$(table)
END

# These traces have no slices, and say so; what slices do with options is in tests/test_slice_reports.
seen="$seen slices" report=slices more=
choose http
prints base || complain "slices: status $?"
grep -q 'The trace has no slices' "$work/base" || complain "slices: does not say that there are none"
tries "=" --query="$query"
for report in top tree; do
	prints with
	[ $? -eq 2 ] || complain "$report: is of slices that are not there"
	grep -q 'the trace has no slices' "$work/err" || complain "$report: $(cat "$work/err")"
done

# Profiles have what has not ended, but by Go's rules, and those of pprof, which takes it when asked.
# refused WHY OPTION...: it is, with these words.
refused() {
	why=$1
	shift
	! "$TTRACE" --no-pager "$@" "$TTRACE_TESTDATA/httpserver-go1.26.trace" >"$work/with" 2>&1 ||
		complain "not refused: $*"
	grep -q -e "$why" "$work/with" || complain "$*: not refused for that: $(head -n 1 "$work/with")"
}
for report in top:sync tree:sync; do
	trace=$TTRACE_TESTDATA/httpserver-go1.26.trace more=--runtime
	prints base
	grep -q '^#\{0,1\} *Not ended: ' "$work/base" || complain "$report: says nothing of what goes on"
	tries + --as-go
	! grep -q 'Not ended' "$work/with" || complain "$report: by Go's rules something goes on"
done
for form in folded svg pprof; do
	trace=$TTRACE_TESTDATA/httpserver-go1.26.trace
	"$TTRACE" --export=$form:sync "$trace" >"$work/base" 2>"$work/err" || {
		grep -q 'built without' "$work/err" || complain "$form: $(cat "$work/err")"
		continue
	}
	other=--as-go
	[ $form != pprof ] || other=--with-open
	"$TTRACE" --export=$form:sync $other "$trace" >"$work/with" || complain "$form: status $?"
	! cmp -s "$work/with" "$work/base" || complain "$form: $other changes nothing"
done
# Whose time counts, and that the page says so.
for report in top:sched tree:sched latency:sched latency:block heat:sched; do
	trace=$TTRACE_TESTDATA/httpserver-go1.26.trace more=
	prints base
	head -n 2 "$work/base" | grep -q "of the program's goroutines" ||
		complain "$report: does not say whose time it is"
	tries + --runtime
	head -n 2 "$work/with" | grep -q 'of all goroutines' ||
		complain "$report: does not say that it is everybody's"
done
for kind in sched block; do
	"$TTRACE" --check="count($kind)=0" --format=csv "$trace" >"$work/base"
	"$TTRACE" --check="count($kind)=0" --format=csv --runtime "$trace" >"$work/with"
	! cmp -s "$work/with" "$work/base" || complain "--check of $kind: --runtime changes nothing"
done
for kind in stw gc; do
	"$TTRACE" --report=latency:$kind --no-pager "$trace" >"$work/base"
	"$TTRACE" --report=latency:$kind --no-pager --runtime "$trace" >"$work/with"
	cmp -s "$work/with" "$work/base" || complain "latency:$kind: is everybody's"
done
refused 'only with profiles' --report=goroutines --runtime
refused 'one or the other' --export=pprof:sync --as-go --with-open
refused 'only with --export' --report=top:sync --with-open
refused 'only with a profile' --report=goroutines --as-go
refused 'goes with --as-go' --report=top:sched,exact
refused 'of a trace of go wanted net, sync, syscall' --report=top:synch
refused 'only with a profile' --focus=main
refused 'there are no samples of that type' --sample-type=cpu

# What chooses samples needs no report where the trace has samples; shares are of all of them.
chosen() {
	what=$1
	shift
	"$TTRACE" --no-pager "$@" >"$work/with" 2>&1 || complain "$*: $(head -n 1 "$work/with")"
	grep -q -e "$what" "$work/with" || complain "$*: lacks $what"
}
chosen '^Type: alloc_objects$' --sample-type=alloc_objects "$TTRACE_TESTDATA/pprof/go-heap.pb.gz"
chosen 'accounting for 0.33s, 28.21% of 1.17s total$' --label=tenant:t1 "$TTRACE_TESTDATA/pprof/go-cpu-labels.pb.gz"
chosen 'focus=sign$' --focus=sign "$TTRACE_TESTDATA/pprof/go-cpu-labels.pb.gz"
chosen '^  CPU 3 frequency  *7  ' --report=counters "$TTRACE_TESTDATA/ftrace/atrace-counters.txt.gz"
chosen '^  CPU 3 frequency  *1  ' --report=counters --from=80ms \
	"$TTRACE_TESTDATA/ftrace/atrace-counters.txt.gz"
chosen 'in all *-25.75% of what was$' --diff="$TTRACE_TESTDATA/folded/differential.folded" \
	--diff-type=before "$TTRACE_TESTDATA/folded/differential.folded"
chosen '^  access  *ENOENT  *2  ' --report=syscalls "$TTRACE_TESTDATA/strace/signals.txt"
chosen '^  restart_syscall  *1  ' --report=syscalls --query='dur>1ms' "$TTRACE_TESTDATA/strace/signals.txt"
chosen '^  tgkill  *1  ' --report=syscalls --actor=28923 "$TTRACE_TESTDATA/strace/signals.txt"
chosen 'in all *-25.75% of what was$' --diff-type=before --report=top "$TTRACE_TESTDATA/folded/differential.folded"

# The same of other sources, where what their traces do not have is refused or empty.
others() {
	trace=$TTRACE_TESTDATA/$1
	for report in summary findings critical-path input goroutines regions tasks gc stw utilisation mmu \
		slices latency:sched latency:block heat:sched top:slices tree:slices lanes 'dump --at=10us' \
		"actor:$2" "critical-path --actor=$2" "actor:$2 --limit=2" "function:$3" \
		longest:state=running table histogram labels peek:main parts sched syscalls \
		syscalls:files counters; do
		seen="$seen ${report%%[: ]*}"
		for form in csv json markdown; do
			# shellcheck disable=SC2086 # several words
			"$TTRACE" --no-pager --report=$report --format=$form "$trace" >"$work/whole" 2>"$work/err"
			case $? in
			0) reads $form "$work/whole" ;;
			2) grep -q -e '--' "$work/err" || complain "$report: of $1: $(cat "$work/err")" ;;
			*) complain "$report --format=$form: status $? of $1" ;;
			esac
		done
	done
}
others function_graph/plain.txt 138 kworker
others ftrace/sched-irq.txt.gz 22549 kid
others strace/signals.txt 28921 sg

# One trace beneath another, in any order, packed or not.
seen="$seen beneath"
above=$TTRACE_TESTDATA/go-and-sched/contention.trace.gz below=$TTRACE_TESTDATA/go-and-sched/contention.txt.gz
chosen '^  running   53.2 ms, on a CPU 37.5 ms (70%), waited for one 12.9 ms' --report=beneath "$above" "$below"
chosen 'shift 0s tested: 1,435 of 1,435 running spans agree$' --report=beneath --format=csv "$above" "$below"
chosen 'shift -0.005s given by --align: .* running spans agree$' --report=beneath --format=csv --align=contention.txt.gz:-5ms "$above" "$below"
chosen 'shift -0.005s given by --align: .* running spans agree$' --report=beneath --format=csv "--align=$above:5ms" "$below" "$above"
chosen '^ kernel  on a CPU 246 µs, waited for one 8.58 ms, asleep 5.7 µs; compile (8.58 ms) had it$' --report=lanes --at=24ms "$above" "$below"
chosen '  8.58 ms  G32 .* thread 4268 of P0: compile (8.58 ms)$' --report=why --goroutine=32 --at=25ms "$below" "$above"
chosen '  8.58 ms  G28 .* compile (8.58 ms)$' --report=critical-path --goroutine=28 --from=20ms --to=32ms "$above" "$below"
chosen 'C waits for a CPU  ┅ asleep in the kernel' --report=lanes "$below" "$above"
gunzip -c "$above" >"$work/above"
gunzip -c "$below" >"$work/below"
for asked in beneath beneath:thread beneath:function beneath:proc 'beneath --goroutine=28' \
	'beneath --from=10ms --interval=5ms' 'beneath --sort=ready --limit=3'; do
	for form in csv json; do
		# shellcheck disable=SC2086 # several words
		"$TTRACE" --no-pager --report=$asked --format=$form "$above" "$below" >"$work/whole" 2>"$work/err" ||
			complain "$asked: $(cat "$work/err")"
		report=beneath reads $form "$work/whole"
		# shellcheck disable=SC2086
		"$TTRACE" --no-pager --report=$asked --format=$form "$work/below" "$work/above" >"$work/with" 2>"$work/err"
		cmp -s "$work/with" "$work/whole" || complain "$asked: changes with the order of files"
	done
done
# Findings are of such a pair, too; of others one after the other.
sched='All threads stood still for 54.1 ms to 64.8 ms of every 100 ms, 8 times'
held=$TTRACE_TESTDATA/go-and-sched/quota.trace.gz
for form in text csv json; do
	"$TTRACE" --no-pager --report=findings --format=$form "$held" "${held%.trace.gz}.txt.gz" >"$work/whole" 2>"$work/err"
	"$TTRACE" --no-pager --report=findings --format=$form "${held%.trace.gz}.txt.gz" "$held" >"$work/with" 2>"$work/err"
	cmp -s "$work/with" "$work/whole" || complain "findings: change with the order of files"
	tr '\n' ' ' <"$work/whole" | tr -s ' ' | grep -q "$sched" || complain "findings: $(cat "$work/whole")"
done
for file in "$held" "$below"; do
	"$TTRACE" --no-pager --report=findings "$file" 2>/dev/null
	[ "$file" = "$below" ] || echo
done >"$work/whole"
"$TTRACE" --no-pager --report=findings "$held" "$below" >"$work/with" 2>"$work/err"
cmp -s "$work/with" "$work/whole" || complain "findings of two that do not belong together"
grep -q 'not of the same run' "$work/err" || complain "findings: $(cat "$work/err")"
"$TTRACE" --no-pager --report=findings "$held" "$work/above" >"$work/with" 2>"$work/err"
grep -c '^Findings' "$work/with" | grep -q 2 || complain "findings of two of Go"
[ ! -s "$work/err" ] || complain "findings of two of Go: $(cat "$work/err")"

apart() {
	what=$1
	shift
	"$TTRACE" --no-pager --report=beneath "$@" >"$work/with" 2>"$work/err" </dev/null && complain "$*: is not refused"
	grep -q -e "$what" "$work/err" || complain "$*: $(cat "$work/err")"
}
# Its samples, also without the scheduler.
worker=$TTRACE_TESTDATA/go-and-sched/worker
gunzip -c "$worker.txt.gz" | awk -v RS= -v ORS='\n\n' '/^[^\n]* cpu-clock: /' >"$work/samples"
for below_worker in "$worker.txt.gz" "$work/samples"; do
	chosen 'accounting for 58, 100% of 58 total$' --report=top:beneath --goroutine=21 "$worker.trace.gz" "$below_worker"
	chosen 'accounting for 24, 100% of 24 total$' --report=top:beneath --task=6 "$below_worker" "$worker.trace.gz"
	chosen 'accounting for 14, 100% of 14 total$' --report=top:beneath --region=stat "$worker.trace.gz" "$below_worker"
	chosen 'accounting for 69, 100% of 69 total$' --report=top:beneath --query=state=syscall "$worker.trace.gz" "$below_worker"
	chosen 'Samples: 180 ' --report=tree:beneath "$worker.trace.gz" "$below_worker"
	chosen ';ksys_read;vfs_read;read_zero [0-9]*$' --export=folded:beneath "$worker.trace.gz" "$below_worker"
	chosen 'cpu-clock' --export=svg:beneath --from=1ms --to=20ms "$worker.trace.gz" "$below_worker"
	chosen '^## Profile of samples beneath$' --report=top:beneath --format=markdown "$worker.trace.gz" "$below_worker"
	for report in top:beneath tree:beneath; do
		for form in csv json; do
			"$TTRACE" --no-pager --report=$report --format=$form --goroutine=23 "$worker.trace.gz" "$below_worker" \
				>"$work/whole" 2>"$work/err" || complain "$report: $(cat "$work/err")"
			report=$report reads $form "$work/whole"
		done
	done
done
chosen 'shift 0s tested: 170 of 170 samples agree$' --report=top:beneath "$worker.trace.gz" "$work/samples"
chosen 'accounting for 17, 100% of 17 total$' --report=top:beneath:sched:sched_switch --goroutine=21 \
	"$worker.trace.gz" "$worker.txt.gz"
: >"$work/empty"
apart 'does not tell of the kernel.s scheduler' "$worker.trace.gz" "$work/samples"
apart 'takes a trace that tells of threads and one of the kernel' "$above" "$work/above"
apart 'takes a trace that tells of threads and one of the kernel' "$below" "$work/below"
apart 'takes two traces' "$above"
apart 'there is nothing in it' "$above" "$work/empty"
apart 'not of the same run' "$above" "$TTRACE_TESTDATA/go-and-sched/httpserver.txt.gz"
apart 'wanted one of the two traces and its shift' --align=other:1s "$above" "$below"
apart 'bad time "soon"' --align=contention.txt.gz:soon "$above" "$below"
apart 'goroutine 4711 is not in the trace' --goroutine=4711 "$above" "$below"

# Tables that the input has ready made.
for trace in "$TTRACE_TESTDATA/pprof_text/cpu-top.txt" "$TTRACE_TESTDATA/pprof_text/heap-peek.txt"; do
	for form in csv json markdown; do
		"$TTRACE" --no-pager --report=table --format=$form "$trace" >"$work/whole" 2>"$work/err" ||
			complain "table: $(cat "$work/err")"
		report=table reads $form "$work/whole"
	done
done

# None is missing.
"$TTRACE" --report=? 2>&1 | head -n 1 | sed -e 's/.*wanted //' -e 's/ or /, /' | tr -d ' ' | tr ',' '\n' |
	while read -r word; do
		case " $seen " in
		*" $word "*) ;;
		*) echo "$word" ;;
		esac
	done >"$work/missing"
[ ! -s "$work/missing" ] || complain "not in the table: $(tr '\n' ' ' <"$work/missing")"

exit $failed

#!/bin/sh
# The program without a terminal: what it prints where, and how it ends.
set -u

trace=$TTRACE_TESTDATA/httpserver-go1.23.trace
work=${TMPDIR:-/tmp}/ttrace-program.$$
failed=0
escape=$(printf '\033')

mkdir -p "$work" || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
unset NO_COLOR COLUMNS COLORTERM
TERM=xterm-256color
export TERM

complain() {
	printf '%s\n' "$*" >&2
	failed=1
}

# ends STATUS ARGUMENT...: runs the program, keeping what it says in out and err.
ends() {
	wanted=$1
	shift
	"$TTRACE" "$@" >"$work/out" 2>"$work/err" </dev/null
	status=$?
	[ $status -eq "$wanted" ] || complain "status $status, not $wanted: ttrace $*"
}

prints() {
	grep -q -- "$1" "$work/out" || complain "does not print: $1"
}

prints_not() {
	! grep -q -- "$1" "$work/out" || complain "prints: $1"
}

says() {
	grep -q -- "$1" "$work/err" || complain "does not say: $1; but $(cat "$work/err")"
}

# Of ASCII, where cells are bytes. A command to copy stays on one line, however long the path.
widest() {
	awk '!/^ *ttrace --/ { if (length($0) > n) n = length($0) } END { print n + 0 }' "$work/out"
}

# Without options: the summary, then the lanes.
ends 0 "$trace"
prints 'All goroutines by function'
prints 'Procs 4'
prints_not "$escape"
ends 0 --charset=ascii "$trace"
[ "$(widest)" -le 100 ] || complain "wider than 100 cells: $(widest)"

# The same from a pipe.
"$TTRACE" <"$trace" >"$work/pipe" || complain "fails with the trace from standard input"
grep -q 'All goroutines by function' "$work/pipe" || complain "prints no summary of standard input"

# Each report alone.
ends 0 --report=summary "$trace"
prints 'All goroutines by function'
prints_not 'Procs 4'
ends 0 --report=lanes --width=60 --charset=ascii "$trace"
prints 'Procs 4'
prints_not 'All goroutines by function'
[ "$(widest)" -le 60 ] || complain "wider than 60 cells: $(widest)"
ends 0 --report=lanes --interacts=53,2,wakers --pin-row=heap "$trace"
prints '2 of wakers'
prints '▴Heap'
ends 0 --goroutine=53 "$trace"
prints '^G53 '
prints 'State by state'
ends 0 --report=goroutine:G53 "$trace"
prints '^G53 '
COLUMNS=70
export COLUMNS
ends 0 --report=lanes --charset=ascii "$trace"
[ "$(widest)" -le 70 ] || complain "wider than COLUMNS: $(widest)"
unset COLUMNS

# Colours and glyphs.
ends 0 --color=always "$trace"
prints "$escape"
ends 0 --report=lanes --format=ansi "$trace"
prints "$escape"
ends 0 --report=lanes --format=svg "$trace"
prints '^<svg'
prints '</svg>'
ends 0 --charset=ascii "$trace"
! LC_ALL=C grep -q '[^ -~]' "$work/out" || complain "ASCII was asked for and not kept"
LC_ALL=C "$TTRACE" --report=lanes "$trace" >"$work/out"
! LC_ALL=C grep -q '[^ -~]' "$work/out" || complain "the locale has no UTF-8, the output has"

# What loading took: three numbers, whatever they are.
ends 0 --load-only "$trace"
prints '^events [1-9][0-9]*$'
prints '^seconds [0-9][0-9]*\.[0-9]*$'
prints '^peak-bytes [1-9][0-9]*$'
[ "$(wc -l <"$work/out")" -eq 3 ] || complain "--load-only prints more than that"
events=$(sed -n 's/^events //p' "$work/out")
"$TTRACE" --dump=parsed "$trace" >"$work/parsed"
synced=$(grep -c '^M=' "$work/parsed")
[ "$((synced - $(grep -c ' Sync ' "$work/parsed")))" -eq "$events" ] ||
	complain "--load-only counts $events events"
ends 2 --load-only --report=summary "$trace"
says 'nothing else can be asked for'

# A cache: the same comes out of it, and out of the trace itself where it is damaged.
XDG_CACHE_HOME=$work/xdg
export XDG_CACHE_HOME
ends 0 --charset=ascii "$trace"
mv "$work/out" "$work/without"
ends 0 --cache --charset=ascii "$trace"
cmp -s "$work/out" "$work/without" || complain "--cache prints something else"
if ! grep -q 'built without libxxhash' "$work/err"; then
	says "cache: [0-9.]* [KM]iB in $work/xdg/ttrace/[0-9a-f]*.cache"
	ends 0 --cache --charset=ascii "$trace"
	cmp -s "$work/out" "$work/without" || complain "out of the cache comes something else"
	[ ! -s "$work/err" ] || complain "says of its cache: $(cat "$work/err")"
	ends 0 --diff="$trace" --charset=ascii "$trace"
	mv "$work/out" "$work/difference"
	touch -t 200001010000 "$work"/xdg/ttrace/*.cache
	ends 0 --cache --diff="$trace" --charset=ascii "$trace"
	cmp -s "$work/out" "$work/difference" || complain "--diff with --cache prints something else"
	[ -n "$(find "$work/xdg" -name '*.cache' -newer "$work/difference")" ] ||
		complain "--diff does not open the cache"
	head -c 200 /dev/zero | dd of="$(echo "$work"/xdg/ttrace/*.cache)" bs=1 seek=3000 conv=notrunc 2>"$work/err"
	ends 0 --cache --diff="$trace" --charset=ascii "$trace"
	cmp -s "$work/out" "$work/difference" || complain "--diff shows a damaged cache"
	ends 0 --cache --charset=ascii "$trace"
	cmp -s "$work/out" "$work/without" || complain "out of a damaged cache comes something else"
	says 'cache: .* in '
	ends 0 --cache --no-cache "$trace"
	[ ! -s "$work/err" ] || complain "--no-cache keeps one"
	"$TTRACE" --cache <"$trace" >"$work/out" 2>"$work/err" || complain "standard input with --cache"
	[ ! -s "$work/err" ] || complain "the same trace from standard input has another cache"
	# shellcheck disable=SC2002 # it is to be a pipe
	cat "$trace" | "$TTRACE" --cache >"$work/out" 2>"$work/err" || complain "a pipe with --cache"
	says 'no cache: not a regular file'
	ends 0 --clear-cache
	prints '^removed 1 cache, '
	ends 0 --clear-cache
	prints '^removed 0 caches, 0 B'
fi

# A format that is newer than any, and one that never was.
{ printf 'go 1.29 trace\000\000\000' && tail -c +17 "$TTRACE_TESTDATA/contention-go1.26.trace"; } >"$work/newer.trace"
ends 3 --report=summary "$work/newer.trace"
prints 'All goroutines by function'
says 'newer.trace is damaged: the format go 1.29 is newer than go 1.26'
ends 1 --strict "$work/newer.trace"
says 'unknown or unsupported trace version go 1.29'
ends 1 --dump=parsed "$work/newer.trace"
{ printf 'go 1.24 trace\000\000\000' && tail -c +17 "$trace"; } >"$work/never.trace"
ends 1 "$work/never.trace"
says 'unknown or unsupported trace version go 1.24'

# Sources.
ends 0 --sources
prints '^go$'
prints '^function_graph$'
prints '^  recognised by  '
ends 0 --sources --format=json
prints '^{"source":"go","recognised_by":".*","answers":".*"}$'
ends 0 --report=input --format=json "$trace"
prints '^{"kind":"go","points":1000,"events":[0-9]*,"generations":[0-9]*,"goroutines":[0-9]*,.*"damaged":0}$'
ends 0 --report=input --format=csv "$trace"
prints '^kind,points,events,'
ends 0 --report=input "$trace"
prints '^  kind  *go$'
ends 0 --report=input --format=json "$trace" "$TTRACE_TESTDATA/function_graph/plain.txt"
prints '^{"file":".*plain.txt","kind":"function_graph","points":[0-9]*,.*"records":'
prints '^{"file":".*.trace","kind":"go",'
ends 2 --report=input --from=1ms "$trace"
says 'of the whole input'
ends 2 --source=perf "$trace"
says 'wanted go, function_graph'
graph=$TTRACE_TESTDATA/function_graph/plain.txt
ends 2 --dump=parsed "$graph"
says 'plain.txt: --dump: is of Go traces, not of function_graph'
ends 0 --report=sched --format=csv --diff="$TTRACE_TESTDATA/ftrace/sched-irq.txt.gz" \
	"$TTRACE_TESTDATA/ftrace/raw-syscalls.txt.gz"
prints '^task,pid,'
ends 0 --export=json "$graph"
prints '"ph":"X"'
ends 2 --export=json:thread "$graph"
says 'plain.txt: of function_graph there is --export=json without a mode'
ends 2 --export=json "$TTRACE_TESTDATA/folded/annotated.folded"
says 'annotated.folded: --export=json: a trace of folded tells of no time'
for form in --report=summary --load-only --find=state=running; do
	ends 2 --memory=512M "$form" "$graph"
	says 'plain.txt: --memory: function_graph is only loaded whole'
done
ends 0 --cache --clear-cache
ends 0 --cache --load-only "$graph"
[ ! -s "$work/err" ] || complain "says of the cache of a function_graph: $(cat "$work/err")"
ends 0 --clear-cache
prints '^removed 0 caches'
# The numbers that an independent reader counted.
for oracle in "$TTRACE_TESTDATA"/function_graph/*.oracle.json; do
	"$TTRACE" --report=input --format=json "${oracle%.oracle.json}.txt" >"$work/out" 2>"$work/err"
	for key in records spans leaves nested orphan_exits cut_entries open_at_end switches irq_enter \
		irq_exit events marks lost_records lost_events max_depth damaged; do
		prints "\"$key\":$(sed -n "s/^ \"$key\": \([0-9]*\),\{0,1\}\$/\1/p" "$oracle")[,}]"
	done
done
ends 1 --source=go --report=summary "$graph"
says 'plain.txt: not a Go execution trace: this is plain text'
ends 1 --report=summary "$TTRACE_TESTDATA/README.md"
says 'README.md: no trace that ttrace knows: this is plain text: "# Traces for the tests"; it is neither go'

# Tables that the input has ready made; a percent is compared as one, and as a number.
table=$TTRACE_TESTDATA/pprof_text/block-top.txt
ends 0 --check='table.flat_percent < 67%' "$table"
ends 4 --check='table.flat_percent < 66%' "$table"
ends 0 --check='table.flat_percent < 67' "$table"
sed -e 's/267.88ms 66.99% 66.99%/301.88ms 70.49% 70.49%/' -e /chansend1/d "$table" >"$work/other"
ends 0 --report=table --diff="$table" "$work/other"
prints '^  sync.*WaitGroup.*Wait *+34 ms *268 ms *302 ms *3.50 '
prints '^  runtime.chansend1 *-22.3 ms *22.3 ms *-5.57 '
ends 0 --report=table --format=json --diff="$table" "$work/other"
prints '"function":"sync.(\*WaitGroup).Wait","flat_change_ns":34000000,"flat_before_ns":267880000,.*"flat_percent_change":3.5,'
printf '%s\n' 'and now?' >>"$work/other"
ends 0 --report=table "$work/other"
sed -e '12s/.*/what is this?/' "$table" >"$work/other"
ends 3 --report=table "$work/other"
says 'line 12 fits nothing: "what is this?"'

# What can go wrong.
ends 1 "$work/none.trace"
says 'none.trace: No such file'
ends 1 "$TTRACE_TESTDATA/README.md"
says 'README.md: '
ends 1 -
says 'standard input: '
ends 2 --nonsense "$trace"
says 'there is no option --nonsense'
ends 2 --at=5s "$trace"
says 'beyond the end of the trace'
ends 4 --report=lanes --interacts=9999 "$trace"
says 'goroutine 9999 is not in the trace'
ends 4 --report=lanes --pin-row=nothing "$trace"
says 'the trace has no such row'
ends 4 --goroutine=9999 "$trace"
says 'goroutine 9999 is not in the trace; the nearest are'
head -c 50000 "$TTRACE_TESTDATA/long-go1.23.trace" >"$work/cut.trace"
ends 3 "$work/cut.trace"
prints 'All goroutines by function'
says 'cut.trace is damaged: .* lost from byte'
ends 4 --goroutine=9999 "$work/cut.trace"
says 'cut.trace is damaged'
printf 'x' >"$(printf '%s/\033[2J.trace' "$work")"
ends 1 "$(printf '%s/\033[2J.trace' "$work")"
! grep -q "$escape" "$work/err" || complain "an escape sequence reaches standard error"
if [ -w /dev/full ]; then
	"$TTRACE" "$trace" >/dev/full 2>"$work/err"
	[ $? -eq 1 ] || complain "a full disk goes unnoticed"
	says 'cannot write'
fi

# Reports of what a query matches.
ends 0 --query='name~main' --report=summary "$trace"
prints '  query  *name~main: [0-9,]* spans match, of [0-9]* goroutines; '
prints_not 'net/http.(\*conn).serve'
ends 0 --query='g=53 state=blocked' --report=goroutine:53 "$trace"
prints '^  query '
prints_not ' ready '
ends 0 -q 'g=53' --report=lanes "$trace"
prints ' only: g=53 '
prints_not ' main.main '
ends 0 -q 'state=blocked' --report=dump --at=60ms "$trace"
prints '^goroutine [0-9]* '
prints_not '^goroutine [0-9]* \[running'
ends 0 -q 'state=running' --report=critical-path "$trace"
prints '  query  *state=running: .* of the path; '
prints_not ' G[0-9]* .*  ready '
ends 4 --query='g=999999' --report=lanes "$trace"

# Spans of several traces in one list.
other=$TTRACE_TESTDATA/contention-go1.23.trace
ends 0 --find='state=blocked dur>3ms' "$trace"
prints ' ms  G[0-9]* .*  blocked: '
ends 2 --report=stw --sort=foo "$trace"
ends 0 --find='state=ready' --sort=dur --limit=5 "$trace" "$other"
[ "$(wc -l <"$work/out")" -eq 5 ] || complain "--limit=5 prints $(wc -l <"$work/out") spans"
prints 'contention-go1.23.trace: '
[ ! -s "$work/err" ] || complain "--limit does not hold so many: $(cat "$work/err")"
ends 0 --find=state=ready --sort=dur --format=json "$trace" "$other"
prints '^{"file":".*","start_ns":[0-9]*,.*}$'
says 'spans are held in .*iB'
ends 0 --find='func~net/http.(*conn' --format=csv --charset=ascii "$trace"
prints '^file,start_ns,dur_ns,'
says 'func: searched as plain text'
ends 4 --find='g=999999' "$trace" "$other"

# A report of each of several traces, and conditions for all of them.
ends 0 --report=gc --format=csv "$trace" "$other"
[ "$(grep -c '^file,cycle,' "$work/out")" -eq 2 ] || complain 'not a table of each'
ends 2 --report=top:sync "$trace" "$other"
ends 0 --report=latency:sched "$trace" "$other"
[ "$(grep -c '^Latency of sched, ' "$work/out")" -eq 2 ] || complain "not a report of each"
ends 1 --report=latency:sched --format=json "$work/none" "$other"
prints '^{"table":"latency","file":".*contention-go1.23.trace","count":'
ends 0 --check='count(sched) > 0' --check='p99(sched) < 10s' "$trace"
prints '2 conditions hold'
ends 4 --check='count(sched) > 0' --check='max(sched) < 1ns' "$trace" "$other"
prints '2 of 4 conditions failed'
ends 4 --check='max(region=none) < 1s' "$trace"
# Of reports: all rows, those about something, and what cannot be asked.
ends 0 --check='goroutines.max(running) < 10s' --check='latency:sched.p99.9 < 10s' "$trace"
ends 0 --check='goroutines.max_delay < 10s' --check='function:main.main.life > 1ns' "$trace"
ends 4 --check='goroutines.max(ready) < 1ns' "$trace" "$other"
ends 0 --check='goroutine:53.duration < 1s' --check='input.events > 5' "$trace"
prints ' ok  goroutine:53.duration < 1s .* [0-9.]* ms '
prints ' ok  input.events > 5  *[0-9][0-9]* '
ends 0 --check='longest:sched.for < 10s' "$trace" # a title, as --sort takes it
ends 4 --check='goroutines.max(nonsense) < 1s' "$trace"
ends 4 --check='top:sched.flat < 1ns' --format=json "$trace"
# A report's row is told with its place; a table of rows does not say of spans.
calls=$TTRACE_TESTDATA/function_graph
ends 4 --check='longest:sched.duration < 1ns' --format=csv "$trace"
grep -q '^FAILED,"longest:sched.duration < 1ns",\([0-9]*\),[0-9]*,\1,[0-9][0-9]*,[0-9]' "$work/out" ||
	complain 'a row of a report has no place'
ends 4 --check='function:kworker.life < 1ns' "$calls/plain.txt"
prints '^Conditions$'
prints ' rows *lasts '
prints ' 141 .*  1 *141 .* 0.000 .* task 138 kworker$'
ends 4 --check='actors.max(running) < 1ns' --check='max(state=running) < 1ns' "$calls/plain.txt"
prints ' spans, rows *longest '
ends 2 --check='nothing.max < 1s' "$trace"
ends 2 --check='goroutines.nothing < 1s' "$trace"
ends 2 --check='goroutines.max(ready) < 5MiB' "$trace"
ends 2 --check='lanes.max < 1s' "$trace"
ends 0 --check='count(block) = 0' -q 'g=999999' "$trace"
prints '1 condition holds'
ends 4 --check='count(block) > 0' -q 'g=999999' "$trace"
ends 0 --diff="$other" "$trace"
prints '^All goroutines by function'
prints ' +[0-9.]* ms '
ends 0 --diff="$trace" "$trace"
prints 'nothing has changed'
prints_not ' life '
ends 0 --diff="$other" --report=tree:sync --format=json "$trace"
prints '"value_change_ns":'
ends 0 --diff="$other" --export=svg:sync -o "$work/diff.svg" "$trace"
grep -q '</svg>' "$work/diff.svg" || complain 'no flame graph of a difference'
# Of any report: its rows side by side.
ends 0 --diff="$other" --report=tasks "$trace"
ends 0 --diff="$other" --report=latency:sched --format=json "$trace"
prints '"table":"latency",.*"p99_change_ns":'
ends 0 --diff="$other" --report=longest:sched "$trace"
prints 'left out  *longest: '
ends 0 --diff="$other" --report=longest:sched --format=csv "$trace"
says 'left out is longest: '
ends 0 --diff="$other" --report=gc --sort=mark_change --limit=1 --format=csv "$trace"
[ "$(wc -l <"$work/out")" -eq 2 ] || complain 'no rows of a difference'
# Another task with the same id is another one.
ends 0 --diff="$calls/plain.txt" '--report=latency:state=running' --format=csv "$calls/latency.txt"
prints '^task,actor_name,function,place,duration_change_ns,'
prints '^138,kworker,'
ends 2 --diff="$other" --report=summary --sort=x "$trace"
# What is in one of them only is a difference; what is in neither is none.
ends 0 --diff="$other" -q 'name~net/http' "$trace"
prints '^  net/http.* life  *+[0-9]'
ends 0 --diff="$trace" -q 'name~net/http' "$other"
prints '^  net/http.* life  *-[0-9]'
ends 4 --diff="$other" -q 'name~nowhere' "$trace"
ends 1 --diff="$work/none" "$trace"
prints_not .
ends 1 --diff="$trace" "$work/none"
prints_not .
ends 1 --check='count(sched) > 0' "$work/none" "$trace"
prints '1 condition holds'
ends 3 --diff="$work/cut.trace" "$trace"
prints '^All goroutines by function'
ends 3 --check='count(sched) > 0' "$work/cut.trace"
ends 4 --check='count(sched) = 0' "$work/cut.trace"
ends 0 --check='count(sched) > 0' --format=csv --from=1ms "$trace"
prints '^verdict,condition,value,'
ends 2 --check='p99(sched) < x' "$trace"
says 'at character 14'

ends 1 --find='state=blocked' "$work/none" "$trace"
prints ' blocked: '
ends 2 --find='state=blocked' --from=500s "$trace"
ends 3 --find='state=blocked' "$work/cut.trace" "$trace"
says 'cut.trace is damaged'
ends 2 --find='state=blocked' --find='dur>x' "$trace"
says 'dur wants a time such as 10ms or 1.2s, at character 5'

# A reader that has seen enough is no error.
status=$( { "$TTRACE" --report=goroutine:53 "$trace"; echo $? >"$work/status"; } | head -1 >/dev/null
	cat "$work/status")
[ "$status" = 0 ] || complain "status $status after an early end of the reader"

# Dumps: the same on standard output and in a file, that is whole or not there.
ends 0 --dump=parsed "$trace"
prints '^M=-1 P=-1 G=-1 Sync Time=[0-9]* N=1$'
ends 0 --dump=parsed -o "$work/dump" "$trace"
"$TTRACE" --dump=parsed "$trace" | cmp -s - "$work/dump" || complain "-o writes something else"
echo old >"$work/old"
ln -s old "$work/link"
ends 0 --dump=footprint -o "$work/link" "$trace"
grep -q '^ProcStart' "$work/old" || complain "-o replaces a link"
echo old >"$work/old"
head -c 100 "$trace" >"$work/cut"
echo garbage >"$work/garbage"
ends 1 --dump=parsed -o "$work/old" "$work/garbage"
[ "$(cat "$work/old")" = old ] || complain "a dump that failed replaces a file"
ends 1 --dump=wire -o "$work/none/dump" "$trace"
says 'none/dump: No such file'
[ -z "$(find "$work" -name '*.??????')" ] || complain "half files are left: $(ls "$work")"
ends 0 --dump=parsed --from=10ms --to=11ms "$trace"
[ "$(grep -c ' Time=' "$work/out")" -lt 2000 ] || complain "--from and --to do not cut"
ends 3 --dump=wire "$work/cut"
prints '^Trace Go1.23$'
says 'is damaged'
if [ -c /dev/full ]; then
	"$TTRACE" --dump=wire "$trace" >/dev/full 2>"$work/err"
	[ $? -eq 1 ] || complain "a full disk is no failure"
	says 'cannot write'
	ends 1 --dump=wire -o /dev/full "$trace"
	[ -c /dev/full ] || complain "-o replaces a device"
fi
# More than a file may have is as a full disk; a subshell, as nothing takes that limit back.
(
	ulimit -f 20
	"$TTRACE" --dump=parsed -o "$work/limited" "$trace" 2>"$work/limited.err"
	echo $? >"$work/status"
)
[ "$(cat "$work/status")" = 1 ] || complain "a limit of files ends it with $(cat "$work/status")"
grep -q 'limited: File too large' "$work/limited.err" || complain "a limit of files is not told"
[ -z "$(find "$work" -name 'limited*' ! -name '*.err')" ] || complain "a limited file is left"
status=$( { "$TTRACE" --dump=parsed "$trace"; echo $? >"$work/status"; } | head -1 >/dev/null
	cat "$work/status")
[ "$status" = 0 ] || complain "status $status after an early end of a dump's reader"

# Exports: the same from a file and a pipe, and what they are to show may be missing.
ends 0 --export=json:goroutine=53 -o "$work/export" "$trace"
grep -q '"thread_name".*"tid":53' "$work/export" || complain "the goroutine has no lane"
"$TTRACE" --export=json:goroutine=53 <"$trace" | cmp -s - "$work/export" ||
	complain "standard input is exported as something else"
# shellcheck disable=SC2002 # it is to be a pipe
cat "$trace" | TMPDIR=$work "$TTRACE" --export=json:goroutine=53 | cmp -s - "$work/export" ||
	complain "a pipe is exported as something else"
[ -z "$(find "$work" -name 'ttrace.*')" ] || complain "a spooled pipe is left"
ends 4 --export=json:goroutine=54321 -o "$work/none.json" "$trace"
says 'goroutine 54321 is not in the trace'
[ ! -e "$work/none.json" ] || complain "an export of nothing makes a file"
ends 4 --export=json:task=54321 "$trace"
says 'task 54321 is not in the trace'
ends 4 --export=json:goroutine=54321 "$work/cut.trace"
says 'goroutine 54321 is not in the trace'
says 'cut.trace is damaged'
ends 3 --export=json "$work/cut"
# shellcheck disable=SC2002 # it is to be a pipe
cat "$trace" | TMPDIR=$work/none "$TTRACE" --export=json:task=1 >"$work/out" 2>"$work/err"
[ $? -eq 1 ] || complain "a pipe is read again without a place to keep it"
says 'kept in a file'

# Help and version.
ends 0 --help
prints '^usage: ttrace'
ends 0 --version
prints '^ttrace [0-9]'

exit $failed

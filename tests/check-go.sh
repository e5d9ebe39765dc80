#!/bin/sh
# What ttrace says of traces against what Go's own tool says of them.
#
#     GO='command'         the Go that builds and traces the programs; else go
#     GO_READER='command'  the Go whose `go tool trace` is believed; else $GO
#     GO_TRACES='FILE...'  traces to compare beside those made here
#
# usage: check-go.sh [simulated|programs]...
#
# simulated (as without arguments): traces that tests/mktrace makes; programs: those
# of testdata/gen, built and traced afresh. Where the reader is a release that nobody
# has compared yet, differences are shown and are no failure. Skipped without a reader
# that knows traces of Go 1.22.
set -u

newest_compared=27

go=${GO:-go}
reader=${GO_READER:-$go}
ttrace=${TTRACE:-./ttrace}
srcdir=${TTRACE_SRCDIR:-.}
mktrace=${TTRACE_MKTRACE:-./tests/mktrace}
compareparsed=${TTRACE_COMPAREPARSED:-./tests/compareparsed}
comparejson=${TTRACE_COMPAREJSON:-./tests/comparejson}
seeds=${TTRACE_SEEDS:-4}

skip() {
	echo "skipped: $*"
	exit 77
}

# minor_of COMMAND: the N of the Go 1.N that this command is.
minor_of() {
	$1 env GOVERSION 2>/dev/null | sed -n 's/.*go1\.\([0-9]*\).*/\1/p'
}

reader_minor=$(minor_of "$reader")
[ -n "$reader_minor" ] || skip "there is no $reader"
[ "$reader_minor" -ge 22 ] || skip "$reader does not know traces of Go 1.22"
for program in "$mktrace" "$compareparsed" "$comparejson"; do
	[ -x "$program" ] || skip "$program is not built"
done

dir=$(mktemp -d) || exit 1
server=
trap 'stop_server; rm -rf "$dir"' EXIT
trap 'exit 1' HUP INT TERM
failed=0

# fail NAME MESSAGE...: what is wrong whatever Go says.
fail() {
	echo "$@"
	failed=1
}

# complain NAME MESSAGE...: ttrace and Go differ.
complain() {
	echo "$@"
	[ "$reader_minor" -gt "$newest_compared" ] || failed=1
}

# ---- the dialects of the readers, before 1.26 other than what ttrace writes

form=parsed
[ "$reader_minor" -ge 25 ] || form=parsed,go1.23

# theirs FORM TRACE: what Go says, into $dir/theirs.
theirs() {
	mode=$1
	if [ "$reader_minor" -lt 24 ]; then
		mode=$([ "$1" = wire ] && echo 2 || echo 1)
	fi
	$reader tool trace -d="$mode" "$2" >"$dir/theirs" 2>"$dir/message" && [ -s "$dir/theirs" ]
}

# Go 1.25 is on the way from one form to the other: the wall clock has no fractions, and
# a status only one stack.
even_out_parsed() {
	[ "$reader_minor" -eq 25 ] || return 0
	LC_ALL=C awk '
		/^M=/ {
			match($0, /[A-Z][A-Za-z]*->[A-Z][A-Za-z]*/)
			split(substr($0, RSTART, RLENGTH), states, "->")
			is_status = / StateTransition / &&
				(states[1] == "Undetermined" || states[1] == states[2])
		}
		is_status && $0 == "TransitionStack=" { is_left_out = 1 }
		!is_left_out { print }
		$0 == "" { is_left_out = 0 }' "$dir/ours" |
		sed 's/^\(M=.* Wall=[^.]*\)\.[0-9]*/\1/' >"$dir/even" && mv "$dir/even" "$dir/ours"
	sed 's/^\(M=.* Time=[0-9]*\) Resource=[A-Z][a-z]*([0-9]*) \(Reason=".*"\) \([A-Z][a-z]*ID=.*\)$/\1 \3 \2/' \
		"$dir/theirs" >"$dir/even" && mv "$dir/even" "$dir/theirs"
}

# Go has no line for an empty string; 1.22 has the operands of samples under wrong names.
even_out_wire() {
	sed '/^	data=""$/d' "$dir/ours" >"$dir/even" && mv "$dir/even" "$dir/ours"
	[ "$reader_minor" -eq 22 ] || return 0
	sed 's/^\(CPUSample .*\) p=\(.*\) g=\(.*\) m=\(.*\) stack=/\1 m=\2 p=\3 g=\4 stack=/' \
		"$dir/theirs" >"$dir/even" && mv "$dir/even" "$dir/theirs"
}

# The order of equal rows is anyone's, and the names of what is not there change.
even_out_footprint() {
	for side in ours theirs; do
		grep -v ' 0 *0\.00%$' "$dir/$side" | LC_ALL=C sort >"$dir/even" &&
			mv "$dir/even" "$dir/$side"
	done
}

# Since Go 1.26 a proc starts and stops with other arguments, and since 1.27 what stands
# for bytes that are no UTF-8 is not escaped.
even_out_view() {
	[ "$reader_minor" -ge 26 ] || return 0
	for side in ours theirs; do
		sed 's/\("name":"proc st[a-z]*"[^{}]*\),"args":{[^{}]*}/\1/g
			s/�/\\ufffd/g' "$dir/$side" >"$dir/even" &&
			mv "$dir/even" "$dir/$side"
	done
}

# ---- comparisons

# tell_kinds COLUMN: counts the lines that only one side has by the word in that column.
tell_kinds() {
	LC_ALL=C awk -v column="$1" '
		{
			is_ours = FILENAME == ARGV[1]
			kind = $column
			if ($0 ~ /^(\t|$|Stack=|TransitionStack=)/)
				kind = "(what belongs to an event)"
			sub(/ Time=[0-9-]*/, "")
			kinds[$0] = kind
			surplus[$0] += is_ours ? 1 : -1
		}
		END {
			for (line in surplus) {
				n = surplus[line]
				more[kinds[line]] += n > 0 ? n : 0
				less[kinds[line]] -= n < 0 ? n : 0
			}
			for (kind in more)
				if (more[kind] + less[kind] > 0)
					printf "    %s: %d of ours, %d of Go\n", kind, more[kind], less[kind]
		}' "$dir/ours" "$dir/theirs" | LC_ALL=C sort
}

# ours FORM TRACE: what ttrace says, into $dir/ours.
ours() {
	"$ttrace" --dump="$1" "$2" >"$dir/ours" 2>"$dir/message"
}

# Up to Go 1.24 the allocator's events (127 and up) had names in any trace that holds
# them, since 1.25 only in traces of 1.26.
lost_names() {
	case $(head -c 7 "$1") in
	"go 1.23" | "go 1.25") grep -q '^invalid event type: 1[23][0-9]$' "$dir/message" ;;
	*) false ;;
	esac
}

# refusal WHO FORM
refusal() {
	echo "$1 has no $2: $(head -n 3 "$dir/message")"
}

# Leaves $dir/parsed; false where there is none.
check_parsed() {
	ours "$form" "$2" || { fail "$1: $(refusal ttrace "$form")"; return 1; }
	mv "$dir/ours" "$dir/parsed"
	theirs parsed "$2" || { complain "$1: $(refusal "$reader" parsed)"; return; }
	cp "$dir/parsed" "$dir/ours"
	even_out_parsed
	if outcome=$("$compareparsed" "$dir/ours" "$dir/theirs"); then
		echo "$1: $outcome"
		return
	fi
	complain "$1: parsed: $outcome"
	tell_kinds 4
}

check_wire() {
	ours wire "$2" || { fail "$1: $(refusal ttrace wire)"; return; }
	if ! "$ttrace" --dump="$form" "$dir/ours" 2>"$dir/message" | cmp -s - "$dir/parsed"; then
		fail "$1: wire: the text read back says something else $(cat "$dir/message")"
	fi
	if ! theirs wire "$2"; then
		lost_names "$2" || complain "$1: $(refusal "$reader" wire)"
		return
	fi
	sed 1d "$dir/ours" >"$dir/even" && mv "$dir/even" "$dir/ours"
	even_out_wire
	cmp "$dir/ours" "$dir/theirs" || { complain "$1: wire differs"; tell_kinds 1; }
}

check_footprint() {
	[ "$reader_minor" -ge 24 ] || return 0
	ours footprint "$2" || { fail "$1: $(refusal ttrace footprint)"; return; }
	if ! theirs footprint "$2"; then
		lost_names "$2" || complain "$1: $(refusal "$reader" footprint)"
		return
	fi
	even_out_footprint
	cmp "$dir/ours" "$dir/theirs" || { complain "$1: footprint differs"; tell_kinds 1; }
}

# The numbers at the head of the summary: events, procs, threads, goroutines.
summary_counts() {
	"$ttrace" --report=summary --no-pager "$1" 2>"$dir/message" | sed -n '
		s/,//g
		s/^  events  *\([0-9]*\) .*/\1/p
		s/^  procs threads  *\([0-9]*\) procs\{0,1\} \([0-9]*\) thread.*/\1 \2/p
		s/^  goroutines  *\([0-9]*\) .*/\1/p' | tr '\n' ' '
}

# The same counted from a dump. Sync is no event of the program.
dump_counts() {
	LC_ALL=C awk -f "$srcdir/testdata/counts.awk" "$1" | awk -F '\t' '
		$1 != "kind" { n[$1] = $2 }
		$3 == "Sync" { syncs = $2 }
		END { print n["events"] - syncs, n["procs"], n["threads"], n["goroutines"] " " }'
}

check_summary() {
	summary=$(summary_counts "$2")
	dump=$(dump_counts "$dir/parsed")
	[ "$summary" = "$dump" ] || fail "$1: the summary counts $summary, the dump $dump"
}

# ---- the viewer

# serve TRACE: starts Go's server, and waits for it to say its address: $url.
serve() {
	[ -p "$dir/said" ] || mkfifo "$dir/said"
	exec 4<>"$dir/said" # open for reading too, or the server would wait for us
	BROWSER=true $reader tool trace -http=127.0.0.1:0 "$1" >&4 2>&4 &
	server=$!
	url=$(timeout 60 sed -n 's|.*\(http://127.0.0.1:[0-9]*\).*|\1|p; /http:/q' <&4)
	[ -n "$url" ]
}

stop_server() {
	[ -n "$server" ] || return 0
	kill "$server" 2>/dev/null
	wait "$server" 2>/dev/null
	server=
	exec 4>&-
}

# view TRACE MODE QUERY: tells how the answers differ, if they do.
view() {
	curl -sS -f --max-time 120 -o "$dir/theirs" "$url/jsontrace?$3" 2>&1 &&
		"$ttrace" --export="json:$2" -o "$dir/ours" "$1" 2>&1 &&
		even_out_view &&
		outcome=$("$comparejson" "$dir/ours" "$dir/theirs" "$lead_ns") && return
	echo "view $2: $outcome"
	false
}

# Ids in the dump: the goroutine and the task that most is told of.
busiest_goroutine() {
	sed -n 's/^M=.* G=\([0-9][0-9]*\) .*/\1/p' "$dir/parsed" | busiest
}

busiest_task() {
	sed -n 's/^M=.* \(TaskBegin\|TaskEnd\) Time=[0-9]* ID=\([0-9]*\) .*/\2/p
		s/^M=.* Task=\([1-9][0-9]*\) .*/\1/p' "$dir/parsed" | busiest
}

busiest() {
	sort -n | uniq -c | sort -k1,1nr -k2,2n | sed -n '1s/^ *[0-9]* //p'
}

# How much earlier time begins there than with the first event: since 1.25 with the Sync.
lead_of_dump() {
	sed -n 's/^M=.* Time=\([0-9-]*\).*/\1/p; 20q' "$dir/parsed" |
		awk 'NR == 1 { sync = $1 } NR == 2 { print $1 - sync }'
}

# views TRACE, of which the dump is there: true when all are equal.
views() {
	are_equal=true
	outcome=
	serve "$1" || { echo "$reader does not serve it"; return 1; }
	view "$1" proc view=proc || are_equal=false
	view "$1" thread view=thread || are_equal=false
	for id in $(busiest_goroutine); do
		view "$1" "goroutine=$id" "goid=$id" || are_equal=false
	done
	for id in $(busiest_task); do
		view "$1" "task=$id" "taskid=$id" || are_equal=false
		view "$1" "focustask=$id" "focustask=$id" || are_equal=false
	done
	stop_server
	$are_equal
}

# check_viewer NAME TRACE. The order of events of one time changes from one run of the
# tool to the next, and the views with it.
check_viewer() {
	lead_ns=0
	[ "$reader_minor" -lt 25 ] || lead_ns=$(lead_of_dump)
	attempt=1
	until views "$2" >"$dir/views"; do
		stop_server
		if [ "$attempt" -eq 5 ]; then
			complain "$1: $(cat "$dir/views")"
			return
		fi
		attempt=$((attempt + 1))
	done
}

# ---- profiles

# stacks FILE: the stacks of a profile, "COUNT NANOSECONDS ADDRESS...".
stacks() {
	$reader tool pprof -raw "$1" 2>/dev/null | LC_ALL=C awk '
		/^[A-Z]/ { part = $1 }
		part == "Locations" && /^ *[0-9]+: / { sub(/:$/, "", $1); address[$1] = $2 }
		part == "Samples:" && /^ *[0-9]+ +[0-9]+: / {
			sub(/:$/, "", $2)
			counts[++n] = $1 " " $2
			for (i = 3; i <= NF; i++)
				stack[n] = stack[n] " " $i
		}
		END {
			for (i = 1; i <= n; i++) {
				split(stack[i], ids, " ")
				line = counts[i]
				for (k = 1; k in ids; k++)
					line = line " " address[ids[k]]
				print line
			}
		}' | LC_ALL=C sort
}

# table FILE: what pprof prints of a profile.
table() {
	$reader tool pprof -top -nodecount=0 -nodefraction=0 "$1" 2>/dev/null
}

# profile TRACE KIND: tells how the profiles of Go and of ttrace differ, if they do. Go's
# rule is another one since 1.26.
profile() {
	name=$2
	[ "$reader_minor" -lt 26 ] || name=$2,exact
	if ! $reader tool trace -pprof="$2" "$1" >"$dir/theirs" 2>"$dir/message"; then
		echo "profile $2: $(refusal "$reader" "$2")"
		return 1
	fi
	rm -f "$dir/ours"
	"$ttrace" --export=pprof:"$name" -o "$dir/ours" "$1" 2>&1 || return 1
	stacks "$dir/theirs" >"$dir/their-stacks"
	stacks "$dir/ours" >"$dir/our-stacks"
	table "$dir/theirs" >"$dir/their-table"
	"$ttrace" --report=top:"$name" --as-go --no-pager "$1" >"$dir/our-table"
	diff "$dir/our-stacks" "$dir/their-stacks" >"$dir/message" &&
		diff "$dir/our-table" "$dir/their-table" >"$dir/message" && return
	echo "profile $2: $(head -n 4 "$dir/message")"
	false
}

# table_of TRACE PROFILE: tells how what pprof prints of our export differs from our own table.
table_of() {
	rm -f "$dir/ours"
	"$ttrace" --export=pprof:"$2" -o "$dir/ours" "$1" 2>&1 || return 1
	table "$dir/ours" >"$dir/their-table"
	"$ttrace" --report=top:"$2" --as-go --no-pager "$1" >"$dir/our-table"
	diff "$dir/our-table" "$dir/their-table" >"$dir/message" && return
	echo "table of $2: $(head -n 4 "$dir/message")"
	false
}

# profiles TRACE: true when all are equal.
profiles() {
	are_equal=true
	for kind in net sync syscall sched cpu offcpu sync,exact sched,exact; do
		table_of "$1" "$kind" || are_equal=false
	done
	for kind in net sync syscall sched; do
		profile "$1" "$kind" || are_equal=false
	done
	$are_equal
}

# The order of events of one time counts here as well.
check_profiles() {
	attempt=1
	until profiles "$2" >"$dir/views"; do
		if [ "$attempt" -eq 5 ]; then
			complain "$1: $(cat "$dir/views")"
			return
		fi
		attempt=$((attempt + 1))
	done
}

# check_trace NAME FILE: false where ttrace does not read it at all.
check_trace() {
	check_parsed "$1" "$2" || return 1
	check_summary "$1" "$2"
	case $(head -c 7 "$2") in
	"go 1.1"[0-9] | "go 1.20" | "go 1.21") return 0 ;; # there is no wire form of these
	esac
	check_wire "$1" "$2"
	check_footprint "$1" "$2"
	return 0
}

# The same with the viewer. That of Go 1.22 has no stacks at the ends of slices.
check_whole() {
	check_trace "$1" "$2" || return
	[ "$reader_minor" -ge 23 ] || return 0
	check_profiles "$1" "$2"
	! command -v curl >/dev/null || check_viewer "$1" "$2"
}

# ---- simulated traces

# Takes the options of mktrace.
check_simulated() {
	if "$mktrace" "$@" -o "$dir/trace"; then
		check_trace "mktrace $*" "$dir/trace"
	else
		fail "mktrace $*: failed"
	fi
}

# Go 1.22 had another form for the old traces.
simulated_old() {
	[ "$reader_minor" -ge 23 ] || return 0
	for version in 11 19 21; do
		check_simulated --version="$version" --seed=1 --events=20000
		check_simulated --version="$version" --seed=2 --events=100
	done
}

simulated() {
	seed=1
	while [ "$seed" -le "$seeds" ] && [ "$reader_minor" -ge 26 ]; do
		check_simulated --random="$seed"
		seed=$((seed + 1))
	done
	simulated_old
	for version in 22 23 25 26; do
		[ "$reader_minor" -ge "$version" ] || continue
		check_simulated --version="$version" --goroutines=200 --events=20000 \
			--generations=4 --hostile-text
		check_simulated --version="$version" --quiet-start --procs=1 --equal-times=30
	done
}

# ---- real programs

# options_of PROGRAM: for a small trace; of long one of more generations than one.
options_of() {
	case $1 in
	samples) echo "-dur 60ms" ;;
	midassist) echo "-dur 20ms" ;;
	long) echo "-dur 2500ms -size 1000" ;;
	*) echo "-dur 80ms -size 200" ;;
	esac
}

# check_program PROGRAM ALLOCFREE
check_program() {
	# shellcheck disable=SC2046 # options
	if GODEBUG=traceallocfree=$2 "$dir/program" $(options_of "$1") -o "$dir/trace" \
		>"$dir/message" 2>&1; then
		check_whole "$1 of $($go env GOVERSION), traceallocfree=$2" "$dir/trace"
	else
		fail "$1: failed: $(head -n 3 "$dir/message")"
	fi
}

programs() {
	for main in "$srcdir"/testdata/gen/*/main.go; do
		program=$(basename "$(dirname "$main")")
		if ! $go build -trimpath -o "$dir/program" "$main" 2>"$dir/message"; then
			fail "$program: not built: $(head -n 3 "$dir/message")"
			continue
		fi
		check_program "$program" 0
		[ "$(minor_of "$go")" -lt 23 ] || check_program "$program" 1
	done
}

# ----

echo "read by $($reader env GOVERSION)"
for part in "${@:-simulated}"; do
	case $part in
	simulated) simulated ;;
	programs) programs ;;
	*) fail "$part: wanted simulated or programs" ;;
	esac
done
for trace in ${GO_TRACES:-}; do
	check_whole "$trace" "$trace"
done
exit "$failed"

#!/bin/sh
# The net under a change of structure: what every report and export prints of twenty traces of Go
# and three of function_graph, in every form, kept as sums.
#
#	net.sh         tell what differs from tests/net.sums; 1 if anything does
#	net.sh write   keep what is printed now
#
# A row is what is printed, a column a trace; an entry is the sum of status, output and messages.
set -u

traces='contention-go1.19 contention-go1.26 gcheavy-go1.19 gcheavy-go1.22 gcheavy-go1.26
	httpserver-go1.19 httpserver-go1.23 httpserver-go1.26 long-go1.19 long-go1.26 samples-go1.26
	allocfree-go1.26 seed-go122 syscalls-go1.22 syscalls-go1.26 tasks-go1.19 tasks-go1.23
	tasks-go1.26 troubles/assist troubles/leak'
graphs='plain trace-cmd lost'

# Where the first word is "graph" the row is of function_graph.
rows() {
	for report in summary lanes findings input actors actor:138 function:kworker tasks slices \
		critical-path dump latency:state=running 'latency:dur>1us' longest:state=running \
		'heat:state=running' top:slices tree:slices regions gc utilisation mmu latency:sched; do
		case $report in
		critical-path) more=--actor=138 ;;
		dump) more=--at=10us ;;
		slices | summary) more='--query=dur>5us' ;;
		*) more= ;;
		esac
		for format in text csv json markdown; do
			echo "graph --report=$report --format=$format"
			[ -z "$more" ] || echo "graph --report=$report --format=$format $more"
		done
	done
	for more in --report=lanes\ --format=ansi --report=lanes\ --format=svg --export=csv:spans \
		--export=folded:slices --export=svg:slices '--find=dur>5us' \
		'--find=dur>5us --format=csv' '--find=state=running --format=json' \
		'--check=slices.longest<1us' '--check=slices.longest<1us --format=json' \
		--diff=function_graph/latency.txt '--diff=function_graph/latency.txt --format=json' \
		'--diff=function_graph/latency.txt --report=slices' \
		'--diff=function_graph/latency.txt --report=latency:state=running --format=csv'; do
		echo "graph $more"
	done

	for report in summary lanes findings goroutines goroutine:7 function:main.main regions \
		region:query tasks task:1 task:33 gc stw utilisation mmu \
		critical-path dump heat:sched heat:stw heat:task=request 'heat:dur>20us' \
		latency:sched latency:stw latency:gc latency:assist latency:sweep latency:syscall \
		latency:block latency:block=select latency:region=query latency:task=request \
		top:net top:sync top:syscall top:sched top:cpu top:offcpu \
		tree:net tree:sync tree:syscall tree:sched tree:cpu tree:offcpu \
		allocations; do
		case $report in
		critical-path) more=-g7 ;;
		dump) more=--at=20ms ;;
		*) more= ;;
		esac
		for format in text csv json markdown; do
			echo "--report=$report --format=$format${more:+ $more}"
		done
	done
	for size in '--width=80 --height=24' '--width=200 --height=50'; do
		for format in text ansi svg; do
			echo "--report=lanes --format=$format $size"
		done
	done
	for kind in net sync syscall sched cpu offcpu; do
		echo "--export=folded:$kind"
		echo "--export=svg:$kind"
	done
	for more in --export=json --export=csv:spans --dump=wire --dump=parsed --dump=footprint \
		'--find=state=blocked' '--check=p99(sched)<1us' '--diff=contention-go1.23.trace' \
		'--diff=contention-go1.23.trace --format=csv' \
		'--diff=contention-go1.23.trace --format=json' \
		'--diff=contention-go1.23.trace --format=markdown' \
		'--find=state=blocked --format=markdown' '--check=p99(sched)<1us --format=markdown'; do
		echo "$more"
	done
}

# Prints one row: its name, then an entry for each trace.
row() {
	line=$1
	options=${1#graph }
	# shellcheck disable=SC2086 # each is several words
	files=$(printf '%s.trace ' $traces)
	# shellcheck disable=SC2086
	[ "$options" = "$1" ] || files=$(printf 'function_graph/%s.txt ' $graphs)
	for trace in $files; do
		# shellcheck disable=SC2086 # a row is several words
		line="$line $({
			"$TTRACE" --no-state --no-cache $options "$trace" </dev/null 2>&1
			echo $?
		} | cksum | cut -d' ' -f1)"
	done
	echo "$line" # in one piece: others write, too
}

sums=$TTRACE_SRCDIR/tests/net.sums
export TZ=UTC LC_ALL=C.UTF-8 TERM=dumb
unset NO_COLOR COLUMNS COLORTERM
cd "$TTRACE_TESTDATA" || exit 99

case ${1-} in
row)
	set -f
	row "$2"
	exit
	;;
write) rows | tr '\n' '\0' | xargs -0 -n1 -P2 sh "$TTRACE_SRCDIR/tests/net.sh" row | LC_ALL=C sort >"$sums" && exit ;;
esac

rows | tr '\n' '\0' | xargs -0 -n1 -P2 sh "$TTRACE_SRCDIR/tests/net.sh" row | LC_ALL=C sort |
	awk -v sums="$sums" -v traces="$traces" -v graphs="$graphs" '
	function name_of(line) { sub(/( [0-9]+)+$/, "", line); return line }
	BEGIN {
		split(traces, go)
		split(graphs, graph)
		while ((getline line < sums) > 0)
			kept[name_of(line)] = line
	}
	{
		name = name_of($0)
		if (!(name in kept)) {
			print name ": is not kept"
			bad = 1
		} else if (kept[name] != $0) {
			split(substr(kept[name], length(name) + 2), before)
			count = split(substr($0, length(name) + 2), now)
			for (i = 1; i <= count; i++)
				if (before[i] != now[i])
					print name " " (name ~ /^graph / ? graph[i] : go[i]) ": differs"
			bad = 1
		}
		delete kept[name]
	}
	END {
		for (name in kept) {
			print name ": is gone"
			bad = 1
		}
		if (!bad)
			print NR " rows as kept"
		exit bad
	}'

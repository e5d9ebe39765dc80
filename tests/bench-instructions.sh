#!/bin/sh
# Tells the instructions that loading takes for each event of a trace, stage by stage, as
# valgrind's callgrind counts them. With another program, an older build say, its numbers
# stand beside ours.
#
# usage: bench-instructions.sh PROGRAM [--before=PROGRAM] TRACE...
set -eu
export LC_ALL=C

program=$1
shift
before=
case ${1-} in
--before=*)
	before=${1#--before=}
	shift
	;;
esac
valgrind=${VALGRIND:-valgrind}
if ! command -v "$valgrind" >/dev/null; then
	echo "no instructions are counted: there is no valgrind"
	exit 0
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# count PROGRAM TRACE NAME: leaves the profile in NAME.out and what --load-only told in NAME.
count() {
	"$valgrind" --tool=callgrind --compress-strings=no --compress-pos=no \
		--callgrind-out-file="$work/$3.out" "$1" --load-only "$2" \
		>"$work/$3" 2>"$work/errors" || true # it also fails for a damaged trace
	! grep -q '^events ' "$work/$3" || return 0
	cat "$work/errors" >&2
	echo "bench: the instructions of $1 --load-only $2 cannot be counted" >&2
	exit 1
}

# stages NAME: lines of a stage, a tab, and its instructions per event.
#
# A stage is what the calls of some functions took with all that they called, less the
# stages inside. Decoding stands in line in the functions that order events, so it is told
# by the file that an instruction was compiled from.
stages() {
	awk -v events="$(sed -n 's/^events //p' "$work/$1")" '
	BEGIN {
		stage["go_read"] = "read"
		stage["order_generation"] = "order"
		stage["empty_ring"] = "gather"
		stage["publish_all"] = "publish"
		stage["go_build_finish"] = "freeze"
	}
	/^summary: / { total = $2 }
	/^fl=/ { own_file = $0 }
	/^f[lie]=/ { file = $0 }
	/^fn=/ { name = substr($0, 4) }
	/^cfn=/ { called = substr($0, 5) }
	/^calls=/ {
		getline
		if (called in stage)
			took[stage[called]] += $2
		else if (called == "run_job" && name == "run") # on another thread
			took["freeze"] += $2
		next
	}
	/^[0-9]/ {
		if (file ~ /\/(cursor|wire)\.h$/ && own_file ~ /\/(order[a-z_]*\.c|cursor\.h|wire\.h)$/)
			took["decode"] += $2
	}
	function tell(what, count) {
		printf "%s\t%.2f\n", what, count / events
		total -= count
	}
	END {
		all = total
		tell("read batches, strings, stacks", took["read"] - took["order"])
		tell("decode events", took["decode"])
		tell("order events, check, write steps", took["order"] - took["decode"])
		tell("gather states", took["gather"])
		tell("publish segments", took["publish"])
		tell("freeze and index", took["freeze"])
		tell("start and end", total)
		tell("total", all)
	}' "$work/$1.out"
}

for trace in "$@"; do
	count "$program" "$trace" now
	[ -z "$before" ] || count "$before" "$trace" before
	stages now >"$work/now.stages"
	printf '\n%s, instructions per event of loading, %s events\n' \
		"$trace" "$(sed -n 's/^events //p' "$work/now")"
	if [ -z "$before" ]; then
		awk -F '\t' '{ printf "  %-34s %8.1f\n", $1, $2 }' "$work/now.stages"
		continue
	fi
	stages before >"$work/before.stages"
	printf '  %-34s %8s %8s %8s\n' '' before now change
	paste "$work/before.stages" "$work/now.stages" | awk -F '\t' '{
		change = $2 > 0 ? sprintf("%+.1f %%", ($4 - $2) / $2 * 100) : "-"
		printf "  %-34s %8.1f %8.1f %8s\n", $1, $2, $4, change
	}'
done

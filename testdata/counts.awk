# Counts what `go tool trace -d=parsed FILE` prints, in the lines that README.md
# describes:
#
#	go tool trace -d=parsed NAME.trace | LC_ALL=C awk -f counts.awk | LC_ALL=C sort
#

function value(key,    at, rest) {
	at = index($0, " " key "=")
	if (at == 0)
		return ""
	rest = substr($0, at + length(key) + 2)
	if (substr(rest, 1, 1) == "\"") {
		match(rest, /^"([^"\\]|\\.)*"/)
		return substr(rest, 2, RLENGTH - 2)
	}
	sub(/ .*/, "", rest)
	return rest
}

function arrow(    i) {
	for (i = 5; i <= NF; i++)
		if ($i ~ /^[A-Z][A-Za-z]*->[A-Z][A-Za-z]*$/)
			return $i
}

function number(text) {
	match(text, /\([0-9]+\)/)
	return substr(text, RSTART + 1, RLENGTH - 2) + 0
}

function scope(    s) {
	s = value("Scope")
	sub(/\(.*/, "", s)
	return s
}

function account(id, pair,    ends) {
	split(pair, ends, "->")
	if (id in state)
		spent[id, state[id]] += now - since[id]
	state[id] = ends[2]
	since[id] = now
}

function metric(name, n) {
	if (!(name in metrics) || n < least[name])
		least[name] = n
	if (n > most[name])
		most[name] = n
	last[name] = n
	metrics[name]++
}

/^M=/ {
	kind = $4
	now = substr($5, 6) + 0
	if (events++ == 0)
		first = now
	kinds[kind]++
	threads[$1] = 1
}

/^M=/ && kind == "StateTransition" {
	pair = arrow()
	what = value("GoID") != "" ? "goroutine" : "proc"
	id = what "\t" (what == "proc" ? value("ProcID") : value("GoID"))
	transitions[what, pair]++
	if (what == "goroutine" && pair ~ /->Waiting$/)
		reasons[value("Reason")]++
	account(id, pair)
}

/^M=/ && kind == "Metric" {
	metric(value("Name"), number(value("Value")))
}

/^M=/ && kind ~ /^Range/ {
	ranges[scope() "\t" value("Name")] = 1
	range_events[scope() "\t" value("Name"), kind]++
}

END {
	printf "events\t%d\nfirst_time\t%.0f\nspan_ns\t%.0f\n", events, first, now - first
	for (k in kinds)
		printf "kind\t%d\t%s\n", kinds[k], k
	for (t in threads)
		n_threads += t != "M=-1"
	printf "threads\t%d\n", n_threads
	for (k in transitions) {
		split(k, part, SUBSEP)
		split(part[2], ends, "->")
		printf "%s_transition\t%d\t%s\t%s\n", part[1], transitions[k], ends[1], ends[2]
	}
	for (r in reasons)
		printf "wait_reason\t%d\t%s\n", reasons[r], r
	for (m in metrics)
		printf "metric\t%d\t%.0f\t%.0f\t%.0f\t%s\n", metrics[m], least[m], most[m], last[m], m
	for (r in ranges)
		printf "range\t%d\t%d\t%d\t%s\n", range_events[r, "RangeBegin"],
			range_events[r, "RangeActive"], range_events[r, "RangeEnd"], r
	for (id in state) {
		spent[id, state[id]] += now - since[id]
		seen[substr(id, 1, 4)]++
		if (id ~ /^proc/)
			printf "%s\t%.0f\n", id, spent[id, "Running"]
		else
			printf "goroutine_time%s\t%.0f\t%.0f\t%.0f\t%.0f\n", substr(id, 10),
				spent[id, "Running"], spent[id, "Runnable"],
				spent[id, "Waiting"], spent[id, "Syscall"]
	}
	printf "procs\t%d\ngoroutines\t%d\n", seen["proc"], seen["goro"]
}

# Adds up the allocations that `go tool trace -d=parsed FILE` prints, in the lines that
# README.md describes. SIZES: the slot sizes of Go's size classes, a 0 for class 0 first.
#
#	go tool trace -d=parsed NAME.trace | LC_ALL=C awk -f allocs.awk -v classes="SIZES" | LC_ALL=C sort
#
# Every page of a span is written down, so that the span of an object is found at once.

function arg(name,    at, rest) {
	at = index($0, name "=Value{Uint64(")
	rest = substr($0, at + length(name) + 14)
	sub(/\).*/, "", rest)
	return rest + 0
}

function count(what, change, n) {
	counts[what "\t" change]++
	bytes[what "\t" change] += n
}

function span(change,    id, pages, class, i, what) {
	id = arg("id")
	pages = arg("npages_value")
	class = arg("kindclass")
	what = class == 1 ? "other_span" : "heap_span"
	span_bytes[id] = pages * page
	span_kind[id] = what
	span_class[id] = class == 1 ? -1 : int(class / 4)
	for (i = 0; i < pages; i++)
		span_at[id + i] = id
	count(what, change, pages * page)
}

function slot(id,    first, size) {
	if (!(int(id * 8 / page) in span_at)) {
		slot_bytes = 0
		return id
	}
	first = span_at[int(id * 8 / page)]
	size = span_class[first] == 0 ? span_bytes[first] : sizes[span_class[first] + 1]
	slot_bytes = size
	return first * page / 8 + int((id * 8 - first * page) / size) * size / 8
}

function object(change,    id) {
	id = slot(arg("id"))
	if (id in object_bytes) {
		count("object", "packed", 0)
		return
	}
	object_bytes[id] = slot_bytes
	count("object", change, slot_bytes)
}

function stack(change,    id, order) {
	order = arg("order")
	if (order == 0)
		return
	stack_bytes[arg("id")] = 2 ^ (order - 1)
	count("stack", change, 2 ^ (order - 1))
}

BEGIN {
	page = 8192
	split(classes, sizes, " ")
}

$4 == "Experimental" && / Name=Span / { span("before") }
$4 == "Experimental" && / Name=SpanAlloc / { span("made") }
$4 == "Experimental" && / Name=SpanFree / {
	id = arg("id")
	if (id in span_bytes) {
		count(span_kind[id], "freed", span_bytes[id])
		for (i = 0; i < span_bytes[id] / page; i++)
			delete span_at[id + i]
		delete span_bytes[id]
	} else
		count("heap_span", "stray", 0)
}
$4 == "Experimental" && / Name=HeapObject / { object("before") }
$4 == "Experimental" && / Name=HeapObjectAlloc / { object("made") }
$4 == "Experimental" && / Name=HeapObjectFree / {
	id = slot(arg("id"))
	if (id in object_bytes) {
		count("object", "freed", object_bytes[id])
		delete object_bytes[id]
	} else
		count("object", "stray", 0)
}
$4 == "Experimental" && / Name=GoroutineStack / { stack("before") }
$4 == "Experimental" && / Name=GoroutineStackAlloc / { stack("made") }
$4 == "Experimental" && / Name=GoroutineStackFree / {
	id = arg("id")
	if (id in stack_bytes) {
		count("stack", "freed", stack_bytes[id])
		delete stack_bytes[id]
	} else
		count("stack", "stray", 0)
}
END {
	for (key in counts)
		printf "%s\t%d\t%d\n", key, counts[key], bytes[key]
}

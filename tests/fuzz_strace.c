/*
 * Any bytes as strace: nothing is refused, each call is a slice with a text, and failures are as many
 * as were counted. The trace can be looked at.
 */
#include "fuzz.h"

#include "base/map.h"
#include "facttesting.h"
#include "looking.h"
#include "source/source.h"
#include "trace/slices.h"

const struct fuzz_corpus fuzz_corpus = { ".txt", { "fuzz/strace", NULL } };

/* Looking at a trace takes a thousand times as long as reading it. */
enum { LOOKS_IN = 4096 };

static void
check_slices(const struct trace *trace)
{
	int64_t failed = 0;
	must((int64_t)slices_count(trace->slices) == fact(trace, "calls"), "each call is a slice");
	for (column_ref column = 0; column < slices_column_count(trace->slices); column++) {
		for (uint32_t i = 0; i < slices_in_column(trace->slices, column); i++) {
			struct slice slice;
			slices_get(trace->slices, column, i, &slice);
			must(slice.name != STRING_EMPTY && slice.name < intern_count(&trace->strings) &&
				     slice.detail != STRING_EMPTY && slice.detail < intern_count(&trace->strings),
				"with its name and its text");
			must(slice.start_ns >= 0 && slice.end_ns >= slice.start_ns &&
				     slice.end_ns <= trace->end_ns && slice.took_ns >= 0,
				"within the trace");
			failed += (slice.flags & SLICE_FAILED) != 0;
		}
	}
	must(failed == fact(trace, "errors"), "failures are as many as were counted");
}

static void
show(void *context, struct trace *snapshot)
{
	(void)context;
	check_slices(snapshot);
	trace_free(snapshot);
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	struct input in;
	struct error err;
	const struct trace_watch watch = { show, NULL, 0 };
	const struct source_wish wish = { .watch = &watch };
	uint64_t seed = hash_bytes(bytes, size);
	error_clear(&err);
	(void)strace_source.recognise(bytes, size);
	must(input_open_memory(&in, bytes, size, &err), "it opens");
	struct trace *trace = strace_source.load(&in, &wish, &err);
	must(trace != NULL, "every text is a trace");
	must(trace->instants.count ==
			(uint64_t)(fact(trace, "signals") + fact(trace, "stops") + fact(trace, "exits") +
				fact(trace, "killed") + fact(trace, "superseded")),
		"each signal and end is an instant");
	must(damage_map_places(&trace->damage) == (uint64_t)fact(trace, "damaged"), "damage is told");
	check_slices(trace);
	const char *fault = seed % LOOKS_IN == 0 ? look_everywhere(trace, seed) : NULL;
	must(fault == NULL, fault != NULL ? fault : "");
	trace_free(trace);
	input_close(&in);
	return 0;
}

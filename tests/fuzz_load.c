/*
 * From any bytes to a trace: whatever comes out keeps the promises of the
 * model. A goroutine's states follow each other without holes, spans of a proc
 * and a thread do not overlap, and what the index adds up is what walking from
 * span to span adds up.
 */
#include "fuzz.h"

#include <stdbool.h>
#include <string.h>

#include "source/go/load.h"
#include "trace/lane.h"

const struct fuzz_corpus fuzz_corpus = { ".trace", { ".", "fuzz/gotrace", "fuzz/v1", NULL } };

/* As the index does it: times of very many goroutines may exceed 64 bits. */
static int64_t
add_wrapping(int64_t a, int64_t b)
{
	return (int64_t)((uint64_t)a + (uint64_t)b);
}

/* A number may come up again that a goroutine had which is gone; that is a state, but no span. */
static void
check_goroutine_step(const struct span *span, const struct span *next)
{
	bool was_gone = next->start_ns > span->end_ns;
	must(next->ordinal == span->ordinal + (was_gone ? 2 : 1),
		"a goroutine's states have no holes");
}

/* Adds the spans of a lane to totals, one by one. */
static void
walk(const struct trace *trace, struct lane lane, int64_t totals_ns[CLASS_COUNT])
{
	struct span span, next;
	bool more = lane_next(trace, lane, INT64_MIN, CLASS_MASK_ALL, &span);
	must(!more || span.ordinal == 0 || lane.type != LANE_ACTOR, "spans are numbered");
	for (; more; span = next) {
		must(span.start_ns >= 0 && span.end_ns <= trace->end_ns, "a span lies within the trace");
		must(span.start_ns <= span.end_ns, "a span ends after its start");
		must(span.time_class > CLASS_GONE && span.time_class < CLASS_COUNT, "a span has a class");
		totals_ns[span.time_class] =
			add_wrapping(totals_ns[span.time_class], span.end_ns - span.start_ns);
		more = lane_after(trace, lane, &span, &next);
		if (!more)
			break;
		must(next.start_ns >= span.end_ns, "spans do not overlap");
		if (lane.type == LANE_ACTOR)
			check_goroutine_step(&span, &next);
	}
}

static void
check_lane(const struct trace *trace, struct lane lane, int64_t all_ns[CLASS_COUNT])
{
	int64_t walked_ns[CLASS_COUNT] = { 0 };
	int64_t indexed_ns[CLASS_COUNT] = { 0 };
	walk(trace, lane, walked_ns);
	lane_totals(trace, lane, 0, trace->end_ns, indexed_ns);
	must(memcmp(walked_ns, indexed_ns, sizeof walked_ns) == 0, "the index adds up a lane");
	for (int c = 0; c < CLASS_COUNT; c++)
		all_ns[c] = add_wrapping(all_ns[c], walked_ns[c]);
}

static void
check_group(const struct trace *trace, group_ref ref)
{
	const struct group *group = &trace->groups[ref];
	int64_t members_ns[CLASS_COUNT] = { 0 };
	int64_t indexed_ns[CLASS_COUNT] = { 0 };
	for (uint32_t i = 0; i < group->count; i++) {
		actor_ref member = trace->group_members[group->first + i];
		check_lane(trace, (struct lane){ LANE_ACTOR, member }, members_ns);
	}
	lane_totals(trace, (struct lane){ LANE_GROUP, ref }, 0, trace->end_ns, indexed_ns);
	must(memcmp(members_ns, indexed_ns, sizeof members_ns) == 0, "a group is its members");
}

static void
check_trace(const struct trace *trace)
{
	int64_t all_ns[CLASS_COUNT] = { 0 };
	int64_t indexed_ns[CLASS_COUNT] = { 0 };
	int64_t ignored_ns[CLASS_COUNT] = { 0 };
	for (uint32_t i = 0; i < trace_actor_count(trace); i++)
		check_lane(trace, (struct lane){ LANE_ACTOR, i }, all_ns);
	lane_totals(trace, (struct lane){ LANE_ALL, 0 }, 0, trace->end_ns, indexed_ns);
	must(memcmp(all_ns, indexed_ns, sizeof all_ns) == 0, "the whole is all goroutines");
	for (uint32_t i = 0; i < trace_processor_count(trace); i++)
		check_lane(trace, (struct lane){ LANE_PROCESSOR, i }, ignored_ns);
	for (uint32_t i = 0; i < trace_thread_count(trace); i++)
		check_lane(trace, (struct lane){ LANE_THREAD, i }, ignored_ns);
	for (uint32_t i = 0; i < trace->group_count; i++)
		check_group(trace, i);
}

static void
load(const uint8_t *bytes, size_t size, bool is_lenient)
{
	struct go_read_options options = { .is_lenient = is_lenient };
	struct input in;
	struct error err;
	error_clear(&err);
	if (!input_open_memory(&in, bytes, size, &err))
		return;
	struct trace *trace = go_load(&in, &options, &err);
	must(trace != NULL || err.kind != ERROR_NONE, "a failure says why");
	if (trace != NULL)
		check_trace(trace);
	trace_free(trace);
	input_close(&in);
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	load(bytes, size, false);
	load(bytes, size, true);
	return 0;
}

/* Everything about a trace. */
#include "telling.h"

#include <inttypes.h>

#include "draw/output.h"
#include "report/lanes.h"
#include "report/report.h"
#include "trace/lane.h"

enum { CELLS = 23, WIDTH = 100, MOST_SPANS = 100000 };

static void
tell_name(const struct trace *trace, struct text *out, string_id id)
{
	size_t length;
	const char *bytes = trace_text(trace, id, &length);
	text_format(out, " \"");
	text_add(out, bytes, length);
	text_format(out, "\"");
}

static void
tell_stack(const struct trace *trace, struct text *out, stack_id stack)
{
	text_format(out, " [");
	for (; stack != STACK_NONE; stack = stack_caller(&trace->stacks, stack)) {
		const struct stack_frame *frame = stack_leaf(&trace->stacks, stack);
		tell_name(trace, out, frame->function);
		tell_name(trace, out, frame->file);
		text_format(out, " %" PRIx64 ":%" PRIu64, frame->pc, frame->line);
	}
	text_format(out, "]");
}

static void
tell_span(const struct trace *trace, struct text *out, const struct span *span)
{
	text_format(out, "%u: %" PRId64 "-%" PRId64 "%s class %d G%u P%u M%u waker %d/%u range %u at %u/%u",
		span->ordinal, span->start_ns, span->end_ns, span->is_open ? "..." : "",
		(int)span->time_class, span->actor, span->processor, span->thread, (int)span->waker.type, span->waker.ref,
		span->range, span->segment, span->state);
	if (span->kind != NULL) {
		text_format(out, " state %d by %d", (int)span->kind->state, (int)span->kind->entry);
		tell_name(trace, out, span->kind->reason);
	}
	text_format(out, " stacks %u %u\n", span->stack, span->waker_stack);
}

static void
tell_cells(const struct trace *trace, struct text *out, struct lane lane, int64_t t0_ns, int64_t t1_ns)
{
	int64_t totals_ns[CELLS][CLASS_COUNT];
	struct span span;
	lane_cells(trace, lane, t0_ns, t1_ns, CELLS, totals_ns);
	for (int i = 0; i < CELLS; i++)
		for (int c = 0; c < CLASS_COUNT; c++)
			text_format(out, " %" PRId64, totals_ns[i][c]);
	if (lane.type != LANE_GROUP && lane.type != LANE_ALL) {
		text_format(out, "\n%u spans, the longest ", lane_count(trace, lane, t0_ns, t1_ns));
		if (lane_longest(trace, lane, t0_ns, t1_ns, CLASS_MASK_ALL, &span))
			tell_span(trace, out, &span);
	}
	text_format(out, "\n");
}

static void
tell_lane(const struct trace *trace, struct text *out, struct lane lane)
{
	struct span span, next;
	int64_t end_ns = trace->end_ns;
	text_format(out, "lane %d %u\n", (int)lane.type, lane.ref);
	tell_cells(trace, out, lane, 0, end_ns + 1);
	tell_cells(trace, out, lane, end_ns / 3, end_ns / 2 + 1);
	tell_cells(trace, out, lane, end_ns / 2, end_ns / 2 + CELLS);
	if (lane.type == LANE_GROUP || lane.type == LANE_ALL)
		return;
	bool more = lane_next(trace, lane, INT64_MIN, CLASS_MASK_ALL, &span);
	for (unsigned i = 0; more && i < MOST_SPANS; i++, span = next) {
		tell_span(trace, out, &span);
		more = lane_after(trace, lane, &span, &next);
	}
}

uint32_t
tell_lane_count(const struct trace *trace, enum lane_type type)
{
	const uint32_t counts[LANE_TYPE_COUNT] = {
		[LANE_ACTOR] = trace_actor_count(trace),
		[LANE_PROCESSOR] = trace_processor_count(trace),
		[LANE_THREAD] = trace_thread_count(trace),
		[LANE_GROUP] = trace->group_count,
		[LANE_ALL] = 1,
		[LANE_GC] = 1,
		[LANE_STW] = 1,
	};
	return counts[type];
}

static void
tell_lanes(const struct trace *trace, struct text *out)
{
	for (int type = 0; type < LANE_TYPE_COUNT; type++)
		for (uint32_t ref = 0; ref < tell_lane_count(trace, (enum lane_type)type); ref++)
			tell_lane(trace, out, (struct lane){ (enum lane_type)type, ref });
}

static void
tell_tables(const struct trace *trace, struct text *out)
{
	for (actor_ref i = 0; i < trace_actor_count(trace); i++) {
		const struct actor *g = trace_actor(trace, i);
		text_format(out, "G%" PRId64 " %" PRId64 "-%" PRId64 " by %u, %u states, found %d",
			g->id, g->first_ns, g->end_ns, g->creator, g->state_count,
			(int)trace_find_actor(trace, g->id));
		tell_name(trace, out, g->name);
		tell_name(trace, out, g->label);
		tell_stack(trace, out, g->create_stack);
		text_format(out, "\n");
	}
	for (task_ref i = 0; i < trace->tasks.count; i++) {
		const struct task *task = trace_task(trace, i);
		text_format(out, "task %" PRId64 " of %u %" PRId64 "-%" PRId64, task->id,
			task->parent, task->start_ns, task->end_ns);
		tell_name(trace, out, task->name);
		text_format(out, "\n");
	}
	for (range_ref i = 0; i < trace->ranges.count; i++) {
		const struct range *range = trace_range(trace, i);
		text_format(out, "range %d on %u in %u %" PRId64 "-%" PRId64, range->type,
			range->scope, range->parent, range->start_ns, range->end_ns);
		tell_name(trace, out, range->name);
		tell_stack(trace, out, range->start_stack);
		text_format(out, "\n");
	}
	for (uint32_t i = 0; i < trace->instants.count; i++) {
		const struct instant *instant = trace_instant(trace, i);
		text_format(out, "instant %d %" PRId64 " G%u", instant->type, instant->time_ns,
			instant->actor);
		tell_name(trace, out, instant->category);
		tell_name(trace, out, instant->text);
		tell_stack(trace, out, instant->stack);
		text_format(out, "\n");
	}
}

/* Wakes, counters and regions, over the whole trace. */
static void
tell_moments(const struct trace *trace, struct text *out)
{
	for (int row = 0; row < WAKE_ROW_COUNT; row++) {
		struct span span;
		int64_t at_ns = 0;
		for (unsigned i = 0; i < MOST_SPANS && wake_find(trace, (enum wake_row)row, at_ns, true, &span);
			i++) {
			text_format(out, "wake %d of %u ", row,
				wake_count(trace, (enum wake_row)row, at_ns, trace->end_ns + 1));
			tell_span(trace, out, &span);
			at_ns = span.start_ns + 1;
		}
	}
	for (int64_t i = 0; i < CELLS; i++) {
		int64_t at_ns = trace->end_ns / CELLS * i;
		for (int type = 0; type < COUNTER_COUNT; type++) {
			uint64_t least = 0, greatest = 0, value = 0;
			counter_at(trace, (enum counter_type)type, at_ns, &value);
			counter_range(trace, (enum counter_type)type, at_ns,
				at_ns + trace->end_ns / 2, &least, &greatest);
			text_format(out, "counter %" PRIu64 " %" PRIu64 "-%" PRIu64 "\n", value,
				least, greatest);
		}
		for (actor_ref g = 0; g < trace_actor_count(trace); g++)
			text_format(out, " %u", region_at(trace, g, at_ns));
		if (wall_clock_is_known(&trace->wall))
			text_format(out, " wall %" PRId64, wall_clock_at(&trace->wall, at_ns));
		text_format(out, "\n");
	}
}

static void
tell_reports(const struct trace *trace, struct text *out)
{
	const struct report_options options = { .width_cells = WIDTH };
	const struct lanes_options lanes = {
		.file_name = "some.trace", .width_cells = WIDTH, .actor = REF_NONE
	};
	struct canvas canvas = { 0 };
	struct error err = { 0 };
	if (!report_summary(trace, &options, out, &err))
		text_format(out, "no summary: %s\n", err.message);
	for (actor_ref g = 0; g < trace_actor_count(trace); g += 7) {
		error_clear(&err);
		report_actor(trace, trace_actor(trace, g)->id, &options, out, &err);
	}
	if (report_lanes(trace, &lanes, &canvas, &err))
		output_text(&canvas, out);
	canvas_release(&canvas);
}

void
tell_trace(const struct trace *trace, struct text *out)
{
	text_format(out, "%" PRIu64 " events, %" PRIu64 " generations, 1.%u, end %" PRId64 "\n",
		trace->event_count, trace->generation_count, trace->go_minor, trace->end_ns);
	tell_tables(trace, out);
	tell_lanes(trace, out);
	tell_moments(trace, out);
	tell_reports(trace, out);
}

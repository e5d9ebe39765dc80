/*
 * How the kernel's scheduler served its tasks: how long each ran, waited for a CPU and slept, the longest of
 * these, and who had the CPU meanwhile that it got in the end.
 */
#include "analysis/sched.h"

#include "analysis/registry.h"
#include "base/checked.h"
#include "base/compiler.h"
#include "trace/lane.h"
#include "trace/runtime.h"

static const struct result_column columns[] = {
	DIMENSION(NULL, "{actor}", FIGURE_ACTOR, .least_cells = 14),
	DIMENSION("{actor}", NULL, FIGURE_STRING),
	DIMENSION("{id}", NULL, FIGURE_NUMBER),
	MEASURE("run_ns", "ran", FIGURE_DURATION, .hue = HUE_RUNNING),
	MEASURE("switches", "times", FIGURE_COUNT, .rank = 4),
	MEASURE("max_run_ns", "longest", FIGURE_DURATION, .rank = 7),
	MEASURE("wait_ns", "waited", FIGURE_DURATION, .hue = HUE_READY),
	MEASURE("waits", "times", FIGURE_COUNT, .rank = 6),
	MEASURE("max_wait_ns", "longest", FIGURE_DURATION, .rank = 1),
	MEASURE("max_wait_at_ns", "at", FIGURE_MOMENT, .rank = 2),
	MEASURE("max_wait_behind", "while it ran", FIGURE_ACTOR, .rank = 3, .least_cells = 12),
	MEASURE("sleep_ns", "asleep", FIGURE_DURATION, .hue = HUE_SYNC),
	MEASURE("disk_ns", "disk", FIGURE_DURATION, .hue = HUE_COLLECTION),
	MEASURE("max_disk_ns", "longest", FIGURE_DURATION, .rank = 8),
	MEASURE("migrations", "moved", FIGURE_COUNT, .rank = 5),
};

struct sums {
	int64_t run_ns, max_run_ns, wait_ns, max_wait_ns, sleep_ns, max_sleep_ns, disk_ns, max_disk_ns;
	int64_t switches, waits, migrations;
	bool is_running;        /* in the last span, which ended */
	struct span wait;       /* the longest one */
	resource_ref processor; /* where it ran last */
};

static void
add_longest(int64_t *sum_ns, int64_t *most_ns, int64_t ns)
{
	*sum_ns = saturating_add_i64(*sum_ns, ns);
	if (ns > *most_ns)
		*most_ns = ns;
}

static void
add_span(struct sums *sums, const struct span *span, const struct analysis_scope *scope)
{
	int64_t ns = span_within(span, scope->t0_ns, scope->t1_ns);
	/* Who left a CPU unseen was lost, or is seen on another one. */
	sums->switches += sums->is_running && span->kind->state != STATE_RUNNING &&
			  span->kind->entry != ENTRY_LOST;
	if (span->kind->state == STATE_RUNNING) {
		bool has_moved = sums->processor != REF_NONE && span->processor != REF_NONE &&
				 sums->processor != span->processor;
		add_longest(&sums->run_ns, &sums->max_run_ns, ns);
		sums->migrations += has_moved;
		if (span->processor != REF_NONE)
			sums->processor = span->processor;
	} else if (span->kind->state == STATE_READY) {
		if (ns > sums->max_wait_ns || sums->waits == 0)
			sums->wait = *span;
		sums->waits++;
		add_longest(&sums->wait_ns, &sums->max_wait_ns, ns);
	} else if (span->time_class == CLASS_SLEEP || span->time_class == CLASS_IDLE) {
		add_longest(&sums->sleep_ns, &sums->max_sleep_ns, ns);
	} else if (span->time_class == CLASS_RUNTIME) {
		add_longest(&sums->disk_ns, &sums->max_disk_ns, ns);
	}
	sums->is_running = span->kind->state == STATE_RUNNING && !span->is_open && span->end_ns <= scope->t1_ns;
}

bool
sched_find_holder(const struct trace *trace, actor_ref waiter, int64_t from_ns, int64_t until_ns,
	struct span *holder)
{
	struct lane lane = { LANE_ACTOR, waiter };
	struct span next;
	if (!lane_next(trace, lane, until_ns, CLASS_BIT(CLASS_RUNNING), &next) || next.processor == REF_NONE)
		return false;
	lane = (struct lane){ LANE_PROCESSOR, next.processor };
	return lane_longest(trace, lane, from_ns, until_ns, CLASS_MASK_SOLID, holder);
}

static bool
tell(struct result_sink *sink, const struct trace *trace, actor_ref ref, const struct sums *sums,
	const struct analysis_scope *scope, struct error *err)
{
	const struct actor *actor = trace_actor(trace, ref);
	bool has_waited = sums->waits > 0;
	struct result_place place = { { LANE_ACTOR, ref }, scope->t0_ns, scope->t1_ns };
	struct span holder = { .actor = REF_NONE };
	if (has_waited && !sched_find_holder(trace, ref, sums->wait.start_ns, sums->wait.end_ns, &holder))
		holder.actor = REF_NONE;
	if (has_waited) {
		place.from_ns = sums->wait.start_ns;
		place.until_ns = sums->wait.end_ns;
	}
	const int64_t cells[] = { ref, actor->name, actor->id, sums->run_ns, sums->switches, sums->max_run_ns,
		sums->wait_ns, sums->waits, sums->max_wait_ns,
		has_waited ? sums->wait.start_ns : FIGURE_NONE, holder.actor, sums->sleep_ns,
		sums->disk_ns, sums->max_disk_ns, sums->migrations };
	return sink->row(sink, cells, &place, err);
}

static bool
fill(struct analysis_work *work, struct result_sink *sink, struct error *err)
{
	const struct trace *trace = work->trace;
	const struct analysis_scope *scope = &work->scope;
	const struct result_table table = {
		.name = "sched",
		.title = "Run time, waits to run, sleeps",
		.columns = columns,
		.column_count = ARRAY_LENGTH(columns),
		.usual_column = 6,
		.none = "nobody ran or waited",
	};
	bool is_fine = sink->begin(sink, &table, err);
	search_watch_expect(&work->watch, trace_actor_count(trace));
	for (actor_ref ref = 0; is_fine && ref < trace_actor_count(trace); ref++) {
		struct lane lane = { LANE_ACTOR, ref };
		struct sums sums = { .processor = REF_NONE };
		struct span span;
		if (!search_watch_check_item(&work->watch, ref, err))
			return false;
		if ((scope->actor != REF_NONE && scope->actor != ref) ||
			(scope->function != STRING_EMPTY && !trace_actor_is_of(trace, ref, scope->function)) ||
			(!scope->with_runtime && scope->actor == REF_NONE && trace_is_runtime(trace, ref)))
			continue;
		/* One without length may stand before what holds the first moment. */
		bool is_there = (lane_span_at(trace, lane, scope->t0_ns, &span) && span.start_ns < scope->t0_ns) ||
				lane_next(trace, lane, scope->t0_ns, CLASS_MASK_ALL, &span);
		/* What began with the last event holds at the end. */
		int64_t last_ns = scope->t1_ns - (scope->t1_ns < trace->end_ns);
		for (; is_there && span.start_ns <= last_ns; is_there = lane_after(trace, lane, &span, &span))
			add_span(&sums, &span, scope);
		sums.switches += sums.is_running; /* into its end */
		if (sums.run_ns > 0 || sums.waits > 0 || sums.sleep_ns > 0 || sums.disk_ns > 0 || sums.switches > 0)
			is_fine = tell(sink, trace, ref, &sums, scope, err);
	}
	return is_fine && sink->end(sink, err);
}

const struct analysis_kind sched_kind = {
	.name = "sched",
	.help = "how long {actors} ran, waited for {an slot}, slept",
	.heading = "Scheduling",
	.title = "Scheduling of {actors}",
	.needs = NEEDS_KERNEL,
	.limits = ANALYSIS_BY_ACTOR | ANALYSIS_BY_FUNCTION | ANALYSIS_BY_RUNTIME,
	.fill = fill,
};

/* The states of one actor for programs. */
#include <string.h>

#include "base/compiler.h"
#include "query/search.h"
#include "draw/names.h"
#include "report/grid.h"
#include "report/words.h"
#include "result/result.h"
#include "trace/lane.h"

static const struct grid_column columns[] = {
	{ { .title = "from", .is_right = true }, "start_ns" },
	{ { .title = "for", .is_right = true }, "duration_ns" },
	{ { .title = "state" }, "state" },
	{ { .title = "reason" }, "reason" },
	{ { .title = "on" }, "{processor}" },
	{ { .title = "woken by" }, "waker" },
	{ { .title = "where", .is_name = true, .least_cells = 12 }, "function" },
	{ { .title = "" }, "place" },
	{ { .title = "by" }, "woken_by" },
};

static void
put_state(struct grid *grid, const struct span *span)
{
	const char *state = state_name(span->kind->state);
	struct result_place place = { { LANE_ACTOR, span->actor }, span->start_ns, span->end_ns };
	grid->place = &place;
	grid_moment(grid, span->start_ns);
	grid_duration(grid, span->end_ns - span->start_ns);
	grid_text(grid, state, strlen(state));
	grid_string(grid, span->kind->reason);
	grid_processor(grid, span->processor);
	if (span->waker.type == WAKER_ACTOR)
		grid_actor_id(grid, span->waker.ref);
	else
		grid_none(grid);
	grid_stack(grid, span->stack, span->actor);
	const char *waker = name_waker_type(grid->trace->words, span->waker.type);
	grid_text(grid, waker, strlen(waker));
}

bool
report_actor_states(const struct trace *trace, actor_ref actor,
	const struct report_options *options, struct text *out, struct error *err)
{
	struct lane lane = { LANE_ACTOR, actor };
	struct grid grid;
	struct span span;
	int64_t t0_ns, t1_ns;
	words_interval(options, trace, &t0_ns, &t1_ns);
	if (!grid_begin(&grid, trace, options, out, err))
		return false;
	struct text who = { 0 };
	words_actor(&who, options, trace, actor);
	grid_heading(&grid, text_string(&who));
	text_release(&who);
	grid_usual_facts(&grid);
	grid_table(&grid, "states", "State by state", columns, (int)ARRAY_LENGTH(columns));
	bool has_span = lane_span_at(trace, lane, t0_ns, &span) ||
			lane_next(trace, lane, t0_ns, CLASS_MASK_ALL, &span);
	for (; has_span && (span.start_ns < t1_ns || !options->has_interval);
		has_span = lane_after(trace, lane, &span, &span)) {
		bool is_told = span.kind->state != STATE_GONE &&
			       (options->only == NULL ||
				       search_matches(options->only, span.segment, span.state));
		if (is_told)
			put_state(&grid, &span);
	}
	grid_table_end(&grid, "none");
	return grid_end(&grid);
}

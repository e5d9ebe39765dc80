/* The summary for programs: all that is one number as one row, then tables. */
#include "analysis/registry.h"
#include "analysis/summary.h"
#include "base/compiler.h"
#include "report/result.h"
#include "report/summary_rows.h"
#include "trace/damage.h"
#include "trace/words.h"

/* Only of traces whose program has a collector. */
enum { COLLECTOR_COLUMNS = 7 };

static const struct grid_column fact_columns[] = {
	{ { .title = NULL }, "duration_ns" },
	{ { .title = NULL }, "from_ns" },
	{ { .title = NULL }, "to_ns" },
	{ { .title = NULL }, "events" },
	{ { .title = NULL }, "generations" },
	{ { .title = NULL }, "{processors}" },
	{ { .title = NULL }, "{threads}" },
	{ { .title = NULL }, "{actors}" },
	{ { .title = NULL }, "functions" },
	{ { .title = NULL }, "alive_at_end" },
	{ { .title = NULL }, "max_delay_ns" },
	{ { .title = NULL }, "max_delay_start_ns" },
	{ { .title = NULL }, "max_delay_of" },
	{ { .title = NULL }, "lost_places" },
	{ { .title = NULL }, "lost_bytes" },
	{ { .title = NULL }, "dropped_events" },
	{ { .title = NULL }, "gc_count" },
	{ { .title = NULL }, "gc_ns" },
	{ { .title = NULL }, "stw_count" },
	{ { .title = NULL }, "stw_ns" },
	{ { .title = NULL }, "stw_longest_ns" },
	{ { .title = NULL }, "stw_longest_start_ns" },
	{ { .title = NULL }, "stw_longest_reason" },
};

static const struct grid_column function_columns[] = {
	{ { .title = NULL }, "function" },
	{ { .title = NULL }, "count" },
	{ { .title = NULL }, "running_ns" },
	{ { .title = NULL }, "ready_ns" },
	{ { .title = NULL }, "blocked_ns" },
	{ { .title = NULL }, "syscall_ns" },
	{ { .title = NULL }, "max_delay_ns" },
	{ { .title = NULL }, "max_delay_start_ns" },
	{ { .title = NULL }, "max_delay_of" },
};

/* Three cells. */
static void
put_delay(struct grid *grid, bool has_delay, const struct span *delay)
{
	if (!has_delay) {
		grid_none(grid);
		grid_none(grid);
		grid_none(grid);
		return;
	}
	grid_duration(grid, delay->end_ns - delay->start_ns);
	grid_moment(grid, delay->start_ns);
	grid_actor_id(grid, delay->actor);
}

static void
put_collector(struct grid *grid, const struct summary *summary)
{
	const struct range_summary *stw = &summary->stw;
	grid_count(grid, summary->gc.count);
	grid_duration(grid, summary->gc.covered_ns);
	grid_count(grid, stw->count);
	grid_duration(grid, stw->covered_ns);
	if (stw->count == 0) {
		grid_none(grid);
		grid_none(grid);
		grid_none(grid);
		return;
	}
	grid_duration(grid, stw->longest_ns);
	grid_moment(grid, stw->longest_start_ns);
	grid_string(grid, trace_range(grid->trace, stw->longest)->name);
}

/* The longest delay is one of the program's own, where there is any. */
static void
put_facts(struct grid *grid, const struct summary *summary)
{
	const struct trace *trace = grid->trace;
	bool has_collector = trace->words->classes[CLASS_WORKER].name != NULL;
	int count = (int)ARRAY_LENGTH(fact_columns) - (has_collector ? 0 : COLLECTOR_COLUMNS);
	uint64_t dropped = 0;
	for (uint32_t i = 0; i < trace->damage.count; i++)
		dropped += trace->damage.rows[i].dropped_events;
	grid_as_made(grid);
	grid->dimensions = GRID_MEASURES;
	grid_table(grid, "summary", "", fact_columns, count);
	grid_duration(grid, trace->end_ns);
	grid_moment(grid, summary->t0_ns);
	grid_moment(grid, summary->t1_ns);
	grid_count(grid, trace->event_count);
	grid_count(grid, trace->generation_count);
	grid_count(grid, trace_processor_count(trace));
	grid_count(grid, trace_thread_count(trace));
	grid_count(grid, summary->all.count);
	grid_count(grid, summary->group_count);
	grid_count(grid, summary->alive_at_end);
	put_delay(grid, summary->all.has_delay,
		summary->has_own_delay ? &summary->own_delay : &summary->all.delay);
	grid_count(grid, damage_map_places(&trace->damage));
	grid_bytes(grid, damage_map_lost_bytes(&trace->damage));
	grid_count(grid, dropped);
	if (has_collector)
		put_collector(grid, summary);
	grid_table_end(grid, "");
}

static void
put_group(struct grid *grid, const struct group_summary *group)
{
	grid_string(grid, grid->trace->groups[group->group].name);
	grid_count(grid, group->count);
	grid_duration(grid, totals_running(group->totals_ns));
	grid_duration(grid, group->totals_ns[CLASS_READY]);
	grid_duration(grid, totals_blocked(group->totals_ns));
	grid_duration(grid, group->totals_ns[CLASS_SYSCALL]);
	put_delay(grid, group->has_delay, &group->delay);
}

bool
summary_rows(const struct summary *summary, const struct trace *trace,
	const struct report_options *options, struct text *out, struct error *err)
{
	struct grid grid;
	if (!grid_begin(&grid, trace, options, out, err))
		return false;
	put_facts(&grid, summary);
	grid.dimensions = 1;
	grid_table(&grid, "functions", "", function_columns, (int)ARRAY_LENGTH(function_columns));
	for (uint32_t i = 0; i < summary->group_count; i++)
		put_group(&grid, &summary->groups[i]);
	grid_table_end(&grid, "");
	struct analysis_work work = { .kind = &allocations_kind, .trace = trace };
	bool is_fine = !analysis_applies(work.kind->needs, trace) || result_tell(&grid, &work, err);
	return grid_end(&grid) && is_fine;
}

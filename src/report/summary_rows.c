/* The summary for programs: all that is one number as one row, then tables. */
#include "analysis/registry.h"
#include "analysis/summary.h"
#include "base/compiler.h"
#include "report/result.h"
#include "report/summary_rows.h"
#include "trace/damage.h"
#include "trace/words.h"

/* What a trace can have besides classes of time, in the bits above those. */
enum { HAS_PROCESSORS = 1 << 16, HAS_THREADS = HAS_PROCESSORS << 1, MOST_COLUMNS = 32 };

#define READY CLASS_BIT(CLASS_READY)
#define COLLECTOR CLASS_BIT(CLASS_WORKER)

struct told {
	const char *key;
	unsigned needs; /* is left out of a trace that can have none of that; 0: any has it */
};

static const struct told facts[] = {
	{ "duration_ns", 0 },
	{ "from_ns", 0 },
	{ "to_ns", 0 },
	{ "events", 0 },
	{ "generations", 0 },
	{ "{processors}", HAS_PROCESSORS },
	{ "{threads}", HAS_THREADS },
	{ "{actors}", 0 },
	{ "functions", 0 },
	{ "alive_at_end", 0 },
	{ "max_delay_ns", READY },
	{ "max_delay_start_ns", READY },
	{ "max_delay_of", READY },
	{ "lost_places", 0 },
	{ "lost_bytes", 0 },
	{ "dropped_events", 0 },
	{ "gc_count", COLLECTOR },
	{ "gc_ns", COLLECTOR },
	{ "stw_count", COLLECTOR },
	{ "stw_ns", COLLECTOR },
	{ "stw_longest_ns", COLLECTOR },
	{ "stw_longest_start_ns", COLLECTOR },
	{ "stw_longest_reason", COLLECTOR },
};

static const struct told functions[] = {
	{ "function", 0 },
	{ "count", 0 },
	{ "running_ns", 0 },
	{ "ready_ns", READY },
	{ "blocked_ns", CLASS_MASK_BLOCKED },
	{ "syscall_ns", CLASS_BIT(CLASS_SYSCALL) },
	{ "max_delay_ns", READY },
	{ "max_delay_start_ns", READY },
	{ "max_delay_of", READY },
};

/* columns: room for them, until the table ends. */
static void
begin_table(struct grid *grid, const char *name, const struct told *told, size_t count,
	struct grid_column columns[MOST_COLUMNS])
{
	const struct words *words = grid->trace->words;
	unsigned has = words_classes(words) | (words->processor.one != NULL ? HAS_PROCESSORS : 0u) |
		       (words->thread.one != NULL ? HAS_THREADS : 0u);
	for (size_t i = 0; i < count; i++) {
		bool is_there = told[i].needs == 0 || (told[i].needs & has) != 0;
		columns[i] = (struct grid_column){ .key = is_there ? told[i].key : NULL };
	}
	grid_table(grid, name, "", columns, (int)count);
}

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
	struct grid_column columns[MOST_COLUMNS];
	uint64_t dropped = 0;
	for (uint32_t i = 0; i < trace->damage.count; i++)
		dropped += trace->damage.rows[i].dropped_events;
	grid_as_made(grid);
	grid->dimensions = GRID_MEASURES;
	begin_table(grid, "summary", facts, ARRAY_LENGTH(facts), columns);
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
	struct grid_column columns[MOST_COLUMNS];
	if (!grid_begin(&grid, trace, options, out, err))
		return false;
	put_facts(&grid, summary);
	grid.dimensions = 1;
	begin_table(&grid, "functions", functions, ARRAY_LENGTH(functions), columns);
	for (uint32_t i = 0; i < summary->group_count; i++)
		put_group(&grid, &summary->groups[i]);
	grid_table_end(&grid, "");
	struct analysis_work work = { .kind = &allocations_kind, .trace = trace };
	bool is_fine = !analysis_applies(work.kind->needs, trace) || result_tell(&grid, &work, err);
	return grid_end(&grid) && is_fine;
}

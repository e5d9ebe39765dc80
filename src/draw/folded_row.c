/* Rows that stand for several. */
#include "draw/folded_row.h"

#include <string.h>

#include "base/checked.h"
#include "draw/moment_row.h"
#include "draw/span_name.h"
#include "trace/lane.h"

void
folded_row_draw_gc(struct canvas *canvas, struct cell_run run, struct strip *strip,
	const struct strip_source *source, struct text *scratch)
{
	const struct lane stops = { LANE_STW, 0 };
	int64_t t0_ns = source->viewport.t0_ns, t1_ns = source->viewport.t1_ns;
	for (int i = 0; i < strip->width; i++) {
		uint32_t count = lane_count(source->trace, stops,
			lane_edge(t0_ns, t1_ns, strip->width, i),
			lane_edge(t0_ns, t1_ns, strip->width, i + 1));
		if (count > 0)
			strip->cells[i].marks |= STRIP_MARK_STW;
	}
	moment_row_draw_ranges(canvas, run.x, run.y, strip, source, scratch);
}

void
folded_row_draw_events(struct canvas *canvas, struct cell_run run, const struct trace *trace,
	struct viewport viewport)
{
	int64_t until_ns = viewport.t0_ns;
	for (int i = 0; i < run.cells; i++) {
		int64_t from_ns = until_ns;
		uint64_t sum = 0;
		uint32_t most = 0;
		enum wake_row kind = WAKE_NETWORK;
		until_ns = lane_edge(viewport.t0_ns, viewport.t1_ns, run.cells, i + 1);
		for (int row = 0; row < WAKE_ROW_COUNT; row++) {
			uint32_t count = wake_count(trace, (enum wake_row)row, from_ns, until_ns);
			sum += count;
			if (count > most) {
				most = count;
				kind = (enum wake_row)row;
			}
		}
		if (sum > 0)
			moment_row_put_wakes(canvas, run.x + i, run.y, kind,
				sum < UINT32_MAX ? (uint32_t)sum : UINT32_MAX);
	}
}

/* ---- procs */

/* Those that there were room for; where the trace does not say, those that it knows. */
static uint64_t
procs_at(const struct trace *trace, int64_t t0_ns, int64_t t1_ns)
{
	uint64_t least = 0, most = 0;
	bool is_known = counter_range(trace, COUNTER_GOMAXPROCS, t0_ns, t1_ns, &least, &most);
	return is_known && most > 0 ? most : trace_proc_count(trace);
}

/* At least what was used of it, since GOMAXPROCS of a hostile trace is any number. */
static int64_t
time_of_procs(const struct trace *trace, int64_t t0_ns, int64_t t1_ns,
	const int64_t totals_ns[CLASS_COUNT])
{
	int64_t used_ns = 0, whole_ns = t1_ns - t0_ns;
	uint64_t procs = procs_at(trace, t0_ns, t1_ns);
	for (int i = CLASS_GONE + 1; i < CLASS_COUNT; i++)
		used_ns = saturating_add_i64(used_ns, totals_ns[i]);
	whole_ns = procs < (uint64_t)(INT64_MAX / whole_ns) ? (int64_t)procs * whole_ns : INT64_MAX;
	return used_ns > whole_ns ? used_ns : whole_ns;
}

/* What runs needs a proc, so all that runs is a measure where there are too many to ask each. */
static void
add_all_that_runs(const struct trace *trace, int64_t t0_ns, int64_t t1_ns,
	int64_t totals_ns[CLASS_COUNT])
{
	int64_t of_all_ns[CLASS_COUNT];
	lane_totals(trace, (struct lane){ LANE_ALL, 0 }, t0_ns, t1_ns, of_all_ns);
	totals_ns[CLASS_RUNNING] = of_all_ns[CLASS_RUNNING];
	totals_ns[CLASS_GC_WORKER] = of_all_ns[CLASS_GC_WORKER];
}

int64_t
folded_row_procs(const struct trace *trace, int64_t t0_ns, int64_t t1_ns,
	int64_t totals_ns[CLASS_COUNT])
{
	uint32_t procs = trace_proc_count(trace);
	memset(totals_ns, 0, CLASS_COUNT * sizeof *totals_ns);
	if (procs > FOLDED_ROW_MOST_PROCS) {
		add_all_that_runs(trace, t0_ns, t1_ns, totals_ns);
		procs = 0;
	}
	for (proc_ref proc = 0; proc < procs; proc++) {
		int64_t of_one_ns[CLASS_COUNT];
		lane_totals(trace, (struct lane){ LANE_PROC, proc }, t0_ns, t1_ns, of_one_ns);
		for (int i = CLASS_GONE + 1; i < CLASS_COUNT; i++)
			totals_ns[i] = saturating_add_i64(totals_ns[i], of_one_ns[i]);
	}
	return time_of_procs(trace, t0_ns, t1_ns, totals_ns);
}

void
folded_row_draw_procs(struct canvas *canvas, struct cell_run run, struct strip *strip,
	const struct strip_source *source, struct text *scratch)
{
	int64_t t0_ns = source->viewport.t0_ns, until_ns = t0_ns;
	strip->lane = (struct lane){ LANE_ALL, 0 };
	strip->stretch_count = 0;
	for (int i = 0; i < run.cells; i++) {
		int64_t from_ns = until_ns;
		until_ns = lane_edge(t0_ns, source->viewport.t1_ns, run.cells, i + 1);
		int64_t whole_ns =
			folded_row_procs(source->trace, from_ns, until_ns, strip->totals_ns[i]);
		strip->cells[i] = strip_cell(strip->totals_ns[i], whole_ns);
	}
	strip_draw(canvas, run.x, run.y, strip, source->trace, scratch);
}

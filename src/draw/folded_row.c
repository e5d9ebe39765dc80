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

/* ---- processors */

/* Those that there were room for; where the trace does not say, those that it knows. */
static uint64_t
processors_at(const struct trace *trace, int64_t t0_ns, int64_t t1_ns)
{
	uint64_t least = 0, most = 0;
	bool is_known = counter_range(trace, COUNTER_GOMAXPROCS, t0_ns, t1_ns, &least, &most);
	return is_known && most > 0 ? most : trace_processor_count(trace);
}

/* At least what was used of it, since GOMAXPROCS of a hostile trace is any number. */
static int64_t
time_of_processors(const struct trace *trace, int64_t t0_ns, int64_t t1_ns,
	const int64_t totals_ns[CLASS_COUNT])
{
	int64_t used_ns = 0;
	uint64_t processors = processors_at(trace, t0_ns, t1_ns);
	for (int i = CLASS_GONE + 1; i < CLASS_COUNT; i++)
		used_ns = saturating_add_i64(used_ns, totals_ns[i]);
	int64_t whole_ns = saturating_mul_i64(
		t1_ns - t0_ns, processors < INT64_MAX ? (int64_t)processors : INT64_MAX);
	return used_ns > whole_ns ? used_ns : whole_ns;
}

static void
add_times(int64_t totals_ns[CLASS_COUNT], const int64_t more_ns[CLASS_COUNT], class_mask classes)
{
	for (int i = CLASS_GONE + 1; i < CLASS_COUNT; i++)
		if ((classes & CLASS_BIT(i)) != 0)
			totals_ns[i] = saturating_add_i64(totals_ns[i], more_ns[i]);
}

/*
 * What all processors did in each cell, by class; one_ns has room for as many. What runs needs a processor,
 * so all that runs is a measure where there are too many to ask each.
 */
static void
sum_processors(const struct trace *trace, struct viewport viewport, int cells,
	int64_t (*totals_ns)[LOOK_COUNT], int64_t (*one_ns)[CLASS_COUNT])
{
	const class_mask running = CLASS_BIT(CLASS_RUNNING) | CLASS_BIT(CLASS_WORKER);
	bool is_of_all = trace_processor_count(trace) > FOLDED_ROW_MOST_PROCESSORS;
	resource_ref count = is_of_all ? 1 : trace_processor_count(trace);
	memset(totals_ns, 0, (size_t)cells * sizeof *totals_ns);
	for (resource_ref processor = 0; processor < count; processor++) {
		struct lane lane = { is_of_all ? LANE_ALL : LANE_PROCESSOR, processor };
		lane_cells(trace, lane, viewport.t0_ns, viewport.t1_ns, cells, one_ns);
		for (int i = 0; i < cells; i++)
			add_times(totals_ns[i], one_ns[i], is_of_all ? running : CLASS_MASK_ALL);
	}
}

/* What of that had no CPU. */
static void
sum_lost(struct strip *strip, const struct strip_source *source)
{
	resource_ref count = trace_processor_count(source->trace);
	struct viewport viewport = source->viewport;
	int64_t *one_ns = strip->assists_ns;
	for (int k = 0; k < BENEATH_UPPERS * BENEATH_LOST; k++) {
		int64_t *sums_ns = strip->lost_ns[k / BENEATH_LOST][k % BENEATH_LOST];
		memset(sums_ns, 0, (size_t)strip->width * sizeof *sums_ns);
		if (source->beneath == NULL || count > FOLDED_ROW_MOST_PROCESSORS)
			continue;
		for (resource_ref processor = 0; processor < count; processor++) {
			bool has_some = pieces_cells(&source->beneath->of[k / BENEATH_LOST][k % BENEATH_LOST],
				(struct lane){ LANE_PROCESSOR, processor }, viewport.t0_ns, viewport.t1_ns, strip->width,
				one_ns);
			for (int i = 0; has_some && i < strip->width; i++)
				sums_ns[i] += one_ns[i];
		}
	}
}

int64_t
folded_row_processors(const struct trace *trace, int64_t t0_ns, int64_t t1_ns,
	int64_t totals_ns[CLASS_COUNT])
{
	int64_t sums_ns[1][LOOK_COUNT], one_ns[1][CLASS_COUNT];
	sum_processors(trace, (struct viewport){ t0_ns, t1_ns }, 1, sums_ns, one_ns);
	memcpy(totals_ns, sums_ns[0], CLASS_COUNT * sizeof *totals_ns);
	return time_of_processors(trace, t0_ns, t1_ns, totals_ns);
}

void
folded_row_draw_processors(struct canvas *canvas, struct cell_run run, struct strip *strip,
	const struct strip_source *source, struct text *scratch)
{
	struct viewport viewport = source->viewport;
	int64_t until_ns = viewport.t0_ns;
	strip->lane = (struct lane){ LANE_ALL, 0 };
	strip->stretch_count = 0;
	sum_processors(source->trace, viewport, strip->width, strip->totals_ns, strip->classes_ns);
	sum_lost(strip, source);
	for (int i = 0; i < strip->width; i++) {
		int64_t from_ns = until_ns;
		until_ns = lane_edge(viewport.t0_ns, viewport.t1_ns, strip->width, i + 1);
		int64_t *totals_ns = strip->totals_ns[i];
		int64_t whole_ns = time_of_processors(source->trace, from_ns, until_ns, totals_ns);
		for (int k = 0; k < BENEATH_UPPERS * BENEATH_LOST; k++) {
			int64_t lost_ns = strip->lost_ns[k / BENEATH_LOST][k % BENEATH_LOST][i];
			totals_ns[beneath_upper_class((enum beneath_upper)(k / BENEATH_LOST))] -= lost_ns;
			totals_ns[LOOK_WAITS + k % BENEATH_LOST] += lost_ns;
		}
		strip->cells[i] = strip_cell(totals_ns, whole_ns);
	}
	strip_draw(canvas, run.x, run.y, strip, source->trace, scratch);
}

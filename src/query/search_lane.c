/*
 * Matches on lanes. The question is asked at edges of time: how many matching
 * spans of the lane began before this moment, and does one of them go on? Two edges answer for the
 * interval between them, in O(log n). Lanes of many goroutines are asked
 * through the union of their matches.
 */
#include <string.h>

#include "base/memory.h"
#include "query/search_internal.h"

struct edge {
	int64_t t_ns;
	uint64_t before;   /* matches that began before it */
	bool is_last;      /* the last span of all that did is one; of a union: and goes on */
};

/* ---- lanes with an order of their own: goroutines, procs, threads */

struct lane_runs {
	const struct run_list *list;
	const struct run_matches *matches;
	uint32_t first, end; /* runs of the lane in the list */
};

/* False for other types of lanes, for refs that are none, and where nothing matches. */
static bool
find_runs(const struct search *search, struct lane lane, struct lane_runs *runs)
{
	const struct directory *directory = &search->trace->directory;
	if (lane.type == LANE_GOROUTINE)
		*runs = (struct lane_runs){ &directory->goroutines, &search->states, 0, 0 };
	else if (lane.type == LANE_PROC)
		*runs = (struct lane_runs){ &directory->procs, &search->procs, 0, 0 };
	else if (lane.type == LANE_THREAD)
		*runs = (struct lane_runs){ &directory->threads, &search->threads, 0, 0 };
	else
		return false;
	if (lane.ref >= runs->list->key_count)
		return false;
	runs->first = runs->list->first[lane.ref];
	runs->end = runs->list->first[lane.ref + 1];
	return runs->matches->before[runs->first] != runs->matches->before[runs->end];
}

bool
search_has_any(const struct search *search, struct lane lane)
{
	const struct trace *trace = search->trace;
	struct lane_runs runs;
	if (lane.type == LANE_ALL)
		return search_count(search) > 0;
	if (lane.type != LANE_GROUP)
		return find_runs(search, lane, &runs);
	const struct group *group = &trace->groups[lane.ref];
	for (uint32_t i = 0; i < group->count; i++) {
		struct lane member = { LANE_GOROUTINE, trace->group_members[group->first + i] };
		if (find_runs(search, member, &runs))
			return true;
	}
	return false;
}

/* Items [first, first + count) of a segment's states, or of `entries`. */
struct run_view {
	const struct segment *segment;
	const struct bits *set;
	const struct state_list *entries; /* NULL for states */
	uint32_t first, count;
};

static struct run_view
view_of(const struct search *search, struct lane lane, const struct lane_runs *runs, uint32_t index)
{
	struct run_ref ref = runs->list->runs[index];
	const struct segment *segment = trace_segment(search->trace, ref.segment);
	struct run_view view = { .segment = segment, .set = &runs->matches->sets[ref.segment] };
	if (lane.type == LANE_GOROUTINE) {
		view.first = segment->runs[ref.run].first;
		view.count = segment->runs[ref.run].count;
		return view;
	}
	const struct resource_column *column =
		lane.type == LANE_PROC ? &segment->procs : &segment->threads;
	view.entries = &column->entries;
	view.first = column->runs[ref.run].first;
	view.count = column->runs[ref.run].count;
	return view;
}

/* The first run in a segment that ends at t or later: all items of those before it began before t. */
static uint32_t
run_at(const struct search *search, const struct lane_runs *runs, int64_t t_ns)
{
	uint32_t low = runs->first, high = runs->end;
	while (low < high) {
		uint32_t middle = low + (high - low) / 2;
		uint32_t segment = runs->list->runs[middle].segment;
		if (trace_segment(search->trace, segment)->end_ns < t_ns)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Items of the run that began before t. */
static uint32_t
items_before(const struct run_view *view, int64_t t_ns)
{
	uint32_t low = 0, high = view->count;
	while (low < high) {
		uint32_t middle = low + (high - low) / 2;
		if (run_item_start(view->segment, view->entries, view->first + middle) < t_ns)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Whether the last item of the runs before `run` matches. */
static bool
last_matches(
	const struct search *search, struct lane lane, const struct lane_runs *runs, uint32_t run)
{
	while (run > runs->first) {
		struct run_view view = view_of(search, lane, runs, --run);
		if (view.count > 0)
			return bits_has(view.set, view.first + view.count - 1);
	}
	return false;
}

static struct edge
run_edge(const struct search *search, struct lane lane, const struct lane_runs *runs, int64_t t_ns)
{
	uint32_t run = run_at(search, runs, t_ns);
	struct edge edge = {
		.t_ns = t_ns,
		.before = runs->matches->before[run] - runs->matches->before[runs->first],
	};
	uint32_t items = 0;
	if (run < runs->end) {
		struct run_view view = view_of(search, lane, runs, run);
		items = items_before(&view, t_ns);
		edge.before +=
			bits_below(view.set, view.first + items) - bits_below(view.set, view.first);
		edge.is_last = items > 0 && bits_has(view.set, view.first + items - 1);
	}
	if (items == 0)
		edge.is_last = last_matches(search, lane, runs, run);
	return edge;
}

/* ---- unions */

/* NULL for other types of lanes. A group is left to the worker while there is one. */
static const struct match_union *
find_union(struct search *search, struct lane lane)
{
	static const struct match_union none;
	struct match_union *matches = NULL;
	if (lane.type == LANE_ALL)
		matches = &search->all;
	else if (lane.type == LANE_GROUP && lane.ref < search->trace->group_count)
		matches = &search->groups[lane.ref];
	if (matches == NULL || atomic_load_explicit(&matches->is_built, memory_order_acquire))
		return matches;
	if (search->watch != NULL && lane.type == LANE_GROUP &&
		search->trace->groups[lane.ref].count > 1)
		return &none;
	match_union_build(search, lane, matches);
	return matches;
}

static struct edge
union_edge(const struct match_union *matches, int64_t t_ns)
{
	size_t low = 0, high = matches->count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (matches->pieces[middle].start_ns < t_ns)
			low = middle + 1;
		else
			high = middle;
	}
	return (struct edge){ t_ns, low, low > 0 && matches->pieces[low - 1].end_ns > t_ns };
}

/* ---- questions */

/* A strip of cells on a lane, while its marks are found. */
struct strip {
	const struct search *search;
	struct lane lane;
	const struct match_union *matches; /* NULL: by runs */
	struct lane_runs runs;
	int64_t t0_ns, t1_ns;
	int cells;
	bool *marks;
};

static bool
strip_open(struct strip *strip, struct search *search, struct lane lane)
{
	strip->search = search;
	strip->lane = lane;
	strip->matches = find_union(search, lane);
	return strip->matches != NULL ? strip->matches->count > 0
				      : find_runs(search, lane, &strip->runs);
}

static struct edge
strip_edge(const struct strip *strip, int64_t t_ns)
{
	if (strip->matches != NULL)
		return union_edge(strip->matches, t_ns);
	return run_edge(strip->search, strip->lane, &strip->runs, t_ns);
}

/* Whether the last match has not ended at the edge. Costs more than the edge itself. */
static bool
goes_on(const struct strip *strip, const struct edge *edge)
{
	struct span span;
	if (!edge->is_last || strip->matches != NULL)
		return edge->is_last;
	return lane_span_at(strip->search->trace, strip->lane, edge->t_ns, &span) &&
	       span.start_ns < edge->t_ns;
}

/* Marks the cells [first, end) between two edges; halves them until nothing or one is left. */
static void /* as deep as the logarithm of the cells: NOLINTNEXTLINE(misc-no-recursion) */
strip_mark(const struct strip *strip, int first, struct edge from, int end, struct edge to)
{
	if (from.before == to.before && !goes_on(strip, &from))
		return;
	if (end - first == 1) {
		strip->marks[first] = true;
		return;
	}
	int middle = first + (end - first) / 2;
	struct edge edge =
		strip_edge(strip, lane_edge(strip->t0_ns, strip->t1_ns, strip->cells, middle));
	strip_mark(strip, first, from, middle, edge);
	strip_mark(strip, middle, edge, end, to);
}

void
search_cells(struct search *search, struct lane lane, int64_t t0_ns, int64_t t1_ns, int cells,
	bool *marks)
{
	if (cells <= 0)
		return;
	memset(marks, 0, (size_t)cells * sizeof(*marks));
	struct strip strip = { .t0_ns = t0_ns, .t1_ns = t1_ns, .cells = cells, .marks = marks };
	if (t0_ns >= t1_ns || !strip_open(&strip, search, lane))
		return;
	strip_mark(&strip, 0, strip_edge(&strip, t0_ns), cells, strip_edge(&strip, t1_ns));
}

bool
search_overlaps(struct search *search, struct lane lane, int64_t t0_ns, int64_t t1_ns)
{
	bool mark = false;
	search_cells(search, lane, t0_ns, t1_ns, 1, &mark);
	return mark;
}

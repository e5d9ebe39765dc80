/*
 * Matches on lanes. The question is asked at edges of time: how many matching
 * spans of the lane began before this moment, and does one of them go on? Two edges answer for the
 * interval between them, in O(log n). Lanes of many goroutines are asked
 * through the union of their matches.
 */
#include <string.h>

#include "base/memory.h"
#include "query/radix.h"
#include "query/search_internal.h"

struct edge {
	uint64_t before; /* matches that began before it */
	bool goes_on;    /* the last of them has not ended there */
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

/* Items [first, first + count) of a segment's states, or of `entries`. */
struct run_view {
	const struct segment *segment;
	const struct bits *set;
	const uint32_t *entries;
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
	view.entries = column->entries;
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
	struct edge edge = { .before = runs->matches->before[run] -
				       runs->matches->before[runs->first] };
	uint32_t items = 0;
	bool matches;
	if (run < runs->end) {
		struct run_view view = view_of(search, lane, runs, run);
		items = items_before(&view, t_ns);
		edge.before +=
			bits_below(view.set, view.first + items) - bits_below(view.set, view.first);
		matches = items > 0 && bits_has(view.set, view.first + items - 1);
	}
	if (items == 0)
		matches = last_matches(search, lane, runs, run);
	struct span span;
	edge.goes_on =
		matches && lane_span_at(search->trace, lane, t_ns, &span) && span.start_ns < t_ns;
	return edge;
}

/* ---- unions */

struct piece_list {
	struct radix_item *items; /* key: start, value: end */
	size_t count, capacity;
};

static bool
add_piece(struct piece_list *pieces, int64_t start_ns, int64_t end_ns, struct error *err)
{
	if (pieces->count > 0 && pieces->items[pieces->count - 1].value == (uint64_t)start_ns) {
		pieces->items[pieces->count - 1].value = (uint64_t)end_ns;
		return true;
	}
	if (!array_reserve(&pieces->items, &pieces->capacity, pieces->count + 1,
		    sizeof(*pieces->items), err))
		return false;
	pieces->items[pieces->count++] =
		(struct radix_item){ (uint64_t)start_ns, (uint64_t)end_ns };
	return true;
}

/* When the last state of a goroutine's run ends; what is open holds at the trace's very end too. */
static int64_t
run_end_ns(const struct search *search, goroutine_ref goroutine, uint32_t index)
{
	const struct run_list *list = &search->trace->directory.goroutines;
	if (index + 1 < list->first[goroutine + 1]) {
		struct run_ref next = list->runs[index + 1];
		const struct segment *segment = trace_segment(search->trace, next.segment);
		return segment_start_ns(segment, segment->runs[next.run].first);
	}
	int64_t end_ns = trace_goroutine(search->trace, goroutine)->end_ns;
	return end_ns == TIME_OPEN ? search->trace->end_ns + 1 : end_ns;
}

/* Neighbours that match become one piece. */
static bool
add_run(const struct search *search, goroutine_ref goroutine, uint32_t index,
	struct piece_list *pieces, struct error *err)
{
	struct run_ref ref = search->trace->directory.goroutines.runs[index];
	const struct segment *segment = trace_segment(search->trace, ref.segment);
	const struct bits *set = &search->states.sets[ref.segment];
	uint32_t end = segment->runs[ref.run].first + segment->runs[ref.run].count;
	uint32_t i = bits_next(set, segment->runs[ref.run].first, end, true);
	while (i < end) {
		uint32_t after = bits_next(set, i, end, false);
		int64_t end_ns = after < end ? segment_start_ns(segment, after)
					     : run_end_ns(search, goroutine, index);
		if (!add_piece(pieces, segment_start_ns(segment, i), end_ns, err))
			return false;
		i = bits_next(set, after, end, true);
	}
	return true;
}

static bool
add_goroutine(const struct search *search, goroutine_ref goroutine, struct piece_list *pieces,
	struct error *err)
{
	const uint32_t *before = search->states.before;
	const uint32_t *first = &search->trace->directory.goroutines.first[goroutine];
	if (before[first[0]] == before[first[1]])
		return true;
	for (uint32_t i = first[0]; i < first[1]; i++)
		if (before[i] != before[i + 1] && !add_run(search, goroutine, i, pieces, err))
			return false;
	return true;
}

/* Sorts the pieces and lets those that touch or overlap become one. */
static bool
unite(struct piece_list *pieces, struct error *err)
{
	if (!radix_sort(pieces->items, pieces->count, err))
		return false;
	size_t kept = 0;
	for (size_t i = 0; i < pieces->count; i++) {
		struct radix_item piece = pieces->items[i];
		if (kept == 0 || piece.key > pieces->items[kept - 1].value)
			pieces->items[kept++] = piece;
		else if (piece.value > pieces->items[kept - 1].value)
			pieces->items[kept - 1].value = piece.value;
	}
	pieces->count = kept;
	return true;
}

static bool
keep_union(struct match_union *matches, const struct piece_list *pieces, struct error *err)
{
	size_t size = (pieces->count + 1) * sizeof(*matches->start_ns);
	matches->start_ns = memory_realloc(NULL, size);
	matches->end_ns = memory_realloc(NULL, size);
	if (matches->start_ns == NULL || matches->end_ns == NULL)
		return error_set_memory(err, "the search");
	for (size_t i = 0; i < pieces->count; i++) {
		matches->start_ns[i] = (int64_t)pieces->items[i].key;
		matches->end_ns[i] = (int64_t)pieces->items[i].value;
	}
	matches->count = pieces->count;
	return true;
}

void
match_union_release(struct match_union *matches)
{
	memory_free(matches->start_ns);
	memory_free(matches->end_ns);
	*matches = (struct match_union){ 0 };
}

static bool
add_members(
	const struct search *search, struct lane lane, struct piece_list *pieces, struct error *err)
{
	const struct trace *trace = search->trace;
	uint32_t first = 0, count = trace_goroutine_count(trace);
	if (lane.type == LANE_GROUP) {
		first = trace->groups[lane.ref].first;
		count = trace->groups[lane.ref].count;
	}
	for (uint32_t i = 0; i < count; i++) {
		goroutine_ref goroutine =
			lane.type == LANE_GROUP ? trace->group_members[first + i] : i;
		if (!add_goroutine(search, goroutine, pieces, err))
			return false;
	}
	return true;
}

/* Without memory the union stays empty: a picture without marks. */
static void
build_union(const struct search *search, struct lane lane, struct match_union *matches)
{
	struct piece_list pieces = { 0 };
	struct error err = { 0 };
	if (!add_members(search, lane, &pieces, &err) || !unite(&pieces, &err) ||
		!keep_union(matches, &pieces, &err))
		match_union_release(matches);
	matches->is_built = true;
	memory_free(pieces.items);
}

/* NULL for other types of lanes. */
static const struct match_union *
find_union(struct search *search, struct lane lane)
{
	struct match_union *matches = NULL;
	if (lane.type == LANE_ALL)
		matches = &search->all;
	else if (lane.type == LANE_GROUP && lane.ref < search->trace->group_count)
		matches = &search->groups[lane.ref];
	if (matches != NULL && !matches->is_built)
		build_union(search, lane, matches);
	return matches;
}

static struct edge
union_edge(const struct match_union *matches, int64_t t_ns)
{
	size_t low = 0, high = matches->count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (matches->start_ns[middle] < t_ns)
			low = middle + 1;
		else
			high = middle;
	}
	return (struct edge){ low, low > 0 && matches->end_ns[low - 1] > t_ns };
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

/* Marks the cells [first, end) between two edges; halves them until nothing or one is left. */
static void
strip_mark(const struct strip *strip, int first, struct edge from, int end, struct edge to)
{
	if (from.before == to.before && !from.goes_on)
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

static size_t
matches_bytes(
	const struct search *search, const struct run_list *list, const struct run_matches *matches)
{
	size_t total = ((size_t)run_count(list) + 1) * sizeof(*matches->before);
	for (uint32_t i = 0; i < search->segment_count; i++)
		total += bits_bytes(&matches->sets[i]) + sizeof(*matches->sets);
	return total;
}

size_t
search_bytes(const struct search *search)
{
	const struct directory *directory = &search->trace->directory;
	size_t total = sizeof(*search) + bits_bytes(&search->goroutines) +
		       matches_bytes(search, &directory->goroutines, &search->states) +
		       matches_bytes(search, &directory->procs, &search->procs) +
		       matches_bytes(search, &directory->threads, &search->threads) +
		       search->old_count * sizeof(*search->old) +
		       search->all.count * 2 * sizeof(int64_t);
	for (uint32_t i = 0; i < search->trace->group_count; i++)
		total += sizeof(*search->groups) + search->groups[i].count * 2 * sizeof(int64_t);
	for (uint32_t i = 0; i < search->segment_count; i++)
		if (search->order[i] != NULL)
			total += (size_t)(search->start[i + 1] - search->start[i]) *
				 sizeof(**search->order);
	return total;
}

/*
 * Matches on lanes. The question is asked at edges of time: how many matching
 * spans of the lane began before this moment, and does one of them go on? Two edges answer for the
 * interval between them, in O(log n). Lanes of many goroutines are asked
 * through the union of their matches.
 */
#include <string.h>

#include "base/memory.h"
#include "query/search_internal.h"
#include "trace/series.h"

enum { EDGES_MOST = SERIES_EACH_MOST }; /* at a time */

struct edge {
	uint64_t before; /* matches that began before it */
	bool goes_on;    /* the last span of all that did is one and has not ended; so for unions */
};

/* A strip of cells on a lane, while its marks are found. */
struct strip {
	const struct match_union *matches; /* NULL: by runs */
	const struct run_matches *by_run;
	struct series series;
	uint32_t first_run; /* of the lane among all runs */
};

/* ---- lanes with an order of their own: goroutines, procs, threads */

/* False for other types of lanes, for refs that are none, and where nothing matches. */
static bool
open_runs(struct strip *strip, const struct search *search, struct lane lane)
{
	const struct directory *directory = &search->trace->directory;
	const struct run_list *list = NULL;
	if (lane.type == LANE_GOROUTINE) {
		list = &directory->goroutines;
		strip->by_run = &search->states;
	} else if (lane.type == LANE_PROC) {
		list = &directory->procs;
		strip->by_run = &search->procs;
	} else if (lane.type == LANE_THREAD) {
		list = &directory->threads;
		strip->by_run = &search->threads;
	}
	if (list == NULL || !series_open(search->trace, lane, &strip->series))
		return false;
	strip->first_run = list->first[lane.ref];
	const uint32_t *before = &strip->by_run->before[strip->first_run];
	return before[0] != before[strip->series.run_count];
}

bool
search_has_any(const struct search *search, struct lane lane)
{
	const struct trace *trace = search->trace;
	struct strip strip;
	if (lane.type == LANE_ALL)
		return search_count(search) > 0;
	if (lane.type != LANE_GROUP)
		return open_runs(&strip, search, lane);
	const struct group *group = &trace->groups[lane.ref];
	for (uint32_t i = 0; i < group->count; i++) {
		struct lane member = { LANE_GOROUTINE, trace->group_members[group->first + i] };
		if (open_runs(&strip, search, member))
			return true;
	}
	return false;
}

static bool
item_goes_on(const struct series *series, const struct item *item, int64_t t_ns)
{
	bool is_open;
	int64_t end_ns = item_end_ns(series, item, &is_open);
	return item_class(series, item) != CLASS_GONE &&
	       (t_ns < end_ns || (is_open && t_ns == end_ns));
}

/* The item is the last that began before t. */
static struct edge
run_edge(const struct strip *strip, const struct item *item, int64_t t_ns)
{
	if (item->count == 0)
		return (struct edge){ 0 };
	const struct bits *set = &strip->by_run->sets[strip->series.runs[item->at].segment];
	const uint32_t *before = &strip->by_run->before[strip->first_run];
	uint32_t last = item->first + item->index;
	return (struct edge){
		.before = before[item->at] - before[0] + bits_below(set, last + 1) -
			  bits_below(set, item->first),
		.goes_on = bits_has(set, last) && item_goes_on(&strip->series, item, t_ns),
	};
}

static void
run_edges(const struct strip *strip, const int64_t *t_ns, int count, struct edge *edges)
{
	int64_t before_ns[EDGES_MOST] = { 0 };
	struct item items[EDGES_MOST];
	for (int i = 0; i < count; i++)
		before_ns[i] = t_ns[i] > INT64_MIN ? t_ns[i] - 1 : t_ns[i];
	series_find_each(&strip->series, before_ns, count, items);
	for (int i = 0; i < count; i++)
		edges[i] = run_edge(strip, &items[i], t_ns[i]);
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
	else if (lane.type == LANE_GROUP && lane.ref < search->group_count)
		matches = &search->groups[lane.ref];
	if (matches == NULL || atomic_load_explicit(&matches->is_built, memory_order_acquire))
		return matches;
	if (search->watch != NULL && lane.type == LANE_GROUP &&
		search->trace->groups[lane.ref].count > 1)
		return &none;
	match_union_build(search, lane, matches);
	return matches;
}

static void
union_edges(const struct match_union *matches, const int64_t *t_ns, int count, struct edge *edges)
{
	size_t low = 0;
	for (int i = 0; i < count; i++) {
		size_t high = matches->count;
		while (low < high) {
			size_t middle = low + (high - low) / 2;
			if (matches->pieces[middle].start_ns < t_ns[i])
				low = middle + 1;
			else
				high = middle;
		}
		edges[i].before = low;
		edges[i].goes_on = low > 0 && matches->pieces[low - 1].end_ns > t_ns[i];
	}
}

/* ---- questions */

static bool
strip_open(struct strip *strip, struct search *search, struct lane lane)
{
	strip->matches = find_union(search, lane);
	return strip->matches != NULL ? strip->matches->count > 0 : open_runs(strip, search, lane);
}

static void
strip_edges(const struct strip *strip, const int64_t *t_ns, int count, struct edge *edges)
{
	if (strip->matches != NULL)
		union_edges(strip->matches, t_ns, count, edges);
	else
		run_edges(strip, t_ns, count, edges);
}

/* Whether a match overlaps the time between two edges. */
static bool
has_match(const struct edge *from, const struct edge *until)
{
	return from->before != until->before || from->goes_on;
}

void
search_cells(struct search *search, struct lane lane, int64_t t0_ns, int64_t t1_ns, int cells,
	bool *marks)
{
	if (cells <= 0)
		return;
	memset(marks, 0, (size_t)cells * sizeof(*marks));
	struct strip strip;
	int64_t moments_ns[EDGES_MOST] = { t0_ns, t1_ns };
	struct edge edges[EDGES_MOST];
	if (t0_ns >= t1_ns || !strip_open(&strip, search, lane))
		return;
	strip_edges(&strip, moments_ns, 2, edges);
	if (!has_match(&edges[0], &edges[1]))
		return;
	/* The last edge of a batch is the first of the next. */
	for (int first = 0; first < cells; first += EDGES_MOST - 1) {
		int count = cells - first < EDGES_MOST - 1 ? cells - first + 1 : EDGES_MOST;
		for (int i = 0; i < count; i++)
			moments_ns[i] = lane_edge(t0_ns, t1_ns, cells, first + i);
		strip_edges(&strip, moments_ns, count, edges);
		for (int i = 0; i + 1 < count; i++)
			marks[first + i] = has_match(&edges[i], &edges[i + 1]);
	}
}

bool
search_overlaps(struct search *search, struct lane lane, int64_t t0_ns, int64_t t1_ns)
{
	bool mark = false;
	search_cells(search, lane, t0_ns, t1_ns, 1, &mark);
	return mark;
}

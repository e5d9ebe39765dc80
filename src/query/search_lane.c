/*
 * Matches on lanes. The question is asked at edges of time: how many matching
 * spans of the lane began before this moment, and does one of them go on? Two edges answer for the
 * interval between them, in O(log n). Lanes of many actors are asked
 * through the union of their matches.
 */
#include <string.h>

#include "query/search_internal.h"
#include "trace/lane.h"
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

/* ---- lanes with an order of their own: actors, processors, threads */

/* False for other types of lanes, for refs that are none, and where nothing matches. */
static bool
open_runs(struct strip *strip, const struct search *search, struct lane lane)
{
	const struct directory *directory = &search->trace->directory;
	const struct run_list *list = NULL;
	if (lane.type == LANE_ACTOR) {
		list = &directory->actors;
		strip->by_run = &search->states;
	} else if (lane.type == LANE_PROCESSOR) {
		list = &directory->processors;
		strip->by_run = &search->processors;
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
search_has_slices(const struct search *search, struct lane lane)
{
	const struct slices *slices = search->trace->slices;
	track_ref first;
	uint32_t count;
	if (search->slices.count == 0 || (lane.type != LANE_ACTOR && lane.type != LANE_PROCESSOR))
		return false;
	if (lane.type == LANE_PROCESSOR)
		return lane.ref < search->processor_count &&
		       search->slice_unions[lane.ref].count > 0;
	slices_tracks_of(slices, TRACK_OF_ACTOR, lane.ref, &first, &count);
	for (track_ref i = first; i < first + count; i++) {
		const struct track *track = slices_track_at(slices, i);
		for (uint32_t depth = 0; depth < track->depth_count; depth++) {
			column_ref column = track->first_column + depth;
			if (search_slices_have(search, column, 0, slices_in_column(slices, column)))
				return true;
		}
	}
	return false;
}

bool
search_has_any(const struct search *search, struct lane lane)
{
	const struct trace *trace = search->trace;
	struct strip strip;
	if (lane.type == LANE_ALL)
		return search_count(search) > 0 || search->slices.count > 0;
	if (lane.type != LANE_GROUP)
		return open_runs(&strip, search, lane) || search_has_slices(search, lane);
	const struct group *group = &trace->groups[lane.ref];
	for (uint32_t i = 0; i < group->count; i++) {
		struct lane member = { LANE_ACTOR, trace->group_members[group->first + i] };
		if (open_runs(&strip, search, member) || search_has_slices(search, member))
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
just_before(const int64_t *t_ns, int count, int64_t *before_ns)
{
	for (int i = 0; i < count; i++)
		before_ns[i] = t_ns[i] > INT64_MIN ? t_ns[i] - 1 : t_ns[i];
}

static void
run_edges(const struct strip *strip, const int64_t *t_ns, int count, struct edge *edges)
{
	int64_t before_ns[EDGES_MOST] = { 0 };
	struct item items[EDGES_MOST];
	just_before(t_ns, count, before_ns);
	series_find_each(&strip->series, before_ns, count, items);
	for (int i = 0; i < count; i++)
		edges[i] = run_edge(strip, &items[i], t_ns[i]);
}

/* ---- unions */

bool
search_is_settled(const struct search *search, struct lane lane)
{
	return lane.type != LANE_GROUP || lane.ref >= search->group_count ||
	       search->watch == NULL || search->trace->groups[lane.ref].count < 2 ||
	       atomic_load_explicit(&search->groups[lane.ref].is_built, memory_order_acquire);
}

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
	if (!search_is_settled(search, lane))
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

/* Cells next to each other, by their edges, of which there is one more. */
struct stretch {
	int64_t edges_ns[EDGES_MOST];
	int cells;
};

static void
mark_by_edges(const struct strip *strip, const struct stretch *stretch, bool *marks)
{
	struct edge edges[EDGES_MOST];
	strip_edges(strip, stretch->edges_ns, stretch->cells + 1, edges);
	for (int i = 0; i < stretch->cells; i++)
		marks[i] = has_match(&edges[i], &edges[i + 1]);
}

/*
 * What the runs at both edges of a cell say of it, without a look at any item: all of those in
 * the runs between them begin within. The one that goes on into the cell is in the run before, if
 * not in the first; no run of an actor is empty. False where that does not tell.
 */
static bool
is_clear(const struct strip *strip, uint32_t from_run, uint32_t until_run, bool *mark)
{
	const uint32_t *before = &strip->by_run->before[strip->first_run];
	*mark = until_run > from_run && before[until_run] != before[from_run + 1];
	return *mark || (strip->series.lane.type == LANE_ACTOR &&
				before[until_run + 1] == before[from_run > 0 ? from_run - 1 : 0]);
}

static void
mark_by_runs(const struct strip *strip, const struct stretch *stretch, bool *marks)
{
	int64_t before_ns[EDGES_MOST];
	uint32_t runs[EDGES_MOST];
	struct stretch unclear;
	int first = 0;
	just_before(stretch->edges_ns, stretch->cells + 1, before_ns);
	series_runs_by(&strip->series, before_ns, stretch->cells + 1, runs);
	while (first < stretch->cells) {
		int end = first;
		while (end < stretch->cells && !is_clear(strip, runs[end], runs[end + 1], &marks[end]))
			end++;
		unclear.cells = end - first;
		memcpy(unclear.edges_ns, &stretch->edges_ns[first],
			((size_t)unclear.cells + 1) * sizeof *unclear.edges_ns);
		if (unclear.cells > 0)
			mark_by_edges(strip, &unclear, &marks[first]);
		first = end + 1;
	}
}

static void
mark_states(struct search *search, struct lane lane, int64_t t0_ns, int64_t t1_ns, int cells,
	bool *marks)
{
	struct strip strip;
	if (!strip_open(&strip, search, lane))
		return;
	struct stretch stretch = { .edges_ns = { t0_ns, t1_ns }, .cells = 1 };
	bool has_any;
	mark_by_edges(&strip, &stretch, &has_any);
	/* The last edge of a stretch is the first of the next. */
	for (int first = 0; has_any && first < cells; first += EDGES_MOST - 1) {
		stretch.cells = cells - first < EDGES_MOST - 1 ? cells - first : EDGES_MOST - 1;
		for (int i = 0; i <= stretch.cells; i++)
			stretch.edges_ns[i] = lane_edge(t0_ns, t1_ns, cells, first + i);
		if (strip.matches != NULL)
			mark_by_edges(&strip, &stretch, &marks[first]);
		else
			mark_by_runs(&strip, &stretch, &marks[first]);
	}
}

/* ---- slices, beside the states */

/* The cells in which a slice of an actor matches, at any depth. */
static void
mark_actor_slices(const struct search *search, actor_ref actor, int64_t t0_ns, int64_t t1_ns,
	int cells, bool *marks)
{
	const struct slices *slices = search->trace->slices;
	track_ref first;
	uint32_t count;
	slices_tracks_of(slices, TRACK_OF_ACTOR, actor, &first, &count);
	for (track_ref i = first; i < first + count; i++) {
		const struct track *track = slices_track_at(slices, i);
		for (uint32_t depth = 0; depth < track->depth_count; depth++) {
			column_ref column = track->first_column + depth;
			uint32_t from, until;
			slices_range(slices, column, t0_ns, t1_ns, &from, &until);
			if (!search_slices_have(search, column, from, until))
				continue;
			for (int cell = 0; cell < cells; cell++) {
				if (marks[cell])
					continue;
				slices_range(slices, column, lane_edge(t0_ns, t1_ns, cells, cell),
					lane_edge(t0_ns, t1_ns, cells, cell + 1), &from, &until);
				marks[cell] = search_slices_have(search, column, from, until);
			}
		}
	}
}

/* The cells in which one matches: of an actor, of a group's, or of who ran on a processor. */
static void
mark_slices(const struct search *search, struct lane lane, int64_t t0_ns, int64_t t1_ns, int cells,
	bool *marks)
{
	const struct trace *trace = search->trace;
	struct strip strip = { .matches = NULL };
	if (search->slices.count == 0)
		return;
	if (lane.type == LANE_ACTOR)
		mark_actor_slices(search, lane.ref, t0_ns, t1_ns, cells, marks);
	for (uint32_t i = 0; lane.type == LANE_GROUP && i < trace->groups[lane.ref].count; i++)
		mark_actor_slices(search,
			trace->group_members[trace->groups[lane.ref].first + i], t0_ns, t1_ns,
			cells, marks);
	if (lane.type == LANE_PROCESSOR && lane.ref < search->processor_count)
		strip.matches = &search->slice_unions[lane.ref];
	else if (lane.type == LANE_ALL)
		strip.matches = &search->slice_unions[search->processor_count];
	for (int i = 0; strip.matches != NULL && i < cells; i++) {
		struct stretch cell = { .edges_ns = { lane_edge(t0_ns, t1_ns, cells, i),
						lane_edge(t0_ns, t1_ns, cells, i + 1) },
			.cells = 1 };
		bool mark;
		mark_by_edges(&strip, &cell, &mark);
		marks[i] = marks[i] || mark;
	}
}

void
search_cells(struct search *search, struct lane lane, int64_t t0_ns, int64_t t1_ns, int cells,
	bool *marks)
{
	if (cells <= 0)
		return;
	memset(marks, 0, (size_t)cells * sizeof(*marks));
	if (t0_ns >= t1_ns)
		return;
	mark_states(search, lane, t0_ns, t1_ns, cells, marks);
	mark_slices(search, lane, t0_ns, t1_ns, cells, marks);
}

bool
search_overlaps(struct search *search, struct lane lane, int64_t t0_ns, int64_t t1_ns)
{
	bool mark = false;
	search_cells(search, lane, t0_ns, t1_ns, 1, &mark);
	return mark;
}

bool
search_asks_for(struct search *search, actor_ref actor, int64_t start_ns, int64_t end_ns)
{
	struct lane lane = { LANE_ACTOR, actor };
	if (search == NULL)
		return true;
	return actor != REF_NONE &&
	       search_overlaps(search, lane, start_ns, end_ns > start_ns ? end_ns : start_ns + 1);
}

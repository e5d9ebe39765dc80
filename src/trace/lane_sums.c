/* The questions of lane.h about time per class: sums from time 0 on, and their differences. */
#include "trace/lane.h"

#include <string.h>

#include "trace/lane_parts.h"
#include "trace/series.h"

/* The sums of a series at moments that do not go back. */
struct walker {
	const struct series *series;
	bool is_open;                   /* there is an item */
	uint32_t ordinal;               /* of the last one that begins at or before the moment */
	bool has_stand;
	struct item item;               /* where it stands, which is that one; only if has_stand */
	/* The sums at a time within the item, and as what it goes on from there, or came to that. */
	int64_t before_ns[CLASS_COUNT];
	int64_t since_ns, end_ns;       /* a state of an actor lasts until the next */
	enum time_class time_class;
};

/* The sums before an item to which no way leads from where the walker stands. */
static void
walker_enter(struct walker *walker, const struct item *target, const struct item *anchor)
{
	const struct series *series = walker->series;
	int64_t between_ns[CLASS_COUNT] = { 0 };
	struct item behind;

	if (!series_anchor_behind(series, target, anchor, &behind)) {
		series_anchor_sums(series, anchor, walker->before_ns);
		walker->item = *anchor;
		series_pass(series, &walker->item, target, walker->before_ns);
		return;
	}
	series_anchor_sums(series, &behind, walker->before_ns);
	walker->item = *target;
	series_pass(series, &walker->item, &behind, between_ns);
	walker->item = *target;
	for (int i = 0; i < CLASS_COUNT; i++)
		walker->before_ns[i] -= between_ns[i];
}

/*
 * Goes on to an item. What lies between is added up from where the walker stands, or else from
 * the nearest anchor.
 */
static void
walker_stand(struct walker *walker, const struct item *target)
{
	const struct series *series = walker->series;
	struct item anchor;
	bool is_open;

	series_check(series, target);
	series_anchor(series, target, &anchor);
	if (!walker->has_stand || item_ordinal(&walker->item) < item_ordinal(&anchor))
		walker_enter(walker, target, &anchor);
	else
		series_pass(series, &walker->item, target, walker->before_ns);
	walker->has_stand = true;
	walker->since_ns = item_start_ns(&walker->item);
	walker->end_ns = series->lane.type == LANE_ACTOR
	                         ? INT64_MAX
	                         : item_end_ns(series, &walker->item, &is_open);
	walker->time_class = item_class(series, &walker->item);
}

static void
walker_go(struct walker *walker, const struct item *target)
{
	struct sums_behind behind;

	if (walker->is_open && walker->ordinal == item_ordinal(target))
		return;
	walker->is_open = true;
	walker->ordinal = item_ordinal(target);
	if (!series_sums_behind(walker->series, target, &behind)) {
		walker_stand(walker, target);
		return;
	}
	walker->has_stand = false;
	memcpy(walker->before_ns, behind.sums_ns, sizeof(walker->before_ns));
	walker->since_ns = behind.until_ns;
	walker->end_ns =
		walker->series->lane.type == LANE_ACTOR ? INT64_MAX : behind.until_ns;
	walker->time_class = behind.time_class;
}

static void
walker_sums(const struct walker *walker, int64_t t_ns, int64_t sums_ns[CLASS_COUNT])
{
	int64_t end_ns = walker->end_ns < t_ns ? walker->end_ns : t_ns;

	memcpy(sums_ns, walker->before_ns, sizeof(walker->before_ns));
	/* A first state is found for what is before it, too; sums behind a moment are taken back. */
	if (!walker->has_stand || end_ns > walker->since_ns)
		sums_ns[walker->time_class] += end_ns - walker->since_ns;
	sums_ns[CLASS_GONE] = 0;
}

enum { STAGE_AHEAD = 2 }; /* moments */

/*
 * The walk to a moment waits for memory at each run and state that it passes: it shall not for one
 * after the other. Each stage of that is ahead of the next one, the last of the walk.
 */
static void
prefetch_passes(const struct series *series, const struct item *items, int count, int index)
{
	for (int stage = 0; stage < SERIES_PASS_STAGES; stage++) {
		int at = index + (SERIES_PASS_STAGES - stage) * STAGE_AHEAD;
		bool is_new = at >= 0 && at < count &&
		              (at == 0 || item_ordinal(&items[at]) != item_ordinal(&items[at - 1]));

		if (is_new)
			series_prefetch_pass(series, &items[at], stage);
	}
}

static void
series_until(const struct series *series, const int64_t *t_ns, int count,
             int64_t (*sums_ns)[CLASS_COUNT])
{
	struct item items[SERIES_EACH_MOST];
	struct walker walker;

	walker.series = series;
	walker.is_open = walker.has_stand = false;
	series_find_heads(series, t_ns, count, items);
	for (int i = -SERIES_PASS_STAGES * STAGE_AHEAD; i < count; i++) {
		prefetch_passes(series, items, count, i);
		if (i < 0 || items[i].count == 0)
			continue;
		walker_go(&walker, &items[i]);
		walker_sums(&walker, t_ns[i], sums_ns[i]);
	}
}

static void
cover_until(const struct cover *cover, int64_t t_ns, int64_t sums_ns[CLASS_COUNT])
{
	uint32_t index;
	int64_t end_ns;

	if (!cover_find(cover, t_ns, &index))
		return;
	end_ns = cover->end_ns[index] < t_ns ? cover->end_ns[index] : t_ns;
	sums_ns[CLASS_RUNNING] = cover->before_ns[index] + end_ns - cover->start_ns[index];
}

/* ---- any lane */

enum { SUMS_MOST = SERIES_EACH_MOST }; /* moments at a time */

/* Time per class from the beginning of time up to moments that ascend, none after the end. */
static void
lane_until(const struct trace *trace, struct lane lane, const int64_t *t_ns, int count,
           int64_t (*sums_ns)[CLASS_COUNT])
{
	struct series series;

	memset(sums_ns, 0, (size_t)count * sizeof(*sums_ns));
	switch (lane.type) {
	case LANE_ACTOR:
	case LANE_PROCESSOR:
	case LANE_THREAD:
		if (series_open(trace, lane, &series))
			series_until(&series, t_ns, count, sums_ns);
		break;
	case LANE_GROUP:
		if (lane_is_known(trace, lane))
			change_list_until(trace->groups[lane.ref].changes, t_ns, count, sums_ns);
		break;
	case LANE_ALL:
		all_changes_until(&trace->all, t_ns, count, sums_ns);
		break;
	case LANE_GC:
	case LANE_STW:
		for (int i = 0; i < count; i++)
			cover_until(cover_of(trace, lane), t_ns[i], sums_ns[i]);
		break;
	case LANE_TYPE_COUNT:
		break;
	}
}

/* Differences in unsigned arithmetic: sums over very many actors may wrap. */
static void
subtract(int64_t out_ns[CLASS_COUNT], const int64_t before_ns[CLASS_COUNT],
         const int64_t after_ns[CLASS_COUNT])
{
	for (int i = 0; i < CLASS_COUNT; i++)
		out_ns[i] = (int64_t)((uint64_t)after_ns[i] - (uint64_t)before_ns[i]);
}

static int64_t
least(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

void
lane_totals(const struct trace *trace, struct lane lane, int64_t t0_ns, int64_t t1_ns,
            int64_t totals_ns[CLASS_COUNT])
{
	const int64_t moments_ns[2] = { least(t0_ns, trace->end_ns),
		least(t1_ns < t0_ns ? t0_ns : t1_ns, trace->end_ns) };
	int64_t sums_ns[2][CLASS_COUNT];

	lane_until(trace, lane_resolve(trace, lane), moments_ns, 2, sums_ns);
	subtract(totals_ns, sums_ns[0], sums_ns[1]);
}

int
lane_cell_at(int64_t t0_ns, int64_t t1_ns, int cells, int64_t t_ns)
{
	if (t_ns < t0_ns || cells <= 1)
		return 0;
	if (t_ns >= t1_ns)
		return cells - 1;
	double width = (double)((uint64_t)t1_ns - (uint64_t)t0_ns);
	double passed = (double)((uint64_t)t_ns - (uint64_t)t0_ns + 1);
	int cell = (int)(passed / width * cells);

	/* Which is the one asked for or the one behind it, but for rounding. */
	cell = cell < cells ? cell : cells - 1;
	while (cell > 0 && lane_edge(t0_ns, t1_ns, cells, cell) > t_ns)
		cell--;
	while (cell + 1 < cells && lane_edge(t0_ns, t1_ns, cells, cell + 1) <= t_ns)
		cell++;
	return cell;
}

void
lane_cells(const struct trace *trace, struct lane lane, int64_t t0_ns, int64_t t1_ns, int cells,
           int64_t (*totals_ns)[CLASS_COUNT])
{
	struct lane resolved = lane_resolve(trace, lane);
	int64_t moments_ns[SUMS_MOST], sums_ns[SUMS_MOST][CLASS_COUNT];

	/* The last moment of a batch is the first of the next. */
	for (int first = 0; first < cells; first += SUMS_MOST - 1) {
		int count = cells - first < SUMS_MOST - 1 ? cells - first + 1 : SUMS_MOST;

		for (int i = 0; i < count; i++)
			moments_ns[i] = least(lane_edge(t0_ns, t1_ns, cells, first + i),
			                      trace->end_ns);
		lane_until(trace, resolved, moments_ns, count, sums_ns);
		for (int i = 0; i + 1 < count; i++)
			subtract(totals_ns[first + i], sums_ns[i], sums_ns[i + 1]);
	}
}

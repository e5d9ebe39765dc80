/* Asks the search for each actor while it works. */
#include "analysis/task_match.h"

#include <string.h>

#include "query/search.h"
#include "trace/lane.h"

static struct lane
lane_of(const struct task_work *work)
{
	return (struct lane){ LANE_ACTOR, work->actor };
}

bool
task_life_matches(const struct task_life *life, struct search *search)
{
	for (size_t i = 0; i < life->work_count; i++) {
		const struct task_work *work = &life->works[i];
		if (search_overlaps(search, lane_of(work), work->start_ns, work->end_ns))
			return true;
	}
	return false;
}

/* A strip of cells over [t0, t1). */
struct strip {
	int64_t t0_ns, t1_ns;
	int cells;
	bool *marks;
	int unmarked; /* of them */
};

/* What of a work lies in the strip, cell by cell. */
static void
mark_work(struct strip *strip, struct search *search, const struct task_work *work)
{
	int64_t start_ns = work->start_ns > strip->t0_ns ? work->start_ns : strip->t0_ns;
	int64_t end_ns = work->end_ns < strip->t1_ns ? work->end_ns : strip->t1_ns;
	if (!search_overlaps(search, lane_of(work), start_ns, end_ns))
		return;
	int cell = lane_cell_at(strip->t0_ns, strip->t1_ns, strip->cells, start_ns);
	for (; cell < strip->cells; cell++) {
		int64_t from_ns = lane_edge(strip->t0_ns, strip->t1_ns, strip->cells, cell);
		int64_t until_ns = lane_edge(strip->t0_ns, strip->t1_ns, strip->cells, cell + 1);
		if (from_ns >= end_ns)
			return;
		from_ns = from_ns > start_ns ? from_ns : start_ns;
		until_ns = until_ns < end_ns ? until_ns : end_ns;
		if (strip->marks[cell] ||
			!search_overlaps(search, lane_of(work), from_ns, until_ns))
			continue;
		strip->marks[cell] = true;
		strip->unmarked--;
	}
}

void
task_life_match_cells(const struct task_life *life, struct search *search, int64_t t0_ns,
	int64_t t1_ns, int cells, bool *marks)
{
	struct strip strip = { t0_ns, t1_ns, cells, marks, .unmarked = cells };
	memset(marks, 0, (size_t)cells * sizeof *marks);
	for (size_t i = 0; i < life->work_count && strip.unmarked > 0; i++)
		mark_work(&strip, search, &life->works[i]);
}

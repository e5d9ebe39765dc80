/* The pieces are found actor by actor. */
#include "analysis/go/assists.h"

#include "base/job.h"
#include "base/memory.h"
#include "query/radix.h"
#include "trace/lane.h"
#include "trace/series.h"

struct maker {
	struct piece_list list;
	int64_t end_ns; /* of the actor's ranges so far */
	const atomic_bool *is_cancelled; /* NULL: never */
	struct error *err;
};

/* What the actor ran within [start, end). */
static bool
add_running(struct maker *maker, const struct series *series, int64_t start_ns, int64_t end_ns)
{
	struct item item;
	bool is_there = series_find(series, start_ns, &item), is_open;
	if (!is_there) {
		series_enter(series, 0, &item);
		is_there = true;
	}
	for (; is_there && item_start_ns(&item) < end_ns; is_there = series_step(series, &item)) {
		if (item_class(series, &item) != CLASS_RUNNING)
			continue;
		int64_t from_ns = item_start_ns(&item), until_ns = item_end_ns(series, &item, &is_open);
		if (!piece_list_add(&maker->list, series->lane, from_ns > start_ns ? from_ns : start_ns,
			    until_ns < end_ns ? until_ns : end_ns, maker->err))
			return false;
	}
	return true;
}

/*
 * The trace's assists by actor, each one's by time. What one of damaged traces shares with the
 * one before it counts once.
 */
static bool
list_assists(struct maker *maker)
{
	const struct trace *trace = maker->list.trace;
	const struct ref_index *index = &trace->assists;
	size_t count = index->first == NULL ? 0 : index->first[index->key_count];
	struct radix_item *items = array_new_unset(count, sizeof *items, maker->err);
	struct series series;
	bool is_fine = items != NULL, has_states = false;
	for (size_t i = 0; is_fine && i < count; i++)
		items[i] = (struct radix_item){ trace_range(trace, index->refs[i])->scope,
			index->refs[i] };
	is_fine = is_fine && radix_sort(items, count, maker->is_cancelled, maker->err);
	for (size_t i = 0; is_fine && i < count; i++) {
		const struct range *range = trace_range(trace, (range_ref)items[i].value);
		if (i == 0 || items[i - 1].key != items[i].key) {
			actor_ref actor = (actor_ref)items[i].key;
			has_states = actor < trace_actor_count(trace) &&
				     series_open(trace, (struct lane){ LANE_ACTOR, actor },
					     &series);
			maker->end_ns = INT64_MIN;
		}
		if (!has_states)
			continue;
		int64_t start_ns = range->start_ns, end_ns = trace_range_end_ns(trace, range);
		start_ns = start_ns > maker->end_ns ? start_ns : maker->end_ns;
		if (is_fine && start_ns < end_ns)
			is_fine = job_goes_on(maker->is_cancelled, maker->err) &&
				  add_running(maker, &series, start_ns, end_ns);
		maker->end_ns = end_ns > maker->end_ns ? end_ns : maker->end_ns;
	}
	memory_free(items);
	return is_fine;
}

bool
assists_build(struct pieces *assists, const struct trace *trace, const atomic_bool *is_cancelled,
	struct error *err)
{
	struct maker maker = { .list.trace = trace, .is_cancelled = is_cancelled, .err = err };
	if (list_assists(&maker))
		return pieces_build(assists, &maker.list, is_cancelled, err);
	piece_list_release(&maker.list);
	*assists = (struct pieces){ 0 };
	return false;
}

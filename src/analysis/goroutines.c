/* Goes once through the states, goroutine by goroutine; of each only what is not 0 is kept. */
#include "analysis/goroutines.h"

#include <stdlib.h>
#include <string.h>

#include "base/checked.h"
#include "base/memory.h"
#include "query/search.h"
#include "trace/series.h"

struct gathering {
	const struct trace *trace;
	struct goroutine_times *times;
	const struct search *only;
	int64_t t0_ns, t1_ns;
	size_t row_capacity, time_capacity, function_capacity;
	uint32_t measure_of[KIND_MAX + 1]; /* kind of state -> measure; of a blocked one its reason's */
	int64_t sums_ns[MEASURE_MOST];     /* of the goroutine */
	int64_t *swept_ns;                 /* by goroutine; NULL where nothing is said of it */
};

static int64_t
clipped(const struct gathering *gathering, int64_t start_ns, int64_t end_ns)
{
	start_ns = start_ns > gathering->t0_ns ? start_ns : gathering->t0_ns;
	end_ns = end_ns < gathering->t1_ns ? end_ns : gathering->t1_ns;
	return end_ns > start_ns ? end_ns - start_ns : 0;
}

static void
add(int64_t *sum_ns, int64_t ns)
{
	*sum_ns = saturating_add_i64(*sum_ns, ns);
}

/* ---- measures */

static uint32_t
measure_of_reason(struct goroutine_times *times, string_id reason)
{
	uint32_t index = 0;
	while (index < times->reason_count && times->reasons[index] != reason)
		index++;
	if (index == times->reason_count)
		times->reasons[times->reason_count++] = reason;
	return MEASURE_REASONS + index;
}

static bool
name_measures(struct gathering *gathering, struct error *err)
{
	static const uint32_t of_state[STATE_COUNT] = {
		[STATE_GONE] = MEASURE_LIFE, /* which ends: never added up */
		[STATE_UNKNOWN] = MEASURE_UNKNOWN,
		[STATE_RUNNING] = MEASURE_RUNNING,
		[STATE_READY] = MEASURE_READY,
		[STATE_SYSCALL] = MEASURE_SYSCALL,
	};
	const struct trace *trace = gathering->trace;
	struct goroutine_times *times = gathering->times;
	times->reasons = array_new(trace->kind_count, sizeof(*times->reasons), err);
	if (times->reasons == NULL)
		return false;
	for (uint32_t i = 0; i < trace->kind_count; i++) {
		const struct state_kind *kind = &trace->kinds[i];
		gathering->measure_of[i] = kind->state == STATE_BLOCKED
						   ? measure_of_reason(times, kind->reason)
						   : of_state[kind->state];
	}
	return true;
}

/* ---- one goroutine */

/* A state of a goroutine, and where it is. */
struct place {
	uint32_t segment, state, measure;
	int64_t start_ns;
};

static struct place
place_of(const struct gathering *gathering, const struct series *series, const struct item *item)
{
	uint32_t state = item_state(item);
	return (struct place){
		.segment = series->runs[item->at].segment,
		.state = state,
		.measure = gathering->measure_of[item->segment->kind[state] & KIND_MASK],
		.start_ns = segment_start_ns(item->segment, state),
	};
}

static void
add_state(struct gathering *gathering, const struct place *place, int64_t end_ns)
{
	int64_t ns = clipped(gathering, place->start_ns, end_ns);
	if (place->measure == MEASURE_LIFE || ns == 0)
		return;
	if (gathering->only != NULL &&
		!search_matches(gathering->only, place->segment, place->state))
		return;
	add(&gathering->sums_ns[MEASURE_LIFE], ns);
	add(&gathering->sums_ns[place->measure], ns);
	if (place->measure >= MEASURE_REASONS)
		add(&gathering->sums_ns[MEASURE_BLOCKED], ns);
}

static void
add_states(struct gathering *gathering, goroutine_ref goroutine)
{
	const struct trace *trace = gathering->trace;
	struct series series;
	struct item item;
	if (!series_open(trace, (struct lane){ LANE_GOROUTINE, goroutine }, &series))
		return;
	if (!series_find(&series, gathering->t0_ns, &item))
		series_enter(&series, 0, &item);
	struct place place = place_of(gathering, &series, &item);
	while (place.start_ns < gathering->t1_ns && series_step(&series, &item)) {
		struct place next = place_of(gathering, &series, &item);
		add_state(gathering, &place, next.start_ns);
		place = next;
	}
	add_state(gathering, &place, trace->end_ns);
}

static int64_t
range_within(const struct gathering *gathering, const struct range *range)
{
	int64_t end_ns = trace_range_end_ns(gathering->trace, range);
	return clipped(gathering, range->start_ns, end_ns);
}

static void
add_ranges(struct gathering *gathering, goroutine_ref goroutine)
{
	const struct ref_index *index = &gathering->trace->goroutine_ranges;
	if (gathering->only != NULL)
		return;
	add(&gathering->sums_ns[MEASURE_SWEEP], gathering->swept_ns[goroutine]);
	if (goroutine >= index->key_count)
		return;
	for (uint32_t i = index->first[goroutine]; i < index->first[goroutine + 1]; i++) {
		const struct range *range = trace_range(gathering->trace, index->refs[i]);
		if (range->type == RANGE_MARK_ASSIST)
			add(&gathering->sums_ns[MEASURE_ASSIST], range_within(gathering, range));
	}
}

/* Sweeps are told of procs; who swept is told beside. */
static bool
add_sweeps(struct gathering *gathering, struct error *err)
{
	const struct trace *trace = gathering->trace;
	if (gathering->only != NULL)
		return true;
	gathering->swept_ns =
		array_new(trace_goroutine_count(trace), sizeof(*gathering->swept_ns), err);
	if (gathering->swept_ns == NULL)
		return false;
	for (uint32_t i = 0; i < trace->ranges.count; i++) {
		const struct range *range = trace_range(trace, i);
		if (range->type == RANGE_SWEEP && range->goroutine != REF_NONE)
			add(&gathering->swept_ns[range->goroutine], range_within(gathering, range));
	}
	return true;
}

/* Keeps what there is of the goroutine, unless nothing of it matches. */
static bool
keep_row(struct gathering *gathering, goroutine_ref goroutine, struct error *err)
{
	struct goroutine_times *times = gathering->times;
	uint32_t measures = MEASURE_REASONS + times->reason_count;
	if (gathering->only != NULL && gathering->sums_ns[MEASURE_LIFE] == 0)
		return true;
	if (!array_reserve(&times->rows, &gathering->row_capacity, (size_t)times->row_count + 1,
		    sizeof(*times->rows), err) ||
		!array_reserve(&times->times, &gathering->time_capacity,
			times->time_count + measures, sizeof(*times->times), err))
		return false;
	struct goroutine_row *row = &times->rows[times->row_count++];
	*row = (struct goroutine_row){ goroutine, times->time_count, 0 };
	for (uint32_t i = 0; i < measures; i++)
		if (gathering->sums_ns[i] != 0)
			times->times[times->time_count++] =
				(struct goroutine_time){ gathering->sums_ns[i], i };
	row->count = (uint32_t)(times->time_count - row->first);
	return true;
}

static bool
gather(struct gathering *gathering, string_id function, struct error *err)
{
	const struct trace *trace = gathering->trace;
	uint32_t measures = MEASURE_REASONS + gathering->times->reason_count;
	for (goroutine_ref i = 0; i < trace_goroutine_count(trace); i++) {
		const struct goroutine *goroutine = trace_goroutine(trace, i);
		bool is_out = goroutine->first_ns >= gathering->t1_ns ||
			      goroutine->end_ns < gathering->t0_ns;
		if (is_out || (function != STRING_EMPTY && goroutine->name != function))
			continue;
		memset(gathering->sums_ns, 0, measures * sizeof(*gathering->sums_ns));
		add_states(gathering, i);
		add_ranges(gathering, i);
		if (!keep_row(gathering, i, err))
			return false;
	}
	return true;
}

/* ---- order */

/* What rows are sorted by. */
struct sorted_row {
	struct goroutine_row row;
	string_id name;
	int64_t life_ns;
};

static int
compare_rows(const void *a, const void *b)
{
	const struct sorted_row *left = a, *right = b;
	if (left->name != right->name)
		return left->name < right->name ? -1 : 1;
	if (left->life_ns != right->life_ns)
		return left->life_ns > right->life_ns ? -1 : 1;
	return (left->row.goroutine > right->row.goroutine) -
	       (left->row.goroutine < right->row.goroutine);
}

static int
compare_functions(const void *a, const void *b)
{
	const struct goroutine_function *left = a, *right = b;
	if (left->running_ns != right->running_ns)
		return left->running_ns > right->running_ns ? -1 : 1;
	return (left->first > right->first) - (left->first < right->first);
}

static bool
sort_rows(const struct trace *trace, struct goroutine_times *times, struct error *err)
{
	struct sorted_row *sorted = array_new_unset(times->row_count, sizeof(*sorted), err);
	if (sorted == NULL)
		return false;
	for (uint32_t i = 0; i < times->row_count; i++)
		sorted[i] = (struct sorted_row){ times->rows[i],
			trace_goroutine(trace, times->rows[i].goroutine)->name,
			goroutines_time(times, i, MEASURE_LIFE) };
	if (times->row_count > 0)
		qsort(sorted, times->row_count, sizeof(*sorted), compare_rows);
	for (uint32_t i = 0; i < times->row_count; i++)
		times->rows[i] = sorted[i].row;
	memory_free(sorted);
	return true;
}

static bool
group_rows(struct gathering *gathering, struct error *err)
{
	struct goroutine_times *times = gathering->times;
	struct goroutine_function *function = NULL;
	for (uint32_t i = 0; i < times->row_count; i++) {
		string_id name = trace_goroutine(gathering->trace, times->rows[i].goroutine)->name;
		if (function == NULL || function->name != name) {
			if (!array_reserve(&times->functions, &gathering->function_capacity,
				    (size_t)times->function_count + 1, sizeof(*function), err))
				return false;
			function = &times->functions[times->function_count++];
			*function = (struct goroutine_function){ .name = name, .first = i };
		}
		function->count++;
		for (uint32_t n = 0; n < times->rows[i].count; n++)
			function->has[times->times[times->rows[i].first + n].measure] = true;
		add(&function->running_ns, goroutines_time(times, i, MEASURE_RUNNING));
	}
	if (times->function_count > 0)
		qsort(times->functions, times->function_count, sizeof(*times->functions),
			compare_functions);
	return true;
}

/* ---- asking */

bool
goroutines_build(struct goroutine_times *times, const struct trace *trace, int64_t t0_ns,
	int64_t t1_ns, string_id function, const struct search *only, struct error *err)
{
	*times = (struct goroutine_times){ 0 };
	struct gathering gathering = {
		.trace = trace, .times = times, .only = only, .t0_ns = t0_ns, .t1_ns = t1_ns
	};
	bool is_fine = name_measures(&gathering, err) && add_sweeps(&gathering, err) &&
		       gather(&gathering, function, err) && sort_rows(trace, times, err) &&
		       group_rows(&gathering, err);
	memory_free(gathering.swept_ns);
	if (!is_fine)
		goroutines_release(times);
	return is_fine;
}

void
goroutines_release(struct goroutine_times *times)
{
	memory_free(times->reasons);
	memory_free(times->rows);
	memory_free(times->times);
	memory_free(times->functions);
	*times = (struct goroutine_times){ 0 };
}

int64_t
goroutines_time(const struct goroutine_times *times, uint32_t row, uint32_t measure)
{
	const struct goroutine_time *time = &times->times[times->rows[row].first];
	const struct goroutine_time *end = time + times->rows[row].count;
	while (time < end && time->measure < measure)
		time++;
	return time < end && time->measure == measure ? time->ns : 0;
}

struct spread
goroutines_spread(const struct goroutine_times *times, const struct goroutine_function *function,
	uint32_t measure, int64_t *scratch, uint32_t *longest)
{
	size_t count = 0;
	int64_t longest_ns = -1;
	*longest = function->first;
	for (uint32_t i = 0; function->has[measure] && i < function->count; i++) {
		int64_t ns = goroutines_time(times, function->first + i, measure);
		if (ns > longest_ns) {
			longest_ns = ns;
			*longest = function->first + i;
		}
		if (ns > 0)
			scratch[count++] = ns;
	}
	return spread_of(scratch, count, function->count - count);
}

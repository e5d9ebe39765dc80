/* Goes once through the states, goroutine by goroutine; of each only what is not 0 is kept. */
#include "analysis/goroutines_internal.h"

#include <stdlib.h>
#include <string.h>

#include "base/checked.h"
#include "base/memory.h"
bool
goroutines_keep_row(struct gathering *gathering, const struct goroutine_row *of,
	const int64_t *sums_ns, struct error *err)
{
	struct goroutine_times *times = gathering->times;
	uint32_t measures = measures_count(&gathering->measures);
	if (gathering->measures.only != NULL && sums_ns[MEASURE_LIFE] == 0)
		return true;
	if (!array_reserve(&times->rows, &gathering->row_capacity, (size_t)times->row_count + 1,
		    sizeof(*times->rows), err) ||
		!array_reserve(&times->times, &gathering->time_capacity,
			times->time_count + measures, sizeof(*times->times), err))
		return false;
	struct goroutine_row *row = &times->rows[times->row_count++];
	*row = *of;
	row->first = times->time_count;
	for (uint32_t i = 0; i < measures; i++)
		if (sums_ns[i] != 0)
			times->times[times->time_count++] =
				(struct goroutine_time){ sums_ns[i], i };
	row->count = (uint32_t)(times->time_count - row->first);
	return true;
}

static bool
gather(struct gathering *gathering, string_id function, struct error *err)
{
	const struct trace *trace = gathering->measures.trace;
	struct measure_walk walk;
	for (goroutine_ref i = 0; i < trace_goroutine_count(trace); i++) {
		const struct goroutine *goroutine = trace_goroutine(trace, i);
		struct goroutine_row row = { .goroutine = i, .region = REF_NONE };
		bool is_out = goroutine->first_ns >= gathering->t1_ns ||
			      goroutine->end_ns < gathering->t0_ns;
		if (is_out || (function != STRING_EMPTY && goroutine->name != function))
			continue;
		int64_t sums_ns[MEASURE_MOST];
		measure_walk_begin(&walk, &gathering->measures, i, gathering->t0_ns);
		measure_walk_to(&walk, gathering->t1_ns);
		measure_walk_between(&walk, NULL, gathering->t0_ns, gathering->t1_ns, sums_ns);
		if (!goroutines_keep_row(gathering, &row, sums_ns, err))
			return false;
	}
	return true;
}

/* ---- order */

/* What rows are sorted by. */
struct sorted_row {
	struct goroutine_row row;
	string_id name;
	const struct stack_frame *place;
	int64_t life_ns;
};

static int
compare_places(const struct stack_frame *left, const struct stack_frame *right)
{
	if (left == right)
		return 0;
	if (left == NULL || right == NULL)
		return left == NULL ? -1 : 1;
	if (left->pc != right->pc)
		return left->pc < right->pc ? -1 : 1;
	return left < right ? -1 : 1;
}

static int
compare_rows(const void *a, const void *b)
{
	const struct sorted_row *left = a, *right = b;
	if (left->name != right->name)
		return left->name < right->name ? -1 : 1;
	int order = compare_places(left->place, right->place);
	if (order != 0)
		return order;
	if (left->life_ns != right->life_ns)
		return left->life_ns > right->life_ns ? -1 : 1;
	if (left->row.region != right->row.region)
		return left->row.region < right->row.region ? -1 : 1;
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

static struct sorted_row
sorted_row_of(const struct trace *trace, const struct goroutine_times *times, uint32_t index)
{
	const struct goroutine_row *row = &times->rows[index];
	struct sorted_row sorted = { .row = *row,
		.life_ns = goroutines_time(times, index, MEASURE_LIFE) };
	if (row->region == REF_NONE) {
		sorted.name = trace_goroutine(trace, row->goroutine)->name;
		return sorted;
	}
	const struct range *region = trace_range(trace, row->region);
	sorted.name = region->name;
	if (region->start_stack != STACK_NONE)
		sorted.place = stack_leaf(&trace->stacks, region->start_stack);
	return sorted;
}

/* Adds the row, which is the next one, to the function before or to one of its own. */
static bool
group_row(struct gathering *gathering, const struct sorted_row *sorted, uint32_t index,
	struct error *err)
{
	struct goroutine_times *times = gathering->times;
	struct goroutine_function *function =
		index == 0 ? NULL : &times->functions[times->function_count - 1];
	if (function == NULL || function->name != sorted->name ||
		function->place != sorted->place) {
		if (!array_reserve(&times->functions, &gathering->function_capacity,
			    (size_t)times->function_count + 1, sizeof(*function), err))
			return false;
		function = &times->functions[times->function_count++];
		*function = (struct goroutine_function){
			.name = sorted->name, .place = sorted->place, .first = index
		};
	}
	function->count++;
	for (uint32_t n = 0; n < sorted->row.count; n++)
		function->has[times->times[sorted->row.first + n].measure] = true;
	function->running_ns = saturating_add_i64(
		function->running_ns, goroutines_time(times, index, MEASURE_RUNNING));
	return true;
}

/* Puts rows in order, and those that belong together into functions. */
static bool
arrange(struct gathering *gathering, struct error *err)
{
	struct goroutine_times *times = gathering->times;
	struct sorted_row *sorted = array_new_unset(times->row_count, sizeof(*sorted), err);
	bool is_fine = sorted != NULL;
	for (uint32_t i = 0; is_fine && i < times->row_count; i++)
		sorted[i] = sorted_row_of(gathering->measures.trace, times, i);
	if (is_fine && times->row_count > 0)
		qsort(sorted, times->row_count, sizeof(*sorted), compare_rows);
	for (uint32_t i = 0; is_fine && i < times->row_count; i++) {
		times->rows[i] = sorted[i].row;
		is_fine = group_row(gathering, &sorted[i], i, err);
	}
	memory_free(sorted);
	if (is_fine && times->function_count > 0)
		qsort(times->functions, times->function_count, sizeof(*times->functions),
			compare_functions);
	return is_fine;
}

/* ---- asking */

bool
goroutines_begin(struct gathering *gathering, const struct trace *trace, const struct search *only,
	struct error *err)
{
	*gathering->times = (struct goroutine_times){ 0 };
	return measures_init(&gathering->measures, trace, only, err);
}

bool
goroutines_end(struct gathering *gathering, bool is_fine, struct error *err)
{
	struct goroutine_times *times = gathering->times;
	is_fine = is_fine && arrange(gathering, err);
	times->reasons = gathering->measures.reasons;
	times->reason_count = gathering->measures.reason_count;
	gathering->measures.reasons = NULL;
	measures_release(&gathering->measures);
	if (!is_fine)
		goroutines_release(times);
	return is_fine;
}

bool
goroutines_build(struct goroutine_times *times, const struct trace *trace, int64_t t0_ns,
	int64_t t1_ns, string_id function, const struct search *only, struct error *err)
{
	struct gathering gathering = { .times = times, .t0_ns = t0_ns, .t1_ns = t1_ns };
	return goroutines_begin(&gathering, trace, only, err) &&
	       goroutines_end(&gathering, gather(&gathering, function, err), err);
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

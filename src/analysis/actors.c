/* Goes once through the states, actor by actor; of each only what is not 0 is kept. */
#include "analysis/actors_internal.h"

#include <stdlib.h>

#include "base/checked.h"
#include "base/map.h"
#include "base/memory.h"
#include "base/text.h"
#include "query/radix.h"
#include "query/watch.h"

/* ---- rows */

static const struct stack_frame *
place_of(const struct trace *trace, const struct row_origin *origin)
{
	return origin->stack != STACK_NONE ? stack_leaf(&trace->stacks, origin->stack) : NULL;
}

static bool
number_place(struct numbering *numbering, const struct stack_frame *place, uint32_t *number,
	struct error *err)
{
	*number = 0;
	if (place == NULL)
		return true;
	*number = map_find(&numbering->places, (uintptr_t)place);
	if (*number != MAP_NONE)
		return true;
	*number = (uint32_t)numbering->places.count + 1;
	return map_put(&numbering->places, (uintptr_t)place, *number, err);
}

/* The function that a row belongs to, which may be a new one. */
static bool
find_function(struct gathering *gathering, const struct row_origin *origin, uint32_t *index,
	struct error *err)
{
	struct numbering *numbering = &gathering->numbering;
	struct actor_times *times = gathering->times;
	const struct stack_frame *place =
		gathering->scope->is_by_name ? NULL : place_of(gathering->measures.trace, origin);
	uint32_t number;
	if (!number_place(numbering, place, &number, err))
		return false;
	uint64_t key = (uint64_t)origin->name << 32 | number;
	*index = map_find(&numbering->functions, key);
	if (*index != MAP_NONE)
		return true;
	*index = times->function_count;
	if (!array_reserve(&times->functions, &gathering->function_capacity,
		    (size_t)times->function_count + 1, sizeof(*times->functions), err) ||
		!map_put(&numbering->functions, key, *index, err))
		return false;
	times->functions[times->function_count++] =
		(struct actor_function){ .name = origin->name, .stack = origin->stack };
	return true;
}

static void
add_to_function(const struct actor_times *times, struct actor_function *function,
	const struct actor_row *row)
{
	function->count++;
	for (size_t n = row->first; n < row->first + row->count; n++) {
		const struct actor_time *time = &times->times[n];
		function->has[time->measure] = true;
		if (time->measure == MEASURE_RUNNING)
			function->running_ns = saturating_add_i64(function->running_ns, time->ns);
	}
}

bool
actors_keep_row(struct gathering *gathering, const struct actor_row *of,
	const struct row_origin *origin, const int64_t *sums_ns, struct error *err)
{
	struct actor_times *times = gathering->times;
	uint32_t measures = measures_count(&gathering->measures), function;
	if (gathering->measures.only != NULL && sums_ns[MEASURE_LIFE] == 0)
		return true;
	if (!array_reserve(&times->rows, &gathering->row_capacity, (size_t)times->row_count + 1,
		    sizeof(*times->rows), err) ||
		!array_reserve(&times->times, &gathering->time_capacity,
			times->time_count + measures, sizeof(*times->times), err) ||
		!array_reserve(&gathering->function_of, &gathering->function_of_capacity,
			(size_t)times->row_count + 1, sizeof(*gathering->function_of), err) ||
		!find_function(gathering, origin, &function, err))
		return false;
	gathering->function_of[times->row_count] = function;
	struct actor_row *row = &times->rows[times->row_count++];
	*row = *of;
	row->first = times->time_count;
	for (uint32_t i = 0; i < measures; i++)
		if (sums_ns[i] != 0)
			times->times[times->time_count++] =
				(struct actor_time){ sums_ns[i], i };
	row->count = (uint32_t)(times->time_count - row->first);
	add_to_function(times, &times->functions[function], row);
	return true;
}

static bool
gather(struct gathering *gathering, struct error *err)
{
	const struct trace *trace = gathering->measures.trace;
	const struct actors_scope *scope = gathering->scope;
	struct measure_walk walk;
	for (actor_ref i = 0; i < trace_actor_count(trace); i++) {
		const struct actor *actor = trace_actor(trace, i);
		struct actor_row row = { .actor = i, .region = REF_NONE };
		const struct row_origin origin = { actor->name, STACK_NONE };
		bool is_out =
			actor->first_ns >= scope->t1_ns || actor->end_ns < scope->t0_ns;
		if (!search_watch_check(scope->watch, actor->state_count, err))
			return false;
		if (is_out ||
			(scope->function != STRING_EMPTY && !trace_actor_is_of(trace, i, scope->function)))
			continue;
		int64_t sums_ns[MEASURE_MOST];
		measure_walk_begin(&walk, &gathering->measures, i, scope->t0_ns);
		measure_walk_to(&walk, scope->t1_ns);
		measure_walk_between(&walk, NULL, sums_ns);
		if (!actors_keep_row(gathering, &row, &origin, sums_ns, err))
			return false;
	}
	return true;
}

/* ---- order */

/* The rows by function, those that lived longest first; of equals the one that was found first. */
static bool
sort_rows(struct gathering *gathering, struct radix_item *items, struct actor_row *rows,
	struct error *err)
{
	struct actor_times *times = gathering->times;
	const uint32_t *function_of = gathering->function_of;
	uint32_t first = 0;
	for (uint32_t i = 0; i < times->row_count; i++)
		items[i] = (struct radix_item){
			(uint64_t)(INT64_MAX - actors_time(times, i, MEASURE_LIFE)), i
		};
	if (!radix_sort(items, times->row_count, search_watch_cancel_flag(gathering->scope->watch), err))
		return false;
	for (uint32_t i = 0; i < times->function_count; i++) {
		times->functions[i].first = first;
		first += times->functions[i].count;
		times->functions[i].count = 0;
	}
	for (uint32_t i = 0; i < times->row_count; i++) {
		uint32_t row = (uint32_t)items[i].value;
		struct actor_function *function = &times->functions[function_of[row]];
		rows[function->first + function->count++] = times->rows[row];
	}
	memory_free(times->rows);
	times->rows = rows;
	return true;
}

struct named_function {
	const struct actor_function *function;
	const char *name;
	size_t length;
};

static int
compare_functions(const void *a, const void *b)
{
	const struct named_function *left = a, *right = b;
	const struct actor_function *one = left->function, *other = right->function;
	if (one->running_ns != other->running_ns)
		return one->running_ns > other->running_ns ? -1 : 1;
	int order = text_compare(left->name, left->length, right->name, right->length);
	return order != 0 ? order : (one->first > other->first) - (one->first < other->first);
}

static bool
sort_functions(struct actor_times *times, const struct trace *trace, struct error *err)
{
	uint32_t count = times->function_count;
	struct actor_function *sorted = array_new_unset(count, sizeof(*sorted), err);
	struct named_function *named = array_new_unset(count, sizeof(*named), err);
	bool is_fine = sorted != NULL && named != NULL;
	for (uint32_t i = 0; is_fine && i < count; i++) {
		named[i].function = &times->functions[i];
		named[i].name = trace_text(trace, times->functions[i].name, &named[i].length);
	}
	if (is_fine && count > 0)
		qsort(named, count, sizeof(*named), compare_functions);
	for (uint32_t i = 0; is_fine && i < count; i++)
		sorted[i] = *named[i].function;
	memory_free(named);
	memory_free(is_fine ? times->functions : sorted);
	if (is_fine)
		times->functions = sorted;
	return is_fine;
}

/* Puts rows in order, and those that belong together into functions. */
static bool
arrange(struct gathering *gathering, struct error *err)
{
	struct actor_times *times = gathering->times;
	struct radix_item *items = array_new_unset(times->row_count, sizeof(*items), err);
	struct actor_row *rows = array_new_unset(times->row_count, sizeof(*rows), err);
	bool is_fine = items != NULL && rows != NULL &&
		       sort_rows(gathering, items, rows, err);
	if (!is_fine)
		memory_free(rows);
	memory_free(items);
	return is_fine && sort_functions(times, gathering->measures.trace, err);
}

/* ---- asking */

bool
actors_begin(struct gathering *gathering, const struct trace *trace, struct error *err)
{
	*gathering->times = (struct actor_times){ 0 };
	const struct actors_scope *scope = gathering->scope;
	return measures_init(&gathering->measures, trace, scope->only, scope->watch, err);
}

bool
actors_end(struct gathering *gathering, bool is_fine, struct error *err)
{
	struct actor_times *times = gathering->times;
	is_fine = is_fine && search_watch_check(gathering->scope->watch, 0, err) &&
		  arrange(gathering, err);
	memory_free(gathering->function_of);
	map_release(&gathering->numbering.places);
	map_release(&gathering->numbering.functions);
	times->reasons = gathering->measures.reasons;
	times->reason_count = gathering->measures.reason_count;
	gathering->measures.reasons = NULL;
	measures_release(&gathering->measures);
	if (!is_fine)
		actors_release(times);
	return is_fine;
}

bool
actors_build(struct actor_times *times, const struct trace *trace,
	const struct actors_scope *scope, struct error *err)
{
	struct gathering gathering = { .times = times, .scope = scope };
	return actors_begin(&gathering, trace, err) &&
	       actors_end(&gathering, gather(&gathering, err), err);
}

void
actors_release(struct actor_times *times)
{
	memory_free(times->reasons);
	memory_free(times->rows);
	memory_free(times->times);
	memory_free(times->functions);
	*times = (struct actor_times){ 0 };
}

int64_t
actors_time(const struct actor_times *times, uint32_t row, uint32_t measure)
{
	const struct actor_time *time = &times->times[times->rows[row].first];
	const struct actor_time *end = time + times->rows[row].count;
	while (time < end && time->measure < measure)
		time++;
	return time < end && time->measure == measure ? time->ns : 0;
}

/* Of one measure of a function: where its durations are put. */
struct lot {
	size_t first, count;
	int64_t longest_ns;
};

static void
count_lots(const struct actor_times *times, const struct actor_function *function,
	struct lot *lots)
{
	size_t first = 0;
	for (uint32_t i = function->first; i < function->first + function->count; i++) {
		const struct actor_row *row = &times->rows[i];
		for (size_t n = row->first; n < row->first + row->count; n++)
			lots[times->times[n].measure].count++;
	}
	for (uint32_t i = 0; i < MEASURE_MOST; i++) {
		lots[i].first = first;
		first += lots[i].count;
		lots[i].count = 0;
	}
}

bool
actors_spread(const struct actor_times *times,
	const struct actor_function *function, struct actor_spreads *spreads,
	struct error *err)
{
	struct lot lots[MEASURE_MOST] = { { 0 } };
	count_lots(times, function, lots);
	size_t all = lots[MEASURE_MOST - 1].first + function->count;
	int64_t *durations_ns = array_new_unset(all, sizeof(*durations_ns), err);
	if (durations_ns == NULL)
		return false;
	for (uint32_t i = 0; i < MEASURE_MOST; i++)
		spreads->longest[i] = function->first;
	for (uint32_t i = function->first; i < function->first + function->count; i++) {
		const struct actor_row *row = &times->rows[i];
		for (size_t n = row->first; n < row->first + row->count; n++) {
			const struct actor_time *time = &times->times[n];
			struct lot *lot = &lots[time->measure];
			durations_ns[lot->first + lot->count++] = time->ns;
			if (time->ns <= lot->longest_ns)
				continue;
			lot->longest_ns = time->ns;
			spreads->longest[time->measure] = i;
		}
	}
	for (uint32_t i = 0; i < MEASURE_MOST; i++)
		spreads->spreads[i] = spread_of(&durations_ns[lots[i].first], lots[i].count,
			function->count - lots[i].count);
	memory_free(durations_ns);
	return true;
}

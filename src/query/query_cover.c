/*
 * Terms about what lasts or happens on an actor: regions, tasks, labels, logs, samples,
 * what the collector has them do, processors lost in syscalls. Each is a list of intervals, and of
 * moments as intervals that are empty. An interval covers the state in which it begins and all that
 * begin before its end.
 */
#include "query/query_match.h"

#include "base/memory.h"
#include "query/query_length.h"
#include "query/radix.h"
#include "query/watch.h"
#include "trace/processor_losses.h"
#include "trace/series.h"

struct interval {
	actor_ref actor;
	int64_t start_ns, end_ns;
};

struct interval_list {
	struct interval *items;
	size_t count, capacity;
	class_mask not; /* states of these are not marked */
};

static bool
add_interval(struct interval_list *list, actor_ref actor, int64_t start_ns, int64_t end_ns,
	struct error *err)
{
	if (actor == REF_NONE || start_ns == TIME_OPEN)
		return true;
	if (!array_reserve(
		    &list->items, &list->capacity, list->count + 1, sizeof(*list->items), err))
		return false;
	list->items[list->count++] = (struct interval){ actor, start_ns, end_ns };
	return true;
}

/* ---- from intervals to states */

/* Where the states of intervals are marked. */
struct marking {
	struct query_table *table;
	class_mask not;
};

static void
mark_item(const struct marking *marking, const struct series *series, const struct item *item)
{
	struct query_table *table = marking->table;
	if ((CLASS_BIT(item_class(series, item)) & marking->not) == 0)
		bits_add(&table->states[series->runs[item->at].segment], item_state(item));
}

/* The state that holds at t. At the moment at which an actor ends that is still its last one. */
static bool
find_holding(const struct series *series, int64_t t_ns, struct item *item)
{
	if (!series_find(series, t_ns, item))
		return false;
	if (item_class(series, item) != CLASS_GONE)
		return true;
	uint32_t ordinal = item_ordinal(item);
	if (ordinal == 0 || item_start_ns(item) != t_ns)
		return false;
	series_item(series, ordinal - 1, item);
	return true;
}

static void
mark_interval(const struct marking *marking, const struct series *series,
	const struct interval *interval)
{
	struct item item;
	if (find_holding(series, interval->start_ns, &item)) {
		mark_item(marking, series, &item);
		if (!series_step(series, &item))
			return;
	} else {
		series_item(series, 0, &item);
		if (item_start_ns(&item) <= interval->start_ns)
			return; /* it has ended by then */
	}
	while (item_start_ns(&item) < interval->end_ns) {
		mark_item(marking, series, &item);
		if (!series_step(series, &item))
			return;
	}
}

/* By actor, and for each by start. */
static struct radix_item *
sort_intervals(const struct query_run *run, const struct interval_list *list, struct error *err)
{
	const atomic_bool *is_cancelled = search_watch_cancel_flag(run->watch);
	struct radix_item *items = array_new_unset(list->count, sizeof(*items), err);
	if (items == NULL)
		return NULL;
	for (size_t i = 0; i < list->count; i++)
		items[i] = (struct radix_item){ (uint64_t)list->items[i].start_ns, i };
	if (radix_sort(items, list->count, is_cancelled, err)) {
		for (size_t i = 0; i < list->count; i++)
			items[i].key = list->items[items[i].value].actor;
		if (radix_sort(items, list->count, is_cancelled, err))
			return items;
	}
	memory_free(items);
	return NULL;
}

/*
 * Those that overlap become one, so that each state is marked once. Those that only touch do not,
 * as a state that takes no time may lie where they do.
 */
static bool
mark_sorted(struct query_run *run, struct query_table *table, const struct interval_list *list,
	const struct radix_item *order)
{
	enum { INTERVALS_PER_LOOK = 256 };
	const struct marking marking = { table, list->not };
	struct series series = { 0 };
	actor_ref opened = REF_NONE;
	bool has_states = false;
	for (size_t i = 0, looked = 0; i < list->count;) {
		if (i >= looked && !search_watch_goes_on(run->watch, 0))
			return false;
		looked = i / INTERVALS_PER_LOOK * INTERVALS_PER_LOOK + INTERVALS_PER_LOOK;
		struct interval whole = list->items[order[i].value];
		for (i++; i < list->count; i++) {
			const struct interval *next = &list->items[order[i].value];
			if (next->actor != whole.actor || next->start_ns >= whole.end_ns)
				break;
			whole.end_ns = next->end_ns > whole.end_ns ? next->end_ns : whole.end_ns;
		}
		struct lane lane = { LANE_ACTOR, whole.actor };
		if (opened != whole.actor)
			has_states = series_open(run->trace, lane, &series);
		opened = whole.actor;
		if (has_states)
			mark_interval(&marking, &series, &whole);
	}
	return true;
}

static bool
init_states(const struct query_run *run, struct query_table *table, struct error *err)
{
	table->states = array_new(run->trace->segments.count, sizeof(*table->states), err);
	if (table->states == NULL)
		return false;
	for (uint32_t i = 0; i < run->trace->segments.count; i++) {
		uint32_t count = trace_segment_head(run->trace, i)->state_count;
		if (!bits_init(&table->states[i], count, err))
			return false;
	}
	return true;
}

/* Marks the intervals and frees the list. `is_whole`: it holds all that it should. */
static bool
mark_intervals(struct query_run *run, struct query_table *table, struct interval_list *list,
	bool is_whole, struct error *err)
{
	struct radix_item *order = NULL;
	if (is_whole && init_states(run, table, err))
		order = sort_intervals(run, list, err);
	bool is_fine = order != NULL && mark_sorted(run, table, list, order);
	memory_free(order);
	memory_free(list->items);
	return is_fine;
}

/* ---- ranges */

static bool
collect_regions(const struct trace *trace, struct query_strings *strings,
	struct interval_list *list, struct error *err)
{
	for (range_ref i = 0; i < trace->ranges.count; i++) {
		const struct range *range = trace_range(trace, i);
		if (range->type == RANGE_REGION && query_strings_has(strings, range->name) &&
			!add_interval(list, range->scope, range->start_ns, range->end_ns, err))
			return false;
	}
	return true;
}

bool
query_cover_regions(struct query_run *run, struct query_table *table, struct error *err)
{
	struct query_strings strings;
	struct interval_list list = { 0 };
	if (!query_strings_init(&strings, run->trace, table->term, err))
		return false;
	bool is_whole = collect_regions(run->trace, &strings, &list, err);
	query_strings_release(&strings);
	return mark_intervals(run, table, &list, is_whole, err);
}

static bool
collect_long_regions(const struct trace *trace, const struct query_lengths *lengths,
	struct interval_list *list, struct error *err)
{
	for (range_ref i = 0; i < trace->ranges.count; i++) {
		const struct range *range = trace_range(trace, i);
		if (query_lengths_has_region(lengths, range) &&
			!add_interval(list, range->scope, range->start_ns, range->end_ns, err))
			return false;
	}
	return true;
}

bool
query_cover_long_regions(struct query_run *run, struct query_table *table, struct error *err)
{
	struct query_lengths lengths;
	struct interval_list list = { 0 };
	bool is_whole = query_lengths_init(&lengths, run, table->term, err) &&
			collect_long_regions(run->trace, &lengths, &list, err);
	query_lengths_release(&lengths);
	return mark_intervals(run, table, &list, is_whole, err);
}

static bool
is_asked(const struct query_table *table, const struct range *range)
{
	static const int words[RANGE_TYPE_COUNT] = {
		[RANGE_GC_MARK] = -1,
		[RANGE_STW] = QUERY_GC_STOPPER,
		[RANGE_SWEEP] = QUERY_GC_SWEEP,
		[RANGE_MARK_ASSIST] = QUERY_GC_ASSIST,
		[RANGE_REGION] = -1,
	};
	int word = words[range->type];
	return word >= 0 && (table->term->words >> word & 1);
}

bool
query_cover_collector(struct query_run *run, struct query_table *table, struct error *err)
{
	const struct trace *trace = run->trace;
	struct interval_list list = { 0 };
	bool is_whole = true;
	for (range_ref i = 0; i < trace->ranges.count && is_whole; i++) {
		const struct range *range = trace_range(trace, i);
		if (is_asked(table, range))
			is_whole = add_interval(
				&list, range_actor(range), range->start_ns, range->end_ns, err);
	}
	return mark_intervals(run, table, &list, is_whole, err);
}

bool
query_cover_assists(struct query_run *run, struct query_table *table, struct error *err)
{
	const struct trace *trace = run->trace;
	struct interval_list list = { .not = (class_mask)~CLASS_BIT(CLASS_RUNNING) };
	bool is_whole = true;
	for (range_ref i = 0; i < trace->ranges.count && is_whole; i++) {
		const struct range *range = trace_range(trace, i);
		if (range->type == RANGE_MARK_ASSIST)
			is_whole = add_interval(&list, range_actor(range), range->start_ns,
				range->end_ns, err);
	}
	return mark_intervals(run, table, &list, is_whole, err);
}

/* ---- syscalls */

static bool
mark_loss(void *context, const struct processor_loss *loss)
{
	struct query_table *table = context;
	bits_add(&table->states[loss->segment], loss->state);
	return true;
}

bool
query_cover_losses(struct query_run *run, struct query_table *table, struct error *err)
{
	if (!init_states(run, table, err))
		return false;
	return processor_losses_each(run->trace, mark_loss, table);
}

/* ---- tasks */

static bool
find_long_tasks(const struct query_run *run, const struct query_term *term, struct bits *tasks,
	struct error *err)
{
	struct query_lengths lengths;
	bool is_fine = query_lengths_init(&lengths, run, term, err) &&
		       bits_init(tasks, run->trace->tasks.count, err);
	for (task_ref i = 0; is_fine && i < run->trace->tasks.count; i++)
		if (query_lengths_has_task(&lengths, i))
			bits_add(tasks, i);
	query_lengths_release(&lengths);
	return is_fine;
}

static bool
find_tasks(const struct query_run *run, const struct query_term *term, struct bits *tasks,
	struct error *err)
{
	const struct trace *trace = run->trace;
	struct query_strings strings;
	if (term->field == FIELD_TASK_DURATION)
		return find_long_tasks(run, term, tasks, err);
	if (!query_strings_init(&strings, trace, term, err))
		return false;
	bool is_fine = bits_init(tasks, trace->tasks.count, err);
	for (task_ref i = 0; is_fine && i < trace->tasks.count; i++) {
		const struct task *task = trace_task(trace, i);
		bool is_found = term->test == TEST_RANGE
					? task->id >= term->least && task->id <= term->most
					: query_strings_has(&strings, task->name) || strings.is_any;
		if (is_found)
			bits_add(tasks, i);
	}
	query_strings_release(&strings);
	return is_fine;
}

static bool
has_task(const struct bits *tasks, task_ref task)
{
	return task < tasks->limit && bits_has(tasks, task);
}

static bool
add_task(struct interval_list *list, const struct task *task, struct error *err)
{
	if (!task->began_before &&
		!add_interval(list, task->start_actor, task->start_ns, task->start_ns, err))
		return false;
	return add_interval(list, task->end_actor, task->end_ns, task->end_ns, err);
}

static bool
collect_tasks(const struct trace *trace, const struct bits *tasks, struct interval_list *list,
	struct error *err)
{
	for (range_ref i = 0; i < trace->ranges.count; i++) {
		const struct range *range = trace_range(trace, i);
		if (range->type == RANGE_REGION && has_task(tasks, range->task) &&
			!add_interval(list, range->scope, range->start_ns, range->end_ns, err))
			return false;
	}
	for (uint32_t i = 0; i < trace->instants.count; i++) {
		const struct instant *instant = trace_instant(trace, i);
		int64_t t_ns = instant->time_ns;
		if (instant->type == INSTANT_LOG && has_task(tasks, instant->task) &&
			!add_interval(list, instant->actor, t_ns, t_ns, err))
			return false;
	}
	for (task_ref i = 0; i < trace->tasks.count; i++)
		if (bits_has(tasks, i) && !add_task(list, trace_task(trace, i), err))
			return false;
	return true;
}

bool
query_cover_tasks(struct query_run *run, struct query_table *table, struct error *err)
{
	struct bits tasks = { 0 };
	struct interval_list list = { 0 };
	bool is_whole = find_tasks(run, table->term, &tasks, err) &&
			collect_tasks(run->trace, &tasks, &list, err);
	bits_release(&tasks);
	return mark_intervals(run, table, &list, is_whole, err);
}

/* ---- moments */

static bool
collect_logs(const struct trace *trace, struct query_strings *strings, struct interval_list *list,
	struct error *err)
{
	for (uint32_t i = 0; i < trace->instants.count; i++) {
		const struct instant *instant = trace_instant(trace, i);
		int64_t t_ns = instant->time_ns;
		if (instant->type == INSTANT_LOG &&
			(query_strings_has(strings, instant->category) ||
				query_strings_has(strings, instant->text)) &&
			!add_interval(list, instant->actor, t_ns, t_ns, err))
			return false;
	}
	return true;
}

bool
query_cover_logs(struct query_run *run, struct query_table *table, struct error *err)
{
	struct query_strings strings;
	struct interval_list list = { 0 };
	if (!query_strings_init(&strings, run->trace, table->term, err))
		return false;
	bool is_whole = collect_logs(run->trace, &strings, &list, err);
	query_strings_release(&strings);
	return mark_intervals(run, table, &list, is_whole, err);
}

bool
query_cover_samples(struct query_run *run, struct query_table *table, struct error *err)
{
	const struct trace *trace = run->trace;
	struct interval_list list = { 0 };
	bool is_whole = true;
	for (uint32_t i = 0; i < trace->instants.count && is_whole; i++) {
		const struct instant *instant = trace_instant(trace, i);
		int64_t t_ns = instant->time_ns;
		if (instant->type == INSTANT_SAMPLE && bits_has(&table->stacks, instant->stack))
			is_whole = add_interval(&list, instant->actor, t_ns, t_ns, err);
	}
	return mark_intervals(run, table, &list, is_whole, err);
}

/* A label holds until the actor gets another one. */
static bool
collect_labels(const struct trace *trace, actor_ref actor, struct query_strings *strings,
	struct interval_list *list, struct error *err)
{
	const struct ref_index *index = &trace->actor_instants;
	const struct instant *holding = NULL;
	uint32_t end = index->first[actor + 1];
	for (uint32_t i = index->first[actor]; i < end; i++) {
		const struct instant *instant = trace_instant(trace, index->refs[i]);
		if (instant->type != INSTANT_LABEL)
			continue;
		if (holding != NULL && holding->time_ns < instant->time_ns &&
			query_strings_has(strings, holding->text) &&
			!add_interval(list, actor, holding->time_ns, instant->time_ns, err))
			return false;
		holding = instant;
	}
	return holding == NULL || !query_strings_has(strings, holding->text) ||
	       add_interval(list, actor, holding->time_ns, TIME_OPEN, err);
}

bool
query_cover_labels(struct query_run *run, struct query_table *table, struct error *err)
{
	struct query_strings strings;
	struct interval_list list = { 0 };
	bool is_whole = true;
	if (!query_strings_init(&strings, run->trace, table->term, err))
		return false;
	uint32_t count = run->trace->actor_instants.key_count;
	for (actor_ref i = 0; i < count && is_whole; i++)
		is_whole = collect_labels(run->trace, i, &strings, &list, err);
	query_strings_release(&strings);
	return mark_intervals(run, table, &list, is_whole, err);
}

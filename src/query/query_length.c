/* Durations are sorted by length and then by name, so that those of a name stand together. */
#include "query/query_length.h"

#include "base/memory.h"
#include "base/sorted.h"
#include "query/radix.h"
#include "query/watch.h"
#include "trace/task_times.h"

static int64_t
length_of_task(const struct trace *trace, task_ref task)
{
	return task_end_ns(trace, task) - task_start_ns(trace, task);
}

static int64_t
length_of_region(const struct trace *trace, const struct range *range)
{
	return trace_range_end_ns(trace, range) - range->start_ns;
}

/* ---- quantiles */

/* The lengths as keys, the names as values. */
static size_t
collect(const struct trace *trace, bool is_of_tasks, struct radix_item *items)
{
	size_t count = 0;
	for (task_ref i = 0; is_of_tasks && i < trace->tasks.count; i++)
		items[count++] = (struct radix_item){
			(uint64_t)length_of_task(trace, i), trace_task(trace, i)->name
		};
	for (range_ref i = 0; !is_of_tasks && i < trace->ranges.count; i++) {
		const struct range *range = trace_range(trace, i);
		if (range->type == RANGE_REGION)
			items[count++] = (struct radix_item){
				(uint64_t)length_of_region(trace, range), range->name
			};
	}
	return count;
}

static bool
sort_by_name(struct radix_item *items, size_t count, const atomic_bool *is_cancelled,
	struct error *err)
{
	if (!radix_sort(items, count, is_cancelled, err))
		return false;
	for (size_t i = 0; i < count; i++)
		items[i] = (struct radix_item){ items[i].value, items[i].key };
	return radix_sort(items, count, is_cancelled, err);
}

static bool
find_bounds(struct query_lengths *lengths, const atomic_bool *is_cancelled, struct error *err)
{
	const struct trace *trace = lengths->trace;
	bool is_of_tasks = lengths->term->field == FIELD_TASK_DURATION;
	uint32_t most = is_of_tasks ? trace->tasks.count : trace->ranges.count;
	struct radix_item *items = array_new_unset(most, sizeof *items, err);
	lengths->bounds_ns =
		array_new(intern_count(&trace->strings), sizeof *lengths->bounds_ns, err);
	size_t count = items != NULL ? collect(trace, is_of_tasks, items) : 0, next;
	bool is_fine = items != NULL && lengths->bounds_ns != NULL && sort_by_name(items, count, is_cancelled, err);
	for (size_t i = 0; is_fine && i < count; i = next) {
		next = i + radix_below(items + i, count - i, items[i].key + 1);
		size_t rank = sorted_rank(next - i, (uint64_t)lengths->term->least, QUERY_WHOLE);
		lengths->bounds_ns[items[i].key] = (int64_t)items[i + rank - 1].value;
	}
	memory_free(items);
	return is_fine;
}

bool
query_lengths_init(struct query_lengths *lengths, const struct query_run *run,
	const struct query_term *term, struct error *err)
{
	*lengths = (struct query_lengths){ .trace = run->trace, .term = term };
	return term->test != TEST_QUANTILE ||
	       find_bounds(lengths, search_watch_cancel_flag(run->watch), err);
}

void
query_lengths_release(struct query_lengths *lengths)
{
	memory_free(lengths->bounds_ns);
	*lengths = (struct query_lengths){ 0 };
}

static bool
has(const struct query_lengths *lengths, string_id name, int64_t length_ns)
{
	struct query_term range = *lengths->term;
	if (lengths->bounds_ns != NULL)
		query_term_range(&range, range.relation, lengths->bounds_ns[name]);
	return length_ns >= range.least && length_ns <= range.most;
}

bool
query_lengths_has_task(const struct query_lengths *lengths, task_ref task)
{
	return has(lengths, trace_task(lengths->trace, task)->name,
		length_of_task(lengths->trace, task));
}

bool
query_lengths_has_region(const struct query_lengths *lengths, const struct range *range)
{
	return range->type == RANGE_REGION &&
	       has(lengths, range->name, length_of_region(lengths->trace, range));
}

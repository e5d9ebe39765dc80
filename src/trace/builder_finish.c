/*
 * What is built once all segments are there, of the trace or of those that a snapshot has: the
 * directory of runs, and the indexes of ranges.
 */
#include "trace/builder_internal.h"
#include "trace/own_code.h"

#include <assert.h>

#include "base/sort.h"
#include "base/text.h"
#include "base/thread.h"

/* For chains of allocations: does nothing once one of them has failed. */
static void *
allocate(size_t count, size_t item_size, bool *ok, struct error *err)
{
	void *array = *ok ? array_new(count, item_size, err) : NULL;

	*ok = array != NULL;
	return array;
}

/* Turns counts at first[key + 1] into beginnings; true for whoever wants to chain. */
static void
sum_up(uint32_t *first, uint32_t key_count)
{
	for (uint32_t i = 0; i < key_count; i++)
		first[i + 1] += first[i];
}

/* After filling with first[key]++, moves the beginnings back. */
static void
shift_back(uint32_t *first, uint32_t key_count)
{
	for (uint32_t i = key_count; i > 0; i--)
		first[i] = first[i - 1];
	first[0] = 0;
}

/* An index of refs by key, before they are counted at first[key + 1]. */
static bool
begin_index(struct ref_index *index, uint32_t key_count, struct error *err)
{
	index->first = array_new((size_t)key_count + 1, sizeof(*index->first), err);
	index->key_count = index->first == NULL ? 0 : key_count;
	return index->first != NULL;
}

/* They are counted, and may be put at refs[first[key]++]. */
static bool
make_room_for_refs(struct ref_index *index, struct error *err)
{
	sum_up(index->first, index->key_count);
	index->refs = array_new_unset(index->first[index->key_count], sizeof(*index->refs), err);
	return index->refs != NULL;
}

enum run_type { ACTOR_RUNS, PROCESSOR_RUNS, THREAD_RUNS };

static uint32_t
runs_of(const struct segment *segment, enum run_type type)
{
	if (type == ACTOR_RUNS)
		return segment->run_count;
	return type == PROCESSOR_RUNS ? segment->processors.run_count : segment->threads.run_count;
}

static uint32_t
key_of(const struct segment *segment, enum run_type type, uint32_t run)
{
	if (type == ACTOR_RUNS)
		return segment->runs[run].actor;
	return type == PROCESSOR_RUNS ? segment->processors.runs[run].resource
	                         : segment->threads.runs[run].resource;
}

static bool
build_run_list(const struct trace *trace, enum run_type type, uint32_t key_count,
               struct run_list *list, struct error *err)
{
	uint32_t segments = trace->segments.count;
	bool ok = true;

	list->key_count = key_count;
	list->first = allocate((size_t)key_count + 1, sizeof(*list->first), &ok, err);
	if (!ok)
		return false;
	for (uint32_t s = 0; s < segments; s++)
		for (uint32_t r = 0; r < runs_of(trace_segment(trace, s), type); r++)
			list->first[key_of(trace_segment(trace, s), type, r) + 1]++;
	sum_up(list->first, key_count);
	list->runs = allocate(list->first[key_count], sizeof(*list->runs), &ok, err);
	if (!ok)
		return false;
	for (uint32_t s = 0; s < segments; s++) {
		const struct segment *segment = trace_segment(trace, s);

		for (uint32_t r = 0; r < runs_of(segment, type); r++)
			list->runs[list->first[key_of(segment, type, r)]++] =
				(struct run_ref){ .segment = s, .run = r };
	}
	shift_back(list->first, key_count);
	return true;
}

static bool
build_directory(struct trace *trace, struct error *err)
{
	return build_run_list(
		       trace, ACTOR_RUNS, trace->actors.count, &trace->directory.actors, err) &&
	       build_run_list(trace, PROCESSOR_RUNS, trace->processors.count,
		       &trace->directory.processors, err) &&
	       build_run_list(
		       trace, THREAD_RUNS, trace->threads.count, &trace->directory.threads, err);
}

/* ---- ranges */

/* Where a range is found again, beside the table of ranges. */
static struct ref_index *
index_of_range(struct trace *trace, const struct range *range)
{
	switch ((enum range_type)range->type) {
	case RANGE_STW:
	case RANGE_MARK_ASSIST:
	case RANGE_REGION:
		return &trace->actor_ranges;
	case RANGE_SWEEP:
		return &trace->processor_sweeps;
	case RANGE_GC_MARK:
	case RANGE_TYPE_COUNT:
		break;
	}
	return NULL;
}

static struct cover *
cover_of_range(struct trace *trace, const struct range *range)
{
	if (range->type == RANGE_GC_MARK)
		return &trace->gc;
	return range->type == RANGE_STW ? &trace->stw : NULL;
}

/*
 * Ranges are in the order of their start but for those that began before the trace, some of
 * which became known only by their end.
 */
static bool
is_old_range(const struct trace *trace, const struct range *range)
{
	return range->start_ns <= trace->start_ns;
}

/* Ranges that began before the trace. */
struct old_ranges {
	range_ref *refs;
	size_t count, capacity;
};

/* Counts at first[key + 1] and in the covers, and lists the old ones. */
static bool
count_ranges(struct trace *trace, struct old_ranges *old, struct error *err)
{
	for (range_ref i = 0; i < trace->ranges.count; i++) {
		const struct range *range = trace_range(trace, i);
		struct ref_index *index = index_of_range(trace, range);
		struct cover *cover = cover_of_range(trace, range);

		if (index != NULL && range->scope < index->key_count)
			index->first[range->scope + 1]++;
		if (range->type == RANGE_MARK_ASSIST)
			trace->assists.first[1]++;
		if (cover != NULL)
			cover->capacity++;
		if (!is_old_range(trace, range))
			continue;
		if (!array_reserve(&old->refs, &old->capacity, old->count + 1, sizeof(*old->refs),
		                   err))
			return false;
		old->refs[old->count++] = i;
	}
	return true;
}

static void
add_to_cover(const struct trace *trace, struct cover *cover, range_ref ref)
{
	const struct range *range = trace_range(trace, ref);
	int64_t end_ns = range->end_ns < trace->end_ns ? range->end_ns : trace->end_ns;
	uint32_t last = cover->count - 1;

	if (cover->count > 0 && range->start_ns <= cover->end_ns[last]) {
		if (end_ns > cover->end_ns[last])
			cover->end_ns[last] = end_ns;
		return;
	}
	cover->before_ns[cover->count] =
		cover->count == 0
			? 0
			: cover->before_ns[last] + cover->end_ns[last] - cover->start_ns[last];
	cover->start_ns[cover->count] = range->start_ns;
	cover->end_ns[cover->count] = end_ns;
	cover->range[cover->count++] = ref;
}

/* Ranges come in the order of their start. */
static void
place_range(struct trace *trace, range_ref ref)
{
	const struct range *range = trace_range(trace, ref);
	struct ref_index *index = index_of_range(trace, range);
	struct cover *cover = cover_of_range(trace, range);

	if (index != NULL && range->scope < index->key_count)
		index->refs[index->first[range->scope]++] = ref;
	if (range->type == RANGE_MARK_ASSIST)
		trace->assists.refs[trace->assists.first[0]++] = ref;
	if (cover != NULL)
		add_to_cover(trace, cover, ref);
}

static bool
make_room_for_cover(struct cover *cover, struct error *err)
{
	bool ok = true;

	cover->start_ns = allocate(cover->capacity, sizeof(int64_t), &ok, err);
	cover->end_ns = allocate(cover->capacity, sizeof(int64_t), &ok, err);
	cover->before_ns = allocate(cover->capacity, sizeof(int64_t), &ok, err);
	cover->range = allocate(cover->capacity, sizeof(range_ref), &ok, err);
	return ok;
}

static bool
sort_out_ranges(struct trace *trace, struct old_ranges *old, struct error *err)
{
	if (!begin_index(&trace->actor_ranges, trace->actors.count, err) ||
	    !begin_index(&trace->processor_sweeps, trace->processors.count, err) ||
	    !begin_index(&trace->assists, 1, err) || !count_ranges(trace, old, err) ||
	    !make_room_for_refs(&trace->actor_ranges, err) ||
	    !make_room_for_refs(&trace->processor_sweeps, err) ||
	    !make_room_for_refs(&trace->assists, err) ||
	    !make_room_for_cover(&trace->gc, err) || !make_room_for_cover(&trace->stw, err))
		return false;
	for (size_t i = 0; i < old->count; i++)
		place_range(trace, old->refs[i]);
	for (range_ref i = 0; i < trace->ranges.count; i++)
		if (!is_old_range(trace, trace_range(trace, i)))
			place_range(trace, i);
	shift_back(trace->actor_ranges.first, trace->actor_ranges.key_count);
	shift_back(trace->processor_sweeps.first, trace->processor_sweeps.key_count);
	shift_back(trace->assists.first, trace->assists.key_count);
	return true;
}

/* Instants come in time order already. */
static bool
index_instants(const struct trace *trace, struct ref_index *index, struct error *err)
{
	if (!begin_index(index, trace->actors.count, err))
		return false;
	for (uint32_t i = 0; i < trace->instants.count; i++)
		if (trace_instant(trace, i)->actor != REF_NONE)
			index->first[trace_instant(trace, i)->actor + 1]++;
	if (!make_room_for_refs(index, err))
		return false;
	for (uint32_t i = 0; i < trace->instants.count; i++)
		if (trace_instant(trace, i)->actor != REF_NONE)
			index->refs[index->first[trace_instant(trace, i)->actor]++] = i;
	shift_back(index->first, index->key_count);
	return true;
}

static bool
build_ranges(struct trace *trace, struct error *err)
{
	struct old_ranges old = { 0 };
	bool ok = sort_out_ranges(trace, &old, err) &&
	          index_instants(trace, &trace->actor_instants, err);

	memory_free(old.refs);
	return ok;
}

/* Least and greatest of each block of values. */
static bool
summarise_counter(struct counter *counter, struct error *err)
{
	size_t blocks = counter_blocks(counter);

	if (blocks == 0)
		return true;
	counter->block_least = array_new(blocks, sizeof(uint64_t), err);
	counter->block_greatest = array_new(blocks, sizeof(uint64_t), err);
	if (counter->block_least == NULL || counter->block_greatest == NULL)
		return false;
	for (uint32_t i = 0; i < counter_count(counter); i++) {
		uint64_t value = counter_value(counter, i);
		uint64_t *least = &counter->block_least[i / COUNTER_BLOCK];
		uint64_t *greatest = &counter->block_greatest[i / COUNTER_BLOCK];

		if (i % COUNTER_BLOCK == 0 || value < *least)
			*least = value;
		if (i % COUNTER_BLOCK == 0 || value > *greatest)
			*greatest = value;
	}
	return true;
}

struct named_gauge {
	const char *text;
	size_t length;
	struct gauge gauge;
};

static int
compare_gauges(const void *left, const void *right)
{
	const struct named_gauge *a = left, *b = right;
	return text_compare(a->text, a->length, b->text, b->length);
}

/* Summed up, and in the order of their names. */
static bool
finish_gauges(struct trace *trace, const atomic_bool *is_cancelled, struct error *err)
{
	struct named_gauge *named = array_new(trace->gauge_count, sizeof *named, err);
	const struct sort sort = { named, trace->gauge_count, sizeof *named, compare_gauges };
	bool is_fine = named != NULL;
	for (uint32_t i = 0; is_fine && i < trace->gauge_count; i++) {
		is_fine = summarise_counter(&trace->gauges[i].counter, err);
		named[i].gauge = trace->gauges[i];
		named[i].text = trace_text(trace, trace->gauges[i].name, &named[i].length);
	}
	is_fine = is_fine && sort_items(&sort, is_cancelled, err);
	for (uint32_t i = 0; is_fine && i < trace->gauge_count; i++)
		trace->gauges[i] = named[i].gauge;
	memory_free(named);
	return is_fine;
}

static bool
goes_on(const struct builder *builder, struct error *err)
{
	if (builder->progress == NULL || !atomic_load(&builder->progress->is_cancelled))
		return true;
	return error_set(err, ERROR_CANCELLED, "cancelled");
}

/* Makes the trace, or a snapshot of it, ready for every question. All is published. */
static bool
freeze(struct builder *builder, struct trace *trace, struct error *err)
{
	wall_clock_rebase(&trace->wall, trace->origin_ns, trace->end_ns);
	parts_rebase(&trace->parts, trace->origin_ns);
	for (actor_ref i = 0; i < trace->actors.count; i++)
		trace_actor(trace, i)->state_count = builder_actor_build(builder, i)->total;
	trace->runtime_file = own_code_find_runtime(trace);
	if (trace == builder->trace)
		builder_release_work(builder);
	for (int i = 0; i < COUNTER_COUNT; i++)
		if (!summarise_counter(&trace->counters[i], err))
			return false;
	if (!finish_gauges(trace, progress_cancel_flag(builder->progress), err))
		return false;
	return goes_on(builder, err) && build_directory(trace, err) &&
	       goes_on(builder, err) && build_ranges(trace, err) &&
	       goes_on(builder, err) && builder_build_groups(builder, trace, err);
}

struct trace *
builder_snapshot(struct builder *builder, const struct table_counts *counts, struct error *err)
{
	struct trace *snapshot = snapshot_new(builder->trace, counts, err);

	assert(draft_is_empty(&builder->draft));
	if (snapshot == NULL || freeze(builder, snapshot, err))
		return snapshot;
	trace_free(snapshot);
	return NULL;
}

bool
builder_finish(struct builder *builder, struct error *err)
{
	if (!builder_settle(builder, err))
		return false;
	change_list_trim(&builder->trace->all.rest);
	return freeze(builder, builder->trace, err);
}

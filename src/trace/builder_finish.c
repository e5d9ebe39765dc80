/*
 * What is built once all segments are there, of the trace or of those that a snapshot has: the
 * directory of runs, and the indexes of ranges.
 */
#include "trace/builder_internal.h"

#include <assert.h>

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

enum run_type { GOROUTINE_RUNS, PROC_RUNS, THREAD_RUNS };

static uint32_t
runs_of(const struct segment *segment, enum run_type type)
{
	if (type == GOROUTINE_RUNS)
		return segment->run_count;
	return type == PROC_RUNS ? segment->procs.run_count : segment->threads.run_count;
}

static uint32_t
key_of(const struct segment *segment, enum run_type type, uint32_t run)
{
	if (type == GOROUTINE_RUNS)
		return segment->runs[run].goroutine;
	return type == PROC_RUNS ? segment->procs.runs[run].resource
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

bool
builder_build_directory(struct trace *trace, struct error *err)
{
	return build_run_list(trace, GOROUTINE_RUNS, trace->goroutines.count,
	                      &trace->directory.goroutines, err) &&
	       build_run_list(trace, PROC_RUNS, trace->procs.count, &trace->directory.procs,
	                      err) &&
	       build_run_list(trace, THREAD_RUNS, trace->threads.count,
	                      &trace->directory.threads, err);
}

/* In a kind, beside the type. */
enum { BEGAN_WITH_TRACE = 0x80 };

/* What is asked of every range several times, at hand. */
struct range_facts {
	uint8_t *kinds;
	uint32_t *scopes;
	uint32_t count;
};

static void
release_facts(struct range_facts *facts)
{
	memory_free(facts->kinds);
	memory_free(facts->scopes);
}

/* To be released in any case. */
static bool
gather_facts(const struct trace *trace, struct range_facts *facts, struct error *err)
{
	facts->count = trace->ranges.count;
	facts->kinds = array_new_unset(facts->count, sizeof(*facts->kinds), err);
	facts->scopes = array_new_unset(facts->count, sizeof(*facts->scopes), err);
	if (facts->kinds == NULL || facts->scopes == NULL)
		return false;
	for (range_ref i = 0; i < facts->count; i++) {
		const struct range *range = trace_range(trace, i);

		facts->kinds[i] = range->type;
		if (range->start_ns <= trace->start_ns)
			facts->kinds[i] |= BEGAN_WITH_TRACE;
		facts->scopes[i] = range->scope;
	}
	return true;
}

/*
 * Goes through ranges by their start. They are in that order already but for those that
 * began before the trace, some of which became known only by their end.
 */
struct range_walk {
	const struct range_facts *facts;
	unsigned types;  /* 1 << type of those that are wanted */
	range_ref next;
	bool is_past_old;
};

static bool
is_wanted(const struct range_walk *walk, range_ref ref)
{
	unsigned type = walk->facts->kinds[ref] & ~(unsigned)BEGAN_WITH_TRACE;

	return (walk->types >> type & 1u) != 0;
}

static bool
next_range(struct range_walk *walk, range_ref *ref)
{
	for (;;) {
		bool is_old;

		if (walk->next == walk->facts->count) {
			if (walk->is_past_old)
				return false;
			walk->is_past_old = true;
			walk->next = 0;
			continue;
		}
		*ref = walk->next++;
		is_old = (walk->facts->kinds[*ref] & BEGAN_WITH_TRACE) != 0;
		if (is_wanted(walk, *ref) && is_old != walk->is_past_old)
			return true;
	}
}

static size_t
count_ranges(const struct range_walk *walk)
{
	size_t count = 0;

	for (range_ref i = 0; i < walk->facts->count; i++)
		count += is_wanted(walk, i);
	return count;
}

/* all: a walk that has not begun. */
static bool
index_ranges(struct range_walk all, uint32_t key_count, struct ref_index *index,
             struct error *err)
{
	struct range_walk walk = all;
	range_ref ref;
	bool ok = true;

	index->first = allocate((size_t)key_count + 1, sizeof(*index->first), &ok, err);
	index->refs = allocate(count_ranges(&all), sizeof(*index->refs), &ok, err);
	index->key_count = ok ? key_count : 0;
	if (!ok)
		return false;
	while (next_range(&walk, &ref)) {
		uint32_t key = all.facts->scopes[ref];

		if (key < key_count)
			index->first[key + 1]++;
	}
	sum_up(index->first, key_count);
	walk = all;
	while (next_range(&walk, &ref)) {
		uint32_t key = all.facts->scopes[ref];

		if (key < key_count)
			index->refs[index->first[key]++] = ref;
	}
	shift_back(index->first, key_count);
	return true;
}

/* Instants come in time order already. */
static bool
index_instants(const struct trace *trace, struct ref_index *index, struct error *err)
{
	uint32_t key_count = trace->goroutines.count;
	bool ok = true;

	index->key_count = key_count;
	index->first = allocate((size_t)key_count + 1, sizeof(*index->first), &ok, err);
	for (uint32_t i = 0; ok && i < trace->instants.count; i++)
		if (trace_instant(trace, i)->goroutine != REF_NONE)
			index->first[trace_instant(trace, i)->goroutine + 1]++;
	if (ok)
		sum_up(index->first, key_count);
	index->refs = allocate(ok ? index->first[key_count] : 0, sizeof(*index->refs), &ok, err);
	for (uint32_t i = 0; ok && i < trace->instants.count; i++)
		if (trace_instant(trace, i)->goroutine != REF_NONE)
			index->refs[index->first[trace_instant(trace, i)->goroutine]++] = i;
	if (ok)
		shift_back(index->first, key_count);
	return ok;
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

static bool
build_cover(const struct trace *trace, struct range_walk walk, struct cover *cover,
            struct error *err)
{
	size_t count = count_ranges(&walk);
	range_ref ref;
	bool ok = true;

	cover->start_ns = allocate(count, sizeof(int64_t), &ok, err);
	cover->end_ns = allocate(count, sizeof(int64_t), &ok, err);
	cover->before_ns = allocate(count, sizeof(int64_t), &ok, err);
	cover->range = allocate(count, sizeof(range_ref), &ok, err);
	cover->capacity = count;
	while (ok && next_range(&walk, &ref))
		add_to_cover(trace, cover, ref);
	return ok;
}

/* Indexes and covers of ranges. */
static bool
sort_out_ranges(struct trace *trace, const struct range_facts *facts, struct error *err)
{
	struct range_walk walk = { .facts = facts };
	struct range_walk goroutines = walk, sweeps = walk, collections = walk, stops = walk;

	goroutines.types = 1u << RANGE_STW | 1u << RANGE_MARK_ASSIST | 1u << RANGE_REGION;
	sweeps.types = 1u << RANGE_SWEEP;
	collections.types = 1u << RANGE_GC_MARK;
	stops.types = 1u << RANGE_STW;
	return index_ranges(goroutines, trace->goroutines.count, &trace->goroutine_ranges, err) &&
	       index_ranges(sweeps, trace->procs.count, &trace->proc_sweeps, err) &&
	       build_cover(trace, collections, &trace->gc, err) &&
	       build_cover(trace, stops, &trace->stw, err);
}

bool
builder_build_ranges(struct trace *trace, struct error *err)
{
	struct range_facts facts = { 0 };
	bool ok = gather_facts(trace, &facts, err) && sort_out_ranges(trace, &facts, err) &&
	          index_instants(trace, &trace->goroutine_instants, err);

	release_facts(&facts);
	return ok;
}

/* Least and greatest of each block of values. */
static bool
summarise_counter(struct counter *counter, struct error *err)
{
	size_t blocks = counter_blocks(counter);

	array_trim(&counter->time_ns, &counter->time_capacity, counter->count, sizeof(int64_t));
	array_trim(&counter->value, &counter->value_capacity, counter->count, sizeof(uint64_t));
	if (blocks == 0)
		return true;
	counter->block_least = array_new(blocks, sizeof(uint64_t), err);
	counter->block_greatest = array_new(blocks, sizeof(uint64_t), err);
	if (counter->block_least == NULL || counter->block_greatest == NULL)
		return false;
	for (size_t i = 0; i < counter->count; i++) {
		uint64_t *least = &counter->block_least[i / COUNTER_BLOCK];
		uint64_t *greatest = &counter->block_greatest[i / COUNTER_BLOCK];

		if (i % COUNTER_BLOCK == 0 || counter->value[i] < *least)
			*least = counter->value[i];
		if (i % COUNTER_BLOCK == 0 || counter->value[i] > *greatest)
			*greatest = counter->value[i];
	}
	return true;
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
	for (goroutine_ref i = 0; i < trace->goroutines.count; i++)
		trace_goroutine(trace, i)->state_count = builder_goroutine_build(builder, i)->total;
	if (trace == builder->trace)
		builder_release_work(builder);
	for (int i = 0; i < COUNTER_COUNT; i++)
		if (!summarise_counter(&trace->counters[i], err))
			return false;
	return goes_on(builder, err) && builder_build_directory(trace, err) &&
	       goes_on(builder, err) && builder_build_ranges(trace, err) &&
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

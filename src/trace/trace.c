/* The trace as a whole: its tables and what they take. */
#include "trace/trace.h"

#include <inttypes.h>
#include <stddef.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "trace/histogram_set.h"
#include "trace/ready.h"
#include "trace/document.h"
#include "trace/sample_set.h"
#include "trace/slices.h"
#include "trace/words.h"

struct trace *
trace_new(struct error *err)
{
	struct trace *trace = memory_realloc(NULL, sizeof(*trace));

	if (trace == NULL) {
		error_set_memory(err, "the trace");
		return NULL;
	}
	*trace = (struct trace){
		.actors.item_size = sizeof(struct actor),
		.processors.item_size = sizeof(struct resource),
		.threads.item_size = sizeof(struct resource),
		.tasks.item_size = sizeof(struct task),
		.ranges.item_size = sizeof(struct range),
		.instants.item_size = sizeof(struct instant),
		.alloc_types.item_size = sizeof(struct alloc_type),
		.segments.item_size = sizeof(struct segment_place),
		.words = &words_plain,
	};
	for (int i = 0; i < COUNTER_COUNT; i++) {
		trace->counters[i].time_ns.item_size = sizeof(int64_t);
		trace->counters[i].value.item_size = sizeof(uint64_t);
	}
	atomic_init(&trace->holders, 1);
	if (!intern_init(&trace->strings, err) || !stack_table_init(&trace->stacks, err)) {
		trace_free(trace);
		return NULL;
	}
	return trace;
}

const char *
trace_stated_clock(const struct trace *trace)
{
	return trace->stated_clock != NULL ? trace->stated_clock : words_clock(trace->words, trace->go_minor);
}

bool
trace_add_fact(struct trace *trace, const char *key, uint64_t value, struct error *err)
{
	struct trace_facts *facts = &trace->facts;
	if (!array_reserve(&facts->items, &facts->capacity, facts->count + 1, sizeof *facts->items, err))
		return false;
	facts->items[facts->count++] = (struct trace_fact){ key, value };
	return true;
}

void
trace_copy_members(struct trace *to, const struct trace *from)
{
	size_t at = offsetof(struct trace, backing);
	memcpy((char *)to + at, (const char *)from + at, sizeof(*to) - at);
}

static void
ref_index_release(struct ref_index *index)
{
	memory_free(index->first);
	memory_free(index->refs);
}

static void
cover_release(struct cover *cover)
{
	memory_free(cover->start_ns);
	memory_free(cover->end_ns);
	memory_free(cover->before_ns);
	memory_free(cover->range);
}

static void
directory_release(struct directory *directory)
{
	memory_free(directory->actors.first);
	memory_free(directory->actors.runs);
	memory_free(directory->processors.first);
	memory_free(directory->processors.runs);
	memory_free(directory->threads.first);
	memory_free(directory->threads.runs);
}

static void
groups_release(struct trace *trace)
{
	for (uint32_t i = 0; i < trace->group_count; i++) {
		if (trace->groups[i].changes != NULL)
			change_list_release(trace->groups[i].changes);
		memory_free(trace->groups[i].changes);
	}
	memory_free(trace->groups);
	memory_free(trace->group_members);
}

static void
counter_release_own(struct counter *counter)
{
	memory_free(counter->block_least);
	memory_free(counter->block_greatest);
}

static void
counter_release_shared(struct counter *counter)
{
	stable_release(&counter->time_ns);
	stable_release(&counter->value);
}

/* What a snapshot has of its own, too. */
static void
release_own(struct trace *trace)
{
	groups_release(trace);
	directory_release(&trace->directory);
	ref_index_release(&trace->actor_ranges);
	ref_index_release(&trace->actor_instants);
	ref_index_release(&trace->processor_sweeps);
	ref_index_release(&trace->assists);
	cover_release(&trace->gc);
	cover_release(&trace->stw);
	all_changes_release(&trace->all);
	for (int i = 0; i < COUNTER_COUNT; i++)
		counter_release_own(&trace->counters[i]);
	stable_release(&trace->actors);
	open_rows_release(&trace->open_tasks);
	open_rows_release(&trace->open_ranges);
	stable_release(&trace->alloc_types);
	wall_clock_release(&trace->wall);
	parts_release(&trace->parts);
	id_map_release(&trace->actor_of);
}

static void
release_shared(struct trace *trace)
{
	slices_free(trace->slices);
	for (uint32_t i = 0; i < trace->gauge_count; i++) {
		counter_release_own(&trace->gauges[i].counter);
		counter_release_shared(&trace->gauges[i].counter);
	}
	memory_free(trace->gauges);
	document_free(trace->document);
	sample_set_free(trace->samples);
	ready_free(trace->ready);
	histogram_set_free(trace->histograms);
	array_release(&trace->facts.items);
	arena_release(&trace->columns);
	stable_release(&trace->segments);
	stable_release(&trace->processors);
	stable_release(&trace->threads);
	stable_release(&trace->tasks);
	stable_release(&trace->ranges);
	stable_release(&trace->instants);
	for (int i = 0; i < COUNTER_COUNT; i++)
		counter_release_shared(&trace->counters[i]);
	stack_table_release(&trace->stacks);
	intern_release(&trace->strings);
}

static
void
regrouping_free(struct regrouping *regrouping)
{
	memory_free(regrouping->group_of);
	memory_free(regrouping->keys);
	memory_free(regrouping);
}

struct trace *
trace_hold(const struct trace *trace)
{
	/* Who holds it is no part of what may not change. */
	struct trace *held = (struct trace *)(uintptr_t)trace;

	atomic_fetch_add_explicit(&held->holders, 1, memory_order_relaxed);
	return held;
}

void
trace_free(struct trace *trace)
{
	struct trace *of;

	if (trace == NULL || atomic_fetch_sub(&trace->holders, 1) > 1)
		return;
	of = trace->of;
	if (trace->regrouping != NULL) {
		groups_release(trace);
		regrouping_free(trace->regrouping);
	} else if (trace->backing != NULL) {
		trace->backing->release(trace->backing);
	} else {
		release_own(trace);
		if (of == NULL)
			release_shared(trace);
	}
	memory_free(trace);
	trace_free(of);
}

uint32_t
trace_segment_until(const struct trace *trace, int64_t t_ns)
{
	uint32_t low = 0, high = trace->segments.count;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (trace_segment_place(trace, middle)->end_ns < t_ns)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

bool
trace_is_sound(const struct trace *trace)
{
	return trace->backing == NULL || !atomic_load(&trace->backing->is_broken);
}

uint32_t
trace_actor_count(const struct trace *trace)
{
	return trace->actors.count;
}

uint32_t
trace_processor_count(const struct trace *trace)
{
	return trace->processors.count;
}

uint32_t
trace_thread_count(const struct trace *trace)
{
	return trace->threads.count;
}

struct actor *
trace_actor(const struct trace *trace, actor_ref ref)
{
	return stable_at(&trace->actors, ref);
}

struct resource *
trace_processor(const struct trace *trace, resource_ref ref)
{
	return stable_at(&trace->processors, ref);
}

struct resource *
trace_thread(const struct trace *trace, resource_ref ref)
{
	return stable_at(&trace->threads, ref);
}

struct task *
trace_task(const struct trace *trace, task_ref ref)
{
	return open_rows_find(&trace->open_tasks, &trace->tasks, ref);
}

uint64_t
trace_state_count(const struct trace *trace)
{
	uint64_t count = 0;
	for (uint32_t i = 0; i < trace->segments.count; i++)
		count += trace_segment_head(trace, i)->state_count;
	return count;
}

struct range *
trace_range(const struct trace *trace, range_ref ref)
{
	return open_rows_find(&trace->open_ranges, &trace->ranges, ref);
}

int64_t
trace_range_end_ns(const struct trace *trace, const struct range *range)
{
	return range->end_ns == TIME_OPEN ? trace->end_ns : range->end_ns;
}

struct instant *
trace_instant(const struct trace *trace, uint32_t ref)
{
	return stable_at(&trace->instants, ref);
}

actor_ref
trace_find_actor(const struct trace *trace, int64_t id)
{
	uint32_t low = 0, high = trace->actor_id_count;

	if (trace->backing == NULL)
		return id_map_find(&trace->actor_of, (uint64_t)id);
	while (low < high) {
		uint32_t middle = low + (high - low) / 2;
		actor_ref ref = trace->actors_by_id[middle];

		if (trace_actor(trace, ref)->id == id)
			return ref;
		if (trace_actor(trace, ref)->id < id)
			low = middle + 1;
		else
			high = middle;
	}
	return REF_NONE;
}

group_ref
trace_group_of(const struct trace *trace, actor_ref ref)
{
	return trace->regrouping != NULL ? trace->regrouping->group_of[ref]
	                                 : trace_actor(trace, ref)->group;
}

string_id
trace_group_name(const struct trace *trace, actor_ref ref)
{
	const struct trace *plain = trace->regrouping == NULL ? trace : trace->of;
	group_ref group = trace_actor(trace, ref)->group;
	return group < plain->group_count ? plain->groups[group].name : STRING_EMPTY;
}

bool
trace_actor_is_of(const struct trace *trace, actor_ref ref, string_id name)
{
	return trace_actor(trace, ref)->name == name || trace_group_name(trace, ref) == name;
}

group_ref
trace_follow_group(const struct trace *trace, const struct trace *before, group_ref group)
{
	return trace_group_of(trace, before->group_members[before->groups[group].first]);
}

const char *
trace_text(const struct trace *trace, string_id id, size_t *length)
{
	return intern_text(&trace->strings, id, length);
}

bool
trace_text_is(const struct trace *trace, string_id id, const char *text)
{
	size_t length;
	const char *bytes = trace_text(trace, id, &length);
	return strlen(text) == length && memcmp(bytes, text, length) == 0;
}

void
text_add_place(struct text *out, const struct trace *trace, const struct stack_frame *frame, bool ascii)
{
	size_t length;
	const char *path = trace_text(trace, frame->file, &length);
	size_t name = length;
	while (name > 0 && path[name - 1] != '/' && path[name - 1] != '\\')
		name--;
	text_add_safe(out, path + name, length - name, ascii);
	if (length > 0)
		text_format(out, ":%" PRIu64, frame->line);
}

static size_t
ref_index_bytes(const struct ref_index *index)
{
	if (index->first == NULL)
		return 0;
	return (index->key_count + 1 + (size_t)index->first[index->key_count]) * sizeof(uint32_t);
}

static size_t
table_bytes(const struct trace *trace)
{
	return stable_bytes(&trace->actors) + stable_bytes(&trace->processors) +
	       stable_bytes(&trace->threads) + stable_bytes(&trace->tasks) +
	       stable_bytes(&trace->ranges) + stable_bytes(&trace->instants) +
	       stable_bytes(&trace->alloc_types) + stable_bytes(&trace->segments) +
	       trace->wall.capacity * sizeof(*trace->wall.points) +
	       id_map_bytes(&trace->actor_of);
}

static size_t
run_list_bytes(const struct run_list *list)
{
	return list->first == NULL ? 0
	                           : (list->key_count + 1) * sizeof(uint32_t) +
	                                     list->first[list->key_count] * sizeof(struct run_ref);
}

static size_t
group_bytes(const struct trace *trace)
{
	size_t bytes = trace->group_count * sizeof(*trace->groups);

	if (trace->group_members != NULL)
		bytes += trace->actors.count * sizeof(*trace->group_members);
	for (uint32_t i = 0; i < trace->group_count; i++) {
		const struct change_list *changes = trace->groups[i].changes;

		if (changes != NULL)
			bytes += sizeof(*changes) + change_list_bytes(changes);
	}
	return bytes;
}

static size_t
cover_bytes(const struct cover *cover)
{
	return cover->capacity * (3 * sizeof(int64_t) + sizeof(range_ref));
}

static size_t
counter_bytes(const struct counter *counter)
{
	size_t blocks = counter->block_least == NULL ? 0 : counter_blocks(counter);

	return stable_bytes(&counter->time_ns) + stable_bytes(&counter->value) +
	       blocks * 2 * sizeof(uint64_t);
}

size_t
trace_built_bytes(const struct trace *trace)
{
	size_t bytes =
		sizeof(*trace) + table_bytes(trace) + all_changes_bytes(&trace->all) +
		run_list_bytes(&trace->directory.actors) +
		run_list_bytes(&trace->directory.processors) +
		run_list_bytes(&trace->directory.threads) + ref_index_bytes(&trace->actor_ranges) +
		ref_index_bytes(&trace->actor_instants) +
		ref_index_bytes(&trace->processor_sweeps) + ref_index_bytes(&trace->assists) +
		cover_bytes(&trace->gc) + cover_bytes(&trace->stw) + group_bytes(trace) +
		(trace->slices == NULL ? 0 : slices_bytes(trace->slices)) +
		(trace->samples == NULL ? 0 : sample_set_bytes(trace->samples)) +
		(trace->ready == NULL ? 0 : ready_bytes(trace->ready)) +
		(trace->histograms == NULL ? 0 : histogram_set_bytes(trace->histograms)) +
		trace->facts.capacity * sizeof *trace->facts.items;

	for (uint32_t i = 0; i < trace->segments.count; i++)
		bytes += segment_bytes(trace_segment_head(trace, i));
	for (int i = 0; i < COUNTER_COUNT; i++)
		bytes += counter_bytes(&trace->counters[i]);
	return bytes;
}

size_t
trace_bytes(const struct trace *trace)
{
	return trace_built_bytes(trace) + intern_bytes(&trace->strings) +
	       stack_table_bytes(&trace->stacks);
}

/* Indexes of samples, made by counting: a sample has one place in each. */
#include "analysis/samples.h"

#include <string.h>

#include "base/checked.h"
#include "base/memory.h"
#include "trace/lane.h"

/* ---- building */

/* The key of a sample, REF_NONE where it has none. */
static uint32_t
key_of(const struct trace *trace, const struct sampled *sample, int kind)
{
	if (kind == SAMPLES_GROUP)
		return sample->actor == REF_NONE ? REF_NONE : trace_group_of(trace, sample->actor);
	if (kind == SAMPLES_ACTOR)
		return sample->actor;
	if (kind == SAMPLES_PROCESSOR)
		return sample->processor;
	return kind == SAMPLES_THREAD ? sample->thread : 0;
}

static uint32_t
key_count(const struct trace *trace, int kind)
{
	if (kind == SAMPLES_ACTOR)
		return trace_actor_count(trace);
	if (kind == SAMPLES_PROCESSOR)
		return trace_processor_count(trace);
	if (kind == SAMPLES_GROUP)
		return trace->samples != NULL ? trace->group_count : 0;
	return kind == SAMPLES_THREAD ? trace_thread_count(trace) : 1;
}

/* first[key + 1] says how many have the key, then where its next one goes. */
static void
fill(struct ref_index *index, const struct trace *trace, const struct sampled *items, uint32_t count,
	int kind)
{
	uint32_t place = 0;
	for (uint32_t i = 0; i < count; i++) {
		uint32_t key = key_of(trace, &items[i], kind);
		if (key < index->key_count)
			index->first[key + 1]++;
	}
	for (uint32_t key = 0; key < index->key_count; key++) {
		uint32_t of_key = index->first[key + 1];
		index->first[key + 1] = place;
		place += of_key;
	}
	for (uint32_t i = 0; i < count; i++) {
		uint32_t key = key_of(trace, &items[i], kind);
		if (key < index->key_count)
			index->refs[index->first[key + 1]++] = items[i].sample;
	}
}

static bool
build_index(struct ref_index *index, const struct trace *trace, const struct sampled *items,
	uint32_t count, int kind, struct error *err)
{
	uint32_t keys = key_count(trace, kind);
	size_t first_capacity = 0, ref_capacity = 0;
	if (!array_reserve(&index->first, &first_capacity, (size_t)keys + 1, sizeof *index->first,
		    err) ||
		!array_reserve(&index->refs, &ref_capacity, count, sizeof *index->refs, err))
		return false;
	memset(index->first, 0, ((size_t)keys + 1) * sizeof *index->first);
	index->key_count = keys;
	fill(index, trace, items, count, kind);
	return true;
}

bool
samples_index(struct samples *samples, const struct trace *trace, const struct sampled *items, uint32_t count,
	struct error *err)
{
	bool is_done = true;
	for (int kind = 0; is_done && count > 0 && kind < SAMPLES_KINDS; kind++)
		is_done = build_index(&samples->by[kind], trace, items, count, kind, err);
	if (!is_done)
		samples_release(samples);
	return is_done;
}

bool
samples_build(struct samples *samples, const struct trace *trace, struct error *err)
{
	struct sampled *all = NULL;
	uint32_t count = 0;
	size_t capacity = 0;
	bool is_done = true;
	*samples = (struct samples){ .trace = trace };
	for (uint32_t i = 0; is_done && i < trace->instants.count; i++) {
		const struct instant *instant = trace_instant(trace, i);
		if (instant->type != INSTANT_SAMPLE)
			continue;
		is_done = array_reserve(&all, &capacity, (size_t)count + 1, sizeof *all, err);
		if (is_done)
			all[count++] = (struct sampled){ i, instant->actor, instant->processor, instant->thread };
	}
	is_done = is_done && samples_index(samples, trace, all, count, err);
	memory_free(all);
	return is_done;
}

void
samples_release(struct samples *samples)
{
	for (int kind = 0; kind < SAMPLES_KINDS; kind++) {
		memory_free(samples->by[kind].first);
		memory_free(samples->by[kind].refs);
	}
	*samples = (struct samples){ 0 };
}

/* ---- asking */

int64_t
samples_time_ns(const struct samples *samples, uint32_t sample)
{
	return saturating_add_i64(trace_instant(samples->trace, sample)->time_ns, samples->delta_ns);
}

/* The samples of one lane, in time order. */
struct list {
	const struct samples *samples;
	const uint32_t *refs;
	uint32_t count;
};

static struct list
list_of(const struct samples *samples, struct lane lane)
{
	static const int kinds[] = {
		[LANE_ACTOR] = SAMPLES_ACTOR,
		[LANE_PROCESSOR] = SAMPLES_PROCESSOR,
		[LANE_THREAD] = SAMPLES_THREAD,
		[LANE_ALL] = SAMPLES_ALL,
		[LANE_GROUP] = SAMPLES_GROUP,
		[LANE_GC] = -1,
		[LANE_STW] = -1,
		[LANE_TASK] = -1,
	};
	struct list list = { .samples = samples };
	int kind = kinds[lane.type];
	if (kind < 0 || lane.ref >= samples->by[kind].key_count)
		return list;
	const struct ref_index *index = &samples->by[kind];
	list.refs = &index->refs[index->first[lane.ref]];
	list.count = index->first[lane.ref + 1] - index->first[lane.ref];
	return list;
}

/* How many were taken before t. */
static uint32_t
taken_before(const struct list *list, int64_t t_ns)
{
	const struct samples *samples = list->samples;
	return (uint32_t)instants_before(samples->trace, list->refs, list->count,
		saturating_sub_i64(t_ns, samples->delta_ns));
}

uint32_t
samples_count(const struct samples *samples, struct lane lane, int64_t t0_ns, int64_t t1_ns)
{
	struct list list = list_of(samples, lane);
	return t1_ns > t0_ns ? taken_before(&list, t1_ns) - taken_before(&list, t0_ns) : 0;
}

uint32_t
samples_next(const struct samples *samples, struct lane lane, int64_t t_ns)
{
	struct list list = list_of(samples, lane);
	uint32_t at = taken_before(&list, t_ns);
	return at < list.count ? list.refs[at] : REF_NONE;
}

uint32_t
samples_previous(const struct samples *samples, struct lane lane, int64_t t_ns)
{
	struct list list = list_of(samples, lane);
	uint32_t at = taken_before(&list, t_ns);
	return at > 0 ? list.refs[at - 1] : REF_NONE;
}

uint32_t
samples_within(const struct samples *samples, struct lane lane, int64_t t0_ns, int64_t t1_ns,
	int64_t t_ns)
{
	struct list list = list_of(samples, lane);
	t_ns = t_ns < t1_ns ? t_ns : t1_ns;
	uint32_t at = taken_before(&list, t_ns > t0_ns ? t_ns : t0_ns);
	if (at < list.count && samples_time_ns(samples, list.refs[at]) < t1_ns)
		return list.refs[at];
	if (at > 0 && samples_time_ns(samples, list.refs[at - 1]) >= t0_ns)
		return list.refs[at - 1];
	return REF_NONE;
}

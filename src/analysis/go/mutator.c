/* The step functions: what the collector took and gave back in the order of time, summed up. */
#include "analysis/go/mutator.h"

#include "analysis/go/mutator_internal.h"
#include "base/memory.h"
#include "query/radix.h"
#include "query/watch.h"

/* Lives of processors: no program has so many. */
enum { SERIES_MOST = 1 << 20 };
/*
 * Visits of processors because all of them may have changed: no program stops the world so often.
 */
enum { VISITS_MOST = 1 << 24 };

/* A processor while the changes are summed up, by its id. */
struct processor_now {
	int64_t spans; /* that are going on */
	size_t series;
	resource_ref ref;  /* REF_NONE where the trace does not tell of it */
};

struct builder {
	struct mutator_changes changes;
	int64_t from_ns, until_ns;
	struct mutator *mutator;
	struct processor_now *processors; /* MUTATOR_PROCESSORS_MOST */
	uint32_t processor_count; /* how many there are now */
	uint32_t taken_count;   /* of them, those with spans */
	int64_t stops;          /* of the world, that are going on */
	uint32_t visits;        /* of processors, so far */
};

/* ---- the functions */

static bool
begin_series(struct builder *builder, resource_ref processor)
{
	struct mutator *mutator = builder->mutator;
	if (mutator->count >= SERIES_MOST)
		return error_set(builder->changes.err, ERROR_LIMIT, "more than %d lives of procs",
			SERIES_MOST);
	if (!array_reserve(&mutator->series, &mutator->capacity, mutator->count + 1,
		    sizeof *mutator->series, builder->changes.err))
		return false;
	mutator->series[mutator->count++] =
		(struct mutator_series){ .processor = processor, .weight = 1 };
	return true;
}

static bool
append_step(struct builder *builder, struct mutator_series *series, int64_t time_ns, double share)
{
	if (!array_reserve(&series->steps, &series->capacity, series->count + 1,
		    sizeof *series->steps, builder->changes.err))
		return false;
	series->steps[series->count++] = (struct mutator_step){ time_ns, share };
	return true;
}

/* A share from a moment on. What is before the interval counts at its begin. */
static bool
add_step(struct builder *builder, size_t index, int64_t time_ns, double share)
{
	struct mutator_series *series = &builder->mutator->series[index];
	struct mutator_step *last = series->count > 0 ? &series->steps[series->count - 1] : NULL;
	if (time_ns < builder->from_ns)
		time_ns = builder->from_ns;
	if (last == NULL || (last->share != share && last->time_ns != time_ns))
		return append_step(builder, series, time_ns, share);
	last->share = share;
	if (series->count > 1 && last[-1].share == share && last->time_ns == time_ns)
		series->count--;
	return true;
}

/* The last step is there also where the share was 0 before; Go's page ends the series earlier. */
static bool
end_series(struct builder *builder, size_t index, int64_t time_ns)
{
	struct mutator_series *series = &builder->mutator->series[index];
	const struct mutator_step *last = series->count > 0 ? &series->steps[series->count - 1] : NULL;
	return last == NULL || last->time_ns >= time_ns ||
	       (mutator_is_as_go(builder->changes.parts) && last->share <= 0) ||
	       append_step(builder, series, time_ns, 0);
}

static bool
is_per_processor(const struct builder *builder)
{
	return (builder->changes.parts & MUTATOR_PER_PROCESSOR) != 0;
}

/* A hostile trace may change the number of processors, or stop the world, at each event. */
static bool
visit_processors(struct builder *builder, uint32_t count)
{
	if (count > VISITS_MOST - builder->visits)
		return error_set(builder->changes.err, ERROR_LIMIT,
			"the procs and their number change too often for such a report");
	builder->visits += count;
	return true;
}

static bool
set_processor_count(struct builder *builder, int64_t time_ns, uint32_t count)
{
	uint32_t before = builder->processor_count;
	if (!visit_processors(builder, before > count ? before - count : count - before))
		return false;
	for (; builder->processor_count > count; builder->processor_count--) {
		struct processor_now *processor =
			&builder->processors[builder->processor_count - 1];
		builder->taken_count -= processor->spans > 0 ? 1 : 0;
		if (is_per_processor(builder) && !end_series(builder, processor->series, time_ns))
			return false;
	}
	for (; builder->processor_count < count; builder->processor_count++) {
		struct processor_now *processor = &builder->processors[builder->processor_count];
		/* Go's page forgets what was taken of one that comes again. */
		if (mutator_is_as_go(builder->changes.parts))
			processor->spans = 0;
		builder->taken_count += processor->spans > 0 ? 1 : 0;
		if ((is_per_processor(builder) || builder->mutator->count == 0) &&
			!begin_series(
				builder, is_per_processor(builder) ? processor->ref : REF_NONE))
			return false;
		processor->series = builder->mutator->count - 1;
	}
	return true;
}

static bool
apply(struct builder *builder, const struct mutator_change *change)
{
	struct processor_now *processor = &builder->processors[change->processor];
	bool was_taken = processor->spans > 0;
	switch (change->type) {
	case CHANGE_PROCESSORS:
		return set_processor_count(builder, change->time_ns, (uint32_t)change->amount);
	case CHANGE_STW:
		builder->stops += change->amount;
		return true;
	case CHANGE_PROCESSOR:
		processor->spans += change->amount;
		if (change->processor < builder->processor_count)
			builder->taken_count += (uint32_t)((processor->spans > 0) - was_taken);
		return true;
	}
	return true;
}

/* What changed at one moment is seen together; of processors, those that may have changed. */
static bool
add_steps(struct builder *builder, const struct mutator_change *changes, size_t count)
{
	int64_t time_ns = changes->time_ns;
	bool is_all = false;
	if (builder->processor_count == 0 || builder->mutator->count == 0)
		return true;
	if (!is_per_processor(builder))
		return add_step(builder, 0, time_ns,
			builder->stops > 0 ? 0
					   : 1 - (double)builder->taken_count /
							   (double)builder->processor_count);
	for (size_t i = 0; i < count; i++)
		is_all = is_all || changes[i].type != CHANGE_PROCESSOR;
	if (is_all && !visit_processors(builder, builder->processor_count))
		return false;
	for (uint32_t i = 0; i < (is_all ? builder->processor_count : count); i++) {
		uint32_t id = is_all ? i : changes[i].processor;
		const struct processor_now *processor = &builder->processors[id];
		double share = builder->stops > 0 || processor->spans > 0 ? 0 : 1;
		if (id < builder->processor_count &&
			!add_step(builder, processor->series, time_ns, share))
			return false;
	}
	return true;
}

/* By time, and of one time by type. */
static bool
sort_changes(struct mutator_changes *changes)
{
	static const uint64_t sign = UINT64_C(1) << 63; /* flipped, what is below 0 comes first */
	size_t count = changes->count, kept = 0;
	struct radix_item *items = array_new_unset(count, sizeof *items, changes->err);
	struct mutator_change *sorted = array_new_unset(count, sizeof *sorted, changes->err);
	bool is_fine = items != NULL && sorted != NULL;
	for (int type = 0; is_fine && type < MUTATOR_CHANGE_TYPES; type++)
		for (size_t i = 0; i < count; i++)
			if (changes->items[i].type == (enum mutator_change_type)type)
				items[kept++] = (struct radix_item){
					(uint64_t)changes->items[i].time_ns ^ sign, i
				};
	is_fine = is_fine && radix_sort(
		items, count, search_watch_cancel_flag(changes->watch), changes->err);
	for (size_t i = 0; is_fine && i < count; i++)
		sorted[i] = changes->items[items[i].value];
	memory_free(items);
	memory_free(is_fine ? changes->items : sorted);
	if (is_fine)
		changes->items = sorted;
	return is_fine;
}

static bool
sum_up(struct builder *builder)
{
	size_t next;
	if (builder->changes.count == 0)
		return true;
	if (!sort_changes(&builder->changes))
		return false;
	for (size_t i = 0; i < builder->changes.count; i = next) {
		int64_t time_ns = builder->changes.items[i].time_ns;
		if (time_ns >= builder->until_ns)
			break;
		if (!search_watch_check(builder->changes.watch, 0, builder->changes.err))
			return false;
		for (next = i; next < builder->changes.count &&
				builder->changes.items[next].time_ns == time_ns; next++) {
			if (!apply(builder, &builder->changes.items[next]))
				return false;
		}
		if (!add_steps(builder, &builder->changes.items[i], next - i))
			return false;
	}
	for (uint32_t i = 0; i < (is_per_processor(builder) ? builder->processor_count : 1); i++) {
		if (builder->mutator->count > 0 &&
			!end_series(builder, builder->processors[i].series, builder->until_ns))
			return false;
	}
	return true;
}

static bool
integrate(struct mutator_series *series, struct error *err)
{
	long double area_ns = 0;
	series->area_ns = array_new_unset(series->count, sizeof *series->area_ns, err);
	if (series->area_ns == NULL)
		return false;
	for (size_t i = 0; i < series->count; i++) {
		const struct mutator_step *step = &series->steps[i];
		if (i > 0)
			area_ns += (long double)step[-1].share *
				   (long double)(step->time_ns - step[-1].time_ns);
		series->area_ns[i] = area_ns;
	}
	return true;
}

static bool
prepare_processors(struct builder *builder)
{
	builder->processors = array_new(MUTATOR_PROCESSORS_MOST, sizeof *builder->processors, builder->changes.err);
	if (builder->processors == NULL)
		return false;
	for (uint32_t i = 0; i < MUTATOR_PROCESSORS_MOST; i++)
		builder->processors[i].ref = REF_NONE;
	for (resource_ref ref = 0; ref < trace_processor_count(builder->changes.trace); ref++) {
		uint32_t id = mutator_processor_index(builder->changes.trace, ref);
		if (id != REF_NONE)
			builder->processors[id].ref = ref;
	}
	return true;
}

bool
mutator_build(struct mutator *mutator, const struct trace *trace, const struct mutator_scope *scope,
	struct error *err)
{
	struct builder builder = {
		.changes = { .trace = trace,
			.parts = scope->parts,
			.from_ns = mutator_is_as_go(scope->parts) ? INT64_MIN : scope->from_ns,
			.until_ns = scope->until_ns,
			.watch = scope->watch,
			.err = err },
		.from_ns = scope->from_ns,
		.until_ns = scope->until_ns < trace->end_ns ? scope->until_ns : trace->end_ns,
		.mutator = mutator,
	};
	*mutator = (struct mutator){ 0 };
	bool is_fine = mutator_find_changes(&builder.changes) && prepare_processors(&builder) &&
		       sum_up(&builder) && mutator_merge_equal(mutator, err);
	for (size_t i = 0; is_fine && i < mutator->count; i++)
		is_fine = integrate(&mutator->series[i], err);
	memory_free(builder.changes.items);
	memory_free(builder.processors);
	return is_fine;
}

uint64_t
mutator_work(const struct trace *trace)
{
	return (uint64_t)trace->ranges.count + trace->instants.count;
}

void
mutator_release(struct mutator *mutator)
{
	for (size_t i = 0; i < mutator->count; i++) {
		memory_free(mutator->series[i].steps);
		memory_free(mutator->series[i].area_ns);
	}
	array_release(&mutator->series);
	*mutator = (struct mutator){ 0 };
}

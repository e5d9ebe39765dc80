/*
 * The step functions: what the collector took and gave back, in the order of time, then
 * summed up.
 */
#include "analysis/mutator.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "trace/lane.h"

enum change_type {
	CHANGE_PROCS, /* `amount` is how many there are from now on */
	CHANGE_STW,
	CHANGE_PROC /* of one proc */
};

struct change {
	int64_t time_ns;
	int64_t amount; /* added to what is going on */
	uint32_t proc;  /* index: what Go calls its id */
	enum change_type type;
};

/* Procs and lives of procs beyond these are not looked at: no program has so many. */
enum { PROCS_MOST = 1 << 16, SERIES_MOST = 1 << 20 };
/* Visits of procs because all of them may have changed: no program stops the world so often. */
enum { VISITS_MOST = 1 << 24 };

/* A proc while the changes are summed up, by its id. */
struct proc_now {
	int64_t spans; /* that are going on */
	size_t series;
	proc_ref ref;  /* REF_NONE where the trace does not tell of it */
};

struct builder {
	const struct trace *trace;
	unsigned parts;
	int64_t from_ns, until_ns;
	struct mutator *mutator;
	struct error *err;
	int64_t known_ns; /* what is before does not count; INT64_MIN: all does */
	struct change *changes;
	size_t change_count, change_capacity;
	/* While they are summed up: */
	struct proc_now *procs; /* PROCS_MOST */
	uint32_t proc_count;    /* how many there are now */
	uint32_t taken_count;   /* of them, those with spans */
	int64_t stops;          /* of the world, that are going on */
	uint32_t visits;        /* of procs, so far */
};

static bool
is_as_go(const struct builder *builder)
{
	return (builder->parts & MUTATOR_AS_GO) != 0;
}

static bool
add_change(struct builder *builder, struct change change)
{
	if (change.time_ns < builder->known_ns)
		return true;
	if (!array_reserve(&builder->changes, &builder->change_capacity, builder->change_count + 1,
		    sizeof *builder->changes, builder->err))
		return false;
	builder->changes[builder->change_count++] = change;
	return true;
}

/* Begin and end of something that is going on in [start, end). */
static bool
add_span(struct builder *builder, enum change_type type, uint32_t proc, int64_t start_ns,
	int64_t end_ns)
{
	return add_change(builder, (struct change){ start_ns, 1, proc, type }) &&
	       add_change(builder, (struct change){ end_ns, -1, proc, type });
}

/* ---- what the collector took */

/*
 * How many there are is told at the begin, but in traces before Go 1.21 only with the first stop
 * of the world. Go's page then loses the begins of what goes on and counts their ends; here what
 * is told first holds from the begin of the trace on.
 */
static bool
add_procs(struct builder *builder)
{
	const struct counter *counter = &builder->trace->counters[COUNTER_GOMAXPROCS];
	if (counter->count > 0 && is_as_go(builder))
		builder->known_ns = counter->time_ns[0];
	for (size_t i = 0; i < counter->count; i++) {
		uint64_t count = counter->value[i];
		int64_t amount = count > PROCS_MOST ? PROCS_MOST : (int64_t)count;
		int64_t time_ns = i == 0 && !is_as_go(builder) ? 0 : counter->time_ns[i];
		if (!add_change(builder, (struct change){ time_ns, amount, 0, CHANGE_PROCS }))
			return false;
	}
	return true;
}

static uint32_t
proc_index(const struct builder *builder, proc_ref proc)
{
	int64_t id = proc == REF_NONE ? -1 : trace_proc(builder->trace, proc)->id;
	return id < 0 || id >= PROCS_MOST ? REF_NONE : (uint32_t)id;
}

static bool
is_executing(const struct span *span)
{
	return span->kind != NULL &&
	       (span->kind->state == STATE_RUNNING || span->kind->state == STATE_SYSCALL);
}

/* The time in which a goroutine held procs within [start, end), on each of them. */
static bool
add_executing(struct builder *builder, goroutine_ref goroutine, int64_t start_ns, int64_t end_ns)
{
	struct lane lane = { LANE_GOROUTINE, goroutine };
	struct span span;
	bool has_span = lane_span_at(builder->trace, lane, start_ns, &span);
	for (; has_span && span.start_ns < end_ns;
		has_span = lane_after(builder->trace, lane, &span, &span)) {
		struct span within = span;
		uint32_t proc = proc_index(builder, span.proc);
		span_clip(&within, start_ns, end_ns);
		if (is_executing(&span) && proc != REF_NONE &&
			!add_span(builder, CHANGE_PROC, proc, within.start_ns, within.end_ns))
			return false;
	}
	return true;
}

static bool
is_collection(const struct builder *builder, const struct range *range)
{
	size_t length;
	const char *name = trace_text(builder->trace, range->name, &length);
	for (size_t i = 0; i + 2 <= length; i++) {
		if (memcmp(name + i, "GC", 2) == 0)
			return true;
	}
	return false;
}

/* Of an assist whose begin it does not know Go's page counts the end alone. */
static bool
add_assist(struct builder *builder, const struct range *range, int64_t end_ns)
{
	struct span span;
	uint32_t proc;
	if (range->start_ns >= builder->known_ns)
		return add_executing(builder, range->scope, range->start_ns, end_ns);
	if (!lane_span_at(builder->trace, (struct lane){ LANE_GOROUTINE, range->scope }, end_ns,
		    &span))
		return true;
	proc = proc_index(builder, span.proc);
	return proc == REF_NONE || range->end_ns == TIME_OPEN ||
	       add_change(builder, (struct change){ end_ns, -1, proc, CHANGE_PROC });
}

static bool
add_range(struct builder *builder, const struct range *range)
{
	int64_t end_ns = range->end_ns == TIME_OPEN ? builder->trace->end_ns : range->end_ns;
	uint32_t proc;
	switch (range->type) {
	case RANGE_STW:
		return (builder->parts & MUTATOR_STW) == 0 || !is_collection(builder, range) ||
		       add_span(builder, CHANGE_STW, 0, range->start_ns, end_ns);
	case RANGE_SWEEP:
		proc = proc_index(builder, range->scope);
		return (builder->parts & MUTATOR_SWEEP) == 0 || proc == REF_NONE ||
		       add_span(builder, CHANGE_PROC, proc, range->start_ns, end_ns);
	case RANGE_MARK_ASSIST:
		return (builder->parts & MUTATOR_ASSIST) == 0 || range->scope == REF_NONE ||
		       add_assist(builder, range, end_ns);
	default:
		return true;
	}
}

static bool
add_ranges(struct builder *builder)
{
	for (range_ref ref = 0; ref < builder->trace->ranges.count; ref++) {
		if (!add_range(builder, trace_range(builder->trace, ref)))
			return false;
	}
	return true;
}

/* ---- mark workers: they say what they are when they begin to run */

static bool
is_text(const struct trace *trace, string_id id, const char *text)
{
	size_t length;
	const char *bytes = trace_text(trace, id, &length);
	return length == strlen(text) && memcmp(bytes, text, length) == 0;
}

static bool
is_worker(const struct builder *builder, const struct instant *instant)
{
	size_t length;
	const char *label = trace_text(builder->trace, instant->text, &length);
	return instant->type == INSTANT_LABEL && instant->goroutine != REF_NONE && length >= 3 &&
	       memcmp(label, "GC ", 3) == 0 &&
	       !is_text(builder->trace, instant->text, "GC (idle)") &&
	       ((builder->parts & MUTATOR_PER_PROC) == 0 ||
		       !is_text(builder->trace, instant->text, "GC (dedicated)"));
}

/* Up to where it stops, which may be after a system call. */
static int64_t
end_of_turn(const struct builder *builder, const struct instant *instant)
{
	struct lane lane = { LANE_GOROUTINE, instant->goroutine };
	struct span span;
	int64_t end_ns = instant->time_ns;
	bool has_span = lane_span_at(builder->trace, lane, instant->time_ns, &span);
	for (; has_span && is_executing(&span);
		has_span = lane_after(builder->trace, lane, &span, &span))
		end_ns = span.end_ns;
	return end_ns;
}

/*
 * Go's page counts a worker whenever it runs after its first label, and once more with each label,
 * for which it never counts back.
 */
static bool
add_leak(struct builder *builder, const struct instant *instant, bool is_first)
{
	uint32_t proc = proc_index(builder, instant->proc);
	if (is_first)
		return add_executing(builder, instant->goroutine, instant->time_ns,
			builder->trace->end_ns);
	return proc == REF_NONE ||
	       add_change(builder, (struct change){ instant->time_ns, 1, proc, CHANGE_PROC });
}

static bool
add_workers(struct builder *builder)
{
	const struct trace *trace = builder->trace;
	bool is_fine = true;
	/* Of each goroutine the end of the turn that counts already, above 0. */
	int64_t *known_ns = array_new(trace_goroutine_count(trace), sizeof *known_ns, builder->err);
	if (known_ns == NULL)
		return false;
	for (uint32_t ref = 0; is_fine && ref < trace->instants.count; ref++) {
		const struct instant *instant = trace_instant(trace, ref);
		if (!is_worker(builder, instant))
			continue;
		int64_t *known = &known_ns[instant->goroutine];
		if (is_as_go(builder)) {
			is_fine = add_leak(builder, instant, *known == 0);
			*known = 1;
		} else if (instant->time_ns >= *known) { /* labels of one turn count once */
			*known = end_of_turn(builder, instant);
			is_fine = add_executing(
				builder, instant->goroutine, instant->time_ns, *known);
		}
	}
	memory_free(known_ns);
	return is_fine;
}

/* ---- the functions */

static bool
begin_series(struct builder *builder, proc_ref proc)
{
	struct mutator *mutator = builder->mutator;
	if (mutator->count >= SERIES_MOST)
		return error_set(builder->err, ERROR_LIMIT, "more than %d lives of procs", SERIES_MOST);
	if (!array_reserve(&mutator->series, &mutator->capacity, mutator->count + 1,
		    sizeof *mutator->series, builder->err))
		return false;
	mutator->series[mutator->count++] = (struct mutator_series){ .proc = proc };
	return true;
}

static bool
append_step(struct builder *builder, struct mutator_series *series, int64_t time_ns, double share)
{
	if (!array_reserve(&series->steps, &series->capacity, series->count + 1,
		    sizeof *series->steps, builder->err))
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
	       (is_as_go(builder) && last->share <= 0) ||
	       append_step(builder, series, time_ns, 0);
}

static bool
is_per_proc(const struct builder *builder)
{
	return (builder->parts & MUTATOR_PER_PROC) != 0;
}

/* A hostile trace may change the number of procs, or stop the world, at each event. */
static bool
visit_procs(struct builder *builder, uint32_t count)
{
	if (count > VISITS_MOST - builder->visits)
		return error_set(builder->err, ERROR_LIMIT,
			"the procs and their number change too often for such a report");
	builder->visits += count;
	return true;
}

static bool
set_proc_count(struct builder *builder, int64_t time_ns, uint32_t count)
{
	uint32_t before = builder->proc_count;
	if (!visit_procs(builder, before > count ? before - count : count - before))
		return false;
	for (; builder->proc_count > count; builder->proc_count--) {
		struct proc_now *proc = &builder->procs[builder->proc_count - 1];
		builder->taken_count -= proc->spans > 0 ? 1 : 0;
		if (is_per_proc(builder) && !end_series(builder, proc->series, time_ns))
			return false;
	}
	for (; builder->proc_count < count; builder->proc_count++) {
		struct proc_now *proc = &builder->procs[builder->proc_count];
		if (is_as_go(builder)) /* which forgets what was taken of one that comes again */
			proc->spans = 0;
		builder->taken_count += proc->spans > 0 ? 1 : 0;
		if ((is_per_proc(builder) || builder->mutator->count == 0) &&
			!begin_series(builder, is_per_proc(builder) ? proc->ref : REF_NONE))
			return false;
		proc->series = builder->mutator->count - 1;
	}
	return true;
}

static bool
apply(struct builder *builder, const struct change *change)
{
	struct proc_now *proc = &builder->procs[change->proc];
	bool was_taken = proc->spans > 0;
	switch (change->type) {
	case CHANGE_PROCS:
		return set_proc_count(builder, change->time_ns, (uint32_t)change->amount);
	case CHANGE_STW:
		builder->stops += change->amount;
		return true;
	case CHANGE_PROC:
		proc->spans += change->amount;
		if (change->proc < builder->proc_count)
			builder->taken_count += (uint32_t)((proc->spans > 0) - was_taken);
		return true;
	}
	return true;
}

/* What changed at one moment is seen together; of procs, those that may have changed. */
static bool
add_steps(struct builder *builder, const struct change *changes, size_t count)
{
	int64_t time_ns = changes->time_ns;
	bool is_all = false;
	if (builder->proc_count == 0 || builder->mutator->count == 0)
		return true;
	if (!is_per_proc(builder))
		return add_step(builder, 0, time_ns,
			builder->stops > 0 ? 0
					   : 1 - (double)builder->taken_count /
							   (double)builder->proc_count);
	for (size_t i = 0; i < count; i++)
		is_all = is_all || changes[i].type != CHANGE_PROC;
	if (is_all && !visit_procs(builder, builder->proc_count))
		return false;
	for (uint32_t i = 0; i < (is_all ? builder->proc_count : count); i++) {
		uint32_t id = is_all ? i : changes[i].proc;
		const struct proc_now *proc = &builder->procs[id];
		double share = builder->stops > 0 || proc->spans > 0 ? 0 : 1;
		if (id < builder->proc_count && !add_step(builder, proc->series, time_ns, share))
			return false;
	}
	return true;
}

static int
compare_changes(const void *a, const void *b)
{
	const struct change *x = a, *y = b;
	if (x->time_ns != y->time_ns)
		return x->time_ns < y->time_ns ? -1 : 1;
	return (x->type > y->type) - (x->type < y->type);
}

static bool
sum_up(struct builder *builder)
{
	size_t next;
	if (builder->change_count == 0)
		return true;
	qsort(builder->changes, builder->change_count, sizeof *builder->changes, compare_changes);
	for (size_t i = 0; i < builder->change_count; i = next) {
		int64_t time_ns = builder->changes[i].time_ns;
		if (time_ns >= builder->until_ns)
			break;
		for (next = i; next < builder->change_count &&
				builder->changes[next].time_ns == time_ns; next++) {
			if (!apply(builder, &builder->changes[next]))
				return false;
		}
		if (!add_steps(builder, &builder->changes[i], next - i))
			return false;
	}
	for (uint32_t i = 0; i < (is_per_proc(builder) ? builder->proc_count : 1); i++) {
		if (builder->mutator->count > 0 &&
			!end_series(builder, builder->procs[i].series, builder->until_ns))
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
collect(struct builder *builder)
{
	builder->procs = array_new(PROCS_MOST, sizeof *builder->procs, builder->err);
	if (builder->procs == NULL)
		return false;
	for (uint32_t i = 0; i < PROCS_MOST; i++)
		builder->procs[i].ref = REF_NONE;
	for (proc_ref ref = 0; ref < trace_proc_count(builder->trace); ref++) {
		uint32_t id = proc_index(builder, ref);
		if (id != REF_NONE)
			builder->procs[id].ref = ref;
	}
	return add_procs(builder) && add_ranges(builder) &&
	       ((builder->parts & MUTATOR_BACKGROUND) == 0 || add_workers(builder));
}

bool
mutator_build(struct mutator *mutator, const struct trace *trace, unsigned parts, int64_t from_ns,
	int64_t until_ns, struct error *err)
{
	struct builder builder = {
		.trace = trace,
		.parts = parts,
		.from_ns = from_ns,
		.until_ns = until_ns < trace->end_ns ? until_ns : trace->end_ns,
		.mutator = mutator,
		.err = err,
		.known_ns = INT64_MIN,
	};
	*mutator = (struct mutator){ 0 };
	bool is_fine = collect(&builder) && sum_up(&builder);
	for (size_t i = 0; is_fine && i < mutator->count; i++)
		is_fine = integrate(&mutator->series[i], err);
	memory_free(builder.changes);
	memory_free(builder.procs);
	return is_fine;
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

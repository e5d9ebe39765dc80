/*
 * The walk over all events, or over the generations that an interval touches: those
 * are held, looked over for their times, and then walked.
 */
#include "dump/flat.h"

#include "source/go/tables.h"
#include "trace/time.h"

struct walk {
	struct flat flat;
	const struct dump *dump;
	flat_visit *visit;
	void *context;
	struct go_read_result *result;
	uint64_t generation; /* that the last batch was of, 0 before the first */
	bool has_start;      /* result->start_ns is known */
	bool is_refused;     /* by the visitor */
};

/* What is known of a generation that was looked over. */
struct extent {
	uint64_t generation, frequency;
	bool has_batch;
	uint64_t min_ticks, max_ticks;
	uint64_t batch_ticks; /* of the last event in the batch */
	uint64_t end_offset_bytes;
};

static bool
is_batch(const struct flat_event *event, uint64_t *generation, uint64_t *ticks)
{
	bool is_experimental = event->id == WIRE_EXPERIMENTAL_BATCH;
	if (event->id != WIRE_EVENT_BATCH && !is_experimental)
		return false;
	*generation = event->args[is_experimental ? 1 : 0];
	*ticks = event->args[is_experimental ? 3 : 2];
	return true;
}

static bool
visit(struct walk *walk, const struct flat_event *event, struct error *err)
{
	uint64_t generation, ticks;
	struct go_read_result *result = walk->result;
	if (is_batch(event, &generation, &ticks) && generation != walk->generation) {
		walk->generation = generation;
		result->generations++;
		if (result->first_generation == 0)
			result->first_generation = generation;
	}
	result->event_counts[event->id]++;
	result->events++;
	walk->is_refused = !walk->visit(walk->context, event, err);
	return !walk->is_refused;
}

/* Walks to the end, or to an offset. False with err set where the trace is broken too. */
static bool
walk_until(struct walk *walk, uint64_t end_offset_bytes, struct error *err)
{
	struct flat_event event;
	while (flat_offset(&walk->flat) < end_offset_bytes) {
		enum flat_outcome outcome = flat_next(&walk->flat, &event, err);
		if (outcome != FLAT_EVENT)
			return outcome == FLAT_END;
		if (!visit(walk, &event, err))
			return false;
	}
	return true;
}

/* ---- generations */

static void
note_ticks(struct extent *extent, uint64_t ticks)
{
	if (ticks > extent->max_ticks)
		extent->max_ticks = ticks;
}

/* False when the event begins another generation. */
static bool
note_event(struct extent *extent, const struct flat_event *event)
{
	uint64_t generation, ticks;
	if (is_batch(event, &generation, &ticks)) {
		if (extent->has_batch && generation != extent->generation)
			return false;
		if (!extent->has_batch || ticks < extent->min_ticks)
			extent->min_ticks = ticks;
		extent->has_batch = true;
		extent->generation = generation;
		extent->batch_ticks = ticks;
		note_ticks(extent, ticks);
	} else if (event->id == WIRE_FREQUENCY) {
		extent->frequency = event->args[0];
	} else if (event->id == WIRE_CPU_SAMPLE) {
		note_ticks(extent, event->args[0]);
	} else if (event->kind->is_timed) {
		extent->batch_ticks += event->args[0];
		note_ticks(extent, extent->batch_ticks);
	}
	return true;
}

/* Looks over a generation. False with err set where the trace breaks off in it. */
static bool
look_over(struct walk *walk, struct extent *extent, struct error *err)
{
	struct flat_event event;
	enum flat_outcome outcome;
	*extent = (struct extent){ 0 };
	while ((outcome = flat_next(&walk->flat, &event, err)) == FLAT_EVENT) {
		if (note_event(extent, &event))
			continue;
		flat_unread(&walk->flat, &event);
		break;
	}
	extent->end_offset_bytes = flat_offset(&walk->flat);
	return outcome != FLAT_BROKEN;
}

static int64_t
extent_ns(const struct extent *extent, uint64_t ticks)
{
	const struct tables clock = {
		.ns_per_tick = 1.0 / ((double)extent->frequency / 1e9),
	};
	return tables_ns(&clock, ticks);
}

/* A generation without a clock cannot be placed, and belongs to any interval. */
static bool
is_in_interval(struct walk *walk, const struct extent *extent, bool *is_behind)
{
	const struct dump_interval *interval = &walk->dump->interval;
	*is_behind = false;
	if (extent->frequency == 0)
		return true;
	int64_t first_ns = extent_ns(extent, extent->min_ticks);
	int64_t last_ns = extent_ns(extent, extent->max_ticks);
	if (!walk->has_start)
		walk->result->start_ns = first_ns;
	walk->has_start = true;
	*is_behind = interval->has_to && first_ns - walk->result->start_ns >= interval->to_ns;
	return !*is_behind &&
	       !(interval->has_from && last_ns - walk->result->start_ns < interval->from_ns);
}

static bool
walk_interval(struct walk *walk, struct error *err)
{
	struct flat *flat = &walk->flat;
	struct extent extent;
	bool is_behind = false, is_whole = true;
	while (is_whole && !is_behind) {
		uint64_t start = flat_offset(flat);
		flat_mark(flat);
		is_whole = look_over(walk, &extent, err);
		if (is_whole && extent.end_offset_bytes == start)
			break;
		if (!is_in_interval(walk, &extent, &is_behind))
			flat_forget(flat);
		else
			flat_rewind(flat);
		/* Until the end of the generation, or where it breaks off, for which err is set. */
		struct error visiting = { 0 };
		if (!walk_until(walk, extent.end_offset_bytes, &visiting)) {
			*err = visiting;
			return false;
		}
	}
	flat_forget(flat);
	return is_whole;
}

/* ---- the whole */

/* What is broken in the trace is damage, once something came out of it. */
static bool
end_broken(struct walk *walk, struct error *err)
{
	struct go_read_result *result = walk->result;
	uint64_t known_bytes = input_known_bytes(walk->flat.in);
	bool is_useless = result->events == 0;
	if (walk->is_refused || is_useless || err->kind == ERROR_MEMORY ||
		err->kind == ERROR_CANCELLED)
		return false;
	err->generation = walk->generation;
	struct damage damage = {
		.from_bytes = flat_offset(&walk->flat),
		.to_bytes = known_bytes,
		.lost_bytes = known_bytes - flat_offset(&walk->flat),
		.to_ns = TIME_OPEN,
		.first_generation = walk->generation,
		.last_generation = walk->generation,
		.cause = damage_cause_of(err),
		.first = *err,
	};
	damage_map_add(&result->damage, &damage);
	error_clear(err);
	return true;
}

bool
flat_walk(const struct dump *dump, struct input *in, flat_visit *visitor, void *context,
	struct go_read_result *result, struct error *err)
{
	struct walk walk = {
		.dump = dump,
		.visit = visitor,
		.context = context,
		.result = result,
	};
	bool is_all = !dump->interval.has_from && !dump->interval.has_to;
	*result = (struct go_read_result){ 0 };
	bool is_fine = flat_open(&walk.flat, in, dump->progress, err);
	result->go_minor = walk.flat.minor;
	if (is_fine) {
		is_fine = is_all ? walk_until(&walk, UINT64_MAX, err) : walk_interval(&walk, err);
		is_fine = is_fine || end_broken(&walk, err);
	}
	result->read_bytes = in->offset_bytes;
	flat_close(&walk.flat);
	return is_fine;
}

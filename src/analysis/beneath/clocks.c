/*
 * Finds what the clocks of two traces are apart. Whoever notes that an actor starts or stops runs on its thread, so at
 * these moments the thread is on a processor. A shift is as good as that is so.
 */
#include "analysis/beneath/beneath.h"

#include <inttypes.h>

#include "base/checked.h"
#include "base/memory.h"
#include "base/sort.h"
#include "base/units.h"
#include "trace/lane.h"
#include "trace/words.h"

enum {
	TESTED_LEAST = 10,     /* spans, for a shift to be believed */
	PIECES_MOST = 2000000, /* that an estimate looks at */
	SPANS_FINE = 50000,    /* of the second estimate, where there are few pieces for each */
	ERROR_MOST_NS = 5000000
};

/* ---- the spans of threads */

struct edges {
	struct beneath *beneath;
	const atomic_bool *is_cancelled;
	/* Takes where a span begins and ends. */
	bool (*take)(struct edges *edges, resource_ref thread, int64_t start_ns, int64_t end_ns, struct error *err);
	uint64_t stride, number; /* one of so many is taken */
	uint64_t tested, agreed, on; /* of the spans; `on`: a processor, at both ends */
	struct beneath_walk walk;    /* of that thread, as they are tested */
	resource_ref thread;
	struct step *steps;
	size_t step_count, step_capacity;
	int64_t low_ns, high_ns; /* the shifts in question */
	int64_t base;            /* what is said for the lowest */
	uint64_t count, pieces;  /* of edges, and what was looked at for them */
};

/* All running spans that begin and end within the trace. */
static bool
each_span(struct edges *edges, struct error *err)
{
	const struct trace *above = edges->beneath->above;
	edges->number = 0;
	for (resource_ref ref = 0; ref < trace_thread_count(above); ref++) {
		struct series series;
		struct item item;
		bool is_there = series_open(above, (struct lane){ LANE_THREAD, ref }, &series);
		if (edges->beneath->threads[ref].count == 0 || !is_there)
			continue;
		series_enter(&series, 0, &item);
		for (series_item(&series, 0, &item); is_there; is_there = series_step(&series, &item)) {
			int64_t start_ns = item_start_ns(&item);
			bool is_open;
			int64_t end_ns = item_end_ns(&series, &item, &is_open);
			if (item_kind(&series, &item)->state != STATE_RUNNING || is_open || start_ns <= above->start_ns ||
				edges->number++ % edges->stride != 0)
				continue;
			if (edges->is_cancelled != NULL && edges->number % 1024 == 0 && atomic_load(edges->is_cancelled))
				return error_set(err, ERROR_CANCELLED, "cancelled");
			if (!edges->take(edges, ref, start_ns, end_ns, err))
				return false;
		}
	}
	return true;
}

/* ---- testing a shift */

/* For that anything will do that tells so; against it speaks what nobody doubts. */
static bool
is_on(const struct beneath_piece *piece)
{
	return piece->state == BENEATH_ON || piece->is_seen;
}

static bool
is_known(const struct beneath_piece *piece)
{
	return is_on(piece) || piece->is_gone || (piece->state != BENEATH_UNKNOWN && !piece->is_doubtful);
}

static struct beneath_piece
piece_at(struct edges *edges, resource_ref thread, int64_t t_ns)
{
	struct beneath_piece piece = { .state = BENEATH_UNKNOWN };
	int64_t end_ns = saturating_add_i64(t_ns, 1);
	if (edges->walk.beneath == NULL || edges->thread != thread)
		beneath_begin(&edges->walk, edges->beneath, thread, t_ns, end_ns);
	else
		beneath_again(&edges->walk, t_ns, end_ns);
	edges->thread = thread;
	(void)beneath_next(&edges->walk, &piece); /* there is none at the end of all time */
	return piece;
}

static bool
test_span(struct edges *edges, resource_ref thread, int64_t start_ns, int64_t end_ns, struct error *err)
{
	struct beneath_piece ends[2];
	ends[0] = piece_at(edges, thread, start_ns);
	ends[1] = piece_at(edges, thread, end_ns);
	bool disagrees = false, are_known = true, are_on = true;
	(void)err;
	for (int i = 0; i < 2; i++) {
		bool is_awake = is_on(&ends[i]) || ends[i].state == BENEATH_READY;
		disagrees |= is_known(&ends[i]) && !is_awake;
		are_known &= is_known(&ends[i]);
		are_on &= is_on(&ends[i]);
	}
	edges->tested += are_known || disagrees;
	edges->agreed += are_known && !disagrees;
	edges->on += are_on;
	return true;
}

/* Whether the shift holds by itself, or, where it is the best one, is likely. */
static bool
test(struct beneath *beneath, const atomic_bool *is_cancelled, bool *holds, bool *is_likely, struct error *err)
{
	struct edges edges = { .beneath = beneath, .is_cancelled = is_cancelled, .take = test_span, .stride = 1 };
	if (!each_span(&edges, err))
		return false;
	beneath->tested = edges.tested;
	beneath->agreed = edges.agreed;
	/* Who waits for a processor most of the time is awake by any shift. */
	*is_likely = edges.tested >= TESTED_LEAST && edges.on >= edges.tested / 3 * 2;
	*holds = *is_likely && edges.agreed >= edges.tested - edges.tested / 100;
	return true;
}

/* ---- estimating one */

/* Above this shift so much more is said for it. */
struct step {
	int64_t shift_ns;
	int64_t change;
};

static int64_t
value_of(const struct beneath_piece *piece)
{
	if (is_on(piece))
		return 1;
	return is_known(piece) ? -3 : 0;
}

/* A moment at which the thread was on a processor, by any shift in question. */
static bool
add_edge(struct edges *edges, resource_ref thread, int64_t t_ns, struct error *err)
{
	struct beneath_walk walk;
	struct beneath_piece piece;
	int64_t value = 0;
	bool is_first = true;
	if (edges->pieces > 2 * (uint64_t)PIECES_MOST)
		return true;
	beneath_begin(&walk, edges->beneath, thread, saturating_sub_i64(t_ns, edges->high_ns),
		saturating_add_i64(saturating_sub_i64(t_ns, edges->low_ns), 1));
	while (beneath_next(&walk, &piece)) {
		int64_t before = value;
		value = value_of(&piece);
		edges->pieces++;
		if (!is_first && before != value) {
			if (!array_reserve(&edges->steps, &edges->step_capacity, edges->step_count + 1,
				    sizeof *edges->steps, err))
				return false;
			edges->steps[edges->step_count++] = (struct step){
				saturating_sub_i64(t_ns, piece.from_ns), before - value };
		}
		is_first = false;
	}
	edges->base += value;
	edges->count++;
	return true;
}

static bool
add_span(struct edges *edges, resource_ref thread, int64_t start_ns, int64_t end_ns, struct error *err)
{
	return add_edge(edges, thread, start_ns, err) && add_edge(edges, thread, end_ns, err);
}

static int
compare_steps(const void *left, const void *right)
{
	const struct step *a = left, *b = right;
	return a->shift_ns < b->shift_ns ? -1 : a->shift_ns > b->shift_ns;
}

/* Of the shifts in question only those stay for which about the most is said. */
static bool
narrow(struct edges *edges, struct error *err)
{
	edges->base = 0;
	edges->count = edges->pieces = 0;
	edges->step_count = 0;
	if (!each_span(edges, err))
		return false;
	const struct sort sort = { edges->steps, edges->step_count, sizeof *edges->steps, compare_steps };
	if (!sort_items(&sort, edges->is_cancelled, err))
		return false;
	int64_t value = edges->base, most = value;
	for (size_t i = 0; i < edges->step_count; i++) {
		value += edges->steps[i].change;
		bool is_last = i + 1 == edges->step_count || edges->steps[i].shift_ns != edges->steps[i + 1].shift_ns;
		most = is_last && value > most ? value : most;
	}
	/* Some moments may be rounded to the other side of a switch. */
	int64_t least = most - 4 * (int64_t)(edges->count / 100 + 1);
	int64_t low_ns = edges->low_ns, high_ns = edges->high_ns;
	bool has_any = edges->base >= least, is_within = has_any;
	value = edges->base;
	for (size_t i = 0; i < edges->step_count; i++) {
		value += edges->steps[i].change;
		if (i + 1 < edges->step_count && edges->steps[i].shift_ns == edges->steps[i + 1].shift_ns)
			continue;
		if (value >= least && !has_any)
			low_ns = edges->steps[i].shift_ns;
		if (value < least && is_within)
			high_ns = edges->steps[i].shift_ns;
		is_within = value >= least;
		has_any |= is_within;
	}
	if (is_within)
		high_ns = edges->high_ns;
	edges->low_ns = low_ns;
	edges->high_ns = high_ns;
	return true;
}

/* So that the first estimate looks at no more pieces than it may. */
static uint64_t
coarse_stride(const struct beneath *beneath)
{
	uint64_t pieces = 0;
	for (resource_ref ref = 0; ref < trace_thread_count(beneath->above); ref++) {
		struct series series;
		uint64_t tasks = 0;
		for (uint32_t i = 0; i < beneath->threads[ref].count; i++) {
			const struct beneath_task *task = &beneath->tasks[beneath->threads[ref].first + i];
			tasks += trace_actor(beneath->below, task->actor)->state_count + 1;
		}
		if (series_open(beneath->above, (struct lane){ LANE_THREAD, ref }, &series))
			pieces += 2 * tasks * series.item_count;
	}
	return pieces / PIECES_MOST + 1;
}

/* Two times: of some spans by any shift, then of more of them by those that are left. */
static bool
estimate(struct beneath *beneath, struct edges *edges, struct error *err)
{
	const int64_t before_ns = beneath->delta_ns;
	edges->low_ns = saturating_sub_i64(-1, beneath->below->end_ns);
	edges->high_ns = saturating_add_i64(beneath->above->end_ns, 1);
	beneath->delta_ns = 0; /* pieces are asked for in the time of the lower trace */
	edges->stride = coarse_stride(beneath);
	bool is_fine = narrow(edges, err);
	edges->stride = edges->number / SPANS_FINE + 1;
	if (is_fine && saturating_sub_i64(edges->high_ns, edges->low_ns) <= 2 * (int64_t)ERROR_MOST_NS)
		is_fine = narrow(edges, err);
	beneath->delta_ns = before_ns;
	memory_free(edges->steps);
	return is_fine;
}

/* ---- what came of it */

static bool
tell_why(const struct beneath *beneath, int64_t error_ns, struct error *err)
{
	uint32_t common = 0;
	char low[UNITS_TEXT], high[UNITS_TEXT];
	for (resource_ref ref = 0; ref < trace_thread_count(beneath->above); ref++)
		common += beneath->threads[ref].count > 0;
	if (common == 0)
		return error_set(err, ERROR_FORMAT,
			"the clocks cannot be compared: none of the threads is a task of the other trace, so they are not "
			"of the same run");
	if (beneath->tested < TESTED_LEAST)
		return error_set(err, ERROR_FORMAT,
			"the clocks cannot be compared: of only %" PRIu64 " running spans both traces tell; "
			"--align=FILE:SHIFT says what to add to the times of one", beneath->tested);
	units_option_time(low, saturating_sub_i64(beneath->shift_ns, error_ns), 1000);
	units_option_time(high, saturating_add_i64(beneath->shift_ns, error_ns), 1000);
	if (error_ns > ERROR_MOST_NS)
		return error_set(err, ERROR_FORMAT,
			"the clocks cannot be compared: shifts from %s to %s fit; --align=FILE:SHIFT says which", low, high);
	return error_set(err, ERROR_FORMAT,
		"the clocks cannot be compared: no shift fits, with the best %" PRIu64 " of %" PRIu64
		" running spans begin and end while their threads are awake; --align=FILE:SHIFT says one",
		beneath->agreed, beneath->tested);
}

bool
beneath_align(struct beneath *beneath, const atomic_bool *is_cancelled, struct error *err)
{
	struct edges edges = { .beneath = beneath, .is_cancelled = is_cancelled, .take = add_span };
	bool holds, is_likely;
	beneath_shift(beneath, 0);
	beneath->clocks = BENEATH_TESTED;
	if (!test(beneath, is_cancelled, &holds, &is_likely, err) || holds)
		return err->kind == ERROR_NONE;
	if (!estimate(beneath, &edges, err))
		return false;
	int64_t width_ns = saturating_sub_i64(edges.high_ns, edges.low_ns);
	int64_t shift_ns = saturating_sub_i64(saturating_add_i64(edges.low_ns + width_ns / 2,
						      beneath->above->origin_ns),
		beneath->below->origin_ns);
	beneath->error_ns = width_ns / 2 + 1;
	/* Two clocks that are so near to each other are one. */
	bool is_none = saturating_sub_i64(shift_ns, beneath->error_ns) <= 0 &&
		       saturating_add_i64(shift_ns, beneath->error_ns) >= 0;
	beneath_shift(beneath, is_none ? 0 : shift_ns);
	beneath->clocks = BENEATH_ESTIMATED;
	if (!test(beneath, is_cancelled, &holds, &is_likely, err))
		return false;
	return (is_likely && beneath->error_ns <= ERROR_MOST_NS) || tell_why(beneath, beneath->error_ns, err);
}

/* "go has CLOCK_MONOTONIC (stated)" */
static void
add_clock(struct text *out, const struct trace *trace)
{
	const char *name = words_clock(trace->words, trace->go_minor);
	if (name != NULL)
		text_format(out, "%s has %s (stated)", trace->words->source, name);
	else
		text_format(out, "%s does not say which it has", trace->words->source);
}

void
beneath_add_shift(struct text *out, const struct beneath *beneath)
{
	char shift[UNITS_TEXT], error[UNITS_TEXT], agreed[UNITS_TEXT], tested[UNITS_TEXT];
	units_option_time(shift, beneath->shift_ns, 1);
	units_duration(error, beneath->error_ns, true);
	units_count(agreed, beneath->agreed);
	units_count(tested, beneath->tested);
	text_format(out, "shift %s ", shift);
	if (beneath->clocks == BENEATH_GIVEN) {
		text_add_string(out, "given by --align");
		return;
	}
	if (beneath->clocks == BENEATH_TESTED)
		text_add_string(out, "tested");
	else
		text_format(out, "estimated, +-%s", error);
	text_format(out, ": %s of %s running spans agree", agreed, tested);
}

void
beneath_add_clocks(struct text *out, const struct beneath *beneath)
{
	add_clock(out, beneath->above);
	text_add_string(out, ", ");
	add_clock(out, beneath->below);
	text_add_string(out, "; ");
	beneath_add_shift(out, beneath);
}

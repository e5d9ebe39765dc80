/*
 * Finds what the clocks of two traces are apart. Whoever notes that an actor starts or stops runs on its thread, so at
 * these moments the thread is on a processor. A shift is as good as that is so.
 *
 * Where the lower trace does not tell that, its samples do: when one was taken whose stack has a function that actors
 * start with, the thread ran such an actor.
 */
#include "analysis/beneath/beneath.h"

#include <inttypes.h>
#include <string.h>

#include "base/checked.h"
#include "base/intern.h"
#include "base/job.h"
#include "base/memory.h"
#include "base/sort.h"
#include "base/units.h"
#include "trace/lane.h"
#include "trace/words.h"

enum {
	TESTED_LEAST = 10,     /* spans, for a shift to be believed */
	TESTED_MOST = 1000000, /* of more, one of so many is tested */
	PIECES_MOST = 2000000, /* that an estimate looks at */
	SPANS_FINE = 50000,    /* of the second estimate, where there are few pieces for each */
	TOLD_MOST = 8,         /* names of actors in a stack, the outermost */
	ERROR_MOST_NS = 5000000,
	NEAR_NS = 100000000
};

/* Names of actors, by which both traces know them. */
struct naming {
	struct intern names;    /* of actors, up to `last`, then others */
	string_id last;
	string_id *of_actor;    /* by actor of the upper trace */
	string_id *of_function; /* by name of the lower one; STRING_EMPTY: not asked yet */
};

struct edges {
	struct beneath *beneath;
	const atomic_bool *is_cancelled;
	/* Takes where a span begins and ends, or a sample. */
	bool (*take)(struct edges *edges, resource_ref thread, int64_t start_ns, int64_t end_ns, struct error *err);
	bool (*take_sample)(struct edges *edges, resource_ref thread, const struct instant *sample, struct error *err);
	struct naming *naming;
	uint64_t stride, number; /* one of so many is taken */
	unsigned taken;
	uint64_t tested, agreed, on; /* of them; `on`: at both ends of a span the thread is on a processor */
	struct beneath_walk walk;    /* of that thread, as they are tested */
	resource_ref thread;
	struct step *steps;
	size_t step_count, step_capacity;
	int64_t low_ns, high_ns; /* the shifts in question; */
	int64_t best_ns;         /* of them the middle of those for which most is said */
	int64_t base;            /* what is said for the lowest */
	uint64_t count, pieces;  /* of edges, and what was looked at for them */
};

static bool
goes_on(struct edges *edges, struct error *err)
{
	return ++edges->taken % 1024 != 0 || job_goes_on(edges->is_cancelled, err);
}

/* ---- the spans of threads */

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
			if (item_kind(&series, &item)->state != STATE_RUNNING || start_ns <= above->start_ns ||
				edges->number++ % edges->stride != 0)
				continue;
			int64_t end_ns = item_end_ns(&series, &item, &is_open);
			if (is_open)
				continue;
			if (!goes_on(edges, err) || !edges->take(edges, ref, start_ns, end_ns, err))
				return false;
		}
	}
	return true;
}

/* ---- samples and names */

static void
naming_release(struct naming *naming)
{
	intern_release(&naming->names);
	memory_free(naming->of_actor);
	memory_free(naming->of_function);
}

static bool
naming_init(struct naming *naming, const struct beneath *beneath, struct error *err)
{
	uint32_t actors = trace_actor_count(beneath->above);
	*naming = (struct naming){ .last = STRING_EMPTY };
	naming->of_actor = array_new(actors, sizeof *naming->of_actor, err);
	naming->of_function =
		array_new(intern_count(&beneath->below->strings), sizeof *naming->of_function, err);
	if (naming->of_actor == NULL || naming->of_function == NULL || !intern_init(&naming->names, err))
		return false;
	for (actor_ref ref = 0; ref < actors; ref++) {
		size_t length;
		const char *name = trace_text(beneath->above, trace_actor(beneath->above, ref)->name, &length);
		if (!intern_add(&naming->names, name, length, &naming->of_actor[ref], err))
			return false;
	}
	naming->last = intern_count(&naming->names) - 1;
	return true;
}

/* The name of actors that the function is, or one that none has. */
static bool
find_name(struct edges *edges, string_id function, string_id *name, struct error *err)
{
	struct naming *naming = edges->naming;
	string_id *known = &naming->of_function[function];
	size_t length;
	const char *bytes = trace_text(edges->beneath->below, function, &length);
	if (*known == STRING_EMPTY && !intern_add(&naming->names, bytes, length, known, err))
		return false;
	*name = *known;
	return true;
}

/* The names of actors in a stack, the outermost last. */
struct told {
	string_id names[TOLD_MOST];
	unsigned count;
};

static bool
read_stack(struct edges *edges, stack_id stack, struct told *told, struct error *err)
{
	const struct stack_table *stacks = &edges->beneath->below->stacks;
	told->count = 0;
	for (; stack != STACK_NONE; stack = stack_caller(stacks, stack)) {
		string_id name;
		if (!find_name(edges, stack_leaf(stacks, stack)->function, &name, err))
			return false;
		if (name != STRING_EMPTY && name <= edges->naming->last)
			told->names[told->count++ % TOLD_MOST] = name;
	}
	return true;
}

/* What they say of the thread having run the actor (REF_NONE: none) then: 1 for it, -1 against it, 0 nothing. */
static int
says(const struct edges *edges, const struct told *told, actor_ref actor)
{
	string_id wanted = actor != REF_NONE ? edges->naming->of_actor[actor] : STRING_EMPTY;
	if (told->count == 0 || (actor != REF_NONE && wanted == STRING_EMPTY))
		return 0;
	for (unsigned i = 0; i < told->count && i < TOLD_MOST; i++)
		if (told->names[i] == wanted)
			return 1;
	return -1;
}

/* All samples of threads. */
static bool
each_sample(struct edges *edges, struct error *err)
{
	const struct trace *below = edges->beneath->below;
	edges->number = 0;
	for (uint32_t i = 0; i < below->instants.count; i++) {
		const struct instant *sample = trace_instant(below, i);
		if (sample->type != INSTANT_SAMPLE || sample->stack == STACK_NONE || sample->actor == REF_NONE ||
			edges->beneath->thread_of[sample->actor] == REF_NONE || edges->number++ % edges->stride != 0)
			continue;
		if (!goes_on(edges, err) ||
			!edges->take_sample(edges, edges->beneath->thread_of[sample->actor], sample, err))
			return false;
	}
	return true;
}

static bool
each(struct edges *edges, struct error *err)
{
	return edges->naming != NULL ? each_sample(edges, err) : each_span(edges, err);
}

/* ---- testing a shift */

static bool
test_sample(struct edges *edges, resource_ref thread, const struct instant *sample, struct error *err)
{
	struct beneath_place place = beneath_place_of(edges->beneath, sample);
	struct told told;
	(void)thread;
	if (place.thread == REF_NONE)
		return true;
	if (!read_stack(edges, sample->stack, &told, err))
		return false;
	int said = says(edges, &told, place.actor);
	edges->tested += said != 0;
	edges->agreed += said > 0;
	edges->on = edges->agreed;
	return true;
}

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

/* Of all threads; some of them are running spans. */
static uint64_t
count_items(const struct beneath *beneath)
{
	uint64_t count = 0;
	struct series series;
	for (resource_ref ref = 0; ref < trace_thread_count(beneath->above); ref++)
		if (series_open(beneath->above, (struct lane){ LANE_THREAD, ref }, &series))
			count += series.item_count;
	return count;
}

/* Whether the shift holds by itself, or, where it is the best one, is likely. */
static bool
test(struct edges *edges, bool *holds, bool *is_likely, struct error *err)
{
	struct beneath *beneath = edges->beneath;
	edges->take = test_span;
	edges->take_sample = test_sample;
	edges->stride = edges->naming != NULL ? 1 : count_items(edges->beneath) / TESTED_MOST + 1;
	edges->tested = edges->agreed = edges->on = 0;
	if (!each(edges, err))
		return false;
	beneath->tested = edges->tested;
	beneath->agreed = edges->agreed;
	/* Who waits for a processor most of the time is awake by any shift. */
	*is_likely = edges->tested >= TESTED_LEAST && edges->on >= edges->tested / 3 * 2;
	*holds = *is_likely && edges->agreed >= edges->tested - edges->tested / 100;
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

/* From that moment of the upper trace on so much is said by a sample that was taken at `s_ns` of the lower one. */
static bool
put_value(struct edges *edges, int64_t s_ns, int64_t from_ns, int64_t value, int64_t *before, struct error *err)
{
	int64_t shift_ns = saturating_sub_i64(from_ns, s_ns);
	edges->pieces++;
	if (shift_ns <= edges->low_ns)
		edges->base += value - *before;
	else if (value != *before &&
		 !array_reserve(&edges->steps, &edges->step_capacity, edges->step_count + 1, sizeof *edges->steps, err))
		return false;
	else if (value != *before)
		edges->steps[edges->step_count++] = (struct step){ shift_ns, value - *before };
	*before = value;
	return true;
}

/* A sample, over what its thread ran by any shift in question. */
static bool
add_sample(struct edges *edges, resource_ref thread, const struct instant *sample, struct error *err)
{
	const struct trace *above = edges->beneath->above;
	int64_t s_ns = sample->time_ns, before = 0;
	int64_t at_ns = saturating_add_i64(s_ns, edges->low_ns), until_ns = saturating_add_i64(s_ns, edges->high_ns);
	int64_t end_ns = saturating_add_i64(above->end_ns, 1);
	struct series series;
	struct item item;
	struct span span;
	struct told told;
	at_ns = at_ns > 0 ? at_ns : 0;
	if (!read_stack(edges, sample->stack, &told, err))
		return false;
	if (told.count == 0 || edges->pieces > 2 * (uint64_t)PIECES_MOST)
		return true;
	edges->count++;
	bool is_there = series_open(above, (struct lane){ LANE_THREAD, thread }, &series);
	if (is_there && !series_find(&series, at_ns, &item))
		series_item(&series, 0, &item);
	if (is_there)
		item_span(&series, &item, &span);
	while (at_ns < end_ns && at_ns <= until_ns) {
		if (is_there && !span.is_open && span.end_ns <= at_ns) {
			is_there = series_step(&series, &item);
			if (is_there)
				item_span(&series, &item, &span);
			continue;
		}
		bool runs = is_there && span.start_ns <= at_ns;
		int said = says(edges, &told, runs ? span.actor : REF_NONE);
		if (!put_value(edges, s_ns, at_ns, said < 0 ? -3 : said, &before, err))
			return false;
		at_ns = !is_there ? end_ns : !runs ? span.start_ns : span.is_open ? end_ns : span.end_ns;
	}
	return at_ns > until_ns || put_value(edges, s_ns, at_ns, 0, &before, err);
}

static int
compare_steps(const void *left, const void *right)
{
	const struct step *a = left, *b = right;
	return a->shift_ns < b->shift_ns ? -1 : a->shift_ns > b->shift_ns;
}

/* Between the step before and that one as much is said as anywhere: the longest such stretch has the best. */
static void
take_plateau(struct edges *edges, size_t step, bool is_most, int64_t *longest_ns)
{
	int64_t from_ns = step > 0 ? edges->steps[step - 1].shift_ns : edges->low_ns;
	int64_t until_ns = step < edges->step_count ? edges->steps[step].shift_ns : edges->high_ns;
	int64_t length_ns = saturating_sub_i64(until_ns, from_ns);
	if (!is_most || length_ns <= *longest_ns)
		return;
	*longest_ns = length_ns;
	edges->best_ns = from_ns + length_ns / 2;
}

/* Of the shifts in question only those stay for which about the most is said. */
static bool
narrow(struct edges *edges, struct error *err)
{
	edges->base = 0;
	edges->count = edges->pieces = 0;
	edges->step_count = 0;
	if (!each(edges, err))
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
	int64_t longest_ns = -1;
	take_plateau(edges, 0, value == most, &longest_ns);
	for (size_t i = 0; i < edges->step_count; i++) {
		value += edges->steps[i].change;
		if (i + 1 < edges->step_count && edges->steps[i].shift_ns == edges->steps[i + 1].shift_ns)
			continue;
		take_plateau(edges, i + 1, value == most, &longest_ns);
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

/* How much of the trace the shifts in question lead to. */
static double
share_of(const struct edges *edges, const struct trace *trace)
{
	double share = ((double)edges->high_ns - (double)edges->low_ns) / ((double)trace->end_ns + 1);
	return share < 1 ? share : 1;
}

static bool
count_pieces(struct edges *edges, resource_ref thread, const struct instant *sample, struct error *err)
{
	const struct trace *above = edges->beneath->above;
	struct series series;
	(void)sample;
	(void)err;
	if (series_open(above, (struct lane){ LANE_THREAD, thread }, &series))
		edges->pieces += 1 + (uint64_t)(2 * series.item_count * share_of(edges, above));
	return true;
}

/* So that the first estimate looks at no more pieces than it may. */
static uint64_t
coarse_stride(struct edges *edges, struct error *err)
{
	const struct beneath *beneath = edges->beneath;
	double pieces = 0, share = share_of(edges, beneath->below);
	if (edges->naming != NULL) {
		edges->stride = 1;
		edges->pieces = 0;
		edges->take_sample = count_pieces;
		return each_sample(edges, err) ? edges->pieces / PIECES_MOST + 1 : 1;
	}
	for (resource_ref ref = 0; ref < trace_thread_count(beneath->above); ref++) {
		struct series series;
		uint64_t tasks = 0;
		for (uint32_t i = 0; i < beneath->threads[ref].count; i++) {
			const struct beneath_task *task = &beneath->tasks[beneath->threads[ref].first + i];
			tasks += trace_actor(beneath->below, task->actor)->state_count + 1;
		}
		if (series_open(beneath->above, (struct lane){ LANE_THREAD, ref }, &series))
			pieces += 2 * (1 + (double)tasks * share) * series.item_count;
	}
	return (uint64_t)(pieces / PIECES_MOST) + 1;
}

/* Two times: of some spans by any shift in question, then of more of them by those that are left. */
static bool
estimate(struct edges *edges, struct error *err)
{
	struct beneath *beneath = edges->beneath;
	const int64_t before_ns = beneath->delta_ns;
	beneath->delta_ns = 0; /* pieces are asked for in the time of the lower trace */
	edges->stride = coarse_stride(edges, err);
	edges->take = add_span;
	edges->take_sample = add_sample;
	bool is_fine = err->kind == ERROR_NONE && narrow(edges, err);
	edges->stride = edges->number / SPANS_FINE + 1;
	if (is_fine && saturating_sub_i64(edges->high_ns, edges->low_ns) <= 2 * (int64_t)ERROR_MOST_NS)
		is_fine = narrow(edges, err);
	beneath->delta_ns = before_ns;
	memory_free(edges->steps);
	edges->steps = NULL;
	edges->step_count = edges->step_capacity = 0;
	return is_fine;
}

/* ---- what came of it */

/* What speaks for a shift. */
static const char *
witnesses(const struct beneath *beneath)
{
	return beneath_has_states(beneath->below) ? "running spans" : "samples";
}

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
			"the clocks cannot be compared: of only %" PRIu64 " %s both traces tell; "
			"--align=FILE:SHIFT says what to add to the times of one", beneath->tested, witnesses(beneath));
	units_option_time(low, saturating_sub_i64(beneath->shift_ns, error_ns), 1000);
	units_option_time(high, saturating_add_i64(beneath->shift_ns, error_ns), 1000);
	if (error_ns > ERROR_MOST_NS)
		return error_set(err, ERROR_FORMAT,
			"the clocks cannot be compared: shifts from %s to %s fit; --align=FILE:SHIFT says which", low, high);
	return error_set(err, ERROR_FORMAT,
		"the clocks cannot be compared: no shift fits, with the best %" PRIu64 " of %" PRIu64
		" %s; --align=FILE:SHIFT says one", beneath->agreed, beneath->tested,
		beneath_has_states(beneath->below)
			? "running spans begin and end while their threads are awake"
			: "samples were taken while their threads ran what their stacks name");
}

/* The best of the shifts in question becomes that of the traces, and is tested. */
static bool
take_best(struct edges *edges, bool *holds, bool *is_likely, struct error *err)
{
	struct beneath *beneath = edges->beneath;
	if (!estimate(edges, err))
		return false;
	int64_t shift_ns = saturating_sub_i64(saturating_add_i64(edges->best_ns, beneath->above->origin_ns),
		beneath->below->origin_ns);
	int64_t above_ns = saturating_sub_i64(edges->high_ns, edges->best_ns);
	int64_t below_ns = saturating_sub_i64(edges->best_ns, edges->low_ns);
	beneath->error_ns = saturating_add_i64(above_ns > below_ns ? above_ns : below_ns, 1);
	/* Two clocks that are so near to each other are one. */
	bool is_none = saturating_sub_i64(shift_ns, beneath->error_ns) <= 0 &&
		       saturating_add_i64(shift_ns, beneath->error_ns) >= 0;
	beneath_shift(beneath, is_none ? 0 : shift_ns);
	if (!test(edges, holds, is_likely, err))
		return false;
	*holds &= beneath->error_ns <= ERROR_MOST_NS;
	*is_likely &= beneath->error_ns <= ERROR_MOST_NS;
	return true;
}

static bool
state_the_same(const struct beneath *beneath)
{
	const char *above = trace_stated_clock(beneath->above), *below = trace_stated_clock(beneath->below);
	return above != NULL && below != NULL && strcmp(above, below) == 0;
}

static bool
align(struct edges *edges, struct error *err)
{
	struct beneath *beneath = edges->beneath;
	bool holds, holds_as_it_is, is_likely;
	beneath_shift(beneath, 0);
	beneath->clocks = BENEATH_TESTED;
	if (!test(edges, &holds_as_it_is, &is_likely, err))
		return false;
	if (state_the_same(beneath) && edges->agreed > 0 && edges->agreed >= edges->tested / 3 * 2) {
		beneath->clocks = BENEATH_STATED;
		return true;
	}
	/* Samples of a thread that runs the same all the time agree with any shift, so those near by are tried. */
	if (holds_as_it_is && edges->naming == NULL)
		return true;
	edges->low_ns = saturating_sub_i64(beneath->delta_ns, NEAR_NS);
	edges->high_ns = saturating_add_i64(beneath->delta_ns, NEAR_NS);
	if (!take_best(edges, &holds, &is_likely, err))
		return false;
	if (!holds && !holds_as_it_is) {
		edges->low_ns = saturating_sub_i64(-1, beneath->below->end_ns);
		edges->high_ns = saturating_add_i64(beneath->above->end_ns, 1);
		if (!take_best(edges, &holds, &is_likely, err))
			return false;
	}
	if (!is_likely)
		return tell_why(beneath, beneath->error_ns, err);
	bool is_tested = holds_as_it_is && beneath->shift_ns == 0;
	beneath->clocks = is_tested ? BENEATH_TESTED : BENEATH_ESTIMATED;
	beneath->error_ns = is_tested ? 0 : beneath->error_ns;
	return true;
}

static bool
test_given(struct edges *edges, struct error *err)
{
	bool holds, is_likely;
	return test(edges, &holds, &is_likely, err);
}

static bool
with_edges(struct beneath *beneath, const atomic_bool *is_cancelled,
	bool (*work)(struct edges *edges, struct error *err), struct error *err)
{
	struct naming naming = { .last = STRING_EMPTY };
	bool has_states = beneath_has_states(beneath->below);
	struct edges edges = { .beneath = beneath, .is_cancelled = is_cancelled, .naming = has_states ? NULL : &naming };
	bool is_fine = (has_states || naming_init(&naming, beneath, err)) && work(&edges, err);
	naming_release(&naming);
	return is_fine;
}

bool
beneath_align(struct beneath *beneath, const atomic_bool *is_cancelled, struct error *err)
{
	return with_edges(beneath, is_cancelled, align, err);
}

bool
beneath_align_given(struct beneath *beneath, int64_t shift_ns, const atomic_bool *is_cancelled, struct error *err)
{
	beneath_shift(beneath, shift_ns);
	return with_edges(beneath, is_cancelled, test_given, err);
}

/* "go has CLOCK_MONOTONIC (stated)" */
static void
add_clock(struct text *out, const struct trace *trace)
{
	const char *name = trace_stated_clock(trace);
	if (name != NULL)
		text_format(out, "%s has %s (stated)", trace->words->source, name);
	else
		text_format(out, "%s does not say which it has", trace->words->source);
}

void
beneath_add_shift(struct text *out, const struct beneath *beneath)
{
	static const char *const ways[] = {
		[BENEATH_GIVEN] = "given by --align", [BENEATH_STATED] = "stated", [BENEATH_TESTED] = "tested"
	};
	char shift[UNITS_TEXT], error[UNITS_TEXT], agreed[UNITS_TEXT], tested[UNITS_TEXT];
	units_option_time(shift, beneath->shift_ns, 1);
	units_duration(error, beneath->error_ns, true);
	units_count(agreed, beneath->agreed);
	units_count(tested, beneath->tested);
	text_format(out, "shift %s ", shift);
	if (beneath->clocks == BENEATH_ESTIMATED)
		text_format(out, "estimated, +-%s", error);
	else
		text_add_string(out, ways[beneath->clocks]);
	text_format(out, ": %s of %s %s agree", agreed, tested, witnesses(beneath));
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

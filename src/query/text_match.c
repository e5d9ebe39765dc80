/*
 * One pattern over all texts: each text once, each stack once (a stack matches if its
 * leaf's function or its caller's stack does), each kind of state once; then
 * one pass over the states that only looks up bits.
 */
#include "query/text_match.h"

#include "base/text.h"
#include "query/pattern.h"
#include "trace/lane.h"
#include "trace/words.h"

struct matcher {
	const struct trace *trace;
	struct pattern *pattern;
	struct search_watch *watch;
	struct bits *actors, *states; /* what is found; states by segment */
	struct bits strings, stacks;
	uint8_t by_kind[KIND_MAX + 1]; /* enum kind_matches */
	bool has_failed;               /* no memory for a text */
};

enum kind_matches { KIND_NEVER, KIND_ALWAYS, KIND_BY_STACK };

/* ---- progress */

/* How often one looks up. */
enum { ITEMS_PER_LOOK = 1024 };

/* After each so many items; false, with err set, when the search is not wanted any more. */
static bool
is_wanted(const struct matcher *matcher, uint32_t item, uint64_t units_per_item, struct error *err)
{
	if (item % ITEMS_PER_LOOK != 0 ||
		search_watch_goes_on(matcher->watch, units_per_item * ITEMS_PER_LOOK))
		return true;
	return error_set(err, ERROR_CANCELLED, "the search was cancelled");
}

/* ---- texts, stacks, kinds */

static bool
match_strings(struct matcher *matcher, struct error *err)
{
	const struct intern *strings = &matcher->trace->strings;
	uint32_t count = intern_count(strings);
	if (!bits_init(&matcher->strings, count, err))
		return false;
	/* The empty text means "none" and is no match, whatever the pattern. */
	for (string_id id = STRING_EMPTY + 1; id < count; id++) {
		size_t length;
		if (!is_wanted(matcher, id, WATCH_UNITS_PER_TEXT, err))
			return false;
		const char *bytes = intern_text(strings, id, &length);
		if (pattern_matches(matcher->pattern, bytes, length))
			bits_add(&matcher->strings, id);
	}
	return true;
}

/* Parents have lower ids than their children. */
static bool
match_stacks(struct matcher *matcher, struct error *err)
{
	const struct stack_table *stacks = &matcher->trace->stacks;
	uint32_t count = stack_count(stacks);
	if (!bits_init(&matcher->stacks, count, err))
		return false;
	for (stack_id id = STACK_NONE + 1; id < count; id++) {
		if (!is_wanted(matcher, id, 1, err))
			return false;
		if (bits_has(&matcher->strings, stack_leaf(stacks, id)->function) ||
			bits_has(&matcher->stacks, stack_caller(stacks, id)))
			bits_add(&matcher->stacks, id);
	}
	return true;
}

static enum kind_matches
kind_matches(const struct matcher *matcher, const struct state_kind *kind)
{
	if (kind->state == STATE_GONE)
		return KIND_NEVER;
	if (bits_has(&matcher->strings, kind->reason))
		return KIND_ALWAYS;
	bool has_stack = kind->state == STATE_BLOCKED || kind->state == STATE_SYSCALL ||
			 kind->entry == ENTRY_STOPPED || waker_is_named(kind);
	return has_stack ? KIND_BY_STACK : KIND_NEVER;
}

static void
match_kinds(struct matcher *matcher)
{
	for (uint32_t i = 0; i < matcher->trace->kind_count; i++)
		matcher->by_kind[i] = (uint8_t)kind_matches(matcher, &matcher->trace->kinds[i]);
}

/* By "G42 main.worker", as the screen has it. */
static bool
id_matches(struct matcher *matcher, const struct actor *actor, struct text *shown)
{
	size_t length;
	const char *name = trace_text(matcher->trace, actor->name, &length);
	text_clear(shown);
	text_add_id(shown, &matcher->trace->words->actor, actor->id);
	if (length > 0)
		text_add(shown, " ", 1);
	text_add(shown, name, length);
	matcher->has_failed = matcher->has_failed || shown->failed;
	return !shown->failed && pattern_matches(matcher->pattern, shown->bytes, shown->length);
}

static bool
match_actors(struct matcher *matcher, struct error *err)
{
	const struct trace *trace = matcher->trace;
	struct bits *actors = matcher->actors;
	if (!bits_init(actors, trace_actor_count(trace), err))
		return false;
	struct text shown = { 0 };
	bool is_going_on = true;
	for (actor_ref g = 0; g < actors->limit && is_going_on; g++) {
		is_going_on = is_wanted(matcher, g, WATCH_UNITS_PER_TEXT, err);
		const struct actor *actor = trace_actor(trace, g);
		if (bits_has(&matcher->strings, actor->name) ||
			id_matches(matcher, actor, &shown))
			bits_add(actors, g);
	}
	text_release(&shown);
	if (!is_going_on)
		return false;
	return !matcher->has_failed || error_set_memory(err, "the search");
}

/* ---- states */

static void
match_run(const struct matcher *matcher, const struct segment *segment, const struct run *run,
	struct bits *states)
{
	uint32_t end = run_end(run);
	if (bits_has(matcher->actors, run->actor)) {
		bool is_gone = matcher->trace->kinds[segment->kind[end - 1] & KIND_MASK].state ==
			       STATE_GONE;
		bits_add_range(states, run->first, end - is_gone);
		return;
	}
	for (uint32_t i = run->first; i < end; i++) {
		uint8_t by = matcher->by_kind[segment->kind[i] & KIND_MASK];
		if (by == KIND_ALWAYS ||
			(by == KIND_BY_STACK && bits_has(&matcher->stacks, segment_site(segment, i)->place)))
			bits_add(states, i);
	}
}

static bool
match_states(struct matcher *matcher, struct error *err)
{
	for (uint32_t i = 0; i < matcher->trace->segments.count; i++) {
		const struct segment *segment = trace_segment(matcher->trace, i);
		struct bits *states = &matcher->states[i];
		if (!bits_init(states, segment->state_count, err))
			return false;
		for (uint32_t r = 0; r < segment->run_count; r++)
			match_run(matcher, segment, &segment->runs[r], states);
		if (!search_watch_goes_on(matcher->watch, segment->state_count))
			return error_set(err, ERROR_CANCELLED, "the search was cancelled");
	}
	return true;
}

/*
 * The state in which an actor was at that moment matches. It is the last one that began
 * by then: an event at the very end of the trace is in no half-open interval.
 */
static void
match_moment(struct matcher *matcher, actor_ref actor, int64_t t_ns)
{
	struct lane lane = { .type = LANE_ACTOR, .ref = actor };
	struct span span;
	/* All states of an actor that matches itself do already. */
	if (actor == REF_NONE || bits_has(matcher->actors, actor))
		return;
	if (t_ns != TIME_OPEN &&
		lane_previous(matcher->trace, lane, t_ns + 1, CLASS_MASK_ALL, &span) &&
		t_ns <= span.end_ns)
		bits_add(&matcher->states[span.segment], span.state);
}

static bool
instant_matches(const struct matcher *matcher, const struct instant *instant)
{
	if (bits_has(&matcher->strings, instant->category) ||
		bits_has(&matcher->strings, instant->text))
		return true;
	return instant->type == INSTANT_SAMPLE && bits_has(&matcher->stacks, instant->stack);
}

static void
match_task(struct matcher *matcher, const struct task *task)
{
	if (!bits_has(&matcher->strings, task->name))
		return;
	if (!task->began_before)
		match_moment(matcher, task->start_actor, task->start_ns);
	else
		match_moment(matcher, task->end_actor, task->end_ns);
}

static bool
match_moments(struct matcher *matcher, struct error *err)
{
	const struct trace *trace = matcher->trace;
	for (uint32_t i = 0; i < trace->instants.count; i++) {
		const struct instant *instant = trace_instant(trace, i);
		if (!is_wanted(matcher, i, 0, err))
			return false;
		if (instant_matches(matcher, instant))
			match_moment(matcher, instant->actor, instant->time_ns);
	}
	for (range_ref i = 0; i < trace->ranges.count; i++) {
		const struct range *range = trace_range(trace, i);
		if (!is_wanted(matcher, i, 0, err))
			return false;
		if (bits_has(&matcher->strings, range->name))
			match_moment(matcher, range_actor(range), range->start_ns);
	}
	for (task_ref i = 0; i < trace->tasks.count; i++) {
		if (!is_wanted(matcher, i, 0, err))
			return false;
		match_task(matcher, trace_task(trace, i));
	}
	return true;
}

bool
text_match(const struct trace *trace, struct pattern *pattern, struct search_watch *watch,
	struct bits *actors, struct bits *states, struct error *err)
{
	struct matcher matcher = { .trace = trace,
		.pattern = pattern,
		.watch = watch,
		.actors = actors,
		.states = states };
	bool is_fine = match_strings(&matcher, err) && match_stacks(&matcher, err) &&
		       match_actors(&matcher, err);
	if (is_fine)
		match_kinds(&matcher);
	is_fine = is_fine && match_states(&matcher, err) && match_moments(&matcher, err);
	bits_release(&matcher.strings);
	bits_release(&matcher.stacks);
	return is_fine;
}

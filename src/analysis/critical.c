/* Goes from state to state back in time, with a stack of the waits that it is within. */
#include "analysis/critical.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/job.h"
#include "base/memory.h"
#include "query/search.h"
#include "trace/lane.h"

/* Waits within each other: a chain of more actors than this is followed no further. */
enum { MOST_DEPTH = 4096, STEPS_AT_A_TIME = 1024 /* before it is asked whether to go on */ };

/* Being with one actor, down to the start of the wait that it stands for. */
struct frame {
	actor_ref actor;
	int64_t from_ns;
	uint32_t wait;
	bool has_span;    /* false: the next span is to be found by time */
	struct span span; /* the last one looked at; the next is the one before it */
};

struct walk {
	struct critical_path *path;
	const struct trace *trace;
	struct error *err;
	struct frame *frames;
	size_t frame_count, frame_capacity;
	int64_t t_ns;       /* what lies before is to be told */
	int64_t covered_ns; /* what lies from here on was told; t may be later */
	enum critical_link link;
	actor_ref other;     /* of the link */
	stack_id link_stack; /* where the actor stood at t */
	uint64_t steps_left;
	const atomic_bool *is_cancelled;
};

static struct frame *
top(struct walk *walk)
{
	return &walk->frames[walk->frame_count - 1];
}

static struct lane
lane_of(actor_ref actor)
{
	return (struct lane){ LANE_ACTOR, actor };
}

/* How it goes on to the next part. */
static void
follow(struct walk *walk, enum critical_link link, actor_ref other, stack_id stack)
{
	walk->link = link;
	walk->other = other;
	walk->link_stack = stack;
}

/* ---- what is told */

/* Adds [from, t), as far as it was not told yet, and goes there. */
static bool
tell(struct walk *walk, struct critical_part part, int64_t from_ns)
{
	struct critical_path *path = walk->path;
	part.start_ns = from_ns;
	part.end_ns = walk->covered_ns;
	part.link = walk->link;
	part.other = walk->other;
	part.wait = top(walk)->wait;
	walk->t_ns = from_ns;
	walk->link_stack = STACK_NONE;
	if (part.start_ns >= part.end_ns)
		return true;
	follow(walk, LINK_BEFORE, REF_NONE, STACK_NONE);
	if (!array_reserve(&path->parts, &path->part_capacity, path->part_count + 1,
		    sizeof *path->parts, walk->err))
		return false;
	path->parts[path->part_count++] = part;
	walk->covered_ns = from_ns;
	return true;
}

/* The trace does not know the actor, or not what it did. */
static bool
tell_nothing(struct walk *walk, enum critical_cause cause, int64_t from_ns)
{
	struct critical_part part = {
		.actor = cause == CAUSE_LONG ? REF_NONE : top(walk)->actor,
		.cause = cause,
		.processor = REF_NONE,
	};
	return tell(walk, part, from_ns);
}

static int64_t
later(int64_t a_ns, int64_t b_ns)
{
	return a_ns > b_ns ? a_ns : b_ns;
}

/*
 * Where it stood at the end of a state: running ends where the next one begins (or where it
 * woke somebody), a wait and a syscall where they began.
 */
static stack_id
stack_at_end(const struct walk *walk, const struct span *span, const struct span *after)
{
	if (span->kind->state != STATE_RUNNING)
		return span->stack;
	if (walk->link_stack != STACK_NONE)
		return walk->link_stack;
	return after != NULL ? after->stack : STACK_NONE;
}

static bool
tell_state(struct walk *walk, const struct span *after, enum critical_cause cause)
{
	const struct span *span = &top(walk)->span;
	struct critical_part part = {
		.actor = span->actor,
		.kind = span->kind,
		.cause = cause,
		.stack = stack_at_end(walk, span, after),
		.processor = span->processor,
	};
	return tell(walk, part, later(span->start_ns, top(walk)->from_ns));
}

/* A ready state goes on from where the state before it was: known only once that was found. */
static void
tell_where_it_goes_on(struct walk *walk, const struct span *before)
{
	struct critical_path *path = walk->path;
	if (walk->link != LINK_BEFORE || path->part_count == 0)
		return;
	struct critical_part *part = &path->parts[path->part_count - 1];
	if (part->actor == before->actor && part->kind != NULL &&
		part->kind->state == STATE_READY && part->stack == STACK_NONE)
		part->stack = before->stack;
}

/* ---- waits */

static bool
is_within(const struct walk *walk, actor_ref actor)
{
	for (size_t i = 0; i < walk->frame_count; i++) {
		if (walk->frames[i].actor == actor)
			return true;
	}
	return false;
}

/* Why a wait is told itself; CAUSE_STATE where an actor ended it. */
static enum critical_cause
cause_of_wait(const struct walk *walk, const struct span *blocked, const struct span *after)
{
	static const uint8_t causes[WAKER_TYPE_COUNT] = {
		[WAKER_UNKNOWN] = CAUSE_UNTOLD,
		[WAKER_ACTOR] = CAUSE_STATE,
		[WAKER_NETWORK] = CAUSE_NETWORK,
		[WAKER_NETWORK_OR_DEADLINE] = CAUSE_NETWORK_OR_DEADLINE,
		[WAKER_TIMER] = CAUSE_TIMER,
		[WAKER_SCHEDULER] = CAUSE_SCHEDULER,
	};
	if (blocked->is_open)
		return CAUSE_UNENDED;
	enum critical_cause cause = causes[after == NULL ? WAKER_UNKNOWN : after->waker.type];
	if (cause != CAUSE_STATE)
		return cause;
	if (walk->frame_count > MOST_DEPTH)
		return CAUSE_DEEP;
	/* Who waits can wake nobody: times that are the same, or damage. */
	return is_within(walk, after->waker.ref) ? CAUSE_UNTOLD : CAUSE_STATE;
}

static bool
enter_wait(struct walk *walk, const struct span *ready)
{
	struct critical_path *path = walk->path;
	struct frame *outer = top(walk);
	struct critical_wait wait = {
		.span = outer->span,
		.ready = *ready,
		.start_ns = later(outer->span.start_ns, outer->from_ns),
		.end_ns = walk->covered_ns,
		.wait = outer->wait,
		.depth = (uint32_t)walk->frame_count,
		.first_part = (uint32_t)path->part_count,
	};
	struct frame inner = {
		.actor = ready->waker.ref,
		.from_ns = wait.start_ns,
		.wait = (uint32_t)path->wait_count,
	};
	if (!array_reserve(&path->waits, &path->wait_capacity, path->wait_count + 1,
		    sizeof *path->waits, walk->err) ||
		!array_reserve(&walk->frames, &walk->frame_capacity, walk->frame_count + 1,
			sizeof *walk->frames, walk->err))
		return false;
	path->waits[path->wait_count++] = wait;
	walk->frames[walk->frame_count++] = inner;
	walk->t_ns = ready->start_ns;
	follow(walk, LINK_WOKE, wait.span.actor, ready->waker_stack);
	return true;
}

static void
end_wait(struct walk *walk)
{
	if (top(walk)->wait != REF_NONE)
		walk->path->waits[top(walk)->wait].end_part = (uint32_t)walk->path->part_count;
	walk->frame_count--;
}

/* The wait is told; the path is with the actor that waited again. */
static void
leave_wait(struct walk *walk)
{
	const struct frame *frame = top(walk);
	struct span before;
	if (frame->has_span &&
		lane_before(walk->trace, lane_of(frame->actor), &frame->span, &before))
		tell_where_it_goes_on(walk, &before);
	end_wait(walk);
	follow(walk, LINK_RETURNED, REF_NONE, STACK_NONE);
}

/* ---- steps */

/* The last span that begins before t, and the one after it where that is known. */
static bool
find_span(struct walk *walk, struct span *after, bool *has_after)
{
	struct frame *frame = top(walk);
	struct lane lane = lane_of(frame->actor);
	struct span found;
	*has_after = frame->has_span;
	if (frame->has_span)
		*after = frame->span;
	bool is_there = frame->has_span ? lane_before(walk->trace, lane, &frame->span, &found)
					: lane_previous(walk->trace, lane, walk->t_ns,
						  CLASS_MASK_ALL, &found);
	if (!is_there)
		return false;
	if (!frame->has_span)
		*has_after = lane_after(walk->trace, lane, &found, after);
	frame->span = found;
	frame->has_span = true;
	return true;
}

/* Nothing is known of the actor before t: it was made then, or was not mentioned before. */
static bool
step_to_creator(struct walk *walk)
{
	struct frame *frame = top(walk);
	const struct actor *actor = trace_actor(walk->trace, frame->actor);
	if (actor->creator == REF_NONE || actor->first_ns != walk->t_ns ||
		is_within(walk, actor->creator))
		return tell_nothing(walk, CAUSE_OUTSIDE, frame->from_ns);
	follow(walk, LINK_CREATED, frame->actor, actor->create_stack);
	frame->actor = actor->creator;
	frame->has_span = false;
	return true;
}

static bool
step(struct walk *walk)
{
	struct frame *frame = top(walk);
	struct span after;
	bool has_after;
	if (!find_span(walk, &after, &has_after))
		return step_to_creator(walk);
	const struct span *span = &frame->span;
	if (span->end_ns < walk->t_ns &&
		!tell_nothing(walk, CAUSE_OUTSIDE, later(span->end_ns, frame->from_ns)))
		return false;
	if (walk->t_ns <= frame->from_ns)
		return true;
	tell_where_it_goes_on(walk, span);
	const struct span *next = has_after ? &after : NULL;
	if (span->kind->state == STATE_UNKNOWN)
		return tell_state(walk, next, CAUSE_OUTSIDE);
	if (span->kind->state != STATE_BLOCKED || span->start_ns >= walk->covered_ns)
		return tell_state(walk, next, CAUSE_STATE);
	enum critical_cause cause = cause_of_wait(walk, span, next);
	return cause == CAUSE_STATE ? enter_wait(walk, next) : tell_state(walk, next, cause);
}

static bool
go(struct walk *walk)
{
	while (walk->frame_count > 0) {
		if (walk->steps_left % STEPS_AT_A_TIME == 0 && !job_goes_on(walk->is_cancelled, walk->err))
			return false;
		if (walk->t_ns <= top(walk)->from_ns) {
			leave_wait(walk);
			continue;
		}
		if (walk->steps_left-- == 0) {
			while (walk->frame_count > 1)
				end_wait(walk);
			follow(walk, walk->path->part_count > 0 ? LINK_BEFORE : LINK_END, REF_NONE,
				STACK_NONE);
			return tell_nothing(walk, CAUSE_LONG, top(walk)->from_ns);
		}
		if (!step(walk))
			return false;
	}
	return true;
}

bool
critical_build(struct critical_path *path, const struct trace *trace,
	const struct critical_scope *scope, struct error *err)
{
	struct critical_path built = { .start_ns = later(scope->t0_ns, 0), .end_ns = scope->t1_ns };
	if (built.end_ns > trace->end_ns)
		built.end_ns = trace->end_ns;
	if (built.end_ns < built.start_ns)
		built.end_ns = built.start_ns;
	struct walk walk = {
		.path = &built,
		.trace = trace,
		.err = err,
		.t_ns = built.end_ns,
		.covered_ns = built.end_ns,
		.link = LINK_END,
		.other = REF_NONE,
		.steps_left = scope->most_steps,
		.is_cancelled = scope->is_cancelled,
	};
	struct frame first = {
		.actor = scope->actor, .from_ns = built.start_ns, .wait = REF_NONE
	};
	bool is_fine =
		array_reserve(&walk.frames, &walk.frame_capacity, 1, sizeof *walk.frames, err);
	if (is_fine) {
		walk.frames[walk.frame_count++] = first;
		is_fine = go(&walk);
	}
	memory_free(walk.frames);
	if (!is_fine) {
		critical_release(&built);
		return false;
	}
	assert(walk.covered_ns == built.start_ns);
	*path = built;
	return true;
}

bool
critical_copy(struct critical_path *copy, const struct critical_path *path, struct error *err)
{
	*copy = *path;
	copy->parts = array_new_unset(path->part_count, sizeof *copy->parts, err);
	copy->waits = array_new_unset(path->wait_count, sizeof *copy->waits, err);
	copy->part_capacity = path->part_count;
	copy->wait_capacity = path->wait_count;
	if (copy->parts == NULL || copy->waits == NULL) {
		critical_release(copy);
		return false;
	}
	if (path->part_count > 0)
		memcpy(copy->parts, path->parts, path->part_count * sizeof *copy->parts);
	if (path->wait_count > 0)
		memcpy(copy->waits, path->waits, path->wait_count * sizeof *copy->waits);
	return true;
}

void
critical_release(struct critical_path *path)
{
	memory_free(path->parts);
	memory_free(path->waits);
	*path = (struct critical_path){ 0 };
}

/* ---- whose path */

actor_ref
critical_last_running(const struct trace *trace, int64_t t_ns)
{
	actor_ref found = REF_NONE;
	int64_t latest_ns = -1;
	/* What has a processor runs; where there are none, each actor has to be asked. */
	bool has_processors = trace_processor_count(trace) > 0;
	enum lane_type type = has_processors ? LANE_PROCESSOR : LANE_ACTOR;
	uint32_t count = has_processors ? trace_processor_count(trace) : trace_actor_count(trace);
	class_mask classes = has_processors ? CLASS_MASK_ALL : CLASS_BIT(CLASS_RUNNING);
	for (uint32_t ref = 0; ref < count; ref++) {
		struct span span;
		if (!lane_previous(trace, (struct lane){ type, ref }, t_ns, classes, &span))
			continue;
		int64_t until_ns = span.end_ns < t_ns ? span.end_ns : t_ns;
		if (until_ns <= latest_ns)
			continue;
		latest_ns = until_ns;
		found = span.actor;
	}
	return found;
}

actor_ref
critical_of_task(const struct trace *trace, task_ref ref)
{
	const struct task *task = trace_task(trace, ref);
	actor_ref found = task->start_actor;
	int64_t latest_ns = INT64_MIN;
	if (task->end_actor != REF_NONE)
		return task->end_actor;
	for (range_ref i = 0; i < trace->ranges.count; i++) {
		const struct range *range = trace_range(trace, i);
		if (range->type != RANGE_REGION || range->task != ref || range->end_ns <= latest_ns)
			continue;
		latest_ns = range->end_ns;
		found = range->scope;
	}
	return found;
}

bool
critical_part_matches(
	const struct trace *trace, const struct critical_part *part, const struct search *only)
{
	struct span span;
	if (only == NULL)
		return true;
	return part->actor != REF_NONE &&
	       lane_span_at(trace, (struct lane){ LANE_ACTOR, part->actor }, part->start_ns, &span) &&
	       search_matches(only, span.segment, span.state);
}

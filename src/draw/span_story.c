/* A state of an actor in its context. */
#include "draw/span_story.h"

#include "trace/lane.h"

static struct lane
lane_of(const struct span *span)
{
	return (struct lane){ LANE_ACTOR, span->actor };
}

/* Where the actor stood when it was last stopped: it goes on from there. */
static void
tell_running(struct span_story *story, const struct trace *trace)
{
	struct span before = story->before;
	bool has_before = story->has_before;
	if (has_before && before.time_class == CLASS_READY) {
		struct span earlier;
		has_before = lane_before(trace, lane_of(&before), &before, &earlier);
		if (has_before)
			before = earlier;
	}
	story->start_title = "goes on from";
	story->start_stack = has_before ? before.stack : STACK_NONE;
	story->end_title = "stops at";
	story->end_stack = story->has_after ? story->after.stack : STACK_NONE;
	if (story->has_after && story->after.time_class == CLASS_READY)
		story->end_stack = story->after.waker_stack;
}

static void
tell_ready(struct span_story *story)
{
	bool is_created = story->span.kind->entry == ENTRY_CREATED;
	story->start_title = is_created ? "created at" : "woken at";
	if (story->span.waker.type == WAKER_UNKNOWN)
		story->start_title = "stopped at";
	story->start_stack = story->span.waker_stack;
	story->end_title = "goes on from";
	story->end_stack = story->has_before ? story->before.stack : STACK_NONE;
}

static void
tell_blocked(struct span_story *story)
{
	story->start_title = "blocked at";
	story->start_stack = story->span.stack;
	story->end_title = "woken at";
	story->end_stack = story->has_after ? story->after.waker_stack : STACK_NONE;
}

static void
tell_syscall(struct span_story *story)
{
	story->start_title = "entered at";
	story->start_stack = story->span.stack;
	story->end_title = "then stops at";
	story->end_stack = story->has_after ? story->after.stack : STACK_NONE;
}

static void
tell_stacks(struct span_story *story, const struct trace *trace)
{
	switch (story->span.kind->state) {
	case STATE_RUNNING:
		tell_running(story, trace);
		return;
	case STATE_READY:
		tell_ready(story);
		return;
	case STATE_BLOCKED:
		tell_blocked(story);
		return;
	case STATE_SYSCALL:
		tell_syscall(story);
		return;
	case STATE_GONE:
	case STATE_UNKNOWN:
	case STATE_COUNT:
		return;
	}
}

void
span_story_tell(struct span_story *story, const struct trace *trace, const struct span *of)
{
	*story = (struct span_story){
		.start_stack = STACK_NONE,
		.end_stack = STACK_NONE,
		.start_title = "",
		.end_title = "",
		.region = region_at(trace, of->actor, of->start_ns),
	};
	struct lane lane = lane_of(of);
	if (!lane_span_at(trace, lane, of->start_ns, &story->span))
		story->span = *of;
	story->has_before = lane_before(trace, lane, &story->span, &story->before);
	story->has_after = lane_after(trace, lane, &story->span, &story->after);
	if (story->span.kind != NULL)
		tell_stacks(story, trace);
}

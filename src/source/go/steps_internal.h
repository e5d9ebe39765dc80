/* What the writer of steps (steps.c) and its short way for changes (steps_direct.h) share. */
#ifndef TTRACE_SOURCE_GO_STEPS_INTERNAL_H
#define TTRACE_SOURCE_GO_STEPS_INTERNAL_H

#include "base/compiler.h"
#include "source/go/steps.h"

/* Whether there is room for all that one event can take. */
static inline bool
step_writer_has_room(const struct step_writer *writer)
{
	return writer->next < writer->full;
}

static inline struct step *
step_append(struct step_writer *writer, enum step_kind kind)
{
	struct step *step = writer->next++;

	step->kind = (uint8_t)kind;
	step->time_ns = 0;
	return step;
}

/* What it means that a goroutine goes from one state to another. */
struct step_transition {
	uint8_t state; /* enum state */
	uint8_t entry; /* enum state_entry */
	bool is_change;
};

extern const struct step_transition step_transitions[GO_STATE_COUNT][GO_STATE_COUNT];

/* What is told of a change beside it. */
enum {
	STEP_WOKEN = 1,     /* somebody else did it: its stack and who it was */
	STEP_EXECUTING = 2, /* it has a thread, and maybe a proc, from here on */
	STEP_PLACED = 4     /* the goroutine's own stack says where */
};

static ALWAYS_INLINE unsigned
step_told(enum go_state from, enum go_state to)
{
	if (to == GO_RUNNING)
		return STEP_EXECUTING;
	if (to == GO_SYSCALL)
		return STEP_EXECUTING | STEP_PLACED;
	if (to == GO_WAITING)
		return STEP_PLACED;
	if (to != GO_RUNNABLE)
		return 0;
	if (from == GO_NOT_EXIST || from == GO_WAITING)
		return STEP_WOKEN;
	return from == GO_RUNNING ? STEP_PLACED : 0;
}

/* In what a change is told, by the refs of those who take part; REF_NONE for none. */
struct step_change {
	actor_ref goroutine;
	uint32_t waker;
	resource_ref proc;
	resource_ref thread;
	stack_id stack, own_stack; /* of the context, of the goroutine */
	string_id reason;
	bool is_by_timer;
};

/* time_ns as in struct timed_change. */
static ALWAYS_INLINE void
step_put_change(struct step_writer *writer, enum go_state from, enum go_state to,
                const struct step_change *change, int64_t time_ns)
{
	const struct step_transition *transition = &step_transitions[from][to];
	unsigned told = step_told(from, to);
	bool is_woken = (told & STEP_WOKEN) != 0;
	stack_id stack = is_woken                    ? change->stack
	                 : (told & STEP_PLACED) != 0 ? change->own_stack : STACK_NONE;
	uint32_t other = (told & STEP_EXECUTING) != 0 ? change->thread : change->waker;

	writer->next++->change = (struct timed_change){
		.time_ns = time_ns,
		.state = transition->state,
		.entry = transition->entry,
		.is_old = from == GO_UNDETERMINED && !writer->is_past_first,
		.is_by_timer = is_woken && change->is_by_timer,
		.actor = change->goroutine,
		.reason = change->reason,
		.place = to == GO_RUNNING ? change->thread : stack,
		.origin = to == GO_RUNNING ? change->proc : other,
		.processor = change->proc,
	};
}

#endif

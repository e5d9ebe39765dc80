/*
 * The rules of the state machine, one function per wire event, and what they
 * share. They stand by family in procs.c, goroutines.c, syscalls.c, ranges.c and
 * annotations.c; rules.c has the table of them. What runs for every event is
 * in line here.
 */
#ifndef TTRACE_SOURCE_GO_RULES_H
#define TTRACE_SOURCE_GO_RULES_H

#include <assert.h>

#include "source/go/state.h"

enum advance {
	ADVANCE_FAILED, /* the trace is broken; err says how */
	ADVANCE_WAITS,  /* not now; nothing has changed */
	ADVANCE_DONE,   /* state and queue are up to date */
};

/* ---- the rules */

typedef enum advance state_rule(struct state *state, struct machine *machine,
                                const struct wire_event *wire, struct error *err);

extern state_rule
	rule_proc_status, rule_proc_start, rule_proc_stop, rule_proc_steal,
	rule_go_create, rule_go_start, rule_go_stop, rule_go_block, rule_go_destroy,
	rule_go_unblock, rule_go_switch, rule_go_status,
	rule_go_create_syscall, rule_go_destroy_syscall, rule_syscall_begin, rule_syscall_end,
	rule_syscall_end_blocked,
	rule_stw_begin, rule_stw_end, rule_assist_begin, rule_assist_active, rule_assist_end,
	rule_sweep_begin, rule_sweep_active, rule_sweep_end, rule_gc_begin, rule_gc_active,
	rule_gc_end,
	rule_metric, rule_label, rule_task_begin, rule_task_end, rule_region_begin,
	rule_region_end, rule_log, rule_experimental;

/* By wire id; NULL where an event is not ordered. */
extern state_rule *const state_rules[256];

/* What a rule that failed leaves to be said: which event it was that broke it. */
enum advance state_fail_event(const struct machine *machine, const struct wire_event *wire,
                              struct error *err);

/* Considers the event at the head of a thread's list. */
static inline enum advance
state_advance(struct state *state, struct machine *machine, const struct wire_event *wire,
              struct error *err)
{
	state_rule *rule = state_rules[wire->id];
	state->queue_count = 0;
	enum advance result = LIKELY(rule != NULL) ? rule(state, machine, wire, err)
	                                           : ADVANCE_FAILED;
	if (UNLIKELY(result == ADVANCE_FAILED))
		state_fail_event(machine, wire, err);
	/* Nobody keeps no context (section 1). */
	if (UNLIKELY(machine == &state->nobody))
		*machine = (struct machine){ .id = GO_ID_NONE, .g = GO_ID_NONE };
	return result;
}

/* Sets an error of order; for `return state_fail(...)`. */
enum advance state_fail(struct error *err, const char *format, ...) ATTR_PRINTF(2, 3);

/* The public state of each status. */
extern const enum go_state goroutine_public_states[G_STATUS_COUNT];
extern const enum proc_state proc_public_states[P_STATUS_COUNT];

/* ---- what an event needs */

/* What the context of an event must have or must not have (section 1.3). */
enum requirement {
	NEED_M = 1, NEED_P = 2, NEED_NO_P = 4, NEED_G = 8, NEED_NO_G = 16,
	NEED_USER = NEED_M | NEED_P | NEED_G,
};

/* Names the first of the requirements that are not met. Returns false. */
bool state_fail_requirement(unsigned missing, struct error *err);

static inline bool
state_require(const struct machine *machine, unsigned requirements, struct error *err)
{
	bool has_m = machine->id != GO_ID_NONE, has_p = machine->p != NULL;
	bool has_g = machine->g != GO_ID_NONE;
	/* One after another: what is not asked for costs nothing where this is in line. */
	if (LIKELY(((requirements & NEED_M) == 0 || has_m) &&
	           ((requirements & NEED_P) == 0 || has_p) &&
	           ((requirements & NEED_NO_P) == 0 || !has_p) &&
	           ((requirements & NEED_G) == 0 || has_g) &&
	           ((requirements & NEED_NO_G) == 0 || !has_g)))
		return true;
	return state_fail_requirement(requirements & ~((has_m ? NEED_M : 0u) |
	                                               (has_p ? NEED_P : NEED_NO_P) |
	                                               (has_g ? NEED_G : NEED_NO_G)), err);
}

/* Whether n follows on the counter in the generation that is being ordered. */
static inline bool
state_follows(const struct state *state, const struct sequence *sequence, uint64_t n)
{
	return sequence->generation == state->generation && n == sequence->n + 1;
}

/* ---- records */

/* The record of the goroutine that the machine is bound to, if it is at hand. */
static inline struct goroutine *
state_bound_goroutine(const struct machine *machine)
{
	struct goroutine *last = machine->last;
	return LIKELY(last != NULL) && last->id == machine->g && last->status != G_BAD ? last : NULL;
}

/* The goroutine that the thread is bound to, or NULL also when that one is gone. */
static inline struct goroutine *
state_current_goroutine(const struct state *state, struct machine *machine)
{
	struct goroutine *bound = state_bound_goroutine(machine);
	if (LIKELY(bound != NULL))
		return bound;
	if (machine->g == GO_ID_NONE)
		return NULL;
	/* Contradicting events can bind a goroutine twice, and then it dies under one thread. */
	machine->last = state_find_goroutine(state, machine->g);
	return machine->last;
}

/* Says that the current goroutine is not there, or not in that status. Returns NULL. */
struct goroutine *state_fail_expected(const struct machine *machine,
                                      const struct wire_event *wire,
                                      const struct goroutine *goroutine,
                                      enum goroutine_status status, struct error *err);

/* The current goroutine, which must be there and in that status; else NULL with err set. */
static inline struct goroutine *
state_expect_goroutine(const struct state *state, struct machine *machine,
                       const struct wire_event *wire, enum goroutine_status status,
                       struct error *err)
{
	struct goroutine *goroutine = state_current_goroutine(state, machine);
	if (LIKELY(goroutine != NULL && goroutine->status == status))
		return goroutine;
	return state_fail_expected(machine, wire, goroutine, status, err);
}

/* ---- events */

/*
 * The tables do not have the id of an operand; `what` is string or stack. False with err
 * set, but where damage is repaired true: *found is then the empty one.
 */
bool state_miss_id(const struct state *state, const struct wire_event *wire, unsigned operand,
                   const char *what, uint32_t *found, struct error *err);

/* Looks up an operand that is a string id; false with err set when it is not there. */
static inline bool
state_string(const struct state *state, const struct wire_event *wire, unsigned operand,
             string_id *string, struct error *err)
{
	return LIKELY(tables_string(state->tables, wire->args[operand], string)) ||
	       state_miss_id(state, wire, operand, "string", string, err);
}

/* The same for a stack id. */
static inline bool
state_stack(const struct state *state, const struct wire_event *wire, unsigned operand,
            stack_id *stack, struct error *err)
{
	return LIKELY(tables_stack(state->tables, wire->args[operand], stack)) ||
	       state_miss_id(state, wire, operand, "stack", stack, err);
}

/* Gives an event in the context of the machine the mark of the goroutine that it is bound to. */
static inline void
state_mark_context(struct go_event *event, const struct machine *machine)
{
	struct goroutine *goroutine = state_bound_goroutine(machine);
	event->g_mark = goroutine != NULL ? &goroutine->mark : NULL;
}

/*
 * Appends an event in the context of the machine, with the event stack of the
 * wire event. NULL with err set when that stack is not in the tables. To be
 * called before the machine's binding changes. What depends on the kind is left
 * to the caller: clearing it first takes time. So is the mark of the goroutine.
 */
static inline struct go_event *
state_emit_unmarked(struct state *state, struct machine *machine, const struct wire_event *wire,
                    enum go_event_kind kind, struct error *err)
{
	assert(state->queue_count < STATE_EVENTS_MAX);
	struct go_event *event = &state->queue[state->queue_count];
	unsigned stack_operand = wire_kinds[wire->id].stacks[0];
	event->kind = kind;
	event->wire_id = wire->id;
	event->is_synthetic = false;
	event->m = machine->id;
	event->m_mark = &machine->mark;
	event->p = machine->p != NULL ? machine->p->id : GO_ID_NONE;
	event->p_mark = machine->p != NULL ? &machine->p->mark : NULL;
	event->g = machine->g;
	event->g_mark = NULL;
	event->stack = STACK_NONE;
	if (stack_operand != 0 && !state_stack(state, wire, stack_operand, &event->stack, err))
		return NULL;
	state->queue_count++;
	return event;
}

/* The same with that mark. */
static inline struct go_event *
state_emit(struct state *state, struct machine *machine, const struct wire_event *wire,
           enum go_event_kind kind, struct error *err)
{
	struct go_event *event = state_emit_unmarked(state, machine, wire, kind, err);
	if (LIKELY(event != NULL))
		state_mark_context(event, machine);
	return event;
}

/* The same for a change of state of a goroutine, without a reason and a stack of its own. */
static inline struct go_event *
state_emit_goroutine(struct state *state, struct machine *machine, const struct wire_event *wire,
                     struct goroutine *goroutine, struct go_transition change, struct error *err)
{
	struct go_event *event = state_emit_unmarked(state, machine, wire, GO_EVENT_GOROUTINE, err);
	if (UNLIKELY(event == NULL))
		return NULL;
	event->u.goroutine.id = goroutine->id;
	event->u.goroutine.mark = &goroutine->mark;
	event->u.goroutine.from = change.from;
	event->u.goroutine.to = change.to;
	event->u.goroutine.reason = STRING_EMPTY;
	event->u.goroutine.stack = STACK_NONE;
	return event;
}

/* The same for a change of state of a proc. */
struct go_event *state_emit_proc(struct state *state, struct machine *machine,
                                 const struct wire_event *wire, const struct proc *proc,
                                 struct proc_transition change, struct error *err);

#endif

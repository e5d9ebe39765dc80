/*
 * The state machine that ordered events go through: which goroutines, procs
 * and threads there are, what state they are in and what is bound to what;
 * doc/format/go-trace-semantics.md, sections 1 and 3. It says of each event at
 * the head of a thread's list whether it can come next, and then what it means.
 *
 * Each wire event has one function that knows its rule; they stand by family in
 * procs.c, goroutines.c, syscalls.c, ranges.c and annotations.c, and state.c
 * has the table of them.
 */
#ifndef TTRACE_GOTRACE_STATE_H
#define TTRACE_GOTRACE_STATE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/memory.h"
#include "gotrace/event.h"
#include "gotrace/ids.h"
#include "gotrace/tables.h"
#include "gotrace/wire.h"

/* Status codes of the wire (go-trace-v2.md, section 5.2). */
enum goroutine_status { G_BAD, G_RUNNABLE, G_RUNNING, G_SYSCALL, G_WAITING, G_STATUS_COUNT };
enum proc_status { P_BAD, P_RUNNING, P_IDLE, P_SYSCALL, P_ABANDONED, P_STATUS_COUNT };

/* A counter counts within one generation (section 1.2). */
struct sequence {
	uint64_t generation, n;
};

struct goroutine {
	int64_t id;
	struct sequence sequence;
	uint32_t index;    /* of this record */
	uint32_t regions;  /* open regions, innermost first: a list of notes */
	uint32_t stops;    /* stop-the-world ranges in progress: a list of notes */
	uint8_t status;    /* enum goroutine_status; G_BAD in a record that is not in use */
	bool is_assisting; /* a mark assist is in progress */
};

/* Never removed, so pointers to it stay good. */
struct proc {
	int64_t id;
	struct sequence sequence;
	struct machine *holder; /* the thread that was last bound to it; it may be so no more */
	uint8_t status;         /* enum proc_status */
	bool is_sweeping;
};

/* What a thread is bound to: the context of its next event (section 1.1). Never removed. */
struct machine {
	int64_t id;             /* GO_ID_NONE: the events that no thread wrote; never bound */
	int64_t g;              /* GO_ID_NONE: none */
	struct goroutine *last; /* record that g had when it was bound; goroutines may die */
	struct proc *p;         /* NULL: none */
};

/* A node of the lists that goroutines carry. */
struct note {
	int64_t number; /* the task of a region */
	string_id text; /* the name of a region, the kind of a stop-the-world */
	uint32_t next;  /* 0 ends the list */
};

struct task {
	int64_t parent;
	string_id name;
};

enum gc_state { GC_UNDETERMINED, GC_NOT_RUNNING, GC_RUNNING };

/* The most events that one wire event turns into. */
enum { STATE_EVENTS_MAX = 3 };

struct state {
	uint64_t initial_generation;
	uint64_t generation;          /* the one that is being ordered */
	const struct tables *tables;  /* its tables */

	struct stable_column goroutines; /* struct goroutine */
	struct id_map goroutine_of;      /* id to index */
	uint32_t *free_goroutines;       /* records to use again */
	size_t free_count, free_capacity;
	struct stable_column procs;      /* struct proc */
	struct id_map proc_of;
	struct stable_column machines;   /* struct machine */
	struct id_map machine_of;
	struct machine nobody;           /* stands in for m = none */
	struct task *tasks;
	size_t task_count, task_capacity;
	struct id_map task_of;           /* tasks begun and not ended */
	uint32_t *free_tasks;
	size_t free_task_count, free_task_capacity;
	struct note *notes;              /* notes[0] is not used */
	size_t note_count, note_capacity;
	uint32_t free_notes;             /* list of notes to use again */
	uint64_t gc_sequence;
	enum gc_state gc_state;

	/* What the wire event that advanced last turned into; times are not set. */
	struct go_event queue[STATE_EVENTS_MAX];
	unsigned queue_count;
};

enum advance {
	ADVANCE_FAILED, /* the trace is broken; err says how */
	ADVANCE_WAITS,  /* not now; nothing has changed */
	ADVANCE_DONE,   /* state and queue are up to date */
};

bool state_init(struct state *state, struct error *err);
void state_release(struct state *state);
/* The first call of all also sets the initial generation. */
void state_begin_generation(struct state *state, uint64_t generation,
                            const struct tables *tables);
/* The thread m, made known if new; m as in the file. NULL with err set for want of memory. */
struct machine *state_thread(struct state *state, uint64_t m, struct error *err);
/* Considers the event at the head of a thread's list. */
enum advance state_advance(struct state *state, struct machine *machine,
                           const struct wire_event *wire, struct error *err);

/* ---- for the rules only */

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

/* What the context of an event must have or must not have (section 1.3). */
enum requirement {
	NEED_M = 1, NEED_P = 2, NEED_NO_P = 4, NEED_G = 8, NEED_NO_G = 16,
	NEED_USER = NEED_M | NEED_P | NEED_G,
};

bool state_require(const struct machine *machine, unsigned requirements, struct error *err);
/* Sets an error of order; for `return state_fail(...)`. */
enum advance state_fail(struct error *err, const char *format, ...) ATTR_PRINTF(2, 3);

/* Whether n follows on the counter in the generation that is being ordered. */
static inline bool
state_follows(const struct state *state, const struct sequence *sequence, uint64_t n)
{
	return sequence->generation == state->generation && n == sequence->n + 1;
}

/* Ids of the file as they are kept. */
static inline int64_t
state_id(uint64_t id)
{
	return (int64_t)id;
}

/* The goroutine, or NULL. */
struct goroutine *state_find_goroutine(const struct state *state, int64_t id);
/* The goroutine that the thread is bound to, or NULL also when that one is gone. */
struct goroutine *state_current_goroutine(const struct state *state, struct machine *machine);
/* The same, which must be there and in that status; else NULL with err set. */
struct goroutine *state_expect_goroutine(const struct state *state, struct machine *machine,
                                         const struct wire_event *wire,
                                         enum goroutine_status status, struct error *err);
/* A new goroutine with its counter at (generation, 0); NULL with err set on failure. */
struct goroutine *state_add_goroutine(struct state *state, int64_t id,
                                      enum goroutine_status status, struct error *err);
void state_remove_goroutine(struct state *state, struct goroutine *goroutine);
struct proc *state_find_proc(const struct state *state, int64_t id);
struct proc *state_add_proc(struct state *state, int64_t id, enum proc_status status,
                            struct error *err);
/* The thread if it is known, else NULL. */
struct machine *state_find_thread(const struct state *state, uint64_t m);

void machine_bind_goroutine(struct machine *machine, struct goroutine *goroutine);
void machine_unbind_goroutine(struct machine *machine);
void machine_bind_proc(struct machine *machine, struct proc *proc);

/* Puts a note at the head of a list. */
bool state_push_note(struct state *state, uint32_t *list, int64_t number, string_id text,
                     struct error *err);
/* Takes the note that *list points to out of the list. */
void state_drop_note(struct state *state, uint32_t *list);

/*
 * Appends an event in the context of the machine, with the event stack of the
 * wire event. NULL with err set when that stack is not in the tables. To be
 * called before the machine's binding changes.
 */
struct go_event *state_emit(struct state *state, const struct machine *machine,
                            const struct wire_event *wire, enum go_event_kind kind,
                            struct error *err);
/* The same for a change of state of a goroutine or proc. */
struct go_event *state_emit_goroutine(struct state *state, const struct machine *machine,
                                      const struct wire_event *wire, int64_t id,
                                      enum go_state from, enum go_state to,
                                      struct error *err);
struct go_event *state_emit_proc(struct state *state, const struct machine *machine,
                                 const struct wire_event *wire, const struct proc *proc,
                                 enum proc_state from, enum proc_state to, struct error *err);
/* Looks up operands that are string and stack ids; false with err set when they are not there. */
bool state_string(const struct state *state, const struct wire_event *wire, unsigned operand,
                  string_id *string, struct error *err);
bool state_stack(const struct state *state, const struct wire_event *wire, unsigned operand,
                 stack_id *stack, struct error *err);

#endif

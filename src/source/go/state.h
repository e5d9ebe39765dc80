/*
 * What the reader knows of the program between two events: which goroutines, procs
 * and threads there are, what state they are in and what is bound to what;
 * doc/format/go-trace-semantics.md, section 1. What events do with it is in
 * rules.h.
 */
#ifndef TTRACE_SOURCE_GO_STATE_H
#define TTRACE_SOURCE_GO_STATE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/ids.h"
#include "base/memory.h"
#include "source/go/event.h"
#include "source/go/tables.h"
#include "source/go/wire.h"

/* Status codes of the wire (go-trace-v2.md, section 5.2), and what only damage leads to. */
enum goroutine_status {
	G_BAD, G_RUNNABLE, G_RUNNING, G_SYSCALL, G_WAITING, G_UNKNOWN, G_STATUS_COUNT
};
enum proc_status {
	P_BAD, P_RUNNING, P_IDLE, P_SYSCALL, P_ABANDONED, P_UNKNOWN, P_STATUS_COUNT
};

/* A counter counts within one generation (section 1.2). */
struct sequence {
	uint64_t generation, n;
};

struct goroutine {
	int64_t id;
	struct sequence sequence;
	struct machine *machine; /* it was bound to last, or NULL */
	uint32_t index;    /* of this record */
	uint32_t regions;  /* open regions, innermost first: a list of notes */
	uint32_t stops;    /* stop-the-world ranges in progress: a list of notes */
	struct go_mark mark;
	uint8_t status;    /* enum goroutine_status; G_BAD in a record that is not in use */
	bool is_assisting; /* a mark assist is in progress */
};

/* Never removed, so pointers to it stay good. */
struct proc {
	int64_t id;
	struct sequence sequence;
	struct machine *holder; /* a thread that is bound to it, the first of a list, or NULL */
	struct go_mark mark;
	uint8_t status;         /* enum proc_status */
	bool is_sweeping;
};

/* What a thread is bound to: the context of its next event (section 1.1). Never removed. */
struct machine {
	int64_t id;             /* GO_ID_NONE: the events that no thread wrote; never bound */
	int64_t g;              /* GO_ID_NONE: none */
	struct goroutine *last; /* record that g had when it was bound; goroutines may die */
	struct proc *p;         /* NULL: none */
	struct go_mark mark;
	struct proc *stand_in;  /* for a proc that damage has left unknown; NULL until needed */
	/* Others bound to the same proc: there are none unless the trace contradicts itself. */
	struct machine *next_holder, *previous_holder;
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

/* What was given up to put a damaged trace in order. */
struct repairs {
	uint64_t dropped_events;  /* that tell nothing without what was lost before them */
	uint64_t ended_batches;   /* of which the rest could not be decoded */
	uint64_t skipped_numbers; /* gaps in the numbers of goroutines, procs and collections */
	uint64_t unknown_states;  /* of goroutines and procs */
	uint64_t moved_times;     /* that cannot be true, of events and batches */
	uint64_t missing_ids;     /* strings and stacks that are in no table, told as empty */
};

/*
 * The runtime stops the world once at a time. Different kinds at once on one goroutine
 * are legal all the same; this bounds the search among them.
 */
enum { STOPS_MAX = 64 };

/*
 * The most events that one wire event turns into: three, and where damage makes a
 * goroutine unknown the ends of its stops, STOPS_MAX, and a few more.
 */
enum { STATE_EVENTS_MAX = STOPS_MAX + 16 };

struct state {
	uint64_t initial_generation;
	uint64_t generation;          /* the one that is being ordered */
	const struct tables *tables;  /* its tables */
	struct repairs *repairs;      /* NULL: nothing is repaired, damage is an error */

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

/* Ids of the file as they are kept: all-ones becomes GO_ID_NONE. */
static inline int64_t
state_id(uint64_t id)
{
	return (int64_t)id;
}

bool state_init(struct state *state, struct error *err);
void state_release(struct state *state);
/* The first call of all also sets the initial generation. */
void state_begin_generation(struct state *state, uint64_t generation,
                            const struct tables *tables);
/* The thread m, made known if new; m as in the file. NULL with err set for want of memory. */
struct machine *state_thread(struct state *state, uint64_t m, struct error *err);

/* The goroutine, or NULL. */
static inline struct goroutine *
state_find_goroutine(const struct state *state, int64_t id)
{
	uint32_t index = id_map_find(&state->goroutine_of, (uint64_t)id);
	return index == MAP_NONE ? NULL : stable_at(&state->goroutines, index);
}

/* A new goroutine with its counter at (generation, 0); NULL with err set on failure. */
struct goroutine *state_add_goroutine(struct state *state, int64_t id,
                                      enum goroutine_status status, struct error *err);
void state_remove_goroutine(struct state *state, struct goroutine *goroutine);
struct proc *state_find_proc(const struct state *state, int64_t id);
struct proc *state_add_proc(struct state *state, int64_t id, enum proc_status status,
                            struct error *err);
/* The thread if it is known, else NULL. */
struct machine *state_find_thread(const struct state *state, uint64_t m);

static inline void
machine_bind_goroutine(struct machine *machine, struct goroutine *goroutine)
{
	machine->g = goroutine->id;
	machine->last = goroutine;
	goroutine->machine = machine;
}

static inline void
machine_unbind_goroutine(struct machine *machine)
{
	machine->g = GO_ID_NONE;
	machine->last = NULL;
}

void machine_bind_proc(struct machine *machine, struct proc *proc);
void machine_unbind_proc(struct machine *machine);

/* Puts a note at the head of a list. */
bool state_push_note(struct state *state, uint32_t *list, int64_t number, string_id text,
                     struct error *err);
/* Takes the note that *list points to out of the list. */
void state_drop_note(struct state *state, uint32_t *list);

#endif

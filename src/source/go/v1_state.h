/*
 * What is known of the program between two events of a v1 trace, and the checks
 * on it: doc/format/go-trace-v1.md, section 6.
 */
#ifndef TTRACE_SOURCE_GO_V1_STATE_H
#define TTRACE_SOURCE_GO_V1_STATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/ids.h"
#include "base/intern.h"
#include "source/go/v1_order.h"

enum v1_status { V1_DEAD, V1_RUNNABLE, V1_RUNNING, V1_WAITING };

struct v1_goroutine {
	uint32_t regions;        /* open regions, innermost first: a list of notes */
	uint8_t status;          /* enum v1_status */
	bool is_known;           /* was created */
	bool is_unmentioned;     /* created in the first phase, its state not told yet */
	bool is_assisting;       /* a mark assist is in progress */
	bool waits_for_network;
};

struct v1_proc {
	int64_t m;               /* thread of the latest start; GO_ID_NONE after a stop */
	uint32_t g;              /* index of the goroutine that runs, V1_G_NONE for none */
	bool is_running, is_sweeping;
	bool is_mentioned;
};

/* An open region. */
struct v1_note {
	uint64_t task;
	string_id name;
	uint32_t next;           /* 0 ends the list */
};

/* A task that began and did not end. */
struct v1_task {
	int64_t parent;          /* as in the file: 0 for none */
	string_id name;
};

/* Zero-initialise; v1_state_release() frees. */
struct v1_state {
	struct v1_goroutine *goroutines; /* by index in the order */
	struct v1_proc *procs;           /* by index of the list in the file */
	bool is_collecting, is_stopped;  /* a GC, a stop-the-world in progress */
	bool is_started;                 /* the first phase is over */
	uint32_t *early;                 /* goroutines created in it, in order */
	size_t early_count, early_capacity;
	string_id stop_kind;             /* of the latest stop-the-world */
	struct v1_task *tasks;
	size_t task_count, task_capacity;
	struct id_map task_of;           /* from the id to the index, while it is active */
	struct v1_note *notes;           /* notes[0] is not used */
	size_t note_count, note_capacity;
	uint32_t free_notes;             /* list of notes to use again */
};

bool v1_state_init(struct v1_state *state, const struct v1_order *order, struct error *err);
void v1_state_release(struct v1_state *state);

/* Opens a region on a goroutine. */
bool v1_state_push_region(struct v1_state *state, struct v1_goroutine *goroutine,
                          uint64_t task, string_id name, struct error *err);
/* Forgets the innermost region; there must be one. */
void v1_state_pop_region(struct v1_state *state, struct v1_goroutine *goroutine);
/* Forgets all open regions. */
void v1_state_drop_regions(struct v1_state *state, struct v1_goroutine *goroutine);
/* A goroutine was created in the first phase. */
bool v1_state_add_early(struct v1_state *state, uint32_t index, struct error *err);
/* The task, which must not be active, begins. */
bool v1_state_add_task(struct v1_state *state, uint64_t id, struct v1_task task,
                       struct error *err);

#endif

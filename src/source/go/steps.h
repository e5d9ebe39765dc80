/*
 * From Go's events to steps: what the builder is to do, in few bytes. Nearly all
 * events are a goroutine that changes its state, and become one step in the words of
 * the builder; what is rare goes along as the whole event. Ids of the file become refs
 * here, once: a step that makes an id known goes before the first that uses its ref.
 */
#ifndef TTRACE_SOURCE_GO_STEPS_H
#define TTRACE_SOURCE_GO_STEPS_H

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/ids.h"
#include "source/go/event.h"
#include "trace/state_change.h"

/* What is below CHANGE_NONE is a change to that state. */
enum step_kind {
	STEP_NOTHING = CHANGE_NONE, /* only its time counts */
	STEP_PROC_LOST,   /* ref */
	STEP_GOROUTINE,   /* known.id is first mentioned and has this ref; so: */
	STEP_PROC,
	STEP_THREAD,
	STEP_CREATE,      /* the same for a goroutine that begins, with all of known */
	STEP_NAME,        /* the goroutine of this ref begins with `function` */
	STEP_REGION_BEGIN, /* of `work`, on the goroutine of this ref */
	STEP_REGION_END,
	STEP_TASK_BEGIN,  /* likewise; work.task of the step behind it, a STEP_NOTHING, is the parent */
	STEP_TASK_END,
	STEP_METRIC,      /* ref: enum go_metric; value */
	STEP_EVENT,       /* the event in the STEP_EVENT_PLACES that follow */
	STEP_GENERATION   /* a generation has ended; counts */
};

struct step {
	union {
		struct timed_change change;
		struct { /* begins like a change */
			int64_t time_ns; /* of the event that it begins, else 0; a Sync has none */
			uint8_t kind;    /* enum step_kind */
			uint32_t ref;    /* of what it is about */
			union {
				struct {
					int64_t id;
					actor_ref creator;
					stack_id stack;
				} known;
				string_id function;
				struct {
					int64_t task;
					string_id name;
					stack_id stack;
				} work;
				uint64_t value;
				struct table_counts counts;
			};
		};
	};
};

static_assert(sizeof(struct step) == sizeof(struct timed_change), "changes stand in a row");

enum {
	STEP_EVENT_PLACES = (sizeof(struct go_event) + sizeof(struct step) - 1) / sizeof(struct step),
	/*
	 * In a block. It fits a core's private cache, with room for some more of them, and is
	 * large enough for the cost of handing it over not to matter.
	 */
	STEP_BLOCK = 1024
};

/*
 * Takes the `count` steps in the block that it gave last, and gives an empty one of
 * STEP_BLOCK places; the first time, count is 0. ends_generation: the last step does. NULL
 * with err set to end the reading.
 */
typedef struct step *step_exchange(void *context, size_t count, bool ends_generation,
                                   struct error *err);

/* Ids of the file, numbered in the order of their first mention. */
struct step_refs {
	struct id_map of;
	uint32_t count;
};

struct step_writer {
	step_exchange *exchange;
	void *context;
	struct intern *strings;
	struct stack_table *stacks;
	struct step *steps; /* the block; NULL before the first */
	struct step *next;  /* place in it */
	struct step *full;  /* no event may begin there and behind */
	struct step_refs goroutines, procs, threads;
	bool *is_named;     /* by actor_ref: it has a name, no other is looked for */
	size_t named_capacity;
	bool is_past_first; /* the first generation has ended */
};

/* The enum state that a goroutine enters; false where it is no change that the model knows. */
bool step_state_of(const struct go_event *event, uint8_t *state);

/*
 * The proc that a goroutine is on as it changes its state, GO_ID_NONE for none. A system call that
 * was on when tracing began is, in a v1 trace, told by whoever begins it, on whose proc it is not.
 */
int64_t step_proc_of(const struct go_event *event);

/* strings and stacks are those that the events refer to. Release it in any case. */
void step_writer_init(struct step_writer *writer, step_exchange *exchange, void *context,
                      struct intern *strings, struct stack_table *stacks);
/* The sink that writes; it is good as long as the writer is. */
struct go_sink step_writer_sink(struct step_writer *writer);
/* Hands over what was written last. */
bool step_writer_finish(struct step_writer *writer, struct error *err);
void step_writer_release(struct step_writer *writer);

#endif

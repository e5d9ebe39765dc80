/*
 * The states of an actor, how they are entered, and the classes of time that
 * the index adds up and the screen colours.
 */
#ifndef TTRACE_TRACE_STATE_H
#define TTRACE_TRACE_STATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/intern.h"

enum state {
	STATE_GONE,    /* ended; time after this is nobody's */
	STATE_UNKNOWN, /* the trace does not say */
	STATE_RUNNING, /* on a processor */
	STATE_READY,   /* could run but has no processor (Go: runnable) */
	STATE_BLOCKED, /* waits for something (Go: waiting) */
	STATE_SYSCALL,
	STATE_COUNT
};

/* What made an actor enter a state. */
enum state_entry {
	ENTRY_STATUS,    /* first mention: it was so already */
	ENTRY_CREATED,   /* by a `go` statement, or by C calling into Go */
	ENTRY_STARTED,   /* got a processor */
	ENTRY_STOPPED,   /* lost its processor: preempted or gave way */
	ENTRY_BLOCKED,   /* began to wait */
	ENTRY_UNBLOCKED, /* woken: by an actor, or by what the trace does not say, ... */
	ENTRY_NETWORK,   /* ... by the network, ... */
	ENTRY_NETWORK_OR_DEADLINE, /* ... by that or by the timer of its deadline, ... */
	ENTRY_TIMER,     /* ... by a timer */
	ENTRY_SYSCALL,   /* entered a system call */
	ENTRY_RETURNED,  /* came back from a system call */
	ENTRY_ENDED,     /* its function returned, or its thread left Go */
	ENTRY_LOST,      /* the trace is damaged: nobody knows how */
	ENTRY_SEEN,      /* it runs, by something else that is told: nobody knows since when */
	ENTRY_COUNT
};

/*
 * A class of time. Every moment of an actor's life belongs to exactly one.
 * CLASS_GONE stands for time outside of it and is never added up.
 */
enum time_class {
	CLASS_GONE,
	CLASS_UNKNOWN,
	CLASS_RUNNING,
	CLASS_WORKER, /* runs for the runtime, as Go's collector does */
	CLASS_READY,
	CLASS_SYSCALL,
	CLASS_CHANNEL,   /* blocked on a channel send or receive */
	CLASS_SELECT,
	CLASS_SYNC,      /* blocked on a lock, condition or wait group */
	CLASS_NETWORK,
	CLASS_SLEEP,
	CLASS_RUNTIME,   /* blocked until the runtime has gone on */
	CLASS_IDLE,      /* an actor of the runtime without work */
	CLASS_FOREVER,   /* blocked for good */
	CLASS_OTHER,     /* blocked for any other reason */
	CLASS_COUNT
};

typedef uint16_t class_mask; /* 1 << enum time_class, or'ed */
#define CLASS_BIT(time_class) ((class_mask)(1u << (time_class)))
#define CLASS_MASK_ALL ((class_mask)0xfffe)
#define CLASS_MASK_SOLID                                                                           \
	((class_mask)(CLASS_BIT(CLASS_RUNNING) | CLASS_BIT(CLASS_WORKER) |                      \
		      CLASS_BIT(CLASS_READY) | CLASS_BIT(CLASS_SYSCALL)))
#define CLASS_MASK_BLOCKED                                                                         \
	((class_mask)(CLASS_MASK_ALL & ~CLASS_MASK_SOLID & ~CLASS_BIT(CLASS_UNKNOWN)))

/* Whether it ends a wait. */
static inline bool
entry_is_wake(enum state_entry entry)
{
	return entry >= ENTRY_UNBLOCKED && entry <= ENTRY_TIMER;
}

/* Whole life of one kind of state: what a state's `kind` byte stands for. */
struct state_kind {
	enum state state;
	enum state_entry entry;
	enum time_class time_class;
	string_id reason; /* empty where there is none */
};

/* "running", "ready", ... as the screen and the queries say it. */
const char *state_name(enum state state);

#endif

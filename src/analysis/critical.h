/*
 * The critical path: what an interval of an actor's time went into, back in time from its
 * end, as parts that follow one another without a hole. Where the actor waited, what it
 * waited for stands in the place of the wait: what the actor that woke it did, from the wake
 * back to where the wait began, and so on with the waits of that one. Before the wait began
 * the path is with the actor that waited again. A wait that no actor ended (the
 * network, a timer, the trace does not say) is a part itself and says why the path goes no deeper.
 */
#ifndef TTRACE_ANALYSIS_CRITICAL_H
#define TTRACE_ANALYSIS_CRITICAL_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "trace/span.h"
#include "trace/trace.h"

struct search; /* query/search.h */

/* How the path comes to a part from the one after it in time. */
enum critical_link {
	LINK_END,      /* it ends the interval */
	LINK_BEFORE,   /* the actor did that before */
	LINK_WOKE,     /* this actor ended the wait of the other, see `wait` */
	LINK_CREATED,  /* this actor created the other */
	LINK_RETURNED, /* here the wait of this actor began */
	LINK_COUNT
};

/* Why the path stays with a part. */
enum critical_cause {
	CAUSE_STATE,     /* it is no wait: running, ready, in a syscall */
	CAUSE_NETWORK,   /* the network ended the wait */
	CAUSE_NETWORK_OR_DEADLINE, /* that, or the timer of the deadline for it */
	CAUSE_TIMER,     /* a timer did */
	CAUSE_SCHEDULER, /* something else that is no actor did */
	CAUSE_UNTOLD,    /* the trace does not say who ended it, or says what cannot be */
	CAUSE_UNENDED,   /* it did not end within the trace */
	CAUSE_OUTSIDE,   /* the trace knows nothing of the actor then */
	CAUSE_DEEP,      /* too many waits within each other */
	CAUSE_LONG,      /* the path had as many steps as were asked for: not looked at */
	CAUSE_COUNT
};

/* Some of a state of an actor, all of it but for the bounds of interval and wait. */
struct critical_part {
	int64_t start_ns, end_ns; /* never empty */
	actor_ref actor;          /* REF_NONE for CAUSE_LONG */
	const struct state_kind *kind; /* NULL where the trace knows nothing */
	enum critical_link link;
	actor_ref other;      /* whom it woke or created, as `link` says; else REF_NONE */
	enum critical_cause cause;
	stack_id stack;           /* where the actor stood at its end, or next; STACK_NONE where unknown */
	resource_ref processor;   /* of running and, where known, syscall; else REF_NONE */
	uint32_t wait;            /* in whose place it stands: index into waits; REF_NONE for none */
};

/* A wait that another actor ended. */
struct critical_wait {
	struct span span;         /* the blocked state, whole */
	struct span ready;        /* what followed: its waker and waker_stack tell who and where */
	int64_t start_ns, end_ns; /* of the interval that is looked at, the bounds of what stands for it */
	uint32_t wait;            /* in whose place it stood itself, REF_NONE for none */
	uint32_t depth;           /* how many such there are */
	uint32_t first_part;      /* parts from here on stand for it, as long as the index of its wait ... */
	uint32_t end_part;        /* ... up to here, those of inner waits among them */
};

struct critical_path {
	int64_t start_ns, end_ns;
	struct critical_part *parts; /* back in time: the last one first */
	struct critical_wait *waits; /* in the order in which the path comes by */
	size_t part_count, wait_count;
	size_t part_capacity, wait_capacity;
};

/* Whose path, and of which time. */
struct critical_scope {
	actor_ref actor;
	int64_t t0_ns, t1_ns; /* [t0, t1), which is clipped to the trace */
	uint64_t most_steps;  /* after so many states that were looked at the rest is CAUSE_LONG */
	const atomic_bool *is_cancelled; /* NULL: never */
};

/*
 * Parts sum to the interval exactly. O(states on the path x log n): 100,000 of a trace of 100 MB
 * take some 50 ms. ERROR_CANCELLED soon after is_cancelled was set. Release with critical_release() after success.
 */
bool critical_build(struct critical_path *path, const struct trace *trace,
	const struct critical_scope *scope, struct error *err);
/* One of its own that is the same; false without memory. */
bool critical_copy(struct critical_path *copy, const struct critical_path *path, struct error *err);
void critical_release(struct critical_path *path);

/* Parts that are alike, added up. */
struct critical_share {
	string_id name;                /* the start function of the actors */
	const struct state_kind *kind; /* the first one's; others may differ in how they began */
	enum critical_cause cause;
	stack_id stack;
	actor_ref actor;       /* one of them: that of the longest part */
	int64_t total_ns, longest_ns, longest_start_ns;
	size_t count;
};

/*
 * By start function, state, reason, cause and stack; most time first. NULL without memory, and with
 * ERROR_CANCELLED soon after *is_cancelled was set (NULL: never); the caller frees with
 * memory_free(). O(n log n).
 */
struct critical_share *critical_shares(const struct critical_path *path, const struct trace *trace,
                                       size_t *count, const atomic_bool *is_cancelled,
                                       struct error *err);

/* "the network ended it", ...; "" for CAUSE_STATE. Nouns stand in braces, for text_add_words(). */
const char *critical_cause_words(enum critical_cause cause);

/*
 * Whose end an interval without an actor has: the actor that ran last on any processor
 * before t, REF_NONE for none. O(processors x log n).
 */
actor_ref critical_last_running(const struct trace *trace, int64_t t_ns);
/*
 * The actor whose end is that of a task: who ended it; else who was in its last region,
 * else who began it. REF_NONE if nobody is known. O(ranges) where nobody ended it.
 */
actor_ref critical_of_task(const struct trace *trace, task_ref task);

/* Whether the part is a state that the query matches; NULL matches all. O(log n). */
bool critical_part_matches(
	const struct trace *trace, const struct critical_part *part, const struct search *only);

#endif

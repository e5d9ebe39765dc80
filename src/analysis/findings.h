/*
 * What is odd in a trace: troubles of a few kinds, each with the numbers that tell it, ranked by
 * the time that was lost. Nothing is invented: what a finding counts are spans, and its
 * query (query/query.h) finds these very spans. Of stops, assists and collections it finds the
 * states of actors in which they were, which may be more or fewer. Of requests it also finds
 * spans of those that are not complete.
 *
 * No moment counts twice among findings of one kind of time: a wait for a P is a delay or beside
 * an idle processor, a blocked state is of one convoy, or of those who are blocked to the end. So
 * the sums of findings add up to what the trace has of that time, or to less. Waits by a
 * quota are nothing else. A hog says why there are waits, and tells of them once more. What lies beneath
 * the trace tells of time in which actors ran, or the world stood still, once more.
 *
 * States that reach into a damaged place are left out, as nobody knows how long they were;
 * damage up to the end of the trace ends the interval.
 */
#ifndef TTRACE_ANALYSIS_FINDINGS_H
#define TTRACE_ANALYSIS_FINDINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analysis/beneath/holder.h"
#include "analysis/go/cycles.h"
#include "analysis/slow_requests.h"
#include "base/error.h"
#include "trace/span.h"
#include "trace/trace.h"

struct beneath;      /* analysis/beneath/beneath.h */
struct search;       /* query/search.h */
struct search_watch; /* query/watch.h */

enum finding_kind {
	FINDING_DELAY,   /* ready for long, by start function */
	FINDING_IDLE,    /* the same though a processor was idle for half of that or more */
	FINDING_STOP,    /* the world stood still, by kind of stop; those of tracing do not count */
	FINDING_CONVOY,  /* many actors waited for a mutex in turn, by function */
	FINDING_FOREVER, /* many actors blocked all the time, by start function and class */
	FINDING_LEAK,    /* ever more actors that block and stay so, by the same */
	FINDING_SYSCALL, /* syscalls that lost their processor, by start function */
	FINDING_ASSIST,  /* actors that did the collector's work, by start function */
	FINDING_GC,      /* collections, of which some had no pause between them */
	FINDING_REQUESTS, /* requests of a kind that take long for one thing */
	/* Of a trace of the kernel alone. */
	FINDING_DISK,     /* tasks that are in disk sleep for most of their time, by name */
	FINDING_HOG,      /* a task that had the CPU for half of all long waits for one or more */
	FINDING_INTERRUPT, /* interrupts that took a CPU for long, by name */
	FINDING_CALL,     /* system calls that took long, not only asleep, by name */
	FINDING_QUOTA,    /* tasks of a name that stand still together, at one period; or all threads, beneath */
	/* Of a trace with the kernel's beneath it. */
	FINDING_STARVED,  /* threads of actors that run wait for a CPU */
	FINDING_HELD,     /* a processor is held by a thread without a CPU, while actors are ready */
	FINDING_LATE,     /* stops of the world that took long for a thread without a CPU */
	FINDING_KIND_COUNT
};

/* What is less is no finding. */
enum {
	FINDING_LEAST_PERCENT = 1,         /* time lost, of the interval */
	FINDING_DELAY_NS = 1000000,        /* one ready state, also one beside an idle processor */
	FINDING_STOP_NS = 10000000,        /* one stop, where all take less than the percent */
	FINDING_CONVOY_ACTORS = 4,
	FINDING_CONVOY_PERCENT = 50,       /* waits that ended by one who had waited there as well */
	FINDING_FOREVER_ACTORS = 10,       /* of a leak as well */
	FINDING_LEAK_PART = 10,            /* blocked for that part of the interval, up to its end ... */
	FINDING_LEAK_PERCENT = 90,         /* made within it, and of all their lives */
	FINDING_ASSIST_PERCENT = 10,       /* of the time that those actors ran */
	FINDING_HOG_WAITS = 4,
	FINDING_INTERRUPT_NS = 1000000,
	FINDING_CALL_NS = 100000000,
	FINDING_STARVED_PERCENT = 10,      /* waited, of what actors ran */
	FINDING_GC_RUN = 4                 /* collections, each pause no longer than what is before it */
};

/* How many places a finding lists where no single one has half of the time. */
enum { FINDING_PLACES = 3 };

/* A line of the program, of spans that became a finding. */
struct finding_place {
	stack_id stack; /* what is named: own_code_stack() */
	uint64_t count;
	int64_t lost_ns;
};

struct finding {
	enum finding_kind kind;
	/*
	 * What it is ranked by: total_ns, the time that actors lost, added up over all of them;
	 * of a stop that times GOMAXPROCS; of those that are blocked all the time, or to the end,
	 * the interval times their share of all actors then.
	 */
	int64_t lost_ns;
	int64_t interval_ns;  /* how long what was looked at is */
	uint64_t count;       /* spans, stops or collections; of requests, their waits */
	uint32_t actors;      /* that have some; 0 of stops and collections */
	int64_t total_ns;     /* of all of them, within the interval; of assists, what ran of that */
	/*
	 * What total_ns is held against. Of assists, what the actors ran; of convoys, how long at least
	 * one waited; of requests, how long they took; of collections, the interval.
	 */
	int64_t whole_ns;
	actor_ref holder;     /* of FINDING_HOG: who had the CPU; whole_ns: what it ran in all */
	int64_t period_ns, least_ns; /* of FINDING_QUOTA; the shortest standstill */
	struct finding_beneath {
		/* Of FINDING_STARVED; whole_ns: what actors ran. */
		int64_t on_ns, asleep_ns;
		struct holder holder;
		char *name;             /* of the holder's tasks, as it is; NULL: none */
		/* Of FINDING_HELD, for the one that is told. */
		resource_ref processor;
		uint32_t ready;         /* actors, on the average */
		int64_t thread;         /* of FINDING_LATE, by its id */
	} beneath;
	uint32_t handed;      /* of a convoy, waits that ended by one who had waited there as well */
	uint64_t back_to_back; /* collections in runs of FINDING_GC_RUN and more */
	uint64_t triggers[GC_TRIGGER_COUNT]; /* collections by why they began ... */
	enum gc_trigger cause; /* the one that has half of the time or more; GC_TRIGGER_COUNT: none */
	uint64_t goal_least_bytes, goal_most_bytes; /* ... and goals that the heap grew past; 0: unknown */
	/*
	 * The longest one, its lane, whole: where to look first. It is of the place or, of
	 * collections, the cause that has half of the time or more.
	 */
	struct lane lane;
	int64_t start_ns, end_ns;
	int64_t longest_ns;      /* what of it is in total_ns; of requests, the slowest one whole */
	actor_ref actor;         /* of that lane; of a collection who began it; REF_NONE: unknown */
	resource_ref idle_processor;   /* beside the longest, REF_NONE for one that never ran */
	int64_t idle_ns;
	string_id name;       /* the start function that they share, or the kind of stop */
	enum time_class time_class; /* of those blocked all the time, or to the end */
	struct slow_requests requests; /* of FINDING_REQUESTS; the slowest one is the lane's interval */
	stack_id stack;       /* where half of the time or more was lost; STACK_NONE: nowhere, or unknown */
	struct finding_place places[FINDING_PLACES]; /* most time first; of collections the calls for one */
	uint32_t place_count; /* of all places, those that are not listed included */
	char *query;          /* printable ASCII */
	bool is_query_whole;  /* false: it finds the longest ones only */
};

struct findings {
	int64_t t0_ns, t1_ns;  /* what was looked at */
	struct finding *items; /* most time lost first */
	size_t count, capacity;
	uint32_t unknown_kinds; /* bits 1 << kind: not looked for: damage, the query, too much of it */
	bool has_waits;         /* findings_can_be(); else nothing was looked for */
	bool has_beneath;       /* what lies beneath the trace was looked at, too */
};

/* What is looked at. */
struct findings_scope {
	int64_t t0_ns, t1_ns;      /* [t0, t1) */
	const struct search *only; /* spans that it does not match are no findings; NULL: all may be */
	const char *query;         /* what it asks */
	const struct beneath *beneath; /* what lies beneath the trace; NULL: nothing is known of that */
};

/*
 * Whether the trace tells when actors waited. One that tells of calls alone does not: nothing in it
 * can be found odd, nor be called fine. O(kinds of states).
 */
bool findings_can_be(const struct trace *trace);
/*
 * Looks through a frozen trace. Some nanoseconds a state; `watch` (NULL is fine) tells how far
 * it is, and can end it: then it is false without an error. Release with
 * findings_release() after success.
 */
bool findings_build(struct findings *findings, const struct trace *trace,
                    const struct findings_scope *scope, struct search_watch *watch,
                    struct error *err);
void findings_release(struct findings *findings);

/* How much of the interval a finding lost; more than 1 where several lost time at once. */
double findings_severity(const struct findings *findings, const struct finding *finding);

/* "delay", "idle", ...: as reports name it. */
const char *finding_kind_name(enum finding_kind kind);

#endif

/*
 * What requests (analysis/go/request_kinds.h) took long for.
 *
 * The slowest tenth of each kind is compared with the middle fifth: by what its requests did, where
 * each moment of a request counts as one thing only (analysis/task_life.h). Where the slowest tenth
 * took far longer, the thing that grew most is told. If all requests of a kind wait for one thing
 * most of their time, that is told as well, however long the slowest took.
 *
 * At most SLOW_MOST_REQUESTS of a kind are looked at, evenly by how long they took.
 */
#ifndef TTRACE_ANALYSIS_SLOW_REQUESTS_H
#define TTRACE_ANALYSIS_SLOW_REQUESTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analysis/go/request_kinds.h"
#include "base/error.h"
#include "trace/trace.h"

enum {
	SLOW_LEAST_PERCENT = 1,    /* time lost, of the interval */
	SLOW_PLACES = 3,
	SLOW_MOST_REQUESTS = 4096,
	SLOW_LEAST_NS = 1000000,   /* that the slowest tenth took more, or all waited for */
	SLOW_LEAST_OUTSIDE_NS = 10000000, /* the same of the network, a sleep or a system call */
	SLOW_TIMES = 2,            /* what the slowest tenth took, of what the middle did, to be told */
	SLOW_TIMES_VARYING = 5,    /* the same of what varies by itself: those, and running */
	SLOW_MOSTLY_PERCENT = 50,  /* of its time a request does one thing: it mostly does that */
	SLOW_ALIKE_PERCENT = 75    /* of a kind mostly do the same thing: all of them are told */
};

/* What ended a wait. */
enum slow_end {
	SLOW_END_UNKNOWN,   /* nobody knows, or it is no wait */
	SLOW_END_REQUEST,   /* what another request did */
	SLOW_END_OWN,       /* what another actor did for the same request */
	SLOW_END_ACTOR,     /* any other actor */
	SLOW_END_NETWORK,   /* or its deadline */
	SLOW_END_TIMER,
	SLOW_END_COUNT
};

/*
 * What stands for waits on their critical path (analysis/critical.h): the one thing that half of
 * their time or more went into. Some of them are looked at, evenly by how long they were.
 */
struct slow_cause {
	int64_t part_ns, whole_ns; /* part_ns 0: there is no such thing */
	string_id request;         /* for which kind of requests it was done; STRING_EMPTY: none */
	enum time_class time_class;
	string_id region;          /* STRING_EMPTY for none */
	stack_id stack;            /* STACK_NONE where none is known ... */
	actor_ref actor;           /* ... and of whom it is */
};

/* Where they waited. */
struct slow_place {
	stack_id stack; /* STACK_NONE where none is known */
	actor_ref actor;
	uint64_t waits;
	int64_t part_ns;
};

/* One thing that requests of a kind took long for. */
struct slow_requests {
	string_id name;         /* of the tasks; STRING_EMPTY: of net/http, or tasks without a name */
	bool is_task;
	uint32_t count;         /* of the kind */
	int64_t p50_ns, p90_ns; /* so long at most took half of them, nine in ten */
	int64_t slowest_tenth_ns; /* on average */
	bool is_of_all;         /* what follows is of all of them, else of the slowest tenth */
	int64_t whole_ns;       /* how long these took in all */
	enum time_class time_class; /* what they did for long; CLASS_WORKER: helped the collector */
	int64_t part_ns;        /* how long, at the place if there is one, else at all places */
	/*
	 * Of that, less what an outer kind has lost already and what the median took. What holds up a
	 * queue of requests that is told as well is no more than the queue's.
	 */
	int64_t lost_ns;
	uint64_t waits;         /* so many times */
	uint32_t actors;        /* so many of them */
	uint32_t places;        /* where; 1: region and stack are those of half of the time or more */
	struct slow_place best[SLOW_PLACES]; /* those with most time */
	string_id region;       /* STRING_EMPTY for none */
	stack_id stack;         /* STACK_NONE where none is known ... */
	actor_ref stack_actor; /* ... and of whom it is */
	enum slow_end end;      /* what ended most of that time, SLOW_END_UNKNOWN where nothing did */
	int64_t end_ns;         /* of part_ns */
	struct slow_cause cause; /* of waits that an actor ended */
	/* The slowest one. */
	task_ref task;
	actor_ref actor;
	int64_t slowest_start_ns, slowest_end_ns;
	/* Of one of the slowest tenth on average, and of one of the middle fifth. */
	int64_t slow_ns[CLASS_COUNT], middle_ns[CLASS_COUNT];
};

struct slow_list {
	struct slow_requests *items;
	size_t count, capacity;
	size_t kind_count; /* that there are: 0 where there are no requests, or few */
	bool is_cut;       /* some were not looked at, since those before them have too many states */
};

/*
 * Waits that the query of the scope does not match do not count. O(n log n) for n states of the
 * actors that serve requests, at most some ten million of them. ERROR_CANCELLED where the watch
 * says so. Release with slow_requests_release() after success.
 */
bool slow_requests_build(struct slow_list *list, const struct trace *trace,
	const struct request_scope *scope, struct error *err);
void slow_requests_release(struct slow_list *list);

#endif

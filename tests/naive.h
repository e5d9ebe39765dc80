/*
 * The naive model of a trace, to check the index and the picture against: the
 * plain list of its ordered events, and answers that scan it from end to end. It shares
 * no code with trace/ or source/go/build.c, only their documented rules:
 *
 *  - Time 0 is the first event that is no Sync, the end is the last one.
 *  - A state that the first generation only mentions held since time 0, unless its
 *    proc or thread did something before.
 *  - Who bears a label "GC (...)", or is named runtime.gcBgMarkWorker by then, runs as
 *    a worker of the collector: from the start of a running state, or from the label on.
 *  - A proc has a running or syscall state until that ends, or the proc is lost, or
 *    takes on another goroutine; a thread until that ends, or it takes on another.
 *  - Collections, and stops of the world, that overlap or touch are one span each.
 *
 * Everything here fails the test when memory runs out.
 */
#ifndef TTRACE_TESTS_NAIVE_H
#define TTRACE_TESTS_NAIVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/intern.h"
#include "base/map.h"
#include "input/input.h"
#include "source/go/event.h"
#include "trace/span.h"
#include "trace/stack.h"

/* A goroutine; an id that comes again after its end is another one. */
struct naive_goroutine {
	int64_t id;
	string_id name;
	bool is_worker;
	size_t first_state, last_state; /* of its list through naive_state.next; SIZE_MAX: none */
};

/* What one goroutine did from one of its events to the next. */
struct naive_state {
	size_t goroutine;
	size_t next; /* state of the same goroutine, SIZE_MAX at its last */
	int64_t start_ns, end_ns;
	bool is_open;     /* it did not end within the trace */
	enum state state; /* never STATE_GONE */
	enum time_class time_class;
	bool is_network_wake, is_timer_wake, is_syscall_wake;
	string_id reason;
	stack_id stack;       /* of a ready state that of whoever made it so */
	int64_t proc, thread; /* GO_ID_NONE for none */
	int64_t proc_end_ns, thread_end_ns;
	bool is_on_proc, is_on_thread; /* still: open ended */
};

/* A span with a scope: a collection, a stop of the world, a region, ... */
struct naive_range {
	enum range_type type;
	int64_t scope;    /* goroutine (its index), proc id, or GO_ID_NONE */
	size_t goroutine; /* whose it is; that began a mark phase or a sweep; SIZE_MAX for none */
	int64_t start_ns, end_ns;
	bool is_open;
	string_id name;
};

/* A log, label, sample, or the begin of a task; what it says is up to two texts and a stack. */
struct naive_moment {
	int64_t time_ns;
	size_t goroutine; /* SIZE_MAX for none */
	bool is_log, is_sample;
	int64_t proc, thread; /* GO_ID_NONE for none */
	string_id texts[2];
	stack_id stack; /* of a sample */
};

struct naive {
	struct intern strings;
	struct stack_table stacks;
	struct go_event *events; /* all but Syncs, times from 0 on */
	size_t event_count, event_capacity;
	int64_t origin_ns, end_ns;
	struct naive_goroutine *goroutines;
	size_t goroutine_count, actor_capacity;
	struct naive_state *states; /* in the order of the events that began them */
	size_t state_count, state_capacity;
	struct naive_range *ranges; /* in the order of their begin, or end where that is all */
	size_t range_count, range_capacity;
	struct naive_moment *moments;
	size_t moment_count, moment_capacity;
	struct map goroutine_of; /* id -> the latest goroutine with it */
};

/* Reads a whole trace, which must not be damaged. */
void naive_read(struct naive *naive, struct input *in);
void naive_release(struct naive *naive);

const char *naive_text(const struct naive *naive, string_id id, size_t *length);

/* One span of a lane. */
struct naive_span {
	int64_t start_ns, end_ns;
	bool is_open;
	enum time_class time_class; /* CLASS_RUNNING for collections and stops */
	size_t state;               /* SIZE_MAX for none */
};

/* The spans of a lane, in the order of their start. Those of groups overlap. */
struct naive_spans {
	struct naive_span *items;
	size_t count, capacity;
};

void naive_spans_clear(struct naive_spans *spans); /* keeps the memory */
void naive_spans_release(struct naive_spans *spans);

/* Each adds to the spans, which a caller clears before. */
void naive_add_goroutine(const struct naive *naive, size_t goroutine, struct naive_spans *spans);
void naive_add_proc(const struct naive *naive, int64_t id, struct naive_spans *spans);
void naive_add_thread(const struct naive *naive, int64_t id, struct naive_spans *spans);
void naive_add_all(const struct naive *naive, struct naive_spans *spans);
/* All goroutines of this start function; "" for those without a name. */
void naive_add_group(
	const struct naive *naive, const char *name, size_t length, struct naive_spans *spans);
/* RANGE_GC_MARK or RANGE_STW. */
void naive_add_ranges(const struct naive *naive, enum range_type type, struct naive_spans *spans);

/* The part of a span within [t0, t1); at most 0 where there is none. */
int64_t naive_part_ns(const struct naive_span *span, int64_t t0_ns, int64_t t1_ns);
void naive_totals(const struct naive_spans *spans, int64_t t0_ns, int64_t t1_ns,
	int64_t totals_ns[CLASS_COUNT]);
/*
 * Whether a span overlaps [t0, t1). A state still holds at the very end of the
 * trace, so there one that is open counts, also one that only began then.
 */
bool naive_overlaps(const struct naive_span *span, int64_t t0_ns, int64_t t1_ns);

/*
 * The moments at which a member (by goroutine) logged, and began to stop the world (0
 * where that lies before the trace), as spans of 1 ns.
 */
void naive_add_logs(const struct naive *naive, const bool *members, struct naive_spans *spans);
void naive_add_stops(const struct naive *naive, const bool *members, struct naive_spans *spans);

/*
 * The CPU samples of a goroutine, on a proc, on a thread (SIZE_MAX, GO_ID_NONE: of any), as
 * spans of 1 ns whose `state` is the index of the moment.
 */
void naive_add_samples(const struct naive *naive, size_t goroutine, int64_t proc, int64_t thread,
	struct naive_spans *spans);

uint32_t naive_wakes(const struct naive *naive, enum wake_row row, int64_t t0_ns, int64_t t1_ns);
/* Least and greatest value that a counter had within [t0, t1); false before the first. */
bool naive_counter(const struct naive *naive, enum counter_type type, int64_t t0_ns, int64_t t1_ns,
	uint64_t *least, uint64_t *greatest);

/* Whether bytes match, as the test's own pattern has it. */
typedef bool naive_predicate(const void *context, const char *bytes, size_t length);
/* By state, whether it matches a search with that predicate (query/search.h); to be freed. */
bool *naive_search(const struct naive *naive, naive_predicate *matches, const void *context);

#endif

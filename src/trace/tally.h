/*
 * A trace in sums, for summaries of traces of any length: nothing is kept of what happened but
 * what is still going on. What is told here is told in the words of the builder, and comes to
 * what the index of the whole trace would answer.
 */
#ifndef TTRACE_TRACE_TALLY_H
#define TTRACE_TRACE_TALLY_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "trace/builder.h"
#include "trace/span.h"
#include "trace/trace.h"

/* The actors of one start function, as far as they lived within the interval. */
struct tally_group {
	uint32_t count;
	int64_t totals_ns[CLASS_COUNT];
	bool has_delay;
	struct span delay; /* the longest ready state of any, clipped; only times and actor are set */
};

/* Ranges of one type within the interval, clipped to it. */
struct tally_ranges {
	uint32_t count;
	int64_t covered_ns; /* time in which there was at least one */
	range_ref longest;  /* REF_NONE if there was none */
	int64_t longest_start_ns, longest_ns;
};

struct tally {
	struct tally_group *groups; /* by group_ref of the trace */
	uint32_t alive_at_end;      /* actors that live on at the end of the interval */
	struct tally_ranges gc, stw;
};

void tally_release(struct tally *tally);

/* Times below are since the trace's beginning and do not go back. */
struct tallier;

/* Sums up [t0, t1). `trace` has the strings, and is to get what the sums refer to. */
struct tallier *tallier_new(struct trace *trace, int64_t t0_ns, int64_t t1_ns,
                            struct error *err);
void tallier_free(struct tallier *tallier);

/* The row of an actor, made known if new; it is good until the actor ends. */
bool tallier_actor(struct tallier *tallier, int64_t id, uint32_t *row, struct error *err);
/* The row of an actor that begins: the id now means this one. */
bool tallier_create(struct tallier *tallier, int64_t id, uint32_t *row, struct error *err);
/* Unless it has a name already, or this one is empty. */
void tallier_name(struct tallier *tallier, uint32_t row, string_id name);
struct tally_state {
	enum state state;
	string_id reason; /* of a wait */
	bool is_old;      /* where it is the first: it holds since the beginning */
};

/* It goes into another state. */
bool tallier_state(struct tallier *tallier, uint32_t row, struct tally_state state,
                   int64_t now_ns, struct error *err);
/* What it runs is work for the collector from now on. */
void tallier_worker(struct tallier *tallier, uint32_t row, int64_t now_ns);

/* A range as the builder takes it; only RANGE_GC_MARK and RANGE_STW are summed up. */
struct tally_scope {
	enum range_type type;
	int64_t actor; /* that the range is on, -1 for none */
	string_id name;
};

bool tallier_range_is_open(const struct tallier *tallier, const struct tally_scope *scope);
bool tallier_range_begin(struct tallier *tallier, const struct tally_scope *scope,
                         bool began_before, int64_t now_ns, struct error *err);
/* One that was not told of began before the trace. */
void tallier_range_end(struct tallier *tallier, const struct tally_scope *scope,
                       int64_t now_ns);

/*
 * The trace ends at end_ns: adds to it one actor for each start function, the one with the
 * longest delay if any has one. Afterwards builder_finish() makes its groups, and tallier_result()
 * tells what the sums of each are; release that.
 */
bool tallier_finish(struct tallier *tallier, int64_t end_ns, struct builder *builder,
                    struct error *err);
bool tallier_result(struct tallier *tallier, struct tally *tally, struct error *err);

#endif

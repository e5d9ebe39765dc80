/*
 * A trace twice: as the index has it, and as the naive model has it, for tests that ask
 * both the same. The environment says what else to do than usual: TTRACE_SEED takes
 * another seed, TTRACE_ROUNDS makes a run so many times longer.
 */
#ifndef TTRACE_TESTS_PAIR_H
#define TTRACE_TESTS_PAIR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "draw/viewport.h"
#include "naive.h"
#include "trace/lane.h"
#include "trace/trace.h"

struct pair {
	char name[160]; /* of the trace, with the seed, for messages */
	struct trace *trace;
	struct naive naive;
	size_t *goroutines; /* actor_ref -> goroutine of naive; SIZE_MAX if it has no states */
	uint64_t random;
	unsigned rounds; /* as TTRACE_ROUNDS says, else 1 */
};

/*
 * Calls back with the traces of testdata, one out of `every`, and with `simulated` traces
 * of all versions, shapes and sizes (times the rounds).
 */
void pair_each(unsigned every, unsigned simulated, void (*check)(struct pair *pair));

/* The same with a trace in text form (texttrace.h). */
void pair_text(const char *name, const char *text, void (*check)(struct pair *pair));

/*
 * As pair_each(), with each snapshot that can be taken as the trace, and the bytes up to
 * there for the naive model.
 */
void pair_each_snapshot(unsigned every, unsigned simulated, void (*check)(struct pair *pair));

/* The naive spans of a lane; cleared before. */
void pair_spans(const struct pair *pair, struct lane lane, struct naive_spans *spans);
/* Which goroutines of the naive model are on a lane of goroutines; to be freed. */
bool *pair_members(const struct pair *pair, struct lane lane);

/*
 * The CPU samples of a goroutine, a proc, a thread or of all, as spans of 1 ns whose `state` is
 * that of the moment; cleared before.
 */
void pair_samples(const struct pair *pair, struct lane lane, struct naive_spans *spans);

/* A lane of that type; false if there is none. The busier ones of a few come more often. */
bool pair_lane(struct pair *pair, enum lane_type type, struct lane *lane);
/* For messages: "goroutine 17", in a buffer that the next call uses again. */
const char *pair_lane_name(const struct pair *pair, struct lane lane);

/*
 * Any interval of at least `cells` ns: the whole, some of it, around an event, between
 * two, down to 1 ns per cell, and beyond both ends.
 */
struct viewport pair_viewport(struct pair *pair, int cells);
/* Some moment, most often at an event or next to it. */
int64_t pair_moment(struct pair *pair);

#endif

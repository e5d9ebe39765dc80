/*
 * Puts the events of one generation, which stand per thread in the file, into
 * one order and delivers them: doc/format/go-trace-semantics.md, section 2.
 */
#ifndef TTRACE_SOURCE_GO_ORDER_H
#define TTRACE_SOURCE_GO_ORDER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "source/go/delivery.h"
#include "source/go/frontier.h"
#include "source/go/generation.h"
#include "source/go/lookahead.h"
#include "source/go/state.h"
#include "source/go/tables.h"

/* What was wrong with one generation, where that was repaired. */
struct order_damage {
	struct repairs repairs;
	struct error first;        /* ERROR_NONE: nothing */
	int64_t from_ns;           /* from when on; TIME_OPEN where nothing is missing */
	uint64_t from_bytes, to_bytes; /* what was not used lies there */
	uint64_t lost_bytes;
	bool is_given_up;          /* it took too long; the rest was left alone: */
	struct error give_up;      /* why, if order_give_up() was told */
};

struct order {
	struct state state;              /* lives through all generations */
	struct delivery *delivery;
	struct frontier frontier;
	struct thread_cursor *cursors;   /* one per thread of the generation with events */
	size_t cursor_count, cursor_capacity;
	size_t next_sample, sample_count;
	int64_t run_until_ns;            /* so long the first thread's events come before all else */
	/* The generation's events lie between; strictly anywhere. */
	int64_t earliest_ns, latest_ns;
	uint64_t vain_tries;             /* of threads that had to wait, in all */
	/*
	 * Events of a thread are lost up to then, and who may be on them is watched: after each
	 * event, and at first, when a look at all is due.
	 */
	int64_t watched_until_ns;
	bool is_watching, is_look_due;
	bool is_open;                    /* all threads have a cursor; events are delivered */
	const struct generation *generation;
	const struct tables *tables;
	struct order_damage damage;      /* of this generation; only if is_lenient */
	struct lookahead lookahead;      /* built when it is needed first */
};

/* is_lenient: repairs what is broken and counts it in `damage`, rather than to fail. */
bool order_init(struct order *order, struct delivery *delivery, bool is_lenient,
                struct error *err);
void order_release(struct order *order);

/*
 * Delivers a Sync and then all events of the generation. False with err set,
 * its place included, where the trace is broken; what was delivered stays.
 */
bool order_generation(struct order *order, const struct generation *generation,
                      const struct tables *tables, struct error *err);

/* Nothing is wrong so far with what is to be ordered. */
void order_clear_damage(struct order *order);
/* What is left of the generation is damage, as err says, which is taken; is_given_up is set. */
void order_give_up(struct order *order, struct error *err);
/*
 * Everything may have changed since the last generation: all states become unknown. Clears
 * the damage. Also fails, with is_given_up set, where that was too much in all.
 */
bool order_doubt_all(struct order *order, struct error *err);
/* The same where no generation is to follow, strictly too. */
bool order_leave(struct order *order, struct error *err);
/* After a whole generation: what is unknown and it did not tell of is gone. Fails likewise. */
bool order_forget_unseen(struct order *order, struct error *err);

/*
 * After a failure: how many bytes of the generation were not used, and where the
 * first of them stands in the input. Once events were delivered only timed
 * batches count: the tables were of use.
 */
void order_unused(const struct order *order, uint64_t *offset_bytes, uint64_t *size_bytes);

#endif

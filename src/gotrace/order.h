/*
 * Puts the events of one generation, which stand per thread in the file, into
 * one order and delivers them: doc/format/go-trace-semantics.md, section 2.
 */
#ifndef TTRACE_GOTRACE_ORDER_H
#define TTRACE_GOTRACE_ORDER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "gotrace/delivery.h"
#include "gotrace/frontier.h"
#include "gotrace/generation.h"
#include "gotrace/state.h"
#include "gotrace/tables.h"

struct order {
	struct state state;              /* lives through all generations */
	struct delivery *delivery;
	struct frontier frontier;
	struct thread_cursor *cursors;   /* one per thread of the generation with events */
	size_t cursor_count, cursor_capacity;
	size_t next_sample;
	uint64_t vain_tries;             /* of threads that had to wait, in all */
	bool is_open;                    /* all threads have a cursor; events are delivered */
	const struct generation *generation;
	const struct tables *tables;
};

bool order_init(struct order *order, struct delivery *delivery, struct error *err);
void order_release(struct order *order);

/*
 * Delivers a Sync and then all events of the generation. False with err set,
 * its place included, where the trace is broken; what was delivered stays.
 */
bool order_generation(struct order *order, const struct generation *generation,
                      const struct tables *tables, struct error *err);

/*
 * After a failure: how many bytes of the generation were not used, and where the
 * first of them stands in the input. Once events were delivered only timed
 * batches count: the tables were of use.
 */
void order_unused(const struct order *order, uint64_t *offset_bytes, uint64_t *size_bytes);

#endif

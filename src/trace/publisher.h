/*
 * The second half of the builder, on a thread of its own: sorts drafts into segments, in
 * their order, and writes the lists of changes, while the first half gathers what comes next.
 * Not for others.
 */
#ifndef TTRACE_TRACE_PUBLISHER_H
#define TTRACE_TRACE_PUBLISHER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "trace/draft.h"
#include "trace/trace.h"

struct progress; /* base/thread.h */
struct publisher;

/*
 * Publishes into `trace`: segments and their columns, lists of changes and wake_totals are its
 * own until publisher_settle(). kind_class: by kind, enum time_class; of kinds that a draft has,
 * it does not change any more. NULL and err for want of memory.
 */
struct publisher *publisher_new(struct trace *trace, const uint8_t *kind_class, struct error *err);
void publisher_free(struct publisher *publisher);
/* Once that is cancelled no draft is published: ERROR_CANCELLED. NULL: never. It lives as long. */
void publisher_watch(struct publisher *publisher, const struct progress *progress);
/* Before the first draft: all are for the taker, which lives as long; the trace gets nothing. */
void publisher_divert(struct publisher *publisher, const struct draft_taker *taker);

/*
 * Takes what is in the draft and leaves an empty one. Waits while there are too many; false once
 * one could not be published.
 */
bool publisher_take(struct publisher *publisher, struct draft *draft, struct error *err);
/* Waits until all that was taken is published; false when that could not be. */
bool publisher_settle(struct publisher *publisher, struct error *err);

/* ---- while it is settled */

/* No more will come: ends the thread, frees all but the lists of groups. */
void publisher_retire(struct publisher *publisher);
/* Bytes of what is not the trace's and grows with it. */
uint64_t publisher_bytes(const struct publisher *publisher);
/*
 * Gives the list of the group of that name to the trace, or a copy to a snapshot. *list is the
 * group's own, NULL where it has to be made.
 */
bool publisher_give_list(struct publisher *publisher, struct trace *trace, string_id name,
                         struct change_list **list, struct error *err);
/* Where groups are of other names: gives the lists that are parts of the whole, and no others. */
bool publisher_give_parts(struct publisher *publisher, struct trace *trace, struct error *err);

#endif

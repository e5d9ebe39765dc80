/* What the merge (order.c, order_batches.c) and its repairs (mend.c) share. */
#ifndef TTRACE_SOURCE_GO_ORDER_INTERNAL_H
#define TTRACE_SOURCE_GO_ORDER_INTERNAL_H

#include "source/go/order.h"
#include "source/go/payload.h"
#include "source/go/rules.h"

/* One thread's place in its batches. */
struct thread_cursor {
	struct wire_event event;  /* at the head: decoded, not advanced yet */
	int64_t time_ns;          /* of that event */
	int64_t until_ns;         /* times of the batch that are later cannot be true */
	struct cursor bytes;      /* behind it */
	struct payload_room room; /* of the batch that it is in */
	uint32_t batch;           /* that it is in */
	uint32_t next_batch;
	uint64_t m;
	struct machine *machine;  /* NULL until an event of the thread is first considered */
};

/* In order.run_until_ns: another thread may be the first now. */
#define RUN_IS_OVER INT64_MIN

/* The thread at index of the frontier. */
static inline struct thread_cursor *
order_cursor(const struct order *order, size_t index)
{
	return &order->cursors[order->frontier.items[index].cursor];
}

/* An event of the file is told. In line, as it is done for every event. */
static inline void
order_count_wire_event(struct order *order, uint8_t id)
{
	order->delivery->result->wire_events++;
	order->delivery->result->event_counts[id]++;
}

/* ---- order_batches.c */

/* An error is about the event that the thread is at. Returns false. */
bool order_name_place(const struct order *order, const struct thread_cursor *cursor,
                      struct error *err);
/*
 * Decodes the thread's next event, whatever stands in its way; *has_event false when there is
 * none. Publishes progress with each batch.
 */
bool order_take_next(struct order *order, struct thread_cursor *cursor, bool *has_event,
                     struct error *err);

/* ---- order.c */

/*
 * The event at index of the frontier is done with: goes on to the next one of its thread
 * and delivers what is in the queue.
 */
enum advance order_step(struct order *order, size_t index, struct error *err);
/*
 * The earliest event has to wait: tries the others in order of time. *index is the one that
 * advanced or failed. ADVANCE_WAITS when all have to wait; *index is 0 then, the earliest.
 */
enum advance order_try_others(struct order *order, size_t *index, struct error *err);
/* Says that all threads wait. */
enum advance order_fail_to_advance(struct order *order, struct error *err);
/* Steps that lead nowhere are limited; false with err set behind that limit. */
bool order_count_tries(struct order *order, size_t count, struct error *err);
bool order_deliver_queue(struct order *order, int64_t time_ns, struct error *err);

/* ---- mend.c; without repairs mend_batch() and mend_thread() leave err as it is */

/* Leaves out samples that are later than all events of the generation. */
void mend_samples(struct order *order);
/* The thread enters a batch, of which it has the time; before_ns is that of its last event. */
void mend_start(struct order *order, struct thread_cursor *cursor, int64_t before_ns);
/* The time of the event is later than until_ns: puts it where the event before it is. */
void mend_time(struct order *order, struct thread_cursor *cursor);
/* The rest of the batch cannot be decoded, as err says. False: that is a failure. */
bool mend_batch(struct order *order, struct thread_cursor *cursor, struct error *err);
/* The thread goes on to its next batch in a generation of which bytes were lost. */
void mend_between(struct order *order, const struct thread_cursor *cursor);
/* The thread has no more events in this generation. */
void mend_end_of_thread(struct order *order, const struct thread_cursor *cursor);
/* After an event while order->is_watching: who is on lost events becomes unknown. */
bool mend_watch(struct order *order, struct error *err);
/* The earliest event failed, as err says, or waits. */
enum advance mend_thread(struct order *order, enum advance result, struct error *err);

#endif

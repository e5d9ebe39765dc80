/*
 * Puts the events of a v1 trace, which stand per P in the file, into one order:
 * doc/format/go-trace-v1.md, sections 3 to 5.
 */
#ifndef TTRACE_SOURCE_GO_V1_ORDER_H
#define TTRACE_SOURCE_GO_V1_ORDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "source/go/delivery.h"
#include "source/go/frontier.h"
#include "source/go/v1_file.h"

/* One event in its place; the rest is in the file. */
struct v1_event {
	int64_t ticks;    /* its time, corrected */
	uint64_t at;      /* of its record, in the bytes of the file */
	uint32_t g;       /* index of the goroutine that it is of */
	uint16_t list;    /* of the file; list_count for samples */
	bool is_blocking; /* a GoSysCall: the goroutine lost its P in it (section 7) */
};

/* So many events are looked at between two looks whether reading is cancelled. */
enum { V1_EVENTS_PER_LOOK = 1 << 16 };

/* Goroutine 0, which stands for none, has index 0. */
enum { V1_G_NONE = 0 };

/* Zero-initialise; v1_order_release() frees. */
struct v1_order {
	struct v1_file *file; /* of which times of batches may be put right */
	struct delivery *delivery;
	/* In order; after v1_order_correct() the other way round, see v1_order_take(). */
	struct v1_event *events;
	size_t count, capacity;
	int64_t first_ticks;       /* time of the first event, corrected */
	uint64_t *goroutine_ids;   /* by index */
	size_t goroutine_count, actor_capacity;
	struct id_map index_of;    /* from the id of a goroutine */
	uint64_t lost_from_bytes;  /* offset of the first record that has no place; */
	uint64_t lost_bytes;       /* none if this is 0 */
	/* Leniently: all times lie between; others are put at those of their neighbours. */
	int64_t earliest_ticks, latest_ticks;
	uint64_t moved_times;
	struct error wrong_time;   /* the first of them, */
	int64_t wrong_ticks;       /* put there */

	/* At work only. */
	struct v1_progress *states; /* by index */
	size_t state_capacity;
	uint64_t gc_sequence;
	struct v1_head *heads;     /* one per list, and one for the samples */
	size_t next_sample;
	struct frontier frontier;  /* heads whose events are ready, by time */
	struct map parked;         /* first of the heads that wait for a state */
};

/*
 * Orders all events that can be; *disorder says why not all can. False with err
 * set for what ends the reading altogether.
 */
bool v1_order_events(struct v1_order *order, struct error *disorder, struct error *err);
/*
 * Sets the true times of the ends of syscalls and sorts by them; finds out which
 * syscalls block. Where a time cannot be true, the events from there on are dropped,
 * and *disorder, unless it is set already, says why.
 */
bool v1_order_correct(struct v1_order *order, struct error *disorder, struct error *err);
/*
 * After v1_order_correct(): takes out the earliest event that is left; false when none
 * is. Memory is given back meanwhile, because what becomes of the events needs it.
 */
bool v1_order_take(struct v1_order *order, struct v1_event *event);
/* Counts an event of which the time is wrong; it has the one at which it is put. */
void v1_order_move(struct v1_order *order, const struct v1_event *event);
/* The event has no use: counts it as lost. */
void v1_order_lose(struct v1_order *order, const struct v1_event *event);
void v1_order_release(struct v1_order *order);

/* The id of an event's record. */
static inline uint8_t
v1_event_id(const struct v1_order *order, const struct v1_event *event)
{
	return v1_id_of(order->file->bytes[event->at]);
}

#endif

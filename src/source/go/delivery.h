/*
 * The last step of the reader: gives each event its delivery time (strictly
 * increasing, doc/format/go-trace-semantics.md, section 2.1), counts it, hands
 * it to the sink, publishes progress and notices when nobody waits any more.
 */
#ifndef TTRACE_SOURCE_GO_DELIVERY_H
#define TTRACE_SOURCE_GO_DELIVERY_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/thread.h"
#include "source/go/event.h"
#include "source/go/result.h"

struct delivery {
	const struct go_sink *sink;
	struct progress *progress; /* may be NULL */
	struct go_read_result *result;
	int64_t last_time_ns;      /* of the event delivered last, 0 before the first */
	uint64_t sync_count;
	uint64_t done_bytes;       /* of the input, for the progress */
	bool syncs_at_ends;        /* see struct go_read_options */
	bool is_refused;           /* an error came from the sink, not from the trace */
};

/*
 * Publishes progress, as is to be done every few thousand events; false with ERROR_CANCELLED when
 * nobody waits any more.
 */
bool delivery_progress(struct delivery *delivery, struct error *err);

/* One more event: at the first time from time_ns on that is free, which is returned. */
static ALWAYS_INLINE int64_t
delivery_next(struct delivery *delivery, int64_t time_ns)
{
	int64_t next_ns = delivery->last_time_ns + 1;
	if (time_ns < next_ns)
		time_ns = next_ns;
	delivery->last_time_ns = time_ns;
	delivery->result->events++;
	return time_ns;
}

/* Hands an event that has its time to the sink. */
static inline bool
delivery_hand_over(struct delivery *delivery, const struct go_event *event, struct error *err)
{
	if (LIKELY(delivery->sink->event(delivery->sink->context, event, err)))
		return true;
	delivery->is_refused = true;
	return false;
}

/* Delivers one event; sets its time, from `time_ns` on the first that is free. */
static inline bool
delivery_event(struct delivery *delivery, struct go_event *event, int64_t time_ns,
               struct error *err)
{
	event->time_ns = delivery_next(delivery, time_ns);
	return delivery_hand_over(delivery, event, err);
}

/* Delivers a Sync event; kind and number are set here. */
bool delivery_sync(struct delivery *delivery, struct go_event *sync, int64_t time_ns,
                   struct error *err);
/* Whether an error is about the trace, so that reading it leniently may go on. */
bool delivery_is_about_trace(const struct delivery *delivery, const struct error *err);
/* Tells the sink that a generation is complete. */
bool delivery_generation(struct delivery *delivery, uint64_t generation, struct error *err);
#endif

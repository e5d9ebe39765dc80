/* What an actor did during one of its spans, event by event. */
#ifndef TTRACE_VIEW_SPAN_EVENTS_H
#define TTRACE_VIEW_SPAN_EVENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "trace/trace.h"

struct span; /* trace/span.h */

enum span_event_type {
	SPAN_EVENT_WOKE,    /* ref: the actor that became ready */
	SPAN_EVENT_CREATED, /* ref: the new actor */
	SPAN_EVENT_LOG,     /* ref: an instant, as in the next two */
	SPAN_EVENT_SAMPLE,
	SPAN_EVENT_LABEL,
	SPAN_EVENT_RANGE_BEGIN, /* ref: a range */
	SPAN_EVENT_RANGE_END,
	SPAN_EVENT_TYPE_COUNT
};

struct span_event {
	int64_t time_ns;
	enum span_event_type type;
	uint32_t ref;
	stack_id stack; /* STACK_NONE where unknown */
};

/* In time order. Zero-initialised is empty; release with span_events_release(). */
struct span_events {
	struct span_event *items;
	size_t count, capacity;
};

/*
 * Fills the list with what happened on the span's actor within the span. Costs
 * what wakes_find() does. On failure the list is empty.
 */
bool span_events_find(struct span_events *events, const struct trace *trace,
	const struct span *span, struct error *err);
void span_events_release(struct span_events *events);

#endif

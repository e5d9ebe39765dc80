/*
 * What made an actor ready. Go's trace names whoever was at work when it happened: an actor
 * that polls the network by the way (it starts the world again, say) is named for a wait that the
 * network ended. So the builder decides, as it enters the ready state, from what the actor
 * had waited for, who is named and where that one stood; the kind of the state tells it from then
 * on, and everybody asks here.
 */
#ifndef TTRACE_TRACE_WAKER_H
#define TTRACE_TRACE_WAKER_H

#include <stdbool.h>
#include <stdint.h>

#include "trace/ref.h"
#include "trace/state.h"

enum waker_type {
	WAKER_UNKNOWN,             /* nothing did, or the trace does not say what */
	WAKER_ACTOR,               /* an actor woke or created it */
	WAKER_NETWORK,
	WAKER_NETWORK_OR_DEADLINE, /* the network, or the timer of the deadline for it */
	WAKER_TIMER,
	WAKER_SCHEDULER,           /* something else in the runtime that is no actor */
	WAKER_TYPE_COUNT
};

struct waker {
	enum waker_type type;
	uint32_t ref; /* the actor_ref of an actor; else the resource_ref it was seen on, or REF_NONE */
};

#define WAKER_NONE ((struct waker){ WAKER_UNKNOWN, REF_NONE })

/* Whether the site of a state of that kind says who made it ready, and where that one stood. */
static inline bool
waker_is_named(const struct state_kind *kind)
{
	return kind->state == STATE_READY &&
	       (kind->entry == ENTRY_UNBLOCKED || kind->entry == ENTRY_CREATED);
}

/* Of a state of that kind; the origin is that of its site where it is ready. O(1). */
static inline struct waker
waker_of(const struct state_kind *kind, uint32_t origin)
{
	static const uint8_t types[ENTRY_COUNT] = {
		[ENTRY_NETWORK] = WAKER_NETWORK,
		[ENTRY_NETWORK_OR_DEADLINE] = WAKER_NETWORK_OR_DEADLINE,
		[ENTRY_TIMER] = WAKER_TIMER,
	};
	enum waker_type type = (enum waker_type)types[kind->entry];
	bool is_processor = origin != REF_NONE && (origin & WAKER_PROCESSOR) != 0;

	if (waker_is_named(kind) && origin != REF_NONE)
		type = is_processor ? WAKER_SCHEDULER : WAKER_ACTOR;
	if (kind->state != STATE_READY || type == WAKER_UNKNOWN)
		return WAKER_NONE;
	if (type == WAKER_ACTOR)
		return (struct waker){ type, origin };
	return (struct waker){ type, is_processor ? origin & ~WAKER_PROCESSOR : REF_NONE };
}

/* The actor that made a state of that kind ready, REF_NONE where none did. */
static inline actor_ref
waker_actor(const struct state_kind *kind, uint32_t origin)
{
	struct waker waker = waker_of(kind, origin);

	return waker.type == WAKER_ACTOR ? waker.ref : REF_NONE;
}

#endif

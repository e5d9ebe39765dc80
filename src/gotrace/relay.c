/* The relay: blocks of events through a ring. */
#include "gotrace/relay.h"

#include "base/memory.h"
#include "base/ring.h"
#include "base/thread.h"

/* A block fits a core's private cache, and a few of them even out the two sides. */
enum { BLOCK_EVENTS = 512, BLOCKS = 8 };

/* In place of an event's kind: a generation has ended; u.sync.generation says which. */
#define GENERATION_MARK GO_EVENT_KIND_COUNT

struct relay {
	struct go_sink to;
	struct ring *ring;
	struct worker *worker;
	struct go_event *filling; /* NULL between blocks */
	size_t filled;
	struct error error;       /* of the other sink; read here after its thread has ended */
	bool has_failed;
};

static bool
give(struct relay *relay, const struct go_event *event)
{
	if (event->kind != GENERATION_MARK)
		return relay->to.event(relay->to.context, event, &relay->error);
	return relay->to.generation == NULL ||
	       relay->to.generation(relay->to.context, event->u.sync.generation, &relay->error);
}

static void
empty_ring(void *context)
{
	struct relay *relay = context;
	const struct go_event *events;
	size_t count;

	while ((events = ring_take(relay->ring, &count)) != NULL) {
		for (size_t i = 0; i < count; i++) {
			if (!give(relay, &events[i])) {
				relay->has_failed = true;
				ring_stop(relay->ring);
				return;
			}
		}
		ring_release(relay->ring);
	}
}

struct relay *
relay_new(struct go_sink to, struct error *err)
{
	struct relay *relay = memory_realloc(NULL, sizeof(*relay));

	if (relay == NULL) {
		error_set_memory(err, "reading in parallel");
		return NULL;
	}
	*relay = (struct relay){ .to = to };
	error_clear(&relay->error);
	relay->ring = ring_new(BLOCK_EVENTS * sizeof(struct go_event), BLOCKS, err);
	if (relay->ring != NULL)
		relay->worker = worker_new(empty_ring, relay, err);
	if (relay->worker == NULL) {
		ring_free(relay->ring);
		memory_free(relay);
		return NULL;
	}
	return relay;
}

/* The next free place; NULL when the other side has stopped. */
static struct go_event *
next_place(struct relay *relay)
{
	if (relay->filling == NULL) {
		relay->filling = ring_fill(relay->ring);
		relay->filled = 0;
		if (relay->filling == NULL)
			return NULL;
	}
	return &relay->filling[relay->filled++];
}

static void
hand_over(struct relay *relay)
{
	if (relay->filling == NULL)
		return;
	ring_put(relay->ring, relay->filled);
	relay->filling = NULL;
}

/* The reader stops; the true cause is told by relay_join(). */
static bool
refuse(struct error *err)
{
	return error_set(err, ERROR_CANCELLED, "the trace could not be built");
}

static bool
take_event(void *context, const struct go_event *event, struct error *err)
{
	struct relay *relay = context;
	struct go_event *place = next_place(relay);

	if (UNLIKELY(place == NULL))
		return refuse(err);
	*place = *event;
	if (relay->filled == BLOCK_EVENTS)
		hand_over(relay);
	return true;
}

static bool
take_generation(void *context, uint64_t generation, struct error *err)
{
	struct relay *relay = context;
	struct go_event *place = next_place(relay);

	if (place == NULL)
		return refuse(err);
	place->kind = GENERATION_MARK;
	place->u.sync.generation = generation;
	hand_over(relay);
	return true;
}

struct go_sink
relay_sink(struct relay *relay)
{
	return (struct go_sink){
		.event = take_event,
		.generation = take_generation,
		.context = relay,
	};
}

bool
relay_join(struct relay *relay, struct error *err)
{
	bool ok;

	hand_over(relay);
	ring_finish(relay->ring);
	worker_join(relay->worker);
	ok = !relay->has_failed;
	if (!ok) {
		/* What the reader noticed of it was only that it had to stop. */
		if (err->kind == ERROR_NONE || err->kind == ERROR_CANCELLED)
			*err = relay->error;
	}
	ring_free(relay->ring);
	memory_free(relay);
	return ok;
}

/* The relay: blocks of steps through a ring. */
#include "source/go/relay.h"

#include "base/job.h"
#include "base/memory.h"
#include "base/ring.h"
#include "base/thread.h"

/*
 * So many even out the two sides, and let them sleep seldom, which costs more than that all of
 * them do not fit a core's private cache.
 */
enum { BLOCKS = 64 };

struct relay {
	struct go_build *build;
	struct ring *ring;
	struct worker *worker; /* NULL: there is none */
	struct step *filling;  /* the block that is out to be filled, or NULL */
	struct error error;    /* of building; read by others after the thread has ended */
	bool has_failed;
};

/* Carries out one block; false when there is none to come, or no use in it. */
static bool
empty_block(struct relay *relay)
{
	size_t count;
	const struct step *steps = ring_take(relay->ring, &count);

	if (steps == NULL)
		return false;
	/* Nobody wants what was read ahead, either. */
	if (!job_goes_on(progress_cancel_flag(relay->build->showing.progress), &relay->error) ||
	    !go_build_steps(relay->build, steps, count, &relay->error)) {
		relay->has_failed = true;
		ring_stop(relay->ring);
		return false;
	}
	ring_release(relay->ring);
	return true;
}

/* A pipe may be quiet for long: what there is of it is shown when its time has come. */
static void
follow(struct relay *relay)
{
	struct showing *showing = &relay->build->showing;
	int64_t wait_ns = showing_wait_ns(showing);

	if (wait_ns < 0)
		return;
	if (ring_wait(relay->ring, wait_ns))
		showing_forget(showing);
	else
		showing_follow(showing, relay->build->builder);
}

static void
empty_ring(void *context)
{
	while (empty_block(context))
		follow(context);
}

struct relay *
relay_new(struct go_build *build, struct error *err)
{
	struct relay *relay = memory_realloc(NULL, sizeof(*relay));
	struct error no_thread = { 0 };

	if (relay == NULL) {
		error_set_memory(err, "reading in parallel");
		return NULL;
	}
	*relay = (struct relay){ .build = build };
	relay->ring = ring_new(STEP_BLOCK * sizeof(struct step), BLOCKS, err);
	if (relay->ring == NULL) {
		memory_free(relay);
		return NULL;
	}
	relay->worker = worker_new(empty_ring, relay, &no_thread);
	return relay;
}

/* What a generation ends with is not to wait for the next one. */
static void
hand_over(struct relay *relay, size_t count, bool ends_generation)
{
	ring_put(relay->ring, count);
	if (relay->worker == NULL)
		empty_block(relay);
	else if (ends_generation)
		ring_flush(relay->ring);
}

struct step *
relay_exchange(void *context, size_t count, bool ends_generation, struct error *err)
{
	struct relay *relay = context;

	if (relay->filling != NULL)
		hand_over(relay, count, ends_generation);
	relay->filling = ring_fill(relay->ring);
	/* The true cause is told by relay_join(). */
	if (relay->filling == NULL)
		error_set(err, ERROR_CANCELLED, "the trace could not be built");
	return relay->filling;
}

bool
relay_drain(struct relay *relay)
{
	ring_drain(relay->ring);
	return !relay->has_failed;
}

bool
relay_join(struct relay *relay, struct error *err)
{
	bool ok;

	ring_finish(relay->ring);
	worker_join(relay->worker);
	ok = !relay->has_failed;
	/* What the reader noticed of it was only that it had to stop. */
	if (!ok && (err->kind == ERROR_NONE || err->kind == ERROR_CANCELLED))
		*err = relay->error;
	ring_free(relay->ring);
	memory_free(relay);
	return ok;
}

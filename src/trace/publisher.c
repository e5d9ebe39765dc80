/* The publisher's thread, and the way of drafts to it. */
#include "trace/publisher.h"

#include "base/job.h"
#include "trace/publisher_internal.h"

struct publisher *
publisher_new(struct trace *trace, const uint8_t *kind_class, struct error *err)
{
	struct publisher *publisher = array_new(1, sizeof(*publisher), err);

	if (publisher == NULL)
		return NULL;
	publisher->trace = trace;
	publisher->kind_class = kind_class;
	publisher->ring = ring_new(sizeof(struct draft *), PUBLISHER_DRAFTS, err);
	if (publisher->ring != NULL)
		return publisher;
	memory_free(publisher);
	return NULL;
}

void
publisher_watch(struct publisher *publisher, const struct progress *progress)
{
	publisher->progress = progress;
}

void
publisher_divert(struct publisher *publisher, const struct draft_taker *taker)
{
	publisher->taker = taker;
}

static bool
publish(struct publisher *publisher, struct draft *draft)
{
	const struct draft_taker *taker = publisher->taker;

	if (!job_goes_on(progress_cancel_flag(publisher->progress), &publisher->error))
		return false;
	if (taker != NULL)
		return taker->take(taker->context, publisher->trace, draft, &publisher->error);
	return publisher_publish(publisher, draft, &publisher->error);
}

/* Publishes one draft; false when there is none to come, or no use in it. */
static bool
publish_next(struct publisher *publisher)
{
	size_t count;
	struct draft **draft = ring_take(publisher->ring, &count);

	if (draft == NULL)
		return false;
	if (!publish(publisher, *draft)) {
		ring_stop(publisher->ring);
		return false;
	}
	draft_clear(*draft);
	ring_release(publisher->ring);
	return true;
}

static void
publish_all(void *context)
{
	while (publish_next(context))
		;
}

/* A trace of nothing needs no thread. */
static void
begin(struct publisher *publisher)
{
	struct error no_thread = { 0 };

	if (!publisher->has_begun)
		publisher->worker = worker_new(publish_all, publisher, &no_thread);
	publisher->has_begun = true;
}

/*
 * One that is not being published, to gather the next states in. There are as many as the ring has
 * slots, so the one after the last is free. Behind a long draft the last one is, which spares
 * another one as long: when such drafts come, one is published while the other is gathered.
 */
static struct draft *
free_draft(struct publisher *publisher, const struct draft *full)
{
	if (draft_is_long(full))
		ring_drain(publisher->ring);
	else
		publisher->next_draft++;
	return &publisher->drafts[publisher->next_draft % PUBLISHER_DRAFTS];
}

bool
publisher_take(struct publisher *publisher, struct draft *draft, struct error *err)
{
	struct draft **slot = ring_fill(publisher->ring), taken = *draft;

	if (slot == NULL) {
		*err = publisher->error;
		return false;
	}
	*slot = free_draft(publisher, draft);
	*draft = **slot;
	**slot = taken;
	begin(publisher);
	ring_put(publisher->ring, 1);
	if (publisher->worker == NULL)
		publish_next(publisher);
	return true;
}

bool
publisher_settle(struct publisher *publisher, struct error *err)
{
	ring_drain(publisher->ring);
	if (publisher->error.kind == ERROR_NONE)
		return true;
	*err = publisher->error;
	return false;
}

void
publisher_retire(struct publisher *publisher)
{
	ring_finish(publisher->ring);
	worker_join(publisher->worker);
	publisher->worker = NULL;
	for (size_t i = 0; i < PUBLISHER_DRAFTS; i++)
		draft_release(&publisher->drafts[i]);
	array_release(&publisher->actors);
	array_release(&publisher->checkpoint_states);
	array_release(&publisher->processors.items);
	array_release(&publisher->threads.items);
	array_release(&publisher->next);
}

void
publisher_free(struct publisher *publisher)
{
	if (publisher == NULL)
		return;
	publisher_retire(publisher);
	publisher_release_lists(publisher);
	ring_free(publisher->ring);
	memory_free(publisher);
}

static uint64_t
lists_bytes(const struct publisher *publisher)
{
	uint64_t bytes = publisher->listed_capacity * sizeof(*publisher->listed);

	for (size_t i = 0; i < publisher->listed_count; i++)
		if (publisher->listed[i].changes != NULL)
			bytes += sizeof(struct change_list) +
			         change_list_bytes(publisher->listed[i].changes);
	return bytes;
}

uint64_t
publisher_bytes(const struct publisher *publisher)
{
	uint64_t bytes = publisher->actor_capacity * sizeof(*publisher->actors) +
	                 publisher->checkpoint_state_capacity *
	                         sizeof(*publisher->checkpoint_states) +
	                 publisher->next_capacity * sizeof(*publisher->next) +
	                 (publisher->processors.capacity + publisher->threads.capacity) *
	                         sizeof(struct published_resource);

	for (size_t i = 0; i < PUBLISHER_DRAFTS; i++)
		bytes += draft_grown_bytes(&publisher->drafts[i]);
	return bytes + lists_bytes(publisher);
}

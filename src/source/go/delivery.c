/* Delivery of ordered events to the sink. */
#include "source/go/delivery.h"

bool
delivery_progress(struct delivery *delivery, struct error *err)
{
	struct progress *progress = delivery->progress;
	if (progress == NULL)
		return true;
	atomic_store_explicit(&progress->done_bytes, delivery->done_bytes,
	                      memory_order_relaxed);
	atomic_store_explicit(&progress->events, delivery->result->events,
	                      memory_order_relaxed);
	atomic_store_explicit(&progress->generations, (uint32_t)delivery->result->generations,
	                      memory_order_relaxed);
	if (!atomic_load_explicit(&progress->is_cancelled, memory_order_relaxed))
		return true;
	return error_set(err, ERROR_CANCELLED, "reading was cancelled");
}

bool
delivery_sync(struct delivery *delivery, struct go_event *sync, int64_t time_ns,
              struct error *err)
{
	sync->kind = GO_EVENT_SYNC;
	sync->m = sync->p = sync->g = GO_ID_NONE;
	sync->u.sync.number = ++delivery->sync_count;
	return delivery_event(delivery, sync, time_ns, err);
}

bool
delivery_is_about_trace(const struct delivery *delivery, const struct error *err)
{
	return !delivery->is_refused && err->kind != ERROR_MEMORY && err->kind != ERROR_CANCELLED;
}

bool
delivery_generation(struct delivery *delivery, uint64_t generation, struct error *err)
{
	delivery->result->generations++;
	if (!delivery_progress(delivery, err))
		return false;
	if (delivery->sink->generation == NULL ||
	    delivery->sink->generation(delivery->sink->context, generation, err))
		return true;
	delivery->is_refused = true;
	return false;
}

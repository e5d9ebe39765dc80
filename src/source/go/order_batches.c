/* The way of one thread through its batches in a generation. */
#include "source/go/order_internal.h"

bool
order_name_place(const struct order *order, const struct thread_cursor *cursor, struct error *err)
{
	err->generation = order->generation->number;
	err->batch = order->generation->batches[cursor->batch].number;
	return false;
}

/* The batch is used up. */
static void
leave_batch(struct order *order, const struct thread_cursor *cursor)
{
	const struct generation *generation = order->generation;
	const struct batch *batch = &generation->batches[cursor->batch];
	if (UNLIKELY(generation->loss.count > 0) && cursor->next_batch != BATCH_NONE)
		mend_between(order, cursor);
	generation_drop_payload(generation, batch);
}

/* Opens the batch that the thread is in; if that cannot be read it counts as used up. */
static bool
open_batch(struct order *order, struct thread_cursor *cursor, const struct batch *batch,
           struct error *err)
{
	if (LIKELY(payload_open(order->generation, batch, &cursor->room, &cursor->bytes, err)))
		return true;
	cursor->event.offset_bytes = batch->offset_bytes;
	order_name_place(order, cursor, err);
	return delivery_is_about_trace(order->delivery, err) && mend_batch(order, cursor, err);
}

/* Enters the next batch that is not empty; *has_event false when there is none. */
static bool
enter_batch(struct order *order, struct thread_cursor *cursor, bool *has_event, struct error *err)
{
	if (cursor->bytes.at != NULL)
		leave_batch(order, cursor);
	while (cursor->next_batch != BATCH_NONE) {
		const struct batch *batch = &order->generation->batches[cursor->next_batch];
		cursor->batch = cursor->next_batch;
		cursor->next_batch = batch->next;
		int64_t before_ns = cursor->time_ns;
		cursor->time_ns = tables_ns(order->tables, batch->time_ticks);
		mend_start(order, cursor, before_ns);
		if (!open_batch(order, cursor, batch, err))
			return false;
		if (cursor_left(&cursor->bytes) > 0) {
			order->delivery->done_bytes += batch->size;
			return delivery_progress(order->delivery, err);
		}
	}
	*has_event = false;
	return true;
}

bool
order_take_next(struct order *order, struct thread_cursor *cursor, bool *has_event,
                struct error *err)
{
	for (;;) {
		*has_event = true;
		if (cursor_left(&cursor->bytes) == 0 && !enter_batch(order, cursor, has_event, err))
			return false;
		if (!*has_event) {
			mend_end_of_thread(order, cursor);
			payload_room_release(&cursor->room);
			return true;
		}
		if (wire_decode(&cursor->bytes, &cursor->event, err))
			break;
		order_name_place(order, cursor, err);
		if (!mend_batch(order, cursor, err))
			return false;
	}
	return true;
}

/*
 * The merge. Each thread's events keep their order; among the threads the
 * earliest event goes first if the state machine lets it, otherwise the next
 * one that may.
 */
#include "source/go/order_internal.h"

#include <inttypes.h>

#include "base/memory.h"
#include "source/go/rules_often.h"
#include "source/go/steps_direct.h"

/*
 * Searching costs as many tries as threads have to wait. Real programs have few,
 * and for a short time; a file made for it could keep us busy for days. So the
 * tries in vain are limited, to some at all and more for each event that there was:
 * with no more threads than that, a trace can never reach the limit. Two thousand threads
 * on the 256 procs of a machine whose clocks differ need about 16 tries for an event.
 */
#define VAIN_TRIES_MAX (UINT64_C(1) << 24)
#define VAIN_TRIES_PER_EVENT UINT64_C(256)
/* How many of them are made before we look whether anybody still waits for us. */
#define VAIN_TRIES_PER_PROGRESS (UINT64_C(1) << 20)

bool
order_init(struct order *order, struct delivery *delivery, bool is_lenient, struct error *err)
{
	*order = (struct order){ .delivery = delivery };
	if (!state_init(&order->state, err))
		return false;
	order->state.repairs = is_lenient ? &order->damage.repairs : NULL;
	return true;
}

/* Those that a failure left open. */
static void
close_threads(struct order *order)
{
	for (size_t i = 0; i < order->cursor_count; i++)
		payload_room_release(&order->cursors[i].room);
	order->cursor_count = 0;
}

void
order_release(struct order *order)
{
	state_release(&order->state);
	frontier_release(&order->frontier);
	lookahead_release(&order->lookahead);
	close_threads(order);
	memory_free(order->cursors);
	*order = (struct order){ 0 };
}

/* ---- one thread */

/*
 * Decodes the next event of the thread; *has_event false when it has no more.
 * Each delta is converted by itself (go-trace-v2.md, section 6.2).
 */
static ALWAYS_INLINE bool
decode_next(struct order *order, struct thread_cursor *cursor, bool *has_event,
            struct error *err)
{
	*has_event = true;
	if (UNLIKELY(!wire_decode_usual(&cursor->bytes, &cursor->event))) {
		if (!order_take_next(order, cursor, has_event, err))
			return false;
		if (!*has_event)
			return true;
	}
	cursor->time_ns += tables_ns(order->tables, cursor->event.args[0]);
	if (UNLIKELY(cursor->time_ns > cursor->until_ns))
		mend_time(order, cursor);
	return true;
}

/* A cursor for each thread that has an event, in order of first appearance. */
static bool
open_threads(struct order *order, struct error *err)
{
	const struct generation *generation = order->generation;
	close_threads(order);
	order->frontier.count = 0;
	if (!array_reserve(&order->cursors, &order->cursor_capacity, generation->thread_count,
	                   sizeof(*order->cursors), err))
		return false;
	for (size_t i = 0; i < generation->thread_count; i++) {
		uint32_t index = (uint32_t)order->cursor_count;
		struct thread_cursor *cursor = &order->cursors[index];
		bool has_event;
		*cursor = (struct thread_cursor){
			.next_batch = generation->threads[i].first,
			.m = generation->threads[i].m,
		};
		order->cursor_count++;
		order->state.queue_count = 0;
		if (!decode_next(order, cursor, &has_event, err) ||
		    !order_deliver_queue(order, cursor->time_ns, err))
			return false;
		if (!has_event) {
			order->cursor_count--;
			continue;
		}
		if (!frontier_add(&order->frontier, cursor->time_ns, index, err))
			return false;
	}
	return true;
}

/* ---- delivery */

/* The Sync that opens a generation. */
static bool
deliver_sync(struct order *order, struct error *err)
{
	const struct tables *tables = order->tables;
	struct go_event sync = { 0 };
	int64_t time_ns = tables_ns(tables, order->generation->min_ticks);
	if (order->delivery->last_time_ns == 0)
		order->delivery->result->start_ns = time_ns > 0 ? time_ns : 1;
	if (order->delivery->syncs_at_ends)
		return true;
	sync.u.sync.generation = order->generation->number;
	sync.u.sync.has_clock = tables->has_clock;
	if (tables->has_clock) {
		const struct clock_snapshot *clock = &tables->clock;
		sync.u.sync.clock_trace_ns = tables_ns(tables, clock->trace_ticks);
		sync.u.sync.clock_mono_ns = clock->mono_ns < (uint64_t)GO_TIME_MAX_NS
		                                    ? (int64_t)clock->mono_ns : GO_TIME_MAX_NS;
		sync.u.sync.clock_wall_s = clock->wall_s;
		sync.u.sync.clock_wall_ns = clock->wall_ns;
	}
	return delivery_sync(order->delivery, &sync, time_ns, err);
}

/* The Sync that closes one in the other convention. */
static bool
deliver_closing_sync(struct order *order, struct error *err)
{
	struct go_event sync = { 0 };
	return !order->delivery->syncs_at_ends ||
	       delivery_sync(order->delivery, &sync, 0, err);
}

static bool
deliver_sample(struct order *order, struct error *err)
{
	const struct cpu_sample *sample = &order->tables->samples[order->next_sample++];
	struct go_event event = {
		.kind = GO_EVENT_SAMPLE,
		.wire_id = WIRE_CPU_SAMPLE,
		.m = sample->m,
		.p = sample->p,
		.g = sample->g,
		.stack = sample->stack,
	};
	order_count_wire_event(order, WIRE_CPU_SAMPLE);
	return delivery_event(order->delivery, &event, sample->time_ns, err);
}

static ALWAYS_INLINE bool
deliver_queue(struct order *order, int64_t time_ns, struct error *err)
{
	struct state *state = &order->state;
	for (unsigned i = 0; i < state->queue_count; i++) {
		if (!delivery_event(order->delivery, &state->queue[i], time_ns, err))
			return false;
	}
	return true;
}

bool
order_deliver_queue(struct order *order, int64_t time_ns, struct error *err)
{
	return deliver_queue(order, time_ns, err);
}

/* The change is delivered at once where that is possible, else as an event. */
static ALWAYS_INLINE bool
deliver_change(struct delivery *delivery, const struct go_change *change, uint8_t wire_id,
               int64_t time_ns, struct error *err)
{
	struct step_writer *steps = delivery->sink->steps;
	time_ns = delivery_next(delivery, time_ns);
	if (LIKELY(steps != NULL) && LIKELY(step_write_change(steps, change, time_ns)))
		return true;
	/* Made here, so that the change itself need not be in memory. */
	struct go_event event;
	go_change_tell(change, wire_id, &event);
	event.time_ns = time_ns;
	return delivery_hand_over(delivery, &event, err);
}

/* ---- the merge */

/*
 * Goes on to the next event of the thread at index. The reference decodes it before it
 * delivers this one, and does not deliver that when it fails (section 2).
 */
static ALWAYS_INLINE bool
step(struct order *order, struct thread_cursor *cursor, size_t index, struct error *err)
{
	bool has_event;
	if (!decode_next(order, cursor, &has_event, err))
		return false;
	if (has_event)
		frontier_update(&order->frontier, index, cursor->time_ns);
	else
		frontier_remove(&order->frontier, index);
	return true;
}

enum advance
order_step(struct order *order, size_t index, struct error *err)
{
	struct thread_cursor *cursor = order_cursor(order, index);
	int64_t time_ns = cursor->time_ns;
	return step(order, cursor, index, err) && deliver_queue(order, time_ns, err)
	               ? ADVANCE_DONE : ADVANCE_FAILED;
}

/* Lets the thread at index of the frontier advance by one event, if it can. */
static enum advance
try_thread(struct order *order, size_t index, struct error *err)
{
	struct thread_cursor *cursor = order_cursor(order, index);
	if (UNLIKELY(cursor->machine == NULL)) {
		cursor->machine = state_thread(&order->state, cursor->m, err);
		if (cursor->machine == NULL)
			return ADVANCE_FAILED;
	}
	uint8_t id = cursor->event.id;
	enum advance result = state_advance(&order->state, cursor->machine, &cursor->event, err);
	if (result == ADVANCE_FAILED)
		order_name_place(order, cursor, err);
	if (result != ADVANCE_DONE)
		return result;
	result = order_step(order, index, err);
	if (LIKELY(result == ADVANCE_DONE))
		order_count_wire_event(order, id);
	return result;
}

/* The same for the first of the frontier: while its run lasts it stays the first. */
static ALWAYS_INLINE bool
step_first(struct order *order, struct thread_cursor *cursor, struct error *err)
{
	bool has_event;
	if (UNLIKELY(!decode_next(order, cursor, &has_event, err)))
		return false;
	order->frontier.items[0].time_ns = cursor->time_ns;
	if (LIKELY(has_event) && cursor->time_ns <= order->run_until_ns)
		return true;
	order->run_until_ns = RUN_IS_OVER;
	if (has_event)
		frontier_sink_first(&order->frontier);
	else
		frontier_remove(&order->frontier, 0);
	return true;
}

/* The same for the first of the frontier, at an event of which the rule is in line. */
static ALWAYS_INLINE enum advance
try_often(struct order *order, struct thread_cursor *cursor, often_rule *rule, uint8_t id,
          struct error *err)
{
	struct state *state = &order->state;
	struct go_change change;
	int64_t time_ns = cursor->time_ns;
	state->queue_count = 0;
	enum advance result = rule(state, cursor->machine, &cursor->event, &change, err);
	if (UNLIKELY(result != ADVANCE_DONE)) {
		if (result == ADVANCE_FAILED) {
			state_fail_event(cursor->machine, &cursor->event, err);
			order_name_place(order, cursor, err);
		}
		return result;
	}
	if (UNLIKELY(!step_first(order, cursor, err) ||
	             !deliver_change(order->delivery, &change, id, time_ns, err) ||
	             (UNLIKELY(state->queue_count > 0) && !deliver_queue(order, time_ns, err))))
		return ADVANCE_FAILED;
	order_count_wire_event(order, id);
	return ADVANCE_DONE;
}

/* The same at any other event. */
static enum advance
try_seldom(struct order *order, struct thread_cursor *cursor, struct error *err)
{
	uint8_t id = cursor->event.id;
	int64_t time_ns = cursor->time_ns;
	enum advance result =
		state_advance(&order->state, cursor->machine, &cursor->event, err);
	if (result == ADVANCE_FAILED)
		order_name_place(order, cursor, err);
	if (result != ADVANCE_DONE)
		return result;
	if (!step_first(order, cursor, err) || !deliver_queue(order, time_ns, err))
		return ADVANCE_FAILED;
	order_count_wire_event(order, id);
	return ADVANCE_DONE;
}

/* Lets the first of the frontier, which has a machine, advance by one event, if it can. */
static ALWAYS_INLINE enum advance
try_first(struct order *order, struct thread_cursor *cursor, struct error *err)
{
	switch (cursor->event.id) {
	case WIRE_GO_START:
		return try_often(order, cursor, often_go_start, WIRE_GO_START, err);
	case WIRE_GO_STOP:
		return try_often(order, cursor, often_go_stop, WIRE_GO_STOP, err);
	case WIRE_GO_BLOCK:
		return try_often(order, cursor, often_go_block, WIRE_GO_BLOCK, err);
	case WIRE_GO_UNBLOCK:
		return try_often(order, cursor, often_go_unblock, WIRE_GO_UNBLOCK, err);
	case WIRE_GO_SYSCALL_BEGIN:
		return try_often(order, cursor, often_syscall_begin, WIRE_GO_SYSCALL_BEGIN, err);
	case WIRE_GO_SYSCALL_END:
		return try_often(order, cursor, often_syscall_end, WIRE_GO_SYSCALL_END, err);
	default:
		return try_seldom(order, cursor, err);
	}
}

enum advance
order_fail_to_advance(struct order *order, struct error *err)
{
	const struct thread_cursor *first = order_cursor(order, 0);
	error_set_at(err, ERROR_ORDER, first->event.offset_bytes,
	             "broken trace: failed to advance: none of %zu threads can go on, the first "
	             "is thread %" PRId64 " at %s", order->frontier.count, (int64_t)first->m,
	             wire_kinds[first->event.id].name);
	order_name_place(order, first, err);
	return ADVANCE_FAILED;
}

bool
order_count_tries(struct order *order, size_t count, struct error *err)
{
	uint64_t before = order->vain_tries;
	order->vain_tries += count;
	if (order->vain_tries / VAIN_TRIES_PER_PROGRESS != before / VAIN_TRIES_PER_PROGRESS &&
	    !delivery_progress(order->delivery, err))
		return false;
	uint64_t events = order->delivery->result->events;
	if (order->vain_tries < VAIN_TRIES_MAX + VAIN_TRIES_PER_EVENT * events)
		return true;
	order->damage.is_given_up = true;
	if (order->frontier.count == 0) {
		error_set_at(err, ERROR_LIMIT, order->generation->offset_bytes,
		             "there is too much that became unknown");
		err->generation = order->generation->number;
		return false;
	}
	const struct thread_cursor *first = order_cursor(order, 0);
	error_set_at(err, ERROR_LIMIT, first->event.offset_bytes,
	             "%zu threads cannot go on, which takes too long to sort out",
	             order->frontier.count);
	return order_name_place(order, first, err);
}

enum advance
order_try_others(struct order *order, size_t *index, struct error *err)
{
	*index = 0;
	if (!order_count_tries(order, order->frontier.count, err))
		return ADVANCE_FAILED;
	frontier_sort(&order->frontier);
	for (*index = 1; *index < order->frontier.count; ++*index) {
		enum advance result = try_thread(order, *index, err);
		if (result != ADVANCE_WAITS)
			return result;
	}
	*index = 0;
	return ADVANCE_WAITS;
}

/* The earliest event did not advance: tries the others in order of time if it has to wait. */
static enum advance
advance_another(struct order *order, enum advance result, struct error *err)
{
	size_t index;
	if (order->state.repairs != NULL)
		return mend_thread(order, result, err);
	if (result == ADVANCE_WAITS)
		result = order_try_others(order, &index, err);
	return result == ADVANCE_WAITS ? order_fail_to_advance(order, err) : result;
}

static inline bool
is_sample_next(const struct order *order)
{
	return order->next_sample < order->sample_count &&
	       (order->frontier.count == 0 || order->tables->samples[order->next_sample].time_ns <
	                                              order->frontier.items[0].time_ns);
}

/* Up to when the events of the first thread come one after another, without a look at others. */
static int64_t
run_until_ns(const struct order *order)
{
	int64_t until_ns = frontier_first_until(&order->frontier);
	const struct tables *tables = order->tables;
	if (order->next_sample < order->sample_count &&
	    tables->samples[order->next_sample].time_ns < until_ns)
		return tables->samples[order->next_sample].time_ns;
	return until_ns;
}

/* The first thread's events, as long as they advance and it stays the first. */
static ALWAYS_INLINE enum advance
advance_thread(struct order *order, struct error *err)
{
	struct thread_cursor *cursor = order_cursor(order, 0);
	enum advance result;
	if (UNLIKELY(cursor->machine == NULL || order->is_watching))
		return try_thread(order, 0, err);
	order->run_until_ns = run_until_ns(order);
	do {
		result = try_first(order, cursor, err);
	} while (LIKELY(result == ADVANCE_DONE) && order->run_until_ns != RUN_IS_OVER);
	return result;
}

/* The events that come first, as long as they advance and no sample stands between them. */
static enum advance
advance_run(struct order *order, struct error *err)
{
	enum advance result;
	do {
		result = advance_thread(order, err);
	} while (LIKELY(result == ADVANCE_DONE) && LIKELY(order->frontier.count > 0) &&
	         LIKELY(!is_sample_next(order)) && LIKELY(!order->is_watching));
	return result;
}

static bool
advance_one(struct order *order, struct error *err)
{
	if (is_sample_next(order))
		return deliver_sample(order, err);
	enum advance result = advance_run(order, err);
	if (UNLIKELY(result != ADVANCE_DONE))
		result = advance_another(order, result, err);
	return result == ADVANCE_DONE && (LIKELY(!order->is_watching) || mend_watch(order, err));
}

bool
order_generation(struct order *order, const struct generation *generation,
                 const struct tables *tables, struct error *err)
{
	order->generation = generation;
	order->tables = tables;
	order->next_sample = 0;
	order->is_open = false;
	order->earliest_ns = tables_ns(tables, generation->min_ticks);
	order->latest_ns = generation->max_ticks == UINT64_MAX
	                           ? GO_TIME_MAX_NS : tables_ns(tables, generation->max_ticks);
	order_clear_damage(order);
	order->sample_count = tables->sample_count;
	mend_samples(order);
	state_begin_generation(&order->state, generation->number, tables);
	if (!open_threads(order, err))
		return false;
	order->is_open = true;
	if (!deliver_sync(order, err))
		return false;
	while (order->frontier.count > 0 || order->next_sample < order->sample_count) {
		if (!advance_one(order, err))
			return false;
	}
	return deliver_closing_sync(order, err);
}

void
order_unused(const struct order *order, uint64_t *offset_bytes, uint64_t *size_bytes)
{
	if (!order->is_open) {
		*offset_bytes = order->generation->offset_bytes;
		*size_bytes = order->generation->end_offset_bytes - *offset_bytes;
		return;
	}
	*offset_bytes = order->generation->end_offset_bytes;
	*size_bytes = 0;
	for (size_t i = 0; i < order->frontier.count; i++) {
		const struct thread_cursor *cursor = order_cursor(order, i);
		if (cursor->event.offset_bytes < *offset_bytes)
			*offset_bytes = cursor->event.offset_bytes;
		*size_bytes += cursor->bytes.offset_bytes - cursor->event.offset_bytes;
		for (uint32_t at = cursor->next_batch; at != BATCH_NONE;
		     at = order->generation->batches[at].next)
			*size_bytes += order->generation->batches[at].size;
	}
}

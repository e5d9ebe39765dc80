/*
 * The lenient side of the merge: what it does where the strict one ends. An event that
 * cannot be right as things stand is believed, and things are made to fit (repair.c).
 */
#include "source/go/order_internal.h"

#include "source/go/repair.h"
#include "trace/time.h"

void
order_clear_damage(struct order *order)
{
	order->damage = (struct order_damage){ .from_ns = TIME_OPEN, .from_bytes = UINT64_MAX };
	order->frontier.count = 0;
	order->is_watching = false;
	lookahead_clear(&order->lookahead);
}

/* A step that leads too far is a wrong one if it is longer. */
#define STEP_MAX_NS 1000000

/* A batch that is missing leaves a pause of more than this share of the one before it. */
enum { PAUSE_SHARE = 8 };

/* ---- what was wrong */

static void
note_time(struct order *order, int64_t time_ns)
{
	if (time_ns < order->damage.from_ns)
		order->damage.from_ns = time_ns;
}

/* Takes the error. */
static void
note_problem(struct order *order, const struct thread_cursor *cursor, struct error *err)
{
	if (order->damage.first.kind == ERROR_NONE)
		order->damage.first = *err;
	note_time(order, cursor->time_ns);
	error_clear(err);
}

/* Of the bytes from..to, `lost_bytes` were not used. */
static void
note_loss(struct order *order, uint64_t from_bytes, uint64_t to_bytes, uint64_t lost_bytes)
{
	struct order_damage *damage = &order->damage;
	if (from_bytes < damage->from_bytes)
		damage->from_bytes = from_bytes;
	if (to_bytes > damage->to_bytes)
		damage->to_bytes = to_bytes;
	damage->lost_bytes += lost_bytes;
}

void
order_give_up(struct order *order, struct error *err)
{
	uint64_t from_bytes, lost_bytes;
	order_unused(order, &from_bytes, &lost_bytes);
	note_loss(order, from_bytes, order->generation->end_offset_bytes, lost_bytes);
	order->damage.give_up = *err;
	error_clear(err);
}

static bool
can_go_on(const struct order *order, const struct error *err)
{
	return !order->damage.is_given_up && delivery_is_about_trace(order->delivery, err);
}

/* ---- the ends of batches and threads */

static int64_t
start_of(const struct order *order, uint32_t batch)
{
	return tables_ns(order->tables, order->generation->batches[batch].time_ticks);
}

/* A time was put elsewhere. */
static void
note_moved(struct order *order, const struct thread_cursor *cursor, uint64_t offset_bytes,
           const char *message)
{
	struct error problem = { 0 };
	order->damage.repairs.moved_times++;
	error_set_at(&problem, ERROR_FORMAT, offset_bytes, "%s", message);
	order_name_place(order, cursor, &problem);
	note_problem(order, cursor, &problem);
}

void
mend_samples(struct order *order)
{
	const struct tables *tables = order->tables;
	struct order_damage *damage = &order->damage;
	if (order->state.repairs == NULL)
		return;
	while (order->sample_count > 0 &&
	       tables->samples[order->sample_count - 1].time_ns > order->latest_ns) {
		order->sample_count--;
		damage->repairs.dropped_events++;
	}
	if (order->sample_count == tables->sample_count)
		return;
	error_set_at(&damage->first, ERROR_FORMAT, order->generation->offset_bytes,
	             "a CPU sample is later than the end of its generation");
	damage->first.generation = order->generation->number;
	note_time(order, order->latest_ns);
}

void
mend_start(struct order *order, struct thread_cursor *cursor, int64_t before_ns)
{
	const struct batch *batch = &order->generation->batches[cursor->batch];
	cursor->until_ns = order->latest_ns;
	if (order->state.repairs == NULL)
		return;
	if (cursor->time_ns < order->earliest_ns || cursor->time_ns > order->latest_ns) {
		cursor->time_ns = before_ns > order->earliest_ns ? before_ns : order->earliest_ns;
		note_moved(order, cursor, batch->offset_bytes,
		           "the time of a batch lies outside of its generation");
	}
	/* Those without a thread come from several, each with its own times. */
	if (batch->next == BATCH_NONE || batch->m == WIRE_NONE)
		return;
	int64_t next_ns = start_of(order, batch->next);
	if (next_ns > cursor->time_ns && next_ns < cursor->until_ns)
		cursor->until_ns = next_ns;
}

void
mend_time(struct order *order, struct thread_cursor *cursor)
{
	int64_t step_ns = tables_ns(order->tables, cursor->event.args[0]);
	if (order->state.repairs == NULL) {
		cursor->time_ns = GO_TIME_MAX_NS;
		return;
	}
	/* Where no large step leads behind the next batch, it is that one's time that is wrong. */
	if (cursor->time_ns <= order->latest_ns && step_ns <= STEP_MAX_NS) {
		cursor->until_ns = order->latest_ns;
		return;
	}
	cursor->time_ns -= step_ns;
	cursor->event.args[0] = 0;
	note_moved(order, cursor, cursor->event.offset_bytes,
	           "a time jumps to behind what follows it");
}

/* What others do on the lost events of a thread shows in that numbers are missing. */
static void
watch(struct order *order, int64_t until_ns)
{
	if (!order->is_watching || until_ns > order->watched_until_ns)
		order->watched_until_ns = until_ns;
	order->is_watching = true;
	order->is_look_due = true;
	order->run_until_ns = RUN_IS_OVER;
}

/* Events of the thread are lost here, up to the batch that it goes on with. */
static void
doubt_thread(struct order *order, const struct thread_cursor *cursor, uint32_t next_batch)
{
	struct state *state = &order->state;
	struct machine *machine = state_find_thread(state, cursor->m);
	unsigned count = state->queue_count;
	if (state->repairs != NULL)
		watch(order, next_batch == BATCH_NONE ? TIME_OPEN : start_of(order, next_batch));
	if (machine == NULL)
		return;
	repair_doubt_thread(state, machine);
	if (state->queue_count > count)
		note_time(order, cursor->time_ns);
}

bool
mend_batch(struct order *order, struct thread_cursor *cursor, struct error *err)
{
	if (order->state.repairs == NULL)
		return false;
	note_problem(order, cursor, err);
	uint64_t from_bytes = cursor->event.offset_bytes, to_bytes = cursor->bytes.offset_bytes;
	note_loss(order, from_bytes, to_bytes, to_bytes - from_bytes);
	cursor->bytes.at = cursor->bytes.end;
	order->damage.repairs.ended_batches++;
	doubt_thread(order, cursor, cursor->next_batch);
	return true;
}

void
mend_between(struct order *order, const struct thread_cursor *cursor)
{
	const struct batch *batches = order->generation->batches;
	const struct batch *batch = &batches[cursor->batch], *next = &batches[cursor->next_batch];
	int64_t start_ns = start_of(order, cursor->batch);
	int64_t next_ns = start_of(order, cursor->next_batch);
	/* A thread that goes on at once lost nothing, wherever its next batch stands. */
	bool has_paused = next_ns - cursor->time_ns > (cursor->time_ns - start_ns) / PAUSE_SHARE;
	if (batch->is_cut || (batch->losses != next->losses && has_paused))
		doubt_thread(order, cursor, cursor->next_batch);
}

void
mend_end_of_thread(struct order *order, const struct thread_cursor *cursor)
{
	const struct generation *generation = order->generation;
	/* What was lost behind its last batch may have been the thread's. */
	if (order->state.repairs != NULL && !generation->loss.is_behind &&
	    generation->batches[cursor->batch].offset_bytes < generation->loss.to_bytes)
		doubt_thread(order, cursor, BATCH_NONE);
}

/* ---- events that do not advance */

/* All that the thread has yet to tell. */
static bool
look_ahead_on(struct order *order, const struct thread_cursor *cursor, struct payload_room *room,
              struct error *err)
{
	const struct generation *generation = order->generation;
	struct machine *machine = state_find_thread(&order->state, cursor->m);
	int64_t proc = machine != NULL && machine->p != NULL ? machine->p->id : GO_ID_NONE;
	struct wire_event wire = cursor->event;
	struct cursor bytes = cursor->bytes;
	uint32_t next = cursor->next_batch;
	if (!lookahead_add(&order->lookahead, &wire, &proc, err))
		return false;
	for (;;) {
		struct error ignored = { 0 };
		while (cursor_left(&bytes) > 0 && wire_decode(&bytes, &wire, &ignored)) {
			if (!lookahead_add(&order->lookahead, &wire, &proc, err))
				return false;
		}
		if (next == BATCH_NONE)
			return true;
		const struct batch *batch = &generation->batches[next];
		if (!payload_open(generation, batch, room, &bytes, &ignored) &&
		    ignored.kind == ERROR_MEMORY) {
			*err = ignored;
			return false;
		}
		next = batch->next;
	}
}

static bool
look_ahead(struct order *order, struct error *err)
{
	struct payload_room room = { 0 };
	bool ok = true;
	for (size_t i = 0; ok && i < order->frontier.count; i++)
		ok = look_ahead_on(order, order_cursor(order, i), &room, err);
	payload_room_release(&room);
	order->lookahead.is_built = ok;
	return ok;
}

/* ---- goroutines that are on no thread, while events of a thread are lost */

/*
 * One that is ready and of which nothing is to come may have run to its end on that thread. Of
 * one that is blocked it is taken that it stays so.
 */
static bool
is_on_lost_events(const struct order *order, const struct goroutine *goroutine)
{
	bool is_ready = goroutine->status == G_RUNNABLE;
	enum ahead ahead;
	if (!is_ready && goroutine->status != G_WAITING)
		return false;
	ahead = lookahead_of_goroutine(&order->lookahead, &order->state, goroutine);
	return ahead == AHEAD_LATER || (ahead == AHEAD_NOTHING && is_ready);
}

static bool
doubt_unseen(struct order *order, struct goroutine *goroutine, struct error *err)
{
	int64_t now_ns = order->delivery->last_time_ns;
	if (goroutine == NULL || !is_on_lost_events(order, goroutine))
		return true;
	order->state.queue_count = 0;
	repair_doubt_goroutine(&order->state, goroutine);
	note_time(order, now_ns);
	return order_deliver_queue(order, now_ns, err);
}

static bool
look_at_all(struct order *order, struct error *err)
{
	const struct stable_column *goroutines = &order->state.goroutines;
	order->is_look_due = false;
	if (!order_count_tries(order, goroutines->count, err))
		return false;
	for (uint32_t i = 0; i < goroutines->count; i++) {
		if (!doubt_unseen(order, stable_at(goroutines, i), err))
			return false;
	}
	return true;
}

/* At those of whom the last event told, which are still in the queue. */
static bool
look_at_told(struct order *order, struct error *err)
{
	const struct state *state = &order->state;
	int64_t ids[STATE_EVENTS_MAX];
	unsigned count = 0;
	for (unsigned i = 0; i < state->queue_count; i++) {
		if (state->queue[i].kind == GO_EVENT_GOROUTINE)
			ids[count++] = state->queue[i].u.goroutine.id;
	}
	for (unsigned i = 0; i < count; i++) {
		if (!doubt_unseen(order, state_find_goroutine(state, ids[i]), err))
			return false;
	}
	return true;
}

bool
mend_watch(struct order *order, struct error *err)
{
	if (!order->lookahead.is_built && !look_ahead(order, err))
		return false;
	if (!(order->is_look_due ? look_at_all(order, err) : look_at_told(order, err)))
		return false;
	order->is_watching = order->frontier.count > 0 &&
	                     order->frontier.items[0].time_ns <= order->watched_until_ns;
	return true;
}

/* Makes the event at index of the frontier advance, or drops it. */
static enum advance
force(struct order *order, size_t index, struct error *err)
{
	struct state *state = &order->state;
	struct thread_cursor *cursor = order_cursor(order, index);
	struct wire_event wire = cursor->event;
	if (!repair_prepare(state, cursor->machine, &wire, err) ||
	    !order_deliver_queue(order, cursor->time_ns, err))
		return ADVANCE_FAILED;
	enum advance result = state_advance(state, cursor->machine, &wire, err);
	if (result == ADVANCE_FAILED && !can_go_on(order, err))
		return ADVANCE_FAILED;
	if (result == ADVANCE_DONE) {
		repair_finish(state, &wire);
		order_count_wire_event(order, wire.id);
	} else {
		error_clear(err);
		state->queue_count = 0;
		order->damage.repairs.dropped_events++;
		/* It may be none, and its time any number. */
		if (order->generation->is_end_guessed)
			cursor->time_ns -= tables_ns(order->tables, wire.args[0]);
	}
	return order_step(order, index, err);
}

enum advance
mend_thread(struct order *order, enum advance result, struct error *err)
{
	const struct thread_cursor *first = order_cursor(order, 0);
	size_t index = 0;
	bool is_vain = result == ADVANCE_WAITS && order->lookahead.is_built &&
	               lookahead_is_vain(&order->lookahead, &order->state, first->machine,
	                                 &first->event);
	if (result == ADVANCE_WAITS && !is_vain)
		result = order_try_others(order, &index, err);
	if (result == ADVANCE_DONE || (result == ADVANCE_FAILED && !can_go_on(order, err)))
		return result;
	/* There may be very many, and only the first is told. */
	if (result == ADVANCE_WAITS && order->damage.first.kind == ERROR_NONE)
		order_fail_to_advance(order, err);
	note_problem(order, order_cursor(order, index), err);
	if (!order->lookahead.is_built && !look_ahead(order, err))
		return ADVANCE_FAILED;
	return force(order, index, err);
}

/* ---- between generations */

bool
order_doubt_all(struct order *order, struct error *err)
{
	const struct state *state = &order->state;
	size_t at = 0;
	order_clear_damage(order);
	/* A look at each of them, for a generation that may have as little as one event. */
	if (!order_count_tries(order, (size_t)state->goroutines.count + state->procs.count +
	                              state->machines.count, err))
		return false;
	while (repair_doubt_next(&order->state, &at)) {
		if (!order_deliver_queue(order, order->delivery->last_time_ns, err))
			return false;
	}
	return true;
}

bool
order_leave(struct order *order, struct error *err)
{
	order->state.repairs = &order->damage.repairs;
	return order_doubt_all(order, err);
}

bool
order_forget_unseen(struct order *order, struct error *err)
{
	size_t at = 0;
	if (!order_count_tries(order, order->state.goroutines.count, err))
		return false;
	while (repair_forget_next(&order->state, &at)) {
		if (!order_deliver_queue(order, order->delivery->last_time_ns, err))
			return false;
	}
	return true;
}

/*
 * The merge of the lists of events, one per P. A head is the next event of a
 * list. It waits in the frontier for its time if the goroutine that it names is
 * in the state that it requires, else it is parked under that state until some
 * event brings the goroutine into it; so each head is looked at a bounded number
 * of times, however many lists a file claims to have.
 */
#include "source/go/v1_order.h"

#include <assert.h>
#include <inttypes.h>

#include "base/memory.h"
#include "source/go/extent.h"

enum status { DEAD, RUNNABLE, RUNNING, WAITING };

/* Where a goroutine stands in the merge. */
struct v1_progress {
	uint64_t sequence;
	uint8_t status;
};

#define HEAD_NONE UINT32_MAX

/* A step that leads too far is a wrong one if it is longer than a second through this. */
enum { STEPS_PER_S = 1000 };
/* Batches begin when others say. Each time that is found out the merge begins anew. */
enum { ROUNDS_MAX = 4 };

struct v1_head {
	struct cursor cursor;  /* over the rest of the batch */
	uint32_t batch, next_batch;
	int64_t until_ticks;   /* times of the batch that are later cannot be true */
	uint32_t g;            /* that runs on this P */
	int64_t ticks;         /* of the event before, then of the event */
	struct v1_event event;
	const struct rule *rule; /* of the event; NULL: the list is at its end */
	uint32_t subject;      /* goroutine that the rule is about */
	uint64_t sequence;     /* of it, that the rule requires */
	uint32_t next_parked;  /* head that waits for the same */
};

/* Whose state an event needs and changes (section 4). */
enum subject { NOBODY, OWN, OPERAND, COLLECTOR };
/* Which sequence number it requires. */
enum requirement { ANY, GIVEN, FIRST, SECOND };

struct rule {
	uint8_t subject;
	uint8_t requirement;
	uint8_t from, to; /* enum status */
	bool is_counted;  /* the sequence number goes up */
	bool starts;      /* the operand is the goroutine of the event and of those behind it */
	bool is_of;       /* the operand is the goroutine of the event alone */
	bool ends;        /* no goroutine runs on the P from here on */
};

#define BLOCKS { OWN, ANY, RUNNING, WAITING, .ends = true }
#define STOPS { OWN, ANY, RUNNING, RUNNABLE, .ends = true }

static const struct rule rules[V1_ID_COUNT] = {
	[V1_GO_CREATE] = { OPERAND, FIRST, DEAD, RUNNABLE, .is_counted = true },
	[V1_GO_WAITING] = { OWN, SECOND, RUNNABLE, WAITING, .is_counted = true, .is_of = true },
	[V1_GO_IN_SYSCALL] = { OWN, SECOND, RUNNABLE, WAITING, .is_counted = true, .is_of = true },
	[V1_GO_START] = { OWN, GIVEN, RUNNABLE, RUNNING, .is_counted = true, .starts = true },
	[V1_GO_START_LABEL] = { OWN, GIVEN, RUNNABLE, RUNNING, .is_counted = true,
		.starts = true },
	[V1_GO_START_LOCAL] = { OWN, ANY, RUNNABLE, RUNNING, .is_counted = true, .starts = true },
	[V1_GO_BLOCK] = BLOCKS,
	[V1_GO_BLOCK_SEND] = BLOCKS,
	[V1_GO_BLOCK_RECV] = BLOCKS,
	[V1_GO_BLOCK_SELECT] = BLOCKS,
	[V1_GO_BLOCK_SYNC] = BLOCKS,
	[V1_GO_BLOCK_COND] = BLOCKS,
	[V1_GO_BLOCK_NET] = BLOCKS,
	[V1_GO_BLOCK_GC] = BLOCKS,
	[V1_GO_SLEEP] = BLOCKS,
	[V1_GO_SYSBLOCK] = BLOCKS,
	[V1_GO_SCHED] = STOPS,
	[V1_GO_PREEMPT] = STOPS,
	[V1_GO_END] = { NOBODY, .ends = true },
	[V1_GO_STOP] = { NOBODY, .ends = true },
	[V1_GO_UNBLOCK] = { OPERAND, GIVEN, WAITING, RUNNABLE, .is_counted = true },
	[V1_GO_UNBLOCK_LOCAL] = { OPERAND, ANY, WAITING, RUNNABLE, .is_counted = true },
	[V1_GO_SYSEXIT] = { OPERAND, GIVEN, WAITING, RUNNABLE, .is_counted = true, .is_of = true },
	[V1_GO_SYSEXIT_LOCAL] = { OPERAND, ANY, WAITING, RUNNABLE, .is_counted = true },
	[V1_GC_START] = { COLLECTOR, GIVEN, DEAD, DEAD, .is_counted = true },
};

/* The index of a goroutine, made known if new. */
static bool
goroutine_index(struct v1_order *order, uint64_t id, uint32_t *index, struct error *err)
{
	*index = id_map_find(&order->index_of, id);
	if (LIKELY(*index != MAP_NONE))
		return true;
	if (order->goroutine_count >= MAP_NONE)
		return error_set(err, ERROR_LIMIT, "too many goroutines");
	*index = (uint32_t)order->goroutine_count;
	if (!array_reserve(&order->goroutine_ids, &order->actor_capacity,
	                   order->goroutine_count + 1, sizeof(*order->goroutine_ids), err) ||
	    !array_reserve(&order->states, &order->state_capacity, order->goroutine_count + 1,
	                   sizeof(*order->states), err) ||
	    !id_map_add(&order->index_of, id, *index, err))
		return false;
	order->goroutine_ids[*index] = id;
	order->states[*index] = (struct v1_progress){ 0, DEAD };
	order->goroutine_count++;
	return true;
}

/* ---- heads */

/* A time is put elsewhere. */
static void
note_moved(struct v1_order *order, uint64_t offset_bytes, int64_t ticks)
{
	order->moved_times++;
	if (order->wrong_time.kind != ERROR_NONE)
		return;
	order->wrong_ticks = ticks;
	error_set_at(&order->wrong_time, ERROR_FORMAT, offset_bytes,
	             "a time contradicts those before and behind it");
}

void
v1_order_move(struct v1_order *order, const struct v1_event *event)
{
	note_moved(order, order->file->offset_bytes + event->at, event->ticks);
}

static void
head_open(struct v1_order *order, struct v1_head *head)
{
	const struct v1_batch *batches = order->file->batches;
	const struct v1_batch *batch = &batches[head->next_batch];
	int64_t before = head->ticks > order->earliest_ticks ? head->ticks : order->earliest_ticks;
	head->cursor = v1_file_cursor(order->file, batch->at, batch->end);
	head->ticks = batch->ticks;
	head->until_ticks = order->latest_ticks;
	head->batch = head->next_batch;
	head->next_batch = batch->next;
	if (head->ticks > order->latest_ticks || head->ticks < order->earliest_ticks) {
		head->ticks = before;
		note_moved(order, cursor_offset(&head->cursor), head->ticks);
	}
	if (batch->next == V1_BATCH_NONE)
		return;
	int64_t next = batches[batch->next].ticks;
	if (order->file->is_lenient && next > head->ticks && next < head->until_ticks)
		head->until_ticks = next;
}

/* The time of the next event; one that leads too far is that of the event before. */
static void
head_pass(struct v1_order *order, struct v1_head *head, uint64_t delta)
{
	uint64_t longest = order->file->frequency / STEPS_PER_S;
	if (LIKELY(delta <= (uint64_t)(head->until_ticks - head->ticks))) {
		head->ticks += (int64_t)delta;
		return;
	}
	/* Where no large step leads behind the next batch, it is that one's time that is wrong. */
	if (delta <= (uint64_t)(order->latest_ticks - head->ticks) && delta <= longest) {
		head->until_ticks = order->latest_ticks;
		head->ticks += (int64_t)delta;
		return;
	}
	note_moved(order, order->file->offset_bytes + head->event.at, head->ticks);
}

/* Records that are no events of a P: they were taken before. */
static bool
is_structural(uint8_t id)
{
	return !v1_kinds[id].is_timed || id == V1_CPU_SAMPLE;
}

/* Finds the next event of a list; false at its end. Records were checked before. */
static bool
head_next(struct v1_order *order, struct v1_head *head, struct v1_record *record)
{
	struct error err = { .kind = ERROR_NONE };
	for (;;) {
		while (cursor_left(&head->cursor) == 0) {
			if (head->next_batch == V1_BATCH_NONE)
				return false;
			head_open(order, head);
		}
		head->event.at = v1_file_at(order->file, &head->cursor);
		bool ok = v1_decode(&head->cursor, order->file->minor, record, &err);
		assert(ok);
		(void)ok;
		if (!is_structural(record->id))
			return true;
	}
}

/* Whose event it is, and what that means for those behind it (section 3). */
static bool
head_bind(struct v1_order *order, struct v1_head *head, const struct v1_record *record,
          struct error *err)
{
	const struct rule *rule = head->rule;
	uint32_t operand = V1_G_NONE;
	if ((rule->subject == OPERAND || rule->starts || rule->is_of) &&
	    !goroutine_index(order, record->args[1], &operand, err))
		return false;
	head->event.g = rule->starts || rule->is_of ? operand : head->g;
	head->subject = rule->subject == OPERAND ? operand : head->event.g;
	if (rule->starts)
		head->g = operand;
	if (rule->ends)
		head->g = V1_G_NONE;
	return true;
}

/* The sequence number that the rule of an event requires. */
static uint64_t
required_sequence(const struct rule *rule, const struct v1_record *record)
{
	switch ((enum requirement)rule->requirement) {
	case GIVEN:
		return rule->subject == COLLECTOR ? record->args[1] : record->args[2];
	case SECOND:
		return 1;
	case ANY:
	case FIRST:
		break;
	}
	return 0;
}

/* Goes to the next event of a list of a P. */
static bool
head_advance(struct v1_order *order, struct v1_head *head, struct error *err)
{
	struct v1_record record;
	head->rule = NULL;
	if (!head_next(order, head, &record))
		return true;
	head_pass(order, head, record.args[0]);
	head->event.ticks = head->ticks;
	head->rule = &rules[record.id];
	head->sequence = required_sequence(head->rule, &record);
	return head_bind(order, head, &record, err);
}

/* The same for the list of samples. */
static bool
head_advance_sample(struct v1_order *order, struct v1_head *head, struct error *err)
{
	struct v1_record record;
	const struct v1_file *file = order->file;
	head->rule = NULL;
	/* They have times of their own; those that are wrong come first and last. */
	while (order->next_sample < file->sample_count &&
	       file->samples[order->next_sample].ticks < order->earliest_ticks) {
		note_moved(order, file->offset_bytes + file->samples[order->next_sample].at,
		           order->earliest_ticks);
		order->next_sample++;
	}
	if (order->next_sample == file->sample_count)
		return true;
	const struct v1_sample *sample = &file->samples[order->next_sample];
	if (sample->ticks > order->latest_ticks) {
		note_moved(order, file->offset_bytes + sample->at, order->latest_ticks);
		order->next_sample = file->sample_count;
		return true;
	}
	order->next_sample++;
	head->event.ticks = sample->ticks;
	head->event.at = sample->at;
	head->rule = &rules[V1_CPU_SAMPLE];
	v1_file_record(order->file, sample->at, &record);
	return goroutine_index(order, record.args[3], &head->event.g, err);
}

/* ---- readiness */

static bool
head_is_ready(const struct v1_order *order, const struct v1_head *head)
{
	const struct rule *rule = head->rule;
	if (rule->subject == NOBODY)
		return true;
	if (rule->subject == COLLECTOR)
		return head->sequence == order->gc_sequence;
	const struct v1_progress *state = &order->states[head->subject];
	return state->status == rule->from &&
	       (rule->requirement == ANY || state->sequence == head->sequence);
}

/* Heads that wait for the same state of the same subject are parked under one key. */
static uint64_t
parking_key(bool is_collector, uint32_t subject, bool is_any, unsigned status,
            uint64_t sequence)
{
	uint64_t what = (uint64_t)subject << 4 | (uint64_t)is_collector << 3 |
	                (uint64_t)is_any << 2 | status;
	return hash_pair(what, is_any ? 0 : sequence);
}

static bool
head_park(struct v1_order *order, uint32_t index, struct error *err)
{
	struct v1_head *head = &order->heads[index];
	bool is_collector = head->rule->subject == COLLECTOR;
	uint64_t key = parking_key(is_collector, is_collector ? 0 : head->subject,
	                           head->rule->requirement == ANY, head->rule->from,
	                           head->sequence);
	head->next_parked = map_find(&order->parked, key);
	return map_put(&order->parked, key, index, err);
}

static bool
head_place(struct v1_order *order, uint32_t index, struct error *err)
{
	struct v1_head *head = &order->heads[index];
	if (head_is_ready(order, head))
		return frontier_add(&order->frontier, head->event.ticks, index, err);
	return head_park(order, index, err);
}

/* Places again all that are parked under a key. Keys may collide; those wait on. */
static bool
wake_key(struct v1_order *order, uint64_t key, struct error *err)
{
	uint32_t index = map_find(&order->parked, key);
	if (index == MAP_NONE)
		return true;
	map_remove(&order->parked, key);
	while (index != HEAD_NONE) {
		uint32_t next = order->heads[index].next_parked;
		if (!head_place(order, index, err))
			return false;
		index = next;
	}
	return true;
}

/* An event happens: its subject goes on to another state, which others may wait for. */
static bool
apply(struct v1_order *order, const struct v1_head *head, struct error *err)
{
	const struct rule *rule = head->rule;
	if (rule->subject == NOBODY)
		return true;
	if (rule->subject == COLLECTOR) {
		order->gc_sequence++;
		return wake_key(order, parking_key(true, 0, false, DEAD, order->gc_sequence), err);
	}
	struct v1_progress *state = &order->states[head->subject];
	uint32_t subject = head->subject;
	state->status = rule->to;
	if (rule->is_counted)
		state->sequence++;
	if (order->parked.count == 0)
		return true;
	return wake_key(order, parking_key(false, subject, true, state->status, 0), err) &&
	       wake_key(order,
	                parking_key(false, subject, false, state->status, state->sequence), err);
}

/* ---- the merge */

static bool
advance(struct v1_order *order, uint32_t index, struct error *err)
{
	struct v1_head *head = &order->heads[index];
	bool ok = index == order->file->list_count ? head_advance_sample(order, head, err)
	                                           : head_advance(order, head, err);
	return ok && (head->rule == NULL || head_place(order, index, err));
}

static bool
start(struct v1_order *order, struct error *err)
{
	const struct v1_file *file = order->file;
	uint32_t none = V1_G_NONE;
	order->heads = array_new(file->list_count + 1, sizeof(*order->heads), err);
	/* All events were counted before. */
	if (order->heads == NULL ||
	    !array_reserve(&order->events, &order->capacity, file->event_count,
	                   sizeof(*order->events), err) ||
	    !goroutine_index(order, 0, &none, err))
		return false;
	assert(none == V1_G_NONE);
	for (uint32_t i = 0; i < file->list_count; i++) {
		order->heads[i].event.list = (uint16_t)i;
		order->heads[i].next_batch = file->lists[i].first;
		head_open(order, &order->heads[i]);
	}
	order->heads[file->list_count].event.list = (uint16_t)file->list_count;
	for (uint32_t i = 0; i <= file->list_count; i++) {
		if (!advance(order, i, err))
			return false;
	}
	return true;
}

static uint64_t
offset_of(const struct v1_order *order, const struct v1_event *event)
{
	return order->file->offset_bytes + event->at;
}

/* Why the earliest event cannot come next, if it cannot. */
static bool
check_next(struct v1_order *order, struct v1_head *head, struct error *disorder)
{
	struct v1_event *event = &head->event;
	int64_t last = order->count > 0 ? order->events[order->count - 1].ticks : 0;
	if (!head_is_ready(order, head))
		return error_set_at(disorder, ERROR_ORDER, offset_of(order, event),
		                    "event %s for goroutine %" PRIu64 ", which another event "
		                    "has changed meanwhile",
		                    v1_kinds[v1_event_id(order, event)].name,
		                    order->goroutine_ids[head->subject]);
	if (LIKELY(event->ticks >= last))
		return true;
	if (!order->file->is_lenient)
		return error_set_at(disorder, ERROR_ORDER, offset_of(order, event),
		                    "time stamps out of order");
	if (event->list < order->file->list_count) {
		struct v1_batch *batch = &order->file->batches[head->batch];
		if (last - event->ticks > batch->early_ticks)
			batch->early_ticks = last - event->ticks;
	}
	event->ticks = last;
	v1_order_move(order, event);
	return true;
}

static bool
publish(struct v1_order *order, struct error *err)
{
	enum { PROGRESS_EVENTS = 1 << 16 };
	const struct v1_file *file = order->file;
	if (order->count % PROGRESS_EVENTS != 0)
		return true;
	double share = (1 + (double)order->count / ((double)file->event_count + 1)) / 3;
	order->delivery->done_bytes = (uint64_t)((double)file->byte_count * share);
	return delivery_progress(order->delivery, err);
}

static bool
merge(struct v1_order *order, struct error *disorder, struct error *err)
{
	while (order->frontier.count > 0) {
		uint32_t index = order->frontier.items[0].cursor;
		struct v1_head *head = &order->heads[index];
		if (!publish(order, err))
			return false;
		if (!check_next(order, head, disorder))
			return true;
		frontier_remove(&order->frontier, 0);
		order->events[order->count++] = head->event;
		if (!apply(order, head, err) || !advance(order, index, err))
			return false;
	}
	return true;
}

/* ---- what found no place */

static void
lose(struct v1_order *order, uint64_t from_bytes, uint64_t count)
{
	if (order->lost_bytes == 0 || from_bytes < order->lost_from_bytes)
		order->lost_from_bytes = from_bytes;
	order->lost_bytes += count;
}

/*
 * A head that was not placed holds back its own event and all behind it; but not what
 * stands between them and was of use: tables and samples.
 */
static void
lose_head(struct v1_order *order, struct v1_head *head)
{
	struct v1_record record;
	do {
		uint64_t from = offset_of(order, &head->event);
		lose(order, from, cursor_offset(&head->cursor) - from);
	} while (head_next(order, head, &record));
}

static void
lose_heads(struct v1_order *order)
{
	for (size_t i = 0; i < order->file->list_count; i++) {
		if (order->heads[i].rule != NULL)
			lose_head(order, &order->heads[i]);
	}
}

void
v1_order_lose(struct v1_order *order, const struct v1_event *event)
{
	struct cursor cursor = v1_file_cursor(order->file, event->at, order->file->good_count);
	struct error err = { .kind = ERROR_NONE };
	struct v1_record record;
	uint64_t from = cursor_offset(&cursor);
	v1_decode(&cursor, order->file->minor, &record, &err);
	lose(order, from, cursor_offset(&cursor) - from);
}

bool
v1_order_take(struct v1_order *order, struct v1_event *event)
{
	enum { TRIM_EVENTS = 1 << 18 };
	if (order->count == 0)
		return false;
	*event = order->events[--order->count];
	if (order->count % TRIM_EVENTS == 0)
		array_trim(&order->events, &order->capacity, order->count,
		           sizeof(*order->events));
	return true;
}

static void
release_work(struct v1_order *order)
{
	memory_free(order->heads);
	memory_free(order->states);
	order->heads = NULL;
	order->states = NULL;
	order->state_capacity = 0;
	frontier_release(&order->frontier);
	map_release(&order->parked);
}

/* ---- the times */

/*
 * A trace begins with the goroutines that there are, told by the proc that starts it; so no
 * other proc begins before. 0 where several do.
 */
static uint64_t
starter_ticks(const struct v1_file *file)
{
	uint64_t ticks = 0;
	unsigned earlier = 0;
	for (size_t i = 0; i < file->list_count && ticks == 0; i++) {
		const struct v1_batch *first = &file->batches[file->lists[i].first];
		if (first->has_events && first->first_id == V1_GO_CREATE)
			ticks = (uint64_t)first->ticks;
	}
	for (size_t i = 0; i < file->list_count; i++)
		earlier += (uint64_t)file->batches[file->lists[i].first].ticks < ticks;
	return earlier > 1 ? 0 : ticks;
}

/* From when to when the trace was. Strictly all times are believed. */
static bool
find_extent(struct v1_order *order, struct error *err)
{
	const struct v1_file *file = order->file;
	order->earliest_ticks = 0;
	order->latest_ticks = INT64_MAX;
	if (!file->is_lenient || file->batch_count == 0)
		return true;
	struct extent_signs signs = { .start = EXTENT_OPEN, .ms = file->frequency / 1000 };
	signs.times = array_new(file->batch_count, sizeof(*signs.times), err);
	if (signs.times == NULL)
		return false;
	for (size_t i = 0; i < file->batch_count; i++) {
		const struct v1_batch *batch = &file->batches[i];
		if ((uint64_t)batch->ticks < signs.start)
			signs.start = (uint64_t)batch->ticks;
		if (batch->has_events)
			signs.times[signs.count++] = (uint64_t)batch->last_ticks;
		else if (batch->has_stacks && signs.known_count == 0)
			signs.known[signs.known_count++] = (uint64_t)batch->ticks;
	}
	uint64_t starter = starter_ticks(file);
	if (starter > signs.start)
		signs.start = starter;
	uint64_t end = extent_end(&signs);
	memory_free(signs.times);
	order->earliest_ticks = (int64_t)signs.start;
	order->latest_ticks = end > INT64_MAX ? INT64_MAX : (int64_t)end;
	/* Where the start contradicts the end it is only known that nothing is before it. */
	if (order->latest_ticks < order->earliest_ticks)
		order->latest_ticks = INT64_MAX;
	return true;
}

/*
 * Batches with events that come too early begin later, as far as there is room for them. Returns
 * how many.
 */
static unsigned
put_batches_right(struct v1_order *order)
{
	struct v1_file *file = order->file;
	int64_t longest = (int64_t)(file->frequency / STEPS_PER_S);
	unsigned moved = 0;
	for (size_t i = 0; i < file->batch_count; i++) {
		struct v1_batch *batch = &file->batches[i];
		int64_t early = batch->early_ticks, until = order->latest_ticks;
		batch->early_ticks = 0;
		if (batch->next != V1_BATCH_NONE && file->batches[batch->next].ticks > batch->ticks &&
		    file->batches[batch->next].ticks < until)
			until = file->batches[batch->next].ticks;
		if (early <= longest || batch->last_ticks > until - early)
			continue;
		batch->ticks += early;
		batch->last_ticks += early;
		note_moved(order, file->offset_bytes + batch->at, batch->ticks);
		moved++;
	}
	return moved;
}

static void
begin_anew(struct v1_order *order)
{
	release_work(order);
	order->count = order->goroutine_count = order->next_sample = 0;
	order->gc_sequence = 0;
	id_map_clear(&order->index_of);
}

bool
v1_order_events(struct v1_order *order, struct error *disorder, struct error *err)
{
	struct error before = *disorder;
	bool ok = find_extent(order, err) && start(order, err) && merge(order, disorder, err);
	unsigned moved, all_moved = 0;
	for (unsigned i = 0; ok && i < ROUNDS_MAX && (moved = put_batches_right(order)) > 0; i++) {
		begin_anew(order);
		order->moved_times = all_moved += moved;
		*disorder = before;
		ok = find_extent(order, err) && start(order, err) && merge(order, disorder, err);
	}
	if (ok) {
		lose_heads(order);
		if (order->lost_bytes > 0)
			error_set_at(disorder, ERROR_ORDER, order->lost_from_bytes,
			             "no consistent ordering of events possible");
	}
	release_work(order);
	return ok;
}

void
v1_order_release(struct v1_order *order)
{
	release_work(order);
	memory_free(order->events);
	memory_free(order->goroutine_ids);
	id_map_release(&order->index_of);
	*order = (struct v1_order){ 0 };
}

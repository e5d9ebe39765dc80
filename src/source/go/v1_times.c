/*
 * What the order of a v1 trace needs before it can be told: the true times of
 * the ends of syscalls, the sorting by them, and which syscalls block.
 * doc/format/go-trace-v1.md, sections 5 and 7.
 */
#include "source/go/v1_order.h"

#include "base/memory.h"
#include "base/sort.h"
#include "base/thread.h"

enum { NEVER = -1 };

static bool
refuse(const struct v1_order *order, const struct v1_event *event, struct error *disorder,
       const char *message)
{
	return error_set_at(disorder, ERROR_ORDER, order->file->offset_bytes + event->at, "%s",
	                    message);
}

/* There may be tens of millions of events. */
static bool
goes_on(const struct v1_order *order, size_t index, struct error *err)
{
	return index % V1_EVENTS_PER_LOOK != 0 || delivery_progress(order->delivery, err);
}

/* An event that got another time. */
struct moved {
	struct v1_event event;
	size_t index;   /* among all, before */
	bool is_later;  /* than it was */
};

/* At work on the times. */
struct correction {
	struct v1_order *order;
	int64_t *left_at;     /* by goroutine: when it lost its P in a syscall, or NEVER */
	struct moved *moved;
	size_t count, capacity;
	size_t kept;          /* events that were not moved, in front */
};

/*
 * The time at which a GoSysExit says that the syscall really ended. Not a GoSysExitLocal,
 * at whose time the reference does not look either.
 */
static bool
true_end(const struct correction *correction, const struct v1_event *event, int64_t *ticks,
         struct error *disorder)
{
	struct v1_record record;
	v1_file_record(correction->order->file, event->at, &record);
	int64_t left_at = correction->left_at[event->g];
	*ticks = event->ticks;
	if (record.args[3] == 0)
		return true;
	if (correction->order->file->is_lenient &&
	    (left_at == NEVER || record.args[3] > (uint64_t)correction->order->latest_ticks ||
	     (int64_t)record.args[3] < left_at)) {
		v1_order_move(correction->order, event);
		return true;
	}
	if (left_at == NEVER)
		return refuse(correction->order, event, disorder, "stray syscall exit");
	if (record.args[3] > INT64_MAX || (int64_t)record.args[3] < left_at)
		return refuse(correction->order, event, disorder, "time stamps out of order");
	*ticks = (int64_t)record.args[3];
	return true;
}

static bool
keep(struct correction *correction, size_t index, int64_t ticks, struct error *err)
{
	struct v1_event *events = correction->order->events;
	struct v1_event event = events[index];
	if (ticks == event.ticks) {
		events[correction->kept++] = event;
		return true;
	}
	if (!array_reserve(&correction->moved, &correction->capacity, correction->count + 1,
	                   sizeof(*correction->moved), err))
		return false;
	bool is_later = ticks > event.ticks;
	event.ticks = ticks;
	correction->moved[correction->count++] = (struct moved){ event, index, is_later };
	return true;
}

static void
drop_from(struct v1_order *order, size_t first)
{
	for (size_t i = first; i < order->count; i++)
		v1_order_lose(order, &order->events[i]);
	order->count = first;
}

/* Takes out the events whose time changes. Stops at the first whose time cannot be true. */
static bool
take_out(struct correction *correction, struct error *disorder, struct error *err)
{
	struct v1_order *order = correction->order;
	for (size_t i = 0; i < order->count; i++) {
		if (!goes_on(order, i, err))
			return false;
		const struct v1_event *event = &order->events[i];
		uint8_t id = v1_event_id(order, event);
		int64_t ticks = event->ticks;
		if (id == V1_GO_SYSBLOCK || id == V1_GO_IN_SYSCALL)
			correction->left_at[event->g] = event->ticks;
		if (id == V1_GO_SYSEXIT && !true_end(correction, event, &ticks, disorder))
			drop_from(order, i);
		else if (!keep(correction, i, ticks, err))
			return false;
	}
	return true;
}

static int
compare_moved(const void *left, const void *right)
{
	const struct moved *a = left, *b = right;
	if (a->event.ticks != b->event.ticks)
		return a->event.ticks < b->event.ticks ? -1 : 1;
	return a->index < b->index ? -1 : a->index > b->index;
}

/*
 * Whether an event that was moved comes behind one that was not. Of equal times the
 * earlier of before comes first; that is told by which way the one was moved.
 */
static bool
comes_behind(const struct moved *moved, const struct v1_event *other)
{
	if (moved->event.ticks != other->ticks)
		return moved->event.ticks > other->ticks;
	return !moved->is_later;
}

/* Puts the moved events in among the others, which stand in front and are in order. */
static bool
merge_moved(struct v1_order *order, size_t others, const struct moved *moved, size_t count,
            struct error *err)
{
	for (size_t to = others + count; count > 0; to--) {
		if (!goes_on(order, to, err))
			return false;
		bool takes_moved =
			others == 0 || comes_behind(&moved[count - 1], &order->events[others - 1]);
		order->events[to - 1] =
			takes_moved ? moved[--count].event : order->events[--others];
	}
	return true;
}

/* next: the id of the event of each goroutine that comes next. */
static bool
find_blocking(struct v1_order *order, uint8_t *next, struct error *err)
{
	for (size_t i = order->count; i-- > 0;) {
		if (!goes_on(order, i, err))
			return false;
		struct v1_event *event = &order->events[i];
		uint8_t id = v1_event_id(order, event);
		event->is_blocking = id == V1_GO_SYSCALL && next[event->g] == V1_GO_SYSBLOCK;
		next[event->g] = id;
	}
	return true;
}

static bool
correct_times(struct v1_order *order, struct error *disorder, struct error *err)
{
	size_t count = order->goroutine_count;
	struct correction correction = { .order = order };
	correction.left_at = array_new(count, sizeof(*correction.left_at), err);
	bool ok = correction.left_at != NULL;
	for (size_t i = 0; ok && i < count; i++)
		correction.left_at[i] = NEVER;
	ok = ok && take_out(&correction, disorder, err);
	const struct sort by_time = { correction.moved, correction.count,
		sizeof(*correction.moved), compare_moved };
	ok = ok && sort_items(&by_time, progress_cancel_flag(order->delivery->progress), err) &&
	     merge_moved(order, correction.kept, correction.moved, correction.count, err);
	memory_free(correction.left_at);
	memory_free(correction.moved);
	return ok;
}

static bool
turn_round(struct v1_order *order, struct error *err)
{
	struct v1_event *events = order->events;
	size_t count = order->count;
	if (count > 0)
		order->first_ticks = events[0].ticks;
	for (size_t i = 0; i < count / 2; i++) {
		if (!goes_on(order, i, err))
			return false;
		struct v1_event kept = events[i];
		events[i] = events[count - 1 - i];
		events[count - 1 - i] = kept;
	}
	return true;
}

bool
v1_order_correct(struct v1_order *order, struct error *disorder, struct error *err)
{
	uint8_t *next = array_new(order->goroutine_count, sizeof(*next), err);
	bool ok = next != NULL && correct_times(order, disorder, err) &&
	          find_blocking(order, next, err) && turn_round(order, err);
	memory_free(next);
	return ok;
}

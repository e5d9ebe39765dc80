/*
 * What the order of a v1 trace needs before it can be told: the true times of
 * the ends of syscalls, the sorting by them, and which syscalls block.
 * doc/format/go-trace-v1.md, sections 5 and 7.
 */
#include "gotrace/v1_order.h"

#include <string.h>

#include "base/memory.h"

enum { NEVER = -1 };

static bool
refuse(const struct v1_order *order, const struct v1_event *event, struct error *disorder,
       const char *message)
{
	return error_set_at(disorder, ERROR_ORDER, order->file->offset_bytes + event->at, "%s",
	                    message);
}

/*
 * A GoSysExit may tell when the syscall really ended; not a GoSysExitLocal, whose
 * time the reference does not look at either. left_at: when each goroutine lost its P.
 */
static bool
correct_exit(const struct v1_order *order, struct v1_event *event, const int64_t *left_at,
             struct error *disorder)
{
	struct v1_record record;
	v1_file_record(order->file, event->at, &record);
	uint64_t ticks = record.args[3];
	if (ticks == 0)
		return true;
	if (left_at[event->g] == NEVER)
		return refuse(order, event, disorder, "stray syscall exit");
	if (ticks > INT64_MAX || (int64_t)ticks < left_at[event->g])
		return refuse(order, event, disorder, "time stamps out of order");
	event->ticks = (int64_t)ticks;
	return true;
}

/* Stops at the first event whose time cannot be true. */
static void
correct_times(struct v1_order *order, int64_t *left_at, struct error *disorder)
{
	for (size_t i = 0; i < order->count; i++) {
		struct v1_event *event = &order->events[i];
		uint8_t id = v1_event_id(order, event);
		if (id == V1_GO_SYSBLOCK || id == V1_GO_IN_SYSCALL)
			left_at[event->g] = event->ticks;
		if (id != V1_GO_SYSEXIT || correct_exit(order, event, left_at, disorder))
			continue;
		v1_order_drop(order, i);
		return;
	}
}

static bool
is_sorted(const struct v1_order *order)
{
	for (size_t i = 1; i < order->count; i++) {
		if (order->events[i].ticks < order->events[i - 1].ticks)
			return false;
	}
	return true;
}

/* Merges from[start, middle) and from[middle, end), each sorted, into `to`. */
static void
merge_runs(const struct v1_event *from, struct v1_event *to, size_t start, size_t middle,
           size_t end)
{
	size_t left = start, right = middle;
	for (size_t i = start; i < end; i++) {
		bool takes_left = left < middle &&
		                  (right == end || from[left].ticks <= from[right].ticks);
		to[i] = takes_left ? from[left++] : from[right++];
	}
}

static void
merge_pass(const struct v1_event *from, struct v1_event *to, size_t count, size_t width)
{
	for (size_t start = 0; start < count; start += 2 * width) {
		size_t middle = count - start < width ? count : start + width;
		size_t end = count - middle < width ? count : middle + width;
		if (middle == end || from[middle - 1].ticks <= from[middle].ticks)
			memcpy(to + start, from + start, (end - start) * sizeof(*to));
		else
			merge_runs(from, to, start, middle, end);
	}
}

/* By time; events of equal times stay as they stand. */
static bool
sort_events(struct v1_order *order, struct error *err)
{
	size_t count = order->count;
	if (is_sorted(order))
		return true;
	struct v1_event *other = array_new(count, sizeof(*other), err);
	if (other == NULL)
		return false;
	for (size_t width = 1; width < count; width *= 2) {
		merge_pass(order->events, other, count, width);
		struct v1_event *merged = other;
		other = order->events;
		order->events = merged;
		order->capacity = count;
	}
	memory_free(other);
	return true;
}

/* next: the id of the event of each goroutine that comes next. */
static void
find_blocking(struct v1_order *order, uint8_t *next)
{
	for (size_t i = order->count; i-- > 0;) {
		struct v1_event *event = &order->events[i];
		uint8_t id = v1_event_id(order, event);
		event->is_blocking = id == V1_GO_SYSCALL && next[event->g] == V1_GO_SYSBLOCK;
		next[event->g] = id;
	}
}

bool
v1_order_correct(struct v1_order *order, struct error *disorder, struct error *err)
{
	size_t count = order->goroutine_count;
	int64_t *left_at = array_new(count, sizeof(*left_at), err);
	uint8_t *next = array_new(count, sizeof(*next), err);
	bool ok = left_at != NULL && next != NULL;
	if (ok) {
		for (size_t i = 0; i < count; i++)
			left_at[i] = NEVER;
		correct_times(order, left_at, disorder);
		ok = sort_events(order, err);
	}
	if (ok)
		find_blocking(order, next);
	memory_free(left_at);
	memory_free(next);
	return ok;
}

/* Dumps as lists of events, compared event by event and run by run. */
#include "parseddiff.h"

#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* One event: its line and the lines of its stacks. */
struct event {
	const char *text;
	size_t length;
	size_t time_at, time_end; /* where " Time=..." stands within it */
	int64_t time_ns;
};

struct events {
	struct event *items;
	size_t count, capacity;
};

static void
parse_time(struct event *event)
{
	static const char label[] = " Time=";
	const char *line_end = memchr(event->text, '\n', event->length);
	size_t line = line_end != NULL ? (size_t)(line_end - event->text) : event->length;
	for (size_t at = 0; at + sizeof(label) <= line; at++) {
		if (memcmp(event->text + at, label, sizeof(label) - 1) != 0)
			continue;
		char *end;
		event->time_at = at;
		event->time_ns = strtoll(event->text + at + sizeof(label) - 1, &end, 10);
		event->time_end = (size_t)(end - event->text);
		return;
	}
}

static void
add_event(struct events *events, const char *text, size_t length)
{
	if (events->count == events->capacity) {
		events->capacity = events->capacity * 2 + 1024;
		events->items = realloc(events->items, events->capacity * sizeof(*events->items));
		assert(events->items != NULL);
	}
	struct event *event = &events->items[events->count++];
	*event = (struct event){ .text = text, .length = length };
	parse_time(event);
}

/* An event begins where a line does with "M=". */
static void
split(const struct text *dump, struct events *events)
{
	size_t start = 0;
	for (size_t at = 1; at <= dump->length; at++) {
		bool is_start = at + 1 < dump->length && dump->bytes[at - 1] == '\n' &&
				dump->bytes[at] == 'M' && dump->bytes[at + 1] == '=';
		if (!is_start && at < dump->length)
			continue;
		add_event(events, dump->bytes + start, at - start);
		start = at;
	}
}

static int
compare_bytes(const char *a, size_t a_length, const char *b, size_t b_length)
{
	int order = memcmp(a, b, a_length < b_length ? a_length : b_length);
	return order != 0 ? order : (a_length > b_length) - (a_length < b_length);
}

/* By everything but the time. */
static int
compare_events(const void *left, const void *right)
{
	const struct event *a = left, *b = right;
	int order = compare_bytes(a->text, a->time_at, b->text, b->time_at);
	if (order != 0)
		return order;
	return compare_bytes(a->text + a->time_end, a->length - a->time_end, b->text + b->time_end,
		b->length - b->time_end);
}

static bool
is_same(const struct event *a, const struct event *b)
{
	return a->length == b->length && memcmp(a->text, b->text, a->length) == 0;
}

static size_t
run_start(const struct events *events, size_t at)
{
	while (at > 0 && events->items[at].time_ns == events->items[at - 1].time_ns + 1)
		at--;
	return at;
}

static size_t
run_end(const struct events *events, size_t at)
{
	at++;
	while (at < events->count && events->items[at].time_ns == events->items[at - 1].time_ns + 1)
		at++;
	return at;
}

static void
tell_difference(struct text *out, const struct events *ours, const struct events *theirs, size_t at)
{
	const struct events *sides[] = { ours, theirs };
	text_format(out, "event %zu differs:\n", at + 1);
	for (size_t i = 0; i < 2; i++) {
		text_add_string(out, i == 0 ? "ours:   " : "theirs: ");
		if (at < sides[i]->count)
			text_add(out, sides[i]->items[at].text, sides[i]->items[at].length);
		else
			text_add_string(out, "no more events\n");
	}
}

/* Whether the run around an event is the same set on both sides; *end is behind it. */
static bool
is_same_run(struct events *ours, struct events *theirs, size_t at, size_t *end)
{
	size_t start = run_start(ours, at);
	*end = run_end(ours, at);
	if (start != run_start(theirs, at) || *end != run_end(theirs, at) ||
		ours->items[start].time_ns != theirs->items[start].time_ns)
		return false;
	size_t count = *end - start;
	qsort(ours->items + start, count, sizeof(*ours->items), compare_events);
	qsort(theirs->items + start, count, sizeof(*theirs->items), compare_events);
	for (size_t i = start; i < *end; i++) {
		if (compare_events(&ours->items[i], &theirs->items[i]) != 0)
			return false;
	}
	return true;
}

static void
compare_all(struct parseddiff *diff, struct events *ours, struct events *theirs)
{
	size_t at = 0, end;
	while (at < ours->count && at < theirs->count) {
		end = at + 1;
		if (!is_same(&ours->items[at], &theirs->items[at])) {
			struct text problem = { 0 };
			tell_difference(&problem, ours, theirs, at);
			if (!is_same_run(ours, theirs, at, &end)) {
				diff->problem = problem;
				return;
			}
			text_release(&problem);
			diff->differing_runs++;
		}
		at = end;
	}
	if (ours->count != theirs->count)
		tell_difference(&diff->problem, ours, theirs, at);
}

bool
parseddiff_compare(struct parseddiff *diff, const struct text *ours, const struct text *theirs)
{
	struct events our_events = { 0 }, their_events = { 0 };
	*diff = (struct parseddiff){ 0 };
	split(ours, &our_events);
	split(theirs, &their_events);
	diff->events = our_events.count;
	compare_all(diff, &our_events, &their_events);
	free(our_events.items);
	free(their_events.items);
	return diff->problem.length == 0;
}

void
parseddiff_release(struct parseddiff *diff)
{
	text_release(&diff->problem);
}

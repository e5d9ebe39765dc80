/* The naive model's answers about lanes: every one a scan over all there is. */
#include "naive.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/memory.h"

#define NONE SIZE_MAX

/* ---- spans of lanes */

void
naive_spans_clear(struct naive_spans *spans)
{
	spans->count = 0;
}

void
naive_spans_release(struct naive_spans *spans)
{
	memory_free(spans->items);
	*spans = (struct naive_spans){ 0 };
}

static void
add_span(struct naive_spans *spans, struct naive_span span)
{
	struct error err = { 0 };
	if (!array_reserve(
		    &spans->items, &spans->capacity, spans->count + 1, sizeof *spans->items, &err))
		fail_msg("%s", err.message);
	spans->items[spans->count++] = span;
}

static void
add_state(const struct naive *naive, size_t index, struct naive_spans *spans)
{
	const struct naive_state *state = &naive->states[index];
	add_span(spans, (struct naive_span){ state->start_ns, state->end_ns, state->is_open,
				state->time_class, index });
}

void
naive_add_goroutine(const struct naive *naive, size_t goroutine, struct naive_spans *spans)
{
	for (size_t i = naive->goroutines[goroutine].first_state; i != NONE;
		i = naive->states[i].next)
		add_state(naive, i, spans);
}

void
naive_add_proc(const struct naive *naive, int64_t id, struct naive_spans *spans)
{
	for (size_t i = 0; i < naive->state_count; i++) {
		const struct naive_state *state = &naive->states[i];
		if (state->proc == id)
			add_span(spans, (struct naive_span){ state->start_ns, state->proc_end_ns,
						state->is_on_proc, state->time_class, i });
	}
}

void
naive_add_thread(const struct naive *naive, int64_t id, struct naive_spans *spans)
{
	for (size_t i = 0; i < naive->state_count; i++) {
		const struct naive_state *state = &naive->states[i];
		if (state->thread == id)
			add_span(spans, (struct naive_span){ state->start_ns, state->thread_end_ns,
						state->is_on_thread, state->time_class, i });
	}
}

static int
compare_spans(const void *left, const void *right)
{
	const struct naive_span *a = left, *b = right;
	return (a->start_ns > b->start_ns) - (a->start_ns < b->start_ns);
}

void
naive_add_all(const struct naive *naive, struct naive_spans *spans)
{
	for (size_t i = 0; i < naive->state_count; i++)
		add_state(naive, i, spans);
	if (spans->count > 0)
		qsort(spans->items, spans->count, sizeof *spans->items, compare_spans);
}

void
naive_add_group(
	const struct naive *naive, const char *name, size_t length, struct naive_spans *spans)
{
	for (size_t i = 0; i < naive->goroutine_count; i++) {
		size_t own_length;
		const char *own = naive_text(naive, naive->goroutines[i].name, &own_length);
		if (own_length == length && memcmp(own, name, length) == 0)
			naive_add_goroutine(naive, i, spans);
	}
	if (spans->count > 0)
		qsort(spans->items, spans->count, sizeof *spans->items, compare_spans);
}

/* Those that overlap or touch become one, open if one of them is. */
static void
merge(struct naive_spans *spans)
{
	size_t kept = 0;
	for (size_t i = 1; i < spans->count; i++) {
		struct naive_span *last = &spans->items[kept], *next = &spans->items[i];
		if (next->start_ns > last->end_ns) {
			spans->items[++kept] = *next;
			continue;
		}
		last->is_open = last->is_open || next->is_open;
		last->end_ns = next->end_ns > last->end_ns ? next->end_ns : last->end_ns;
	}
	spans->count = spans->count > 0 ? kept + 1 : 0;
}

void
naive_add_ranges(const struct naive *naive, enum range_type type, struct naive_spans *spans)
{
	for (size_t i = 0; i < naive->range_count; i++) {
		const struct naive_range *range = &naive->ranges[i];
		if (range->type == type)
			add_span(spans, (struct naive_span){ range->start_ns, range->end_ns,
						range->is_open, CLASS_RUNNING, NONE });
	}
	if (spans->count > 0)
		qsort(spans->items, spans->count, sizeof *spans->items, compare_spans);
	merge(spans);
}

/* ---- questions about spans */

int64_t
naive_part_ns(const struct naive_span *span, int64_t t0_ns, int64_t t1_ns)
{
	int64_t start_ns = span->start_ns > t0_ns ? span->start_ns : t0_ns;
	int64_t end_ns = span->end_ns < t1_ns ? span->end_ns : t1_ns;
	return end_ns - start_ns;
}

void
naive_totals(const struct naive_spans *spans, int64_t t0_ns, int64_t t1_ns,
	int64_t totals_ns[CLASS_COUNT])
{
	memset(totals_ns, 0, CLASS_COUNT * sizeof *totals_ns);
	for (size_t i = 0; i < spans->count; i++) {
		int64_t part_ns = naive_part_ns(&spans->items[i], t0_ns, t1_ns);
		if (part_ns > 0)
			totals_ns[spans->items[i].time_class] += part_ns;
	}
}

bool
naive_overlaps(const struct naive_span *span, int64_t t0_ns, int64_t t1_ns)
{
	int64_t end_ns = span->end_ns;
	if (span->is_open && span->state != NONE)
		end_ns++;
	return t0_ns < t1_ns && span->start_ns < t1_ns && end_ns > t0_ns;
}

/* ---- what else there is */

void
naive_add_logs(const struct naive *naive, const bool *members, struct naive_spans *spans)
{
	for (size_t i = 0; i < naive->moment_count; i++) {
		const struct naive_moment *moment = &naive->moments[i];
		if (moment->is_log && moment->goroutine != NONE && members[moment->goroutine])
			add_span(spans, (struct naive_span){ .start_ns = moment->time_ns,
						.end_ns = moment->time_ns + 1,
						.state = NONE });
	}
}

void
naive_add_samples(const struct naive *naive, size_t goroutine, int64_t proc, int64_t thread,
	struct naive_spans *spans)
{
	for (size_t i = 0; i < naive->moment_count; i++) {
		const struct naive_moment *moment = &naive->moments[i];
		if (moment->is_sample && (goroutine == NONE || moment->goroutine == goroutine) &&
			(proc == GO_ID_NONE || moment->proc == proc) &&
			(thread == GO_ID_NONE || moment->thread == thread))
			add_span(spans, (struct naive_span){ .start_ns = moment->time_ns,
						.end_ns = moment->time_ns + 1,
						.state = i });
	}
}

void
naive_add_stops(const struct naive *naive, const bool *members, struct naive_spans *spans)
{
	for (size_t i = 0; i < naive->range_count; i++) {
		const struct naive_range *range = &naive->ranges[i];
		if (range->type == RANGE_STW && range->goroutine != NONE &&
			members[range->goroutine])
			add_span(spans, (struct naive_span){ .start_ns = range->start_ns,
						.end_ns = range->start_ns + 1,
						.state = NONE });
	}
}

uint32_t
naive_wakes(const struct naive *naive, enum wake_row row, int64_t t0_ns, int64_t t1_ns)
{
	uint32_t count = 0;
	for (size_t i = 0; i < naive->state_count; i++) {
		const struct naive_state *state = &naive->states[i];
		bool is_wake = (row == WAKE_NETWORK && state->is_network_wake) ||
			       (row == WAKE_TIMER && state->is_timer_wake) ||
			       (row == WAKE_SYSCALL && state->is_syscall_wake);
		count += is_wake && state->start_ns >= t0_ns && state->start_ns < t1_ns;
	}
	return count;
}

static bool
is_value_of(const struct go_event *event, enum counter_type type)
{
	static const enum go_metric metrics[COUNTER_COUNT] = {
		[COUNTER_HEAP_ALLOC] = GO_METRIC_HEAP_ALLOC,
		[COUNTER_HEAP_GOAL] = GO_METRIC_HEAP_GOAL,
		[COUNTER_GOMAXPROCS] = GO_METRIC_GOMAXPROCS,
	};
	return event->kind == GO_EVENT_METRIC && event->u.metric.metric == metrics[type];
}

bool
naive_counter(const struct naive *naive, enum counter_type type, int64_t t0_ns, int64_t t1_ns,
	uint64_t *least, uint64_t *greatest)
{
	bool is_known = false;
	for (size_t i = 0; i < naive->event_count && naive->events[i].time_ns < t1_ns; i++) {
		const struct go_event *event = &naive->events[i];
		if (!is_value_of(event, type))
			continue;
		uint64_t value = event->u.metric.value;
		if (event->time_ns <= t0_ns || !is_known)
			*least = *greatest = value;
		is_known = true;
		*least = value < *least ? value : *least;
		*greatest = value > *greatest ? value : *greatest;
	}
	return is_known && t0_ns < t1_ns;
}

/* ---- search */

struct finder {
	const struct naive *naive;
	naive_predicate *matches;
	const void *context;
	bool *is_match; /* by string */
};

static bool
stack_matches(const struct finder *finder, stack_id stack)
{
	for (; stack != STACK_NONE; stack = stack_caller(&finder->naive->stacks, stack))
		if (finder->is_match[stack_leaf(&finder->naive->stacks, stack)->function])
			return true;
	return false;
}

static bool
goroutine_matches(const struct finder *finder, const struct naive_goroutine *goroutine)
{
	char shown[4096];
	size_t length;
	const char *name = naive_text(finder->naive, goroutine->name, &length);
	if (finder->is_match[goroutine->name])
		return true;
	size_t at = (size_t)snprintf(
		shown, sizeof shown, "G%lld%s", (long long)goroutine->id, length > 0 ? " " : "");
	assert_true(at + length <= sizeof shown);
	memcpy(shown + at, name, length);
	return finder->matches(finder->context, shown, at + length);
}

/* The state that a goroutine was in; at the very end of the trace the one that is open. */
static void
mark_state_at(const struct naive *naive, size_t goroutine, int64_t t_ns, bool *found)
{
	if (goroutine == NONE)
		return;
	for (size_t i = naive->goroutines[goroutine].first_state; i != NONE;
		i = naive->states[i].next) {
		const struct naive_state *state = &naive->states[i];
		if (state->start_ns <= t_ns && (t_ns < state->end_ns || state->is_open))
			found[i] = true;
	}
}

static void
search_states(const struct finder *finder, bool *found)
{
	const struct naive *naive = finder->naive;
	for (size_t i = 0; i < naive->state_count; i++) {
		const struct naive_state *state = &naive->states[i];
		found[i] = finder->is_match[state->reason] || stack_matches(finder, state->stack);
	}
	for (size_t g = 0; g < naive->goroutine_count; g++) {
		if (!goroutine_matches(finder, &naive->goroutines[g]))
			continue;
		for (size_t i = naive->goroutines[g].first_state; i != NONE;
			i = naive->states[i].next)
			found[i] = true;
	}
}

static void
search_moments(const struct finder *finder, bool *found)
{
	const struct naive *naive = finder->naive;
	for (size_t i = 0; i < naive->moment_count; i++) {
		const struct naive_moment *moment = &naive->moments[i];
		if (finder->is_match[moment->texts[0]] || finder->is_match[moment->texts[1]] ||
			stack_matches(finder, moment->stack))
			mark_state_at(naive, moment->goroutine, moment->time_ns, found);
	}
	for (size_t i = 0; i < naive->range_count; i++)
		if (finder->is_match[naive->ranges[i].name])
			mark_state_at(naive, naive->ranges[i].goroutine, naive->ranges[i].start_ns,
				found);
}

bool *
naive_search(const struct naive *naive, naive_predicate *matches, const void *context)
{
	uint32_t strings = intern_count(&naive->strings);
	bool *found = memory_realloc(NULL, naive->state_count + 1);
	struct finder finder = { naive, matches, context, memory_realloc(NULL, strings) };
	assert_non_null(found);
	assert_non_null(finder.is_match);
	finder.is_match[STRING_EMPTY] = false; /* no text at all */
	for (string_id i = STRING_EMPTY + 1; i < strings; i++) {
		size_t length;
		const char *text = naive_text(naive, i, &length);
		finder.is_match[i] = matches(context, text, length);
	}
	search_states(&finder, found);
	search_moments(&finder, found);
	memory_free(finder.is_match);
	return found;
}

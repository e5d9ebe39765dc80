/*
 * The query language: what is wrong is told with its place, and what is found is what a scan
 * finds that looks at each span of each goroutine and asks of it what the manual says.
 */
#include <ctype.h>
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base_testing.h"
#include "query/query.h"
#include "query/query_hint.h"
#include "query/search.h"
#include "query/search_job.h"
#include "randomtrace.h"
#include "source/go/words.h"
#include "tracetesting.h"

/* ---- reading */

static void
tells_what_is_wrong_and_where(void **state)
{
	(void)state;
	static const struct {
		const char *query, *note;
		size_t offset;
	} rows[] = {
		{ "", "a condition is missing, at character 1", 0 },
		{ "=", "a condition is missing, at character 2", 1 },
		{ "state=blocked |", "a condition is missing, at character 16", 15 },
		{ "| g=1", "a condition is missing, at character 1", 0 },
		{ "g=1 ()", "a condition is missing, at character 6", 5 },
		{ "g=1 !", "a condition is missing, at character 6", 5 },
		{ "(g=1 | (p=2)", "this ( is not closed, at character 1", 0 },
		{ "g=1)", "nothing is open that this ) closes, at character 4", 3 },
		{ "name~\"ma", "this quote is not closed, at character 6", 5 },
		{ "\xc3\xa4 name=", "a value is missing, at character 8", 8 },
		{ "\xc3\xa4 g=x", "g wants a whole number, at character 5", 5 },
		{ "g=99999999999999999999", "g wants a whole number, at character 3", 2 },
		{ "dur>10", "dur wants a time such as 10ms or 1.2s, at character 5", 4 },
		{ "state=runing",
			"state is one of: running, ready, runnable, blocked, waiting, syscall, "
			"unknown, undetermined, at character 7",
			6 },
		{ "gc~nothing", "gc is one of: mark, stw, assist, sweep, worker, stopper, at character 4", 3 },
		{ "func > x", "func takes = != ~ and !~, at character 6", 5 },
		{ "task.dur>", "a value is missing, at character 10", 9 },
		{ "task.dur>p100.1",
			"task.dur wants a time such as 10ms or 1.2s, or a percentile such as p90, "
			"at character 10",
			9 },
		{ "region.dur~p9", "region.dur takes = != < <= > and >=, at character 11", 10 },
		{ "dur>p90", "dur wants a time such as 10ms or 1.2s, at character 5", 4 },
		{ "dur~x", "dur takes = != < <= > and >=, at character 4", 3 },
		{ "name~\"\"", "name has nothing to search for, at character 6", 5 },
		{ "g=1 \"\"", "there is nothing to look for, at character 5", 4 },
		{ "a foo=1",
			"there is no such field (quoted it is a text); there are g p m name func "
			"state class reason dur start end task task.dur region region.dur label "
			"log wake.g wake.name wake.func gc syscall depth, at character 3",
			2 },
	};
	for (size_t i = 0; i < ARRAY_LENGTH(rows); i++) {
		struct error note;
		error_clear(&note);
		assert_null(query_new(rows[i].query, &go_words, &note));
		check_text(rows[i].query, note.message, rows[i].note);
		assert_int_equal(note.kind, ERROR_USAGE);
		assert_int_equal(note.offset_bytes, rows[i].offset);
	}
}

/* Of fields, and of their words, those that such a trace has; the name is the one that was typed. */
static void
messages_have_the_words_of_the_trace(void **state)
{
	static const struct words few = {
		.actor = { "task", "tasks", '\0' },
		.processor = { "CPU", "CPUs", '\0' },
		.classes = { [CLASS_GONE] = { "gone", NULL }, [CLASS_RUNNING] = { "running", NULL },
			[CLASS_SLEEP] = { "asleep", NULL } },
	};
	static const struct {
		const char *query, *note;
	} rows[] = {
		{ "foo=1",
			"there is no such field (quoted it is a text); there are actor processor name "
			"func state class dur start end task task.dur region region.dur label log "
			"depth, at character 1" },
		{ "state=foo", "state is one of: running, blocked, waiting, at character 7" },
		{ "actor=foo", "actor wants a whole number, at character 7" },
	};
	(void)state;
	for (size_t i = 0; i < ARRAY_LENGTH(rows); i++) {
		struct error note;
		error_clear(&note);
		assert_null(query_new(rows[i].query, &few, &note));
		check_text(rows[i].query, note.message, rows[i].note);
	}
}

static void
a_pattern_that_is_none_is_text_with_a_note(void **state)
{
	(void)state;
	struct error note;
	error_clear(&note);
	struct query *query = query_new("func~net/http.(*conn).serve", &go_words, &note);
	assert_non_null(query);
	assert_int_equal(note.kind, ERROR_USAGE);
	assert_true(strncmp(note.message, "func: searched as plain text: ", 30) == 0);
	query_free(query);
}

static void
knows_a_query_by_its_beginning(void **state)
{
	(void)state;
	static const struct {
		const char *text;
		bool is_query;
	} rows[] = {
		{ "=main", true },
		{ "g=1", true },
		{ "goroutine=1", true },
		{ "actor~main", true },
		{ "wake.actor=1", true },
		{ "wake.name~x", true },
		{ "dur>=1ms", true },
		{ "state!=ready x", true },
		{ "main.worker", false },
		{ "(g=1)", true },
		{ "!(state=blocked | dur>1ms)", true },
		{ "! ( name~x )", true },
		{ "(foo|bar)", false },
		{ "!main", false },
		{ "(?i)main", false },
		{ "(state)", false },
		{ "chan receive", false },
		{ "foo=1", false },
		{ "func <x>", false },
		{ "", false },
	};
	for (size_t i = 0; i < ARRAY_LENGTH(rows); i++)
		if (query_is_meant(rows[i].text) != rows[i].is_query)
			fail_msg("%s", rows[i].text);
}

static void
what_is_typed_is_completed_and_described(void **state)
{
	(void)state;
	static const struct {
		const char *text, *completed, *described;
	} rows[] = {
		{ "", "g", "g p m name func state class reason dur start end task task.dur region "
			   "region.dur label log wake.g wake.name wake.func gc syscall depth" },
		{ "sta", "state", "state start" },
		{ "g=1 | !(wa", "g=1 | !(wake.g", "wake.g wake.name wake.func" },
		{ "=na", "=name", "name" },
		{ "state=b", "state=blocked", "blocked" },
		{ "gc!=s", "gc!=stw", "stw sweep stopper" },
		{ "class=gc", "class=\"gc worker\"", "\"gc worker\" \"gc wait\"" },
		{ "name~\"sta", "", "this quote is not closed, at character 6" },
		{ "dur>x", "", "dur wants a time such as 10ms or 1.2s, at character 5" },
		{ "state=blocked", "state=blocked", "" },
		{ "dur>1ms", "", "" },
	};
	for (size_t i = 0; i < ARRAY_LENGTH(rows); i++) {
		struct text out = { 0 };
		bool is_completed = query_complete(rows[i].text, &go_words, 0, &out);
		assert_int_equal(is_completed, rows[i].completed[0] != '\0');
		check_text(rows[i].text, out.length > 0 ? out.bytes : "", rows[i].completed);
		text_clear(&out);
		query_describe(rows[i].text, &go_words, &out);
		check_text(rows[i].text, out.length > 0 ? out.bytes : "", rows[i].described);
		text_release(&out);
	}
}

/* Whether so many times one text and then another is a query. */
static bool
is_accepted(const char *each, size_t count, const char *last, struct error *note)
{
	char text[QUERY_MOST_BYTES * 2];
	size_t length = 0;
	for (size_t i = 0; i < count; i++)
		length += (size_t)snprintf(text + length, sizeof text - length, "%s", each);
	snprintf(text + length, sizeof text - length, "%s", last);
	error_clear(note);
	struct query *query = query_new(text, &go_words, note);
	query_free(query);
	return query != NULL;
}

static void
limits_hold(void **state)
{
	(void)state;
	struct error note;
	assert_false(is_accepted("(", QUERY_MOST_DEPTH + 1, "a", &note));
	check_text("groups", note.message, "the query is nested too deeply, at character 65");
	assert_true(is_accepted("a ", QUERY_MOST_TERMS, "", &note));
	assert_false(is_accepted("a ", QUERY_MOST_TERMS, "a", &note));
	check_text("terms", note.message, "there are too many conditions, at character 129");
	assert_false(is_accepted("a", QUERY_MOST_BYTES, "a", &note));
	check_text("bytes", note.message, "the query is too long, at character 4097");
	assert_true(is_accepted("!", QUERY_MOST_BYTES - 1, "a", &note));
	assert_false(is_accepted("!(!(!(!(a)))) ", QUERY_MOST_TERMS, "", &note));
	assert_true(is_accepted("!(!(a))|", 40, "a", &note));
}

/* ---- what the manual says, asked of one span after the other */

/* All spans of a goroutine, one of which is looked at. */
struct seen {
	const struct trace *trace;
	actor_ref goroutine;
	struct span *spans;
	size_t count, capacity, at;
	range_ref *ranges; /* that it began, or that are on it */
	size_t range_count, range_capacity;
};

static const struct span *
here(const struct seen *seen)
{
	return &seen->spans[seen->at];
}

static const struct span *
before(const struct seen *seen)
{
	return seen->at > 0 ? here(seen) - 1 : NULL;
}

static const struct span *
after(const struct seen *seen)
{
	return seen->at + 1 < seen->count ? here(seen) + 1 : NULL;
}

static bool
has_text(const struct seen *seen, string_id id, const char *needle)
{
	size_t length, wanted = strlen(needle);
	const char *bytes = trace_text(seen->trace, id, &length);
	for (size_t i = 0; i + wanted <= length; i++) {
		size_t same = 0;
		while (same < wanted && tolower((unsigned char)bytes[i + same]) == needle[same])
			same++;
		if (same == wanted && length > 0)
			return true;
	}
	return false;
}

static bool
stack_has(const struct seen *seen, stack_id stack, const char *needle)
{
	const struct stack_table *stacks = &seen->trace->stacks;
	for (; stack != STACK_NONE; stack = stack_caller(stacks, stack))
		if (has_text(seen, stack_leaf(stacks, stack)->function, needle))
			return true;
	return false;
}

static enum state
state_of(const struct span *span)
{
	return span != NULL ? span->kind->state : STATE_GONE;
}

static bool
holds_at(const struct seen *seen, int64_t t_ns)
{
	const struct span *next = after(seen);
	return here(seen)->start_ns <= t_ns &&
	       (next != NULL ? next->start_ns > t_ns : here(seen)->end_ns >= t_ns);
}

static bool
is_covered(const struct seen *seen, int64_t start_ns, int64_t end_ns)
{
	int64_t own_ns = here(seen)->start_ns;
	return holds_at(seen, start_ns) || (own_ns > start_ns && own_ns < end_ns);
}

static int64_t
id_of(const struct seen *seen)
{
	return trace_actor(seen->trace, seen->goroutine)->id;
}

static int64_t
duration_of(const struct seen *seen)
{
	return here(seen)->end_ns - here(seen)->start_ns;
}

/* -1 for none. */
static int64_t
processor_of(const struct seen *seen)
{
	const struct span *span = here(seen);
	if (state_of(span) == STATE_SYSCALL)
		span = before(seen);
	return state_of(span) == STATE_RUNNING ? trace_processor(seen->trace, span->processor)->id
					       : -1;
}

static bool
func_has(const struct seen *seen, const char *needle)
{
	const struct span *span = here(seen), *next = after(seen), *last = before(seen);
	if (stack_has(seen, span->stack, needle))
		return true;
	if (state_of(span) == STATE_READY && span->kind->entry != ENTRY_STOPPED && last != NULL &&
		stack_has(seen, last->stack, needle))
		return true;
	if (state_of(span) == STATE_RUNNING && next != NULL && stack_has(seen, next->stack, needle))
		return true;
	const struct ref_index *index = &seen->trace->actor_instants;
	for (uint32_t i = index->first[seen->goroutine]; i < index->first[seen->goroutine + 1]; i++) {
		const struct instant *instant = trace_instant(seen->trace, index->refs[i]);
		if (instant->type == INSTANT_SAMPLE && holds_at(seen, instant->time_ns) &&
			stack_has(seen, instant->stack, needle))
			return true;
	}
	return false;
}

static const struct span *
wake_of(const struct seen *seen)
{
	const struct span *span = here(seen);
	if (state_of(span) == STATE_BLOCKED)
		span = after(seen);
	else if (state_of(span) != STATE_READY)
		span = before(seen);
	return state_of(span) == STATE_READY ? span : NULL;
}

static const struct actor *
waking_goroutine(const struct seen *seen)
{
	const struct span *wake = wake_of(seen);
	bool has_waker = wake != NULL && wake->waker.type == WAKER_ACTOR;
	return has_waker ? trace_actor(seen->trace, wake->waker.ref) : NULL;
}

typedef bool region_test(const struct seen *seen, const struct range *range);
typedef bool task_test(const struct seen *seen, const struct task *task);

/* NULL asks for none of them. */
static bool
region_has(const struct seen *seen, region_test *is_region, task_test *is_task)
{
	for (size_t i = 0; i < seen->range_count; i++) {
		const struct range *range = trace_range(seen->trace, seen->ranges[i]);
		if (range->type != RANGE_REGION || range->scope != seen->goroutine ||
			!is_covered(seen, range->start_ns, range->end_ns))
			continue;
		if (is_region != NULL && is_region(seen, range))
			return true;
		if (is_task != NULL && range->task != REF_NONE &&
			is_task(seen, trace_task(seen->trace, range->task)))
			return true;
	}
	return false;
}

static int64_t
length_of(const struct seen *seen, int64_t start_ns, int64_t end_ns)
{
	return (end_ns == TIME_OPEN ? seen->trace->end_ns : end_ns) - start_ns;
}

static bool
is_named_region(const struct seen *seen, const struct range *range)
{
	return has_text(seen, range->name, "");
}

static bool
is_region_e(const struct seen *seen, const struct range *range)
{
	return has_text(seen, range->name, "e");
}

static bool
is_long_region(const struct seen *seen, const struct range *range)
{
	return length_of(seen, range->start_ns, range->end_ns) >= 100000;
}

/* Three quarters of those of its name are as long at most. */
static bool
is_slow_region(const struct seen *seen, const struct range *range)
{
	int64_t length_ns = length_of(seen, range->start_ns, range->end_ns);
	size_t all = 0, until = 0;
	for (range_ref i = 0; i < seen->trace->ranges.count; i++) {
		const struct range *other = trace_range(seen->trace, i);
		if (other->type != RANGE_REGION || other->name != range->name)
			continue;
		all++;
		until += length_of(seen, other->start_ns, other->end_ns) <= length_ns;
	}
	return until * 4 >= all * 3;
}

static bool
is_task_2(const struct seen *seen, const struct task *task)
{
	(void)seen;
	return task->id == 2;
}

static bool
is_task_e(const struct seen *seen, const struct task *task)
{
	return has_text(seen, task->name, "e");
}

static bool
is_short_task(const struct seen *seen, const struct task *task)
{
	return length_of(seen, task->start_ns, task->end_ns) < 1000000;
}

/* Less than half of those of its name are as long at most. */
static bool
is_quick_task(const struct seen *seen, const struct task *task)
{
	int64_t length_ns = length_of(seen, task->start_ns, task->end_ns);
	size_t all = 0, until = 0;
	for (task_ref i = 0; i < seen->trace->tasks.count; i++) {
		const struct task *other = trace_task(seen->trace, i);
		if (other->name != task->name)
			continue;
		all++;
		until += length_of(seen, other->start_ns, other->end_ns) <= length_ns;
	}
	return until * 2 < all;
}

static bool
log_has(const struct seen *seen, const char *needle, const struct task *task)
{
	const struct ref_index *index = &seen->trace->actor_instants;
	for (uint32_t i = index->first[seen->goroutine]; i < index->first[seen->goroutine + 1]; i++) {
		const struct instant *instant = trace_instant(seen->trace, index->refs[i]);
		if (instant->type != INSTANT_LOG || !holds_at(seen, instant->time_ns))
			continue;
		bool is_of_task = task != NULL && instant->task != REF_NONE &&
				  trace_task(seen->trace, instant->task) == task;
		bool is_text = task == NULL && (has_text(seen, instant->category, needle) ||
						       has_text(seen, instant->text, needle));
		if (is_of_task || is_text)
			return true;
	}
	return false;
}

static bool
task_has(const struct seen *seen, task_test *is_task)
{
	if (region_has(seen, NULL, is_task))
		return true;
	for (task_ref i = 0; i < seen->trace->tasks.count; i++) {
		const struct task *task = trace_task(seen->trace, i);
		bool begins = !task->began_before && task->start_actor == seen->goroutine &&
			      holds_at(seen, task->start_ns);
		bool ends = task->end_ns != TIME_OPEN && task->end_actor == seen->goroutine &&
			    holds_at(seen, task->end_ns);
		if ((begins || ends || log_has(seen, NULL, task)) && is_task(seen, task))
			return true;
	}
	return false;
}

static bool
label_has(const struct seen *seen, const char *needle)
{
	const struct ref_index *index = &seen->trace->actor_instants;
	uint32_t end = index->first[seen->goroutine + 1];
	for (uint32_t i = index->first[seen->goroutine]; i < end; i++) {
		const struct instant *label = trace_instant(seen->trace, index->refs[i]);
		if (label->type != INSTANT_LABEL || !has_text(seen, label->text, needle))
			continue;
		int64_t until_ns = TIME_OPEN;
		for (uint32_t j = i + 1; j < end && until_ns == TIME_OPEN; j++)
			if (trace_instant(seen->trace, index->refs[j])->type == INSTANT_LABEL)
				until_ns = trace_instant(seen->trace, index->refs[j])->time_ns;
		if (until_ns > label->time_ns && is_covered(seen, label->time_ns, until_ns))
			return true;
	}
	return false;
}

static bool
gc_goes_on(const struct seen *seen, enum range_type type)
{
	int64_t start_ns = here(seen)->start_ns, end_ns = here(seen)->end_ns;
	if (end_ns == start_ns)
		end_ns++;
	for (range_ref i = 0; i < seen->trace->ranges.count; i++) {
		const struct range *range = trace_range(seen->trace, i);
		int64_t until_ns = range->end_ns == TIME_OPEN ? seen->trace->end_ns : range->end_ns;
		if (range->type == type && range->start_ns < end_ns && until_ns > start_ns)
			return true;
	}
	return false;
}

static bool
range_goes_on(const struct seen *seen, enum range_type type)
{
	for (size_t i = 0; i < seen->range_count; i++) {
		const struct range *range = trace_range(seen->trace, seen->ranges[i]);
		if (range->type == type && range_actor(range) == seen->goroutine &&
			is_covered(seen, range->start_ns, range->end_ns))
			return true;
	}
	return false;
}

/* Whether the span is a syscall that a lane of a proc has a shorter part of. */
static bool
has_lost_processor(const struct seen *seen)
{
	struct span span;
	if (state_of(here(seen)) != STATE_SYSCALL)
		return false;
	for (resource_ref i = 0; i < trace_processor_count(seen->trace); i++) {
		struct lane lane = { LANE_PROCESSOR, i };
		int64_t from_ns = here(seen)->start_ns;
		bool is_there = lane_next(seen->trace, lane, from_ns, CLASS_MASK_ALL, &span);
		while (is_there && span.start_ns == from_ns) {
			if (span.segment == here(seen)->segment && span.state == here(seen)->state &&
				(span.end_ns < here(seen)->end_ns ||
					span.is_open != here(seen)->is_open))
				return true;
			is_there = lane_after(seen->trace, lane, &span, &span);
		}
	}
	return false;
}

static bool
name_has(const struct seen *seen, const char *needle)
{
	return has_text(seen, trace_actor(seen->trace, seen->goroutine)->name, needle);
}

static bool
reason_has(const struct seen *seen, const char *needle)
{
	return has_text(seen, here(seen)->kind->reason, needle);
}

/* ROW(name, query, what it says in C): small numbers so that all traces have some of it. */
#define ROWS(ROW) \
	ROW(id, "g=1", id_of(seen) == 1) \
	ROW(ids, "g>G5 goroutine<=20", id_of(seen) > 5 && id_of(seen) <= 20) \
	ROW(actor, "actor>5 actor<=20", id_of(seen) > 5 && id_of(seen) <= 20) \
	ROW(actor_name, "actor~main", name_has(seen, "main")) \
	ROW(no_actor_name, "g!~main", !name_has(seen, "main")) \
	ROW(proc, "p=1", processor_of(seen) == 1) \
	ROW(processor, "processor=1", processor_of(seen) == 1) \
	ROW(no_proc, "proc!=1", processor_of(seen) != 1) \
	ROW(thread, "m>1", here(seen)->thread != REF_NONE && trace_thread(seen->trace, here(seen)->thread)->id > 1) \
	ROW(name, "name~main", name_has(seen, "main")) \
	ROW(no_name, "!name~main", !name_has(seen, "main")) \
	ROW(nameless, "name=\"\"", !name_has(seen, "")) \
	ROW(func, "func~main.", func_has(seen, "main")) \
	ROW(no_func, "func!~main", !func_has(seen, "main")) \
	ROW(no_stack, "func=\"\"", !func_has(seen, "")) \
	ROW(running, "state=running", state_of(here(seen)) == STATE_RUNNING) \
	ROW(states, "state=waiting | state~^runn", state_of(here(seen)) == STATE_BLOCKED || state_of(here(seen)) == STATE_RUNNING || state_of(here(seen)) == STATE_READY) \
	ROW(class, "class=\"gc worker\" | class=sync", here(seen)->time_class == CLASS_WORKER || here(seen)->time_class == CLASS_SYNC) \
	ROW(class_assist, "class=assist", here(seen)->time_class == CLASS_RUNNING && range_goes_on(seen, RANGE_MARK_ASSIST)) \
	ROW(no_assist, "class!=assist state=running", state_of(here(seen)) == STATE_RUNNING && !(here(seen)->time_class == CLASS_RUNNING && range_goes_on(seen, RANGE_MARK_ASSIST))) \
	ROW(class_either, "class~^(assist|ready)$", here(seen)->time_class == CLASS_READY || (here(seen)->time_class == CLASS_RUNNING && range_goes_on(seen, RANGE_MARK_ASSIST))) \
	ROW(reason, "reason~chan", reason_has(seen, "chan")) \
	ROW(reasons, "reason!=sleep", !reason_has(seen, "sleep")) \
	ROW(long_ones, "dur>=10us", duration_of(seen) >= 10000) \
	ROW(short_ones, "dur < 1us", duration_of(seen) < 1000) \
	ROW(none_long, "dur<=0 dur>=0", duration_of(seen) == 0) \
	ROW(early, "start<1ms", here(seen)->start_ns < 1000000) \
	ROW(late, "end>2ms", here(seen)->end_ns > 2000000) \
	ROW(task, "task=2", task_has(seen, is_task_2)) \
	ROW(task_name, "task~e", task_has(seen, is_task_e)) \
	ROW(short_task, "task.dur<1ms", task_has(seen, is_short_task)) \
	ROW(quick_task, "task.dur<p50", task_has(seen, is_quick_task)) \
	ROW(region, "region~e", region_has(seen, is_region_e, NULL)) \
	ROW(no_region, "region=\"\"", !region_has(seen, is_named_region, NULL)) \
	ROW(long_region, "region.dur>=100us", region_has(seen, is_long_region, NULL)) \
	ROW(slow_region, "region.dur>=p75", region_has(seen, is_slow_region, NULL)) \
	ROW(label, "label~a", label_has(seen, "a")) \
	ROW(log, "log~a", log_has(seen, "a", NULL)) \
	ROW(waker, "wake.g=1", waking_goroutine(seen) != NULL && waking_goroutine(seen)->id == 1) \
	ROW(waker_name, "wake.name~main", waking_goroutine(seen) != NULL && has_text(seen, waking_goroutine(seen)->name, "main")) \
	ROW(waker_func, "wake.func~chan", wake_of(seen) != NULL && stack_has(seen, wake_of(seen)->waker_stack, "chan")) \
	ROW(mark, "gc=mark", gc_goes_on(seen, RANGE_GC_MARK)) \
	ROW(stw, "gc=stw", gc_goes_on(seen, RANGE_STW)) \
	ROW(assist, "gc=assist", range_goes_on(seen, RANGE_MARK_ASSIST)) \
	ROW(sweep, "gc~^(sweep|worker)", range_goes_on(seen, RANGE_SWEEP) || here(seen)->time_class == CLASS_WORKER) \
	ROW(stopper, "gc=stopper", range_goes_on(seen, RANGE_STW)) \
	ROW(loss, "syscall=blocked", has_lost_processor(seen)) \
	ROW(binding, "name~main state=blocked dur>1us | state=ready !(g=1 | g=2)", \
		(name_has(seen, "main") && state_of(here(seen)) == STATE_BLOCKED && duration_of(seen) > 1000) || \
			(state_of(here(seen)) == STATE_READY && id_of(seen) != 1 && id_of(seen) != 2)) \
	ROW(turned, "!(state=running func~e) !!dur>0", \
		!(state_of(here(seen)) == STATE_RUNNING && func_has(seen, "e")) && duration_of(seen) > 0) \
	ROW(all, "state=running | !state=running", true) \
	ROW(none, "state=running state=ready", false)

#define ROW_FUNCTION(name, query, expression) \
	static bool row_##name(const struct seen *seen) \
	{ \
		(void)seen; \
		return expression; \
	}
ROWS(ROW_FUNCTION)
#undef ROW_FUNCTION

static const struct row {
	const char *query;
	bool (*says)(const struct seen *seen);
} rows[] = {
#define ROW_ITEM(name, query, expression) { query, row_##name },
	ROWS(ROW_ITEM)
#undef ROW_ITEM
};

static void
see_ranges(struct seen *seen)
{
	struct error err = { 0 };
	seen->range_count = 0;
	for (range_ref i = 0; i < seen->trace->ranges.count; i++) {
		const struct range *range = trace_range(seen->trace, i);
		bool is_on = range->type == RANGE_REGION && range->scope == seen->goroutine;
		if (!is_on && range_actor(range) != seen->goroutine)
			continue;
		assert_true(array_reserve(&seen->ranges, &seen->range_capacity,
			seen->range_count + 1, sizeof(*seen->ranges), &err));
		seen->ranges[seen->range_count++] = i;
	}
}

static void
see_goroutine(struct seen *seen, actor_ref goroutine)
{
	struct lane lane = { LANE_ACTOR, goroutine };
	struct error err = { 0 };
	struct span span, next;
	seen->goroutine = goroutine;
	seen->count = 0;
	bool is_there = lane_next(seen->trace, lane, INT64_MIN, CLASS_MASK_ALL, &span);
	for (; is_there; is_there = lane_after(seen->trace, lane, &span, &next), span = next) {
		assert_true(array_reserve(&seen->spans, &seen->capacity, seen->count + 1,
			sizeof(*seen->spans), &err));
		seen->spans[seen->count++] = span;
	}
	see_ranges(seen);
}

/* Adds how many spans of the goroutine the row says match. */
static void
check_goroutine(struct seen *seen, const struct row *row, const struct search *search,
	uint64_t *count)
{
	bool all = seen->count > 0;
	for (seen->at = 0; seen->at < seen->count; seen->at++) {
		bool matches = row->says(seen);
		*count += matches;
		all = all && matches;
		if (search_matches(search, here(seen)->segment, here(seen)->state) != matches)
			fail_msg("\"%s\": G%" PRId64 " at %" PRId64 " is %s match", row->query,
				id_of(seen), here(seen)->start_ns, matches ? "no" : "a");
	}
	assert_int_equal(search_matches_actor(search, seen->goroutine), all);
}

/* Over all traces of testdata, so that no row is checked against nothing. */
static uint64_t found[ARRAY_LENGTH(rows)];

static void
check_trace(const struct trace *trace)
{
	struct seen seen = { .trace = trace };
	struct search *searches[ARRAY_LENGTH(rows)];
	uint64_t counts[ARRAY_LENGTH(rows)] = { 0 };
	for (size_t i = 0; i < ARRAY_LENGTH(rows); i++) {
		struct error note = { 0 };
		struct query *query = query_new(rows[i].query, &go_words, &note);
		searches[i] = query != NULL ? search_query(trace, query, &note) : NULL;
		if (searches[i] == NULL || note.kind != ERROR_NONE)
			fail_msg("%s: %s", rows[i].query, note.message);
		query_free(query);
	}
	for (actor_ref g = 0; g < trace_actor_count(trace); g++) {
		see_goroutine(&seen, g);
		for (size_t i = 0; i < ARRAY_LENGTH(rows); i++)
			check_goroutine(&seen, &rows[i], searches[i], &counts[i]);
	}
	for (size_t i = 0; i < ARRAY_LENGTH(rows); i++) {
		if (search_count(searches[i]) != counts[i])
			fail_msg("%s: %" PRIu64 " instead of %" PRIu64, rows[i].query,
				search_count(searches[i]), counts[i]);
		found[i] += counts[i];
		search_free(searches[i]);
	}
	memory_free(seen.spans);
	memory_free(seen.ranges);
}

static void
check_file(const char *name)
{
	struct trace *trace = testing_load(name);
	print_message("%s\n", name);
	check_trace(trace);
	trace_free(trace);
}

static void
finds_what_a_scan_finds(void **state)
{
	(void)state;
	testing_each(".trace", check_file);
	for (size_t i = 0; i < ARRAY_LENGTH(rows); i++)
		if (found[i] == 0 && rows[i].says != row_none)
			fail_msg("\"%s\" finds nothing in any trace", rows[i].query);
}

static void
check_random(uint64_t seed)
{
	static struct random_trace random;
	print_message("seed %" PRIu64 "\n", seed);
	random_trace_make(&random, seed);
	check_trace(random.trace);
	random_trace_release(&random);
}

static void
finds_what_a_scan_finds_in_random_traces(void **state)
{
	(void)state;
	random_each_seed(20, check_random);
}

/* ---- words, and the ways to a search */

static uint64_t
count_of(const struct trace *trace, const char *text)
{
	struct error note = { 0 };
	struct search *search = search_new(trace, text, &note);
	if (search == NULL)
		fail_msg("%s: %s", text, note.message);
	uint64_t count = search_count(search);
	search_free(search);
	return count;
}

static void
a_word_is_a_search(void **state)
{
	(void)state;
	struct trace *trace = testing_load("contention-go1.23");
	uint64_t all = count_of(trace, "=!nothing-has-this"), main = count_of(trace, "main");
	assert_true(main > 0 && main < all);
	assert_int_equal(count_of(trace, "=main"), main);
	assert_int_equal(count_of(trace, "=!main"), all - main);
	assert_int_equal(count_of(trace, "=main !main"), 0);
	assert_int_equal(count_of(trace, "=main | !main"), all);
	assert_int_equal(count_of(trace, "=\"chan receive\""), count_of(trace, "chan receive"));
	assert_int_equal(count_of(trace, "=main state=blocked") + count_of(trace, "=main !state=blocked"),
		main);
	assert_int_equal(count_of(trace, "=main.(*x)"), count_of(trace, "main.(*x)"));
	trace_free(trace);
}

static void
a_job_takes_a_query(void **state)
{
	(void)state;
	struct trace *trace = testing_load("contention-go1.23");
	struct error note;
	struct search *search = NULL;
	error_clear(&note);
	assert_null(search_job_start(trace, "state=x", NULL, NULL, &note));
	assert_int_equal(note.offset_bytes, 6);
	error_clear(&note);
	struct search_job *job = search_job_start(trace, "state=blocked dur>10us", NULL, NULL, &note);
	assert_non_null(job);
	while (!search_job_take(job, &search, &note))
		continue;
	search_job_end(job);
	assert_int_equal(search_count(search), count_of(trace, "state=blocked dur>10us"));
	search_free(search);
	trace_free(trace);
}

/* Every text of it is too much for the pattern; a few are tried for longer. */
static void
a_hostile_pattern_ends(void **state)
{
	(void)state;
	struct trace *trace = testing_load("httpserver-go1.23");
	count_of(trace, "func~((a|aa|.)*)*$x region~(.*)*b\\1$ | log~(a+)+$ (([a-z]+)*)*!");
	trace_free(trace);
}

static struct trace *failing_trace;

static bool
query_once(struct error *err)
{
	struct search *search = search_new(failing_trace,
		"=main name~a func~b region~c | task~d !(label=e | log=f) dur>1ns gc=assist", err);
	search_free(search);
	return search != NULL;
}

static void
reports_want_of_memory(void **state)
{
	(void)state;
	failing_trace = testing_load("seed-go122");
	assert_true(fail_each_allocation("query", query_once) > 10);
	trace_free(failing_trace);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(tells_what_is_wrong_and_where),
		cmocka_unit_test(messages_have_the_words_of_the_trace),
		cmocka_unit_test(a_pattern_that_is_none_is_text_with_a_note),
		cmocka_unit_test(knows_a_query_by_its_beginning),
		cmocka_unit_test(what_is_typed_is_completed_and_described),
		cmocka_unit_test(limits_hold),
		cmocka_unit_test(finds_what_a_scan_finds),
		cmocka_unit_test(finds_what_a_scan_finds_in_random_traces),
		cmocka_unit_test(a_word_is_a_search),
		cmocka_unit_test(a_job_takes_a_query),
		cmocka_unit_test(a_hostile_pattern_ends),
		cmocka_unit_test(reports_want_of_memory),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

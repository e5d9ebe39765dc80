/*
 * Our tables of goroutines, tasks and regions against the pages of Go's own viewer. Where Go's
 * numbers are plainly not those of the program, ours are, and the difference is one of these
 * quirks, each of which must occur:
 */
#include <inttypes.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "analysis/regions.h"
#include "analysis/task_events.h"
#include "analysis/task_types.h"
#include "base/compiler.h"
#include "base/memory.h"
#include "trace/lane.h"
#include "trace/lane_name.h"
#include "trace/task_times.h"
#include "tracetesting.h"

enum quirk {
	QUIRK_MENTION,
	QUIRK_NAME,
	QUIRK_INHERITED,
	QUIRK_BACKGROUND,
	QUIRK_LEFT_OPEN,
	QUIRK_COUNT
};

static const char *const quirks[QUIRK_COUNT] = {
	[QUIRK_MENTION] = "Go calls unknown what an old goroutine did before it is mentioned",
	[QUIRK_NAME] = "Go learns names of goroutines only from stacks of their own events",
	[QUIRK_INHERITED] = "Go makes a nameless region of a goroutine created within a region",
	[QUIRK_BACKGROUND] = "Go makes a nameless task of what belongs to none",
	[QUIRK_LEFT_OPEN] = "Go tells no end of a region that ends with its goroutine",
};

static unsigned seen[QUIRK_COUNT];

struct pages {
	const char *name;
	struct trace *trace;
	struct facts facts;
	struct actor_times goroutines, regions;
	struct task_types tasks;
	int64_t tail_ns; /* by which Go's last event is later: it counts a Sync */
};

static bool
is_fact(const struct fact *fact, const char *which)
{
	return strcmp(fact->fields[0], which) == 0;
}

static void
init(struct pages *pages, const char *name)
{
	struct facts oracle;
	struct error err = { 0 };
	*pages = (struct pages){ .name = name, .trace = testing_load(name) };
	const struct trace *trace = pages->trace;
	int64_t end_ns = trace->end_ns + 1;
	facts_read(&pages->facts, name, ".pages.txt");
	facts_read(&oracle, name, ".oracle.txt");
	pages->tail_ns = facts_single(&oracle, "first_time") + facts_single(&oracle, "span_ns") -
			 trace->origin_ns - trace->end_ns;
	facts_release(&oracle);
	struct actors_scope scope = { .t1_ns = end_ns };
	assert_true(actors_build(&pages->goroutines, trace, &scope, &err));
	assert_true(regions_build(&pages->regions, trace, &scope, &err));
	const struct task_scope of_tasks = { .t1_ns = end_ns };
	assert_true(task_types_build(&pages->tasks, trace, &of_tasks, &err));
}

static void
release(struct pages *pages)
{
	actors_release(&pages->goroutines);
	actors_release(&pages->regions);
	task_types_release(&pages->tasks);
	facts_release(&pages->facts);
	trace_free(pages->trace);
}

/* ---- times */

/* What a row of a page says, by our measures; ours less Go's. */
struct difference {
	int64_t by_measure[MEASURE_MOST];
	int64_t total_ns, unknown_ns; /* unknown to Go */
};

/* The measure of a column, MEASURE_LIFE where we have none. */
static uint32_t
measure_of(const struct pages *pages, const struct actor_times *times, const char *title)
{
	static const struct {
		const char *title;
		uint32_t measure;
	} fixed[] = {
		{ "Execution time", MEASURE_RUNNING },
		{ "Sched wait time", MEASURE_READY },
		{ "Syscall execution time", MEASURE_SYSCALL },
		{ "Block time (syscall)", MEASURE_SYSCALL },
		{ "Unknown time", MEASURE_UNKNOWN },
		{ "GC mark assist", MEASURE_ASSIST },
		{ "GC incremental sweep", MEASURE_SWEEP },
	};
	static const char prefix[] = "Block time (";
	for (size_t i = 0; i < ARRAY_LENGTH(fixed); i++)
		if (strcmp(fixed[i].title, title) == 0)
			return fixed[i].measure;
	if (strncmp(title, prefix, strlen(prefix)) != 0)
		return MEASURE_LIFE;
	for (uint32_t i = 0; i < times->reason_count; i++) {
		size_t length;
		const char *reason = trace_text(pages->trace, times->reasons[i], &length);
		if (strncmp(title + strlen(prefix), reason, length) == 0 &&
			strcmp(title + strlen(prefix) + length, ")") == 0)
			return MEASURE_REASONS + i;
	}
	fail_msg("%s: nobody is ever blocked for \"%s\"", pages->name, title);
	return MEASURE_LIFE;
}

static uint32_t
measure_of_span(const struct actor_times *times, const struct span *span)
{
	for (uint32_t i = 0; span->kind->state == STATE_BLOCKED && i < times->reason_count; i++)
		if (times->reasons[i] == span->kind->reason)
			return MEASURE_REASONS + i;
	return span->kind->state == STATE_RUNNING   ? MEASURE_RUNNING
	       : span->kind->state == STATE_READY   ? MEASURE_READY
	       : span->kind->state == STATE_SYSCALL ? MEASURE_SYSCALL
						    : MEASURE_UNKNOWN;
}

/* What an old goroutine was in when the trace began; false for others. */
static bool
find_old_span(const struct pages *pages, actor_ref goroutine, struct span *span)
{
	return trace_actor(pages->trace, goroutine)->first_ns == 0 &&
	       lane_span_at(pages->trace, (struct lane){ LANE_ACTOR, goroutine }, 0, span);
}

/* The state that a goroutine was in at the end goes on for Go until its last event. */
static void
add_tail(const struct pages *pages, const struct actor_times *times, actor_ref goroutine,
	struct difference *difference)
{
	struct lane lane = { LANE_ACTOR, goroutine };
	struct span last;
	if (trace_actor(pages->trace, goroutine)->end_ns != TIME_OPEN ||
		!lane_previous(pages->trace, lane, INT64_MAX, CLASS_MASK_ALL, &last))
		return;
	difference->by_measure[measure_of_span(times, &last)] += pages->tail_ns;
	difference->total_ns += pages->tail_ns;
}

/* Takes the lines behind a row; returns the index of the first that is none of its. */
static size_t
subtract(const struct pages *pages, const struct actor_times *times, size_t line,
	struct difference *difference)
{
	for (; line < pages->facts.count && is_fact(&pages->facts.lines[line], "time"); line++) {
		const struct fact *fact = &pages->facts.lines[line];
		uint32_t measure = measure_of(pages, times, fact->fields[2]);
		difference->by_measure[measure] -= fact_number(fact, 1, 0);
		if (measure == MEASURE_UNKNOWN)
			difference->unknown_ns += fact_number(fact, 1, 0);
	}
	return line;
}

static struct difference
ours(const struct actor_times *times, uint32_t row)
{
	struct difference difference = { .total_ns = actors_time(times, row, MEASURE_LIFE) };
	for (uint32_t i = MEASURE_RUNNING; i < MEASURE_REASONS + times->reason_count; i++)
		difference.by_measure[i] = actors_time(times, row, i);
	difference.by_measure[MEASURE_BLOCKED] = 0; /* its reasons are there */
	difference.by_measure[MEASURE_ASSIST] = difference.by_measure[MEASURE_SWEEP] = 0;
	difference.by_measure[MEASURE_ASSISTING] = 0; /* it is a part of running */
	return difference;
}

/* Moves what Go calls unknown of a first span to its state. */
static void
take_mention(const struct actor_times *times, const struct span *old,
	struct difference *difference)
{
	uint32_t measure = measure_of_span(times, old);
	int64_t moved_ns = -difference->by_measure[MEASURE_UNKNOWN];
	if (moved_ns <= 0 || moved_ns > old->end_ns - old->start_ns)
		return;
	difference->by_measure[measure] -= moved_ns;
	difference->by_measure[MEASURE_UNKNOWN] = 0;
	seen[QUIRK_MENTION]++;
}

static bool
is_explained(const struct actor_times *times, const struct difference *difference)
{
	uint32_t measures = MEASURE_REASONS + times->reason_count;
	for (uint32_t i = MEASURE_RUNNING; i < measures; i++)
		if (difference->by_measure[i] != 0)
			return false;
	return difference->total_ns == 0;
}

static void
refuse(const struct pages *pages, const struct actor_times *times, const char *what, int64_t id,
	const struct difference *difference)
{
	char list[1000];
	int used = snprintf(list, sizeof list, "in all %" PRId64, difference->total_ns);
	for (uint32_t i = MEASURE_RUNNING; i < MEASURE_REASONS + times->reason_count; i++)
		if (difference->by_measure[i] != 0)
			used += snprintf(list + used, sizeof list - (size_t)used,
				", measure %u by %" PRId64, i, difference->by_measure[i]);
	fail_msg("%s: %s %" PRId64 " differs from Go's: %s", pages->name, what, id, list);
}

/* ---- goroutines */

static uint32_t
row_of(const struct pages *pages, int64_t id)
{
	actor_ref goroutine = trace_find_actor(pages->trace, id);
	uint32_t row = 0;
	while (row < pages->goroutines.row_count &&
		pages->goroutines.rows[row].actor != goroutine)
		row++;
	assert_true(row < pages->goroutines.row_count);
	return row;
}

/* `goroutine ID TOTAL`, then `time NS COLUMN` */
static size_t
check_goroutine(const struct pages *pages, size_t line)
{
	const struct actor_times *times = &pages->goroutines;
	const struct fact *fact = &pages->facts.lines[line];
	int64_t id = fact_number(fact, 1, -1);
	uint32_t row = row_of(pages, id);
	actor_ref goroutine = times->rows[row].actor;
	struct difference difference = ours(times, row);
	struct span old;
	difference.total_ns -= fact_number(fact, 2, -1);
	add_tail(pages, times, goroutine, &difference);
	line = subtract(pages, times, line + 1, &difference);
	if (find_old_span(pages, goroutine, &old))
		take_mention(times, &old, &difference);
	if (!is_explained(times, &difference))
		refuse(pages, times, "goroutine", id, &difference);
	return line;
}

/* `range GOROUTINE NS NAME`; who stopped the world is told elsewhere. */
static void
check_range(const struct pages *pages, const struct fact *fact)
{
	uint32_t measure = measure_of(pages, &pages->goroutines, fact->fields[3]);
	int64_t id = fact_number(fact, 1, -1);
	if (measure == MEASURE_LIFE)
		return;
	int64_t got_ns = actors_time(&pages->goroutines, row_of(pages, id), measure);
	if (got_ns != fact_number(fact, 2, -1))
		fail_msg("%s: %s of goroutine %" PRId64 ": got %" PRId64 ", Go has %s", pages->name,
			fact->fields[3], id, got_ns, fact->fields[2]);
}

static const struct actor_function *
find_function(const struct pages *pages, const char *name)
{
	for (uint32_t i = 0; i < pages->goroutines.function_count; i++) {
		const struct actor_function *function = &pages->goroutines.functions[i];
		size_t length;
		const char *text = trace_text(pages->trace, function->name, &length);
		if (fact_string_is(name, text, length))
			return function;
	}
	return NULL;
}

/* Of those that ran when the trace began Go may call that unknown. */
static void
check_running(
	const struct pages *pages, const struct actor_function *function, const struct fact *fact)
{
	const struct actor_times *times = &pages->goroutines;
	int64_t off_ns = function->running_ns - fact_number(fact, 2, -1);
	int64_t old_ns = 0;
	for (uint32_t i = function->first; i < function->first + function->count; i++) {
		actor_ref goroutine = times->rows[i].actor;
		struct difference difference = { 0 };
		struct span old;
		add_tail(pages, times, goroutine, &difference);
		off_ns += difference.by_measure[MEASURE_RUNNING];
		if (find_old_span(pages, goroutine, &old) && old.kind->state == STATE_RUNNING)
			old_ns += old.end_ns - old.start_ns;
	}
	if (off_ns < 0 || off_ns > old_ns)
		fail_msg("%s: %s ran for %" PRId64 ", Go has %s", pages->name, fact->fields[3],
			function->running_ns, fact->fields[2]);
}

/* `group COUNT RUNNING NAME` */
static void
check_group(const struct pages *pages, const struct fact *fact)
{
	const struct actor_function *function = find_function(pages, fact->fields[3]);
	int64_t count = function != NULL ? function->count : 0, wanted = fact_number(fact, 1, -1);
	bool is_nameless = fact->fields[3][0] == '\0';
	/* Those whose name Go does not know are with the others here. */
	seen[QUIRK_NAME] += count != wanted;
	if (is_nameless ? count > wanted : count < wanted)
		fail_msg("%s: %" PRId64 " goroutines of %s, Go has %s", pages->name, count,
			fact->fields[3], fact->fields[1]);
	if (function != NULL && count == wanted)
		check_running(pages, function, fact);
}

static void
check_goroutines(const struct pages *pages)
{
	int64_t grouped = 0;
	for (size_t line = 0; line < pages->facts.count;) {
		const struct fact *fact = &pages->facts.lines[line];
		if (is_fact(fact, "goroutine")) {
			line = check_goroutine(pages, line);
			continue;
		}
		if (is_fact(fact, "range"))
			check_range(pages, fact);
		if (is_fact(fact, "group")) {
			check_group(pages, fact);
			grouped += fact_number(fact, 1, -1);
		}
		line++;
	}
	/* Names or not, they are as many. */
	assert_int_equal(grouped, pages->goroutines.row_count);
}

/* ---- histograms */

enum { MOST_BUCKETS = 120 };

/* Five buckets for each power of ten. */
static void
count_bucket(uint64_t counts[MOST_BUCKETS], int64_t duration_ns)
{
	int bucket = duration_ns > 0 ? (int)(log((double)duration_ns) / (log(10) / 5)) : 0;
	assert_in_range(bucket, 0, MOST_BUCKETS - 1);
	counts[bucket]++;
}

/* `bucket FROM COUNT`, those with none left out; returns the line behind them. */
static size_t
check_buckets(const struct pages *pages, size_t line, const uint64_t counts[MOST_BUCKETS])
{
	for (int i = 0; i < MOST_BUCKETS; i++) {
		int64_t edge_ns = (int64_t)exp(i * log(10) / 5);
		if (counts[i] == 0)
			continue;
		const struct fact *fact = &pages->facts.lines[line++];
		/* Logarithms of two libraries may differ in the last bit. */
		if (!is_fact(fact, "bucket") || llabs(fact_number(fact, 1, -1) - edge_ns) > 1 ||
			fact_number(fact, 2, -1) != (int64_t)counts[i])
			fail_msg("%s: %" PRIu64 " of at least %" PRId64 " ns, Go has %s of %s",
				pages->name, counts[i], edge_ns, fact->fields[2], fact->fields[1]);
	}
	if (line < pages->facts.count && is_fact(&pages->facts.lines[line], "bucket"))
		fail_msg("%s: Go has %s of at least %s ns, here there is none", pages->name,
			pages->facts.lines[line].fields[2], pages->facts.lines[line].fields[1]);
	return line;
}

/* ---- regions */

static uint64_t
pc_of(const struct trace *trace, const struct actor_function *group)
{
	return group->stack != STACK_NONE ? stack_leaf(&trace->stacks, group->stack)->pc : 0;
}

static const struct actor_function *
find_regions(const struct pages *pages, const char *pc, const char *name)
{
	for (uint32_t i = 0; i < pages->regions.function_count; i++) {
		const struct actor_function *group = &pages->regions.functions[i];
		size_t length;
		const char *text = trace_text(pages->trace, group->name, &length);
		if (strtoull(pc, NULL, 16) == pc_of(pages->trace, group) && fact_string_is(name, text, length))
			return group;
	}
	return NULL;
}

/* Goroutines that are created there. */
static int64_t
count_created(const struct trace *trace, const char *pc)
{
	int64_t count = 0;
	for (actor_ref i = 0; i < trace_actor_count(trace); i++) {
		stack_id stack = trace_actor(trace, i)->create_stack;
		count += stack != STACK_NONE &&
			 stack_leaf(&trace->stacks, stack)->pc == strtoull(pc, NULL, 16);
	}
	return count;
}

/* `regions COUNT PC NAME`, then `bucket FROM COUNT` */
static void
check_regions(const struct pages *pages, size_t line)
{
	const struct fact *fact = &pages->facts.lines[line];
	const struct actor_function *group =
		find_regions(pages, fact->fields[2], fact->fields[3]);
	uint64_t counts[MOST_BUCKETS] = { 0 };
	if (group == NULL && fact->fields[3][0] == '\0' &&
		count_created(pages->trace, fact->fields[2]) >= fact_number(fact, 1, -1)) {
		seen[QUIRK_INHERITED]++;
		return;
	}
	if (group == NULL || group->count != fact_number(fact, 1, -1))
		fail_msg("%s: %u regions %s at %s, Go has %s", pages->name,
			group != NULL ? group->count : 0, fact->fields[3], fact->fields[2],
			fact->fields[1]);
	for (uint32_t i = group->first; i < group->first + group->count; i++) {
		const struct range *region =
			trace_range(pages->trace, pages->regions.rows[i].region);
		int64_t end_ns = trace_range_end_ns(pages->trace, region);
		count_bucket(counts, end_ns - region->start_ns +
					     (region->end_ns == TIME_OPEN ? pages->tail_ns : 0));
	}
	check_buckets(pages, line + 1, counts);
}

/* `region GOROUTINE TASK TOTAL`, then `time NS COLUMN`; each of ours is taken once. */
static size_t
check_region(const struct pages *pages, const struct actor_function *group, size_t line,
	bool *is_taken)
{
	const struct actor_times *times = &pages->regions;
	const struct fact *fact = &pages->facts.lines[line];
	for (uint32_t i = group->first; i < group->first + group->count; i++) {
		const struct actor_row *row = &times->rows[i];
		const struct range *region = trace_range(pages->trace, row->region);
		int64_t task = region->task == REF_NONE ? 0
							: trace_task(pages->trace, region->task)->id;
		struct difference difference = ours(times, i);
		difference.total_ns -= fact_number(fact, 3, -1);
		if (region->end_ns == TIME_OPEN)
			add_tail(pages, times, row->actor, &difference);
		if (is_taken[i] || task != fact_number(fact, 2, -1) || difference.total_ns != 0 ||
			trace_actor(pages->trace, row->actor)->id !=
				fact_number(fact, 1, -1))
			continue;
		size_t behind = subtract(pages, times, line + 1, &difference);
		if (!is_explained(times, &difference))
			refuse(pages, times, "a region of goroutine", fact_number(fact, 1, -1),
				&difference);
		is_taken[i] = true;
		return behind;
	}
	fail_msg("%s: Go has a region %s of goroutine %s and task %s in %s ns", pages->name,
		fact->fields[0], fact->fields[1], fact->fields[2], fact->fields[3]);
	return line;
}

/* The lines behind `regionpage PC NAME` */
static void
check_region_page(const struct pages *pages, size_t line)
{
	const struct fact *fact = &pages->facts.lines[line++];
	const struct actor_function *group =
		find_regions(pages, fact->fields[1], fact->fields[2]);
	struct error err = { 0 };
	if (group == NULL)
		return; /* told above */
	bool *is_taken = array_new(pages->regions.row_count, sizeof *is_taken, &err);
	uint32_t count = 0;
	for (; line < pages->facts.count && is_fact(&pages->facts.lines[line], "region"); count++)
		line = check_region(pages, group, line, is_taken);
	assert_int_equal(count, group->count);
	memory_free(is_taken);
}

static void
check_all_regions(const struct pages *pages)
{
	for (size_t line = 0; line < pages->facts.count; line++) {
		if (is_fact(&pages->facts.lines[line], "regions"))
			check_regions(pages, line);
		if (is_fact(&pages->facts.lines[line], "regionpage"))
			check_region_page(pages, line);
	}
}

/* ---- tasks */

static const struct task_type *
find_type(const struct pages *pages, const char *name)
{
	for (uint32_t i = 0; i < pages->tasks.type_count; i++) {
		size_t length;
		const char *text =
			trace_text(pages->trace, pages->tasks.types[i].name, &length);
		if (fact_string_is(name, text, length))
			return &pages->tasks.types[i];
	}
	return NULL;
}

/* `tasks COUNT NAME`, then `bucket FROM COUNT` of the complete ones */
static void
check_type(const struct pages *pages, size_t line)
{
	const struct fact *fact = &pages->facts.lines[line];
	const struct task_type *type = find_type(pages, fact->fields[2]);
	uint64_t counts[MOST_BUCKETS] = { 0 };
	int64_t count = type != NULL ? type->count : 0, wanted = fact_number(fact, 1, -1);
	if (count + 1 == wanted && fact->fields[2][0] == '\0') {
		seen[QUIRK_BACKGROUND]++;
		wanted--;
	}
	if (count != wanted)
		fail_msg("%s: %" PRId64 " tasks %s, Go has %s", pages->name, count, fact->fields[2],
			fact->fields[1]);
	for (uint32_t i = 0; type != NULL && i < type->complete; i++)
		count_bucket(counts, pages->tasks.durations_ns[type->first + i]);
	check_buckets(pages, line + 1, counts);
}

struct told {
	int64_t time_ns, goroutine;
	const char *kind;
};

static int
compare_told(const void *a, const void *b)
{
	const struct told *left = a, *right = b;
	if (left->time_ns != right->time_ns)
		return left->time_ns < right->time_ns ? -1 : 1;
	if (left->goroutine != right->goroutine)
		return left->goroutine < right->goroutine ? -1 : 1;
	return strcmp(left->kind, right->kind);
}

/* What a task tells of itself, without the tasks below it. */
static size_t
list_events(const struct pages *pages, const struct task_index *index, task_ref task,
	struct told **list)
{
	static const char *const kinds[] = {
		[TASK_EVENT_BEGIN] = "task_begin",
		[TASK_EVENT_REGION_BEGIN] = "region_begin",
		[TASK_EVENT_LOG] = "log",
		[TASK_EVENT_REGION_END] = "region_end",
		[TASK_EVENT_END] = "task_end",
	};
	struct task_life life = { 0 };
	struct task_events events = { 0 };
	struct error err = { 0 };
	size_t count = 0;
	assert_true(task_life_find_works(&life, pages->trace, index, task, &err) &&
		    task_events_build(&events, pages->trace, index, &life, &err));
	*list = array_new(events.count, sizeof **list, &err);
	for (size_t i = 0; i < events.count; i++) {
		const struct task_event *event = &events.items[i];
		if (event->task != task)
			continue;
		(*list)[count++] = (struct told){
			event->time_ns,
			event->actor == REF_NONE
				? -1
				: trace_actor(pages->trace, event->actor)->id,
			kinds[event->type],
		};
	}
	task_events_release(&events);
	task_life_release(&life);
	return count;
}

static bool
ends_with_goroutine(const struct pages *pages, const struct told *told)
{
	actor_ref goroutine = trace_find_actor(pages->trace, told->goroutine);
	return strcmp(told->kind, "region_end") == 0 &&
	       trace_actor(pages->trace, goroutine)->end_ns == told->time_ns;
}

/* Of a region that no event ends the page has what ended its goroutine. */
static void
match_told(const struct pages *pages, int64_t id, const struct told *got, size_t count,
	const struct told *wanted, size_t wanted_count)
{
	for (size_t i = 0; i < wanted_count; i++) {
		bool is_there = i < count && got[i].time_ns == wanted[i].time_ns &&
				got[i].goroutine == wanted[i].goroutine;
		bool is_left_open = strcmp(wanted[i].kind, "other") == 0;
		if (!is_there || (is_left_open ? !ends_with_goroutine(pages, &got[i])
					       : strcmp(got[i].kind, wanted[i].kind) != 0))
			fail_msg("%s: task %" PRId64 ": Go has %s at %" PRId64, pages->name, id,
				wanted[i].kind, wanted[i].time_ns);
		seen[QUIRK_LEFT_OPEN] += is_left_open;
	}
	if (count > wanted_count)
		fail_msg("%s: task %" PRId64 ": Go has no %s at %" PRId64, pages->name, id,
			got[wanted_count].kind, got[wanted_count].time_ns);
}

/* `event TIME GOROUTINE KIND`; returns the line behind them. */
static size_t
check_events(const struct pages *pages, const struct task_index *index, task_ref task, size_t line)
{
	struct told *got;
	struct error err = { 0 };
	size_t count = list_events(pages, index, task, &got), wanted_count = 0;
	struct told *wanted = array_new(pages->facts.count, sizeof *wanted, &err);
	for (; line < pages->facts.count && is_fact(&pages->facts.lines[line], "event"); line++) {
		const struct fact *fact = &pages->facts.lines[line];
		wanted[wanted_count++] = (struct told){ fact_number(fact, 1, -1),
			fact_number(fact, 2, -1), fact->fields[3] };
	}
	qsort(got, count, sizeof *got, compare_told);
	qsort(wanted, wanted_count, sizeof *wanted, compare_told);
	match_told(pages, trace_task(pages->trace, task)->id, got, count, wanted, wanted_count);
	memory_free(got);
	memory_free(wanted);
	return line;
}

/* `task ID START DURATION COMPLETE`, then its events */
static size_t
check_task(const struct pages *pages, const struct task_index *index, size_t line)
{
	const struct fact *fact = &pages->facts.lines[line];
	int64_t id = fact_number(fact, 1, -1);
	task_ref ref = lane_find_task(pages->trace, id);
	if (id == 0) {
		seen[QUIRK_BACKGROUND]++;
		return line + 1;
	}
	if (ref == REF_NONE)
		fail_msg("%s: no task %" PRId64, pages->name, id);
	const struct task *task = trace_task(pages->trace, ref);
	int64_t start_ns = task_start_ns(pages->trace, ref);
	int64_t end_ns = task_end_ns(pages->trace, ref) +
			 (task->end_ns == TIME_OPEN ? pages->tail_ns : 0);
	bool is_complete = strcmp(fact->fields[4], "complete") == 0;
	if (start_ns != fact_number(fact, 2, -1) ||
		end_ns - start_ns != fact_number(fact, 3, -1) ||
		is_complete != task_is_complete(task))
		fail_msg("%s: task %" PRId64 ": %" PRId64 " from %" PRId64 ", Go has %s from %s",
			pages->name, id, end_ns - start_ns, start_ns, fact->fields[3],
			fact->fields[2]);
	return check_events(pages, index, ref, line + 1);
}

static void
check_tasks(const struct pages *pages)
{
	struct task_index index;
	struct error err = { 0 };
	assert_true(task_index_build(&index, pages->trace, NULL, &err));
	for (size_t line = 0; line < pages->facts.count;) {
		if (is_fact(&pages->facts.lines[line], "tasks"))
			check_type(pages, line);
		if (is_fact(&pages->facts.lines[line], "task"))
			line = check_task(pages, &index, line);
		else
			line++;
	}
	task_index_release(&index);
}

/* ---- all of them */

static void
check_trace(const char *name)
{
	struct pages pages;
	init(&pages, name);
	check_goroutines(&pages);
	check_all_regions(&pages);
	check_tasks(&pages);
	release(&pages);
}

static void
tables_equal_the_pages_of_go(void **state)
{
	(void)state;
	testing_each(".pages.txt", check_trace);
	for (int i = 0; i < QUIRK_COUNT; i++)
		if (seen[i] == 0)
			fail_msg("does not occur: %s", quirks[i]);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(tables_equal_the_pages_of_go),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

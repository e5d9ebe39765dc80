/*
 * Real traces against what Go's own reader says of them: the lines of the
 * testdata files NAME.counts.txt (Go 1.26's reader) and NAME.oracle.txt (Go
 * 1.23's); testdata/README.md tells what they mean. Those that follow from
 * plain counting of events are compared here.
 */
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/compiler.h"
#include "base/ids.h"
#include "base/text.h"
#include "source/go/reader.h"

static const char *const kind_names[GO_EVENT_KIND_COUNT] = {
	"Sync", "Metric", "Label", "StackSample", "RangeBegin", "RangeActive", "RangeEnd",
	"TaskBegin", "TaskEnd", "RegionBegin", "RegionEnd", "Log", "StateTransition",
	"StateTransition", "Experimental",
};

static const char *const go_states[] = {
	"Undetermined", "NotExist", "Runnable", "Running", "Waiting", "Syscall",
};

static const char *const proc_states[] = { "Undetermined", "NotExist", "Running", "Idle" };

static const char *const metric_names[GO_METRIC_COUNT] = {
	"/sched/gomaxprocs:threads",
	"/memory/classes/heap/objects:bytes",
	"/gc/heap/goal:bytes",
};

static const struct {
	const char *name, *scope;
} range_names[GO_RANGE_COUNT] = {
	[GO_RANGE_STW] = { "stop-the-world (", "Goroutine" },
	[GO_RANGE_GC_MARK] = { "GC concurrent mark phase", "None" },
	[GO_RANGE_GC_SWEEP] = { "GC incremental sweep", "Proc" },
	[GO_RANGE_MARK_ASSIST] = { "GC mark assist", "Goroutine" },
};

struct metric_tally {
	uint64_t count, min, max, last;
};

/* Ranges of one type and detail. */
struct range_tally {
	enum go_range range;
	string_id detail;
	uint64_t begins, actives, ends;
};

struct reason_tally {
	string_id reason;
	uint64_t count;
};

enum { TALLIES_MAX = 64 };

struct tally {
	uint64_t hidden_syncs;   /* of the first ones, that the Go of the answers did not have */
	bool has_lanes;          /* the lanes of a v1 trace are counted as procs */
	uint64_t events;
	int64_t first_ns, last_ns;
	uint64_t kinds[GO_EVENT_KIND_COUNT];
	uint64_t go_transitions[6][6], proc_transitions[4][4];
	struct metric_tally metrics[GO_METRIC_COUNT];
	struct range_tally ranges[TALLIES_MAX];
	size_t range_count;
	struct reason_tally reasons[TALLIES_MAX];
	size_t reason_count;
	struct id_map threads, procs, goroutines;
	struct intern strings;
	struct stack_table stacks;
};

static void
note_id(struct id_map *ids, int64_t id)
{
	struct error err = { 0 };
	if (id != GO_ID_NONE && id_map_find(ids, (uint64_t)id) == MAP_NONE)
		assert_true(id_map_add(ids, (uint64_t)id, 0, &err));
}

static void
count_metric(struct metric_tally *metric, uint64_t value)
{
	if (metric->count == 0 || value < metric->min)
		metric->min = value;
	if (value > metric->max)
		metric->max = value;
	metric->last = value;
	metric->count++;
}

static struct range_tally *
range_of(struct tally *tally, const struct go_event *event)
{
	for (size_t i = 0; i < tally->range_count; i++) {
		struct range_tally *range = &tally->ranges[i];
		if (range->range == event->u.range.range &&
		    range->detail == event->u.range.detail)
			return range;
	}
	assert_true(tally->range_count < TALLIES_MAX);
	struct range_tally *range = &tally->ranges[tally->range_count++];
	range->range = event->u.range.range;
	range->detail = event->u.range.detail;
	return range;
}

static void
count_reason(struct tally *tally, string_id reason)
{
	size_t i = 0;
	while (i < tally->reason_count && tally->reasons[i].reason != reason)
		i++;
	assert_true(i < TALLIES_MAX);
	if (i == tally->reason_count)
		tally->reasons[tally->reason_count++].reason = reason;
	tally->reasons[i].count++;
}

static void
count_transition(struct tally *tally, const struct go_event *event)
{
	if (event->kind == GO_EVENT_PROC) {
		note_id(&tally->procs, event->u.proc.id);
		tally->proc_transitions[event->u.proc.from][event->u.proc.to]++;
		return;
	}
	note_id(&tally->goroutines, event->u.goroutine.id);
	tally->go_transitions[event->u.goroutine.from][event->u.goroutine.to]++;
	if (event->u.goroutine.to == GO_WAITING)
		count_reason(tally, event->u.goroutine.reason);
}

static bool
count_event(void *context, const struct go_event *event, struct error *err)
{
	struct tally *tally = context;
	(void)err;
	if (event->kind == GO_EVENT_SYNC && event->u.sync.number <= tally->hidden_syncs)
		return true;
	if (tally->events++ == 0)
		tally->first_ns = event->time_ns;
	tally->last_ns = event->time_ns;
	tally->kinds[event->kind]++;
	note_id(&tally->threads, event->m);
	if (tally->has_lanes && event->p >= GO_PROC_TIMERS)
		note_id(&tally->procs, event->p);
	if (event->kind == GO_EVENT_GOROUTINE || event->kind == GO_EVENT_PROC)
		count_transition(tally, event);
	if (event->kind == GO_EVENT_METRIC)
		count_metric(&tally->metrics[event->u.metric.metric], event->u.metric.value);
	if (event->kind == GO_EVENT_RANGE_BEGIN)
		range_of(tally, event)->begins++;
	if (event->kind == GO_EVENT_RANGE_ACTIVE)
		range_of(tally, event)->actives++;
	if (event->kind == GO_EVENT_RANGE_END)
		range_of(tally, event)->ends++;
	return true;
}

/* ---- the same facts as lines */

static bool
print_kind(const struct tally *tally, const char *name, struct text *out)
{
	uint64_t count = 0;
	for (size_t i = 0; i < GO_EVENT_KIND_COUNT; i++)
		count += strcmp(kind_names[i], name) == 0 ? tally->kinds[i] : 0;
	text_format(out, "kind\t%" PRIu64 "\t%s", count, name);
	return true;
}

static size_t
index_of(const char *name, size_t length, const char *const *names, size_t count)
{
	size_t i = 0;
	while (i < count && (strlen(names[i]) != length || memcmp(names[i], name, length) != 0))
		i++;
	assert_true(i < count);
	return i;
}

/* `pair` is "FROM\tTO". */
static bool
print_transition(const struct tally *tally, const char *pair, bool is_processor, struct text *out)
{
	const char *const *names = is_processor ? proc_states : go_states;
	size_t count = is_processor ? ARRAY_LENGTH(proc_states) : ARRAY_LENGTH(go_states);
	size_t length = strcspn(pair, "\t");
	size_t from = index_of(pair, length, names, count);
	size_t to = index_of(pair + length + 1, strlen(pair + length + 1), names, count);
	text_format(out, "%s_transition\t%" PRIu64 "\t%s", is_processor ? "proc" : "goroutine",
	         is_processor ? tally->proc_transitions[from][to] : tally->go_transitions[from][to],
	         pair);
	return true;
}

static bool
print_metric(const struct tally *tally, const char *name, struct text *out)
{
	const struct metric_tally *metric =
		&tally->metrics[index_of(name, strlen(name), metric_names, GO_METRIC_COUNT)];
	text_format(out, "metric\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\t%s",
	         metric->count, metric->min, metric->max, metric->last, name);
	return true;
}

/* `what` is "SCOPE\tNAME". */
static bool
print_range(const struct tally *tally, const char *what, struct text *out)
{
	char name[200];
	for (size_t i = 0; i < tally->range_count; i++) {
		const struct range_tally *range = &tally->ranges[i];
		snprintf(name, sizeof(name), "%s\t%s%s%s", range_names[range->range].scope,
		         range_names[range->range].name,
		         intern_text(&tally->strings, range->detail, NULL),
		         range->range == GO_RANGE_STW ? ")" : "");
		if (strcmp(name, what) != 0)
			continue;
		text_format(out, "range\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\t%s",
		         range->begins, range->actives, range->ends, what);
		return true;
	}
	text_format(out, "range\tnone\t%s", what);
	return true;
}

static bool
print_reason(const struct tally *tally, const char *reason, struct text *out)
{
	uint64_t count = 0;
	for (size_t i = 0; i < tally->reason_count; i++) {
		if (strcmp(intern_text(&tally->strings, tally->reasons[i].reason, NULL),
		           reason) == 0)
			count = tally->reasons[i].count;
	}
	text_format(out, "wait_reason\t%" PRIu64 "\t%s", count, reason);
	return true;
}

static bool
print_number(const char *name, int64_t number, struct text *out)
{
	text_format(out, "%s\t%" PRId64, name, number);
	return true;
}

/* The text behind the n-th tab of a line, "" if there is none. */
static const char *
field(const char *line, unsigned n)
{
	for (; n > 0 && *line != '\0'; n--) {
		line += strcspn(line, "\t");
		line += *line == '\t';
	}
	return line;
}

/* What our line should be that says the same as this one; false when we do not count that. */
static bool
print_like(const struct tally *tally, const char *line, struct text *out)
{
	char name[40];
	snprintf(name, sizeof(name), "%.*s", (int)strcspn(line, "\t"), line);
	if (strcmp(name, "events") == 0)
		return print_number(name, (int64_t)tally->events, out);
	if (strcmp(name, "first_time") == 0)
		return print_number(name, tally->first_ns, out);
	if (strcmp(name, "span_ns") == 0)
		return print_number(name, tally->last_ns - tally->first_ns, out);
	if (strcmp(name, "threads") == 0)
		return print_number(name, (int64_t)tally->threads.added_count, out);
	if (strcmp(name, "procs") == 0)
		return print_number(name, (int64_t)tally->procs.added_count, out);
	if (strcmp(name, "goroutines") == 0)
		return print_number(name, (int64_t)tally->goroutines.added_count, out);
	if (strcmp(name, "kind") == 0)
		return print_kind(tally, field(line, 2), out);
	if (strcmp(name, "goroutine_transition") == 0)
		return print_transition(tally, field(line, 2), false, out);
	if (strcmp(name, "proc_transition") == 0)
		return print_transition(tally, field(line, 2), true, out);
	if (strcmp(name, "wait_reason") == 0)
		return print_reason(tally, field(line, 2), out);
	if (strcmp(name, "metric") == 0)
		return print_metric(tally, field(line, 5), out);
	if (strcmp(name, "range") == 0)
		return print_range(tally, field(line, 4), out);
	return false;
}

/* Returns how many lines were compared. */
static unsigned
compare_lines(const struct tally *tally, FILE *file, const char *path)
{
	struct text ours = { 0 };
	char line[2000];
	unsigned compared = 0;
	while (fgets(line, sizeof(line), file) != NULL) {
		line[strcspn(line, "\n")] = '\0';
		text_clear(&ours);
		if (!print_like(tally, line, &ours))
			continue;
		compared++;
		if (strcmp(ours.bytes, line) != 0)
			fail_msg("%s says\n%s, we say\n%s", path, line, ours.bytes);
	}
	text_release(&ours);
	return compared;
}

static void
read_trace(struct tally *tally, const char *path)
{
	const struct go_sink sink = {
		.event = count_event,
		.context = tally,
		.strings = &tally->strings,
		.stacks = &tally->stacks,
	};
	struct go_read_result result;
	struct error err = { 0 };
	struct input in;
	assert_true(intern_init(&tally->strings, &err));
	assert_true(stack_table_init(&tally->stacks, &err));
	if (!input_open_file(&in, path, &err) ||
	    !go_read(&in, &sink, NULL, &result, &err))
		fail_msg("%s: %s", path, err.message);
	assert_false(result.damage.count > 0);
	assert_int_equal(result.read_bytes, in.total_bytes);
	input_close(&in);
}

static void
release(struct tally *tally)
{
	id_map_release(&tally->threads);
	id_map_release(&tally->procs);
	id_map_release(&tally->goroutines);
	intern_release(&tally->strings);
	stack_table_release(&tally->stacks);
}

static void
check_trace(const char *name, const char *kind, uint64_t hidden_syncs)
{
	const char *directory = getenv("TTRACE_TESTDATA");
	struct tally tally = { .hidden_syncs = hidden_syncs, .has_lanes = hidden_syncs > 1 };
	char path[1000];
	assert_non_null(directory);
	snprintf(path, sizeof(path), "%s/%s.trace", directory, name);
	read_trace(&tally, path);
	snprintf(path, sizeof(path), "%s/%s.%s.txt", directory, name, kind);
	FILE *file = fopen(path, "r");
	if (file == NULL)
		fail_msg("%s is missing", path);
	unsigned compared = compare_lines(&tally, file, path);
	fclose(file);
	release(&tally);
	if (compared < 20)
		fail_msg("%s: only %u lines", path, compared);
}

static const char *const programs[] = {
	"contention", "gcheavy", "httpserver", "long", "syscalls", "tasks",
};

static void
test_go_1_26(void **state)
{
	char name[40];
	(void)state;
	for (size_t i = 0; i < ARRAY_LENGTH(programs); i++) {
		for (unsigned minor = 19; minor <= 26; minor++) {
			if (minor == 20 || minor == 21 || minor == 24 || minor == 25)
				continue;
			snprintf(name, sizeof(name), "%s-go1.%u", programs[i], minor);
			check_trace(name, "counts", 0);
		}
	}
	check_trace("allocfree-go1.26", "counts", 0);
	check_trace("samples-go1.26", "counts", 0);
	check_trace("seed-go122", "counts", 0);
}

static void
test_go_1_23(void **state)
{
	/* Go 1.23 had no Sync before the first event, and none at all for Go 1.19. */
	enum { FIRST = 1, BOTH = 2 };
	char name[40];
	(void)state;
	for (size_t i = 0; i < ARRAY_LENGTH(programs); i++) {
		snprintf(name, sizeof(name), "%s-go1.19", programs[i]);
		check_trace(name, "oracle", BOTH);
		for (unsigned minor = 22; minor <= 23; minor++) {
			snprintf(name, sizeof(name), "%s-go1.%u", programs[i], minor);
			check_trace(name, "oracle", FIRST);
		}
	}
	check_trace("seed-go122", "oracle", FIRST);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_go_1_26),
		cmocka_unit_test(test_go_1_23),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

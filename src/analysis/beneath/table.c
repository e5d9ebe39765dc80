/* What the kernel did while actors ran or were in system calls: by actor, thread, function or processor. */
#include <string.h>

#include "analysis/beneath/beneath.h"
#include "analysis/beneath/stretch.h"
#include "analysis/beneath/throttle.h"
#include "analysis/registry.h"
#include "analysis/spread.h"
#include "analysis/standstills.h"
#include "base/checked.h"
#include "base/compiler.h"
#include "base/map.h"
#include "base/memory.h"
#include "base/sort.h"
#include "base/units.h"
#include "trace/lane.h"

/* What rows are by, which stands behind the colon. */
enum by { BY_ACTOR, BY_THREAD, BY_FUNCTION, BY_PROCESSOR, BY_COUNT };

static const char *const parameters[BY_COUNT] = { "", "thread", "function", "proc" };

/* What the upper trace says of the time. */
enum upper_class { UPPER_RUNNING, UPPER_SYSCALL, UPPER_CLASSES };

static const char *const class_names[UPPER_CLASSES] = { "running", "syscall" };

enum { LONGEST_COUNT = 10 };

struct sum {
	uint32_t key;
	enum upper_class upper;
	int64_t times_ns[BENEATH_STATES];
	struct stretch longest;
};

struct gathering {
	const struct beneath *beneath;
	const struct trace *trace;
	enum by by;
	struct sum *sums;
	size_t count, capacity;
	struct map index_of; /* by key and class */
	struct beneath_walk *walks;
	int64_t all_ns[UPPER_CLASSES][BENEATH_STATES];
	struct stretch longest[LONGEST_COUNT]; /* of all that runs, the longest first */
	int longest_count;
	/* Only where people read them. */
	bool has_parts;
	struct standstills stills;
	struct times { int64_t *items_ns; size_t count, capacity; } times[UPPER_CLASSES][BENEATH_UNKNOWN];
	struct cause {
		enum upper_class upper;
		struct reason reason;
		int64_t time_ns;
		uint64_t count;
	} *causes;
	size_t cause_count, cause_capacity;
	struct map cause_of[UPPER_CLASSES][REASON_KINDS]; /* by the rest of the reason */
};

/* ---- adding up */

static struct sum *
sum_of(struct gathering *gathering, const struct span *span, enum upper_class upper, struct error *err)
{
	const uint32_t keys[BY_COUNT] = { span->actor, span->thread,
		trace_actor(gathering->trace, span->actor)->name, span->processor };
	uint64_t key = (uint64_t)keys[gathering->by] << 1 | upper;
	uint32_t index = map_find(&gathering->index_of, key);
	if (index != MAP_NONE)
		return &gathering->sums[index];
	index = (uint32_t)gathering->count;
	if (!array_reserve(&gathering->sums, &gathering->capacity, gathering->count + 1,
		    sizeof *gathering->sums, err) ||
		!map_put(&gathering->index_of, key, index, err))
		return NULL;
	gathering->sums[gathering->count++] = (struct sum){ .key = keys[gathering->by], .upper = upper };
	return &gathering->sums[index];
}

static void
keep_stretch(struct gathering *gathering, struct sum *sum, const struct stretch *stretch)
{
	int at = gathering->longest_count;
	if (stretch_length(stretch) > stretch_length(&sum->longest))
		sum->longest = *stretch;
	if (sum->upper != UPPER_RUNNING || stretch_length(stretch) <= 0)
		return;
	while (at > 0 && stretch_length(&gathering->longest[at - 1]) < stretch_length(stretch))
		at--;
	if (at == LONGEST_COUNT)
		return;
	if (gathering->longest_count < LONGEST_COUNT)
		gathering->longest_count++;
	memmove(&gathering->longest[at + 1], &gathering->longest[at],
		(size_t)(gathering->longest_count - 1 - at) * sizeof *stretch);
	gathering->longest[at] = *stretch;
}

static bool
add_cause(struct gathering *gathering, enum upper_class upper, struct reason reason, int64_t time_ns, bool is_counted,
	struct error *err)
{
	struct map *cause_of = &gathering->cause_of[upper][reason.kind];
	uint64_t key = (uint64_t)reason.call << 32 | reason.state;
	uint32_t index = map_find(cause_of, key);
	if (index == MAP_NONE) {
		index = (uint32_t)gathering->cause_count;
		if (!array_reserve(&gathering->causes, &gathering->cause_capacity, gathering->cause_count + 1,
			    sizeof *gathering->causes, err) ||
			!map_put(cause_of, key, index, err))
			return false;
		gathering->causes[gathering->cause_count++] = (struct cause){ .upper = upper, .reason = reason };
	}
	struct cause *cause = &gathering->causes[index];
	cause->time_ns = saturating_add_i64(cause->time_ns, time_ns);
	cause->count += is_counted;
	return true;
}

/* What a quota stopped is told apart, to the nanosecond; which of the two it was is what most of it was. */
static bool
add_wait(struct gathering *gathering, enum upper_class upper, int64_t from_ns, int64_t until_ns, struct error *err)
{
	int64_t length_ns = until_ns - from_ns, still_ns = throttle_within(&gathering->stills, from_ns, until_ns);
	bool is_throttled = still_ns > length_ns / 2;
	return (still_ns == 0 || add_cause(gathering, upper, (struct reason){ .kind = REASON_THROTTLED }, still_ns,
					 is_throttled, err)) &&
	       (still_ns == length_ns || add_cause(gathering, upper, (struct reason){ .kind = REASON_CPU },
						 length_ns - still_ns, !is_throttled, err));
}

/* A thread was in one state, from `from` on until the walk's piece begins, or the span ends. */
static bool
add_time(struct gathering *gathering, enum upper_class upper, const struct beneath_piece *was, int64_t until_ns,
	struct error *err)
{
	if (!gathering->has_parts || was->state == BENEATH_UNKNOWN || was->from_ns == until_ns)
		return true;
	struct times *times = &gathering->times[upper][was->state];
	if (!array_reserve(&times->items_ns, &times->capacity, times->count + 1, sizeof *times->items_ns, err))
		return false;
	times->items_ns[times->count++] = until_ns - was->from_ns;
	return was->state != BENEATH_READY || add_wait(gathering, upper, was->from_ns, until_ns, err);
}

/* The span is cut to what is asked for. */
static bool
add_span(struct gathering *gathering, const struct span *span, struct error *err)
{
	enum upper_class upper = span->kind->state == STATE_RUNNING ? UPPER_RUNNING : UPPER_SYSCALL;
	struct sum *sum = sum_of(gathering, span, upper, err);
	struct beneath_walk *walk =
		beneath_walk_of(gathering->walks, gathering->beneath, span->thread, span->start_ns, span->end_ns);
	struct beneath_piece piece, was = { .from_ns = span->start_ns, .state = BENEATH_UNKNOWN };
	struct stretch stretch = { .actor = span->actor, .thread = span->thread, .is_in_call = upper == UPPER_SYSCALL };
	struct reason reason = { .kind = REASON_NONE };
	bool is_fine = sum != NULL;
	stretch.from_ns = stretch.until_ns = span->start_ns;
	while (is_fine && beneath_next(walk, &piece)) {
		int64_t length_ns = piece.until_ns - piece.from_ns;
		int64_t *time_ns = &sum->times_ns[piece.state], *all_ns = &gathering->all_ns[upper][piece.state];
		*time_ns = saturating_add_i64(*time_ns, length_ns);
		*all_ns = saturating_add_i64(*all_ns, length_ns);
		if (piece.state == BENEATH_ASLEEP && gathering->has_parts) {
			bool is_first = was.state != BENEATH_ASLEEP;
			if (is_first)
				reason = reason_of_sleep(walk, piece.from_ns, stretch.is_in_call);
			is_fine = add_cause(gathering, upper, reason, length_ns, is_first, err);
		}
		if (piece.state != was.state) {
			is_fine = is_fine && add_time(gathering, upper, &was, piece.from_ns, err);
			was = piece;
		}
		if (piece.state == BENEATH_READY || piece.state == BENEATH_ASLEEP) {
			stretch.until_ns = piece.until_ns;
			stretch.asleep_ns += piece.state == BENEATH_ASLEEP ? length_ns : 0;
			continue;
		}
		keep_stretch(gathering, sum, &stretch);
		stretch.from_ns = stretch.until_ns = piece.until_ns;
		stretch.asleep_ns = 0;
	}
	if (is_fine)
		keep_stretch(gathering, sum, &stretch);
	return is_fine && add_time(gathering, upper, &was, span->end_ns, err);
}

static bool
add_actor(struct gathering *gathering, actor_ref ref, const struct analysis_scope *scope, struct error *err)
{
	struct beneath_spans spans;
	struct span span;
	bool is_fine = true;
	beneath_spans_begin(&spans, gathering->beneath, ref, scope->t0_ns, scope->t1_ns);
	while (is_fine && beneath_spans_next(&spans, &span))
		is_fine = add_span(gathering, &span, err);
	return is_fine;
}

static bool
gather(struct gathering *gathering, struct analysis_work *work, struct error *err)
{
	const struct analysis_scope *scope = &work->scope;
	uint32_t count = trace_actor_count(work->trace);
	search_watch_expect(&work->watch, count);
	gathering->walks =
		array_new((size_t)trace_thread_count(work->trace) + 1, sizeof *gathering->walks, err);
	if (gathering->walks == NULL)
		return false;
	if (gathering->has_parts && !throttle_find(&gathering->stills, gathering->beneath, &work->watch, err))
		return false;
	for (actor_ref ref = 0; ref < count; ref++)
		if (!search_watch_check_item(&work->watch, ref, err) ||
			((scope->actor == REF_NONE || scope->actor == ref) && !add_actor(gathering, ref, scope, err)))
			return false;
	return true;
}

/* ---- as tables */

static int
compare_sums(const void *left, const void *right)
{
	const struct sum *a = left, *b = right;
	int64_t a_ns = beneath_total(a->times_ns), b_ns = beneath_total(b->times_ns);
	if (a->upper != b->upper)
		return a->upper < b->upper ? -1 : 1;
	if (a_ns != b_ns)
		return a_ns > b_ns ? -1 : 1;
	return a->key < b->key ? -1 : a->key > b->key;
}

#define MEASURES                                                                                   \
	DIMENSION("class", "class", FIGURE_TEXT),                                                  \
	MEASURE("total_ns", "total", FIGURE_DURATION, .hue = HUE_RUNNING),                         \
	MEASURE("on_ns", "on a CPU", FIGURE_DURATION),                                             \
	MEASURE("ready_ns", "waited for one", FIGURE_DURATION, .hue = HUE_READY),                  \
	MEASURE("asleep_ns", "asleep", FIGURE_DURATION, .hue = HUE_SYNC),                          \
	MEASURE("unknown_ns", "unknown", FIGURE_DURATION, .rank = 2),                              \
	MEASURE(NULL, "longest without", FIGURE_DURATION, .rank = 1)

enum { COLUMNS = 8 };

static const struct result_column columns[BY_COUNT][COLUMNS] = {
	[BY_ACTOR] = { DIMENSION("{id}", "{actor}", FIGURE_ACTOR, .least_cells = 14), MEASURES },
	[BY_THREAD] = { DIMENSION("{thread}", "{thread}", FIGURE_NUMBER), MEASURES },
	[BY_FUNCTION] = { DIMENSION("function", "{name}", FIGURE_FUNCTION, .least_cells = 14), MEASURES },
	[BY_PROCESSOR] = { DIMENSION("{processor}", "{processor}", FIGURE_PROCESSOR), MEASURES },
};

static int64_t
key_cell(const struct gathering *gathering, uint32_t key)
{
	if (gathering->by == BY_THREAD)
		return key == REF_NONE ? FIGURE_NONE : trace_thread(gathering->trace, key)->id;
	return gathering->by == BY_PROCESSOR && key == REF_NONE ? FIGURE_NONE : (int64_t)key;
}

static bool
put_sums(const struct gathering *gathering, struct result_sink *sink, struct error *err)
{
	const struct result_table table = {
		.name = "beneath",
		.title = "What the kernel did meanwhile",
		.columns = columns[gathering->by],
		.column_count = COLUMNS,
		.usual_column = 2,
		.none = "nobody ran",
	};
	bool is_fine = sink->begin(sink, &table, err);
	for (size_t i = 0; is_fine && i < gathering->count; i++) {
		const struct sum *sum = &gathering->sums[i];
		const struct stretch *longest = &sum->longest;
		const struct result_place place = { { LANE_ACTOR, longest->actor }, longest->from_ns,
			longest->until_ns };
		int64_t cells[COLUMNS] = { key_cell(gathering, sum->key), 0, beneath_total(sum->times_ns),
			sum->times_ns[BENEATH_ON], sum->times_ns[BENEATH_READY], sum->times_ns[BENEATH_ASLEEP],
			sum->times_ns[BENEATH_UNKNOWN], stretch_length(longest) };
		const char *name = class_names[sum->upper];
		is_fine = result_text(sink, name, strlen(name), &cells[1], err) &&
			  sink->row(sink, cells, stretch_length(longest) > 0 ? &place : NULL, err);
	}
	return is_fine && sink->end(sink, err);
}

static const struct result_column longest_columns[] = {
	DIMENSION(NULL, "{actor}", FIGURE_ACTOR, .least_cells = 14),
	DIMENSION(NULL, "{thread}", FIGURE_NUMBER, .rank = 2),
	DIMENSION(NULL, "from", FIGURE_MOMENT),
	MEASURE(NULL, "without", FIGURE_DURATION),
	MEASURE(NULL, "of that asleep", FIGURE_DURATION, .rank = 1),
	DIMENSION(NULL, "who had the CPU most", FIGURE_TEXT, .least_cells = 10),
	DIMENSION(NULL, "why", FIGURE_TEXT, .least_cells = 9),
};

static bool
put_text(struct result_sink *sink, const struct text *text, int64_t *cell, struct error *err)
{
	if (text->failed)
		return error_set_memory(err, "the report");
	return text->length == 0 || result_text(sink, text->bytes, text->length, cell, err);
}

static bool
put_longest(const struct gathering *gathering, struct result_sink *sink, struct error *err)
{
	const struct result_table table = {
		.name = "longest",
		.title = "The longest without a CPU, of those that ran",
		.columns = longest_columns,
		.column_count = ARRAY_LENGTH(longest_columns),
		.usual_column = 3,
		.none = "none",
		.is_as_made = true,
	};
	bool is_fine = sink->begin(sink, &table, err);
	for (int i = 0; is_fine && i < gathering->longest_count; i++) {
		const struct stretch *stretch = &gathering->longest[i];
		const struct result_place place = { { LANE_ACTOR, stretch->actor }, stretch->from_ns,
			stretch->until_ns };
		struct text holder = { 0 }, why = { 0 };
		int64_t cells[] = { stretch->actor, trace_thread(gathering->trace, stretch->thread)->id,
			stretch->from_ns, stretch_length(stretch), stretch->asleep_ns, FIGURE_NONE, FIGURE_NONE };
		text_add_reason(&why, gathering->beneath,
			stretch_reason(stretch, gathering->beneath, &gathering->stills));
		is_fine = stretch_add_holder(stretch, gathering->beneath, sink->ascii, &holder, err) &&
			  put_text(sink, &holder, &cells[5], err) && put_text(sink, &why, &cells[6], err) &&
			  sink->row(sink, cells, &place, err);
		text_release(&holder);
		text_release(&why);
	}
	return is_fine && sink->end(sink, err);
}

static const char *const state_words[BENEATH_STATES] = { "on a CPU", "waited for one", "asleep", "unknown" };

static const struct result_column times_columns[] = {
	DIMENSION(NULL, "class", FIGURE_TEXT),
	DIMENSION(NULL, "what", FIGURE_TEXT),
	MEASURE(NULL, "times", FIGURE_COUNT),
	MEASURE(NULL, "p50", FIGURE_DURATION),
	MEASURE(NULL, "p90", FIGURE_DURATION),
	MEASURE(NULL, "p99", FIGURE_DURATION),
	MEASURE(NULL, "longest", FIGURE_DURATION),
};

static bool
put_times(const struct gathering *gathering, struct result_sink *sink, struct error *err)
{
	const struct result_table table = {
		.name = "times",
		.title = "How long at a time",
		.columns = times_columns,
		.column_count = ARRAY_LENGTH(times_columns),
		.usual_column = 2,
		.none = "none",
		.is_as_made = true,
	};
	bool is_fine = sink->begin(sink, &table, err);
	for (int i = 0; is_fine && i < UPPER_CLASSES * BENEATH_UNKNOWN; i++) {
		const char *class_name = class_names[i / BENEATH_UNKNOWN], *state = state_words[i % BENEATH_UNKNOWN];
		const struct times *times = &gathering->times[i / BENEATH_UNKNOWN][i % BENEATH_UNKNOWN];
		struct spread spread = spread_of(times->items_ns, times->count, 0);
		int64_t cells[] = { 0, 0, (int64_t)times->count, spread.p50_ns, spread.p90_ns, spread.p99_ns,
			spread.max_ns };
		is_fine = times->count == 0 ||
			  (result_text(sink, class_name, strlen(class_name), &cells[0], err) &&
				  result_text(sink, state, strlen(state), &cells[1], err) &&
				  sink->row(sink, cells, NULL, err));
	}
	return is_fine && sink->end(sink, err);
}

static int
compare_causes(const void *left, const void *right)
{
	const struct cause *a = left, *b = right;
	if (a->upper != b->upper)
		return a->upper < b->upper ? -1 : 1;
	if (a->time_ns != b->time_ns)
		return a->time_ns > b->time_ns ? -1 : 1;
	return (a->reason.kind > b->reason.kind) - (a->reason.kind < b->reason.kind);
}

static const struct result_column cause_columns[] = {
	DIMENSION(NULL, "class", FIGURE_TEXT),
	DIMENSION(NULL, "why", FIGURE_TEXT, .least_cells = 10),
	MEASURE(NULL, "times", FIGURE_COUNT),
	MEASURE(NULL, "total", FIGURE_DURATION),
};

static bool
put_causes(const struct gathering *gathering, struct result_sink *sink, struct error *err)
{
	const struct result_table table = {
		.name = "causes",
		.title = "Why without a CPU",
		.columns = cause_columns,
		.column_count = ARRAY_LENGTH(cause_columns),
		.usual_column = 3,
		.none = "none",
		.is_as_made = true,
	};
	const struct sort sort = {
		gathering->causes, gathering->cause_count, sizeof *gathering->causes, compare_causes };
	bool is_fine = sort_items(&sort, NULL, err) && sink->begin(sink, &table, err);
	for (size_t i = 0; is_fine && i < gathering->cause_count; i++) {
		const struct cause *cause = &gathering->causes[i];
		const char *class_name = class_names[cause->upper];
		int64_t cells[] = { 0, FIGURE_NONE, (int64_t)cause->count, cause->time_ns };
		struct text why = { 0 };
		text_add_reason(&why, gathering->beneath, cause->reason);
		is_fine = result_text(sink, class_name, strlen(class_name), &cells[0], err) &&
			  put_text(sink, &why, &cells[1], err) && sink->row(sink, cells, NULL, err);
		text_release(&why);
	}
	return is_fine && sink->end(sink, err);
}

/* "101.9 ms, of which on a CPU 38.9 ms (38%), waited for one 49.4 ms, ..." */
static void
put_facts(const struct gathering *gathering, struct result_sink *sink)
{
	char text[UNITS_TEXT];
	struct text line = { 0 };
	if (sink->fact == NULL)
		return;
	beneath_add_clocks(&line, gathering->beneath);
	sink->fact(sink, "clocks", text_string(&line));
	for (int upper = 0; upper < UPPER_CLASSES; upper++) {
		const int64_t *times_ns = gathering->all_ns[upper];
		int64_t total_ns = beneath_total(times_ns);
		if (total_ns == 0)
			continue;
		text_clear(&line);
		units_duration(text, total_ns, sink->ascii);
		text_add_string(&line, text);
		for (int i = 0; i < BENEATH_STATES; i++) {
			if (times_ns[i] == 0)
				continue;
			units_duration(text, times_ns[i], sink->ascii);
			text_format(&line, ", %s %s", state_words[i], text);
			units_share(text, times_ns[i], total_ns);
			text_format(&line, " (%s)", text);
		}
		sink->fact(sink, class_names[upper], text_string(&line));
	}
	text_release(&line);
}

static bool
fill(struct analysis_work *work, struct result_sink *sink, struct error *err)
{
	struct gathering gathering = { .beneath = work->beneath, .trace = work->trace,
		.by = *(const enum by *)work->parameter, .has_parts = sink->wants_parts };
	if (work->beneath == NULL)
		return error_set(err, ERROR_USAGE, "no trace lies beneath this one");
	if (!beneath_has_states(work->beneath->below))
		return error_set(err, ERROR_USAGE, "the trace beneath does not tell of the kernel's scheduler");
	bool is_fine = gather(&gathering, work, err);
	const struct sort sort = { gathering.sums, gathering.count, sizeof *gathering.sums, compare_sums };
	is_fine = is_fine && sort_items(&sort, &work->watch.is_cancelled, err);
	if (is_fine)
		put_facts(&gathering, sink);
	is_fine = is_fine && put_sums(&gathering, sink, err) &&
		  (!sink->wants_parts || (put_longest(&gathering, sink, err) && put_times(&gathering, sink, err) &&
						put_causes(&gathering, sink, err)));
	memory_free(gathering.sums);
	memory_free(gathering.walks);
	map_release(&gathering.index_of);
	memory_free(gathering.stills.items);
	for (int i = 0; i < UPPER_CLASSES * BENEATH_UNKNOWN; i++)
		memory_free(gathering.times[i / BENEATH_UNKNOWN][i % BENEATH_UNKNOWN].items_ns);
	memory_free(gathering.causes);
	for (int i = 0; i < UPPER_CLASSES * REASON_KINDS; i++)
		map_release(&gathering.cause_of[i / REASON_KINDS][i % REASON_KINDS]);
	return is_fine;
}

static void *
read_parameter(const char *text, size_t from, struct error *why)
{
	enum by by = BY_ACTOR;
	while (by < BY_COUNT && strcmp(text + from, parameters[by]) != 0)
		by++;
	if (by == BY_COUNT)
		return NULL;
	enum by *parameter = array_new(1, sizeof *parameter, why);
	if (parameter != NULL)
		*parameter = by;
	return parameter;
}

static void
title_of(const struct analysis_scope *scope, const struct words *words, const void *parameter, struct text *out)
{
	static const char *const titles[BY_COUNT] = { "{actors}", "{threads}", "{actors} by {name}", "{processors}" };
	(void)scope;
	text_add_words(out, words, titles[*(const enum by *)parameter]);
}

static const char *const listed[] = { "beneath", "beneath:thread", "beneath:function", "beneath:proc", NULL };

const struct analysis_kind beneath_kind = {
	.name = "beneath",
	.help = "where running time went, by the kernel's trace",
	.heading = "CPU beneath ",
	.title = "CPU beneath ",
	.needs = NEEDS_TIME | NEEDS_BENEATH,
	.limits = ANALYSIS_BY_ACTOR,
	.parameters = "thread, function or proc",
	.listed = listed,
	.read = read_parameter,
	.forget = memory_free,
	.title_of = title_of,
	.fill = fill,
};

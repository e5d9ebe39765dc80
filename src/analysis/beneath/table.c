/* What the kernel did while actors ran or were in system calls: by actor, thread, function or processor. */
#include <string.h>

#include "analysis/beneath/beneath.h"
#include "analysis/registry.h"
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

/* Time without a processor within one span. */
struct stretch {
	actor_ref actor;
	resource_ref thread, processor; /* that it had been on, of the lower trace */
	int64_t from_ns, until_ns;      /* of the upper trace */
	int64_t asleep_ns;
};

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
	int64_t all_ns[UPPER_CLASSES][BENEATH_STATES];
	struct stretch longest[LONGEST_COUNT]; /* of all that runs, the longest first */
	int longest_count;
};

/* ---- adding up */

static int64_t
length_of(const struct stretch *stretch)
{
	return stretch->until_ns - stretch->from_ns;
}

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
	if (length_of(stretch) > length_of(&sum->longest))
		sum->longest = *stretch;
	if (sum->upper != UPPER_RUNNING || length_of(stretch) <= 0)
		return;
	while (at > 0 && length_of(&gathering->longest[at - 1]) < length_of(stretch))
		at--;
	if (at == LONGEST_COUNT)
		return;
	if (gathering->longest_count < LONGEST_COUNT)
		gathering->longest_count++;
	memmove(&gathering->longest[at + 1], &gathering->longest[at],
		(size_t)(gathering->longest_count - 1 - at) * sizeof *stretch);
	gathering->longest[at] = *stretch;
}

/* The span is cut to what is asked for. */
static bool
add_span(struct gathering *gathering, const struct span *span, enum upper_class upper, struct error *err)
{
	struct sum *sum = sum_of(gathering, span, upper, err);
	struct beneath_walk walk;
	struct beneath_piece piece;
	struct stretch stretch = { .actor = span->actor, .thread = span->thread };
	if (sum == NULL)
		return false;
	stretch.from_ns = stretch.until_ns = span->start_ns;
	beneath_begin(&walk, gathering->beneath, span->thread, span->start_ns, span->end_ns);
	while (beneath_next(&walk, &piece)) {
		int64_t length_ns = piece.until_ns - piece.from_ns;
		sum->times_ns[piece.state] += length_ns;
		gathering->all_ns[upper][piece.state] += length_ns;
		if (piece.state == BENEATH_READY || piece.state == BENEATH_ASLEEP) {
			stretch.processor = walk.processor;
			stretch.until_ns = piece.until_ns;
			stretch.asleep_ns += piece.state == BENEATH_ASLEEP ? length_ns : 0;
			continue;
		}
		keep_stretch(gathering, sum, &stretch);
		stretch.from_ns = stretch.until_ns = piece.until_ns;
		stretch.asleep_ns = 0;
	}
	keep_stretch(gathering, sum, &stretch);
	return true;
}

static bool
add_actor(struct gathering *gathering, actor_ref ref, const struct analysis_scope *scope, struct error *err)
{
	const struct trace *trace = gathering->trace;
	struct lane lane = { LANE_ACTOR, ref };
	struct span span;
	bool is_there = lane_span_at(trace, lane, scope->t0_ns, &span) ||
			lane_next(trace, lane, scope->t0_ns, CLASS_MASK_ALL, &span);
	for (; is_there && span.start_ns < scope->t1_ns; is_there = lane_after(trace, lane, &span, &span)) {
		struct span within = span;
		enum state state = span.kind->state;
		if (state != STATE_RUNNING && state != STATE_SYSCALL)
			continue;
		span_clip(&within, scope->t0_ns, scope->t1_ns);
		if (within.start_ns < within.end_ns &&
			!add_span(gathering, &within, state == STATE_RUNNING ? UPPER_RUNNING : UPPER_SYSCALL, err))
			return false;
	}
	return true;
}

static bool
gather(struct gathering *gathering, struct analysis_work *work, struct error *err)
{
	const struct analysis_scope *scope = &work->scope;
	uint32_t count = trace_actor_count(work->trace);
	search_watch_expect(&work->watch, count);
	for (actor_ref ref = 0; ref < count; ref++)
		if (!search_watch_check_item(&work->watch, ref, err) ||
			((scope->actor == REF_NONE || scope->actor == ref) && !add_actor(gathering, ref, scope, err)))
			return false;
	return true;
}

/* ---- as tables */

static int64_t
total_of(const int64_t times_ns[BENEATH_STATES])
{
	int64_t total_ns = 0;
	for (int i = 0; i < BENEATH_STATES; i++)
		total_ns += times_ns[i];
	return total_ns;
}

static int
compare_sums(const void *left, const void *right)
{
	const struct sum *a = left, *b = right;
	int64_t a_ns = total_of(a->times_ns), b_ns = total_of(b->times_ns);
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
		int64_t cells[COLUMNS] = { key_cell(gathering, sum->key), 0, total_of(sum->times_ns),
			sum->times_ns[BENEATH_ON], sum->times_ns[BENEATH_READY], sum->times_ns[BENEATH_ASLEEP],
			sum->times_ns[BENEATH_UNKNOWN], length_of(longest) };
		const char *name = class_names[sum->upper];
		is_fine = result_text(sink, name, strlen(name), &cells[1], err) &&
			  sink->row(sink, cells, length_of(longest) > 0 ? &place : NULL, err);
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
};

/* Who had the processor longest meanwhile, as text; nothing where nobody had it. */
static bool
add_holder(const struct gathering *gathering, const struct stretch *stretch, bool ascii, struct text *out,
	struct error *err)
{
	const struct trace *below = gathering->beneath->below;
	const int64_t delta_ns = gathering->beneath->delta_ns;
	int64_t from_ns = saturating_sub_i64(stretch->from_ns, delta_ns);
	int64_t until_ns = saturating_sub_i64(stretch->until_ns, delta_ns), most_ns = 0;
	struct lane lane = { LANE_PROCESSOR, stretch->processor };
	struct map index_of = { 0 };
	struct span span;
	int64_t *times_ns = NULL;
	size_t capacity = 0, count = 0;
	actor_ref most = REF_NONE;
	bool is_fine = true;
	bool is_there = stretch->processor != REF_NONE && (lane_span_at(below, lane, from_ns, &span) ||
							  lane_next(below, lane, from_ns, CLASS_MASK_ALL, &span));
	for (; is_fine && is_there && span.start_ns < until_ns; is_there = lane_after(below, lane, &span, &span)) {
		uint32_t index = map_find(&index_of, span.actor);
		if (index == MAP_NONE) {
			index = (uint32_t)count;
			is_fine = array_reserve(&times_ns, &capacity, count + 1, sizeof *times_ns, err) &&
				  map_put(&index_of, span.actor, index, err);
			if (!is_fine)
				break;
			times_ns[count++] = 0;
		}
		times_ns[index] += span_within(&span, from_ns, until_ns);
		if (times_ns[index] > most_ns) {
			most_ns = times_ns[index];
			most = span.actor;
		}
	}
	if (is_fine && most != REF_NONE) {
		size_t length;
		const char *name = trace_text(below, trace_actor(below, most)->name, &length);
		char took[UNITS_TEXT];
		units_duration(took, most_ns, ascii);
		text_add(out, name, length);
		text_format(out, " (%s)", took);
	}
	memory_free(times_ns);
	map_release(&index_of);
	return is_fine;
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
		struct text holder = { 0 };
		int64_t cells[] = { stretch->actor, trace_thread(gathering->trace, stretch->thread)->id,
			stretch->from_ns, length_of(stretch), stretch->asleep_ns, FIGURE_NONE };
		is_fine = add_holder(gathering, stretch, sink->ascii, &holder, err) &&
			  (holder.length == 0 || result_text(sink, holder.bytes, holder.length, &cells[5], err)) &&
			  sink->row(sink, cells, &place, err);
		text_release(&holder);
	}
	return is_fine && sink->end(sink, err);
}

/* "101.9 ms, of which on a CPU 38.9 ms (38%), waited for one 49.4 ms, ..." */
static void
put_facts(const struct gathering *gathering, struct result_sink *sink)
{
	static const char *const states[BENEATH_STATES] = { "on a CPU", "waited for one", "asleep", "unknown" };
	char text[UNITS_TEXT];
	struct text line = { 0 };
	if (sink->fact == NULL)
		return;
	beneath_add_clocks(&line, gathering->beneath);
	sink->fact(sink, "clocks", text_string(&line));
	for (int upper = 0; upper < UPPER_CLASSES; upper++) {
		const int64_t *times_ns = gathering->all_ns[upper];
		int64_t total_ns = total_of(times_ns);
		if (total_ns == 0)
			continue;
		text_clear(&line);
		units_duration(text, total_ns, sink->ascii);
		text_add_string(&line, text);
		for (int i = 0; i < BENEATH_STATES; i++) {
			if (times_ns[i] == 0)
				continue;
			units_duration(text, times_ns[i], sink->ascii);
			text_format(&line, ", %s %s", states[i], text);
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
		.by = *(const enum by *)work->parameter };
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
		  (!sink->wants_parts || put_longest(&gathering, sink, err));
	memory_free(gathering.sums);
	map_release(&gathering.index_of);
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

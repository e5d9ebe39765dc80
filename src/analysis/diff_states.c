/* A row is found by a text that is made of all that tells it apart. */
#include "analysis/diff_states.h"

#include <stdlib.h>
#include <string.h>

#include "base/compiler.h"
#include "base/memory.h"
#include "base/text.h"
#include "query/watch.h"
#include "result/figures.h"
#include "trace/words.h"

bool
diff_states_init(struct diff_states *diff, struct error *err)
{
	*diff = (struct diff_states){ .rows = NULL };
	return intern_init(&diff->texts, err);
}

void
diff_states_release(struct diff_states *diff)
{
	map_release(&diff->row_of);
	memory_free(diff->rows);
	intern_release(&diff->texts);
	*diff = (struct diff_states){ .rows = NULL };
}

/* ---- adding */

struct adding {
	struct diff_states *diff;
	enum diff_side side;
	const struct trace *trace;
	const struct actor_times *times;
	struct search_watch *watch;
	struct text key;
	struct error *err;
};

static bool
keep_text(struct adding *adding, string_id id, struct diff_text *kept)
{
	size_t length;
	string_id own;
	const char *bytes = trace_text(adding->trace, id, &length);
	if (!intern_add(&adding->diff->texts, bytes, length, &own, adding->err))
		return false;
	kept->bytes = intern_text(&adding->diff->texts, own, &kept->length);
	kept->id = own;
	return true;
}

/* With its length before it, so that no two rows have one key. */
static void
add_to_key(struct text *key, const struct diff_text *part)
{
	text_format(key, "%zu:", part->length);
	text_add(key, part->bytes, part->length);
}

/* The row like that one, which is added where there is none. */
static bool
find_row(struct adding *adding, const struct diff_row *like, uint32_t *row)
{
	struct diff_states *diff = adding->diff;
	string_id key;
	text_clear(&adding->key);
	text_format(&adding->key, "%u ", (unsigned)like->measure);
	add_to_key(&adding->key, &like->name);
	add_to_key(&adding->key, &like->reason);
	if (adding->key.failed)
		return error_set_memory(adding->err, "the difference");
	if (!intern_add(&diff->texts, adding->key.bytes, adding->key.length, &key, adding->err))
		return false;
	*row = map_find(&diff->row_of, key);
	if (*row != MAP_NONE)
		return true;
	*row = diff->row_count;
	if (!array_reserve(&diff->rows, &diff->row_capacity, (size_t)diff->row_count + 1,
		    sizeof *diff->rows, adding->err) ||
		!map_put(&diff->row_of, key, *row, adding->err))
		return false;
	diff->rows[diff->row_count++] = *like;
	return true;
}

static bool
add_measure(struct adding *adding, uint32_t measure, const struct spread *spread, struct diff_row *like)
{
	uint32_t row = 0;
	like->measure = measure < MEASURE_REASONS ? measure : MEASURE_REASONS;
	like->reason = (struct diff_text){ .length = 0 };
	if (measure >= MEASURE_REASONS &&
		!keep_text(adding, adding->times->reasons[measure - MEASURE_REASONS], &like->reason))
		return false;
	if (!find_row(adding, like, &row))
		return false;
	if (measure == MEASURE_LIFE)
		like->life = adding->diff->rows[row].life = row;
	adding->diff->rows[row].spread[adding->side] = *spread;
	return true;
}

/* The first measure is their whole time, of which there always is a row. */
static bool
add_function(struct adding *adding, const struct actor_function *function)
{
	struct diff_row like = { .measure = MEASURE_LIFE };
	uint32_t most = MEASURE_REASONS + adding->times->reason_count;
	struct actor_spreads all;
	if (!search_watch_check(adding->watch, 0, adding->err) ||
		!actors_spread(adding->times, function, &all, adding->err) ||
		!keep_text(adding, function->name, &like.name))
		return false;
	for (uint32_t measure = MEASURE_LIFE; measure < most; measure++) {
		bool is_told = measure == MEASURE_LIFE || function->has[measure];
		if (is_told && !add_measure(adding, measure, &all.spreads[measure], &like))
			return false;
	}
	adding->diff->rows[like.life].count[adding->side] = function->count;
	return true;
}

bool
diff_states_add(struct diff_states *diff, enum diff_side side, const struct trace *trace,
	actor_times_build *build, const struct actors_scope *scope, struct error *err)
{
	struct actor_times times;
	struct actors_scope by_name = *scope;
	struct adding adding = { .diff = diff,
		.side = side,
		.trace = trace,
		.times = &times,
		.watch = scope->watch,
		.err = err };
	by_name.is_by_name = true;
	if (!build(&times, trace, &by_name, err))
		return false;
	bool is_fine = true;
	for (uint32_t i = 0; is_fine && i < times.function_count; i++)
		is_fine = add_function(&adding, &times.functions[i]);
	text_release(&adding.key);
	actors_release(&times);
	return is_fine;
}

/* ---- order */

static int
compare_texts(const struct diff_text *a, const struct diff_text *b)
{
	return text_compare(a->bytes, a->length, b->bytes, b->length);
}

static int
compare_rows(const void *left, const void *right)
{
	const struct diff_row *a = left, *b = right;
	const uint64_t far[][2] = {
		{ diff_distance(a->spread[0].total_ns, a->spread[1].total_ns),
			diff_distance(b->spread[0].total_ns, b->spread[1].total_ns) },
		{ diff_distance(a->spread[0].p99_ns, a->spread[1].p99_ns),
			diff_distance(b->spread[0].p99_ns, b->spread[1].p99_ns) },
		{ diff_distance((int64_t)a->count[0], (int64_t)a->count[1]),
			diff_distance((int64_t)b->count[0], (int64_t)b->count[1]) },
	};
	for (size_t i = 0; i < sizeof far / sizeof far[0]; i++)
		if (far[i][0] != far[i][1])
			return far[i][0] > far[i][1] ? -1 : 1;
	int order = compare_texts(&a->name, &b->name);
	if (order == 0)
		order = (a->measure > b->measure) - (a->measure < b->measure);
	return order != 0 ? order : compare_texts(&a->reason, &b->reason);
}

/* What was never in a state was so for no time at all, which says nothing of how many there were. */
static void
fill_counts(struct diff_states *diff)
{
	for (uint32_t i = 0; i < diff->row_count; i++) {
		struct diff_row *row = &diff->rows[i];
		for (int side = 0; side < DIFF_SIDES; side++)
			row->count[side] = diff->rows[row->life].count[side];
	}
}

void
diff_states_sort(struct diff_states *diff)
{
	fill_counts(diff);
	if (diff->row_count > 0)
		qsort(diff->rows, diff->row_count, sizeof *diff->rows, compare_rows);
	map_clear(&diff->row_of);
}

bool
diff_row_has_changed(const struct diff_row *row)
{
	const struct spread *before = &row->spread[DIFF_BEFORE], *after = &row->spread[DIFF_AFTER];
	return row->count[DIFF_BEFORE] != row->count[DIFF_AFTER] ||
	       before->total_ns != after->total_ns || before->p50_ns != after->p50_ns ||
	       before->p90_ns != after->p90_ns || before->p99_ns != after->p99_ns ||
	       before->max_ns != after->max_ns;
}

/* ---- as a table */

enum { NAME, STATE, REASON = 3, CHANGE, BEFORE, AFTER, SHARE, COUNT_CHANGE, COUNT_BEFORE, COUNT_AFTER, P50, P99 = P50 + 2,
	MAX = P99 + 2, COLUMNS = MAX + 2 };

#define PRINTED(title, rank_of, key) \
	MEASURE(key "_before_ns", title " before", FIGURE_DURATION, .is_printed_only = true, .rank = (rank_of)), \
		MEASURE(key "_after_ns", title " after", FIGURE_DURATION, .is_printed_only = true, .rank = (rank_of))

/* Which state it is people read in one column: "chan receive", "running". */
static const struct result_column columns[COLUMNS] = {
	[NAME] = DIMENSION("function", "{function}", FIGURE_NAME, .least_cells = 24),
	[STATE] = DIMENSION(NULL, "state", FIGURE_TEXT, .least_cells = 12),
	DIMENSION("state", NULL, FIGURE_TEXT),
	[REASON] = DIMENSION("reason", NULL, FIGURE_TEXT),
	[CHANGE] = MEASURE("change_ns", "change", FIGURE_CHANGE),
	[BEFORE] = MEASURE("total_before_ns", "before", FIGURE_DURATION, .hue = HUE_LESS),
	[AFTER] = MEASURE("total_after_ns", "after", FIGURE_DURATION, .hue = HUE_MORE),
	[SHARE] = MEASURE(NULL, NULL, FIGURE_CHANGE_SHARE, .on_screen = "%"),
	[COUNT_CHANGE] = MEASURE(NULL, NULL, FIGURE_CHANGE_COUNT, .on_screen = "n change"),
	[COUNT_BEFORE] = MEASURE("count_before", "n before", FIGURE_COUNT, .rank = 2, .hue = HUE_LESS),
	[COUNT_AFTER] = MEASURE("count_after", "n after", FIGURE_COUNT, .rank = 2, .hue = HUE_MORE),
	[P50] = PRINTED("p50", 3, "p50"),
	[P99] = PRINTED("p99", 1, "p99"),
	[MAX] = PRINTED("max", 4, "max"),
};

static bool
tell_row(const struct diff_row *row, const char *nameless, struct result_sink *sink, struct error *err)
{
	int64_t cells[MEASURE_LAYERS * COLUMNS], before_ns[MEASURE_LAYERS], after_ns[MEASURE_LAYERS];
	const struct spread *before = &row->spread[DIFF_BEFORE], *after = &row->spread[DIFF_AFTER];
	const char *state = measure_word(row->measure), *name = row->name.bytes, *reason = row->reason.bytes;
	size_t name_length = row->name.length, reason_length = row->reason.length;
	if (name_length == 0 && sink->wants_parts) {
		name = nameless;
		name_length = strlen(name);
	}
	if (row->measure == MEASURE_REASONS && reason_length == 0) {
		reason = MEASURE_NO_REASON;
		reason_length = strlen(reason);
	}
	if (!result_text(sink, name, name_length, &cells[NAME], err) ||
		!result_text(sink, state, strlen(state), &cells[STATE + 1], err) ||
		!result_text(sink, reason_length > 0 ? reason : "", reason_length, &cells[REASON], err))
		return false;
	cells[STATE] = cells[reason_length > 0 ? REASON : STATE + 1];
	cells[COUNT_BEFORE] = (int64_t)row->count[DIFF_BEFORE];
	cells[COUNT_AFTER] = (int64_t)row->count[DIFF_AFTER];
	cells[COUNT_CHANGE] = cells[COUNT_AFTER] - cells[COUNT_BEFORE];
	const int64_t printed[] = { before->p50_ns, after->p50_ns, before->p99_ns, after->p99_ns,
		before->max_ns, after->max_ns };
	memcpy(&cells[P50], printed, sizeof printed);
	measure_layers(before, before_ns);
	measure_layers(after, after_ns);
	for (int layer = 0; layer < MEASURE_LAYERS; layer++) {
		int64_t *at = &cells[layer * COLUMNS];
		if (layer > 0)
			memcpy(at, cells, COLUMNS * sizeof *at);
		at[CHANGE] = after_ns[layer] - before_ns[layer];
		at[BEFORE] = before_ns[layer];
		at[AFTER] = after_ns[layer];
		at[SHARE] = figures_change_share(before_ns[layer], after_ns[layer]);
	}
	return sink->row(sink, cells, NULL, err);
}

bool
diff_states_tell(const struct diff_states *diff, bool is_of_regions, const char *title,
	struct result_sink *sink, struct error *err)
{
	struct result_column of[COLUMNS];
	const bool is_for_people = sink->wants_parts || sink->is_screen, has_rows = diff->row_count > 0;
	const struct result_table table = { .name = is_of_regions ? "regions" : "functions",
		.title = title,
		.columns = of,
		.column_count = COLUMNS,
		.usual_column = CHANGE,
		.layers = measure_layer_names,
		.layer_count = MEASURE_LAYERS,
		.none = has_rows ? "nothing has changed" : "none",
		.none_on_screen = has_rows ? "nothing has changed" : "neither trace has any",
		.all_count = diff->row_count };
	memcpy(of, columns, sizeof columns);
	if (is_of_regions)
		of[NAME] = (struct result_column)DIMENSION("region", "region", FIGURE_TEXT, .least_cells = 24);
	bool is_fine = sink->begin(sink, &table, err);
	for (uint32_t i = 0; is_fine && i < diff->row_count; i++) {
		const struct diff_row *row = &diff->rows[i];
		if (!is_for_people || (row->measure != MEASURE_BLOCKED && diff_row_has_changed(row)))
			is_fine = tell_row(row, is_of_regions ? "(no name)" : NAME_START_UNKNOWN, sink, err);
	}
	return is_fine && sink->end(sink, err);
}

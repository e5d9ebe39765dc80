/* A table over all traces, so the grid begins with the first of them. */
#include "report/checks.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/units.h"
#include "draw/names.h"
#include "report/words.h"
#include "trace/words.h"

enum { COUNT_COLUMN = 4, LENGTH_COLUMN, UNIT_COLUMNS = 1 };

static const struct grid_column columns[CHECKS_COLUMNS] = {
	{ { .title = "file", .is_name = true, .least_cells = 16 }, "file" },
	{ { .title = "" }, "verdict" },
	{ { .title = "condition" }, "condition" },
	{ { .title = "measured", .is_right = true }, "value" },
	{ { .title = "spans", .is_right = true, .rank = 2 }, "count" },
	{ { .title = "longest", .is_right = true, .rank = 1 }, "longest_ns" },
	{ { .title = "at", .is_right = true }, "start_ns" },
	{ { .title = "of" }, "{actor}" },
	/* People see it at the value. */
	{ { .title = "" }, "unit" },
};

/* Says of what the numbers are: of spans, of rows of reports, or some of each. */
static void
name_columns(struct checks *checks, size_t of_reports)
{
	struct grid_column *count = &checks->columns[COUNT_COLUMN];
	memcpy(checks->columns, columns, sizeof columns);
	if (of_reports == 0)
		return;
	count->look.title = of_reports == checks->count ? "rows" : "spans, rows";
	if (of_reports == checks->count)
		checks->columns[LENGTH_COLUMN].look.title = "lasts";
}

static bool
begin(struct checks *checks, const struct trace *trace, struct text *out, struct error *err)
{
	struct grid *grid = &checks->grid;
	if (!grid_begin(grid, trace, checks->options, out, err))
		return false;
	checks->has_begun = true;
	int first = !checks->names_files;
	int count = CHECKS_COLUMNS - first - (grid_is_text(grid) ? UNIT_COLUMNS : 0);
	size_t of_reports = 0;
	struct text heading = { 0 };
	for (size_t i = 0; i < checks->count; i++)
		of_reports += checks->conditions[i].function == CONDITION_REPORT;
	name_columns(checks, of_reports);
	text_add_string(&heading, "Conditions");
	if (of_reports < checks->count) {
		text_add_string(&heading, ", of ");
		text_add_whose(&heading, trace->words, checks->options->with_runtime);
	}
	grid_heading(grid, text_string(&heading));
	text_release(&heading);
	if (!checks->names_files)
		grid_usual_facts(grid);
	grid_table(grid, "checks", "What was measured", checks->columns + first, count);
	return true;
}

static void
put_safe(struct grid *grid, const char *text)
{
	grid_text(grid, text, strlen(text));
}

static void
put_value(
	struct grid *grid, const struct condition *condition, const struct verdict *verdict)
{
	if (!verdict->has_value)
		grid_none(grid);
	else if (condition->function == CONDITION_COUNT)
		grid_count(grid, (uint64_t)verdict->value);
	else if (condition->function == CONDITION_SHARE)
		grid_share(grid, verdict->share);
	else
		grid_duration(grid, verdict->value);
}

static bool
put_worst(struct grid *grid, const struct latency *latency, struct error *err)
{
	struct latency_span span;
	size_t count, *longest = latency_longest(latency, 1, &count, err);
	if (longest == NULL)
		return false;
	if (count == 0) {
		grid_none(grid);
		grid_none(grid);
		grid_none(grid);
	} else {
		latency_span(latency, longest[0], &span);
		grid_duration(grid, span.duration_ns);
		grid_moment(grid, span.start_ns);
		grid_actor(grid, span.actor);
	}
	memory_free(longest);
	return true;
}

static bool
put_row(struct checks *checks, size_t index, const struct latency *latency, struct error *err)
{
	struct grid *grid = &checks->grid;
	const struct condition *condition = &checks->conditions[index];
	struct verdict verdict = condition_judge(condition, latency);
	bool is_number = condition->function == CONDITION_COUNT;
	bool is_share = condition->function == CONDITION_SHARE;
	bool holds = verdict.holds && latency->skipped == 0;
	checks->judged++;
	checks->failed += !holds;
	checks->unclear += latency->skipped > 0;
	if (checks->names_files)
		put_safe(grid, words_file(checks->options));
	put_safe(grid, holds ? "ok" : "FAILED");
	put_safe(grid, checks->texts[index]);
	put_value(grid, condition, &verdict);
	grid_count(grid, latency->count);
	if (!put_worst(grid, latency, err))
		return false;
	if (!grid_is_text(grid))
		put_safe(grid, is_number ? "spans" : is_share ? "of the interval" : "ns");
	return true;
}

/* ---- of reports */

/* What is measured: of the rows that it is about the one that is worst for the relation. */
struct measured {
	const struct figures *table;
	int column;
	uint64_t count; /* of rows with a value */
	size_t row;
	int order;      /* as condition_is_so() takes it */
	const char *about; /* as of the condition; NULL: all rows */
};

static bool
refuse(struct error *err, const char *text, const char *why)
{
	return error_set(err, ERROR_USAGE, "--check=%s: %s", text, why);
}

/* The value that the cell is compared with: in its own unit, or NULL and what would have fitted. */
static const char *
wanted_of(const struct condition *condition, enum figure_type type)
{
	enum condition_unit unit = condition->unit;
	bool is_zero = unit == CONDITION_NUMBER && condition->value == 0;
	switch (type) {
	case FIGURE_DURATION:
	case FIGURE_MOMENT:
	case FIGURE_CHANGE:
		return unit == CONDITION_DURATION || is_zero ? NULL : "the column has durations, such as 5ms";
	case FIGURE_BYTES:
		return unit == CONDITION_BYTES || unit == CONDITION_NUMBER
			       ? NULL : "the column has sizes, such as 5MiB";
	case FIGURE_SHARE:
	case FIGURE_PERCENT:
		return unit == CONDITION_PERCENT || unit == CONDITION_NUMBER
			       ? NULL : "the column has numbers and shares, such as 0.5 or 50%";
	case FIGURE_NUMBER:
	case FIGURE_COUNT:
	case FIGURE_AMOUNT:
	case FIGURE_CHANGE_COUNT:
		return unit == CONDITION_NUMBER ? NULL : "the column has numbers, such as 5";
	default:
		return "the column has names";
	}
}

static int
compare_cell(const struct condition *condition, enum figure_type type, int64_t cell)
{
	enum { MILLION = 1000000 };
	int64_t value = condition->value, rest = 0;
	if (type == FIGURE_SHARE || type == FIGURE_PERCENT) {
		/* 12.5 of a column of percents is 12.5 %. */
		bool is_percent = type == FIGURE_PERCENT && condition->unit == CONDITION_NUMBER;
		double share = figure_share(cell) * (is_percent ? 100 : 1);
		double limit = (double)value /
			       (condition->unit == CONDITION_PERCENT ? (double)CONDITION_WHOLE : MILLION);
		return (share > limit) - (share < limit);
	}
	if (condition->unit == CONDITION_NUMBER) {
		rest = value % MILLION;
		value /= MILLION;
	}
	return cell != value ? (cell > value ? 1 : -1) : rest > 0 ? -1 : 0;
}

static bool
is_worse(const struct condition *condition, const struct measured *measured, int64_t cell, int order,
	int64_t worst)
{
	switch (condition->relation) {
	case CONDITION_LESS:
	case CONDITION_AT_MOST:
		return cell > worst;
	case CONDITION_MORE:
	case CONDITION_AT_LEAST:
		return cell < worst;
	case CONDITION_EQUAL:
	case CONDITION_UNEQUAL:
		break;
	}
	return condition_is_so(condition->relation, measured->order) &&
	       !condition_is_so(condition->relation, order);
}

/* Whether one of the names that a row has is the text. */
static bool
is_about(const struct figures *table, size_t row, const char *text)
{
	size_t wanted = strlen(text), length;
	for (int i = 0; text[0] != '\0' && i < table->column_count; i++) {
		int64_t cell = *figures_cell(table, 0, row, i);
		if (table->columns[i].type == FIGURE_NUMBER && table->columns[i].is_dimension) {
			char number[UNITS_TEXT];
			snprintf(number, sizeof number, "%" PRId64, cell);
			if (strcmp(number, text) == 0)
				return true;
		}
		if (table->columns[i].type != FIGURE_TEXT || cell == FIGURE_NONE)
			continue;
		const char *bytes = intern_text(table->own_texts, (string_id)cell, &length);
		if (length == wanted && memcmp(bytes, text, length) == 0)
			return true;
	}
	return false;
}

static void
measure(struct measured *measured, const struct condition *condition)
{
	const struct figures *table = measured->table;
	enum figure_type type = table->columns[measured->column].type;
	int64_t worst = 0;
	for (size_t row = 0; row < table->row_count; row++) {
		int64_t cell = *figures_cell(table, 0, row, measured->column);
		if (cell == FIGURE_NONE ||
			(measured->about != NULL && !is_about(table, row, measured->about)))
			continue;
		int order = compare_cell(condition, type, cell);
		if (measured->count++ > 0 && !is_worse(condition, measured, cell, order, worst))
			continue;
		measured->row = row;
		measured->order = order;
		worst = cell;
	}
}

static bool
find_column(struct measured *measured, const struct condition *condition, const char *text,
	const struct kept *kept, struct error *err)
{
	struct text known = { 0 };
	const char *state = strchr(condition->column, '_');
	measured->about = condition->about;
	measured->table = kept_find(kept, condition->column, strlen(condition->column), &measured->column);
	/* "max_ready" is "max(ready)", and who waits for a processor is delayed. */
	if (measured->table == NULL && state != NULL && condition->about == NULL) {
		measured->table = kept_find(kept, condition->column,
			(size_t)(state - condition->column), &measured->column);
		measured->about = strcmp(state + 1, "delay") == 0 ? "ready" : state + 1;
	}
	if (measured->table != NULL) {
		const char *why = wanted_of(condition, measured->table->columns[measured->column].type);
		/* Of a table without rows nobody knows what its columns are. */
		return why == NULL || measured->table->row_count == 0 || refuse(err, text, why);
	}
	for (const struct figures *it = kept->first; it != NULL; it = it->next)
		for (int i = 0; i < it->column_count; i++)
			text_format(&known, "%s%s", known.length > 0 ? ", " : "", it->columns[i].key);
	error_set(err, ERROR_USAGE, "--check=%s: %s has no column %s; it has %s", text,
		condition->report, condition->column,
		known.length > 0 ? text_string(&known) : "no table");
	text_release(&known);
	return false;
}

/* Of what the row is, "main.worker blocked select"; programs are told whose it is. */
static void
put_names(struct grid *grid, const struct figures *table, size_t row)
{
	const struct result_place *place = kept_place(table, row);
	bool is_of_actor = place != NULL && place->lane.type == LANE_ACTOR;
	struct text names = { 0 };
	for (int i = 0; i < table->column_count; i++) {
		int64_t cell = *figures_cell(table, 0, row, i);
		size_t length;
		if (!table->columns[i].is_dimension || cell == FIGURE_NONE)
			continue;
		const char *gap = names.length > 0 ? " " : "";
		if (table->columns[i].type == FIGURE_NUMBER)
			text_format(&names, "%s%s %" PRId64, gap, table->columns[i].key, cell);
		if (table->columns[i].type != FIGURE_TEXT)
			continue;
		const char *bytes = intern_text(table->own_texts, (string_id)cell, &length);
		text_add_string(&names, length > 0 ? gap : "");
		text_add(&names, bytes, length);
	}
	if (is_of_actor && (names.length == 0 || !grid_is_text(grid)))
		grid_actor(grid, place->lane.ref);
	else if (grid_is_text(grid))
		grid_text(grid, names.bytes, names.length);
	else
		grid_none(grid);
	text_release(&names);
}

static void
put_cell(struct grid *grid, enum figure_type type, int64_t cell)
{
	if (type == FIGURE_SHARE)
		grid_number(grid, figure_share(cell), 2);
	else if (type == FIGURE_PERCENT)
		grid_percent(grid, figure_share(cell));
	else if (type == FIGURE_BYTES)
		grid_bytes(grid, (uint64_t)cell);
	else if (type == FIGURE_DURATION || type == FIGURE_MOMENT || type == FIGURE_CHANGE)
		grid_duration(grid, cell);
	else
		grid_id(grid, cell);
}

static const char *
unit_of(enum figure_type type)
{
	return type == FIGURE_BYTES	? "bytes"
	       : type == FIGURE_SHARE	? "1"
	       : type == FIGURE_PERCENT ? "percent"
	       : type == FIGURE_DURATION || type == FIGURE_MOMENT || type == FIGURE_CHANGE ? "ns"
							     : "count";
}

/* All rows of which the column has a value keep to it, and there is one at least. */
static bool
put_report(struct checks *checks, size_t index, struct error *err)
{
	struct grid *grid = &checks->grid;
	const struct condition *condition = &checks->conditions[index];
	const char *text = checks->texts[index];
	struct kept kept = { 0 };
	struct measured measured = { 0 };
	bool is_fine = checks->ask(checks->ask_context, condition->report, &kept, err) &&
		       find_column(&measured, condition, text, &kept, err);
	if (!is_fine) {
		kept_release(&kept);
		return false;
	}
	measure(&measured, condition);
	enum figure_type type = measured.table->columns[measured.column].type;
	bool has_value = measured.count > 0;
	bool holds = has_value && condition_is_so(condition->relation, measured.order);
	checks->judged++;
	checks->failed += !holds;
	if (checks->names_files)
		put_safe(grid, words_file(checks->options));
	put_safe(grid, holds ? "ok" : "FAILED");
	put_safe(grid, text);
	if (has_value)
		put_cell(grid, type, *figures_cell(measured.table, 0, measured.row, measured.column));
	else
		grid_none(grid);
	grid_count(grid, measured.count);
	const struct result_place *place = has_value ? kept_place(measured.table, measured.row) : NULL;
	if (place != NULL) {
		grid_duration(grid, place->until_ns - place->from_ns);
		grid_moment(grid, place->from_ns);
	} else {
		grid_none(grid);
		grid_none(grid);
	}
	if (has_value)
		put_names(grid, measured.table, measured.row);
	else
		grid_none(grid);
	if (!grid_is_text(grid))
		put_safe(grid, unit_of(type));
	kept_release(&kept);
	return true;
}

/* ---- all of them */

static bool
is_same_kind(const struct latency_kind *a, const struct latency_kind *b)
{
	if (a->type != b->type || (a->name == NULL) != (b->name == NULL))
		return false;
	return a->name == NULL || strcmp(a->name, b->name) == 0;
}

static bool
put_rows(struct checks *checks, const struct trace *trace, struct error *err)
{
	struct latency latency = { 0 };
	struct latency_scope scope = { .actor = REF_NONE, .only = checks->options->only,
		.with_runtime = checks->options->with_runtime };
	bool is_fine = true;
	words_interval(checks->options, trace, &scope.t0_ns, &scope.t1_ns);
	for (size_t i = 0; i < checks->count && is_fine; i++) {
		const struct latency_kind *kind = &checks->conditions[i].kind;
		if (checks->conditions[i].function == CONDITION_REPORT) {
			is_fine = put_report(checks, i, err);
			continue;
		}
		bool has_same = i > 0 && checks->conditions[i - 1].function != CONDITION_REPORT;
		if (!has_same || !is_same_kind(kind, &checks->conditions[i - 1].kind)) {
			latency_release(&latency);
			is_fine = latency_build(&latency, trace, kind, &scope, NULL, err);
		}
		is_fine = is_fine && put_row(checks, i, &latency, err);
	}
	latency_release(&latency);
	return is_fine;
}

bool
checks_add(struct checks *checks, const struct trace *trace, struct text *out, struct error *err)
{
	if (!checks->has_begun && !begin(checks, trace, out, err))
		return false;
	checks->grid.trace = trace;
	checks->grid.words = trace->words;
	checks->grid.step_ns = 1; /* so that --at takes the moments */
	return put_rows(checks, trace, err);
}

bool
checks_end(struct checks *checks)
{
	struct grid *grid = &checks->grid;
	if (!checks->has_begun)
		return true;
	grid_table_end(grid, "none");
	if (grid_is_text(grid)) {
		const char *plural = checks->judged == 1 ? "" : "s";
		page_line(&grid->page);
		if (checks->failed > 0)
			page_format(&grid->page, STYLE_TEXT_BRIGHT, "%zu of %zu condition%s failed",
				checks->failed, checks->judged, plural);
		else
			page_format(&grid->page, STYLE_DEFAULT, "%zu condition%s hold%s",
				checks->judged, plural, checks->judged == 1 ? "s" : "");
		if (checks->unclear > 0)
			page_format(&grid->page, STYLE_TEXT_BRIGHT,
				", %zu of them as a pattern takes too long for some texts",
				checks->unclear);
		page_line(&grid->page);
	}
	return grid_end(grid);
}

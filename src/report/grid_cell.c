/* Each value in the form that is asked for. */
#include "draw/names.h"
#include "report/grid_internal.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/units.h"
#include "draw/bar.h"
#include "report/csv.h"
#include "report/words.h"
#include "result/measure.h"
#include "trace/words.h"

enum { BAR_CELLS = 24, NUMBER_TEXT = 40 };

static const struct cell_style plain = { .fg = STYLE_DEFAULT };
static const struct cell_style dim = { .fg = STYLE_TEXT_DIM };

/* A text of any bytes, as programs read it. */
static void
add_quoted(struct grid *grid, const char *bytes, size_t length)
{
	struct text *out = grid->page.out;
	if (grid->options->format == REPORT_AS_CSV) {
		csv_add(out, bytes, length, grid->options->ascii);
		return;
	}
	text_add_string(out, "\"");
	text_add_json(out, bytes, length);
	text_add_string(out, "\"");
}

void
grid_cell_begin_row(struct grid *grid)
{
	bool is_json = grid->options->format == REPORT_AS_JSON;
	const char *file = words_file(grid->options);
	if (is_json)
		text_format(grid->page.out, "{\"table\":\"%s\"",
			words_title(grid->trace->words, grid->name));
	if (!grid->options->names_file)
		return;
	if (is_json)
		text_add_string(grid->page.out, ",\"file\":");
	add_quoted(grid, file, strlen(file));
}

/* What stands before the value in CSV and JSON: nothing, or what parts it from the one before. */
static void
begin_value(struct grid *grid)
{
	struct text *out = grid->page.out;
	bool is_first = true;
	for (int i = 0; i < grid->column; i++)
		is_first = is_first && grid->columns[i].key == NULL;
	if (grid->options->format == REPORT_AS_CSV) {
		text_add_string(out, is_first && !grid->options->names_file ? "" : ",");
		return;
	}
	text_format(out, ",\"%s\":",
		words_key(grid->trace->words, grid->columns[grid->column].key));
}

/* A value as programs read it, or as people do. */
static void
put(struct grid *grid, const char *exact, const char *told, struct cell_style style)
{
	if (grid_is_text(grid)) {
		table_string(&grid->table, style, told);
		return;
	}
	begin_value(grid);
	text_add_string(grid->page.out, exact);
}

static void
put_none(struct grid *grid)
{
	put(grid, grid->options->format == REPORT_AS_JSON ? "null" : "", "", plain);
}

static void
put_count(struct grid *grid, const struct grid_cell *cell)
{
	char exact[NUMBER_TEXT], told[UNITS_TEXT];
	snprintf(exact, sizeof exact, "%" PRIu64, cell->u.count);
	if (cell->type == VALUE_BYTES)
		units_bytes(told, cell->u.count);
	else
		units_count(told, cell->u.count);
	put(grid, exact, told, plain);
}

static void
put_amount(struct grid *grid, const struct grid_cell *cell)
{
	char exact[NUMBER_TEXT], told[NUMBER_TEXT];
	text_clear(&grid->line);
	amount_add_plain(&grid->line, cell->u.ns, cell->detail);
	snprintf(exact, sizeof exact, "%s", text_string(&grid->line));
	text_clear(&grid->line);
	amount_add(&grid->line, cell->u.ns, cell->detail);
	snprintf(told, sizeof told, "%s", text_string(&grid->line));
	put(grid, exact, told, cell->u.ns == 0 ? dim : plain);
}

static void
put_duration(struct grid *grid, const struct grid_cell *cell)
{
	char exact[NUMBER_TEXT], told[UNITS_TEXT + 1] = "+";
	bool is_since = cell->type == VALUE_SINCE, is_none = !is_since && cell->u.ns == 0;
	snprintf(exact, sizeof exact, "%" PRId64, cell->u.ns);
	units_duration(told + is_since, cell->u.ns, grid->options->ascii);
	put(grid, exact, is_none ? "-" : told, is_none ? dim : plain);
}

/* With its sign; the greatest of all is one less than it could be. */
static void
put_change(struct grid *grid, const struct grid_cell *cell)
{
	char exact[NUMBER_TEXT], told[UNITS_TEXT];
	int64_t change = cell->u.ns;
	snprintf(exact, sizeof exact, "%" PRId64, change);
	units_change(told, change, (enum units_of)cell->detail, grid->options->ascii);
	put(grid, exact, told, change == 0 ? dim : plain);
}

static void
put_moment(struct grid *grid, int64_t time_ns)
{
	char exact[NUMBER_TEXT];
	snprintf(exact, sizeof exact, "%" PRId64, time_ns);
	text_clear(&grid->line);
	words_moment(&grid->line, grid->options, grid->trace, time_ns, grid->step_ns);
	put(grid, exact, text_string(&grid->line), dim);
}

/* A share as percent; a number with its decimals. */
static void
put_number(struct grid *grid, const struct grid_cell *cell)
{
	char exact[NUMBER_TEXT], told[NUMBER_TEXT];
	snprintf(exact, sizeof exact, "%.9g", cell->u.number);
	if (cell->type == VALUE_SHARE)
		snprintf(told, sizeof told, "%.1f%%", cell->u.number * 100);
	else
		snprintf(told, sizeof told, "%.*f", cell->detail, cell->u.number);
	put(grid, exact, told, plain);
}

static void
put_bar(struct grid *grid, const struct grid_cell *cell)
{
	text_clear(&grid->line);
	bar_add(&grid->line, cell->u.number, BAR_CELLS, grid->options->ascii);
	table_text(&grid->table, (struct cell_style){ .fg = STYLE_RUNNING }, &grid->line);
}

const char *
grid_cell_bytes(const struct grid *grid, const struct grid_cell *cell, size_t *length)
{
	if (cell->type == VALUE_STRING)
		return trace_text(grid->trace, cell->u.id, length);
	*length = cell->length;
	return cell->length > 0 ? grid->texts.bytes + cell->u.at : "";
}

static void
put_text(struct grid *grid, const struct grid_cell *cell)
{
	size_t length;
	const char *bytes = grid_cell_bytes(grid, cell, &length);
	if (grid_is_text(grid)) {
		text_clear(&grid->line);
		text_add_safe(&grid->line, bytes, length, grid->options->ascii);
		table_text(&grid->table, (struct cell_style){ .fg = cell->detail }, &grid->line);
		return;
	}
	begin_value(grid);
	add_quoted(grid, bytes, length);
}

static void
put_actor(struct grid *grid, actor_ref actor, bool has_name)
{
	char exact[NUMBER_TEXT];
	snprintf(exact, sizeof exact, "%" PRId64, trace_actor(grid->trace, actor)->id);
	if (!grid_is_text(grid)) {
		put(grid, exact, NULL, plain);
		return;
	}
	text_clear(&grid->line);
	name_actor_id(&grid->line, grid->trace, actor);
	size_t head = grid->line.length;
	if (has_name) {
		text_clear(&grid->line);
		words_actor(&grid->line, grid->options, grid->trace, actor);
	}
	/* The id stays, with the blank behind it. */
	head = head < grid->line.length ? head + 1 : 0;
	table_headed(&grid->table, plain, &grid->line, head);
}

/* "P3", or 3; without a noun 3 for all. */
static void
put_id(struct grid *grid, const struct noun *noun, int64_t id)
{
	char exact[NUMBER_TEXT];
	snprintf(exact, sizeof exact, "%" PRId64, id);
	text_clear(&grid->line);
	if (noun != NULL)
		text_add_id(&grid->line, noun, id);
	put(grid, exact, noun != NULL ? text_string(&grid->line) : exact, plain);
}

void
grid_cell_write(struct grid *grid, const struct grid_cell *cell)
{
	switch ((enum grid_value_type)cell->type) {
	case VALUE_NONE:
		put_none(grid);
		return;
	case VALUE_COUNT:
	case VALUE_BYTES:
		put_count(grid, cell);
		return;
	case VALUE_AMOUNT:
		put_amount(grid, cell);
		return;
	case VALUE_DURATION:
	case VALUE_SINCE:
		put_duration(grid, cell);
		return;
	case VALUE_CHANGE:
		put_change(grid, cell);
		return;
	case VALUE_MOMENT:
		put_moment(grid, cell->u.ns);
		return;
	case VALUE_SHARE:
	case VALUE_NUMBER:
	case VALUE_PERCENT:
		put_number(grid, cell);
		return;
	case VALUE_BAR:
		put_bar(grid, cell);
		return;
	case VALUE_TEXT:
	case VALUE_STRING:
		put_text(grid, cell);
		return;
	case VALUE_ACTOR:
	case VALUE_ACTOR_ID:
		put_actor(grid, cell->u.id, cell->type == VALUE_ACTOR);
		return;
	case VALUE_PROCESSOR:
		put_id(grid, &grid->trace->words->processor,
			trace_processor(grid->trace, cell->u.id)->id);
		return;
	case VALUE_ID:
		put_id(grid, NULL, cell->u.ns);
		return;
	}
}

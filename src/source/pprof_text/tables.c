/* -top is a table; -tree and -peek are one too, with a second one of callers and callees. */
#include <stdio.h>

#include "base/compiler.h"
#include "source/pprof_text/pprof_text.h"
#include "trace/ready.h"

enum {
	FUNCTION, FLAT, FLAT_PERCENT, SUM_PERCENT, CUM, CUM_PERCENT, INLINED, /* of functions */
	RELATION = 1, OTHER, WEIGHT, PERCENT, CALL_INLINED, /* of calls, behind the function */
	CELLS_MOST = 8
};

struct scan
pprof_take_inline(struct scan *name)
{
	static const char *const marks[] = { " (inline)", " (partial-inline)" };
	for (size_t i = 0; i < ARRAY_LENGTH(marks); i++) {
		size_t length = strlen(marks[i]);
		if (scan_left(name) < length || memcmp(name->end - length, marks[i], length) != 0)
			continue;
		name->end -= length;
		return scan_over(name->end + 2, length - 3);
	}
	return scan_over(name->end, 0);
}

bool
pprof_is_titles(struct scan line, bool *is_tree)
{
	static const char *const words[] = { "flat", "flat%", "sum%", "cum", "cum%" };
	for (size_t i = 0; i < ARRAY_LENGTH(words); i++) {
		scan_blanks(&line);
		if (!scan_text(&line, words[i]) || (!scan_is_end(&line) && *line.at != ' '))
			return false;
	}
	scan_blanks(&line);
	*is_tree = scan_text(&line, "calls");
	return *is_tree || scan_is_end(&line);
}

/* ---- columns */

static bool
word(struct pprof_text *text, const char *string, string_id *id, struct error *err)
{
	return pprof_string(text, scan_over(string, strlen(string)), id, err);
}

struct heading {
	const char *key, *title;
	enum ready_type type;
	bool is_dimension;
	uint8_t rank;
};

static const struct heading function_headings[] = {
	{ "function", "function", READY_FUNCTION, true, 0 },
	{ "flat", "flat", READY_COUNT, false, 0 },
	{ "flat_percent", "flat%", READY_PERCENT, false, 3 },
	{ "sum_percent", "sum%", READY_PERCENT, false, 5 },
	{ "cum", "cum", READY_COUNT, false, 2 },
	{ "cum_percent", "cum%", READY_PERCENT, false, 4 },
	{ "inline", "inline", READY_TEXT, false, 6 },
};

static const struct heading call_headings[] = {
	{ "function", "function", READY_FUNCTION, true, 0 },
	{ "relation", "relation", READY_TEXT, true, 0 },
	{ "other", "other", READY_FUNCTION, true, 0 },
	{ "weight", "weight", READY_COUNT, false, 0 },
	{ "percent", "of cum", READY_PERCENT, false, 1 },
	{ "inline", "inline", READY_TEXT, false, 2 },
};

static bool
add_table(struct pprof_text *text, const char *name, const char *title,
	const struct heading *headings, size_t count, struct error *err)
{
	string_id name_id, title_id;
	struct ready_table *table;
	if (!word(text, name, &name_id, err) || !word(text, title, &title_id, err))
		return false;
	table = ready_add_table(text->trace->ready, name_id, title_id, err);
	for (size_t i = 0; table != NULL && i < count; i++) {
		struct ready_column column = { .type = (uint8_t)headings[i].type,
			.is_dimension = headings[i].is_dimension, .rank = headings[i].rank };
		if (!word(text, headings[i].key, &column.key, err) ||
			!word(text, headings[i].title, &column.title, err) ||
			!ready_add_column(table, &column, err))
			return false;
	}
	return table != NULL;
}

/* A text with several reports has several tables: "functions", "functions-2". */
static const char *
name_table(char *out, size_t size, const char *name, size_t number)
{
	if (number <= 1)
		return name;
	snprintf(out, size, "%s-%zu", name, number);
	return out;
}

bool
pprof_tables_begin(struct pprof_text *text, bool is_tree, struct error *err)
{
	struct pprof_tables *tables = &text->tables;
	char name[40];
	if (!pprof_tables_end(text, err))
		return false;
	tables->count++;
	tables->functions = text->trace->ready->table_count;
	tables->calls = tables->functions + 1;
	tables->family = PPROF_NUMBER;
	tables->has_function = tables->has_block = false;
	tables->is_open = true;
	text->form = is_tree ? PPROF_TREE : PPROF_TOP;
	text->forms[text->form] = true;
	return add_table(text, name_table(name, sizeof name, "functions", tables->count), "Functions",
		       function_headings, ARRAY_LENGTH(function_headings), err) &&
	       (!is_tree ||
		       add_table(text, name_table(name, sizeof name, "calls", tables->count),
			       "Callers and callees", call_headings, ARRAY_LENGTH(call_headings), err));
}

/* ---- rows */

static bool
put_value(struct pprof_text *text, const struct pprof_value *value, struct ready_cell *cell,
	struct error *err)
{
	struct pprof_tables *tables = &text->tables;
	if (tables->family == PPROF_NUMBER)
		tables->family = value->family;
	cell->number = pprof_value_round(value);
	return pprof_string(text, value->text, &cell->text, err);
}

static bool
put_text(struct pprof_text *text, struct scan bytes, struct ready_cell *cell, struct error *err)
{
	cell->number = READY_NONE;
	return pprof_string(text, bytes, &cell->text, err);
}

static bool
put_percent(struct pprof_text *text, int64_t percent, struct scan bytes, struct ready_cell *cell,
	struct error *err)
{
	cell->number = percent;
	return pprof_string(text, bytes, &cell->text, err);
}

/* The five values of a function's row, as they were printed. */
struct row {
	struct pprof_value flat, cum;
	int64_t percents[3]; /* flat, sum, cum */
	struct scan texts[3];
};

static bool
take_row(struct scan *line, struct row *row)
{
	scan_blanks(line);
	if (!pprof_value_read(line, &row->flat))
		return false;
	for (int i = 0; i < 2; i++) {
		scan_blanks(line);
		if (!pprof_percent_read(line, &row->percents[i], &row->texts[i]))
			return false;
	}
	scan_blanks(line);
	if (!pprof_value_read(line, &row->cum))
		return false;
	scan_blanks(line);
	return pprof_percent_read(line, &row->percents[2], &row->texts[2]);
}

static bool
add_function(struct pprof_text *text, const struct row *row, struct scan name, struct error *err)
{
	struct ready_cell cells[CELLS_MOST];
	struct scan mark = pprof_take_inline(&name);
	return put_text(text, name, &cells[FUNCTION], err) &&
	       put_value(text, &row->flat, &cells[FLAT], err) &&
	       put_percent(text, row->percents[0], row->texts[0], &cells[FLAT_PERCENT], err) &&
	       put_percent(text, row->percents[1], row->texts[1], &cells[SUM_PERCENT], err) &&
	       put_value(text, &row->cum, &cells[CUM], err) &&
	       put_percent(text, row->percents[2], row->texts[2], &cells[CUM_PERCENT], err) &&
	       put_text(text, mark, &cells[INLINED], err) &&
	       ready_add_row(&text->trace->ready->tables[text->tables.functions], cells, err);
}

/* Two blanks stand before the name, and none where it is empty and its end was lost. */
static enum pprof_line
take_top(struct pprof_text *text, struct scan line, struct error *err)
{
	struct row row;
	if (!take_row(&line, &row))
		return PPROF_NOT_MINE;
	if (scan_char(&line, ' '))
		scan_char(&line, ' ');
	text->tables.rows++;
	return add_function(text, &row, line, err) ? PPROF_TAKEN : PPROF_FAILED;
}

static bool
is_separator(struct scan line)
{
	bool has_plus = false;
	scan_trim(&line);
	if (scan_left(&line) < 20)
		return false;
	for (; !scan_is_end(&line); line.at++) {
		if (*line.at == '+' && !has_plus)
			has_plus = true;
		else if (*line.at != '-')
			return false;
	}
	return has_plus;
}

/* Whom a block's edges are of stands between them. */
static bool
name_block(struct pprof_text *text, struct scan name, struct error *err)
{
	struct pprof_tables *tables = &text->tables;
	struct ready_table *calls = &text->trace->ready->tables[tables->calls];
	if (!pprof_string(text, name, &tables->function, err))
		return false;
	tables->has_function = true;
	for (size_t row = tables->block_first; row < calls->row_count; row++)
		calls->cells[row * calls->column_count + FUNCTION].text = tables->function;
	return true;
}

static bool
add_call(struct pprof_text *text, const struct pprof_value *value, int64_t percent,
	struct scan percent_text, struct scan name, struct error *err)
{
	struct pprof_tables *tables = &text->tables;
	struct ready_cell cells[CELLS_MOST];
	const char *relation = tables->has_function ? "calls" : "called by";
	struct scan mark = pprof_take_inline(&name);
	if (tables->has_function)
		tables->edges_out++;
	else
		tables->edges_in++;
	cells[FUNCTION] = (struct ready_cell){ tables->function, READY_NONE };
	return put_text(text, scan_over(relation, strlen(relation)), &cells[RELATION], err) &&
	       put_text(text, name, &cells[OTHER], err) &&
	       put_value(text, value, &cells[WEIGHT], err) &&
	       put_percent(text, percent, percent_text, &cells[PERCENT], err) &&
	       put_text(text, mark, &cells[CALL_INLINED], err) &&
	       ready_add_row(&text->trace->ready->tables[tables->calls], cells, err);
}

static enum pprof_line
take_tree(struct pprof_text *text, struct scan line, struct error *err)
{
	struct pprof_tables *tables = &text->tables;
	struct row row;
	struct scan percent_text;
	int64_t percent;
	if (is_separator(line)) {
		tables->function = STRING_EMPTY;
		tables->has_function = false;
		tables->has_block = true;
		tables->block_first = text->trace->ready->tables[tables->calls].row_count;
		return PPROF_TAKEN;
	}
	const char *bar = memchr(line.at, '|', scan_left(&line));
	if (bar == NULL || !tables->has_block)
		return PPROF_NOT_MINE;
	struct scan values = { line.at, bar }, name = { bar + 1, line.end }, node = values;
	if (take_row(&node, &row) && scan_blanks(&node) > 0 && scan_is_end(&node)) {
		scan_char(&name, ' ');
		tables->nodes++;
		/* Two in a block: what stood between them was lost. */
		if (tables->has_function)
			tables->block_first = text->trace->ready->tables[tables->calls].row_count;
		return name_block(text, name, err) && add_function(text, &row, name, err) ? PPROF_TAKEN
											  : PPROF_FAILED;
	}
	scan_blanks(&values);
	if (!pprof_value_read(&values, &row.flat))
		return PPROF_NOT_MINE;
	scan_blanks(&values);
	if (!pprof_percent_read(&values, &percent, &percent_text))
		return PPROF_NOT_MINE;
	for (int i = 0; i < 3; i++)
		scan_char(&name, ' ');
	return add_call(text, &row.flat, percent, percent_text, name, err) ? PPROF_TAKEN : PPROF_FAILED;
}

enum pprof_line
pprof_tables_take(struct pprof_text *text, struct scan line, struct error *err)
{
	return text->form == PPROF_TOP ? take_top(text, line, err) : take_tree(text, line, err);
}

/* ---- the end */

/* The unit of a column was known once its values were read. */
static bool
set_unit(struct pprof_text *text, struct ready_column *column, const char *name, struct error *err)
{
	char key[40];
	enum pprof_family family = text->tables.family;
	column->type = family == PPROF_TIME ? READY_DURATION : family == PPROF_MEMORY ? READY_BYTES : READY_COUNT;
	snprintf(key, sizeof key, "%s%s", name,
		family == PPROF_TIME ? "_ns" : family == PPROF_MEMORY ? "_bytes" : "");
	return word(text, key, &column->key, err);
}

bool
pprof_tables_end(struct pprof_text *text, struct error *err)
{
	struct pprof_tables *tables = &text->tables;
	if (!tables->is_open)
		return true;
	tables->is_open = false;
	struct ready_table *functions = &text->trace->ready->tables[tables->functions];
	functions->usual_column = FLAT;
	bool is_fine = set_unit(text, &functions->columns[FLAT], "flat", err) &&
		       set_unit(text, &functions->columns[CUM], "cum", err);
	if (tables->calls >= text->trace->ready->table_count)
		return is_fine;
	struct ready_table *calls = &text->trace->ready->tables[tables->calls];
	calls->usual_column = WEIGHT;
	return is_fine && set_unit(text, &calls->columns[WEIGHT], "weight", err);
}

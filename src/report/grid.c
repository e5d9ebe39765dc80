/* Each value in the form that is asked for. */
#include "report/grid.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/units.h"
#include "draw/names.h"
#include "query/search.h"
#include "report/csv.h"
#include "report/words.h"

enum {
	INDENT = 2,
	KEY_CELLS = 10,
	ROWS_AT_ONCE = 512, /* whose widths are chosen together */
	BAR_CELLS = 24,
	NUMBER_TEXT = 40
};

static const struct cell_style plain = { .fg = STYLE_DEFAULT };
static const struct cell_style dim = { .fg = STYLE_TEXT_DIM };

bool
grid_is_text(const struct grid *grid)
{
	return grid->options->format == REPORT_AS_TEXT;
}

bool
grid_begin(struct grid *grid, const struct trace *trace, const struct report_options *options,
	struct text *out, struct error *err)
{
	*grid = (struct grid){ .trace = trace, .options = options };
	int64_t t0_ns, t1_ns;
	words_interval(options, trace, &t0_ns, &t1_ns);
	grid->step_ns = (t1_ns - t0_ns) / 10000;
	if (!page_begin(&grid->page, options, out, err))
		return false;
	grid->page.value_x = INDENT + KEY_CELLS;
	return true;
}

bool
grid_end(struct grid *grid)
{
	if (grid->line.failed && !grid->page.has_failed) {
		error_set_memory(grid->page.err, "the report");
		grid->page.has_failed = true;
	}
	text_release(&grid->line);
	return page_end(&grid->page);
}

/* ---- what people read above */

void
grid_heading(struct grid *grid, const char *safe)
{
	if (!grid_is_text(grid))
		return;
	page_string(&grid->page, STYLE_TEXT_BRIGHT, safe);
	page_line(&grid->page);
	grid->page.indent = INDENT;
	page_at(&grid->page, INDENT);
}

void
grid_fact(struct grid *grid, const char *key, const char *format, ...)
{
	char value[512];
	va_list args;
	if (!grid_is_text(grid))
		return;
	va_start(args, format);
	vsnprintf(value, sizeof value, format, args);
	va_end(args);
	page_fact(&grid->page, key, &grid->line);
	text_add_string(&grid->line, value);
	page_fact_end(&grid->page, STYLE_DEFAULT, &grid->line);
}

void
grid_usual_facts(struct grid *grid)
{
	const struct report_options *options = grid->options;
	struct text *line = &grid->line;
	int64_t t0_ns, t1_ns;
	if (!grid_is_text(grid))
		return;
	words_interval(options, grid->trace, &t0_ns, &t1_ns);
	page_fact(&grid->page, "file", line);
	text_add_string(line, options->file_name != NULL ? options->file_name : "standard input");
	page_fact_end(&grid->page, STYLE_DEFAULT, line);
	page_fact(&grid->page, "time", line);
	words_duration(line, options, t1_ns - t0_ns);
	if (options->has_interval) {
		text_add_string(line, ", from ");
		words_moment(line, options, grid->trace, t0_ns, t1_ns - t0_ns);
		text_add_string(line, " to ");
		words_moment(line, options, grid->trace, t1_ns, t1_ns - t0_ns);
	}
	page_fact_end(&grid->page, STYLE_DEFAULT, line);
	if (options->only == NULL)
		return;
	page_fact(&grid->page, "query", line);
	words_query(line, options);
	page_fact_end(&grid->page, STYLE_DEFAULT, line);
}

/* ---- tables */

void
grid_table(struct grid *grid, const char *name, const char *title,
	const struct grid_column *columns, int count)
{
	grid->name = name;
	grid->columns = columns;
	grid->column_count = count;
	grid->column = 0;
	grid->had_rows = false;
	if (grid_is_text(grid)) {
		for (int i = 0; i < count; i++)
			grid->looks[i] = columns[i].look;
		page_section(&grid->page, INDENT, title);
		table_init(&grid->table, grid->looks, count);
		return;
	}
	if (grid->options->format != REPORT_AS_CSV)
		return;
	struct text *out = grid->page.out;
	if (out->length > 0)
		text_add_string(out, "\n");
	for (int i = 0, shown = 0; i < count; i++) {
		if (columns[i].key != NULL)
			text_format(out, "%s%s", shown++ > 0 ? "," : "", columns[i].key);
	}
	text_add_string(out, "\n");
}

static void
put_rows(struct grid *grid)
{
	page_table(&grid->page, &grid->table, !grid->had_rows);
	table_clear(&grid->table);
	grid->had_rows = true;
}

void
grid_table_end(struct grid *grid, const char *none)
{
	if (!grid_is_text(grid))
		return;
	if (table_rows(&grid->table) > 0) {
		put_rows(grid);
	} else if (!grid->had_rows) {
		page_string(&grid->page, STYLE_TEXT_DIM, none);
		page_line(&grid->page);
	}
	table_release(&grid->table);
}

static void
flush(struct grid *grid)
{
	struct page *page = &grid->page;
	if (!page->has_failed && !report_flush(grid->options, page->out, page->err))
		page->has_failed = true;
}

static void
end_row(struct grid *grid)
{
	grid->column = 0;
	if (grid_is_text(grid)) {
		if (table_rows(&grid->table) >= ROWS_AT_ONCE)
			put_rows(grid);
		return;
	}
	text_add_string(grid->page.out, grid->options->format == REPORT_AS_JSON ? "}\n" : "\n");
	flush(grid);
}

/* What stands before the value in CSV and JSON: nothing, or what parts it from the one before. */
static void
begin_value(struct grid *grid)
{
	struct text *out = grid->page.out;
	int before = 0;
	for (int i = 0; i < grid->column; i++)
		before += grid->columns[i].key != NULL;
	if (grid->options->format == REPORT_AS_CSV) {
		text_add_string(out, before > 0 ? "," : "");
		return;
	}
	if (before == 0)
		text_format(out, "{\"table\":\"%s\"", grid->name);
	text_format(out, ",\"%s\":", grid->columns[grid->column].key);
}

static void
next_cell(struct grid *grid)
{
	if (++grid->column == grid->column_count)
		end_row(grid);
}

/* A value as programs read it, or as people do; whichever is not wanted is not looked at. */
static void
put(struct grid *grid, const char *exact, const char *told, struct cell_style style)
{
	if (grid_is_text(grid)) {
		table_string(&grid->table, style, told);
	} else if (grid->columns[grid->column].key != NULL) {
		begin_value(grid);
		text_add_string(grid->page.out, exact);
	}
	next_cell(grid);
}

/* The line as a string. */
static const char *
told_line(const struct grid *grid)
{
	return grid->line.length > 0 ? grid->line.bytes : "";
}

void
grid_none(struct grid *grid)
{
	put(grid, grid->options->format == REPORT_AS_JSON ? "null" : "", "", plain);
}

void
grid_count(struct grid *grid, uint64_t count)
{
	char exact[NUMBER_TEXT], told[UNITS_TEXT];
	snprintf(exact, sizeof exact, "%" PRIu64, count);
	units_count(told, count);
	put(grid, exact, told, plain);
}

void
grid_bytes(struct grid *grid, uint64_t bytes)
{
	char exact[NUMBER_TEXT], told[UNITS_TEXT];
	snprintf(exact, sizeof exact, "%" PRIu64, bytes);
	units_bytes(told, bytes);
	put(grid, exact, told, plain);
}

void
grid_duration(struct grid *grid, int64_t duration_ns)
{
	char exact[NUMBER_TEXT], told[UNITS_TEXT];
	snprintf(exact, sizeof exact, "%" PRId64, duration_ns);
	units_duration(told, duration_ns, grid->options->ascii);
	put(grid, exact, duration_ns == 0 ? "-" : told, duration_ns == 0 ? dim : plain);
}

void
grid_moment(struct grid *grid, int64_t time_ns)
{
	char exact[NUMBER_TEXT];
	snprintf(exact, sizeof exact, "%" PRId64, time_ns);
	text_clear(&grid->line);
	words_moment(&grid->line, grid->options, grid->trace, time_ns, grid->step_ns);
	put(grid, exact, told_line(grid), dim);
}

void
grid_share(struct grid *grid, double share)
{
	char exact[NUMBER_TEXT], told[NUMBER_TEXT];
	snprintf(exact, sizeof exact, "%.9g", share);
	snprintf(told, sizeof told, "%.1f%%", share * 100);
	put(grid, exact, told, plain);
}

void
grid_number(struct grid *grid, double number, int decimals)
{
	char exact[NUMBER_TEXT], told[NUMBER_TEXT];
	snprintf(exact, sizeof exact, "%.9g", number);
	snprintf(told, sizeof told, "%.*f", decimals, number);
	put(grid, exact, told, plain);
}

void
grid_bar(struct grid *grid, double share, uint8_t style)
{
	static const char *const eighths[] = { "", "▏", "▎", "▍", "▌", "▋", "▊", "▉" };
	if (!grid_is_text(grid)) {
		next_cell(grid);
		return;
	}
	double part = share < 0 ? 0 : share > 1 ? 1 : share;
	int length = (int)lround(part * (grid->options->ascii ? BAR_CELLS : BAR_CELLS * 8));
	text_clear(&grid->line);
	if (grid->options->ascii) {
		for (int i = 0; i < length; i++)
			text_add_string(&grid->line, "#");
	} else {
		for (int i = 0; i < length / 8; i++)
			text_add_string(&grid->line, "█");
		text_add_string(&grid->line, eighths[length % 8]);
	}
	table_text(&grid->table, (struct cell_style){ .fg = style }, &grid->line);
	next_cell(grid);
}

/* A text as programs read it. */
static void
put_quoted(struct grid *grid, const char *bytes, size_t length)
{
	struct text *out = grid->page.out;
	if (grid->columns[grid->column].key == NULL)
		return;
	begin_value(grid);
	if (grid->options->format == REPORT_AS_CSV) {
		csv_add(out, bytes, length, grid->options->ascii);
		return;
	}
	text_add_string(out, "\"");
	text_add_json(out, bytes, length);
	text_add_string(out, "\"");
}

/* The line, which is safe text. */
static void
put_line(struct grid *grid, struct cell_style style)
{
	if (grid_is_text(grid))
		table_text(&grid->table, style, &grid->line);
	else
		put_quoted(grid, told_line(grid), grid->line.length);
	next_cell(grid);
}

void
grid_text(struct grid *grid, const char *bytes, size_t length)
{
	if (grid_is_text(grid)) {
		text_clear(&grid->line);
		text_add_safe(&grid->line, bytes, length, grid->options->ascii);
		put_line(grid, plain);
		return;
	}
	put_quoted(grid, bytes, length);
	next_cell(grid);
}

void
grid_string(struct grid *grid, string_id id)
{
	size_t length;
	const char *bytes = trace_text(grid->trace, id, &length);
	grid_text(grid, bytes, length);
}

void
grid_goroutine(struct grid *grid, goroutine_ref goroutine)
{
	char exact[NUMBER_TEXT];
	if (goroutine == REF_NONE) {
		grid_none(grid);
		return;
	}
	snprintf(exact, sizeof exact, "%" PRId64, trace_goroutine(grid->trace, goroutine)->id);
	text_clear(&grid->line);
	words_goroutine(&grid->line, grid->options, grid->trace, goroutine);
	put(grid, exact, told_line(grid), plain);
}

void
grid_proc(struct grid *grid, proc_ref proc)
{
	char exact[NUMBER_TEXT], told[NUMBER_TEXT];
	if (proc == REF_NONE) {
		grid_none(grid);
		return;
	}
	snprintf(exact, sizeof exact, "%" PRId64, trace_proc(grid->trace, proc)->id);
	snprintf(told, sizeof told, "P%" PRId64, trace_proc(grid->trace, proc)->id);
	put(grid, exact, told, plain);
}

void
grid_frame(struct grid *grid, stack_id stack)
{
	const struct stack_frame *frame = name_telling_frame(grid->trace, stack);
	if (frame == NULL) {
		grid_none(grid);
		grid_none(grid);
		return;
	}
	grid_string(grid, frame->function);
	text_clear(&grid->line);
	words_place(&grid->line, grid->options, grid->trace, frame);
	put_line(grid, dim);
}

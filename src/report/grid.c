/* Tables: rows are written as they come, or held until they are sorted. */
#include "report/grid_internal.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/units.h"
#include "draw/names.h"
#include "report/kept.h"
#include "report/words.h"
#include "result/figures.h"
#include "trace/own_code.h"
#include "trace/words.h"

enum {
	KEY_CELLS = 10,
	ROWS_AT_ONCE = 512 /* whose widths are chosen together */
};

bool
grid_is_text(const struct grid *grid)
{
	return report_is_for_people(grid->options->format);
}

bool
grid_begin(struct grid *grid, const struct trace *trace, const struct report_options *options,
	struct text *out, struct error *err)
{
	*grid = (struct grid){ .trace = trace, .words = trace->words, .options = options };
	int64_t t0_ns, t1_ns;
	words_interval(options, trace, &t0_ns, &t1_ns);
	grid->step_ns = (t1_ns - t0_ns) / 10000;
	if (!page_open(&grid->page, options, out, err))
		return false;
	grid->page.is_held = options->sort != NULL;
	grid->page.value_x = PAGE_INDENT + KEY_CELLS;
	return true;
}

/* It is over with what went wrong, unless something did before. */
static void
fail(struct grid *grid, bool (*set)(struct error *err, const struct grid *grid))
{
	if (!grid->page.has_failed)
		set(grid->page.err, grid);
	grid->page.has_failed = true;
}

static bool
refuse_sort(struct error *err, const struct grid *grid)
{
	return error_set(err, ERROR_USAGE, "--sort=%s: there is no such column; there are %s",
		grid->options->sort, grid->known.bytes);
}

static bool
want_memory(struct error *err, const struct grid *grid)
{
	(void)grid;
	return error_set_memory(err, "the report");
}

bool
grid_end(struct grid *grid)
{
	if (grid->line.failed || grid->texts.failed || grid->known.failed)
		fail(grid, want_memory);
	else if (grid->known.length > 0 && !grid->has_sorted)
		fail(grid, refuse_sort);
	text_release(&grid->line);
	text_release(&grid->texts);
	text_release(&grid->known);
	table_release(&grid->table); /* which may not have ended */
	memory_free(grid->cells);
	memory_free(grid->shown);
	return page_close(&grid->page);
}

/* ---- what people read above */

void
grid_heading(struct grid *grid, const char *safe)
{
	if (!grid_is_text(grid))
		return;
	page_string(&grid->page, STYLE_TEXT_BRIGHT, safe);
	page_heading_end(&grid->page);
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
	text_add_string(line, words_file(options));
	page_fact_end(&grid->page, STYLE_DEFAULT, line);
	if (grid->trace->clock != TRACE_CLOCK_NONE) {
		page_fact(&grid->page, "time", line);
		words_duration(line, options, t1_ns - t0_ns);
		words_from_to(line, options, grid->trace);
		page_fact_end(&grid->page, STYLE_DEFAULT, line);
	}
	if (options->only == NULL)
		return;
	page_fact(&grid->page, "query", line);
	words_query(line, options, grid->trace);
	page_fact_end(&grid->page, STYLE_DEFAULT, line);
}

/* ---- tables */

static bool
is_known(const struct grid *grid, const char *key, size_t length)
{
	static const char gap[] = ", ";
	const char *at = grid->known.length > 0 ? grid->known.bytes : NULL;
	while (at != NULL) {
		const char *end = strstr(at, gap);
		size_t known = end != NULL ? (size_t)(end - at) : strlen(at);
		if (known == length && memcmp(at, key, length) == 0)
			return true;
		at = end != NULL ? end + strlen(gap) : NULL;
	}
	return false;
}

/* Returns the one that --sort names, -1 for none. */
static int
learn_columns(struct grid *grid, const struct grid_column *columns, int count)
{
	int found = grid_find_sort(grid, columns, count);
	if (found >= 0) {
		grid->has_sorted = true;
		grid->page.is_held = false;
	}
	if (grid->options->sort == NULL || grid->has_sorted)
		return found;
	for (int i = 0; i < count; i++) {
		if (columns[i].key == NULL)
			continue;
		const char *key = words_key(grid->trace->words, columns[i].key);
		if (is_known(grid, key, figures_key_length(key)))
			continue;
		text_add_string(&grid->known, grid->known.length > 0 ? ", " : "");
		text_add(&grid->known, key, figures_key_length(key));
	}
	return found;
}

bool
grid_sorts_by(struct grid *grid, const struct grid_column *columns, int count)
{
	return learn_columns(grid, columns, count) >= 0;
}

static void
begin_rows(struct grid *grid, const char *name, const struct grid_column *columns, int count)
{
	grid->name = name;
	grid->columns = columns;
	grid->column_count = count;
	grid->column = 0;
	grid->had_rows = false;
	grid->row_count = 0;
	grid->cell_count = 0;
	grid->shown_count = 0;
	grid->block = NULL;
	text_clear(&grid->texts);
	grid->sort_column = grid->is_as_made ? -1 : learn_columns(grid, columns, count);
	struct text *out = grid->page.out;
	if (grid->options->format == REPORT_AS_KEPT && !kept_begin(grid->options->kept, grid, grid->page.err))
		grid->page.has_failed = true;
	if (grid->options->format != REPORT_AS_CSV)
		return;
	if (grid->had_table)
		text_add_string(out, "\n");
	grid->had_table = true;
	int told = grid->options->names_file;
	text_add_string(out, told > 0 ? "file" : "");
	for (int i = 0; i < count; i++) {
		if (columns[i].key != NULL)
			text_format(out, "%s%s", told++ > 0 ? "," : "",
				words_key(grid->trace->words, columns[i].key));
	}
	text_add_string(out, "\n");
}

void
grid_as_made(struct grid *grid)
{
	grid->is_as_made = true;
}

void
grid_table(struct grid *grid, const char *name, const char *title,
	const struct grid_column *columns, int count)
{
	int shown = 0;
	begin_rows(grid, name, columns, count);
	if (!grid_is_text(grid))
		return;
	for (int i = 0; i < count; i++) {
		if (columns[i].look.title != NULL)
			words_columns(grid->trace, &columns[i].look, 1, &grid->looks[shown++]);
	}
	page_section(&grid->page, title);
	table_init(&grid->table, grid->looks, shown);
}

void
grid_blocks(struct grid *grid, const char *name, const struct grid_column *columns, int count,
	void (*block)(void *context, uint32_t row), void *context)
{
	begin_rows(grid, name, columns, count);
	grid->block = block;
	grid->block_context = context;
}

static void
put_rows(struct grid *grid)
{
	page_table(&grid->page, &grid->table, !grid->had_rows);
	table_clear(&grid->table);
	grid->had_rows = true;
}

/* Whether the column is for whoever reads this. */
static bool
is_column_told(const struct grid *grid, int column)
{
	return grid_is_text(grid) ? grid->columns[column].look.title != NULL
				  : grid->columns[column].key != NULL;
}

static void
write_cells(struct grid *grid, const struct grid_cell *cells)
{
	if (!grid_is_text(grid))
		grid_cell_begin_row(grid);
	for (grid->column = 0; grid->column < grid->column_count; grid->column++) {
		if (is_column_told(grid, grid->column))
			grid_cell_write(grid, &cells[grid->column]);
	}
	grid->column = 0;
	if (!grid_is_text(grid))
		text_add_string(grid->page.out,
			grid->options->format == REPORT_AS_JSON ? "}\n" : "\n");
	else if (table_rows(&grid->table) >= ROWS_AT_ONCE)
		put_rows(grid);
}

static void
write_row(struct grid *grid, uint32_t row, const struct grid_cell *cells)
{
	uint64_t limit = grid->is_as_made ? 0 : grid->options->limit;
	if (grid->page.has_failed || (limit > 0 && grid->shown_count >= limit))
		return;
	if (!array_reserve(&grid->shown, &grid->shown_capacity, grid->shown_count + 1,
		    sizeof *grid->shown, grid->page.err)) {
		grid->page.has_failed = true;
		return;
	}
	grid->shown[grid->shown_count++] = row;
	if (grid->options->format == REPORT_AS_KEPT)
		grid->page.has_failed = !kept_row(grid->options->kept, grid, cells, grid->page.err);
	else if (grid->block != NULL && grid_is_text(grid))
		grid->block(grid->block_context, row);
	else
		write_cells(grid, cells);
	page_flush(&grid->page);
}

static void
write_sorted(struct grid *grid)
{
	uint32_t *order = grid_order(grid, grid->page.err);
	if (order == NULL) {
		grid->page.has_failed = true;
		return;
	}
	for (uint32_t i = 0; i < grid->row_count; i++)
		write_row(grid, order[i],
			&grid->cells[(size_t)order[i] * (size_t)grid->column_count]);
	memory_free(order);
}

static void
end_row(struct grid *grid)
{
	uint32_t row = grid->row_count++;
	grid->column = 0;
	if (grid->sort_column >= 0)
		return;
	write_row(grid, row, grid->cells);
	grid->place = NULL;
	grid->cell_count = 0;
	text_clear(&grid->texts);
}

static void
tell_rest(struct grid *grid, const char *none)
{
	char count[UNITS_TEXT];
	struct page *page = &grid->page;
	if (grid->row_count == 0 && none != NULL) {
		text_clear(&grid->line);
		text_add_words(&grid->line, grid->words, none);
		page_string(page, STYLE_TEXT_DIM, text_string(&grid->line));
		page_line(page);
	}
	if (grid->shown_count < grid->row_count) {
		units_count(count, grid->row_count - grid->shown_count);
		page_format(page, STYLE_TEXT_DIM, "and %s more", count);
		page_line(page);
	}
}

void
grid_table_end(struct grid *grid, const char *none)
{
	if (grid->sort_column >= 0 && !grid->page.has_failed)
		write_sorted(grid);
	grid->is_as_made = false;
	grid->dimensions = 0;
	if (!grid_is_text(grid))
		return;
	if (grid->block == NULL) {
		if (table_rows(&grid->table) > 0)
			put_rows(grid);
		table_release(&grid->table);
	}
	tell_rest(grid, none);
}

uint32_t *
grid_take_shown(struct grid *grid, size_t *count)
{
	uint32_t *shown = grid->shown;
	*count = grid->shown_count;
	grid->shown = NULL;
	grid->shown_count = grid->shown_capacity = 0;
	return shown;
}

/* ---- cells */

static void
add(struct grid *grid, struct grid_cell cell)
{
	if (grid->page.has_failed)
		return;
	if (!array_reserve(&grid->cells, &grid->cell_capacity, grid->cell_count + 1,
		    sizeof *grid->cells, grid->page.err)) {
		grid->page.has_failed = true;
		return;
	}
	grid->cells[grid->cell_count++] = cell;
	if (++grid->column == grid->column_count)
		end_row(grid);
}

void
grid_none(struct grid *grid)
{
	add(grid, (struct grid_cell){ .type = VALUE_NONE });
}

void
grid_count(struct grid *grid, uint64_t count)
{
	add(grid, (struct grid_cell){ .type = VALUE_COUNT, .u.count = count });
}

void
grid_bytes(struct grid *grid, uint64_t bytes)
{
	add(grid, (struct grid_cell){ .type = VALUE_BYTES, .u.count = bytes });
}

void
grid_amount(struct grid *grid, int64_t value, int decimals)
{
	if (decimals == 0 && value >= 0)
		grid_count(grid, (uint64_t)value);
	else
		add(grid, (struct grid_cell){
				  .type = VALUE_AMOUNT, .detail = (uint8_t)decimals, .u.ns = value });
}

void
grid_duration(struct grid *grid, int64_t duration_ns)
{
	add(grid, (struct grid_cell){ .type = VALUE_DURATION, .u.ns = duration_ns });
}

void
grid_since(struct grid *grid, int64_t duration_ns)
{
	add(grid, (struct grid_cell){ .type = VALUE_SINCE, .u.ns = duration_ns });
}

void
grid_change(struct grid *grid, int64_t change, enum units_of of)
{
	add(grid, (struct grid_cell){
			  .type = VALUE_CHANGE, .detail = (uint8_t)of, .u.ns = change });
}

void
grid_moment(struct grid *grid, int64_t time_ns)
{
	add(grid, (struct grid_cell){ .type = VALUE_MOMENT, .u.ns = time_ns });
}

void
grid_share(struct grid *grid, double share)
{
	add(grid, (struct grid_cell){ .type = VALUE_SHARE, .u.number = share });
}

void
grid_number(struct grid *grid, double number, int decimals)
{
	add(grid, (struct grid_cell){
			  .type = VALUE_NUMBER, .detail = (uint8_t)decimals, .u.number = number });
}

void
grid_percent(struct grid *grid, double share)
{
	add(grid, (struct grid_cell){ .type = VALUE_PERCENT, .detail = 2, .u.number = share * 100 });
}

void
grid_bar(struct grid *grid, double share)
{
	add(grid, (struct grid_cell){ .type = VALUE_BAR, .u.number = share });
}

void
grid_styled(struct grid *grid, uint8_t style, const char *bytes, size_t length)
{
	size_t at = grid->texts.length;
	text_add(&grid->texts, bytes, length);
	add(grid, (struct grid_cell){ .type = VALUE_TEXT,
			  .detail = style,
			  .length = (uint32_t)(grid->texts.length - at),
			  .u.at = at });
}

void
grid_text(struct grid *grid, const char *bytes, size_t length)
{
	grid_styled(grid, STYLE_DEFAULT, bytes, length);
}

void
grid_string(struct grid *grid, string_id id)
{
	add(grid, (struct grid_cell){ .type = VALUE_STRING, .u.id = id });
}

void
grid_actor(struct grid *grid, actor_ref actor)
{
	if (actor == REF_NONE)
		grid_none(grid);
	else
		add(grid, (struct grid_cell){ .type = VALUE_ACTOR, .u.id = actor });
}

void
grid_processor(struct grid *grid, resource_ref processor)
{
	if (processor == REF_NONE)
		grid_none(grid);
	else
		add(grid, (struct grid_cell){ .type = VALUE_PROCESSOR, .u.id = processor });
}

void
grid_actor_id(struct grid *grid, actor_ref actor)
{
	if (actor == REF_NONE)
		grid_none(grid);
	else
		add(grid, (struct grid_cell){ .type = VALUE_ACTOR_ID, .u.id = actor });
}

void
grid_id(struct grid *grid, int64_t id)
{
	add(grid, (struct grid_cell){ .type = VALUE_ID, .u.ns = id });
}

void
grid_frame(struct grid *grid, const struct stack_frame *frame)
{
	if (frame == NULL) {
		grid_none(grid);
		grid_none(grid);
		return;
	}
	grid_string(grid, frame->function);
	text_clear(&grid->line);
	text_add_place(&grid->line, grid->trace, frame, grid->options->ascii);
	grid_styled(grid, STYLE_TEXT_DIM, grid->line.bytes, grid->line.length);
}

void
grid_stack(struct grid *grid, stack_id stack, actor_ref actor)
{
	grid_frame(grid, own_code_frame(grid->trace, stack, actor));
}

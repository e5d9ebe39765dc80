/* Tables on a canvas: widths from texts, names shortened to fit. */
#include "draw/table.h"

#include <assert.h>
#include <limits.h>
#include <string.h>

#include "base/memory.h"

void
table_init(struct table *table, const struct table_column *columns, int column_count)
{
	assert(column_count > 0 && column_count <= TABLE_MAX_COLUMNS);
	*table = (struct table){ .columns = columns, .column_count = column_count };
	for (int i = 0; i < column_count; i++)
		table->content[i] = (int)strlen(columns[i].title);
}

void
table_release(struct table *table)
{
	text_release(&table->texts);
	memory_free(table->cells);
	*table = (struct table){ 0 };
}

void
table_clear(struct table *table)
{
	text_clear(&table->texts);
	table->cell_count = 0;
}

static void
add(struct table *table, struct cell_style style, const char *safe, size_t length)
{
	struct error err = { 0 };
	if (!array_reserve(&table->cells, &table->capacity, table->cell_count + 1,
		    sizeof(*table->cells), &err)) {
		table->has_failed = true;
		return;
	}
	size_t offset = table->texts.length;
	text_add(&table->texts, safe, length);
	if (table->texts.failed) {
		table->has_failed = true;
		length = 0;
	}
	size_t width = text_width(safe, length);
	int column = (int)(table->cell_count % (size_t)table->column_count);
	struct table_cell *cell = &table->cells[table->cell_count++];
	*cell = (struct table_cell){ .offset = offset,
		.length = length,
		.width = width < INT_MAX / 2 ? (int)width : INT_MAX / 2,
		.style = style };
	if (cell->width > table->content[column])
		table->content[column] = cell->width;
}

void
table_string(struct table *table, struct cell_style style, const char *safe)
{
	add(table, style, safe, strlen(safe));
}

void
table_text(struct table *table, struct cell_style style, const struct text *safe)
{
	table->has_failed = table->has_failed || safe->failed;
	add(table, style, safe->bytes, safe->length);
}

void
table_headed(struct table *table, struct cell_style style, const struct text *safe, size_t head)
{
	size_t before = table->cell_count;
	table_text(table, style, safe);
	if (table->cell_count > before)
		table->cells[before].head =
			head < table->cells[before].length ? head : table->cells[before].length;
}

void
table_skip(struct table *table)
{
	add(table, (struct cell_style){ 0 }, "", 0);
}

size_t
table_rows(const struct table *table)
{
	return table->cell_count / (size_t)table->column_count;
}

/* ---- widths */

/* Cells of all columns that are shown and the gaps between them. */
static long
total_width(const struct table *table)
{
	long total = 0;
	int shown = 0;
	for (int i = 0; i < table->column_count; i++) {
		total += table->widths[i];
		shown += table->widths[i] > 0;
	}
	return total + (shown > 1 ? (shown - 1) * TABLE_GAP_CELLS : 0);
}

static int
narrowest(const struct table_column *column, int content)
{
	return column->least_cells > 0 && column->least_cells < content ? column->least_cells
									: content;
}

/* Cells that narrowing could save. */
static long
slack(const struct table *table)
{
	long total = 0;
	for (int i = 0; i < table->column_count; i++)
		total += table->widths[i] -
			 (table->widths[i] == 0 ? 0
						: narrowest(&table->columns[i], table->widths[i]));
	return total;
}

/* The column that goes next, -1 if all that are left stay. */
static int
least_needed(const struct table *table)
{
	int found = -1, rank = 0;
	for (int i = 0; i < table->column_count; i++)
		if (table->widths[i] > 0 && table->columns[i].rank > rank) {
			found = i;
			rank = table->columns[i].rank;
		}
	return found;
}

/* Takes a cell from the widest column that can spare one; false if none can. */
static bool
narrow_widest(struct table *table)
{
	int widest = -1;
	for (int i = 0; i < table->column_count; i++)
		if (table->widths[i] > narrowest(&table->columns[i], table->widths[i]) &&
			(widest < 0 || table->widths[i] > table->widths[widest]))
			widest = i;
	if (widest >= 0)
		table->widths[widest]--;
	return widest >= 0;
}

void
table_layout(struct table *table, int width_cells)
{
	for (int i = 0; i < table->column_count; i++) {
		/* What cannot be seen anyway need not be narrowed cell by cell. */
		int most = table->columns[i].least_cells > 0 ? width_cells : INT_MAX;
		table->widths[i] = table->content[i] < most ? table->content[i] : most;
	}
	int goes;
	while (total_width(table) - slack(table) > width_cells && (goes = least_needed(table)) >= 0)
		table->widths[goes] = 0;
	while (total_width(table) > width_cells && narrow_widest(table))
		continue;
}

/* ---- drawing */

static void
shorten(struct text *out, const struct table_column *column, size_t cells, bool ascii,
	const struct table_cell *cell, const char *safe)
{
	size_t head_cells = text_width(safe, cell->head);
	if (column->is_name && head_cells < cells) {
		text_add(out, safe, cell->head);
		text_add_short_name(out, safe + cell->head, cell->length - cell->head,
			cells - head_cells, ascii);
		return;
	}
	text_add(out, safe, cell->length);
	text_cut(out, 0, cells, ascii);
}

/* Draws a text into a column; false if it could not be shortened for want of memory. */
static bool
draw_text(const struct table_column *column, struct canvas *canvas, struct cell_run run,
	const struct table_cell *cell, const char *safe)
{
	struct text short_text = { 0 };
	size_t length = cell->length;
	if (run.cells > canvas->width - run.x)
		run.cells = canvas->width - run.x;
	if (run.cells <= 0)
		return true;
	if (text_width(safe, length) > (size_t)run.cells) {
		shorten(&short_text, column, (size_t)run.cells, canvas->ascii, cell, safe);
		if (!short_text.failed) {
			safe = short_text.bytes;
			length = short_text.length;
		}
	}
	int used = (int)text_width(safe, length);
	if (column->is_right && used < run.cells)
		run.x += run.cells - used;
	canvas_bytes(canvas, run, cell->style, safe, length);
	bool is_whole = !short_text.failed;
	text_release(&short_text);
	return is_whole;
}

void
table_draw_titles(struct table *table, struct canvas *canvas, int x, int y, struct cell_style style)
{
	for (int i = 0; i < table->column_count; i++) {
		if (table->widths[i] == 0)
			continue;
		struct table_column column = table->columns[i];
		const struct table_cell cell = { .length = strlen(column.title), .style = style };
		column.is_name = false;
		draw_text(&column, canvas, (struct cell_run){ x, y, table->widths[i] }, &cell, column.title);
		x += table->widths[i] + TABLE_GAP_CELLS;
	}
}

void
table_draw_row(struct table *table, struct canvas *canvas, int x, int y, size_t row)
{
	const struct table_cell *cells = &table->cells[row * (size_t)table->column_count];
	for (int i = 0; i < table->column_count; i++) {
		if (table->widths[i] == 0)
			continue;
		if (cells[i].length > 0 &&
			!draw_text(&table->columns[i], canvas,
				(struct cell_run){ x, y, table->widths[i] }, &cells[i],
				table->texts.bytes + cells[i].offset))
			table->has_failed = true;
		x += table->widths[i] + TABLE_GAP_CELLS;
	}
}

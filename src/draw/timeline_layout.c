/* Lines and columns, by the size of the canvas. */
#include "draw/timeline_layout.h"

#include "base/compiler.h"

/* Lines of the panel, its rule among them, by the height of the canvas. */
static int
panel_lines_for(int height)
{
	static const struct {
		int height, lines;
	} steps[] = { { 40, 8 }, { 26, 6 }, { 20, 5 }, { 15, 4 }, { 12, 3 }, { 7, 1 } };
	for (size_t i = 0; i < ARRAY_LENGTH(steps); i++) {
		if (height >= steps[i].height)
			return steps[i].lines;
	}
	return 0;
}

static int
label_cells_for(int width)
{
	int cells = width / 4 + 2;
	if (width < 24)
		return width / 3;
	return cells > 30 ? 30 : cells;
}

struct timeline_layout
timeline_layout(int width, int height, bool has_panel)
{
	struct timeline_layout layout = { .width = width, .height = height };
	layout.title_lines = height >= 4;
	layout.ruler_lines = height >= 3;
	layout.label_cells = label_cells_for(width);
	layout.cells = width - layout.label_cells;
	layout.rows_y = layout.title_lines + layout.ruler_lines;
	layout.panel_lines = has_panel ? panel_lines_for(height) : 0;
	layout.panel_y = height - layout.panel_lines;
	layout.row_lines = layout.panel_y - layout.rows_y;
	return layout;
}

void
timeline_layout_fold_panel(struct timeline_layout *layout)
{
	enum { FOLDED_LINES = 3 };
	int freed = layout->panel_lines - FOLDED_LINES;
	if (freed <= 0)
		return;
	layout->panel_lines -= freed;
	layout->panel_y += freed;
	layout->row_lines += freed;
}

enum { FEWEST_ROWS = 4 };

void
timeline_layout_verdict(struct timeline_layout *layout)
{
	if (layout->panel_lines == 0 || layout->row_lines <= FEWEST_ROWS)
		return;
	layout->verdict_lines = 1;
	layout->panel_y--;
	layout->row_lines--;
}

void
timeline_layout_path(struct timeline_layout *layout)
{
	if (layout->ruler_lines == 0 || layout->row_lines <= FEWEST_ROWS)
		return;
	layout->path_lines = 1;
	layout->rows_y++;
	layout->row_lines--;
}

void
timeline_layout_pane(struct timeline_layout *layout, int y, int lines)
{
	layout->rows_y = y + 1;
	layout->row_lines = lines - 1;
}

void
timeline_layout_pins(struct timeline_layout *layout, size_t pin_count)
{
	int most = layout->row_lines / 2;
	layout->pinned_lines = most < 0 ? 0 : pin_count < (size_t)most ? (int)pin_count : most;
}

size_t
timeline_row_at(const struct timeline_layout *layout, size_t first_row, int line)
{
	size_t pinned = (size_t)layout->pinned_lines;
	if (line < layout->pinned_lines)
		return (size_t)line;
	if (first_row < pinned)
		first_row = pinned;
	return first_row + (size_t)(line - layout->pinned_lines);
}

int
timeline_line_of(const struct timeline_layout *layout, size_t first_row, size_t row)
{
	size_t pinned = (size_t)layout->pinned_lines;
	size_t lines = (size_t)(layout->row_lines - layout->pinned_lines);
	if (row < pinned)
		return (int)row;
	if (first_row < pinned)
		first_row = pinned;
	if (row < first_row || row - first_row >= lines)
		return -1;
	return layout->pinned_lines + (int)(row - first_row);
}

/* The first column stays; as many of the others as there is room for follow from the one chosen on. */
#include "view/figure_table.h"

#include <string.h>

#include "draw/bar.h"
#include "draw/line_mark.h"
#include "trace/words.h"
#include "view/figure_table.h"

enum {
	MARGIN = 2,
	GAP = 2,
	BAR_CELLS = 10,
	BAR_WIDTH = 60,   /* of a screen that has room for bars */
	LEAST_NAME = 20,
	MOST_TEXT = 36,   /* of a text that is not the first column ... */
	LEAST_NAME_CELLS = 4, /* behind an id */
	LEAST_TEXT = 14   /* ... and where there is no room for that */
};

static const struct cell_style plain = { .fg = STYLE_DEFAULT };
static const struct cell_style dim = { .fg = STYLE_TEXT_DIM };
static const struct cell_style bright = { .fg = STYLE_TEXT_BRIGHT };

/* What is drawn, and by what. */
struct drawing {
	const struct figure_page *page;
	const struct figures *figures;
	const struct session *session;
	struct canvas *canvas;
	struct text scratch; /* what is put next */
};

/* ---- laying out */

static int
scratch_cells(const struct text *scratch)
{
	return scratch->length > 0 ? (int)text_width(scratch->bytes, scratch->length) : 0;
}

static void
widen(int *width, int to, int most)
{
	to = to < most ? to : most;
	if (*width < to)
		*width = to;
}

/* What is on the screen makes columns wider; so that they stand still they never get narrower. */
static void
measure(struct figure_page *page, const struct figures *figures, const struct session *session,
	const struct canvas *canvas)
{
	struct text cell = { 0 };
	if (page->width != canvas->width)
		memset(page->widths, 0, sizeof page->widths);
	page->width = canvas->width;
	for (int column = 0; column < figures->column_count; column++) {
		int most = column == 0 ? canvas->width
				       : figure_is_text(figures->columns[column].type) ? MOST_TEXT
										       : canvas->width;
		/* Room for the mark of the column that is sorted by. */
		widen(&page->widths[column], (int)strlen(figures->columns[column].title) + 1, most);
		for (size_t i = page->top; i < page->shown && i - page->top < page->page; i++) {
			text_clear(&cell);
			figures_add(figures, session->trace,
				(struct figures_at){ page->layer, page->order[i], column },
				session->is_wall, canvas->ascii, &cell);
			widen(&page->widths[column], scratch_cells(&cell), most);
		}
	}
	text_release(&cell);
}

static struct figure_layout
lay_out(const struct figure_page *page, const struct figures *figures)
{
	int rest = 0;
	const struct figures_column *columns = figures->columns;
	int bar_width = figures->bar_width > 0 ? figures->bar_width : BAR_WIDTH;
	struct figure_layout layout = { .bar_cells = page->width >= bar_width ? BAR_CELLS : 0 };
	int bar = layout.bar_cells > 0 ? layout.bar_cells + GAP : 0;
	for (int column = 1; column < figures->column_count; column++)
		rest += GAP + (figure_is_text(columns[column].type) && page->widths[column] > LEAST_TEXT
				? LEAST_TEXT
				: page->widths[column]);
	int room = page->width - MARGIN - bar - rest;
	int least = LEAST_NAME > page->width / 3 ? LEAST_NAME : page->width / 3;
	layout.name_cells = page->widths[0];
	if (layout.name_cells > room && layout.name_cells > least)
		layout.name_cells = room > least ? room : least;
	layout.bar_x = MARGIN + layout.name_cells + GAP;
	layout.first_x = MARGIN + layout.name_cells + bar + GAP;
	return layout;
}

/* The cells of a column that begins at x; 0 where it has no room. Texts may be cut. */
static int
cells_at(const struct figure_page *page, const struct figures *figures, int column, int x)
{
	int room = page->width - x, width = page->widths[column];
	if (width <= room)
		return width;
	return figure_is_text(figures->columns[column].type) && room >= LEAST_TEXT ? room : 0;
}

/* Behind the last column that fits; at least one is shown, cut. */
static int
end_of_columns(const struct figure_page *page, const struct figures *figures, int first)
{
	int x = page->layout.first_x, column = first;
	while (column < figures->column_count && cells_at(page, figures, column, x) > 0)
		x += page->widths[column++] + GAP;
	return column > first || first >= figures->column_count ? column : first + 1;
}

/* No room is left empty behind the last column; the one that is sorted by is brought into sight. */
static void
scroll_columns(struct figure_page *page, const struct figures *figures)
{
	int first = page->first_column > 1 ? page->first_column : 1, count = figures->column_count;
	while (first > 1 && end_of_columns(page, figures, first - 1) == count)
		first--;
	if (page->shows_sort && page->sort_column > 0) {
		if (page->sort_column < first)
			first = page->sort_column;
		while (page->sort_column >= end_of_columns(page, figures, first))
			first++;
	}
	page->shows_sort = false;
	page->first_column = first;
	page->layout.end = end_of_columns(page, figures, first);
}

void
figure_draw_lay_out(struct figure_page *page, const struct figures *figures,
	const struct session *session, const struct canvas *canvas)
{
	page->page = canvas->height > 2 ? (size_t)canvas->height - 1 : 1;
	if (page->selected >= page->shown)
		page->selected = page->shown > 0 ? page->shown - 1 : 0;
	if (page->top > page->selected)
		page->top = page->selected;
	if (page->selected - page->top >= page->page)
		page->top = page->selected - page->page + 1;
	if (page->top + page->page > page->shown)
		page->top = page->shown > page->page ? page->shown - page->page : 0;
	measure(page, figures, session, canvas);
	page->layout = lay_out(page, figures);
	scroll_columns(page, figures);
}

int
figure_draw_column_at(const struct figure_page *page, int x)
{
	const struct figure_layout *layout = &page->layout;
	int at = layout->first_x;
	if (x < layout->first_x)
		return x < MARGIN + layout->name_cells ? 0 : -1;
	for (int column = page->first_column; column < layout->end; column++) {
		if (x < at + page->widths[column])
			return x >= at - GAP ? column : -1;
		at += page->widths[column] + GAP;
	}
	return -1;
}

/* ---- cells */

static void
write_cell(struct drawing *drawing, size_t row, int column)
{
	text_clear(&drawing->scratch);
	figures_add(drawing->figures, drawing->session->trace,
		(struct figures_at){ drawing->page->layer, row, column }, drawing->session->is_wall,
		drawing->canvas->ascii, &drawing->scratch);
}

/* A name of Go's where it tells least, of "G42 main.worker" not the id; other texts at their end. */
static void
shorten(struct text *to, const struct text *text, enum figure_type type, int cells, bool ascii)
{
	const char *blank = type == FIGURE_ACTOR ? strchr(text->bytes, ' ') : NULL;
	size_t id = blank != NULL ? (size_t)(blank - text->bytes) + 1 : 0, room = (size_t)cells;
	bool is_function = type == FIGURE_FUNCTION || type == FIGURE_CALLED || type == FIGURE_NAME ||
			   type == FIGURE_FRAME;
	if (is_function || (blank != NULL && id + LEAST_NAME_CELLS <= room)) {
		text_add(to, text->bytes, id);
		text_add_short_name(to, text->bytes + id, text->length - id, room - id, ascii);
		return;
	}
	size_t start = to->length;
	text_add(to, text->bytes, text->length);
	text_cut(to, start, room, ascii);
}

/* Puts the scratch text into a column; names are shortened where they tell least. */
static void
put_text(struct drawing *drawing, enum figure_type type, struct cell_run run, struct cell_style style)
{
	struct text *text = &drawing->scratch, short_name = { 0 };
	int used = scratch_cells(text);
	if (used > run.cells && figure_is_text(type)) {
		shorten(&short_name, text, type, run.cells, drawing->canvas->ascii);
		text = &short_name;
		used = run.cells;
	}
	if (figure_is_right(type) && used < run.cells)
		run.x += run.cells - used;
	if (text->length > 0)
		canvas_text(drawing->canvas, run.x, run.y, run.cells, style, text);
	text_release(&short_name);
}

static void
put_title(struct drawing *drawing, int x, int column, int cells)
{
	const struct figure_page *page = drawing->page;
	const struct figures_column *it = &drawing->figures->columns[column];
	bool is_sorted = column == page->sort_column;
	bool is_down = (it->type > FIGURE_MOMENT) != page->is_reversed;
	struct cell_style style = { .fg = it->style };
	if (it->style == STYLE_DEFAULT)
		style.fg = is_sorted ? STYLE_TEXT_BRIGHT : STYLE_TEXT_DIM;
	style.attributes = is_sorted ? CELL_BOLD : 0;
	text_clear(&drawing->scratch);
	text_add_string(&drawing->scratch, it->title);
	if (is_sorted && drawing->canvas->ascii)
		text_add_string(&drawing->scratch, is_down ? "v" : "^");
	else if (is_sorted)
		text_add_string(&drawing->scratch, is_down ? "▾" : "▴");
	put_text(drawing, figure_is_right(it->type) ? FIGURE_COUNT : FIGURE_STRING,
		(struct cell_run){ x, 0, cells }, style);
}

/* The value that a bar of a row shows, how far it goes down or up. */
static double
bar_value(const struct figure_page *page, const struct figures *figures, size_t row)
{
	enum figure_type type = figures->columns[page->sort_column].type;
	int64_t cell = *figures_cell(figures, page->layer, row, page->sort_column);
	bool is_share = type == FIGURE_SHARE || type == FIGURE_PERCENT || type == FIGURE_MEAN;
	return is_share ? figure_share(cell) : (double)cell;
}

/* The greatest value of the column that is sorted by, which bars are measured with; 0 for none. */
static double
greatest(const struct figure_page *page, const struct figures *figures)
{
	enum figure_type type = figures->columns[page->sort_column].type;
	double most = 0;
	if (type <= FIGURE_MOMENT || type == FIGURE_CHANGE_SHARE)
		return 0;
	for (size_t i = 0; i < page->shown; i++) {
		double value = bar_value(page, figures, page->order[i]);
		if (value < 0 && figure_is_change(type))
			value = -value;
		most = value > most ? value : most;
	}
	return most;
}

static struct cell_style
style_of(const struct figure_page *page, const struct figures *figures, size_t row, int column)
{
	int64_t value = *figures_cell(figures, page->layer, row, column);
	if (column == 0)
		return bright;
	enum figure_type type = figures->columns[column].type;
	if (!figure_is_text(type) && value == 0)
		return dim;
	if (figure_is_change(type))
		return (struct cell_style){ .fg = value > 0 ? STYLE_MORE_LAST : STYLE_LESS_LAST };
	if (type == FIGURE_MOMENT)
		return dim;
	return column == page->sort_column ? bright : plain;
}

/* ---- the table */

static void
draw_row(struct drawing *drawing, size_t at)
{
	const struct figure_page *page = drawing->page;
	const struct figures *figures = drawing->figures;
	size_t row = page->order[at];
	int y = 1 + (int)(at - page->top), x = page->layout.first_x;
	write_cell(drawing, row, 0);
	put_text(drawing, figures->columns[0].type,
		(struct cell_run){ MARGIN, y, page->layout.name_cells },
		style_of(page, figures, row, 0));
	for (int column = page->first_column; column < page->layout.end; column++) {
		write_cell(drawing, row, column);
		put_text(drawing, figures->columns[column].type,
			(struct cell_run){ x, y, cells_at(page, figures, column, x) },
			style_of(page, figures, row, column));
		x += page->widths[column] + GAP;
	}
	if (page->pattern != NULL && figure_row_matches(page, figures, drawing->session->trace, row,
					     page->pattern, &drawing->scratch))
		line_mark_match(drawing->canvas, y);
	if (at == page->selected)
		line_mark_selected(drawing->canvas, y);
}

static void
draw_bars(struct drawing *drawing)
{
	const struct figure_page *page = drawing->page;
	const struct canvas *canvas = drawing->canvas;
	const struct figures_column *column = &drawing->figures->columns[page->sort_column];
	int cells = page->layout.bar_cells;
	double most = greatest(page, drawing->figures);
	struct cell_style bar = { .fg = column->style != STYLE_DEFAULT ? column->style : STYLE_KEY };
	if (most <= 0 || cells == 0)
		return;
	for (size_t i = page->top; i < page->shown && i - page->top < page->page; i++) {
		double share = bar_value(page, drawing->figures, page->order[i]) / most;
		text_clear(&drawing->scratch);
		if (figure_is_change(column->type)) {
			bar.fg = share > 0 ? STYLE_MORE_LAST : STYLE_LESS_LAST;
			bar_add_change(&drawing->scratch, share, cells,
				!canvas->ascii && !canvas->monochrome);
		} else {
			bar_add(&drawing->scratch, share, cells, canvas->ascii);
		}
		put_text(drawing, FIGURE_STRING,
			(struct cell_run){ page->layout.bar_x, 1 + (int)(i - page->top), cells }, bar);
	}
}

/* What the numbers are, over the bars; and arrows where there are more columns. */
static void
draw_titles(struct drawing *drawing)
{
	const struct figure_page *page = drawing->page;
	const struct figure_layout *layout = &page->layout;
	const struct figures *figures = drawing->figures;
	struct canvas *canvas = drawing->canvas;
	int x = layout->first_x;
	put_title(drawing, MARGIN, 0, layout->name_cells);
	for (int column = page->first_column; column < layout->end; column++) {
		/* A title that would end where the arrow stands begins in the gap. */
		bool meets_arrow = layout->end < figures->column_count &&
				   x + page->widths[column] == canvas->width &&
				   figure_is_right(figures->columns[column].type);
		put_title(drawing, x - meets_arrow, column, page->widths[column]);
		x += page->widths[column] + GAP;
	}
	if (figures->layer_names != NULL && layout->bar_cells > 0)
		canvas_string(canvas, layout->bar_x, 0, layout->bar_cells,
			(struct cell_style){ STYLE_KEY, 0, CELL_BOLD },
			figures->layer_names[page->layer]);
	if (page->first_column > 1)
		canvas_put(canvas, layout->first_x - GAP, 0, dim, canvas->ascii ? "<" : "‹");
	if (layout->end < figures->column_count)
		canvas_put(canvas, canvas->width - 1, 0, dim, canvas->ascii ? ">" : "›");
}

void
figure_draw(const struct figure_page *page, const struct figures *figures,
	const struct session *session, struct canvas *canvas)
{
	struct drawing drawing = { page, figures, session, canvas, { 0 } };
	draw_titles(&drawing);
	draw_bars(&drawing);
	for (size_t i = page->top; i < page->shown && i - page->top < page->page; i++)
		draw_row(&drawing, i);
	if (page->shown == 0) {
		text_clear(&drawing.scratch);
		text_add_words(&drawing.scratch, session->trace->words,
			page->only != NULL ? "no row matches" : figures->none);
		canvas_text(canvas, MARGIN, 2, canvas->width, dim, &drawing.scratch);
	}
	text_release(&drawing.scratch);
}

/*
 * From a canvas to bytes. Curses clears the screen; it would write the cells as well, but sends
 * both colours of a cell whenever one of them changes, for blanks too, which is half of all.
 */
#include "term/paint.h"

#include <curses.h>
#include <string.h>
#include <unistd.h>
#include <wchar.h>

#include "base/descriptor.h"
#include "base/text.h"
#include "term/scroll.h"
#include "term/shift.h"

enum {
	FEWEST_ERASED = 4, /* blanks before the end of a row that are rather erased */
	MOST_REWRITTEN = 4, /* cells that stand right and are rather written again than passed over */
	MOST_STEPS = 4,     /* to the left, rather than from the edge of the screen */
};

static enum color_depth
depth_of(const struct terminfo *info)
{
	if (info->has_direct_color)
		return COLORS_DIRECT;
	if (info->colors >= 256)
		return COLORS_256;
	if (info->colors >= 16)
		return COLORS_16;
	return info->colors >= 8 ? COLORS_8 : COLORS_NONE;
}

void
paint_init(struct paint *paint, bool without_color, enum color_depth forced)
{
	terminfo_read(&paint->info);
	paint->depth = depth_of(&paint->info);
	bool is_other = (forced == COLORS_DIRECT) != (paint->depth == COLORS_DIRECT);
	if (forced != COLORS_NONE && (is_other || forced > paint->depth))
		terminfo_force_colors(&paint->info, forced == COLORS_DIRECT);
	if (forced != COLORS_NONE)
		paint->depth = forced;
	if (without_color)
		paint->depth = COLORS_NONE;
	pen_init(&paint->pen, &paint->info);
}

void
paint_release(struct paint *paint)
{
	canvas_release(&paint->shown);
	canvas_release(&paint->row);
	text_release(&paint->bytes);
}

void
paint_invalidate(struct paint *paint)
{
	paint->is_valid = false;
}

/* A terminal that takes no more is noticed where the keyboard is read. */
static void
send(struct paint *paint)
{
	if (paint->bytes.length > 0)
		(void)descriptor_write_all(STDOUT_FILENO, paint->bytes.bytes, paint->bytes.length);
	text_clear(&paint->bytes);
}

void
paint_lay_down(struct paint *paint)
{
	pen_lay_down(&paint->pen, &paint->bytes);
	send(paint);
}

/* ---- what a cell looks like */

/* Where the terminal cannot go back to its own colours, two others stand in for them. */
static struct palette_look
look_of(const struct paint *paint, const struct cell *cell)
{
	struct palette_look look = palette_look(paint->palette, cell, paint->depth);
	if (paint->depth == COLORS_NONE)
		look.fg = look.bg = COLOR_TERMINAL;
	else if (paint->info.sequences[TERMINFO_COLORS_OFF] == NULL) {
		look.fg = look.fg == COLOR_TERMINAL ? COLOR_WHITE : look.fg;
		look.bg = look.bg == COLOR_TERMINAL ? COLOR_BLACK : look.bg;
	}
	return look;
}

static bool
is_blank(const struct cell *cell)
{
	return cell->text[0] == '\0' && !cell->is_continued;
}

static bool
looks_same(const struct paint *paint, const struct cell *cell, const struct cell *old)
{
	if (memcmp(cell, old, sizeof *cell) == 0)
		return true;
	return is_blank(cell) && is_blank(old) &&
	       pen_same_blank(look_of(paint, cell), look_of(paint, old));
}

/*
 * Where the C library counts other cells for a character than we do, terminals may as well,
 * which would shift the rest of the row: such a character is not shown.
 */
static bool
is_trusted(const char *text, int *width)
{
	size_t length = strlen(text);
	bool is_agreed = true;
	for (size_t i = 0; i < length;) {
		struct text_char c = text_decode(text + i, length - i);
		int counted = wcwidth((wchar_t)c.code_point);
		if (i == 0)
			*width = text_width_of(c.code_point);
		is_agreed = is_agreed && (i == 0 ? counted == *width && counted > 0 : counted == 0);
		i += c.length;
	}
	return is_agreed;
}

/* ---- moving */

static void
repeat(struct paint *paint, enum terminfo_sequence sequence, int count)
{
	for (int i = 0; i < count; i++)
		terminfo_add(&paint->bytes, paint->info.sequences[sequence], 0, 0);
}

/* Down a row and some to the left: the cells of a column below each other. */
static bool
move_down(struct paint *paint, int x, int y)
{
	const char *const *sequences = paint->info.sequences;
	int steps = paint->x - x;
	if (paint->x < 0 || y != paint->y + 1 || steps < 0 || steps > MOST_STEPS ||
		sequences[TERMINFO_DOWN] == NULL || strcmp(sequences[TERMINFO_DOWN], "\n") != 0 ||
		sequences[TERMINFO_LEFT] == NULL || strcmp(sequences[TERMINFO_LEFT], "\b") != 0)
		return false;
	repeat(paint, TERMINFO_DOWN, 1);
	repeat(paint, TERMINFO_LEFT, steps);
	return true;
}

static void
move_to(struct paint *paint, int x, int y)
{
	const char *const *sequences = paint->info.sequences;
	if (paint->x == x && paint->y == y)
		return;
	if (paint->x >= 0 && paint->y == y && x > paint->x && sequences[TERMINFO_RIGHT] != NULL)
		terminfo_add(&paint->bytes, sequences[TERMINFO_RIGHT], x - paint->x, 0);
	else if (!move_down(paint, x, y))
		terminfo_add(&paint->bytes, sequences[TERMINFO_MOVE], y, x);
	paint->x = x;
	paint->y = y;
}

/* ---- writing a row */

/* A row that is being written. */
struct paint_row {
	const struct cell *cells, *old;
	int y, width;
};

static void
write_cell(struct paint *paint, const struct paint_row *row, int x)
{
	const struct cell *cell = &row->cells[x];
	struct palette_look look = look_of(paint, cell);
	int width = 1;
	move_to(paint, x, row->y);
	if (is_blank(cell)) {
		pen_take_blank(&paint->pen, look, &paint->bytes);
		text_add(&paint->bytes, " ", 1);
	} else {
		bool is_shown = is_trusted(cell->text, &width);
		pen_take(&paint->pen, look, &paint->bytes);
		text_add_string(&paint->bytes, is_shown ? cell->text : width == 2 ? "? " : "?");
	}
	paint->x = x + width;
	/* Behind the last column terminals differ in where they are. */
	if (paint->x >= row->width)
		paint->x = -1;
}

/* Whether a cell could be written with what the pen has set. */
static bool
suits_pen(const struct paint *paint, const struct cell *cell)
{
	struct palette_look look = look_of(paint, cell), set = paint->pen.look;
	if (cell->is_continued || strlen(cell->text) > 3)
		return false;
	if (is_blank(cell))
		return pen_same_blank(look, set);
	return look.fg == set.fg && look.bg == set.bg && look.attributes == set.attributes;
}

/* Over a few cells that stand right it is shorter to write them again. */
static void
write_gap(struct paint *paint, const struct paint_row *row, int x)
{
	int first = paint->x, bytes = 0;
	if (first < 0 || paint->y != row->y || x - first > MOST_REWRITTEN)
		return;
	for (int i = first; i < x; i++) {
		bytes += is_blank(&row->cells[i]) ? 1 : (int)strlen(row->cells[i].text);
		if (!suits_pen(paint, &row->cells[i]) || bytes > MOST_REWRITTEN)
			return;
	}
	for (int i = first; i < x; i++)
		write_cell(paint, row, i);
}

/* Where the blanks at the end of the row begin that look all the same. */
static int
tail_of(const struct paint *paint, const struct paint_row *row)
{
	int x = row->width;
	struct palette_look look = look_of(paint, &row->cells[x - 1]);
	bool can_erase = paint->info.sequences[TERMINFO_ERASE_LINE] != NULL &&
	                 (paint->info.erases_in_ground || look.bg == COLOR_TERMINAL) &&
	                 (look.attributes & (CELL_UNDERLINE | CELL_REVERSE)) == 0;
	while (can_erase && x > 0 && is_blank(&row->cells[x - 1]) &&
	       pen_same_blank(look_of(paint, &row->cells[x - 1]), look))
		x--;
	return x;
}

/* A blank at the end of the row, and all behind it. */
static void
erase_from(struct paint *paint, const struct paint_row *row, int x)
{
	move_to(paint, x, row->y);
	pen_take_blank(&paint->pen, look_of(paint, &row->cells[x]), &paint->bytes);
	terminfo_add(&paint->bytes, paint->info.sequences[TERMINFO_ERASE_LINE], 0, 0);
}

static void
write_row(struct paint *paint, const struct paint_row *row)
{
	int tail = -1;
	for (int x = 0; x < row->width; x++) {
		const struct cell *cell = &row->cells[x];
		if (cell->is_continued || looks_same(paint, cell, &row->old[x]))
			continue;
		if (tail < 0)
			tail = tail_of(paint, row);
		write_gap(paint, row, x);
		if (x >= tail && row->width - x >= FEWEST_ERASED) {
			erase_from(paint, row, x);
			return;
		}
		write_cell(paint, row, x);
	}
}

/* ---- the shorter of two ways */

/* Where the terminal is after so many bytes. */
struct paint_place {
	size_t length;
	struct palette_look look;
	int x, y;
};

static struct paint_place
place_of(const struct paint *paint)
{
	return (struct paint_place){ paint->bytes.length, paint->pen.look, paint->x, paint->y };
}

static void
go_back(struct paint *paint, const struct paint_place *place)
{
	paint->pen.look = place->look;
	paint->x = place->x;
	paint->y = place->y;
}

/* Two ways lead to the same cells: from `start` to `end`, and the bytes behind. One is kept. */
static void
keep_shorter(struct paint *paint, const struct paint_place *start, const struct paint_place *end)
{
	struct text *bytes = &paint->bytes;
	size_t length = bytes->length - end->length;
	if (bytes->failed)
		return;
	if (length < end->length - start->length) {
		memmove(bytes->bytes + start->length, bytes->bytes + end->length, length);
		bytes->length = start->length + length;
		return;
	}
	go_back(paint, end);
	bytes->length = end->length;
}

/* ---- rows of which the end comes back further left or right */

/* By how many cells ends of rows can be moved to the left, or to the right; 0: they cannot. */
static int
distance_of_rows(const struct paint *paint, const struct canvas *canvas, int height)
{
	const char *const *sequences = paint->info.sequences;
	bool can_shift = sequences[TERMINFO_DELETE] != NULL && sequences[TERMINFO_INSERT] != NULL;
	/* Of a wider terminal what stands behind the canvas would come in. */
	if (!can_shift || canvas->width != COLS)
		return 0;
	return shift_distance(&paint->shown, canvas, height);
}

static void
shift_row(struct paint *paint, const struct paint_row *row, const struct shift *shift)
{
	struct paint_row moved = *row;
	bool is_left = shift->left > 0;
	move_to(paint, shift->first, row->y);
	terminfo_add(&paint->bytes,
	             paint->info.sequences[is_left ? TERMINFO_DELETE : TERMINFO_INSERT],
	             is_left ? shift->left : -shift->left, 0);
	shift_apply(row->old, row->width, shift, paint->row.cells);
	moved.old = paint->row.cells;
	write_row(paint, &moved);
}

/* What is to be seen of a row of the canvas; distance: of what may have moved in it. */
static void
show_row(struct paint *paint, const struct canvas *canvas, int y, int distance)
{
	size_t first = (size_t)y * (size_t)canvas->width;
	int width = canvas->width < COLS ? canvas->width : COLS;
	struct paint_row row = { canvas->cells + first, paint->shown.cells + first, y, width };
	struct shift shift;
	/* The last cell of all would make such a terminal scroll. */
	bool is_cut = y == LINES - 1 && width == COLS && !paint->info.stops_at_end;
	row.width -= is_cut ? 1 : 0;
	if (row.width <= 0)
		return;
	struct paint_place start = place_of(paint);
	write_row(paint, &row);
	if (distance == 0 || is_cut ||
		!shift_find(row.old, row.cells, row.width, distance, &shift))
		return;
	struct paint_place end = place_of(paint);
	go_back(paint, &start);
	shift_row(paint, &row, &shift);
	keep_shorter(paint, &start, &end);
}

static void
show_rows(struct paint *paint, const struct canvas *canvas, int height)
{
	int distance = distance_of_rows(paint, canvas, height);
	for (int y = 0; y < height; y++)
		show_row(paint, canvas, y, distance);
}

/* ---- rows that come back higher or lower */

static bool
can_scroll(const struct terminfo *info)
{
	return info->sequences[TERMINFO_REGION] != NULL &&
	       info->sequences[TERMINFO_SCROLL_UP] != NULL &&
	       info->sequences[TERMINFO_SCROLL_DOWN] != NULL;
}

static void
scroll_rows(struct paint *paint, const struct scroll *scroll)
{
	const struct palette_look plain = { COLOR_TERMINAL, COLOR_TERMINAL, 0 };
	const char *const *sequences = paint->info.sequences;
	bool is_up = scroll->up > 0;
	pen_take(&paint->pen, plain, &paint->bytes);
	terminfo_add(&paint->bytes, sequences[TERMINFO_REGION], scroll->top, scroll->bottom);
	terminfo_add(&paint->bytes, sequences[TERMINFO_MOVE], is_up ? scroll->bottom : scroll->top, 0);
	repeat(paint, is_up ? TERMINFO_SCROLL_UP : TERMINFO_SCROLL_DOWN,
	       is_up ? scroll->up : -scroll->up);
	terminfo_add(&paint->bytes, sequences[TERMINFO_REGION], 0, LINES - 1);
	paint->x = -1;
	scroll_apply(&paint->shown, scroll);
}

/* Shows the rows as they stand, and where some moved, after the terminal moved them. */
static void
show(struct paint *paint, const struct canvas *canvas, int height)
{
	struct scroll scroll;
	struct paint_place start = place_of(paint);
	show_rows(paint, canvas, height);
	if (canvas->width > COLS || !can_scroll(&paint->info) ||
		!scroll_find(&paint->shown, canvas, height, &scroll))
		return;
	struct paint_place end = place_of(paint);
	go_back(paint, &start);
	scroll_rows(paint, &scroll);
	show_rows(paint, canvas, height);
	keep_shorter(paint, &start, &end);
}

/* ---- the whole */

/* Curses leaves the screen blank and without colours, in whatever state it was. */
static bool
start_anew(struct paint *paint, const struct canvas *canvas, struct error *err)
{
	paint_lay_down(paint);
	if (!canvas_resize(&paint->shown, canvas->width, canvas->height, err) ||
		!canvas_resize(&paint->row, canvas->width, 1, err))
		return false;
	clear();
	refresh();
	paint->x = -1;
	paint->is_valid = true;
	return true;
}

bool
paint_canvas(struct paint *paint, const struct canvas *canvas, const struct palette *palette,
             struct error *err)
{
	bool is_other = paint->shown.width != canvas->width ||
	                paint->shown.height != canvas->height || paint->palette != palette;
	paint->palette = palette;
	if ((is_other || !paint->is_valid) && !start_anew(paint, canvas, err))
		return false;
	int height = canvas->height < LINES ? canvas->height : LINES;
	show(paint, canvas, height);
	memcpy(paint->shown.cells, canvas->cells,
	       (size_t)canvas->width * (size_t)canvas->height * sizeof *canvas->cells);
	bool is_whole = !paint->bytes.failed || error_set_memory(err, "a frame");
	send(paint);
	return is_whole;
}

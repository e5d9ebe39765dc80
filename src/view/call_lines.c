/* A tree of calls as lines, of which those that call others fold and unfold. */
#include "draw/bar.h"
#include "draw/line_mark.h"
#include "view/call_page.h"

enum {
	SHARE_X = 2,
	SHARE_CELLS = 6,
	BAR_X = SHARE_X + SHARE_CELLS + 1,
	BAR_CELLS = 8,
	SELF_X = BAR_X + BAR_CELLS + 1,
	WIDE = 60, /* of a screen that has room for bars and what a function took itself */
	WIDE_VALUE_X = SELF_X + SHARE_CELLS + 2,
	VALUE_CELLS = 8,
	/* Of a difference. */
	CHANGE_CELLS = 9,
	WIDEST = 100, /* of a screen that has room for bars as well */
	CHANGE_BAR_X = SHARE_X + CHANGE_CELLS + 1,
	INDENT = 2,
	MOST_INDENT = 3 /* of the width there is, one part in so many stays for the name */
};

static const struct view_answer redraw = { .reaction = VIEW_REDRAW };

/* ---- lines */

/* The next node that is shown. */
static uint32_t
next_shown(const struct call_page *page, uint32_t node)
{
	const struct call_tree *tree = page->tree;
	const struct call_node *at = &tree->nodes[node];
	if (page->is_open[node] && at->child_count > 0)
		return tree->children[at->first_child];
	while (at->parent != CALL_NONE) {
		const struct call_node *parent = &tree->nodes[at->parent];
		if (at->position + 1 < parent->first_child + parent->child_count)
			return tree->children[at->position + 1];
		at = parent;
	}
	return CALL_NONE;
}

/* All but the root, which is no function. */
static void
make_lines(struct call_page *page)
{
	if (page->has_lines)
		return;
	page->has_lines = true;
	page->line_count = 0;
	for (uint32_t i = next_shown(page, 0); i != CALL_NONE; i = next_shown(page, i))
		page->lines[page->line_count++] = i;
}

static size_t
selected_line(const struct call_page *page)
{
	for (size_t i = 0; i < page->line_count; i++) {
		if (page->lines[i] == page->selected)
			return i;
	}
	return 0;
}

static void
select_line(struct call_page *page, long line)
{
	long count = (long)page->line_count;
	if (count > 0)
		page->selected = page->lines[line < 0 ? 0 : line < count ? line : count - 1];
}

/* ---- folding */

/* Goes on as long as there is but one way. */
static void
unfold(struct call_page *page, uint32_t node)
{
	const struct call_tree *tree = page->tree;
	for (;;) {
		page->is_open[node] = true;
		if (tree->nodes[node].child_count != 1)
			break;
		node = tree->children[tree->nodes[node].first_child];
	}
	page->has_lines = false;
}

static void
fold_all(struct call_page *page, bool is_open)
{
	const struct call_tree *tree = page->tree;
	for (uint32_t i = 1; i < tree->node_count; i++)
		page->is_open[i] = is_open;
	page->is_open[0] = true;
	page->has_lines = false;
	while (!is_open && tree->nodes[page->selected].depth > 1)
		page->selected = tree->nodes[page->selected].parent;
}

static void
toggle(struct call_page *page)
{
	if (!page->is_open[page->selected]) {
		unfold(page, page->selected);
		return;
	}
	page->is_open[page->selected] = false;
	page->has_lines = false;
}

/* Folds; what is folded already leads to what calls it. */
static void
go_left(struct call_page *page)
{
	const struct call_node *node = &page->tree->nodes[page->selected];
	bool is_unfolded = page->is_open[page->selected] && node->child_count > 0;
	if (is_unfolded)
		toggle(page);
	else if (node->parent != CALL_NONE && node->parent != 0)
		page->selected = node->parent;
}

static void
go_right(struct call_page *page)
{
	const struct call_node *node = &page->tree->nodes[page->selected];
	if (node->child_count == 0)
		return;
	if (page->is_open[page->selected])
		page->selected = page->tree->children[node->first_child];
	else
		unfold(page, page->selected);
}

/* ---- commands */

struct view_answer
call_lines_command(struct call_page *page, enum command command, long count)
{
	make_lines(page);
	long line = (long)selected_line(page), by = count;
	switch ((int)command) {
	case COMMAND_PAGE_UP:
	case COMMAND_PAGE_DOWN:
		by *= page->page > 1 ? (long)page->page - 1 : 1;
		/* fall through */
	case COMMAND_UP:
	case COMMAND_DOWN:
		select_line(page,
			command == COMMAND_UP || command == COMMAND_PAGE_UP ? line - by : line + by);
		return redraw;
	case COMMAND_FIRST_ROW:
	case COMMAND_LAST_ROW:
		select_line(page, command == COMMAND_FIRST_ROW ? 0 : (long)page->line_count);
		return redraw;
	case COMMAND_COLUMN_LEFT:
		go_left(page);
		return redraw;
	case COMMAND_COLUMN_RIGHT:
		go_right(page);
		return redraw;
	case COMMAND_OPEN:
	case COMMAND_FOLD:
		toggle(page);
		return redraw;
	case COMMAND_UNFOLD_ALL:
	case COMMAND_FOLD_ALL:
		fold_all(page, command == COMMAND_UNFOLD_ALL);
		return redraw;
	default:
		return (struct view_answer){ .reaction = VIEW_NOTHING };
	}
}

struct view_answer
call_lines_mouse(struct call_page *page, const struct screen_mouse *mouse)
{
	enum { WHEEL_ROWS = 3 };
	size_t line = page->top + (size_t)(mouse->y > 0 ? mouse->y - 1 : 0);
	make_lines(page);
	if (mouse->kind == MOUSE_WHEEL_UP || mouse->kind == MOUSE_WHEEL_DOWN)
		return call_lines_command(page,
			mouse->kind == MOUSE_WHEEL_UP ? COMMAND_UP : COMMAND_DOWN, WHEEL_ROWS);
	if (mouse->kind == MOUSE_PRESS && mouse->y > 0 && line < page->line_count)
		page->selected = page->lines[line];
	return redraw;
}

/* ---- drawing */

static int
value_x(const struct call_page *page, const struct canvas *canvas)
{
	if (page->diff != NULL)
		return CHANGE_BAR_X + (canvas->width < WIDEST ? 0 : BAR_CELLS) + 1;
	return canvas->width < WIDE ? BAR_X : WIDE_VALUE_X;
}

static int
first_name_x(const struct call_page *page, const struct canvas *canvas)
{
	bool has_both = page->diff != NULL && canvas->width >= WIDE;
	return value_x(page, canvas) + (has_both ? 2 : 1) * (VALUE_CELLS + 2);
}

static void
put_right(struct call_page *page, struct canvas *canvas, int x, int y, int cells,
	struct cell_style style)
{
	const struct text *text = &page->scratch;
	int used = text->length > 0 ? (int)text_width(text->bytes, text->length) : 0;
	if (text->length > 0)
		canvas_text(canvas, x + (used < cells ? cells - used : 0), y, cells, style, text);
}

static void
put_bar(struct call_page *page, struct canvas *canvas, int y, int64_t value)
{
	int64_t whole = page->whole;
	text_clear(&page->scratch);
	bar_add(&page->scratch, whole > 0 ? (double)value / (double)whole : 0, BAR_CELLS,
		canvas->ascii);
	if (page->scratch.length > 0)
		canvas_text(canvas, BAR_X, y, BAR_CELLS, (struct cell_style){ .fg = page->style },
			&page->scratch);
}

static const char *
sign_of(const struct call_page *page, uint32_t node, bool ascii)
{
	bool has_signs = page->diff != NULL; /* which mean more and less there */
	if (page->tree->nodes[node].child_count == 0)
		return " ";
	if (page->is_open[node])
		return ascii ? (has_signs ? "v" : "-") : "▾";
	return ascii ? (has_signs ? ">" : "+") : "▸";
}

/* What is deep is not indented beyond where a name still has room. */
static int
name_x(const struct call_page *page, const struct canvas *canvas, uint32_t depth)
{
	int first = first_name_x(page, canvas), room = canvas->width - first, most = room - room / MOST_INDENT;
	int indent = (int)((depth - 1) % (uint32_t)(most > INDENT ? most / INDENT : 1)) * INDENT;
	return first + indent;
}

static void
put_value(struct call_page *page, struct canvas *canvas, int x, int y, int64_t value)
{
	text_clear(&page->scratch);
	call_page_add_value(page, value, canvas->ascii, &page->scratch);
	put_right(page, canvas, x, y, VALUE_CELLS,
		(struct cell_style){ .fg = value == 0 ? STYLE_TEXT_DIM : STYLE_DEFAULT });
}

/* What there is room for only on a wide screen. */
static void
draw_self(struct call_page *page, struct canvas *canvas, int y, const struct call_node *node)
{
	const struct cell_style style = { .fg = node->self == 0 ? STYLE_TEXT_DIM : STYLE_DEFAULT };
	if (canvas->width < WIDE)
		return;
	put_bar(page, canvas, y, node->value);
	text_clear(&page->scratch);
	call_page_add_share(page, node->self, &page->scratch);
	put_right(page, canvas, SELF_X, y, SHARE_CELLS, style);
}

/* The share of the whole, and the value. */
static void
draw_numbers(struct call_page *page, struct canvas *canvas, int y, uint32_t index)
{
	const struct call_node *node = &page->tree->nodes[index];
	text_clear(&page->scratch);
	call_page_add_share(page, node->value, &page->scratch);
	put_right(page, canvas, SHARE_X, y, SHARE_CELLS, (struct cell_style){ .fg = STYLE_TEXT_BRIGHT });
	draw_self(page, canvas, y, node);
	put_value(page, canvas, value_x(page, canvas), y, node->value);
}

/* By how much it has changed, and what it was and is. */
static void
draw_changes(struct call_page *page, struct canvas *canvas, int y, uint32_t index)
{
	int64_t change = diff_profile_change(page->diff, index);
	uint8_t color = change > 0 ? STYLE_MORE_LAST : change < 0 ? STYLE_LESS_LAST : STYLE_TEXT_DIM;
	const struct cell_style style = { .fg = color };
	int x = value_x(page, canvas);
	text_clear(&page->scratch);
	call_page_add_change(page, change, canvas->ascii, &page->scratch);
	put_right(page, canvas, SHARE_X, y, CHANGE_CELLS, style);
	put_value(page, canvas, x, y, page->diff->before[index]);
	if (canvas->width >= WIDE)
		put_value(page, canvas, x + VALUE_CELLS + 2, y, page->tree->nodes[index].value);
	if (canvas->width < WIDEST || page->diff->most_changed == 0)
		return;
	text_clear(&page->scratch);
	bar_add_change(&page->scratch, (double)change / (double)page->diff->most_changed, BAR_CELLS,
		!canvas->ascii && !canvas->monochrome);
	if (page->scratch.length > 0)
		canvas_text(canvas, CHANGE_BAR_X, y, BAR_CELLS, style, &page->scratch);
}

static void
draw_line(struct call_page *page, const struct session *session, struct canvas *canvas, size_t line)
{
	uint32_t index = page->lines[line];
	const struct call_node *node = &page->tree->nodes[index];
	const struct cell_style dim = { .fg = STYLE_TEXT_DIM };
	const struct cell_style bright = { .fg = STYLE_TEXT_BRIGHT };
	bool is_match = page->matches != NULL && page->matches[index] != 0;
	int y = 1 + (int)(line - page->top), x = name_x(page, canvas, node->depth);
	if (page->diff != NULL)
		draw_changes(page, canvas, y, index);
	else
		draw_numbers(page, canvas, y, index);
	canvas_put(canvas, x, y, dim, sign_of(page, index, canvas->ascii));
	text_clear(&page->scratch);
	int room = canvas->width - x - 2;
	call_page_add_name(
		page, session->trace, room > 0 ? (size_t)room : 0, canvas->ascii, index);
	if (page->scratch.length > 0)
		canvas_text(canvas, x + 2, y, room,
			node->self > 0 ? bright : (struct cell_style){ 0 }, &page->scratch);
	if (is_match)
		line_mark_match(canvas, y);
	if (index == page->selected)
		line_mark_selected(canvas, y);
}

static void
scroll(struct call_page *page, int height)
{
	size_t line = selected_line(page);
	page->page = height > 2 ? (size_t)height - 1 : 1;
	if (page->top > line)
		page->top = line;
	if (line - page->top >= page->page)
		page->top = line - page->page + 1;
	if (page->top + page->page > page->line_count)
		page->top = page->line_count > page->page ? page->line_count - page->page : 0;
}

static void
draw_titles(const struct call_page *page, struct canvas *canvas)
{
	const struct cell_style dim = { .fg = STYLE_TEXT_DIM };
	const struct cell_style before = { .fg = STYLE_LESS_LAST }, after = { .fg = STYLE_MORE_LAST };
	int x = value_x(page, canvas);
	canvas_string(canvas, first_name_x(page, canvas) + 2, 0, canvas->width, dim, "function");
	if (page->diff != NULL) {
		canvas_string(canvas, SHARE_X, 0, CHANGE_CELLS, dim, "   change");
		canvas_string(canvas, x, 0, VALUE_CELLS, before, "  before");
		if (canvas->width >= WIDE)
			canvas_string(canvas, x + VALUE_CELLS + 2, 0, VALUE_CELLS, after, "   after");
		return;
	}
	canvas_string(canvas, SHARE_X + 1, 0, SHARE_CELLS, dim, "total");
	if (canvas->width >= WIDE)
		canvas_string(canvas, SELF_X + 2, 0, SHARE_CELLS, dim, "self");
	char title[VALUE_CELLS + 1];
	snprintf(title, sizeof title, "%*s", VALUE_CELLS, measure_title(&page->measure));
	canvas_string(canvas, x, 0, VALUE_CELLS, dim, title);
}

void
call_lines_lay_out(struct call_page *page, const struct canvas *canvas)
{
	make_lines(page);
	scroll(page, canvas->height);
}

void
call_lines_draw(struct call_page *page, const struct session *session, struct canvas *canvas)
{
	draw_titles(page, canvas);
	for (size_t i = page->top; i < page->line_count && i - page->top < page->page; i++)
		draw_line(page, session, canvas, i);
	if (page->line_count == 0)
		canvas_string(canvas, SHARE_X, 2, canvas->width,
			(struct cell_style){ .fg = STYLE_TEXT_DIM }, "nothing of the kind");
}

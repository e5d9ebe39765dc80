/* A tree of calls as a flame graph: from box to box, into one, and what the selected one is. */
#include "analysis/beneath/beneath.h"
#include "base/units.h"
#include "view/call_page.h"

enum { TEXT_X = 1, PANEL_ROWS = 2, LEAST_ROWS = 6 };

static const struct view_answer nothing = { .reaction = VIEW_NOTHING };
static const struct view_answer redraw = { .reaction = VIEW_REDRAW };

/* ---- commands */

static void
select_box(struct call_page *page, size_t box)
{
	if (box != FLAME_NONE)
		page->selected = page->flame.boxes[box].node;
}

static size_t
next_box(const struct call_page *page, enum command command, size_t box)
{
	if (command == COMMAND_UP)
		return flame_above(&page->flame, page->tree, box);
	if (command == COMMAND_DOWN)
		return flame_below(&page->flame, page->tree, box);
	return flame_beside(&page->flame, box, command == COMMAND_COLUMN_RIGHT);
}

static struct view_answer
move(struct call_page *page, enum command command, long count)
{
	size_t box = flame_find(&page->flame, page->selected);
	while (count-- > 0 && box != FLAME_NONE) {
		size_t next = next_box(page, command, box);
		if (next == FLAME_NONE)
			break;
		box = next;
	}
	select_box(page, box);
	return redraw;
}

static struct view_answer
widen(struct call_page *page)
{
	uint32_t caller = page->tree->nodes[page->zoomed].parent;
	page->zoomed = caller != CALL_NONE ? caller : 0;
	return redraw;
}

struct view_answer
flame_page_command(
	struct call_page *page, struct session *session, enum command command, long count)
{
	switch ((int)command) {
	case COMMAND_UP:
	case COMMAND_DOWN:
	case COMMAND_COLUMN_LEFT:
	case COMMAND_COLUMN_RIGHT:
		return move(page, command, count);
	case COMMAND_PAGE_UP:
	case COMMAND_PAGE_DOWN:
		return move(page, command == COMMAND_PAGE_UP ? COMMAND_UP : COMMAND_DOWN,
			count * (page->rows > 1 ? page->rows - 1 : 1));
	case COMMAND_FIRST_ROW:
		page->selected = 0;
		return redraw;
	case COMMAND_LAST_ROW:
		return move(page, COMMAND_DOWN, (long)page->tree->node_count);
	case COMMAND_OPEN:
		page->zoomed = page->selected;
		return redraw;
	case COMMAND_WIDEN:
		return widen(page);
	case COMMAND_CLEAR_SEARCH:
		if (page->zoomed == 0)
			return nothing;
		page->zoomed = 0;
		return redraw;
	case COMMAND_FOLD:
	case COMMAND_SORT_LEFT:
	case COMMAND_SORT_RIGHT:
		session_status(session, false, "this is for other forms: f turns to the next");
		return redraw;
	default:
		return nothing;
	}
}

struct view_answer
flame_page_mouse(struct call_page *page, const struct screen_mouse *mouse)
{
	if (mouse->kind == MOUSE_WHEEL_UP || mouse->kind == MOUSE_WHEEL_DOWN)
		return move(page, mouse->kind == MOUSE_WHEEL_UP ? COMMAND_UP : COMMAND_DOWN, 1);
	if (mouse->kind == MOUSE_PRESS && mouse->y < page->rows)
		select_box(page, flame_at(&page->flame, page->first_row + (uint32_t)mouse->y,
					 mouse->x));
	return redraw;
}

/* ---- drawing */

static void
add_part(struct call_page *page, const char *before, int64_t value, bool ascii)
{
	text_add_string(&page->scratch, before);
	call_page_add_value(page, value, ascii, &page->scratch);
	measure_add_unit(&page->scratch, &page->measure);
	text_add_string(&page->scratch, ", ");
	call_page_add_share(page, value, &page->scratch);
}

static int
put_scratch(struct call_page *page, struct canvas *canvas, int x, int y, struct cell_style style)
{
	if (page->scratch.length == 0 || page->scratch.failed)
		return x;
	return x + canvas_text(canvas, x, y, canvas->width - x, style, &page->scratch);
}

/* What the selected one is: how much it took with what it calls, and itself; and how much matches. */
static void
add_facts(struct call_page *page, bool ascii)
{
	const struct call_node *node = &page->tree->nodes[page->selected];
	add_part(page, "", node->value, ascii);
	if (page->selected != 0 && node->self > 0)
		add_part(page, "; itself ", node->self, ascii);
	if (page->matches != NULL)
		add_part(page, "; matched ", page->matched, ascii);
}

/* The same of a difference: what it is, what it was, and by how much that changed. */
static void
add_changes(struct call_page *page, bool ascii)
{
	int64_t before = page->diff->before[page->selected];
	int64_t change = diff_profile_change(page->diff, page->selected);
	char share[UNITS_TEXT];
	units_share(share, change, before);
	call_page_add_change(page, change, ascii, &page->scratch);
	if (change != 0 && before != 0)
		text_format(&page->scratch, ", %s%s", change > 0 ? "+" : "", share);
	text_add_string(&page->scratch, ": before ");
	call_page_add_value(page, before, ascii, &page->scratch);
	text_add_string(&page->scratch, ", after ");
	call_page_add_value(page, page->tree->nodes[page->selected].value, ascii, &page->scratch);
	measure_add_unit(&page->scratch, &page->measure);
	if (page->matches == NULL)
		return;
	text_add_string(&page->scratch, "; matched ");
	call_page_add_matched(page, ascii, &page->scratch);
}

static void
draw_panel(struct call_page *page, const struct session *session, struct canvas *canvas, int y)
{
	const struct cell_style bright = { .fg = STYLE_TEXT_BRIGHT, .attributes = CELL_BOLD };
	const struct cell_style plain = { .fg = STYLE_DEFAULT };
	for (int x = 0; x < canvas->width; x++)
		canvas_put(canvas, x, y, (struct cell_style){ .fg = STYLE_RULE },
			canvas->ascii ? "-" : "─");
	text_clear(&page->scratch);
	if (page->diff != NULL)
		add_changes(page, canvas->ascii);
	else
		add_facts(page, canvas->ascii);
	int cells = (int)text_width(page->scratch.bytes, page->scratch.length);
	int x = canvas->width - cells - TEXT_X;
	put_scratch(page, canvas, x > 0 ? x : 0, y + 1, plain);
	text_clear(&page->scratch);
	int room = x - TEXT_X - 2;
	if (page->selected == 0)
		text_add_string(&page->scratch, "all");
	else
		call_page_add_name(page, session->trace, room > 0 ? (size_t)room : 0, canvas->ascii,
			page->selected);
	put_scratch(page, canvas, TEXT_X, y + 1, bright);
}

/* The selected row is in sight. */
static void
scroll(struct call_page *page)
{
	uint32_t row = page->tree->nodes[page->selected].depth;
	if (row < page->first_row)
		page->first_row = row;
	if (row >= page->first_row + (uint32_t)page->rows)
		page->first_row = row - (uint32_t)page->rows + 1;
}

/* What is too narrow to be drawn cannot be selected: what calls it is. */
static void
select_drawn(struct call_page *page)
{
	while (flame_find(&page->flame, page->selected) == FLAME_NONE && page->selected != 0)
		page->selected = page->tree->nodes[page->selected].parent;
}

void
flame_page_lay_out(struct call_page *page, enum diff_side side, const struct canvas *canvas)
{
	const struct call_tree *boxes = page->boxes[side];
	struct error err;
	error_clear(&err);
	page->rows = 0;
	page->width = canvas->width;
	if (boxes->nodes[page->zoomed].value == 0)
		page->zoomed = 0; /* it is only on the other side */
	if (!flame_lay_out(&page->flame, boxes, page->zoomed, canvas->width, &err))
		return;
	page->rows = canvas->height >= LEAST_ROWS ? canvas->height - PANEL_ROWS : canvas->height;
	select_drawn(page);
	scroll(page);
}

void
flame_page_draw(struct call_page *page, enum diff_side side, const struct session *session,
	struct canvas *canvas)
{
	const struct call_tree *boxes = page->boxes[side];
	if (page->rows == 0)
		return;
	const struct flame_look look = {
		.trace = page->is_beneath ? session->beneath->below : session->trace,
		.tree = boxes,
		.diff = page->diff,
		.zoomed = page->zoomed,
		.selected = page->selected,
		.matches = page->matches,
		.first_row = page->first_row,
		.rows = page->rows,
		.scratch = &page->scratch,
	};
	flame_draw(&page->flame, &look, canvas);
	if (page->rows < canvas->height)
		draw_panel(page, session, canvas, page->rows);
}

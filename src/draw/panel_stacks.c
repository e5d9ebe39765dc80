/* Stacks in the panel: one, or two beside each other. */
#include "draw/names.h"
#include "draw/panel_pen.h"
#include "trace/own_code.h"

enum {
	LINES_FOR_STACK = 2,     /* its heading and a frame */
	FEWEST_STACK_CELLS = 60, /* for two columns of frames */
};

/* One frame: function at the left, place at the right of the column. */
static void
write_frame(struct panel *panel, const struct panel_stack *at, int from_x, int end_x)
{
	const struct trace *trace = at->trace;
	const struct stack_frame *frame = stack_leaf(&trace->stacks, at->stack);
	bool ascii = panel->canvas->ascii;
	struct cell_style place_style = { .fg = STYLE_TEXT_DIM }, style = { .fg = STYLE_DEFAULT };

	text_clear(panel->scratch);
	text_add_place(panel->scratch, trace, frame, ascii);
	int place_cells = (int)text_width(panel->scratch->bytes, panel->scratch->length);
	int place_x = end_x - place_cells;
	if (place_x > from_x + (end_x - from_x) / 3)
		canvas_text(panel->canvas, place_x, panel->y, place_cells, place_style,
			panel->scratch);
	else
		place_x = end_x;
	text_clear(panel->scratch);
	if (place_x - 1 > from_x)
		name_short_string(panel->scratch, trace, frame->function,
			(size_t)(place_x - 1 - from_x), ascii);
	if (panel->scratch->length > 0)
		canvas_text(panel->canvas, from_x, panel->y, place_x - 1 - from_x, style,
			panel->scratch);
	text_clear(panel->scratch);
}

/* To the caller, STACK_NONE at its end. */
static void
go_on(struct panel_stack *at)
{
	if (at->stack != STACK_NONE)
		at->stack = stack_caller(&at->trace->stacks, at->stack);
}

/* What stands at the left and at the right; where there is room for one, the first there is. */
struct columns {
	struct panel_stack left, right;
	int middle;
};

static struct columns
columns_of(const struct panel *panel, struct panel_stack left, struct panel_stack right)
{
	struct columns columns = { left, right, panel->x + (panel->end_x - panel->x) / 2 };
	bool has_both = left.stack != STACK_NONE && right.stack != STACK_NONE;
	if (has_both && panel->end_x >= FEWEST_STACK_CELLS)
		return columns;
	if (left.stack == STACK_NONE)
		columns.left = right;
	columns.right.stack = STACK_NONE;
	columns.middle = panel->end_x + 1;
	return columns;
}

static void
write_headings(struct panel *panel, const struct columns *columns)
{
	int end_x = panel->end_x;
	panel->end_x = columns->middle - 1 < end_x ? columns->middle - 1 : end_x;
	panel_string(panel, STYLE_TEXT_DIM, columns->left.title);
	panel->end_x = end_x;
	if (columns->right.stack != STACK_NONE) {
		panel_column(panel, columns->middle + 2);
		panel_string(panel, STYLE_TEXT_DIM, columns->right.title);
	}
	panel_next_line(panel);
}

/* Leaves out what is innermost where the frame that names the stack would not be seen else. */
static void
skip_frames(const struct panel *panel, struct panel_stack *at)
{
	stack_id named = own_code_stack(at->trace, at->stack, REF_NONE);
	int frames = 1;
	for (struct panel_stack next = *at; next.stack != named; go_on(&next))
		frames++;
	for (; frames > panel_lines_left(panel) && at->stack != named; frames--)
		go_on(at);
}

void
panel_write_stacks(struct panel *panel, struct panel_stack left, struct panel_stack right)
{
	struct columns columns = columns_of(panel, left, right);
	struct panel_stack *a = &columns.left, *b = &columns.right;
	a->trace = a->trace != NULL ? a->trace : panel->scene->trace;
	b->trace = b->trace != NULL ? b->trace : panel->scene->trace;
	if (a->stack == STACK_NONE)
		return;
	if (panel_lines_left(panel) >= LINES_FOR_STACK)
		write_headings(panel, &columns);
	skip_frames(panel, a);
	skip_frames(panel, b);
	while (panel_lines_left(panel) > 0 && (a->stack != STACK_NONE || b->stack != STACK_NONE)) {
		if (a->stack != STACK_NONE)
			write_frame(panel, a, panel->x, columns.middle - 1);
		if (b->stack != STACK_NONE)
			write_frame(panel, b, columns.middle + 2, panel->end_x);
		if (columns.middle < panel->end_x)
			canvas_put(panel->canvas, columns.middle, panel->y,
				(struct cell_style){ .fg = STYLE_RULE },
				panel->canvas->ascii ? "|" : "│");
		go_on(a);
		go_on(b);
		panel_next_line(panel);
	}
}

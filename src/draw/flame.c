/* Boxes are laid out row by row; each knows where its callees begin. */
#include "draw/flame.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "draw/names.h"
#include "draw/stack_rows.h"

enum { FEWEST_NAME_CELLS = 3 };

void
flame_release(struct flame *flame)
{
	memory_free(flame->boxes);
	*flame = (struct flame){ 0 };
}

/* ---- layout */

/* How values become cells: those of the zoomed node fill the width. */
struct scale {
	double cells_per_value;
	int width;
};

static int
cell_of(const struct scale *scale, double value)
{
	/* A sum of shares may fall short of the whole by less than this. */
	int cell = (int)floor(value * scale->cells_per_value + 1e-9);
	return cell < scale->width ? cell : scale->width;
}

static bool
add_box(struct flame *flame, struct flame_box box, struct error *err)
{
	if (!array_reserve(&flame->boxes, &flame->capacity, flame->count + 1, sizeof box, err))
		return false;
	flame->boxes[flame->count++] = box;
	return true;
}

/* The nodes from the root down to the zoomed one, all as wide. */
static bool
add_path(struct flame *flame, const struct call_tree *tree, uint32_t zoomed, int width,
	struct error *err)
{
	size_t count = (size_t)tree->nodes[zoomed].depth + 1;
	if (!array_reserve(&flame->boxes, &flame->capacity, count, sizeof *flame->boxes, err))
		return false;
	flame->count = count;
	for (uint32_t node = zoomed; count > 0; node = tree->nodes[node].parent) {
		count--;
		flame->boxes[count] =
			(struct flame_box){ .node = node, .row = (uint32_t)count, .cells = width };
	}
	return true;
}

/* Callees side by side, the one that takes most first; so those that are left out come last. */
static bool
add_callees(struct flame *flame, const struct call_tree *tree, const struct scale *scale,
	size_t parent, struct error *err)
{
	const struct call_node *caller = &tree->nodes[flame->boxes[parent].node];
	double at = flame->boxes[parent].start;
	double end = at + (double)(caller->value - caller->self);
	uint32_t shown = 0;
	for (; shown < caller->child_count; shown++) {
		uint32_t node = tree->children[caller->first_child + shown];
		double value = (double)tree->nodes[node].value;
		struct flame_box box = { .node = node, .row = tree->nodes[node].depth, .start = at };
		box.x = cell_of(scale, at);
		box.cells = cell_of(scale, at + value) - box.x;
		if (value * scale->cells_per_value < 1 || box.cells < 1)
			break;
		if (!add_box(flame, box, err))
			return false;
		at += value;
	}
	struct flame_box *box = &flame->boxes[parent];
	box->rest_x = cell_of(scale, at);
	if (shown < caller->child_count)
		box->rest_cells = cell_of(scale, end) - box->rest_x;
	return true;
}

bool
flame_lay_out(struct flame *flame, const struct call_tree *tree, uint32_t zoomed, int width,
	struct error *err)
{
	const struct call_node *whole = &tree->nodes[zoomed];
	const struct scale scale = { whole->value > 0 ? (double)width / (double)whole->value : 0,
		width };
	flame->count = 0;
	if (!add_path(flame, tree, zoomed, width, err))
		return false;
	for (size_t i = flame->count - 1; i < flame->count; i++) {
		if (!add_callees(flame, tree, &scale, i, err))
			return false;
	}
	return true;
}

/* ---- finding boxes */

size_t
flame_find(const struct flame *flame, uint32_t node)
{
	for (size_t i = 0; i < flame->count; i++) {
		if (flame->boxes[i].node == node)
			return i;
	}
	return FLAME_NONE;
}

size_t
flame_beside(const struct flame *flame, size_t box, bool is_right)
{
	size_t beside = is_right ? box + 1 : box - 1;
	bool is_there = is_right ? beside < flame->count : box > 0;
	return is_there && flame->boxes[beside].row == flame->boxes[box].row ? beside : FLAME_NONE;
}

size_t
flame_above(const struct flame *flame, const struct call_tree *tree, size_t box)
{
	uint32_t caller = tree->nodes[flame->boxes[box].node].parent;
	return caller != CALL_NONE ? flame_find(flame, caller) : FLAME_NONE;
}

/* The first callee is the widest. */
size_t
flame_below(const struct flame *flame, const struct call_tree *tree, size_t box)
{
	uint32_t node = flame->boxes[box].node;
	for (size_t i = box + 1; i < flame->count; i++) {
		if (tree->nodes[flame->boxes[i].node].parent == node)
			return i;
	}
	return FLAME_NONE;
}

size_t
flame_at(const struct flame *flame, uint32_t row, int x)
{
	for (size_t i = 0; i < flame->count; i++) {
		const struct flame_box *box = &flame->boxes[i];
		if (box->row == row && box->x <= x && x < box->x + box->cells)
			return i;
	}
	return FLAME_NONE;
}

/* ---- drawing */

static bool
is_plain(const struct canvas *canvas)
{
	return canvas->ascii || canvas->monochrome;
}

/* From much less than before to much more, in three steps each. */
static uint8_t
change_style(const struct diff_profile *diff, uint32_t node)
{
	enum { STEPS = STYLE_MORE_LAST - STYLE_SAME };
	int64_t change = diff_profile_change(diff, node);
	uint64_t distance = diff_distance(diff->before[node], diff->tree.nodes[node].value);
	double share = diff->most_changed > 0 ? (double)distance / (double)diff->most_changed : 0;
	int step = share > 0.6 ? STEPS : share > 0.2 ? 2 : 1;
	if (change == 0)
		return STYLE_SAME;
	return (uint8_t)(change > 0 ? STYLE_SAME + step : STYLE_SAME - step);
}

static uint8_t
color_of(const struct flame_look *look, uint32_t index)
{
	const struct call_node *node = &look->tree->nodes[index];
	if (node->parent == CALL_NONE)
		return STYLE_RULE;
	return look->diff != NULL ? change_style(look->diff, index)
				  : stack_row_style(look->trace, node->function);
}

static struct cell_style
style_of(const struct flame_look *look, const struct flame_box *box, bool without_colours)
{
	const struct call_node *node = &look->tree->nodes[box->node];
	uint8_t color = color_of(look, box->node);
	if (box->node == look->selected)
		return (struct cell_style){ STYLE_INK, STYLE_TEXT_BRIGHT,
			without_colours ? CELL_REVERSE : CELL_BOLD };
	if (look->matches != NULL && look->matches[box->node] != 0)
		return (struct cell_style){ STYLE_TEXT_BRIGHT, STYLE_MATCHED, CELL_BOLD };
	if (box->row < look->tree->nodes[look->zoomed].depth)
		return (struct cell_style){ STYLE_TEXT_DIM, (uint8_t)(color + STYLE_FAINT), 0 };
	if (node->parent == CALL_NONE)
		return (struct cell_style){ STYLE_TEXT_BRIGHT, color, 0 };
	return (struct cell_style){ STYLE_INK, color, 0 };
}

/* "+", "-", or "" for a node that has not changed. */
static const char *
sign_of(const struct flame_look *look, uint32_t node)
{
	int64_t change = look->diff != NULL ? diff_profile_change(look->diff, node) : 0;
	return change > 0 ? "+" : change < 0 ? "-" : "";
}

/* What fills a box where there are no colours. */
static const char *
filling_of(const struct flame_look *look, uint32_t node, bool ascii)
{
	const char *sign = sign_of(look, node);
	if (look->diff != NULL)
		return *sign != '\0' ? sign : "=";
	return ascii ? "-" : "─";
}

/* Without colours a box begins with a bar, or with a star where it matches, and is filled. */
static void
put_cells(const struct flame_look *look, const struct flame_box *box, struct cell_style style,
	struct canvas *canvas, int y)
{
	bool matches = look->matches != NULL && look->matches[box->node] != 0;
	for (int x = box->x; x < box->x + box->cells; x++) {
		if (!is_plain(canvas))
			canvas_put(canvas, x, y, style, " ");
		else if (x == box->x)
			canvas_put(canvas, x, y, style, matches ? "*" : canvas->ascii ? "|" : "├");
		else
			canvas_put(canvas, x, y, style, filling_of(look, box->node, canvas->ascii));
	}
}

static void
put_name(const struct flame_look *look, const struct flame_box *box, struct cell_style style,
	struct canvas *canvas, int y)
{
	const struct call_node *node = &look->tree->nodes[box->node];
	const char *sign = sign_of(look, box->node);
	/* A cell stays free: what tells one box from the next that has its colour. */
	int room = box->cells - 2, rest = room - (int)strlen(sign);
	if (rest < FEWEST_NAME_CELLS && room > 0 && *sign != '\0')
		canvas_put(canvas, box->x + 1, y, style, sign);
	if (rest < FEWEST_NAME_CELLS)
		return;
	text_clear(look->scratch);
	text_add_string(look->scratch, sign);
	if (node->parent == CALL_NONE)
		text_add_string(look->scratch, "all");
	else if (look->diff != NULL)
		name_short_bytes(look->scratch, node->name, node->name_length, (size_t)rest,
			canvas->ascii);
	else
		name_called(look->scratch, look->trace, node->function, (size_t)rest, canvas->ascii);
	if (look->scratch->length > 0 && !look->scratch->failed)
		canvas_text(canvas, box->x + 1, y, room, style, look->scratch);
}

/* Boxes side by side that have one colour are told apart by a hairline. */
static void
put_border(const struct flame_box *box, struct canvas *canvas, int y)
{
	const struct cell *left = canvas_at(canvas, box->x - 1, y);
	struct cell *cell = canvas_at(canvas, box->x, y);
	if (is_plain(canvas) || left == NULL || cell == NULL || left->bg != cell->bg)
		return;
	canvas_put(canvas, box->x, y,
		(struct cell_style){ .fg = cell->fg, .bg = cell->bg, .attributes = cell->attributes },
		"▏");
}

/* What is called but left out. */
static void
put_rest(const struct flame_look *look, const struct flame_box *box, struct canvas *canvas, int y)
{
	const struct cell_style dim = { .fg = STYLE_TEXT_DIM };
	for (int i = 0; i < box->rest_cells && y + 1 < look->rows; i++)
		canvas_put(canvas, box->rest_x + i, y + 1, dim, canvas->ascii ? "." : "·");
}

void
flame_draw(const struct flame *flame, const struct flame_look *look, struct canvas *canvas)
{
	for (size_t i = 0; i < flame->count; i++) {
		const struct flame_box *box = &flame->boxes[i];
		bool is_below = box->row + 1 >= look->first_row;
		if (!is_below || box->row >= look->first_row + (uint32_t)look->rows)
			continue;
		int y = (int)box->row - (int)look->first_row;
		if (y >= 0) {
			struct cell_style style = style_of(look, box, is_plain(canvas));
			put_cells(look, box, style, canvas, y);
			put_name(look, box, style, canvas, y);
			put_border(box, canvas, y);
		}
		put_rest(look, box, canvas, y);
	}
}

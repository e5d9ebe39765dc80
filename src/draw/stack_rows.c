/* Stacks over time: first the cells, once for all rows, then boxes of equal frames. */
#include "draw/stack_rows.h"

#include "base/checked.h"
#include "base/memory.h"
#include "draw/names.h"
#include "trace/lane.h"

enum { FEWEST_NAME_CELLS = 5, COLORS = STYLE_FRAME_LAST - STYLE_FRAME_FIRST + 1 };

/* ---- the cells */

bool
stack_strip_reserve(
	struct stack_strip *strip, int width, const struct stack_chart *chart, struct error *err)
{
	size_t cells = (size_t)width, functions;
	if (!array_reserve(
		    &strip->cells, &strip->cell_capacity, cells, sizeof *strip->cells, err) ||
		!array_reserve(
			&strip->shared, &strip->shared_capacity, cells, sizeof *strip->shared, err))
		return false;
	if (!checked_mul_size(cells, chart->depth, &functions)) {
		error_set_memory(err, "the stack lanes");
		return false;
	}
	if (!array_reserve(&strip->functions, &strip->function_capacity, functions,
		    sizeof *strip->functions, err))
		return false;
	strip->width = width;
	strip->depth = chart->depth;
	return true;
}

void
stack_strip_release(struct stack_strip *strip)
{
	memory_free(strip->cells);
	memory_free(strip->functions);
	memory_free(strip->shared);
	*strip = (struct stack_strip){ 0 };
}

static string_id *
functions_of(const struct stack_strip *strip, int cell)
{
	return &strip->functions[(size_t)cell * strip->depth];
}

static void
fill_functions(struct stack_strip *strip, int cell, const struct trace *trace)
{
	const struct stack_cell *here = &strip->cells[cell];
	string_id *functions = functions_of(strip, cell);
	stack_id stack = here->stack;
	stack = stack_chart_outer(trace, stack, here->frames);
	for (uint32_t depth = here->frames; depth > 0; depth--) {
		functions[depth - 1] = stack_leaf(&trace->stacks, stack)->function;
		stack = stack_caller(&trace->stacks, stack);
	}
}

/* How many functions two cells side by side have in common. */
static uint32_t
shared_with_left(const struct stack_strip *strip, int cell)
{
	const struct stack_cell *left = &strip->cells[cell - 1], *here = &strip->cells[cell];
	const string_id *a = functions_of(strip, cell - 1), *b = functions_of(strip, cell);
	uint32_t most = left->frames < here->frames ? left->frames : here->frames, shared = 0;
	while (shared < most && a[shared] == b[shared])
		shared++;
	return shared;
}

void
stack_strip_fill(struct stack_strip *strip, const struct stack_chart *chart,
	const struct samples *samples, struct viewport viewport)
{
	int64_t until_ns = viewport.t0_ns;
	strip->trace = chart->trace;
	for (int i = 0; i < strip->width; i++) {
		int64_t from_ns = until_ns;
		until_ns = lane_edge(viewport.t0_ns, viewport.t1_ns, strip->width, i + 1);
		strip->cells[i] = stack_chart_cell(chart, samples, from_ns, until_ns);
		fill_functions(strip, i, chart->trace);
		strip->shared[i] = i > 0 ? shared_with_left(strip, i) : 0;
	}
}

/* ---- the boxes */

/* A row being drawn, and the box in it that is. */
struct row_pen {
	struct canvas *canvas;
	const struct stack_strip *strip;
	struct text *scratch;
	int x, y;
	uint32_t depth;
	int first, end; /* cells of the box */
	uint8_t style;
};

enum { HASHED_BYTES = 256 }; /* of a name; more tells no more */

/* By the text. */
uint8_t
stack_row_style(const struct trace *trace, string_id function)
{
	size_t length;
	const char *name = trace_text(trace, function, &length);
	uint32_t hash = 2166136261u;
	for (size_t i = 0; i < length && i < HASHED_BYTES; i++)
		hash = (hash ^ (unsigned char)name[i]) * 16777619u;
	hash *= 2654435769u;
	return (uint8_t)(STYLE_FRAME_FIRST + ((uint64_t)hash * COLORS >> 32));
}

/* Glyphs where there are no grounds: solid, faint, between. */
static const char *
plain_glyph(const struct canvas *canvas, enum stack_cell_kind kind)
{
	if (kind == STACK_CELL_KNOWN)
		return canvas->ascii ? "=" : "━";
	if (kind == STACK_CELL_PART)
		return canvas->ascii ? "-" : "─";
	return canvas->ascii ? "." : "┄";
}

static void
put_cell(const struct row_pen *pen, int cell)
{
	enum stack_cell_kind kind = pen->strip->cells[cell].kind;
	struct canvas *canvas = pen->canvas;
	struct cell_style style = { .fg = pen->style };
	if (canvas->ascii || canvas->monochrome) {
		bool is_begin = cell == pen->first && pen->end - pen->first > 1;
		const char *begin = canvas->ascii ? "|" : "├";
		canvas_put(canvas, pen->x + cell, pen->y, style,
			is_begin ? begin : plain_glyph(canvas, kind));
		return;
	}
	if (kind == STACK_CELL_BETWEEN) {
		canvas_put(canvas, pen->x + cell, pen->y, style, "┄");
		return;
	}
	if (kind == STACK_CELL_PART) {
		style.bg = (uint8_t)(pen->style + STYLE_FAINT);
		canvas_put(canvas, pen->x + cell, pen->y, style, "▂");
		return;
	}
	style = (struct cell_style){ .fg = STYLE_INK, .bg = pen->style };
	canvas_put(canvas, pen->x + cell, pen->y, style, " ");
}

/*
 * Where the name goes: the first cells of one kind side by side that have room for all of it,
 * else the most there are.
 */
static int
part_for(const struct row_pen *pen, int wanted, int *first)
{
	const struct stack_cell *cells = pen->strip->cells;
	int best = 0;
	for (int from = pen->first; from < pen->end;) {
		int to = from + 1;
		while (to < pen->end && cells[to].kind == cells[from].kind)
			to++;
		if (to - from > best) {
			best = to - from;
			*first = from;
		}
		if (best >= wanted)
			return best;
		from = to;
	}
	return best;
}

static void
put_name(const struct row_pen *pen, string_id function)
{
	bool is_plain = pen->canvas->ascii || pen->canvas->monochrome;
	enum { AROUND = 2, ENOUGH = 200 };
	size_t bytes;
	trace_text(pen->strip->trace, function, &bytes); /* of which none needs more than a cell */
	int wanted = AROUND + (bytes < ENOUGH ? (int)bytes : ENOUGH);
	int first = pen->first, cells = part_for(pen, wanted, &first);
	/* A cell stays free: what tells one box from the next that has its colour. */
	int room = cells - 1;
	if (is_plain && first == pen->first) {
		first++;
		room--;
	}
	if (room < FEWEST_NAME_CELLS)
		return;
	text_clear(pen->scratch);
	name_short_string(pen->scratch, pen->strip->trace, function, (size_t)room, pen->canvas->ascii);
	const struct cell *under = canvas_at(pen->canvas, pen->x + first, pen->y);
	if (pen->scratch->length == 0 || pen->scratch->failed || under == NULL)
		return;
	canvas_text(pen->canvas, pen->x + first, pen->y, room,
		(struct cell_style){ .fg = under->fg, .bg = under->bg }, pen->scratch);
}

/* Boxes side by side that have one colour are told apart by a hairline. */
static void
put_border(const struct row_pen *pen, uint8_t style_before)
{
	struct cell *cell = canvas_at(pen->canvas, pen->x + pen->first, pen->y);
	if (style_before != pen->style || cell == NULL || cell->bg != pen->style ||
		pen->end - pen->first < 2 || cell->text[0] != '\0')
		return;
	canvas_put(pen->canvas, pen->x + pen->first, pen->y,
		(struct cell_style){ .fg = cell->fg, .bg = cell->bg }, "▏");
}

void
stack_row_draw(struct canvas *canvas, int x, int y, const struct stack_strip *strip,
	uint32_t depth, struct text *scratch)
{
	struct row_pen pen = { canvas, strip, scratch, x, y, depth, 0, 0, STYLE_DEFAULT };
	for (; pen.first < strip->width; pen.first = pen.end) {
		uint8_t style_before = pen.style;
		pen.end = pen.first + 1;
		pen.style = STYLE_DEFAULT;
		if (strip->cells[pen.first].frames <= depth)
			continue;
		while (pen.end < strip->width && strip->shared[pen.end] > depth)
			pen.end++;
		string_id function = functions_of(strip, pen.first)[depth];
		pen.style = stack_row_style(strip->trace, function);
		for (int cell = pen.first; cell < pen.end; cell++)
			put_cell(&pen, cell);
		put_name(&pen, function);
		put_border(&pen, style_before);
	}
}

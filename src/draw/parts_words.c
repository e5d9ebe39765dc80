/* The parts that are not loaded: dim, since nothing is wrong with them. */
#include "draw/parts_words.h"

#include <inttypes.h>

#include "base/units.h"
#include "trace/lane.h"

static void
add_count(struct text *out, uint64_t count, const char *one, const char *many)
{
	char number[UNITS_TEXT];
	units_count(number, count);
	text_format(out, "%s %s", number, count == 1 ? one : many);
}

void
parts_add_sum(struct text *out, const struct parts *parts)
{
	char size[UNITS_TEXT];
	uint64_t bytes;
	size_t count = parts_missing(parts, &bytes);
	if (parts->has_rest)
		text_add_string(out, "not loaded: what follows");
	if (count == 0)
		return;
	units_bytes(size, bytes);
	text_add_string(out, "not loaded: ");
	add_count(out, count, "generation", "generations");
	text_format(out, ", %s", size);
}

void
parts_add_part(struct text *out, const struct part *part)
{
	char size[UNITS_TEXT];
	units_bytes(size, part->bytes);
	text_format(out, "generation %" PRIu64 ": %s in ", part->generation, size);
	add_count(out, part->batches, "batch of ", "batches of ");
	add_count(out, part->threads, "thread", "threads");
}

/* Whether nothing is loaded of what a cell stands for. */
static bool
is_missing(const struct parts *parts, struct viewport viewport, int cells, int cell)
{
	return parts_extent(parts, lane_edge(viewport.t0_ns, viewport.t1_ns, cells, cell),
		       lane_edge(viewport.t0_ns, viewport.t1_ns, cells, cell + 1)) ==
	       PARTS_NOT_LOADED;
}

static bool
is_blank(struct canvas *canvas, int x, int y)
{
	const struct cell *cell = canvas_at(canvas, x, y);
	return cell == NULL || cell->text[0] == '\0';
}

void
parts_hatch(struct canvas *canvas, struct cell_run run, struct viewport viewport,
	const struct parts *parts)
{
	const struct cell_style dim = { .fg = STYLE_TEXT_DIM, .bg = STYLE_BAR };
	bool was_blank = true;
	for (int i = 0; i < run.cells && parts->count > 0; i++) {
		int x = run.x + i;
		bool is_gap = is_blank(canvas, x, run.y);
		/* One blank alone is within a text. */
		bool is_free = is_gap && (was_blank || is_blank(canvas, x + 1, run.y));
		was_blank = is_gap;
		if (!is_missing(parts, viewport, run.cells, i))
			continue;
		if (is_free)
			canvas_put(canvas, x, run.y, dim, canvas->ascii ? "-" : "┄");
		else
			canvas_ground(canvas, x, run.y, 1, STYLE_BAR);
	}
}

void
parts_blank(struct canvas *canvas, struct cell_run run, int lines, struct viewport viewport,
	const struct parts *parts)
{
	const struct cell_style dim = { .fg = STYLE_TEXT_DIM, .bg = STYLE_BAR };
	for (int i = 0; i < run.cells && parts->count > 0; i++) {
		if (!is_missing(parts, viewport, run.cells, i))
			continue;
		for (int line = 0; line < lines; line++)
			canvas_put(canvas, run.x + i, run.y + line, dim, " ");
	}
}

/* Adds up, cell by cell, the parts of a path. */
#include "draw/path_row.h"

#include <string.h>

#include "draw/names.h"
#include "draw/strip_glyph.h"
#include "trace/lane.h"

static uint8_t
class_of(const struct critical_part *part)
{
	return part->kind == NULL ? CLASS_UNKNOWN : (uint8_t)part->kind->time_class;
}

/* The first part, back in time, that begins before t; part_count for none. */
static size_t
part_before(const struct critical_path *path, int64_t t_ns)
{
	size_t low = 0, high = path->part_count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (path->parts[middle].start_ns >= t_ns)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Time per look of [from, until), from a part on that is not behind it; moves on to the next cell's. */
static void
add_up(const struct critical_path *path, size_t *at, int64_t from_ns, int64_t until_ns,
	int64_t totals_ns[LOOK_COUNT])
{
	for (; *at < path->part_count; (*at)++) {
		const struct critical_part *part = &path->parts[*at];
		int64_t start_ns = part->start_ns > from_ns ? part->start_ns : from_ns;
		int64_t end_ns = part->end_ns < until_ns ? part->end_ns : until_ns;
		if (end_ns > start_ns)
			totals_ns[class_of(part)] += end_ns - start_ns;
		if (part->start_ns <= from_ns)
			return; /* it may go on in the cell before */
	}
}

static void
draw_cells(struct canvas *canvas, const struct path_row *row)
{
	struct viewport viewport = row->viewport;
	size_t at = part_before(row->path, viewport.t1_ns);
	int64_t from_ns = viewport.t1_ns;
	for (int i = row->cells - 1; i >= 0; i--) {
		int64_t until_ns = from_ns, totals_ns[LOOK_COUNT] = { 0 };
		from_ns = lane_edge(viewport.t0_ns, viewport.t1_ns, row->cells, i);
		if (until_ns <= from_ns)
			continue;
		add_up(row->path, &at, from_ns, until_ns, totals_ns);
		struct strip_cell cell = strip_cell(totals_ns, until_ns - from_ns);
		strip_put(canvas, row->x + i, row->y, &cell);
	}
}

/* On what is solid in its colour, on a line in the line's. */
static struct cell_style
name_style(uint8_t time_class, bool monochrome)
{
	uint8_t style = strip_style(time_class);
	if (!strip_is_solid(time_class) || monochrome)
		return (struct cell_style){ .fg = style };
	return (struct cell_style){ .fg = STYLE_INK, .bg = style };
}

static void
draw_names(struct canvas *canvas, const struct path_row *row, struct text *scratch)
{
	struct viewport viewport = row->viewport;
	for (size_t i = part_before(row->path, viewport.t1_ns); i < row->path->part_count; i++) {
		const struct critical_part *part = &row->path->parts[i];
		if (part->end_ns <= viewport.t0_ns)
			return;
		int64_t last_ns =
			part->end_ns < viewport.t1_ns ? part->end_ns - 1 : viewport.t1_ns - 1;
		int64_t start_ns =
			part->start_ns > viewport.t0_ns ? part->start_ns : viewport.t0_ns;
		int first = viewport_cell(viewport, row->cells, start_ns) + 1;
		int room = viewport_cell(viewport, row->cells, last_ns) - first;
		if (part->actor == REF_NONE || room < 2)
			continue;
		text_clear(scratch);
		name_actor_id(scratch, row->trace, part->actor);
		if (!scratch->failed && text_width(scratch->bytes, scratch->length) <= (size_t)room)
			canvas_text(canvas, row->x + first, row->y, room,
				name_style(class_of(part), canvas->monochrome), scratch);
	}
}

void
path_row_draw(struct canvas *canvas, const struct path_row *row, struct text *scratch)
{
	draw_cells(canvas, row);
	draw_names(canvas, row, scratch);
}

/* Goes from cell to cell; the text of a log goes up to the next cell that has one. */
#include "draw/log_row.h"

#include "base/units.h"
#include "draw/strip_glyph.h"
#include "draw/task_words.h"
#include "trace/lane.h"

enum { FEWEST_TEXT_CELLS = 3 };

/* Some logs in one cell. */
struct shown {
	int cell;
	size_t first, count;
};

/* The text goes up to, but not into, the cell `end`; what is too long ends in dots. */
static void
draw_logs(struct canvas *canvas, const struct log_row *row, const struct shown *shown, int end,
	struct text *scratch)
{
	const struct cell_style mark = { .fg = STYLE_MARK, .attributes = CELL_BOLD };
	const struct cell_style words = { .fg = STYLE_DEFAULT };
	const char *dots = canvas->ascii ? ".." : "…";
	int x = row->x + shown->cell + 1, room = end - shown->cell - 2;
	char number[UNITS_TEXT];
	canvas_put(canvas, x - 1, row->y, mark, strip_mark_glyph(canvas, STRIP_MARK_LOG));
	text_clear(scratch);
	if (shown->count == 1) {
		task_words_log(scratch, row->trace, row->logs[shown->first], canvas->ascii);
	} else {
		units_count(number, shown->count);
		text_format(scratch, "%s logs", number);
	}
	if (scratch->failed || scratch->length == 0 || room < FEWEST_TEXT_CELLS)
		return;
	int width = (int)text_width(scratch->bytes, scratch->length);
	int dot_cells = width > room ? (int)text_width(dots, strlen(dots)) : 0;
	if (width > room && shown->count > 1)
		return;
	x += canvas_text(canvas, x, row->y, room - dot_cells, words, scratch);
	if (dot_cells > 0)
		canvas_string(canvas, x, row->y, dot_cells, words, dots);
}

void
log_row_draw(struct canvas *canvas, const struct log_row *row, struct text *scratch)
{
	struct viewport viewport = row->viewport;
	struct shown shown = { .count = 0 };
	size_t next = instants_before(row->trace, row->logs, row->count, viewport.t0_ns);
	for (int i = 0; i < row->cells; i++) {
		int64_t until_ns = lane_edge(viewport.t0_ns, viewport.t1_ns, row->cells, i + 1);
		size_t first = next;
		if (next == row->count)
			break;
		if (trace_instant(row->trace, row->logs[next])->time_ns >= until_ns)
			continue;
		next += instants_before(row->trace, row->logs + next, row->count - next, until_ns);
		if (shown.count > 0)
			draw_logs(canvas, row, &shown, i, scratch);
		shown = (struct shown){ i, first, next - first };
	}
	if (shown.count > 0)
		draw_logs(canvas, row, &shown, row->cells + 1, scratch);
}

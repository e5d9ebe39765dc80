/* Histograms. */
#include "draw/histogram.h"

#include <string.h>

#include "base/text.h"
#include "base/units.h"
#include "draw/bar.h"

enum { FROM_CELLS = 9, COUNT_CELLS = 12, SHARE_CELLS = 8, LAST_BUCKET = 62 };
enum {
	BELOW_COLUMN = FROM_CELLS + 3,
	COUNT_COLUMN = BELOW_COLUMN + FROM_CELLS,
	SHARE_COLUMN = COUNT_COLUMN + COUNT_CELLS,
	BAR_COLUMN = SHARE_COLUMN + SHARE_CELLS + 2
};

struct histogram
histogram_of(const uint64_t *counts, int count, uint8_t style)
{
	struct histogram histogram = { .counts = counts, .style = style };
	for (int i = 0; i < count; i++) {
		if (counts[i] == 0)
			continue;
		if (histogram.total == 0)
			histogram.first = i;
		histogram.until = i + 1;
		histogram.total += counts[i];
		histogram.most = counts[i] > histogram.most ? counts[i] : histogram.most;
	}
	return histogram;
}

/* Text that ends at a column. */
static void
put_right(struct canvas *canvas, int end, int y, struct cell_style style, const char *safe)
{
	int cells = (int)text_width(safe, strlen(safe));
	canvas_string(canvas, end - cells, y, cells, style, safe);
}

void
histogram_draw_titles(struct canvas *canvas, int x, int y, int cells)
{
	const struct cell_style dim = { .fg = STYLE_TEXT_DIM };
	put_right(canvas, x + FROM_CELLS, y, dim, "from");
	put_right(canvas, x + COUNT_COLUMN, y, dim, "below");
	put_right(canvas, x + SHARE_COLUMN, y, dim, "count");
	if (cells > BAR_COLUMN)
		put_right(canvas, x + SHARE_COLUMN + SHARE_CELLS, y, dim, "share");
}

static void
draw_bar(struct canvas *canvas, int x, int y, int cells, const struct histogram *histogram,
	uint64_t count)
{
	const struct cell_style style = { .fg = histogram->style };
	struct text bar = { 0 };
	bar_add(&bar, (double)count / (double)histogram->most, cells, canvas->ascii);
	if (bar.length == 0 && count > 0)
		text_add_string(&bar, canvas->ascii ? "." : "▏");
	if (!bar.failed)
		canvas_text(canvas, x, y, cells, style, &bar);
	text_release(&bar);
}

void
histogram_draw_row(struct canvas *canvas, int x, int y, int cells, const struct histogram *histogram,
	const struct histogram_row *row)
{
	const struct cell_style bright = { .fg = STYLE_TEXT_BRIGHT }, dim = { .fg = STYLE_TEXT_DIM };
	const struct cell_style plain = { .fg = STYLE_DEFAULT };
	char text[UNITS_TEXT];
	put_right(canvas, x + FROM_CELLS, y, plain, row->from);
	canvas_string(canvas, x + FROM_CELLS + 1, y, 2, dim, canvas->ascii ? "->" : "→");
	put_right(canvas, x + COUNT_COLUMN, y, plain, row->below);
	units_count(text, row->count);
	put_right(canvas, x + SHARE_COLUMN, y, row->count > 0 ? bright : dim, text);
	if (cells <= BAR_COLUMN)
		return;
	units_share(text, (int64_t)row->count, (int64_t)histogram->total);
	put_right(canvas, x + SHARE_COLUMN + SHARE_CELLS, y, dim, text);
	draw_bar(canvas, x + BAR_COLUMN, y, cells - BAR_COLUMN, histogram, row->count);
}

void
histogram_draw_bucket(struct canvas *canvas, int x, int y, int cells,
	const struct histogram *histogram, int bucket)
{
	char from[UNITS_TEXT], below[UNITS_TEXT] = "";
	units_duration(from, bucket == 0 ? 0 : (int64_t)1 << bucket, canvas->ascii);
	if (bucket < LAST_BUCKET)
		units_duration(below, (int64_t)1 << (bucket + 1), canvas->ascii);
	const struct histogram_row row = { from, below, histogram->counts[bucket] };
	histogram_draw_row(canvas, x, y, cells, histogram, &row);
}

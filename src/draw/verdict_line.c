/* The line above the key hints. The worst is told in full, of others what there is room for. */
#include "draw/verdict_line.h"

#include <string.h>

#include "base/units.h"
#include "draw/findings_words.h"
#include "draw/strip_glyph.h"

uint8_t
verdict_style(const struct finding *finding)
{
	static const enum time_class classes[FINDING_KIND_COUNT] = {
		[FINDING_DELAY] = CLASS_READY,
		[FINDING_IDLE] = CLASS_READY,
		[FINDING_CONVOY] = CLASS_SYNC,
		[FINDING_SYSCALL] = CLASS_SYSCALL,
		[FINDING_ASSIST] = CLASS_RUNTIME,
		[FINDING_GC] = CLASS_WORKER,
		[FINDING_DISK] = CLASS_RUNTIME,
		[FINDING_HOG] = CLASS_READY,
		[FINDING_INTERRUPT] = CLASS_SYSCALL,
		[FINDING_CALL] = CLASS_SYSCALL,
		[FINDING_QUOTA] = CLASS_READY,
		[FINDING_STARVED] = CLASS_READY,
		[FINDING_HELD] = CLASS_READY,
	};
	if (finding->kind == FINDING_STOP || finding->kind == FINDING_LATE)
		return STYLE_STW;
	if (finding->kind == FINDING_FOREVER || finding->kind == FINDING_LEAK ||
		finding->kind == FINDING_REQUESTS)
		return strip_style((uint8_t)finding->time_class);
	return strip_style((uint8_t)classes[finding->kind]);
}

/* ---- the line */

struct pen {
	struct canvas *canvas;
	int x, end_x, y;
};

static int
cells_of(const char *safe)
{
	return (int)text_width(safe, strlen(safe));
}

static void
put(struct pen *pen, uint8_t style, uint8_t attributes, const char *safe)
{
	pen->x += canvas_string(pen->canvas, pen->x, pen->y, pen->end_x - pen->x,
		(struct cell_style){ .fg = style, .attributes = attributes }, safe);
}

static void
put_findings(struct pen *pen, const struct verdict_line *line, const struct trace *trace,
	struct text *scratch)
{
	const struct findings *findings = line->findings;
	bool ascii = pen->canvas->ascii;
	const char *dot = ascii ? " - " : " · ", *more = ascii ? "..." : "…";
	char count[UNITS_TEXT];
	units_count(count, findings->count);
	put(pen, STYLE_ALERT, CELL_BOLD, count);
	put(pen, STYLE_ALERT, CELL_BOLD, findings->count == 1 ? " finding" : " findings");
	put(pen, STYLE_ALERT, CELL_BOLD, line->where);
	put(pen, STYLE_ALERT, CELL_BOLD, ": ");
	for (size_t i = 0; i < findings->count; i++) {
		const struct finding *finding = &findings->items[i];
		int behind = i + 1 == findings->count ? 0 : cells_of(dot) + cells_of(more);
		int room = pen->end_x - pen->x - behind - (i > 0 ? cells_of(dot) : 0);
		text_clear(scratch);
		findings_add_short(scratch, trace, finding, ascii);
		const char *words = scratch->failed ? "" : text_string(scratch);
		if (i > 0 && cells_of(words) > room) {
			text_clear(scratch);
			findings_add_title(scratch, trace, finding->kind);
			words = scratch->failed ? "" : text_string(scratch);
		}
		if (i > 0)
			put(pen, STYLE_TEXT_DIM, 0, dot);
		if (i > 0 && cells_of(words) > room) {
			put(pen, STYLE_TEXT_DIM, 0, more);
			return;
		}
		put(pen, verdict_style(finding), CELL_BOLD, words);
	}
}

static void
put_nothing(struct pen *pen, const struct verdict_line *line, const struct trace *trace,
	struct text *scratch)
{
	put(pen, STYLE_RUNNING, CELL_BOLD, "Nothing odd");
	put(pen, STYLE_RUNNING, CELL_BOLD, line->where);
	put(pen, STYLE_RUNNING, CELL_BOLD, ": ");
	text_clear(scratch);
	findings_add_fine(scratch, trace, line->findings);
	if (scratch->failed)
		return;
	/* Whole parts of it. */
	const char *words = text_string(scratch);
	size_t length = strlen(words);
	while (length > 0 && (int)text_width(words, length) > pen->end_x - pen->x)
		while (length > 0 && words[--length] != ',')
			;
	pen->x += canvas_bytes(pen->canvas,
		(struct cell_run){ pen->x, pen->y, pen->end_x - pen->x },
		(struct cell_style){ .fg = STYLE_DEFAULT }, words, length);
}

void
verdict_line_draw(struct canvas *canvas, int y, const struct verdict_line *line,
	const struct trace *trace, struct text *scratch)
{
	const char *key = canvas->ascii ? " - F" : " · F";
	char progress[40];
	struct pen pen = { canvas, 1, canvas->width - 1 - cells_of(key), y };
	if (line->findings == NULL) {
		snprintf(progress, sizeof progress, "looking for what is odd: %d%%", line->percent);
		put(&pen, STYLE_TEXT_DIM, 0, progress);
		return;
	}
	if (line->findings->count > 0)
		put_findings(&pen, line, trace, scratch);
	else
		put_nothing(&pen, line, trace, scratch);
	pen.end_x = canvas->width;
	put(&pen, STYLE_TEXT_DIM, 0, canvas->ascii ? " - " : " · ");
	put(&pen, STYLE_KEY, CELL_BOLD, "F");
}

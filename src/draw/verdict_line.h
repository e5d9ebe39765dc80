/* One line that tells what is odd in the trace, or what is not. */
#ifndef TTRACE_DRAW_VERDICT_LINE_H
#define TTRACE_DRAW_VERDICT_LINE_H

#include "analysis/findings.h"
#include "base/text.h"
#include "draw/canvas.h"

struct verdict_line {
	const struct findings *findings; /* NULL while they are looked for */
	int percent;                     /* how far that is */
	const char *where;               /* " so far", else "" */
};

/*
 * "2 findings: lock convoy main.go:97 99% of one goroutine's time · … · F" on row y: as many of them
 * as fit whole, the worst first, each in the colour that it has on the lanes.
 */
void verdict_line_draw(struct canvas *canvas, int y, const struct verdict_line *line,
	const struct trace *trace, struct text *scratch);

/* The colour that the lanes have for what the actors of a finding were in. */
uint8_t verdict_style(const struct finding *finding);

#endif

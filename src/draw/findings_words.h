/* Findings in words. All functions append safe text. */
#ifndef TTRACE_DRAW_FINDINGS_WORDS_H
#define TTRACE_DRAW_FINDINGS_WORDS_H

#include <stdbool.h>

#include "analysis/findings.h"
#include "base/text.h"

/* "lock convoy" */
const char *findings_title(enum finding_kind kind);
/* "x12.3": how many times the interval was lost. */
void findings_add_severity(struct text *out, const struct findings *findings,
	const struct finding *finding);
/* All of it on a line of a few words: "lock convoy main.go:97 99% of one goroutine's time". */
void findings_add_short(
	struct text *out, const struct trace *trace, const struct finding *finding, bool ascii);
/* What happened, to whom, how often and for how long, on one line. */
void findings_add_line(
	struct text *out, const struct trace *trace, const struct finding *finding, bool ascii);
/* "main.(*Store).Get at store.go:88": whose code; nothing where the trace does not tell. */
void findings_add_place(
	struct text *out, const struct trace *trace, const struct finding *finding, bool ascii);

#endif

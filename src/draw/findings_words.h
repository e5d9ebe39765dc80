/* Findings in words. All functions append safe text. */
#ifndef TTRACE_DRAW_FINDINGS_WORDS_H
#define TTRACE_DRAW_FINDINGS_WORDS_H

#include <stdbool.h>

#include "analysis/findings.h"
#include "base/text.h"

/* "lock convoy" */
void findings_add_title(struct text *out, const struct trace *trace, enum finding_kind kind);
/*
 * What was lost by it: "99% of one goroutine's time", "holds up 12 goroutines", "31
 * goroutines, 66% of all".
 */
void findings_add_loss(struct text *out, const struct trace *trace, const struct finding *finding);
/* All of it on a line of a few words: "lock convoy main.go:97 99% of one goroutine's time". */
void findings_add_short(
	struct text *out, const struct trace *trace, const struct finding *finding, bool ascii);
/* Whole sentences: what happened, to whom, where, how often and for how long. */
void findings_add_line(
	struct text *out, const struct trace *trace, const struct finding *finding, bool ascii);
/* One thing to do about it: "split the lock or shorten what it guards". */
void findings_add_advice(struct text *out, const struct trace *trace, const struct finding *finding);
/*
 * Of requests, what one of the slowest tenth did on average, or one about the median: "sync
 * 10.3 ms, sleep 2.83 ms", most time first, without what is less than 1% of it.
 */
void findings_add_spent(struct text *out, const struct trace *trace, const struct finding *finding,
	bool is_slowest, bool ascii);
/* "main.(*Store).Get at store.go:88"; nothing where no place has half of the time. */
void findings_add_place(
	struct text *out, const struct trace *trace, const struct finding *finding, bool ascii);
/* What is said where there are no findings. */
const char *findings_none(const struct findings *findings);
/*
 * What was looked for and not found, of what such a trace can have: "no goroutine waited long for a P,
 * no lock had a queue".
 */
void findings_add_fine(struct text *out, const struct trace *trace, const struct findings *findings);

#endif

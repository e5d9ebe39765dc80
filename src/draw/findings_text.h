/* The text of what is odd in a trace. */
#ifndef TTRACE_DRAW_FINDINGS_TEXT_H
#define TTRACE_DRAW_FINDINGS_TEXT_H

#include "analysis/findings.h"
#include "draw/prose.h"

/* One finding as an item: what it is, what to do about it, and where to look. */
void findings_tell(struct prose *prose, const struct findings *findings, size_t index);
/* Behind all of them: that there are none, and what else was looked for. */
void findings_tell_end(struct prose *prose, const struct findings *findings);

#endif

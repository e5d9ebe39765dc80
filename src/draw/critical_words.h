/* Parts of a critical path in words. All functions append safe text. */
#ifndef TTRACE_DRAW_CRITICAL_WORDS_H
#define TTRACE_DRAW_CRITICAL_WORDS_H

#include <stdbool.h>
#include <stdint.h>

#include "analysis/beneath/stretch.h"
#include "analysis/critical.h"
#include "base/text.h"
#include "trace/trace.h"

/* "running", "gc worker", "blocked: chan receive", "not known". */
void critical_add_state(struct text *out, const struct trace *trace, const struct state_kind *kind,
                        bool ascii);
/*
 * How the path comes there and why it stays: "woke G5 after 12.3 ms of chan receive", "created
 * G7", "until the network was ready"; nothing for a state like any other.
 */
void critical_add_how(struct text *out, const struct trace *trace, const struct critical_path *path,
                      const struct critical_part *part, bool ascii);
/*
 * What the processors ran longest in an interval: "P0 ran G1, P1 G9, 2 procs nothing". O(processors
 * x log n); looks at the first processors only where there are many.
 */
void critical_add_processors(struct text *out, const struct trace *trace, int64_t from_ns,
                        int64_t until_ns);

/* What a part lacked of a CPU. */
struct critical_lost {
	int64_t time_ns;         /* of its own thread, or of that which had the processor longest without one */
	resource_ref processor;  /* which one that was, of a part that was ready; else REF_NONE */
	struct stretch_sums worst; /* what that thread did in the longest of it */
};

/* False where it had a CPU for nine tenths of its time, or nobody knows. O(processors x log n). */
bool critical_find_lost(struct critical_lost *lost, const struct beneath *beneath, const struct critical_part *part);
/* "thread 4268 of P0: compile (8.58 ms)", or of what ran itself "compile (8.58 ms)", "asleep". */
void critical_add_lost(struct text *out, const struct beneath *beneath, const struct critical_lost *lost, bool ascii);

#endif

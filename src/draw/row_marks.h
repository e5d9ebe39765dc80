/* What rows need of a frozen trace and takes milliseconds to make, which any thread may do. */
#ifndef TTRACE_DRAW_ROW_MARKS_H
#define TTRACE_DRAW_ROW_MARKS_H

#include <stdatomic.h>
#include <stdbool.h>

#include "analysis/go/assists.h"
#include "analysis/samples.h"
#include "base/error.h"
#include "draw/moments.h"
#include "trace/trace.h"

struct row_marks {
	const struct trace *trace; /* which they are of; NULL once they were taken */
	struct moments moments;
	struct samples samples;
	struct pieces assists;
};

/*
 * The cost of moments_build(), samples_build() and assists_build(), which reads states all over the
 * trace. ERROR_CANCELLED once that is set (NULL: never). NULL with err set on failure.
 */
struct row_marks *row_marks_new(
	const struct trace *trace, const atomic_bool *is_cancelled, struct error *err);
/* Without the assists: reads no states. */
struct row_marks *row_marks_new_early(const struct trace *trace, struct error *err);
void row_marks_free(struct row_marks *marks); /* NULL is fine */
/*
 * Those of a trace, whose parts become the caller's; made, unless `made` has them, which may be
 * NULL. On failure nothing is held.
 */
bool row_marks_take(struct row_marks *made, const struct trace *trace, struct row_marks *taken,
	struct error *err);

#endif

/* Moments and samples of one trace. */
#include "draw/row_marks.h"

#include "base/memory.h"

static bool
build(const struct trace *trace, struct moments *moments, struct samples *samples,
	struct error *err)
{
	if (!moments_build(moments, trace, err))
		return false;
	if (samples_build(samples, trace, err))
		return true;
	moments_release(moments);
	return false;
}

struct row_marks *
row_marks_new(const struct trace *trace, struct error *err)
{
	struct row_marks *marks = array_new(1, sizeof *marks, err);
	if (marks == NULL)
		return NULL;
	if (!build(trace, &marks->moments, &marks->samples, err)) {
		memory_free(marks);
		return NULL;
	}
	marks->trace = trace;
	return marks;
}

void
row_marks_free(struct row_marks *marks)
{
	if (marks == NULL)
		return;
	moments_release(&marks->moments);
	samples_release(&marks->samples);
	memory_free(marks);
}

bool
row_marks_take(struct row_marks *made, const struct trace *trace, struct moments *moments,
	struct samples *samples, struct error *err)
{
	if (made == NULL || made->trace != trace)
		return build(trace, moments, samples, err);
	*moments = made->moments;
	*samples = made->samples;
	*made = (struct row_marks){ .trace = NULL };
	return true;
}

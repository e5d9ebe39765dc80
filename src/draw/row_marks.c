/* What rows need of one trace. */
#include "draw/row_marks.h"

#include "base/memory.h"

struct row_marks *
row_marks_new_early(const struct trace *trace, struct error *err)
{
	struct row_marks *marks = array_new(1, sizeof *marks, err);
	if (marks == NULL)
		return NULL;
	marks->trace = trace;
	if (moments_build(&marks->moments, trace, err) &&
		samples_build(&marks->samples, trace, err))
		return marks;
	row_marks_free(marks);
	return NULL;
}

struct row_marks *
row_marks_new(const struct trace *trace, const atomic_bool *is_cancelled, struct error *err)
{
	struct row_marks *marks = row_marks_new_early(trace, err);
	if (marks == NULL || assists_build(&marks->assists, trace, is_cancelled, err))
		return marks;
	row_marks_free(marks);
	return NULL;
}

void
row_marks_free(struct row_marks *marks)
{
	if (marks == NULL)
		return;
	moments_release(&marks->moments);
	samples_release(&marks->samples);
	pieces_release(&marks->assists);
	memory_free(marks);
}

bool
row_marks_take(struct row_marks *made, const struct trace *trace, struct row_marks *taken,
	struct error *err)
{
	bool is_made = made != NULL && made->trace == trace;
	struct row_marks *marks = is_made ? made : row_marks_new(trace, NULL, err);
	if (marks == NULL)
		return false;
	*taken = *marks;
	*marks = (struct row_marks){ .trace = NULL };
	if (!is_made)
		row_marks_free(marks);
	return true;
}

/* What rows need of one trace. */
#include "draw/row_marks.h"

#include "base/memory.h"

static void
release(struct row_marks *marks)
{
	moments_release(&marks->moments);
	samples_release(&marks->samples);
	assists_release(&marks->assists);
	marks->trace = NULL;
}

static bool
build(struct row_marks *marks, const struct trace *trace, struct error *err)
{
	*marks = (struct row_marks){ .trace = trace };
	if (moments_build(&marks->moments, trace, err) &&
		samples_build(&marks->samples, trace, err) &&
		assists_build(&marks->assists, trace, err))
		return true;
	release(marks);
	return false;
}

struct row_marks *
row_marks_new(const struct trace *trace, struct error *err)
{
	struct row_marks *marks = array_new(1, sizeof *marks, err);
	if (marks == NULL)
		return NULL;
	if (!build(marks, trace, err)) {
		memory_free(marks);
		return NULL;
	}
	return marks;
}

void
row_marks_free(struct row_marks *marks)
{
	if (marks == NULL)
		return;
	release(marks);
	memory_free(marks);
}

bool
row_marks_take(struct row_marks *made, const struct trace *trace, struct row_marks *taken,
	struct error *err)
{
	if (made == NULL || made->trace != trace)
		return build(taken, trace, err);
	*taken = *made;
	*made = (struct row_marks){ .trace = NULL };
	return true;
}

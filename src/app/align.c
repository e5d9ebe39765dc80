#include "app/align.h"

#include <string.h>

#include "base/checked.h"
#include "base/text.h"
#include "base/units.h"

/* How many threads are tasks of the other trace as well. */
static int64_t
common_threads(const struct trace *above, const struct trace *below)
{
	int64_t count = 0;
	for (resource_ref i = 0; i < trace_thread_count(above); i++)
		count += trace_find_actor(below, trace_thread(above, i)->id) != REF_NONE;
	return count;
}

bool
align_find(const struct trace *const *traces, int count, int *above, int *below)
{
	int64_t most = -1;
	*above = *below = -1;
	for (int i = 0; i < count; i++)
		for (int k = 0; k < count; k++) {
			if (traces[i] == NULL || traces[k] == NULL || !beneath_is_above(traces[i]) ||
				!beneath_is_below(traces[k]))
				continue;
			int64_t common = common_threads(traces[i], traces[k]);
			if (common <= most)
				continue;
			most = common;
			*above = i;
			*below = k;
		}
	return most >= 0;
}

static bool
is_file(const char *file, const char *name, size_t length)
{
	const char *base = text_base_name(file);
	return (strlen(file) == length && memcmp(file, name, length) == 0) ||
	       (strlen(base) == length && memcmp(base, name, length) == 0);
}

bool
align_clocks(struct beneath *beneath, const struct align_files *files, const atomic_bool *is_cancelled,
	struct error *err)
{
	const char *align = files->align, *colon = align != NULL ? strrchr(align, ':') : NULL;
	size_t length = colon != NULL ? (size_t)(colon - align) : 0;
	int64_t shift_ns;
	if (align == NULL)
		return beneath_align(beneath, is_cancelled, err);
	bool is_above = is_file(files->above, align, length);
	if (!is_above && !is_file(files->below, align, length))
		return error_set(err, ERROR_USAGE, "--align=%s: wanted one of the two traces and its shift, as %s:30ms",
			align, files->below);
	if (!units_parse_duration(colon + 1, &shift_ns, err)) {
		error_prefix(err, "--align=%s", align);
		return false;
	}
	shift_ns = !is_above ? shift_ns : shift_ns == INT64_MIN ? INT64_MAX : -shift_ns;
	return beneath_align_given(beneath, shift_ns, is_cancelled, err);
}

/* Whether the trace lies at least in part within the time of the first one. */
static bool
overlaps(const struct trace *first, const struct trace *trace, int64_t delta_ns)
{
	return delta_ns <= first->end_ns && saturating_add_i64(trace->end_ns, delta_ns) >= 0;
}

bool
align_stated(const struct trace *first, const struct trace *trace, int64_t *delta_ns, const char **clock)
{
	const char *name = trace_stated_clock(first);
	*clock = trace_stated_clock(trace);
	*delta_ns = saturating_sub_i64(trace->origin_ns, first->origin_ns);
	if (name != NULL && *clock != NULL && strcmp(name, *clock) == 0 && overlaps(first, trace, *delta_ns))
		return true;
	if (!wall_clock_is_known(&first->wall) || !wall_clock_is_known(&trace->wall))
		return false;
	*clock = "the wall clock";
	*delta_ns = wall_clock_find(&first->wall, wall_clock_at(&trace->wall, 0));
	return overlaps(first, trace, *delta_ns);
}

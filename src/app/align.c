#include "app/align.h"

#include <string.h>

#include "base/text.h"
#include "base/units.h"

bool
align_find(const struct trace *const *traces, int count, int *above, int *below)
{
	*above = *below = -1;
	for (int i = count - 1; i >= 0; i--) {
		if (traces[i] == NULL)
			continue;
		if (beneath_is_above(traces[i]))
			*above = i;
		else if (beneath_is_below(traces[i]))
			*below = i;
	}
	return *above >= 0 && *below >= 0;
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
	beneath_shift(beneath, !is_above ? shift_ns : shift_ns == INT64_MIN ? INT64_MAX : -shift_ns);
	return true;
}

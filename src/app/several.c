/* All go to one outlet. */
#include "app/several.h"

bool
several_print(void *context, const struct print *print, bool *is_enough, struct error *err)
{
	struct several *several = context;
	bool is_fine = true;
	if (several->had_one && options_rows_format(print->options) != REPORT_AS_JSON)
		is_fine = outlet_write(&several->outlet, "\n", 1, err);
	several->had_one = true;
	is_fine = is_fine && print_into(print, &several->outlet, err);
	*is_enough = several->outlet.is_closed;
	return is_fine || several->outlet.is_closed;
}

enum outcome
several_run(const struct files *files, struct error *err)
{
	struct several several = { .had_one = false };
	enum outcome outcome;
	if (!outlet_open(&several.outlet, environment_pager(files->environment, files->options),
		    err))
		return OUTCOME_UNUSABLE;
	bool is_fine = files_visit(files, several_print, &several, &outcome, err);
	if (!outlet_close(&several.outlet))
		is_fine = error_set(
			err, ERROR_IO, "the pager could not be run; --no-pager does without");
	return is_fine ? outcome : outcome_of_failure(err);
}

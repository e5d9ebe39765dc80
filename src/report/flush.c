/* When a report is handed over. */
#include "report/report.h"

enum { FLUSH_BYTES = 64 << 10 };

bool
report_flush(const struct report_options *options, struct text *out, struct error *err)
{
	/* Who is handed the text clears it, and that it lacks something would be forgotten. */
	if (out->failed)
		return error_set_memory(err, "the report");
	return options->flush == NULL || out->length < FLUSH_BYTES ||
	       options->flush(options->flush_context, out, err);
}

/* The loss first, for that is what counts where there is little room; then its cause. */
#include "app/damage.h"

#include <inttypes.h>
#include <string.h>

#include "base/units.h"

static void
describe(struct text *out, const struct error *damage, uint64_t lost_from_bytes,
	uint64_t lost_bytes, bool ascii)
{
	char cause[sizeof damage->message + 100];
	if (lost_bytes > 0) {
		char lost[UNITS_TEXT];
		units_bytes(lost, lost_bytes);
		text_format(out, "%s lost from byte %" PRIu64 " on: ", lost, lost_from_bytes);
	}
	error_format(damage, cause, sizeof cause);
	text_add_safe(out, cause, strlen(cause), ascii);
}

void
damage_describe(struct text *out, const struct trace *trace, bool ascii)
{
	describe(out, &trace->damage, trace->lost_from_bytes, trace->lost_bytes, ascii);
}

void
damage_describe_result(struct text *out, const struct go_read_result *result, bool ascii)
{
	describe(out, &result->damage, result->lost_from_bytes, result->lost_bytes, ascii);
}

/* The loss first, for that is what counts where there is little room; then its cause. */
#include "app/damage.h"

#include <inttypes.h>
#include <string.h>

#include "base/units.h"

void
damage_describe(struct text *out, const struct trace *trace, bool ascii)
{
	char cause[sizeof trace->damage.message + 100];
	if (trace->lost_bytes > 0) {
		char lost[UNITS_TEXT];
		units_bytes(lost, trace->lost_bytes);
		text_format(
			out, "%s lost from byte %" PRIu64 " on: ", lost, trace->lost_from_bytes);
	}
	error_format(&trace->damage, cause, sizeof cause);
	text_add_safe(out, cause, strlen(cause), ascii);
}

/* The loss first, for that is what counts where there is little room; then its cause. */
#include "app/damage.h"

#include <assert.h>
#include <inttypes.h>
#include <string.h>

#include "base/units.h"

static void
describe_loss(struct text *out, const struct damage_map *map)
{
	uint64_t lost_bytes = damage_map_lost_bytes(map), places = damage_map_places(map);
	char lost[UNITS_TEXT], count[UNITS_TEXT];
	if (lost_bytes == 0)
		return;
	units_bytes(lost, lost_bytes);
	units_count(count, places);
	if (places > 1)
		text_format(out, "%s lost in %s places, first at byte %" PRIu64 ": ", lost, count,
			map->rows[0].from_bytes);
	else
		text_format(out, "%s lost from byte %" PRIu64 " on: ", lost,
			map->rows[0].from_bytes);
}

void
damage_describe(struct text *out, const struct damage_map *map, bool ascii)
{
	assert(map->count > 0);
	const struct error *first = &map->rows[0].first;
	char cause[sizeof first->message + 100];
	describe_loss(out, map);
	error_format(first, cause, sizeof cause);
	text_add_safe(out, cause, strlen(cause), ascii);
}

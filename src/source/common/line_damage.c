/* Rows of a map of damage, by the lines where they are. */
#include "source/common/line_damage.h"

#include <inttypes.h>

#include "base/text.h"
#include "trace/time.h"

enum { EXCERPT_BYTES = 64 };

/* Of the line that was read last, without its end. */
static void
add_row(struct line_damage *damage, const struct line_reader *reader, size_t length,
	enum damage_cause cause, const struct error *first)
{
	uint64_t until = reader->in->offset_bytes - (reader->end - reader->begin);
	struct damage row = {
		.from_bytes = until > length ? until - length : 0,
		.to_bytes = until,
		.lost_bytes = length,
		.to_ns = cause == DAMAGE_CUT ? TIME_OPEN : 0,
		.cause = cause,
		.first = *first,
	};
	damage->count++;
	damage_map_add(&damage->map, &row);
}

void
line_damage_add(struct line_damage *damage, const struct line_reader *reader,
	const struct scan *line, const char *what)
{
	char excerpt[EXCERPT_BYTES];
	struct error first;
	error_clear(&first);
	text_excerpt(excerpt, sizeof excerpt, line->at, scan_left(line));
	error_set(&first, ERROR_FORMAT, "line %" PRIu64 " %s: \"%s\"", reader->count, what, excerpt);
	add_row(damage, reader, scan_left(line) + reader->has_newline, DAMAGE_CHANGED, &first);
}

void
line_damage_add_end(
	struct line_damage *damage, const struct line_reader *reader, const char *what)
{
	struct error first;
	error_clear(&first);
	error_set(&first, ERROR_FORMAT, "it ends at line %" PRIu64 ": %s", reader->count, what);
	add_row(damage, reader, 0, DAMAGE_CUT, &first);
}

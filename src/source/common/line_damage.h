/*
 * Lines that mean nothing to a reader of text, for the message and exit status 3: the first few by
 * their numbers and what is in them, the others counted.
 */
#ifndef TTRACE_SOURCE_COMMON_LINE_DAMAGE_H
#define TTRACE_SOURCE_COMMON_LINE_DAMAGE_H

#include <stdbool.h>
#include <stdint.h>

#include "source/common/line_reader.h"
#include "trace/damage.h"

/* Zero-initialised has none. */
struct line_damage {
	struct damage_map map; /* a row for each place, without times */
	uint64_t count;        /* of damaged lines */
};

/*
 * The line that the reader just gave is damaged. `what` is wrong with it, of plain ASCII: "fits
 * nothing", "has no count". Call once for a line, with its last part if it has several.
 */
void line_damage_add(
	struct line_damage *damage, const struct line_reader *reader, const struct scan *line, const char *what);
/* The input ends within something; the bytes from there on were not used. */
void line_damage_add_end(
	struct line_damage *damage, const struct line_reader *reader, const char *what);

#endif

/* What is missing from a trace, in words. */
#ifndef TTRACE_APP_DAMAGE_H
#define TTRACE_APP_DAMAGE_H

#include <stdbool.h>

#include "base/text.h"
#include "trace/damage.h"

/*
 * Appends "669 B lost from byte 49331 on: the input ends ... (byte 50000, generation
 * 8, batch 64)", safe text, for a map that has rows: of the first of them, and how many
 * places more there are.
 */
void damage_describe(struct text *out, const struct damage_map *map, bool ascii);

#endif

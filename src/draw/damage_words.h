/* What is missing from a trace, in words, and as a hatch. All text is safe; all functions append. */
#ifndef TTRACE_DRAW_DAMAGE_WORDS_H
#define TTRACE_DRAW_DAMAGE_WORDS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"
#include "draw/canvas.h"
#include "draw/time_form.h"
#include "draw/viewport.h"
#include "trace/damage.h"

/* For a map that has rows: "damaged", or what its first warning is about, "newer format". */
const char *damage_word(const struct damage_map *map);
/*
 * "669 B lost from byte 49331 on: the input ends ... (byte 50000, generation 8, batch
 * 64)", for a map that has rows: what was lost in all, and what was wrong first.
 */
void damage_describe(struct text *out, const struct damage_map *map, bool ascii);

/* "2 places, 1.2 MiB lost", "1 place" where all was read, "none" where there are but warnings. */
void damage_add_sum(struct text *out, const struct damage_map *map);
/* "bytes 49331 to 50000 (669 B)", "at byte 49331" where all was read. */
void damage_add_bytes(struct text *out, const struct damage *damage);
/*
 * "not all from 6.01 s, nothing after 6.02 s": what the place has of an interval that it
 * touches, of a trace that ends at end_ns.
 */
void damage_add_time(struct text *out, const struct damage *damage, struct viewport within,
	int64_t end_ns, struct time_form form);
/* "generation 8", "generations 8 to 10", nothing where none is known. */
void damage_add_generations(struct text *out, const struct damage *damage);
/* "12 events dropped, 3 batches ended early", nothing where there are none. */
void damage_add_counts(struct text *out, const struct damage *damage);
/* The same with the cause: "nothing after 6.01 s; likely: disk full ...". */
void damage_add_warning(struct text *out, const struct damage *damage, struct viewport within,
	int64_t end_ns, struct time_form form);
/* What was wrong, and where. */
void damage_add_first(struct text *out, const struct damage *damage, bool ascii);

/* "never stopped: program ended or died" */
const char *damage_cause_words(enum damage_cause cause);
/* What a cell of the ruler is filled with that touches damage; a blank for DAMAGE_NONE. */
const char *damage_glyph(const struct canvas *canvas, enum damage_extent extent);

#endif

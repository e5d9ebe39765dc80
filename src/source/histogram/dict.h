/*
 * An object in a line, as JSON or as Python prints a dictionary: with either quotes. Values are slices of
 * the line. Each takes O(length), however values nest.
 */
#ifndef TTRACE_SOURCE_HISTOGRAM_DICT_H
#define TTRACE_SOURCE_HISTOGRAM_DICT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"
#include "source/common/scan.h"

/*
 * The next member of an object, or element of a list, which the cursor enters at the first call. False
 * behind the last one, and where it is none, or cut: dict_is_whole() tells which. What is whole of a cut
 * one is taken.
 */
bool dict_member(struct scan *object, struct scan *key, struct scan *value);
bool dict_element(struct scan *list, struct scan *value);

static inline bool
dict_is_whole(const struct scan *taken)
{
	return taken->at == NULL;
}

/* Whether a key or value is that string. */
bool dict_is(struct scan value, const char *text);
/* What is in a string, or a value as it stands. */
void dict_add(struct text *out, struct scan value);
/* A whole number that fits. */
bool dict_number(struct scan value, int64_t *number);

#endif

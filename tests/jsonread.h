/*
 * A cursor over JSON text that takes one value after another, as slices of the text:
 * just enough to compare what was written.
 */
#ifndef TTRACE_TESTS_JSONREAD_H
#define TTRACE_TESTS_JSONREAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct jsonslice {
	const char *bytes; /* a string keeps its quotes and escapes */
	size_t length;
};

struct jsonread {
	const char *at, *end;
	bool failed; /* it was no JSON; `at` is where */
};

struct jsonread jsonread_over(struct jsonslice slice);
/* Takes a whole value of any kind. */
struct jsonslice jsonread_value(struct jsonread *in);
/*
 * The next member of the object that the cursor is over, which it enters at the first call;
 * false behind the last one, and when it is none.
 */
bool jsonread_member(struct jsonread *in, struct jsonslice *key, struct jsonslice *value);
/* The same of an array. */
bool jsonread_element(struct jsonread *in, struct jsonslice *value);
/* The member of that name; false when there is none. O(length). */
bool jsonread_find(struct jsonslice object, const char *key, struct jsonslice *value);
/* A whole number; 0 for what is none. */
int64_t jsonslice_number(struct jsonslice slice);
/* Whether it is this string. */
bool jsonslice_is(struct jsonslice slice, const char *string);

#endif

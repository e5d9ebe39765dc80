/* Of whose actors a profile is, in words. */
#ifndef TTRACE_DRAW_PROFILE_WHOSE_H
#define TTRACE_DRAW_PROFILE_WHOSE_H

#include "analysis/profile.h"
#include "base/text.h"

/* Appends ", of the program's goroutines" or ", of all goroutines" where it can be otherwise. */
void profile_add_whose(enum profile_kind kind, const struct profile_scope *scope,
	const struct words *words, struct text *out);

#endif

/* What is typed behind the name of a command: Tab completes it where it is one of several words. */
#ifndef TTRACE_APP_ARGUMENT_H
#define TTRACE_APP_ARGUMENT_H

#include <stdbool.h>
#include <stddef.h>

#include "app/prompt.h"
#include "base/text.h"
#include "view/command.h"

/*
 * Appends the argument completed in the index-th way: a mark, a grouping, an order, a palette, an
 * analysis, part of a query, or the name of a bookmark. False behind the last one.
 */
bool argument_complete(enum command command, const struct prompt_place *place, const char *argument,
	size_t index, struct text *out);

#endif

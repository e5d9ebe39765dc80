/* The command line that leads to a view. */
#ifndef TTRACE_APP_LINK_H
#define TTRACE_APP_LINK_H

#include <stdbool.h>

#include "base/text.h"
#include "trace/trace.h"
#include "view/view.h"

/* Appends a word for a shell: as it is where that is safe, else quoted. */
void link_add_word(struct text *out, const char *word);

/*
 * Appends the command line that shows what the session shows: interval, cursor, row, the goroutine
 * in focus (REF_NONE for none), the filter and the clock. file: as it was named; NULL for standard input.
 */
void link_add_command(struct text *out, const struct session *session, goroutine_ref focus,
	bool is_strict, const char *file);

#endif

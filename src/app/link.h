/*
 * Names for what one looks at, that an option takes back: rows, and the whole command line that
 * leads to a view.
 */
#ifndef TTRACE_APP_LINK_H
#define TTRACE_APP_LINK_H

#include <stdbool.h>

#include "base/text.h"
#include "trace/lane.h"
#include "trace/trace.h"
#include "view/view.h"

/*
 * "G42", "P3", "M7" (a thread), "all", "gc", "stw", else the name of a group's function, which
 * may hold any bytes.
 */
void link_add_row(struct text *out, const struct trace *trace, struct lane lane);
/* The lane of such a name; false where the trace has none. O(goroutines). */
bool link_find_row(const struct trace *trace, const char *name, struct lane *lane);

/* Appends a word for a shell: as it is where that is safe, else quoted. */
void link_add_word(struct text *out, const char *word);

/*
 * Appends the command line that shows what the session shows: interval, cursor, row, the goroutine
 * in focus (REF_NONE for none), the filter and the clock. file: as it was named; NULL for standard input.
 */
void link_add_command(struct text *out, const struct session *session, goroutine_ref focus,
	bool is_strict, const char *file);

#endif

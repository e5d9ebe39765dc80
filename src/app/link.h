/* The command line that leads to a view. */
#ifndef TTRACE_APP_LINK_H
#define TTRACE_APP_LINK_H

#include <stdbool.h>

#include "base/text.h"
#include "source/go/bound.h"
#include "view/panes.h"
#include "view/view.h"

/* A view that is open. */
struct link_view {
	const struct view_ops *ops; /* NULL: none */
	const void *state;
};

/* How the program was called, as far as that changes what is shown. */
struct link_origin {
	bool is_strict;
	const char *source; /* what the input has to be; NULL where it is recognised */
	const char *section, *sample_type, *diff_type; /* as they were given; NULL for none */
	const char *memory; /* the bound, as it was given; NULL for none, as below */
	const char *notes;  /* the file of --notes */
	struct go_wish part; /* what of the trace was wanted, where not all of it is loaded */
	struct link_view rows; /* the timeline */
	struct link_view page; /* the page that is open over it */
	const char *file;   /* as it was named; NULL for standard input */
	const char *more[PANES_MOST]; /* files beside it; NULL behind the last */
	const char *align;  /* as it was given; NULL for none */
};

/*
 * Appends the command line that shows what the session shows: interval, cursor, row, the actor
 * in focus (REF_NONE for none), what is folded, the marked interval, search, filter, plan of lanes,
 * critical path, clock, and what of the trace is loaded.
 */
void link_add_command(struct text *out, const struct session *session, actor_ref focus,
	const struct link_origin *origin);

#endif

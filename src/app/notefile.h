/*
 * Where the notes of a trace are kept: in a file that --notes names, or in the user's state
 * folder, $XDG_STATE_HOME/ttrace/notes or ~/.local/state/ttrace/notes, under a number that goes by
 * the content of the trace, so that a copy of it has them, too. A change is written at once, and
 * made to what the file has by then, since several may work on one trace. A file that is not
 * understood is never written.
 */
#ifndef TTRACE_APP_NOTEFILE_H
#define TTRACE_APP_NOTEFILE_H

#include <stdbool.h>

#include "app/environment.h"
#include "app/options.h"
#include "base/error.h"
#include "base/text.h"
#include "trace/notes.h"

/* Zero-initialised keeps nothing, but the notes as long as it lives. */
struct notefile {
	struct text path;      /* "" for none */
	struct text shown;     /* the same, as the user would write it */
	bool is_private;       /* in the state folder */
	const char *file_name; /* of the trace, safe text */
	struct notes notes;
	struct text complaints; /* what is wrong in the file, a line each; may hold anything */
};

/*
 * Finds the file for the trace in an open file and reads it. file_name must outlive it. False
 * and err where it cannot be read, or has mistakes; then changes are not kept.
 */
bool notefile_open(struct notefile *file, const struct options *options,
	const struct environment *environment, int fd, struct error *err);
void notefile_release(struct notefile *file);

/*
 * Makes a change, for struct session; context: the notefile. False with err set where it could
 * not be made, or not be kept ("not kept: ...", and then it is made all the same).
 */
bool notefile_change(void *context, const struct notes_change *change, struct error *err);

#endif

/*
 * The folders that the program has for itself among the user's: one each for caches, settings and
 * state. What is in them is the user's alone.
 */
#ifndef TTRACE_APP_USERFOLDER_H
#define TTRACE_APP_USERFOLDER_H

#include <stdbool.h>
#include <sys/stat.h>

#include "base/error.h"
#include "base/text.h"

/*
 * Appends "BASE/ttrace", where the base is what a variable such as $XDG_CACHE_HOME says, if
 * that is absolute as its specification has it, else the usual one below $HOME. Both may be NULL.
 * False for none.
 */
bool userfolder_add(struct text *out, const char *base, const char *home, const char *usual);
/* Appends a path as the user would write it: "~/.cache/ttrace/..." for what lies below $HOME. */
void userfolder_add_shown(struct text *out, const char *home, const char *path);

/* The user's own, and closed to the others: what they could write may not be believed. */
bool userfolder_is_private(const struct stat *status);
/*
 * Checks that the folder which an absolute path is in is such a one; is_made: makes it first, and
 * those it is in, as far as they are not there.
 */
bool userfolder_prepare(const char *path, bool is_made, struct error *err);
/* The folder of a path with a slash in it, in a text of its own. */
bool userfolder_of(struct text *folder, const char *path, struct error *err);

/*
 * Locks the folder of a file, since the file itself is replaced as it is written; one that cannot
 * be locked is open to all. *fd, to be closed, holds the lock. False where another one holds it for
 * longer than half a second, or there is no folder.
 */
bool userfolder_lock(const char *path, int *fd, struct error *err);

#endif

/*
 * A file that is written beside and takes its name only when it is whole, so that
 * nobody finds half of one, and an old file stays until the new one is there.
 */
#ifndef TTRACE_APP_OUTFILE_H
#define TTRACE_APP_OUTFILE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "base/text.h"

struct outfile {
	int fd;
	struct text path;   /* where it is to be */
	struct text beside; /* where it is written; empty for what is written directly */
};

/*
 * A device or a named pipe is written to directly, and so is a descriptor that /dev/stdout,
 * /dev/fd/N and the like name; "-" is /dev/stdout. Links are followed, but for those in a folder that others can
 * write to. What takes the place of a file has its owner and rights. On failure err names the
 * file and the reason, and nothing needs to be closed.
 */
bool outfile_open(struct outfile *file, const char *path, struct error *err);
/* The same for what is not there yet; fails for whatever is. Never waits for anybody. */
bool outfile_open_new(struct outfile *file, const char *path, struct error *err);
/* The same for a file of the user's own, rw-------, in place of whatever has the name; no links. */
bool outfile_open_private(struct outfile *file, const char *path, struct error *err);
bool outfile_write(struct outfile *file, const char *bytes, size_t length, struct error *err);
/* Gives the file its name, or removes it where it is not wanted or cannot be had. */
bool outfile_close(struct outfile *file, bool is_wanted, struct error *err);

/*
 * All of it: a file with these bytes, which `what` names where they lack memory; `is_private` as
 * above.
 */
bool outfile_save(const char *path, bool is_private, const struct text *bytes, const char *what,
                  struct error *err);

#endif

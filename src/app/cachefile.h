/*
 * The caches in the user's cache folder, $XDG_CACHE_HOME/ttrace or ~/.cache/ttrace: a file for each
 * trace. The folder is the user's alone, and nothing in it is taken that is another's, or that
 * others may write to. When it grows beyond CACHEFILE_MOST_BYTES, the files go that were not used
 * for longest.
 */
#ifndef TTRACE_APP_CACHEFILE_H
#define TTRACE_APP_CACHEFILE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "app/environment.h"
#include "base/error.h"
#include "base/text.h"
#include "cache/cache.h"
#include "trace/trace.h"

#define CACHEFILE_MOST_BYTES (UINT64_C(16) << 30)

/* The cache of one trace, whether it is there or not. Zero-initialised is none. */
struct cachefile {
	struct cache_key key;
	struct text path;
	struct text shown; /* the same, as the user would write it */
};

/*
 * For the trace in an open file, read in a way that `mode` stands for. On failure err says why it
 * can have none, and nothing needs to be released.
 */
bool cachefile_find(struct cachefile *file, const struct environment *environment, int fd,
	uint64_t mode, struct error *err);
void cachefile_release(struct cachefile *file);

/* The trace, or NULL: with err empty where there is no cache, else err says what is wrong with it. */
struct trace *cachefile_open(const struct cachefile *file, struct error *err);

/*
 * Writes it, from a trace that was read from the open file, and makes room in the folder. Fails
 * also where the file is not as it was when it was found, and with ERROR_CANCELLED. No half of a
 * cache is left then.
 */
bool cachefile_write(const struct cachefile *file, int fd, const struct trace *trace,
	const atomic_bool *is_cancelled, struct error *err);

/* Removes all caches. No folder is fine. */
bool cachefile_clear(const struct environment *environment, uint64_t *count, uint64_t *bytes,
	struct error *err);

#endif

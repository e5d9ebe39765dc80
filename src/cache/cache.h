/*
 * A built trace in a file, so that it need not be built again: written as it stands in memory,
 * opened by mapping. The file is good for one input, one layout of our structs and one release;
 * it is checked throughout, its tables when it is opened and the rest part by part when first asked
 * for (trace/backing.h), against checksums and, since those can be made to fit, so that no
 * number in it leads beyond what it counts. doc/DESIGN.md has the form.
 */
#ifndef TTRACE_CACHE_CACHE_H
#define TTRACE_CACHE_CACHE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "trace/trace.h"

/* Which input, read how: what a cache is found by. */
struct cache_key {
	uint64_t size_bytes;
	int64_t changed_s, changed_ns; /* when it was written to last */
	uint64_t sample;               /* of bytes all over it */
	uint64_t mode;                 /* how it was read: the caller's */
};

/* Whether this build can write and open caches. */
bool cache_is_available(void);

/* The key of a regular file, by a few hundred KB of it; ERROR_FORMAT for anything else. */
bool cache_key_read(int fd, uint64_t mode, struct cache_key *key, struct error *err);
/*
 * A number that goes by what is in a regular file and by nothing else: its size, and a few hundred
 * KB of it. The same for a copy, and in every build.
 */
bool cache_content_number(int fd, uint64_t *number, struct error *err);
bool cache_key_is_same(const struct cache_key *a, const struct cache_key *b);
/* A number to name files by. */
uint64_t cache_key_number(const struct cache_key *key);

/* Takes bytes of a file; those are in order. */
typedef bool (*cache_put)(void *context, const char *bytes, size_t length, struct error *err);

/* How long the cache of a trace will be. */
uint64_t cache_size(const struct trace *trace);
/* Writes the cache of a trace that was built, and is whole. */
bool cache_write(const struct trace *trace, const struct cache_key *key, cache_put put,
	void *context, struct error *err);

/*
 * The trace in a cache, to be freed with trace_free(). The descriptor may be closed then; the file
 * must not be changed as long as the trace lives, only replaced or removed. Its words are the
 * model's: they are not kept. NULL with ERROR_FORMAT where it is not the cache of that key, or a
 * damaged one.
 */
struct trace *cache_open(int fd, const struct cache_key *key, struct error *err);

/*
 * The same of bytes, which are copied; for tests. has_sums: false goes on as if all checksums were
 * right, so that what they do not tell can be seen.
 */
struct trace *cache_open_memory(const void *bytes, size_t size, const struct cache_key *key,
	bool has_sums, struct error *err);

/* Checks all that was not asked for yet; true if the trace is sound. */
bool cache_check_all(const struct trace *trace);

#endif

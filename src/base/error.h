/*
 * What went wrong, in fixed storage, so that reporting an error cannot fail.
 *
 * A function that can fail returns false (or NULL) and fills a struct error
 * that its caller owns. The place that detects the trouble writes the precise
 * message; callers that know more put a prefix before it. The first cause is
 * never overwritten by a later one.
 */
#ifndef TTRACE_BASE_ERROR_H
#define TTRACE_BASE_ERROR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/compiler.h"

enum error_kind {
	ERROR_NONE,
	ERROR_IO,        /* the operating system said no */
	ERROR_TRUNCATED, /* the input ended in the middle of something */
	ERROR_FORMAT,    /* the input is not what it claims to be */
	ERROR_ORDER,     /* well-formed events that contradict each other */
	ERROR_LIMIT,     /* a documented limit of ours was reached */
	ERROR_MEMORY,    /* an allocation failed */
	ERROR_CANCELLED, /* the user gave up waiting */
	ERROR_USAGE,     /* a wrong option, pattern or query */
	ERROR_CONSENT,   /* it can be done, once the user agrees */
};

#define ERROR_NO_OFFSET UINT64_MAX

struct error {
	enum error_kind kind;
	char message[400];     /* in the user's words, no final full stop or newline */
	uint64_t offset_bytes; /* in the input, ERROR_NO_OFFSET where there is none */
	uint64_t generation;   /* 0 where unknown */
	uint64_t batch;        /* 1 is the first batch of the file, 0 where unknown */
};

/* The empty error. */
void error_clear(struct error *err);

/*
 * Sets kind and message; offset, generation and batch become unknown. Does
 * nothing when err already holds an error. Returns false, so that a caller
 * can write `return error_set(...)`.
 */
bool error_set(struct error *err, enum error_kind kind, const char *format, ...) ATTR_PRINTF(3, 4);

/* The same with the byte offset in the input at which the trouble starts. */
bool error_set_at(struct error *err, enum error_kind kind, uint64_t offset_bytes,
	const char *format, ...) ATTR_PRINTF(4, 5);

/* Out of memory; what says for which purpose. Returns false. */
bool error_set_memory(struct error *err, const char *what);

/*
 * Puts "prefix: " before the message. Where that gets too long the end of the prefix is
 * cut, and the end of the message only if 99 bytes of the prefix are not to be had
 * otherwise. The arguments may not point into err.
 */
void error_prefix(struct error *err, const char *format, ...) ATTR_PRINTF(2, 3);

/*
 * The whole error on one line: message, then offset, generation and batch as
 * far as known. Writes at most size bytes with the final zero.
 */
void error_format(const struct error *err, char *out, size_t size);

#endif

/*
 * Buffered output that allocates nothing while it runs: numbers and quoted text
 * go straight into one buffer. A failure to write sticks; what is written after it
 * is dropped, and the one who writes looks at it when it suits.
 */
#ifndef TTRACE_DUMP_WRITER_H
#define TTRACE_DUMP_WRITER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/compiler.h"
#include "base/error.h"

enum {
	WRITER_BUFFER_BYTES = 1 << 17,
	WRITER_NUMBER_BYTES = 20, /* the longest number, sign included */
};

/* Takes all the bytes, or returns false with err set. They may end anywhere in a line. */
typedef bool writer_flush_function(
	void *context, const char *bytes, size_t length, struct error *err);

struct writer {
	writer_flush_function *flush;
	void *context;
	char *bytes; /* WRITER_BUFFER_BYTES of them */
	size_t used;
	uint64_t emptied; /* how often; as long as that stays, bytes[..used) is only added to */
	bool failed;      /* err says why */
	struct error err; /* of the first failure */
};

/* False with err set when there is no memory. Release it also after a failure. */
bool writer_init(
	struct writer *out, writer_flush_function *flush, void *context, struct error *err);
void writer_release(struct writer *out);

/* Hands on what is in the buffer. */
void writer_empty(struct writer *out);
/* Whether all went well so far; else false, with the failure in err. */
bool writer_check(const struct writer *out, struct error *err);
/* Empties the buffer, then says how it went. */
bool writer_finish(struct writer *out, struct error *err);

/* `length` bytes of room at the end of the buffer; at most a buffer full. */
static inline char *
writer_room(struct writer *out, size_t length)
{
	if (UNLIKELY(length > WRITER_BUFFER_BYTES - out->used))
		writer_empty(out);
	return out->bytes + out->used;
}

/* What cannot be put into the buffer at once. */
void writer_add_long(struct writer *out, const char *bytes, size_t length);

static inline void
writer_add(struct writer *out, const char *bytes, size_t length)
{
	if (UNLIKELY(length > WRITER_BUFFER_BYTES / 2)) {
		writer_add_long(out, bytes, length);
		return;
	}
	memcpy(writer_room(out, length), bytes, length);
	out->used += length;
}

/* A string; the compiler knows the length of a literal. */
static inline void
writer_string(struct writer *out, const char *string)
{
	writer_add(out, string, strlen(string));
}

static inline void
writer_char(struct writer *out, char c)
{
	*writer_room(out, 1) = c;
	out->used++;
}

/* Decimal and hexadecimal numbers, the latter without a prefix. */
void writer_u64(struct writer *out, uint64_t number);
void writer_i64(struct writer *out, int64_t number);
void writer_hex(struct writer *out, uint64_t number);
/* Puts a decimal number where there is room for it; returns the place behind it. */
char *writer_put_u64(char *at, uint64_t number);
/* At least `digits` (at most 20) of them, with zeros in front. */
void writer_padded(struct writer *out, uint64_t number, unsigned digits);
/* A point and what follows it, of a fraction of so many digits; nothing for 0. */
void writer_decimals(struct writer *out, uint64_t fraction, unsigned digits);

/*
 * What stands between the quotes of a Go string literal: printable Unicode as it is,
 * the short escapes, \xHH for other bytes below 0x80 and those that are not UTF-8,
 * \uHHHH and \UHHHHHHHH for other code points (doc/format/go-trace-semantics.md,
 * section 10). So it is one line, and safe for a terminal.
 */
void writer_escaped(struct writer *out, const char *bytes, size_t length);
/* The same with the quotes. */
void writer_quoted(struct writer *out, const char *bytes, size_t length);

#endif

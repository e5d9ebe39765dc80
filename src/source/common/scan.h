/*
 * A stretch of text in memory that is read from its front: the bounded cursor of the readers of
 * text. A scan is also how a part of a line is handed on: the bytes [at, end), owned by whoever
 * owns the line.
 *
 * Each scan_ function that takes something moves the cursor behind it, or leaves it where it was
 * and says false. None looks at or beyond `end`.
 */
#ifndef TTRACE_SOURCE_COMMON_SCAN_H
#define TTRACE_SOURCE_COMMON_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/text.h"

struct scan {
	const char *at, *end;
};

static inline struct scan
scan_over(const char *bytes, size_t length)
{
	return (struct scan){ bytes, bytes + length };
}

/* Of one that failed for want of memory nothing. */
static inline struct scan
scan_over_text(const struct text *text)
{
	return scan_over(text_string(text), text->failed ? 0 : text->length);
}

static inline size_t
scan_left(const struct scan *scan)
{
	return (size_t)(scan->end - scan->at);
}

static inline bool
scan_is_end(const struct scan *scan)
{
	return scan->at == scan->end;
}

/* Whether the next byte is that one. Takes nothing. */
static inline bool
scan_sees(const struct scan *scan, char c)
{
	return scan->at < scan->end && *scan->at == c;
}

static inline bool
scan_sees_digit(const struct scan *scan)
{
	return scan->at < scan->end && *scan->at >= '0' && *scan->at <= '9';
}

static inline bool
scan_char(struct scan *scan, char c)
{
	if (!scan_sees(scan, c))
		return false;
	scan->at++;
	return true;
}

/* Takes all blanks that come next and returns how many. */
static inline size_t
scan_blanks(struct scan *scan)
{
	const char *start = scan->at;
	while (scan->at < scan->end && *scan->at == ' ')
		scan->at++;
	return (size_t)(scan->at - start);
}

/* Takes these bytes if they come next. */
static inline bool
scan_text(struct scan *scan, const char *text)
{
	size_t length = strlen(text);
	if (scan_left(scan) < length || memcmp(scan->at, text, length) != 0)
		return false;
	scan->at += length;
	return true;
}

/* Whether the rest is that text. */
static inline bool
scan_is(const struct scan *scan, const char *text)
{
	size_t length = strlen(text);
	return scan_left(scan) == length && memcmp(scan->at, text, length) == 0;
}

/* Takes blanks away from the end. */
static inline void
scan_trim_end(struct scan *scan)
{
	while (scan->end > scan->at && scan->end[-1] == ' ')
		scan->end--;
}

/* The same of both ends. */
static inline void
scan_trim(struct scan *scan)
{
	scan_blanks(scan);
	scan_trim_end(scan);
}

/* A decimal number of at most 18 digits; of more digits none is taken. */
static inline bool
scan_number(struct scan *scan, uint64_t *value)
{
	const char *at = scan->at;
	uint64_t sum = 0;
	while (at < scan->end && *at >= '0' && *at <= '9')
		sum = sum * 10 + (uint64_t)(*at++ - '0');
	if (at == scan->at || at - scan->at > 18)
		return false;
	scan->at = at;
	*value = sum;
	return true;
}

/* Takes blanks, and what stands behind them up to the next one. */
static inline struct scan
scan_word(struct scan *scan)
{
	scan_blanks(scan);
	struct scan word = { scan->at, scan->at };
	while (scan->at < scan->end && *scan->at != ' ')
		scan->at++;
	word.end = scan->at;
	return word;
}

/* What stands behind the last slash of a path; nothing where that ends it. */
static inline struct scan
scan_base_name(struct scan path)
{
	const char *at = path.end;
	while (at > path.at && at[-1] != '/')
		at--;
	return (struct scan){ at, path.end };
}

/* A decimal number of any length, maybe with a minus; far from 0 it is INT64_MAX or -INT64_MAX. */
bool scan_signed(struct scan *scan, int64_t *value);

/* Hexadecimal digits, small or large; of more than 64 bits none is taken. */
bool scan_hex(struct scan *scan, uint64_t *value);
/* The same behind "0x". */
bool scan_address(struct scan *scan, uint64_t *value);

/*
 * A decimal number with or without a point, in billionths for decimals = 9, in thousandths for 3:
 * "442.619198" seconds are 442619198000 ns. Further digits are dropped. False beyond 2^53.
 */
bool scan_decimal(struct scan *scan, int decimals, int64_t *value);
/* The same up to 2^62, for moments: a clock may count from 1970 on. */
bool scan_moment(struct scan *scan, int decimals, int64_t *value);

/* Where `text` begins within [at, end) for the first time; NULL for nowhere. O(length). */
const char *scan_find(const struct scan *scan, const char *text);

#endif

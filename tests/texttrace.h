/*
 * Small traces shown as text in the tests themselves, in the text form of a trace
 * (doc/format/go-trace-semantics.md, section 10) with liberties: the size of an
 * EventBatch may be `*`, for that of the lines up to the next batch; every version
 * has all events, so that a test can show what a reader makes of them; and frames
 * may be missing at the end of a batch.
 */
#ifndef TTRACE_TESTS_TEXTTRACE_H
#define TTRACE_TESTS_TEXTTRACE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "base/text.h"

/*
 * Appends the bytes to *out, which the caller releases. False when the text
 * is wrong; err then says where and what.
 */
bool texttrace_assemble(const char *text, size_t length, struct text *out, struct error *err);

/* The same by the program's own reader alone, without the liberties. */
bool texttrace_convert(const char *text, size_t length, struct text *out, struct error *err);

#endif

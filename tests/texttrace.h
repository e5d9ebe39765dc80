/*
 * The text form of a trace (doc/format/go-trace-semantics.md, section 10) made
 * into bytes, so that a test can show a small trace as text. One addition: the
 * size of an EventBatch may be `*`, for the size of the lines up to the next batch.
 */
#ifndef TTRACE_TESTS_TEXTTRACE_H
#define TTRACE_TESTS_TEXTTRACE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"

/*
 * Appends the bytes to *out, which the caller releases. False when the text
 * is wrong; problem then names line and reason.
 */
bool texttrace_assemble(const char *text, size_t length, struct text *out, char problem[200]);

#endif

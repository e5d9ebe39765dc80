/*
 * Writes traces of the form before Go 1.22 for tests: the wire form of
 * doc/format/go-trace-v1.md and nothing of its meaning. It has its own table of
 * events and shares no code with the reader. Nothing is checked.
 */
#ifndef TTRACE_TESTS_V1WRITER_H
#define TTRACE_TESTS_V1WRITER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"

void v1w_header(struct text *out, unsigned minor);
/* A record by its name, with all operands that follow the first byte, time delta included. */
void v1w_record(struct text *out, const char *name, const uint64_t *args, unsigned count);
/* The same in the form with a length, which may be wrong. */
void v1w_sized(struct text *out, const char *name, const uint64_t *args, unsigned count,
               uint64_t size_bytes);
void v1w_string(struct text *out, uint64_t id, const char *bytes, size_t length);
/* What follows the operands of a UserLog. */
void v1w_message(struct text *out, const char *bytes, size_t length);

/*
 * A trace as text, one record a line: its name and its operands, separated by single
 * spaces. The first line is `go 1.N`; a String has an id and the rest of the line,
 * a UserLog four operands and the rest of the line; `!NAME` takes the form with a
 * length whatever the number of operands; `bytes 1 2 255` are bytes as they are.
 * Appends to *out. False when the text is wrong; problem then names the line.
 */
bool v1w_assemble(const char *text, struct text *out, char problem[200]);

#endif

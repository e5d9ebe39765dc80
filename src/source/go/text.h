/*
 * The text form of a trace ("Trace Go1.22", then an event a line), and test cases
 * that hold one ("-- expect --", "-- trace --"), made into the bytes that they
 * stand for while they are read: doc/format/go-trace-semantics.md, sections 10
 * and 11. No more than a line is held, and where the lines of two generations
 * are.
 *
 * As the format has it, nothing is checked beyond the form of a line: sizes
 * and numbers may be as wrong as a test wants them.
 */
#ifndef TTRACE_SOURCE_GO_TEXT_H
#define TTRACE_SOURCE_GO_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "input/input.h"

enum { GO_TEXT_HEAD_BYTES = 4096 }; /* as many tell whether it is one */

/* Whether a text that begins so is a trace, or holds one. */
bool go_text_recognise(const uint8_t *bytes, size_t size);

/*
 * Opens an input of the bytes; `from`, which the caller keeps open, stands where
 * the text begins. Reading fails at the first line that is wrong.
 */
bool go_text_open(struct input *in, struct input *from, struct error *err);

/*
 * For an offset in the bytes that were read from such an input: the line of the
 * text that it comes from (1 is the first) and where that begins in the text.
 * False for what was read long ago.
 */
bool go_text_find(const struct input *in, uint64_t wire_bytes, uint64_t *line,
                  uint64_t *text_bytes);

#endif

/*
 * Finds inputs within a text: parts of it that one source or another is sure of, with lines between
 * them that are nobody's.
 */
#ifndef TTRACE_SOURCE_TEXT_PARTS_H
#define TTRACE_SOURCE_TEXT_PARTS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "trace/document.h"

/*
 * Adds the parts of document->bytes to the document. Of what two sources claim the one has it that
 * claims less around it. Reads each line some dozens of times. Fails for want of memory.
 */
bool parts_find(struct document *document, struct error *err);

#endif

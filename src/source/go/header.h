/* The header of a binary trace: doc/format/go-trace-v2.md, section 1.1. */
#ifndef TTRACE_SOURCE_GO_HEADER_H
#define TTRACE_SOURCE_GO_HEADER_H

#include <stdbool.h>
#include <stdint.h>

enum { HEADER_BYTES = 16 };

/* The N of "go 1.N trace", filled up with zero bytes; false for anything else. */
bool header_parse(const uint8_t header[HEADER_BYTES], uint32_t *minor);

#endif

/* What the fuzzers of the reader share. */
#ifndef TTRACE_TESTS_FUZZ_READING_H
#define TTRACE_TESTS_FUZZ_READING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Reads any bytes as a trace, and aborts where what comes out is not as reader.h promises. */
void fuzz_read(const uint8_t *bytes, size_t size, bool is_lenient);

#endif

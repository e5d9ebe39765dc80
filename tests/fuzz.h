/*
 * A fuzzer is one parser behind LLVMFuzzerTestOneInput. With --enable-fuzzing
 * libFuzzer drives it; otherwise fuzz_replay.c feeds it the corpus and seeded
 * damage to it, as one of the tests. It aborts on what must not be.
 */
#ifndef TTRACE_TESTS_FUZZ_H
#define TTRACE_TESTS_FUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/error.h"

/* Where the inputs are: files with this suffix in folders of testdata. */
struct fuzz_corpus {
	const char *suffix;
	const char *folders[5]; /* NULL ends them; "." is testdata itself */
};

extern const struct fuzz_corpus fuzz_corpus;

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

/* Aborts unless it is so. */
static inline void
must(bool condition, const char *what)
{
	if (condition)
		return;
	fprintf(stderr, "\nnot so: %s\n", what);
	abort();
}

/* It is the text that is wrong, at a place within it, and it is said how. */
static inline void
must_refuse(const struct error *err, size_t length)
{
	must(err->kind == ERROR_USAGE, "it is the text that is wrong");
	must(err->offset_bytes <= length, "the place lies in the text");
	must(err->message[0] != '\0', "it is said what is wrong");
}

#endif

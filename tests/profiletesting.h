/*
 * Sources that make profiles and answers: inputs of testdata against what an independent reader
 * knows of them.
 */
#ifndef TTRACE_TESTS_PROFILETESTING_H
#define TTRACE_TESTS_PROFILETESTING_H

#include "base/text.h"
#include "trace/trace.h"

/* Recognises the bytes and loads them; fails the test where that does not work. */
struct trace *profiletesting_load(const char *row, const char *bytes, size_t size, const char *source);
/* The same of a file, in a folder of testdata. */
struct trace *profiletesting_load_file(const char *folder, const char *file);
/* Appends what --export=folded prints, of a type of samples; "": the usual one. */
void profiletesting_add_folded(const struct trace *trace, const char *type, struct text *out);

/*
 * All numbers of the oracle (NAME.oracle.json) that --report=input has a fact of by the same key are
 * equal, and all keys in `keys`, up to a NULL, are there where the oracle has a number of them.
 */
void profiletesting_check_facts(const struct trace *trace, const char *folder, const char *name,
	const char *const *keys);
/* The folded stacks are those of the file, to the byte. */
void profiletesting_check_folded(const struct trace *trace, const char *type, const char *folder,
	const char *file);

/* For fuzzers: loads, and asks all that a profile can be asked; NULL, or what is wrong. */
const char *profiletesting_look(const uint8_t *bytes, size_t size, const char *source);

#endif

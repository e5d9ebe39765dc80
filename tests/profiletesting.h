/*
 * Sources that make profiles and answers: inputs of testdata against what an independent reader
 * knows of them.
 */
#ifndef TTRACE_TESTS_PROFILETESTING_H
#define TTRACE_TESTS_PROFILETESTING_H

#include "base/text.h"
#include "trace/trace.h"

/* What the source makes of the bytes, unpacked; NULL with err set where there is nothing to show. */
struct trace *profiletesting_read(const char *source, const void *bytes, size_t size, struct error *err);
/* The same; fails the test where that does not work, or profiletesting_fault() finds one. NULL: any source. */
struct trace *profiletesting_load(const char *row, const char *bytes, size_t size, const char *source);
/* The same of a file, in a folder of testdata. */
struct trace *profiletesting_load_file(const char *folder, const char *file);
/* Reads the file of that name and suffix in a folder of testdata, unpacked; the caller releases `text`. */
void profiletesting_read_file(const char *folder, const char *name, const char *suffix, struct text *text);

/* What is wrong with ids, counts and facts of a trace without time, however damaged its input was; or NULL. */
const char *profiletesting_fault(const struct trace *trace);
/*
 * For fuzzers: loads, asks all that a profile can be asked, and of a few looks at all screens; NULL,
 * or what is wrong.
 */
const char *profiletesting_look(const uint8_t *bytes, size_t size, const char *source);

/*
 * All numbers of the oracle (NAME.oracle.json) that --report=input has a fact of by the same key are
 * equal, and all keys in `keys`, up to a NULL, are there where the oracle has a number of them; NULL:
 * each number is.
 */
void profiletesting_check_facts(const struct trace *trace, const char *folder, const char *name,
	const char *const *keys);

/* The samples of a type as folded stacks, found in the simplest way: sorted, equal stacks added up. */
bool profiletesting_folded(const struct trace *trace, unsigned type, struct text *out);
/* Appends what --export=folded prints, of a type of samples; "": the usual one. */
void profiletesting_add_folded(const struct trace *trace, const char *type, struct text *out);
/* The folded stacks are those of the file, to the byte. */
void profiletesting_check_folded(const struct trace *trace, const char *type, const char *folder,
	const char *file);

#endif

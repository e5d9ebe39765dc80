/*
 * What the tests of the model share: the traces of testdata, loaded, and the
 * tables of facts beside them.
 */
#ifndef TTRACE_TESTS_TRACETESTING_H
#define TTRACE_TESTS_TRACETESTING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"
#include "source/go/reader.h"
#include "trace/trace.h"

struct search; /* query/search.h */

/* Calls back with each NAME for which testdata has NAME + suffix, by name. Fails if there is none. */
void testing_each(const char *suffix, void (*function)(const char *name));
/* The path of testdata/NAME + suffix, in a buffer that the next call uses again. */
const char *testing_path(const char *name, const char *suffix);

/* Appends a file's bytes; a failure is the test's. */
void testing_read(const char *path, struct text *out);

/* Appends a text trace (texttrace.h) as bytes; a mistake in it fails the test. */
void testing_assemble(const char *text, struct text *out);

/* testdata/NAME.trace; a failure is the test's. Free with trace_free(). */
struct trace *testing_load(const char *name);

/* The bytes of a trace; a failure is the test's, which says `name`. */
struct trace *testing_load_bytes(const char *name, const void *bytes, size_t size);

/* The first percent of the bytes of testdata/NAME.trace: a trace, but a damaged one. */
struct trace *testing_load_cut(const char *name, unsigned percent);

/* Whether two strings of a trace are equal or in the order of their bytes. */
bool testing_in_order(const struct trace *trace, string_id first, string_id second);

/*
 * Whether a state of the goroutine that holds within [start, end), or at the start, matches;
 * of REF_NONE none does. Looks at every state.
 */
bool testing_finds(const struct trace *trace, const struct search *only, actor_ref goroutine,
	int64_t start_ns, int64_t end_ns);

/* For a sink: takes any event. */
bool testing_ignore_event(void *context, const struct go_event *event, struct error *err);

/* Where its generations end, up to `most` of them. Fails the test if it is damaged. */
size_t testing_generation_ends(const void *bytes, size_t size, uint64_t *ends, size_t most);

/* All but `size` bytes from `from_bytes` on, read leniently. */
struct trace *testing_load_without(const char *name, size_t from_bytes, size_t size);

/* Lines of fields separated by tabs. */
enum { FACT_FIELDS = 12 };

struct fact {
	const char *fields[FACT_FIELDS]; /* "" beyond the last; the first says which fact */
	int count;
};

struct facts {
	char *bytes;
	struct fact *lines;
	size_t count;
};

/* testdata/NAME + suffix; a failure is the test's. */
void facts_read(struct facts *facts, const char *name, const char *suffix);
void facts_release(struct facts *facts);
/* A number of a field; "-" is `none`, anything else that is no number fails the test. */
int64_t fact_number(const struct fact *fact, int field, int64_t none);
/* The number of the only line with this fact. */
int64_t facts_single(const struct facts *facts, const char *which);
/* Whether bytes, escaped and cut as the fields are, equal a field. */
bool fact_string_is(const char *field, const char *bytes, size_t length);

#endif

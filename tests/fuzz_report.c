/*
 * From any bytes to what the program shows of them: reports, pictures at places and
 * zooms that the bytes choose, search. All of it is there, and what is printed is safe. A profile
 * that is made while they are read is that of the trace.
 */
#include "fuzz.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "looking.h"
#include "passing.h"
#include "source/go/load.h"

const struct fuzz_corpus fuzz_corpus = { ".trace", { "fuzz/report", "fuzz/gotrace", "fuzz/v1", NULL } };

/* Where to look: the same for the same bytes, another place as soon as one changes. */
static uint64_t
seed_of(const uint8_t *bytes, size_t size)
{
	uint64_t seed = size;
	for (size_t i = 0; i < size; i++)
		seed = seed * 31 + bytes[i];
	return seed;
}

static const char *
check_passing(const uint8_t *bytes, size_t size, const struct trace *whole, uint64_t seed)
{
	const struct passing passing = {
		.bytes = bytes,
		.size = size,
		.options = { .is_lenient = seed % 2 == 0 },
		.kind = (enum profile_kind)(seed / 2 % PROFILE_KIND_COUNT),
		.rule = (enum profile_rule)(seed % 3),
	};
	return passing_problem(&passing, whole);
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	struct input in;
	struct error err;
	error_clear(&err);
	if (!input_open_memory(&in, bytes, size, &err))
		return 0;
	uint64_t seed = seed_of(bytes, size);
	struct go_read_options options = { .is_lenient = seed % 2 == 0 };
	struct trace *trace = go_load(&in, &options, &err);
	const char *problem = trace != NULL ? look_everywhere(trace, seed) : NULL;
	if (trace != NULL && problem == NULL)
		problem = check_passing(bytes, size, trace, seed);
	if (problem != NULL) {
		fprintf(stderr, "\nnot so: %s\n", problem);
		abort();
	}
	trace_free(trace);
	input_close(&in);
	return 0;
}

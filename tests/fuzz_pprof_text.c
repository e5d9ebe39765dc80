/*
 * Any bytes as a text of pprof: there is a report or it is refused, ids are of what is there,
 * whatever is broken.
 */
#include "fuzz.h"

#include "base/map.h"
#include "looking.h"
#include "sourcetesting.h"

const struct fuzz_corpus fuzz_corpus = { ".txt", { "fuzz/pprof_text", NULL } };

enum { LOOKS_IN = 4096 };

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	struct error err;
	uint64_t seed = hash_bytes(bytes, size);
	error_clear(&err);
	struct trace *trace = sourcetesting_load("pprof_text", (const char *)bytes, size, &err);
	must((trace == NULL) == (err.kind != ERROR_NONE), "it is a trace or refused");
	if (trace == NULL)
		return 0;
	const char *fault = sourcetesting_fault(trace);
	if (fault == NULL && seed % LOOKS_IN == 0)
		fault = look_everywhere(trace, seed);
	must(fault == NULL, fault != NULL ? fault : "");
	trace_free(trace);
	return 0;
}

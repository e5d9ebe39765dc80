/*
 * Any bytes as a profile of pprof: they are a profile or they are refused, and what is made of them
 * holds together. What is unpacked from gzip is left to fuzz_unpack.
 */
#include "fuzz.h"

#include "looking.h"
#include "pproftesting.h"
#include "base/map.h"

const struct fuzz_corpus fuzz_corpus = { ".profile", { "fuzz/pprof", NULL } };

/* Looking at a trace takes a thousand times as long as reading it. */
enum { LOOKS_IN = 4096 };

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	struct error err;
	error_clear(&err);
	source_find("pprof")->recognise(bytes, size);
	struct trace *trace = pproftesting_load(source_find("pprof"), bytes, size, &err);
	if (trace == NULL) {
		must(err.kind != ERROR_NONE && err.message[0] != '\0', "it is said what is wrong");
		return 0;
	}
	const char *fault = pproftesting_fault(trace);
	must(fault == NULL, fault != NULL ? fault : "");
	uint64_t seed = hash_bytes(bytes, size);
	if (seed % LOOKS_IN == 0)
		fault = look_everywhere(trace, seed);
	must(fault == NULL, fault != NULL ? fault : "");
	trace_free(trace);
	return 0;
}

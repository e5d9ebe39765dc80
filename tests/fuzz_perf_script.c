/*
 * Any bytes as the text of perf script: what is read holds together, and can be looked at.
 */
#include "fuzz.h"

#include "base/map.h"
#include "profiletesting.h"
#include "source/source.h"

const struct fuzz_corpus fuzz_corpus = { ".txt", { "fuzz/perf_script", NULL } };

/* Asking all that can be asked takes a hundred times as long as reading. */
enum { ASKED_IN = 64 };

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	struct error err;
	error_clear(&err);
	(void)perf_script_source.recognise(bytes, size);
	struct trace *trace = profiletesting_read("perf_script", bytes, size, &err);
	must(trace != NULL || err.message[0] != '\0', "it is a trace, or it is said why not");
	const char *fault = trace != NULL ? profiletesting_fault(trace) : NULL;
	trace_free(trace);
	if (fault == NULL && hash_bytes(bytes, size) % ASKED_IN == 0)
		fault = profiletesting_look(bytes, size, "perf_script");
	must(fault == NULL, fault != NULL ? fault : "");
	return 0;
}

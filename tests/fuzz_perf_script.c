/*
 * Any bytes as the text of perf script: what is read holds together, and can be looked at.
 */
#include "fuzz.h"

#include "profiletesting.h"
#include "source/source.h"

const struct fuzz_corpus fuzz_corpus = { ".txt", { "fuzz/perf_script", NULL } };

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	(void)perf_script_source.recognise(bytes, size);
	const char *fault = profiletesting_look(bytes, size, "perf_script");
	must(fault == NULL, fault != NULL ? fault : "");
	return 0;
}

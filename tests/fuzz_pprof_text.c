/* Any bytes as a text of pprof: there is a report or it is refused, and all can be asked. */
#include "fuzz.h"

#include "profiletesting.h"

const struct fuzz_corpus fuzz_corpus = { ".txt", { "fuzz/pprof_text", NULL } };

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	const char *fault = profiletesting_look(bytes, size, "pprof_text");
	must(fault == NULL, fault != NULL ? fault : "");
	return 0;
}

/* Any bytes as a flame graph's drawing: there are frames or it is refused, and all can be asked. */
#include "fuzz.h"

#include "profiletesting.h"

const struct fuzz_corpus fuzz_corpus = { ".svg", { "fuzz/flamegraph_svg", NULL } };

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	const char *fault = profiletesting_look(bytes, size, "flamegraph_svg");
	must(fault == NULL, fault != NULL ? fault : "");
	return 0;
}

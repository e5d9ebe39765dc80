/* Any bytes as folded stacks: nothing is refused but for want of stacks, and all can be asked. */
#include "fuzz.h"

#include "profiletesting.h"

const struct fuzz_corpus fuzz_corpus = { ".folded", { "fuzz/folded", "folded", NULL } };

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	const char *fault = profiletesting_look(bytes, size, "folded");
	must(fault == NULL, fault != NULL ? fault : "");
	return 0;
}

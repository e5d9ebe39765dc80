/*
 * Any bytes as a profile of pprof: they are a profile or they are refused, and all can be asked. What
 * is unpacked from gzip is left to fuzz_unpack.
 */
#include "fuzz.h"

#include "profiletesting.h"
#include "source/source.h"

const struct fuzz_corpus fuzz_corpus = { ".profile", { "fuzz/pprof", NULL } };

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	source_find("pprof")->recognise(bytes, size);
	const char *fault = profiletesting_look(bytes, size, "pprof");
	must(fault == NULL, fault != NULL ? fault : "");
	return 0;
}

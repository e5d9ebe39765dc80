/*
 * Any bytes as a function_graph: nothing is refused, what must hold of every graph does, and it is
 * the same however the bytes come.
 */
#include "fuzz.h"

#include "graphtesting.h"

const struct fuzz_corpus fuzz_corpus = { ".txt", { "fuzz/function_graph", NULL } };

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	struct fgraph whole, pieces;
	struct error err;
	error_clear(&err);
	must(graphtesting_read(&whole, (const char *)bytes, size, 0, &err), "every text is read");
	const char *fault = graphtesting_fault(&whole);
	must(fault == NULL, fault != NULL ? fault : "");
	must(graphtesting_read(&pieces, (const char *)bytes, size, 13, &err), "so it is in pieces");
	must(memcmp(&whole.counts, &pieces.counts, sizeof whole.counts) == 0, "to the same end");
	fgraph_release(&whole);
	fgraph_release(&pieces);
	return 0;
}

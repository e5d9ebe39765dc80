/*
 * Any bytes as a function_graph: nothing is refused, what must hold of every graph does, and it is
 * the same however the bytes come. Their trace says the same, and can be looked at.
 */
#include "fuzz.h"

#include "base/map.h"
#include "graphtesting.h"
#include "looking.h"

const struct fuzz_corpus fuzz_corpus = { ".txt", { "fuzz/function_graph", NULL } };

enum { LOOKS_IN = 64 };

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
	struct trace *trace = graphtesting_load((const char *)bytes, size, &err);
	must(trace != NULL, "every text is a trace");
	fault = graphtesting_trace_fault(trace, &whole);
	must(fault == NULL, fault != NULL ? fault : "");
	/* It takes a thousand times as long as reading. */
	uint64_t seed = hash_bytes((const char *)bytes, size);
	if (seed % LOOKS_IN == 0) {
		fault = look_everywhere(trace, seed);
		must(fault == NULL, fault != NULL ? fault : "");
	}
	trace_free(trace);
	fgraph_release(&whole);
	fgraph_release(&pieces);
	return 0;
}

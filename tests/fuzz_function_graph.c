/*
 * Any bytes as a function_graph: nothing is refused, what must hold of every graph does, and it is
 * the same however the bytes come. Their trace says the same, and can be looked at.
 */
#include "fuzz.h"

#include "base/map.h"
#include "graphtesting.h"
#include "looking.h"

const struct fuzz_corpus fuzz_corpus = { ".txt", { "fuzz/function_graph", NULL } };

/* Reading is soon done. A trace takes thirty times as long, looking at it a thousand times. */
enum { PIECES_IN = 4, TRACES_IN = 64, LOOKS_IN = 4096 };

static void
check_trace(const uint8_t *bytes, size_t size, const struct fgraph *graph, uint64_t seed)
{
	struct error err = { 0 };
	struct trace *trace = graphtesting_load((const char *)bytes, size, &err);
	must(trace != NULL, "every text is a trace");
	const char *fault = graphtesting_trace_fault(trace, graph);
	must(fault == NULL, fault != NULL ? fault : "");
	if (seed % LOOKS_IN == 0)
		fault = look_everywhere(trace, seed);
	must(fault == NULL, fault != NULL ? fault : "");
	trace_free(trace);
}

static void
check_pieces(const uint8_t *bytes, size_t size, const struct fgraph *whole)
{
	struct fgraph pieces;
	struct error err;
	error_clear(&err);
	must(graphtesting_read(&pieces, (const char *)bytes, size, 13, &err), "so it is in pieces");
	must(memcmp(&whole->counts, &pieces.counts, sizeof whole->counts) == 0, "to the same end");
	fgraph_release(&pieces);
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	struct fgraph graph;
	struct error err;
	uint64_t seed = hash_bytes(bytes, size);
	error_clear(&err);
	must(graphtesting_read(&graph, (const char *)bytes, size, 0, &err), "every text is read");
	const char *fault = graphtesting_fault(&graph);
	must(fault == NULL, fault != NULL ? fault : "");
	if (seed % PIECES_IN == 0)
		check_pieces(bytes, size, &graph);
	if (seed % TRACES_IN == 0)
		check_trace(bytes, size, &graph, seed);
	fgraph_release(&graph);
	return 0;
}

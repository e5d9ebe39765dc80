/*
 * Any bytes as the kernel's ftrace: whatever can be read makes a trace, and can be looked at.
 */
#include "fuzz.h"

#include "base/map.h"
#include "looking.h"
#include "source/source.h"
#include "trace/slices.h"

const struct fuzz_corpus fuzz_corpus = { ".txt", { "fuzz/ftrace", NULL } };

/* Looking takes a thousand times as long as reading. */
enum { LOOKS_IN = 1024 };

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	struct input in;
	struct error err;
	const struct source_wish wish = { .is_lenient = true };
	uint64_t seed = hash_bytes(bytes, size);
	error_clear(&err);
	(void)ftrace_source.recognise(bytes, size);
	must(input_open_memory(&in, bytes, size, &err), "it opens");
	struct trace *trace = ftrace_source.load(&in, &wish, &err);
	must(trace != NULL, "every text is a trace");
	const char *fault = seed % LOOKS_IN == 0 ? look_everywhere(trace, seed) : NULL;
	must(fault == NULL, fault != NULL ? fault : "");
	trace_free(trace);
	input_close(&in);
	return 0;
}

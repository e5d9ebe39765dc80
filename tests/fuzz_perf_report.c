/*
 * Any bytes as the text of perf report: what is read holds together, and can be looked at.
 */
#include "fuzz.h"

#include "base/map.h"
#include "looking.h"
#include "source/common/profile_trace.h"
#include "source/perf_report/build.h"
#include "source/source.h"
#include "trace/ready.h"
#include "trace/sample_set.h"

const struct fuzz_corpus fuzz_corpus = { ".txt", { "fuzz/perf_report", NULL } };

/* A trace takes twenty times as long as reading, looking at it a thousand times. */
enum { TRACES_IN = 64, LOOKS_IN = 4096 };

static void
check_samples(const struct sample_set *set)
{
	for (size_t i = 0; i < set->count; i++) {
		unsigned used = 0;
		for (unsigned j = 0; j < set->type_count; j++) {
			int64_t weight = set->weights[i * set->type_count + j];
			must(weight >= 0, "no weight is below 0");
			used += weight > 0;
		}
		must(used == 1, "a sample is of one section");
		must(set->stacks[i] != STACK_NONE, "and has a function");
	}
}

static void
check_trace(const uint8_t *bytes, size_t size, uint64_t seed)
{
	struct input in;
	struct error err;
	const struct source_wish wish = { .progress = NULL };
	error_clear(&err);
	must(input_open_memory(&in, bytes, size, &err), "it opens");
	struct trace *trace = perf_report_source.load(&in, &wish, &err);
	must(trace != NULL, "every text is a trace");
	const char *fault = seed % LOOKS_IN == 0 ? look_everywhere(trace, seed) : NULL;
	must(fault == NULL, fault != NULL ? fault : "");
	trace_free(trace);
	input_close(&in);
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	struct input in;
	struct error err;
	struct report report = { 0 };
	uint64_t seed = hash_bytes(bytes, size);
	error_clear(&err);
	(void)perf_report_source.recognise(bytes, size);
	struct trace *trace = profile_trace_new(&words_plain, &err);
	must(trace != NULL && input_open_memory(&in, bytes, size, &err), "it opens");
	report.strings = &trace->strings;
	must(report_read(&report, &in, &err) && report_build(&report, trace, &err), "every text is read");
	if (trace->samples != NULL)
		check_samples(trace->samples);
	report_release(&report);
	trace_free(trace);
	input_close(&in);
	if (seed % TRACES_IN == 0)
		check_trace(bytes, size, seed);
	return 0;
}

/*
 * Any bytes as the text of perf script: what is read holds together, and can be looked at.
 */
#include "fuzz.h"

#include "base/map.h"
#include "profiletesting.h"
#include "source/source.h"
#include "trace/snapshot.h"

const struct fuzz_corpus fuzz_corpus = { ".txt", { "fuzz/perf_script", NULL } };

/* Asking all that can be asked takes a hundred times as long as reading, and a picture as long again. */
enum { ASKED_IN = 64, SHOWN_IN = 4 };

static void
show(void *context, struct trace *snapshot)
{
	const char **fault = context;
	if (*fault == NULL)
		*fault = profiletesting_fault(snapshot);
	trace_free(snapshot);
}

/* What is shown before the end holds together as well. */
static const char *
fault_of_pictures(const uint8_t *bytes, size_t size)
{
	const char *fault = NULL;
	const struct trace_watch watch = { .show = show, .context = &fault };
	const struct source_wish wish = { .watch = &watch };
	struct input in;
	struct error err;
	error_clear(&err);
	if (!input_open_memory(&in, bytes, size, &err))
		return NULL;
	trace_free(perf_script_source.load(&in, &wish, &err));
	input_close(&in);
	return fault;
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	struct error err;
	error_clear(&err);
	(void)perf_script_source.recognise(bytes, size);
	struct trace *trace = profiletesting_read("perf_script", bytes, size, &err);
	must(trace != NULL || err.message[0] != '\0', "it is a trace, or it is said why not");
	const char *fault = trace != NULL ? profiletesting_fault(trace) : NULL;
	trace_free(trace);
	if (fault == NULL && hash_bytes(bytes, size) % SHOWN_IN == 0)
		fault = fault_of_pictures(bytes, size);
	if (fault == NULL && hash_bytes(bytes, size) % ASKED_IN == 0)
		fault = profiletesting_look(bytes, size, "perf_script");
	must(fault == NULL, fault != NULL ? fault : "");
	return 0;
}

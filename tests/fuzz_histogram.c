/*
 * Any bytes as histograms: what is read holds together, and can be looked at.
 */
#include "fuzz.h"

#include "base/map.h"
#include "looking.h"
#include "source/common/profile_trace.h"
#include "source/histogram/load.h"
#include "source/source.h"
#include "trace/histogram_set.h"

const struct fuzz_corpus fuzz_corpus = { ".txt", { "fuzz/histogram", NULL } };

/* A trace takes twenty times as long as reading, looking at it a thousand times. */
enum { TRACES_IN = 64, LOOKS_IN = 4096 };

static void
check_tables(const struct histogram_set *set)
{
	uint64_t all = 0;
	size_t first = 0;
	for (size_t i = 0; i < set->table_count; i++) {
		const struct histogram_table *table = &set->tables[i];
		uint64_t total = 0;
		must(table->first == first && table->count > 0, "tables follow each other");
		must(table->series < set->series_count, "a series is known");
		must(table->interval == INTERVAL_NONE || table->interval < set->interval_count, "so is an interval");
		for (size_t j = 0; j < table->count; j++) {
			const struct bucket *bucket = &set->buckets[first + j];
			must(bucket->low < bucket->high, "a bucket has room");
			must(j == 0 || bucket[-1].high <= bucket->low, "buckets ascend");
			total += bucket->count;
		}
		must(table->total == total, "a total is one");
		must(all + total >= all && all + total <= INT64_MAX, "all counts fit");
		all += total;
		first += table->count;
	}
	must(first == set->bucket_count, "no bucket is left");
}

static void
check_trace(const uint8_t *bytes, size_t size, uint64_t seed)
{
	struct input in;
	struct error err;
	error_clear(&err);
	must(input_open_memory(&in, bytes, size, &err), "it opens");
	struct trace *trace = histogram_load(&in, NULL, &err);
	const char *fault = trace != NULL && seed % LOOKS_IN == 0 ? look_everywhere(trace, seed) : NULL;
	must(fault == NULL, fault != NULL ? fault : "");
	trace_free(trace);
	input_close(&in);
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	struct input in;
	struct error err;
	uint64_t seed = hash_bytes(bytes, size);
	error_clear(&err);
	(void)histogram_source.recognise(bytes, size);
	struct trace *trace = profile_trace_new(&words_plain, &err);
	must(trace != NULL && input_open_memory(&in, bytes, size, &err), "it opens");
	if (histogram_read(trace, &in, NULL, &err))
		check_tables(trace->histograms);
	trace_free(trace);
	input_close(&in);
	if (seed % TRACES_IN == 0)
		check_trace(bytes, size, seed);
	return 0;
}

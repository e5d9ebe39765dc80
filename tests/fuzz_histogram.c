/*
 * Any bytes as histograms: what is read holds together, and can be looked at.
 */
#include "fuzz.h"

#include "base/map.h"
#include "looking.h"
#include "source/histogram/load.h"
#include "source/source.h"
#include "trace/histogram_set.h"

const struct fuzz_corpus fuzz_corpus = { ".txt", { "fuzz/histogram", NULL } };

/* Looking takes a hundred times as long as reading. */
enum { LOOKS_IN = 1024 };

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

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	struct input in;
	struct error err;
	uint64_t seed = hash_bytes(bytes, size);
	error_clear(&err);
	(void)histogram_source.recognise(bytes, size);
	must(input_open_memory(&in, bytes, size, &err), "it opens");
	struct trace *trace = histogram_load(&in, NULL, &err);
	if (trace != NULL) {
		check_tables(trace->histograms);
		const char *fault = seed % LOOKS_IN == 0 ? look_everywhere(trace, seed) : NULL;
		must(fault == NULL, fault != NULL ? fault : "");
	}
	trace_free(trace);
	input_close(&in);
	return 0;
}

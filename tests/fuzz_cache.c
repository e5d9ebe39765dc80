/*
 * Caches that were tampered with, all checksums right: whatever stands in them, what is opened can
 * be looked at in every way. The input says how to change the cache of a small trace, which is
 * made here, so that it never is of an older form:
 *
 *     trace (1 byte), then 8 bytes for each change: place (4), what (1), a number (3)
 *
 * The place counts from the end of the cache, where its tables are, and wraps.
 */
#include "fuzz.h"

#include <string.h>

#include "cachetesting.h"
#include "looking.h"
#include "source/go/load.h"
#include "telling.h"
#include "tracesim.h"

const struct fuzz_corpus fuzz_corpus = { ".edits", { "fuzz/cache", NULL } };

enum { TRACES = 3, EDIT_BYTES = 8, EDITS_MAX = 64 };

static const struct small_sim {
	unsigned version;
	uint32_t goroutines, generations, events;
} kinds[TRACES] = {
	{ 26, 6, 2, 300 },
	{ 22, 3, 3, 900 }, /* so long that there are checkpoints */
	{ 23, 5, 1, 200 },
};

static struct trace *
make_trace(const struct small_sim *kind)
{
	struct sim_options options;
	struct wire bytes;
	struct input in;
	struct error err = { 0 };
	sim_options_init(&options);
	options.version = kind->version;
	options.goroutines = kind->goroutines;
	options.generations = kind->generations;
	options.events = kind->events;
	wire_init(&bytes, NULL);
	struct sim *sim = sim_new(&options);
	must(sim != NULL && sim_write(sim, &bytes, NULL, NULL), "the trace is made");
	sim_free(sim);
	must(input_open_memory(&in, bytes.data, bytes.size, &err), "it is opened");
	struct trace *trace = go_load(&in, NULL, &err);
	must(trace != NULL, "it is loaded");
	input_close(&in);
	wire_release(&bytes);
	return trace;
}

/* Made once, and kept. */
static const struct text *
cache_of(unsigned which)
{
	static struct text caches[TRACES];
	struct error err = { 0 };
	if (caches[which].length > 0)
		return &caches[which];
	struct trace *trace = make_trace(&kinds[which]);
	must(cachetesting_write(trace, &caches[which], &err), "its cache is made");
	trace_free(trace);
	return &caches[which];
}

enum edit { SET_BYTE, SET_32, SET_64, ADD_32, SUBTRACT_32, NONE_32, OPEN_64, COPY_64, EDIT_COUNT };

/* The bytes that are changed lie at `at`, and so do at least 8 of the cache. */
static void
change(char *at, const char *start, size_t size, enum edit edit, uint32_t number)
{
	uint32_t narrow;
	uint64_t wide = number;
	memcpy(&narrow, at, sizeof narrow);
	switch (edit) {
	case SET_BYTE:
		*at = (char)number;
		return;
	case SET_32:
	case ADD_32:
	case SUBTRACT_32:
	case NONE_32:
		narrow = edit == SET_32   ? number
		         : edit == ADD_32 ? narrow + number
		         : edit == NONE_32 ? UINT32_MAX - number
		                           : narrow - number;
		memcpy(at, &narrow, sizeof narrow);
		return;
	case SET_64:
	case OPEN_64:
		if (edit == OPEN_64)
			wide = (uint64_t)INT64_MAX - number;
		memcpy(at, &wide, sizeof wide);
		return;
	case COPY_64:
		memmove(at, start + number * 8 % (size - 8), sizeof wide);
		return;
	case EDIT_COUNT:
		return;
	}
}

static void
carry_out(struct text *cache, const uint8_t *bytes)
{
	size_t place = bytes[0] | (size_t)bytes[1] << 8 | (size_t)bytes[2] << 16 | (size_t)bytes[3] << 24;
	uint32_t number = bytes[5] | (uint32_t)bytes[6] << 8 | (uint32_t)bytes[7] << 16;
	char *at = cache->bytes + cache->length - 8 - place % (cache->length - 8);
	change(at, cache->bytes, cache->length, (enum edit)(bytes[4] % EDIT_COUNT), number);
}

static void
look_at(struct trace *trace, uint64_t seed)
{
	struct text told = { 0 };
	look_everywhere(trace, seed);
	tell_trace(trace, &told);
	cache_check_all(trace);
	text_release(&told);
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	struct text cache = { 0 };
	struct error err = { 0 };
	if (size == 0 || !cache_is_available())
		return 0;
	const struct text *original = cache_of(bytes[0] % TRACES);
	text_add(&cache, original->bytes, original->length);
	for (size_t i = 0; i < EDITS_MAX && (i + 1) * EDIT_BYTES < size; i++)
		carry_out(&cache, bytes + 1 + i * EDIT_BYTES);
	struct trace *trace =
		cache_open_memory(cache.bytes, cache.length, &cachetesting_key, false, &err);
	must(trace != NULL || err.kind != ERROR_NONE, "a failure says why");
	if (trace != NULL)
		look_at(trace, size);
	trace_free(trace);
	text_release(&cache);
	return 0;
}

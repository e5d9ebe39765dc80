/* The mutator of traces: what it changes is still framed, and read far enough. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/text.h"
#include "mutate.h"
#include "packing.h"
#include "readtrace.h"
#include "tracesim.h"
#include "tracewriter.h"
#include "v1sim.h"

enum { SEEDS = 400, EVENTS = 300 };

static void
make_v2(unsigned minor, struct text *trace)
{
	struct sim_options options;
	struct wire out;
	sim_options_init(&options);
	options.seed = minor;
	options.version = minor;
	options.generations = 3;
	options.events = EVENTS;
	struct sim *sim = sim_new(&options);
	assert_non_null(sim);
	wire_init(&out, NULL);
	assert_true(sim_write(sim, &out, NULL, NULL));
	text_add(trace, (const char *)out.data, out.size);
	wire_release(&out);
	sim_free(sim);
}

static void
make_v1(unsigned minor, struct text *trace)
{
	struct text facts = { 0 };
	assert_true(v1sim_make(minor, minor, EVENTS, trace, &facts));
	text_release(&facts);
}

static void
pack(const struct packer *packer, struct text *trace)
{
	struct text packed = { 0 };
	packer->pack(&packed, trace->bytes, trace->length);
	text_release(trace);
	*trace = packed;
}

/* What a mutant comes to, beside the bytes. */
struct outcome {
	size_t size;
	uint64_t events;
	bool is_whole; /* read strictly and without damage */
};

static struct outcome
read_mutant(const uint8_t *bytes, size_t size)
{
	struct readtrace got = { 0 };
	readtrace_bytes(&got, bytes, size);
	const struct outcome outcome = {
		.size = size,
		.events = got.event_count,
		.is_whole = got.ok && got.result.damage.count == 0,
	};
	readtrace_release(&got);
	return outcome;
}

/* Fails if one seed makes two things of the trace. Returns what it makes. */
static struct outcome
mutate_twice(const struct text *trace, uint8_t *first, uint64_t seed)
{
	size_t max_size = 2 * trace->length;
	uint8_t *second = malloc(max_size);
	assert_non_null(second);
	memcpy(first, trace->bytes, trace->length);
	memcpy(second, trace->bytes, trace->length);
	size_t size = mutate_trace(first, trace->length, max_size, seed);
	assert_true(size <= max_size);
	assert_int_equal(mutate_trace(second, trace->length, max_size, seed), size);
	assert_memory_equal(first, second, size > 0 ? size : trace->length);
	if (size == 0)
		assert_memory_equal(first, trace->bytes, trace->length);
	free(second);
	return read_mutant(first, size);
}

/*
 * Most mutants differ from the trace; most have something wrong, and yet most are read
 * beyond their first events.
 */
static void
check_mutants(const char *name, const struct text *trace)
{
	unsigned changed = 0, read = 0, broken = 0;
	uint8_t *mutant = malloc(2 * trace->length);
	assert_non_null(mutant);
	for (uint64_t seed = 0; seed < SEEDS; seed++) {
		struct outcome outcome = mutate_twice(trace, mutant, seed);
		changed += outcome.size > 0 && (outcome.size != trace->length ||
			memcmp(mutant, trace->bytes, trace->length) != 0);
		read += outcome.events >= EVENTS / 10;
		broken += !outcome.is_whole;
	}
	free(mutant);
	if (changed < SEEDS * 9 / 10 || read < SEEDS / 2 || broken < SEEDS / 4)
		fail_msg("%s: of %d mutants %u are changed, %u read, %u broken", name, SEEDS,
			changed, read, broken);
}

static void
mutants_are_hostile_and_framed(void **state)
{
	(void)state;
	static const struct {
		const char *name;
		void (*make)(unsigned minor, struct text *trace);
		unsigned minor;
	} rows[] = {
		{ "1.11", make_v1, 11 }, { "1.19", make_v1, 19 }, { "1.21", make_v1, 21 },
		{ "1.22", make_v2, 22 }, { "1.23", make_v2, 23 }, { "1.25", make_v2, 25 },
		{ "1.26", make_v2, 26 },
	};
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct text trace = { 0 };
		rows[i].make(rows[i].minor, &trace);
		check_mutants(rows[i].name, &trace);
		text_release(&trace);
	}
}

static void
packed_traces_are_changed_inside(void **state)
{
	(void)state;
	for (int i = 0; i < PACKERS; i++) {
		struct text trace = { 0 };
		if (!packers[i].is_built)
			continue;
		make_v2(26, &trace);
		pack(&packers[i], &trace);
		check_mutants(packers[i].name, &trace);
		text_release(&trace);
	}
}

static void
nothing_else_is_changed(void **state)
{
	(void)state;
	static const char *const rows[] = { "", "go 1.26", "go 1.26 trace\0\0", "Trace Go1.26\n" };
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		char bytes[64] = { 0 };
		memcpy(bytes, rows[i], strlen(rows[i]));
		assert_int_equal(mutate_trace((uint8_t *)bytes, 16, sizeof bytes, i), 0);
		assert_string_equal(bytes, rows[i]);
	}
}

/* A mutant that would be too large is none. */
static void
mutants_fit(void **state)
{
	(void)state;
	struct text trace = { 0 };
	make_v2(26, &trace);
	size_t before = trace.length;
	for (uint64_t seed = 0; seed < SEEDS; seed++) {
		size_t size = mutate_trace((uint8_t *)trace.bytes, trace.length, before, seed);
		trace.length = size > 0 ? size : trace.length;
		assert_true(trace.length <= before);
	}
	text_release(&trace);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(mutants_are_hostile_and_framed),
		cmocka_unit_test(packed_traces_are_changed_inside),
		cmocka_unit_test(nothing_else_is_changed),
		cmocka_unit_test(mutants_fit),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

/*
 * Damage everywhere: small traces of every form at every byte, those of testdata around
 * every border of batches and at seeded places. With TTRACE_SWEEP=long (make check-long)
 * at all the places there are to try, otherwise at a few of them. TTRACE_SEED chooses other
 * places, TTRACE_SWEEP_ONLY=NAME one trace of testdata.
 */
#include "base_testing.h"

#include <stdio.h>
#include <stdlib.h>

#include "damaging.h"
#include "smalltraces.h"
#include "tracesim.h"
#include "tracetesting.h"
#include "v1sim.h"

enum {
	V1_EVENTS = 300,
	BORDER_BYTES = 2, /* on either side */
	PLACES = 2000,    /* of a trace of testdata */
	PLACES_IN_SHORT = 4,
	BORDERS_IN_SHORT = 2,
	LOADS = 23,       /* one harm in so many is also loaded, looked at and dumped */
};

static bool
is_long(void)
{
	const char *sweep = getenv("TTRACE_SWEEP");
	return sweep != NULL && strcmp(sweep, "long") == 0;
}

static uint64_t
seed(void)
{
	const char *named = getenv("TTRACE_SEED");
	return named != NULL ? strtoull(named, NULL, 10) : 1;
}

/* Counts what was tried, of which some is loaded. */
struct sweep {
	const struct specimen *specimen;
	uint64_t random, tried;
};

static void
sweep_harm(struct sweep *sweep, struct harm harm)
{
	specimen_check(sweep->specimen, harm, false);
	specimen_check(sweep->specimen, harm, true);
	if (++sweep->tried % LOADS != 0)
		return;
	uint64_t loads = sweep->tried / LOADS;
	specimen_check_loaded(sweep->specimen, harm, loads % 2 == 0);
	specimen_check_dumped(sweep->specimen, harm, (enum damaged_dump)(loads % DAMAGED_DUMPS));
}

/* All that can happen to a byte, and to what follows it. */
static void
sweep_place(struct sweep *sweep, size_t place)
{
	for (unsigned which = 0; which < HARMS_PER_PLACE; which++)
		sweep_harm(sweep, harm_at(place, which));
}

/* ---- small traces */

static void
sweep_all(const struct specimen *specimen)
{
	struct sweep sweep = { .specimen = specimen };
	for (size_t place = 0; place < specimen->bytes.length; place++)
		sweep_place(&sweep, place);
}

static void
assemble_small(struct specimen *specimen, const struct small_trace *trace)
{
	struct text bytes = { 0 };
	testing_assemble(trace->text, &bytes);
	specimen_init(specimen, trace->name, bytes.bytes, bytes.length);
	assert_int_equal(specimen->generation_count, 2);
	text_release(&bytes);
}

static void
every_byte_of_a_small_trace(void **state)
{
	(void)state;
	for (size_t i = 0; i < SMALL_TRACES; i++) {
		struct specimen specimen;
		assemble_small(&specimen, &small_traces[i]);
		sweep_all(&specimen);
		specimen_release(&specimen);
	}
}

/* More threads and goroutines than one writes by hand. */
static void
every_byte_of_a_simulated_trace(void **state)
{
	struct sim_options options;
	struct specimen specimen;
	struct wire bytes;
	(void)state;
	sim_options_init(&options);
	options.events = 20;
	options.goroutines = 4;
	options.generations = 3;
	options.is_quiet_start = true;
	wire_init(&bytes, NULL);
	struct sim *sim = sim_new(&options);
	assert_true(sim != NULL && sim_write(sim, &bytes, NULL, NULL));
	specimen_init(&specimen, "simulated 1.23", bytes.data, bytes.size);
	assert_int_equal(specimen.generation_count, options.generations);
	sweep_all(&specimen);
	specimen_release(&specimen);
	sim_free(sim);
	wire_release(&bytes);
}

static void
every_byte_of_a_small_v1_trace(void **state)
{
	(void)state;
	struct text bytes = { 0 }, lines = { 0 };
	struct specimen specimen;
	assert_true(v1sim_make(1, 21, V1_EVENTS, &bytes, &lines));
	specimen_init(&specimen, "simulated 1.21", bytes.bytes, bytes.length);
	sweep_all(&specimen);
	specimen_release(&specimen);
	text_release(&bytes);
	text_release(&lines);
}

static void
every_byte_of_a_small_packed_trace(void **state)
{
	(void)state;
	struct specimen unpacked;
	assemble_small(&unpacked, &small_traces[0]);
	for (size_t i = 0; i < PACKERS; i++) {
		struct specimen packed;
		if (!packers[i].is_built)
			continue;
		specimen_pack(&packed, packers[i].name, &unpacked, &packers[i]);
		sweep_all(&packed);
		specimen_release(&packed);
	}
	specimen_release(&unpacked);
}

static void
every_byte_of_a_text_trace(void **state)
{
	(void)state;
	struct text bytes = { 0 };
	struct specimen specimen;
	testing_read(testing_path("fuzz/gotrace/text", ".trace"), &bytes);
	specimen_init(&specimen, "text", bytes.bytes, bytes.length);
	sweep_all(&specimen);
	specimen_release(&specimen);
	text_release(&bytes);
}

/* ---- traces of testdata */

static void
sweep_borders(struct sweep *sweep)
{
	const struct specimen *specimen = sweep->specimen;
	for (size_t i = 0; i < specimen->border_count; i++) {
		uint64_t border = specimen->borders[i];
		for (uint64_t at = border < BORDER_BYTES ? 0 : border - BORDER_BYTES;
			at <= border + BORDER_BYTES && at < specimen->bytes.length; at++)
			sweep_place(sweep, (size_t)at);
	}
}

static void
sweep_sample(struct sweep *sweep, unsigned places)
{
	for (unsigned i = 0; i < places; i++)
		sweep_place(sweep, random_below(&sweep->random, sweep->specimen->bytes.length));
}

/* Some of the borders, at the byte before. */
static void
sweep_few_borders(struct sweep *sweep)
{
	const struct specimen *specimen = sweep->specimen;
	for (unsigned i = 0; i < BORDERS_IN_SHORT; i++) {
		size_t border = random_below(&sweep->random, specimen->border_count);
		sweep_place(sweep, (size_t)specimen->borders[border] - 1);
	}
}

static void
sweep_file(const char *name)
{
	const char *only = getenv("TTRACE_SWEEP_ONLY");
	struct text bytes = { 0 };
	struct specimen specimen;
	struct sweep sweep = { .specimen = &specimen, .random = seed() };
	if (only != NULL && strcmp(only, name) != 0)
		return;
	testing_read(testing_path(name, ".trace"), &bytes);
	specimen_init(&specimen, name, bytes.bytes, bytes.length);
	if (is_long())
		sweep_borders(&sweep);
	else
		sweep_few_borders(&sweep);
	sweep_sample(&sweep, is_long() ? PLACES : PLACES_IN_SHORT);
	printf("%s: %zu bytes, %zu borders, %zu generations: %llu harms\n", name, bytes.length,
		specimen.border_count, specimen.generation_count, (unsigned long long)sweep.tried);
	fflush(stdout);
	specimen_release(&specimen);
	text_release(&bytes);
}

static void
traces_of_testdata(void **state)
{
	(void)state;
	printf("TTRACE_SEED=%llu\n", (unsigned long long)seed());
	testing_each(".trace", sweep_file);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_byte_of_a_small_trace),
		cmocka_unit_test(every_byte_of_a_simulated_trace),
		cmocka_unit_test(every_byte_of_a_small_v1_trace),
		cmocka_unit_test(every_byte_of_a_small_packed_trace),
		cmocka_unit_test(every_byte_of_a_text_trace),
		cmocka_unit_test(traces_of_testdata),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

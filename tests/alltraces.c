/* Traces of testdata, simulated ones, and what is left of some. */
#include "alltraces.h"

#include "base/compiler.h"
#include "base_testing.h"
#include "tracesim.h"
#include "tracetesting.h"

void
alltraces_file(const char *name, alltraces_check *check)
{
	struct text bytes = { 0 };
	testing_read(testing_path(name, ".trace"), &bytes);
	check(name, bytes.bytes, bytes.length);
	text_release(&bytes);
}

void
alltraces_simulated(alltraces_check *check)
{
	enum { SEEDS = 40 };
	for (uint64_t seed = 1; seed <= SEEDS; seed++) {
		struct sim_options options;
		struct wire bytes = { 0 };
		char name[40];
		sim_options_random(&options, seed);
		struct sim *sim = sim_new(&options);
		assert_true(sim != NULL && sim_write(sim, &bytes, NULL, NULL));
		snprintf(name, sizeof(name), "seed %u", (unsigned)seed);
		check(name, bytes.data, bytes.size);
		wire_release(&bytes);
		sim_free(sim);
	}
}

void
alltraces_damaged(alltraces_check *check)
{
	static const char *const names[] = { "contention-go1.22", "tasks-go1.23", "long-go1.26" };
	enum { STEPS = 12 };
	for (size_t i = 0; i < ARRAY_LENGTH(names); i++) {
		struct text bytes = { 0 };
		testing_read(testing_path(names[i], ".trace"), &bytes);
		for (size_t step = 1; step < STEPS; step++)
			check(names[i], bytes.bytes, bytes.length * step / STEPS);
		for (size_t step = 1; step < STEPS; step++) {
			size_t at = bytes.length * step / STEPS;
			char before = bytes.bytes[at];
			bytes.bytes[at] = (char)(before ^ 0x55);
			check(names[i], bytes.bytes, bytes.length);
			bytes.bytes[at] = before;
		}
		text_release(&bytes);
	}
}

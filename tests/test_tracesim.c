/*
 * The simulated traces, taken apart again by a small decoder of their own:
 * the bytes are well-formed, say what the facts say, and the facts make sense.
 */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tracesim.h"
#include "tracewriter.h"

#define SEEDS 60
#define MAX_ID 20000 /* of strings, stacks, goroutines and threads, less their base */

struct run {
	uint64_t seed;
	struct sim_options options;
	struct sim *sim;
	struct wire out;
	struct sim_facts facts;
};

static void
run_options(struct run *run, const struct sim_options *options)
{
	*run = (struct run){ .seed = options->seed, .options = *options };
	run->sim = sim_new(options);
	assert_non_null(run->sim);
	wire_init(&run->out, NULL);
	if (!sim_write(run->sim, &run->out, sim_collect, &run->facts) || run->facts.has_failed)
		fail_msg("seed %llu: no memory", (unsigned long long)run->seed);
}

static void
run_release(struct run *run)
{
	sim_free(run->sim);
	wire_release(&run->out);
	sim_facts_release(&run->facts);
}

static void
broken(const struct run *run, const char *what, uint64_t value)
{
	fail_msg("seed %llu: %s (%llu)", (unsigned long long)run->seed, what,
		(unsigned long long)value);
}

/* ---- a decoder */

struct reader {
	const struct run *run;
	const uint8_t *at, *end;
};

static uint8_t
read_u8(struct reader *r)
{
	if (r->at == r->end)
		broken(r->run, "bytes end", 0);
	return *r->at++;
}

static uint64_t
read_varint(struct reader *r)
{
	uint64_t value = 0;
	for (unsigned shift = 0; shift < 70; shift += 7) {
		uint8_t byte = read_u8(r);
		value |= (uint64_t)(byte & 0x7f) << shift;
		if (byte < 0x80)
			return value;
	}
	broken(r->run, "number too long", value);
	return 0;
}

static struct reader
read_bytes(struct reader *r, uint64_t size)
{
	if (size > (uint64_t)(r->end - r->at))
		broken(r->run, "size beyond the end", size);
	struct reader part = { r->run, r->at, r->at + size };
	r->at += size;
	return part;
}

/* What was seen of one generation, and of the trace. */
struct walk {
	const struct run *run;
	uint64_t gen, generations, events, samples, frequencies, clocks, ends;
	uint64_t seen[256]; /* events by id */
	uint8_t string_defined[MAX_ID], string_used[MAX_ID];
	uint8_t stack_defined[MAX_ID], stack_used[MAX_ID];
};

static void
mark(const struct walk *walk, uint8_t *marks, uint64_t id, const char *what)
{
	if (id >= MAX_ID)
		broken(walk->run, what, id);
	marks[id] = 1;
}

static void
define(const struct walk *walk, uint8_t *marks, uint64_t id, const char *what)
{
	if (id == 0 || id >= MAX_ID || marks[id])
		broken(walk->run, what, id);
	marks[id] = 1;
}

/* At the end of a generation: all ids are defined, frequency and clock there once. */
static void
close_generation(struct walk *walk)
{
	for (uint64_t id = 1; id < MAX_ID; id++) {
		if (walk->string_used[id] && !walk->string_defined[id])
			broken(walk->run, "string is not defined", id);
		if (walk->stack_used[id] && !walk->stack_defined[id])
			broken(walk->run, "stack is not defined", id);
	}
	unsigned version = walk->run->options.version;
	if (walk->frequencies != 1 || walk->clocks != (version >= 25))
		broken(walk->run, "frequencies or clocks", walk->frequencies);
	if (walk->ends != (version >= 26))
		broken(walk->run, "ends of generation", walk->ends);
	walk->frequencies = walk->clocks = walk->ends = 0;
	memset(walk->string_defined, 0, MAX_ID);
	memset(walk->string_used, 0, MAX_ID);
	memset(walk->stack_defined, 0, MAX_ID);
	memset(walk->stack_used, 0, MAX_ID);
}

static void
open_generation(struct walk *walk, uint64_t gen)
{
	if (gen == walk->gen && walk->ends == 0)
		return;
	if (walk->generations > 0) {
		if (gen != walk->gen + 1)
			broken(walk->run, "generation out of order", gen);
		close_generation(walk);
	}
	walk->gen = gen;
	walk->generations++;
}

static void
walk_string(struct walk *walk, struct reader *r)
{
	define(walk, walk->string_defined, read_varint(r), "string id");
	uint64_t size = read_varint(r);
	if (size > WIRE_MAX_STRING)
		broken(walk->run, "long string", size);
	read_bytes(r, size);
}

static void
walk_stack(struct walk *walk, struct reader *r)
{
	define(walk, walk->stack_defined, read_varint(r), "stack id");
	uint64_t frames = read_varint(r);
	if (frames == 0 || frames > WIRE_MAX_FRAMES)
		broken(walk->run, "frames", frames);
	while (frames-- > 0) {
		read_varint(r);
		mark(walk, walk->string_used, read_varint(r), "function");
		mark(walk, walk->string_used, read_varint(r), "file");
		read_varint(r);
	}
}

static void
walk_sample(struct walk *walk, struct reader *r)
{
	for (int i = 0; i < 4; i++)
		read_varint(r);
	mark(walk, walk->stack_used, read_varint(r), "stack of a sample");
	walk->samples++;
}

/* The operands, by 0-based place after dt, that are strings and stacks. */
static const struct {
	uint8_t id, strings, stacks; /* bit masks */
} references[] = {
	{ WIRE_PROCS_CHANGE, 0, 2 }, { WIRE_GO_CREATE, 0, 6 }, { WIRE_GO_CREATE_BLOCKED, 0, 6 },
	{ WIRE_GO_STOP, 1, 2 }, { WIRE_GO_BLOCK, 1, 2 }, { WIRE_GO_UNBLOCK, 0, 4 },
	{ WIRE_GO_SYSCALL_BEGIN, 0, 2 }, { WIRE_GO_STATUS_STACK, 0, 8 }, { WIRE_STW_BEGIN, 1, 2 },
	{ WIRE_GC_BEGIN, 0, 2 }, { WIRE_GC_SWEEP_BEGIN, 0, 1 }, { WIRE_GC_MARK_ASSIST_BEGIN, 0, 1 },
	{ WIRE_GO_LABEL, 1, 0 }, { WIRE_USER_TASK_BEGIN, 4, 8 }, { WIRE_USER_TASK_END, 0, 2 },
	{ WIRE_USER_REGION_BEGIN, 2, 4 }, { WIRE_USER_REGION_END, 2, 4 }, { WIRE_USER_LOG, 6, 8 },
};

static void
mark_references(struct walk *walk, unsigned id, const uint64_t *args)
{
	for (size_t i = 0; i < sizeof references / sizeof references[0]; i++) {
		if (references[i].id != id)
			continue;
		for (unsigned bit = 0; bit < WIRE_MAX_ARGS; bit++) {
			if (references[i].strings >> bit & 1)
				mark(walk, walk->string_used, args[bit], "string");
			if (references[i].stacks >> bit & 1)
				mark(walk, walk->stack_used, args[bit], "stack");
		}
	}
}

static void
walk_event(struct walk *walk, struct reader *r)
{
	unsigned id = read_u8(r);
	const struct wire_spec *spec = wire_spec_find(id);
	if (spec == NULL || !spec->is_timed || spec->since > walk->run->options.version)
		broken(walk->run, "event id", id);
	uint64_t args[WIRE_MAX_ARGS] = { 0 };
	read_varint(r);
	for (unsigned i = 0; i < spec->args; i++)
		args[i] = read_varint(r);
	mark_references(walk, id, args);
	walk->seen[id]++;
	walk->events++;
}

static void
walk_clocks(struct walk *walk, struct reader *r)
{
	while (r->at < r->end) {
		unsigned id = read_u8(r);
		if (id == WIRE_FREQUENCY) {
			read_varint(r);
			walk->frequencies++;
		} else if (id == WIRE_CLOCK_SNAPSHOT) {
			for (int i = 0; i < 4; i++)
				read_varint(r);
			walk->clocks++;
		} else {
			broken(walk->run, "in a sync batch", id);
		}
	}
}

static void
walk_entries(struct walk *walk, struct reader *r, unsigned entry,
	void (*walk_entry)(struct walk *, struct reader *))
{
	read_u8(r);
	while (r->at < r->end) {
		if (read_u8(r) != entry)
			broken(walk->run, "entry of a table", entry);
		walk_entry(walk, r);
	}
}

static void
walk_payload(struct walk *walk, struct reader *r)
{
	switch (r->at < r->end ? *r->at : 0) {
	case WIRE_STRINGS:
		walk_entries(walk, r, WIRE_STRING, walk_string);
		break;
	case WIRE_STACKS:
		walk_entries(walk, r, WIRE_STACK, walk_stack);
		break;
	case WIRE_CPU_SAMPLES:
		walk_entries(walk, r, WIRE_CPU_SAMPLE, walk_sample);
		break;
	case WIRE_SYNC:
		read_u8(r);
		walk_clocks(walk, r);
		break;
	case WIRE_FREQUENCY:
		walk_clocks(walk, r);
		break;
	default:
		while (r->at < r->end)
			walk_event(walk, r);
	}
}

static void
walk_batch(struct walk *walk, struct reader *r)
{
	unsigned id = read_u8(r);
	if (id == WIRE_END_OF_GENERATION) {
		walk->ends++;
		return;
	}
	if (id != WIRE_EVENT_BATCH && id != WIRE_EXPERIMENTAL_BATCH)
		broken(walk->run, "batch", id);
	if (id == WIRE_EXPERIMENTAL_BATCH)
		read_u8(r);
	open_generation(walk, read_varint(r));
	read_varint(r);
	read_varint(r);
	uint64_t size = read_varint(r);
	if (size > WIRE_MAX_PAYLOAD)
		broken(walk->run, "size of a batch", size);
	struct reader payload = read_bytes(r, size);
	if (id == WIRE_EVENT_BATCH)
		walk_payload(walk, &payload);
}

static struct walk *
walk_trace(const struct run *run)
{
	struct walk *walk = calloc(1, sizeof *walk);
	assert_non_null(walk);
	walk->run = run;
	struct reader r = { run, run->out.data, run->out.data + run->out.size };
	read_bytes(&r, 16);
	while (r.at < r.end)
		walk_batch(walk, &r);
	close_generation(walk);
	return walk;
}

/* ---- what must hold of the bytes */

static void
check_bytes(const struct run *run)
{
	struct walk *walk = walk_trace(run);
	if (walk->generations != run->options.generations)
		broken(run, "generations", walk->generations);
	if (walk->events != sim_event_count(run->sim))
		broken(run, "events", walk->events);
	uint64_t told[256] = { 0 };
	uint64_t samples = 0;
	for (size_t i = 0; i < run->facts.count; i++) {
		const struct sim_fact *fact = &run->facts.items[i];
		if (!fact->is_synthetic)
			told[fact->wire_id]++;
		samples += fact->kind == SIM_FACT_SAMPLE;
	}
	for (unsigned id = WIRE_PROCS_CHANGE; id < 256; id++) {
		if (walk->seen[id] != told[id])
			broken(run, "events written and told differ", id);
	}
	if (samples != walk->samples)
		broken(run, "samples", walk->samples);
	free(walk);
}

/* ---- what must hold of the facts */

struct life {
	uint8_t state[MAX_ID];
};

static void
check_state(const struct run *run, struct life *life, const struct sim_fact *fact)
{
	if (fact->subject < 0 || fact->subject >= MAX_ID)
		broken(run, "subject", (uint64_t)fact->subject);
	uint8_t *state = &life->state[fact->subject];
	if (*state != fact->from && !(*state == SIM_UNKNOWN && fact->from == SIM_DEAD))
		broken(run, "not the state that it was in", (uint64_t)fact->subject);
	if (fact->to == SIM_UNKNOWN)
		broken(run, "becomes unknown", (uint64_t)fact->subject);
	*state = (uint8_t)fact->to;
}

static void
check_facts(const struct run *run)
{
	struct life *goroutines = calloc(1, sizeof *goroutines);
	struct life *procs = calloc(1, sizeof *procs);
	assert_non_null(goroutines);
	assert_non_null(procs);
	int64_t last_ns = 0;
	for (size_t i = 0; i < run->facts.count; i++) {
		const struct sim_fact *fact = &run->facts.items[i];
		if (fact->kind == SIM_FACT_GO)
			check_state(run, goroutines, fact);
		if (fact->kind == SIM_FACT_PROC)
			check_state(run, procs, fact);
		if (fact->delivered_ns <= last_ns)
			broken(run, "time does not go on at fact", i);
		if (sim_is_exact(run->sim) && fact->delivered_ns < fact->time_ns)
			broken(run, "delivered before its time", i);
		last_ns = fact->delivered_ns;
	}
	free(goroutines);
	free(procs);
}

static void
test_random_traces_are_sound(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= SEEDS; seed++) {
		struct sim_options options;
		struct run run;
		sim_options_random(&options, seed);
		run_options(&run, &options);
		check_bytes(&run);
		check_facts(&run);
		run_release(&run);
	}
}

/* Every kind of event that a version has comes up. */
static void
test_nothing_is_left_out(void **state)
{
	(void)state;
	static const unsigned versions[] = { 22, 23, 25, 26 };
	for (size_t i = 0; i < sizeof versions / sizeof versions[0]; i++) {
		struct sim_options options;
		struct run run;
		sim_options_init(&options);
		options.version = versions[i];
		options.events = 60000;
		options.generations = 60;
		options.mix[SIM_EXPERIMENT] = 50;
		options.mix[SIM_CGO] = 20;
		options.mix[SIM_SWEEP] = 60;
		options.mix[SIM_ASSIST] = 60;
		run_options(&run, &options);
		struct walk *walk = walk_trace(&run);
		for (unsigned id = WIRE_PROCS_CHANGE; id < 256; id++) {
			const struct wire_spec *spec = wire_spec_find(id);
			if (spec == NULL || !spec->is_timed || id == WIRE_CLOCK_SNAPSHOT)
				continue;
			if ((walk->seen[id] > 0) != (spec->since <= versions[i]))
				fail_msg("1.%u: %llu times %s", versions[i],
					(unsigned long long)walk->seen[id], spec->name);
		}
		assert_true(walk->samples > 0);
		free(walk);
		run_release(&run);
	}
}

static void
test_same_seed_same_bytes(void **state)
{
	(void)state;
	struct sim_options options;
	struct run first, again, other;
	sim_options_random(&options, 42);
	run_options(&first, &options);
	run_options(&again, &options);
	assert_int_equal(first.out.size, again.out.size);
	assert_memory_equal(first.out.data, again.out.data, first.out.size);
	options.seed++;
	run_options(&other, &options);
	bool differs = first.out.size != other.out.size ||
		memcmp(first.out.data, other.out.data, first.out.size) != 0;
	assert_true(differs);
	run_release(&first);
	run_release(&again);
	run_release(&other);
}

/* The gaps of 6.2: deltas are truncated one by one, and yet no two times are equal. */
static void
test_times_are_exact_at_odd_frequencies(void **state)
{
	(void)state;
	static const uint64_t rates[] = { 15625000, 333333333, 11718750, UINT64_C(3000000000) };
	for (size_t i = 0; i < sizeof rates / sizeof rates[0]; i++) {
		struct sim_options options;
		struct run run;
		sim_options_init(&options);
		options.ticks_per_s = rates[i];
		run_options(&run, &options);
		assert_true(sim_is_exact(run.sim));
		int64_t last_ns = 0;
		for (size_t j = 0; j < run.facts.count; j++) {
			int64_t time_ns = run.facts.items[j].time_ns;
			if (time_ns < last_ns)
				broken(&run, "goes back at fact", j);
			last_ns = time_ns;
		}
		run_release(&run);
	}
}

static void
test_size_is_kept_about(void **state)
{
	(void)state;
	struct sim_options options;
	struct run run;
	sim_options_init(&options);
	options.events = 0;
	options.bytes = 2000000;
	options.generations = 4;
	run_options(&run, &options);
	assert_in_range(run.out.size, 1900000, 2900000);
	run_release(&run);
}

static void
test_stacks_have_names(void **state)
{
	(void)state;
	struct sim_options options;
	struct run run;
	size_t deepest = 0;
	sim_options_init(&options);
	run_options(&run, &options);
	for (size_t i = 0; i < run.facts.count; i++) {
		uint32_t stack = run.facts.items[i].stack;
		size_t depth = sim_stack_depth(run.sim, stack);
		assert_int_equal(stack == 0, depth == 0);
		deepest = depth > deepest ? depth : deepest;
		for (size_t j = 0; j < depth; j++) {
			struct sim_frame frame = sim_stack_frame(run.sim, stack, j);
			assert_true(frame.func.size > 0 && frame.file.size > 0 && frame.pc > 0);
		}
	}
	assert_in_range(deepest, 8, 30);
	run_release(&run);
}

static void
test_bad_options_are_refused(void **state)
{
	(void)state;
	static const struct {
		const char *name;
		struct sim_options options;
	} rows[] = {
		{ "version", { .version = 24, .goroutines = 1, .procs = 1 } },
		{ "goroutines", { .version = 23, .goroutines = 0, .procs = 1 } },
		{ "procs", { .version = 23, .goroutines = 1, .procs = 0 } },
	};
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct sim_options options;
		sim_options_init(&options);
		options.version = rows[i].options.version;
		options.goroutines = rows[i].options.goroutines;
		options.procs = rows[i].options.procs;
		if (sim_new(&options) != NULL)
			fail_msg("%s: accepted", rows[i].name);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_random_traces_are_sound),
		cmocka_unit_test(test_nothing_is_left_out),
		cmocka_unit_test(test_same_seed_same_bytes),
		cmocka_unit_test(test_times_are_exact_at_odd_frequencies),
		cmocka_unit_test(test_size_is_kept_about),
		cmocka_unit_test(test_stacks_have_names),
		cmocka_unit_test(test_bad_options_are_refused),
	};
	return cmocka_run_group_tests_name("tracesim", tests, NULL, NULL);
}

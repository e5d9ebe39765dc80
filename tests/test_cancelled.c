/*
 * Work that is cancelled in its midst, as while it decodes the tables of a generation, which may be
 * all of a large trace: how much is done after that, counted in strings, stacks and the like, not
 * by the clock.
 */
#include "base_testing.h"

#include <limits.h>

#include "base/map.h"
#include "base/text.h"
#include "base/thread.h"
#include "source/go/generation.h"
#include "source/go/tables.h"
#include "source/go/wire.h"
#include "trace/processor_losses.h"
#include "trace/stack.h"
#include "tracetesting.h"

enum { BATCHES = 50, PER_BATCH = 200, SAMPLES = BATCHES * PER_BATCH };

static void
put_number(struct text *out, uint64_t number)
{
	for (; number >= 0x80; number >>= 7)
		text_add(out, (const char[]){ (char)(number | 0x80) }, 1);
	text_add(out, (const char[]){ (char)number }, 1);
}

static void
put_numbers(struct text *out, const uint64_t *numbers, size_t count)
{
	for (size_t i = 0; i < count; i++)
		put_number(out, numbers[i]);
}

#define PUT(out, ...) \
	put_numbers(out, (const uint64_t[]){ __VA_ARGS__ }, \
		ARRAY_LENGTH(((const uint64_t[]){ __VA_ARGS__ })))

static void
put_batch(struct text *file, struct text *payload)
{
	PUT(file, WIRE_EVENT_BATCH, 1, UINT64_MAX, 100, payload->length);
	text_add(file, payload->bytes, payload->length);
	text_clear(payload);
}

/* A generation of Go 1.26, without the header, that is nothing but strings and stacks of one frame. */
static void
write_trace(struct text *file)
{
	struct text payload = { 0 };
	uint64_t id = 1;
	PUT(&payload, WIRE_SYNC, WIRE_FREQUENCY, 1000000000, WIRE_CLOCK_SNAPSHOT, 1, 2, 3, 4);
	put_batch(file, &payload);
	for (int batch = 0; batch < 2 * BATCHES; batch++) {
		bool is_strings = batch % 2 == 0;
		PUT(&payload, is_strings ? WIRE_STRINGS : WIRE_STACKS);
		for (int i = 0; i < PER_BATCH; i++, id++) {
			if (is_strings)
				PUT(&payload, WIRE_STRING, id, 2, 'a' + id % 26, id / 26 % 128);
			else
				PUT(&payload, WIRE_STACK, id, 1, id, 0, 0, 1);
		}
		put_batch(file, &payload);
	}
	PUT(file, WIRE_END_OF_GENERATION);
	text_release(&payload);
}

/* The same with nothing but CPU samples, whose times fall. */
static void
write_samples(struct text *file)
{
	struct text payload = { 0 };
	PUT(&payload, WIRE_SYNC, WIRE_FREQUENCY, 1000000000, WIRE_CLOCK_SNAPSHOT, 1, 2, 3, 4);
	put_batch(file, &payload);
	for (int i = 0; i < SAMPLES; i++) {
		if (i % PER_BATCH == 0)
			PUT(&payload, WIRE_CPU_SAMPLES);
		PUT(&payload, WIRE_CPU_SAMPLE, (uint64_t)(2 * SAMPLES - i), 1, 2, 3, 4);
		if (i % PER_BATCH == PER_BATCH - 1)
			put_batch(file, &payload);
	}
	PUT(file, WIRE_END_OF_GENERATION);
	text_release(&payload);
}

/* What is unpacked is read like this. */
static bool
pass_on(struct input *in, void *out, size_t size, size_t *got, struct error *err)
{
	return input_some(in->from, out, size, got, err);
}

/* What was read when the reader decodes tables and reading is cancelled before one of its steps. */
static void
check(bool is_lenient, int cancelled_step, uint32_t most_strings, uint32_t most_nodes)
{
	struct text file = { 0 };
	struct input in, bytes;
	struct intern strings;
	struct stack_table stacks;
	struct progress progress = { .done_bytes = 0 };
	struct generation generation = { 0 };
	struct error err = { 0 };
	write_trace(&file);
	assert_true(input_open_memory(&bytes, file.bytes, file.length, &err));
	bytes.progress = &progress;
	assert_true(input_open_converted(&in, &bytes, pass_on, NULL, NULL, &err));
	assert_true(intern_init(&strings, &err) && stack_table_init(&stacks, &err));
	struct generation_source source = { .in = &in, .minor = 26, .is_lenient = is_lenient };
	struct tables tables = { .strings = &strings, .stacks = &stacks, .is_lenient = is_lenient };
	assert_int_equal(generation_read(&generation, &source, &err), GENERATION_READ);
	assert_int_equal(generation.batch_count, 2 * BATCHES + 1);
	uint32_t strings_before = intern_count(&strings), nodes_before = stacks.nodes.count;
	atomic_store(&progress.is_cancelled, cancelled_step == 0);
	bool is_fine = tables_read(&tables, &generation, 26, &err);
	atomic_store(&progress.is_cancelled, cancelled_step <= 1);
	is_fine = is_fine && tables_resolve(&tables, &generation, 26, &err);
	assert_int_equal(is_fine, cancelled_step > 1);
	assert_int_equal(err.kind, is_fine ? ERROR_NONE : ERROR_CANCELLED);
	assert_true(intern_count(&strings) - strings_before <= most_strings);
	assert_true(stacks.nodes.count - nodes_before <= most_nodes);
	tables_release(&tables);
	map_release(&source.read_before);
	generation_release(&generation);
	stack_table_release(&stacks);
	intern_release(&strings);
	input_close(&in);
	input_close(&bytes);
	text_release(&file);
}

static void
tables_are_left_when_reading_is_cancelled(void **state)
{
	(void)state;
	for (int is_lenient = 0; is_lenient <= 1; is_lenient++) {
		check(is_lenient, 0, PER_BATCH, 0);
		check(is_lenient, 1, BATCHES * PER_BATCH, TABLES_STACKS_PER_LOOK);
		check(is_lenient, 2, BATCHES * PER_BATCH, BATCHES * PER_BATCH);
	}
}

/* How many samples got a time when reading is cancelled before that, or not. */
static size_t
count_timed_samples(bool is_cancelled)
{
	struct text file = { 0 };
	struct input in;
	struct intern strings;
	struct stack_table stacks;
	struct progress progress = { .done_bytes = 0 };
	struct generation generation = { 0 };
	struct error err = { 0 };
	size_t count = 0;
	write_samples(&file);
	assert_true(input_open_memory(&in, file.bytes, file.length, &err));
	assert_true(intern_init(&strings, &err) && stack_table_init(&stacks, &err));
	in.progress = &progress;
	struct generation_source source = { .in = &in, .minor = 26 };
	struct tables tables = { .strings = &strings, .stacks = &stacks };
	assert_int_equal(generation_read(&generation, &source, &err), GENERATION_READ);
	assert_true(tables_read(&tables, &generation, 26, &err));
	assert_int_equal(tables.sample_count, SAMPLES);
	atomic_store(&progress.is_cancelled, is_cancelled);
	assert_int_equal(tables_resolve(&tables, &generation, 26, &err), !is_cancelled);
	assert_int_equal(err.kind, is_cancelled ? ERROR_CANCELLED : ERROR_NONE);
	for (size_t i = 0; i < SAMPLES; i++)
		count += tables.samples[i].time_ns > 0;
	for (size_t i = 1; !is_cancelled && i < SAMPLES; i++)
		assert_true(tables.samples[i - 1].time_ns < tables.samples[i].time_ns);
	tables_release(&tables);
	generation_release(&generation);
	stack_table_release(&stacks);
	intern_release(&strings);
	input_close(&in);
	text_release(&file);
	return count;
}

static void
samples_are_left_when_reading_is_cancelled(void **state)
{
	(void)state;
	assert_int_equal(count_timed_samples(false), SAMPLES);
	assert_int_equal(count_timed_samples(true), 0);
}

struct counted {
	unsigned calls, most;
};

static bool
count_loss(void *context, const struct processor_loss *loss)
{
	struct counted *counted = context;
	(void)loss;
	return ++counted->calls < counted->most;
}

/* A search for findings goes through them; there is one for each system call that blocks. */
static void
losses_of_procs_are_left_when_asked_to(void **state)
{
	(void)state;
	struct trace *trace = testing_load("syscalls-go1.23");
	struct counted all = { 0, UINT_MAX };
	assert_true(processor_losses_each(trace, count_loss, &all));
	assert_true(all.calls > 10);
	for (unsigned most = 1; most <= all.calls; most++) {
		struct counted some = { 0, most };
		assert_false(processor_losses_each(trace, count_loss, &some));
		assert_int_equal(some.calls, most);
	}
	trace_free(trace);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(tables_are_left_when_reading_is_cancelled),
		cmocka_unit_test(samples_are_left_when_reading_is_cancelled),
		cmocka_unit_test(losses_of_procs_are_left_when_asked_to),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

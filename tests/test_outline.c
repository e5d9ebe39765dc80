/*
 * The outline of a trace against what reading it gives, and reading its generations one by
 * one against reading it as a whole.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "base/compiler.h"
#include "smalltraces.h"
#include "source/go/outline.h"
#include "source/go/reader.h"
#include "texttrace.h"
#include "tracesim.h"
#include "tracetesting.h"

/* ---- reading */

struct reading {
	struct go_read_result result;
	int64_t first_ns, last_ns;
	int64_t last_go_ns; /* of what a thread did; a sample may be later */
	uint64_t left_unknown;
};

static bool
take_event(void *context, const struct go_event *event, struct error *err)
{
	struct reading *reading = context;
	(void)err;
	if (event->kind == GO_EVENT_SYNC)
		return true;
	if (reading->first_ns == 0)
		reading->first_ns = event->time_ns;
	reading->last_ns = event->time_ns;
	if (event->kind != GO_EVENT_SAMPLE)
		reading->last_go_ns = event->time_ns;
	if (event->kind == GO_EVENT_GOROUTINE && event->u.goroutine.to == GO_UNDETERMINED)
		reading->left_unknown++;
	return true;
}

static struct reading
read_window(const struct text *bytes, const struct go_window *window, bool is_lenient)
{
	struct reading reading = { 0 };
	struct go_read_options options = { .window = window, .is_lenient = is_lenient };
	struct intern strings;
	struct stack_table stacks;
	const struct go_sink sink = {
		.event = take_event,
		.context = &reading,
		.strings = &strings,
		.stacks = &stacks,
	};
	struct input in;
	struct error err = { 0 };
	assert_true(intern_init(&strings, &err) && stack_table_init(&stacks, &err));
	assert_true(input_open_memory(&in, bytes->bytes, bytes->length, &err));
	if (!go_read(&in, &sink, &options, &reading.result, &err))
		fail_msg("%s", err.message);
	input_close(&in);
	intern_release(&strings);
	stack_table_release(&stacks);
	return reading;
}

static struct outline
outline_of(const struct text *bytes)
{
	struct outline outline;
	struct input in;
	struct error err = { 0 };
	assert_true(input_open_memory(&in, bytes->bytes, bytes->length, &err));
	assert_true(outline_read(&outline, &in, &err));
	assert_int_equal(in.offset_bytes, 0);
	input_close(&in);
	return outline;
}

/* ---- what is compared */

/* A window ends where the generation does in which it began. */
static bool
ends_at_once(void *context, uint64_t at_bytes)
{
	const struct outline_generation *generation = context;
	assert_int_equal(at_bytes, generation->to_bytes);
	return false;
}

static void
check_places(const struct outline *outline, const struct reading *whole, uint64_t size)
{
	assert_int_equal(outline->broken_bytes, 0);
	assert_int_equal(outline->minor, whole->result.go_minor);
	assert_int_equal(outline->count, whole->result.generations);
	uint64_t batches = 0;
	for (size_t i = 0; i < outline->count; i++) {
		const struct outline_generation *generation = &outline->generations[i];
		bool is_last = i + 1 == outline->count;
		assert_int_equal(generation->batches_before, batches);
		batches += generation->batches;
		assert_int_equal(generation->to_bytes, is_last ? size : generation[1].from_bytes);
		assert_true(generation->from_ns <= generation->to_ns);
		assert_true(is_last || generation->to_ns == generation[1].from_ns);
	}
	const struct outline_generation *last = &outline->generations[outline->count - 1];
	assert_true(outline->generations[0].from_ns <= whole->first_ns);
	assert_true(last->from_ns <= whole->last_ns);
	/* Events at one instant are delivered a nanosecond apart. */
	assert_in_range(last->to_ns, last->from_ns, whole->last_go_ns);
}

/* All events come once, whichever way the trace is read. */
static void
check_windows(const struct outline *outline, const struct reading *whole,
              const struct text *bytes, bool is_lenient)
{
	uint64_t counts[256] = { 0 };
	for (size_t i = 0; i < outline->count; i++) {
		struct outline_generation *generation = &outline->generations[i];
		const struct go_window window = {
			.from_bytes = generation->from_bytes,
			.batches_before = generation->batches_before,
			.goes_on = ends_at_once,
			.context = generation,
		};
		struct reading part = read_window(bytes, &window, is_lenient);
		bool is_last = i + 1 == outline->count;
		assert_int_equal(part.result.damage.count, 0);
		assert_int_equal(part.result.generations, 1);
		assert_int_equal(part.result.first_generation, generation->number);
		assert_int_equal(part.result.is_ended_early, !is_last);
		assert_true(is_last == (part.left_unknown == 0));
		if (generation->has_clock)
			assert_in_range(generation->clock.trace_ns, generation->from_ns,
			                generation->to_ns);
		for (size_t id = 0; id < ARRAY_LENGTH(counts); id++)
			counts[id] += part.result.event_counts[id];
	}
	assert_memory_equal(counts, whole->result.event_counts, sizeof(counts));
}

static void
check_bytes(const struct text *bytes)
{
	struct outline outline = outline_of(bytes);
	struct reading whole = read_window(bytes, NULL, false);
	check_places(&outline, &whole, bytes->length);
	check_windows(&outline, &whole, bytes, false);
	check_windows(&outline, &whole, bytes, true);
	outline_release(&outline);
}

/* ---- tests */

static void
check_file(const char *name)
{
	struct text bytes = { 0 };
	testing_read(testing_path(name, ".trace"), &bytes);
	struct outline outline = outline_of(&bytes);
	/* Before Go 1.22 there are no generations. */
	if (strstr(name, "go1.19") != NULL || strstr(name, "go1.21") != NULL)
		assert_int_equal(outline.count, 0);
	else
		check_bytes(&bytes);
	outline_release(&outline);
	text_release(&bytes);
}

static void
outline_agrees_with_reading(void **state)
{
	(void)state;
	testing_each(".trace", check_file);
}

static void
outline_agrees_with_reading_of_simulated_traces(void **state)
{
	static const unsigned versions[] = { 22, 23, 25, 26 };
	(void)state;
	for (size_t i = 0; i < ARRAY_LENGTH(versions); i++) {
		struct text bytes = { 0 };
		struct sim_options options;
		sim_options_init(&options);
		options.version = versions[i];
		options.seed = 7 + i;
		options.generations = 12;
		options.events = 6000;
		options.is_quiet_start = false;
		struct sim *sim = sim_new(&options);
		struct wire wire = { 0 };
		assert_true(sim != NULL && sim_write(sim, &wire, NULL, NULL));
		text_add(&bytes, (const char *)wire.data, wire.size);
		check_bytes(&bytes);
		text_release(&bytes);
		wire_release(&wire);
		sim_free(sim);
	}
}

/* Wherever a trace is cut, the generations before the cut are the same. */
static void
outline_of_a_cut_trace_has_what_is_before_the_cut(void **state)
{
	(void)state;
	for (size_t i = 0; i < SMALL_TRACES; i++) {
		struct text bytes = { 0 };
		struct error err = { 0 };
		assert_true(texttrace_assemble(small_traces[i].text, strlen(small_traces[i].text),
		                               &bytes, &err));
		struct outline whole = outline_of(&bytes);
		assert_int_equal(whole.count, 2);
		uint64_t second_bytes = whole.generations[1].from_bytes;
		for (size_t size = 0; size < bytes.length; size++) {
			struct text cut = bytes;
			cut.length = size;
			struct outline outline = outline_of(&cut);
			if (size > second_bytes)
				assert_true(outline.count >= 1);
			if (outline.count > 0)
				assert_int_equal(outline.generations[outline.count - 1].to_bytes,
				                 size);
			if (outline.count == 2)
				assert_int_equal(outline.generations[0].to_bytes, second_bytes);
			outline_release(&outline);
		}
		outline_release(&whole);
		text_release(&bytes);
	}
}

/* What stands behind bytes that are no batch counts to the generation before. */
static void
outline_ends_at_broken_bytes(void **state)
{
	(void)state;
	struct text bytes = { 0 };
	testing_read(testing_path("long-go1.26", ".trace"), &bytes);
	struct outline whole = outline_of(&bytes);
	assert_true(whole.count > 3);
	bytes.bytes[whole.generations[2].from_bytes] = 'x';
	struct outline outline = outline_of(&bytes);
	assert_int_equal(outline.count, 2);
	assert_int_equal(outline.broken_bytes, whole.generations[2].from_bytes);
	assert_int_equal(outline.generations[1].to_bytes, bytes.length);
	outline_release(&outline);
	outline_release(&whole);
	text_release(&bytes);
}

/* A changed byte of an event's time, or of a batch's, does not make the trace longer. */
static void
outline_of_changed_bytes_is_not_longer(void **state)
{
	static const char *const names[] = { "long-go1.26", "long-go1.22" };
	static const uint8_t changes[] = { 0x01, 0x40, 0x80 };
	(void)state;
	for (size_t i = 0; i < ARRAY_LENGTH(names); i++) {
		struct text bytes = { 0 };
		testing_read(testing_path(names[i], ".trace"), &bytes);
		struct outline whole = outline_of(&bytes);
		const struct outline_generation *last = &whole.generations[whole.count - 1];
		int64_t length_ns = last->to_ns - whole.generations[0].from_ns;
		for (uint64_t at = last->from_bytes; at < bytes.length; at++) {
			uint8_t *byte = (uint8_t *)&bytes.bytes[at], kept = *byte;
			*byte ^= changes[at % ARRAY_LENGTH(changes)];
			struct outline outline = outline_of(&bytes);
			*byte = kept;
			const struct outline_generation *end = outline.count > 0
				? &outline.generations[outline.count - 1] : last;
			int64_t changed_ns = end->to_ns - whole.generations[0].from_ns;
			/* A frequency is believed. */
			if (end->frequency == last->frequency &&
			    changed_ns > length_ns + length_ns / 10)
				fail_msg("%s, byte %d: %lld ns", names[i], (int)at,
				         (long long)changed_ns);
			outline_release(&outline);
		}
		outline_release(&whole);
		text_release(&bytes);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(outline_agrees_with_reading),
		cmocka_unit_test(outline_agrees_with_reading_of_simulated_traces),
		cmocka_unit_test(outline_of_a_cut_trace_has_what_is_before_the_cut),
		cmocka_unit_test(outline_ends_at_broken_bytes),
		cmocka_unit_test(outline_of_changed_bytes_is_not_longer),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

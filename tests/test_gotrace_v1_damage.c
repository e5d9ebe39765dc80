/*
 * Damaged traces of the form before Go 1.22: whatever bytes come, the reader does
 * not crash, says where the trouble is, and tells what came before it.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/compiler.h"
#include "base/memory.h"
#include "damagecheck.h"
#include "v1testing.h"

/* A bit of everything; the tables come first, so that a cut takes none of them away. */
static const char *const trace_text =
	"go 1.21\n"
	"Batch 0 100\nFrequency 1000000000\nTimerGoroutine 4\nString 1 one\nString 2 two\n"
	"Stack 1 2 10 1 2 3 20 2 2 4\nStack 2 1 20 2 2 4\n"
	"GoCreate 0 1 1 0\nGoCreate 1 2 2 0\nGoWaiting 1 2\nGoCreate 1 3 2 0\nGoInSyscall 1 3\n"
	"GoCreate 1 4 1 0\nProcStart 1 7\nGoStart 1 1 1\nGomaxprocs 1 2 1\n"
	"UserTaskCreate 1 5 0 1 1\nUserRegion 1 5 0 2 2\nUserLog 1 5 1 1 a message\n"
	"GCSTWStart 1 2\nGCSTWDone 1\nGCStart 1 0 1\nGCMarkAssistStart 1 2\nGCMarkAssistDone 1\n"
	"GCSweepStart 1 2\nGCSweepDone 1 4096 512\nGCDone 1\nHeapAlloc 1 4096\nHeapGoal 1 9000\n"
	"UserRegion 1 5 1 2 2\nUserTaskEnd 1 5 1\nGoSysCall 1 1\nGoSysBlock 1\n"
	"Batch 1 140\nProcStart 1 8\nGoSysExit 1 1 2 135\nGoStartLabel 1 1 3 1\n"
	"GoUnblock 1 2 2 1\nGoSched 1 1\nGoStart 1 2 3\nGoBlockSelect 1 2\nProcStop 1\n"
	"Batch 0 160\nCPUSample 0 150 1 2 1\nGoStartLocal 1 4\nGoUnblockLocal 1 2 2\nGoEnd 1\n"
	"GoStartLocal 1 2\nGoPreempt 1 2\n";

static void
assemble(struct text *bytes)
{
	*bytes = (struct text){ 0 };
	v1_assemble(trace_text, bytes);
}

/* What holds for every outcome. */
static void
check_outcome(const struct v1_reading *got, size_t size, size_t place)
{
	const struct go_read_result *result = &got->result;
	if (got->is_out_of_order)
		fail_msg("byte %zu: times do not increase", place);
	if (got->err.kind != ERROR_NONE && got->err.offset_bytes > size)
		fail_msg("byte %zu: the problem \"%s\" is at %llu", place, got->err.message,
		         (unsigned long long)got->err.offset_bytes);
	if (result->damage.count == 0)
		return;
	if (got->event_count == got->sync_count)
		fail_msg("byte %zu: nothing was delivered", place);
	const char *problem = damage_map_problem(&result->damage, size);
	if (problem != NULL)
		fail_msg("byte %zu: %s (\"%s\")", place, problem, got->err.message);
}

/* A copy of exactly this size, so that reading beyond it is noticed. */
static void
read_copy(struct v1_reading *got, const char *bytes, size_t size)
{
	char *copy = memory_realloc(NULL, size + (size == 0));
	assert_non_null(copy);
	memcpy(copy, bytes, size);
	v1_read_bytes(got, copy, size);
	memory_free(copy);
}

/* The last Sync moves with a cut, and a syscall whose lasting was cut off seems short. */
static bool
may_be_new(const char *line, size_t length)
{
	static const char *const parts[] = { " sync 2\n", " Syscall->Running\n" };
	for (size_t i = 0; i < ARRAY_LENGTH(parts); i++) {
		size_t part = strlen(parts[i]);
		if (length >= part && memcmp(line + length - part, parts[i], part) == 0)
			return true;
	}
	return false;
}

/* Whether the lines of `some` stand in `all`, in this order. */
static bool
has_lines(const char *all, const char *some)
{
	for (size_t length; *some != '\0'; some += length) {
		length = strcspn(some, "\n") + 1;
		if (may_be_new(some, length))
			continue;
		while (*all != '\0' && strncmp(all, some, length) != 0)
			all += strcspn(all, "\n") + 1;
		if (*all == '\0')
			return false;
		all += length;
	}
	return true;
}

static void
cut_at_every_byte(void **state)
{
	struct v1_reading whole = { 0 };
	struct text bytes;
	size_t damaged = 0;
	(void)state;
	assemble(&bytes);
	read_copy(&whole, bytes.bytes, bytes.length);
	if (whole.err.kind != ERROR_NONE)
		fail_msg("the whole trace: %s; delivered\n%s", whole.err.message, whole.lines.bytes);
	for (size_t size = 0; size < bytes.length; size++) {
		struct v1_reading got = { 0 };
		read_copy(&got, bytes.bytes, size);
		check_outcome(&got, size, size);
		damaged += got.result.damage.count > 0;
		if (got.ok && !has_lines(whole.lines.bytes, got.lines.bytes))
			fail_msg("cut at %zu: delivered\n%s", size, got.lines.bytes);
		v1_reading_release(&got);
	}
	/* Most cuts are within a record, and something came before most of them. */
	assert_true(damaged > bytes.length / 2);
	v1_reading_release(&whole);
	text_release(&bytes);
}

static void
every_byte_changed(void **state)
{
	static const unsigned char changes[] = { 0x01, 0x02, 0x40, 0x80, 0xff, 0x25 };
	struct text bytes;
	(void)state;
	assemble(&bytes);
	for (size_t at = 0; at < bytes.length; at++) {
		for (size_t i = 0; i < ARRAY_LENGTH(changes); i++) {
			struct v1_reading got = { 0 };
			bytes.bytes[at] = (char)((unsigned char)bytes.bytes[at] ^ changes[i]);
			read_copy(&got, bytes.bytes, bytes.length);
			check_outcome(&got, bytes.length, at);
			v1_reading_release(&got);
			bytes.bytes[at] = (char)((unsigned char)bytes.bytes[at] ^ changes[i]);
		}
	}
	text_release(&bytes);
}

/* A number that is the largest there is, in place of each byte. */
static void
largest_numbers_everywhere(void **state)
{
	static const char largest[] = "\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01";
	struct text bytes;
	(void)state;
	assemble(&bytes);
	for (size_t at = 16; at < bytes.length; at++) {
		struct text changed = { 0 };
		struct v1_reading got = { 0 };
		text_add(&changed, bytes.bytes, at);
		text_add(&changed, largest, sizeof(largest) - 1);
		text_add(&changed, bytes.bytes + at + 1, bytes.length - at - 1);
		read_copy(&got, changed.bytes, changed.length);
		check_outcome(&got, changed.length, at);
		v1_reading_release(&got);
		text_release(&changed);
	}
	text_release(&bytes);
}

/* ---- a real trace */

static void
load(struct text *bytes, const char *name)
{
	const char *directory = getenv("TTRACE_TESTDATA");
	char path[1000], piece[4096];
	assert_non_null(directory);
	snprintf(path, sizeof(path), "%s/%s", directory, name);
	FILE *file = fopen(path, "rb");
	if (file == NULL)
		fail_msg("%s is missing", path);
	*bytes = (struct text){ 0 };
	for (size_t got; (got = fread(piece, 1, sizeof(piece), file)) > 0;)
		text_add(bytes, piece, got);
	fclose(file);
}

static void
a_real_trace_is_cut_and_changed(void **state)
{
	enum { PLACES = 60 };
	struct text bytes;
	uint64_t random = 1;
	(void)state;
	load(&bytes, "tasks-go1.19.trace");
	for (unsigned i = 0; i < PLACES; i++) {
		struct v1_reading cut = { 0 }, changed = { 0 };
		random = random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
		size_t at = 16 + (size_t)(random >> 33) % (bytes.length - 16);
		read_copy(&cut, bytes.bytes, at);
		check_outcome(&cut, at, at);
		v1_reading_release(&cut);
		bytes.bytes[at] = (char)((unsigned char)bytes.bytes[at] ^ (1u << (random >> 61)));
		read_copy(&changed, bytes.bytes, bytes.length);
		check_outcome(&changed, bytes.length, at);
		v1_reading_release(&changed);
	}
	text_release(&bytes);
}

/* Frequency and stacks come last, so a program that was killed leaves a trace without times. */
static void
a_trace_cut_before_its_frequency_says_so(void **state)
{
	struct v1_reading got = { 0 };
	struct text bytes;
	(void)state;
	load(&bytes, "tasks-go1.19.trace");
	v1_read_bytes(&got, bytes.bytes, bytes.length / 4);
	assert_false(got.ok);
	assert_non_null(strstr(got.err.message, "no frequency event"));
	v1_reading_release(&got);
	text_release(&bytes);
}

/* ---- others who fail */

static bool
count_event(void *context, const struct go_event *event, struct error *err)
{
	unsigned *left = context;
	(void)event;
	if (*left == 0)
		return error_set(err, ERROR_IO, "the sink is full");
	--*left;
	return true;
}

/* Reads the small trace; strings and stacks are taken down again. */
static bool
read_with(const struct text *bytes, struct go_sink sink, struct progress *progress,
          struct error *err)
{
	struct intern strings = { 0 };
	struct stack_table stacks = { 0 };
	struct go_read_options options = { .progress = progress };
	struct go_read_result result;
	struct input in = { .fd = -1 };
	sink.strings = &strings;
	sink.stacks = &stacks;
	bool ok = intern_init(&strings, err) && stack_table_init(&stacks, err) &&
	          input_open_memory(&in, bytes->bytes, bytes->length, err) &&
	          go_read(&in, &sink, &options, &result, err);
	input_close(&in);
	stack_table_release(&stacks);
	intern_release(&strings);
	return ok;
}

static void
a_sink_may_refuse_any_event(void **state)
{
	struct text bytes;
	unsigned refusals = 0;
	bool ok = false;
	(void)state;
	assemble(&bytes);
	for (; !ok; refusals++) {
		unsigned left = refusals;
		struct error err = { 0 };
		ok = read_with(&bytes,
		               (struct go_sink){ .event = count_event, .context = &left }, NULL,
		               &err);
		if (!ok)
			assert_string_equal(err.message, "the sink is full");
	}
	assert_true(refusals > 30);
	text_release(&bytes);
}

static void
any_allocation_may_fail(void **state)
{
	struct text bytes;
	bool ok = false;
	uint64_t n = 0;
	(void)state;
	assemble(&bytes);
	while (!ok) {
		unsigned left = 1000;
		struct error err = { 0 };
		memory_fail_after(++n);
		ok = read_with(&bytes,
		               (struct go_sink){ .event = count_event, .context = &left }, NULL,
		               &err);
		memory_fail_after(0);
		if (!ok)
			assert_int_equal(err.kind, ERROR_MEMORY);
	}
	assert_true(n > 15);
	text_release(&bytes);
}

static void
reading_can_be_cancelled(void **state)
{
	struct progress progress = { 0 };
	struct error err = { 0 };
	struct text bytes;
	unsigned left = 1000;
	(void)state;
	assemble(&bytes);
	atomic_store(&progress.is_cancelled, true);
	assert_false(read_with(&bytes,
	                       (struct go_sink){ .event = count_event, .context = &left },
	                       &progress, &err));
	assert_int_equal(err.kind, ERROR_CANCELLED);
	text_release(&bytes);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(cut_at_every_byte),
		cmocka_unit_test(every_byte_changed),
		cmocka_unit_test(largest_numbers_everywhere),
		cmocka_unit_test(a_real_trace_is_cut_and_changed),
		cmocka_unit_test(a_trace_cut_before_its_frequency_says_so),
		cmocka_unit_test(a_sink_may_refuse_any_event),
		cmocka_unit_test(any_allocation_may_fail),
		cmocka_unit_test(reading_can_be_cancelled),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

/*
 * Damaged traces: whatever bytes come, the reader neither crashes nor loses
 * what it delivered before, and it says where the trouble is.
 */
#include "base/compiler.h"
#include "base/memory.h"
#include "damagecheck.h"
#include "gotrace_testing.h"
#include "smalltraces.h"
#include "tracetesting.h"

/* What holds for every outcome of reading bytes that are a prefix or variant of a trace. */
static void
check_outcome(const struct readtrace *got, size_t size, const char *name, size_t place)
{
	bool is_bad = !got->ok || got->result.damage.count > 0;
	if (got->is_out_of_order)
		fail_msg("%s, byte %zu: times do not increase", name, place);
	if (is_bad && got->err.offset_bytes > size)
		fail_msg("%s, byte %zu: the problem \"%s\" is at %llu", name, place,
		         got->err.message, (unsigned long long)got->err.offset_bytes);
	if (!got->ok && got->generation_count > 0)
		fail_msg("%s, byte %zu: a generation was delivered and is lost", name, place);
	if (got->result.damage.count == 0)
		return;
	if (got->event_count == got->sync_count && got->generation_count == 0)
		fail_msg("%s, byte %zu: nothing was delivered", name, place);
	const char *problem = damage_map_problem(&got->result.damage, size);
	if (problem != NULL)
		fail_msg("%s, byte %zu: %s (\"%s\")", name, place, problem, readtrace_problem(got));
}

/* The whole trace, to compare with. */
static void
read_whole(struct readtrace *whole, struct text *bytes, size_t i)
{
	*bytes = (struct text){ 0 };
	*whole = (struct readtrace){ 0 };
	testing_assemble(small_traces[i].text, bytes);
	readtrace_bytes(whole, bytes->bytes, bytes->length);
	if (*readtrace_problem(whole) != '\0')
		fail_msg("%s: %s", small_traces[i].name, readtrace_problem(whole));
	assert_int_equal(whole->generation_count, 2);
}

/* A copy of exactly this size, so that reading beyond it is noticed. */
static void
read_copy(struct readtrace *got, const char *bytes, size_t size)
{
	char *copy = memory_realloc(NULL, size + (size == 0));
	assert_non_null(copy);
	memcpy(copy, bytes, size);
	readtrace_bytes(got, copy, size);
	memory_free(copy);
}

/*
 * Whether the lines of `some` stand in `all`, in this order. A cut can take away
 * a whole thread's events, or samples, and leave later ones of others.
 */
static bool
has_lines(const char *all, const char *some)
{
	while (*some != '\0') {
		size_t length = strcspn(some, "\n") + 1;
		while (*all != '\0' && strncmp(all, some, length) != 0)
			all += strcspn(all, "\n") + 1;
		if (*all == '\0')
			return false;
		all += length;
		some += length;
	}
	return true;
}

static void
test_cut_at_every_byte(void **state)
{
	(void)state;
	for (size_t i = 0; i < SMALL_TRACES; i++) {
		struct readtrace whole;
		struct text bytes;
		size_t good = 0;
		read_whole(&whole, &bytes, i);
		for (size_t size = 0; size < bytes.length; size++) {
			struct readtrace got = { 0 };
			read_copy(&got, bytes.bytes, size);
			check_outcome(&got, size, small_traces[i].name, size);
			if (!has_lines(whole.events.bytes, got.events.bytes))
				fail_msg("%s, cut at %zu: delivered\n%s", small_traces[i].name, size,
				         got.events.bytes);
			if (got.event_count < good)
				fail_msg("%s, cut at %zu: fewer events than when cut before",
				         small_traces[i].name, size);
			if (got.generation_count == 1)
				good = got.event_count;
			readtrace_release(&got);
		}
		assert_true(good > 18);
		text_release(&bytes);
		readtrace_release(&whole);
	}
}

static void
test_each_byte_changed(void **state)
{
	static const unsigned changes[] = { 0xff, 0x01, 0x80, 0x7f };
	(void)state;
	for (size_t i = 0; i < SMALL_TRACES; i++) {
		struct readtrace whole;
		struct text bytes;
		unsigned broken = 0;
		read_whole(&whole, &bytes, i);
		for (size_t at = 0; at < bytes.length * ARRAY_LENGTH(changes); at++) {
			char *byte = &bytes.bytes[at / ARRAY_LENGTH(changes)];
			char kept = *byte;
			struct readtrace got = { 0 };
			*byte = (char)((unsigned char)kept ^ changes[at % ARRAY_LENGTH(changes)]);
			read_copy(&got, bytes.bytes, bytes.length);
			check_outcome(&got, bytes.length, small_traces[i].name,
			              at / ARRAY_LENGTH(changes));
			broken += !got.ok || got.result.damage.count > 0;
			readtrace_release(&got);
			*byte = kept;
		}
		assert_true(broken > bytes.length);
		text_release(&bytes);
		readtrace_release(&whole);
	}
}

static void
test_short_reads(void **state)
{
	static const size_t sizes[] = { 1, 2, 3, 7, 64, 4096 };
	(void)state;
	for (size_t i = 0; i < SMALL_TRACES; i++) {
		struct readtrace whole;
		struct text bytes;
		read_whole(&whole, &bytes, i);
		for (size_t k = 0; k < ARRAY_LENGTH(sizes); k++) {
			struct readtrace got = { .read_bytes_max = sizes[k] };
			read_copy(&got, bytes.bytes, bytes.length);
			assert_string_equal(got.events.bytes, whole.events.bytes);
			assert_true(got.ok && got.result.damage.count == 0);
			assert_int_equal(got.result.read_bytes, bytes.length);
			readtrace_release(&got);
		}
		text_release(&bytes);
		readtrace_release(&whole);
	}
}

/* A cut tail of 1.22 is delivered as far as its tables go, and the loss is told. */
static void
test_cut_tail(void **state)
{
	struct readtrace got = { 0 };
	struct text bytes = { 0 };
	(void)state;
	testing_assemble(GO22 FREQ("1") BATCH("1", "0", "5") P0 G1 BATCH("1", "0", "9")
		"GoStop dt=1 reason_string=0 stack=0\n", &bytes);
	readtrace_bytes(&got, bytes.bytes, bytes.length - 2);
	assert_true(got.ok && got.result.damage.count == 1);
	const struct damage *damage = &got.result.damage.rows[0];
	assert_string_equal(got.events.bytes, P0_EVENT G1_EVENT);
	assert_int_equal(damage->first.kind, ERROR_TRUNCATED);
	assert_int_equal(damage->first.generation, 1);
	assert_int_equal(damage->first.batch, 3);
	assert_int_equal(got.sync_count, 2);
	/* The last batch: kind, generation, m, time, size, and four bytes of payload. */
	assert_int_equal(damage->from_bytes, bytes.length - 9);
	assert_int_equal(damage->lost_bytes, 7);
	readtrace_release(&got);
	text_release(&bytes);
}

/* An error of order in a later generation keeps what came before it, and counts the rest. */
static void
test_disorder(void **state)
{
	struct readtrace got = { 0 };
	(void)state;
	readtrace_text(&got, GO22 FREQ("1") BATCH("1", "0", "5") P0 G1 FREQ("2")
	               BATCH("2", "0", "9") P0 "ProcStop dt=1\nProcStop dt=1\nProcStop dt=1\n");
	assert_true(got.ok && got.result.damage.count == 1);
	const struct damage *damage = &got.result.damage.rows[0];
	assert_string_equal(got.events.bytes,
	                    P0_EVENT G1_EVENT "0/0/1 p0 Running->Running\n"
	                    "0/0/1 p0 Running->Idle\n");
	assert_int_equal(damage->first.kind, ERROR_ORDER);
	assert_int_equal(damage->first.generation, 2);
	assert_int_equal(damage->first.batch, 4);
	assert_int_equal(got.result.generations, 1);
	/* Two events of two bytes each. */
	assert_int_equal(damage->lost_bytes, 4);
	assert_int_equal(damage->first.offset_bytes, damage->from_bytes);
	assert_int_equal(damage->from_bytes, got.result.read_bytes - 4);
	readtrace_release(&got);
}

/* The first problem in the order of the stream is the one that is told. */
static void
test_first_problem(void **state)
{
	struct readtrace got = { 0 };
	struct text bytes = { 0 };
	(void)state;
	testing_assemble(GO22 FREQ("1") BATCH("1", "0", "5") "ProcStop dt=1\n" BATCH("2", "0", "9"),
		&bytes);
	readtrace_bytes(&got, bytes.bytes, bytes.length - 3);
	assert_false(got.ok);
	assert_non_null(strstr(readtrace_problem(&got), "expected a proc but didn't have one"));
	readtrace_release(&got);
	text_release(&bytes);
}

/* What a sink refuses is no damage: the reading fails with the sink's own error. */
static void
test_refusing_sink(void **state)
{
	struct readtrace got = { .refuse_event = 5 };
	(void)state;
	readtrace_text(&got, small_traces[0].text);
	assert_false(got.ok);
	assert_int_equal(got.err.kind, ERROR_IO);
	assert_string_equal(readtrace_problem(&got), "the sink is full");
	readtrace_release(&got);
}

static void
test_cancelling(void **state)
{
	struct progress progress = { 0 };
	struct readtrace got = { .progress = &progress };
	(void)state;
	readtrace_text(&got, small_traces[0].text);
	assert_true(got.ok);
	assert_int_equal(atomic_load(&progress.done_bytes), got.result.read_bytes);
	assert_int_equal(atomic_load(&progress.total_bytes), got.result.read_bytes);
	assert_int_equal(atomic_load(&progress.generations), 2);
	readtrace_release(&got);

	atomic_store(&progress.is_cancelled, true);
	got.progress = &progress;
	readtrace_text(&got, small_traces[0].text);
	assert_false(got.ok);
	assert_int_equal(got.err.kind, ERROR_CANCELLED);
	readtrace_release(&got);
}

/* A few events of one thread, and others that wait for what never comes. */
static void
read_stuck(struct readtrace *got, unsigned threads, unsigned events)
{
	struct text text = { 0 };
	text_add_string(&text, GO22 FREQ("1"));
	for (unsigned m = 0; m < threads; m++)
		text_format(&text, "EventBatch gen=1 m=%u time=%u size=*\n"
		            "GoStart dt=1 g=%u g_seq=1\n", m, m, m + 1);
	text_add_string(&text, BATCH("1", "30000", "50000"));
	for (unsigned p = 0; p < events; p++)
		text_format(&text, "ProcStatus dt=1 p=%u pstatus=2\n", p);
	readtrace_text(got, text.bytes);
	text_release(&text);
}

/*
 * Reading ends with a limit, long before it would have tried each thread for each event: 2^24
 * tries in vain may be made, and 256 more for each event (order.c), and an event takes one of
 * each thread. That makes 2^24 / (threads - 256) events.
 */
static void
test_many_stuck_threads(void **state)
{
	static const struct {
		unsigned threads, events;
	} rows[] = { { 20000, 3000 }, { 3000, 8000 } };
	(void)state;
	for (size_t i = 0; i < ARRAY_LENGTH(rows); i++) {
		struct readtrace got = { 0 };
		unsigned most = (1 << 24) / (rows[i].threads - 256);
		read_stuck(&got, rows[i].threads, rows[i].events);
		assert_true(got.ok && got.result.damage.count > 0);
		assert_int_equal(got.err.kind, ERROR_LIMIT);
		assert_in_range(got.result.wire_events, most - most / 100, most);
		assert_true(damage_map_lost_bytes(&got.result.damage) > rows[i].threads * 4);
		readtrace_release(&got);
	}
}

static void
test_no_memory(void **state)
{
	struct text bytes = { 0 };
	(void)state;
	testing_assemble(small_traces[0].text, &bytes);
	for (uint64_t n = 1;; n++) {
		struct intern strings;
		struct stack_table stacks;
		struct error err = { 0 };
		struct input in;
		struct go_read_result result;
		const struct go_sink sink = {
			.event = testing_ignore_event,
			.strings = &strings,
			.stacks = &stacks,
		};
		assert_true(intern_init(&strings, &err) && stack_table_init(&stacks, &err));
		assert_true(input_open_memory(&in, bytes.bytes, bytes.length, &err));
		memory_fail_after(n);
		bool ok = go_read(&in, &sink, NULL, &result, &err);
		memory_fail_after(0);
		input_close(&in);
		intern_release(&strings);
		stack_table_release(&stacks);
		if (ok) {
			assert_true(n > 10);
			break;
		}
		assert_int_equal(err.kind, ERROR_MEMORY);
	}
	text_release(&bytes);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_cut_at_every_byte),
		cmocka_unit_test(test_each_byte_changed),
		cmocka_unit_test(test_short_reads),
		cmocka_unit_test(test_cut_tail),
		cmocka_unit_test(test_disorder),
		cmocka_unit_test(test_first_problem),
		cmocka_unit_test(test_refusing_sink),
		cmocka_unit_test(test_cancelling),
		cmocka_unit_test(test_many_stuck_threads),
		cmocka_unit_test(test_no_memory),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

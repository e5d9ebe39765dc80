/* The bytes that tracewriter.h promises, against examples written by hand. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tracewriter.h"

static void
expect_bytes(const struct wire *w, const char *what, const void *bytes, size_t size)
{
	if (w->size != size || memcmp(w->data, bytes, size) != 0)
		fail_msg("%s: %zu bytes written, not the %zu expected", what, w->size, size);
}

#define EXPECT(w, what, literal) expect_bytes((w), (what), "" literal, sizeof(literal) - 1)

#define PADDED_5 "\x85\x80\x80\x80\x80\x80\x80\x80\x80\x00"
#define PADDED_8 "\x88\x80\x80\x80\x80\x80\x80\x80\x80\x00"
#define PADDED_7 "\x87\x80\x80\x80\x80\x80\x80\x80\x80\x00"
#define PADDED_1 "\x81\x80\x80\x80\x80\x80\x80\x80\x80\x00"
#define NONE "\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"

static void
test_varints(void **state)
{
	(void)state;
	static const struct {
		uint64_t value;
		const char *bytes;
		size_t size;
	} rows[] = {
		{ 0, "\x00", 1 },
		{ 127, "\x7f", 1 },
		{ 128, "\x80\x01", 2 },
		{ 15625000, "\xa8\xd6\xb9\x07", 4 },
		{ UINT64_C(1) << 63, "\x80\x80\x80\x80\x80\x80\x80\x80\x80\x01", 10 },
		{ WIRE_NONE, NONE, 10 },
	};
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct wire w;
		wire_init(&w, NULL);
		wire_varint(&w, rows[i].value);
		expect_bytes(&w, "varint", rows[i].bytes, rows[i].size);
		wire_release(&w);
	}
}

static void
test_padded_varint_keeps_all_bits(void **state)
{
	(void)state;
	struct wire w;
	wire_init(&w, NULL);
	wire_varint_padded(&w, 300);
	EXPECT(&w, "300", "\xac\x82\x80\x80\x80\x80\x80\x80\x80\x00");
	wire_clear(&w);
	wire_varint_padded(&w, WIRE_NONE);
	EXPECT(&w, "all ones", NONE);
	wire_release(&w);
}

/* The example of doc/format/go-trace-v2.md, section 10, with sizes as the runtime pads them. */
static void
test_minimal_trace(void **state)
{
	(void)state;
	struct wire w, payload;
	wire_init(&w, NULL);
	wire_init(&payload, NULL);
	wire_header(&w, 22);
	wire_event(&payload, WIRE_PROC_STATUS, 1, (uint64_t[]){ 0, 1 });
	wire_event(&payload, WIRE_GC_SWEEP_BEGIN, 1, (uint64_t[]){ 0 });
	wire_batch(&w, 1, 0, 0, &payload);
	wire_frequency_batch(&w, 1, 0, 15625000);
	wire_clear(&payload);
	wire_u8(&payload, WIRE_STRINGS);
	wire_batch(&w, 1, WIRE_NONE, 0, &payload);
	EXPECT(&w, "trace",
		"go 1.22 trace\0\0\0"
		"\x01\x01\x00\x00" PADDED_7 "\x0d\x01\x00\x01\x20\x01\x00"
		"\x01\x01" NONE "\x00" PADDED_5 "\x08\xa8\xd6\xb9\x07"
		"\x01\x01" NONE "\x00" PADDED_1 "\x04");
	wire_release(&payload);
	wire_release(&w);
}

static void
test_newer_batches(void **state)
{
	(void)state;
	struct wire w, payload;
	wire_init(&w, NULL);
	wire_init(&payload, NULL);
	wire_sync_batch(&w, 2, 9, 1, &(struct wire_clock){ 3, 99, 5, 6 });
	EXPECT(&w, "sync batch",
		"\x01\x02" NONE "\x09" PADDED_8 "\x32\x08\x01\x33\x03\x63\x05\x06");
	wire_clear(&w);
	wire_u8(&payload, 0);
	wire_experimental_batch(&w, 1, 2, 7, 9, &payload);
	wire_end_of_generation(&w);
	EXPECT(&w, "experimental batch and end", "\x31\x01\x02\x07\x09" PADDED_1 "\x00\x34");
	wire_release(&payload);
	wire_release(&w);
}

static void
test_table_entries(void **state)
{
	(void)state;
	struct wire w;
	wire_init(&w, NULL);
	wire_string(&w, 3, "a\0b", 3);
	EXPECT(&w, "string", "\x05\x03\x03" "a\0b");
	wire_clear(&w);
	wire_stack(&w, 1, (struct wire_frame[]){ { 200, 1, 2, 30 }, { 5, 6, 7, 8 } }, 2);
	EXPECT(&w, "stack", "\x03\x01\x02\xc8\x01\x01\x02\x1e\x05\x06\x07\x08");
	wire_clear(&w);
	wire_cpu_sample(&w, 1, 2, WIRE_NONE, 0, 3);
	EXPECT(&w, "sample", "\x07\x01\x02" NONE "\x00\x03");
	wire_release(&w);
}

static void
test_a_header_may_lie(void **state)
{
	(void)state;
	struct wire w;
	wire_init(&w, NULL);
	wire_batch_header(&w, 0, 1, 2, 7);
	EXPECT(&w, "header alone", "\x01\x00\x01\x02" PADDED_7);
	wire_release(&w);
}

/* Every timed event is its id, dt and as many bytes as the table has operands. */
static void
test_events_have_their_operands(void **state)
{
	(void)state;
	static const uint64_t args[WIRE_MAX_ARGS] = { 11, 12, 13, 14 };
	unsigned timed = 0;
	for (unsigned id = 0; id < 256; id++) {
		const struct wire_spec *spec = wire_spec_find(id);
		if (spec == NULL || !spec->is_timed)
			continue;
		struct wire w;
		wire_init(&w, NULL);
		wire_event(&w, id, 9, args);
		uint8_t expected[2 + WIRE_MAX_ARGS] = { (uint8_t)id, 9, 11, 12, 13, 14 };
		assert_true(spec->args <= WIRE_MAX_ARGS);
		expect_bytes(&w, spec->name, expected, 2u + spec->args);
		wire_release(&w);
		timed++;
	}
	assert_int_equal(timed, 36 + 4 + 1 + 9); /* 9..44, 45..48, 51, 128..136 */
	assert_null(wire_spec_find(0));
	assert_null(wire_spec_find(53));
	assert_null(wire_spec_find(137));
}

static void
test_a_file_gets_the_same_bytes(void **state)
{
	(void)state;
	FILE *file = tmpfile();
	if (file == NULL)
		skip();
	struct wire in_file, in_memory;
	wire_init(&in_file, file);
	wire_init(&in_memory, NULL);
	for (uint64_t i = 0; i < 400000; i++) { /* more than is buffered */
		wire_varint(&in_file, i * i);
		wire_varint(&in_memory, i * i);
	}
	assert_int_equal(wire_offset(&in_file), wire_offset(&in_memory));
	assert_true(wire_flush(&in_file));
	rewind(file);
	uint8_t *read_back = malloc(in_memory.size + 1);
	assert_non_null(read_back);
	assert_int_equal(fread(read_back, 1, in_memory.size + 1, file), in_memory.size);
	assert_memory_equal(read_back, in_memory.data, in_memory.size);
	free(read_back);
	wire_release(&in_file);
	wire_release(&in_memory);
	fclose(file);
}

static void
test_a_failed_write_is_reported(void **state)
{
	(void)state;
	FILE *file = fopen("/dev/null", "r");
	if (file == NULL)
		skip();
	struct wire w;
	wire_init(&w, file);
	wire_header(&w, 26);
	assert_false(wire_flush(&w));
	wire_header(&w, 26);
	assert_false(wire_flush(&w));
	wire_release(&w);
	fclose(file);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_varints),
		cmocka_unit_test(test_padded_varint_keeps_all_bits),
		cmocka_unit_test(test_minimal_trace),
		cmocka_unit_test(test_newer_batches),
		cmocka_unit_test(test_table_entries),
		cmocka_unit_test(test_a_header_may_lie),
		cmocka_unit_test(test_events_have_their_operands),
		cmocka_unit_test(test_a_file_gets_the_same_bytes),
		cmocka_unit_test(test_a_failed_write_is_reported),
	};
	return cmocka_run_group_tests_name("tracewriter", tests, NULL, NULL);
}

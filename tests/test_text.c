/*
 * Traces in text form, and test cases that hold one: the bytes that lines stand
 * for, what is wrong with which line, and that a text gives the events that
 * its trace gives.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/compiler.h"
#include "base/memory.h"
#include "gotrace_testing.h"
#include "packing.h"
#include "source/go/text.h"
#include "source/go/wire.h"
#include "texttrace.h"
#include "tracetesting.h"

#define HEADER22 "go 1.22 trace\0\0\0"
#define HEADER26 "go 1.26 trace\0\0\0"

/* ---- lines and bytes */

#define BYTES(bytes) bytes, sizeof(bytes) - 1

static const struct form_row {
	const char *name, *text, *bytes;
	size_t size;
} forms[] = {
	{ "a header", "Trace Go1.22\n", BYTES(HEADER22) },
	{ "no newline at the end", "Trace Go1.22", BYTES(HEADER22) },
	{ "comments and blank lines", "# x\n\n  \t\nTrace Go1.22# y\n#\n", BYTES(HEADER22) },
	{ "carriage returns", "Trace Go1.22\r\n\r\nProcStop dt=1\r\n", BYTES(HEADER22 "\x0b\1") },
	{ "white space of Unicode", "Trace\u00a0Go1.22\n\u3000ProcStop\u2003dt=1\xc2\x85",
	  BYTES(HEADER22 "\x0b\1") },
	{ "a comment right behind", "Trace Go1.22\nProcStop dt=1#2\n", BYTES(HEADER22 "\x0b\1") },
	{ "numbers", "Trace Go1.22\nGoStart dt=0 g=128 g_seq=18446744073709551615\n",
	  BYTES(HEADER22 "\x10\0\x80\1\xff\xff\xff\xff\xff\xff\xff\xff\xff\1") },
	{ "a number with zeros before", "Trace Go1.22\nProcStop dt=007\n",
	  BYTES(HEADER22 "\x0b\7") },
	{ "a batch whose size is wrong", "Trace Go1.22\nEventBatch gen=1 m=0 time=0 size=99\n",
	  BYTES(HEADER22 "\1\1\0\0\x63") },
	{ "frames", "Trace Go1.22\nStack id=1 nframes=2\n\tpc=1 func=2 file=3 line=4\n\n"
	  " pc=5 func=6 file=7 line=200 # why\nStacks\n",
	  BYTES(HEADER22 "\3\1\2\1\2\3\4\5\6\7\xc8\1\2") },
	{ "no frames", "Trace Go1.22\nStack id=1 nframes=0\nStacks\n",
	  BYTES(HEADER22 "\3\1\0\2") },
	{ "a string", "Trace Go1.22\nString id=1\n\tdata=\"abc\"\n", BYTES(HEADER22 "\5\1\3abc") },
	{ "an empty string", "Trace Go1.22\nString id=1\n\tdata=\"\"\nStacks\n",
	  BYTES(HEADER22 "\5\1\0\2") },
	{ "no line for no data", "Trace Go1.22\nString id=1\nString id=2\n",
	  BYTES(HEADER22 "\5\1\0\5\2\0") },
	{ "a comment before the data", "Trace Go1.22\nString id=1\n# x\n\tdata=\"a\"\n",
	  BYTES(HEADER22 "\5\1\1a") },
	{ "no comment in quotes", "Trace Go1.22\nString id=1\n\tdata=\"a#b\" # c\n",
	  BYTES(HEADER22 "\5\1\3a#b") },
	{ "escapes", "Trace Go1.22\nString id=1\n\tdata=\"\\a\\b\\f\\n\\r\\t\\v\\\\\\\"\\x7f\\377\\000\"\n",
	  BYTES(HEADER22 "\5\1\x0c\a\b\f\n\r\t\v\\\"\x7f\xff\0") },
	{ "code points", "Trace Go1.22\nString id=1\n\tdata=\"\\u00e9\\U0001F600\u00e9\"\n",
	  BYTES(HEADER22 "\5\1\x08\xc3\xa9\xf0\x9f\x98\x80\xc3\xa9") },
	{ "what is no UTF-8", "Trace Go1.22\nString id=1\n\tdata=\"a\xff\"\n",
	  BYTES(HEADER22 "\5\1\4a\xef\xbf\xbd") },
	{ "a raw string", "Trace Go1.22\nString id=1\n\tdata=`\\n\"\r\xff`\n",
	  BYTES(HEADER22 "\5\1\4\\n\"\xff") },
	{ "an experimental batch",
	  "Trace Go1.26\nExperimentalBatch exp=1 gen=2 m=3 time=4\n\tdata=\"xy\"\nEndOfGeneration\n",
	  BYTES(HEADER26 "\x31\1\2\3\4\2xy\x34") },
	{ "a test case", "some words\n-- expect --\nFAILURE \"x\"\n-- trace --\nTrace Go1.22\n",
	  BYTES(HEADER22) },
	{ "sections before and behind", "-- expect --\n-- trace --\r\nTrace Go1.22\n-- more --\n?\n",
	  BYTES(HEADER22) },
	{ "a string at the end of a section",
	  "-- trace --\nTrace Go1.22\nString id=1\n-- expect --\n?\n", BYTES(HEADER22 "\5\1\0") },
};

static void
test_forms(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LENGTH(forms); i++) {
		const struct form_row *row = &forms[i];
		struct text out = { 0 };
		struct error err = { 0 };
		if (!go_text_recognise((const uint8_t *)row->text, strlen(row->text)))
			fail_msg("%s: not recognised", row->name);
		if (!texttrace_convert(row->text, strlen(row->text), &out, &err))
			fail_msg("%s: %s", row->name, err.message);
		if (out.length != row->size || memcmp(out.bytes, row->bytes, row->size) != 0)
			fail_msg("%s: other bytes", row->name);
		text_release(&out);
	}
}

/* ---- what is wrong */

/* The batch is too long for all rows, so that the reader asks for more until it has failed. */
#define LINES "Trace Go1.22\nEventBatch gen=1 m=0 time=0 size=99\n"

static const struct wrong_row {
	const char *name, *text, *problem;
	uint64_t text_bytes; /* where the line begins */
} wrongs[] = {
	{ "an unknown event", LINES "GoFly dt=1\n", "line 3: unknown event: GoFly", 49 },
	{ "an event of later", LINES "GoSwitch dt=1 g=1 g_seq=1\n",
	  "line 3: this event is not in this version of the format: GoSwitch", 49 },
	{ "an event of 1.23 in 1.22", "Trace Go1.22\nSpanFree dt=1 id=1\n",
	  "line 2: this event is not in this version of the format: SpanFree", 13 },
	{ "an operand too few", LINES "GoStart dt=1 g=1\n", "line 3: g_seq= is missing", 49 },
	{ "an operand too many", LINES "ProcStop dt=1 p=2\n",
	  "line 3: this does not belong here: p=2", 49 },
	{ "another operand", LINES "GoStart dt=1 p=1 g_seq=1\n",
	  "line 3: g= should be here: p=1", 49 },
	{ "operands out of order", LINES "GoStart g=1 dt=1 g_seq=1\n",
	  "line 3: dt= should be here: g=1", 49 },
	{ "no number", LINES "ProcStop dt=\n", "line 3: not a number of 64 bits: dt=", 49 },
	{ "a signed number", LINES "ProcStop dt=-1\n", "line 3: not a number of 64 bits: dt=-1", 49 },
	{ "a number in base 16", LINES "ProcStop dt=0x1\n",
	  "line 3: not a number of 64 bits: dt=0x1", 49 },
	{ "a number of 65 bits", LINES "ProcStop dt=18446744073709551616\n",
	  "line 3: not a number of 64 bits: dt=18446744073709551616", 49 },
	{ "a large number", LINES "ProcStop dt=99999999999999999999999\n",
	  "line 3: not a number of 64 bits: dt=99999999999999999999999", 49 },
	{ "frames missing", LINES "Stack id=1 nframes=2\n\tpc=1 func=1 file=1 line=1\nStacks\n",
	  "line 5: pc= should be here: Stacks", 97 },
	{ "frames missing at the end", LINES "Stack id=1 nframes=2\n",
	  "line 3: the text ends where a frame should be", 70 },
	{ "very many frames", LINES "Stack id=1 nframes=18446744073709551615\n\n",
	  "line 4: the text ends where a frame should be", 90 },
	{ "a string unquoted", LINES "String id=1\ndata=abc\n", "line 4: not a Go string: data=abc",
	  61 },
	{ "a string without end", LINES "String id=1\n\tdata=\"abc\n",
	  "line 4: not a Go string: data=\"abc", 61 },
	{ "an escape without end", LINES "String id=1\n\tdata=\"abc\\", "line 4: not a Go string", 61 },
	{ "an unknown escape", LINES "String id=1\n\tdata=\"\\q\"\n", "line 4: not a Go string", 61 },
	{ "a byte beyond 255", LINES "String id=1\n\tdata=\"\\400\"\n", "line 4: not a Go string", 61 },
	{ "too few digits", LINES "String id=1\n\tdata=\"\\x1\"\n", "line 4: not a Go string", 61 },
	{ "a surrogate", LINES "String id=1\n\tdata=\"\\ud800\"\n", "line 4: not a Go string", 61 },
	{ "beyond Unicode", LINES "String id=1\n\tdata=\"\\U00110000\"\n", "line 4: not a Go string",
	  61 },
	{ "words behind a string", LINES "String id=1\n\tdata=\"a\" b\n",
	  "line 4: this does not belong here: b", 61 },
	{ "data twice", LINES "String id=1\n\tdata=\"a\"\n\tdata=\"b\"\n", "line 5: unknown event: data=",
	  71 },
	{ "an old version", "Trace Go1.21\n",
	  "line 1: unknown or unsupported trace version go 1.21 in text form", 0 },
	{ "a version between", "Trace Go1.24\n", "unknown or unsupported trace version go 1.24", 0 },
	{ "a large version", "Trace Go1.123\n",
	  "line 1: unknown or unsupported trace version go 1.123 in text form", 0 },
	{ "no version", "Trace Go1.x\n", "line 1: not a version of Go: Go1.x", 0 },
	{ "a second trace", LINES "Trace Go1.23\n", "line 3: another trace begins here", 49 },
	{ "a case without trace", "-- expect --\nSUCCESS\n",
	  "line 2: this test case has no section \"trace\"", 21 },
	{ "an empty section", "-- expect --\n-- trace --\n# nothing\n",
	  "line 3: the header of the trace is missing", 35 },
	{ "a control character", LINES "Go\33[2J dt=1\n", "line 3: unknown event: Go\u241b[2J", 49 },
};

static void
test_wrong_lines(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LENGTH(wrongs); i++) {
		const struct wrong_row *row = &wrongs[i];
		struct readtrace got = { 0 };
		readtrace_bytes(&got, row->text, strlen(row->text));
		if (strstr(readtrace_problem(&got), row->problem) == NULL)
			fail_msg("%s: \"%s\" should be \"%s\"", row->name, readtrace_problem(&got),
			         row->problem);
		if (got.err.offset_bytes != row->text_bytes)
			fail_msg("%s: at %" PRIu64 ", should be at %" PRIu64, row->name,
			         got.err.offset_bytes, row->text_bytes);
		readtrace_release(&got);
	}
}

/* A line of `size` bytes that is a comment from its second character on. */
static void
check_long_line(size_t size, bool is_ok)
{
	struct text text = { 0 };
	struct readtrace got = { 0 };
	text_add_string(&text, "Trace Go1.26\n\t");
	for (size_t i = 1; i < size; i++)
		text_add(&text, "#", 1);
	text_add_string(&text, "\n");
	readtrace_bytes(&got, text.bytes, text.length);
	assert_int_equal(got.ok, is_ok);
	if (!is_ok)
		assert_string_equal(readtrace_problem(&got),
		                    "line 2: a line is longer than 65535 bytes");
	readtrace_release(&got);
	text_release(&text);
}

static void
test_long_lines(void **state)
{
	(void)state;
	check_long_line(65535, true);
	check_long_line(65536, false);
	check_long_line(1000000, false);
}

/* What the reader finds wrong with an event is told by its line, in any generation. */
static void
test_places(void **state)
{
	enum { GENERATIONS = 40, EVENTS = 300, BAD_GENERATION = 33, BAD_EVENT = 123 };
	struct text text = { 0 };
	struct readtrace got = { 0 };
	unsigned line = 2;
	char wanted[40] = "";
	size_t bad_bytes = 0;
	(void)state;
	text_add_string(&text, GO22);
	for (unsigned n = 1; n <= GENERATIONS; n++) {
		bool is_bad = n == BAD_GENERATION;
		text_format(&text, "# %u\nEventBatch gen=%u m=" NONE " time=0 size=6\n"
		                   "Frequency freq=1000000000\n", n, n);
		text_format(&text, "EventBatch gen=%u m=0 time=9 size=%u\n"
		                   "ProcStatus dt=1 p=0 pstatus=1\n", n, 4 + 3 * EVENTS - is_bad);
		line += 5;
		for (unsigned i = 0; i < EVENTS; i++, line++) {
			if (!is_bad || i != BAD_EVENT) {
				text_add_string(&text, "HeapAlloc dt=1 heapalloc_value=1\n");
				continue;
			}
			snprintf(wanted, sizeof(wanted), "line %u: ", line);
			bad_bytes = text.length;
			text_add_string(&text, "STWEnd dt=1\n");
		}
	}
	readtrace_bytes(&got, text.bytes, text.length);
	assert_true(got.result.damage.count > 0);
	assert_int_equal(got.err.kind, ERROR_ORDER);
	if (strncmp(readtrace_problem(&got), wanted, strlen(wanted)) != 0)
		fail_msg("\"%s\" should begin with \"%s\"", readtrace_problem(&got), wanted);
	assert_int_equal(got.err.offset_bytes, bad_bytes);
	assert_int_equal(got.result.damage.rows[0].from_bytes, bad_bytes);
	assert_int_equal(got.result.damage.rows[0].lost_bytes, text.length - bad_bytes);
	assert_int_equal(got.result.generations, BAD_GENERATION - 1);
	readtrace_release(&got);
	text_release(&text);
}

/* ---- bytes to lines, to compare with the binary */

static void
write_arguments(struct text *text, struct cursor *cursor, const char *names, uint64_t *last)
{
	struct error err = { 0 };
	while (*names != '\0') {
		size_t length = strcspn(names, " ");
		assert_true(cursor_varint(cursor, last, &err));
		text_format(text, " %.*s=%" PRIu64, (int)length, names, *last);
		names += length + (names[length] == ' ');
	}
	text_add_string(text, "\n");
}

/* As Go writes strings, but with more escapes than needed. */
static void
write_data(struct text *text, struct cursor *cursor)
{
	struct error err = { 0 };
	const uint8_t *bytes;
	uint64_t size;
	assert_true(cursor_varint(cursor, &size, &err));
	assert_true(cursor_bytes(cursor, (size_t)size, &bytes, &err));
	if (size == 0)
		return;
	text_add_string(text, "\tdata=\"");
	for (size_t i = 0; i < size; i++) {
		if (bytes[i] == '"' || bytes[i] == '\\' || bytes[i] < ' ' || bytes[i] > '~')
			text_format(text, "\\x%02x", bytes[i]);
		else
			text_add(text, (const char *)&bytes[i], 1);
	}
	text_add_string(text, "\"\n");
}

static void
write_event(struct text *text, struct cursor *cursor)
{
	struct error err = { 0 };
	uint64_t last = 0;
	uint8_t id;
	assert_true(cursor_byte(cursor, &id, &err));
	assert_non_null(wire_kinds[id].name);
	text_add_string(text, wire_kinds[id].name);
	write_arguments(text, cursor, wire_kinds[id].args, &last);
	if (id == WIRE_STRING || id == WIRE_EXPERIMENTAL_BATCH)
		write_data(text, cursor);
	for (; id == WIRE_STACK && last > 0; last--) {
		uint64_t ignored;
		write_arguments(text, cursor, "pc func file line", &ignored);
	}
}

/* The text of a trace with a header. */
static void
write_text(struct text *text, const struct text *bytes)
{
	struct cursor cursor = cursor_over((const uint8_t *)bytes->bytes + 16, bytes->length - 16, 16);
	text_format(text, "Trace Go%.4s\n", bytes->bytes + 3);
	while (cursor_left(&cursor) > 0)
		write_event(text, &cursor);
}

static void
check_same_events(const char *name, const struct text *bytes, const struct text *text,
                  size_t read_bytes_max)
{
	struct readtrace whole = { 0 }, got = { .read_bytes_max = read_bytes_max };
	readtrace_bytes(&whole, bytes->bytes, bytes->length);
	readtrace_bytes(&got, text->bytes, text->length);
	if (*readtrace_problem(&got) != '\0')
		fail_msg("%s: %s", name, readtrace_problem(&got));
	if (strcmp(whole.events.bytes, got.events.bytes) != 0)
		fail_msg("%s: other events", name);
	assert_int_equal(got.last_time_ns, whole.last_time_ns);
	assert_int_equal(got.result.read_bytes, text->length);
	readtrace_release(&whole);
	readtrace_release(&got);
}

/* Traces before Go 1.22 have no text form; AllocFree is in that of 1.26 only. */
static bool
has_text_form(const struct text *bytes)
{
	return bytes->length > 8 && bytes->bytes[5] == '2' && bytes->bytes[6] >= '2';
}

static void
check_testdata(const char *name)
{
	struct text bytes = { 0 }, text = { 0 };
	testing_read(testing_path(name, ".trace"), &bytes);
	if (has_text_form(&bytes)) {
		write_text(&text, &bytes);
		check_same_events(name, &bytes, &text, 0);
		check_same_events(name, &bytes, &text, 1000);
	}
	text_release(&bytes);
	text_release(&text);
}

static void
test_testdata(void **state)
{
	(void)state;
	testing_each(".trace", check_testdata);
}

/* ---- damage and limits */

static const char case_text[] =
	"-- expect --\nSUCCESS\n-- trace --\n" GO22
	"EventBatch gen=1 m=" NONE " time=0 size=6\nFrequency freq=1000000000\n"
	"EventBatch gen=1 m=" NONE " time=0 size=12\nStrings\nString id=1\n\tdata=\"\\x01\\u00e9\"\n"
	"String id=2\n\tdata=\"ab\"\n"
	"EventBatch gen=1 m=" NONE " time=0 size=8\nStacks\nStack id=1 nframes=1\n"
	"\tpc=1 func=1 file=1 line=1\n"
	"EventBatch gen=1 m=0 time=0 size=9\n" P0 G1;

static void
test_case_text(void **state)
{
	struct readtrace got = { 0 };
	(void)state;
	readtrace_bytes(&got, case_text, strlen(case_text));
	assert_string_equal(readtrace_problem(&got), "");
	assert_string_equal(got.events.bytes, P0_EVENT G1_EVENT);
	readtrace_release(&got);
}

/* Cut anywhere, and with any byte changed: an error has a place within the text. */
static void
test_damage(void **state)
{
	size_t size = strlen(case_text);
	struct text text = { 0 };
	(void)state;
	for (size_t at = 0; at < 2 * size; at++) {
		struct readtrace got = { 0 };
		text_clear(&text);
		text_add(&text, case_text, at < size ? at : size);
		if (at >= size)
			text.bytes[at - size] ^= 0x15;
		readtrace_bytes(&got, text.bytes, text.length);
		if (*readtrace_problem(&got) != '\0' && got.err.offset_bytes > text.length)
			fail_msg("%zu: \"%s\" has no place", at, readtrace_problem(&got));
		assert_true(got.result.damage.rows[0].from_bytes <= text.length);
		assert_true(got.result.damage.rows[0].lost_bytes <=
			text.length - got.result.damage.rows[0].from_bytes);
		readtrace_release(&got);
	}
	text_release(&text);
}

static void
test_packed_text(void **state)
{
	(void)state;
	for (size_t i = 0; i < PACKERS; i++) {
		struct text bytes = { 0 }, packed = { 0 };
		struct readtrace got = { 0 };
		char wanted[60];
		if (!packers[i].is_built)
			continue;
		text_add_string(&bytes, LINES "GoFly dt=1\n");
		packers[i].pack(&packed, bytes.bytes, bytes.length);
		readtrace_bytes(&got, packed.bytes, packed.length);
		snprintf(wanted, sizeof(wanted), "unpacked from %s: line 3: unknown event: GoFly",
		         packers[i].name);
		assert_string_equal(readtrace_problem(&got), wanted);
		assert_int_equal(got.err.offset_bytes, 49);
		readtrace_release(&got);
		text_release(&bytes);
		text_release(&packed);
	}
}

static void
test_no_memory(void **state)
{
	(void)state;
	for (uint64_t n = 1;; n++) {
		struct text out = { 0 };
		struct error err = { 0 };
		struct input from, in;
		uint8_t bytes[90];
		assert_true(input_open_memory(&from, case_text, strlen(case_text), &err));
		memory_fail_after(n);
		bool ok = go_text_open(&in, &from, &err) && input_exact(&in, bytes, sizeof(bytes), &err);
		memory_fail_after(0);
		input_close(&in);
		input_close(&from);
		text_release(&out);
		if (ok) {
			assert_true(n > 2);
			break;
		}
		assert_int_equal(err.kind, ERROR_MEMORY);
	}
}

/* ---- one trace behind another */

static void
test_second_trace(void **state)
{
	static const char *const texts[] = {
		GO22 FREQ("1") BATCH("1", "0", "5") P0 G1,
		GO26 SYNC("1") BATCH("1", "0", "5") P0 G1 "EndOfGeneration\n",
	};
	(void)state;
	for (size_t i = 0; i < ARRAY_LENGTH(texts); i++) {
		struct text bytes = { 0 };
		struct readtrace got = { 0 };
		testing_assemble(texts[i], &bytes);
		size_t first_bytes = bytes.length;
		testing_assemble(texts[1], &bytes);
		readtrace_bytes(&got, bytes.bytes, bytes.length);
		assert_true(got.ok && got.result.damage.count > 0);
		assert_string_equal(readtrace_problem(&got),
		                    "another trace, go 1.26, begins behind the first one");
		assert_string_equal(got.events.bytes, P0_EVENT G1_EVENT);
		assert_int_equal(got.err.offset_bytes, first_bytes);
		assert_int_equal(got.result.damage.rows[0].from_bytes, first_bytes);
		assert_int_equal(got.result.damage.rows[0].lost_bytes, bytes.length - first_bytes);
		readtrace_release(&got);
		text_release(&bytes);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_forms),
		cmocka_unit_test(test_wrong_lines),
		cmocka_unit_test(test_long_lines),
		cmocka_unit_test(test_places),
		cmocka_unit_test(test_testdata),
		cmocka_unit_test(test_case_text),
		cmocka_unit_test(test_damage),
		cmocka_unit_test(test_packed_text),
		cmocka_unit_test(test_no_memory),
		cmocka_unit_test(test_second_trace),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Errors keep their first cause, fit their storage and never cut a character. */
#include "base_testing.h"

static void
the_first_cause_stays(void **state)
{
	(void)state;
	struct error err;
	error_clear(&err);
	assert_int_equal(err.kind, ERROR_NONE);
	assert_true(err.offset_bytes == ERROR_NO_OFFSET);
	assert_false(error_set_at(&err, ERROR_FORMAT, 17, "bad %s", "header"));
	assert_false(error_set(&err, ERROR_IO, "too late"));
	assert_false(error_set_memory(&err, "anything"));
	assert_int_equal(err.kind, ERROR_FORMAT);
	assert_int_equal(err.offset_bytes, 17);
	check_text("message", err.message, "bad header");
	error_clear(&err);
	error_set_memory(&err, "a stack");
	assert_int_equal(err.kind, ERROR_MEMORY);
	assert_true(err.offset_bytes == ERROR_NO_OFFSET);
	check_text("memory", err.message, "not enough memory for a stack");
}

static void
places_are_told_as_far_as_known(void **state)
{
	(void)state;
	static const struct {
		const char *name;
		uint64_t offset_bytes, generation, batch;
		const char *wanted;
	} rows[] = {
		{ "nothing known", ERROR_NO_OFFSET, 0, 0, "bad" },
		{ "offset", 0, 0, 0, "bad (byte 0)" },
		{ "generation", ERROR_NO_OFFSET, 3, 0, "bad (generation 3)" },
		{ "batch", ERROR_NO_OFFSET, 0, 12, "bad (batch 12)" },
		{ "all", UINT64_MAX - 1, 3, 12,
			"bad (byte 18446744073709551614, generation 3, batch 12)" },
	};
	for (size_t i = 0; i < ARRAY_LENGTH(rows); i++) {
		struct error err;
		error_clear(&err);
		error_set(&err, ERROR_FORMAT, "bad");
		err.offset_bytes = rows[i].offset_bytes;
		err.generation = rows[i].generation;
		err.batch = rows[i].batch;
		char line[100];
		error_format(&err, line, sizeof(line));
		check_text(rows[i].name, line, rows[i].wanted);
	}
}

static void
prefixes_stand_before_the_message(void **state)
{
	(void)state;
	struct error err;
	error_clear(&err);
	error_set_at(&err, ERROR_TRUNCATED, 5, "the end");
	error_prefix(&err, "batch %d", 2);
	error_prefix(&err, "%s", "a.trace");
	check_text("prefix", err.message, "a.trace: batch 2: the end");
	assert_int_equal(err.kind, ERROR_TRUNCATED);
	assert_int_equal(err.offset_bytes, 5);
}

static void
a_long_prefix_leaves_the_message_whole(void **state)
{
	(void)state;
	struct error err;
	char path[1000];
	memset(path, 'p', sizeof path - 1);
	path[sizeof path - 1] = '\0';
	error_clear(&err);
	error_set(&err, ERROR_IO, "no such file");
	error_prefix(&err, "%s", path);
	size_t length = strlen(err.message);
	assert_int_equal(length, sizeof(err.message) - 1);
	check_text("end", err.message + length - strlen("p: no such file"), "p: no such file");
	assert_int_equal(err.message[0], 'p');

	/* Both too long: each has its part. */
	error_clear(&err);
	error_set(&err, ERROR_IO, "%s", path);
	memset(path, 'q', sizeof path - 1);
	error_prefix(&err, "%s", path);
	assert_int_equal(strspn(err.message, "q"), 99);
	assert_memory_equal(err.message + 99, ": ppp", 5);
	assert_int_equal(strlen(err.message), sizeof(err.message) - 1);
}

/* Long messages of every alignment against the end of the storage. */
static void
long_messages_are_cut_between_characters(void **state)
{
	(void)state;
	static const char *const characters[] = { "x", "\u00B5", "\u2026", "\U0001F600" };
	for (size_t c = 0; c < ARRAY_LENGTH(characters); c++) {
		size_t length = strlen(characters[c]);
		for (size_t shift = 0; shift < 4; shift++) {
			char text[2000] = "";
			size_t used = shift;
			memset(text, '.', shift);
			for (; used + length < 1000; used += length)
				memcpy(text + used, characters[c], length + 1);
			struct error err;
			error_clear(&err);
			error_set(&err, ERROR_IO, "%s", text);
			size_t room = sizeof(err.message) - 1;
			size_t wanted = shift + (room - shift) / length * length;
			assert_int_equal(strlen(err.message), wanted);
			assert_memory_equal(err.message, text, wanted);
			error_prefix(&err, "p");
			wanted = shift + 3 + (room - 3 - shift) / length * length;
			assert_int_equal(strlen(err.message), wanted);
		}
	}
}

static void
any_size_of_output_is_respected(void **state)
{
	(void)state;
	struct error err;
	error_clear(&err);
	error_set_at(&err, ERROR_FORMAT, 123, "a \u00B5 b");
	err.generation = 4;
	char whole[100];
	error_format(&err, whole, sizeof(whole));
	check_text("whole", whole, "a \u00B5 b (byte 123, generation 4)");
	for (size_t size = 0; size <= strlen(whole) + 1; size++) {
		char cut[101];
		memset(cut, '#', sizeof(cut));
		error_format(&err, cut, size);
		assert_int_equal(cut[size], '#');
		if (size == 0)
			continue;
		assert_true(strlen(cut) < size);
		/* Only the middle of the two-byte character is no place to cut. */
		assert_int_equal(strlen(cut), size == 4 ? 2 : size - 1);
		assert_memory_equal(cut, whole, strlen(cut));
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_first_cause_stays),
		cmocka_unit_test(places_are_told_as_far_as_known),
		cmocka_unit_test(prefixes_stand_before_the_message),
		cmocka_unit_test(a_long_prefix_leaves_the_message_whole),
		cmocka_unit_test(long_messages_are_cut_between_characters),
		cmocka_unit_test(any_size_of_output_is_respected),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

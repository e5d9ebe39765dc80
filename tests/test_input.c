/* Input and cursor. */
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/compiler.h"
#include "input/cursor.h"
#include "input/input.h"
#include "input/spool.h"

static const struct varint_row {
	const char *name;
	uint8_t bytes[12];
	size_t size;
	uint64_t value;
	enum error_kind problem;
} varints[] = {
	{ "zero", { 0 }, 1, 0, ERROR_NONE },
	{ "one byte", { 0x7f }, 1, 127, ERROR_NONE },
	{ "two bytes", { 0x80, 0x01 }, 2, 128, ERROR_NONE },
	{ "two bytes, the largest", { 0xff, 0x7f }, 2, 16383, ERROR_NONE },
	{ "three bytes", { 0x80, 0x80, 0x01 }, 3, 16384, ERROR_NONE },
	{ "three bytes, the largest", { 0xff, 0xff, 0x7f }, 3, 2097151, ERROR_NONE },
	{ "four bytes", { 0x80, 0x80, 0x80, 0x01 }, 4, 2097152, ERROR_NONE },
	{ "four bytes, the largest", { 0xff, 0xff, 0xff, 0x7f }, 4, 268435455, ERROR_NONE },
	{ "five bytes", { 0x80, 0x80, 0x80, 0x80, 0x01 }, 5, 268435456, ERROR_NONE },
	{ "padded", { 0x85, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x00 }, 10, 5,
	  ERROR_NONE },
	{ "all ones", { 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01 }, 10,
	  UINT64_MAX, ERROR_NONE },
	{ "one bit too many", { 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x02 }, 10,
	  0, ERROR_FORMAT },
	{ "eleven bytes", { 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x01 }, 11,
	  0, ERROR_FORMAT },
	{ "nothing", { 0 }, 0, 0, ERROR_TRUNCATED },
	{ "cut after one", { 0x80 }, 1, 0, ERROR_TRUNCATED },
	{ "cut after nine", { 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff }, 9, 0,
	  ERROR_TRUNCATED },
};

static void
check_row(const struct varint_row *row, bool ok, uint64_t value, const struct error *err)
{
	if (ok != (row->problem == ERROR_NONE) || err->kind != row->problem)
		fail_msg("%s: %s", row->name, ok ? "was read" : err->message);
	if (ok && value != row->value)
		fail_msg("%s: is %llu", row->name, (unsigned long long)value);
	if (!ok && err->offset_bytes != 100)
		fail_msg("%s: fails at %llu", row->name, (unsigned long long)err->offset_bytes);
}

static void
test_cursor_varint(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LENGTH(varints); i++) {
		const struct varint_row *row = &varints[i];
		struct cursor cursor = cursor_over(row->bytes, row->size, 100);
		struct error err = { 0 };
		uint64_t value = 0;
		bool ok = cursor_varint(&cursor, &value, &err);
		check_row(row, ok, value, &err);
		assert_ptr_equal(cursor.at, row->bytes + (ok ? row->size : 0));
		assert_int_equal(cursor_offset(&cursor), ok ? 100 + row->size : 100);
	}
}

/* Several at once give what one by one gives, near the end and far from it. */
static void
test_cursor_varints(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LENGTH(varints); i++) {
		const struct varint_row *row = &varints[i];
		uint8_t bytes[64] = { 0x05 };
		uint64_t values[2] = { 0, 0 };
		struct error err = { 0 };
		memcpy(bytes + 1, row->bytes, row->size);
		struct cursor near = cursor_over(bytes, 1 + row->size, 99);
		bool ok = cursor_varints(&near, values, 2, &err);
		check_row(row, ok, values[1], &err);
		assert_int_equal(values[0], 5);
		assert_int_equal(cursor_left(&near), ok ? 0 : row->size);

		/* With bytes behind it a number that was cut goes on. */
		if (row->problem == ERROR_TRUNCATED)
			continue;
		struct cursor far = cursor_over(bytes, sizeof(bytes), 99);
		error_clear(&err);
		ok = cursor_varints(&far, values, 2, &err);
		check_row(row, ok, values[1], &err);
		assert_ptr_equal(far.at, bytes + 1 + (ok ? row->size : 0));
	}
}

static void
test_cursor_bytes(void **state)
{
	static const uint8_t bytes[] = { 1, 2, 3 };
	struct cursor cursor = cursor_over(bytes, 3, 10);
	struct error err = { 0 };
	const uint8_t *view;
	uint8_t byte;
	(void)state;
	assert_true(cursor_byte(&cursor, &byte, &err));
	assert_int_equal(byte, 1);
	assert_false(cursor_bytes(&cursor, 3, &view, &err));
	assert_int_equal(err.kind, ERROR_TRUNCATED);
	assert_int_equal(err.offset_bytes, 11);
	error_clear(&err);
	assert_true(cursor_bytes(&cursor, 2, &view, &err));
	assert_ptr_equal(view, bytes + 1);
	assert_true(cursor_bytes(&cursor, 0, &view, &err));
	assert_false(cursor_byte(&cursor, &byte, &err));
	assert_int_equal(err.offset_bytes, 13);
}

/* ---- files and pipes */

/* A file with `size` counting bytes; the caller unlinks it. */
static void
make_file(char *path, size_t size)
{
	int fd = mkstemp(path);
	assert_true(fd >= 0);
	FILE *file = fdopen(fd, "w");
	for (size_t i = 0; i < size; i++)
		fputc((int)(i * 7 & 0xff), file);
	assert_int_equal(fclose(file), 0);
}

/* Reads pieces of all sizes and checks each byte of them. */
static void
check_counting(struct input *in, size_t size)
{
	static uint8_t piece[200000];
	struct error err = { 0 };
	bool at_end;
	uint8_t byte;
	size_t at = 0;
	for (size_t next = 1; at < size; next = next * 3 % 199999) {
		size_t count = next < size - at ? next : size - at;
		assert_true(input_exact(in, piece, count, &err));
		for (size_t i = 0; i < count; i++)
			assert_int_equal(piece[i], (at + i) * 7 & 0xff);
		at += count;
		assert_int_equal(in->offset_bytes, at);
	}
	assert_true(input_byte(in, &byte, &at_end, &err));
	assert_true(at_end);
	assert_false(input_exact(in, piece, 1, &err));
	assert_int_equal(err.kind, ERROR_TRUNCATED);
	assert_int_equal(err.offset_bytes, size);
}

/* A file of bytes that count up, which is gone once it is closed. */
static void
open_counting(struct input *in, size_t size)
{
	char path[] = "/tmp/ttrace-input-" "XX" "XX" "XX";
	struct error err = { 0 };
	make_file(path, size);
	assert_true(input_open_file(in, path, &err));
	unlink(path);
}

static void
test_file(void **state)
{
	struct input in;
	(void)state;
	open_counting(&in, 1000000);
	assert_int_equal(in.total_bytes, 1000000);
	check_counting(&in, 1000000);
	input_close(&in);
}

static void
test_missing_file(void **state)
{
	struct error err = { 0 };
	struct input in;
	(void)state;
	assert_false(input_open_file(&in, "/nowhere/at/all", &err));
	assert_int_equal(err.kind, ERROR_IO);
	assert_non_null(strstr(err.message, "/nowhere/at/all: "));
	input_close(&in);
	error_clear(&err);
	assert_false(input_open_file(&in, "/", &err));
	assert_string_equal(err.message, "/: is a directory");
}

/* An error of the system names the place. */
static void
test_read_error(void **state)
{
	struct error err = { 0 };
	struct input in;
	bool at_end;
	uint8_t byte;
	int ends[2];
	(void)state;
	assert_int_equal(pipe(ends), 0);
	close(ends[0]);
	/* The end for writing cannot be read. */
	assert_true(input_open_fd(&in, ends[1], &err));
	assert_false(input_byte(&in, &byte, &at_end, &err));
	assert_int_equal(err.kind, ERROR_IO);
	assert_int_equal(err.offset_bytes, 0);
	input_close(&in);
}

struct writer {
	int fd;
	size_t size;
};

static void *
write_slowly(void *context)
{
	const struct writer *writer = context;
	for (size_t i = 0; i < writer->size;) {
		uint8_t piece[977];
		size_t count = 0;
		for (; count < sizeof(piece) && i < writer->size; count++, i++)
			piece[count] = (uint8_t)(i * 7);
		if (write(writer->fd, piece, count) != (ssize_t)count)
			break;
	}
	close(writer->fd);
	return NULL;
}

/* Opens a pipe into which a thread, to be joined, writes as much as the writer is to. */
static pthread_t
open_pipe(struct input *in, struct writer *writer)
{
	struct error err = { 0 };
	pthread_t thread;
	int ends[2];
	assert_int_equal(pipe(ends), 0);
	writer->fd = ends[1];
	assert_int_equal(pthread_create(&thread, NULL, write_slowly, writer), 0);
	assert_true(input_open_fd(in, ends[0], &err));
	return thread;
}

static void
test_pipe(void **state)
{
	struct writer writer = { .size = 300000 };
	struct input in;
	(void)state;
	pthread_t thread = open_pipe(&in, &writer);
	assert_int_equal(in.total_bytes, 0);
	check_counting(&in, 300000);
	pthread_join(thread, NULL);
	input_close(&in);
}

/* Somebody who waits for a pipe that gives nothing can be told to stop. */
static void
test_cancelled_wait(void **state)
{
	struct progress progress = { .is_cancelled = true };
	struct error err = { 0 };
	struct input in;
	bool at_end;
	uint8_t byte;
	int ends[2];
	(void)state;
	assert_int_equal(pipe(ends), 0);
	assert_true(input_open_fd(&in, ends[0], &err));
	in.progress = &progress;
	assert_false(input_byte(&in, &byte, &at_end, &err));
	assert_int_equal(err.kind, ERROR_CANCELLED);
	input_close(&in);
	close(ends[1]);
}

static void
note_end(void *context)
{
	atomic_fetch_add((atomic_uint *)context, 1);
}

struct waiting {
	struct progress progress;
	int end; /* of the pipe, to be written */
	bool is_to_cancel;
};

/* Once the reader has said that it waits. */
static void *
end_wait(void *context)
{
	struct waiting *waiting = context;
	while (!atomic_load(&waiting->progress.is_waiting))
		sched_yield();
	if (waiting->is_to_cancel)
		progress_cancel(&waiting->progress);
	else
		assert_int_equal(write(waiting->end, "x", 1), 1);
	return NULL;
}

/* A long wait is told, takes no looks, and its end is told as well, whatever ends it. */
static void
test_long_wait(void **state)
{
	(void)state;
	for (int is_to_cancel = 0; is_to_cancel < 2; is_to_cancel++) {
		struct waiting waiting = { .is_to_cancel = is_to_cancel };
		struct error err = { 0 };
		struct input in;
		atomic_uint ended = 0;
		pthread_t thread;
		bool at_end;
		uint8_t byte;
		int ends[2];
		assert_int_equal(pipe(ends), 0);
		assert_true(input_open_fd(&in, ends[0], &err));
		waiting.end = ends[1];
		progress_open(&waiting.progress, note_end, &ended);
		assert_true(progress_stop_fd(&waiting.progress) >= 0);
		in.progress = &waiting.progress;
		assert_int_equal(pthread_create(&thread, NULL, end_wait, &waiting), 0);
		assert_int_equal(input_byte(&in, &byte, &at_end, &err), !is_to_cancel);
		assert_int_equal(err.kind, is_to_cancel ? ERROR_CANCELLED : ERROR_NONE);
		pthread_join(thread, NULL);
		assert_false(atomic_load(&waiting.progress.is_waiting));
		assert_int_equal(atomic_load(&ended), 1);
		progress_close(&waiting.progress);
		assert_int_equal(progress_stop_fd(&waiting.progress), -1);
		input_close(&in);
		close(ends[1]);
	}
}

/* ---- once more */

static void
test_rewound_file(void **state)
{
	struct error err = { 0 };
	struct input in;
	(void)state;
	open_counting(&in, 300000);
	assert_true(input_can_rewind(&in));
	for (int time = 0; time < 3; time++) {
		check_counting(&in, 300000);
		assert_true(input_rewind(&in, &err));
		assert_int_equal(in.offset_bytes, 0);
	}
	input_close(&in);
}

static void
test_file_that_gets_shorter(void **state)
{
	char path[] = "/tmp/ttrace-input-" "XX" "XX" "XX";
	struct error err = { 0 };
	struct input in;
	(void)state;
	make_file(path, 1000);
	assert_true(input_open_file(&in, path, &err));
	assert_true(input_has_all(&in));
	assert_int_equal(truncate(path, 2000), 0);
	assert_true(input_has_all(&in));
	assert_int_equal(truncate(path, 999), 0);
	assert_false(input_has_all(&in));
	unlink(path);
	input_close(&in);
}

/* Standard input may stand in the middle of a file; there it was opened. */
static void
test_rewound_to_the_middle(void **state)
{
	char path[] = "/tmp/ttrace-input-" "XX" "XX" "XX";
	struct error err = { 0 };
	struct input in;
	uint8_t bytes[2];
	(void)state;
	make_file(path, 1000);
	int fd = open(path, O_RDONLY);
	unlink(path);
	assert_int_equal(lseek(fd, 100, SEEK_SET), 100);
	assert_true(input_open_fd(&in, fd, &err));
	for (int time = 0; time < 2; time++) {
		assert_true(input_exact(&in, bytes, sizeof(bytes), &err));
		assert_int_equal(bytes[1], 101 * 7 & 0xff);
		assert_true(input_rewind(&in, &err));
	}
	input_close(&in);
}

static void
test_spooled_pipe(void **state)
{
	struct progress progress = { 0 };
	struct writer writer = { .size = 300000 };
	struct error err = { 0 };
	struct input in;
	(void)state;
	pthread_t thread = open_pipe(&in, &writer);
	in.progress = &progress;
	assert_false(input_can_rewind(&in));
	struct spool spool;
	assert_true(spool_begin(&spool, &in, &err));
	check_counting(&spool.reading, 300000);
	assert_true(spool_end(&spool, &err));
	pthread_join(thread, NULL);
	assert_ptr_equal(in.progress, &progress);
	assert_int_equal(in.total_bytes, 300000);
	check_counting(&in, 300000);
	assert_true(input_can_rewind(&in) && input_rewind(&in, &err));
	check_counting(&in, 300000);
	input_close(&in);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_cursor_varint),
		cmocka_unit_test(test_cursor_varints),
		cmocka_unit_test(test_cursor_bytes),
		cmocka_unit_test(test_file),
		cmocka_unit_test(test_missing_file),
		cmocka_unit_test(test_rewound_file),
		cmocka_unit_test(test_rewound_to_the_middle),
		cmocka_unit_test(test_file_that_gets_shorter),
		cmocka_unit_test(test_spooled_pipe),
		cmocka_unit_test(test_read_error),
		cmocka_unit_test(test_pipe),
		cmocka_unit_test(test_cancelled_wait),
		cmocka_unit_test(test_long_wait),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

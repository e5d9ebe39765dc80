/*
 * Output that does not block with a reader that is slow, and input that does not block
 * with a writer that is: all bytes pass, in order.
 */
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "app/outlet.h"
#include "base/descriptor.h"
#include "base_testing.h"
#include "base/thread.h"
#include "input/input.h"

enum { PIECES = 300, PIECE_BYTES = 4000 };

/* A pipe with one end that does not block. */
struct slow_pipe {
	int ends[2];
	size_t bytes; /* that passed */
	bool is_wrong;
};

static void
open_pipe(struct slow_pipe *slow, int end)
{
	assert_int_equal(pipe(slow->ends), 0);
	assert_int_equal(fcntl(slow->ends[end], F_SETFL, O_NONBLOCK), 0);
}

/* The byte at a place of what is sent. */
static char
byte_at(size_t place)
{
	return (char)('a' + place % 23);
}

static void
read_slowly(void *context)
{
	struct slow_pipe *slow = context;
	char bytes[777];
	for (ssize_t length = 0; (length = read(slow->ends[0], bytes, sizeof bytes)) > 0;) {
		for (ssize_t i = 0; i < length; i++)
			slow->is_wrong |= bytes[i] != byte_at(slow->bytes++);
	}
}

static void
output_that_does_not_block_is_whole(void **state)
{
	(void)state;
	struct slow_pipe slow = { .bytes = 0 };
	struct error err = { 0 };
	open_pipe(&slow, 1);
	struct worker *reader = worker_new(read_slowly, &slow, &err);
	struct outlet outlet = { .fd = slow.ends[1] };
	char piece[PIECE_BYTES];
	for (size_t i = 0; i < PIECES; i++) {
		for (size_t k = 0; k < PIECE_BYTES; k++)
			piece[k] = byte_at(i * PIECE_BYTES + k);
		if (!outlet_write(&outlet, piece, sizeof piece, &err))
			fail_msg("piece %zu: %s", i, err.message);
	}
	close(slow.ends[1]);
	worker_join(reader);
	close(slow.ends[0]);
	assert_int_equal(slow.bytes, (size_t)PIECES * PIECE_BYTES);
	assert_false(slow.is_wrong);
}

/* The next byte only when the one before was taken: the reader finds nothing most times. */
static void
write_slowly(void *context)
{
	struct slow_pipe *slow = context;
	for (size_t i = 0; i < PIECE_BYTES; i++) {
		char byte = byte_at(i);
		slow->is_wrong |= write(slow->ends[1], &byte, 1) != 1;
	}
	close(slow->ends[1]);
}

static void
input_that_does_not_block_is_whole(void **state)
{
	(void)state;
	struct slow_pipe slow = { .bytes = 0 };
	struct error err = { 0 };
	struct input in;
	bool at_end = false;
	uint8_t byte = 0;
	int standard_input = dup(STDIN_FILENO);
	open_pipe(&slow, 0);
	assert_int_equal(dup2(slow.ends[0], STDIN_FILENO), STDIN_FILENO);
	assert_true(input_open_file(&in, "-", &err));
	struct worker *writer = worker_new(write_slowly, &slow, &err);
	for (; input_byte(&in, &byte, &at_end, &err) && !at_end; slow.bytes++)
		assert_int_equal(byte, byte_at(slow.bytes));
	worker_join(writer);
	if (err.kind != ERROR_NONE)
		fail_msg("after %zu bytes: %s", slow.bytes, err.message);
	assert_int_equal(slow.bytes, PIECE_BYTES);
	assert_false(slow.is_wrong);
	input_close(&in);
	dup2(standard_input, STDIN_FILENO);
	close(standard_input);
	close(slow.ends[0]);
}

static void
what_is_too_long_is_not_read(void **state)
{
	(void)state;
	int ends[2];
	struct text out = { 0 };
	assert_int_equal(pipe(ends), 0);
	assert_true(descriptor_write_all(ends[1], "12345", 5));
	close(ends[1]);
	assert_false(descriptor_read_all(ends[0], 4, &out));
	assert_int_equal(errno, EFBIG);
	close(ends[0]);
	text_release(&out);
	assert_false(descriptor_read_all(ends[0], 4, &out));
	assert_int_equal(errno, EBADF);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(output_that_does_not_block_is_whole),
		cmocka_unit_test(input_that_does_not_block_is_whole),
		cmocka_unit_test(what_is_too_long_is_not_read),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

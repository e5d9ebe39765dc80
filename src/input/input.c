/*
 * Buffered reading of files, pipes and memory. What is asked for in large
 * pieces goes straight to its place; only small pieces pass through the buffer.
 */
#include "input/input.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/descriptor.h"
#include "base/memory.h"

/* How soon a reader that waits sees that it shall stop, or that it is going to be long. */
enum { CANCEL_POLL_MS = 100 };
enum { SKIMMED_BYTES = 256 };  /* read behind what was skipped, where more may be skipped next */

/* Until the descriptor has something to say, or the time is over (-1: it never is); false then. */
static bool
poll_bytes(const struct input *in, int timeout_ms)
{
	/* poll() passes over a descriptor of -1. */
	struct pollfd waited[] = {
		{ .fd = in->fd, .events = POLLIN },
		{ .fd = progress_stop_fd(in->progress), .events = POLLIN },
	};
	int ready = poll(waited, ARRAY_LENGTH(waited), timeout_ms);

	/* An error of poll() itself is left to read(), which can name it. */
	return ready < 0 ? errno != EINTR : waited[0].revents != 0;
}

/* Waits until the descriptor has something to say; false when cancelled. */
static bool
wait_for_bytes(const struct input *in, struct error *err)
{
	struct progress *progress = in->progress;
	bool is_ready = progress == NULL, is_long = false;

	while (!is_ready && !atomic_load(&progress->is_cancelled)) {
		is_ready = poll_bytes(in, is_long ? -1 : CANCEL_POLL_MS);
		if (is_ready || is_long || progress_stop_fd(progress) < 0)
			continue;
		is_long = true;
		progress_wait(progress, true);
	}
	if (is_long)
		progress_wait(progress, false);
	return is_ready || error_set(err, ERROR_CANCELLED, "reading was cancelled");
}

/* Tells who waits for the work that these bytes are for. */
static void
publish(const struct input *in, size_t got)
{
	uint64_t at_bytes = in->offset_bytes + (in->buffer_end - in->buffer_at) + got;

	if (in->progress != NULL)
		atomic_store_explicit(&in->progress->read_bytes, at_bytes, memory_order_relaxed);
}

static bool
read_fd(struct input *in, void *out, size_t size, size_t *got, struct error *err)
{
	ssize_t count;

	do {
		if (!wait_for_bytes(in, err))
			return false;
		count = read(in->fd, out, size);
	} while (count < 0 && descriptor_can_read_again(in->fd));
	if (count < 0)
		return error_set_at(err, ERROR_IO, in->offset_bytes, "cannot read: %s",
		                    strerror(errno));
	*got = (size_t)count;
	publish(in, *got);
	return true;
}

static bool
read_memory(struct input *in, void *out, size_t size, size_t *got, struct error *err)
{
	size_t left = in->memory_size - in->memory_at;

	(void)err;
	*got = size < left ? size : left;
	if (*got > 0)
		memcpy(out, in->memory + in->memory_at, *got);
	in->memory_at += *got;
	return true;
}

static bool
allocate_buffer(struct input *in, struct error *err)
{
	if (array_reserve(&in->buffer, &in->buffer_capacity, INPUT_BUFFER_BYTES, 1, err))
		return true;
	input_close(in);
	return false;
}

bool
input_open_fd(struct input *in, int fd, struct error *err)
{
	struct stat status;

	*in = (struct input){ .read = read_fd, .fd = fd, .owns_fd = true };
	if (fstat(fd, &status) == 0 && S_ISREG(status.st_mode)) {
		off_t at = lseek(fd, 0, SEEK_CUR);
		if (at >= 0 && at < status.st_size)
			in->total_bytes = (uint64_t)(status.st_size - at);
		in->can_rewind = at >= 0;
		in->start_bytes = at;
	}
	return allocate_buffer(in, err);
}

/* Standard input stays open behind us; others may still hold it. */
static bool
open_standard_input(struct input *in, struct error *err)
{
	if (!input_open_fd(in, STDIN_FILENO, err))
		return false;
	in->owns_fd = false;
	return true;
}

/* The name may be longer than a message: then it is the name that is cut. */
static bool
refuse_path(const char *path, const char *reason, struct error *err)
{
	error_set(err, ERROR_IO, "%s", reason);
	error_prefix(err, "%s", path);
	return false;
}

static bool
refuse_directory(int fd, const char *path, struct error *err)
{
	struct stat status;

	if (fstat(fd, &status) != 0 || !S_ISDIR(status.st_mode))
		return true;
	return refuse_path(path, "is a directory", err);
}

bool
input_open_file(struct input *in, const char *path, struct error *err)
{
	*in = (struct input){ .fd = -1 };
	if (strcmp(path, "-") == 0)
		return open_standard_input(in, err);

	int fd;
	do {
		fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	} while (fd < 0 && errno == EINTR);
	if (fd < 0)
		return refuse_path(path, strerror(errno), err);
	if (!refuse_directory(fd, path, err)) {
		close(fd);
		return false;
	}
	if (!input_open_fd(in, fd, err))
		return false;
	in->path = path;
	return true;
}

bool
input_open_memory(struct input *in, const void *bytes, size_t size, struct error *err)
{
	*in = (struct input){
		.read = read_memory,
		.fd = -1,
		.memory = bytes,
		.memory_size = size,
		.total_bytes = size,
		.can_rewind = true,
	};
	return allocate_buffer(in, err);
}

bool
input_open_converted(struct input *in, struct input *from,
                     bool (*read)(struct input *in, void *out, size_t size, size_t *got,
                                  struct error *err),
                     void (*release)(void *context), void *context, struct error *err)
{
	*in = (struct input){
		.read = read,
		.fd = -1,
		.from = from,
		.progress = from->progress,
		.release = release,
		.context = context,
	};
	return allocate_buffer(in, err);
}

void
input_close(struct input *in)
{
	if (in->owns_fd)
		close(in->fd);
	if (in->release != NULL)
		in->release(in->context);
	memory_free(in->buffer);
	*in = (struct input){ .fd = -1 };
}

bool
input_can_rewind(const struct input *in)
{
	return in->can_rewind;
}

/* The place in the file; false beyond what a file can have. */
static bool
place_in_file(const struct input *in, uint64_t offset_bytes, int64_t *place)
{
	if (offset_bytes > (uint64_t)(INT64_MAX - in->start_bytes))
		return false;
	*place = in->start_bytes + (int64_t)offset_bytes;
	return true;
}

bool
input_seek(struct input *in, uint64_t offset_bytes, struct error *err)
{
	int64_t place = 0;

	assert(in->can_rewind);
	if (!place_in_file(in, offset_bytes, &place))
		return error_set(err, ERROR_IO, "cannot read again: there is no such place");
	if (in->fd >= 0 && lseek(in->fd, (off_t)place, SEEK_SET) < 0)
		return error_set(err, ERROR_IO, "cannot read again: %s", strerror(errno));
	in->memory_at = offset_bytes < in->memory_size ? (size_t)offset_bytes : in->memory_size;
	in->buffer_at = in->buffer_end = 0;
	in->offset_bytes = offset_bytes;
	return true;
}

bool
input_rewind(struct input *in, struct error *err)
{
	return input_seek(in, 0, err);
}

bool
input_skip(struct input *in, uint64_t count, struct error *err)
{
	size_t ready = in->buffer_end - in->buffer_at;

	if (count <= ready) {
		input_take(in, (size_t)count);
		return true;
	}
	in->is_skimming = input_seek(in, in->offset_bytes + count, err);
	return in->is_skimming;
}

static bool
look_into_file(const struct input *in, uint64_t offset_bytes, void *out, size_t size,
               size_t *got, struct error *err)
{
	int64_t place;
	ssize_t count = 0;

	*got = 0;
	if (!place_in_file(in, offset_bytes, &place))
		return true;
	do {
		count = pread(in->fd, (char *)out + *got, size - *got, (off_t)place + (off_t)*got);
		if (count > 0)
			*got += (size_t)count;
	} while ((count > 0 && *got < size) || (count < 0 && errno == EINTR));
	return count >= 0 || error_set_at(err, ERROR_IO, offset_bytes, "cannot read: %s",
	                                  strerror(errno));
}

bool
input_look(const struct input *in, uint64_t offset_bytes, void *out, size_t size, size_t *got,
           struct error *err)
{
	assert(in->can_rewind);
	if (in->fd >= 0)
		return look_into_file(in, offset_bytes, out, size, got, err);
	uint64_t left = offset_bytes < in->memory_size ? in->memory_size - offset_bytes : 0;
	*got = size < left ? size : (size_t)left;
	if (*got > 0)
		memcpy(out, in->memory + offset_bytes, *got);
	return true;
}

bool
input_has_all(const struct input *in)
{
	struct stat status;
	if (in->fd < 0 || in->total_bytes == 0 || fstat(in->fd, &status) != 0)
		return true;
	return (uint64_t)in->start_bytes + in->total_bytes <= (uint64_t)status.st_size;
}

uint64_t
input_known_bytes(const struct input *in)
{
	uint64_t seen = in->offset_bytes + (in->buffer_end - in->buffer_at);
	return in->total_bytes > seen ? in->total_bytes : seen;
}

const struct input *
input_root(const struct input *in)
{
	while (in->from != NULL)
		in = in->from;
	return in;
}

/* Reads once more behind what is in the buffer, which is not full; *at_end when nothing came. */
static bool
read_ahead(struct input *in, bool *at_end, struct error *err)
{
	size_t got = 0;

	if (in->buffer_at > 0) {
		in->buffer_end -= in->buffer_at;
		memmove(in->buffer, in->buffer + in->buffer_at, in->buffer_end);
		in->buffer_at = 0;
	}
	if (!in->read(in, in->buffer + in->buffer_end, INPUT_BUFFER_BYTES - in->buffer_end, &got,
	              err))
		return false;
	in->buffer_end += got;
	*at_end = got == 0;
	return true;
}

static bool
is_about_bytes(const struct error *err)
{
	return err->kind != ERROR_CANCELLED && err->kind != ERROR_MEMORY;
}

bool
input_peek(struct input *in, size_t size, const uint8_t **bytes, size_t *got, struct error *err)
{
	bool at_end = false;

	assert(size <= INPUT_BUFFER_BYTES);
	while (!at_end && in->buffer_end - in->buffer_at < size) {
		if (read_ahead(in, &at_end, err))
			continue;
		if (in->buffer_end == in->buffer_at || !is_about_bytes(err))
			return false;
		/* It comes again once what is there has been taken. */
		error_clear(err);
		break;
	}
	*bytes = in->buffer + in->buffer_at;
	*got = in->buffer_end - in->buffer_at;
	if (*got > size)
		*got = size;
	return true;
}

bool
input_unread(struct input *in, const void *bytes, size_t count, struct error *err)
{
	size_t left = in->buffer_end - in->buffer_at;
	assert(count <= in->offset_bytes);
	if (count == 0)
		return true;
	if (count > in->buffer_at) {
		if (!array_reserve(&in->buffer, &in->buffer_capacity, count + left, 1, err))
			return false;
		memmove(in->buffer + count, in->buffer + in->buffer_at, left);
		in->buffer_at = count;
		in->buffer_end = count + left;
	}
	in->buffer_at -= count;
	memcpy(in->buffer + in->buffer_at, bytes, count);
	in->offset_bytes -= count;
	return true;
}

bool
input_ready(struct input *in, const uint8_t **bytes, size_t *got, struct error *err)
{
	if (!input_peek(in, 1, bytes, got, err))
		return false;
	*got = in->buffer_end - in->buffer_at;
	return true;
}

void
input_take(struct input *in, size_t count)
{
	assert(count <= in->buffer_end - in->buffer_at);
	in->buffer_at += count;
	in->offset_bytes += count;
}

bool
input_line(struct input *in, const uint8_t **line, size_t *length, struct error *err)
{
	const uint8_t *newline = NULL;
	size_t seen = 0;
	bool at_end = false;

	for (;;) {
		size_t ready = in->buffer_end - in->buffer_at;
		if (ready > seen)
			newline = memchr(in->buffer + in->buffer_at + seen, '\n', ready - seen);
		if (newline != NULL || at_end)
			break;
		seen = ready;
		if (seen == INPUT_BUFFER_BYTES)
			return error_set_at(err, ERROR_LIMIT, in->offset_bytes,
			                    "a line is longer than %d bytes",
			                    INPUT_BUFFER_BYTES - 1);
		if (!read_ahead(in, &at_end, err))
			return false;
	}
	*line = in->buffer + in->buffer_at;
	*length = newline != NULL ? (size_t)(newline - *line) : in->buffer_end - in->buffer_at;
	if (newline == NULL && *length == 0)
		*line = NULL;
	input_take(in, *length + (newline != NULL));
	return true;
}

/* Refills the empty buffer; *at_end when nothing came. */
static bool
refill(struct input *in, bool *at_end, struct error *err)
{
	size_t size = in->is_skimming ? SKIMMED_BYTES : INPUT_BUFFER_BYTES, got = 0;

	in->is_skimming = false;
	in->buffer_at = in->buffer_end = 0;
	if (!in->read(in, in->buffer, size, &got, err))
		return false;
	in->buffer_end = got;
	*at_end = got == 0;
	return true;
}

bool
input_byte(struct input *in, uint8_t *byte, bool *at_end, struct error *err)
{
	*at_end = false;
	if (in->buffer_at == in->buffer_end && !refill(in, at_end, err))
		return false;
	if (*at_end)
		return true;
	*byte = in->buffer[in->buffer_at++];
	in->offset_bytes++;
	return true;
}

/* Up to size bytes: out of the buffer, or directly where that saves copying. */
static bool
take_some(struct input *in, uint8_t *out, size_t size, size_t *taken, struct error *err)
{
	bool at_end;

	if (in->buffer_at == in->buffer_end && size >= INPUT_BUFFER_BYTES)
		return in->read(in, out, size, taken, err);
	if (in->buffer_at == in->buffer_end && !refill(in, &at_end, err))
		return false;
	size_t ready = in->buffer_end - in->buffer_at;
	*taken = size < ready ? size : ready;
	if (*taken > 0)
		memcpy(out, in->buffer + in->buffer_at, *taken);
	in->buffer_at += *taken;
	return true;
}

bool
input_exact(struct input *in, void *out, size_t size, struct error *err)
{
	uint8_t *to = out;
	size_t missing = size;

	while (missing > 0) {
		size_t taken = 0;
		if (!take_some(in, to, missing, &taken, err))
			return false;
		if (taken == 0)
			return error_set_at(err, ERROR_TRUNCATED, in->offset_bytes,
			                    "the input ends where %zu more bytes should be",
			                    missing);
		to += taken;
		missing -= taken;
		in->offset_bytes += taken;
	}
	return true;
}

bool
input_some(struct input *in, void *out, size_t size, size_t *got, struct error *err)
{
	if (!take_some(in, out, size, got, err))
		return false;
	in->offset_bytes += *got;
	return true;
}

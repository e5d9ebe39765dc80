/* Pipes become files. */
#include "input/spool.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/descriptor.h"
#include "base/text.h"

/* A file that vanishes when it is closed. */
static int
open_unnamed(struct error *err)
{
	const char *directory = getenv("TMPDIR");
	struct text path = { 0 };
	if (directory == NULL || *directory == '\0')
		directory = "/tmp";
	text_add_string(&path, directory);
	text_add_string(&path, "/ttrace.");
	for (int i = 0; i < 6; i++)
		text_add_string(&path, "X"); /* for mkstemp() to replace */
	if (path.failed) {
		error_set_memory(err, "a temporary file");
		return -1;
	}
	int fd = mkstemp(path.bytes);
	if (fd >= 0)
		unlink(path.bytes);
	else
		error_set(err, ERROR_IO,
			"a trace from a pipe is kept in a file while it is read twice, but in %s "
			"there can be none: %s",
			directory, strerror(errno));
	text_release(&path);
	return fd;
}

static bool
write_all(int fd, const uint8_t *bytes, size_t length, struct error *err)
{
	while (length > 0) {
		ssize_t written = write(fd, bytes, length);
		if (written < 0 && descriptor_can_write_again(fd))
			continue;
		if (written < 0)
			return error_set(err, ERROR_IO,
				"cannot keep what comes from the pipe in a file: %s",
				strerror(errno));
		bytes += written;
		length -= (size_t)written;
	}
	return true;
}

static bool
copy(struct input *in, int fd, struct error *err)
{
	const uint8_t *bytes;
	size_t count;
	do {
		if (!input_ready(in, &bytes, &count, err) || !write_all(fd, bytes, count, err))
			return false;
		input_take(in, count);
	} while (count > 0);
	return true;
}

bool
spool_input(struct input *in, struct error *err)
{
	if (input_can_rewind(in))
		return true;
	atomic_bool *is_cancelled = in->is_cancelled;
	int fd = open_unnamed(err);
	if (fd < 0)
		return false;
	if (!copy(in, fd, err) || lseek(fd, 0, SEEK_SET) != 0) {
		close(fd);
		return error_set(err, ERROR_IO, "cannot rewind: %s", strerror(errno));
	}
	input_close(in);
	if (!input_open_fd(in, fd, err))
		return false;
	in->is_cancelled = is_cancelled;
	return true;
}

/* Interrupted, or not ready yet. */
#include "base/descriptor.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <unistd.h>

enum { WAIT_MS = 100 }; /* not for ever: the caller may have been told to stop */

static bool
can_try_again(int fd, short events)
{
	if (errno == EINTR)
		return true;
	if (errno != EAGAIN && errno != EWOULDBLOCK)
		return false;
	/* What goes wrong here, the next try names. */
	struct pollfd waited = { .fd = fd, .events = events };
	(void)poll(&waited, 1, WAIT_MS);
	return true;
}

bool
descriptor_can_read_again(int fd)
{
	return can_try_again(fd, POLLIN);
}

bool
descriptor_read_all(int fd, size_t most, struct text *out)
{
	char block[4096];
	ssize_t got;
	while ((got = read(fd, block, sizeof block)) != 0) {
		if (got < 0 && !descriptor_can_read_again(fd))
			return false;
		if (got < 0)
			continue;
		text_add(out, block, (size_t)got);
		if (out->failed || out->length > most) {
			errno = out->failed ? ENOMEM : EFBIG;
			return false;
		}
	}
	return true;
}

bool
descriptor_write_all(int fd, const void *bytes, size_t length)
{
	const char *at = bytes;
	while (length > 0) {
		ssize_t written = write(fd, at, length);
		if (written < 0 && !can_try_again(fd, POLLOUT))
			return false;
		if (written < 0)
			continue;
		at += written;
		length -= (size_t)written;
	}
	return true;
}

static bool
is_ours_alone(int fd)
{
	return fcntl(fd, F_SETFL, O_NONBLOCK) == 0 && fcntl(fd, F_SETFD, FD_CLOEXEC) == 0;
}

bool
descriptor_open_pipe(int ends[2])
{
	if (pipe(ends) != 0)
		return false;
	if (is_ours_alone(ends[0]) && is_ours_alone(ends[1]))
		return true;
	int code = errno;
	close(ends[0]);
	close(ends[1]);
	errno = code;
	return false;
}

int
descriptor_make_file(struct text *path)
{
	for (int i = 0; i < 6; i++)
		text_add_string(path, "X"); /* for mkstemp() to replace */
	if (path->failed) {
		errno = ENOMEM;
		return -1;
	}
	return mkstemp(path->bytes);
}

/* Interrupted, or not ready yet. */
#include "base/descriptor.h"

#include <errno.h>
#include <poll.h>

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
descriptor_can_write_again(int fd)
{
	return can_try_again(fd, POLLOUT);
}

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
	int fd = descriptor_make_file(&path);
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
read_and_keep(struct input *in, void *out, size_t size, size_t *got, struct error *err)
{
	const struct spool *spool = in->context;
	if (!input_some(in->from, out, size, got, err))
		return false;
	return descriptor_write_all(spool->fd, out, *got) ||
	       error_set(err, ERROR_IO, "cannot keep what comes from the pipe in a file: %s",
		       strerror(errno));
}

bool
spool_begin(struct spool *spool, struct input *in, struct error *err)
{
	*spool = (struct spool){ .in = in, .fd = open_unnamed(err) };
	if (spool->fd < 0)
		return false;
	if (input_open_converted(&spool->reading, in, read_and_keep, NULL, spool, err))
		return true;
	close(spool->fd);
	return false;
}

bool
spool_end(struct spool *spool, struct error *err)
{
	struct input *in = spool->in;
	struct progress *progress = in->progress;
	input_close(&spool->reading);
	input_close(in);
	bool is_rewound = lseek(spool->fd, 0, SEEK_SET) == 0;
	if (!is_rewound)
		error_set(err, ERROR_IO, "cannot rewind: %s", strerror(errno));
	if (!input_open_fd(in, spool->fd, err))
		return false;
	in->progress = progress;
	return is_rewound;
}

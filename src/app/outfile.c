/* Writing beside and renaming. */
#include "app/outfile.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/descriptor.h"

enum { MODE_OF_NEW = 0666, MODE_OF_PRIVATE = 0600 };

static bool
fail(const struct outfile *file, int reason, struct error *err)
{
	return error_set(err, ERROR_IO, "%s: %s", file->path.bytes, strerror(reason));
}

/* The rights of a file made in the usual way. */
static mode_t
usual_mode(void)
{
	mode_t mask = umask(0);
	umask(mask);
	return MODE_OF_NEW & ~mask;
}

/* What a link leads to is what shall be replaced. */
static void
set_path(struct outfile *file, const char *path)
{
	char *target = realpath(path, NULL);
	text_add_string(&file->path, target != NULL ? target : path);
	free(target);
}

static bool
open_beside(struct outfile *file, mode_t mode, struct error *err)
{
	text_format(&file->beside, "%s.", file->path.bytes);
	file->fd = descriptor_make_file(&file->beside);
	if (file->fd < 0)
		return fail(file, errno, err);
	/* Rights that cannot be given are no reason to fail. */
	(void)!fchmod(file->fd, mode);
	return true;
}

static bool
open_directly(struct outfile *file, struct error *err)
{
	file->fd = open(file->path.bytes, O_WRONLY | O_NOCTTY | O_CLOEXEC);
	return file->fd >= 0 || fail(file, errno, err);
}

static void
release(struct outfile *file)
{
	text_release(&file->path);
	text_release(&file->beside);
	file->fd = -1;
}

bool
outfile_open(struct outfile *file, const char *path, struct error *err)
{
	struct stat status;
	bool is_open;
	*file = (struct outfile){ .fd = -1 };
	set_path(file, path);
	if (file->path.failed)
		is_open = error_set_memory(err, "the name of a file");
	else if (stat(path, &status) != 0)
		is_open = open_beside(file, usual_mode(), err);
	else if (S_ISREG(status.st_mode))
		is_open = open_beside(file, status.st_mode & 0777, err);
	else
		is_open = open_directly(file, err);
	if (!is_open)
		release(file);
	return is_open;
}

bool
outfile_open_private(struct outfile *file, const char *path, struct error *err)
{
	*file = (struct outfile){ .fd = -1 };
	text_add_string(&file->path, path);
	if (file->path.failed ? error_set_memory(err, "the name of a file")
	                      : open_beside(file, MODE_OF_PRIVATE, err))
		return true;
	release(file);
	return false;
}

bool
outfile_write(struct outfile *file, const char *bytes, size_t length, struct error *err)
{
	return descriptor_write_all(file->fd, bytes, length) || fail(file, errno, err);
}

bool
outfile_close(struct outfile *file, bool is_wanted, struct error *err)
{
	bool is_beside = file->beside.length > 0;
	bool is_fine = is_wanted;
	if (file->fd < 0)
		return true;
	if (close(file->fd) != 0 && is_fine)
		is_fine = fail(file, errno, err);
	if (is_fine && is_beside && rename(file->beside.bytes, file->path.bytes) != 0)
		is_fine = fail(file, errno, err);
	if (!is_fine && is_beside)
		unlink(file->beside.bytes);
	release(file);
	return is_fine || !is_wanted;
}

bool
outfile_save(const char *path, bool is_private, const struct text *bytes, const char *what,
	struct error *err)
{
	struct outfile file;
	if (bytes->failed)
		return error_set_memory(err, what);
	if (!(is_private ? outfile_open_private(&file, path, err) : outfile_open(&file, path, err)))
		return false;
	bool is_fine = outfile_write(&file, bytes->bytes, bytes->length, err);
	return outfile_close(&file, is_fine, err) && is_fine;
}

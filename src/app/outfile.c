/* Writing beside and renaming. */
#include "app/outfile.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/compiler.h"
#include "base/descriptor.h"

enum { MODE_OF_NEW = 0666, MODE_OF_PRIVATE = 0600 };

static bool
fail(const struct outfile *file, int reason, struct error *err)
{
	return error_set(err, ERROR_IO, "%s: %s", file->path.bytes, strerror(reason));
}

/* ---- where a path leads */

/*
 * The descriptor that a name like /dev/stdout stands for, -1 for none. It is written to as it is:
 * if it were opened anew, a file would be written from its beginning, or another would replace it.
 */
static int
named_descriptor(const char *path)
{
	static const char *const folders[] = { "/dev/fd/", "/proc/self/fd/" };
	if (strcmp(path, "/dev/stdout") == 0)
		return STDOUT_FILENO;
	if (strcmp(path, "/dev/stderr") == 0)
		return STDERR_FILENO;
	for (size_t i = 0; i < ARRAY_LENGTH(folders); i++) {
		if (!text_has_prefix(path, strlen(path), folders[i]))
			continue;
		const char *digits = path + strlen(folders[i]);
		char *end;
		long number = strtol(digits, &end, 10);
		if (*digits >= '0' && *digits <= '9' && *end == '\0' && number <= INT_MAX)
			return (int)number;
	}
	return -1;
}

/*
 * In a folder that others can write to, a link may be one of theirs. Whoever follows it lets them
 * choose which file of the user is replaced.
 */
static bool
check_link(const char *folder, const char *link, struct error *err)
{
	struct stat status;
	if (stat(folder, &status) != 0)
		return error_set(err, ERROR_IO, "%s: %s", folder, strerror(errno));
	bool is_ours = status.st_uid == geteuid() || status.st_uid == 0;
	if (is_ours && (status.st_mode & (S_IWGRP | S_IWOTH)) == 0)
		return true;
	return error_set(err, ERROR_USAGE,
		"%s is a symbolic link in a folder that others can write to, and may be theirs: "
		"give the file that it leads to", link);
}

/* What the link leads to, an absolute path where it stands in the root; then what came behind it. */
static bool
read_link(struct text *out, const char *link, const char *rest, struct error *err)
{
	char target[4096];
	ssize_t length = readlink(link, target, sizeof target);
	if (length < 0 || (size_t)length == sizeof target)
		return error_set(err, ERROR_IO, "%s: %s", link, strerror(length < 0 ? errno : ENAMETOOLONG));
	text_clear(out);
	text_add(out, target, (size_t)length);
	text_add_string(out, rest);
	return true;
}

/*
 * Finds the place without links that a path leads to, which need not be there; or *descriptor,
 * where it leads to the name of one.
 */
static bool
follow_links(struct text *place, int *descriptor, const char *path, struct error *err)
{
	enum { MOST_LINKS = 40 };
	struct text rest = { 0 }, next = { 0 }, folder = { 0 };
	size_t at = 0;
	int links = 0;
	bool is_fine = true;
	*descriptor = -1;
	text_add_string(&rest, path);
	while (is_fine && at < rest.length && !rest.failed && !place->failed) {
		struct stat status;
		if (place->length == 0 && at == 0 && (*descriptor = named_descriptor(rest.bytes)) >= 0)
			break;
		text_copy(&folder, place);
		size_t slashes = strspn(rest.bytes + at, "/");
		size_t length = slashes + strcspn(rest.bytes + at + slashes, "/");
		if (folder.length == 0)
			text_add_string(&folder, slashes > 0 ? "/" : ".");
		text_add(place, rest.bytes + at, length);
		at += length;
		if (place->failed || lstat(place->bytes, &status) != 0 || !S_ISLNK(status.st_mode))
			continue;
		is_fine = check_link(text_string(&folder), place->bytes, err) &&
			  read_link(&next, place->bytes, rest.bytes + at, err);
		if (is_fine && ++links > MOST_LINKS)
			is_fine = error_set(err, ERROR_IO, "%s: %s", path, strerror(ELOOP));
		text_clear(place);
		if (next.length > 0 && next.bytes[0] != '/')
			text_format(place, "%s/", text_string(&folder));
		text_copy(&rest, &next);
		at = 0;
	}
	if (rest.failed || next.failed || folder.failed || place->failed)
		is_fine = error_set_memory(err, "the name of a file");
	else if (is_fine && place->length == 0 && *descriptor < 0)
		is_fine = error_set(err, ERROR_USAGE, "a file without a name");
	text_release(&rest);
	text_release(&next);
	text_release(&folder);
	return is_fine;
}

/* ---- opening */

/* The rights of a file made in the usual way. */
static mode_t
usual_mode(void)
{
	mode_t mask = umask(0);
	umask(mask);
	return MODE_OF_NEW & ~mask;
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

/*
 * What replaces a file gets its owner, group and rights. Where the group cannot be kept, another
 * group gets only the rights that all have.
 */
static bool
open_in_place_of(struct outfile *file, const struct stat *before, struct error *err)
{
	mode_t mode = before->st_mode & 0777;
	if (access(file->path.bytes, W_OK) != 0)
		return fail(file, errno, err);
	if (!open_beside(file, MODE_OF_PRIVATE, err))
		return false;
	if (fchown(file->fd, before->st_uid, before->st_gid) != 0 &&
		fchown(file->fd, (uid_t)-1, before->st_gid) != 0)
		mode &= 0707 | (mode & 07) << 3;
	(void)!fchmod(file->fd, mode);
	return true;
}

/* What the name leads to may have changed since it was looked at. */
static bool
open_directly(struct outfile *file, struct error *err)
{
	struct stat status;
	file->fd = open(file->path.bytes, O_WRONLY | O_NOCTTY | O_NOFOLLOW | O_CLOEXEC);
	if (file->fd < 0)
		return fail(file, errno, err);
	if (fstat(file->fd, &status) == 0 && !S_ISREG(status.st_mode))
		return true;
	close(file->fd);
	return error_set(err, ERROR_IO, "%s was replaced meanwhile", file->path.bytes);
}

static bool
open_descriptor(struct outfile *file, int descriptor, const char *path, struct error *err)
{
	text_clear(&file->path);
	text_add_string(&file->path, path);
	if (file->path.failed)
		return error_set_memory(err, "the name of a file");
	file->fd = fcntl(descriptor, F_DUPFD_CLOEXEC, 0);
	return file->fd >= 0 || fail(file, errno, err);
}

static bool
open_place(struct outfile *file, struct error *err)
{
	struct stat status;
	if (lstat(file->path.bytes, &status) != 0)
		return errno == ENOENT ? open_beside(file, usual_mode(), err) : fail(file, errno, err);
	return S_ISREG(status.st_mode) ? open_in_place_of(file, &status, err) : open_directly(file, err);
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
	int descriptor;
	*file = (struct outfile){ .fd = -1 };
	if (strcmp(path, "-") == 0)
		path = "/dev/stdout";
	if (follow_links(&file->path, &descriptor, path, err) &&
		(descriptor >= 0 ? open_descriptor(file, descriptor, path, err) : open_place(file, err)))
		return true;
	release(file);
	return false;
}

bool
outfile_open_new(struct outfile *file, const char *path, struct error *err)
{
	struct stat status;
	int descriptor;
	*file = (struct outfile){ .fd = -1 };
	bool is_found = follow_links(&file->path, &descriptor, path, err);
	if (is_found && (descriptor >= 0 || lstat(file->path.bytes, &status) == 0))
		is_found = error_set(err, ERROR_USAGE, "%s is there already: choose another name", path);
	if (is_found && open_beside(file, usual_mode(), err))
		return true;
	release(file);
	return false;
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

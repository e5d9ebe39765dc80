/* Names, rights, and making what is not there. */
#include "app/userfolder.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <time.h>
#include <unistd.h>

/* Others hold the lock as long as it takes to write a small file. */
enum { LOCK_TRIES = 100, LOCK_WAIT_NS = 5000000 };

enum { MODE_OF_FOLDER = 0700, MODES_OF_OTHERS = 077 };

/* ---- names */

bool
userfolder_add(struct text *out, const char *base, const char *home, const char *usual)
{
	if (base != NULL && base[0] == '/')
		text_format(out, "%s/ttrace", base);
	else if (home != NULL && home[0] == '/')
		text_format(out, "%s/%s/ttrace", home, usual);
	else
		return false;
	return true;
}

void
userfolder_add_shown(struct text *out, const char *home, const char *path)
{
	size_t length = home == NULL ? 0 : strlen(home);
	if (length > 1 && strncmp(path, home, length) == 0 && path[length] == '/')
		text_format(out, "~%s", path + length);
	else
		text_add_string(out, path);
}

bool
userfolder_of(struct text *folder, const char *path, struct error *err)
{
	text_add(folder, path, (size_t)(strrchr(path, '/') - path));
	return !folder->failed || error_set_memory(err, "the name of a file");
}

/* ---- rights */

static bool
fail(const char *path, int reason, struct error *err)
{
	return error_set(err, ERROR_IO, "%s: %s", path, strerror(reason));
}

bool
userfolder_is_private(const struct stat *status)
{
	return status->st_uid == geteuid() && (status->st_mode & MODES_OF_OTHERS) == 0;
}

static bool
make(char *path, struct error *err)
{
	for (char *slash = strchr(path + 1, '/');; slash = strchr(slash + 1, '/')) {
		if (slash != NULL)
			*slash = '\0';
		int made = mkdir(path, MODE_OF_FOLDER);
		int reason = errno;
		struct stat status;
		if (made != 0 && stat(path, &status) != 0)
			return fail(path, reason, err);
		if (slash == NULL)
			return true;
		*slash = '/';
	}
}

static bool
check(const char *path, struct error *err)
{
	struct stat status;
	if (lstat(path, &status) != 0)
		return fail(path, errno, err);
	if (!S_ISDIR(status.st_mode) || !userfolder_is_private(&status))
		return error_set(err, ERROR_IO,
			"%s: not a folder of your own, or open to others (wanted: drwx------)", path);
	return true;
}

bool
userfolder_prepare(const char *path, bool is_made, struct error *err)
{
	struct text folder = { 0 };
	bool is_fine = userfolder_of(&folder, path, err) &&
		       (!is_made || make(folder.bytes, err)) && check(folder.bytes, err);
	text_release(&folder);
	return is_fine;
}

/* ---- one at a time */

static void
wait_a_moment(void)
{
	const struct timespec moment = { .tv_nsec = LOCK_WAIT_NS };
	nanosleep(&moment, NULL);
}

static int
open_folder(const char *path, struct error *err)
{
	struct text folder = { 0 };
	bool is_within = strchr(path, '/') != NULL;
	if (is_within && !userfolder_of(&folder, path, err))
		return -1;
	if (folder.length == 0)
		text_add_string(&folder, is_within ? "/" : ".");
	int fd = folder.failed ? -1 : open(folder.bytes, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
		fail(path, folder.failed ? ENOMEM : errno, err);
	text_release(&folder);
	return fd;
}

bool
userfolder_lock(const char *path, int *fd, struct error *err)
{
	*fd = open_folder(path, err);
	if (*fd < 0)
		return false;
	for (int i = 0; i < LOCK_TRIES; i++) {
		if (flock(*fd, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK)
			return true;
		wait_a_moment();
	}
	close(*fd);
	return error_set(err, ERROR_IO, "%s: another program writes it", path);
}

/* Reading, and writing anew under a lock of the folder. */
#include "app/notefile.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/outfile.h"
#include "app/userfolder.h"
#include "base/descriptor.h"
#include "cache/cache.h"

/* ---- where it is */

static bool
find_path(struct notefile *file, const struct options *options,
	const struct environment *environment, int fd)
{
	struct error ignored;
	uint64_t number;
	error_clear(&ignored);
	if (options->notes != NULL) {
		text_add_string(&file->path, options->notes);
		return true;
	}
	/* What comes from a pipe will not come again. */
	if (!options_state(options) || !cache_content_number(fd, &number, &ignored) ||
		!userfolder_add(&file->path, environment->state_home, environment->home,
			".local/state"))
		return false;
	text_format(&file->path, "/notes/%016" PRIx64, number);
	file->is_private = true;
	return true;
}

/* ---- reading */

static bool
fail(const struct notefile *file, int reason, struct error *err)
{
	const char *why = reason == EFBIG ? "is too long for notes" : strerror(reason);
	return error_set(err, ERROR_IO, "%.200s: %s", file->shown.bytes, why);
}

static bool
read_open(const struct notefile *file, int fd, struct text *bytes, struct error *err)
{
	struct stat status;
	if (fstat(fd, &status) != 0)
		return fail(file, errno, err);
	if (!S_ISREG(status.st_mode))
		return error_set(err, ERROR_IO, "%.200s: not a regular file", file->shown.bytes);
	return descriptor_read_all(fd, NOTES_MOST_BYTES, bytes) || fail(file, errno, err);
}

/* The bytes of the file, none where it is not there. */
static bool
read_bytes(const struct notefile *file, struct text *bytes, struct error *err)
{
	int fd = open(file->path.bytes, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	if (fd < 0)
		return errno == ENOENT || (file->is_private && errno == ENOTDIR) ||
		       fail(file, errno, err);
	bool is_read = read_open(file, fd, bytes, err);
	close(fd);
	return is_read;
}

static bool
read_notes(struct notefile *file, struct notes *notes, struct error *err)
{
	struct text bytes = { 0 };
	bool is_read = read_bytes(file, &bytes, err);
	text_clear(&file->complaints);
	if (is_read && !notes_read(notes, &bytes, file->shown.bytes, &file->complaints)) {
		const char *first = text_string(&file->complaints);
		is_read = error_set(err, ERROR_FORMAT, "%.*s", (int)strcspn(first, "\n"), first);
	}
	text_release(&bytes);
	return is_read;
}

bool
notefile_open(struct notefile *file, const struct options *options,
	const struct environment *environment, int fd, struct error *err)
{
	*file = (struct notefile){ .file_name = file->file_name };
	if (!find_path(file, options, environment, fd))
		return true;
	userfolder_add_shown(&file->shown, environment->home, text_string(&file->path));
	if (file->path.failed || file->shown.failed) {
		notefile_release(file);
		return error_set_memory(err, "the name of a file");
	}
	return read_notes(file, &file->notes, err);
}

void
notefile_release(struct notefile *file)
{
	notes_release(&file->notes);
	text_release(&file->path);
	text_release(&file->shown);
	text_release(&file->complaints);
}

/* ---- writing */

static bool
write_notes(const struct notefile *file, const struct notes *notes, struct error *err)
{
	struct text bytes = { 0 };
	notes_write(notes, file->file_name, &bytes);
	bool is_fine = outfile_save(file->path.bytes, file->is_private, &bytes, "the notes", err);
	text_release(&bytes);
	return is_fine;
}

/* Makes the change to what the file has now; *notes becomes that. Under the lock. */
static bool
change_file(struct notefile *file, const struct notes_change *change, struct notes *notes,
	bool *is_kept, struct error *err)
{
	*is_kept = read_notes(file, notes, err);
	if (!*is_kept)
		return false;
	if (!notes_make(notes, change, err))
		return false;
	*is_kept = write_notes(file, notes, err);
	return *is_kept;
}

bool
notefile_change(void *context, const struct notes_change *change, struct error *err)
{
	struct notefile *file = context;
	struct notes notes = { .count = 0 };
	bool is_kept = false;
	int fd;
	if (file->path.length == 0)
		return notes_make(&file->notes, change, err);
	bool is_done = (!file->is_private || userfolder_prepare(file->path.bytes, true, err)) &&
		       userfolder_lock(file->path.bytes, &fd, err);
	if (is_done) {
		is_done = change_file(file, change, &notes, &is_kept, err);
		close(fd);
	}
	if (is_done) {
		notes_release(&file->notes);
		file->notes = notes;
		return true;
	}
	notes_release(&notes);
	if (!is_kept) { /* but they hold as long as the program runs */
		struct error ignored;
		error_clear(&ignored);
		error_prefix(err, "not kept");
		(void)notes_make(&file->notes, change, &ignored);
	}
	return false;
}

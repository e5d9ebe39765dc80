/* The folder of caches: names, rights, and what goes when it is full. */
#include "app/cachefile.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/outfile.h"
#include "app/userfolder.h"
#include "base/job.h"
#include "base/memory.h"
#include "source/go/words.h"

enum { NUMBER_DIGITS = 16 };

static const char suffix[] = ".cache";

/* ---- names */

static bool
add_folder(struct text *out, const struct environment *environment, struct error *err)
{
	if (userfolder_add(out, environment->cache_home, environment->home, ".cache"))
		return !out->failed || error_set_memory(err, "the name of a file");
	return error_set(err, ERROR_IO, "no folder for caches: HOME is not set");
}

/* Whether we gave a file of the folder its name: a cache, or one that was not finished. */
static bool
is_our_name(const char *name)
{
	return strspn(name, "0123456789abcdef") == NUMBER_DIGITS &&
	       strncmp(name + NUMBER_DIGITS, suffix, sizeof suffix - 1) == 0;
}

bool
cachefile_find(struct cachefile *file, const struct environment *environment, int fd,
	uint64_t mode, struct error *err)
{
	*file = (struct cachefile){ 0 };
	if (!cache_is_available())
		return error_set(err, ERROR_LIMIT, "ttrace was built without libxxhash");
	if (!cache_key_read(fd, mode, &file->key, err))
		return false;
	bool is_fine = add_folder(&file->path, environment, err);
	text_format(&file->path, "/%016" PRIx64 "%s", cache_key_number(&file->key), suffix);
	if (is_fine)
		userfolder_add_shown(&file->shown, environment->home, file->path.bytes);
	if (is_fine && (file->path.failed || file->shown.failed))
		is_fine = error_set_memory(err, "the name of a file");
	if (!is_fine)
		cachefile_release(file);
	return is_fine;
}

void
cachefile_release(struct cachefile *file)
{
	text_release(&file->path);
	text_release(&file->shown);
}

static bool
fail(const char *path, int reason, struct error *err)
{
	return error_set(err, ERROR_IO, "%s: %s", path, strerror(reason));
}

/* ---- opening */

static struct trace *
open_checked(const struct cachefile *file, int fd, struct error *err)
{
	struct stat status;
	if (fstat(fd, &status) != 0) {
		fail(file->path.bytes, errno, err);
		return NULL;
	}
	if (!S_ISREG(status.st_mode) || !userfolder_is_private(&status)) {
		error_set(err, ERROR_IO, "%s: not a file of your own, or open to others",
			file->path.bytes);
		return NULL;
	}
	struct trace *trace = cache_open(fd, &file->key, err);
	if (trace == NULL)
		return NULL;
	trace->words = &go_words; /* no other source's traces are kept */
	(void)!futimens(fd, NULL); /* it was used; that it cannot be noted does no harm */
	return trace;
}

struct trace *
cachefile_open(const struct cachefile *file, struct error *err)
{
	int fd = open(file->path.bytes, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	if (fd < 0) {
		if (errno != ENOENT && errno != ENOTDIR)
			fail(file->path.bytes, errno, err);
		return NULL;
	}
	struct trace *trace = NULL;
	if (userfolder_prepare(file->path.bytes, false, err))
		trace = open_checked(file, fd, err);
	close(fd);
	return trace;
}

/* ---- making room */

/* A file of ours in the folder. */
struct found {
	struct text path;
	uint64_t bytes;
	struct timespec used;
};

struct listing {
	struct found *files;
	size_t count, capacity;
	uint64_t bytes;
};

static void
listing_release(struct listing *listing)
{
	for (size_t i = 0; i < listing->count; i++)
		text_release(&listing->files[i].path);
	memory_free(listing->files);
}

static bool
add_found(struct listing *listing, const char *folder, const char *name, struct error *err)
{
	struct found found = { .bytes = 0 };
	struct stat status;
	text_format(&found.path, "%s/%s", folder, name);
	if (found.path.failed) {
		text_release(&found.path);
		return error_set_memory(err, "the name of a file");
	}
	if (lstat(found.path.bytes, &status) != 0 || S_ISDIR(status.st_mode)) {
		text_release(&found.path);
		return true;
	}
	found.bytes = (uint64_t)status.st_size;
	found.used = status.st_mtim;
	if (!array_reserve(&listing->files, &listing->capacity, listing->count + 1,
		    sizeof(found), err)) {
		text_release(&found.path);
		return false;
	}
	listing->files[listing->count++] = found;
	listing->bytes += found.bytes;
	return true;
}

static int
compare_used(const void *a, const void *b)
{
	const struct timespec *left = &((const struct found *)a)->used;
	const struct timespec *right = &((const struct found *)b)->used;
	if (left->tv_sec != right->tv_sec)
		return left->tv_sec < right->tv_sec ? -1 : 1;
	return (left->tv_nsec > right->tv_nsec) - (left->tv_nsec < right->tv_nsec);
}

/* The files that are ours, the one not used for longest first. */
static bool
list(struct listing *listing, const char *folder, struct error *err)
{
	DIR *entries = opendir(folder);
	bool is_fine = true;
	*listing = (struct listing){ 0 };
	if (entries == NULL)
		return errno == ENOENT || errno == ENOTDIR || fail(folder, errno, err);
	for (struct dirent *entry; is_fine && (entry = readdir(entries)) != NULL;) {
		if (is_our_name(entry->d_name))
			is_fine = add_found(listing, folder, entry->d_name, err);
	}
	closedir(entries);
	if (listing->count > 1)
		qsort(listing->files, listing->count, sizeof(*listing->files), compare_used);
	return is_fine;
}

/* Removes files until what is left is not more than `most`; the one that was written last stays. */
static bool
make_room(const struct text *path, struct error *err)
{
	struct listing listing = { 0 };
	struct text folder = { 0 };
	bool is_fine = userfolder_of(&folder, path->bytes, err) && list(&listing, folder.bytes, err);
	for (size_t i = 0; is_fine && i < listing.count && listing.bytes > CACHEFILE_MOST_BYTES;
		i++) {
		const struct found *found = &listing.files[i];
		if (strcmp(found->path.bytes, path->bytes) == 0)
			continue;
		if (unlink(found->path.bytes) == 0)
			listing.bytes -= found->bytes;
	}
	listing_release(&listing);
	text_release(&folder);
	return is_fine;
}

bool
cachefile_clear(const struct environment *environment, uint64_t *count, uint64_t *bytes,
	struct error *err)
{
	struct listing listing = { 0 };
	struct text folder = { 0 };
	*count = *bytes = 0;
	bool is_fine = add_folder(&folder, environment, err) && list(&listing, folder.bytes, err);
	for (size_t i = 0; is_fine && i < listing.count; i++) {
		if (unlink(listing.files[i].path.bytes) != 0) {
			is_fine = fail(listing.files[i].path.bytes, errno, err);
			break;
		}
		*count += 1;
		*bytes += listing.files[i].bytes;
	}
	listing_release(&listing);
	text_release(&folder);
	return is_fine;
}

/* ---- writing */

struct writing {
	struct outfile out;
	const atomic_bool *is_cancelled;
};

static bool
put(void *context, const char *bytes, size_t length, struct error *err)
{
	struct writing *writing = context;
	return job_goes_on(writing->is_cancelled, err) &&
	       outfile_write(&writing->out, bytes, length, err);
}

static bool
is_unchanged(const struct cachefile *file, int fd, struct error *err)
{
	struct cache_key now;
	if (!cache_key_read(fd, file->key.mode, &now, err))
		return false;
	return cache_key_is_same(&now, &file->key) ||
	       error_set(err, ERROR_IO, "the trace changed while it was read");
}

bool
cachefile_write(const struct cachefile *file, int fd, const struct trace *trace,
	const atomic_bool *is_cancelled, struct error *err)
{
	struct writing writing = { .is_cancelled = is_cancelled };
	if (!is_unchanged(file, fd, err) || !userfolder_prepare(file->path.bytes, true, err) ||
		!outfile_open_private(&writing.out, file->path.bytes, err))
		return false;
	bool is_fine = cache_write(trace, &file->key, put, &writing, err);
	return outfile_close(&writing.out, is_fine, err) && is_fine && make_room(&file->path, err);
}

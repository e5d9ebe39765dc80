/*
 * The folder of caches: what comes from there is the trace that was put there, what is not the
 * user's alone is not touched, and what cannot be written leaves nothing behind.
 */
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/cachefile.h"
#include "base_testing.h"
#include "folder.h"
#include "tracetesting.h"

/* A home with a copy of a small trace in it. */
struct home {
	char path[FOLDER_PATH_BYTES];
	struct environment environment;
	struct trace *trace;
	int fd; /* of the copy */
	struct cachefile file;
};

static void
find(struct home *home)
{
	struct error err = { 0 };
	cachefile_release(&home->file);
	if (!cachefile_find(&home->file, &home->environment, home->fd, 1, &err))
		fail_msg("%s", err.message);
}

static void
home_init(struct home *home)
{
	struct text bytes = { 0 };
	*home = (struct home){ .fd = -1 };
	folder_make(home->path, "home");
	home->environment.home = home->path;
	home->trace = testing_load("samples-go1.26");
	testing_read(testing_path("samples-go1.26", ".trace"), &bytes);
	home->fd = open(folder_within(home->path, "a.trace"), O_RDWR | O_CREAT | O_EXCL, 0666);
	assert_int_equal(write(home->fd, bytes.bytes, bytes.length), bytes.length);
	text_release(&bytes);
	find(home);
}

static void
home_release(struct home *home)
{
	close(home->fd);
	cachefile_release(&home->file);
	trace_free(home->trace);
	folder_remove(home->path);
}

static bool
keep(struct home *home, struct error *err)
{
	static const atomic_bool is_cancelled;
	error_clear(err);
	return cachefile_write(&home->file, home->fd, home->trace, &is_cancelled, err);
}

static void
must_keep(struct home *home)
{
	struct error err;
	if (!keep(home, &err))
		fail_msg("%s", err.message);
}

/* Whether the cache is taken; else *kind is why not, ERROR_NONE where there is none. */
static bool
is_taken(struct home *home, enum error_kind *kind)
{
	struct error err;
	error_clear(&err);
	struct trace *trace = cachefile_open(&home->file, &err);
	*kind = err.kind;
	if (trace != NULL)
		assert_int_equal(trace->event_count, home->trace->event_count);
	trace_free(trace);
	return trace != NULL;
}

static unsigned
count_files(const char *folder)
{
	unsigned count = 0;
	DIR *entries = opendir(folder);
	assert_non_null(entries);
	for (struct dirent *entry; (entry = readdir(entries)) != NULL;)
		count += entry->d_name[0] != '.';
	closedir(entries);
	return count;
}

static unsigned
mode_of(const char *path)
{
	struct stat status;
	assert_int_equal(lstat(path, &status), 0);
	return status.st_mode & 0777;
}

static void
a_trace_comes_back_from_the_users_own_folder(void **state)
{
	(void)state;
	struct home home;
	enum error_kind kind;
	home_init(&home);
	assert_false(is_taken(&home, &kind));
	assert_int_equal(kind, ERROR_NONE);
	must_keep(&home);
	assert_true(is_taken(&home, &kind));
	assert_int_equal(mode_of(folder_within(home.path, ".cache/ttrace")), 0700);
	assert_int_equal(mode_of(home.file.path.bytes), 0600);
	assert_int_equal(strncmp(home.file.shown.bytes, "~/.cache/ttrace/", 16), 0);
	must_keep(&home); /* in place of the one before */
	assert_int_equal(count_files(folder_within(home.path, ".cache/ttrace")), 1);
	home_release(&home);
}

static void
the_folder_for_caches_is_the_one_that_is_set(void **state)
{
	(void)state;
	struct home home;
	enum error_kind kind;
	struct error err = { 0 };
	home_init(&home);
	char elsewhere[60];
	snprintf(elsewhere, sizeof elsewhere, "%s/else/where", home.path);
	home.environment.cache_home = elsewhere;
	find(&home);
	must_keep(&home);
	assert_true(is_taken(&home, &kind));
	assert_int_equal(count_files(folder_within(home.path, "else/where/ttrace")), 1);
	home.environment.cache_home = "relative";
	find(&home);
	assert_false(is_taken(&home, &kind));
	home.environment.home = NULL;
	struct cachefile none;
	assert_false(cachefile_find(&none, &home.environment, home.fd, 1, &err));
	assert_int_equal(err.kind, ERROR_IO);
	home_release(&home);
}

static void
a_trace_that_changed_has_no_cache(void **state)
{
	(void)state;
	struct home home;
	enum error_kind kind;
	struct error err;
	home_init(&home);
	must_keep(&home);
	assert_int_equal(pwrite(home.fd, "x", 1, 5000), 1);
	assert_false(keep(&home, &err)); /* it is another one than was found */
	find(&home);
	assert_false(is_taken(&home, &kind));
	assert_int_equal(kind, ERROR_NONE);
	home_release(&home);
}

static void
what_others_could_have_written_is_not_taken(void **state)
{
	(void)state;
	struct home home;
	enum error_kind kind;
	struct error err;
	home_init(&home);
	must_keep(&home);
	assert_int_equal(chmod(home.file.path.bytes, 0620), 0);
	assert_false(is_taken(&home, &kind));
	assert_int_equal(kind, ERROR_IO);
	assert_int_equal(chmod(home.file.path.bytes, 0600), 0);
	assert_true(is_taken(&home, &kind));
	assert_int_equal(chmod(folder_within(home.path, ".cache/ttrace"), 0770), 0);
	assert_false(is_taken(&home, &kind));
	assert_false(keep(&home, &err));
	assert_int_equal(chmod(folder_within(home.path, ".cache/ttrace"), 0700), 0);
	if (geteuid() == 0) {
		assert_int_equal(chown(home.file.path.bytes, 1, 1), 0);
		assert_false(is_taken(&home, &kind));
	}
	home_release(&home);
}

static void
links_are_not_followed(void **state)
{
	(void)state;
	struct home home;
	enum error_kind kind;
	struct error err;
	char target[100];
	home_init(&home);
	must_keep(&home);
	snprintf(target, sizeof target, "%s/target", home.path);
	assert_int_equal(rename(home.file.path.bytes, target), 0);
	assert_int_equal(symlink(target, home.file.path.bytes), 0);
	assert_false(is_taken(&home, &kind));
	assert_int_equal(kind, ERROR_IO);
	must_keep(&home); /* in place of the link, not of what it leads to */
	assert_true(is_taken(&home, &kind));
	assert_int_equal(rename(folder_within(home.path, ".cache/ttrace"), target), -1);
	snprintf(target, sizeof target, "%s/moved", home.path);
	assert_int_equal(rename(folder_within(home.path, ".cache/ttrace"), target), 0);
	assert_int_equal(symlink(target, folder_within(home.path, ".cache/ttrace")), 0);
	assert_false(is_taken(&home, &kind));
	assert_false(keep(&home, &err));
	home_release(&home);
}

static void
a_disk_that_is_full_leaves_nothing(void **state)
{
	(void)state;
	struct home home;
	struct error err;
	enum error_kind kind;
	home_init(&home);
	struct rlimit before, little;
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
	little = before;
	little.rlim_cur = 20000;
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &little), 0);
	void (*handler)(int) = signal(SIGXFSZ, SIG_IGN);
	assert_false(keep(&home, &err));
	signal(SIGXFSZ, handler);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
	assert_int_equal(err.kind, ERROR_IO);
	assert_int_equal(count_files(folder_within(home.path, ".cache/ttrace")), 0);
	assert_false(is_taken(&home, &kind));
	home_release(&home);
}

static void
who_gives_up_leaves_nothing(void **state)
{
	(void)state;
	struct home home;
	struct error err = { 0 };
	const atomic_bool is_cancelled = true;
	home_init(&home);
	assert_false(cachefile_write(&home.file, home.fd, home.trace, &is_cancelled, &err));
	assert_int_equal(err.kind, ERROR_CANCELLED);
	assert_int_equal(count_files(folder_within(home.path, ".cache/ttrace")), 0);
	home_release(&home);
}

/* A file in the folder with a name of ours; its size takes no room. */
static void
make_file(const struct home *home, const char *name, off_t size, time_t used_s)
{
	char path[100];
	snprintf(path, sizeof path, "%s/.cache/ttrace/%s", home->path, name);
	int fd = open(path, O_WRONLY | O_CREAT, 0600);
	assert_int_equal(ftruncate(fd, size), 0);
	assert_int_equal(
		futimens(fd, (struct timespec[]){ { .tv_sec = used_s }, { .tv_sec = used_s } }), 0);
	close(fd);
}

static void
the_oldest_go_when_there_are_too_many(void **state)
{
	(void)state;
	struct home home;
	home_init(&home);
	must_keep(&home);
	make_file(&home, "0000000000000001.cache", (off_t)(CACHEFILE_MOST_BYTES / 2), 100);
	make_file(&home, "0000000000000002.cache", (off_t)(CACHEFILE_MOST_BYTES / 2), 50);
	make_file(&home, "0000000000000003.cache.abcdef", 1000, 10);
	make_file(&home, "notes", (off_t)(CACHEFILE_MOST_BYTES), 1);
	must_keep(&home);
	const char *kept = folder_within(home.path, ".cache/ttrace/0000000000000001.cache");
	assert_int_equal(access(kept, F_OK), 0);
	assert_int_equal(access(folder_within(home.path, ".cache/ttrace/notes"), F_OK), 0);
	assert_int_equal(count_files(folder_within(home.path, ".cache/ttrace")), 3);
	home_release(&home);
}

static void
clearing_removes_ours_alone(void **state)
{
	(void)state;
	struct home home;
	struct error err = { 0 };
	uint64_t count, bytes;
	home_init(&home);
	assert_true(cachefile_clear(&home.environment, &count, &bytes, &err));
	assert_int_equal(count, 0);
	must_keep(&home);
	make_file(&home, "0000000000000003.cache.abcdef", 1000, 10);
	make_file(&home, "notes", 5, 1);
	assert_true(cachefile_clear(&home.environment, &count, &bytes, &err));
	assert_int_equal(count, 2);
	assert_int_equal(bytes, 1000 + cache_size(home.trace));
	assert_int_equal(count_files(folder_within(home.path, ".cache/ttrace")), 1);
	home_release(&home);
}

int
main(void)
{
	if (!cache_is_available())
		return 77;
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_trace_comes_back_from_the_users_own_folder),
		cmocka_unit_test(the_folder_for_caches_is_the_one_that_is_set),
		cmocka_unit_test(a_trace_that_changed_has_no_cache),
		cmocka_unit_test(what_others_could_have_written_is_not_taken),
		cmocka_unit_test(links_are_not_followed),
		cmocka_unit_test(a_disk_that_is_full_leaves_nothing),
		cmocka_unit_test(who_gives_up_leaves_nothing),
		cmocka_unit_test(the_oldest_go_when_there_are_too_many),
		cmocka_unit_test(clearing_removes_ours_alone),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

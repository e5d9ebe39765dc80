/*
 * Files that are written: what takes their place and with which rights, which links are followed,
 * and that pipes, devices and descriptors are written directly.
 */
#include "base_testing.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/outfile.h"
#include "base/compiler.h"
#include "base/descriptor.h"

/* Folders of a test: `own` is the user's, `shared` is one like /tmp; removed at the end. */
struct folders {
	char root[64], own[80], shared[80];
};

static int
make_folders(void **state)
{
	static struct folders folders;
	snprintf(folders.root, sizeof folders.root, "/tmp/ttrace-outfile-%ld", (long)getpid());
	assert_int_equal(mkdir(folders.root, 0755), 0);
	snprintf(folders.own, sizeof folders.own, "%s/own", folders.root);
	snprintf(folders.shared, sizeof folders.shared, "%s/shared", folders.root);
	assert_int_equal(mkdir(folders.own, 0755), 0);
	assert_int_equal(mkdir(folders.shared, 0755), 0);
	assert_int_equal(chmod(folders.shared, 01777), 0);
	*state = &folders;
	return 0;
}

static int
remove_folders(void **state)
{
	const struct folders *folders = *state;
	char command[100];
	snprintf(command, sizeof command, "rm -rf '%s'", folders->root);
	return pclose(popen(command, "r"));
}

typedef char path_text[200];

static const char *
in(path_text path, const char *folder, const char *name)
{
	snprintf(path, sizeof(path_text), "%s/%s", folder, name);
	return path;
}

static void
put_file(const char *path, const char *bytes, mode_t mode)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
	assert_true(fd >= 0);
	assert_true(descriptor_write_all(fd, bytes, strlen(bytes)));
	assert_int_equal(fchmod(fd, mode), 0);
	close(fd);
}

static void
check_file(const char *path, const char *wanted)
{
	struct text got = { 0 };
	int fd = open(path, O_RDONLY);
	assert_true(fd >= 0);
	assert_true(descriptor_read_all(fd, 1000, &got));
	assert_string_equal(text_string(&got), wanted);
	text_release(&got);
	close(fd);
}

static bool
save(const char *path, const char *bytes, struct error *err)
{
	struct text text = { 0 };
	error_clear(err);
	text_add_string(&text, bytes);
	bool is_saved = outfile_save(path, false, &text, "a test", err);
	text_release(&text);
	return is_saved;
}

/* Whether nothing but these names is in the folder: no file beside is left. */
static void
check_names(const char *folder, const char *wanted)
{
	char command[200], got[200] = "";
	snprintf(command, sizeof command, "ls -A '%s' | LC_ALL=C sort | tr '\\n' ' '", folder);
	FILE *pipe = popen(command, "r");
	assert_non_null(pipe);
	got[fread(got, 1, sizeof got - 1, pipe)] = '\0';
	pclose(pipe);
	assert_string_equal(got, wanted);
}

static void
a_file_is_replaced_at_once(void **state)
{
	const struct folders *folders = *state;
	path_text path;
	struct outfile file;
	struct error err = { 0 };
	struct stat before, after;
	in(path, folders->own, "a");
	put_file(path, "old", 0640);
	assert_int_equal(stat(path, &before), 0);
	assert_true(outfile_open(&file, path, &err));
	assert_true(outfile_write(&file, "new", 3, &err));
	check_file(path, "old");
	assert_true(outfile_close(&file, true, &err));
	check_file(path, "new");
	assert_int_equal(stat(path, &after), 0);
	assert_int_equal(after.st_mode & 07777, 0640);
	assert_int_not_equal(after.st_ino, before.st_ino);
	assert_true(after.st_uid == before.st_uid && after.st_gid == before.st_gid);

	assert_true(outfile_open(&file, path, &err));
	assert_true(outfile_write(&file, "half", 4, &err));
	assert_true(outfile_close(&file, false, &err));
	check_file(path, "new");
	check_names(folders->own, "a ");
}

static void
owner_and_group_stay(void **state)
{
	const struct folders *folders = *state;
	path_text path;
	struct error err;
	struct stat after;
	if (geteuid() != 0)
		skip();
	put_file(in(path, folders->own, "a"), "old", 0664);
	assert_int_equal(chown(path, 12345, 23456), 0);
	assert_true(save(path, "new", &err));
	assert_int_equal(stat(path, &after), 0);
	assert_int_equal(after.st_uid, 12345);
	assert_int_equal(after.st_gid, 23456);
	assert_int_equal(after.st_mode & 07777, 0664);
}

static void
what_may_not_be_written_stays(void **state)
{
	const struct folders *folders = *state;
	path_text path;
	struct error err;
	if (geteuid() == 0)
		skip();
	put_file(in(path, folders->own, "a"), "old", 0444);
	assert_false(save(path, "new", &err));
	assert_non_null(strstr(err.message, strerror(EACCES)));
	check_file(path, "old");
	check_names(folders->own, "a ");
}

static void
a_link_of_our_own_is_followed(void **state)
{
	const struct folders *folders = *state;
	path_text target, link, other;
	struct error err;
	struct stat status;
	put_file(in(target, folders->own, "target"), "old", 0644);
	assert_int_equal(symlink("target", in(link, folders->own, "one")), 0);
	assert_int_equal(symlink(link, in(other, folders->own, "two")), 0);
	assert_true(save(other, "new", &err));
	check_file(target, "new");
	assert_true(lstat(other, &status) == 0 && S_ISLNK(status.st_mode));
	assert_true(lstat(link, &status) == 0 && S_ISLNK(status.st_mode));

	/* To what is not there yet, and by a folder. */
	assert_int_equal(symlink("../own/later", in(link, folders->own, "three")), 0);
	assert_true(save(link, "later", &err));
	check_file(in(target, folders->own, "later"), "later");
	assert_int_equal(symlink("own", in(link, folders->root, "folder")), 0);
	assert_true(save(in(target, folders->root, "folder/by"), "by", &err));
	check_file(in(target, folders->own, "by"), "by");

	assert_int_equal(symlink("ring", in(link, folders->own, "ring")), 0);
	assert_false(save(link, "x", &err));
	assert_non_null(strstr(err.message, strerror(ELOOP)));
}

static void
a_link_that_may_be_of_others_is_not_followed(void **state)
{
	const struct folders *folders = *state;
	static const mode_t modes[] = { 01777, 0777, 0775 };
	path_text target, link, path;
	struct error err;
	put_file(in(target, folders->own, "target"), "old", 0644);
	assert_int_equal(symlink(target, in(link, folders->shared, "link")), 0);
	assert_int_equal(symlink("../own/none", in(path, folders->shared, "dangling")), 0);
	assert_int_equal(symlink("../own", in(path, folders->shared, "folder")), 0);
	assert_int_equal(symlink("../shared/link", in(path, folders->own, "by")), 0);
	for (size_t i = 0; i < ARRAY_LENGTH(modes); i++) {
		static const char *const names[] = { "shared/link", "shared/dangling",
			"shared/folder/target", "shared/folder/new", "own/by", "own/../shared//link" };
		assert_int_equal(chmod(folders->shared, modes[i]), 0);
		for (size_t j = 0; j < ARRAY_LENGTH(names); j++) {
			struct outfile file;
			assert_false(save(in(path, folders->root, names[j]), "new", &err));
			assert_non_null(strstr(err.message,
				"is a symbolic link in a folder that others can write to"));
			error_clear(&err);
			assert_false(outfile_open_new(&file, path, &err));
			assert_non_null(strstr(err.message,
				"is a symbolic link in a folder that others can write to"));
		}
		check_file(target, "old");
		check_names(folders->own, "by target ");
		check_names(folders->shared, "dangling folder link ");
	}
	/* What is no link is theirs and ours. */
	assert_true(save(in(path, folders->shared, "new"), "new", &err));
	check_file(path, "new");
	if (geteuid() != 0)
		return;
	/* The one whose folder it is can put links there, too. */
	assert_int_equal(chmod(folders->shared, 0755), 0);
	assert_true(save(in(path, folders->shared, "link"), "new", &err));
	assert_int_equal(chown(folders->shared, 12345, 0), 0);
	assert_false(save(path, "newer", &err));
	check_file(target, "new");
}

static void
pipes_and_devices_are_written_directly(void **state)
{
	const struct folders *folders = *state;
	path_text path;
	struct error err;
	struct stat status;
	char got[10] = "";
	assert_int_equal(mkfifo(in(path, folders->shared, "pipe"), 0600), 0);
	int reader = open(path, O_RDONLY | O_NONBLOCK);
	assert_true(reader >= 0);
	assert_true(save(path, "through", &err));
	assert_int_equal(read(reader, got, sizeof got), 7);
	assert_string_equal(got, "through");
	close(reader);
	assert_true(lstat(path, &status) == 0 && S_ISFIFO(status.st_mode));
	assert_true(save("/dev/null", "x", &err));
	assert_true(stat("/dev/null", &status) == 0 && S_ISCHR(status.st_mode));
	assert_false(save(folders->own, "x", &err));
	assert_non_null(strstr(err.message, strerror(EISDIR)));
	assert_false(save("", "x", &err));
}

/* As with a shell's >: what stands before stays, and what comes behind is behind. */
static void
a_descriptor_goes_on_where_it_is(void **state)
{
	const struct folders *folders = *state;
	path_text path, link;
	char name[40];
	struct error err;
	put_file(in(path, folders->own, "a"), "", 0644);
	int fd = open(path, O_WRONLY);
	assert_true(fd >= 0);
	assert_true(descriptor_write_all(fd, "one ", 4));
	snprintf(name, sizeof name, "/dev/fd/%d", fd);
	assert_true(save(name, "two ", &err));
	assert_int_equal(symlink(name, in(link, folders->own, "link")), 0);
	assert_true(save(link, "three ", &err));
	assert_true(descriptor_write_all(fd, "four", 4));
	check_file(path, "one two three four");
	check_names(folders->own, "a link ");

	int before = dup(STDOUT_FILENO);
	fflush(stdout);
	dup2(fd, STDOUT_FILENO);
	bool is_saved = save("/dev/stdout", " five", &err) && save("-", " six", &err);
	dup2(before, STDOUT_FILENO);
	close(before);
	assert_true(is_saved);
	check_file(path, "one two three four five six");
	close(fd);
	assert_false(save(name, "x", &err));
	assert_non_null(strstr(err.message, strerror(EBADF)));
}

/* Whatever is there, nobody waits and nothing is lost. */
/* Whatever it leads to, the message has the name that was given. */
static void
what_cannot_be_written_is_named(void **state)
{
	static const char wanted[] = ": No space left on device";
	const struct folders *folders = *state;
	char names[3][sizeof(path_text)] = { "/dev/full" };
	int full = open("/dev/full", O_WRONLY);
	if (full < 0)
		skip();
	snprintf(names[1], sizeof names[1], "/dev/fd/%d", full);
	in(names[2], folders->own, "full");
	assert_int_equal(symlink(names[1], names[2]), 0);
	for (size_t i = 0; i < ARRAY_LENGTH(names); i++) {
		struct error err;
		assert_false(save(names[i], "x", &err));
		assert_memory_equal(err.message, names[i], strlen(names[i]));
		assert_string_equal(err.message + strlen(names[i]), wanted);
	}
	close(full);
}

static void
what_is_to_be_new_replaces_nothing(void **state)
{
	const struct folders *folders = *state;
	static const char *const names[] = { "pipe", "file", "folder", "link", "/dev/null", "/dev/stdout" };
	path_text path;
	struct outfile file;
	struct error err;
	assert_int_equal(mkfifo(in(path, folders->own, "pipe"), 0600), 0);
	put_file(in(path, folders->own, "file"), "old", 0644);
	assert_int_equal(mkdir(in(path, folders->own, "folder"), 0700), 0);
	assert_int_equal(symlink("pipe", in(path, folders->own, "link")), 0);
	for (size_t i = 0; i < ARRAY_LENGTH(names); i++) {
		const char *name = names[i][0] == '/' ? names[i] : in(path, folders->own, names[i]);
		error_clear(&err);
		assert_false(outfile_open_new(&file, name, &err));
		assert_non_null(strstr(err.message, "is there already"));
	}
	error_clear(&err);
	assert_true(outfile_open_new(&file, in(path, folders->own, "new"), &err));
	assert_true(outfile_write(&file, "new", 3, &err));
	assert_true(outfile_close(&file, true, &err));
	check_file(path, "new");
	check_names(folders->own, "file folder link new pipe ");
}

#define WITH_FOLDERS(test) cmocka_unit_test_setup_teardown(test, make_folders, remove_folders)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		WITH_FOLDERS(a_file_is_replaced_at_once),
		WITH_FOLDERS(owner_and_group_stay),
		WITH_FOLDERS(what_may_not_be_written_stays),
		WITH_FOLDERS(a_link_of_our_own_is_followed),
		WITH_FOLDERS(a_link_that_may_be_of_others_is_not_followed),
		WITH_FOLDERS(pipes_and_devices_are_written_directly),
		WITH_FOLDERS(a_descriptor_goes_on_where_it_is),
		WITH_FOLDERS(what_cannot_be_written_is_named),
		WITH_FOLDERS(what_is_to_be_new_replaces_nothing),
	};
	umask(022);
	return cmocka_run_group_tests(tests, NULL, NULL);
}

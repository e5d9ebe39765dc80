/*
 * Notes: the form of their file, changes, and where they are kept: found again by the content of
 * the trace, by several at once, and never written over what is not understood.
 */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/notefile.h"
#include "base/descriptor.h"
#include "base/compiler.h"
#include "base/thread.h"
#include "base_testing.h"
#include "folder.h"
#include "trace/notes.h"

static const int64_t ms = 1000000;

/* ---- the form */

static bool
read_text(struct notes *notes, const char *bytes, struct text *complaints)
{
	struct text file = { 0 };
	text_add_string(&file, bytes);
	bool is_fine = notes_read(notes, &file, "n", complaints);
	text_release(&file);
	return is_fine;
}

static void
change(struct notes *notes, struct notes_change wanted)
{
	struct error err = { 0 };
	if (!notes_make(notes, &wanted, &err))
		fail_msg("%s", err.message);
}

static void
put(struct notes *notes, const char *name, int64_t t_ns, const char *row)
{
	change(notes, (struct notes_change){ NOTES_PUT, 0, t_ns, name, row, NULL });
}

static void
annotate(struct notes *notes, const char *name, const char *note)
{
	change(notes, (struct notes_change){ NOTES_ANNOTATE, 0, 0, name, NULL, note });
}

static void
what_is_written_is_a_text_for_people(void **state)
{
	(void)state;
	struct notes notes = { .count = 0 }, again = { .count = 0 };
	struct text out = { 0 }, complaints = { 0 };
	change(&notes, (struct notes_change){ .act = NOTES_MARK, .t_ns = 1203411 * (ms / 1000) });
	put(&notes, "later", 2 * ms, "");
	put(&notes, " slow request ", ms, "main.(*T).work");
	annotate(&notes, "slow request", "why does it wait?");
	notes_write(&notes, "http.trace", &out);
	assert_string_equal(out.bytes, "ttrace-notes 1\n# of http.trace\nmark a 1.203411s\n"
				       "bookmark 0.001s slow request\n\trow main.(*T).work\n"
				       "\tnote why does it wait?\nbookmark 0.002s later\n");
	assert_true(read_text(&again, out.bytes, &complaints));
	assert_int_equal(again.count, 2);
	assert_string_equal(again.bookmarks[0].note, "why does it wait?");
	assert_true(again.has_mark[MARK_A] && !again.has_mark[MARK_B]);
	notes_release(&notes);
	notes_release(&again);
	text_release(&out);
}

static void
a_wrong_line_is_told_with_its_number(void **state)
{
	static const struct {
		const char *text, *complaint;
	} rows[] = {
		{ "", NULL },
		{ "\n# nothing\n", NULL },
		{ "ttrace-notes 1\n", NULL },
		{ "ttrace-notes 1\r\nmark a 1s\r\n", NULL },
		{ "mark a 1s\nmark b 1s\n", "n:1: no notes of ttrace: wanted ttrace-notes 1\n" },
		{ "# x\nttrace-notes 2\nwhatever\n",
			"n:2: notes of version 2, which this ttrace cannot read\n" },
		{ "ttrace-notes\n", "n:1: notes of version , which this ttrace cannot read\n" },
		{ "ttrace-notes 1\nmark c 1s\n", "n:2: wanted mark a TIME or mark b TIME\n" },
		{ "ttrace-notes 1\nmark a 1s\nmark a 2s\n", "n:3: there is a mark a above\n" },
		{ "ttrace-notes 1\nmark a -1s\n", "n:2: -1s: before the trace\n" },
		{ "ttrace-notes 1\n\nrow G1\n", "n:3: there is no bookmark above\n" },
		{ "ttrace-notes 1\nbookmark 1s\n", "n:2: the bookmark has no name\n" },
		{ "ttrace-notes 1\nbookmark 1s x\nbookmark 2s x \n note y\n",
			"n:3: there is a bookmark x above\nn:4: there is no bookmark above\n" },
		{ "ttrace-notes 1\nbookmark 1s a\033b\n",
			"n:2: the name holds a control character\n" },
		{ "ttrace-notes 1\nforget it\n", "n:2: wanted mark, bookmark, row or note\n" },
	};
	(void)state;
	for (size_t i = 0; i < ARRAY_LENGTH(rows); i++) {
		struct notes notes = { .count = 0 };
		struct text complaints = { 0 };
		bool is_fine = read_text(&notes, rows[i].text, &complaints);
		assert_int_equal(is_fine, rows[i].complaint == NULL);
		assert_string_equal(complaints.length > 0 ? complaints.bytes : "",
			is_fine ? "" : rows[i].complaint);
		notes_release(&notes);
		text_release(&complaints);
	}
}

static void
there_is_an_end_to_what_is_read(void **state)
{
	(void)state;
	struct notes notes = { .count = 0 };
	struct text file = { 0 }, complaints = { 0 };
	text_format(&file, "ttrace-notes 1\n");
	for (int i = 0; i < 2 * NOTES_MOST_BOOKMARKS; i++)
		text_format(&file, "bookmark %dns %0*d\n", i, NOTES_MOST_TEXT, i);
	assert_false(notes_read(&notes, &file, "n", &complaints));
	assert_int_equal(notes.count, NOTES_MOST_BOOKMARKS);
	assert_non_null(strstr(complaints.bytes, "n:1002: there are 1000 bookmarks"));
	assert_true(complaints.length < 2000);
	notes_release(&notes);
	text_release(&file);
	text_release(&complaints);
}

static void
bookmarks_are_in_the_order_of_time(void **state)
{
	(void)state;
	struct notes notes = { .count = 0 };
	put(&notes, "c", 3, "");
	put(&notes, "a", 1, "G1");
	put(&notes, "b", 2, "");
	annotate(&notes, "a", "stays");
	put(&notes, "a", 4, "G2");
	assert_int_equal(notes.count, 3);
	assert_int_equal(notes_find(&notes, "a"), 2);
	assert_string_equal(notes.bookmarks[2].row, "G2");
	assert_string_equal(notes.bookmarks[2].note, "stays");
	change(&notes, (struct notes_change){ .act = NOTES_DROP, .name = "c" });
	change(&notes, (struct notes_change){ .act = NOTES_DROP, .name = "c" });
	assert_int_equal(notes.count, 2);
	notes_release(&notes);
}

/* ---- the file */

struct home {
	char path[FOLDER_PATH_BYTES];
	struct environment environment;
	struct options options;
	int fd; /* of a trace */
	struct notefile file;
};

/* A file that begins as it is named; the rest is the same. */
static int
make_trace(const struct home *home, const char *name, const char *bytes)
{
	int fd = open(folder_within(home->path, name), O_RDWR | O_CREAT | O_TRUNC, 0666);
	assert_int_equal(write(fd, bytes, strlen(bytes)), strlen(bytes));
	return fd;
}

static void
home_init(struct home *home)
{
	*home = (struct home){ .file = { .file_name = "a.trace" } };
	folder_make(home->path, "notes");
	home->environment.home = home->path;
	home->fd = make_trace(home, "a.trace", "a trace");
}

static void
home_release(struct home *home)
{
	close(home->fd);
	notefile_release(&home->file);
	folder_remove(home->path);
}

static bool
open_notes(struct home *home, int fd, struct error *err)
{
	error_clear(err);
	notefile_release(&home->file);
	return notefile_open(&home->file, &home->options, &home->environment, fd, err);
}

static void
must_open(struct home *home, int fd)
{
	struct error err;
	if (!open_notes(home, fd, &err))
		fail_msg("%s", err.message);
}

static bool
bookmark(struct notefile *file, const char *name, struct error *err)
{
	struct notes_change wanted = { NOTES_PUT, 0, ms, name, "G1", NULL };
	error_clear(err);
	return notefile_change(file, &wanted, err);
}

static void
must_bookmark(struct notefile *file, const char *name)
{
	struct error err;
	if (!bookmark(file, name, &err))
		fail_msg("%s", err.message);
}

static void
notes_are_found_again_by_the_content(void **state)
{
	(void)state;
	struct home home;
	struct stat status;
	home_init(&home);
	must_open(&home, home.fd);
	assert_int_equal(home.file.notes.count, 0);
	must_bookmark(&home.file, "here");
	assert_int_equal(stat(home.file.path.bytes, &status), 0);
	assert_int_equal(status.st_mode & 0777, 0600);
	assert_memory_equal(home.file.shown.bytes, "~/.local/state/ttrace/notes/", 28);
	int copy = make_trace(&home, "copy.trace", "a trace");
	must_open(&home, copy);
	assert_int_equal(home.file.notes.count, 1);
	int other = make_trace(&home, "other.trace", "b trace");
	must_open(&home, other);
	assert_int_equal(home.file.notes.count, 0);
	close(copy);
	close(other);
	home_release(&home);
}

static void
without_state_nothing_is_read_or_written(void **state)
{
	(void)state;
	struct home home;
	home_init(&home);
	must_open(&home, home.fd);
	must_bookmark(&home.file, "here");
	for (int by_config = 0; by_config < 2; by_config++) {
		home.options.no_state = !by_config;
		home.options.state = by_config ? STATE_OFF : STATE_ON;
		must_open(&home, home.fd);
		assert_int_equal(home.file.notes.count, 0);
		must_bookmark(&home.file, "there");
		assert_int_equal(home.file.notes.count, 1);
	}
	home.options = (struct options){ .state = STATE_ON };
	must_open(&home, home.fd);
	assert_int_equal(home.file.notes.count, 1);
	assert_string_equal(home.file.notes.bookmarks[0].name, "here");
	home_release(&home);
}

static void
a_named_file_is_kept_beside_the_trace(void **state)
{
	(void)state;
	struct home home;
	struct stat status;
	char name[200];
	home_init(&home);
	snprintf(name, sizeof name, "%s", folder_within(home.path, "a.notes"));
	home.options.notes = name;
	home.options.no_state = true;
	must_open(&home, home.fd);
	must_bookmark(&home.file, "here");
	assert_int_equal(stat(name, &status), 0);
	must_open(&home, home.fd);
	assert_int_equal(home.file.notes.count, 1);
	home_release(&home);
}

static void
what_is_not_understood_is_never_written(void **state)
{
	(void)state;
	static const char text[] = "ttrace-notes 1\nbookmark 1s x\nremark y\n";
	struct home home;
	struct error err;
	struct text bytes = { 0 };
	char name[200];
	home_init(&home);
	close(make_trace(&home, "a.notes", text));
	snprintf(name, sizeof name, "%s", folder_within(home.path, "a.notes"));
	home.options.notes = name;
	assert_false(open_notes(&home, home.fd, &err));
	assert_non_null(strstr(err.message, "a.notes:3: wanted mark"));
	assert_int_equal(home.file.notes.count, 1);
	assert_false(bookmark(&home.file, "here", &err));
	assert_memory_equal(err.message, "not kept: ", 10);
	assert_int_equal(home.file.notes.count, 2);
	int fd = open(name, O_RDONLY);
	assert_true(descriptor_read_all(fd, 1000, &bytes));
	assert_string_equal(bytes.bytes, text);
	close(fd);
	text_release(&bytes);
	home_release(&home);
}

enum { WRITERS = 4, EACH = 12 };

/* One of several programs. */
struct noter {
	struct home *home;
	struct notefile file;
	int number;
	bool has_failed;
};

static void
write_many(void *context)
{
	struct noter *writer = context;
	struct error err;
	error_clear(&err);
	writer->file.file_name = "a.trace";
	writer->has_failed = !notefile_open(&writer->file, &writer->home->options,
		&writer->home->environment, writer->home->fd, &err);
	for (int i = 0; i < EACH; i++) {
		char name[20];
		snprintf(name, sizeof name, "%d of %d", i, writer->number);
		writer->has_failed |= !bookmark(&writer->file, name, &err);
	}
}

static void
several_write_and_none_loses_anything(void **state)
{
	(void)state;
	struct home home;
	struct noter writers[WRITERS];
	struct worker *workers[WRITERS];
	struct error err = { 0 };
	home_init(&home);
	for (int i = 0; i < WRITERS; i++) {
		writers[i] = (struct noter){ .home = &home, .number = i };
		workers[i] = worker_new(write_many, &writers[i], &err);
	}
	for (int i = 0; i < WRITERS; i++) {
		worker_join(workers[i]);
		assert_false(writers[i].has_failed);
		notefile_release(&writers[i].file);
	}
	must_open(&home, home.fd);
	assert_int_equal(home.file.notes.count, WRITERS * EACH);
	home_release(&home);
}

static void
a_folder_that_is_not_ones_own_is_left_alone(void **state)
{
	(void)state;
	struct home home;
	struct error err;
	home_init(&home);
	must_open(&home, home.fd);
	must_bookmark(&home.file, "here");
	assert_int_equal(chmod(folder_within(home.path, ".local/state/ttrace/notes"), 0755), 0);
	assert_false(bookmark(&home.file, "there", &err));
	assert_non_null(strstr(err.message, "open to others"));
	assert_int_equal(home.file.notes.count, 2);
	must_open(&home, home.fd);
	assert_int_equal(home.file.notes.count, 1);
	home_release(&home);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_written_is_a_text_for_people),
		cmocka_unit_test(a_wrong_line_is_told_with_its_number),
		cmocka_unit_test(there_is_an_end_to_what_is_read),
		cmocka_unit_test(bookmarks_are_in_the_order_of_time),
		cmocka_unit_test(notes_are_found_again_by_the_content),
		cmocka_unit_test(without_state_nothing_is_read_or_written),
		cmocka_unit_test(a_named_file_is_kept_beside_the_trace),
		cmocka_unit_test(what_is_not_understood_is_never_written),
		cmocka_unit_test(several_write_and_none_loses_anything),
		cmocka_unit_test(a_folder_that_is_not_ones_own_is_left_alone),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

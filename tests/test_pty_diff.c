/*
 * Two traces in the real program: the difference is on the screen at once, the other trace comes from
 * anything, may be given up, damaged or none, and brings nothing hostile through.
 */
#include "ptytesting.h"

#include <dirent.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "base/compiler.h"
#include "base/text.h"
#include "cache/cache.h"
#include "hostile.h"

static const char trace_name[] = "httpserver-go1.23.trace";
static const char other_name[] = "contention-go1.23.trace";

static void
testdata_path(path_text path, const char *name)
{
	const char *testdata = getenv("TTRACE_TESTDATA");
	snprintf(path, PTYTESTING_PATH_BYTES, "%s/%s", testdata != NULL ? testdata : "testdata", name);
}

/* Compares a trace of testdata with the file at a path. */
static struct ptyterm *
start(const struct ptyterm_options *options, const char *other)
{
	path_text trace, option;
	testdata_path(trace, trace_name);
	snprintf(option, sizeof option, "--diff=%.4000s", other);
	return start_program("TTRACE", (const char *const[]){ option, trace, NULL }, options);
}

/* Keys, and what they bring to the screen. */
struct step {
	const char *keys, *shown;
};

#define TAKE(term, steps) take((term), (steps), ARRAY_LENGTH(steps))

/* Types what is in each step once all is there that the one before brings. */
static void
take(struct ptyterm *term, const struct step *steps, size_t count)
{
	enum { QUIET_MS = 15 };
	for (size_t i = 0; i < count; i++) {
		ptyterm_send(term, steps[i].keys);
		if (!ptyterm_wait_text(term, steps[i].shown))
			fail_msg("step %zu: no \"%s\"", i, steps[i].shown);
		ptyterm_settle(term, QUIET_MS);
	}
}

static void
check_end(struct ptyterm *term, int wanted)
{
	int status = 0;
	assert_true(ptyterm_wait_exit(term, &status));
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), wanted);
	assert_true(ptyterm_has_first_modes(term));
	ptyterm_free(term);
}

/* The first bytes of a file of testdata. */
static void
write_start(path_text path, const char *own, const char *name, size_t length)
{
	char bytes[1 << 16];
	path_text whole;
	own_path(path, own);
	testdata_path(whole, name);
	FILE *from = fopen(whole, "rb"), *to = fopen(path, "wb");
	assert_true(from != NULL && to != NULL && length <= sizeof bytes);
	length = fread(bytes, 1, length, from);
	assert_int_equal(fwrite(bytes, 1, length, to), length);
	assert_int_equal(fclose(to), 0);
	fclose(from);
}

static void
the_difference_is_shown_first(void **state)
{
	(void)state;
	static const struct step steps[] = {
		{ "", "Difference by function" },
		{ "", "--- contention-go1.23.trace" },
		{ "", "+++ httpserver-go1.23.trace" },
		{ "/conn\r\r", "Goroutines of net/http" },
		{ "qq", "Procs" },
		{ "a", "what has changed since contention-go1.23.trace" },
		{ "gjjj\r", "Difference: Synchronisation waits by function" },
		{ "f", "Difference: Synchronisation waits, calls" },
		{ "f", "Difference: Synchronisation waits, flame graph" },
		{ "y", "--view=diff-flame:sync" },
	};
	const struct ptyterm_options wide = { .width = 300, .height = 40 };
	path_text other;
	testdata_path(other, other_name);
	struct ptyterm *term = start(&wide, other);
	TAKE(term, steps);
	ptyterm_send(term, "Q");
	check_end(term, 0);
}

static void
on_a_terminal_without_a_cursor_it_is_printed(void **state)
{
	(void)state;
	const struct ptyterm_options options = { .environment =
							 (const char *const[]){ "TERM=dumb", NULL } };
	path_text other;
	testdata_path(other, other_name);
	struct ptyterm *term = start(&options, other);
	assert_true(ptyterm_wait_text(term, "what changed most first"));
	check_end(term, 0);
}

/* A pipe that brings nothing is waited for while one looks around. */
static void
the_other_trace_may_be_slow(void **state)
{
	static const struct step steps[] = {
		{ "", "is being loaded; Escape cancels" },
		{ "q", "Procs" },
		{ ":analyse diff\r", "is being loaded; Escape cancels" },
		{ "\033", "  cancelled" },
	};
	(void)state;
	path_text path;
	int writer = own_fifo(path, "fifo");
	struct ptyterm *term = start(NULL, path);
	TAKE(term, steps);
	ptyterm_send(term, "Q");
	check_end(term, 0);
	close(writer);
	unlink(path);
}

static void
the_other_trace_may_be_damaged(void **state)
{
	(void)state;
	path_text path;
	write_start(path, "cut.trace", "long-go1.23.trace", 50000);
	struct ptyterm *term = start(NULL, path);
	assert_true(ptyterm_wait_text(term, " in part"));
	ptyterm_send(term, "Q");
	assert_true(ptyterm_wait_text(term, "cut.trace is damaged: "));
	check_end(term, 3);
	unlink(path);
}

static void
the_other_file_may_be_no_trace(void **state)
{
	(void)state;
	path_text path;
	write_start(path, "none.trace", trace_name, 10);
	struct ptyterm *term = start(NULL, path);
	assert_true(ptyterm_wait_text(term, "none.trace: "));
	ptyterm_send(term, "q");
	assert_true(ptyterm_wait_text(term, "Procs"));
	ptyterm_send(term, "Q");
	assert_true(ptyterm_wait_text(term, "ttrace: "));
	check_end(term, 1);
	unlink(path);

	term = start(NULL, "/nonexistent/a.trace");
	assert_true(ptyterm_wait_text(term, "ttrace: /nonexistent/a.trace: "));
	check_end(term, 1);
}

/* ---- caches of both */

/* To how many caches of a folder that was done, or of how many it is so. */
static int
count_caches(const char *folder, bool (*is_so)(const char *path))
{
	int count = 0;
	DIR *entries = opendir(folder);
	const struct dirent *entry;
	while (entries != NULL && (entry = readdir(entries)) != NULL) {
		path_text path;
		const char *end = strrchr(entry->d_name, '.');
		snprintf(path, sizeof path, "%.3000s/%s", folder, entry->d_name);
		count += end != NULL && strcmp(end, ".cache") == 0 && is_so(path);
	}
	if (entries != NULL)
		closedir(entries);
	return count;
}

static bool
is_used(const char *path)
{
	struct stat status;
	return stat(path, &status) == 0 && status.st_mtime > 0;
}

/* What opens it sets its time. */
static bool
forget_use(const char *path)
{
	const struct timespec times[] = { { .tv_sec = 0 }, { .tv_sec = 0 } };
	return utimensat(AT_FDCWD, path, times, 0) == 0;
}

static bool
remove_it(const char *path)
{
	return unlink(path) == 0;
}

static bool
are_both_used(struct ptyterm *term, void *folder)
{
	(void)term;
	return count_caches(folder, is_used) == 2;
}

/* Compares with --cache, which leads to two caches that are written or opened. */
static void
compare_with_cache(const char *place, char *folder)
{
	path_text trace, other, option, home;
	testdata_path(trace, trace_name);
	testdata_path(other, other_name);
	snprintf(option, sizeof option, "--diff=%.4000s", other);
	snprintf(home, sizeof home, "XDG_CACHE_HOME=%.4000s", place);
	const struct ptyterm_options options = {
		.environment = (const char *const[]){ home, NULL }
	};
	struct ptyterm *term = start_program(
		"TTRACE", (const char *const[]){ "--cache", option, trace, NULL }, &options);
	assert_true(ptyterm_wait_text(term, "Difference by function"));
	assert_true(ptyterm_wait_for(term, are_both_used, folder, "two caches"));
	ptyterm_send(term, "Q");
	check_end(term, 0);
}

static void
both_traces_have_caches(void **state)
{
	(void)state;
	path_text place, folder;
	if (!cache_is_available())
		skip();
	own_path(place, "xdg");
	snprintf(folder, sizeof folder, "%.4000s/ttrace", place);
	assert_int_equal(mkdir(place, 0700), 0);
	compare_with_cache(place, folder);
	assert_int_equal(count_caches(folder, forget_use), 2);
	compare_with_cache(place, folder);
	assert_int_equal(count_caches(folder, remove_it), 2);
	rmdir(folder);
	rmdir(place);
}

/* ---- hostile text in the other trace, which alone has it */

static bool
is_clean(struct ptyterm *term, size_t *at)
{
	const struct text *raw = ptyterm_raw(term);
	*at = hostile_find(raw->bytes, raw->length, HOSTILE_SCREEN);
	return *at == raw->length;
}

static void
nothing_of_the_other_trace_gets_through(void **state)
{
	enum { WIDTH = HOSTILE_FAR - 1, HEIGHT = 30 };
	static const struct step steps[] = {
		{ "", "--- " },
		{ "Gs<", "Difference by function, mean" },
		{ ":analyse diff-regions\r", "Qregion" },
		{ "G\x7f\x7f:analyse diff-top:offcpu\r", "flat" },
		{ "&Qfunc\r", " rows" },
		{ "\rEG", ", callers" },
		{ "f", "as flames" },
		{ "jjjr", "flame graph" },
		{ "jj/Q\r", "matched" },
		{ "\x7f:analyse diff-tree:sync\r", ", calls" },
		{ "EGa", "what has changed since " },
	};
	const struct ptyterm_options options = { .width = WIDTH, .height = HEIGHT };
	(void)state;
	path_text path;
	own_path(path, "hostile.trace");
	for (size_t i = 0; i < HOSTILE_TEXTS; i++) {
		struct text bytes = { 0 };
		size_t at = 0;
		hostile_trace(&hostile_texts[i], &bytes);
		FILE *file = fopen(path, "wb");
		assert_non_null(file);
		assert_int_equal(fwrite(bytes.bytes, 1, bytes.length, file), bytes.length);
		assert_int_equal(fclose(file), 0);
		struct ptyterm *term = start(&options, path);
		TAKE(term, steps);
		if (!is_clean(term, &at))
			fail_msg("%s: byte %zu must not be there", hostile_texts[i].name, at);
		ptyterm_send(term, "Q");
		check_end(term, 0);
		text_release(&bytes);
	}
	unlink(path);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_difference_is_shown_first),
		cmocka_unit_test(on_a_terminal_without_a_cursor_it_is_printed),
		cmocka_unit_test(the_other_trace_may_be_slow),
		cmocka_unit_test(the_other_trace_may_be_damaged),
		cmocka_unit_test(the_other_file_may_be_no_trace),
		cmocka_unit_test(both_traces_have_caches),
		cmocka_unit_test(nothing_of_the_other_trace_gets_through),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

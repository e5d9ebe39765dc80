/*
 * The real program in a pseudo-terminal: that what the parts do well alone they
 * do together, and that the terminal is as it was on every way out.
 */
#include "ptytesting.h"

#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "base/text.h"

/* A name that stands in the rows of the test trace, and its title. */
static const char row_text[] = "Procs";
static const char trace_name[] = "httpserver-go1.23.trace";

static const char *
testdata_path(const char *name)
{
	static path_text path;
	const char *testdata = getenv("TTRACE_TESTDATA");
	snprintf(path, sizeof path, "%s/%s", testdata != NULL ? testdata : "testdata", name);
	return path;
}

static const char *
trace_path(void)
{
	return testdata_path(trace_name);
}

/* Starts the program with up to three arguments, NULL for none. */
static struct ptyterm *
start(const struct ptyterm_options *options, const char *a, const char *b, const char *c)
{
	return start_program("TTRACE", (const char *const[]){ a, b, c, NULL }, options);
}

static struct ptyterm *
start_on_trace(const struct ptyterm_options *options)
{
	struct ptyterm *term = start(options, trace_path(), NULL, NULL);
	assert_true(ptyterm_wait_text(term, row_text));
	assert_true(ptyterm_wait_text(term, "q quit"));
	return term;
}

static void
check_given_back(struct ptyterm *term)
{
	assert_false(ptyterm_is_alternate(term));
	assert_true(ptyterm_is_cursor_visible(term));
	assert_true(ptyterm_has_first_modes(term));
}

/* Waits for the program to end with this status. */
static void
check_end(struct ptyterm *term, int wanted)
{
	int status = 0;
	assert_true(ptyterm_wait_exit(term, &status));
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), wanted);
	check_given_back(term);
	ptyterm_free(term);
}

static void
quit(struct ptyterm *term)
{
	ptyterm_send(term, "Q");
	check_end(term, 0);
}

/* A row that we wait to become different. */
struct changing_row {
	int y;
	char text[1024];
};

static bool
has_changed(struct ptyterm *term, void *context)
{
	const struct changing_row *row = context;
	return strcmp(ptyterm_row(term, row->y), row->text) != 0;
}

static void
send_and_wait_change(struct ptyterm *term, const char *keys, int y)
{
	struct changing_row row = { .y = y };
	snprintf(row.text, sizeof row.text, "%s", ptyterm_row(term, y));
	ptyterm_send(term, keys);
	assert_true(ptyterm_wait_for(term, has_changed, &row, keys));
}

static void
it_opens_a_trace_and_quits(void **state)
{
	(void)state;
	struct ptyterm *term = start_on_trace(NULL);
	assert_true(ptyterm_is_alternate(term));
	assert_non_null(strstr(ptyterm_row(term, 0), trace_name));
	assert_true(ptyterm_has_text(term, "Procs 4"));
	assert_non_null(strstr(ptyterm_row(term, 23), "? help"));
	ptyterm_send(term, "q");
	check_end(term, 0);
}

static void
it_zooms_and_moves(void **state)
{
	(void)state;
	struct ptyterm *term = start_on_trace(NULL);
	assert_true(ptyterm_wait_text(term, "/cell"));
	send_and_wait_change(term, "+", 23);
	send_and_wait_change(term, "\033[C", 23);
	send_and_wait_change(term, "u", 23);
	quit(term);
}

static void
it_searches(void **state)
{
	(void)state;
	struct ptyterm *term = start_on_trace(NULL);
	ptyterm_send(term, "/serve");
	assert_true(ptyterm_wait_text(term, "/serve"));
	send_and_wait_change(term, "\r", 23);
	assert_true(ptyterm_wait_text(term, "match"));
	ptyterm_send(term, "nN/");
	assert_true(ptyterm_wait_no_text(term, "? help"));
	ptyterm_send(term, "\033");
	assert_true(ptyterm_wait_text(term, "? help"));
	quit(term);
}

static void
help_opens_and_closes(void **state)
{
	(void)state;
	struct ptyterm *term = start_on_trace(NULL);
	ptyterm_send(term, "?");
	assert_true(ptyterm_wait_text(term, "move the cursor one cell to the left"));
	assert_true(ptyterm_wait_text(term, "q back"));
	ptyterm_send(term, "\033");
	assert_true(ptyterm_wait_text(term, "q quit"));
	assert_true(ptyterm_has_text(term, row_text));
	quit(term);
}

static void
the_way_back_is_copied_and_printed_at_the_end(void **state)
{
	(void)state;
	struct ptyterm *term = start_on_trace(NULL);
	ptyterm_send(term, "y");
	assert_true(ptyterm_wait_text(term, "copied: ttrace --from=0s"));
	/* "ttrace --from=" in base64 */
	assert_non_null(strstr(ptyterm_raw(term)->bytes, "\033]52;c;dHRyYWNlIC0tZnJvbT"));
	ptyterm_send(term, "Q");
	int status = 0;
	assert_true(ptyterm_wait_exit(term, &status));
	assert_true(ptyterm_has_text(term, "ttrace --from=0s"));
	assert_int_equal(WEXITSTATUS(status), 0);
	check_given_back(term);
	ptyterm_free(term);
}

/* A folder with an editor that asks for a line, and code as the frames of the trace name it. */
static void
make_code(path_text folder, path_text editor)
{
	path_text path;
	own_path(folder, "code");
	assert_int_equal(mkdir(folder, 0700), 0);
	snprintf(path, sizeof path, "%.4000s/main.go", folder);
	int fd = open(path, O_WRONLY | O_CREAT, 0600);
	assert_true(fd >= 0);
	close(fd);
	snprintf(editor, PTYTESTING_PATH_BYTES,
		"EDITOR=f() { echo \"editing $*\"; read line; }; f");
}

static void
remove_code(const path_text folder)
{
	path_text path;
	snprintf(path, sizeof path, "%.4000s/main.go", folder);
	unlink(path);
	rmdir(folder);
}

static void
the_editor_has_the_terminal_meanwhile(void **state)
{
	(void)state;
	path_text folder, editor, here, trace;
	make_code(folder, editor);
	assert_non_null(realpath(testdata_path("contention-go1.23.trace"), trace));
	assert_non_null(getcwd(here, sizeof here));
	assert_int_equal(chdir(folder), 0);
	const char *const environment[] = { editor, "VISUAL=", NULL };
	struct ptyterm_options options = { .environment = environment };
	struct ptyterm *term = start(&options, trace, NULL, NULL);
	assert_int_equal(chdir(here), 0);
	assert_true(ptyterm_wait_text(term, "q quit"));
	ptyterm_send(term, "/sync.*Mutex..Lock\r");
	assert_true(ptyterm_wait_text(term, "match"));
	ptyterm_send(term, "e");
	assert_true(ptyterm_wait_text(term, "editing +"));
	assert_true(ptyterm_has_text(term, "main.go"));
	assert_false(ptyterm_is_alternate(term));
	ptyterm_send(term, "\r");
	assert_true(ptyterm_wait_text(term, "q quit"));
	assert_true(ptyterm_is_alternate(term));
	remove_code(folder);
	ptyterm_send(term, "9e");
	assert_true(ptyterm_wait_text(term, "on this machine"));
	quit(term);
}

/* The bytes that the options make the program write. */
static bool
writes(const char *option, const char *const environment[], const char *bytes)
{
	struct ptyterm_options options = { .environment = environment };
	struct ptyterm *term = start(&options, option, trace_path(), NULL);
	assert_true(ptyterm_wait_text(term, "q quit"));
	bool has_bytes = strstr(ptyterm_raw(term)->bytes, bytes) != NULL;
	quit(term);
	return has_bytes;
}

static void
a_number_of_colours_can_be_forced(void **state)
{
	(void)state;
	const char *const dark[] = { "COLORFGBG=15;0", NULL };
	assert_true(writes("--color-depth=truecolor", dark, "38;2;"));
	assert_false(writes("--color-depth=16", dark, "8;5;"));
	assert_true(writes("--color-depth=256", dark, "8;5;"));
	assert_false(writes("--color=never", dark, "8;5;"));
}

static void
the_terminal_is_asked_for_its_ground(void **state)
{
	(void)state;
	const char *const dark[] = { "COLORFGBG=15;0", NULL };
	const char *const unknown[] = { "COLORFGBG=", NULL };
	assert_true(writes("--palette=auto", unknown, "\033]11;?"));
	assert_false(writes("--palette=light", unknown, "\033]11;?"));
	assert_false(writes("--background=dark", unknown, "\033]11;?"));
	assert_false(writes("--palette=auto", dark, "\033]11;?"));
}

static void
the_mouse_selects_opens_and_is_given_back(void **state)
{
	(void)state;
	static const char on[] = "\033[?1002h\033[?1006h", off[] = "\033[?1006l\033[?1002l";
	struct ptyterm *term = start_on_trace(NULL);
	assert_non_null(strstr(ptyterm_raw(term)->bytes, on));
	assert_null(strstr(ptyterm_raw(term)->bytes, off));
	/* A click selects another cell; a second one at once opens what is there. */
	send_and_wait_change(term, "\033[<0;60;6M\033[<0;60;6m", 23);
	send_and_wait_change(term, "\033[<64;60;6M", 23);
	assert_true(ptyterm_wait_text(term, "/cell"));
	ptyterm_send(term, "\033[<0;40;6M\033[<32;50;6M\033[<0;50;6m");
	assert_true(ptyterm_wait_text(term, "marked"));
	ptyterm_send(term, "M");
	assert_true(ptyterm_wait_text(term, "the mouse is off"));
	assert_non_null(strstr(ptyterm_raw(term)->bytes, off));
	quit(term);

	term = start(NULL, "--mouse=off", trace_path(), NULL);
	assert_true(ptyterm_wait_text(term, "q quit"));
	assert_null(strstr(ptyterm_raw(term)->bytes, on));
	quit(term);
}

static void
it_follows_the_size(void **state)
{
	(void)state;
	static const int sizes[][2] = { { 40, 10 }, { 200, 50 }, { 1, 1 }, { 10, 3 }, { 80, 24 } };
	struct ptyterm *term = start_on_trace(NULL);
	for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
		ptyterm_resize(term, sizes[i][0], sizes[i][1]);
		if (sizes[i][0] >= 40)
			assert_true(ptyterm_wait_text(term, "? help"));
		ptyterm_settle(term, 50);
	}
	assert_true(ptyterm_wait_text(term, "q quit"));
	assert_non_null(strstr(ptyterm_row(term, 23), "q quit"));
	assert_non_null(strstr(ptyterm_row(term, 0), trace_name));
	quit(term);
}

static void
it_stops_and_goes_on(void **state)
{
	(void)state;
	struct ptyterm *term = start_on_trace(NULL);
	ptyterm_send(term, "\032");
	assert_true(ptyterm_wait_stopped(term));
	check_given_back(term);
	ptyterm_continue(term);
	assert_true(ptyterm_wait_text(term, row_text));
	assert_true(ptyterm_is_alternate(term));
	quit(term);
}

static void
a_signal_ends_it_with_the_terminal_restored(void **state)
{
	(void)state;
	static const int numbers[] = { SIGTERM, SIGINT, SIGQUIT, SIGUSR1, SIGXCPU };
	for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
		int status = 0;
		struct ptyterm *term = start_on_trace(NULL);
		ptyterm_signal(term, numbers[i]);
		assert_true(ptyterm_wait_exit(term, &status));
		assert_true(WIFSIGNALED(status));
		assert_int_equal(WTERMSIG(status), numbers[i]);
		check_given_back(term);
		ptyterm_free(term);
	}
}

static void
a_crash_gives_the_terminal_back_and_says_what_to_do(void **state)
{
	(void)state;
	int status = 0;
	struct ptyterm *term = start_on_trace(NULL);
	ptyterm_signal(term, SIGSEGV);
	assert_true(ptyterm_wait_exit(term, &status));
	assert_true(WIFSIGNALED(status));
	check_given_back(term);
	assert_true(ptyterm_has_text(term, "ttrace crashed"));
	assert_true(ptyterm_has_text(term, "Please report it"));
	ptyterm_free(term);
}

static void
a_cache_that_was_cut_off_is_no_mistake_of_ours(void **state)
{
	(void)state;
	int status = 0;
	struct ptyterm *term = start_on_trace(NULL);
	ptyterm_signal(term, SIGBUS);
	assert_true(ptyterm_wait_exit(term, &status));
	assert_true(WIFSIGNALED(status));
	check_given_back(term);
	assert_true(ptyterm_has_text(term, "the cache of the trace was cut off"));
	assert_false(ptyterm_has_text(term, "Please report it"));
	ptyterm_free(term);
}

static void
it_ends_with_its_terminal(void **state)
{
	(void)state;
	int status = 0;
	struct ptyterm *term = start_on_trace(NULL);
	ptyterm_hang_up(term);
	assert_true(ptyterm_wait_exit(term, &status));
	ptyterm_free(term);
}

static void
the_trace_comes_from_a_pipe_and_keys_from_the_terminal(void **state)
{
	(void)state;
	struct ptyterm_options options = { .stdin_path = trace_path() };
	struct ptyterm *term = start(&options, NULL, NULL, NULL);
	assert_true(ptyterm_wait_text(term, row_text));
	assert_true(ptyterm_wait_text(term, "standard input"));
	ptyterm_send(term, "?");
	assert_true(ptyterm_wait_text(term, "move the cursor one cell to the left"));
	quit(term);
}

static void
a_goroutine_is_shown_first(void **state)
{
	(void)state;
	struct ptyterm *term = start(NULL, "--goroutine=53", trace_path(), NULL);
	assert_true(ptyterm_wait_text(term, "G53"));
	quit(term);

	term = start(NULL, "--goroutine=9999", trace_path(), NULL);
	assert_true(ptyterm_wait_text(term, "goroutine 9999 is not in the trace; the nearest"));
	check_end(term, 4);
}

/* Copies the first bytes of a test trace. */
static void
write_cut_trace(const char *name, const char *path, size_t bytes)
{
	char buffer[4096];
	FILE *from = fopen(testdata_path(name), "rb"), *to = fopen(path, "wb");
	assert_non_null(from);
	assert_non_null(to);
	while (bytes > 0) {
		size_t wanted = bytes < sizeof buffer ? bytes : sizeof buffer;
		size_t got = fread(buffer, 1, wanted, from);
		assert_int_equal(got, wanted);
		assert_int_equal(fwrite(buffer, 1, got, to), got);
		bytes -= got;
	}
	fclose(from);
	fclose(to);
}

/* Generations that are whole are shown; the loss is told, and once more at the end. */
static void
a_damaged_trace_is_shown_as_far_as_it_goes(void **state)
{
	(void)state;
	path_text path;
	own_path(path, "damaged.trace");
	write_cut_trace("long-go1.23.trace", path, 50000);
	struct ptyterm *term = start(NULL, path, NULL, NULL);
	assert_true(ptyterm_wait_text(term, row_text));
	assert_true(ptyterm_wait_text(term, "damaged: "));
	ptyterm_send(term, "\033[C");
	assert_true(ptyterm_wait_text(term, "? help"));
	ptyterm_send(term, "q");
	assert_true(ptyterm_wait_text(term, "is damaged: "));
	check_end(term, 3);
	unlink(path);
}

static void
what_is_no_trace_is_told(void **state)
{
	(void)state;
	path_text path;
	own_path(path, "cut.trace");
	write_cut_trace(trace_name, path, 10);
	struct ptyterm *term = start(NULL, path, NULL, NULL);
	assert_true(ptyterm_wait_text(term, "ttrace: "));
	check_end(term, 1);
	unlink(path);

	term = start(NULL, "/nonexistent/a.trace", NULL, NULL);
	assert_true(ptyterm_wait_text(term, "ttrace: /nonexistent/a.trace: "));
	check_end(term, 1);
}

/* A pipe that brings nothing: the loading screen waits, and the user does not. */
static void
loading_can_be_cancelled(void **state)
{
	(void)state;
	path_text path;
	int writer = own_fifo(path, "fifo");
	struct ptyterm *term = start(NULL, path, NULL, NULL);
	assert_true(ptyterm_wait_text(term, "Reading "));
	assert_true(ptyterm_wait_text(term, "0 B read"));
	ptyterm_resize(term, 40, 10);
	assert_true(ptyterm_wait_text(term, "cancel"));
	ptyterm_send(term, "q");
	assert_true(ptyterm_wait_text(term, "cancelled"));
	check_end(term, 1);
	close(writer);
	unlink(path);
}

/* Writes a part of the test's file, by shares in per cent. */
static void
write_part(int writer, FILE *file, long size, long from, long until)
{
	assert_int_equal(fseek(file, size * from / 100, SEEK_SET), 0);
	for (long left = size * until / 100 - size * from / 100; left > 0;) {
		char piece[4096];
		size_t most = left < (long)sizeof piece ? (size_t)left : sizeof piece;
		size_t got = fread(piece, 1, most, file);
		assert_true(got > 0);
		assert_int_equal(write(writer, piece, got), (ssize_t)got);
		left -= (long)got;
	}
}

/* Keys work between the pieces, and leaving does not wait for the next. */
static void
a_slow_pipe_is_followed(void **state)
{
	(void)state;
	path_text path;
	FILE *file = fopen(testdata_path("long-go1.26.trace"), "rb");
	assert_non_null(file);
	assert_int_equal(fseek(file, 0, SEEK_END), 0);
	long size = ftell(file);
	int writer = own_fifo(path, "slow");
	struct ptyterm *term = start(NULL, path, NULL, NULL);
	assert_true(ptyterm_wait_text(term, "0 B read"));
	write_part(writer, file, size, 0, 50);
	assert_true(ptyterm_wait_text(term, row_text));
	assert_true(ptyterm_wait_text(term, "live, "));
	ptyterm_send(term, "?");
	assert_true(ptyterm_wait_text(term, "Zooming"));
	ptyterm_send(term, "q");
	assert_true(ptyterm_wait_text(term, row_text));
	struct changing_row title = { .y = 0 };
	snprintf(title.text, sizeof title.text, "%s", ptyterm_row(term, 0));
	write_part(writer, file, size, 50, 100);
	assert_true(ptyterm_wait_for(term, has_changed, &title, "the title to grow"));
	quit(term);
	close(writer);
	fclose(file);
	unlink(path);
}

static void
a_report_goes_through_the_pager(void **state)
{
	(void)state;
	static const char *const paged[] = { "TTRACE_PAGER=sed s/^/paged:/", "PAGER=false", NULL };
	struct ptyterm_options options = { .environment = paged };
	struct ptyterm *term = start(&options, "--report=summary", trace_path(), NULL);
	assert_true(ptyterm_wait_text(term, "paged:"));
	check_end(term, 0);

	term = start(&options, "--report=summary", "--no-pager", trace_path());
	assert_true(ptyterm_wait_text(term, "All goroutines by function"));
	assert_false(ptyterm_has_text(term, "paged:"));
	check_end(term, 0);

	static const char *const missing[] = { "TTRACE_PAGER=/nonexistent/pager", NULL };
	options.environment = missing;
	term = start(&options, "--report=summary", trace_path(), NULL);
	assert_true(ptyterm_wait_text(term, "All goroutines by function"));
	check_end(term, 0);

	static const char *const early[] = { "TTRACE_PAGER=head -1", NULL };
	options.environment = early;
	term = start(&options, "--report=goroutine:53", trace_path(), NULL);
	assert_true(ptyterm_wait_text(term, "G53"));
	check_end(term, 0);
}

static void
the_pager_ends_with_us(void **state)
{
	(void)state;
	static const char *const lasting[] = {
		"TTRACE_PAGER=trap 'echo ended; exit' TERM; echo begun; while :; do sleep 0.1; done", NULL
	};
	static const int signals[] = { SIGTERM, SIGHUP,
#if defined(__linux__)
		SIGKILL, /* of which nobody else tells the pager */
#endif
	};
	for (size_t i = 0; i < ARRAY_LENGTH(signals); i++) {
		struct ptyterm_options options = { .environment = lasting };
		struct ptyterm *term = start(&options, "--report=summary", trace_path(), NULL);
		int status = 0;
		assert_true(ptyterm_wait_text(term, "begun"));
		ptyterm_signal(term, signals[i]);
		assert_true(ptyterm_wait_text(term, "ended"));
		assert_true(ptyterm_wait_exit(term, &status));
		assert_true(WIFSIGNALED(status) && WTERMSIG(status) == signals[i]);
		ptyterm_free(term);
	}
}

static void
a_dumb_terminal_gets_print(void **state)
{
	(void)state;
	struct ptyterm_options options = { .term = "dumb", .width = 100, .height = 60 };
	struct ptyterm *term = start(&options, trace_path(), "--height=5", NULL);
	assert_true(ptyterm_wait_text(term, "All goroutines by function"));
	check_end(term, 0);
}

/* They say themselves that nothing is known of them. */
static void
a_terminal_without_a_type_gets_print(void **state)
{
	(void)state;
	static const char *const names[] = { "", "unknown" };
	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
		struct ptyterm_options options = { .term = names[i], .width = 100, .height = 60 };
		struct ptyterm *term = start(&options, trace_path(), "--height=5", NULL);
		assert_true(ptyterm_wait_text(term, "All goroutines by function"));
		check_end(term, 0);
	}
}

/* With the mouse, and in all colours where they are told of. */
static void
a_terminal_that_the_machine_does_not_know_gets_the_screen(void **state)
{
	(void)state;
	static const char *const names[] = { "xterm-ghostty", "tmux-next", "\033[77;77H/../x" };
	static const char *const environment[] = { "TERMINFO=/nonexistent", "TERMINFO_DIRS=/nonexistent",
		"COLORTERM=truecolor", NULL };
	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
		struct ptyterm_options options = { .term = names[i], .environment = environment };
		struct ptyterm *term = start(&options, trace_path(), NULL, NULL);
		bool has_color = false;
		assert_true(ptyterm_wait_text(term, "(TERM) is not known on this machine: driven as "));
		for (int x = 0; x < 80 && !has_color; x++)
			has_color = (ptyterm_cell(term, x, 5).bg & PTYTERM_RGB) != 0 &&
				    ptyterm_cell(term, x, 5).bg != PTYTERM_DEFAULT;
		assert_true(has_color);
		ptyterm_send(term, "\033[<0;40;6M\033[<32;50;6M\033[<0;50;6m");
		assert_true(ptyterm_wait_text(term, "marked"));
		assert_false(ptyterm_has_text(term, "is not known on this machine"));
		quit(term);
	}
}

static void
without_a_trace_there_is_usage(void **state)
{
	(void)state;
	struct ptyterm *term = start(NULL, NULL, NULL, NULL);
	assert_true(ptyterm_wait_text(term, "usage: ttrace"));
	check_end(term, 2);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(it_opens_a_trace_and_quits),
		cmocka_unit_test(it_zooms_and_moves),
		cmocka_unit_test(it_searches),
		cmocka_unit_test(help_opens_and_closes),
		cmocka_unit_test(the_way_back_is_copied_and_printed_at_the_end),
		cmocka_unit_test(the_editor_has_the_terminal_meanwhile),
		cmocka_unit_test(a_number_of_colours_can_be_forced),
		cmocka_unit_test(the_terminal_is_asked_for_its_ground),
		cmocka_unit_test(the_mouse_selects_opens_and_is_given_back),
		cmocka_unit_test(it_follows_the_size),
		cmocka_unit_test(it_stops_and_goes_on),
		cmocka_unit_test(a_signal_ends_it_with_the_terminal_restored),
		cmocka_unit_test(a_crash_gives_the_terminal_back_and_says_what_to_do),
		cmocka_unit_test(a_cache_that_was_cut_off_is_no_mistake_of_ours),
		cmocka_unit_test(it_ends_with_its_terminal),
		cmocka_unit_test(the_trace_comes_from_a_pipe_and_keys_from_the_terminal),
		cmocka_unit_test(a_goroutine_is_shown_first),
		cmocka_unit_test(a_damaged_trace_is_shown_as_far_as_it_goes),
		cmocka_unit_test(what_is_no_trace_is_told),
		cmocka_unit_test(loading_can_be_cancelled),
		cmocka_unit_test(a_slow_pipe_is_followed),
		cmocka_unit_test(a_report_goes_through_the_pager),
		cmocka_unit_test(the_pager_ends_with_us),
		cmocka_unit_test(a_dumb_terminal_gets_print),
		cmocka_unit_test(a_terminal_without_a_type_gets_print),
		cmocka_unit_test(a_terminal_that_the_machine_does_not_know_gets_the_screen),
		cmocka_unit_test(without_a_trace_there_is_usage),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

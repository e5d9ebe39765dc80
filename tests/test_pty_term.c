/* The terminal side of the program, in a real pseudo-terminal with an emulator behind it. */
#include "ptytesting.h"

#include <signal.h>
#include <string.h>
#include <sys/wait.h>

#include "base/compiler.h"
#include "base/signal_sets.h"
#include "draw/palette.h"
#include "scramble.h"

enum { COLOR_RUNNING = 36, COLOR_READY = 172, COLOR_SYNC = 166, COLOR_CURSOR_CELL = 241 };

static struct ptyterm *
start(const char *option, const struct ptyterm_options *options)
{
	return start_program("TTRACE_TERMDEMO", (const char *const[]){ option, NULL }, options);
}

/* The last cell of the screen is also the last that is written. */
static bool
has_last_cell(struct ptyterm *term, void *context)
{
	const int *size = context;
	return strcmp(ptyterm_cell(term, size[0] - 1, size[1] - 1).text, "│") == 0;
}

static void
wait_last_cell(struct ptyterm *term, int width, int height)
{
	int size[2] = { width, height };
	assert_true(ptyterm_wait_for(term, has_last_cell, size, "the last cell"));
}

static struct ptyterm *
start_and_draw(const char *option, const struct ptyterm_options *options)
{
	struct ptyterm *term = start(option, options);
	wait_last_cell(term, 80, 24);
	assert_true(ptyterm_has_text(term, "event 0 start"));
	return term;
}

static void
check_given_back(struct ptyterm *term)
{
	assert_false(ptyterm_is_alternate(term));
	assert_true(ptyterm_is_cursor_visible(term));
	assert_true(ptyterm_has_first_modes(term));
}

static void
quit(struct ptyterm *term)
{
	int status = 0;
	ptyterm_send(term, "q");
	assert_true(ptyterm_wait_exit(term, &status));
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 0);
	check_given_back(term);
	ptyterm_free(term);
}

static void
cells_arrive_as_drawn(void **state)
{
	(void)state;
	struct ptyterm *term = start_and_draw(NULL, NULL);
	assert_true(ptyterm_wait_text(term, "size 80x24 depth 256"));
	assert_true(ptyterm_is_alternate(term));
	assert_false(ptyterm_is_cursor_visible(term));
	assert_false(ptyterm_has_first_modes(term));

	struct ptyterm_cell cell = ptyterm_cell(term, 0, 2);
	assert_string_equal(cell.text, "▄");
	assert_int_equal(cell.fg, COLOR_RUNNING);
	assert_int_equal(cell.bg, COLOR_READY);
	cell = ptyterm_cell(term, 1, 2);
	assert_string_equal(cell.text, "─");
	assert_int_equal(cell.fg, COLOR_SYNC);
	assert_true(cell.bg == PTYTERM_DEFAULT);
	cell = ptyterm_cell(term, 2, 2);
	assert_true(cell.is_bold && cell.is_underlined);
	assert_int_equal(ptyterm_cell(term, 3, 2).bg, COLOR_CURSOR_CELL);
	cell = ptyterm_cell(term, 4, 2);
	assert_string_equal(cell.text, "日");
	assert_int_equal(cell.width, 2);
	assert_true(ptyterm_has_text(term, "日本 e\xcc\x81 end"));
	quit(term);
}

/* Keys that terminals send, in their usual and in their other modes. */
static const struct {
	const char *bytes, *name;
} keys[] = {
	{ "a", "<a>" },          { "G", "<G>" },
	{ "[", "<[>" },          { " ", "<Space>" },
	{ "\r", "<Enter>" },     { "\t", "<Tab>" },
	{ "\033[Z", "<S-Tab>" }, { "\033", "<Escape>" },
	{ "\033[A", "<Up>" },    { "\033OA", "<Up>" },
	{ "\033OD", "<Left>" },  { "\033[5~", "<PageUp>" },
	{ "\033[6~", "<PageDown>" }, { "\033[1~", "<Home>" },
	{ "\033[F", "<End>" },   { "\033[3~", "<Delete>" },
	{ "\177", "<Backspace>" }, { "\033OP", "<F1>" },
	{ "\033[1;2D", "<S-Left>" }, { "\033[1;5C", "<C-Right>" },
	{ "\f", "<C-l>" },       { "\033x", "<M-x>" },
	{ "\003", "<C-c>" },     { "\xc3\xa9", "<é>" },
	{ "日", "<日>" },        { "\033OM", "<Enter>" },
};

/* The screen has told of no event yet. */
static void
check_keys(struct ptyterm *term)
{
	for (size_t i = 0; i < ARRAY_LENGTH(keys); i++) {
		char wanted[64];
		snprintf(wanted, sizeof wanted, "event %zu key key %s", i + 1, keys[i].name);
		ptyterm_send(term, keys[i].bytes);
		if (!ptyterm_wait_text(term, wanted))
			fail_msg("%s was not seen", wanted);
	}
}

static void
keys_have_their_names(void **state)
{
	(void)state;
	struct ptyterm *term = start_and_draw(NULL, NULL);
	check_keys(term);
	quit(term);
}

/* Of which terminfo's database has no description; the last two are no names at all. */
static void
unknown_terminals_are_driven_as_others_are(void **state)
{
	(void)state;
	static const char *const names[] = { "xterm-ghostty", "xterm-kitty", "alacritty", "foot",
		"wezterm", "tmux-256color", "tmux-next", "screen.next", "no-such-terminal",
		"\033[77;77H/../x", "a|b:c" };
	static const char *const environment[] = { "TERMINFO=/nonexistent", "TERMINFO_DIRS=/nonexistent",
		"HOME=/nonexistent", NULL };
	for (size_t i = 0; i < ARRAY_LENGTH(names); i++) {
		struct ptyterm_options options = { .term = names[i], .environment = environment };
		struct ptyterm *term = start_and_draw(NULL, &options);
		assert_true(ptyterm_wait_text(term, "size 80x24 depth 256"));
		assert_true(ptyterm_is_alternate(term));
		assert_false(ptyterm_is_cursor_visible(term));
		struct ptyterm_cell cell = ptyterm_cell(term, 0, 2);
		assert_int_equal(cell.fg, COLOR_RUNNING);
		assert_int_equal(cell.bg, COLOR_READY);
		cell = ptyterm_cell(term, 2, 2);
		assert_true(cell.is_bold && cell.is_underlined);
		check_keys(term);
		ptyterm_resize(term, 100, 30);
		wait_last_cell(term, 100, 30);
		/* What children get is what we were given. */
		ptyterm_send(term, "e");
		assert_true(ptyterm_wait_text(term, "environment /nonexistent"));
		quit(term);
	}
}

static void
keys_sent_at_once_all_count(void **state)
{
	(void)state;
	struct ptyterm *term = start_and_draw(NULL, NULL);
	ptyterm_send(term, "abc\033[A\033[Bde");
	assert_true(ptyterm_wait_text(term, "event 7 key key <e>"));
	quit(term);
}

/* Says once more that k was pressed until the program sees it as a key of its own. */
static bool
sees_key(struct ptyterm *term, void *context)
{
	(void)context;
	if (ptyterm_has_text(term, "key <k>"))
		return true;
	ptyterm_send(term, "k");
	ptyterm_settle(term, 10);
	return false;
}

/* ESC P begins a control string; a keyboard that waits for its end would be dead. */
static void
unfinished_sequences_do_not_block(void **state)
{
	(void)state;
	struct ptyterm *term = start_and_draw(NULL, NULL);
	ptyterm_send(term, "\033Pabc");
	assert_true(ptyterm_wait_for(term, sees_key, NULL, "a key after an unfinished sequence"));
	quit(term);
}

static void
the_size_is_followed(void **state)
{
	(void)state;
	struct ptyterm *term = start_and_draw(NULL, NULL);
	ptyterm_resize(term, 100, 30);
	assert_true(ptyterm_wait_text(term, "size 100x30"));
	assert_true(ptyterm_wait_text(term, "event 1 resize"));
	wait_last_cell(term, 100, 30);
	assert_string_equal(ptyterm_cell(term, 79, 0).text, "");
	ptyterm_resize(term, 40, 10);
	assert_true(ptyterm_wait_text(term, "size 40x10"));
	assert_true(ptyterm_wait_text(term, "event 2 resize"));
	wait_last_cell(term, 40, 10);
	quit(term);
}

static void
check_goes_on(struct ptyterm *term)
{
	assert_true(ptyterm_wait_stopped(term));
	check_given_back(term);
	ptyterm_continue(term);
	assert_true(ptyterm_wait_text(term, " resume "));
	assert_true(ptyterm_is_alternate(term));
	wait_last_cell(term, 80, 24);
	assert_true(ptyterm_has_text(term, "日本 e\xcc\x81 end"));
	assert_false(ptyterm_is_cursor_visible(term));
	ptyterm_send(term, "k");
	assert_true(ptyterm_wait_text(term, "key <k>"));
	quit(term);
}

static void
suspend_key_gives_the_terminal_back(void **state)
{
	(void)state;
	struct ptyterm *term = start_and_draw(NULL, NULL);
	ptyterm_send(term, "\032");
	check_goes_on(term);
}

static void
stop_signal_gives_the_terminal_back(void **state)
{
	(void)state;
	struct ptyterm *term = start_and_draw(NULL, NULL);
	ptyterm_signal(term, SIGTSTP);
	check_goes_on(term);
}

/* The size may change while the program is stopped: no SIGWINCH reaches it then. */
static void
size_changed_while_stopped_is_seen(void **state)
{
	(void)state;
	struct ptyterm *term = start_and_draw(NULL, NULL);
	ptyterm_send(term, "\032");
	assert_true(ptyterm_wait_stopped(term));
	ptyterm_resize(term, 60, 20);
	ptyterm_continue(term);
	assert_true(ptyterm_wait_text(term, "size 60x20"));
	quit(term);
}

static void
unseen_stop_is_repaired(void **state)
{
	(void)state;
	struct ptyterm *term = start_and_draw(NULL, NULL);
	ptyterm_signal(term, SIGSTOP);
	assert_true(ptyterm_wait_stopped(term));
	ptyterm_continue(term);
	assert_true(ptyterm_wait_text(term, "event 1 resume"));
	quit(term);
}

static void
ending_signals_give_the_terminal_back(void **state)
{
	(void)state;
	for (size_t i = 0; i < SIGNALS_ENDING; i++) {
		struct ptyterm *term = start_and_draw(NULL, NULL);
		int status = 0;
		ptyterm_signal(term, signals_ending[i]);
		assert_true(ptyterm_wait_exit(term, &status));
		assert_true(WIFEXITED(status));
		assert_int_equal(WEXITSTATUS(status), 128 + signals_ending[i]);
		check_given_back(term);
		assert_true(ptyterm_has_text(term, "termdemo ends"));
		ptyterm_free(term);
	}
}

static void
crashes_give_the_terminal_back(void **state)
{
	(void)state;
	static const struct {
		const char *key;
		int signal;
	} rows[] = { { "s", SIGSEGV }, { "t", SIGSEGV }, { "A", SIGABRT }, { "o", SIGSEGV },
		{ "O", SIGSEGV } };
	for (size_t i = 0; i < ARRAY_LENGTH(rows); i++) {
		struct ptyterm *term = start_and_draw(NULL, NULL);
		int status = 0;
		ptyterm_send(term, rows[i].key);
		assert_true(ptyterm_wait_exit(term, &status));
		assert_true(WIFSIGNALED(status));
		assert_int_equal(WTERMSIG(status), rows[i].signal);
		check_given_back(term);
		assert_true(ptyterm_has_text(term, "termdemo crashed"));
		ptyterm_free(term);
	}
}

static void
program_ends_when_the_terminal_does(void **state)
{
	(void)state;
	struct ptyterm *term = start_and_draw(NULL, NULL);
	int status = 0;
	ptyterm_hang_up(term);
	assert_true(ptyterm_wait_exit(term, &status));
	assert_true(WIFEXITED(status));
	ptyterm_free(term);
}

static void
keys_come_from_the_terminal_when_stdin_is_a_pipe(void **state)
{
	(void)state;
	struct ptyterm_options options = { .stdin_path = getenv("TTRACE_TERMDEMO") };
	struct ptyterm *term = start_and_draw(NULL, &options);
	assert_false(ptyterm_has_text(term, "stdin 0"));
	ptyterm_send(term, "k");
	assert_true(ptyterm_wait_text(term, "key <k>"));
	ptyterm_send(term, "\032");
	check_goes_on(term);
}

static void
threads_wake_the_loop(void **state)
{
	(void)state;
	struct ptyterm *term = start_and_draw(NULL, NULL);
	ptyterm_send(term, "w");
	assert_true(ptyterm_wait_text(term, "event 2 wake"));
	quit(term);
}

static void
without_colors_attributes_speak(void **state)
{
	(void)state;
	struct ptyterm *term = start_and_draw("--no-color", NULL);
	assert_true(ptyterm_has_text(term, "depth none"));
	struct ptyterm_cell cell = ptyterm_cell(term, 0, 2);
	assert_true(cell.fg == PTYTERM_DEFAULT && cell.bg == PTYTERM_DEFAULT);
	assert_true(cell.is_reversed);
	assert_true(ptyterm_cell(term, 3, 2).is_reversed);
	quit(term);
}

static void
few_colors_are_enough(void **state)
{
	(void)state;
	struct ptyterm_options options = { .term = "linux" };
	struct ptyterm *term = start_and_draw(NULL, &options);
	assert_true(ptyterm_has_text(term, "depth 8"));
	struct ptyterm_cell cell = ptyterm_cell(term, 1, 2);
	assert_string_equal(cell.text, "─");
	assert_int_equal(cell.fg, 1);
	assert_true(ptyterm_cell(term, 3, 2).is_reversed);
	quit(term);
}

static void
light_palette_differs(void **state)
{
	(void)state;
	struct ptyterm *term = start_and_draw("--light", NULL);
	assert_int_equal(ptyterm_cell(term, 0, 2).fg, 29);
	quit(term);
}

static void
useless_terminals_are_refused(void **state)
{
	(void)state;
	static const struct {
		const char *term, *message;
	} rows[] = {
		{ "dumb", "\"dumb\" (TERM) cannot place the cursor" },
		{ "", "TERM is not set" },
	};
	for (size_t i = 0; i < ARRAY_LENGTH(rows); i++) {
		struct ptyterm_options options = { .term = rows[i].term, .width = 120 };
		struct ptyterm *term = start(NULL, &options);
		int status = 0;
		assert_true(ptyterm_wait_exit(term, &status));
		assert_true(WIFEXITED(status));
		assert_int_equal(WEXITSTATUS(status), 1);
		if (!ptyterm_has_text(term, rows[i].message))
			fail_msg("no \"%s\" but: %s", rows[i].message, ptyterm_row(term, 0));
		check_given_back(term);
		ptyterm_free(term);
	}
}

static void
only_what_changed_is_written(void **state)
{
	(void)state;
	struct ptyterm *term = start_and_draw(NULL, NULL);
	uint64_t before = ptyterm_bytes(term);
	ptyterm_send(term, "x");
	assert_true(ptyterm_wait_text(term, "changes 1"));
	uint64_t written = ptyterm_bytes(term) - before;
	if (written > 80)
		fail_msg("%lu bytes for a few cells", (unsigned long)written);
	quit(term);
}

/* ---- many changes, each cell compared */

static uint32_t
color_seen(uint32_t color)
{
	return color == COLOR_TERMINAL ? PTYTERM_DEFAULT : color;
}

static void
check_cell(const struct ptyterm_cell *seen, const struct cell *cell, enum color_depth depth)
{
	struct palette_look look = palette_look(palette_find("dark"), cell, depth);
	bool is_reversed = (look.attributes & CELL_REVERSE) != 0;
	bool is_underlined = (look.attributes & CELL_UNDERLINE) != 0;
	bool has_text = cell->text[0] != '\0';
	assert_string_equal(seen->text, cell->text);
	assert_int_equal(seen->bg, color_seen(look.bg));
	assert_int_equal(seen->is_reversed, is_reversed);
	assert_int_equal(seen->is_underlined, is_underlined);
	if (has_text || is_reversed || is_underlined)
		assert_int_equal(seen->fg, color_seen(look.fg));
	if (has_text)
		assert_int_equal(seen->is_bold, (look.attributes & CELL_BOLD) != 0);
}

static void
check_scrambled(struct ptyterm *term, const struct canvas *canvas, enum color_depth depth)
{
	for (int y = SCRAMBLE_TOP; y < canvas->height - 1; y++) {
		for (int x = 0; x < canvas->width; x++) {
			const struct cell *cell = &canvas->cells[y * canvas->width + x];
			struct ptyterm_cell seen = ptyterm_cell(term, x, y);
			if (!cell->is_continued)
				check_cell(&seen, cell, depth);
		}
	}
}

static void
any_picture_follows_any_other(void **state)
{
	(void)state;
	static const struct {
		const char *term;
		enum color_depth depth;
	} rows[] = { { "xterm-256color", COLORS_256 }, { "screen-256color", COLORS_256 },
		{ "xterm", COLORS_8 }, { "vt220", COLORS_NONE }, { "no-such-xterm", COLORS_256 },
		{ "tmux-next", COLORS_256 }, { "screen.next", COLORS_256 } };
	enum { WIDTH = 80, HEIGHT = 24, STEPS = 18 };
	for (size_t i = 0; i < ARRAY_LENGTH(rows); i++) {
		struct ptyterm_options options = { .term = rows[i].term };
		struct ptyterm *term = start_and_draw(NULL, &options);
		struct canvas canvas = { 0 };
		struct error err;
		assert_true(canvas_resize(&canvas, WIDTH, HEIGHT, &err));
		for (int y = 0; y < HEIGHT; y++)
			canvas_put(&canvas, WIDTH - 1, y, (struct cell_style){ 0 }, "│");
		for (int step = 1; step <= STEPS; step++) {
			char text[32];
			snprintf(text, sizeof text, "scrambled %d", step);
			scramble(&canvas, (uint64_t)step);
			ptyterm_send(term, "m");
			assert_true(ptyterm_wait_text(term, text));
			check_scrambled(term, &canvas, rows[i].depth);
		}
		canvas_release(&canvas);
		quit(term);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(cells_arrive_as_drawn),
		cmocka_unit_test(keys_have_their_names),
		cmocka_unit_test(unknown_terminals_are_driven_as_others_are),
		cmocka_unit_test(keys_sent_at_once_all_count),
		cmocka_unit_test(unfinished_sequences_do_not_block),
		cmocka_unit_test(the_size_is_followed),
		cmocka_unit_test(suspend_key_gives_the_terminal_back),
		cmocka_unit_test(stop_signal_gives_the_terminal_back),
		cmocka_unit_test(size_changed_while_stopped_is_seen),
		cmocka_unit_test(unseen_stop_is_repaired),
		cmocka_unit_test(ending_signals_give_the_terminal_back),
		cmocka_unit_test(crashes_give_the_terminal_back),
		cmocka_unit_test(program_ends_when_the_terminal_does),
		cmocka_unit_test(keys_come_from_the_terminal_when_stdin_is_a_pipe),
		cmocka_unit_test(threads_wake_the_loop),
		cmocka_unit_test(without_colors_attributes_speak),
		cmocka_unit_test(few_colors_are_enough),
		cmocka_unit_test(light_palette_differs),
		cmocka_unit_test(useless_terminals_are_refused),
		cmocka_unit_test(only_what_changed_is_written),
		cmocka_unit_test(any_picture_follows_any_other),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

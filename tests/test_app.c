/*
 * The app on a fake screen, with a view that writes down what it is told: prompts,
 * counts, undo, the stack of views, sizes, and loading.
 */
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "app/app.h"
#include "app/keys.h"
#include "app/loading.h"
#include "app/loop.h"
#include "base/memory.h"
#include "draw/palette.h"
#include "fakescreen.h"
#include "query/search_job.h"
#include "source/go/words.h"
#include "tracetesting.h"
#include "view/help.h"

enum { END_NS = 1024 };

/* ---- a view for testing */

static struct text told; /* "right*3 search(main) " */

static void *
fake_open(struct session *session, struct error *err)
{
	(void)session;
	(void)err;
	text_add_string(&told, "begin ");
	return &told;
}

static void
fake_close(void *state)
{
	(void)state;
	text_add_string(&told, "end ");
}

static void
note(enum command command, long count, const char *argument)
{
	text_add_string(&told, command_row(command)->name);
	if (count != 1)
		text_format(&told, "*%ld", count);
	if (argument != NULL)
		text_format(&told, "(%s)", argument);
	text_add_string(&told, " ");
}

/* Zooming and jumping deserve a step of history, moving the cursor does not. */
static struct view_answer
fake_command(void *state, struct session *session, enum command command, long count,
	const char *argument)
{
	(void)state;
	if (command == COMMAND_CLOSE)
		return (struct view_answer){ .reaction = VIEW_NOTHING };
	note(command, count, argument);
	if (command == COMMAND_CLEAR_SEARCH)
		return (struct view_answer){ .reaction = VIEW_NOTHING };
	if (command == COMMAND_OPEN)
		return (struct view_answer){ .reaction = VIEW_OPEN, .open_name = "detail" };
	if (command == COMMAND_RIGHT)
		session->cursor_ns += count;
	if (command == COMMAND_ZOOM_IN)
		session->viewport.t1_ns /= 2;
	return (struct view_answer){ .reaction = VIEW_REDRAW,
		.push_history = command == COMMAND_ZOOM_IN };
}

static struct view_answer
fake_search_taken(void *state, struct session *session, const struct error *note)
{
	(void)state;
	(void)note;
	assert_non_null(session->search);
	text_add_string(&told, "taken ");
	session->cursor_ns++;
	return (struct view_answer){ .reaction = VIEW_REDRAW, .push_history = true };
}

static void
fake_draw(void *state, struct session *session, struct canvas *canvas)
{
	struct cell_style style = { STYLE_DEFAULT, STYLE_DEFAULT, 0 };
	(void)state;
	for (int y = 0; y < canvas->height; y++)
		canvas_printf(canvas, 0, y, canvas->width, style, "row %d, %d to %d", y,
			(int)session->viewport.t0_ns, (int)session->viewport.t1_ns);
}

static void
fake_position(void *state, struct session *session, struct text *out, bool ascii)
{
	(void)state;
	(void)ascii;
	text_format(out, "at %d ns", (int)session->cursor_ns);
}

static const struct view_ops fake_timeline = {
	.name = "timeline",
	.context = IN_TIMELINE,
	.open = fake_open,
	.close = fake_close,
	.command = fake_command,
	.search_taken = fake_search_taken,
	.draw = fake_draw,
	.position = fake_position,
};

static const struct view_ops fake_detail = {
	.name = "detail",
	.context = IN_DETAIL,
	.open = fake_open,
	.close = fake_close,
	.command = fake_command,
	.draw = fake_draw,
};

static const struct view_ops fake_second = {
	.name = "second",
	.context = IN_TIMELINE,
	.open = fake_open,
	.close = fake_close,
	.command = fake_command,
	.draw = fake_draw,
};

static const struct app_view views[] = {
	{ &fake_timeline, true },
	{ &fake_detail, false },
	{ &help_view, false },
	{ &fake_second, true },
};

/* ---- running a script */

struct stage {
	struct fakescreen fake;
	struct trace trace;
	struct app app;
};

static void
set_stage(struct stage *stage, int width, int height, const char *script)
{
	memset(stage, 0, sizeof *stage);
	stage->trace.words = &go_words;
	fakescreen_init(&stage->fake, width, height, script);
	text_clear(&told);
	struct app_parts parts = {
		.screen = &stage->fake.screen,
		.palette = palette_find("dark"),
		.views = views,
		.view_count = 3,
		.trace = &stage->trace,
		.file_name = "test.trace",
		.viewport = { 0, END_NS },
		.focus = REF_NONE,
	};
	struct error err = { 0 };
	if (!app_init(&stage->app, &parts, &err))
		fail_msg("the app does not begin: %s", err.message);
}

static void
run(struct stage *stage)
{
	struct error err = { 0 };
	if (!loop_run(&stage->app, &err))
		fail_msg("the loop fails: %s", err.message);
}

static void
strike_stage(struct stage *stage)
{
	app_release(&stage->app);
	fakescreen_release(&stage->fake);
	text_release(&told);
}

/* Runs the script and compares what the views were told. */
static void
check_told(const char *script, const char *wanted)
{
	struct stage stage;
	set_stage(&stage, 80, 24, script);
	run(&stage);
	if (strcmp(told.bytes, wanted) != 0)
		fail_msg("\"%s\" tells \"%s\", not \"%s\"", script, told.bytes, wanted);
	strike_stage(&stage);
}

static const char *
bottom_row(struct stage *stage)
{
	return fakescreen_row(&stage->fake, stage->fake.shown.height - 1);
}

/* ---- keys */

static void
keys_become_commands(void **state)
{
	(void)state;
	check_told("Right l h Up j +", "begin right right left up down zoom-in ");
	check_told("q", "begin end ");
	check_told("C-c", "begin ");
}

static void
a_count_goes_before_a_command(void **state)
{
	(void)state;
	check_told("3 Right", "begin right*3 ");
	check_told("1 0 ]", "begin next-span*10 ");
	check_told("0", "begin fit-all ");
	check_told("5 Escape Right", "begin right ");
	check_told("5 U Right", "begin right ");
	check_told("9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 Right", "begin right*999999 ");
}

static void
half_a_page_is_lines_for_the_view(void **state)
{
	(void)state;
	struct stage stage;
	set_stage(&stage, 80, 24, "C-d 2 C-u");
	run(&stage);
	assert_string_equal(told.bytes, "begin down*12 up*24 ");
	strike_stage(&stage);
}

static void
an_unknown_key_is_told(void **state)
{
	(void)state;
	struct stage stage;
	set_stage(&stage, 80, 24, "U");
	run(&stage);
	assert_non_null(strstr(bottom_row(&stage), "U means nothing here; ? shows the keys"));
	strike_stage(&stage);

	set_stage(&stage, 80, 24, "? x");
	run(&stage);
	assert_string_equal(stage.app.session->status, "x means nothing here");
	strike_stage(&stage);
}

static void
many_keys_are_one_drawing(void **state)
{
	(void)state;
	struct stage stage;
	set_stage(&stage, 80, 24, "Right Right Right Right !");
	stage.fake.is_burst = true;
	run(&stage);
	assert_string_equal(told.bytes, "begin right right right right ");
	assert_int_equal(stage.fake.put_count, 2);
	strike_stage(&stage);

	set_stage(&stage, 80, 24, "Right Right Right Right");
	run(&stage);
	assert_int_equal(stage.fake.put_count, 5);
	strike_stage(&stage);
}

/* Without a clock that ticks: nothing happens, and costs nothing, until there is a key. */
static void
idle_waits_for_ever(void **state)
{
	(void)state;
	struct stage stage;
	set_stage(&stage, 80, 24, "Right");
	run(&stage);
	assert_int_equal(stage.fake.put_count, 2);
	assert_int_equal(stage.fake.wait_ms, -1);
	strike_stage(&stage);
}

/* The line is busy with a picture for so long that two more keys come. */
static void
slow_lines_get_fewer_pictures(void **state)
{
	(void)state;
	struct stage stage;
	set_stage(&stage, 80, 24, "Right Right Right Right Right Right");
	stage.fake.rest_looks = 2;
	run(&stage);
	assert_string_equal(told.bytes, "begin right right right right right right ");
	assert_int_equal(stage.fake.put_count, 3);
	strike_stage(&stage);
}

static void
the_clock_can_be_changed(void **state)
{
	(void)state;
	struct stage stage;
	struct error err = { 0 };
	set_stage(&stage, 80, 24, "T");
	run(&stage);
	assert_false(stage.app.session->is_wall);
	assert_non_null(strstr(bottom_row(&stage), WALL_CLOCK_UNKNOWN));
	strike_stage(&stage);

	set_stage(&stage, 80, 24, "T");
	struct clock_point point = { 0, 1700000000000000000 };
	assert_true(wall_clock_add(&stage.trace.wall, point, &err));
	run(&stage);
	assert_true(stage.app.session->is_wall);
	app_key(&stage.app, "T");
	assert_false(stage.app.session->is_wall);
	wall_clock_release(&stage.trace.wall);
	strike_stage(&stage);
}

static void
refresh_and_suspend_go_to_the_screen(void **state)
{
	(void)state;
	struct stage stage;
	set_stage(&stage, 80, 24, "C-l C-z C-z");
	run(&stage);
	assert_int_equal(stage.fake.refresh_count, 1);
	assert_int_equal(stage.fake.suspend_count, 2);
	strike_stage(&stage);
}

/* ---- prompts */

static void
a_search_is_typed_at_a_prompt(void **state)
{
	(void)state;
	check_told("/ m a i n Enter", "begin search(main) ");
	check_told("/ m a i n Escape Right", "begin right ");
	check_told("/ q Q Space 1 Enter", "begin search(qQ 1) ");
	check_told("/ Enter", "begin ");
	check_told("& g = 1 Enter # Enter", "begin filter(g=1) count(g=1) ");
	check_told("& s t a t Tab = b Tab Enter", "begin filter(state=blocked) ");
	check_told("& g = Enter 1 Enter", "begin filter(g=1) ");
	check_told("& g = x Space p = 1 Enter Delete 7 Enter", "begin filter(g=7 p=1) ");
	check_told("/ d u r > x Enter Delete 1 s Enter", "begin search(dur>1s) ");
	check_told("/ x > y Enter", "begin search(x>y) ");
	check_told("/ a Enter / Enter", "begin search(a) search(a) ");
	check_told("2 t + 1 0 m s Enter", "begin jump*2(+10ms) ");
	check_told("t Enter / a Enter t Enter", "begin search(a) ");
}

static void
a_line_can_be_edited(void **state)
{
	(void)state;
	check_told("/ a b c Left Left x Enter", "begin search(axbc) ");
	check_told("/ a b c Home x End y Enter", "begin search(xabcy) ");
	check_told("/ a b c C-a Delete Enter", "begin search(bc) ");
	check_told("/ a b c Backspace Backspace d Enter", "begin search(ad) ");
	check_told("/ a Space b c Space C-w d Enter", "begin search(a d) ");
	check_told("/ a b c Left C-u Enter", "begin search(c) ");
	check_told("/ a b c C-a Right C-k Enter", "begin search(a) ");
	check_told("/ Backspace Right", "begin right ");
	check_told("/ a Backspace Backspace Right", "begin right ");
	check_told("/ Left Delete C-w C-u C-k End a Enter", "begin search(a) ");
	check_told("/ \u00e9 \u4e16 Left Backspace a Enter", "begin search(a\u4e16) ");
	check_told("/ e \u0301 x Left Left y Enter", "begin search(ye\u0301x) ");
	check_told("/ F1 PageUp C-x a Enter", "begin search(a) ");
}

/* Where it was made the view is told once, and a way back is kept. */
static void
a_search_is_taken_in_when_it_is_made(void **state)
{
	(void)state;
	struct stage stage;
	struct error note = { 0 };
	struct trace *trace = testing_load("contention-go1.23");
	set_stage(&stage, 80, 24, "u");
	stage.app.session->trace = trace;
	assert_true(session_search(stage.app.session, "main", &note));
	search_job_wait(stage.app.session->searching);
	app_look(&stage.app);
	app_look(&stage.app);
	assert_null(stage.app.session->searching);
	run(&stage);
	assert_string_equal(told.bytes, "begin taken undo ");
	assert_int_equal(stage.app.session->cursor_ns, 0);
	assert_true(session_search(stage.app.session, "main", &note));
	strike_stage(&stage); /* while it goes on */
	trace_free(trace);
}

static void
lines_before_come_back(void **state)
{
	(void)state;
	check_told("/ a Enter / b Enter / Up Up Enter", "begin search(a) search(b) search(a) ");
	check_told("/ a Enter / b Enter / Up Up Up Down Enter",
		"begin search(a) search(b) search(b) ");
	check_told("/ a Enter / n e w Up Down Enter", "begin search(a) search(new) ");
	check_told("/ a Enter t Up 1 s Enter", "begin search(a) jump(1s) ");
}

static void
a_prompt_is_no_longer_than_it_may_be(void **state)
{
	(void)state;
	struct prompt prompt = { 0 };
	struct prompt_memory memory = { 0 };
	prompt_open(&prompt, "/", &memory);
	for (int i = 0; i < 3000; i++)
		prompt_key(&prompt, "\u00e9");
	assert_int_equal(prompt.line.length, PROMPT_MAX_BYTES);
	for (int i = 0; i < 3 * PROMPT_MAX_LINES; i++) {
		char digit[2] = { (char)('0' + i % 10), '\0' };
		prompt_open(&prompt, "/", &memory);
		prompt_key(&prompt, digit);
		assert_int_equal(prompt_key(&prompt, "Enter"), PROMPT_ENTERED);
	}
	assert_int_equal(memory.count, PROMPT_MAX_LINES);
	assert_string_equal(memory.lines[PROMPT_MAX_LINES - 1], "9");
	prompt_memory_release(&memory);
	prompt_release(&prompt);
}

static void
a_long_line_shows_its_cursor(void **state)
{
	(void)state;
	struct stage stage;
	set_stage(&stage, 10, 5, "/ 0 1 2 3 4 5 6 7 8 9 a b c d");
	run(&stage);
	assert_string_equal(bottom_row(&stage), "/6789abcd");
	assert_int_equal(
		canvas_at(&stage.fake.shown, 9, 4)->attributes & CELL_REVERSE, CELL_REVERSE);
	strike_stage(&stage);
}

/* ---- the command line */

/* Types a name behind ":" and Enter. */
static void
type_command(struct app *app, const char *name)
{
	app_key(app, ":");
	for (const char *at = name; *at != '\0'; at++) {
		char key[2] = { *at, '\0' };
		app_key(app, *at == ' ' ? "Space" : key);
	}
	app_key(app, "Enter");
}

/* Words about what the app did of itself. */
static void
note_app(const struct stage *stage)
{
	text_format(&told, "depth %zu, done %d, prompt %d %s, %s, drawn anew %d, stopped %d",
		stage->app.depth, stage->app.is_done, stage->app.prompt.is_open,
		stage->app.prompt.is_open ? stage->app.prompt.label : "",
		stage->app.session->status, stage->fake.refresh_count, stage->fake.suspend_count);
}

/* In the context that the script leads to. */
static void
compare_key_and_name(enum command command, unsigned context, const char *script)
{
	struct stage stage;
	struct text keys = { 0 }, by_key = { 0 };
	keys_add_names(keys_usual(), &keys, command, context);
	keys.bytes[strcspn(keys.bytes, " ")] = '\0';
	for (int by_name = 0; by_name < 2; by_name++) {
		set_stage(&stage, 80, 24, script);
		run(&stage);
		stage.app.is_done = false;
		if (by_name)
			type_command(&stage.app, command_row(command)->name);
		else
			app_key(&stage.app, keys.bytes);
		note_app(&stage);
		if (by_name && strcmp(told.bytes, by_key.bytes) != 0)
			fail_msg("%s does \"%s\" by its name and \"%s\" by %s",
				command_row(command)->name, told.bytes, by_key.bytes, keys.bytes);
		text_add(&by_key, told.bytes, told.length);
		strike_stage(&stage);
	}
	text_release(&by_key);
	text_release(&keys);
}

static void
every_command_does_by_name_what_its_key_does(void **state)
{
	(void)state;
	static const struct {
		unsigned context;
		const char *script;
	} ways[] = { { IN_TIMELINE, "" }, { IN_DETAIL, "Enter" }, { IN_HELP, "?" } };
	for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
		for (int command = 0; command < COMMAND_COUNT; command++) {
			if ((command_row((enum command)command)->contexts & ways[i].context) != 0)
				compare_key_and_name((enum command)command, ways[i].context,
					ways[i].script);
		}
	}
}

static void
a_command_line_is_carried_out(void **state)
{
	(void)state;
	check_told(": 5 Space r i g h t Enter", "begin right*5 ");
	check_told("4 : r i g Enter", "begin right*4 ");
	check_told(": j u m p Space 1 s Enter", "begin jump(1s) ");
	check_told(": j u m p Enter 1 s Enter", "begin jump(1s) ");
	check_told(": s e a r c h Space a Space b Enter", "begin search(a b) ");
	check_told(": r i g h t Enter : Up Enter", "begin right right ");
	check_told(": Enter Right", "begin right ");
	check_told(": q Enter", "begin ");
}

static void
tab_completes_a_command(void **state)
{
	(void)state;
	check_told(": z o Tab i Enter", "begin zoom-in ");
	check_told(": z o o m Tab Tab Enter", "begin zoom-in ");
	check_told(": z o o m - Tab Tab Enter", "begin zoom-out ");
	check_told(": z o o m - S-Tab Enter", "begin zoom-out ");
	check_told(": 2 Space z o o m - Tab S-Tab i Enter", "begin zoom-in*2 ");
	check_told(": j u m Tab 1 s Enter", "begin jump(1s) ");
	check_told(": f l y Tab Tab Escape Right", "begin right ");
	check_told("/ a Tab Enter", "begin search(a) ");
}

static void
what_a_command_line_may_become_stands_behind_it(void **state)
{
	(void)state;
	struct stage stage;
	set_stage(&stage, 80, 24, ": z o o m");
	run(&stage);
	assert_string_equal(bottom_row(&stage), ":zoom  zoom-in  zoom-out");
	strike_stage(&stage);

	set_stage(&stage, 80, 24, ": z o o m - i");
	run(&stage);
	assert_string_equal(bottom_row(&stage),
		":zoom-i  zoom-in: halve the time on screen, around the cursor");
	strike_stage(&stage);

	set_stage(&stage, 80, 24, ": f \x1b ] Enter");
	run(&stage);
	assert_non_null(strstr(bottom_row(&stage), "there is no command f\u241b]"));
	strike_stage(&stage);
}

/* ---- what goes out */

static void
the_way_back_is_copied_and_shown(void **state)
{
	(void)state;
	struct stage stage;
	set_stage(&stage, 120, 24, "3 Right y");
	run(&stage);
	assert_string_equal(
		stage.fake.copied, "ttrace --from=0s --to=0.000001024s --at=0.000000003s -");
	assert_non_null(strstr(bottom_row(&stage), "copied: ttrace --from=0s"));
	assert_string_equal(stage.app.link.bytes, stage.fake.copied);
	strike_stage(&stage);
}

/* What the prompt of P made of the screen. */
static void
print_to(const char *path, struct text *out)
{
	struct stage stage;
	unlink(path);
	set_stage(&stage, 80, 24, "");
	run(&stage);
	app_key(&stage.app, "P");
	for (const char *at = path; *at != '\0'; at++) {
		char key[2] = { *at, '\0' };
		app_key(&stage.app, key);
	}
	app_key(&stage.app, "Enter");
	if (strstr(stage.app.session->status, "the screen is in") == NULL)
		fail_msg("%s", stage.app.session->status);
	testing_read(path, out);

	app_key(&stage.app, "P");
	app_key(&stage.app, "Up");
	app_key(&stage.app, "Enter");
	assert_non_null(strstr(stage.app.session->status, "is there already"));
	unlink(path);
	strike_stage(&stage);
}

static void
the_screen_is_printed_to_a_file(void **state)
{
	(void)state;
	static const struct {
		const char *ending, *begin;
	} forms[] = { { "txt", "row 0, 0 to 1024\nrow 1," }, { "ansi", "row 0, 0 to 1024\n" },
		{ "svg", "<svg " } };
	for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
		char path[64];
		struct text out = { 0 };
		snprintf(path, sizeof path, "/tmp/ttrace-screen-%ld.%s", (long)getpid(),
			forms[i].ending);
		print_to(path, &out);
		assert_memory_equal(out.bytes, forms[i].begin, strlen(forms[i].begin));
		bool has_colors = strstr(out.bytes, "\033[") != NULL;
		assert_int_equal(has_colors, strcmp(forms[i].ending, "ansi") == 0);
		/* The hints are on it, and the prompt is not. */
		assert_non_null(strstr(out.bytes, "help"));
		assert_null(strstr(out.bytes, "print to"));
		text_release(&out);
	}
}

/* ---- the mouse */

/* The cell of the bottom row in which a text begins, -1 for nowhere. */
static int
cell_of(struct stage *stage, const char *text)
{
	for (int x = 0; x < stage->fake.shown.width; x++) {
		struct canvas *shown = &stage->fake.shown;
		size_t same = 0;
		while (text[same] != '\0') {
			const struct cell *cell =
				canvas_at(shown, x + (int)same, shown->height - 1);
			if (cell == NULL || cell->text[0] != (text[same] == ' ' ? '\0' : text[same]))
				break;
			same++;
		}
		if (text[same] == '\0')
			return x;
	}
	return -1;
}

static void
click(struct stage *stage, int x, int y)
{
	struct screen_mouse mouse = { MOUSE_PRESS, x, y };
	app_mouse(&stage->app, &mouse);
}

/* Each hint that is shown does by a click what its key does. */
static void
a_click_on_a_hint_is_its_key(void **state)
{
	(void)state;
	struct stage stage;
	set_stage(&stage, 200, 24, "");
	run(&stage);
	text_clear(&told);
	click(&stage, cell_of(&stage, "+ - zoom"), 23);
	click(&stage, cell_of(&stage, "+ - zoom") + 2, 23);
	click(&stage, cell_of(&stage, "zoom") + 1, 23);
	click(&stage, cell_of(&stage, "[ ] span") + 2, 23);
	assert_string_equal(told.bytes, "zoom-in zoom-out zoom-in next-span ");
	click(&stage, cell_of(&stage, "/ search"), 23);
	assert_true(stage.app.prompt.is_open);
	click(&stage, 3, 3); /* the prompt goes on */
	assert_true(stage.app.prompt.is_open);
	strike_stage(&stage);

	set_stage(&stage, 200, 24, "");
	run(&stage);
	for (size_t i = 0; i < stage.app.spots.count; i++) {
		struct footer_spot spot = stage.app.spots.items[i];
		assert_true(spot.x >= 0 && spot.x <= spot.end_x && spot.end_x <= 200);
		assert_true((command_row(spot.command)->contexts & IN_TIMELINE) != 0);
	}
	strike_stage(&stage);
}

static void
the_wheel_turns_pages(void **state)
{
	(void)state;
	check_told("Enter @4,3,3 @3,3,3 @0,3,3 @1,4,4 @2,4,4", "begin open begin down*3 up*3 ");
}

static void
the_mouse_is_left_to_the_terminal(void **state)
{
	(void)state;
	struct stage stage;
	set_stage(&stage, 80, 24, "");
	run(&stage);
	assert_false(stage.fake.has_mouse);
	app_key(&stage.app, "M");
	assert_true(stage.fake.has_mouse);
	app_key(&stage.app, "M");
	assert_false(stage.fake.has_mouse);
	assert_non_null(strstr(stage.app.session->status, "the mouse is off"));
	strike_stage(&stage);
}

/* ---- colours */

static void
palettes_are_changed(void **state)
{
	(void)state;
	struct stage stage;
	set_stage(&stage, 80, 24, "C");
	run(&stage);
	assert_string_equal(stage.app.parts.palette->name, "high-contrast");
	type_command(&stage.app, "palette monochrome");
	assert_string_equal(stage.app.parts.palette->name, "monochrome");
	assert_false(stage.app.parts.palette->is_light);
	assert_string_equal(stage.app.session->status, "the palette is monochrome");
	type_command(&stage.app, "palette sepia");
	assert_string_equal(stage.app.parts.palette->name, "monochrome");
	assert_string_equal(stage.app.session->status, "there is no palette sepia");
	app_key(&stage.app, "C");
	assert_string_equal(stage.app.parts.palette->name, "dark");
	strike_stage(&stage);
}

/* ---- history */

static void
undo_and_redo_put_the_view_back(void **state)
{
	(void)state;
	struct stage stage;
	set_stage(&stage, 80, 24, "+ + Right +");
	run(&stage);
	assert_int_equal(stage.app.session->viewport.t1_ns, END_NS / 8);
	app_key(&stage.app, "u");
	assert_int_equal(stage.app.session->viewport.t1_ns, END_NS / 4);
	assert_int_equal(stage.app.session->cursor_ns, 1);
	app_key(&stage.app, "2");
	app_key(&stage.app, "u");
	assert_int_equal(stage.app.session->viewport.t1_ns, END_NS);
	assert_int_equal(stage.app.session->cursor_ns, 0);
	app_key(&stage.app, "u");
	assert_string_equal(stage.app.session->status, "nothing to undo");
	app_key(&stage.app, "C-r");
	assert_int_equal(stage.app.session->viewport.t1_ns, END_NS / 2);
	app_key(&stage.app, "+");
	app_key(&stage.app, "C-r");
	assert_string_equal(stage.app.session->status, "nothing to redo");
	strike_stage(&stage);
}

static void
history_forgets_the_oldest(void **state)
{
	(void)state;
	static struct history history;
	struct session session = { 0 };
	for (int i = 0; i < HISTORY_MAX + 10; i++) {
		struct place place = { .cursor_ns = i };
		history_push(&history, &place);
	}
	int undone = 0;
	while (history_undo(&history, &session))
		undone++;
	assert_int_equal(undone, HISTORY_MAX);
	assert_int_equal(session.cursor_ns, 10);
}

/* ---- views */

static void
views_lie_over_each_other(void **state)
{
	(void)state;
	check_told("Enter j q Right", "begin open begin down end right ");
	check_told("Enter Escape Right", "begin open begin clear-search end right ");
	check_told("Escape Right", "begin clear-search right ");
	check_told("Enter q q", "begin open begin end end ");
	check_told("? j q Right", "begin right ");
	check_told("Enter Tab Right", "begin open begin end right ");
	check_told("Tab Right", "begin right ");
}

static void
tab_goes_through_the_tabs(void **state)
{
	(void)state;
	struct stage stage;
	set_stage(&stage, 80, 24, "Tab Right Tab");
	stage.app.parts.view_count = 4;
	run(&stage);
	assert_string_equal(told.bytes, "begin begin end right begin end ");
	assert_string_equal(stage.app.stack[0].ops->name, "timeline");
	strike_stage(&stage);
}

static void
help_shows_the_keys_of_the_view_beneath(void **state)
{
	(void)state;
	struct stage stage;
	set_stage(&stage, 80, 60, "?");
	run(&stage);
	assert_true(fakescreen_has(&stage.fake, "PageDown Space C-f"));
	assert_true(fakescreen_has(&stage.fake, "halve the time on screen"));
	strike_stage(&stage);

	set_stage(&stage, 80, 60, "Enter ?");
	run(&stage);
	assert_true(fakescreen_has(&stage.fake, "one row or line up"));
	assert_false(fakescreen_has(&stage.fake, "halve the time on screen"));
	strike_stage(&stage);
}

/* The longest help is there to its last word, and what each glyph means. */
static void
help_is_whole_on_narrow_screens(void **state)
{
	static const int widths[] = { 40, 64, 80 };
	(void)state;
	for (size_t i = 0; i < sizeof widths / sizeof widths[0]; i++) {
		struct stage stage;
		set_stage(&stage, widths[i], 400, "?");
		run(&stage);
		assert_true(fakescreen_has(&stage.fake, " logs"));
		assert_true(fakescreen_has(&stage.fake, "What the picture means"));
		assert_true(fakescreen_has(&stage.fake, "ready to run: waits"));
		assert_true(fakescreen_has(&stage.fake, "42%."));
		strike_stage(&stage);
	}
}

static void
help_can_be_scrolled_and_searched(void **state)
{
	(void)state;
	struct stage stage;
	set_stage(&stage, 60, 12, "?");
	run(&stage);
	assert_true(fakescreen_has(&stage.fake, "Moving"));
	assert_false(fakescreen_has(&stage.fake, "leave ttrace"));
	assert_int_equal(strncmp(fakescreen_row(&stage.fake, 0), " Keys", 5), 0);
	strike_stage(&stage);

	set_stage(&stage, 60, 12, "? / l e a v e Space t t r a c e Enter");
	run(&stage);
	assert_true(fakescreen_has(&stage.fake, "leave ttrace"));
	assert_non_null(strstr(bottom_row(&stage), "1 matching line"));
	strike_stage(&stage);

	set_stage(&stage, 60, 12, "? G");
	run(&stage);
	assert_true(fakescreen_has(&stage.fake, "At the / prompt"));
	strike_stage(&stage);

	set_stage(&stage, 60, 12, "? G g n");
	run(&stage);
	assert_true(fakescreen_has(&stage.fake, "Moving"));
	assert_non_null(strstr(bottom_row(&stage), "nothing is searched"));
	strike_stage(&stage);

	set_stage(&stage, 60, 12, "? / l e a v e Space t t r a c e Enter n");
	run(&stage);
	assert_true(fakescreen_has(&stage.fake, "leave ttrace"));
	assert_non_null(strstr(bottom_row(&stage), "search wrapped to the first match"));
	strike_stage(&stage);

	set_stage(&stage, 60, 12, "? / z z z z z Enter");
	run(&stage);
	assert_non_null(strstr(bottom_row(&stage), "0 matching lines"));
	strike_stage(&stage);
}

/* ---- the bottom row and sizes */

static void
the_bottom_row_has_hints_and_position(void **state)
{
	(void)state;
	struct stage stage;
	set_stage(&stage, 80, 24, "Right");
	run(&stage);
	const char *row = bottom_row(&stage);
	assert_non_null(strstr(row, "\u2190\u2192 move"));
	assert_non_null(strstr(row, "+ - zoom"));
	assert_non_null(strstr(row, "? help  q quit"));
	assert_null(strstr(row, "damage"));
	assert_int_equal(strcmp(row + strlen(row) - strlen("at 1 ns"), "at 1 ns"), 0);
	strike_stage(&stage);

	struct damage damage = { .lost_bytes = 1 };
	set_stage(&stage, 80, 24, "Right");
	damage_map_add(&stage.trace.damage, &damage);
	run(&stage);
	assert_non_null(strstr(bottom_row(&stage), "x X damage"));
	strike_stage(&stage);

	set_stage(&stage, 30, 24, "3");
	run(&stage);
	row = bottom_row(&stage);
	assert_non_null(strstr(row, "? help"));
	assert_null(strstr(row, "span"));
	assert_non_null(strstr(row, "3  at 0 ns"));
	strike_stage(&stage);
}

static void
damage_is_told_until_the_first_key(void **state)
{
	(void)state;
	struct stage stage;
	set_stage(&stage, 80, 24, "");
	app_release(&stage.app);
	struct app_parts parts = {
		.screen = &stage.fake.screen,
		.palette = palette_find("dark"),
		.views = views,
		.view_count = 3,
		.trace = &stage.trace,
		.file_name = "test.trace",
		.viewport = { 0, END_NS },
		.focus = REF_NONE,
	};
	struct error err;
	error_clear(&err);
	struct damage damage = { .from_bytes = 77, .lost_bytes = 2048 };
	error_set(&damage.first, ERROR_FORMAT, "batch 3 is \033[2J cut");
	damage_map_add(&stage.trace.damage, &damage);
	assert_true(app_init(&stage.app, &parts, &err));
	run(&stage);
	assert_non_null(strstr(bottom_row(&stage),
		"damaged: 2 KiB lost from byte 77 on: batch 3 is \u241b[2J cut"));
	app_key(&stage.app, "3");
	assert_string_equal(stage.app.session->status, "");
	app_key(&stage.app, "Right");
	assert_string_equal(stage.app.session->status, "");
	strike_stage(&stage);
}

static void
every_size_can_be_drawn(void **state)
{
	(void)state;
	static const char *const scripts[] = {
		"=1x1 Right / a b c Escape ? j n Escape 3",
		"=10x3 / a b c Left Escape ? G Escape 5 5",
		"=40x10 ? / a Enter n N G q Enter Tab",
		"=200x50 =1x50 =200x1 =2x2 ? =1x2 / =3x1 a",
	};
	for (size_t i = 0; i < sizeof scripts / sizeof scripts[0]; i++) {
		for (int ascii = 0; ascii < 2; ascii++) {
			struct stage stage;
			set_stage(&stage, 80, 24, scripts[i]);
			stage.app.parts.ascii = ascii;
			run(&stage);
			assert_int_equal(stage.fake.shown.width, stage.fake.width);
			assert_int_equal(stage.fake.shown.height, stage.fake.height);
			strike_stage(&stage);
		}
	}
}

/* From the n-th allocation on none succeeds: the app may fail, but in order. */
static void
want_of_memory_is_survived(void **state)
{
	(void)state;
	const char *script = "+ / m a i n Enter / Up Enter ? / k e y Enter n q Enter q 2 u";
	enum { MOST_ALLOCATIONS = 600 }; /* more than the script needs */
	bool has_succeeded = false;
	for (unsigned n = 1; n <= MOST_ALLOCATIONS; n++) {
		struct stage stage;
		struct error err;
		error_clear(&err);
		set_stage(&stage, 80, 24, script);
		struct app_parts parts = stage.app.parts;
		app_release(&stage.app);
		text_release(&told);
		memory_fail_after(n);
		has_succeeded = false;
		if (app_init(&stage.app, &parts, &err)) {
			has_succeeded = loop_run(&stage.app, &err) && !told.failed;
			app_release(&stage.app);
		}
		memory_fail_after(0);
		if (!has_succeeded && err.kind != ERROR_NONE)
			assert_int_equal(err.kind, ERROR_MEMORY);
		fakescreen_release(&stage.fake);
		text_release(&told);
	}
	assert_true(has_succeeded);
}

/* ---- loading */

static struct trace *
load_until_cancelled(void *context, const struct go_wish *wish, const struct trace_watch *watch,
	struct progress *progress, struct error *err)
{
	(void)wish;
	(void)watch;
	(void)context;
	atomic_store(&progress->total_bytes, 1000);
	while (!atomic_load(&progress->is_cancelled))
		sched_yield();
	error_set(err, ERROR_CANCELLED, "by the loader");
	return NULL;
}

static struct trace *
load_at_once(void *context, const struct go_wish *wish, const struct trace_watch *watch,
	struct progress *progress, struct error *err)
{
	(void)wish;
	(void)watch;
	(void)context;
	(void)progress;
	return go_trace_new(err);
}

static struct trace *
fail_to_load(void *context, const struct go_wish *wish, const struct trace_watch *watch,
	struct progress *progress, struct error *err)
{
	(void)wish;
	(void)watch;
	(void)context;
	(void)progress;
	error_set(err, ERROR_FORMAT, "no trace");
	return NULL;
}

/* Whether a trace is shown in the end. */
static bool
load(struct fakescreen *fake, loading_function function, bool *is_terminated, struct error *err)
{
	struct progress progress = { 0 };
	struct loader loader = {
		.screen = &fake->screen,
		.load = function,
		.progress = &progress,
	};
	struct loading loading = {
		.screen = &fake->screen,
		.palette = palette_find("dark"),
		.name = "test.trace",
		.loader = &loader,
	};
	error_clear(err);
	assert_true(loader_start(&loader, err));
	bool is_loaded = loading_run(&loading, is_terminated, err);
	assert_true(!is_loaded || loader.shown != NULL);
	loader_end(&loader);
	return is_loaded;
}

static void
loading_ends_with_the_trace(void **state)
{
	(void)state;
	struct fakescreen fake;
	struct error err;
	bool is_terminated;
	fakescreen_init(&fake, 80, 24, "x");
	fake.waits_at_end = true;
	assert_true(load(&fake, load_at_once, &is_terminated, &err));
	assert_false(is_terminated);
	assert_false(load(&fake, fail_to_load, &is_terminated, &err));
	assert_string_equal(err.message, "no trace");
	fakescreen_release(&fake);
}

static void
loading_can_be_cancelled(void **state)
{
	(void)state;
	static const char *const scripts[] = { "q", "x Escape", "=10x3 C-c", "C-z Q" };
	for (size_t i = 0; i < sizeof scripts / sizeof scripts[0]; i++) {
		struct fakescreen fake;
		struct error err;
		bool is_terminated;
		fakescreen_init(&fake, 80, 24, scripts[i]);
		fake.waits_at_end = true;
		assert_false(load(&fake, load_until_cancelled, &is_terminated, &err));
		assert_int_equal(err.kind, ERROR_CANCELLED);
		assert_false(is_terminated);
		fakescreen_release(&fake);
	}
	struct fakescreen fake;
	struct error err;
	bool is_terminated;
	fakescreen_init(&fake, 80, 24, "x");
	assert_false(load(&fake, load_until_cancelled, &is_terminated, &err));
	assert_true(is_terminated);
	fakescreen_release(&fake);
}

static void
check_picture(const struct loading_picture *picture, int width, int height, bool ascii,
	const char *wanted)
{
	struct fakescreen fake;
	struct error err;
	error_clear(&err);
	fakescreen_init(&fake, width, height, "");
	assert_true(canvas_resize(&fake.shown, width, height, &err));
	fake.shown.ascii = ascii;
	loading_draw(picture, &fake.shown);
	if (wanted != NULL && !fakescreen_has(&fake, wanted))
		fail_msg("%dx%d: \"%s\" is not shown", width, height, wanted);
	fakescreen_release(&fake);
}

static void
progress_is_told_in_bytes_events_and_time(void **state)
{
	(void)state;
	struct loading_picture half = { "test", 50 << 20, 100 << 20, 1234567, 2000000000, 50 << 20 };
	check_picture(&half, 80, 24, false, "Reading test");
	check_picture(
		&half, 80, 24, false, "50 MiB of 100 MiB   2 s left   25 MiB/s   1,234,567 events");
	check_picture(&half, 100, 24, true, "##############################......");
	check_picture(&half, 30, 24, false, "50 MiB of 100 MiB");
	struct loading_picture pipe = { "standard input", 50 << 20, 0, 1234567, 2000000000, 50 << 20 };
	check_picture(&pipe, 80, 24, false, "50 MiB read   25 MiB/s   1,234,567 events");
	struct loading_picture slow = { "test", 1 << 20, 100 << 20, 5, 1000000000, 1 << 20 };
	check_picture(&slow, 80, 24, false, "1 MiB of 100 MiB   2 min left   1 MiB/s   5 events");
	struct loading_picture read = { "test.trace", 100, 100, 5, 1000000000, 100 };
	check_picture(&read, 80, 24, false, "100 B of 100 B   building the index   5 events");
	struct loading_picture begin = { "test.trace", 0, 100 << 20, 0, 1000000000, 3 << 20 };
	check_picture(&begin, 80, 24, false, "3 MiB of 100 MiB   0 events");
	struct loading_picture more = { "test.trace", 200, 100, 0, 2000000000, 200 };
	static const int sizes[][2] = { { 1, 1 }, { 2, 1 }, { 3, 3 }, { 5, 2 }, { 10, 3 },
		{ 40, 10 } };
	for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
		check_picture(&half, sizes[i][0], sizes[i][1], false, NULL);
		check_picture(&more, sizes[i][0], sizes[i][1], true, NULL);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(keys_become_commands),
		cmocka_unit_test(a_count_goes_before_a_command),
		cmocka_unit_test(half_a_page_is_lines_for_the_view),
		cmocka_unit_test(an_unknown_key_is_told),
		cmocka_unit_test(many_keys_are_one_drawing),
		cmocka_unit_test(slow_lines_get_fewer_pictures),
		cmocka_unit_test(idle_waits_for_ever),
		cmocka_unit_test(the_clock_can_be_changed),
		cmocka_unit_test(refresh_and_suspend_go_to_the_screen),
		cmocka_unit_test(a_search_is_typed_at_a_prompt),
		cmocka_unit_test(a_line_can_be_edited),
		cmocka_unit_test(a_search_is_taken_in_when_it_is_made),
		cmocka_unit_test(lines_before_come_back),
		cmocka_unit_test(a_prompt_is_no_longer_than_it_may_be),
		cmocka_unit_test(a_long_line_shows_its_cursor),
		cmocka_unit_test(every_command_does_by_name_what_its_key_does),
		cmocka_unit_test(a_command_line_is_carried_out),
		cmocka_unit_test(tab_completes_a_command),
		cmocka_unit_test(what_a_command_line_may_become_stands_behind_it),
		cmocka_unit_test(the_way_back_is_copied_and_shown),
		cmocka_unit_test(the_screen_is_printed_to_a_file),
		cmocka_unit_test(a_click_on_a_hint_is_its_key),
		cmocka_unit_test(the_wheel_turns_pages),
		cmocka_unit_test(the_mouse_is_left_to_the_terminal),
		cmocka_unit_test(palettes_are_changed),
		cmocka_unit_test(undo_and_redo_put_the_view_back),
		cmocka_unit_test(history_forgets_the_oldest),
		cmocka_unit_test(views_lie_over_each_other),
		cmocka_unit_test(tab_goes_through_the_tabs),
		cmocka_unit_test(help_shows_the_keys_of_the_view_beneath),
		cmocka_unit_test(help_is_whole_on_narrow_screens),
		cmocka_unit_test(help_can_be_scrolled_and_searched),
		cmocka_unit_test(the_bottom_row_has_hints_and_position),
		cmocka_unit_test(damage_is_told_until_the_first_key),
		cmocka_unit_test(every_size_can_be_drawn),
		cmocka_unit_test(want_of_memory_is_survived),
		cmocka_unit_test(loading_ends_with_the_trace),
		cmocka_unit_test(loading_can_be_cancelled),
		cmocka_unit_test(progress_is_told_in_bytes_events_and_time),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

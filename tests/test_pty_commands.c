/*
 * Every command of the table in a terminal, by its key and by its name behind a colon. A command
 * that has no row here fails the test.
 */
#include "ptytesting.h"

#include <string.h>
#include <sys/wait.h>

#include "app/keys.h"
#include "base/compiler.h"
#include "base/text.h"
#include "view/command.h"

/* What is looked at first. */
enum scene { SERVER, CONTENTION, TASKS, DAMAGED, SAMPLES };

static const struct {
	const char *trace, *row, *at;
	const char *seen; /* once it is there */
} scenes[] = {
	[SERVER] = { "httpserver-go1.26.trace", "--row=G1", "--at=10ms", "G1 main.main ─" },
	[CONTENTION] = { "contention-go1.26.trace", "--row=G16", "--at=28.5ms",
		"G16 main.main.func3.1.1 ─" },
	[TASKS] = { "tasks-go1.23.trace", "--row=G1", "--at=20ms", "G1 main.main ─" },
	[DAMAGED] = { "long-go1.23.trace", "--row=P0", "--at=1ms", "P0 ─" },
	[SAMPLES] = { "samples-go1.26.trace", "--row=P1", "--at=100ms", "P1 ─" },
};

enum outcome { SHOWS, HIDES, ENDS, STOPS, DRAWS };

struct row {
	enum command command;
	enum scene scene;
	struct {
		const char *keys, *shown;
	} before[6]; /* typed first, each once what the one before brings is seen */
	const char *argument; /* typed at the prompt of a command that asks, or behind its name */
	bool is_typed;        /* only behind its name */
	const char *shows;    /* what was not there before; with HIDES: what was */
	enum outcome outcome;
	const char *mouse;    /* that does the same; NULL: nothing that the mouse does makes sense */
};

#define TYPED(what) .argument = what, .is_typed = true
#define LISTED { "a", "offcpu" }
#define PROFILED { "\r", "sync.(*WaitGroup).Add" }
#define CURVED .before = { { ":analyse mmu\r", "the worst windows" } }
#define ANALYSED .before = { { ":analyse goroutines\r", "running▾" } }

/* Of the first button and the wheel, as terminals send them: columns and lines from 1 on. */
#define CLICK(x, y) "\033[<0;" #x ";" #y "M\033[<0;" #x ";" #y "m"
#define WHEEL_UP(x, y) "\033[<64;" #x ";" #y "M"
#define WHEEL_DOWN(x, y) "\033[<65;" #x ";" #y "M"

static const struct row rows[] = {
	{ COMMAND_LEFT, .shows = " 9.1 ms  758" },
	{ COMMAND_RIGHT, .shows = "10.6 ms  758" },
	{ COMMAND_UP, .shows = "G10 main.traced.func1 ─ blocked" },
	{ COMMAND_DOWN, .shows = "G6 net/http.(*Server).Serve ─ blocked" },
	{ COMMAND_PAGE_UP, .shows = "Goroutines, heap and threads" },
	{ COMMAND_PAGE_DOWN, .shows = "rows 9-25" },
	{ COMMAND_HALF_PAGE_UP, .shows = "GC and stops of the world" },
	{ COMMAND_HALF_PAGE_DOWN, .shows = "rows 9-25" },
	{ COMMAND_ACROSS, .shows = "no trace of the same threads is beside this one" },
	{ COMMAND_FIRST_ROW, .before = { { "G", "rows 9-25" } }, .shows = "rows 1-17" },
	{ COMMAND_LAST_ROW, .shows = "rows 9-25" },
	{ COMMAND_PAN_LEFT, .shows = " 0 ns  758" },
	{ COMMAND_PAN_RIGHT, .shows = "32.0 ms  758" },
	{ COMMAND_TRACE_START, .shows = " 0 ns  758" },
	{ COMMAND_TRACE_END, .shows = "44.0 ms  758" },
	{ COMMAND_ZOOM_IN, .shows = "379 µs/cell", .mouse = WHEEL_UP(40, 6) },
	{ COMMAND_ZOOM_OUT, .before = { { "++", "190 µs/cell" } }, .shows = "379 µs/cell",
		.mouse = WHEEL_DOWN(40, 6) },
	{ COMMAND_FIT_ALL, .before = { { "++", "190 µs/cell" } }, .shows = "758 µs/cell" },
	{ COMMAND_FIT_SELECTION, CONTENTION, .shows = "155 µs/cell" },
	{ COMMAND_MARK, .shows = "marked", .mouse = "\033[<0;40;6M\033[<32;50;6M\033[<0;50;6m" },
	{ COMMAND_MARK_A, .before = { { "B\033[C", "10.6 ms" } }, .shows = "A to B" },
	{ COMMAND_MARK_B, .before = { { "A\033[C", "10.6 ms" } }, .shows = "A to B" },
	{ COMMAND_PREVIOUS_SPAN, .shows = "running on P0" },
	{ COMMAND_NEXT_SPAN, .shows = "43.7 ms  758" },
	{ COMMAND_PREVIOUS_SAMPLE, SAMPLES, .shows = " 95 ms  3.47" },
	{ COMMAND_NEXT_SAMPLE, SAMPLES, .shows = "103 ms  3.47" },
	{ COMMAND_STACK_LANES, .shows = " Stack " },
	{ COMMAND_LONGEST_SPAN, .shows = "longest" },
	{ COMMAND_WAKER, .shows = "was woken" },
	{ COMMAND_WOKEN, CONTENTION, .shows = "Whom G16" },
	{ COMMAND_WHY, .shows = "Why G1 main.main was not running" },
	{ COMMAND_CRITICAL_PATH, .shows = "Critical path" },
	{ COMMAND_EVERYONE, .shows = "44 goroutines at this time" },
	{ COMMAND_FINDINGS, .shows = "Findings" },
	{ COMMAND_FOCUS_ACTOR, .shows = "Woken or started by" },
	{ COMMAND_REQUESTS, TASKS, .shows = ">63.5 ms" },
	{ COMMAND_NEXT_REQUEST, TASKS, .before = { { "R", ">63.5 ms" } }, .shows = "task 4 of 43, slowest first" },
	{ COMMAND_PREVIOUS_REQUEST, TASKS, .before = { { "RJJ", "task 5 of 43" } }, .shows = "task 4 of 43" },
	{ COMMAND_EDIT, .shows = "on this machine" },
	{ COMMAND_FOLD, .shows = "by start function, ", .mouse = CLICK(1, 8) },
	{ COMMAND_FOLD_PANEL, .shows = "woken at" },
	{ COMMAND_OPEN, .shows = "0 events within", .mouse = CLICK(50, 16) CLICK(50, 16) },
	{ COMMAND_GROUP_LANES, .shows = "grouped by creator" },
	{ COMMAND_SORT_LANES, .shows = "goroutines: by name" },
	{ COMMAND_GROUP_LANES, TYPED("label"), .shows = "grouped by label" },
	{ COMMAND_SORT_LANES, TYPED("wait"), .shows = "the longest wait first" },
	{ COMMAND_MARK, .before = { { "B\033[C", "10.6 ms" } }, TYPED("a"), .shows = "A to B" },
	{ COMMAND_INTERACTS, TYPED("2,wakers"), .shows = "around G1, 2 of wakers" },
	{ COMMAND_PALETTE, TYPED("light"), .shows = "the palette is light" },
	{ COMMAND_ANALYSE, TYPED("goroutines"), .shows = "All goroutines by function" },
	{ COMMAND_HIDE_LANE, .shows = "1 hidden" },
	{ COMMAND_PIN_LANE, .shows = "1 pinned", .mouse = CLICK(1, 16) },
	{ COMMAND_INTERACTS, .shows = "around G1, 1 step" },
	{ COMMAND_SHOW_LANES, .before = { { "I", "around G1" } }, .shows = "Procs 4" },
	{ COMMAND_JUMP, .argument = "20ms", .shows = "20.0 ms  758" },
	{ COMMAND_SEARCH, .argument = "serve", .shows = "match" },
	{ COMMAND_NEXT_MATCH, .before = { { "/serve\r", "matches" } }, .shows = "match 556 of" },
	{ COMMAND_PREVIOUS_MATCH, .before = { { "/serve\r", "matches" } }, .shows = "match 554 of" },
	{ COMMAND_FILTER, .argument = "state=ready", .shows = "rows dim: state=ready" },
	{ COMMAND_COUNT_SPANS, .argument = "state=ready", .shows = "spans match" },
	{ COMMAND_BOOKMARK, .argument = "here", .shows = "▼            ╷20 ms" },
	{ COMMAND_BOOKMARKS, .before = { { "A", "not kept" } }, .shows = "Marks and bookmarks" },
	{ COMMAND_DROP_BOOKMARK, .before = { { "A'", "10.000000 ms" } }, .outcome = HIDES, .shows = "10.000000 ms" },
	{ COMMAND_NOTE, .before = { { "mhere\r'", "here  G1" } }, .argument = "why", .shows = "why" },
	{ COMMAND_NEXT_DAMAGE, DAMAGED, .shows = "damaged places: 1" },
	{ COMMAND_PREVIOUS_DAMAGE, DAMAGED, .before = { { "\033[F", "23 spans in this cell" } },
		.shows = "damaged places: 1" },
	{ COMMAND_LOAD_PART, .shows = "all of the trace is loaded" },
	{ COMMAND_CLEAR_SEARCH, .before = { { "v", "marked" } }, .shows = "/cell" },
	{ COMMAND_ANALYSE, .shows = "Analyses of G1" },
	{ COMMAND_NEXT_FORM, .before = { LISTED, PROFILED },
		.shows = "Scheduling waits, calls" },
	{ COMMAND_UNFOLD_ALL, .before = { LISTED, PROFILED, { "f", "▾ net/http" } }, .outcome = HIDES,
		.shows = "▸" },
	{ COMMAND_FOLD_ALL, .before = { LISTED, PROFILED, { "f", "▾ net/http" } }, .outcome = HIDES,
		.shows = "▾" },
	{ COMMAND_WIDEN, .before = { LISTED, PROFILED, { "f", "▾ net/http" }, { "f", "24 µs, 63%" },
			  { "l", "23%" }, { "\r", "net.(*TCPListener).Accept" } },
		.shows = "net/http.(*conn).serve" },
	{ COMMAND_NEXT_STATISTIC, ANALYSED, .shows = " mean " },
	{ COMMAND_SORT_LEFT, ANALYSED, .shows = "life▾" },
	{ COMMAND_SORT_RIGHT, ANALYSED, .shows = "assisting▾" },
	{ COMMAND_REVERSE, ANALYSED, .shows = "running▴" },
	{ COMMAND_COLUMN_LEFT,
		.before = { { ":analyse goroutines\r", "running▾" }, { "l", "‹" } },
		.outcome = HIDES, .shows = "‹" },
	{ COMMAND_COLUMN_RIGHT, ANALYSED, .shows = "‹" },
	{ COMMAND_COUNT_STOPS, CURVED, .shows = "○ s stops" },
	{ COMMAND_COUNT_BACKGROUND, CURVED, .shows = "○ b background" },
	{ COMMAND_COUNT_ASSISTS, CURVED, .shows = "○ m assists" },
	{ COMMAND_COUNT_SWEEPING, CURVED, .shows = "● w sweeping" },
	{ COMMAND_EACH_PROCESSOR, CURVED, .shows = "● p each proc" },
	{ COMMAND_FILTER_ROWS, ANALYSED, .argument = "main", .shows = "3 of 19 rows" },
	{ COMMAND_FOCUS_CALLS, .before = { LISTED, PROFILED }, .argument = "main",
		.shows = "by function, focus main" },
	{ COMMAND_IGNORE_CALLS, .before = { LISTED, PROFILED }, .argument = "main",
		.shows = "by function, ignore main" },
	{ COMMAND_RUNTIME,
		.before = { { ":analyse histogram:sched\r", "of the program's goroutines" } },
		.shows = "of all goroutines" },
	{ COMMAND_UNDO, .before = { { "+", "379 µs/cell" } }, .shows = "758 µs/cell" },
	{ COMMAND_UNDO, .before = { { "I", "around G1, 1 step" }, { "I", "around G1, 2 steps" } },
		.shows = "around G1, 1 step " },
	{ COMMAND_UNDO, .before = { { "I", "around G1, 1 step" } }, .outcome = HIDES,
		.shows = "around G1" },
	{ COMMAND_REDO, .before = { { "I", "around G1, 1 step" }, { "u", "Procs 4" } },
		.shows = "around G1, 1 step " },
	{ COMMAND_REDO, .before = { { "+u", "758 µs/cell" } }, .shows = "379 µs/cell" },
	{ COMMAND_NEXT_VIEW, .shows = "there is no other view" },
	{ COMMAND_LINE, .argument = "zoom-in", .shows = "379 µs/cell" },
	{ COMMAND_HELP, .shows = "Moving", .mouse = CLICK(44, 24) },
	{ COMMAND_CLOCK, .shows = " UTC " },
	{ COMMAND_YANK, .shows = "copied: ttrace" },
	{ COMMAND_PRINT_SCREEN, .argument = "/dev/null/x", .shows = "Not a directory" },
	{ COMMAND_PALETTE, .shows = "the palette is" },
	{ COMMAND_MOUSE, .shows = "the mouse is off" },
	{ COMMAND_REFRESH, .outcome = DRAWS },
	{ COMMAND_SUSPEND, .outcome = STOPS },
	{ COMMAND_CLOSE, .outcome = ENDS },
	{ COMMAND_QUIT, .outcome = ENDS },
};

/* ---- keys as a terminal sends them */

static void
add_key_bytes(struct text *out, const char *key)
{
	static const struct {
		const char *name, *bytes;
	} named[] = { { "Left", "\033[D" }, { "Right", "\033[C" }, { "Up", "\033[A" },
		{ "Down", "\033[B" }, { "PageUp", "\033[5~" }, { "PageDown", "\033[6~" },
		{ "Home", "\033[H" }, { "End", "\033[F" }, { "Space", " " }, { "Enter", "\r" },
		{ "Escape", "\033" }, { "Tab", "\t" } };
	for (size_t i = 0; i < ARRAY_LENGTH(named); i++) {
		if (strcmp(named[i].name, key) == 0) {
			text_add_string(out, named[i].bytes);
			return;
		}
	}
	if (strncmp(key, "C-", 2) == 0 && strlen(key) == 3)
		text_add(out, (const char[]){ (char)(key[2] & 0x1f) }, 1);
	else if (strlen(key) == 1)
		text_add_string(out, key);
	else
		fail_msg("this test does not know how a terminal sends %s", key);
}

/* The first key of a command, anywhere. */
static void
add_key(struct text *out, enum command command)
{
	const struct key_map *map = keys_usual();
	size_t i = 0;
	while (i < map->count && map->rows[i].command != command)
		i++;
	if (i == map->count)
		fail_msg("%s has no key", command_row(command)->name);
	add_key_bytes(out, map->rows[i].key);
}

static void
add_by_key(struct text *out, const struct row *row)
{
	add_key(out, row->command);
	if (row->argument != NULL)
		text_format(out, "%s\r", row->argument);
}

static void
add_by_mouse(struct text *out, const struct row *row)
{
	text_add_string(out, row->mouse);
}

static void
add_by_name(struct text *out, const struct row *row)
{
	text_format(out, ":%s%s%s\r", command_row(row->command)->name,
		row->argument != NULL ? " " : "", row->argument != NULL ? row->argument : "");
}

/* ---- one command */

static void
copy_start(const path_text from, const path_text to, size_t bytes)
{
	char buffer[4096];
	FILE *in = fopen(from, "rb"), *out = fopen(to, "wb");
	assert_non_null(in);
	assert_non_null(out);
	for (size_t got = 1; bytes > 0 && got > 0; bytes -= got) {
		got = fread(buffer, 1, bytes < sizeof buffer ? bytes : sizeof buffer, in);
		assert_int_equal(fwrite(buffer, 1, got, out), got);
	}
	fclose(in);
	fclose(out);
}

static struct ptyterm *
open_scene(enum scene scene)
{
	enum { SOUND_BYTES = 50000 };
	/* Notes are forgotten in the end, and nobody waits for an editor. */
	static const char *const environment[] = { "XDG_STATE_HOME=/dev/null/x",
		"XDG_CONFIG_HOME=/dev/null/x", NULL };
	path_text path, cut;
	const char *testdata = getenv("TTRACE_TESTDATA");
	snprintf(path, sizeof path, "%.3000s/%s", testdata != NULL ? testdata : "testdata",
		scenes[scene].trace);
	if (scene == DAMAGED) {
		own_path(cut, "damaged.trace");
		copy_start(path, cut, SOUND_BYTES);
		snprintf(path, sizeof path, "%s", cut);
	}
	struct ptyterm *term = start_program("TTRACE",
		(const char *const[]){ scenes[scene].row, scenes[scene].at, path, NULL },
		&(struct ptyterm_options){ .environment = environment });
	assert_true(ptyterm_wait_text(term, scenes[scene].seen));
	if (scene == DAMAGED)
		unlink(cut);
	return term;
}

static bool
has_written(struct ptyterm *term, void *context)
{
	const uint64_t *bytes = context;
	return ptyterm_bytes(term) >= *bytes;
}

static void
check_outcome(struct ptyterm *term, const struct row *row, const char *keys)
{
	enum { MOST_OF_A_SCREEN = 1000 };
	int status = 0;
	uint64_t bytes = ptyterm_bytes(term);
	if (row->outcome == SHOWS && ptyterm_has_text(term, row->shows))
		fail_msg("%s: \"%s\" stands there before", command_row(row->command)->name, row->shows);
	ptyterm_send(term, keys);
	switch (row->outcome) {
	case SHOWS:
		if (!ptyterm_wait_text(term, row->shows))
			fail_msg("%s does not show \"%s\"", command_row(row->command)->name, row->shows);
		return;
	case HIDES:
		if (!ptyterm_wait_no_text(term, row->shows))
			fail_msg("%s leaves \"%s\"", command_row(row->command)->name, row->shows);
		return;
	case ENDS:
		assert_true(ptyterm_wait_exit(term, &status));
		assert_int_equal(status, 0);
		return;
	case STOPS:
		assert_true(ptyterm_wait_stopped(term));
		ptyterm_continue(term);
		assert_true(ptyterm_wait_text(term, scenes[row->scene].seen));
		return;
	case DRAWS:
		bytes += MOST_OF_A_SCREEN;
		assert_true(ptyterm_wait_for(term, has_written, &bytes, "a screen"));
		return;
	}
}

static void
check_row(const struct row *row, void (*add)(struct text *out, const struct row *row))
{
	struct text keys = { 0 };
	struct ptyterm *term = open_scene(row->scene);
	for (size_t i = 0; i < ARRAY_LENGTH(row->before) && row->before[i].keys != NULL; i++) {
		ptyterm_send(term, row->before[i].keys);
		if (!ptyterm_wait_text(term, row->before[i].shown))
			fail_msg("before %s: no \"%s\"", command_row(row->command)->name,
				row->before[i].shown);
	}
	add(&keys, row);
	check_outcome(term, row, keys.bytes);
	ptyterm_free(term);
	text_release(&keys);
}

static void
commands_do_by_key_what_they_are_for(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LENGTH(rows); i++)
		if (!rows[i].is_typed)
			check_row(&rows[i], add_by_key);
}

static void
commands_do_the_same_by_name(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LENGTH(rows); i++)
		if (rows[i].command != COMMAND_LINE)
			check_row(&rows[i], add_by_name);
}

static void
some_commands_are_done_by_mouse_too(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LENGTH(rows); i++)
		if (rows[i].mouse != NULL)
			check_row(&rows[i], add_by_mouse);
}

static void
every_command_is_tried_here(void **state)
{
	(void)state;
	for (int command = 0; command < COMMAND_COUNT; command++) {
		const char *name = command_row((enum command)command)->name;
		bool takes_argument = command_argument((enum command)command) != NULL;
		bool is_tried = false, has_argument = false;
		for (size_t i = 0; i < ARRAY_LENGTH(rows); i++) {
			bool is_its = (int)rows[i].command == command;
			is_tried = is_tried || is_its;
			has_argument = has_argument || (is_its && rows[i].argument != NULL);
		}
		if (!is_tried)
			fail_msg("no row of this test tries %s in a terminal", name);
		if (takes_argument && !has_argument)
			fail_msg("no row of this test has %s take something", name);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_command_is_tried_here),
		cmocka_unit_test(commands_do_by_key_what_they_are_for),
		cmocka_unit_test(commands_do_the_same_by_name),
		cmocka_unit_test(some_commands_are_done_by_mouse_too),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

/*
 * The way from the opening screen to a cause, as one goes who does not know the trace: a few
 * keys, what is to be seen at the end, and the screens, which the tutorial shows.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "analysis/critical.h"
#include "app/app.h"
#include "app/views.h"
#include "base/compiler.h"
#include "draw/palette.h"
#include "fakescreen.h"
#include "golden.h"
#include "pagetest.h"
#include "scene.h"
#include "trace/lane.h"
#include "tracetesting.h"
#include "view/findings.h"
#include "view/timeline_state.h"

enum { WIDTH = 76, HEIGHT = 24, MOST_KEYS = 10, MOST_COMMANDS = 3 };

struct walk_test {
	struct trace *trace;
	struct fakescreen fake;
	struct app app;
	char title[80];
};

static void
begin(struct walk_test *walk, const char *name, bool ascii)
{
	const char *slash = strrchr(name, '/');
	struct error err = { 0 };
	snprintf(walk->title, sizeof walk->title, "%s.trace", slash != NULL ? slash + 1 : name);
	walk->trace = testing_load(name);
	fakescreen_init(&walk->fake, WIDTH, HEIGHT, "");
	struct app_parts parts = {
		.screen = &walk->fake.screen,
		.palette = palette_find("dark"),
		.trace = walk->trace,
		.file_name = walk->title,
		.viewport = { 0, walk->trace->end_ns },
		.focus = REF_NONE,
		.ascii = ascii,
	};
	parts.views = views_all(&parts.view_count);
	if (!app_init(&walk->app, &parts, &err))
		fail_msg("%s", err.message);
}

static void
end(struct walk_test *walk)
{
	app_release(&walk->app);
	fakescreen_release(&walk->fake);
	trace_free(walk->trace);
}

/* A key, and all that it has other threads make. */
static void
press(struct walk_test *walk, const char *key)
{
	app_key(&walk->app, key);
	page_settle_app(&walk->app);
}

static void
draw_text(struct walk_test *walk, struct text *made)
{
	text_clear(made);
	scene_dump_text(&walk->app.canvas, made);
	assert_false(made->failed);
}

/* ---- the walks */

static const struct {
	const char *name;  /* of its golden screens */
	const char *trace; /* of testdata */
	const char *shown; /* in the tutorial: behind which keys */
	const char *keys[MOST_KEYS + 1];
	const char *wanted[4]; /* on the last screen */
	/* What a script does, shown behind the screens. */
	const char *commands[MOST_COMMANDS + 1];
} walks[] = {
	{ "slowserver", "troubles/slowserver", "123", { "F", "Enter", "Enter" },
		{ "blocked: sync", "woken at", "sync.(*Mutex).Unlock", "main.(*store).rebuild" },
		{ NULL } },
	{ "starved", "troubles/starved", "123", { "F", "Enter", "w" },
		{ "main.starved", "was not running", "ready: runtime.Gosched", "P0 ran G12" },
		{ NULL } },
	{ "assist", "troubles/assist", "13", { "F", "Enter", "Enter" },
		{ "main.allocate", "begins to assist marking", "main.nodes" }, { NULL } },
	{ "blockingcalls", "troubles/blockingcalls", "13", { "F", "Enter", "Enter" },
		{ "main.readBlocking", "syscall", "syscall.Read" }, { NULL } },
	{ "waits", "troubles/starved", "13", { "a", "Enter", ">" },
		{ "> main.starved", "89.3 ms" },
		{ "ttrace --report=goroutines --sort=ready --limit=1 starved.trace" } },
	{ "requests", "httpserver-go1.23", "49",
		{ "a", "8", "Down", "Enter", "Down", "Enter", "Right", "Right", "Right" },
		{ "Regions query", "sleep" },
		{ "ttrace --report=latency:region=query --limit=3 httpserver-go1.23.trace",
			"ttrace --report=top:offcpu --limit=2 \\\n"
			"    --query='region=query region.dur>=p90' httpserver-go1.23.trace",
			"ttrace --report=region:query --sort=duration --limit=24 \\\n"
			"    --format=csv httpserver-go1.23.trace |\n"
			"  awk -F, 'told { sum[$3] += $4 } $3 == \"reason\" { told = 1 }\n"
			"    END { for (why in sum) print why, sum[why] / 1e6, \"ms\" }' |\n"
			"  sort -k 2 -n -r" } },
	{ "spike", "httpserver-go1.23", "6:",
		{ "a", "7", "Down", "Enter", "Down", "Enter", "4", "Down", "Enter", "a" },
		{ "task 61 request", "sched         1.04 ms", "net                 -",
			"gc            1.97 ms" },
		{ "ttrace --report=task:61 httpserver-go1.23.trace",
			"ttrace --report=gc --from=22.1ms --to=25.4ms httpserver-go1.23.trace" } },
};

static const char *
screen_name(size_t walk, size_t key)
{
	static char name[80];
	snprintf(name, sizeof name, "walk-%s-%zu.txt", walks[walk].name, key + 1);
	return name;
}

static void
a_few_keys_lead_to_the_cause(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LENGTH(walks); i++) {
		struct walk_test walk;
		struct text made = { 0 };
		begin(&walk, walks[i].trace, true);
		for (size_t k = 0; walks[i].keys[k] != NULL; k++) {
			press(&walk, walks[i].keys[k]);
			draw_text(&walk, &made);
			golden_check(screen_name(i, k), &made);
		}
		for (size_t k = 0; k < ARRAY_LENGTH(walks[i].wanted); k++) {
			const char *wanted = walks[i].wanted[k];
			if (wanted != NULL && strstr(made.bytes, wanted) == NULL)
				fail_msg("%s: the last screen lacks %s:\n%s", walks[i].name,
					wanted, made.bytes);
		}
		text_release(&made);
		end(&walk);
	}
}

/* ---- the tutorial */

/* A line as the manual page has it: what the formatter would change is shielded. */
static void
add_manual_line(struct text *out, const char *line, size_t length)
{
	static const struct {
		char byte;
		const char *shielded;
	} rows[] = { { '\\', "\\e" }, { '-', "\\-" }, { '\'', "\\(aq" }, { '`', "\\(ga" },
		{ '^', "\\(ha" }, { '~', "\\(ti" } };
	if (line[0] == '.')
		text_add_string(out, "\\&");
	for (size_t i = 0; i < length; i++) {
		size_t row = 0;
		while (row < ARRAY_LENGTH(rows) && rows[row].byte != line[i])
			row++;
		if (row < ARRAY_LENGTH(rows))
			text_add_string(out, rows[row].shielded);
		else
			text_add(out, &line[i], 1);
	}
	text_add_string(out, "\n");
}

/* The screen without its empty rows. */
static void
add_manual_screen(struct text *out, const char *screen)
{
	text_add_string(out, ".Bd -literal\n");
	for (const char *line = screen; *line != '\0'; line += *line == '\n') {
		size_t length = strcspn(line, "\n");
		if (length > 0)
			add_manual_line(out, line, length);
		line += length;
	}
	text_add_string(out, ".Ed\n");
}

/* The page with its next screen replaced by what the program draws; *at goes behind it. */
static void
rebuild_screen(struct text *rebuilt, const char **at, const char *screen)
{
	static const char start[] = "\n.Bd -literal\n", end[] = "\n.Ed\n";
	const char *block = strstr(*at, start);
	const char *behind = block != NULL ? strstr(block, end) : NULL;
	if (behind == NULL)
		fail_msg("the tutorial lacks a screen:\n%s", screen);
	text_add(rebuilt, *at, (size_t)(block + 1 - *at));
	add_manual_screen(rebuilt, screen);
	*at = behind + strlen(end);
}

/* What a shell prints that is in the folder of the trace, behind the line that was typed. */
static void
run_command(const char *trace, const char *command, struct text *out)
{
	const char *program = getenv("TTRACE");
	char path[4096], line[8192], bytes[4096];
	size_t got;
	assert_non_null(program);
	snprintf(path, sizeof path, "%s", testing_path(trace, ".trace"));
	*strrchr(path, '/') = '\0';
	snprintf(line, sizeof line,
		"cd '%s' && ttrace() { '%s' --charset=ascii --width=%d \"$@\"; } && %s", path,
		program, WIDTH, command);
	text_format(out, "$ %s\n", command);
	FILE *pipe = popen(line, "r");
	assert_non_null(pipe);
	while ((got = fread(bytes, 1, sizeof bytes, pipe)) > 0)
		text_add(out, bytes, got);
	assert_int_equal(pclose(pipe), 0);
}

static void
rebuild_walk(struct text *rebuilt, const char **at, size_t index)
{
	struct walk_test walk;
	struct text made = { 0 };
	begin(&walk, walks[index].trace, true);
	for (size_t k = 0; walks[index].keys[k] != NULL; k++) {
		press(&walk, walks[index].keys[k]);
		draw_text(&walk, &made);
		if (strchr(walks[index].shown, '1' + (int)k) != NULL)
			rebuild_screen(rebuilt, at, made.bytes);
	}
	for (size_t k = 0; walks[index].commands[k] != NULL; k++) {
		text_clear(&made);
		run_command(walks[index].trace, walks[index].commands[k], &made);
		rebuild_screen(rebuilt, at, made.bytes);
	}
	text_release(&made);
	end(&walk);
}

static void
write_page(const char *path, const struct text *page)
{
	FILE *file = fopen(path, "wb");
	assert_non_null(file);
	assert_int_equal(fwrite(page->bytes, 1, page->length, file), page->length);
	assert_int_equal(fclose(file), 0);
}

/* With TTRACE_GOLDEN=write they are put into the page, as golden texts are. */
static void
the_tutorial_shows_these_screens(void **state)
{
	(void)state;
	const char *top = getenv("TTRACE_SRCDIR"), *mode = getenv("TTRACE_GOLDEN");
	char path[4096];
	struct text page = { 0 }, rebuilt = { 0 };
	snprintf(path, sizeof path, "%s/man/ttrace-tutorial.7", top != NULL ? top : ".");
	testing_read(path, &page);
	const char *at = page.bytes;
	for (size_t i = 0; i < ARRAY_LENGTH(walks); i++)
		rebuild_walk(&rebuilt, &at, i);
	assert_null(strstr(at, "\n.Bd "));
	text_add_string(&rebuilt, at);
	assert_false(rebuilt.failed);
	if (mode != NULL && strcmp(mode, "write") == 0)
		write_page(path, &rebuilt);
	else if (strcmp(page.bytes, rebuilt.bytes) != 0)
		fail_msg("the screens of %s are not those of the program", path);
	text_release(&page);
	text_release(&rebuilt);
}

/* ---- the list itself */

static void
a_healthy_trace_says_so(void **state)
{
	(void)state;
	struct walk_test walk;
	struct text made = { 0 };
	begin(&walk, "troubles/healthy", false);
	press(&walk, "F");
	draw_text(&walk, &made);
	assert_non_null(strstr(made.bytes, "nothing odd"));
	text_release(&made);
	end(&walk);
}

static void
the_list_looks_as_it_should(void **state)
{
	(void)state;
	struct walk_test walk;
	struct text made = { 0 };
	begin(&walk, "troubles/gcback", false);
	press(&walk, "F");
	press(&walk, "Down");
	scene_dump(&walk.app.canvas, &made);
	golden_check("screen-findings.txt", &made);
	text_clear(&made);
	/* What stands behind the last one comes into sight with it. */
	press(&walk, "G");
	scene_dump_text(&walk.app.canvas, &made);
	assert_non_null(strstr(made.bytes, "no system calls cost\n     much time"));
	text_release(&made);
	end(&walk);
}

/* Whatever was on the screen before; and undo leads back there. */
static void
enter_shows_the_place_and_undo_leads_back(void **state)
{
	(void)state;
	struct walk_test walk;
	begin(&walk, "troubles/convoy", false);
	const struct session *session = walk.app.session;
	struct viewport before = session->viewport;
	press(&walk, "F");
	press(&walk, "Enter");
	struct span span;
	assert_int_equal(session->lane.type, LANE_ACTOR);
	assert_true(lane_span_at(walk.trace, session->lane, session->cursor_ns, &span));
	assert_int_equal(span.start_ns, session->cursor_ns);
	assert_int_equal(span.time_class, CLASS_SYNC);
	assert_true(session->viewport.t0_ns < span.start_ns);
	assert_true(session->viewport.t1_ns >= span.end_ns);
	assert_true(session->viewport.t1_ns - session->viewport.t0_ns <=
		    3 * (span.end_ns - span.start_ns));
	press(&walk, "u");
	assert_int_equal(session->viewport.t0_ns, before.t0_ns);
	assert_int_equal(session->viewport.t1_ns, before.t1_ns);
	end(&walk);
}

/* Where requests are slow: the slowest one, with what its time went into. */
static void
enter_shows_the_critical_path_of_the_slowest_request(void **state)
{
	(void)state;
	struct walk_test walk;
	begin(&walk, "troubles/slowrequests", false);
	const struct session *session = walk.app.session;
	press(&walk, "F");
	press(&walk, "Enter");
	assert_non_null(session->path);
	assert_int_equal(session->lane.type, LANE_ACTOR);
	assert_int_equal(session->path_actor, session->lane.ref);
	int64_t longest_ns = 0;
	for (task_ref i = 0; i < walk.trace->tasks.count; i++) {
		const struct task *task = trace_task(walk.trace, i);
		if (trace_text_is(walk.trace, task->name, "lookup") &&
			task->end_ns - task->start_ns > longest_ns && task->end_ns != TIME_OPEN)
			longest_ns = task->end_ns - task->start_ns;
	}
	assert_int_equal(session->path->end_ns - session->path->start_ns, longest_ns);
	assert_true(session->viewport.t0_ns < session->path->start_ns);
	assert_true(session->viewport.t1_ns > session->path->end_ns);
	end(&walk);
}

static void
q_leads_back_and_changes_nothing(void **state)
{
	(void)state;
	struct walk_test walk;
	begin(&walk, "troubles/convoy", false);
	const struct session *session = walk.app.session;
	struct viewport before = session->viewport;
	int64_t cursor_ns = session->cursor_ns;
	press(&walk, "F");
	assert_int_equal(walk.app.depth, 2);
	press(&walk, "q");
	assert_int_equal(walk.app.depth, 1);
	assert_false(walk.app.is_waiting);
	assert_int_equal(session->viewport.t0_ns, before.t0_ns);
	assert_int_equal(session->viewport.t1_ns, before.t1_ns);
	assert_int_equal(session->cursor_ns, cursor_ns);
	end(&walk);
}

/* Who goes through the list finds it as it was left. */
static void
the_list_opens_where_it_was_left(void **state)
{
	(void)state;
	struct walk_test walk;
	struct text made = { 0 };
	begin(&walk, "troubles/gcback", false);
	press(&walk, "F");
	press(&walk, "2");
	press(&walk, "Down");
	press(&walk, "Enter");
	press(&walk, "F");
	draw_text(&walk, &made);
	assert_non_null(strstr(made.bytes, "3 of 3"));
	text_release(&made);
	end(&walk);
}

/* What was found stays on the screen while more of the trace is looked through. */
static void
a_later_snapshot_is_looked_through_anew(void **state)
{
	(void)state;
	struct walk_test walk;
	struct error err = { 0 };
	struct text made = { 0 };
	begin(&walk, "troubles/convoy", false);
	press(&walk, "F");
	void *page = walk.app.stack[1].state;
	struct trace *later = testing_load("troubles/convoy");
	const struct trace *before = walk.trace;
	session_renew(walk.app.session, later, false);
	assert_true(findings_view.renew(page, walk.app.session, before, &err));
	assert_true(app_draw(&walk.app, &err));
	draw_text(&walk, &made);
	assert_non_null(strstr(made.bytes, "looked for"));
	assert_non_null(strstr(made.bytes, "lock convoy"));
	press(&walk, "Down");
	draw_text(&walk, &made);
	assert_null(strstr(made.bytes, "looked for"));
	assert_non_null(strstr(made.bytes, "lock convoy"));
	text_release(&made);
	end(&walk);
	trace_free(later);
}

/* Where an interval is marked only that is looked at. */
static void
a_marked_interval_has_its_own(void **state)
{
	(void)state;
	struct walk_test walk;
	struct text made = { 0 };
	begin(&walk, "troubles/starved", false);
	walk.app.session->has_mark = true;
	walk.app.session->mark_ns = 10000000;
	walk.app.session->cursor_ns = 30000000;
	press(&walk, "F");
	draw_text(&walk, &made);
	assert_non_null(strstr(made.bytes, "from 10.000000 ms to 30.000000 ms"));
	text_release(&made);
	end(&walk);
}

/* Moments to copy are for --report; the page has no room for them. */
static void
the_page_lists_no_moments(void **state)
{
	(void)state;
	struct walk_test walk;
	struct text made = { 0 };
	begin(&walk, "troubles/idleprocs", false);
	press(&walk, "F");
	draw_text(&walk, &made);
	assert_non_null(strstr(made.bytes, "do: give it more CPU, or lower GOMAXPROCS"));
	assert_null(strstr(made.bytes, "start="));
	text_release(&made);
	end(&walk);
}

/* ---- the line above the hints */

static bool
is_on_screen(struct walk_test *walk, const char *words)
{
	struct text made = { 0 };
	draw_text(walk, &made);
	bool is_there = strstr(made.bytes, words) != NULL;
	text_release(&made);
	return is_there;
}

/* As soon as the first picture stands, and until somebody has seen it; the rows stay where they were. */
static void
the_worst_is_told_at_once(void **state)
{
	(void)state;
	static const struct {
		const char *trace, *wanted, *key;
	} rows[] = {
		{ "troubles/convoy", " lock convoy ", "F" },
		{ "troubles/convoy", " lock convoy ", "Escape" },
		{ "troubles/starved", " scheduling delay ", "F" },
		{ "troubles/healthy", "Nothing odd: no goroutine waited long for a P", "Escape" },
	};
	for (size_t i = 0; i < ARRAY_LENGTH(rows); i++) {
		struct walk_test walk;
		struct error err = { 0 };
		begin(&walk, rows[i].trace, false);
		assert_true(app_draw(&walk.app, &err)); /* before any is found */
		const struct timeline *timeline = walk.app.stack[0].state;
		int lines = timeline->layout.row_lines;
		assert_int_equal(timeline->layout.verdict_lines, 1);
		page_settle_app(&walk.app);
		if (!is_on_screen(&walk, rows[i].wanted))
			fail_msg("%s lacks %s", rows[i].trace, rows[i].wanted);
		assert_int_equal(timeline->layout.row_lines, lines);
		press(&walk, rows[i].key);
		press(&walk, "Escape");
		press(&walk, "Escape");
		assert_int_equal(walk.app.depth, 1);
		assert_false(is_on_screen(&walk, rows[i].wanted));
		assert_int_equal(timeline->layout.verdict_lines, 0);
		assert_int_equal(timeline->layout.row_lines, lines + 1);
		end(&walk);
	}
}

/* What the line has found is what the list has: it is not looked for a second time. */
static void
the_list_takes_over_what_was_found(void **state)
{
	(void)state;
	struct walk_test walk;
	struct error err = { 0 };
	begin(&walk, "troubles/convoy", false);
	assert_true(app_draw(&walk.app, &err));
	page_settle_app(&walk.app);
	assert_true(walk.app.pane[0].verdict.has_findings);
	const struct finding *items = walk.app.pane[0].verdict.findings.items;
	assert_non_null(items);
	app_key(&walk.app, "F"); /* nothing is waited for */
	assert_false(walk.app.pane[0].verdict.has_findings);
	assert_false(walk.app.is_waiting);
	assert_true(is_on_screen(&walk, "lock convoy"));
	end(&walk);
}

/* One that is left while it looks for them. */
static void
leaving_ends_the_search(void **state)
{
	(void)state;
	struct walk_test walk;
	struct error err = { 0 };
	begin(&walk, "troubles/convoy", false);
	assert_true(app_draw(&walk.app, &err));
	app_look(&walk.app);
	assert_true(walk.app.is_looking);
	app_key(&walk.app, "q");
	assert_true(walk.app.is_done);
	end(&walk);
}

/* The words of the finding are in why, of that span and of no other; a filter does not dim it. */
static void
why_has_the_words_of_the_finding(void **state)
{
	(void)state;
	struct walk_test walk;
	struct text words = { 0 };
	begin(&walk, "troubles/convoy", false);
	press(&walk, "&");
	for (const char *at = "g=1"; *at != '\0'; at++)
		app_key(&walk.app, (char[]){ *at, '\0' });
	press(&walk, "Enter");
	assert_int_equal(walk.app.session->filter_mode, FILTER_DIMS);
	press(&walk, "F");
	press(&walk, "Enter");
	assert_int_equal(walk.app.session->filter_mode, FILTER_OFF);
	text_add_string(&words, text_string(&walk.app.pane[0].verdict.told));
	assert_true(words.length > 0);
	words.bytes[30] = '\0'; /* the line may be wrapped behind that */
	press(&walk, "w");
	assert_true(is_on_screen(&walk, words.bytes));
	press(&walk, "q");
	press(&walk, "[");
	press(&walk, "w");
	assert_false(is_on_screen(&walk, words.bytes));
	text_release(&words);
	end(&walk);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_few_keys_lead_to_the_cause),
		cmocka_unit_test(the_tutorial_shows_these_screens),
		cmocka_unit_test(a_healthy_trace_says_so),
		cmocka_unit_test(the_list_looks_as_it_should),
		cmocka_unit_test(enter_shows_the_place_and_undo_leads_back),
		cmocka_unit_test(enter_shows_the_critical_path_of_the_slowest_request),
		cmocka_unit_test(q_leads_back_and_changes_nothing),
		cmocka_unit_test(the_list_opens_where_it_was_left),
		cmocka_unit_test(a_later_snapshot_is_looked_through_anew),
		cmocka_unit_test(a_marked_interval_has_its_own),
		cmocka_unit_test(the_page_lists_no_moments),
		cmocka_unit_test(the_worst_is_told_at_once),
		cmocka_unit_test(the_list_takes_over_what_was_found),
		cmocka_unit_test(leaving_ends_the_search),
		cmocka_unit_test(why_has_the_words_of_the_finding),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

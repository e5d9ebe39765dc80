/*
 * Bookmarks from the key to the page that lists them, by the app on a fake screen with the
 * real views.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "app/app.h"
#include "app/loop.h"
#include "app/views.h"
#include "draw/palette.h"
#include "fakescreen.h"
#include "golden.h"
#include "scene.h"
#include "trace/notes.h"
#include "tracetesting.h"

struct stage {
	struct fakescreen fake;
	struct trace *trace;
	struct app app;
	const struct notes *notes;
};

/* Runs a script of keys, and leaves the app as it is then. */
static void
play(struct stage *stage, bool ascii, const char *script)
{
	struct error err = { 0 };
	memset(stage, 0, sizeof *stage);
	stage->trace = testing_load("httpserver-go1.23");
	fakescreen_init(&stage->fake, 80, 24, script);
	struct app_parts parts = {
		.screen = &stage->fake.screen,
		.palette = palette_find("dark"),
		.ascii = ascii,
		.trace = stage->trace,
		.file_name = "http.trace",
		.origin = { .file = "http.trace" },
		.viewport = { 0, stage->trace->end_ns },
		.cursor_ns = stage->trace->end_ns / 2,
		.focus = REF_NONE,
	};
	parts.views = views_all(&parts.view_count);
	if (!app_init(&stage->app, &parts, &err) || !loop_run(&stage->app, &err))
		fail_msg("%s", err.message);
	stage->notes = stage->app.session->notes;
}

static void
strike(struct stage *stage)
{
	app_release(&stage->app);
	fakescreen_release(&stage->fake);
	trace_free(stage->trace);
}

static const char *
bottom_row(struct stage *stage)
{
	return fakescreen_row(&stage->fake, 23);
}

#define SLOW "3 j m s l o w Enter w h y ? Enter "

static void
a_bookmark_has_a_place_a_name_and_a_note(void **state)
{
	(void)state;
	struct stage stage;
	play(&stage, false, SLOW);
	assert_int_equal(stage.notes->count, 1);
	const struct bookmark *bookmark = &stage.notes->bookmarks[0];
	assert_string_equal(bookmark->name, "slow");
	assert_string_equal(bookmark->note, "why?");
	assert_string_equal(bookmark->row, "net/http.(*conn).serve");
	assert_int_equal(bookmark->t_ns, stage.app.session->cursor_ns);
	assert_non_null(strstr(bottom_row(&stage), "slow: why? (until ttrace ends; --notes"));
	assert_true(fakescreen_has(&stage.fake, "\u25bc"));
	strike(&stage);
}

static void
the_note_is_optional(void **state)
{
	static const char *const scripts[] = { "m x Enter Enter", "m x Enter Escape",
		": b o o k m a r k Space x Enter Enter", "m x Space Enter Enter",
		"m x Enter Enter l m Tab Enter Enter", "m x Enter Enter : b o o k Tab Tab Enter Enter" };
	(void)state;
	for (size_t i = 0; i < sizeof scripts / sizeof scripts[0]; i++) {
		struct stage stage;
		play(&stage, false, scripts[i]);
		assert_int_equal(stage.notes->count, 1);
		assert_string_equal(stage.notes->bookmarks[0].name, "x");
		assert_string_equal(stage.notes->bookmarks[0].note, "");
		strike(&stage);
	}
	struct stage stage;
	play(&stage, false, "m Enter m y Escape");
	assert_int_equal(stage.notes->count, 0);
	strike(&stage);
}

static void
enter_goes_to_a_bookmark_and_undo_back(void **state)
{
	(void)state;
	struct stage stage;
	play(&stage, false, "j " SLOW "k + + + $ ' Enter");
	assert_int_equal(stage.app.session->cursor_ns, stage.notes->bookmarks[0].t_ns);
	assert_int_equal(stage.app.session->lane.type, LANE_GROUP);
	assert_int_equal(stage.app.session->lane.ref, 1);
	assert_non_null(strstr(bottom_row(&stage), "slow: why?"));
	assert_int_equal(stage.app.depth, 1);
	app_key(&stage.app, "u");
	assert_true(stage.app.session->cursor_ns > stage.notes->bookmarks[0].t_ns);
	strike(&stage);
}

static void
the_page_drops_and_annotates(void **state)
{
	(void)state;
	struct stage stage;
	play(&stage, false, SLOW "$ m e n d Enter Enter ^ A ' G e l a t e Enter k e C-u Enter g d"); /* "A" is first */
	assert_int_equal(stage.notes->count, 2);
	assert_string_equal(stage.notes->bookmarks[0].note, "");
	assert_string_equal(stage.notes->bookmarks[1].name, "end");
	assert_string_equal(stage.notes->bookmarks[1].note, "late");
	assert_false(stage.notes->has_mark[MARK_A]);
	app_key(&stage.app, "d");
	app_key(&stage.app, "d");
	app_key(&stage.app, "d");
	assert_int_equal(stage.notes->count, 0);
	strike(&stage);
}

static void
marks_are_listed_and_become_an_interval_again(void **state)
{
	(void)state;
	struct stage stage;
	int64_t from_ns, until_ns;
	play(&stage, false, "A l l l B Escape");
	assert_false(session_marked(stage.app.session, &from_ns, &until_ns));
	app_key(&stage.app, "'"); /* with the nearest one selected */
	app_key(&stage.app, "Enter");
	assert_true(session_marked(stage.app.session, &from_ns, &until_ns));
	assert_int_equal(stage.app.session->cursor_ns, until_ns);
	app_key(&stage.app, "t");
	app_key(&stage.app, "a");
	app_key(&stage.app, "Enter");
	assert_int_equal(stage.app.session->cursor_ns, from_ns);
	strike(&stage);
}

static void
there_is_no_page_of_nothing(void **state)
{
	(void)state;
	struct stage stage;
	play(&stage, false, "'");
	assert_int_equal(stage.app.depth, 1);
	assert_non_null(strstr(bottom_row(&stage), "there are no marks and no bookmarks"));
	app_key(&stage.app, "q"); /* of a page that did not open; not of all */
	assert_int_equal(stage.app.depth, 1);
	app_key(&stage.app, "q");
	assert_int_equal(stage.app.depth, 0);
	strike(&stage);
}

static void
the_page_looks_so(void **state)
{
	(void)state;
	static const char *const scripts[] = { SLOW "A l l l B G m e n d Enter Enter ' G",
		SLOW "A l l l B G m e n d Enter Enter ' ?", SLOW "Escape h h A l l l l l B j l" };
	static const char *const goldens[] = { "bookmarks.txt", "bookmarks-help.txt", "marks.txt" };
	for (size_t i = 0; i < 3; i++) {
		struct stage stage;
		struct text shown = { 0 };
		play(&stage, i == 1, scripts[i]);
		scene_dump(&stage.fake.shown, &shown);
		golden_check(goldens[i], &shown);
		text_release(&shown);
		strike(&stage);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_bookmark_has_a_place_a_name_and_a_note),
		cmocka_unit_test(the_note_is_optional),
		cmocka_unit_test(enter_goes_to_a_bookmark_and_undo_back),
		cmocka_unit_test(the_page_drops_and_annotates),
		cmocka_unit_test(marks_are_listed_and_become_an_interval_again),
		cmocka_unit_test(there_is_no_page_of_nothing),
		cmocka_unit_test(the_page_looks_so),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

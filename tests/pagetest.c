/* Views in tests. */
#include "pagetest.h"

#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "app/views.h"
#include "draw/palette.h"
#include "golden.h"
#include "scene.h"
#include "tracetesting.h"

/* Nothing is to be done for a trace that is there already. */
static void
load_nothing(void *context, bool is_wanted)
{
	(void)context;
	(void)is_wanted;
}

static void
load_other(struct page_test *test, const char *name)
{
	test->other_trace = testing_load(name);
	test->other.shown = (struct other_trace){ .name = "other.trace",
		.file = "other.trace",
		.trace = test->other_trace,
		.load = load_nothing };
}

void
page_begin(struct page_test *test, const char *name, int width, int height, const char *page)
{
	page_begin_compared(test, name, NULL, width, height, page);
}

void
page_begin_compared(struct page_test *test, const char *name, const char *other, int width,
	int height, const char *page)
{
	struct error err = { 0 };
	test->trace = testing_load(name);
	test->other_trace = NULL;
	test->other = (struct other){ .options = NULL };
	if (other != NULL)
		load_other(test, other);
	fakescreen_init(&test->fake, width, height, "");
	test->options = (struct options){ .view = page };
	struct app_parts parts = {
		.screen = &test->fake.screen,
		.palette = palette_find("dark"),
		.trace = test->trace,
		.other = other != NULL ? &test->other : NULL,
		.file_name = "some.trace",
		.origin = { .file = "some.trace" },
		.viewport = { 0, test->trace->end_ns },
		.focus = REF_NONE,
		.path = REF_NONE,
		.asked = &test->options,
	};
	parts.views = views_all(&parts.view_count);
	if (!app_init(&test->app, &parts, &err))
		fail_msg("%s", err.message);
}

void
page_end(struct page_test *test)
{
	app_release(&test->app);
	fakescreen_release(&test->fake);
	trace_free(test->trace);
	trace_free(test->other_trace);
}

void
page_settle_app(struct app *app)
{
	struct error err = { 0 };
	app_look(app);
	while (app->is_waiting || app->is_looking || app->session->searching != NULL) {
		sched_yield();
		app_look(app);
	}
	assert_true(app_draw(app, &err));
}

void
page_settle(struct page_test *test)
{
	page_settle_app(&test->app);
}

void
page_press(struct page_test *test, const char *keys)
{
	char key[32];
	int length;
	while (sscanf(keys, "%31s%n", key, &length) == 1) {
		app_key(&test->app, key);
		page_settle(test);
		keys += length;
	}
}

void
page_type_ahead(struct page_test *test, const char *line)
{
	for (; *line != '\0'; line++) {
		char key[2] = { *line, '\0' };
		app_key(&test->app, *line == ' ' ? "Space" : key);
	}
	app_key(&test->app, "Enter");
}

void
page_type(struct page_test *test, const char *line)
{
	page_type_ahead(test, line);
	page_settle(test);
}

const char *
page_text(struct page_test *test)
{
	static struct text made;
	text_clear(&made);
	scene_dump_text(&test->app.canvas, &made);
	assert_false(made.failed);
	return made.bytes;
}

void
page_has(struct page_test *test, const char *wanted)
{
	if (strstr(page_text(test), wanted) == NULL)
		fail_msg("the screen lacks %s:\n%s", wanted, page_text(test));
}

void
page_lacks(struct page_test *test, const char *unwanted)
{
	if (strstr(page_text(test), unwanted) != NULL)
		fail_msg("the screen has %s:\n%s", unwanted, page_text(test));
}

void
page_check_picture(const struct page_picture *picture)
{
	page_check_compared(picture, NULL);
}

void
page_check_compared(const struct page_picture *picture, const char *other)
{
	struct page_test test;
	struct text made = { 0 };
	page_begin_compared(&test, picture->trace, other, picture->width, picture->height,
		picture->page);
	test.app.parts.ascii = picture->ascii;
	test.app.session->ascii = picture->ascii;
	if (picture->mono)
		test.fake.depth = COLORS_NONE;
	page_settle(&test);
	page_press(&test, picture->keys);
	scene_dump(&test.app.canvas, &made);
	golden_check(picture->golden, &made);
	text_release(&made);
	page_end(&test);
}

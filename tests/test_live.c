/*
 * A trace that is still being written: a pipe that the test fills generation by
 * generation, the app on a fake screen at its other end.
 */
#include <fcntl.h>
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "app/arrival.h"
#include "app/loading.h"
#include "app/views.h"
#include "base/process.h"
#include "draw/palette.h"
#include "fakescreen.h"
#include "query/search.h"
#include "source/go/load.h"
#include "tracetesting.h"
#include "view/timeline_state.h"

enum { WIDTH = 100, HEIGHT = 60, MOST_GENERATIONS = 32 };
#define DEADLINE_NS INT64_C(20000000000)

static const char trace_name[] = "long-go1.26";

struct live {
	struct text bytes;
	uint64_t ends[MOST_GENERATIONS];
	size_t end_count, fed; /* generations */
	int writer;            /* -1 once it was closed */
	struct input in;
	struct progress progress;
	struct loader loader;
	struct fakescreen fake;
	struct app app;
};

/* ---- the way in */

static struct trace *
load(void *context, const struct go_wish *wish, const struct trace_watch *watch,
	struct progress *progress, struct error *err)
{
	(void)wish;
	struct live *live = context;
	struct go_read_options options = { .progress = progress };
	return go_load_watched(&live->in, &options, watch, err);
}

static void
write_bytes(struct live *live, uint64_t from, uint64_t until)
{
	while (from < until) {
		ssize_t count = write(live->writer, live->bytes.bytes + from, until - from);
		assert_true(count > 0);
		from += (uint64_t)count;
	}
}

/* Looks, as the loop does, until so many generations are shown. */
static void
wait_for(struct live *live, uint64_t generations)
{
	int64_t start_ns = process_now_ns();
	do {
		arrival_look(&live->app);
		sched_yield();
		if (process_now_ns() - start_ns > DEADLINE_NS)
			fail_msg("only %d generations are shown",
				(int)live->app.session->trace->generation_count);
	} while (live->app.session->trace->generation_count < generations ||
		 live->app.session->searching != NULL);
}

/* One more generation arrives, and is seen. */
static void
feed(struct live *live)
{
	size_t next = live->fed++;
	assert_true(next < live->end_count);
	write_bytes(live, next == 0 ? 0 : live->ends[next - 1], live->ends[next]);
	if (live->app.depth > 0)
		wait_for(live, live->fed);
}

/* No more will come, and that is known. */
static void
feed_end(struct live *live)
{
	int64_t start_ns = process_now_ns();
	close(live->writer);
	live->writer = -1;
	while (!live->app.is_whole) {
		arrival_look(&live->app);
		sched_yield();
		assert_true(process_now_ns() - start_ns < DEADLINE_NS);
	}
}

static void
open_app(struct live *live)
{
	const struct trace *trace = live->loader.shown;
	struct error err = { 0 };
	struct app_parts parts = {
		.screen = &live->fake.screen,
		.palette = palette_find("dark"),
		.trace = trace,
		.loader = &live->loader,
		.file_name = "live.trace",
		.viewport = { 0, trace->end_ns },
		.cursor_ns = trace->end_ns / 2,
		.focus = REF_NONE,
	};
	parts.views = views_all(&parts.view_count);
	assert_true(app_init(&live->app, &parts, &err));
}

/* The first generation is on screen. `rest` is that of the loader. */
static void
begin_resting(struct live *live, unsigned rest)
{
	struct error err = { 0 };
	bool is_terminated;
	int ends[2];
	*live = (struct live){ .writer = -1 };
	testing_read(testing_path(trace_name, ".trace"), &live->bytes);
	live->end_count = testing_generation_ends(
		live->bytes.bytes, live->bytes.length, live->ends, MOST_GENERATIONS);
	assert_int_equal(pipe(ends), 0);
	live->writer = ends[1];
	assert_true(input_open_fd(&live->in, ends[0], &err));
	fakescreen_init(&live->fake, WIDTH, HEIGHT, "");
	live->fake.waits_at_end = true;
	live->loader = (struct loader){
		.screen = &live->fake.screen,
		.load = load,
		.context = live,
		.progress = &live->progress,
		.rest = rest,
		.makes_marks = true,
	};
	struct loading loading = {
		.screen = &live->fake.screen,
		.palette = palette_find("dark"),
		.name = "live.trace",
		.loader = &live->loader,
	};
	assert_true(loader_start(&live->loader, &err));
	feed(live);
	assert_true(loading_run(&loading, &is_terminated, &err));
	open_app(live);
	wait_for(live, 1);
}

static void
begin(struct live *live)
{
	begin_resting(live, 0);
}

static void
end(struct live *live)
{
	int64_t start_ns = process_now_ns();
	app_release(&live->app);
	loader_end(&live->loader);
	assert_true(process_now_ns() - start_ns < DEADLINE_NS);
	if (live->writer >= 0)
		close(live->writer);
	input_close(&live->in);
	fakescreen_release(&live->fake);
	text_release(&live->bytes);
}

static void
show(struct app *app)
{
	struct error err = { 0 };
	assert_true(app_draw(app, &err));
	assert_true(app->parts.screen->put(app->parts.screen, &app->canvas, app->parts.palette, &err));
}

static void
type(struct live *live, const char *const *keys)
{
	for (; *keys != NULL; keys++)
		app_key(&live->app, *keys);
}

static struct trace *
load_part(const struct live *live)
{
	return testing_load_bytes("what was fed", live->bytes.bytes, live->ends[live->fed - 1]);
}

/* ---- the picture */

static void
check_cells(const struct live *live, struct canvas *got, struct canvas *wanted)
{
	/* The title tells that more will come. */
	for (int y = 1; y < HEIGHT; y++)
		for (int x = 0; x < WIDTH; x++) {
			const struct cell *a = canvas_at(got, x, y);
			const struct cell *b = canvas_at(wanted, x, y);
			if (strcmp(a->text, b->text) != 0 || a->fg != b->fg || a->bg != b->bg)
				fail_msg("after %zu generations, at %d,%d: \"%s\", not \"%s\"",
					live->fed, x, y, a->text, b->text);
		}
}

/* Groups that were opened when there were few stay open; the rows are made when they are shown. */
static void
open_alike(struct app *to, const struct app *from)
{
	const struct timeline *timeline = from->stack[0].state;
	struct timeline *other = to->stack[0].state;
	struct error err = { 0 };
	for (group_ref group = 0; group < from->session->trace->group_count; group++)
		other->rows.group_is_open[group] = timeline->rows.group_is_open[group];
	assert_true(rows_filter(&other->rows, NULL, &err));
}

/* What is shown is what is shown of a file with these generations alone. */
static void
check_picture(struct live *live)
{
	struct trace *part = load_part(live);
	struct app_parts parts = live->app.parts;
	struct app other;
	struct error err = { 0 };
	parts.trace = part;
	parts.loader = NULL;
	parts.viewport = (struct viewport){ 0, part->end_ns };
	parts.cursor_ns = live->app.session->cursor_ns;
	assert_true(app_init(&other, &parts, &err));
	open_alike(&other, &live->app);
	/* What is odd is looked for beside, and not for each generation. */
	verdict_dismiss(other.session);
	verdict_dismiss(live->app.session);
	show(&other);
	show(&live->app);
	check_cells(live, &live->app.canvas, &other.canvas);
	/* The loader had made them for its rows, unless the groups are others. */
	if (live->loader.marks != NULL && live->app.session->trace == live->loader.shown)
		assert_null(live->loader.marks->trace);
	app_release(&other);
	trace_free(part);
}

/* A snapshot that comes too soon waits, and not for the next generation, which may never come. */
static void
a_quiet_pipe_is_shown_up_to_its_last_generation(void **state)
{
	(void)state;
	struct live live;
	begin_resting(&live, 100);
	while (live.fed < live.end_count) {
		feed(&live);
		check_picture(&live);
	}
	feed_end(&live);
	check_picture(&live);
	end(&live);
}

static void
the_picture_grows_by_generations(void **state)
{
	(void)state;
	struct live live;
	begin(&live);
	check_picture(&live);
	assert_true(fakescreen_has(&live.fake, "live, "));
	while (live.fed < live.end_count) {
		feed(&live);
		check_picture(&live);
		assert_true(fakescreen_has(&live.fake, "live, "));
	}
	feed_end(&live);
	check_picture(&live);
	assert_false(fakescreen_has(&live.fake, "live, "));
	end(&live);
}

/* What is odd is looked for again when the trace has doubled, and when all of it is there. */
static void
what_is_odd_is_looked_for_again(void **state)
{
	(void)state;
	struct live live;
	begin(&live);
	const struct verdict *verdict = &live.app.pane[0].verdict;
	size_t searches = 0, doubled = 0;
	int64_t looked_ns = 0;
	while (true) {
		show(&live.app);
		do {
			sched_yield();
			app_look(&live.app);
		} while (live.app.is_looking);
		assert_true(verdict->has_findings);
		searches += verdict->looked_ns != looked_ns;
		doubled += looked_ns == 0 || live.app.session->trace->end_ns >= 2 * looked_ns;
		assert_int_equal(searches, doubled);
		looked_ns = verdict->looked_ns;
		if (live.fed == live.end_count)
			break;
		feed(&live);
	}
	assert_true(searches < live.end_count);
	feed_end(&live);
	do {
		sched_yield();
		app_look(&live.app);
	} while (live.app.is_looking);
	assert_int_equal(verdict->looked_ns, live.app.session->trace->end_ns);
	end(&live);
}

static void
the_cursor_stays_on_its_row(void **state)
{
	(void)state;
	static const char *const down[] = { "G", "k", "k", NULL };
	struct live live;
	begin(&live);
	feed(&live);
	live.fake.height = 24;
	type(&live, down);
	show(&live.app);
	const struct timeline *timeline = live.app.stack[0].state;
	struct lane lane = live.app.session->lane, found;
	assert_int_equal(lane.type, LANE_ACTOR);
	int64_t cursor_ns = live.app.session->cursor_ns;
	while (live.fed < live.end_count) {
		feed(&live);
		show(&live.app);
		assert_true(row_lane(&timeline->rows, timeline->cursor_row, &found));
		assert_int_equal(found.type, LANE_ACTOR);
		assert_int_equal(found.ref, lane.ref);
		assert_int_equal(live.app.session->lane.ref, lane.ref);
		assert_true(live.app.session->cursor_ns == cursor_ns);
	}
	end(&live);
}

static void
check_viewport(const struct live *live, int64_t t0_ns, int64_t t1_ns)
{
	struct viewport viewport = live->app.session->viewport;
	assert_true(viewport.t0_ns == t0_ns && viewport.t1_ns == t1_ns);
}

static void
the_interval_stays_or_follows_the_end(void **state)
{
	(void)state;
	static const char *const zoom[] = { "+", "+", "+", NULL };
	struct live live;
	begin(&live);
	show(&live.app);
	feed(&live);
	check_viewport(&live, 0, live.app.session->trace->end_ns);
	type(&live, zoom);
	show(&live.app);
	struct viewport before = live.app.session->viewport;
	assert_true(before.t1_ns < live.app.session->trace->end_ns);
	feed(&live);
	show(&live.app);
	check_viewport(&live, before.t0_ns, before.t1_ns);
	app_command(&live.app, COMMAND_TRACE_END, 1);
	show(&live.app);
	before = live.app.session->viewport;
	feed(&live);
	show(&live.app);
	int64_t end_ns = live.app.session->trace->end_ns;
	check_viewport(&live, end_ns - viewport_span(before), end_ns);
	app_command(&live.app, COMMAND_FIT_ALL, 1);
	feed(&live);
	check_viewport(&live, 0, live.app.session->trace->end_ns);
	end(&live);
}

/* ---- searches */

static uint64_t
count_in_part(const struct live *live, const char *pattern)
{
	struct error note = { 0 };
	struct trace *part = load_part(live);
	struct search *search = search_new(part, pattern, &note);
	assert_non_null(search);
	uint64_t count = search_count(search);
	search_free(search);
	trace_free(part);
	return count;
}

static void
check_count(const struct live *live)
{
	assert_non_null(live->app.session->search);
	assert_int_equal(search_count(live->app.session->search), count_in_part(live, "main"));
}

static void
a_search_goes_on_into_what_arrives(void **state)
{
	(void)state;
	static const char *const search[] = { "/", "m", "a", "i", "n", "Enter", NULL };
	static const char *const next[] = { "n", NULL };
	struct live live;
	begin(&live);
	feed(&live);
	type(&live, search);
	wait_for(&live, live.fed);
	check_count(&live);
	assert_non_null(strstr(live.app.session->status, " in the first "));
	int64_t cursor_ns = live.app.session->cursor_ns;
	feed(&live);
	check_count(&live);
	assert_true(live.app.session->cursor_ns == cursor_ns);
	assert_non_null(strstr(live.app.session->status, " in the first "));
	type(&live, next);
	assert_non_null(strstr(live.app.session->status, " so far"));
	feed(&live);
	check_count(&live);
	assert_non_null(strstr(live.app.session->status, " so far"));
	feed_end(&live);
	wait_for(&live, live.fed);
	check_count(&live);
	end(&live);
}

/* ---- what else may be open, and how it ends */

static void
other_views_live_on(void **state)
{
	(void)state;
	static const char *const open[] = { "Enter", "?", NULL };
	static const char *const leave[] = { "q", "q", "u", NULL };
	struct live live;
	begin(&live);
	app_command(&live.app, COMMAND_ZOOM_IN, 1);
	type(&live, open);
	assert_int_equal(live.app.depth, 3);
	while (live.fed < live.end_count) {
		feed(&live);
		show(&live.app);
	}
	type(&live, leave);
	assert_int_equal(live.app.depth, 1);
	show(&live.app);
	feed_end(&live);
	show(&live.app);
	end(&live);
}

/* end() does not wait for bytes that nobody writes. */
static void
leaving_ends_the_wait(void **state)
{
	(void)state;
	static const char *const quit[] = { "q", NULL };
	struct live live;
	begin(&live);
	type(&live, quit);
	assert_true(live.app.is_done);
	end(&live);
}

static void
damage_is_told_when_it_comes(void **state)
{
	(void)state;
	struct live live;
	begin(&live);
	feed(&live);
	assert_string_equal(live.app.session->status, "");
	write_bytes(&live, live.ends[live.fed - 1],
		(live.ends[live.fed - 1] + live.ends[live.fed]) / 2);
	feed_end(&live);
	assert_true(live.app.session->trace->damage.count > 0);
	assert_non_null(strstr(live.app.session->status, "damaged"));
	end(&live);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_picture_grows_by_generations),
		cmocka_unit_test(what_is_odd_is_looked_for_again),
		cmocka_unit_test(a_quiet_pipe_is_shown_up_to_its_last_generation),
		cmocka_unit_test(the_cursor_stays_on_its_row),
		cmocka_unit_test(the_interval_stays_or_follows_the_end),
		cmocka_unit_test(a_search_goes_on_into_what_arrives),
		cmocka_unit_test(other_views_live_on),
		cmocka_unit_test(leaving_ends_the_wait),
		cmocka_unit_test(damage_is_told_when_it_comes),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

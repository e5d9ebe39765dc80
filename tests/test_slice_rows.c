/*
 * Slices in the timeline: golden screens of a made trace, moves from slice to slice, and cells of rows
 * against sums over the slices one by one.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "analysis/slice_life.h"
#include "analysis/slice_times.h"
#include "base/compiler.h"
#include "base_testing.h"
#include "desk.h"
#include "draw/rows_fold.h"
#include "draw/stack_rows.h"
#include "golden.h"
#include "query/search.h"
#include "scene.h"
#include "trace/builder.h"
#include "trace/lane.h"
#include "trace/trace.h"
#include "view/slice_page.h"

enum { US = 1000 };

/* ---- making a trace */

struct maker {
	struct trace *trace;
	struct builder *builder;
	struct error err;
};

static void
must(bool is_fine, const struct maker *maker)
{
	if (!is_fine)
		fail_msg("%s", maker->err.message);
}

static void
maker_open(struct maker *maker)
{
	*maker = (struct maker){ .trace = trace_new(&maker->err) };
	assert_non_null(maker->trace);
	maker->builder = builder_new(maker->trace, &maker->err);
	assert_non_null(maker->builder);
	must(builder_event(maker->builder, 0, &maker->err), maker);
	maker->trace->slices = slices_new(&maker->err);
	assert_non_null(maker->trace->slices);
}

static string_id
string(struct maker *maker, const char *bytes)
{
	string_id id;
	must(intern_add(&maker->trace->strings, bytes, strlen(bytes), &id, &maker->err), maker);
	return id;
}

static actor_ref
actor(struct maker *maker, int64_t id)
{
	actor_ref ref;
	must(builder_actor(maker->builder, id, &ref, &maker->err), maker);
	return ref;
}

/* From now on the actor is that: running on a processor, or blocked. */
static void
change(struct maker *maker, actor_ref ref, int64_t processor)
{
	resource_ref on = REF_NONE;
	if (processor >= 0)
		must(builder_processor(maker->builder, processor, &on, &maker->err), maker);
	const struct state_change change = {
		.actor = ref,
		.reason = STRING_EMPTY,
		.stack = STACK_NONE,
		.waker = REF_NONE,
		.processor = on,
		.thread = REF_NONE,
		.state = processor >= 0 ? STATE_RUNNING : STATE_BLOCKED,
	};
	must(builder_state(maker->builder, &change, &maker->err), maker);
}

static void
at(struct maker *maker, int64_t time_ns)
{
	must(builder_event(maker->builder, time_ns, &maker->err), maker);
}

static track_ref
track_of(struct maker *maker, enum track_owner owner, uint32_t ref, const char *name)
{
	track_ref track;
	must(slices_track(maker->trace->slices, owner, ref, string(maker, name), &track,
		     &maker->err),
		maker);
	return track;
}

static void
add(struct maker *maker, track_ref track, uint32_t depth, int64_t start_ns, int64_t end_ns,
	const char *name, uint8_t flags)
{
	struct slice_end end = { end_ns, -1, flags };
	must(slices_begin(maker->trace->slices, track, depth, start_ns, string(maker, name),
		     &maker->err) &&
			slices_end(maker->trace->slices, track, depth, end, &maker->err),
		maker);
}

static struct trace *
maker_close(struct maker *maker, int64_t end_ns)
{
	at(maker, end_ns);
	must(builder_generation_end(maker->builder, &maker->err), maker);
	must(builder_finish(maker->builder, &maker->err), maker);
	builder_free(maker->builder);
	must(slices_freeze(maker->trace->slices, maker->trace->end_ns, &maker->err), maker);
	return maker->trace;
}

/*
 * Two actors that take turns on two processors, with calls as the kernel has them: nested ones, many
 * short ones, one that began before, one that is cut and one that is open, one without length, and
 * interrupts of a processor.
 */
static struct trace *
make_calls(void)
{
	struct maker maker;
	maker_open(&maker);
	actor_ref first = actor(&maker, 41), second = actor(&maker, 42);
	track_ref calls[] = { track_of(&maker, TRACK_OF_ACTOR, first, "calls"),
		track_of(&maker, TRACK_OF_ACTOR, second, "calls") };
	change(&maker, first, 0);
	at(&maker, 100 * US);
	change(&maker, first, -1);
	change(&maker, second, 0);
	at(&maker, 250 * US);
	change(&maker, second, -1);
	change(&maker, first, 1);
	resource_ref processor;
	must(builder_processor(maker.builder, 1, &processor, &maker.err), &maker);
	track_ref interrupts = track_of(&maker, TRACK_OF_RESOURCE, processor, "irq");

	add(&maker, calls[0], 0, 0, 40 * US, "do_syscall_64", SLICE_BEGAN_BEFORE);
	add(&maker, calls[0], 1, 5 * US, 35 * US, "vfs_read", 0);
	add(&maker, calls[0], 2, 8 * US, 8 * US, "rw_verify_area", 0);
	add(&maker, calls[0], 2, 10 * US, 30 * US, "ext4_file_read_iter", 0);
	slices_detail(maker.trace->slices, calls[0], 2, string(&maker, "= 0x1000"));
	add(&maker, calls[0], 0, 60 * US, 300 * US, "schedule", 0);
	add(&maker, calls[0], 1, 70 * US, 280 * US, "__schedule", 0);
	for (int64_t i = 0; i < 40; i++)
		add(&maker, calls[0], 0, (310 + i) * US, (310 + i) * US + 600,
			i % 10 == 0 ? "kfree" : "kmalloc", 0);
	add(&maker, calls[0], 0, 400 * US, 420 * US, "mutex_lock", SLICE_CUT);
	add(&maker, calls[1], 0, 110 * US, 200 * US, "page_fault", 0);
	add(&maker, calls[1], 0, 200 * US, 230 * US, "page_fault", 0);
	add(&maker, interrupts, 0, 320 * US, 350 * US, "timer_interrupt", 0);
	must(slices_begin(maker.trace->slices, calls[1], 0, 240 * US, string(&maker, "do_exit"),
		     &maker.err),
		&maker);
	return maker_close(&maker, 500 * US);
}

/* ---- screens */

static void
press(struct desk *desk, enum command command)
{
	desk->session.status[0] = '\0';
	timeline_view.command(desk->timeline, &desk->session, command, 1, NULL);
	desk_draw(desk);
}

static size_t
find_row(const struct desk *desk, enum row_type type, uint32_t ref, uint16_t part)
{
	const struct timeline_rows *rows = &desk->timeline->rows;
	for (size_t i = 0; i < rows->count; i++)
		if (rows->items[i].type == type && rows->items[i].ref == ref &&
			rows->items[i].part == part)
			return i;
	fail_msg("no row of type %d, %u, part %d", type, ref, part);
	return 0;
}

static void
select_row(struct desk *desk, enum row_type type, uint32_t ref, uint16_t part)
{
	timeline_select_row(desk->timeline, &desk->session, find_row(desk, type, ref, part));
	desk_draw(desk);
}

static void
open_desk(struct desk *desk, int height)
{
	desk_begin(desk, make_calls());
	desk->session.cursor_ns = 20 * US;
	desk_show(desk, height);
}

static void
check_screen(const struct desk *desk, const char *golden)
{
	struct text made = { 0 };
	scene_dump(&desk->canvas, &made);
	golden_check(golden, &made);
	text_release(&made);
}

static void
actors_with_slices_are_unfolded(void **state)
{
	struct desk desk;
	(void)state;
	open_desk(&desk, 30);
	select_row(&desk, ROW_SLICES, 0, 2);
	check_screen(&desk, "slices.txt");
	desk_close(&desk);
}

static void
it_fits_a_small_screen(void **state)
{
	struct desk desk;
	(void)state;
	open_desk(&desk, 24);
	desk.canvas.ascii = true;
	select_row(&desk, ROW_SLICES, 0, 1);
	check_screen(&desk, "slices-small.txt");
	desk_close(&desk);
}

static void
a_processor_has_the_slices_of_who_ran_there(void **state)
{
	struct desk desk;
	(void)state;
	open_desk(&desk, 34);
	select_row(&desk, ROW_PROCESSOR, 1, 0);
	press(&desk, COMMAND_FOLD);
	select_row(&desk, ROW_PROCESSOR, 0, 0);
	press(&desk, COMMAND_FOLD);
	select_row(&desk, ROW_PROCESSOR_SLICES, 0, 0);
	timeline_go_to(desk.timeline, &desk.session, 80 * US);
	desk_draw(&desk);
	check_screen(&desk, "slices-processors.txt");
	desk_close(&desk);
}

/* ---- moves */

static void
one_moves_from_slice_to_slice(void **state)
{
	struct desk desk;
	(void)state;
	open_desk(&desk, 30);
	select_row(&desk, ROW_SLICES, 0, 2);
	press(&desk, COMMAND_PREVIOUS_SPAN);
	assert_int_equal(desk.session.cursor_ns, 10 * US);
	press(&desk, COMMAND_PREVIOUS_SPAN);
	assert_int_equal(desk.session.cursor_ns, 8 * US);
	press(&desk, COMMAND_PREVIOUS_SPAN);
	assert_string_equal(desk.session.status, "the first span of this row");
	press(&desk, COMMAND_NEXT_SPAN);
	assert_int_equal(desk.session.cursor_ns, 10 * US);
	press(&desk, COMMAND_NEXT_SPAN);
	assert_string_equal(desk.session.status, "the last span of this row");
	assert_int_equal(desk.timeline->cursor_row, find_row(&desk, ROW_SLICES, 0, 2));
	desk_close(&desk);
}

static void
the_longest_slice_is_found_and_fitted(void **state)
{
	struct desk desk;
	(void)state;
	open_desk(&desk, 30);
	select_row(&desk, ROW_SLICES, 0, 0);
	press(&desk, COMMAND_LONGEST_SPAN);
	assert_int_equal(desk.session.cursor_ns, 60 * US);
	assert_string_equal(desk.session.status, "longest slice on the screen: schedule 240 µs");
	press(&desk, COMMAND_FIT_SELECTION);
	assert_int_equal(desk.session.viewport.t0_ns, 30 * US);
	assert_int_equal(desk.session.viewport.t1_ns, 330 * US);
	assert_int_equal(desk.timeline->cursor_row, find_row(&desk, ROW_SLICES, 0, 0));
	desk_close(&desk);
}

static void
folding_a_row_of_slices_folds_its_track(void **state)
{
	struct desk desk;
	(void)state;
	open_desk(&desk, 30);
	size_t before = desk.timeline->rows.count;
	select_row(&desk, ROW_SLICES, 0, 2);
	press(&desk, COMMAND_FOLD);
	assert_int_equal(desk.timeline->rows.count, before - 3);
	assert_int_equal(desk.timeline->cursor_row, find_row(&desk, ROW_ACTOR, 0, 0));
	press(&desk, COMMAND_FOLD);
	assert_int_equal(desk.timeline->rows.count, before);
	desk_close(&desk);
}

static void
add_fold(void *context, const char *name)
{
	text_add_string(context, name);
	text_add_string(context, " ");
}

static void
what_is_folded_has_a_name_that_leads_back(void **state)
{
	static const char *const names[] = { "A41", "P1" };
	struct text told = { 0 };
	struct desk desk;
	(void)state;
	open_desk(&desk, 30);
	size_t count = desk.timeline->rows.count;
	rows_name_folds(&desk.timeline->rows, REF_NONE, add_fold, &told);
	assert_string_equal(text_string(&told), "");
	select_row(&desk, ROW_ACTOR, 0, 0);
	press(&desk, COMMAND_FOLD);
	select_row(&desk, ROW_PROCESSOR, 1, 0);
	press(&desk, COMMAND_FOLD);
	rows_name_folds(&desk.timeline->rows, REF_NONE, add_fold, &told);
	assert_string_equal(text_string(&told), "P1 A41 ");
	desk_close(&desk);
	open_desk(&desk, 30);
	assert_true(rows_fold_names(
		&desk.timeline->rows, REF_NONE, names, ARRAY_LENGTH(names), &desk.err));
	assert_int_equal(desk.timeline->rows.count, count);
	find_row(&desk, ROW_PROCESSOR_SLICES, 1, 2);
	text_release(&told);
	desk_close(&desk);
}

static struct trace *kept;

static bool
open_and_search(struct error *err)
{
	struct timeline_rows rows;
	struct search *found = NULL;
	bool is_fine = rows_init(&rows, kept, NULL, NULL, err);
	if (is_fine) {
		size_t row = rows_find(&rows, (struct lane){ LANE_PROCESSOR, 1 });
		is_fine = rows_toggle(&rows, row, err);
		rows_release(&rows);
	}
	if (is_fine)
		found = search_new(kept, "name~k dur<1us", err);
	search_free(found);
	return found != NULL;
}

static void
without_memory_nothing_is_half_made(void **state)
{
	(void)state;
	kept = make_calls();
	assert_true(fail_each_allocation("rows of slices", open_and_search) > 20);
	trace_free(kept);
}

static void
depths_without_slices_have_no_row(void **state)
{
	struct maker maker;
	struct desk desk;
	(void)state;
	maker_open(&maker);
	actor_ref ref = actor(&maker, 1);
	track_ref track = track_of(&maker, TRACK_OF_ACTOR, ref, "calls");
	change(&maker, ref, 0);
	add(&maker, track, 3, 10, 20, "deep", 0);
	desk_begin(&desk, maker_close(&maker, 100));
	desk_show(&desk, 30);
	size_t row = find_row(&desk, ROW_ACTOR, 0, 0);
	assert_int_equal(desk.timeline->rows.count, row + 2);
	assert_int_equal(find_row(&desk, ROW_SLICES, 0, 3), row + 1);
	desk_close(&desk);
}

/* ---- many slices */

/* One actor on one processor, with so many calls. */
static void
open_many(struct desk *desk, int64_t count)
{
	struct maker maker;
	maker_open(&maker);
	actor_ref ref = actor(&maker, 1);
	track_ref track = track_of(&maker, TRACK_OF_ACTOR, ref, "calls");
	change(&maker, ref, 0);
	for (int64_t i = 0; i < count; i++)
		add(&maker, track, 0, 10 * i, 10 * i + 5, "call", 0);
	desk_begin(desk, maker_close(&maker, 10 * count));
	desk_show(desk, 30);
	select_row(desk, ROW_PROCESSOR, 0, 0);
}

static void
wait_for_rows(struct desk *desk)
{
	while (timeline_view.look(desk->timeline, &desk->session) && desk->timeline->later.job != NULL)
		nanosleep(&(struct timespec){ .tv_nsec = 1000000 }, NULL);
	desk_draw(desk);
}

static void
many_slices_are_unfolded_beside_the_screen(void **state)
{
	struct desk desk;
	(void)state;
	open_many(&desk, 200000);
	size_t count = desk.timeline->rows.count, row = desk.timeline->cursor_row;
	press(&desk, COMMAND_FOLD);
	assert_string_equal(
		desk.session.status, "looking for what ran there; Escape stops that");
	assert_int_equal(desk.timeline->rows.count, count);
	/* Who has gone elsewhere stays there. */
	select_row(&desk, ROW_ACTOR, 0, 0);
	wait_for_rows(&desk);
	assert_int_equal(desk.timeline->rows.count, count + 1);
	assert_int_equal(desk.timeline->cursor_row, find_row(&desk, ROW_ACTOR, 0, 0));
	assert_int_equal(find_row(&desk, ROW_PROCESSOR_SLICES, 0, 0), row + 1);
	desk_close(&desk);
}

static void
escape_stops_unfolding(void **state)
{
	struct desk desk;
	(void)state;
	open_many(&desk, 200000);
	size_t count = desk.timeline->rows.count;
	press(&desk, COMMAND_FOLD);
	press(&desk, COMMAND_CLEAR_SEARCH);
	assert_string_equal(desk.session.status, "not looked for any more");
	while (desk.timeline->later.job != NULL) {
		nanosleep(&(struct timespec){ .tv_nsec = 1000000 }, NULL);
		timeline_view.look(desk.timeline, &desk.session);
	}
	assert_int_equal(desk.timeline->rows.count, count);
	desk_close(&desk);
}

/* ---- the page of a slice */

/* Opens the page of the slice under the cursor as Enter does, and draws it. */
static void *
open_page(struct desk *desk)
{
	struct view_answer answer =
		timeline_view.command(desk->timeline, &desk->session, COMMAND_OPEN, 1, NULL);
	assert_int_equal(answer.reaction, VIEW_OPEN);
	assert_string_equal(answer.open_name, "slice");
	void *page = slice_view.open(&desk->session, &desk->err);
	assert_non_null(page);
	canvas_clear(&desk->canvas);
	slice_view.draw(page, &desk->session, &desk->canvas);
	return page;
}

static void
a_slice_has_a_page(void **state)
{
	struct desk desk;
	(void)state;
	open_desk(&desk, 34);
	select_row(&desk, ROW_SLICES, 0, 1);
	void *page = open_page(&desk);
	check_screen(&desk, "slice-page.txt");
	slice_view.close(page);
	/* What a processor's row shows a part of is told whole. */
	select_row(&desk, ROW_PROCESSOR, 0, 0);
	press(&desk, COMMAND_FOLD);
	select_row(&desk, ROW_PROCESSOR_SLICES, 0, 0);
	timeline_go_to(desk.timeline, &desk.session, 80 * US);
	desk_draw(&desk);
	page = open_page(&desk);
	check_screen(&desk, "slice-page-moved.txt");
	slice_view.close(page);
	desk_close(&desk);
}

static void
lines_of_its_page_lead_to_rows(void **state)
{
	struct desk desk;
	(void)state;
	open_desk(&desk, 30);
	select_row(&desk, ROW_SLICES, 0, 1);
	void *page = open_page(&desk);
	/* When it began, whose it is, where it ran: what it lies in, and what is in it. */
	for (int i = 0; i < 4; i++)
		slice_view.command(page, &desk.session, COMMAND_DOWN, 1, NULL);
	struct view_answer answer =
		slice_view.command(page, &desk.session, COMMAND_OPEN, 1, NULL);
	assert_int_equal(answer.reaction, VIEW_LEAVE);
	slice_view.close(page);
	desk_draw(&desk);
	assert_int_equal(desk.session.cursor_ns, 10 * US);
	assert_int_equal(desk.timeline->cursor_row, find_row(&desk, ROW_SLICES, 0, 2));
	desk_close(&desk);
}

static void
add_setting(void *context, const char *setting)
{
	text_add_string(context, setting);
}

static void
its_page_goes_on_to_the_next_slice(void **state)
{
	struct desk desk;
	(void)state;
	open_desk(&desk, 30);
	select_row(&desk, ROW_SLICES, 0, 2);
	void *page = open_page(&desk);
	assert_int_equal(desk.session.cursor_ns, 20 * US);
	slice_view.command(page, &desk.session, COMMAND_PREVIOUS_SPAN, 1, NULL);
	assert_int_equal(desk.session.cursor_ns, 8 * US);
	slice_view.command(page, &desk.session, COMMAND_PREVIOUS_SPAN, 1, NULL);
	assert_string_equal(desk.session.status, "the first slice of this depth");
	slice_view.command(page, &desk.session, COMMAND_NEXT_SPAN, 1, NULL);
	assert_int_equal(desk.session.cursor_ns, 10 * US);
	slice_view.close(page);
	/* Without a row of slices: the innermost one at the cursor. */
	select_row(&desk, ROW_ACTOR, 0, 0);
	desk.session.cursor_ns = 33 * US;
	page = slice_view.open(&desk.session, &desk.err);
	assert_non_null(page);
	slice_view.draw(page, &desk.session, &desk.canvas);
	slice_view.close(page);
	desk.session.cursor_ns = 20 * US;
	select_row(&desk, ROW_PROCESSOR, 0, 0);
	page = slice_view.open(&desk.session, &desk.err);
	assert_non_null(page);
	slice_view.set(page, &desk.session, (const char *const[]){ "depth=1" }, 1);
	slice_view.draw(page, &desk.session, &desk.canvas);
	struct text told = { 0 };
	const struct setting_sink sink = { add_setting, &told };
	slice_view.name_settings(page, &desk.session, &sink);
	assert_string_equal(text_string(&told), "depth=1");
	text_release(&told);
	slice_view.close(page);
	select_row(&desk, ROW_ACTOR, 0, 0);
	desk.session.cursor_ns = 50 * US;
	assert_null(slice_view.open(&desk.session, &desk.err));
	desk_close(&desk);
}

/* Against looks at all slices: what is beneath, and what has its name. */
static void
check_life(const struct slices *slices, const struct slice *slice)
{
	struct slice_life life;
	struct error err = { 0 };
	uint64_t beneath = 0, named = 0, longer = 0;
	int64_t beneath_ns = 0, calls_ns = 0, named_ns = 0, self_ns;
	if (!slice_life_build(&life, slices, slice, NULL, &err))
		fail_msg("%s", err.message);
	for (size_t i = 0; i < life.kin_count; i++) {
		beneath += life.kins[i].count;
		beneath_ns += life.kins[i].total_ns;
		assert_true(i == 0 || life.kins[i].total_ns <= life.kins[i - 1].total_ns);
		assert_true(life.kins[i].longest.start_ns >= slice->start_ns &&
			life.kins[i].longest.start_ns <= slice->end_ns);
	}
	assert_int_equal(beneath, life.beneath_count);
	assert_int_equal(beneath_ns, life.beneath_ns);
	for (size_t i = 0; i < life.longest_count; i++)
		calls_ns += life.longest[i].took_ns;
	assert_int_equal(slice_self(slices, slice, &self_ns), life.has_self);
	if (life.has_self && life.beneath_count <= SLICE_LIFE_LONGEST)
		assert_int_equal(
			self_ns, slice->took_ns > calls_ns ? slice->took_ns - calls_ns : 0);
	for (column_ref column = 0; column < slices_column_count(slices); column++) {
		for (uint32_t i = 0; i < slices_in_column(slices, column); i++) {
			struct slice other;
			slices_get(slices, column, i, &other);
			if (other.name != slice->name)
				continue;
			named++;
			named_ns += other.took_ns;
			longer += other.took_ns > slice->took_ns;
		}
	}
	assert_int_equal(named, life.named_count);
	assert_int_equal(named_ns, life.named.total_ns);
	assert_int_equal(longer, life.named_longer);
	assert_int_equal(life.named_longest.took_ns, life.named.max_ns);
	slice_life_release(&life);
}

static struct trace *make_random(uint64_t *random);

static void
what_its_page_tells_is_so(void **state)
{
	uint64_t random = 7;
	(void)state;
	for (int round = 0; round < 5; round++) {
		struct trace *trace = make_random(&random);
		const struct slices *slices = trace->slices;
		for (column_ref column = 0; column < slices_column_count(slices); column++) {
			for (uint32_t i = 0; i < slices_in_column(slices, column); i++) {
				struct slice slice;
				slices_get(slices, column, i, &slice);
				check_life(slices, &slice);
			}
		}
		trace_free(trace);
	}
}

static bool
build_life(struct error *err)
{
	struct slice_life life;
	struct slice slice;
	slices_get(kept->slices, 0, 0, &slice);
	if (!slice_life_build(&life, kept->slices, &slice, NULL, err))
		return false;
	slice_life_release(&life);
	return true;
}

static void
without_memory_there_is_no_page(void **state)
{
	(void)state;
	kept = make_calls();
	assert_true(fail_each_allocation("a slice", build_life) > 2);
	trace_free(kept);
}

/* ---- searching */

static void
search(struct desk *desk, const char *text)
{
	struct error note = { 0 };
	if (!session_search(&desk->session, text, &note))
		fail_msg("%s", note.message);
	desk_take_search(desk);
	desk_draw(desk);
}

static void
slices_are_searched_by_name_length_and_depth(void **state)
{
	static const struct {
		const char *text, *tells;
		int64_t at_us; /* where it leads to from the start */
		uint32_t actor;
		uint16_t depth;
	} rows[] = {
		{ "name~^vfs_", "1 match", 5, 0, 1 },
		{ "schedule", "2 matches", 60, 0, 0 },
		{ "dur>200us", "3 matches", 60, 0, 0 },
		{ "depth=2", "2 matches", 8, 0, 2 },
		{ "depth>=1 dur>25us", "2 matches", 5, 0, 1 },
		{ "name=page_fault", "2 matches", 110, 1, 0 },
		{ "name=page_fault dur<50us", "1 match", 200, 1, 0 },
		{ "g=42 !name=page_fault", "1 match", 240, 1, 0 },
		{ "=kmalloc | kfree", "40 matches", 310, 0, 0 },
	};
	(void)state;
	for (size_t i = 0; i < ARRAY_LENGTH(rows); i++) {
		struct desk desk;
		open_desk(&desk, 30);
		desk.session.cursor_ns = 0;
		search(&desk, rows[i].text);
		check_text(rows[i].text, desk.session.status, rows[i].tells);
		assert_int_equal(desk.session.cursor_ns, rows[i].at_us * US);
		assert_int_equal(desk.timeline->cursor_row,
			find_row(&desk, ROW_SLICES, rows[i].actor, rows[i].depth));
		desk_close(&desk);
	}
}

static void
one_goes_from_match_to_match(void **state)
{
	struct desk desk;
	(void)state;
	open_desk(&desk, 30);
	desk.session.cursor_ns = 0;
	/* Folded away: it is unfolded. */
	select_row(&desk, ROW_ACTOR, 1, 0);
	press(&desk, COMMAND_FOLD);
	search(&desk, "page_fault");
	assert_int_equal(desk.timeline->cursor_row, find_row(&desk, ROW_SLICES, 1, 0));
	press(&desk, COMMAND_NEXT_MATCH);
	assert_string_equal(desk.session.status, "match 2 of 2");
	assert_int_equal(desk.session.cursor_ns, 200 * US);
	press(&desk, COMMAND_NEXT_MATCH);
	assert_string_equal(
		desk.session.status, "match 1 of 2; search wrapped to the first match");
	press(&desk, COMMAND_PREVIOUS_MATCH);
	assert_string_equal(desk.session.status, "match 2 of 2; search wrapped to the last match");
	check_screen(&desk, "slices-search.txt");
	desk_close(&desk);
}

static void
a_filter_leaves_actors_with_matching_slices(void **state)
{
	struct error note = { 0 };
	struct desk desk;
	(void)state;
	open_desk(&desk, 30);
	desk.session.filter = search_new(desk.trace, "name=page_fault", &note);
	assert_non_null(desk.session.filter);
	assert_false(search_has_any(desk.session.filter, (struct lane){ LANE_ACTOR, 0 }));
	assert_true(search_has_any(desk.session.filter, (struct lane){ LANE_ACTOR, 1 }));
	desk_close(&desk);
}

/* ---- cells against sums over all slices */

static int64_t
below(uint64_t *random, int limit)
{
	return (int64_t)random_below(random, (size_t)limit);
}

enum { ACTORS = 3, PROCESSORS = 2, DEPTHS = 3, END_NS = 20000 };

static struct trace *
make_random(uint64_t *random)
{
	struct maker maker;
	actor_ref actors[ACTORS];
	int64_t now_ns = 0;
	int running[PROCESSORS] = { -1, -1 };
	maker_open(&maker);
	for (int i = 0; i < ACTORS; i++)
		actors[i] = actor(&maker, i + 1);
	for (; now_ns < END_NS - 100; now_ns += 1 + below(random, 300)) {
		int processor = (int)below(random, PROCESSORS);
		int next = (int)below(random, ACTORS);
		at(&maker, now_ns);
		if (running[processor] >= 0)
			change(&maker, actors[running[processor]], -1);
		running[processor] = running[1 - processor] == next ? -1 : next;
		if (running[processor] >= 0)
			change(&maker, actors[next], processor);
	}
	static const char *const names[] = { "read", "write", "lock", "free" };
	for (int i = 0; i < ACTORS; i++) {
		track_ref track = track_of(&maker, TRACK_OF_ACTOR, actors[i], "calls");
		for (uint32_t depth = 0; depth < DEPTHS; depth++) {
			int64_t t_ns = below(random, 200);
			while (t_ns < END_NS - 2000) {
				int64_t end_ns = t_ns + below(random, 400);
				add(&maker, track, depth, t_ns, end_ns,
					names[below(random, (int)ARRAY_LENGTH(names))], 0);
				t_ns = end_ns + 40 * below(random, 3);
			}
		}
	}
	return maker_close(&maker, END_NS);
}

/* What the slices of an actor at a depth cover within an interval; the largest part's colour. */
static int64_t
sum_slices(const struct trace *trace, actor_ref ref, uint32_t depth, int64_t t0_ns, int64_t t1_ns,
	int64_t *most_ns, uint8_t *style)
{
	column_ref first;
	uint32_t count;
	int64_t sum_ns = 0;
	slice_rows_of(trace, (struct lane){ LANE_ACTOR, ref }, &first, &count);
	assert_true(depth < count);
	for (uint32_t i = 0; i < slices_in_column(trace->slices, first + depth); i++) {
		struct slice slice;
		slices_get(trace->slices, first + depth, i, &slice);
		int64_t from_ns = slice.start_ns > t0_ns ? slice.start_ns : t0_ns;
		int64_t until_ns = slice.end_ns < t1_ns ? slice.end_ns : t1_ns;
		bool is_in = slice.start_ns < t1_ns &&
			     (slice.end_ns > t0_ns || slice.start_ns >= t0_ns);
		if (!is_in)
			continue;
		sum_ns += until_ns - from_ns;
		if (until_ns - from_ns > *most_ns) {
			*most_ns = until_ns - from_ns;
			*style = stack_row_style(trace, slice.name);
		}
	}
	return sum_ns;
}

/* The same of whoever ran on a processor. */
static int64_t
sum_ran(const struct trace *trace, resource_ref processor, uint32_t depth, int64_t t0_ns,
	int64_t t1_ns, int64_t *most_ns, uint8_t *style)
{
	struct lane lane = { LANE_PROCESSOR, processor };
	struct span span;
	int64_t sum_ns = 0;
	for (int64_t t_ns = 0; lane_next(trace, lane, t_ns, CLASS_MASK_ALL, &span);
		t_ns = span.start_ns + 1) {
		int64_t from_ns = span.start_ns > t0_ns ? span.start_ns : t0_ns;
		int64_t until_ns = span.end_ns < t1_ns ? span.end_ns : t1_ns;
		if (from_ns < until_ns && span.actor != REF_NONE)
			sum_ns += sum_slices(
				trace, span.actor, depth, from_ns, until_ns, most_ns, style);
	}
	return sum_ns;
}

static void
check_cells(struct desk *desk, uint64_t seed, size_t index)
{
	static const char *const bars[] = { "", "▁", "▂", "▃", "▄", "▅", "▆", "▇" };
	enum { MOST_CELLS = 120 };
	struct slice_cell cells[MOST_CELLS];
	const struct trace *trace = desk->session.trace;
	const struct row *row = &desk->timeline->rows.items[index];
	struct viewport viewport = desk->session.viewport;
	struct slice_row slices = rows_slices(&desk->timeline->rows, index);
	const struct strip_source source = { .trace = trace, .viewport = viewport };
	struct text scratch = { 0 };
	int width = desk->canvas.width < MOST_CELLS ? desk->canvas.width : MOST_CELLS;
	canvas_clear(&desk->canvas);
	slice_row_draw(&desk->canvas, (struct cell_run){ 0, 0, width }, &slices, &source, cells,
		&scratch);
	for (int i = 0; i < width; i++) {
		int64_t t0_ns = lane_edge(viewport.t0_ns, viewport.t1_ns, width, i);
		int64_t t1_ns = lane_edge(viewport.t0_ns, viewport.t1_ns, width, i + 1);
		int64_t most_ns = -1;
		uint8_t style = STYLE_DEFAULT;
		int64_t sum_ns = row->type == ROW_SLICES
					 ? sum_slices(trace, row->ref, row->part, t0_ns, t1_ns,
						   &most_ns, &style)
					 : sum_ran(trace, row->ref, row->part, t0_ns, t1_ns,
						   &most_ns, &style);
		if (sum_ns != slices_covered(slices.slices, slices.column, t0_ns, t1_ns))
			fail_msg("seed %llu, row %zu, cell %d: not %lld",
				(unsigned long long)seed, index, i, (long long)sum_ns);
		const struct cell *cell = canvas_at(&desk->canvas, i, 0);
		int level = (int)((2 * STRIP_LEVELS * sum_ns / (t1_ns - t0_ns) + 1) / 2);
		level = most_ns >= 0 && level == 0 ? 1 : level;
		if (level == STRIP_LEVELS && cell->bg == style)
			continue; /* a name */
		if (strcmp(cell->text, bars[level]) != 0 || (level > 0 && cell->fg != style))
			fail_msg("seed %llu, row %zu, cell %d: \"%s\" in %d, not \"%s\" in %d",
				(unsigned long long)seed, index, i, cell->text, cell->fg,
				bars[level], style);
	}
	text_release(&scratch);
}

static void
cells_are_the_sums_of_slices(void **state)
{
	uint64_t random = getenv("TTRACE_SEED") != NULL ? strtoull(getenv("TTRACE_SEED"), NULL, 10)
							: (uint64_t)time(NULL);
	(void)state;
	for (int round = 0; round < 20; round++) {
		uint64_t seed = random;
		struct desk desk;
		int checked = 0;
		desk_begin(&desk, make_random(&random));
		desk_show(&desk, 40);
		for (resource_ref i = 0; i < PROCESSORS; i++) {
			select_row(&desk, ROW_PROCESSOR, i, 0);
			press(&desk, COMMAND_FOLD);
		}
		int64_t from_ns = below(&random, END_NS - 200);
		int64_t length_ns = 120 + below(&random, END_NS - 120);
		desk.session.viewport = (struct viewport){ from_ns,
			from_ns + length_ns < END_NS ? from_ns + length_ns : END_NS };
		for (size_t i = 0; i < desk.timeline->rows.count; i++) {
			uint8_t type = desk.timeline->rows.items[i].type;
			if (type != ROW_SLICES && type != ROW_PROCESSOR_SLICES)
				continue;
			check_cells(&desk, seed, i);
			checked++;
		}
		assert_int_equal(checked, (ACTORS + PROCESSORS) * DEPTHS);
		desk_close(&desk);
	}
}

/* Whether a slice that matches overlaps the time, as far as its actor ran there or REF_NONE. */
static bool
matches_within(const struct trace *trace, struct search *found, resource_ref processor,
	uint32_t depth, int64_t t0_ns, int64_t t1_ns)
{
	for (uint64_t i = 0; i < search_slice_count(found); i++) {
		struct slice slice;
		struct span span, next;
		search_slice(found, i, &slice);
		const struct track *track = slices_track_at(
			trace->slices, slices_track_of_column(trace->slices, slice.column));
		struct lane lane = { LANE_ACTOR, track->ref };
		if (depth != UINT32_MAX && slice.column - track->first_column != depth)
			continue;
		bool is_there = lane_span_at(trace, lane, slice.start_ns, &span) ||
				lane_next(trace, lane, slice.start_ns, CLASS_MASK_ALL, &span);
		for (; is_there; is_there = lane_after(trace, lane, &span, &next), span = next) {
			int64_t from_ns = slice.start_ns > span.start_ns ? slice.start_ns : span.start_ns;
			int64_t until_ns = slice.end_ns < span.end_ns ? slice.end_ns : span.end_ns;
			next = span;
			if (span.processor == processor && from_ns <= until_ns && from_ns < t1_ns &&
				(until_ns > t0_ns || from_ns >= t0_ns))
				return true;
		}
	}
	return false;
}

static void
matches_are_marked_where_they_ran(void **state)
{
	uint64_t random = 3;
	(void)state;
	for (int round = 0; round < 10; round++) {
		enum { CELLS = 60 };
		struct desk desk;
		struct error err = { 0 };
		bool marks[CELLS];
		desk_begin(&desk, make_random(&random));
		desk_show(&desk, 40);
		struct search *found = search_new(desk.trace, "name=lock dur>100ns", &err);
		assert_non_null(found);
		assert_true(search_slice_count(found) > 0);
		for (resource_ref i = 0; i < PROCESSORS; i++) {
			struct lane lane = { LANE_PROCESSOR, i };
			search_cells(found, lane, 0, END_NS, CELLS, marks);
			for (int cell = 0; cell < CELLS; cell++)
				assert_int_equal(marks[cell], matches_within(desk.trace, found, i, UINT32_MAX,
								      lane_edge(0, END_NS, CELLS, cell),
								      lane_edge(0, END_NS, CELLS, cell + 1)));
			select_row(&desk, ROW_PROCESSOR, i, 0);
			press(&desk, COMMAND_FOLD);
		}
		assert_true(rows_match_slices(
			&desk.timeline->rows, SLICES_SEARCHED, found, 77, &desk.err));
		for (size_t i = 0; i < desk.timeline->rows.count; i++) {
			const struct row *row = &desk.timeline->rows.items[i];
			struct viewport viewport = { 0, END_NS };
			if (row->type != ROW_PROCESSOR_SLICES)
				continue;
			struct slice_row slices = rows_slices(&desk.timeline->rows, i);
			slice_row_marks(&slices, found, SLICES_SEARCHED, viewport, CELLS, marks);
			for (int cell = 0; cell < CELLS; cell++)
				assert_int_equal(marks[cell], matches_within(desk.trace, found, row->ref, row->part,
								      lane_edge(0, END_NS, CELLS, cell),
								      lane_edge(0, END_NS, CELLS, cell + 1)));
		}
		search_free(found);
		desk_close(&desk);
	}
}

static void
a_filter_lets_other_slices_step_back(void **state)
{
	struct error note = { 0 };
	struct desk desk;
	(void)state;
	open_desk(&desk, 30);
	desk.session.filter = search_new(desk.trace, "name=page_fault", &note);
	assert_non_null(desk.session.filter);
	desk.session.filter_mode = FILTER_DIMS;
	desk.session.filter_number++;
	desk_draw(&desk);
	check_screen(&desk, "slices-filter.txt");
	desk_close(&desk);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(matches_are_marked_where_they_ran),
		cmocka_unit_test(a_filter_lets_other_slices_step_back),
		cmocka_unit_test(actors_with_slices_are_unfolded),
		cmocka_unit_test(it_fits_a_small_screen),
		cmocka_unit_test(a_processor_has_the_slices_of_who_ran_there),
		cmocka_unit_test(one_moves_from_slice_to_slice),
		cmocka_unit_test(the_longest_slice_is_found_and_fitted),
		cmocka_unit_test(folding_a_row_of_slices_folds_its_track),
		cmocka_unit_test(what_is_folded_has_a_name_that_leads_back),
		cmocka_unit_test(without_memory_nothing_is_half_made),
		cmocka_unit_test(depths_without_slices_have_no_row),
		cmocka_unit_test(many_slices_are_unfolded_beside_the_screen),
		cmocka_unit_test(escape_stops_unfolding),
		cmocka_unit_test(a_slice_has_a_page),
		cmocka_unit_test(lines_of_its_page_lead_to_rows),
		cmocka_unit_test(its_page_goes_on_to_the_next_slice),
		cmocka_unit_test(what_its_page_tells_is_so),
		cmocka_unit_test(without_memory_there_is_no_page),
		cmocka_unit_test(slices_are_searched_by_name_length_and_depth),
		cmocka_unit_test(one_goes_from_match_to_match),
		cmocka_unit_test(a_filter_leaves_actors_with_matching_slices),
		cmocka_unit_test(cells_are_the_sums_of_slices),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

/*
 * Loading within a bound: what is loaded fits, is the stretch that was wanted, and says the
 * same of its time as the whole trace does.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/compiler.h"
#include "base/thread.h"
#include "base/units.h"
#include "report/lanes.h"
#include "report/report.h"
#include "scene.h"
#include "source/go/load.h"
#include "trace/lane.h"
#include "tracesim.h"
#include "tracetesting.h"

#define MIB (UINT64_C(1) << 20)

enum { GENERATIONS = 60 };

/* A trace of many small generations. */
struct bounding {
	struct sim *sim;
	struct wire bytes;
	struct trace *whole;
};

static void
begin(struct bounding *bounding, unsigned version)
{
	struct sim_options options;
	struct error err = { 0 };
	sim_options_init(&options);
	options.version = version;
	options.seed = version;
	options.generations = GENERATIONS;
	options.goroutines = 60;
	options.events = 400000;
	options.is_quiet_start = true;
	*bounding = (struct bounding){ .sim = sim_new(&options) };
	wire_init(&bounding->bytes, NULL);
	assert_non_null(bounding->sim);
	assert_true(sim_write(bounding->sim, &bounding->bytes, NULL, NULL));
	bounding->whole = testing_load_bytes("simulated", bounding->bytes.data, bounding->bytes.size);
	assert_int_equal(bounding->whole->parts.count, 0);
	assert_int_equal(err.kind, ERROR_NONE);
}

static void
end(struct bounding *bounding)
{
	trace_free(bounding->whole);
	wire_release(&bounding->bytes);
	sim_free(bounding->sim);
}

static struct go_wish
wish(void *context, const struct trace *outline)
{
	const struct go_wish *wished = context;
	assert_int_equal(outline->parts.count, GENERATIONS);
	assert_int_equal(outline->actors.count, 0);
	return *wished;
}

static struct trace *
load(const struct bounding *bounding, uint64_t memory_bytes, struct go_wish wished,
     struct error *err)
{
	struct input in;
	struct go_read_options options = { .is_lenient = true };
	struct go_bound bound = { memory_bytes, wish, &wished };
	assert_true(input_open_memory(&in, bounding->bytes.data, bounding->bytes.size, err));
	struct trace *trace = go_load_bounded(&in, &options, &bound, NULL, err);
	input_close(&in);
	return trace;
}

/* The stretch that is loaded; it is one. */
static void
loaded_of(const struct trace *trace, int64_t *from_ns, int64_t *to_ns, size_t *count)
{
	const struct parts *parts = &trace->parts;
	*count = 0;
	*from_ns = *to_ns = 0;
	for (size_t i = 0; i < parts->count; i++) {
		const struct part *part = &parts->rows[i];
		assert_int_equal(part->from_ns, i == 0 ? 0 : part[-1].to_ns);
		if (!part->is_loaded)
			continue;
		assert_true(*count == 0 || part[-1].is_loaded);
		if ((*count)++ == 0)
			*from_ns = part->from_ns;
		*to_ns = part->to_ns;
	}
	assert_true(parts->rows[parts->count - 1].to_ns <= trace->end_ns);
}

/* Time by what people call the states: a window does not know all reasons and names. */
enum { RUNS, READY, BLOCKED, SYSCALLS, KINDS };

static void
sum_kinds(const struct trace *trace, actor_ref ref, int64_t t0_ns, int64_t t1_ns,
          int64_t kinds_ns[KINDS])
{
	static const int kind_of[CLASS_COUNT] = {
		[CLASS_RUNNING] = RUNS,
		[CLASS_WORKER] = RUNS,
		[CLASS_READY] = READY,
		[CLASS_SYSCALL] = SYSCALLS,
		[CLASS_CHANNEL] = BLOCKED,
		[CLASS_SELECT] = BLOCKED,
		[CLASS_SYNC] = BLOCKED,
		[CLASS_NETWORK] = BLOCKED,
		[CLASS_SLEEP] = BLOCKED,
		[CLASS_RUNTIME] = BLOCKED,
		[CLASS_IDLE] = BLOCKED,
		[CLASS_FOREVER] = BLOCKED,
		[CLASS_OTHER] = BLOCKED,
	};
	int64_t totals_ns[CLASS_COUNT];
	memset(kinds_ns, 0, KINDS * sizeof(*kinds_ns));
	lane_totals(trace, (struct lane){ LANE_ACTOR, ref }, t0_ns, t1_ns, totals_ns);
	for (int i = 0; i < CLASS_COUNT; i++) {
		if (i != CLASS_GONE && i != CLASS_UNKNOWN)
			kinds_ns[kind_of[i]] += totals_ns[i];
	}
}

static void
check_goroutine(const struct trace *whole, const struct trace *part, actor_ref ref,
                int64_t from_ns, int64_t to_ns)
{
	int64_t id = trace_actor(whole, ref)->id, expected_ns[KINDS], got_ns[KINDS] = { 0 };
	actor_ref found = trace_find_actor(part, id);
	sum_kinds(whole, ref, from_ns, to_ns, expected_ns);
	if (found != REF_NONE)
		sum_kinds(part, found, from_ns, to_ns, got_ns);
	for (int i = 0; i < KINDS; i++)
		if (expected_ns[i] != got_ns[i])
			fail_msg("G%lld: kind %d lasts %lld of [%lld, %lld), not %lld",
			         (long long)id, i, (long long)got_ns[i], (long long)from_ns,
			         (long long)to_ns, (long long)expected_ns[i]);
}

/* From its last event on nothing is known of a part: all that live become unknown. */
static int64_t
known_until(const struct trace *part, int64_t to_ns)
{
	for (actor_ref i = 0; i < trace_actor_count(part); i++) {
		struct span span;
		if (lane_next(part, (struct lane){ LANE_ACTOR, i }, 0,
		              CLASS_BIT(CLASS_UNKNOWN), &span) &&
		    span.start_ns < to_ns) {
			assert_int_equal(span.end_ns, part->end_ns);
			to_ns = span.start_ns;
		}
	}
	return to_ns;
}

/* Of the time before what is loaded nothing is known, wherever in it one asks. */
static void
check_before(const struct trace *part, struct lane lane)
{
	for (int quarter = 1; quarter <= 4; quarter++) {
		int64_t totals_ns[CLASS_COUNT];
		lane_totals(part, lane, 0, part->start_ns / 4 * quarter, totals_ns);
		for (int i = 0; i < CLASS_COUNT; i++)
			assert_int_equal(totals_ns[i], 0);
		struct span span;
		if (lane.type != LANE_ALL && part->start_ns > 0)
			assert_false(lane_span_at(part, lane, part->start_ns / 4 * quarter - 1, &span));
	}
}

/* A report of that time says so. */
static void
check_report_before(const struct trace *part, int64_t loaded_ns)
{
	struct report_options options = { .width_cells = 100, .has_interval = true, .t1_ns = loaded_ns };
	struct text out = { 0 };
	struct error err = { 0 };
	if (loaded_ns == 0)
		return;
	assert_true(report_actor(part, trace_actor(part, 0)->id, &options, &out, &err));
	assert_non_null(strstr(out.bytes, "of that time nothing is loaded"));
	text_release(&out);
}

static void
check_times(const struct trace *whole, const struct trace *part)
{
	int64_t from_ns, to_ns;
	size_t count;
	loaded_of(part, &from_ns, &to_ns, &count);
	assert_in_range(count, 1, GENERATIONS - 1);
	assert_int_equal(part->origin_ns, whole->origin_ns);
	assert_int_equal(part->generation_count, count);
	assert_in_range(part->end_ns, to_ns, whole->end_ns);
	if (wall_clock_is_known(&whole->wall))
		assert_int_equal(wall_clock_at(&part->wall, from_ns),
		                 wall_clock_at(&whole->wall, from_ns));
	check_report_before(part, from_ns);
	from_ns = from_ns > part->start_ns ? from_ns : part->start_ns;
	to_ns = known_until(part, to_ns);
	for (actor_ref i = 0; i < trace_actor_count(whole); i++)
		check_goroutine(whole, part, i, from_ns, to_ns);
	check_before(part, (struct lane){ LANE_ALL, 0 });
	for (actor_ref i = 0; i < trace_actor_count(part); i++)
		check_before(part, (struct lane){ LANE_ACTOR, i });
	for (resource_ref i = 0; i < part->processors.count; i++)
		check_before(part, (struct lane){ LANE_PROCESSOR, i });
}

/* ---- tests */

static const unsigned versions[] = { 22, 23, 25, 26 };

static void
bounded_trace_fits_and_agrees_with_the_whole(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LENGTH(versions); i++) {
		struct bounding bounding;
		begin(&bounding, versions[i]);
		for (uint64_t memory = MIB; memory <= 4 * MIB; memory *= 2) {
			struct error err = { 0 };
			struct trace *part = load(&bounding, memory, (struct go_wish){ 0 }, &err);
			if (part == NULL)
				fail_msg("%s", err.message);
			assert_int_equal(part->start_ns, 0);
			assert_true(trace_bytes(part) <= memory);
			check_times(bounding.whole, part);
			trace_free(part);
		}
		end(&bounding);
	}
}

static void
bounded_trace_has_what_is_wished(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LENGTH(versions); i++) {
		struct bounding bounding;
		begin(&bounding, versions[i]);
		for (int tenth = 1; tenth <= 10; tenth++) {
			struct error err = { 0 };
			int64_t at_ns = bounding.whole->end_ns / 10 * tenth - 1, from_ns, to_ns;
			struct trace *part =
				load(&bounding, 2 * MIB, (struct go_wish){ .from_ns = at_ns, .to_ns = at_ns }, &err);
			size_t count;
			if (part == NULL)
				fail_msg("%s", err.message);
			loaded_of(part, &from_ns, &to_ns, &count);
			assert_true(trace_bytes(part) <= 2 * MIB);
			/* The last events of a generation may come when the next has begun. */
			assert_true(from_ns <= at_ns);
			assert_true(at_ns < to_ns || to_ns == part->parts.rows[GENERATIONS - 1].to_ns);
			check_times(bounding.whole, part);
			trace_free(part);
		}
		end(&bounding);
	}
}

/* What is loaded before an interval never takes the room of the interval itself. */
static void
bounded_trace_has_the_interval_that_is_wished(void **state)
{
	(void)state;
	struct bounding bounding;
	begin(&bounding, 23);
	for (uint64_t memory = MIB; memory <= 6 * MIB; memory += MIB / 4) {
		for (int tenth = 0; tenth < 10; tenth++) {
			struct error err = { 0 };
			int64_t at_ns = bounding.whole->end_ns / 10 * tenth, from_ns, to_ns;
			size_t count;
			struct trace *part = load(&bounding, memory,
			                          (struct go_wish){ .from_ns = at_ns, .to_ns = at_ns + 1 },
			                          &err);
			if (part == NULL)
				fail_msg("%s", err.message);
			loaded_of(part, &from_ns, &to_ns, &count);
			assert_true(from_ns <= at_ns && at_ns < to_ns);
			trace_free(part);
		}
	}
	end(&bounding);
}

/* Goroutines that begin late are looked for. */
static void
bounded_trace_has_the_goroutine_that_is_wished(void **state)
{
	(void)state;
	struct bounding bounding;
	begin(&bounding, 23);
	uint32_t count = trace_actor_count(bounding.whole);
	for (actor_ref ref = 0; ref < count; ref += count / 7) {
		const struct actor *goroutine = trace_actor(bounding.whole, ref);
		struct error err = { 0 };
		struct trace *part =
			load(&bounding, 2 * MIB, (struct go_wish){ .goroutine = goroutine->id }, &err);
		if (part == NULL)
			fail_msg("%s", err.message);
		actor_ref found = trace_find_actor(part, goroutine->id);
		assert_int_not_equal(found, REF_NONE);
		assert_true(trace_actor(part, found)->state_count > 0);
		assert_int_equal(trace_actor(part, found)->first_ns, goroutine->first_ns);
		trace_free(part);
	}
	end(&bounding);
}

static void
trace_that_fits_is_whole(void **state)
{
	(void)state;
	struct bounding bounding;
	struct error err = { 0 };
	begin(&bounding, 26);
	struct trace *trace = load(&bounding, 1000 * MIB, (struct go_wish){ 0 }, &err);
	assert_non_null(trace);
	assert_int_equal(trace->parts.count, 0);
	assert_false(trace->parts.has_rest);
	assert_int_equal(trace->event_count, bounding.whole->event_count);
	assert_int_equal(trace->end_ns, bounding.whole->end_ns);
	trace_free(trace);
	end(&bounding);
}

static void
bound_that_is_too_small_is_told(void **state)
{
	(void)state;
	struct bounding bounding;
	struct error err = { 0 };
	begin(&bounding, 23);
	assert_null(load(&bounding, 1000, (struct go_wish){ 0 }, &err));
	assert_int_equal(err.kind, ERROR_LIMIT);
	assert_non_null(strstr(err.message, " alone may need "));
	end(&bounding);
}

/* "may need SIZE of memory, more than the SIZE": as they stand there one is more than the other. */
static void
check_sizes(const char *message)
{
	char needed[UNITS_TEXT], most[UNITS_TEXT];
	uint64_t needed_bytes, most_bytes;
	struct error err = { 0 };
	const char *need = strstr(message, "may need ");
	if (need == NULL)
		return;
	assert_int_equal(sscanf(need, "may need %39[^o]of memory, more than the %39[^t]", needed, most), 2);
	needed[strcspn(needed, " ") + 4] = '\0'; /* "12.3 MiB" and the blank */
	most[strcspn(most, " ") + 4] = '\0';
	assert_true(units_parse_bytes(needed, &needed_bytes, &err));
	assert_true(units_parse_bytes(most, &most_bytes, &err));
	if (needed_bytes <= most_bytes)
		fail_msg("%s", message);
}

static void
what_is_needed_is_more_than_what_there_is(void **state)
{
	(void)state;
	struct bounding bounding;
	struct error err = { 0 };
	struct trace *trace = NULL;
	begin(&bounding, 23);
	for (uint64_t bytes = 50000; trace == NULL; bytes += bytes / 50) {
		error_clear(&err);
		trace = load(&bounding, bytes, (struct go_wish){ 0 }, &err);
		if (trace == NULL)
			check_sizes(err.message);
	}
	trace_free(trace);
	end(&bounding);
}

/* The columns of lanes in which nothing is loaded are dim and blank, the others are not. */
static void
picture_tells_what_is_not_loaded(void **state)
{
	(void)state;
	enum { WIDTH = 120 };
	struct bounding bounding;
	struct error err = { 0 };
	struct canvas canvas = { .ascii = false };
	struct text title = { 0 };
	begin(&bounding, 26);
	int64_t at_ns = bounding.whole->end_ns / 2;
	struct trace *part =
		load(&bounding, 2 * MIB, (struct go_wish){ .from_ns = at_ns, .to_ns = at_ns }, &err);
	struct lanes_options options = {
		.file_name = "simulated.trace",
		.width_cells = WIDTH,
		.actor = REF_NONE,
		.has_cursor = true,
		.cursor_ns = 0,
	};
	assert_non_null(part);
	assert_true(report_lanes(part, &options, &canvas, &err));
	scene_dump_text(&canvas, &title);
	assert_non_null(strstr(title.bytes, "not loaded: 5"));
	assert_non_null(strstr(title.bytes, " generations, "));
	assert_non_null(strstr(title.bytes, "not loaded: generation "));
	int dim = 0, lit = 0, first_row = 3;
	for (int x = WIDTH / 2; x < WIDTH; x++) {
		const struct cell *cell = canvas_at(&canvas, x, first_row);
		bool is_dim = cell->bg == STYLE_BAR;
		bool is_blank = cell->text[0] == '\0' || strcmp(cell->text, " ") == 0;
		dim += is_dim;
		lit += !is_dim && !is_blank;
		assert_true(!is_dim || is_blank);
	}
	assert_true(dim > WIDTH / 4 && lit > 1);
	text_release(&title);
	canvas_release(&canvas);
	trace_free(part);
	end(&bounding);
}

/* What a pipe is filled from, on another thread. */
struct feeding {
	const struct wire *bytes;
	int fd;
};

static void
feed(void *context)
{
	const struct feeding *feeding = context;
	size_t at = 0;
	while (at < feeding->bytes->size) {
		ssize_t count =
			write(feeding->fd, feeding->bytes->data + at, feeding->bytes->size - at);
		if (count <= 0)
			break;
		at += (size_t)count;
	}
	close(feeding->fd);
}

/* The trace through a pipe. */
static struct trace *
load_pipe(const struct bounding *bounding, uint64_t memory_bytes, struct error *err)
{
	struct go_bound bound = { .memory_bytes = memory_bytes };
	struct input in;
	int ends[2];
	assert_int_equal(pipe(ends), 0);
	struct feeding feeding = { &bounding->bytes, ends[1] };
	assert_true(input_open_fd(&in, ends[0], err));
	struct worker *worker = worker_new(feed, &feeding, err);
	struct trace *part = go_load_bounded(&in, NULL, &bound, NULL, err);
	input_close(&in);
	worker_join(worker);
	return part;
}

/* Of a pipe nothing is known beforehand: what comes first is kept. */
static void
bounded_pipe_keeps_what_comes_first(void **state)
{
	(void)state;
	struct bounding bounding;
	struct error err = { 0 };
	begin(&bounding, 26);
	struct trace *part = load_pipe(&bounding, 2 * MIB, &err);
	if (part == NULL)
		fail_msg("%s", err.message);
	assert_int_equal(part->parts.count, 0);
	assert_true(part->parts.has_rest);
	assert_in_range(part->generation_count, 2, GENERATIONS - 1);
	assert_true(trace_bytes(part) <= 2 * MIB);
	assert_int_equal(part->origin_ns, bounding.whole->origin_ns);
	for (actor_ref i = 0; i < trace_actor_count(part); i++)
		check_goroutine(bounding.whole, part,
		                trace_find_actor(bounding.whole, trace_actor(part, i)->id),
		                0, known_until(part, part->end_ns));
	trace_free(part);
	end(&bounding);
}

static void
generation_of_a_pipe_that_is_too_large_is_not_held(void **state)
{
	(void)state;
	struct bounding bounding;
	struct error err = { 0 };
	begin(&bounding, 26);
	assert_null(load_pipe(&bounding, 30000, &err));
	assert_int_equal(err.kind, ERROR_MEMORY);
	assert_non_null(strstr(err.message, "larger than the memory that may be used"));
	end(&bounding);
}

/* It has no generations that could be left out. */
static void
trace_before_go_1_22_is_not_bounded(void **state)
{
	(void)state;
	struct error err = { 0 };
	struct go_bound bound = { .memory_bytes = 1000 };
	struct input in;
	struct trace *whole = testing_load("long-go1.19");
	assert_true(input_open_file(&in, testing_path("long-go1.19", ".trace"), &err));
	struct trace *trace = go_load_bounded(&in, NULL, &bound, NULL, &err);
	input_close(&in);
	if (trace == NULL)
		fail_msg("%s", err.message);
	assert_int_equal(trace->event_count, whole->event_count);
	trace_free(trace);
	trace_free(whole);
}

static void
what_is_loaded_is_clipped_out_of_an_interval(void **state)
{
	static const struct {
		int64_t from_ns, to_ns, clipped_from_ns, clipped_to_ns;
	} rows[] = {
		{ 0, 40, 10, 30 },
		{ 5, 15, 10, 15 },
		{ 15, 25, 15, 25 },
		{ 25, 100, 25, 30 },
		{ 0, 10, 0, 10 }, /* nothing of it */
		{ 30, 40, 30, 40 },
	};
	struct part rows_of[] = { { .to_ns = 10 }, { .from_ns = 10, .to_ns = 20, .is_loaded = true },
		{ .from_ns = 20, .to_ns = 30, .is_loaded = true }, { .from_ns = 30, .to_ns = 40 } };
	const struct parts parts = { .rows = rows_of, .count = 4 }, whole = { .count = 0 };
	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		int64_t from_ns = rows[i].from_ns, to_ns = rows[i].to_ns;
		assert_false(parts_clip(&whole, &from_ns, &to_ns));
		bool is_less = parts_clip(&parts, &from_ns, &to_ns);
		assert_int_equal(from_ns, rows[i].clipped_from_ns);
		assert_int_equal(to_ns, rows[i].clipped_to_ns);
		assert_int_equal(is_less, from_ns != rows[i].from_ns || to_ns != rows[i].to_ns);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(bounded_trace_fits_and_agrees_with_the_whole),
		cmocka_unit_test(bounded_trace_has_what_is_wished),
		cmocka_unit_test(bounded_trace_has_the_interval_that_is_wished),
		cmocka_unit_test(bounded_trace_has_the_goroutine_that_is_wished),
		cmocka_unit_test(trace_that_fits_is_whole),
		cmocka_unit_test(bound_that_is_too_small_is_told),
		cmocka_unit_test(what_is_needed_is_more_than_what_there_is),
		cmocka_unit_test(picture_tells_what_is_not_loaded),
		cmocka_unit_test(bounded_pipe_keeps_what_comes_first),
		cmocka_unit_test(generation_of_a_pipe_that_is_too_large_is_not_held),
		cmocka_unit_test(trace_before_go_1_22_is_not_bounded),
		cmocka_unit_test(what_is_loaded_is_clipped_out_of_an_interval),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

/*
 * Loading a trace when something goes wrong on the way: an allocation fails on either
 * thread, the input comes in crumbs, breaks, is cut off, or the user gives up. Whatever
 * it is, there is a trace of what was read or an error that says why not, nothing leaks
 * (a sanitizer looks), and the next load is as good as ever.
 */
#include "base_testing.h"
#include "damagecheck.h"
#include "source/go/load.h"
#include "trace/lane.h"
#include "tracesim.h"

/* Some generations of a bit of everything, as small as that can be. */
static void
make_bytes(struct wire *bytes, unsigned version)
{
	struct sim_options options;
	sim_options_init(&options);
	options.version = version;
	options.events = 600;
	options.goroutines = 12;
	options.generations = 3;
	wire_init(bytes, NULL);
	struct sim *sim = sim_new(&options);
	assert_non_null(sim);
	assert_true(sim_write(sim, bytes, NULL, NULL));
	sim_free(sim);
}

/* An input from memory on which something can happen. */
struct faulty {
	struct input in; /* first, so that the one is the other */
	bool (*read)(struct input *in, void *out, size_t size, size_t *got, struct error *err);
	size_t most_bytes; /* that a read gives */
	size_t left_bytes; /* until it happens: */
	bool breaks, gives_up;
	size_t shrinks_to; /* its size once some of it was read; 0: it stays */
	struct progress *progress;
};

static bool
read_faulty(struct input *in, void *out, size_t size, size_t *got, struct error *err)
{
	struct faulty *faulty = (struct faulty *)in;
	if (faulty->left_bytes == 0 && faulty->breaks)
		return error_set(err, ERROR_IO, "the disk has gone");
	if (faulty->left_bytes == 0 && faulty->gives_up)
		faulty->progress->is_cancelled = true;
	size_t most = faulty->most_bytes;
	if (faulty->left_bytes > 0 && faulty->left_bytes < most)
		most = faulty->left_bytes;
	if (!faulty->read(in, out, size < most ? size : most, got, err))
		return false;
	faulty->left_bytes -= *got < faulty->left_bytes ? *got : faulty->left_bytes;
	if (faulty->shrinks_to > 0) {
		in->memory_size = faulty->shrinks_to;
		if (in->memory_at > in->memory_size)
			in->memory_at = in->memory_size;
	}
	return true;
}

static struct trace *
load_faulty(struct faulty *faulty, const struct wire *bytes, struct error *err)
{
	struct error no_error = { 0 };
	assert_true(input_open_memory(&faulty->in, bytes->data, bytes->size, &no_error));
	faulty->read = faulty->in.read;
	faulty->in.read = read_faulty;
	/* What comes in order alone comes all through here. */
	faulty->in.can_rewind = faulty->shrinks_to > 0;
	struct go_read_options options = { .progress = faulty->progress };
	struct trace *trace = go_load(&faulty->in, &options, err);
	input_close(&faulty->in);
	return trace;
}

static struct trace *
load(const struct wire *bytes, size_t size, struct error *err)
{
	struct input in;
	struct error no_error = { 0 };
	assert_true(input_open_memory(&in, bytes->data, size, &no_error));
	struct trace *trace = go_load(&in, NULL, err);
	input_close(&in);
	return trace;
}

static struct trace *
load_whole(const struct wire *bytes)
{
	struct error err = { 0 };
	struct trace *trace = load(bytes, bytes->size, &err);
	if (trace == NULL)
		fail_msg("%s", err.message);
	assert_false(trace->damage.count > 0);
	return trace;
}

static void
check_same(const char *what, size_t place, const struct trace *got, const struct trace *wanted)
{
	int64_t got_ns[CLASS_COUNT], wanted_ns[CLASS_COUNT];
	const struct lane all = { LANE_ALL, 0 };
	lane_totals(got, all, 0, got->end_ns, got_ns);
	lane_totals(wanted, all, 0, wanted->end_ns, wanted_ns);
	if (got->damage.count > 0 || got->event_count != wanted->event_count ||
		got->end_ns != wanted->end_ns ||
		trace_actor_count(got) != trace_actor_count(wanted) ||
		got->instants.count != wanted->instants.count ||
		got->ranges.count != wanted->ranges.count ||
		memcmp(got_ns, wanted_ns, sizeof got_ns) != 0)
		fail_msg("%s %zu: another trace than in one piece", what, place);
}

/* What holds of a trace of which only a part was read. */
static void
check_part(size_t place, const struct trace *part, const struct trace *whole)
{
	int64_t all_ns[CLASS_COUNT], lane_ns[CLASS_COUNT];
	lane_totals(part, (struct lane){ LANE_ALL, 0 }, 0, part->end_ns, all_ns);
	for (actor_ref ref = 0; ref < trace_actor_count(part); ref++) {
		lane_totals(part, (struct lane){ LANE_ACTOR, ref }, 0, part->end_ns, lane_ns);
		for (int i = 0; i < CLASS_COUNT; i++)
			all_ns[i] -= lane_ns[i];
	}
	for (int i = 0; i < CLASS_COUNT; i++)
		if (all_ns[i] != 0)
			fail_msg("at %zu: all are not the sum of the goroutines", place);
	if (part->event_count > whole->event_count || part->end_ns > whole->end_ns)
		fail_msg("at %zu: a part has more events than the whole", place);
}

/* ---- memory */

static void
look_away(void *context, struct trace *snapshot)
{
	(void)context;
	trace_free(snapshot);
}

static const struct trace_watch watch = { .show = look_away };

/* True when all allocations that the load needed could be had. */
static bool
load_with_fault(const struct wire *bytes, uint64_t countdown)
{
	struct error err = { 0 };
	struct input in;
	assert_true(input_open_memory(&in, bytes->data, bytes->size, &err));
	memory_fail_after(countdown);
	struct trace *trace = go_load_watched(&in, NULL, &watch, &err);
	memory_fail_after(0);
	input_close(&in);
	bool is_fine = trace != NULL;
	if (is_fine && (err.kind != ERROR_NONE || trace->damage.count > 0))
		fail_msg("allocation %llu failed, and the trace was loaded with \"%s\"",
			(unsigned long long)countdown,
			err.kind != ERROR_NONE ? err.message : trace->damage.rows[0].first.message);
	if (!is_fine && err.kind != ERROR_MEMORY)
		fail_msg("allocation %llu failed, and the error is %d, \"%s\"",
			(unsigned long long)countdown, (int)err.kind, err.message);
	trace_free(trace);
	return is_fine;
}

static void
check_allocations(unsigned version)
{
	struct wire bytes;
	uint64_t place = 1;
	make_bytes(&bytes, version);
	struct trace *before = load_whole(&bytes);
	while (!load_with_fault(&bytes, place))
		place = fault_next(place);
	assert_true(place > 100);
	struct trace *after = load_whole(&bytes);
	check_same("after failure", place, after, before);
	trace_free(before);
	trace_free(after);
	wire_release(&bytes);
}

static void
want_of_memory_is_an_error(void **state)
{
	(void)state;
	check_allocations(22);
	check_allocations(26);
}

/* ---- the input */

static void
crumbs_make_the_same_trace(void **state)
{
	static const size_t sizes[] = { 1, 2, 3, 7, 64, 1000, 4095 };
	(void)state;
	struct wire bytes;
	make_bytes(&bytes, 23);
	struct trace *whole = load_whole(&bytes);
	for (size_t i = 0; i < ARRAY_LENGTH(sizes); i++) {
		struct faulty faulty = { .most_bytes = sizes[i], .left_bytes = SIZE_MAX };
		struct error err = { 0 };
		struct trace *trace = load_faulty(&faulty, &bytes, &err);
		if (trace == NULL)
			fail_msg("in reads of %zu bytes: %s", sizes[i], err.message);
		check_same("in reads of", sizes[i], trace, whole);
		trace_free(trace);
	}
	trace_free(whole);
	wire_release(&bytes);
}

static void
check_cut(const struct wire *bytes, size_t size, const struct trace *whole, uint64_t *generations)
{
	struct error err = { 0 };
	struct trace *trace = load(bytes, size, &err);
	if (trace == NULL && (err.kind == ERROR_NONE || err.offset_bytes > size))
		fail_msg("cut at %zu: the error is \"%s\" at %llu", size, err.message,
			(unsigned long long)err.offset_bytes);
	if (trace == NULL && *generations > 0)
		fail_msg("cut at %zu: nothing is left", size);
	if (trace == NULL)
		return;
	const char *problem = damage_map_problem(&trace->damage, size);
	if (problem != NULL)
		fail_msg("cut at %zu: %s (\"%s\")", size, problem,
			trace->damage.rows[0].first.message);
	if (trace->generation_count < *generations)
		fail_msg("cut at %zu: a whole generation is lost", size);
	/* The last one may only have been ordered as far as it went. */
	if (trace->generation_count > *generations + 1)
		*generations = trace->generation_count - 1;
	check_part(size, trace, whole);
	trace_free(trace);
}

static void
check_cuts(unsigned version)
{
	enum { DENSE = 60, STEPS = 80 };
	struct wire bytes;
	uint64_t generations = 0, random = version;
	make_bytes(&bytes, version);
	struct trace *whole = load_whole(&bytes);
	for (size_t size = 0; size < bytes.size;) {
		check_cut(&bytes, size, whole, &generations);
		size += size < DENSE ? 1 : 1 + random_below(&random, 2 * bytes.size / STEPS);
	}
	assert_true(generations >= 1);
	trace_free(whole);
	wire_release(&bytes);
}

static void
a_cut_leaves_what_came_before(void **state)
{
	(void)state;
	check_cuts(22);
	check_cuts(25);
	check_cuts(26);
}

/* Calls back for places all over the bytes. */
static void
each_place(const struct wire *bytes,
	void (*check)(const struct wire *bytes, size_t place, const struct trace *whole))
{
	enum { PLACES = 30 };
	struct trace *whole = load_whole(bytes);
	for (size_t i = 1; i < PLACES; i++)
		check(bytes, bytes->size * i / PLACES, whole);
	trace_free(whole);
}

static void
check_broken(const struct wire *bytes, size_t place, const struct trace *whole)
{
	struct faulty faulty = { .most_bytes = 512, .left_bytes = place, .breaks = true };
	struct error err = { 0 };
	struct trace *trace = load_faulty(&faulty, bytes, &err);
	const struct error *problem = trace != NULL ? &trace->damage.rows[0].first : &err;
	if (trace != NULL && trace->damage.count == 0)
		fail_msg("broken at %zu: the trace is not damaged", place);
	if (strstr(problem->message, "the disk has gone") == NULL)
		fail_msg("broken at %zu: %s", place, problem->message);
	if (trace != NULL)
		check_part(place, trace, whole);
	trace_free(trace);
}

static void
a_broken_input_is_told(void **state)
{
	(void)state;
	struct wire bytes;
	make_bytes(&bytes, 23);
	each_place(&bytes, check_broken);
	wire_release(&bytes);
}

/* Its tables were there when they were read, but not all payloads when they were asked for. */
static void
check_shrunk(const struct wire *bytes, size_t place, const struct trace *whole)
{
	struct faulty faulty = {
		.most_bytes = SIZE_MAX, .left_bytes = SIZE_MAX, .shrinks_to = place
	};
	struct error err = { 0 };
	struct trace *trace = load_faulty(&faulty, bytes, &err);
	if (trace == NULL)
		fail_msg("shorter at %zu: %s", place, err.message);
	const char *problem = damage_map_problem(&trace->damage, bytes->size);
	if (problem != NULL)
		fail_msg("shorter at %zu: %s", place, problem);
	if (trace->damage.count == 0)
		check_same("though shorter at", place, trace, whole);
	else if (strstr(trace->damage.rows[0].first.message, "the input ends where") == NULL)
		fail_msg("shorter at %zu: %s", place, trace->damage.rows[0].first.message);
	check_part(place, trace, whole);
	trace_free(trace);
}

static void
a_file_that_becomes_shorter_loses_payloads(void **state)
{
	(void)state;
	struct wire bytes;
	make_bytes(&bytes, 26);
	each_place(&bytes, check_shrunk);
	wire_release(&bytes);
}

static void
check_given_up(const struct wire *bytes, size_t place, const struct trace *whole)
{
	struct progress progress;
	struct faulty faulty = {
		.most_bytes = 512, .left_bytes = place, .gives_up = true, .progress = &progress
	};
	struct error err = { 0 };
	(void)whole;
	memset(&progress, 0, sizeof progress);
	struct trace *trace = load_faulty(&faulty, bytes, &err);
	if (trace != NULL || err.kind != ERROR_CANCELLED)
		fail_msg("given up at %zu: %s", place, trace != NULL ? "loaded" : err.message);
}

static void
who_gives_up_gets_no_trace(void **state)
{
	(void)state;
	struct wire bytes;
	make_bytes(&bytes, 23);
	each_place(&bytes, check_given_up);
	wire_release(&bytes);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(want_of_memory_is_an_error),
		cmocka_unit_test(crumbs_make_the_same_trace),
		cmocka_unit_test(a_cut_leaves_what_came_before),
		cmocka_unit_test(a_broken_input_is_told),
		cmocka_unit_test(a_file_that_becomes_shorter_loses_payloads),
		cmocka_unit_test(who_gives_up_gets_no_trace),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

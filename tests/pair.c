/* Traces loaded both ways, and random questions about them. */
#include "pair.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base_testing.h"
#include "source/go/load.h"
#include "tracesim.h"
#include "tracetesting.h"
#include "tracewriter.h"

enum { USUAL_SEED = 20240601 };

static uint64_t
number_from_environment(const char *name, uint64_t usual)
{
	const char *text = getenv(name);
	char *end;
	if (text == NULL)
		return usual;
	unsigned long long number = strtoull(text, &end, 10);
	if (end == text || *end != '\0')
		fail_msg("%s is \"%s\"", name, text);
	return number;
}

/* ---- loading */

/* The first one from `from` on that has the id and states. */
static size_t
find_goroutine(const struct naive *naive, int64_t id, size_t from)
{
	while (from < naive->goroutine_count &&
		(naive->goroutines[from].id != id ||
			naive->goroutines[from].first_state == SIZE_MAX))
		from++;
	return from;
}

/* An id that comes again belongs to goroutines in the same order on both sides. */
static size_t
match_goroutine(struct pair *pair, actor_ref ref)
{
	const struct actor *goroutine = trace_actor(pair->trace, ref);
	size_t from = 0;
	if (goroutine->state_count == 0)
		return SIZE_MAX;
	for (actor_ref earlier = 0; earlier < ref; earlier++)
		if (trace_actor(pair->trace, earlier)->id == goroutine->id &&
			pair->goroutines[earlier] != SIZE_MAX)
			from = pair->goroutines[earlier] + 1;
	size_t found = find_goroutine(&pair->naive, goroutine->id, from);
	if (found == pair->naive.goroutine_count)
		fail_msg("%s: there should be no goroutine %" PRId64, pair->name, goroutine->id);
	return found;
}

static void
match_goroutines(struct pair *pair)
{
	uint32_t count = trace_actor_count(pair->trace);
	size_t matched = 0, wanted = 0;
	pair->goroutines = memory_realloc(NULL, ((size_t)count + 1) * sizeof *pair->goroutines);
	assert_non_null(pair->goroutines);
	for (actor_ref ref = 0; ref < count; ref++) {
		pair->goroutines[ref] = match_goroutine(pair, ref);
		matched += pair->goroutines[ref] != SIZE_MAX;
	}
	for (size_t i = 0; i < pair->naive.goroutine_count; i++)
		wanted += pair->naive.goroutines[i].first_state != SIZE_MAX;
	if (matched != wanted)
		fail_msg("%s: %zu goroutines, wanted %zu", pair->name, matched, wanted);
}

static void
check_pair(struct pair *pair, void (*check)(struct pair *pair))
{
	if (pair->trace->end_ns != pair->naive.end_ns)
		fail_msg("%s: ends at %" PRId64 ", wanted %" PRId64, pair->name,
			pair->trace->end_ns, pair->naive.end_ns);
	match_goroutines(pair);
	check(pair);
	trace_free(pair->trace);
	naive_release(&pair->naive);
	memory_free(pair->goroutines);
}

static void
check_bytes(struct pair *pair, const void *bytes, size_t size, void (*check)(struct pair *pair))
{
	struct input in;
	struct error err = { 0 };
	assert_true(input_open_memory(&in, bytes, size, &err));
	naive_read(&pair->naive, &in);
	input_close(&in);
	pair->trace = testing_load_bytes(pair->name, bytes, size);
	check_pair(pair, check);
}

/* ---- snapshots */

enum { MOST_SNAPSHOTS = 64 };

struct stages {
	struct trace *snapshots[MOST_SNAPSHOTS];
	size_t count;
};

static void
keep_snapshot(void *context, struct trace *snapshot)
{
	struct stages *stages = context;
	if (stages->count < MOST_SNAPSHOTS)
		stages->snapshots[stages->count++] = snapshot;
	else
		trace_free(snapshot);
}

/* The snapshots outlive the trace. */
static void
take_snapshots(struct stages *stages, const void *bytes, size_t size)
{
	struct trace_watch watch = { .show = keep_snapshot, .context = stages };
	struct input in;
	struct error err = { 0 };
	assert_true(input_open_memory(&in, bytes, size, &err));
	struct trace *trace = go_load_watched(&in, NULL, &watch, &err);
	input_close(&in);
	assert_non_null(trace);
	trace_free(trace);
}

static void
check_snapshots(const struct pair *all, const void *bytes, size_t size,
	void (*check)(struct pair *pair))
{
	struct stages stages = { 0 };
	uint64_t ends[MOST_SNAPSHOTS];
	size_t end_count = testing_generation_ends(bytes, size, ends, MOST_SNAPSHOTS);
	take_snapshots(&stages, bytes, size);
	if (stages.count != end_count)
		fail_msg("%s: %zu snapshots of %zu generations", all->name, stages.count,
			end_count);
	for (size_t i = 0; i < stages.count; i++) {
		struct pair pair = { .random = all->random + i, .rounds = all->rounds };
		struct input in;
		struct error err = { 0 };
		snprintf(pair.name, sizeof pair.name, "%.100s, up to generation %zu", all->name,
			i + 1);
		pair.trace = stages.snapshots[i];
		assert_true(input_open_memory(&in, bytes, ends[i], &err));
		naive_read(&pair.naive, &in);
		input_close(&in);
		check_pair(&pair, check);
	}
}

static void
check_simulated(uint64_t seed, bool is_live, void (*check)(struct pair *pair))
{
	struct pair pair = { .random = seed, .rounds = 1 };
	struct sim_options options;
	struct wire bytes;
	snprintf(pair.name, sizeof pair.name, "simulated trace of TTRACE_SEED=%" PRIu64, seed);
	sim_options_random(&options, seed);
	wire_init(&bytes, NULL);
	struct sim *sim = sim_new(&options);
	assert_non_null(sim);
	assert_true(sim_write(sim, &bytes, NULL, NULL));
	if (is_live)
		check_snapshots(&pair, bytes.data, bytes.size, check);
	else
		check_bytes(&pair, bytes.data, bytes.size, check);
	sim_free(sim);
	wire_release(&bytes);
}

void
pair_text(const char *name, const char *text, void (*check)(struct pair *pair))
{
	struct pair pair = { .random = USUAL_SEED, .rounds = 1 };
	struct text bytes = { 0 };
	snprintf(pair.name, sizeof pair.name, "%s", name);
	testing_assemble(text, &bytes);
	check_bytes(&pair, bytes.bytes, bytes.length, check);
	text_release(&bytes);
}

/* What check_file() cannot be told by testing_each(). */
static struct {
	unsigned every, at;
	uint64_t seed;
	unsigned rounds;
	bool is_live;
	void (*check)(struct pair *pair);
} files;

static void
check_file(const char *name)
{
	struct pair pair = { .random = files.seed + files.at, .rounds = files.rounds };
	struct text bytes = { 0 };
	if (files.at++ % files.every != files.seed % files.every)
		return;
	snprintf(pair.name, sizeof pair.name, "%s with TTRACE_SEED=%" PRIu64, name, files.seed);
	testing_read(testing_path(name, ".trace"), &bytes);
	if (files.is_live)
		check_snapshots(&pair, bytes.bytes, bytes.length, files.check);
	else
		check_bytes(&pair, bytes.bytes, bytes.length, files.check);
	text_release(&bytes);
}

static void
check_each(unsigned every, unsigned simulated, bool is_live, void (*check)(struct pair *pair))
{
	files.seed = number_from_environment("TTRACE_SEED", USUAL_SEED);
	files.rounds = (unsigned)number_from_environment("TTRACE_ROUNDS", 1);
	files.every = every;
	files.at = 0;
	files.is_live = is_live;
	files.check = check;
	for (unsigned i = 0; i < simulated * files.rounds; i++)
		check_simulated(files.seed + i, is_live, check);
	testing_each(".trace", check_file);
}

void
pair_each(unsigned every, unsigned simulated, void (*check)(struct pair *pair))
{
	check_each(every, simulated, false, check);
}

void
pair_each_snapshot(unsigned every, unsigned simulated, void (*check)(struct pair *pair))
{
	check_each(every, simulated, true, check);
}

/* ---- lanes */

static const char *
group_name(const struct pair *pair, group_ref ref, size_t *length)
{
	return trace_text(pair->trace, pair->trace->groups[ref].name, length);
}

void
pair_spans(const struct pair *pair, struct lane lane, struct naive_spans *spans)
{
	size_t length;
	const char *name;
	naive_spans_clear(spans);
	switch (lane.type) {
	case LANE_ACTOR:
		if (pair->goroutines[lane.ref] != SIZE_MAX)
			naive_add_goroutine(&pair->naive, pair->goroutines[lane.ref], spans);
		break;
	case LANE_PROCESSOR:
		naive_add_proc(&pair->naive, trace_processor(pair->trace, lane.ref)->id, spans);
		break;
	case LANE_THREAD:
		naive_add_thread(&pair->naive, trace_thread(pair->trace, lane.ref)->id, spans);
		break;
	case LANE_GROUP:
		name = group_name(pair, lane.ref, &length);
		naive_add_group(&pair->naive, name, length, spans);
		break;
	case LANE_ALL:
		naive_add_all(&pair->naive, spans);
		break;
	case LANE_GC:
		naive_add_ranges(&pair->naive, RANGE_GC_MARK, spans);
		break;
	case LANE_STW:
		naive_add_ranges(&pair->naive, RANGE_STW, spans);
		break;
	case LANE_TYPE_COUNT:
		break;
	}
}

static bool
is_member(const struct pair *pair, struct lane lane, size_t goroutine)
{
	size_t length, wanted_length;
	if (lane.type == LANE_ACTOR)
		return pair->goroutines[lane.ref] == goroutine;
	if (lane.type != LANE_GROUP)
		return lane.type == LANE_ALL;
	const char *wanted = group_name(pair, lane.ref, &wanted_length);
	const char *name =
		naive_text(&pair->naive, pair->naive.goroutines[goroutine].name, &length);
	return length == wanted_length && memcmp(name, wanted, length) == 0;
}

bool *
pair_members(const struct pair *pair, struct lane lane)
{
	bool *members = memory_realloc(NULL, pair->naive.goroutine_count + 1);
	assert_non_null(members);
	for (size_t i = 0; i < pair->naive.goroutine_count; i++)
		members[i] = is_member(pair, lane, i);
	return members;
}

void
pair_samples(const struct pair *pair, struct lane lane, struct naive_spans *spans)
{
	size_t goroutine = SIZE_MAX;
	int64_t proc = GO_ID_NONE, thread = GO_ID_NONE;
	naive_spans_clear(spans);
	if (lane.type == LANE_ACTOR)
		goroutine = pair->goroutines[lane.ref];
	if (lane.type == LANE_PROCESSOR)
		proc = trace_processor(pair->trace, lane.ref)->id;
	if (lane.type == LANE_THREAD)
		thread = trace_thread(pair->trace, lane.ref)->id;
	naive_add_samples(&pair->naive, goroutine, proc, thread, spans);
}

static uint32_t
lanes_of(const struct pair *pair, enum lane_type type)
{
	switch (type) {
	case LANE_ACTOR:
		return trace_actor_count(pair->trace);
	case LANE_PROCESSOR:
		return trace_processor_count(pair->trace);
	case LANE_THREAD:
		return trace_thread_count(pair->trace);
	case LANE_GROUP:
		return pair->trace->group_count;
	case LANE_ALL:
	case LANE_GC:
	case LANE_STW:
	case LANE_TYPE_COUNT:
		break;
	}
	return 1;
}

/* How much there is to see on a goroutine or group. */
static uint32_t
weight_of(const struct pair *pair, struct lane lane)
{
	if (lane.type == LANE_ACTOR)
		return trace_actor(pair->trace, lane.ref)->state_count;
	return lane.type == LANE_GROUP ? pair->trace->groups[lane.ref].count : 0;
}

bool
pair_lane(struct pair *pair, enum lane_type type, struct lane *lane)
{
	enum { TRIES = 4 };
	uint32_t count = lanes_of(pair, type);
	if (count == 0)
		return false;
	*lane = (struct lane){ type, (uint32_t)random_below(&pair->random, count) };
	bool is_any = random_below(&pair->random, 3) == 0;
	for (int i = 0; !is_any && i < TRIES; i++) {
		struct lane other = { type, (uint32_t)random_below(&pair->random, count) };
		if (weight_of(pair, other) > weight_of(pair, *lane))
			*lane = other;
	}
	return true;
}

const char *
pair_lane_name(const struct pair *pair, struct lane lane)
{
	static char name[64];
	static const char *const words[LANE_TYPE_COUNT] = { "goroutine", "proc", "thread", "group",
		"all goroutines", "collections", "stops of the world" };
	int64_t id = lane.ref;
	if (lane.type == LANE_ACTOR)
		id = trace_actor(pair->trace, lane.ref)->id;
	if (lane.type == LANE_PROCESSOR)
		id = trace_processor(pair->trace, lane.ref)->id;
	if (lane.type == LANE_THREAD)
		id = trace_thread(pair->trace, lane.ref)->id;
	snprintf(name, sizeof name, "%s %" PRId64, words[lane.type], id);
	return name;
}

/* ---- intervals */

static int64_t
event_ns(struct pair *pair)
{
	const struct naive *naive = &pair->naive;
	if (naive->event_count == 0)
		return 0;
	return naive->events[random_below(&pair->random, naive->event_count)].time_ns;
}

/* Any length from 1 ns to the trace's, short ones as often as long ones. */
static int64_t
random_length(struct pair *pair)
{
	int64_t length_ns = pair->naive.end_ns + 1;
	for (size_t halvings = random_below(&pair->random, 40); halvings > 0; halvings--)
		length_ns = (length_ns + 1) / 2;
	return 1 + (int64_t)random_below(&pair->random, (size_t)length_ns);
}

int64_t
pair_moment(struct pair *pair)
{
	int64_t end_ns = pair->naive.end_ns;
	switch (random_below(&pair->random, 8)) {
	case 0:
		return (int64_t)random_below(&pair->random, (size_t)end_ns + 1);
	case 1:
		return end_ns - (int64_t)random_below(&pair->random, 3);
	case 2:
		return end_ns + random_length(pair);
	case 3:
		return 1 - (int64_t)random_below(&pair->random, 3);
	default:
		return event_ns(pair) + 1 - (int64_t)random_below(&pair->random, 3);
	}
}

struct viewport
pair_viewport(struct pair *pair, int cells)
{
	int64_t from_ns = pair_moment(pair), until_ns = pair_moment(pair);
	struct viewport viewport = { from_ns, from_ns + random_length(pair) };
	switch (random_below(&pair->random, 8)) {
	case 0:
		viewport = viewport_whole(viewport_extent(pair->trace->end_ns), cells);
		break;
	case 1: /* 1 ns per cell */
		viewport.t1_ns = from_ns + cells;
		break;
	case 2: /* a whole number of ns per cell */
		viewport.t1_ns = from_ns + cells * (1 + random_length(pair) / cells);
		break;
	case 3:
		viewport = (struct viewport){ from_ns < until_ns ? from_ns : until_ns,
			from_ns < until_ns ? until_ns : from_ns };
		break;
	case 4: /* beyond both ends */
		viewport.t0_ns = -random_length(pair);
		viewport.t1_ns = pair->trace->end_ns + random_length(pair);
		break;
	case 5: /* from before it to its end */
		viewport.t0_ns = until_ns - random_length(pair);
		viewport.t1_ns = until_ns;
		break;
	default:
		break;
	}
	if (viewport.t1_ns - viewport.t0_ns < cells)
		viewport.t1_ns = viewport.t0_ns + cells;
	return viewport;
}

/*
 * Lenient reading of damaged traces: what is whole comes out exactly as it would of the
 * undamaged trace, what is not as far as it can be told, and the map says what is missing.
 */
#include "base/compiler.h"
#include "base/memory.h"
#include "damagecheck.h"
#include "gotrace_testing.h"
#include "source/go/cause.h"
#include "trace/time.h"
#include "tracesim.h"
#include "tracetesting.h"

static const unsigned versions[] = { 22, 23, 25, 26 };

/* ---- simulated traces */

/* Small, three generations, so that it can be cut everywhere. */
static void
simulate(struct wire *bytes, unsigned version, uint64_t seed)
{
	struct sim_options options;
	sim_options_init(&options);
	options.version = version;
	options.seed = seed;
	options.goroutines = 4;
	options.procs = 2;
	options.generations = 3;
	options.events = 70;
	options.batch_bytes = 300;
	struct sim *sim = sim_new(&options);
	assert_non_null(sim);
	wire_init(bytes, NULL);
	assert_true(sim_write(sim, bytes, NULL, NULL));
	sim_free(sim);
}

static void
read_leniently(struct readtrace *got, const void *bytes, size_t size)
{
	/* A copy of exactly this size, so that reading beyond it is noticed. */
	void *copy = memory_realloc(NULL, size + (size == 0));
	assert_non_null(copy);
	memcpy(copy, bytes, size);
	*got = (struct readtrace){ .is_lenient = true };
	readtrace_bytes(got, copy, size);
	memory_free(copy);
}

static void
check_map(const struct readtrace *got, size_t size, const char *what, size_t place)
{
	const char *problem = damage_map_problem(&got->result.damage, size);
	if (got->is_out_of_order)
		fail_msg("%s %zu: times do not increase", what, place);
	if (problem != NULL)
		fail_msg("%s %zu: %s (\"%s\")", what, place, problem, readtrace_problem(got));
}

/* The first generations, `count` of them, are in `got` as they are in `whole`. */
static void
check_generations(const struct readtrace *whole, const struct readtrace *got, size_t count,
                  const char *what, size_t place)
{
	size_t length = count > 0 ? whole->generation_ends[count - 1] : 0;
	if (got->events.length < length ||
	    memcmp(got->events.bytes, whole->events.bytes, length) != 0)
		fail_msg("%s %zu: the first %zu generations came out as\n%s", what, place, count,
		         got->events.bytes);
}

/* Where the batch that begins there ends; *generation stays as it is at a mark. */
static size_t
batch_end(const struct wire *bytes, size_t at, uint64_t *generation)
{
	uint64_t fields[4] = { 0 };
	uint8_t id = bytes->data[at++];
	if (id == WIRE_END_OF_GENERATION)
		return at;
	at += id == WIRE_EXPERIMENTAL_BATCH;
	for (int i = 0; i < 4; i++) {
		unsigned shift = 0;
		do {
			fields[i] |= (uint64_t)(bytes->data[at] & 0x7f) << shift;
			shift += 7;
		} while (bytes->data[at++] >= 0x80);
	}
	*generation = fields[0];
	return at + fields[3];
}

/* Ends of the generations in the bytes: cuts there leave whole ones. */
static void
find_generations(const struct wire *bytes, size_t ends[3])
{
	size_t at = 16;
	uint64_t generation = 0;
	size_t count = 0;
	while (at < bytes->size) {
		uint64_t before = generation;
		size_t start = at;
		at = batch_end(bytes, at, &generation);
		if (before != 0 && generation != before)
			ends[count++] = start;
	}
	assert_int_equal(count, 2);
	ends[2] = bytes->size;
}

static void
test_undamaged_is_the_same(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= 30; seed++) {
		struct readtrace strict = { 0 }, got;
		struct sim_options options;
		struct wire bytes;
		sim_options_random(&options, seed);
		struct sim *sim = sim_new(&options);
		wire_init(&bytes, NULL);
		assert_true(sim_write(sim, &bytes, NULL, NULL));
		readtrace_bytes(&strict, bytes.data, bytes.size);
		read_leniently(&got, bytes.data, bytes.size);
		assert_string_equal(got.events.bytes, strict.events.bytes);
		assert_int_equal(got.last_time_ns, strict.last_time_ns);
		assert_int_equal(got.result.damage.count, 0);
		readtrace_release(&strict);
		readtrace_release(&got);
		wire_release(&bytes);
		sim_free(sim);
	}
}

static void
test_cut_at_every_byte(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LENGTH(versions); i++) {
		struct readtrace whole = { 0 };
		struct wire bytes;
		size_t ends[3], good = 0;
		uint64_t events = 0;
		simulate(&bytes, versions[i], 7);
		find_generations(&bytes, ends);
		readtrace_bytes(&whole, bytes.data, bytes.size);
		for (size_t size = 16; size < bytes.size; size++) {
			struct readtrace got;
			read_leniently(&got, bytes.data, size);
			while (good < 3 && size >= ends[good])
				good++;
			check_map(&got, size, "cut at", size);
			check_generations(&whole, &got, good, "cut at", size);
			if (got.result.wire_events < events)
				fail_msg("go 1.%u cut at %zu: less than when cut before", versions[i],
				         size);
			events = got.result.wire_events;
			readtrace_release(&got);
		}
		/* Next to everything can be told. */
		assert_true(events + 4 >= whole.result.wire_events);
		readtrace_release(&whole);
		wire_release(&bytes);
	}
}

static void
test_each_byte_changed(void **state)
{
	static const unsigned changes[] = { 0xff, 0x01, 0x80, 0x04 };
	(void)state;
	for (size_t i = 0; i < ARRAY_LENGTH(versions); i++) {
		struct readtrace whole = { 0 };
		struct wire bytes;
		size_t ends[3];
		uint64_t events = 0, runs = 0;
		simulate(&bytes, versions[i], 9);
		find_generations(&bytes, ends);
		readtrace_bytes(&whole, bytes.data, bytes.size);
		for (size_t place = 16; place < bytes.size; place++) {
			size_t good = 0;
			uint8_t *byte = &bytes.data[place], kept = *byte;
			struct readtrace got;
			*byte = (uint8_t)(kept ^ changes[place % ARRAY_LENGTH(changes)]);
			read_leniently(&got, bytes.data, bytes.size);
			*byte = kept;
			while (place >= ends[good])
				good++;
			if (!got.ok)
				fail_msg("go 1.%u, byte %zu: %s", versions[i], place,
				         readtrace_problem(&got));
			check_map(&got, bytes.size, "byte", place);
			check_generations(&whole, &got, good, "byte", place);
			events += got.result.wire_events;
			runs++;
			readtrace_release(&got);
		}
		/* One byte takes a batch at most, mostly a few events. */
		assert_true(events > runs * whole.result.wire_events * 9 / 10);
		readtrace_release(&whole);
		wire_release(&bytes);
	}
}

/* ---- a generation that is not there */

static size_t
count_lines(const char *text, const char *part)
{
	size_t count = 0;
	for (; (text = strstr(text, part)) != NULL; text++)
		count++;
	return count;
}

static void
test_generation_removed(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LENGTH(versions); i++) {
		struct readtrace whole = { 0 }, got;
		struct wire bytes;
		size_t ends[3];
		simulate(&bytes, versions[i], 11);
		find_generations(&bytes, ends);
		readtrace_bytes(&whole, bytes.data, bytes.size);
		memmove(bytes.data + ends[0], bytes.data + ends[1], bytes.size - ends[1]);
		read_leniently(&got, bytes.data, bytes.size - (ends[1] - ends[0]));
		assert_true(got.ok);
		check_generations(&whole, &got, 1, "seed", 11);
		assert_int_equal(got.generation_count, 2);
		const struct damage *gap = &got.result.damage.rows[0];
		assert_int_equal(gap->cause, DAMAGE_MISSING);
		assert_int_equal(gap->first_generation, gap->last_generation);
		assert_int_equal(gap->lost_bytes, 0);
		assert_true(gap->from_ns == gap->blank_ns && gap->from_ns < gap->to_ns);
		/* All that had a state has none, until the next generation tells of it. */
		const char *behind = got.events.bytes + got.generation_ends[0];
		assert_true(count_lines(behind, "->Undetermined") > 2);
		assert_true(count_lines(behind, " Undetermined->") > 1);
		assert_int_equal(count_lines(got.events.bytes, "->Undetermined") -
		                         count_lines(behind, "->Undetermined"), 0);
		/* Next to nothing of the generation behind the gap is lost. */
		assert_true(count_lines(behind, "\n") - count_lines(behind, "->Undetermined") + 2 >=
		            count_lines(whole.events.bytes + whole.generation_ends[1], "\n"));
		readtrace_release(&whole);
		readtrace_release(&got);
		wire_release(&bytes);
	}
}

/* The bytes [from, to) of a trace once more at `at`. */
static void
read_with_repeat(struct readtrace *got, const struct wire *bytes, size_t at, size_t from, size_t to)
{
	size_t size = bytes->size + to - from;
	uint8_t *copy = memory_realloc(NULL, size);
	assert_non_null(copy);
	memcpy(copy, bytes->data, at);
	memcpy(copy + at, bytes->data + from, to - from);
	memcpy(copy + at + to - from, bytes->data + at, bytes->size - at);
	read_leniently(got, copy, size);
	check_map(got, size, "repeated at", at);
	memory_free(copy);
}

/* Old batches among those of a generation take nothing away from it. */
static void
test_batches_that_come_again(void **state)
{
	struct readtrace whole = { 0 }, got;
	struct wire bytes;
	size_t ends[3], second, third;
	uint64_t generation;
	(void)state;
	simulate(&bytes, 26, 5);
	find_generations(&bytes, ends);
	readtrace_bytes(&whole, bytes.data, bytes.size);
	second = batch_end(&bytes, ends[0], &generation);
	third = batch_end(&bytes, second, &generation);
	const struct { size_t at, from, to; } repeats[] = {
		{ second, 16, ends[0] - 1 },     /* all of the generation before */
		{ second, ends[0], second },     /* of the same generation */
		{ ends[1] + second - ends[0], 16, ends[0] - 1 }, /* of long ago */
	};
	for (size_t i = 0; i < ARRAY_LENGTH(repeats); i++) {
		read_with_repeat(&got, &bytes, repeats[i].at, repeats[i].from, repeats[i].to);
		assert_string_equal(got.events.bytes, whole.events.bytes);
		assert_int_equal(got.result.damage.count, 1);
		assert_int_equal(got.result.damage.rows[0].cause, DAMAGE_REPEATED);
		assert_int_equal(got.result.damage.rows[0].lost_bytes, 0);
		assert_int_equal(got.result.damage.rows[0].places, 0);
		readtrace_release(&got);
	}
	/* Events may stand behind, of threads that were not heard of again. */
	read_with_repeat(&got, &bytes, third, second, third);
	assert_int_equal(got.result.wire_events, whole.result.wire_events);
	assert_int_equal(got.result.damage.rows[0].cause, DAMAGE_REPEATED);
	assert_int_equal(got.result.damage.rows[0].dropped_events, 0);
	readtrace_release(&got);
	readtrace_release(&whole);
	wire_release(&bytes);
}

static void
test_two_traces_in_one_file(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LENGTH(versions); i++) {
		struct readtrace whole = { 0 }, got;
		struct wire bytes;
		simulate(&bytes, versions[i], 3);
		size_t size = bytes.size;
		readtrace_bytes(&whole, bytes.data, size);
		uint8_t *twice = memory_realloc(NULL, 2 * size);
		assert_non_null(twice);
		memcpy(twice, bytes.data, size);
		memcpy(twice + size, bytes.data, size);
		read_leniently(&got, twice, 2 * size);
		assert_true(got.ok);
		check_generations(&whole, &got, 3, "twice", size);
		assert_int_equal(got.result.damage.count, 1);
		assert_int_equal(got.result.damage.rows[0].cause, DAMAGE_JOINED);
		assert_int_equal(got.result.damage.rows[0].from_bytes, size);
		assert_int_equal(got.result.damage.rows[0].lost_bytes, size);
		memory_free(twice);
		readtrace_release(&whole);
		readtrace_release(&got);
		wire_release(&bytes);
	}
}

/* ---- traces made for one thing */

struct row {
	const char *name, *text;
	size_t cut_bytes;          /* from its end */
	enum damage_cause cause;
	const char *problem;       /* part of the first row's message */
	const char *events;        /* all that is delivered */
	uint64_t dropped, ended, skipped, unknown;
};

static const struct row rows[] = {
	{ "a program that never stopped", GO26 SYNC("1") BATCH("1", "0", "5") P0 G1, 0,
	  DAMAGE_NEVER_STOPPED, "incomplete generation found",
	  P0_EVENT G1_EVENT "-/-/- g1 Running->Undetermined\n-/-/- p0 Running->Undetermined\n",
	  0, 0, 0, 2 },
	{ "the same without a frequency", GO22 BATCH("1", "0", "5") P0 G1, 0,
	  DAMAGE_NEVER_STOPPED, "no frequency event found",
	  P0_EVENT G1_EVENT "-/-/- g1 Running->Undetermined\n-/-/- p0 Running->Undetermined\n",
	  0, 0, 0, 2 },
	{ "strings and stacks that were not written",
	  GO25 SYNC("1") BATCH("1", "0", "5") P0 G1 "GoBlock dt=1 reason_string=7 stack=9\n", 0,
	  DAMAGE_NEVER_STOPPED, "strings or stacks of the generation are missing",
	  P0_EVENT G1_EVENT "0/0/1 g1 Running->Waiting\n", 0, 0, 0, 0 },
	{ "a batch that is cut off",
	  GO22 FREQ("1") BATCH("1", "0", "5") P0 G1 BATCH("1", "0", "9") "HeapAlloc dt=1 heapalloc_value=1\n"
	  "GoStop dt=1 reason_string=0 stack=0\n", 2, DAMAGE_CUT, "the input ends",
	  P0_EVENT G1_EVENT "0/0/1 Metric\n"
	  "-/-/- g1 Running->Undetermined\n-/-/- p0 Running->Undetermined\n", 0, 0, 0, 2 },
	{ "a wake-up that is missing",
	  GO22 FREQ("1") BATCH("1", "0", "5") P0 G1 "GoBlock dt=1 reason_string=0 stack=0\n"
	  "GoStart dt=1 g=1 g_seq=2\n", 0, DAMAGE_DISORDER, "failed to advance",
	  P0_EVENT G1_EVENT "0/0/1 g1 Running->Waiting\n-/-/- g1 Waiting->Undetermined\n"
	  "0/0/- g1 Runnable->Running\n", 0, 0, 1, 1 },
	{ "a goroutine of which nobody told",
	  GO22 FREQ("1") BATCH("1", "0", "5") P0 "GoStart dt=1 g=5 g_seq=3\n", 0, DAMAGE_DISORDER,
	  "failed to advance", P0_EVENT "-/-/- g5 NotExist->Undetermined\n"
	  "0/0/- g5 Runnable->Running\n", 0, 0, 1, 1 },
	{ "events that tell nothing of anybody",
	  GO22 FREQ("1") BATCH("1", "0", "5") P0 "GoDestroy dt=1\nGoSyscallEnd dt=1\n" G1, 0,
	  DAMAGE_DISORDER, "expected a goroutine", P0_EVENT G1_EVENT, 2, 0, 0, 0 },
	{ "a start without a proc",
	  GO22 FREQ("1") BATCH("1", "0", "5") P0 G1 "GoBlock dt=1 reason_string=0 stack=0\n"
	  "ProcStop dt=1\nGoUnblock dt=1 g=1 g_seq=1 stack=0\nGoStart dt=1 g=1 g_seq=2\n"
	  "GoStop dt=1 reason_string=0 stack=0\n", 0, DAMAGE_DISORDER, "expected a proc",
	  P0_EVENT G1_EVENT "0/0/1 g1 Running->Waiting\n0/0/- p0 Running->Idle\n"
	  "0/-/- g1 Waiting->Runnable\n0/-/- g1 Runnable->Running\n0/-/1 g1 Running->Runnable\n",
	  0, 0, 0, 0 },
	{ "a goroutine that starts while it runs elsewhere",
	  GO22 FREQ("1") BATCH("1", "0", "5") P0 G1
	  BATCH("1", "1", "20") "ProcStatus dt=1 p=1 pstatus=1\nGoStart dt=1 g=1 g_seq=4\n", 0,
	  DAMAGE_DISORDER, "failed to advance",
	  P0_EVENT G1_EVENT "1/-/- p1 Undetermined->Running\n-/-/- g1 Running->Undetermined\n"
	  "1/1/- g1 Runnable->Running\n", 0, 0, 1, 1 },
	{ "a status that contradicts",
	  GO22 FREQ("1") BATCH("1", "0", "5") P0 G1 FREQ("2") BATCH("2", "0", "20") P0
	  "GoStatus dt=1 g=1 m=" NONE " gstatus=4\n", 0, DAMAGE_DISORDER, "inconsistent status",
	  P0_EVENT G1_EVENT "0/0/1 p0 Running->Running\n-/-/- g1 Running->Undetermined\n"
	  "0/0/- g1 Undetermined->Waiting\n", 0, 0, 0, 1 },
	{ "a collection that goes on behind what was lost",
	  GO22 FREQ("1") BATCH("1", "0", "5") P0 G1 FREQ("2") BATCH("2", "0", "20") P0
	  "GoStatus dt=1 g=1 m=0 gstatus=2\nGCActive dt=1 gc_seq=5\nGCEnd dt=1 gc_seq=6\n", 0,
	  DAMAGE_DISORDER, "failed to advance",
	  P0_EVENT G1_EVENT "0/0/1 p0 Running->Running\n0/0/1 g1 Running->Running\n"
	  "0/0/1 RangeActive\n0/0/1 RangeEnd\n", 0, 0, 1, 0 },
	{ "a goroutine made anew while it stops the world",
	  GO22 FREQ("1") STRINGS("1") "String id=1\n\tdata=\"a\"\n"
	  BATCH("1", "1", "5") "ProcStatus dt=1 p=1 pstatus=1\nGoStatus dt=1 g=2 m=1 gstatus=2\n"
	  "STWBegin dt=1 kind_string=1 stack=0\n"
	  BATCH("1", "0", "50") P0 G1 "GoCreate dt=1 new_g=2 new_stack=0 stack=0\n", 0,
	  DAMAGE_DISORDER, "already exists",
	  "1/-/- p1 Undetermined->Running\n1/1/- g2 Undetermined->Running\n1/1/2 RangeBegin\n"
	  P0_EVENT G1_EVENT "-/-/- RangeEnd\n-/-/- g2 Running->Undetermined\n"
	  "0/0/1 g2 NotExist->Runnable\n", 0, 0, 0, 1 },
	{ "the end of a region in regions that do not end",
	  GO22 FREQ("1") STRINGS("1") "String id=1\n\tdata=\"a\"\nString id=2\n\tdata=\"b\"\n"
	  BATCH("1", "0", "5") P0 G1 "UserRegionBegin dt=1 task=0 name_string=1 stack=0\n"
	  "UserRegionBegin dt=1 task=0 name_string=2 stack=0\n"
	  "UserRegionEnd dt=1 task=0 name_string=1 stack=0\n", 0, DAMAGE_DISORDER,
	  "misuse of region", P0_EVENT G1_EVENT "0/0/1 RegionBegin\n0/0/1 RegionBegin\n"
	  "-/-/1 RegionEnd\n0/0/1 RegionEnd\n", 0, 0, 0, 0 },
};

static void
check_row(const struct row *row)
{
	struct text bytes = { 0 };
	struct readtrace got;
	testing_assemble(row->text, &bytes);
	read_leniently(&got, bytes.bytes, bytes.length - row->cut_bytes);
	const struct damage *damage = &got.result.damage.rows[0];
	if (!got.ok || got.result.damage.count != 1)
		fail_msg("%s: %u rows, \"%s\"", row->name, got.result.damage.count,
		         readtrace_problem(&got));
	if (strcmp(got.events.bytes, row->events) != 0)
		fail_msg("%s: delivered\n%sshould be\n%s", row->name, got.events.bytes, row->events);
	if (strstr(damage->first.message, row->problem) == NULL || damage->cause != row->cause)
		fail_msg("%s: \"%s\", cause %d", row->name, damage->first.message, damage->cause);
	if (damage->dropped_events != row->dropped || damage->ended_batches != row->ended ||
	    damage->skipped_numbers != row->skipped || damage->unknown_states != row->unknown)
		fail_msg("%s: %llu dropped, %llu ended, %llu skipped, %llu unknown", row->name,
		         (unsigned long long)damage->dropped_events,
		         (unsigned long long)damage->ended_batches,
		         (unsigned long long)damage->skipped_numbers,
		         (unsigned long long)damage->unknown_states);
	check_map(&got, bytes.length, row->name, 0);
	readtrace_release(&got);
	text_release(&bytes);
}

static void
test_rows(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LENGTH(rows); i++)
		check_row(&rows[i]);
}

/* An event of a kind that is not known ends its batch; the thread goes on with the next. */
static void
test_unknown_event(void **state)
{
	static const char text[] = GO22 FREQ("1") BATCH("1", "0", "5") P0 G1
		"GoStop dt=1 reason_string=0 stack=0\nProcStop dt=1\n" BATCH("1", "0", "50")
		"ProcStatus dt=1 p=1 pstatus=1\nGoStart dt=1 g=1 g_seq=9\n";
	static const char stop[] = { 19, 1, 0, 0, 11 };
	struct text bytes = { 0 };
	struct readtrace got;
	size_t at = 0;
	(void)state;
	testing_assemble(text, &bytes);
	while (memcmp(bytes.bytes + at, stop, sizeof stop) != 0)
		at++;
	bytes.bytes[at] = 60;
	read_leniently(&got, bytes.bytes, bytes.length);
	assert_string_equal(got.events.bytes, P0_EVENT G1_EVENT
	                    "-/-/- g1 Running->Undetermined\n-/-/- p0 Running->Undetermined\n"
	                    "0/-/- p1 Undetermined->Running\n0/1/- g1 Runnable->Running\n");
	const struct damage *damage = &got.result.damage.rows[0];
	assert_int_equal(got.result.damage.count, 1);
	assert_int_equal(damage->ended_batches, 1);
	assert_int_equal(damage->lost_bytes, 6);
	assert_int_equal(damage->from_bytes, at);
	assert_int_equal(damage->unknown_states, 2);
	assert_int_equal(damage->cause, DAMAGE_CHANGED);
	readtrace_release(&got);
	text_release(&bytes);
}

/*
 * Where a batch in the middle is lost, what its thread ran is unknown from the event before
 * it on, but what runs on another that goes on at once is not.
 */
static void
lose_batch(struct readtrace *got, const char *text, int index)
{
	struct text bytes = { 0 };
	uint64_t generation;
	size_t at = 16;
	testing_assemble(text, &bytes);
	struct wire wire = { .data = (uint8_t *)bytes.bytes, .size = bytes.length };
	for (int i = 0; i < index; i++)
		at = batch_end(&wire, at, &generation);
	size_t end = batch_end(&wire, at, &generation);
	memset(bytes.bytes + at, 0xff, end - at);
	read_leniently(got, bytes.bytes, bytes.length);
	assert_int_equal(got->result.damage.count, 1);
	assert_int_equal(got->result.damage.rows[0].lost_bytes, end - at);
	assert_int_equal(got->result.damage.rows[0].cause, DAMAGE_CHANGED);
	text_release(&bytes);
}

static void
test_lost_batch(void **state)
{
	static const char text[] = GO26 SYNC("1") BATCH("1", "0", "5") P0 G1
		"HeapAlloc dt=9 heapalloc_value=1\n" BATCH("1", "1", "5")
		"ProcStatus dt=0 p=1 pstatus=1\nGoStatus dt=0 g=2 m=1 gstatus=2\n"
		"HeapAlloc dt=80 heapalloc_value=2\n" BATCH("1", "0", "20")
		"HeapAlloc dt=1 heapalloc_value=3\n" BATCH("1", "0", "81")
		"HeapAlloc dt=1 heapalloc_value=4\n" BATCH("1", "1", "86")
		"HeapAlloc dt=1 heapalloc_value=5\n" "EndOfGeneration\n";
	struct readtrace got;
	(void)state;
	lose_batch(&got, text, 3);
	assert_string_equal(got.events.bytes, "1/-/- p1 Undetermined->Running\n"
	                    "1/1/- g2 Undetermined->Running\n" P0_EVENT G1_EVENT
	                    "0/0/1 Metric\n-/-/- g1 Running->Undetermined\n"
	                    "-/-/- p0 Running->Undetermined\n0/-/- Metric\n"
	                    "1/1/2 Metric\n1/1/2 Metric\n");
	readtrace_release(&got);
}

/*
 * What a thread did with others in a batch that is lost shows in their numbers: G3 was ready
 * before it and is woken once more behind it, of G4 and G7 nothing more is told, so all three
 * may have run meanwhile. G6 is to start, G8 blocks for good, and G5 comes when the thread goes
 * on. What is unknown and not told of by the next generation is gone.
 */
static void
test_others_in_a_lost_batch(void **state)
{
	static const char text[] = GO26 SYNC("1") BATCH("1", "0", "5") P0 G1
		"HeapAlloc dt=9 heapalloc_value=1\n" BATCH("1", "1", "5")
		"ProcStatus dt=0 p=1 pstatus=1\nGoStatus dt=0 g=2 m=1 gstatus=2\n"
		"GoStatus dt=0 g=8 m=" NONE " gstatus=4\n"
		"GoCreate dt=1 new_g=3 new_stack=0 stack=0\nGoCreate dt=1 new_g=4 new_stack=0 stack=0\n"
		"GoCreate dt=1 new_g=6 new_stack=0 stack=0\nGoCreate dt=20 new_g=7 new_stack=0 stack=0\n"
		"GoUnblock dt=30 g=3 g_seq=2 stack=0\nHeapAlloc dt=22 heapalloc_value=2\n"
		BATCH("1", "0", "20") "HeapAlloc dt=1 heapalloc_value=3\n"
		BATCH("1", "0", "82") "HeapAlloc dt=1 heapalloc_value=4\n"
		BATCH("1", "1", "86") "GoCreate dt=1 new_g=5 new_stack=0 stack=0\n"
		"GoStop dt=1 reason_string=0 stack=0\nGoStart dt=1 g=6 g_seq=1\n" "EndOfGeneration\n"
		SYNC("2") BATCH("2", "1", "100") "ProcStatus dt=1 p=1 pstatus=1\n"
		"GoStatus dt=1 g=6 m=1 gstatus=2\nGoStatus dt=0 g=8 m=" NONE " gstatus=4\n"
		"EndOfGeneration\n";
	struct readtrace got;
	(void)state;
	lose_batch(&got, text, 3);
	assert_string_equal(got.events.bytes, "1/-/- p1 Undetermined->Running\n"
	                    "1/1/- g2 Undetermined->Running\n1/1/2 g8 Undetermined->Waiting\n"
	                    "1/1/2 g3 NotExist->Runnable\n" P0_EVENT G1_EVENT
	                    "1/1/2 g4 NotExist->Runnable\n1/1/2 g6 NotExist->Runnable\n"
	                    "0/0/1 Metric\n"
	                    "-/-/- g1 Running->Undetermined\n-/-/- p0 Running->Undetermined\n"
	                    "-/-/- g3 Runnable->Undetermined\n-/-/- g4 Runnable->Undetermined\n"
	                    "1/1/2 g7 NotExist->Runnable\n-/-/- g7 Runnable->Undetermined\n"
	                    "1/1/2 g3 Waiting->Runnable\n-/-/- g3 Runnable->Undetermined\n"
	                    "1/1/2 Metric\n0/-/- Metric\n1/1/2 g5 NotExist->Runnable\n"
	                    "1/1/2 g2 Running->Runnable\n1/1/- g6 Runnable->Running\n"
	                    "1/1/6 p1 Running->Running\n1/1/6 g6 Running->Running\n"
	                    "1/1/6 g8 Waiting->Waiting\n"
	                    "-/-/- g3 Undetermined->NotExist\n-/-/- g1 Undetermined->NotExist\n"
	                    "-/-/- g4 Undetermined->NotExist\n-/-/- g7 Undetermined->NotExist\n");
	readtrace_release(&got);
}

/* A file that ends within data of an experiment loses nothing of them but what is not there. */
static void
test_cut_in_experiment(void **state)
{
	static const char text[] = GO26 SYNC("1") BATCH("1", "0", "5") P0 G1
		"ExperimentalBatch exp=1 gen=1 m=0 time=0\n\tdata=\"\\x00\\x05\\x00\\x18\\x08\\x01T\\x06\\x00\"\n";
	struct text bytes = { 0 };
	struct readtrace got;
	(void)state;
	testing_assemble(text, &bytes);
	read_leniently(&got, bytes.bytes, bytes.length - 2);
	assert_true(got.ok);
	assert_int_equal(got.result.experimental_bytes, 7);
	assert_int_equal(got.result.damage.count, 1);
	assert_int_equal(got.result.damage.rows[0].cause, DAMAGE_CUT);
	assert_int_equal(got.result.damage.rows[0].lost_bytes, 0);
	readtrace_release(&got);
	text_release(&bytes);
}

/* Nothing to show is a failure, as it is strictly. */
static void
test_nothing(void **state)
{
	static const char *const files[] = { "go 1.22 trace\0\0", "go 1.23 trace\0\0" };
	(void)state;
	for (size_t i = 0; i < ARRAY_LENGTH(files); i++) {
		struct readtrace got;
		read_leniently(&got, files[i], 16);
		assert_false(got.ok);
		readtrace_release(&got);
	}
}

/* Very many threads that all wait for what never comes: each is asked once, about. */
static void
test_many_stuck_threads(void **state)
{
	enum { THREADS = 20000 };
	struct text text = { 0 };
	struct readtrace got = { .is_lenient = true };
	(void)state;
	text_add_string(&text, GO22 FREQ("1"));
	for (unsigned m = 0; m < THREADS; m++)
		text_format(&text, "EventBatch gen=1 m=%u time=%u size=*\n"
		            "GoStart dt=1 g=%u g_seq=5\n", m, m, m + 1);
	readtrace_text(&got, text.bytes);
	assert_true(got.ok);
	assert_int_equal(got.result.wire_events, THREADS);
	readtrace_release(&got);
	text_release(&text);
}

/*
 * What takes too long to sort out is left alone: the row has the bytes, and lasts until the
 * next generation. That one would take longer still, so that everything ends before it.
 */
static void
test_given_up(void **state)
{
	enum { THREADS = 20000 };
	struct text text = { 0 };
	struct readtrace got = { .is_lenient = true };
	const struct damage *damage = got.result.damage.rows;
	(void)state;
	text_add_string(&text, GO22 FREQ("1") BATCH("1", "0", "5") P0 G1);
	for (unsigned m = 1; m < THREADS; m++)
		text_format(&text, "EventBatch gen=1 m=%u time=%u size=*\n"
		            "GoStart dt=1 g=%u g_seq=5\nGoStatus dt=1 g=%u m=" NONE " gstatus=4\n",
		            m, m + 100, m + 1, m + 1);
	text_add_string(&text, FREQ("2") BATCH("2", "0", "900000") P0 G1);
	readtrace_text(&got, text.bytes);
	if (!got.ok)
		fail_msg("\"%s\"", readtrace_problem(&got));
	assert_int_equal(strncmp(got.events.bytes, P0_EVENT G1_EVENT, strlen(P0_EVENT G1_EVENT)), 0);
	assert_int_equal(got.result.damage.count, 2);
	assert_true(damage[0].lost_bytes > THREADS);
	assert_true(damage[0].to_bytes - damage[0].from_bytes >= damage[0].lost_bytes);
	assert_int_equal(damage[0].to_ns, 900000);
	assert_non_null(strstr(damage[0].first.message, "takes too long to sort out: "));
	assert_int_equal(damage[1].to_ns, TIME_OPEN);
	assert_int_equal(damage[1].first_generation, 2);
	assert_int_equal(damage[1].first.batch, 0);
	assert_true(damage[1].lost_bytes > 0 && damage[1].from_bytes >= damage[0].to_bytes);
	assert_non_null(strstr(damage[1].first.message, "too much that became unknown"));
	readtrace_release(&got);
	text_release(&text);
}

/* All that there is becomes unknown in every gap. With very many of both that has an end. */
static void
test_many_gaps(void **state)
{
	enum { PROCS = 20000, GAPS = 1500 };
	struct text text = { 0 };
	struct readtrace got = { .is_lenient = true };
	(void)state;
	text_add_string(&text, GO22 FREQ("1"));
	for (unsigned p = 0; p < PROCS; p++) {
		if (p % 5000 == 0)
			text_format(&text, "EventBatch gen=1 m=0 time=%u size=*\n", p + 1);
		text_format(&text, "ProcStatus dt=1 p=%u pstatus=2\n", p);
	}
	for (unsigned gap = 1; gap <= GAPS; gap++)
		text_format(&text, "EventBatch gen=%u m=" NONE " time=0 size=*\n"
		            "Frequency freq=1000000000\nEventBatch gen=%u m=1 time=%u size=*\n"
		            "GoStatus dt=1 g=1 m=" NONE " gstatus=4\n",
		            2 * gap + 1, 2 * gap + 1, 50000 * gap);
	readtrace_text(&got, text.bytes);
	if (!got.ok)
		fail_msg("\"%s\"", readtrace_problem(&got));
	assert_in_range(got.generation_count, 500, GAPS);
	const struct damage *last = &got.result.damage.rows[got.result.damage.count - 1];
	assert_int_equal(last->to_ns, TIME_OPEN);
	assert_int_equal(last->last_generation, 2 * got.generation_count + 1);
	readtrace_release(&got);
	text_release(&text);
}

/* What nobody tells of behind a gap is gone, though it takes some generations to be sure. */
static void
test_unseen_behind_gap(void **state)
{
	static const char text[] = GO22 FREQ("1") BATCH("1", "0", "5") P0 G1
		"GoStatus dt=1 g=2 m=" NONE " gstatus=4\n" FREQ("3") BATCH("3", "0", "50") P0 G1
		"GoBlock dt=1 reason_string=0 stack=0\nGoStart dt=1 g=1 g_seq=2\n"
		FREQ("4") BATCH("4", "0", "90") P0 G1;
	struct readtrace got = { .is_lenient = true };
	(void)state;
	readtrace_text(&got, text);
	assert_int_equal(got.generation_count, 3);
	assert_int_equal(got.result.damage.count, 2);
	assert_null(strstr(got.events.bytes, "g1 Undetermined->NotExist"));
	assert_string_equal(got.events.bytes + got.generation_ends[2],
	                    "-/-/- g2 Undetermined->NotExist\n");
	readtrace_release(&got);
}

static void
test_causes(void **state)
{
	static const struct {
		const char *name;
		struct cause_signs signs;
		enum damage_cause cause;
	} cases[] = {
		{ "end behind a batch", { .is_tail = true, .is_between_batches = true },
		  DAMAGE_NEVER_STOPPED },
		{ "end with a block", { .is_tail = true, .end_bytes = 3 * 4096 }, DAMAGE_DISK_FULL },
		{ "end with a block of what was unpacked",
		  { .is_tail = true, .is_packed = true, .end_bytes = 3 * 4096 }, DAMAGE_CUT },
		{ "end anywhere", { .is_tail = true, .end_bytes = 5000 }, DAMAGE_CUT },
		{ "zeros at the end",
		  { .is_tail = true, .end_bytes = 8192, .lost_bytes = 4000, .zero_run_bytes = 990 },
		  DAMAGE_ZEROED },
		{ "zeros within", { .lost_bytes = 512, .zero_run_bytes = 64 }, DAMAGE_ZEROED },
		{ "a few zeros", { .lost_bytes = 12, .zero_run_bytes = 12 }, DAMAGE_CHANGED },
		{ "other bytes", { .lost_bytes = 512, .zero_run_bytes = 30 }, DAMAGE_CHANGED },
		{ "bytes that are not there", { .lost_bytes = 512, .is_missing = true },
		  DAMAGE_MISSING },
		{ "contradictions", { .is_disorder = true }, DAMAGE_DISORDER },
		{ "batches that come again", { .lost_bytes = 512, .has_repeats = true },
		  DAMAGE_REPEATED },
		{ "another trace", { .is_tail = true, .is_other_trace = true }, DAMAGE_JOINED },
	};
	(void)state;
	for (size_t i = 0; i < ARRAY_LENGTH(cases); i++) {
		enum damage_cause cause = cause_of(&cases[i].signs);
		if (cause != cases[i].cause)
			fail_msg("%s: %d", cases[i].name, cause);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_undamaged_is_the_same),
		cmocka_unit_test(test_cut_at_every_byte),
		cmocka_unit_test(test_each_byte_changed),
		cmocka_unit_test(test_generation_removed),
		cmocka_unit_test(test_batches_that_come_again),
		cmocka_unit_test(test_two_traces_in_one_file),
		cmocka_unit_test(test_rows),
		cmocka_unit_test(test_unknown_event),
		cmocka_unit_test(test_lost_batch),
		cmocka_unit_test(test_others_in_a_lost_batch),
		cmocka_unit_test(test_cut_in_experiment),
		cmocka_unit_test(test_nothing),
		cmocka_unit_test(test_many_stuck_threads),
		cmocka_unit_test(test_given_up),
		cmocka_unit_test(test_many_gaps),
		cmocka_unit_test(test_unseen_behind_gap),
		cmocka_unit_test(test_causes),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

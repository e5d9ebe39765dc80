/*
 * A trace that was kept in a cache: it is the same when it comes back, or it is not believed.
 */
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/compiler.h"
#include "base/descriptor.h"
#include "base/thread.h"
#include "base_testing.h"
#include "cache/form.h"
#include "cachetesting.h"
#include "smalltraces.h"
#include "source/go/words.h"
#include "telling.h"
#include "tracesim.h"
#include "tracetesting.h"

static void
make_cache(const struct trace *trace, struct text *out)
{
	struct error err = { 0 };
	if (!cachetesting_write(trace, out, &err))
		fail_msg("%s", err.message);
	assert_int_equal(out->length, cache_size(trace));
}

static struct trace *
reopen(const struct text *bytes, struct error *err)
{
	error_clear(err);
	struct trace *trace =
		cache_open_memory(bytes->bytes, bytes->length, &cachetesting_key, true, err);
	if (trace != NULL)
		trace->words = &go_words; /* as all that open one do */
	return trace;
}

/* ---- what comes back */

static void
check_same(const char *name, struct trace *trace)
{
	struct text bytes = { 0 }, told = { 0 }, told_again = { 0 };
	struct error err;
	make_cache(trace, &bytes);
	struct trace *again = reopen(&bytes, &err);
	if (again == NULL)
		fail_msg("%s: %s", name, err.message);
	tell_trace(trace, &told);
	tell_trace(again, &told_again);
	assert_true(trace_is_sound(again));
	check_text(name, told_again.bytes, told.bytes);
	assert_true(cache_check_all(again));
	text_release(&bytes);
	text_release(&told);
	text_release(&told_again);
	trace_free(again);
	trace_free(trace);
}

static void
check_whole(const char *name)
{
	check_same(name, testing_load(name));
}

static void
what_comes_back_is_the_same(void **state)
{
	(void)state;
	testing_each(".trace", check_whole);
}

static void
damaged_traces_come_back_as_damaged(void **state)
{
	(void)state;
	struct trace *trace = testing_load_cut("long-go1.26", 60);
	assert_true(trace->damage.count > 0);
	check_same("cut off", trace);
	static const char *const names[] = { "tasks-go1.26", "httpserver-go1.22", "long-go1.23" };
	for (size_t i = 0; i < ARRAY_LENGTH(names); i++) {
		trace = testing_load_without(names[i], 20000, 3000);
		assert_true(trace->damage.count > 0);
		check_same(names[i], trace);
	}
}

/* Alive at a time, about; with few of them each does more, so that there are carries. */
enum { FEW = 6, MANY = 50 };

static struct trace *
simulated(uint64_t seed, uint32_t goroutines)
{
	struct sim_options options;
	struct wire bytes;
	sim_options_init(&options);
	options.seed = seed;
	options.goroutines = goroutines;
	options.generations = 8;
	options.events = 400;
	wire_init(&bytes, NULL);
	struct sim *sim = sim_new(&options);
	assert_non_null(sim);
	assert_true(sim_write(sim, &bytes, NULL, NULL));
	sim_free(sim);
	struct trace *trace = testing_load_bytes("simulated", bytes.data, bytes.size);
	wire_release(&bytes);
	return trace;
}

/* Procs are lost in syscalls at any time, also between two segments. */
static void
simulated_traces_come_back_the_same(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= 40; seed++) {
		check_same("many", simulated(seed, MANY));
		check_same("few", simulated(seed, FEW));
	}
}

/* ---- what is not believed */

/* The cache of the first small trace, and what that trace tells. */
struct small {
	struct text bytes, told;
};

static void
small_init(struct small *small)
{
	struct text trace_bytes = { 0 };
	*small = (struct small){ { 0 }, { 0 } };
	testing_assemble(small_traces[0].text, &trace_bytes);
	struct trace *trace = testing_load_bytes("small", trace_bytes.bytes, trace_bytes.length);
	make_cache(trace, &small->bytes);
	tell_trace(trace, &small->told);
	trace_free(trace);
	text_release(&trace_bytes);
}

static void
small_release(struct small *small)
{
	text_release(&small->bytes);
	text_release(&small->told);
}

/* Opens the bytes and looks: not taken at all, noticed later, or told as it should be. */
enum finding { REFUSED, NOTICED, HARMLESS };

static enum finding
look(const struct small *small, size_t size, const char *what)
{
	struct text told = { 0 };
	struct error err = { 0 };
	struct trace *trace =
		cache_open_memory(small->bytes.bytes, size, &cachetesting_key, true, &err);
	if (trace == NULL) {
		assert_int_equal(err.kind, ERROR_FORMAT);
		return REFUSED;
	}
	trace->words = &go_words;
	tell_trace(trace, &told);
	bool is_sound = trace_is_sound(trace);
	if (is_sound)
		check_text(what, told.bytes, small->told.bytes);
	text_release(&told);
	trace_free(trace);
	return is_sound ? HARMLESS : NOTICED;
}

static void
a_byte_that_changed_is_noticed(void **state)
{
	(void)state;
	size_t counts[3] = { 0 };
	struct small small;
	small_init(&small);
	for (size_t at = 0; at < small.bytes.length; at++) {
		char before = small.bytes.bytes[at];
		small.bytes.bytes[at] = (char)(before ^ 1 << at % 8);
		counts[look(&small, small.bytes.length, "changed")]++;
		small.bytes.bytes[at] = before;
	}
	assert_true(counts[REFUSED] > small.bytes.length / 2);
	assert_true(counts[NOTICED] > 0);
	/* Padding in the bodies is all that nobody reads. */
	assert_true(counts[HARMLESS] < small.bytes.length / 10);
	assert_int_equal(look(&small, small.bytes.length, "unchanged"), HARMLESS);
	small_release(&small);
}

static void
a_cache_that_is_cut_off_is_refused(void **state)
{
	(void)state;
	struct small small;
	small_init(&small);
	for (size_t size = 0; size < small.bytes.length; size++)
		assert_int_equal(look(&small, size, "cut off"), REFUSED);
	small_release(&small);
}

/* Whether a cache is taken whose trailer says something else, its sum made to fit. */
static bool
is_taken_with(const struct small *small, void (*change)(struct form_trailer *trailer))
{
	struct form_trailer trailer;
	char *at = small->bytes.bytes + small->bytes.length - sizeof trailer;
	memcpy(&trailer, at, sizeof trailer);
	change(&trailer);
	trailer.sum = form_trailer_sum(&trailer);
	memcpy(at, &trailer, sizeof trailer);
	return look(small, small->bytes.length, "foreign") != REFUSED;
}

static void
change_nothing(struct form_trailer *trailer)
{
	(void)trailer;
}

static void
change_version(struct form_trailer *trailer)
{
	trailer->version++;
}

static void
change_release(struct form_trailer *trailer)
{
	trailer->release[0]++;
}

static void
change_fingerprint(struct form_trailer *trailer)
{
	trailer->fingerprint++;
}

static void
change_byte_order(struct form_trailer *trailer)
{
	trailer->byte_order = UINT64_C(0x0807060504030201);
}

static void
change_key(struct form_trailer *trailer)
{
	trailer->key.sample++;
}

static void
a_foreign_cache_is_refused(void **state)
{
	(void)state;
	static void (*const changes[])(struct form_trailer *) = { change_version, change_release,
		change_fingerprint, change_byte_order, change_key };
	for (size_t i = 0; i < ARRAY_LENGTH(changes); i++) {
		struct small small;
		small_init(&small);
		assert_true(is_taken_with(&small, change_nothing));
		assert_false(is_taken_with(&small, changes[i]));
		small_release(&small);
	}
}

/* ---- carries and runs that are not as they are written, in a cache whose sums fit */

/* One of a goroutine and one of a proc, and what they belong to. */
struct carries {
	struct segment *segment, *proc_segment;
	struct run_anchor *anchor;
	struct carry *carry;
	struct resource_carry *proc;
};

static void
find_carries(struct trace *trace, struct carries *found)
{
	*found = (struct carries){ 0 };
	for (uint32_t i = 0; i < trace->segments.count; i++) {
		struct segment *segment = trace_segment(trace, i);
		for (uint32_t k = 0; k < segment->anchor_count; k++) {
			if (segment->anchors[k].carry == REF_NONE)
				continue;
			found->segment = segment;
			found->anchor = &segment->anchors[k];
			found->carry = &segment->carries[found->anchor->carry];
		}
		for (uint32_t k = 0; k < segment->processors.run_count; k++) {
			if (segment->processors.runs[k].ordinal == 0)
				continue;
			found->proc_segment = segment;
			found->proc = &segment->processors.runs[k].carry;
		}
	}
	assert_true(found->carry != NULL && found->proc != NULL);
}

enum carry_change {
	NO_CHANGE, NO_CLASS, NEGATIVE_SUM, LONG_SUM, LONG_SUMS, OTHER_CARRY, NO_CARRY,
	PROC_NO_CLASS, PROC_ENDED_BEFORE, PROC_ENDED_LATE, PROC_NEGATIVE_SUM, PROC_LONG_SUM,
	OTHER_CHECKPOINT, LESS_ANCHORS, LESS_PASTS, LESS_RUNS, LATE_FIRST, SHORT_LAST, OTHER_PREVIOUS,
	CARRY_CHANGE_COUNT,
};

static void
change_proc_carry(const struct carries *carries, enum carry_change change)
{
	switch (change) {
	case PROC_NO_CLASS:
		carries->proc->time_class = CLASS_COUNT;
		return;
	case PROC_ENDED_BEFORE:
		carries->proc->ended_ns = -1;
		return;
	case PROC_ENDED_LATE:
		carries->proc->ended_ns = carries->proc_segment->end_ns + 1;
		return;
	case PROC_NEGATIVE_SUM:
		carries->proc->worker_ns = -1;
		return;
	case PROC_LONG_SUM:
		carries->proc->syscall_ns = carries->proc_segment->end_ns + 1;
		return;
	default:
		return;
	}
}

static void
change_carry(const struct carries *carries, enum carry_change change)
{
	switch (change) {
	case NO_CLASS:
		carries->carry->time_class = CLASS_COUNT;
		return;
	case NEGATIVE_SUM:
		carries->carry->sums_ns[CLASS_READY] = -1;
		return;
	case LONG_SUM:
		carries->carry->sums_ns[CLASS_READY] = carries->segment->end_ns + 1;
		return;
	case LONG_SUMS:
		carries->carry->sums_ns[CLASS_READY] = carries->segment->end_ns;
		carries->carry->sums_ns[CLASS_RUNNING] = 1;
		return;
	case OTHER_CARRY:
		carries->anchor->carry++;
		return;
	case NO_CARRY:
		carries->anchor->carry = REF_NONE;
		return;
	case OTHER_CHECKPOINT:
		carries->anchor->checkpoint++;
		return;
	case LESS_ANCHORS:
		carries->segment->anchor_count--;
		return;
	case LESS_PASTS:
		carries->segment->past_count = carries->segment->anchor_count - 1;
		return;
	case LESS_RUNS:
		carries->segment->run_count = carries->segment->past_count - 1;
		return;
	case LATE_FIRST:
		carries->segment->runs[0].first++;
		return;
	case SHORT_LAST:
		carries->segment->runs[carries->segment->run_count].first--;
		return;
	case OTHER_PREVIOUS:
		carries->segment->pasts[0].previous_run++;
		return;
	default:
		change_proc_carry(carries, change);
	}
}

static void
runs_that_cannot_be_are_refused(void **state)
{
	(void)state;
	for (unsigned i = 0; i < CARRY_CHANGE_COUNT; i++) {
		struct trace *trace = simulated(1, FEW);
		struct text bytes = { 0 };
		struct carries carries;
		struct error err;
		find_carries(trace, &carries);
		change_carry(&carries, (enum carry_change)i);
		make_cache(trace, &bytes);
		struct trace *again = reopen(&bytes, &err);
		if ((again != NULL) != (i == NO_CHANGE))
			fail_msg("change %u: %s", i, again != NULL ? "taken" : err.message);
		trace_free(again);
		text_release(&bytes);
		trace_free(trace);
	}
}

/* ---- the key */

static void
read_key(int fd, struct cache_key *key)
{
	struct error err = { 0 };
	assert_true(cache_key_read(fd, 1, key, &err));
}

/* Leaves the times of the file as they were. */
static void
write_byte(int fd, off_t at, char byte)
{
	struct stat status;
	assert_int_equal(fstat(fd, &status), 0);
	assert_int_equal(pwrite(fd, &byte, 1, at), 1);
	assert_int_equal(futimens(fd, (struct timespec[]){ status.st_atim, status.st_mtim }), 0);
}

static void
another_trace_has_another_key(void **state)
{
	(void)state;
	enum { BYTES = 1 << 20 };
	static char zeros[BYTES];
	struct text path = { 0 };
	text_add_string(&path, "/tmp/ttrace-key.");
	int fd = descriptor_make_file(&path);
	struct cache_key key, other;
	struct error err = { 0 };
	assert_int_equal(unlink(path.bytes), 0);
	text_release(&path);
	assert_int_equal(write(fd, zeros, BYTES), BYTES);
	read_key(fd, &key);
	read_key(fd, &other);
	assert_true(cache_key_is_same(&key, &other));

	const off_t places[] = { 0, BYTES - 1, BYTES / 2 + BYTES / 126 };
	for (size_t i = 0; i < ARRAY_LENGTH(places); i++) {
		write_byte(fd, places[i], 'x');
		read_key(fd, &other);
		assert_false(cache_key_is_same(&key, &other));
		assert_int_not_equal(cache_key_number(&key), cache_key_number(&other));
		write_byte(fd, places[i], '\0');
		read_key(fd, &other);
		assert_true(cache_key_is_same(&key, &other));
	}
	assert_int_equal(
		futimens(fd, (struct timespec[]){ { .tv_sec = 5 }, { .tv_sec = 5, .tv_nsec = 7 } }), 0);
	read_key(fd, &other);
	assert_false(cache_key_is_same(&key, &other));
	read_key(fd, &key);
	assert_int_equal(write(fd, zeros, 1), 1);
	read_key(fd, &other);
	assert_false(cache_key_is_same(&key, &other));
	assert_true(cache_key_read(fd, 0, &key, &err) && !cache_key_is_same(&key, &other));
	close(fd);

	int ends[2];
	assert_int_equal(pipe(ends), 0);
	assert_false(cache_key_read(ends[0], 1, &key, &err));
	assert_int_equal(err.kind, ERROR_FORMAT);
	close(ends[0]);
	close(ends[1]);
}

/* ---- faults and threads */

static struct text fault_bytes;
static struct trace *fault_trace;

static bool
try_to_write(struct error *err)
{
	struct text out = { 0 };
	bool is_fine = cachetesting_write(fault_trace, &out, err);
	text_release(&out);
	return is_fine;
}

static bool
try_to_open(struct error *err)
{
	struct trace *trace = cache_open_memory(
		fault_bytes.bytes, fault_bytes.length, &cachetesting_key, true, err);
	trace_free(trace);
	return trace != NULL;
}

static void
a_want_of_memory_is_told(void **state)
{
	(void)state;
	fault_trace = testing_load("allocfree-go1.26");
	make_cache(fault_trace, &fault_bytes);
	fail_each_allocation("writing", try_to_write);
	fail_each_allocation("opening", try_to_open);
	trace_free(fault_trace);
	text_release(&fault_bytes);
}

static void
tell_on_thread(void *context)
{
	struct trace *const *trace = context;
	struct text told = { 0 };
	tell_trace(*trace, &told);
	text_release(&told);
}

static void
parts_are_checked_by_any_thread(void **state)
{
	(void)state;
	enum { THREADS = 3 };
	struct worker *workers[THREADS];
	struct trace *trace = testing_load("long-go1.26");
	struct text bytes = { 0 };
	struct error err;
	make_cache(trace, &bytes);
	struct trace *again = reopen(&bytes, &err);
	assert_non_null(again);
	for (int i = 0; i < THREADS; i++)
		assert_non_null(workers[i] = worker_new(tell_on_thread, &again, &err));
	for (int i = 0; i < THREADS; i++)
		worker_join(workers[i]);
	assert_true(trace_is_sound(again));
	trace_free(again);
	trace_free(trace);
	text_release(&bytes);
}

int
main(void)
{
	if (!cache_is_available())
		return 77;
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_comes_back_is_the_same),
		cmocka_unit_test(simulated_traces_come_back_the_same),
		cmocka_unit_test(damaged_traces_come_back_as_damaged),
		cmocka_unit_test(a_byte_that_changed_is_noticed),
		cmocka_unit_test(a_cache_that_is_cut_off_is_refused),
		cmocka_unit_test(a_foreign_cache_is_refused),
		cmocka_unit_test(runs_that_cannot_be_are_refused),
		cmocka_unit_test(another_trace_has_another_key),
		cmocka_unit_test(a_want_of_memory_is_told),
		cmocka_unit_test(parts_are_checked_by_any_thread),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

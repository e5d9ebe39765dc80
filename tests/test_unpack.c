/*
 * Compressed traces: they give what the plain ones give, whichever way the bytes
 * come; and what is damaged, cut or hostile is told with its places, with all
 * kept that could be unpacked.
 */
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/compiler.h"
#include "base/memory.h"
#include "gotrace_testing.h"
#include "input/unpack.h"
#include "packing.h"
#include "tracetesting.h"

/* Three generations, so that a cut leaves some of them whole. */
#define LATER(gen, time) \
	BATCH(gen, "0", time) P0 "GoStatus dt=1 g=1 m=0 gstatus=2\n" \
	"HeapGoal dt=1 heapgoal_value=4096\nHeapGoal dt=77 heapgoal_value=8192\n"
static const char small_text[] = GO22 FREQ("1") BATCH("1", "0", "100") P0 G1
	FREQ("2") LATER("2", "200") FREQ("3") LATER("3", "400");

/* ---- ways to pack */

static const struct packer *
other(const struct packer *packer)
{
	return &packers[packer == &packers[0]];
}

static void
one_member(const struct packer *packer, struct text *out, const struct text *plain)
{
	packer->pack(out, plain->bytes, plain->length);
}

static void
many_members(const struct packer *packer, struct text *out, const struct text *plain)
{
	for (size_t at = 0; at < plain->length;) {
		size_t size = plain->length - at < 997 ? plain->length - at : 997;
		packer->pack(out, plain->bytes + at, size);
		packer->pack(out, "", 0);
		at += size;
	}
}

static void
padded(const struct packer *packer, struct text *out, const struct text *plain)
{
	static const char zeros[70000];
	packer->pack(out, plain->bytes, plain->length);
	text_add(out, zeros, sizeof(zeros));
}

static void
twice(const struct packer *packer, struct text *out, const struct text *plain)
{
	struct text once = { 0 };
	packer->pack(&once, plain->bytes, plain->length);
	packer->pack(out, once.bytes, once.length);
	text_release(&once);
}

/* Without the other library: just once. */
static void
mixed(const struct packer *packer, struct text *out, const struct text *plain)
{
	struct text once = { 0 };
	if (!other(packer)->is_built) {
		packer->pack(out, plain->bytes, plain->length);
		return;
	}
	other(packer)->pack(&once, plain->bytes, plain->length);
	packer->pack(out, once.bytes, once.length);
	text_release(&once);
}

static const struct {
	const char *name;
	void (*pack)(const struct packer *packer, struct text *out, const struct text *plain);
} ways[] = {
	{ "one member", one_member }, { "many members", many_members },
	{ "padded with zeros", padded }, { "packed twice", twice },
	{ "packed in both", mixed },
};

/* ---- the same events */

static void
check_same(const struct readtrace *whole, const struct readtrace *got, const char *name,
           const char *way)
{
	if (*readtrace_problem(got) != '\0')
		fail_msg("%s, %s: %s", name, way, readtrace_problem(got));
	if (strcmp(whole->events.bytes, got->events.bytes) != 0)
		fail_msg("%s, %s: other events", name, way);
	assert_true(got->result.is_packed);
}

static void
check_ways(const char *name, const struct text *plain, size_t read_bytes_max)
{
	struct readtrace whole = { 0 };
	readtrace_bytes(&whole, plain->bytes, plain->length);
	assert_string_equal(readtrace_problem(&whole), "");
	assert_false(whole.result.is_packed);
	for (size_t i = 0; i < PACKERS * ARRAY_LENGTH(ways); i++) {
		const struct packer *packer = &packers[i % PACKERS];
		struct readtrace got = { .read_bytes_max = read_bytes_max };
		struct text packed = { 0 };
		if (!packer->is_built)
			continue;
		ways[i / PACKERS].pack(packer, &packed, plain);
		readtrace_bytes(&got, packed.bytes, packed.length);
		check_same(&whole, &got, name, ways[i / PACKERS].name);
		assert_int_equal(got.result.read_bytes, packed.length);
		readtrace_release(&got);
		text_release(&packed);
	}
	readtrace_release(&whole);
}

static void
test_ways(void **state)
{
	static const size_t sizes[] = { 0, 1, 2, 100 };
	struct text plain = { 0 };
	(void)state;
	testing_assemble(small_text, &plain);
	for (size_t i = 0; i < ARRAY_LENGTH(sizes); i++)
		check_ways("the small trace", &plain, sizes[i]);
	text_release(&plain);
}

static void
check_testdata(const char *name)
{
	struct text plain = { 0 };
	testing_read(testing_path(name, ".trace"), &plain);
	if (strstr(name, "go1.19") == NULL)
		check_ways(name, &plain, 0);
	text_release(&plain);
}

static void
test_testdata(void **state)
{
	(void)state;
	testing_each(".trace", check_testdata);
}

/* ---- files and pipes */

struct writer {
	int fd;
	const struct text *bytes;
};

static void *
write_slowly(void *context)
{
	const struct writer *writer = context;
	size_t at = 0;
	while (at < writer->bytes->length) {
		size_t left = writer->bytes->length - at;
		ssize_t count = write(writer->fd, writer->bytes->bytes + at, left < 977 ? left : 977);
		if (count <= 0)
			break;
		at += (size_t)count;
	}
	close(writer->fd);
	return NULL;
}

static bool
count_event(void *context, const struct go_event *event, struct error *err)
{
	(void)context;
	(void)event;
	(void)err;
	return true;
}

static uint64_t
read_input(struct input *in, struct progress *progress)
{
	struct intern strings;
	struct stack_table stacks;
	const struct go_sink sink = {
		.event = count_event,
		.strings = &strings,
		.stacks = &stacks,
	};
	const struct go_read_options options = { .progress = progress };
	struct go_read_result result;
	struct error err = { 0 };
	assert_true(intern_init(&strings, &err) && stack_table_init(&stacks, &err));
	if (!go_read(in, &sink, &options, &result, &err))
		fail_msg("%s", err.message);
	assert_false(result.damage.count > 0);
	intern_release(&strings);
	stack_table_release(&stacks);
	return result.events;
}

static uint64_t
read_pipe(const struct text *bytes)
{
	struct progress progress = { 0 };
	struct error err = { 0 };
	struct input in;
	pthread_t thread;
	int ends[2];
	assert_int_equal(pipe(ends), 0);
	struct writer writer = { ends[1], bytes };
	assert_int_equal(pthread_create(&thread, NULL, write_slowly, &writer), 0);
	assert_true(input_open_fd(&in, ends[0], &err));
	uint64_t events = read_input(&in, &progress);
	pthread_join(thread, NULL);
	input_close(&in);
	assert_int_equal(atomic_load(&progress.total_bytes), 0);
	assert_int_equal(atomic_load(&progress.done_bytes), bytes->length);
	return events;
}

/* Progress counts what the file holds, not what it unpacks to. */
static uint64_t
read_file(const struct text *bytes)
{
	char path[] = "/tmp/ttrace-unpack-" "XX" "XX" "XX";
	struct progress progress = { 0 };
	struct error err = { 0 };
	struct input in;
	struct writer writer = { mkstemp(path), bytes };
	assert_true(writer.fd >= 0);
	write_slowly(&writer);
	assert_true(input_open_file(&in, path, &err));
	unlink(path);
	uint64_t events = read_input(&in, &progress);
	input_close(&in);
	assert_int_equal(atomic_load(&progress.total_bytes), bytes->length);
	assert_int_equal(atomic_load(&progress.done_bytes), bytes->length);
	return events;
}

static void
test_files_and_pipes(void **state)
{
	struct text plain = { 0 };
	(void)state;
	testing_read(testing_path("tasks-go1.23", ".trace"), &plain);
	uint64_t events = read_file(&plain);
	assert_true(events > 100);
	for (size_t i = 0; i < PACKERS; i++) {
		struct text packed = { 0 };
		if (!packers[i].is_built)
			continue;
		packers[i].pack(&packed, plain.bytes, plain.length);
		assert_int_equal(read_file(&packed), events);
		assert_int_equal(read_pipe(&packed), events);
		text_release(&packed);
	}
	text_release(&plain);
}

/* ---- damage */

static bool
is_prefix(const char *all, const char *some)
{
	return strncmp(all, some, strlen(some)) == 0;
}

/* Each member holds some of the trace, so that some is unpacked before the cut. */
static void
test_cut(void **state)
{
	struct text plain = { 0 };
	struct readtrace whole = { 0 };
	size_t kept = 0;
	(void)state;
	testing_assemble(small_text, &plain);
	readtrace_bytes(&whole, plain.bytes, plain.length);
	for (size_t i = 0; i < PACKERS; i++) {
		struct text packed = { 0 };
		for (size_t at = 0; packers[i].is_built && at < plain.length; at += 20)
			packers[i].pack(&packed, plain.bytes + at,
			                plain.length - at < 20 ? plain.length - at : 20);
		for (size_t size = 5; size < packed.length; size++) {
			struct readtrace got = { 0 };
			readtrace_bytes(&got, packed.bytes, size);
			/* At the end of a member it may be that of a generation as well. */
			if (*readtrace_problem(&got) != '\0')
				assert_true(got.err.offset_bytes <= plain.length);
			if (!is_prefix(whole.events.bytes, got.events.bytes))
				fail_msg("%s cut at %zu: other events", packers[i].name, size);
			kept += got.result.generations;
			readtrace_release(&got);
		}
		text_release(&packed);
	}
	assert_true(kept > 100 || !packers[0].is_built);
	readtrace_release(&whole);
	text_release(&plain);
}

/* The message says what of which data, and a place within their last bytes. */
static void
check_message(const struct readtrace *got, const struct packer *packer, const char *problem,
              size_t packed_bytes)
{
	char wanted[200];
	unsigned long long place = 0;
	const char *message = readtrace_problem(got);
	snprintf(wanted, sizeof(wanted), "unpacked from %s: %s %s, near byte ", packer->name,
	         packer->name, problem);
	if (strstr(message, wanted) != message)
		fail_msg("\"%s\" should say \"%s\"", message, wanted);
	place = strtoull(message + strlen(wanted), NULL, 10);
	assert_non_null(strstr(message, " of the compressed data"));
	assert_in_range(place, packed_bytes - 10, packed_bytes + 10);
}

/* Packs the small trace, changes its end, and reads it: all is there, and the damage told. */
static void
check_damage(const struct packer *packer, void (*damage)(struct text *packed),
             const char *problem)
{
	struct text plain = { 0 }, packed = { 0 };
	struct readtrace got = { 0 };
	testing_assemble(small_text, &plain);
	packer->pack(&packed, plain.bytes, plain.length);
	size_t packed_bytes = packed.length;
	damage(&packed);
	readtrace_bytes(&got, packed.bytes, packed.length);
	check_message(&got, packer, problem, packed_bytes);
	assert_int_equal(got.result.generations, 3);
	assert_true(got.result.damage.count > 0);
	assert_int_equal(got.err.offset_bytes, plain.length);
	readtrace_release(&got);
	text_release(&packed);
	text_release(&plain);
}

static void
add_garbage(struct text *packed)
{
	static const char zeros[10];
	text_add(packed, zeros, sizeof(zeros));
	text_add_string(packed, "garbage");
}

/* The last byte belongs to a checksum (zstd), or to the size that goes with it (gzip). */
static void
change_checksum(struct text *packed)
{
	packed->bytes[packed->length - 1] ^= 1;
}

static void
cut_checksum(struct text *packed)
{
	packed->length--;
}

static void
test_damaged_ends(void **state)
{
	(void)state;
	for (size_t i = 0; i < PACKERS; i++) {
		if (!packers[i].is_built)
			continue;
		check_damage(&packers[i], add_garbage, "data are followed by something else");
		check_damage(&packers[i], change_checksum, "data cannot be unpacked");
		check_damage(&packers[i], cut_checksum, "data break off");
	}
}

/* An error of the trace itself names its place in what was unpacked. */
static void
test_damaged_trace(void **state)
{
	struct text plain = { 0 };
	(void)state;
	testing_assemble(small_text, &plain);
	text_add_string(&plain, "?");
	for (size_t i = 0; i < PACKERS; i++) {
		struct text packed = { 0 };
		struct readtrace got = { 0 };
		char wanted[100];
		if (!packers[i].is_built)
			continue;
		packers[i].pack(&packed, plain.bytes, plain.length);
		readtrace_bytes(&got, packed.bytes, packed.length);
		snprintf(wanted, sizeof(wanted), "unpacked from %s: expected batch event, got event 63",
		         packers[i].name);
		assert_string_equal(readtrace_problem(&got), wanted);
		assert_int_equal(got.err.offset_bytes, plain.length - 1);
		assert_int_equal(got.result.generations, 3);
		readtrace_release(&got);
		text_release(&packed);
	}
	text_release(&plain);
}

/* Any byte changed: nothing crashes, and no event is made up before the damage. */
static void
test_changed_bytes(void **state)
{
	struct text plain = { 0 };
	(void)state;
	testing_assemble(small_text, &plain);
	for (size_t i = 0; i < PACKERS; i++) {
		struct text packed = { 0 };
		if (packers[i].is_built)
			packers[i].pack(&packed, plain.bytes, plain.length);
		for (size_t at = 0; at < packed.length; at++) {
			struct readtrace got = { 0 };
			packed.bytes[at] ^= 0x11;
			readtrace_bytes(&got, packed.bytes, packed.length);
			packed.bytes[at] ^= 0x11;
			if (got.ok && got.result.damage.count == 0)
				assert_int_equal(got.result.generations, 3);
			readtrace_release(&got);
		}
		text_release(&packed);
	}
	text_release(&plain);
}

/* ---- limits */

/* Reads an input to its end or failure; the bytes that came. */
static uint64_t
drain(struct input *in, struct error *err)
{
	const uint8_t *bytes;
	size_t ready = 1;
	while (ready > 0 && input_ready(in, &bytes, &ready, err))
		input_take(in, ready);
	return in->offset_bytes;
}

static void
test_bomb(void **state)
{
	enum { SIZE = 64 * 1024 * 1024 };
	struct error err = { 0 };
	void *zeros = array_new(SIZE, 1, &err);
	(void)state;
	assert_non_null(zeros);
	for (size_t i = 0; i < PACKERS; i++) {
		struct text packed = { 0 };
		struct input from, in;
		if (!packers[i].is_built)
			continue;
		packers[i].pack(&packed, zeros, SIZE);
		assert_true(packed.length < SIZE / 1000);
		assert_true(input_open_memory(&from, packed.bytes, packed.length, &err));
		const struct packing *packing =
			unpack_recognise((const uint8_t *)packed.bytes, packed.length);
		assert_non_null(packing);
		assert_true(unpack_open(&in, &from, packing, &err));
		uint64_t got = drain(&in, &err);
		assert_int_equal(err.kind, ERROR_LIMIT);
		assert_non_null(strstr(err.message, "unpack to more than 100 times their size"));
		assert_true(got <= UNPACK_FREE_BYTES + INPUT_BUFFER_BYTES);
		input_close(&in);
		input_close(&from);
		text_release(&packed);
		error_clear(&err);
	}
	memory_free(zeros);
}

static void
test_too_deep(void **state)
{
	(void)state;
	for (size_t i = 0; i < PACKERS; i++) {
		struct text plain = { 0 }, two = { 0 }, three = { 0 };
		struct readtrace got = { 0 };
		if (!packers[i].is_built)
			continue;
		testing_assemble(small_text, &plain);
		twice(&packers[i], &two, &plain);
		packers[i].pack(&three, two.bytes, two.length);
		readtrace_bytes(&got, three.bytes, three.length);
		assert_false(got.ok);
		assert_int_equal(got.err.kind, ERROR_LIMIT);
		assert_non_null(strstr(readtrace_problem(&got), "compressed more than 2 times"));
		readtrace_release(&got);
		text_release(&plain);
		text_release(&two);
		text_release(&three);
	}
}

/* A program built without the library says which one it lacks. */
static void
test_missing_library(void **state)
{
	static const char *const files[PACKERS] = { "\x1f\x8b\x08\0\0\0\0\0\0\3", "\x28\xb5\x2f\xfd\0\0\0\0\0\0" };
	static const char *const libraries[PACKERS] = { "without zlib", "without libzstd" };
	(void)state;
	for (size_t i = 0; i < PACKERS; i++) {
		struct readtrace got = { 0 };
		readtrace_bytes(&got, files[i], 10);
		assert_false(got.ok);
		bool is_said = strstr(readtrace_problem(&got), libraries[i]) != NULL;
		assert_int_equal(is_said, !packers[i].is_built);
		readtrace_release(&got);
	}
}

/* Wherever memory runs out, that is what is said. libzstd has its own. */
static void
test_no_memory(void **state)
{
	struct text plain = { 0 }, packed = { 0 };
	(void)state;
	testing_assemble(small_text, &plain);
	packers[0].pack(&packed, plain.bytes, plain.length);
	for (uint64_t n = 1; packers[0].is_built; n++) {
		const struct packing *packing =
			unpack_recognise((const uint8_t *)packed.bytes, packed.length);
		struct error err = { 0 };
		struct input from, in;
		assert_true(input_open_memory(&from, packed.bytes, packed.length, &err));
		memory_fail_after(n);
		bool ok = unpack_open(&in, &from, packing, &err);
		if (ok)
			drain(&in, &err);
		memory_fail_after(0);
		input_close(&in);
		input_close(&from);
		if (err.kind == ERROR_NONE) {
			assert_true(n > 3);
			break;
		}
		assert_int_equal(err.kind, ERROR_MEMORY);
	}
	text_release(&packed);
	text_release(&plain);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_ways),
		cmocka_unit_test(test_testdata),
		cmocka_unit_test(test_files_and_pipes),
		cmocka_unit_test(test_cut),
		cmocka_unit_test(test_damaged_ends),
		cmocka_unit_test(test_damaged_trace),
		cmocka_unit_test(test_changed_bytes),
		cmocka_unit_test(test_bomb),
		cmocka_unit_test(test_too_deep),
		cmocka_unit_test(test_missing_library),
		cmocka_unit_test(test_no_memory),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* The reader's parts by themselves: the table of events, the map of ids, the frontier, times. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/ids.h"
#include "base_testing.h"
#include "source/go/frontier.h"
#include "source/go/outline.h"
#include "source/go/tables.h"
#include "source/go/wire.h"
#include "tracetesting.h"

/* ---- the table of events against that of doc/format/go-trace-v2.md */

/* The next cell of a table's row, blanks around it removed. */
static char *
next_cell(char **rest)
{
	char *cell = *rest + strspn(*rest, "| ");
	char *end = cell + strcspn(cell, "|");
	*rest = end + (*end != '\0');
	while (end > cell && end[-1] == ' ')
		end--;
	*end = '\0';
	return cell;
}

static void
check_operands(const char *name, const char *cell, const uint8_t operands[2])
{
	unsigned wanted[2] = { 0, 0 };
	if (strcmp(cell, "-") != 0)
		sscanf(cell, "%u,%u", &wanted[0], &wanted[1]);
	if (operands[0] != wanted[0] || operands[1] != wanted[1])
		fail_msg("%s: operands %u and %u, should be %s", name, operands[0], operands[1],
		         cell);
}

static unsigned
count_words(const char *words)
{
	unsigned count = 0;
	while (*words != '\0') {
		count++;
		words += strcspn(words, " ");
		words += strspn(words, " ");
	}
	return count;
}

static void
check_wire_row(char *row)
{
	unsigned id = (unsigned)strtoul(next_cell(&row), NULL, 10);
	assert_true(id > 0 && id < 256);
	const struct wire_kind *kind = &wire_kinds[id];
	char *name = next_cell(&row);
	assert_non_null(kind->name);
	assert_string_equal(kind->name, name);
	char *args = next_cell(&row);
	args[strcspn(args, "(")] = '\0';
	if (*args != '\0' && args[strlen(args) - 1] == ' ')
		args[strlen(args) - 1] = '\0';
	check_text(name, kind->args, args);
	assert_int_equal(kind->arg_count, count_words(args));
	assert_int_equal(kind->is_timed, strcmp(next_cell(&row), "T") == 0);
	check_operands(name, next_cell(&row), kind->stacks);
	check_operands(name, next_cell(&row), kind->strings);
	char *ends = next_cell(&row);
	check_text(name, kind->ends ? go_wire_name(kind->ends) : "-", ends);
	assert_int_equal(kind->since, strtoul(next_cell(&row) + 2, NULL, 10));
}

static void
test_wire_table(void **state)
{
	const char *top = getenv("TTRACE_SRCDIR");
	char line[1000], path[1000];
	bool is_inside = false;
	unsigned rows = 0, known = 0;
	(void)state;
	assert_non_null(top);
	snprintf(path, sizeof(path), "%s/doc/format/go-trace-v2.md", top);
	FILE *file = fopen(path, "r");
	assert_non_null(file);
	while (fgets(line, sizeof(line), file) != NULL) {
		if (strstr(line, "EVENT TABLE") != NULL)
			is_inside = strstr(line, "BEGIN") != NULL;
		if (is_inside && line[0] == '|' && strspn(line, "| 0123456789") > 3) {
			check_wire_row(line);
			rows++;
		}
	}
	fclose(file);
	for (unsigned id = 0; id < 256; id++)
		known += go_wire_name((uint8_t)id) != NULL;
	assert_int_equal(rows, known);
	assert_int_equal(rows, 61);
}

static void
test_wire_decode(void **state)
{
	static const uint8_t bytes[] = { WIRE_GO_START, 3, 0x85, 1, 9, WIRE_GO_DESTROY, 0x80 };
	struct cursor cursor = cursor_over(bytes, sizeof(bytes), 50);
	struct wire_event event;
	struct error err = { 0 };
	(void)state;
	assert_true(wire_decode(&cursor, &event, &err));
	assert_int_equal(event.id, WIRE_GO_START);
	assert_int_equal(event.offset_bytes, 50);
	assert_int_equal(event.args[0], 3);
	assert_int_equal(event.args[1], 133);
	assert_int_equal(event.args[2], 9);
	assert_false(wire_decode(&cursor, &event, &err));
	assert_int_equal(event.offset_bytes, 55);
	assert_int_equal(err.offset_bytes, 56);
}

/* ---- ids */

/* Against a plain array: seeded adding, setting and removing of small, large and mixed ids. */
static void
test_ids(void **state)
{
	enum { IDS = 3000 };
	static uint64_t keys[IDS];
	static uint32_t values[IDS];
	struct id_map ids = { 0 };
	struct error err = { 0 };
	uint64_t seed = 5;
	size_t added = 0;
	(void)state;
	for (unsigned i = 0; i < IDS; i++) {
		keys[i] = i % 3 == 0 ? i : i % 3 == 1 ? (uint64_t)i << 40 : UINT64_MAX - i;
		values[i] = MAP_NONE;
	}
	for (unsigned step = 0; step < 40 * IDS; step++) {
		size_t i = random_below(&seed, IDS);
		uint32_t value = (uint32_t)random_below(&seed, 1000);
		assert_int_equal(id_map_find(&ids, keys[i]), values[i]);
		if (values[i] == MAP_NONE) {
			assert_true(id_map_add(&ids, keys[i], value, &err));
			values[i] = value;
			added++;
		} else if (step % 3 == 0) {
			id_map_set(&ids, keys[i], value);
			values[i] = value;
		} else if (step % 3 == 1) {
			assert_true(id_map_put(&ids, keys[i], value, &err));
			values[i] = value;
		} else {
			id_map_remove(&ids, keys[i]);
			values[i] = MAP_NONE;
		}
		assert_int_equal(ids.added_count, added);
	}
	struct id_map copy = { 0 };
	assert_true(id_map_copy(&copy, &ids, &err));
	id_map_clear(&ids);
	assert_int_equal(copy.added_count, added);
	for (unsigned i = 0; i < IDS; i++)
		assert_int_equal(id_map_find(&copy, keys[i]), values[i]);
	id_map_release(&copy);
	for (unsigned i = 0; i < IDS; i++)
		assert_int_equal(id_map_find(&ids, keys[i]), MAP_NONE);
	id_map_release(&ids);
}

/* Ids that a hostile file chooses far apart do not make the array large. */
static void
test_ids_cost(void **state)
{
	struct id_map ids = { 0 };
	struct error err = { 0 };
	(void)state;
	for (uint64_t i = 1; i < 10000; i++)
		assert_true(id_map_add(&ids, i * 1000, 1, &err));
	assert_true(ids.array_count <= 10000);
	id_map_clear(&ids);
	assert_true(id_map_add(&ids, 7, 2, &err));
	id_map_clear(&ids);
	assert_true(ids.others.capacity <= 4096);
	id_map_release(&ids);
}

/* Few at a time, but numbered upwards: they stay in the array. */
static void
test_ids_that_come_and_go(void **state)
{
	struct id_map ids = { 0 };
	struct error err = { 0 };
	(void)state;
	for (uint64_t i = 1; i < 10000; i++) {
		assert_true(id_map_add(&ids, i, 1, &err));
		if (i > 10)
			id_map_remove(&ids, i - 10);
	}
	assert_int_equal(ids.others.count, 0);
	id_map_release(&ids);
}

/* Those that are there already are mentioned in any order, whatever number they begin with. */
static void
test_ids_in_any_order(void **state)
{
	static const uint64_t firsts[] = { 1, 5000, UINT64_C(1) << 40, UINT64_MAX - 15000 };
	enum { IDS = 20000, STEP = 7919 }; /* a prime, so that each comes once */
	(void)state;
	for (size_t k = 0; k < ARRAY_LENGTH(firsts); k++) {
		struct id_map ids = { 0 };
		struct error err = { 0 };
		for (uint32_t i = 0; i < 100; i++)
			assert_true(id_map_put(&ids, i, i, &err));
		for (uint32_t i = 0; i < IDS; i++)
			assert_true(id_map_put(&ids, firsts[k] + i * STEP % IDS, i, &err));
		for (uint32_t i = 0; i < IDS; i++)
			assert_int_equal(id_map_find(&ids, firsts[k] + i * STEP % IDS), i);
		/* Those that have come since there were half as many may be out of its reach. */
		assert_true(ids.others.count <= 100 + IDS / 50);
		id_map_release(&ids);
	}
}

/* ---- the frontier */

static void
check_heap(const struct frontier *frontier)
{
	for (size_t i = 1; i < frontier->count; i++)
		assert_true(frontier->items[i].time_ns >= frontier->items[(i - 1) / 2].time_ns);
}

static void
test_frontier(void **state)
{
	struct frontier frontier = { 0 };
	struct error err = { 0 };
	uint64_t seed = 11;
	(void)state;
	for (uint32_t i = 0; i < 100; i++) {
		assert_true(frontier_add(&frontier, (int64_t)random_below(&seed, 50), i, &err));
		check_heap(&frontier);
	}
	for (unsigned step = 0; step < 5000; step++) {
		size_t i = random_below(&seed, frontier.count);
		frontier_update(&frontier, i,
		                frontier.items[i].time_ns + (int64_t)random_below(&seed, 60) - 20);
		check_heap(&frontier);
		if (step % 100 == 0) {
			frontier_sort(&frontier);
			for (size_t k = 1; k < frontier.count; k++)
				assert_true(frontier.items[k].time_ns >=
				            frontier.items[k - 1].time_ns);
		}
	}
	while (frontier.count > 0) {
		frontier_remove(&frontier, random_below(&seed, frontier.count));
		check_heap(&frontier);
	}
	frontier_release(&frontier);
}

/* The short way down leaves what the long one does, also where times are equal. */
static void
test_frontier_first(void **state)
{
	uint64_t seed = 12;
	struct error err = { 0 };
	(void)state;
	for (uint32_t count = 1; count < 20; count++) {
		struct frontier a = { 0 }, b = { 0 };
		for (uint32_t i = 0; i < count; i++) {
			int64_t time_ns = (int64_t)random_below(&seed, 10);
			assert_true(frontier_add(&a, time_ns, i, &err));
			assert_true(frontier_add(&b, time_ns, i, &err));
		}
		for (int step = 0; step < 200; step++) {
			a.items[0].time_ns += (int64_t)random_below(&seed, 8);
			b.items[0].time_ns = a.items[0].time_ns;
			frontier_sink_first(&a);
			frontier_sink(&b, 0);
			for (uint32_t i = 0; i < count; i++)
				assert_int_equal(a.items[i].cursor, b.items[i].cursor);
		}
		frontier_release(&a);
		frontier_release(&b);
	}
}

/* Equal times keep their order when sorted, few and many alike. */
static void
test_frontier_ties(void **state)
{
	static const uint32_t sizes[] = { 5, 32, 33, 200 };
	(void)state;
	for (size_t i = 0; i < ARRAY_LENGTH(sizes); i++) {
		struct frontier frontier = { 0 };
		struct error err = { 0 };
		uint32_t place_of[200];
		for (uint32_t k = 0; k < sizes[i]; k++)
			assert_true(frontier_add(&frontier, k * 7 % 3, k, &err));
		for (uint32_t k = 0; k < sizes[i]; k++)
			place_of[frontier.items[k].cursor] = k;
		frontier_sort(&frontier);
		for (uint32_t k = 1; k < sizes[i]; k++) {
			const struct frontier_item *a = &frontier.items[k - 1], *b = a + 1;
			assert_true(a->time_ns < b->time_ns ||
			            (a->time_ns == b->time_ns &&
			             place_of[a->cursor] < place_of[b->cursor]));
		}
		frontier_release(&frontier);
	}
}

/* ---- times: by integers or not, each is what section 6.1 of go-trace-v2.md says */

static void
check_ticks(uint64_t frequency, uint64_t ticks)
{
	struct tables tables = { 0 };
	tables_set_frequency(&tables, frequency);
	double ns = (double)ticks * (1.0 / ((double)frequency / 1e9));
	int64_t wanted = ns < (double)GO_TIME_MAX_NS ? (int64_t)ns : 0;
	if (tables_ns(&tables, ticks) != wanted)
		fail_msg("%llu ticks at %llu per second", (unsigned long long)ticks,
		         (unsigned long long)frequency);
}

static void
test_times(void **state)
{
	static const uint64_t frequencies[] = {
		1, 3, 10, 1000, 15258, 15259, 65536, 1000000, 15625000, 24000000, 100000000,
		333333333, 500000000, 999999999, 1000000000, 1000000001, 3000000000, UINT64_MAX,
	};
	(void)state;
	for (size_t i = 0; i < ARRAY_LENGTH(frequencies); i++) {
		check_ticks(frequencies[i], 0);
		for (unsigned bit = 0; bit < 64; bit++) {
			check_ticks(frequencies[i], (UINT64_C(1) << bit) - 1);
			check_ticks(frequencies[i], UINT64_C(1) << bit);
			check_ticks(frequencies[i], (UINT64_C(1) << bit) + 1);
			check_ticks(frequencies[i], UINT64_MAX / 3 >> bit);
		}
	}
}

/* ---- generations */

/* What is told to stay in the file does, and no more than the rest is held. */
static void
check_generation(const struct generation *generation, const struct outline_generation *told)
{
	uint64_t timed_bytes = 0;
	for (size_t i = 0; i < generation->batch_count; i++)
		if (generation->batches[i].is_afar)
			timed_bytes += generation->batches[i].size;
	assert_int_equal(told->timed_bytes, timed_bytes);
	assert_int_equal(told->batches, generation->batch_count);
	assert_in_range(generation->byte_count, 0, told->to_bytes - told->from_bytes - timed_bytes);
}

static void
check_payloads(const char *name)
{
	struct outline outline;
	struct generation generation = { 0 };
	struct input in;
	struct error err = { 0 };
	struct generation_source source = { .in = &in };
	assert_true(input_open_file(&in, testing_path(name, ".trace"), &err));
	assert_true(outline_read(&outline, &in, &err));
	source.minor = outline.minor;
	assert_true(outline.count == 0 ||
	            input_seek(&in, outline.generations[0].from_bytes, &err));
	for (size_t i = 0; i < outline.count; i++) {
		assert_int_equal(generation_read(&generation, &source, &err), GENERATION_READ);
		check_generation(&generation, &outline.generations[i]);
	}
	generation_release(&generation);
	outline_release(&outline);
	input_close(&in);
}

static void
test_payloads_stay_in_the_file(void **state)
{
	(void)state;
	testing_each(".trace", check_payloads);
}

/* Batches without a payload take memory as well. */
static void
test_memory_of_batches_is_bounded(void **state)
{
	enum { BATCHES = 1000 };
	static const uint8_t batch[] = { WIRE_EVENT_BATCH, 1, 0, 1, 0 };
	uint8_t bytes[BATCHES * sizeof(batch) + 1];
	(void)state;
	for (size_t i = 0; i < BATCHES; i++)
		memcpy(bytes + i * sizeof(batch), batch, sizeof(batch));
	bytes[sizeof(bytes) - 1] = WIRE_END_OF_GENERATION;
	for (int enough = 0; enough < 2; enough++) {
		struct input in;
		struct generation generation = { 0 };
		struct error err = { 0 };
		struct generation_source source = {
			.in = &in,
			.minor = MINOR_END_OF_GENERATION,
			.most_bytes = (enough ? BATCHES : BATCHES / 2) * sizeof(struct batch),
		};
		assert_true(input_open_memory(&in, bytes, sizeof(bytes), &err));
		assert_int_equal(generation_read(&generation, &source, &err),
		                 enough ? GENERATION_READ : GENERATION_BROKEN);
		assert_int_equal(err.kind, enough ? ERROR_NONE : ERROR_MEMORY);
		generation_release(&generation);
		input_close(&in);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_wire_table),
		cmocka_unit_test(test_wire_decode),
		cmocka_unit_test(test_ids),
		cmocka_unit_test(test_ids_cost),
		cmocka_unit_test(test_ids_that_come_and_go),
		cmocka_unit_test(test_ids_in_any_order),
		cmocka_unit_test(test_frontier),
		cmocka_unit_test(test_frontier_first),
		cmocka_unit_test(test_frontier_ties),
		cmocka_unit_test(test_times),
		cmocka_unit_test(test_payloads_stay_in_the_file),
		cmocka_unit_test(test_memory_of_batches_is_bounded),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

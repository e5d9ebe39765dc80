/* Checked sizes, growable arrays, arenas and stable columns, with memory failing, too. */
#include "base_testing.h"

#include "base/checked.h"

static void
sizes_that_overflow_are_refused(void **state)
{
	(void)state;
	static const struct {
		const char *name;
		size_t a, b;
		bool can_add, can_multiply;
	} rows[] = {
		{ "zeros", 0, 0, true, true },
		{ "zero times all", 0, SIZE_MAX, true, true },
		{ "all times zero", SIZE_MAX, 0, true, true },
		{ "one more than all", SIZE_MAX, 1, false, true },
		{ "halves", SIZE_MAX / 2, 2, true, true },
		{ "just over", SIZE_MAX / 2 + 1, 2, true, false },
		{ "all and all", SIZE_MAX, SIZE_MAX, false, false },
		{ "two halves", SIZE_MAX / 2 + 1, SIZE_MAX / 2, true, false },
	};
	for (size_t i = 0; i < ARRAY_LENGTH(rows); i++) {
		size_t out = 77;
		if (checked_add_size(rows[i].a, rows[i].b, &out) != rows[i].can_add)
			fail_msg("%s: addition", rows[i].name);
		assert_true(out == (rows[i].can_add ? rows[i].a + rows[i].b : 77));
		out = 77;
		if (checked_mul_size(rows[i].a, rows[i].b, &out) != rows[i].can_multiply)
			fail_msg("%s: product", rows[i].name);
		assert_true(out == (rows[i].can_multiply ? rows[i].a * rows[i].b : 77));
	}
}

static void
times_that_overflow_saturate(void **state)
{
	(void)state;
	static const struct {
		const char *name;
		int64_t a, b;
		bool can_add;
		int64_t sum;
	} rows[] = {
		{ "small", 3, -5, true, -2 },
		{ "to the top", INT64_MAX - 1, 1, true, INT64_MAX },
		{ "over the top", INT64_MAX, 1, false, INT64_MAX },
		{ "to the bottom", INT64_MIN + 1, -1, true, INT64_MIN },
		{ "below the bottom", INT64_MIN, -1, false, INT64_MIN },
		{ "opposite ends", INT64_MIN, INT64_MAX, true, -1 },
		{ "twice the bottom", INT64_MIN, INT64_MIN, false, INT64_MIN },
	};
	for (size_t i = 0; i < ARRAY_LENGTH(rows); i++) {
		int64_t out = 77;
		if (checked_add_i64(rows[i].a, rows[i].b, &out) != rows[i].can_add)
			fail_msg("%s: checked", rows[i].name);
		assert_true(out == (rows[i].can_add ? rows[i].sum : 77));
		/* Of a negated number the difference is the sum; INT64_MIN has none. */
		if (rows[i].b != INT64_MIN && saturating_sub_i64(rows[i].a, -rows[i].b) != rows[i].sum)
			fail_msg("%s: difference", rows[i].name);
		if (saturating_add_i64(rows[i].a, rows[i].b) != rows[i].sum)
			fail_msg("%s: saturated", rows[i].name);
	}
	assert_true(saturating_sub_i64(INT64_MIN, INT64_MIN) == 0);
	assert_true(saturating_sub_i64(-1, INT64_MIN) == INT64_MAX);
	assert_true(saturating_sub_i64(0, INT64_MIN) == INT64_MAX);
	assert_true(magnitude_i64(INT64_MIN) == UINT64_C(1) << 63 && magnitude_i64(-5) == 5);
	assert_true(saturating_mul_i64(0, INT64_MAX) == 0);
	assert_true(saturating_mul_i64(INT64_MAX, 0) == 0);
	assert_true(saturating_mul_i64(INT64_MAX / 3, 3) == INT64_MAX - INT64_MAX % 3);
	assert_true(saturating_mul_i64(INT64_MAX / 3 + 1, 3) == INT64_MAX);
	assert_true(saturating_mul_i64(INT64_MAX, INT64_MAX) == INT64_MAX);
	assert_true(saturating_mul_i64(-3, 4) == -12 && saturating_mul_i64(-3, -4) == 12);
	assert_true(saturating_mul_i64(-3, 0) == 0);
	assert_true(saturating_mul_i64(INT64_MIN, 1) == INT64_MIN && saturating_mul_i64(1, INT64_MIN) == INT64_MIN);
	assert_true(saturating_mul_i64(INT64_MIN, -1) == INT64_MAX);
	assert_true(saturating_mul_i64(INT64_MIN / 2, 2) == INT64_MIN);
	assert_true(saturating_mul_i64(INT64_MIN / 2 - 1, 2) == INT64_MIN);
}

static void
allocations_fail_from_the_chosen_one_on(void **state)
{
	(void)state;
	for (uint64_t countdown = 1; countdown < 5; countdown++) {
		memory_fail_after(countdown);
		void *blocks[6];
		for (uint64_t i = 0; i < ARRAY_LENGTH(blocks); i++) {
			blocks[i] = memory_realloc(NULL, 10);
			assert_true((blocks[i] == NULL) == (i + 1 >= countdown));
		}
		memory_fail_after(0);
		for (size_t i = 0; i < ARRAY_LENGTH(blocks); i++)
			memory_free(blocks[i]);
	}
	void *block = memory_realloc(NULL, 10);
	assert_non_null(block);
	assert_null(memory_realloc(block, 0));
}

static void
arrays_grow_and_keep_their_items(void **state)
{
	(void)state;
	uint32_t *items = NULL;
	size_t capacity = 0;
	struct error err;
	error_clear(&err);
	unsigned moves = 0;
	for (uint32_t i = 0; i < 100000; i++) {
		size_t before = capacity;
		assert_true(array_reserve(&items, &capacity, i + 1, sizeof(*items), &err));
		assert_true(capacity >= i + 1);
		moves += capacity != before;
		items[i] = i * 3;
	}
	assert_true(moves < 30);
	array_trim(&items, &capacity, 50000, sizeof(*items));
	assert_int_equal(capacity, 50000);
	for (uint32_t i = 0; i < 50000; i++)
		assert_int_equal(items[i], i * 3);
	array_trim(&items, &capacity, 0, sizeof(*items));
	assert_int_equal(capacity, 0);
	assert_null(items);
}

static void
arrays_survive_what_cannot_be_had(void **state)
{
	(void)state;
	uint64_t *items = NULL;
	size_t capacity = 0;
	struct error err;
	error_clear(&err);
	assert_true(array_reserve(&items, &capacity, 1, sizeof(*items), &err));
	items[0] = 42;
	static const size_t sizes[] = { SIZE_MAX, SIZE_MAX / 8 + 1, SIZE_MAX / 2 };
	const uint64_t *before = items;
	size_t capacity_before = capacity;
	for (size_t i = 0; i < ARRAY_LENGTH(sizes); i++) {
		error_clear(&err);
		assert_false(array_reserve(&items, &capacity, sizes[i], sizeof(*items), &err));
		assert_int_equal(err.kind, ERROR_MEMORY);
		assert_ptr_equal(items, before);
		assert_int_equal(capacity, capacity_before);
	}
	memory_fail_after(1);
	error_clear(&err);
	assert_false(array_reserve(&items, &capacity, 1000, sizeof(*items), &err));
	array_trim(&items, &capacity, 1, sizeof(*items));
	memory_fail_after(0);
	assert_int_equal(capacity, capacity_before);
	assert_int_equal(items[0], 42);
	memory_free(items);
}

enum { PIECES = 2000 };

/* Pieces of many sizes, each filled with its own byte, none over another. */
static void
fill_arena(
	struct arena *arena, uint64_t *random, unsigned char *pieces[PIECES], size_t sizes[PIECES])
{
	for (size_t i = 0; i < PIECES; i++) {
		size_t limit = i % 50 == 0 ? 20000 : 100;
		sizes[i] = random_below(random, limit);
		if (i % 2 == 0) {
			pieces[i] = arena_alloc(arena, sizes[i]);
			assert_non_null(pieces[i]);
			assert_int_equal((uintptr_t)pieces[i] % ARENA_ALIGNMENT, 0);
			memset(pieces[i], (int)(i & 0xFF), sizes[i]);
		} else {
			char bytes[20000];
			memset(bytes, (int)(i & 0xFF), sizes[i]);
			pieces[i] = (unsigned char *)arena_copy(arena, bytes, sizes[i]);
			assert_non_null(pieces[i]);
			assert_int_equal(pieces[i][sizes[i]], 0);
		}
	}
}

static void
arena_pieces_do_not_overlap(void **state)
{
	(void)state;
	const uint64_t seed = 20240611;
	uint64_t random = seed;
	static unsigned char *pieces[PIECES];
	static size_t sizes[PIECES];
	struct arena arena = { 0 };
	for (int round = 0; round < 3; round++) {
		fill_arena(&arena, &random, pieces, sizes);
		for (size_t i = 0; i < PIECES; i++) {
			for (size_t k = 0; k < sizes[i]; k++) {
				if (pieces[i][k] != (i & 0xFF))
					fail_msg("seed %llu: piece %zu", (unsigned long long)seed,
						i);
			}
		}
		assert_true(arena.total_bytes > 0);
		arena_release(&arena);
		assert_int_equal(arena.total_bytes, 0);
	}
	arena_release(&arena);
}

static void
arenas_refuse_impossible_sizes(void **state)
{
	(void)state;
	struct arena arena = { 0 };
	for (int round = 0; round < 2; round++) {
		for (size_t i = 0; i < 40; i++)
			assert_null(arena_alloc(&arena, SIZE_MAX - i));
		assert_null(arena_copy(&arena, "", SIZE_MAX));
		assert_non_null(arena_alloc(&arena, 0));
		assert_non_null(arena_alloc(&arena, 100000));
	}
	memory_fail_after(1);
	assert_null(arena_alloc(&arena, 1 << 20));
	assert_non_null(arena_copy(&arena, "fits", 4));
	memory_fail_after(0);
	assert_non_null(arena_alloc(&arena, 1 << 20));
	arena_release(&arena);
}

/* A wrapped sum in the test of alignment would hand out memory that is not there. */
static void
arena_alignment_is_part_of_the_room(void **state)
{
	(void)state;
	struct arena arena = { 0 };
	assert_non_null(arena_copy(&arena, "odd", 3));
	size_t left = arena.left_bytes;
	assert_true(left % ARENA_ALIGNMENT != 0);
	void *most = arena_alloc(&arena, left / ARENA_ALIGNMENT * ARENA_ALIGNMENT);
	assert_non_null(most);
	assert_int_equal(arena.left_bytes, left % ARENA_ALIGNMENT);
	unsigned char *next = arena_alloc(&arena, 1);
	assert_non_null(next);
	assert_int_equal((uintptr_t)next % ARENA_ALIGNMENT, 0);
	*next = 1;
	arena_release(&arena);
}

struct item {
	uint64_t value;
	uint32_t square;
};

static void
column_items_never_move(void **state)
{
	(void)state;
	enum { ITEMS = 300000 };
	struct stable_column column = { .item_size = sizeof(struct item) };
	static struct item *places[ITEMS];
	struct error err;
	error_clear(&err);
	assert_int_equal(stable_bytes(&column), 0);
	for (uint32_t i = 0; i < ITEMS; i++) {
		places[i] = stable_append(&column, &err);
		assert_non_null(places[i]);
		assert_int_equal(places[i]->value, 0);
		*places[i] = (struct item){ .value = i, .square = i * i };
	}
	assert_int_equal(column.count, ITEMS);
	for (uint32_t i = 0; i < ITEMS; i++) {
		const struct item *item = stable_at(&column, i);
		assert_ptr_equal(item, places[i]);
		assert_true(item->value == i && item->square == i * i);
	}
	size_t bytes = stable_bytes(&column);
	assert_true(bytes >= ITEMS * sizeof(struct item));
	assert_true(bytes <= 2 * ITEMS * sizeof(struct item) + 256 * sizeof(struct item));
	stable_release(&column);
	assert_int_equal(column.count, 0);
	assert_int_equal(column.item_size, sizeof(struct item));
	stable_release(&column);
}

static void
columns_are_shared_and_copied(void **state)
{
	(void)state;
	static const uint32_t counts[] = { 0, 1, 255, 256, 257, 768, 5000 };
	struct stable_column column = { .item_size = sizeof(struct item) };
	struct error err;
	error_clear(&err);
	for (size_t i = 0; i < ARRAY_LENGTH(counts); i++) {
		while (column.count < counts[i]) {
			uint32_t at = column.count;
			((struct item *)stable_append(&column, &err))->value = at;
		}
		struct stable_column shared = stable_share(&column, counts[i]), copy = { 0 };
		assert_true(stable_copy(&copy, &column, &err));
		assert_int_equal(shared.count, counts[i]);
		assert_int_equal(copy.count, counts[i]);
		((struct item *)stable_append(&column, &err))->value = counts[i];
		for (uint32_t k = 0; k < counts[i]; k++) {
			assert_ptr_equal(stable_at(&shared, k), stable_at(&column, k));
			assert_ptr_not_equal(stable_at(&copy, k), stable_at(&column, k));
			assert_int_equal(((struct item *)stable_at(&copy, k))->value, k);
		}
		stable_release(&copy);
	}
	stable_release(&column);
}

/* Times with gaps and pairs of equal ones. */
static void
ascending_columns_are_searched(void **state)
{
	(void)state;
	enum { COUNT = 2000, APART = 10 };
	struct stable_column column = { .item_size = sizeof(int64_t) };
	struct error err = { 0 };
	assert_int_equal(stable_until_i64(&column, INT64_MAX), 0);
	for (uint32_t i = 0; i < COUNT; i++) {
		int64_t *item = stable_append(&column, &err);
		assert_non_null(item);
		*item = (int64_t)(i / 2) * APART;
		assert_int_equal(stable_until_i64(&column, -1), 0);
		assert_int_equal(stable_until_i64(&column, *item - 1), i / 2 * 2);
		assert_int_equal(stable_until_i64(&column, *item), i + 1);
	}
	for (uint32_t i = 0; i < COUNT / 2; i++) {
		assert_int_equal(stable_until_i64(&column, (int64_t)i * APART - 1), 2 * i);
		assert_int_equal(stable_until_i64(&column, (int64_t)i * APART), 2 * i + 2);
	}
	stable_release(&column);
}

/* The arithmetic at indexes that no test can afford to fill. */
static void
chunks_cover_all_indexes(void **state)
{
	(void)state;
	static const struct {
		uint32_t index;
		unsigned chunk;
	} rows[] = {
		{ 0, 0 },
		{ 255, 0 },
		{ 256, 1 },
		{ 767, 1 },
		{ 768, 2 },
		{ (1U << 20) - 257, 11 },
		{ 1U << 31, 23 },
		{ STABLE_MAX_ITEMS - 1, STABLE_CHUNKS - 1 },
	};
	for (size_t i = 0; i < ARRAY_LENGTH(rows); i++)
		assert_int_equal(stable_chunk_of(rows[i].index), rows[i].chunk);
}

static void
full_columns_say_so(void **state)
{
	(void)state;
	struct stable_column column = { .item_size = 1, .count = STABLE_MAX_ITEMS };
	struct error err;
	error_clear(&err);
	assert_null(stable_append(&column, &err));
	assert_int_equal(err.kind, ERROR_LIMIT);
	struct stable_column huge = { .item_size = SIZE_MAX / 2 };
	error_clear(&err);
	assert_null(stable_append(&huge, &err));
	assert_int_equal(err.kind, ERROR_MEMORY);
	assert_int_equal(huge.count, 0);
}

static bool
try_column(struct error *err)
{
	struct stable_column column = { .item_size = 8 };
	bool is_fine = true;
	for (uint32_t i = 0; i < 2000 && is_fine; i++) {
		is_fine = stable_append(&column, err) != NULL;
		assert_int_equal(column.count, is_fine ? i + 1 : i);
	}
	stable_release(&column);
	return is_fine;
}

static bool
try_arena(struct error *err)
{
	struct arena arena = { 0 };
	bool is_fine = true;
	for (size_t i = 0; i < 500 && is_fine; i++)
		is_fine = arena_alloc(&arena, i) != NULL && arena_copy(&arena, "abc", 3) != NULL;
	arena_release(&arena);
	return is_fine || error_set_memory(err, "the test");
}

static bool
try_array(struct error *err)
{
	int *items = NULL;
	size_t capacity = 0;
	bool is_fine = true;
	for (size_t i = 1; i < 500 && is_fine; i++)
		is_fine = array_reserve(&items, &capacity, i, sizeof(*items), err);
	array_trim(&items, &capacity, capacity / 2, sizeof(*items));
	memory_free(items);
	return is_fine;
}

static void
every_allocation_may_fail(void **state)
{
	(void)state;
	assert_int_equal(fail_each_allocation("column", try_column), 4);
	fail_each_allocation("arena", try_arena);
	fail_each_allocation("array", try_array);
}

#if defined(__linux__) && defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) && \
	!defined(__SANITIZE_THREAD__)

enum { LARGE_PIECES = 64, LARGE_BYTES = 900 * 1000, KEPT_OF = 8 };

static size_t
resident_pages(void)
{
	unsigned long size = 0, resident = 0;
	FILE *file = fopen("/proc/self/statm", "r");
	if (file == NULL)
		return 0;
	int fields = fscanf(file, "%lu %lu", &size, &resident);
	fclose(file);
	return fields == 2 ? resident : 0;
}

static void
fill_pieces(void *pieces[LARGE_PIECES])
{
	for (size_t i = 0; i < LARGE_PIECES; i++) {
		pieces[i] = memory_realloc(NULL, LARGE_BYTES);
		assert_non_null(pieces[i]);
		memset(pieces[i], 1, LARGE_BYTES);
	}
}

/* The second time, since the first one teaches the allocator which sizes come and go. */
static void
large_pieces_go_back_to_the_system(void **state)
{
	(void)state;
	void *pieces[LARGE_PIECES];
	size_t before = 0, after = 0;
	memory_keep_little();
	for (int round = 0; round < 2; round++) {
		fill_pieces(pieces);
		before = resident_pages();
		for (size_t i = 0; i < LARGE_PIECES; i++)
			if (i % KEPT_OF != 0)
				memory_free(pieces[i]);
		after = resident_pages();
		for (size_t i = 0; i < LARGE_PIECES; i += KEPT_OF)
			memory_free(pieces[i]);
	}
	if (before == 0)
		skip();
	assert_true(after + before / 2 < before);
}

#else

static void
large_pieces_go_back_to_the_system(void **state)
{
	(void)state;
	skip(); /* other allocators decide for themselves */
}

#endif

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sizes_that_overflow_are_refused),
		cmocka_unit_test(times_that_overflow_saturate),
		cmocka_unit_test(allocations_fail_from_the_chosen_one_on),
		cmocka_unit_test(arrays_grow_and_keep_their_items),
		cmocka_unit_test(arrays_survive_what_cannot_be_had),
		cmocka_unit_test(arena_pieces_do_not_overlap),
		cmocka_unit_test(arenas_refuse_impossible_sizes),
		cmocka_unit_test(arena_alignment_is_part_of_the_room),
		cmocka_unit_test(column_items_never_move),
		cmocka_unit_test(columns_are_shared_and_copied),
		cmocka_unit_test(ascending_columns_are_searched),
		cmocka_unit_test(chunks_cover_all_indexes),
		cmocka_unit_test(full_columns_say_so),
		cmocka_unit_test(every_allocation_may_fail),
		cmocka_unit_test(large_pieces_go_back_to_the_system),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

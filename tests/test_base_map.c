/* The keyed hash, the map against a plain array, and interned strings. */
#include "base_testing.h"

#include <stdio.h>

#include "base/compiler.h"
#include "base/intern.h"
#include "base/map.h"

/* Each bit of the input must reach each half of the hash, whatever the key is. */
static void
hashes_spread_neighbours(void **state)
{
	(void)state;
	enum { KEYS = 4096, BUCKETS = 1024 };
	unsigned low[BUCKETS] = { 0 }, high[BUCKETS] = { 0 };
	for (uint64_t i = 0; i < KEYS; i++) {
		uint64_t hash = hash_u64(i << 20);
		low[hash % BUCKETS]++;
		high[hash >> 54]++;
	}
	/* Four are expected in each; beyond 30 no fair hash goes in the life of the sun. */
	for (size_t i = 0; i < BUCKETS; i++)
		assert_true(low[i] < 30 && high[i] < 30);
	assert_true(hash_u64(1) == hash_u64(1));
	assert_true(hash_pair(1, 2) == hash_pair(1, 2));
	assert_true(hash_pair(1, 2) != hash_pair(2, 1));
	assert_true(hash_pair(0, 1) != hash_pair(1, 0));
}

/* One hash per length and changed byte; all 4,000 or so must differ. */
static void
every_byte_counts(void **state)
{
	(void)state;
	enum { LONGEST = 40 };
	struct map seen = { 0 };
	struct error err;
	error_clear(&err);
	size_t count = 0;
	for (size_t length = 0; length <= LONGEST; length++) {
		unsigned char bytes[LONGEST] = { 0 };
		for (size_t at = 0; at <= length; at++) {
			for (unsigned value = at < length ? 1 : 0; value < (at < length ? 5 : 1);
				value++) {
				if (at < length)
					bytes[at] = (unsigned char)value;
				uint64_t hash = hash_bytes(bytes, length);
				assert_true(hash == hash_bytes(bytes, length));
				if (map_find(&seen, hash) != MAP_NONE)
					fail_msg("length %zu, byte %zu: seen before", length, at);
				assert_true(map_put(&seen, hash, 1, &err));
				count++;
			}
			if (at < length)
				bytes[at] = 0;
		}
	}
	assert_int_equal(seen.count, count);
	map_release(&seen);
}

static void
products_fold_alike_in_standard_c(void **state)
{
	(void)state;
	assert_true(compiler_fold_multiply_portable(UINT64_MAX, UINT64_MAX) == UINT64_MAX);
	assert_true(compiler_fold_multiply_portable(UINT64_C(1) << 63, 6) == 3);
	const uint64_t seed = 3;
	uint64_t random = seed;
	for (int round = 0; round < 100000; round++) {
		uint64_t a = random_next(&random) >> round % 64;
		uint64_t b = ~(random_next(&random) >> round / 64 % 64);
		if (compiler_fold_multiply(a, b) != compiler_fold_multiply_portable(a, b))
			fail_msg("seed %llu, round %d", (unsigned long long)seed, round);
	}
}

static void
maps_do_what_an_array_does(void **state)
{
	(void)state;
	enum { KEYS = 700, STEPS = 60000 };
	const uint64_t seed = 4711;
	uint64_t random = seed;
	struct map map = { 0 };
	uint32_t wanted[KEYS];
	size_t count = 0;
	struct error err;
	error_clear(&err);
	memset(wanted, 0xFF, sizeof(wanted));
	for (size_t step = 0; step < STEPS; step++) {
		size_t at = random_below(&random, KEYS);
		uint64_t key = at << 40;
		/* Long stretches of mostly adding and mostly removing. */
		bool adds = random_below(&random, 10) < (step / 5000 % 2 == 0 ? 8U : 2U);
		count += adds && wanted[at] == MAP_NONE;
		count -= !adds && wanted[at] != MAP_NONE;
		wanted[at] = adds ? (uint32_t)step : MAP_NONE;
		if (adds)
			assert_true(map_put(&map, key, (uint32_t)step, &err));
		else
			map_remove(&map, key);
		assert_int_equal(map.count, count);
		size_t other = random_below(&random, KEYS);
		if (map_find(&map, other << 40) != wanted[other])
			fail_msg("seed %llu, step %zu", (unsigned long long)seed, step);
		if (step % 1000 != 0)
			continue;
		for (size_t k = 0; k < KEYS; k++)
			assert_int_equal(map_find(&map, k << 40), wanted[k]);
	}
	assert_true(map.count * 10 <= map.capacity * 7);
	map_clear(&map);
	for (size_t k = 0; k < KEYS; k++)
		assert_int_equal(map_find(&map, k << 40), MAP_NONE);
	map_release(&map);
}

/* Filled once with much and then very often with little, a map stays cheap to clear. */
static void
clears_give_back_what_does_not_fit(void **state)
{
	(void)state;
	struct map map = { 0 };
	struct error err = { 0 };
	for (uint64_t key = 0; key < 100000; key++)
		assert_true(map_put(&map, key, 1, &err));
	size_t capacity = map.capacity;
	map_clear_fitting(&map);
	assert_int_equal(map.capacity, capacity);
	assert_true(map_put(&map, 1, 1, &err));
	assert_int_equal(map_find(&map, 2), MAP_NONE);
	map_clear_fitting(&map);
	assert_int_equal(map.capacity, 0);
	assert_int_equal(map_find(&map, 1), MAP_NONE);
	map_release(&map);
}

static void
empty_maps_answer(void **state)
{
	(void)state;
	struct map map = { 0 };
	assert_int_equal(map_find(&map, 0), MAP_NONE);
	map_remove(&map, 0);
	map_clear(&map);
	struct error err;
	error_clear(&err);
	assert_true(map_put(&map, 0, 0, &err));
	assert_true(map_put(&map, UINT64_MAX, 7, &err));
	assert_int_equal(map_find(&map, 0), 0);
	assert_int_equal(map_find(&map, UINT64_MAX), 7);
	map_release(&map);
	assert_int_equal(map_find(&map, 0), MAP_NONE);
}

static void
strings_are_stored_once(void **state)
{
	(void)state;
	static const struct {
		const char *bytes;
		size_t length;
		string_id wanted;
	} rows[] = {
		{ "", 0, STRING_EMPTY },
		{ "a", 1, 1 },
		{ "ab", 2, 2 },
		{ "a", 1, 1 },
		{ "\0", 1, 3 },
		{ "\0\0", 2, 4 },
		{ "a\0b", 3, 5 },
		{ "a\0c", 3, 6 },
		{ NULL, 0, STRING_EMPTY },
		{ "0123456789abcdef", 16, 7 },
		{ "0123456789abcdef", 15, 8 },
	};
	struct intern intern;
	struct error err;
	error_clear(&err);
	assert_true(intern_init(&intern, &err));
	for (size_t i = 0; i < ARRAY_LENGTH(rows); i++) {
		string_id id;
		assert_true(intern_add(&intern, rows[i].bytes, rows[i].length, &id, &err));
		assert_int_equal(id, rows[i].wanted);
		size_t length;
		const char *text = intern_text(&intern, id, &length);
		assert_int_equal(length, rows[i].length);
		assert_int_equal(text[length], '\0');
		if (length > 0)
			assert_memory_equal(text, rows[i].bytes, length);
	}
	assert_int_equal(intern_count(&intern), 9);
	intern_release(&intern);
}

static void
many_strings_keep_their_ids_and_places(void **state)
{
	(void)state;
	enum { STRINGS = 50000 };
	static const char *places[STRINGS];
	struct intern intern;
	struct error err;
	error_clear(&err);
	assert_true(intern_init(&intern, &err));
	size_t bytes = 0;
	for (int round = 0; round < 2; round++) {
		for (uint32_t i = 0; i < STRINGS; i++) {
			char name[40];
			int length = snprintf(name, sizeof(name), "main.worker.func%u", i);
			string_id id;
			assert_true(intern_add(&intern, name, (size_t)length, &id, &err));
			assert_int_equal(id, i + 1);
			if (round == 0)
				places[i] = intern_text(&intern, id, NULL);
			bytes += round == 0 ? (size_t)length : 0;
			assert_ptr_equal(intern_text(&intern, id, NULL), places[i]);
			check_text("name", places[i], name);
		}
	}
	assert_int_equal(intern_count(&intern), STRINGS + 1);
	assert_true(intern_bytes(&intern) >= bytes);
	intern_release(&intern);
}

static bool
try_map(struct error *err)
{
	struct map map = { 0 };
	uint32_t i = 0;
	while (i < 1000 && map_put(&map, i, i, err))
		i++;
	assert_int_equal(map.count, i);
	for (uint32_t k = 0; k < 1000; k++)
		assert_int_equal(map_find(&map, k), k < i ? k : MAP_NONE);
	map_release(&map);
	return i == 1000;
}

static bool
try_intern(struct error *err)
{
	struct intern intern;
	if (!intern_init(&intern, err))
		return false;
	uint32_t i = 0;
	string_id id = STRING_EMPTY;
	while (i < 3000 && intern_add(&intern, (const char *)&i, sizeof(i), &id, err))
		i++;
	assert_int_equal(id, i);
	assert_int_equal(intern_count(&intern), i + 1);
	for (uint32_t k = 0; k < i; k++) {
		if (intern_add(&intern, (const char *)&k, sizeof(k), &id, err))
			assert_int_equal(id, k + 1);
	}
	intern_release(&intern);
	return i == 3000;
}

static void
every_allocation_may_fail(void **state)
{
	(void)state;
	fail_each_allocation("map", try_map);
	fail_each_allocation("intern", try_intern);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(hashes_spread_neighbours),
		cmocka_unit_test(every_byte_counts),
		cmocka_unit_test(products_fold_alike_in_standard_c),
		cmocka_unit_test(maps_do_what_an_array_does),
		cmocka_unit_test(clears_give_back_what_does_not_fit),
		cmocka_unit_test(empty_maps_answer),
		cmocka_unit_test(strings_are_stored_once),
		cmocka_unit_test(many_strings_keep_their_ids_and_places),
		cmocka_unit_test(every_allocation_may_fail),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

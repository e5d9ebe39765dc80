/* Sorting gives what qsort() gives, and ends soon after it was cancelled. */
#include "base_testing.h"

#include <stdlib.h>

#include "base/sort.h"

enum { MANY = 50000 };

struct item {
	uint32_t key, place;
	char rest[5];
};

static atomic_bool is_cancelled;
static size_t compared, cancelled_at; /* 0: never */

static int
compare(const void *left, const void *right)
{
	const struct item *a = left, *b = right;
	if (++compared == cancelled_at)
		atomic_store(&is_cancelled, true);
	if (a->key != b->key)
		return a->key < b->key ? -1 : 1;
	return a->place < b->place ? -1 : a->place > b->place;
}

static struct item *
make(size_t count, uint32_t keys, uint64_t seed)
{
	struct error err = { 0 };
	struct item *items = array_new(count, sizeof *items, &err);
	assert_non_null(items);
	for (size_t i = 0; i < count; i++) {
		items[i].key = (uint32_t)random_below(&seed, keys);
		items[i].place = (uint32_t)i;
		items[i].rest[4] = (char)i;
	}
	return items;
}

static void
check(size_t count, uint32_t keys)
{
	struct error err = { 0 };
	struct item *items = make(count, keys, count), *wanted = make(count, keys, count);
	const struct sort sort = { items, count, sizeof *items, compare };
	cancelled_at = 0;
	if (count > 0)
		qsort(wanted, count, sizeof *wanted, compare);
	for (int i = 0; i < 2; i++) {
		compared = 0;
		assert_true(sort_items(&sort, &is_cancelled, &err));
		assert_true(count == 0 || memcmp(items, wanted, count * sizeof *items) == 0);
	}
	/* Once they are in order one look over them is enough. */
	assert_true(compared < 2 * count + 1);
	memory_free(items);
	memory_free(wanted);
}

static void
items_are_in_order(void **state)
{
	(void)state;
	const size_t per_look = SORT_ITEMS_PER_LOOK;
	const size_t counts[] = { 0, 1, 2, 3, per_look - 1, per_look, per_look + 1, 2 * per_look,
		2 * per_look + 1, 3 * per_look, 5 * per_look + 7, MANY };
	for (size_t i = 0; i < ARRAY_LENGTH(counts); i++) {
		check(counts[i], 1);
		check(counts[i], 10);
		check(counts[i], UINT32_MAX);
	}
}

/* Wherever it is cancelled there are few comparisons after that, and no item is lost. */
static void
it_ends_soon_after_cancel(void **state)
{
	(void)state;
	const size_t most = SORT_ITEMS_PER_LOOK * 16;
	struct error err = { 0 };
	struct item *items = make(MANY, UINT32_MAX, 1);
	const struct sort sort = { items, MANY, sizeof *items, compare };
	compared = cancelled_at = 0;
	assert_true(sort_items(&sort, &is_cancelled, &err));
	size_t all = compared, tried = 0;
	assert_true(all > 10 * most);
	for (size_t at = 1; at < all - most; at += all / 23, tried++) {
		bool is_there[MANY] = { false };
		memory_free(items);
		items = make(MANY, UINT32_MAX, 1);
		const struct sort again = { items, MANY, sizeof *items, compare };
		compared = 0;
		cancelled_at = at;
		assert_false(sort_items(&again, &is_cancelled, &err));
		assert_int_equal(err.kind, ERROR_CANCELLED);
		assert_true(compared - at < most);
		for (size_t i = 0; i < MANY; i++)
			is_there[items[i].place] = true;
		for (size_t i = 0; i < MANY; i++)
			assert_true(is_there[i]);
		atomic_store(&is_cancelled, false);
		error_clear(&err);
	}
	assert_true(tried > 10);
	memory_free(items);
}

static void
want_of_memory_is_told(void **state)
{
	(void)state;
	struct error err = { 0 };
	struct item *items = make(MANY, UINT32_MAX, 1);
	const struct sort sort = { items, MANY, sizeof *items, compare };
	cancelled_at = 0;
	memory_fail_after(1);
	assert_false(sort_items(&sort, NULL, &err));
	memory_fail_after(0);
	assert_int_equal(err.kind, ERROR_MEMORY);
	error_clear(&err);
	assert_true(sort_items(&sort, NULL, &err));
	memory_free(items);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(items_are_in_order),
		cmocka_unit_test(it_ends_soon_after_cancel),
		cmocka_unit_test(want_of_memory_is_told),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Items are sorted by their keys, and a sort that nobody wants ends without losing any. */
#include "base_testing.h"

#include "base/thread.h"
#include "query/radix.h"

enum { MANY = 200000 };

static struct radix_item *
make(uint64_t keys)
{
	struct error err = { 0 };
	uint64_t seed = keys;
	struct radix_item *items = array_new(MANY, sizeof *items, &err);
	assert_non_null(items);
	for (size_t i = 0; i < MANY; i++)
		items[i] = (struct radix_item){ random_below(&seed, keys), i };
	return items;
}

static void
items_are_in_order(void **state)
{
	static const uint64_t keys[] = { 1, 2, 5000, UINT64_C(1) << 40, UINT64_MAX };
	(void)state;
	for (size_t i = 0; i < ARRAY_LENGTH(keys); i++) {
		struct error err = { 0 };
		atomic_bool is_cancelled = false;
		struct radix_item *items = make(keys[i]);
		assert_true(radix_sort(items, MANY, &is_cancelled, &err));
		for (size_t n = 1; n < MANY; n++)
			assert_true(items[n - 1].key < items[n].key ||
				    (items[n - 1].key == items[n].key &&
					    items[n - 1].value < items[n].value));
		memory_free(items);
	}
}

static void
check_all_are_there(const struct radix_item *items)
{
	static bool is_there[MANY];
	memset(is_there, 0, sizeof is_there);
	for (size_t i = 0; i < MANY; i++)
		is_there[items[i].value] = true;
	for (size_t i = 0; i < MANY; i++)
		assert_true(is_there[i]);
}

static void
it_is_not_begun_once_it_is_cancelled(void **state)
{
	(void)state;
	struct error err = { 0 };
	atomic_bool is_cancelled = true;
	struct radix_item *items = make(UINT64_MAX);
	assert_false(radix_sort(items, MANY, &is_cancelled, &err));
	assert_int_equal(err.kind, ERROR_CANCELLED);
	for (size_t i = 0; i < MANY; i++)
		assert_int_equal(items[i].value, i);
	memory_free(items);
}

struct sorting {
	struct radix_item *items;
	atomic_bool has_begun, is_cancelled;
	bool is_fine;
	struct error err;
};

static void
sort_again_and_again(void *context)
{
	struct sorting *sorting = context;
	do {
		uint64_t seed = 1;
		for (size_t i = 0; i < MANY; i++)
			sorting->items[i].key = random_below(&seed, UINT64_MAX);
		atomic_store(&sorting->has_begun, true);
		sorting->is_fine = radix_sort(
			sorting->items, MANY, &sorting->is_cancelled, &sorting->err);
	} while (sorting->is_fine);
}

/* Wherever another thread cancels it. */
static void
no_item_is_lost(void **state)
{
	(void)state;
	for (int pass = 0; pass < 20; pass++) {
		struct sorting sorting = { .items = make(1) };
		struct worker *worker =
			worker_new(sort_again_and_again, &sorting, &sorting.err);
		assert_non_null(worker);
		while (!atomic_load(&sorting.has_begun))
			;
		for (volatile int i = 0; i < pass * 100000; i++)
			;
		atomic_store(&sorting.is_cancelled, true);
		worker_join(worker);
		assert_int_equal(sorting.err.kind, ERROR_CANCELLED);
		check_all_are_there(sorting.items);
		memory_free(sorting.items);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(items_are_in_order),
		cmocka_unit_test(it_is_not_begun_once_it_is_cancelled),
		cmocka_unit_test(no_item_is_lost),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

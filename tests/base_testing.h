/* What the tests of base share: named comparisons, seeded numbers, failing allocations. */
#ifndef TTRACE_TESTS_BASE_TESTING_H
#define TTRACE_TESTS_BASE_TESTING_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/error.h"
#include "base/memory.h"

/* Fails with the row's name when the texts differ. */
static inline void
check_text(const char *row, const char *got, const char *wanted)
{
	if (strcmp(got, wanted) != 0)
		fail_msg("%s: got \"%s\", wanted \"%s\"", row, got, wanted);
}

/* A seeded sequence: an odd-increment counter, scrambled. */
static inline uint64_t
random_next(uint64_t *state)
{
	*state += UINT64_C(0x9E3779B97F4A7C15);
	uint64_t mixed = *state;
	mixed = (mixed ^ mixed >> 31) * UINT64_C(0x7FB5D329728EA185);
	mixed = (mixed ^ mixed >> 27) * UINT64_C(0x81DADEF4BC2DD44D);
	return mixed ^ mixed >> 33;
}

static inline size_t
random_below(uint64_t *state, size_t limit)
{
	return (size_t)(random_next(state) % limit);
}

/*
 * Tries again and again, with the first, the second, ... allocation failing,
 * until the attempt succeeds. Each failure must be reported as want of memory;
 * returns how many there were, which no caller expects to be none.
 */
static inline unsigned
fail_each_allocation(const char *name, bool (*attempt)(struct error *err))
{
	for (unsigned failures = 0; failures < 10000; failures++) {
		struct error err;
		error_clear(&err);
		memory_fail_after(failures + 1);
		bool is_fine = attempt(&err);
		memory_fail_after(0);
		if (is_fine && err.kind != ERROR_NONE)
			fail_msg("%s: succeeded with the error \"%s\"", name, err.message);
		if (is_fine && failures == 0)
			fail_msg("%s: allocates nothing", name);
		if (is_fine)
			return failures;
		if (err.kind != ERROR_MEMORY)
			fail_msg("%s: allocation %u failed without an error", name, failures + 1);
	}
	fail_msg("%s: never succeeds", name);
	return 0;
}

/* Where the next fault is tried: one by one at first, then ever further apart. */
static inline uint64_t
fault_next(uint64_t place)
{
	enum { DENSE = 200 };
	return place < DENSE ? place + 1 : place + place / 8;
}

/* Whether the allocation that memory_fail_after() made to fail has come; turns that off. */
static inline bool
fault_has_come(void)
{
	void *next = memory_realloc(NULL, 1);
	memory_fail_after(0);
	memory_free(next);
	return next == NULL;
}

#endif

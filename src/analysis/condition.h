/*
 * What must hold of the durations in a trace: F(KIND) OPERATOR VALUE, with blanks anywhere between.
 *
 *     p99(sched) < 500us
 *     max(stw) <= 1ms
 *     share(gc) < 5%
 *     count("state=blocked dur>10ms") = 0
 *
 * F is count, sum, mean, max, share or pNN, such as p50 or p99.9, with at most six digits behind
 * the point; the operators are < <= > >= = and !=. A count is a number, a share a percentage,
 * all else a duration. KIND is as analysis/latency_kind.h has it, and what counts
 * analysis/latency.h says.
 */
#ifndef TTRACE_ANALYSIS_CONDITION_H
#define TTRACE_ANALYSIS_CONDITION_H

#include <stdbool.h>
#include <stdint.h>

#include "analysis/latency.h"
#include "analysis/latency_kind.h"
#include "base/error.h"

enum condition_function {
	CONDITION_COUNT,
	CONDITION_SUM,
	CONDITION_MEAN,
	CONDITION_MAX,
	CONDITION_SHARE,
	CONDITION_QUANTILE,
	CONDITION_FUNCTION_COUNT
};

enum condition_relation {
	CONDITION_LESS,
	CONDITION_AT_MOST,
	CONDITION_MORE,
	CONDITION_AT_LEAST,
	CONDITION_EQUAL,
	CONDITION_UNEQUAL
};

/* What the part of a quantile and a share are of: 1% is 1000000. */
#define CONDITION_WHOLE UINT64_C(100000000)

struct condition {
	enum condition_function function;
	uint64_t part;             /* of CONDITION_WHOLE; of a quantile */
	struct latency_kind kind;
	enum condition_relation relation;
	int64_t value;             /* a number, nanoseconds, or a share of CONDITION_WHOLE */
};

/*
 * Reads a text. False with err set and *condition empty: ERROR_USAGE says what is wrong and at
 * which character, with its byte as the error's offset; or ERROR_MEMORY. Release with
 * condition_release() after success.
 */
bool condition_parse(struct condition *condition, const char *text, struct error *err);
void condition_release(struct condition *condition); /* an empty one is fine */

/* What a trace has to say to it. */
struct verdict {
	bool holds;
	bool has_value; /* without spans only counts and sums have one, and all else fails */
	int64_t value;  /* a number or nanoseconds; of a mean rounded down */
	double share;   /* in place of the value; 1 is all of the interval, and it may be more */
};

/* Of the durations of its kind. O(1). */
struct verdict condition_judge(const struct condition *condition, const struct latency *latency);

#endif

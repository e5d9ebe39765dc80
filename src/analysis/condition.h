/*
 * What must hold of a trace, with blanks anywhere between: REPORT.COLUMN OPERATOR VALUE of all rows
 * that a report has, REPORT.COLUMN(TEXT) of those that are about TEXT:
 *
 *     goroutines.max(ready) < 5ms
 *     function:main.worker.blocked <= 1s
 *     slices.calls > 0
 *
 * REPORT is what --report takes, COLUMN a key of CSV with or without its unit; the value is a
 * duration, a size, a number or a percentage as the column is. Or of the durations of a kind,
 * F(KIND) OPERATOR VALUE:
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
	CONDITION_REPORT,
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

/* What a value was given in. A number of CONDITION_NUMBER is in millionths. */
enum condition_unit { CONDITION_NUMBER, CONDITION_PERCENT, CONDITION_DURATION, CONDITION_BYTES };

/* What the part of a quantile and a share are of: 1% is 1000000. */
#define CONDITION_WHOLE UINT64_C(100000000)

struct condition {
	enum condition_function function;
	uint64_t part;             /* of CONDITION_WHOLE; of a quantile */
	struct latency_kind kind;
	enum condition_relation relation;
	int64_t value;             /* a number, nanoseconds, or a share of CONDITION_WHOLE */
	/* Of CONDITION_REPORT, in place of the kind, what the value is in place of its type: */
	char *report;              /* "function:main.worker" */
	char *column;              /* "max", or with its unit "max_ns" */
	char *about;               /* the TEXT; NULL: all rows */
	enum condition_unit unit;
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

/* Whether an order, negative, 0 or positive as a measured value is less, equal or more, keeps to it. */
bool condition_is_so(enum condition_relation relation, int order);

/* Of the durations of its kind; of no report. O(1). */
struct verdict condition_judge(const struct condition *condition, const struct latency *latency);

#endif

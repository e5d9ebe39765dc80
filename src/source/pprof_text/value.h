/* Values and percents as pprof prints them, in base units: nanoseconds, bytes, or a count. */
#ifndef TTRACE_SOURCE_PPROF_TEXT_VALUE_H
#define TTRACE_SOURCE_PPROF_TEXT_VALUE_H

#include <stdbool.h>
#include <stdint.h>

#include "source/common/scan.h"

enum pprof_family {
	PPROF_NUMBER, /* without a unit, or 0 */
	PPROF_TIME,
	PPROF_MEMORY,
	PPROF_OTHER   /* of a unit of the profile's own, such as "requests" */
};

struct pprof_value {
	int64_t whole;       /* in base units, without ... */
	int hundredths;      /* ... these, of the same sign */
	enum pprof_family family;
	struct scan text;    /* as it was printed */
	struct scan unit;    /* of PPROF_OTHER */
};

/* "1.17s", "-3", "1111requests": takes a word that is a value. Of more than three decimals the rest goes. */
bool pprof_value_read(struct scan *line, struct pprof_value *value);
/* "66.99%", "9e-05%": takes a word that is a percent, as READY_PERCENT counts it. */
bool pprof_percent_read(struct scan *line, int64_t *percent, struct scan *text);
/* The value rounded to a whole number. */
int64_t pprof_value_round(const struct pprof_value *value);

#endif

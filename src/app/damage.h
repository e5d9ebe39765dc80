/* What is missing from a trace, in words. */
#ifndef TTRACE_APP_DAMAGE_H
#define TTRACE_APP_DAMAGE_H

#include <stdbool.h>

#include "base/error.h"
#include "base/text.h"
#include "gotrace/result.h"
#include "trace/trace.h"

/*
 * Appends "669 B lost from byte 49331 on: the input ends ... (byte 50000, generation
 * 8, batch 64)", safe text, for a trace with is_damaged set.
 */
void damage_describe(struct text *out, const struct trace *trace, bool ascii);
/* The same for a trace that was only read. */
void damage_describe_result(struct text *out, const struct go_read_result *result, bool ascii);

#endif

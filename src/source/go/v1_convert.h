/*
 * Tells the ordered events of a v1 trace in the words of v2, after checking that
 * they do not contradict each other: doc/format/go-trace-v1.md, sections 6 and 7.
 */
#ifndef TTRACE_SOURCE_GO_V1_CONVERT_H
#define TTRACE_SOURCE_GO_V1_CONVERT_H

#include <stdbool.h>

#include "base/error.h"
#include "source/go/delivery.h"
#include "source/go/v1_order.h"

/*
 * Delivers a Sync and then the events. An event that contradicts those before it ends
 * them: it and what follows is dropped from the order, and *disorder, unless it is set
 * already, says why. False with err set for what ends the reading altogether.
 */
bool v1_convert(struct v1_order *order, struct delivery *delivery, struct error *disorder,
                struct error *err);

/* When ticks are by the clock of the events that were delivered; 0 before the first. */
int64_t v1_convert_ns(const struct v1_order *order, int64_t ticks);

#endif

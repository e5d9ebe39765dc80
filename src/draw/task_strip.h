/* The lane of a task, cut into cells by the rule of draw/strip.h. */
#ifndef TTRACE_DRAW_TASK_STRIP_H
#define TTRACE_DRAW_TASK_STRIP_H

#include "draw/lane_strip.h"
#include "draw/task_rows.h"

/*
 * Fills a strip, for which room was made, as strip_fill() does other lanes: the time while
 * nobody works for the task is CLASS_IDLE. Logs of the task have marks; matches of a search where
 * the actor whose state is seen has one. O(width * (log n + TASK_BLOCK)).
 */
void task_strip_fill(
	struct strip *strip, const struct strip_source *source, const struct task_lane *lane);

#endif

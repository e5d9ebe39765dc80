/*
 * A function_graph as a trace: its tasks are the actors, its CPUs the processors, its calls the
 * slices, the stretches between its marks the tasks of the model ("packets").
 *
 * What an actor did is known only where lines tell of it: it runs there, and between is unknown. It
 * begins with its first line; whether it ends is never said, so it does not. Events, marks and
 * losses are instants of the category that they have or are ("sched_wakeup", "mark", "lost"); marks
 * are on no actor, losses on a processor alone. The detail of a slice is the string_id of a text.
 *
 * Where events of the kernel stand between the calls, they tell who runs (mixed.h), and an idle CPU is no
 * actor: its calls are slices of the processor.
 */
#ifndef TTRACE_SOURCE_FUNCTION_GRAPH_LOAD_H
#define TTRACE_SOURCE_FUNCTION_GRAPH_LOAD_H

#include "base/error.h"
#include "base/thread.h"
#include "input/input.h"
#include "trace/snapshot.h"
#include "trace/trace.h"
#include "trace/words.h"

extern const struct words function_graph_words;

/*
 * The id of an actor is the pid. Pid 0 is a task on each CPU, and where nothing names who runs on a
 * CPU that is one too: their ids are negative, no two the same.
 *
 * Reads the input to its end; any bytes make a trace. NULL for want of memory, if the input fails,
 * and once the progress is cancelled (it may be NULL). Who watches, if not NULL, is shown what there is so far.
 */
struct trace *function_graph_load(struct input *in, struct progress *progress,
	const struct trace_watch *watch, struct error *err);

#endif

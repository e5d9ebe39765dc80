/*
 * Dumps: a trace as text, event by event, written while it is read. At most one
 * generation of the trace is held. Each needs an opened input, which it reads to
 * its end (or to the end of the interval), and leaves to the caller.
 */
#ifndef TTRACE_DUMP_DUMP_H
#define TTRACE_DUMP_DUMP_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/thread.h"
#include "dump/writer.h"
#include "input/input.h"
#include "source/go/result.h"
#include "trace/trace.h"

/* Nanoseconds since the start of the trace, `to` not included; all of it when zero. */
struct dump_interval {
	bool has_from, has_to;
	int64_t from_ns, to_ns;
};

struct dump {
	struct dump_interval interval;
	struct progress *progress; /* may be NULL; is_cancelled is looked at */
	struct writer *out;        /* finished when all went well, or the trace is damaged */
};

enum dump_parsed_form {
	DUMP_PARSED_NEWEST, /* as Go 1.26 prints */
	DUMP_PARSED_GO123,  /* as Go 1.22 and 1.23 do */
};

/*
 * Each fills *result: after true, its damage map says whether the trace could be
 * read whole. False with err set when there was nothing to dump, when writing failed and
 * when it was cancelled; what was written till then stays.
 */

/* The ordered events: doc/format/cmd-trace-views.md, section 3.2. */
bool dump_parsed(const struct dump *dump, struct input *in, enum dump_parsed_form form,
	struct go_read_result *result, struct error *err);
/*
 * The events of the file, in its order and in the text form: doc/format/
 * go-trace-semantics.md, section 10. Of an interval: the whole generations that have
 * a part in it, so that the result is a trace again. For v2 traces only.
 */
bool dump_wire(const struct dump *dump, struct input *in, struct go_read_result *result,
	struct error *err);
/*
 * What each kind of event takes in the file: cmd-trace-views.md, section 3.3. Of an
 * interval: of the whole generations that have a part in it.
 */
bool dump_footprint(const struct dump *dump, struct input *in, struct go_read_result *result,
	struct error *err);

/* What the viewer's JSON shows: cmd-trace-views.md, section 4.2. */
enum dump_json_view {
	DUMP_JSON_PROC,
	DUMP_JSON_THREAD,
	DUMP_JSON_GOROUTINE, /* one, with those that woke it */
	DUMP_JSON_TASK,      /* one and its descendants, with the goroutines that took part */
	DUMP_JSON_FOCUSTASK, /* the same, with procs */
};

/*
 * The events for the viewer of Chrome and for Perfetto, as Go 1.23 gives them to it. `id`
 * names the goroutine or the task; ERROR_USAGE when the trace does not have it. All but the
 * first two read the trace more than once: what cannot be rewound is spooled to a file
 * meanwhile.
 */
bool dump_json(const struct dump *dump, struct input *in, enum dump_json_view view, int64_t id,
	struct go_read_result *result, struct error *err);
/*
 * The same for any trace that has time, from its index: rows of states, slices, processors and threads,
 * instants, counters, sections across actors, and who woke whom. Of an interval: what overlaps it. A
 * waker is told where both the wake and the run after it are in it. O(spans).
 */
bool dump_json_trace(const struct dump *dump, const struct trace *trace, struct error *err);

#endif

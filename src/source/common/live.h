/*
 * What was read so far, shown while more comes: as a trace of its own, made anew each time. It is shown
 * when no more lines have come, which may take long; making it takes a small part of the time.
 */
#ifndef TTRACE_SOURCE_COMMON_LIVE_H
#define TTRACE_SOURCE_COMMON_LIVE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "source/common/line_reader.h"
#include "trace/snapshot.h"

struct live {
	const struct trace_watch *watch; /* NULL: nobody is shown anything */
	uint64_t shown;                  /* how much of the input there was the last time */
	int64_t next_ns;
};

/* Whether `count` things are worth showing now, more of which only come. */
bool live_is_due(const struct live *live, const struct line_reader *reader, uint64_t count);
/* Makes a trace of what there is and shows it. Without memory, make() returns NULL, there is a picture less. */
void live_show(struct live *live, uint64_t count,
	struct trace *(*make)(const void *reading, struct error *err), const void *reading);
/*
 * Names, frames and stacks of a new trace are those of another one, with the same ids, so that what was read
 * for that one can be copied. Fails for want of memory. O(names, frames and stacks).
 */
bool live_copy_names(struct trace *trace, const struct trace *from, struct error *err);

#endif

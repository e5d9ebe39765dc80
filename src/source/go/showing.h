/* When a snapshot of the trace that is being built is worth its cost, and taking it. */
#ifndef TTRACE_SOURCE_GO_SHOWING_H
#define TTRACE_SOURCE_GO_SHOWING_H

#include <stdbool.h>
#include <stdint.h>

#include "base/thread.h"
#include "source/go/result.h"
#include "trace/builder.h"

/* Zero-initialised shows nothing. */
struct showing {
	const struct trace_watch *watch;     /* NULL: nobody looks */
	const struct progress *progress;     /* of reading; may be NULL */
	const struct go_read_result *result; /* only the version is looked at */
	/* Nobody else looks at the builder while nothing comes, so a snapshot may be made then. */
	bool may_follow;
	int64_t ended_ns, took_ns;           /* the snapshot before; 0 before the first */
	bool is_due;                         /* one was left out for being too soon, of: */
	struct table_counts counts;
};

/*
 * A generation has ended. Its snapshot is left out too soon after the one before, and
 * where the input is known to have ended, since the trace itself comes then. Without memory for
 * one there is a picture less.
 */
void showing_generation(struct showing *showing, struct builder *builder,
                        const struct table_counts *counts);
/* How long from now on until one that was left out is due; below 0 where none was. */
int64_t showing_wait_ns(const struct showing *showing);
/* Nothing has come since the generation ended: makes it now. */
void showing_follow(struct showing *showing, struct builder *builder);
/* Something has come: it is too late for it. */
void showing_forget(struct showing *showing);

#endif

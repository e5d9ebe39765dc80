/*
 * Loads a trace on a thread of its own and hands over what there is of it meanwhile:
 * snapshots, each with more, and in the end the trace itself.
 */
#ifndef TTRACE_APP_LOADER_H
#define TTRACE_APP_LOADER_H

#include <stdatomic.h>
#include <stdbool.h>

#include "base/error.h"
#include "base/thread.h"
#include "draw/row_marks.h"
#include "draw/screen.h"
#include "source/go/bound.h"
#include "source/go/showing.h"
#include "trace/trace.h"

/*
 * The work: reads the trace, tells its progress, shows snapshots, ends soon once cancelled.
 * Where not all of it may be loaded, what `wish` says; NULL: what the options do.
 */
typedef struct trace *(*loading_function)(void *context, const struct go_wish *wish,
	const struct trace_watch *watch, struct progress *progress, struct error *err);

/* A line for the user. */
struct loader_line {
	bool is_alert;
	char text[256]; /* safe */
};

/* May not be moved while it loads. The first block is the caller's to set. */
struct loader {
	struct screen *screen; /* woken when there is something new */
	loading_function load;
	void *context; /* of load */
	struct progress *progress;
	unsigned rest; /* between snapshots, see struct trace_watch */
	bool has_no_snapshots; /* only the trace itself is handed over */
	bool makes_marks; /* of all that is handed over but for the first; see loader_makes_late() */
	const struct go_wish *wish; /* for load; may be NULL */
	/* Whether another part can be loaded, asked before this one is let go; may be NULL. */
	bool (*check)(void *context, struct error *err);
	/*
	 * What else is done with the whole trace once it was handed over, on the same thread, which
	 * ends soon once progress is cancelled; may be NULL. It may call loader_tell().
	 */
	void (*keep)(void *context, const struct trace *trace, struct loader *loader);

	struct worker *worker;
	struct worker *late;    /* makes marks of `shown`; NULL for none */
	struct worker *freeing; /* a trace that was let go; NULL for none */
	bool has_shown;           /* for the thread that hands over */
	_Atomic(struct trace *) arrived; /* the newest, not taken yet; NULL for none */
	_Atomic(struct row_marks *) arrived_marks; /* of that, or of one that is about to arrive */
	_Atomic(struct loader_line *) line; /* the newest that was told, not taken yet */
	bool has_failed;                 /* for loader_has_failed() */
	struct error err;                /* why it has */
	struct trace *shown;             /* taken last; NULL before the first */
	struct row_marks *marks;         /* likewise; of `shown`, of a later one, or NULL */
};

/*
 * False and err when no thread can be had; then there is nothing to end. It can be started again
 * once it was ended.
 */
bool loader_start(struct loader *loader, struct error *err);
/*
 * Takes what is new into `shown`; false when nothing is. *before is what was shown until
 * now or NULL, for the caller to let go once nothing refers to it.
 */
bool loader_next(struct loader *loader, struct trace **before);
/*
 * Whether marks of this trace are made once it is shown: of one out of a cache, whose states
 * would all have to be read before it could be shown.
 */
bool loader_makes_late(const struct loader *loader, const struct trace *trace);
/*
 * Begins to make such marks, unless that was done: once there is a picture, which they would hold
 * up. The screen is woken when they are there. Without a thread there are none.
 */
void loader_begin_late(struct loader *loader);
/* Takes such marks into `marks`; false while there are none. Those before are freed. */
bool loader_take_late(struct loader *loader);
/* Frees a trace, NULL as well, which takes long, on a thread of its own. */
void loader_let_go(struct loader *loader, struct trace *trace);
/* Nothing new will come: what is shown is the whole trace, unless loader_has_failed(). */
bool loader_is_finished(const struct loader *loader);
/* Nothing changes until the screen is woken: the pipe that is read is quiet. */
bool loader_is_waiting(const struct loader *loader);
/* It is finished, and there is no trace; err says why. */
bool loader_has_failed(const struct loader *loader);
/* From the thread that loads: a line for the user, safe text. Without memory it is not told. */
void loader_tell(struct loader *loader, bool is_alert, const char *line);
/* The newest line, to be freed with memory_free(); NULL for none. */
struct loader_line *loader_take_line(struct loader *loader);
/* Cancels what still goes on, waits for its end, and frees the trace that is shown. */
void loader_end(struct loader *loader);

#endif

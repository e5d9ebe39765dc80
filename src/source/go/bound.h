/*
 * Loading within a bound on memory: which generations of a trace are loaded when not all fit.
 *
 * The bound is on all memory that the program holds. What every run takes, however small the
 * trace is, was measured: the program, its stacks, the columns in which segments of usual length
 * are gathered, what the screen is drawn from, and what is freed but not given back. The rest of
 * the bound is for what grows with the trace: its index with strings and stacks, what is needed
 * to build that, and what is held of the generation being read.
 */
#ifndef TTRACE_SOURCE_GO_BOUND_H
#define TTRACE_SOURCE_GO_BOUND_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "source/go/outline.h"
#include "source/go/reader.h"
#include "source/go/relay.h"
#include "trace/builder.h"

/*
 * The time that is to be in what is loaded; where both are the same, with time around it. Or a
 * goroutine (above 0): then it is that of the first word of it. Finding that takes reading the
 * trace up to there.
 */
struct go_wish {
	int64_t from_ns, to_ns;
	int64_t goroutine;
};

struct go_bound {
	uint64_t memory_bytes; /* above 0; below 64 MiB what every run takes does not quite fit in */
	/*
	 * Asked once the outline is known, as a trace of which nothing is loaded: with its
	 * length, parts and wall clock. NULL: its beginning is wanted. Not asked of what has no
	 * outline (a pipe, packed or text): of that the first generations are loaded.
	 */
	struct go_wish (*wish)(void *context, const struct trace *outline);
	void *context;
};

/* The state of a load within a bound. Zero-initialise. */
struct bounded {
	const struct go_bound *bound; /* NULL: there is none */
	struct outline outline;       /* without generations: none can be had */
	uint64_t room_bytes;          /* of the bound, for what grows with the trace */
	int64_t origin_ns;            /* by the trace's clock, if there are some */
	size_t first;                 /* generation of the outline that is loaded first */
	size_t most;                  /* so many at most; 0 before the first try */
	struct go_window window;
	struct builder *builder;      /* of this try, as are: */
	const struct intern *strings;
	const struct stack_table *stacks;
	struct relay *relay;          /* set once it is there */
	struct progress *progress;    /* told how much is likely to fit; may be NULL */
	size_t ended;                 /* generations that were read */
	uint64_t read_bytes;          /* up to where */
	uint64_t index_bytes;         /* what they came to */
};

/*
 * Finds out what there is and what is wanted. False with err set also where the bound is too
 * small for anything.
 */
bool bounded_plan(struct bounded *bounded, const struct go_bound *bound, struct input *in,
                  const struct go_read_options *options, struct error *err);
/* Before a try: prepares the builder of the trace. options->window becomes that of the plan. */
bool bounded_begin(struct bounded *bounded, struct trace *trace, struct builder *builder,
                   struct go_read_options *options, struct error *err);
/* After a try that read what it wanted; before the trace is finished. */
void bounded_end(struct bounded *bounded, const struct go_read_result *result);
/*
 * After one that failed: whether a smaller one makes sense, and then err is cleared and the
 * input stands at its beginning.
 */
bool bounded_try_less(struct bounded *bounded, struct input *in, struct error *err);
void bounded_release(struct bounded *bounded);

#endif

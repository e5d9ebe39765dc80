/*
 * Which sequence numbers the rest of a damaged generation has: so that an event does not
 * wait for one that is lost, while all others go by.
 */
#ifndef TTRACE_SOURCE_GO_LOOKAHEAD_H
#define TTRACE_SOURCE_GO_LOOKAHEAD_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/map.h"
#include "source/go/state.h"

/* Zero-initialised is empty; it holds two entries for each numbered event at most. */
struct lookahead {
	struct map numbers;
	struct map last; /* by the goroutine, the highest number that its events have */
	bool is_built; /* set by the user */
};

/*
 * Takes in an event that is still to come on a thread; *proc is the proc that the thread
 * has there, GO_ID_NONE for none, from one event to the next.
 */
bool lookahead_add(struct lookahead *lookahead, const struct wire_event *wire, int64_t *proc,
                   struct error *err);
/* Whether an event that has to wait would wait for what never comes. Bounded cost. */
bool lookahead_is_vain(const struct lookahead *lookahead, const struct state *state,
                       const struct machine *machine, const struct wire_event *wire);

/* What the rest of the generation numbers of a goroutine. */
enum ahead {
	AHEAD_NEXT,    /* the event that follows is to come */
	AHEAD_LATER,   /* only later ones are: those between are lost */
	AHEAD_NOTHING,
};
enum ahead lookahead_of_goroutine(const struct lookahead *lookahead, const struct state *state,
                                  const struct goroutine *goroutine);
void lookahead_clear(struct lookahead *lookahead);
void lookahead_release(struct lookahead *lookahead);

#endif

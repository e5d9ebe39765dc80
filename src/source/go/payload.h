/*
 * The payloads of timed batches, which are left in the input where that can be read at any
 * place: they are asked for one by one as the merge comes to them, and then a copy in a room
 * that the thread's next batch uses again is nearer than one made of all beforehand.
 */
#ifndef TTRACE_SOURCE_GO_PAYLOAD_H
#define TTRACE_SOURCE_GO_PAYLOAD_H

#include "source/go/generation.h"

/* For a copy. Zero-initialised has none. */
struct payload_room {
	uint8_t *bytes;
	size_t capacity;
};

/*
 * A cursor over the payload of a batch, good until the room is used again. False with err set
 * where it cannot be read, then over nothing at its end; the input may have become shorter.
 */
bool payload_open(const struct generation *generation, const struct batch *batch,
                  struct payload_room *room, struct cursor *cursor, struct error *err);
void payload_room_release(struct payload_room *room);

/*
 * Behind the bytes of the generation goes the payload of its last batch, as far as it is there,
 * if it was left in the input.
 */
bool payload_fetch_last(struct generation *generation, struct error *err);

#endif

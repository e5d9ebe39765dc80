/*
 * Carries steps from the reader's thread to another one that builds, in order, so that
 * reading and building go on at the same time.
 */
#ifndef TTRACE_SOURCE_GO_RELAY_H
#define TTRACE_SOURCE_GO_RELAY_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "source/go/build.h"

struct relay;

/*
 * Starts the thread; where none can be had, the steps are carried out by the one that
 * hands them over. Until relay_join() nobody else may use `build`. NULL and err for want
 * of memory.
 */
struct relay *relay_new(struct go_build *build, struct error *err);
/* A step_exchange; its context is the relay. Gives NULL once a step could not be carried out. */
struct step *relay_exchange(void *relay, size_t count, bool ends_generation, struct error *err);
/*
 * Waits until all that was handed over was carried out: up to the next exchange the reader's
 * thread may look at what is built. False when a step could not be; relay_join() tells why.
 */
bool relay_drain(struct relay *relay);
/*
 * No more steps: waits until all were carried out and frees the relay. False with the error
 * of the step that could not be; an error that err holds already stays.
 */
bool relay_join(struct relay *relay, struct error *err);

#endif

/*
 * Takes events on the reader's thread and gives them to a sink on another one, in
 * order, so that reading and building go on at the same time.
 */
#ifndef TTRACE_GOTRACE_RELAY_H
#define TTRACE_GOTRACE_RELAY_H

#include "base/error.h"
#include "gotrace/event.h"

struct relay;

/* Starts the thread; `to` is called only there until relay_join(). NULL and err on failure. */
struct relay *relay_new(struct go_sink to, struct error *err);
/* The sink for the reader. Refuses with the other sink's error once that has refused. */
struct go_sink relay_sink(struct relay *relay);
/*
 * No more events: waits until all were taken and frees the relay. False with the other
 * sink's error when it refused one; an error that err holds already stays.
 */
bool relay_join(struct relay *relay, struct error *err);

#endif

/*
 * Signals that ask us to leave while a file is being written, which is taken back first. For the
 * forms without a screen; that has its own way.
 */
#ifndef TTRACE_APP_SIGNALS_H
#define TTRACE_APP_SIGNALS_H

#include <stdatomic.h>

/* From now on they set this, which has to live on. Those that are ignored stay so. */
void signals_catch(atomic_bool *is_cancelled);
/* The number of the one that came, 0 for none. */
int signals_caught(void);

#endif

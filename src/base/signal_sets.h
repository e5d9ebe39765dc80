/* Which signals end a process that does nothing about them. */
#ifndef TTRACE_BASE_SIGNAL_SETS_H
#define TTRACE_BASE_SIGNAL_SETS_H

#include <stddef.h>

enum { SIGNALS_ENDING = 10, SIGNALS_CRASHING = 7 };

/* Those by which somebody, or a limit, asks it to end: there is time to clear up before. */
extern const int signals_ending[SIGNALS_ENDING];
/* Those of its own mistakes: nothing but the handler runs any more. */
extern const int signals_crashing[SIGNALS_CRASHING];

/*
 * What nobody reads any more, and what is longer than files may get, is an error of write() from
 * now on, and does not end the process.
 */
void signals_ignore_failed_writes(void);
/* In a child, before it becomes another program: there they are as usual. */
void signals_heed_failed_writes(void);

#endif

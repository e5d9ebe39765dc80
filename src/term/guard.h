/*
 * Guards the terminal: signals become flags, and whatever ends or stops the
 * process gives the terminal back first. State of the whole process, since
 * signal handlers are.
 */
#ifndef TTRACE_TERM_GUARD_H
#define TTRACE_TERM_GUARD_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

enum guard_flag { GUARD_RESIZE, GUARD_TERMINATE, GUARD_SUSPEND, GUARD_RESUME, GUARD_FLAGS };

/*
 * Remembers the modes of the terminal behind tty_fd, installs the handlers and blocks
 * their signals on the calling thread. Signals that were ignored stay ignored.
 * The messages are as in struct term_options.
 */
bool guard_open(int tty_fd, const char *crash_message, const char *unmapped_message,
	struct error *err);
/* Puts the handlers and the signal mask back as they were. */
void guard_close(void);

/*
 * From now on a crash writes these bytes to the terminal and resets its modes. What is
 * too long for the fixed buffer is cut. Again after a resize.
 */
void guard_arm(const char *restore, size_t length);
/* The terminal has been given back by regular means. */
void guard_disarm(void);

/* The mask for pselect(): our signals come through. */
const sigset_t *guard_wait_mask(void);
/* Lets handlers of pending signals run now. */
void guard_deliver(void);
/* Whether the flag was set since last asked. */
bool guard_take(enum guard_flag flag);
/* The last signal that set GUARD_TERMINATE, or 0. */
int guard_terminating_signal(void);

/*
 * Stops this process, or its whole process group as ^Z does, until it is continued.
 * Where nobody could continue it (no job control) this returns at once.
 */
void guard_stop(bool is_whole_group);

#endif

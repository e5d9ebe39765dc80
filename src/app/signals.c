/* Signals that cancel. */
#include "app/signals.h"

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/signal_sets.h"

static atomic_bool *volatile cancelled_by_signal;
static volatile sig_atomic_t caught_signal;

static void
cancel(int number)
{
	caught_signal = number;
	atomic_store(cancelled_by_signal, true);
}

void
signals_catch(atomic_bool *is_cancelled)
{
	cancelled_by_signal = is_cancelled;
	for (size_t i = 0; i < SIGNALS_ENDING; i++) {
		struct sigaction now;
		struct sigaction action = { .sa_handler = cancel };
		sigemptyset(&action.sa_mask);
		if (sigaction(signals_ending[i], NULL, &now) == 0 && now.sa_handler != SIG_IGN)
			sigaction(signals_ending[i], &action, NULL);
	}
}

int
signals_caught(void)
{
	return caught_signal;
}

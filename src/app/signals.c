/* Signals that cancel. */
#include "app/signals.h"

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/compiler.h"

static atomic_bool *volatile cancelled_by_signal;
static volatile sig_atomic_t caught_signal;

static void
cancel(int number)
{
	caught_signal = number;
	atomic_store(cancelled_by_signal, true);
}

static const int ending_signals[] = { SIGINT, SIGTERM, SIGHUP };

void
signals_catch(atomic_bool *is_cancelled)
{
	cancelled_by_signal = is_cancelled;
	for (size_t i = 0; i < ARRAY_LENGTH(ending_signals); i++) {
		struct sigaction now;
		struct sigaction action = { .sa_handler = cancel };
		sigemptyset(&action.sa_mask);
		if (sigaction(ending_signals[i], NULL, &now) == 0 && now.sa_handler != SIG_IGN)
			sigaction(ending_signals[i], &action, NULL);
	}
}

int
signals_caught(void)
{
	return caught_signal;
}

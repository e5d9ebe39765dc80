/* The sets of signals, as POSIX has them. */
#include "base/signal_sets.h"

#include <signal.h>

const int signals_ending[SIGNALS_ENDING] = {
	SIGTERM, SIGHUP,  SIGINT,    SIGQUIT, SIGALRM,
	SIGUSR1, SIGUSR2, SIGVTALRM, SIGPROF, SIGXCPU,
};

const int signals_crashing[SIGNALS_CRASHING] = {
	SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGSYS,
};

void
signals_ignore_failed_writes(void)
{
	signal(SIGPIPE, SIG_IGN);
	signal(SIGXFSZ, SIG_IGN);
}

void
signals_heed_failed_writes(void)
{
	signal(SIGPIPE, SIG_DFL);
	signal(SIGXFSZ, SIG_DFL);
}

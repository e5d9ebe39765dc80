/* Writing to a descriptor, and a pager as a child process. */
#include "app/outlet.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#if defined(__linux__)
#include <sys/prctl.h>
#endif

#include "base/descriptor.h"
#include "base/signal_sets.h"

enum { SHELL_COULD_NOT_EXECUTE = 126, SHELL_FOUND_NO_COMMAND = 127 };

static volatile pid_t running_pager; /* 0 for none */

/* A pager without us would share the terminal with whoever has it then. */
static void
end_with_pager(int number)
{
	kill(running_pager, SIGTERM);
	signal(number, SIG_DFL);
	raise(number);
}

/* From one of the two handlers to the other, for signals that are not ignored. */
static void
replace_handlers(void (*from)(int number), void (*to)(int number))
{
	for (size_t i = 0; i < SIGNALS_ENDING; i++) {
		struct sigaction now;
		if (sigaction(signals_ending[i], NULL, &now) == 0 && now.sa_handler == from)
			signal(signals_ending[i], to);
	}
}

/* Where the system can tell a process that its parent is gone, also one that was killed. */
static void
end_with_parent(pid_t parent)
{
#if defined(__linux__)
	prctl(PR_SET_PDEATHSIG, SIGTERM);
#endif
	if (getppid() != parent)
		_exit(0);
}

/* In the child: standard input is the pipe. Never returns. */
static void
become_pager(const char *command, const int ends[2], pid_t parent)
{
	end_with_parent(parent);
	signals_heed_failed_writes();
	bool is_ready = dup2(ends[0], STDIN_FILENO) >= 0;
	close(ends[0]);
	close(ends[1]);
	/* Quit when all fits, show colours, leave the text on the screen. */
	setenv("LESS", "FRX", 0);
	setenv("LV", "-c", 0);
	if (is_ready)
		execl("/bin/sh", "sh", "-c", command, (char *)NULL);
	_exit(SHELL_FOUND_NO_COMMAND);
}

static bool
start_pager(struct outlet *outlet, const char *command, struct error *err)
{
	int ends[2];
	if (pipe(ends) != 0)
		return error_set(err, ERROR_IO, "no pipe to the pager: %s", strerror(errno));
	pid_t parent = getpid(), child = fork();
	if (child == 0)
		become_pager(command, ends, parent);
	close(ends[0]);
	if (child < 0) {
		close(ends[1]);
		return error_set(err, ERROR_IO, "no process for the pager: %s", strerror(errno));
	}
	/* ^C is the pager's as long as it runs. */
	signal(SIGINT, SIG_IGN);
	signal(SIGQUIT, SIG_IGN);
	running_pager = child;
	replace_handlers(SIG_DFL, end_with_pager);
	outlet->pager = child;
	outlet->fd = ends[1];
	return true;
}

bool
outlet_open(struct outlet *outlet, const char *pager, struct error *err)
{
	*outlet = (struct outlet){ .fd = STDOUT_FILENO };
	return pager == NULL || start_pager(outlet, pager, err);
}

bool
outlet_write(struct outlet *outlet, const char *bytes, size_t length, struct error *err)
{
	if (outlet->is_closed)
		return false;
	if (descriptor_write_all(outlet->fd, bytes, length))
		return true;
	outlet->is_closed = errno == EPIPE;
	return outlet->is_closed ? false
				 : error_set(err, ERROR_IO, "cannot write: %s", strerror(errno));
}

bool
outlet_flush(void *context, struct text *text, struct error *err)
{
	bool is_fine = outlet_write(context, text->bytes, text->length, err);
	text_clear(text);
	return is_fine;
}

bool
outlet_close(struct outlet *outlet)
{
	if (outlet->pager == 0)
		return true;
	int status = 0;
	close(outlet->fd);
	while (waitpid(outlet->pager, &status, 0) < 0 && errno == EINTR)
		continue;
	replace_handlers(end_with_pager, SIG_DFL);
	running_pager = 0;
	signal(SIGINT, SIG_DFL);
	signal(SIGQUIT, SIG_DFL);
	outlet->pager = 0;
	return !WIFEXITED(status) || (WEXITSTATUS(status) != SHELL_FOUND_NO_COMMAND &&
					     WEXITSTATUS(status) != SHELL_COULD_NOT_EXECUTE);
}

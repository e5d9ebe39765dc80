/* Writing to a descriptor, and a pager as a child process. */
#include "app/outlet.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/descriptor.h"
#include "base/signal_sets.h"

enum { SHELL_COULD_NOT_EXECUTE = 126, SHELL_FOUND_NO_COMMAND = 127 };

/* In the child: standard input is the pipe. Never returns. */
static void
become_pager(const char *command, const int ends[2])
{
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
	pid_t child = fork();
	if (child == 0)
		become_pager(command, ends);
	close(ends[0]);
	if (child < 0) {
		close(ends[1]);
		return error_set(err, ERROR_IO, "no process for the pager: %s", strerror(errno));
	}
	/* ^C is the pager's as long as it runs. */
	signal(SIGINT, SIG_IGN);
	signal(SIGQUIT, SIG_IGN);
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
	signal(SIGINT, SIG_DFL);
	signal(SIGQUIT, SIG_DFL);
	outlet->pager = 0;
	return !WIFEXITED(status) || (WEXITSTATUS(status) != SHELL_FOUND_NO_COMMAND &&
					     WEXITSTATUS(status) != SHELL_COULD_NOT_EXECUTE);
}

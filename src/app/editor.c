/* A child process with the terminal and signals of its own. */
#include "app/editor.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/compiler.h"
#include "base/signal_sets.h"

enum { SHELL_COULD_NOT_EXECUTE = 126, SHELL_FOUND_NO_COMMAND = 127 };

/* Editors that do not take "+LINE FILE", and what they take. */
static const struct {
	const char *name, *arguments;
} forms[] = {
	{ "code", " --goto \"$1:$2\"" },
	{ "codium", " --goto \"$1:$2\"" },
	{ "hx", " \"$1:$2\"" },
	{ "helix", " \"$1:$2\"" },
	{ "subl", " \"$1:$2\"" },
	{ "zed", " \"$1:$2\"" },
};

/* The program's own name within "/usr/bin/code -w". */
static bool
is_program(const char *editor, const char *name)
{
	size_t length = strcspn(editor, " \t"), start = length;
	while (start > 0 && editor[start - 1] != '/')
		start--;
	return length - start == strlen(name) && memcmp(editor + start, name, length - start) == 0;
}

void
editor_add_command(struct text *out, const char *editor)
{
	if (editor == NULL || editor[strspn(editor, " \t")] == '\0')
		editor = "vi";
	editor += strspn(editor, " \t");
	text_add_string(out, editor);
	for (size_t i = 0; i < ARRAY_LENGTH(forms); i++) {
		if (is_program(editor, forms[i].name)) {
			text_add_string(out, forms[i].arguments);
			return;
		}
	}
	text_add_string(out, " \"+$2\" \"$1\"");
}

bool
editor_check(const char *path, struct error *err)
{
	struct stat status;
	if (stat(path, &status) != 0)
		return error_set(err, ERROR_IO, "%s: %s on this machine", path, strerror(errno));
	return S_ISREG(status.st_mode) || error_set(err, ERROR_IO, "%s: is no file", path);
}

/* In the child. What the handlers of this process do is no business of the editor. */
static void
become_editor(const char *command, const char *path, const char *line)
{
	sigset_t none;
	sigemptyset(&none);
	signals_heed_failed_writes();
	signal(SIGINT, SIG_DFL);
	signal(SIGQUIT, SIG_DFL);
	sigprocmask(SIG_SETMASK, &none, NULL);
	execl("/bin/sh", "sh", "-c", command, "sh", path, line, (char *)NULL);
	_exit(SHELL_FOUND_NO_COMMAND);
}

static int
wait_for(pid_t child)
{
	int status = 0;
	while (waitpid(child, &status, 0) < 0 && errno == EINTR)
		continue;
	return status;
}

/* What the signals of the terminal did before the editor ran. */
struct signals {
	struct sigaction interrupt, quit, stop;
	sigset_t mask;
};

static void
set_aside(struct signals *signals)
{
	struct sigaction usual = { .sa_handler = SIG_DFL }, ignore = { .sa_handler = SIG_IGN };
	sigset_t stop;
	sigaction(SIGINT, &ignore, &signals->interrupt);
	sigaction(SIGQUIT, &ignore, &signals->quit);
	sigaction(SIGTSTP, &usual, &signals->stop);
	sigemptyset(&stop);
	sigaddset(&stop, SIGTSTP);
	pthread_sigmask(SIG_UNBLOCK, &stop, &signals->mask);
}

/* What came meanwhile was not meant for us: it went as it was ignored. */
static void
put_back(const struct signals *signals)
{
	pthread_sigmask(SIG_SETMASK, &signals->mask, NULL);
	sigaction(SIGTSTP, &signals->stop, NULL);
	sigaction(SIGQUIT, &signals->quit, NULL);
	sigaction(SIGINT, &signals->interrupt, NULL);
}

static bool
run_command(const char *command, const char *path, const char *line, struct error *err)
{
	struct signals signals;
	set_aside(&signals);
	pid_t child = fork();
	if (child == 0)
		become_editor(command, path, line);
	int reason = errno;
	int status = child > 0 ? wait_for(child) : 0;
	put_back(&signals);
	if (child < 0)
		return error_set(
			err, ERROR_IO, "no process for the editor: %s", strerror(reason));
	bool is_missing = WIFEXITED(status) && (WEXITSTATUS(status) == SHELL_FOUND_NO_COMMAND ||
						       WEXITSTATUS(status) == SHELL_COULD_NOT_EXECUTE);
	return !is_missing || error_set(err, ERROR_IO, "the editor cannot be run: %.200s", command);
}

bool
editor_run(const char *editor, const char *path, uint64_t line, struct error *err)
{
	char number[24];
	struct text command = { 0 }, file = { 0 };
	snprintf(number, sizeof number, "%" PRIu64, line);
	editor_add_command(&command, editor);
	/* A path is from the trace: one that begins like an option is none. */
	text_format(&file, "%s%s", path[0] == '/' ? "" : "./", path);
	bool is_fine = !command.failed && !file.failed
			       ? run_command(command.bytes, file.bytes, number, err)
			       : error_set_memory(err, "the editor");
	text_release(&command);
	text_release(&file);
	return is_fine;
}

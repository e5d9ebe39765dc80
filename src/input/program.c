/* A child process whose output is an input, and a thread that reads what it complains of. */
#include "input/program.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/descriptor.h"

enum { LOOK_MS = 100, END_POLL_MS = 10 };

extern char **environ;

/* ---- what it complains of */

static void
end_line(struct program *program)
{
	if (program->length == 0)
		return;
	memcpy(program->last, program->line, program->length);
	program->last[program->length] = '\0';
	program->length = 0;
}

static void
keep(struct program *program, const char *bytes, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (bytes[i] == '\n')
			end_line(program);
		else if (bytes[i] != '\0' && program->length + 1 < sizeof program->line)
			program->line[program->length++] = bytes[i];
	}
}

/* Until nobody can write any more; or it is over, for somebody who got away may never end. */
static void
listen_to(void *context)
{
	struct program *program = context;
	struct pollfd waited = { .fd = program->complaints, .events = POLLIN };
	char bytes[1024];
	for (;;) {
		ssize_t count = read(program->complaints, bytes, sizeof bytes);
		if (count > 0)
			keep(program, bytes, (size_t)count);
		else if (count == 0 || (errno != EINTR && errno != EAGAIN) || atomic_load(&program->is_over))
			break;
		else
			poll(&waited, 1, LOOK_MS);
	}
	end_line(program);
}

/* ---- the beginning */

static void
close_pipe(int ends[2])
{
	for (int i = 0; i < 2; i++)
		if (ends[i] >= 0)
			close(ends[i]);
}

/* Its own end waits, as programs expect. */
static bool
open_pipe(int ends[2], struct error *err)
{
	ends[0] = ends[1] = -1;
	if (!descriptor_open_pipe(ends))
		return error_set(err, ERROR_IO, "no pipe from a program: %s", strerror(errno));
	return fcntl(ends[1], F_SETFL, 0) == 0 ||
	       error_set(err, ERROR_IO, "no pipe from a program: %s", strerror(errno));
}

/* The error of the system, 0 for none. */
static int
spawn(struct program *program, const char *const *argv, int output, int complaints)
{
	static const int heeded[] = { SIGINT, SIGQUIT, SIGPIPE, SIGXFSZ, SIGTERM, SIGHUP };
	posix_spawn_file_actions_t files;
	posix_spawnattr_t attributes;
	sigset_t none, usual;
	sigemptyset(&none);
	sigemptyset(&usual);
	for (size_t i = 0; i < sizeof heeded / sizeof *heeded; i++)
		sigaddset(&usual, heeded[i]);
	int code = posix_spawn_file_actions_init(&files);
	if (code != 0)
		return code;
	code = posix_spawnattr_init(&attributes);
	if (code != 0) {
		posix_spawn_file_actions_destroy(&files);
		return code;
	}
	posix_spawnattr_setflags(
		&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
	posix_spawnattr_setpgroup(&attributes, 0);
	posix_spawnattr_setsigmask(&attributes, &none);
	posix_spawnattr_setsigdefault(&attributes, &usual);
	code = posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
	code = code != 0 ? code : posix_spawn_file_actions_adddup2(&files, output, STDOUT_FILENO);
	code = code != 0 ? code : posix_spawn_file_actions_adddup2(&files, complaints, STDERR_FILENO);
	/* The strings of argv are not written to, whatever the prototype says. */
	if (code == 0) {
		union {
			const char *const *given;
			char *const *taken;
		} words = { .given = argv };
		code = posix_spawnp(&program->pid, argv[0], &files, &attributes, words.taken, environ);
	}
	posix_spawnattr_destroy(&attributes);
	posix_spawn_file_actions_destroy(&files);
	return code;
}

static bool
start(struct program *program, const char *const *argv, int output[2], int complaints[2], struct error *err)
{
	if (!open_pipe(output, err) || !open_pipe(complaints, err))
		return false;
	int code = spawn(program, argv, output[1], complaints[1]);
	program->is_missing = code == ENOENT;
	if (code != 0)
		return error_set(err, ERROR_IO, "%s cannot be run: %s", argv[0], strerror(code));
	close(output[1]);
	close(complaints[1]);
	output[1] = complaints[1] = -1;
	program->complaints = complaints[0];
	program->listener = worker_new(listen_to, program, err);
	complaints[0] = -1;
	return program->listener != NULL;
}

bool
program_start(struct program *program, const char *const *argv, struct input *in, struct error *err)
{
	struct error ignored;
	int output[2] = { -1, -1 }, complaints[2] = { -1, -1 };
	*program = (struct program){ .complaints = -1 };
	bool is_fine = start(program, argv, output, complaints, err);
	if (is_fine) {
		is_fine = input_open_fd(in, output[0], err);
		output[0] = -1;
	}
	close_pipe(output);
	close_pipe(complaints);
	error_clear(&ignored);
	if (!is_fine && program->pid > 0)
		(void)program_end(program, true, NULL, &ignored);
	return is_fine;
}

/* ---- the end */

/* Whether it has ended, without taking its status, so that its number stays its own. */
static bool
has_ended(const struct program *program)
{
	siginfo_t info = { .si_pid = 0 };
	return waitid(P_PID, (id_t)program->pid, &info, WEXITED | WNOHANG | WNOWAIT) != 0 || info.si_pid != 0;
}

static bool
is_cancelled(const struct progress *progress)
{
	return progress != NULL && atomic_load(progress_cancel_flag(progress));
}

static bool
tell_status(const struct program *program, int status, struct error *err)
{
	if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
		return true;
	if (program->last[0] != '\0')
		return error_set(err, ERROR_IO, "%s", program->last);
	if (WIFSIGNALED(status))
		return error_set(err, ERROR_IO, "signal %d ended it", WTERMSIG(status));
	return error_set(err, ERROR_IO, "it failed with status %d", WEXITSTATUS(status));
}

bool
program_end(struct program *program, bool is_over, const struct progress *progress, struct error *err)
{
	int status = 0;
	while (!is_over && !is_cancelled(progress) && !has_ended(program))
		poll(NULL, 0, END_POLL_MS);
	bool is_cut = !is_over && is_cancelled(progress);
	kill(-program->pid, SIGKILL);
	while (waitpid(program->pid, &status, 0) < 0 && errno == EINTR)
		continue;
	atomic_store(&program->is_over, true);
	worker_join(program->listener);
	if (program->complaints >= 0)
		close(program->complaints);
	program->pid = 0;
	program->listener = NULL;
	if (is_cut)
		return error_set(err, ERROR_CANCELLED, "reading was cancelled");
	return tell_status(program, status, err);
}

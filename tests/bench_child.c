/* Programs that are run to be measured: started, listened to, waited for. */
#include "bench_child.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/process.h"

/* ---- starting */

static void
limit_memory(uint64_t bytes)
{
	const struct rlimit limit = { bytes, bytes };
	if (bytes > 0 && setrlimit(RLIMIT_AS, &limit) != 0)
		_exit(127);
}

/* In the new process; does not return. */
static void
become(const char *const argv[], int listen_fd, int fd, const struct child_limits *limits)
{
	int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
	setpgid(0, 0);
	if (listen_fd != STDOUT_FILENO)
		dup2(nowhere, STDOUT_FILENO);
	dup2(fd, listen_fd);
	limit_memory(limits->memory_bytes);
	execvp(argv[0], (char *const *)argv);
	_exit(127);
}

bool
child_start(struct child *child, const char *const argv[], int listen_fd,
	const struct child_limits *limits, struct error *err)
{
	int fds[2];
	*child = (struct child){ 0 };
	if (pipe(fds) != 0)
		return error_set(err, ERROR_IO, "no pipe: %s", strerror(errno));
	fcntl(fds[0], F_SETFD, FD_CLOEXEC);
	fcntl(fds[1], F_SETFD, FD_CLOEXEC);
	fflush(NULL);
	child->start_ns = process_now_ns();
	if (limits->seconds > 0)
		child->deadline_ns = child->start_ns + (int64_t)limits->seconds * 1000000000;
	child->pid = fork();
	if (child->pid == 0)
		become(argv, listen_fd, fds[1], limits);
	close(fds[1]);
	child->fd = fds[0];
	if (child->pid > 0)
		return true;
	close(fds[0]);
	return error_set(err, ERROR_IO, "cannot start %s: %s", argv[0], strerror(errno));
}

/* ---- listening */

/* What poll() may wait; -1 is for ever. */
static int
patience_ms(const struct child *child)
{
	if (child->deadline_ns == 0)
		return -1;
	int64_t left_ns = child->deadline_ns - process_now_ns();
	return left_ns > 0 ? (int)(left_ns / 1000000) + 1 : 0;
}

/* Takes in more; what does not fit is dropped. False at the end and when time is up. */
static bool
hear(struct child *child)
{
	struct pollfd ready = { .fd = child->fd, .events = POLLIN };
	if (poll(&ready, 1, patience_ms(child)) <= 0) {
		child->is_late = true;
		return false;
	}
	if (child->heard_length == sizeof child->heard)
		child->heard_length = sizeof child->heard / 2;
	char *end = child->heard + child->heard_length;
	ssize_t got = read(child->fd, end, sizeof child->heard - child->heard_length);
	child->heard_length += got > 0 ? (size_t)got : 0;
	return got > 0;
}

static void
take_line(struct child *child, size_t length, char *line, size_t size)
{
	snprintf(line, size, "%.*s", (int)length, child->heard);
	size_t taken = length < child->heard_length ? length + 1 : length;
	child->heard_length -= taken;
	memmove(child->heard, child->heard + taken, child->heard_length);
}

bool
child_read_line(struct child *child, char *line, size_t size)
{
	for (;;) {
		const char *end = memchr(child->heard, '\n', child->heard_length);
		if (end != NULL) {
			take_line(child, (size_t)(end - child->heard), line, size);
			return true;
		}
		if (!hear(child))
			break;
	}
	bool has_rest = child->heard_length > 0 && !child->is_late;
	if (has_rest)
		take_line(child, child->heard_length, line, size);
	return has_rest;
}

double
child_seconds(const struct child *child)
{
	return (double)(process_now_ns() - child->start_ns) / 1e9;
}

/* ---- the end */

void
child_kill(struct child *child)
{
	if (child->pid > 0)
		kill(-child->pid, SIGKILL);
}

static double
seconds_of(struct timeval time)
{
	return (double)time.tv_sec + (double)time.tv_usec / 1e6;
}

/* ru_maxrss is in bytes on macOS, elsewhere in units of 1024. */
static double
peak_mb_of(const struct rusage *usage)
{
#if defined(__APPLE__)
	return (double)usage->ru_maxrss / 1e6;
#else
	return (double)usage->ru_maxrss * 1024 / 1e6;
#endif
}

/* `said` is what the program said of the cause. */
static void
describe_failure(
	const struct child *child, int status, const char *said, struct child_result *result)
{
	char *text = result->failure;
	size_t size = sizeof result->failure;
	if (child->is_late)
		snprintf(text, size, "not done after %.0f s", result->seconds);
	else if (WIFSIGNALED(status))
		snprintf(text, size, "ended by signal %d", WTERMSIG(status));
	else if (WIFEXITED(status) && WEXITSTATUS(status) != 0)
		snprintf(text, size, "status %d: %.100s", WEXITSTATUS(status), said);
}

void
child_note_cause(const char *line, char *said, size_t size)
{
	bool is_log = line[0] >= '0' && line[0] <= '9';
	if (said[0] == '\0' && !is_log)
		snprintf(said, size, "%s", line);
}

void
child_end(struct child *child, struct child_result *result)
{
	char said[120] = "", line[120];
	while (child_read_line(child, line, sizeof line))
		child_note_cause(line, said, sizeof said);
	if (child->is_late)
		child_kill(child);
	int status = 0;
	struct rusage usage = { 0 };
	wait4(child->pid, &status, 0, &usage);
	close(child->fd);
	if (result != NULL) {
		*result = (struct child_result){ .seconds = child_seconds(child) };
		result->processor_seconds = seconds_of(usage.ru_utime) + seconds_of(usage.ru_stime);
		result->peak_mb = peak_mb_of(&usage);
		describe_failure(child, status, said, result);
	}
	*child = (struct child){ 0 };
}

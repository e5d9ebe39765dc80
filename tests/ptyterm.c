/*
 * Three processes: the test, which is the terminal; a shell of a few lines, which
 * leads the session and does job control; and the program, a job of that shell.
 */
#include "ptyterm.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>
#include <vterm.h>

#include "base/text.h"

enum { READ_BYTES = 4096 };

/* What the shell tells: first the program's process id, then each of its changes. */
struct report {
	pid_t pid;
	int status; /* as of waitpid() */
	bool has_changed;
};

struct ptyterm {
	VTerm *vterm;
	VTermScreen *screen;
	int master_fd;
	int report_fd;  /* from the shell */
	int control_fd; /* to the shell: a byte asks it to continue the job */
	pid_t shell_pid, program_pid;
	struct termios first_modes;
	struct text row;
	struct text raw;
	int width, height;
	int exit_status;
	bool is_stopped, has_exited, has_closed; /* the program; all ends of its terminal */
	bool is_alternate, is_cursor_visible;
};

static int64_t
now_ms(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static bool
complain(const char *what)
{
	fprintf(stderr, "ptyterm: %s: %s\n", what, strerror(errno));
	return false;
}

static void
close_fd(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

/* ---- the side of the shell and the program: these never return */

struct job {
	const char *const *argv;
	const struct ptyterm_options *options;
	int slave_fd, report_fd, control_fd;
};

static void
die(const char *what)
{
	complain(what);
	_exit(126);
}

static void
set_environment(const struct ptyterm_options *options)
{
	static const char *const unwanted[] = { "LINES", "COLUMNS", "COLORTERM", "NO_COLOR" };
	for (size_t i = 0; i < ARRAY_LENGTH(unwanted); i++)
		unsetenv(unwanted[i]);
	setenv("TERM", options->term != NULL ? options->term : "xterm-256color", 1);
	setenv("LC_ALL", "C.UTF-8", 1);
	for (const char *const *entry = options->environment; entry != NULL && *entry != NULL; entry++)
		putenv((char *)*entry);
}

/* A process of the job that writes a file into a pipe, as cat does. Returns the reading end. */
static int
start_feeder(const char *path)
{
	int fds[2];
	if (pipe(fds) != 0)
		die("pipe");
	pid_t pid = fork();
	if (pid < 0)
		die("fork");
	if (pid > 0) {
		close(fds[1]);
		return fds[0];
	}
	close(fds[0]);
	int file = open(path, O_RDONLY);
	if (file < 0)
		die(path);
	char bytes[READ_BYTES];
	for (ssize_t length = 0; (length = read(file, bytes, sizeof bytes)) > 0;) {
		if (write(fds[1], bytes, (size_t)length) < 0)
			break;
	}
	_exit(0);
}

/* As a shell at a terminal leaves them, also where the tests run in the background. */
static void
reset_signals(void)
{
	static const int numbers[] = { SIGTTOU, SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGPIPE };
	for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
		signal(numbers[i], SIG_DFL);
}

static void
run_program(const struct job *job)
{
	setpgid(0, 0);
	tcsetpgrp(STDIN_FILENO, getpgrp());
	reset_signals();
	set_environment(job->options);
	if (job->options->stdin_path != NULL)
		dup2(start_feeder(job->options->stdin_path), STDIN_FILENO);
	execvp(job->argv[0], (char *const *)job->argv);
	die(job->argv[0]);
}

static void
tell(const struct job *job, struct report report)
{
	if (write(job->report_fd, &report, sizeof report) < 0)
		_exit(1);
}

static void
continue_job(const struct job *job, pid_t pid)
{
	char order;
	if (read(job->control_fd, &order, 1) != 1)
		_exit(1);
	tcsetpgrp(STDIN_FILENO, pid);
	kill(-pid, SIGCONT);
}

static void
run_shell(const struct job *job)
{
	setsid();
	ioctl(job->slave_fd, TIOCSCTTY, 0);
	for (int fd = 0; fd <= 2; fd++)
		dup2(job->slave_fd, fd);
	close(job->slave_fd);
	signal(SIGTTOU, SIG_IGN);
	signal(SIGHUP, SIG_IGN);
	fcntl(job->report_fd, F_SETFD, FD_CLOEXEC);
	fcntl(job->control_fd, F_SETFD, FD_CLOEXEC);
	pid_t pid = fork();
	if (pid < 0)
		die("fork");
	if (pid == 0)
		run_program(job);
	setpgid(pid, pid);
	tell(job, (struct report){ .pid = pid });
	for (;;) {
		int status = 0;
		if (waitpid(pid, &status, WUNTRACED) != pid)
			die("waitpid");
		tcsetpgrp(STDIN_FILENO, getpgrp());
		tell(job, (struct report){ .pid = pid, .status = status, .has_changed = true });
		if (!WIFSTOPPED(status))
			_exit(0);
		continue_job(job, pid);
	}
}

/* ---- the side of the test */

static int
on_property(VTermProp property, VTermValue *value, void *context)
{
	struct ptyterm *term = context;
	if (property == VTERM_PROP_ALTSCREEN)
		term->is_alternate = value->boolean != 0;
	if (property == VTERM_PROP_CURSORVISIBLE)
		term->is_cursor_visible = value->boolean != 0;
	return 1;
}

static const VTermScreenCallbacks screen_callbacks = { .settermprop = on_property };

static void
open_emulator(struct ptyterm *term)
{
	term->vterm = vterm_new(term->height, term->width);
	vterm_set_utf8(term->vterm, 1);
	term->screen = vterm_obtain_screen(term->vterm);
	vterm_screen_enable_altscreen(term->screen, 1);
	vterm_screen_set_callbacks(term->screen, &screen_callbacks, term);
	vterm_screen_reset(term->screen, 1);
	term->is_alternate = false;
	term->is_cursor_visible = true;
}

static bool
set_size(const struct ptyterm *term)
{
	struct winsize size = {
		.ws_col = (unsigned short)term->width,
		.ws_row = (unsigned short)term->height,
	};
	return ioctl(term->master_fd, TIOCSWINSZ, &size) == 0;
}

static int
open_terminal(struct ptyterm *term)
{
	term->master_fd = posix_openpt(O_RDWR | O_NOCTTY);
	if (term->master_fd < 0 || grantpt(term->master_fd) != 0 || unlockpt(term->master_fd) != 0)
		return -1;
	const char *name = ptsname(term->master_fd);
	int slave_fd = name != NULL ? open(name, O_RDWR | O_NOCTTY) : -1;
	bool is_ready = slave_fd >= 0 && set_size(term) && tcgetattr(slave_fd, &term->first_modes) == 0;
	if (!is_ready)
		close_fd(&slave_fd);
	fcntl(term->master_fd, F_SETFD, FD_CLOEXEC);
	return slave_fd;
}

static bool
start_shell(struct ptyterm *term, struct job *job)
{
	int report[2], control[2];
	if (pipe(report) != 0 || pipe(control) != 0)
		return complain("pipe");
	term->report_fd = report[0];
	term->control_fd = control[1];
	job->report_fd = report[1];
	job->control_fd = control[0];
	fflush(NULL);
	term->shell_pid = fork();
	if (term->shell_pid == 0) {
		close(term->master_fd);
		close(term->report_fd);
		close(term->control_fd);
		run_shell(job);
	}
	close(job->report_fd);
	close(job->control_fd);
	return term->shell_pid > 0 || complain("fork");
}

static bool
start(struct ptyterm *term, const char *const argv[], const struct ptyterm_options *options)
{
	int slave_fd = open_terminal(term);
	if (slave_fd < 0)
		return complain("no pseudo-terminal");
	open_emulator(term);
	struct job job = { .argv = argv, .options = options, .slave_fd = slave_fd };
	bool is_started = start_shell(term, &job);
	close(slave_fd);
	struct report first;
	if (!is_started || read(term->report_fd, &first, sizeof first) != sizeof first)
		return complain("no shell");
	term->program_pid = first.pid;
	return true;
}

struct ptyterm *
ptyterm_start(const char *const argv[], const struct ptyterm_options *options)
{
	static const struct ptyterm_options usual;
	if (options == NULL)
		options = &usual;
	struct ptyterm *term = calloc(1, sizeof *term);
	if (term == NULL)
		return NULL;
	term->width = options->width > 0 ? options->width : 80;
	term->height = options->height > 0 ? options->height : 24;
	term->master_fd = term->report_fd = term->control_fd = -1;
	if (start(term, argv, options))
		return term;
	ptyterm_free(term);
	return NULL;
}

void
ptyterm_free(struct ptyterm *term)
{
	if (term == NULL)
		return;
	if (term->program_pid > 0 && !term->has_exited)
		kill(-term->program_pid, SIGKILL);
	close_fd(&term->control_fd);
	close_fd(&term->report_fd);
	close_fd(&term->master_fd);
	if (term->shell_pid > 0) {
		kill(term->shell_pid, SIGKILL);
		waitpid(term->shell_pid, NULL, 0);
	}
	if (term->vterm != NULL)
		vterm_free(term->vterm);
	text_release(&term->row);
	text_release(&term->raw);
	free(term);
}

/* ---- reading */

static void
write_all(int fd, const char *bytes, size_t length)
{
	while (length > 0) {
		ssize_t written = write(fd, bytes, length);
		if (written <= 0)
			return;
		bytes += written;
		length -= (size_t)written;
	}
}

/* What the emulator answers to questions of the program. */
static void
send_answers(struct ptyterm *term)
{
	char answers[256];
	size_t length = vterm_output_read(term->vterm, answers, sizeof answers);
	write_all(term->master_fd, answers, length);
}

static void
read_output(struct ptyterm *term)
{
	char bytes[READ_BYTES];
	ssize_t length = read(term->master_fd, bytes, sizeof bytes);
	if (length <= 0) {
		term->has_closed = true;
		return;
	}
	text_add(&term->raw, bytes, (size_t)length);
	vterm_input_write(term->vterm, bytes, (size_t)length);
	vterm_screen_flush_damage(term->screen);
	send_answers(term);
}

static void
read_report(struct ptyterm *term)
{
	struct report report;
	if (read(term->report_fd, &report, sizeof report) != sizeof report) {
		close_fd(&term->report_fd);
		return;
	}
	term->is_stopped = WIFSTOPPED(report.status);
	if (!term->is_stopped) {
		term->has_exited = true;
		term->exit_status = report.status;
	}
}

/* Takes in what comes within that time; false when nothing came. */
static bool
pump(struct ptyterm *term, int timeout_ms)
{
	struct pollfd fds[2] = {
		{ .fd = term->has_closed ? -1 : term->master_fd, .events = POLLIN },
		{ .fd = term->report_fd, .events = POLLIN },
	};
	if (poll(fds, 2, timeout_ms) <= 0)
		return false;
	/* Output first: it was written before the change that the report tells of. */
	if (fds[0].revents != 0)
		read_output(term);
	else if (fds[1].revents != 0)
		read_report(term);
	return true;
}

bool
ptyterm_wait_for(struct ptyterm *term, bool (*is_so)(struct ptyterm *term, void *context),
                 void *context, const char *what)
{
	int64_t deadline = now_ms() + PTYTERM_DEADLINE_MS;
	while (!is_so(term, context)) {
		int64_t left = deadline - now_ms();
		bool is_over = term->has_closed && term->report_fd < 0;
		if (left <= 0 || is_over) {
			fprintf(stderr, "ptyterm: waited in vain for %s\n", what);
			ptyterm_print(term);
			return false;
		}
		pump(term, (int)left);
	}
	return true;
}

static bool
shows_text(struct ptyterm *term, void *context)
{
	return ptyterm_has_text(term, context);
}

static bool
shows_no_text(struct ptyterm *term, void *context)
{
	return !ptyterm_has_text(term, context);
}

static bool
is_stopped(struct ptyterm *term, void *context)
{
	(void)context;
	return term->is_stopped;
}

static bool
has_ended(struct ptyterm *term, void *context)
{
	(void)context;
	return term->has_exited && (term->has_closed || term->master_fd < 0);
}

bool
ptyterm_wait_text(struct ptyterm *term, const char *text)
{
	return ptyterm_wait_for(term, shows_text, (void *)text, text);
}

bool
ptyterm_wait_no_text(struct ptyterm *term, const char *text)
{
	return ptyterm_wait_for(term, shows_no_text, (void *)text, "a text to go away");
}

bool
ptyterm_wait_stopped(struct ptyterm *term)
{
	return ptyterm_wait_for(term, is_stopped, NULL, "the program to stop");
}

bool
ptyterm_wait_exit(struct ptyterm *term, int *status)
{
	if (!ptyterm_wait_for(term, has_ended, NULL, "the program to end"))
		return false;
	*status = term->exit_status;
	return true;
}

void
ptyterm_settle(struct ptyterm *term, int quiet_ms)
{
	bool is_over = false;
	while (!is_over && pump(term, quiet_ms))
		is_over = term->has_closed && term->report_fd < 0;
}

/* ---- acting */

void
ptyterm_send(struct ptyterm *term, const char *keys)
{
	write_all(term->master_fd, keys, strlen(keys));
}

void
ptyterm_resize(struct ptyterm *term, int width, int height)
{
	term->width = width;
	term->height = height;
	vterm_set_size(term->vterm, height, width);
	set_size(term);
}

void
ptyterm_signal(struct ptyterm *term, int number)
{
	kill(term->program_pid, number);
}

void
ptyterm_continue(struct ptyterm *term)
{
	term->is_stopped = false;
	write_all(term->control_fd, "", 1);
}

void
ptyterm_hang_up(struct ptyterm *term)
{
	close_fd(&term->master_fd);
	term->has_closed = true;
}

/* ---- looking */

static void
add_cell_text(const VTermScreenCell *cell, struct text *out)
{
	for (int i = 0; i < VTERM_MAX_CHARS_PER_CELL && cell->chars[i] != 0; i++) {
		char bytes[4];
		text_add(out, bytes, text_encode(cell->chars[i], bytes));
	}
}

static bool
is_right_half(const VTermScreenCell *cell)
{
	return cell->chars[0] == UINT32_MAX;
}

const char *
ptyterm_row(struct ptyterm *term, int y)
{
	struct text *row = &term->row;
	text_clear(row);
	size_t shown = 0;
	for (int x = 0; x < term->width; x++) {
		VTermScreenCell cell;
		vterm_screen_get_cell(term->screen, (VTermPos){ .row = y, .col = x }, &cell);
		if (is_right_half(&cell))
			continue;
		if (cell.chars[0] == 0) {
			text_add_string(row, " ");
			continue;
		}
		add_cell_text(&cell, row);
		if (cell.chars[0] != ' ')
			shown = row->length;
	}
	if (row->failed || row->bytes == NULL)
		return "";
	row->bytes[shown] = '\0';
	return row->bytes;
}

bool
ptyterm_has_text(struct ptyterm *term, const char *text)
{
	for (int y = 0; y < term->height; y++) {
		if (strstr(ptyterm_row(term, y), text) != NULL)
			return true;
	}
	return false;
}

static uint32_t
color_of(const VTermColor *color)
{
	if (VTERM_COLOR_IS_DEFAULT_FG(color) || VTERM_COLOR_IS_DEFAULT_BG(color))
		return PTYTERM_DEFAULT;
	if (VTERM_COLOR_IS_INDEXED(color))
		return color->indexed.idx;
	return PTYTERM_RGB | (uint32_t)color->rgb.red << 16 | (uint32_t)color->rgb.green << 8 |
	       color->rgb.blue;
}

struct ptyterm_cell
ptyterm_cell(struct ptyterm *term, int x, int y)
{
	VTermScreenCell cell;
	vterm_screen_get_cell(term->screen, (VTermPos){ .row = y, .col = x }, &cell);
	struct ptyterm_cell result = {
		.width = cell.width,
		.fg = color_of(&cell.fg),
		.bg = color_of(&cell.bg),
		.is_bold = cell.attrs.bold,
		.is_underlined = cell.attrs.underline != 0,
		.is_reversed = cell.attrs.reverse,
	};
	struct text text = { 0 };
	if (!is_right_half(&cell))
		add_cell_text(&cell, &text);
	bool is_blank = text.length == 0 || strcmp(text.bytes, " ") == 0;
	if (!is_blank)
		snprintf(result.text, sizeof result.text, "%s", text.bytes);
	text_release(&text);
	return result;
}

bool
ptyterm_is_alternate(const struct ptyterm *term)
{
	return term->is_alternate;
}

bool
ptyterm_is_cursor_visible(const struct ptyterm *term)
{
	return term->is_cursor_visible;
}

bool
ptyterm_has_first_modes(const struct ptyterm *term)
{
	struct termios now;
	const struct termios *first = &term->first_modes;
	if (tcgetattr(term->master_fd, &now) != 0)
		return false;
	return now.c_iflag == first->c_iflag && now.c_oflag == first->c_oflag &&
	       now.c_cflag == first->c_cflag && now.c_lflag == first->c_lflag &&
	       memcmp(now.c_cc, first->c_cc, sizeof now.c_cc) == 0;
}

uint64_t
ptyterm_bytes(const struct ptyterm *term)
{
	return term->raw.length;
}

const struct text *
ptyterm_raw(const struct ptyterm *term)
{
	return &term->raw;
}

void
ptyterm_print(struct ptyterm *term)
{
	for (int y = 0; y < term->height; y++)
		fprintf(stderr, "  |%s\n", ptyterm_row(term, y));
}

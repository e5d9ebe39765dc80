/*
 * Signals and the way back. Handlers of ordinary signals set a flag and return;
 * those of crashes use only calls that are safe there: write(), tcsetattr(), raise().
 */
#include "term/guard.h"

#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

#include "base/compiler.h"
#include "base/signal_sets.h"

enum { RESTORE_BYTES = 512, CRASH_STACK_BYTES = 64 * 1024 };

struct watched_signal {
	int number;
	enum guard_flag flag;
};

/* Beside those that ask us to end. */
static const struct watched_signal others[] = {
	{ SIGWINCH, GUARD_RESIZE }, { SIGTSTP, GUARD_SUSPEND }, { SIGCONT, GUARD_RESUME },
};

enum { WATCHED = ARRAY_LENGTH(others) + SIGNALS_ENDING };

/* What handlers read and write. */
static volatile sig_atomic_t flags[GUARD_FLAGS];
static volatile sig_atomic_t terminating_signal;
static volatile sig_atomic_t is_armed;
static char restore_bytes[RESTORE_BYTES];
static size_t restore_length;
static struct termios saved_modes;
static int terminal_fd = -1;
static const char *crash_text, *unmapped_text;
static size_t crash_text_length, unmapped_text_length;

/* What guard_close() puts back. */
static struct sigaction saved_watched[WATCHED];
static struct sigaction saved_crashes[SIGNALS_CRASHING];
static stack_t saved_stack;
static sigset_t saved_mask, wait_mask;
static bool is_open;

/* A crash may be an overflow of the ordinary stack. */
static char crash_stack[CRASH_STACK_BYTES];

static int
watched(size_t i)
{
	return i < SIGNALS_ENDING ? signals_ending[i] : others[i - SIGNALS_ENDING].number;
}

static void
on_watched(int number)
{
	for (size_t i = 0; i < ARRAY_LENGTH(others); i++) {
		if (others[i].number == number) {
			flags[others[i].flag] = 1;
			return;
		}
	}
	flags[GUARD_TERMINATE] = 1;
	terminating_signal = number;
}

static void
write_all(int fd, const char *bytes, size_t length)
{
	while (length > 0) {
		ssize_t written = write(fd, bytes, length);
		if (written < 0 && errno == EINTR)
			continue;
		if (written <= 0)
			return;
		bytes += written;
		length -= (size_t)written;
	}
}

static void
on_crash(int number)
{
	if (is_armed) {
		is_armed = 0;
		write_all(terminal_fd, restore_bytes, restore_length);
		tcsetattr(terminal_fd, TCSANOW, &saved_modes);
		if (number == SIGBUS)
			write_all(STDERR_FILENO, unmapped_text, unmapped_text_length);
		else
			write_all(STDERR_FILENO, crash_text, crash_text_length);
	}
	/* The disposition is the default again (SA_RESETHAND): this is the end. */
	raise(number);
}

static void
install(int number, void (*handler)(int), int handler_flags, struct sigaction *saved)
{
	struct sigaction action = { .sa_flags = handler_flags };
	action.sa_handler = handler;
	sigfillset(&action.sa_mask);
	sigaction(number, NULL, saved);
	if (saved->sa_handler != SIG_IGN)
		sigaction(number, &action, NULL);
}

static void
install_all(void)
{
	/* The main thread's; workers have their own. */
	stack_t stack = { .ss_sp = crash_stack, .ss_size = sizeof crash_stack };
	sigaltstack(&stack, &saved_stack);
	for (size_t i = 0; i < WATCHED; i++)
		install(watched(i), on_watched, 0, &saved_watched[i]);
	int once = (int)SA_RESETHAND | SA_NODEFER | SA_ONSTACK;
	for (size_t i = 0; i < SIGNALS_CRASHING; i++)
		install(signals_crashing[i], on_crash, once, &saved_crashes[i]);
}

static void
block_watched(void)
{
	sigset_t ours;
	sigemptyset(&ours);
	for (size_t i = 0; i < WATCHED; i++)
		sigaddset(&ours, watched(i));
	pthread_sigmask(SIG_BLOCK, &ours, &saved_mask);
	wait_mask = saved_mask;
	for (size_t i = 0; i < WATCHED; i++)
		sigdelset(&wait_mask, watched(i));
}

bool
guard_open(int tty_fd, const char *crash_message, const char *unmapped_message, struct error *err)
{
	if (tcgetattr(tty_fd, &saved_modes) != 0)
		return error_set(err, ERROR_IO, "the modes of the terminal cannot be read: %s",
		                 strerror(errno));
	terminal_fd = tty_fd;
	crash_text = crash_message != NULL ? crash_message : "";
	crash_text_length = strlen(crash_text);
	unmapped_text = unmapped_message != NULL ? unmapped_message : "";
	unmapped_text_length = strlen(unmapped_text);
	memset((void *)flags, 0, sizeof flags);
	terminating_signal = 0;
	block_watched();
	install_all();
	is_open = true;
	return true;
}

void
guard_close(void)
{
	if (!is_open)
		return;
	is_armed = 0;
	for (size_t i = 0; i < WATCHED; i++)
		sigaction(watched(i), &saved_watched[i], NULL);
	for (size_t i = 0; i < SIGNALS_CRASHING; i++)
		sigaction(signals_crashing[i], &saved_crashes[i], NULL);
	sigaltstack(&saved_stack, NULL);
	pthread_sigmask(SIG_SETMASK, &saved_mask, NULL);
	is_open = false;
}

void
guard_arm(const char *restore, size_t length)
{
	is_armed = 0;
	restore_length = length < sizeof restore_bytes ? length : sizeof restore_bytes;
	memcpy(restore_bytes, restore, restore_length);
	is_armed = 1;
}

void
guard_disarm(void)
{
	is_armed = 0;
}

const sigset_t *
guard_wait_mask(void)
{
	return &wait_mask;
}

void
guard_deliver(void)
{
	sigset_t blocked;
	pthread_sigmask(SIG_SETMASK, &wait_mask, &blocked);
	pthread_sigmask(SIG_SETMASK, &blocked, NULL);
}

bool
guard_take(enum guard_flag flag)
{
	bool is_set = flags[flag] != 0;
	flags[flag] = 0;
	return is_set;
}

int
guard_terminating_signal(void)
{
	return terminating_signal;
}

void
guard_stop(bool is_whole_group)
{
	struct sigaction ours, plain = { .sa_flags = 0 };
	plain.sa_handler = SIG_DFL;
	sigemptyset(&plain.sa_mask);
	sigaction(SIGTSTP, NULL, &ours);
	if (ours.sa_handler == SIG_IGN)
		return;
	sigaction(SIGTSTP, &plain, NULL);
	/* SIGTSTP is blocked: the whole group has it before this process stops below. */
	kill(is_whole_group ? 0 : getpid(), SIGTSTP);
	guard_deliver();
	sigaction(SIGTSTP, &ours, NULL);
	flags[GUARD_RESUME] = 0;
}

/*
 * The terminal as a struct screen: opens and closes it, and the one place that
 * waits, for keys, signals and other threads alike.
 */
#include "term/term.h"

#include <curses.h>
#include <errno.h>
#include <fcntl.h>
#include <langinfo.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/select.h>
#include <termkey.h>
#include <termios.h>
#include <unistd.h>

#include "base/descriptor.h"
#include "base/memory.h"
#include "base/process.h"
#include "term/clipboard.h"
#include "term/ground.h"
#include "term/guard.h"
#include "term/keys.h"
#include "term/paint.h"
#include "term/terminfo.h"

enum {
	/* How long the rest of an escape sequence may take; then it was the Escape key. */
	ESCAPE_MS = 50,
	/* A window size is a claim of the other side: far more than any screen has, and no more. */
	MAX_WIDTH = 4000,
	MAX_HEIGHT = 2000,
	/* A frame that takes less to write was held up by nothing; and no rest is longer. */
	SLOW_MS = 30,
	MOST_REST_MS = 1000,
	LOOK_AGAIN_MS = 10, /* whether the kernel still holds bytes of a frame */
	READ_BYTES = 128,
	RESTORE_BYTES = 512,
	/* Some terminals drop what is much longer, and no command line is. */
	MOST_COPIED = 50000,
};

#define NEVER INT64_MAX
#define STRING_END "\033\\"
#define STRING_END_BYTES 2
#define MOUSE_ON "\033[?1002h\033[?1006h"
#define MOUSE_OFF "\033[?1006l\033[?1002l"

struct term_screen {
	struct screen screen;
	SCREEN *curses;
	TermKey *termkey;
	struct terminfo_type type;
	struct paint paint;
	int keyboard_fd;
	int wake_fds[2];      /* a pipe: wake() writes, next() reads */
	int64_t rests_until_ms; /* the line is slow, and busy until then */
	int64_t escape_at_ms; /* when what looks like the start of a sequence is a key; or NEVER */
	bool owns_keyboard;
	bool is_woken;
	bool has_resumed;     /* after a suspend(), not told yet */
	bool has_ended;       /* the terminal is gone */
	bool has_mouse;       /* it reports the mouse to us */
	bool is_left;
	bool is_light;        /* the ground, as far as it is known */
};

static struct term_screen *
from_screen(struct screen *screen)
{
	return screen->context;
}

static int64_t
now_ms(void)
{
	return process_now_ns() / 1000000;
}

/* ---- size */

static int
clamp(int value, int most)
{
	if (value < 1)
		return 1;
	return value < most ? value : most;
}

/* The size of the window in cells; false when the terminal does not tell. */
static bool
window_size(int *width, int *height)
{
	struct winsize size;
	bool is_known = ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 &&
	                size.ws_row > 0;
	if (is_known) {
		*width = size.ws_col;
		*height = size.ws_row;
	}
	return is_known;
}

static bool
check_size(struct error *err)
{
	int width = 0, height = 0;
	if (!window_size(&width, &height) || (width <= MAX_WIDTH && height <= MAX_HEIGHT))
		return true;
	return error_set(err, ERROR_LIMIT, "a window of %d x %d cells is too large", width, height);
}

/* Brings curses to the size that the terminal has now; false if that is the one it knew. */
static bool
follow_size(void)
{
	int width = 0, height = 0;
	if (!window_size(&width, &height))
		return false;
	width = clamp(width, MAX_WIDTH);
	height = clamp(height, MAX_HEIGHT);
	if (width == COLS && height == LINES)
		return false;
	resizeterm(height, width);
	return true;
}

static void
term_size(struct screen *screen, int *width, int *height)
{
	(void)screen;
	*width = COLS > 0 ? COLS : 1;
	*height = LINES > 0 ? LINES : 1;
}

static enum color_depth
term_depth(struct screen *screen)
{
	return from_screen(screen)->paint.depth;
}

/* ---- taking the terminal and giving it back */

static void
arm(const struct term_screen *term)
{
	char restore[RESTORE_BYTES];
	size_t mouse = term->has_mouse ? strlen(MOUSE_OFF) : 0;
	memcpy(restore, MOUSE_OFF, mouse);
	guard_arm(restore,
		mouse + terminfo_restore(restore + mouse, sizeof restore - mouse, LINES));
}

/* The next update writes every cell. */
static void
repaint_all(struct term_screen *term)
{
	paint_invalidate(&term->paint);
}

/* Presses, drags and the wheel (1002), with numbers of any size (1006). */
static void
send_mouse(bool is_on)
{
	const char *bytes = is_on ? MOUSE_ON : MOUSE_OFF;
	(void)descriptor_write_all(STDOUT_FILENO, bytes, strlen(bytes));
}

static void
enter(struct term_screen *term)
{
	reset_prog_mode();
	terminfo_send(TERMINFO_KEYPAD_ON);
	curs_set(0);
	if (term->has_mouse)
		send_mouse(true);
	repaint_all(term);
	arm(term);
}

static void
give_back(struct term_screen *term)
{
	paint_lay_down(&term->paint);
	if (term->has_mouse)
		send_mouse(false);
	terminfo_send(TERMINFO_KEYPAD_OFF);
	endwin();
	guard_disarm();
}

static void
stop_and_go_on(struct term_screen *term, bool is_whole_group)
{
	give_back(term);
	guard_stop(is_whole_group);
	enter(term);
	follow_size();
	term->has_resumed = true;
}

static void
term_suspend(struct screen *screen)
{
	struct term_screen *term = from_screen(screen);
	if (term->is_left)
		return;
	stop_and_go_on(term, true);
}

static void
term_lend(struct screen *screen, void (*job)(void *context), void *context)
{
	struct term_screen *term = from_screen(screen);
	if (term->is_left)
		return;
	give_back(term);
	job(context);
	enter(term);
	follow_size();
	term->has_resumed = true;
}

static void
term_set_mouse(struct screen *screen, bool is_on)
{
	struct term_screen *term = from_screen(screen);
	is_on = is_on && terminfo_has_mouse();
	if (term->is_left || term->has_mouse == is_on)
		return;
	term->has_mouse = is_on;
	send_mouse(is_on);
	arm(term);
}

static bool
term_copy(struct screen *screen, const char *bytes, size_t length)
{
	return !from_screen(screen)->is_left && length <= MOST_COPIED &&
	       terminfo_is_like_xterm() && clipboard_send(STDOUT_FILENO, bytes, length);
}

static void
term_leave(struct screen *screen)
{
	struct term_screen *term = from_screen(screen);
	if (term->is_left)
		return;
	term->is_left = true;
	give_back(term);
	guard_close();
}

static bool
term_put(struct screen *screen, const struct canvas *canvas, const struct palette *palette,
         struct error *err)
{
	struct term_screen *term = from_screen(screen);
	if (term->is_left)
		return true;
	int64_t start_ms = now_ms();
	bool is_shown = paint_canvas(&term->paint, canvas, palette, err);
	int64_t end_ms = now_ms(), took_ms = end_ms - start_ms;
	if (took_ms > MOST_REST_MS)
		took_ms = MOST_REST_MS;
	/* What had to wait for room will take as long again to be on its way. */
	term->rests_until_ms = took_ms < SLOW_MS ? 0 : end_ms + took_ms;
	return is_shown;
}

static int
term_rest_ms(struct screen *screen)
{
	const struct term_screen *term = from_screen(screen);
	int64_t rest_ms = term->rests_until_ms == 0 ? 0 : term->rests_until_ms - now_ms();
	int held = 0;
	if (rest_ms > 0)
		return (int)rest_ms;
	bool is_busy = ioctl(STDOUT_FILENO, TIOCOUTQ, &held) == 0 && held > 0;
	return is_busy ? LOOK_AGAIN_MS : 0;
}

static void
term_refresh(struct screen *screen)
{
	repaint_all(from_screen(screen));
}

/* ---- waiting */

static void
term_wake(struct screen *screen)
{
	/* A full pipe wakes as well as one byte more would. */
	ssize_t written = write(from_screen(screen)->wake_fds[1], "", 1);
	(void)written;
}

/* Whether a signal makes an event; acts on those that concern the terminal itself. */
static bool
take_signal(struct term_screen *term, struct screen_event *event)
{
	if (guard_take(GUARD_TERMINATE) || term->has_ended) {
		event->kind = SCREEN_TERMINATE;
		return true;
	}
	if (guard_take(GUARD_SUSPEND))
		stop_and_go_on(term, false);
	if (guard_take(GUARD_RESUME)) {
		/* After a SIGSTOP, which nobody sees coming. */
		enter(term);
		follow_size();
		term->has_resumed = true;
	}
	if (term->has_resumed) {
		term->has_resumed = false;
		event->kind = SCREEN_RESUME;
		return true;
	}
	if (guard_take(GUARD_RESIZE) && follow_size()) {
		repaint_all(term);
		arm(term);
		event->kind = SCREEN_RESIZE;
		return true;
	}
	return false;
}

/* What has been typed so far, taken for complete. */
static TermKeyResult
force_key(TermKey *termkey, TermKeyKey *key)
{
	TermKeyResult result = termkey_getkey_force(termkey, key);
	if (result != TERMKEY_RES_AGAIN)
		return result;
	/* Control strings (ESC P, ESC ]) are waited for even so: M-P would block the keyboard. */
	termkey_push_bytes(termkey, STRING_END, STRING_END_BYTES);
	return termkey_getkey(termkey, key);
}

static bool
take_key(struct term_screen *term, struct screen_event *event)
{
	TermKeyKey key;
	for (;;) {
		TermKeyResult result = termkey_getkey(term->termkey, &key);
		if (result == TERMKEY_RES_AGAIN && now_ms() >= term->escape_at_ms)
			result = force_key(term->termkey, &key);
		if (result == TERMKEY_RES_AGAIN)
			return false;
		if (result != TERMKEY_RES_KEY) {
			term->escape_at_ms = NEVER;
			return false;
		}
		if (keys_mouse(term->termkey, &key, &event->mouse)) {
			event->kind = SCREEN_MOUSE;
			return true;
		}
		if (keys_name(term->termkey, &key, event->key_name, sizeof event->key_name)) {
			event->kind = SCREEN_KEY;
			return true;
		}
	}
}

static bool
take_wake(struct term_screen *term, struct screen_event *event)
{
	if (!term->is_woken)
		return false;
	term->is_woken = false;
	event->kind = SCREEN_WAKE;
	return true;
}

static void
read_keyboard(struct term_screen *term)
{
	char bytes[READ_BYTES];
	size_t room = termkey_get_buffer_remaining(term->termkey);
	if (room <= STRING_END_BYTES) {
		term->escape_at_ms = 0;
		return;
	}
	room -= STRING_END_BYTES;
	ssize_t length = read(term->keyboard_fd, bytes, room < sizeof bytes ? room : sizeof bytes);
	if (length > 0) {
		termkey_push_bytes(term->termkey, bytes, (size_t)length);
		term->escape_at_ms = now_ms() + ESCAPE_MS;
		return;
	}
	bool is_passing = length < 0 && (errno == EINTR || errno == EAGAIN);
	if (!is_passing)
		term->has_ended = true;
}

static void
read_wake(struct term_screen *term)
{
	char bytes[READ_BYTES];
	while (read(term->wake_fds[0], bytes, sizeof bytes) > 0)
		continue;
	term->is_woken = true;
}

/* Waits until there is something to read, a signal, or until then. */
static void
wait_until(struct term_screen *term, int64_t until_ms)
{
	fd_set readable;
	FD_ZERO(&readable);
	FD_SET(term->keyboard_fd, &readable);
	FD_SET(term->wake_fds[0], &readable);
	int highest = term->keyboard_fd > term->wake_fds[0] ? term->keyboard_fd : term->wake_fds[0];

	int64_t left_ms = until_ms == NEVER ? 0 : until_ms - now_ms();
	if (left_ms < 0)
		left_ms = 0;
	struct timespec left = {
		.tv_sec = (time_t)(left_ms / 1000),
		.tv_nsec = (long)(left_ms % 1000) * 1000000,
	};
	int ready = pselect(highest + 1, &readable, NULL, NULL, until_ms == NEVER ? NULL : &left,
	                    guard_wait_mask());
	/* With no time to wait, or with keys always ready, pselect() may let no signal in. */
	guard_deliver();
	if (ready <= 0)
		return;
	if (FD_ISSET(term->keyboard_fd, &readable))
		read_keyboard(term);
	if (FD_ISSET(term->wake_fds[0], &readable))
		read_wake(term);
}

static void
term_next(struct screen *screen, int timeout_ms, struct screen_event *event)
{
	struct term_screen *term = from_screen(screen);
	int64_t deadline = timeout_ms < 0 ? NEVER : now_ms() + timeout_ms;
	bool has_looked = false;
	event->key_name[0] = '\0';
	for (;;) {
		if (take_signal(term, event) || take_key(term, event) || take_wake(term, event))
			return;
		if (has_looked && deadline != NEVER && now_ms() >= deadline)
			break;
		wait_until(term, term->escape_at_ms < deadline ? term->escape_at_ms : deadline);
		has_looked = true;
	}
	event->kind = SCREEN_TIMEOUT;
}

/* ---- opening */

static bool
open_keyboard(struct term_screen *term, struct error *err)
{
	term->keyboard_fd = STDIN_FILENO;
	if (isatty(STDIN_FILENO))
		return true;
	term->keyboard_fd = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY);
	if (term->keyboard_fd < 0)
		return error_set(err, ERROR_IO, "there is no keyboard: standard input is no terminal and "
		                 "/dev/tty cannot be opened: %s", strerror(errno));
	term->owns_keyboard = true;
	if (term->keyboard_fd >= FD_SETSIZE)
		return error_set(err, ERROR_LIMIT, "too many files are open");
	return true;
}

static bool
open_wake_pipe(struct term_screen *term, struct error *err)
{
	if (!descriptor_open_pipe(term->wake_fds)) {
		term->wake_fds[0] = term->wake_fds[1] = -1;
		return error_set(err, ERROR_IO, "no pipe could be opened: %s", strerror(errno));
	}
	if (term->wake_fds[0] >= FD_SETSIZE)
		return error_set(err, ERROR_LIMIT, "too many files are open");
	return true;
}

/*
 * Where terminfo gives the start of a mouse report in the form we ask for (1006), termkey would
 * take it for one of the older form, which it knows by itself.
 */
static const char *
without_mouse(const char *name, const char *value, void *context)
{
	(void)context;
	return strcmp(name, "key_mouse") == 0 ? NULL : value;
}

static bool
open_termkey(struct term_screen *term, struct error *err)
{
	bool is_utf8 = strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
	int flags = TERMKEY_FLAG_NOSTART | TERMKEY_FLAG_SPACESYMBOL | TERMKEY_FLAG_CONVERTKP |
	            (is_utf8 ? TERMKEY_FLAG_UTF8 : TERMKEY_FLAG_RAW);
	/* Abstract: it is handed bytes, and neither reads nor touches the terminal itself. */
	term->termkey = termkey_new_abstract(term->type.name, flags);
	if (term->termkey == NULL)
		return error_set_memory(err, "the keyboard");
	termkey_hook_terminfo_getstr(term->termkey, without_mouse, NULL);
	return termkey_start(term->termkey) != 0 || error_set_memory(err, "the keyboard");
}

/* By how light the eye finds it, of 255. */
static bool
is_light(uint32_t rgb)
{
	uint32_t red = rgb >> 16 & 255, green = rgb >> 8 & 255, blue = rgb & 255;
	return (299 * red + 587 * green + 114 * blue) / 1000 > 127;
}

/* Keys that come between the answers are not lost. */
static void
ask_ground(struct term_screen *term)
{
	struct ground ground;
	ground_ask(&ground, STDOUT_FILENO, term->keyboard_fd);
	if (ground.is_known)
		term->is_light = is_light(ground.rgb);
	if (ground.rest_length == 0)
		return;
	termkey_push_bytes(term->termkey, ground.rest, ground.rest_length);
	term->escape_at_ms = now_ms() + ESCAPE_MS;
}

static bool
open_curses(struct term_screen *term, const struct term_options *options, struct error *err)
{
	/* Both together: the size comes from the terminal, not from LINES and COLUMNS. */
	use_env(TRUE);
	use_tioctl(TRUE);
	term->curses = newterm((char *)term->type.name, stdout, stdin);
	if (term->curses == NULL)
		return error_set(err, ERROR_IO, "the terminal type \"%.40s\" (TERM) cannot be used",
		                 getenv("TERM"));
	/* Else updates would wait for input on stdin, which may be the trace. */
	typeahead(-1);
	raw();
	noecho();
	nonl();
	def_prog_mode();
	leaveok(stdscr, TRUE);
	paint_init(&term->paint, options->without_color, options->forced_depth);
	follow_size();
	enter(term);
	if (options->asks_ground && terminfo_is_like_xterm())
		ask_ground(term);
	return true;
}

static bool
open_parts(struct term_screen *term, const struct term_options *options, struct error *err)
{
	if (!isatty(STDOUT_FILENO))
		return error_set(err, ERROR_IO, "standard output is no terminal");
	return terminfo_find(&term->type, STDOUT_FILENO, err) && check_size(err) && open_keyboard(term, err) &&
	       open_wake_pipe(term, err) && open_termkey(term, err) &&
	       guard_open(STDOUT_FILENO, options->crash_message, options->unmapped_message, err) &&
	       open_curses(term, options, err);
}

struct screen *
term_screen_open(const struct term_options *options, struct error *err)
{
	struct term_screen *term = memory_realloc(NULL, sizeof *term);
	if (term == NULL) {
		error_set_memory(err, "the screen");
		return NULL;
	}
	*term = (struct term_screen){
		.screen = {
			.context = term,
			.size = term_size,
			.depth = term_depth,
			.put = term_put,
			.rest_ms = term_rest_ms,
			.refresh = term_refresh,
			.next = term_next,
			.wake = term_wake,
			.suspend = term_suspend,
			.lend = term_lend,
			.copy = term_copy,
			.set_mouse = term_set_mouse,
			.leave = term_leave,
		},
		.keyboard_fd = -1,
		.wake_fds = { -1, -1 },
		.escape_at_ms = NEVER,
	};
	bool is_open = open_parts(term, options, err);
	description_withdraw(&term->type.offer);
	if (is_open)
		return &term->screen;
	term_screen_free(&term->screen);
	return NULL;
}

static void
close_fd(int fd)
{
	if (fd >= 0)
		close(fd);
}

void
term_screen_free(struct screen *screen)
{
	if (screen == NULL)
		return;
	struct term_screen *term = from_screen(screen);
	if (term->curses != NULL) {
		term_leave(screen);
		delscreen(term->curses);
	}
	guard_close();
	if (term->termkey != NULL)
		termkey_destroy(term->termkey);
	paint_release(&term->paint);
	if (term->owns_keyboard)
		close_fd(term->keyboard_fd);
	close_fd(term->wake_fds[0]);
	close_fd(term->wake_fds[1]);
	memory_free(term);
}

const char *
term_screen_type(const struct screen *screen)
{
	const struct term_screen *term = screen->context;
	return term->type.name;
}

bool
term_screen_is_light(const struct screen *screen)
{
	const struct term_screen *term = screen->context;
	return term->is_light;
}

int
term_screen_signal(const struct screen *screen)
{
	(void)screen;
	return guard_terminating_signal();
}

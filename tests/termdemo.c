/*
 * A program that does nothing but show what struct screen does, for the tests in
 * a pseudo-terminal: draws every kind of cell, names the keys, ends in many ways.
 *
 *     termdemo [--no-color] [--light]
 *
 * Keys: q quits, C-z suspends, w lets a thread wake the screen, s and t crash it on
 * the main thread and on another, A aborts, x changes one cell, r draws all rows anew, m
 * scrambles them, e tells what children find in TERMINFO.
 */
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/thread.h"
#include "scramble.h"
#include "term/term.h"

struct demo {
	struct screen *screen;
	const struct palette *palette;
	struct canvas canvas;
	size_t stdin_bytes;
	const char *event;
	char key[64];
	const char *terminfo;
	int count, scrambles;
	bool is_over;
};

static const struct cell_style plain = { STYLE_DEFAULT, STYLE_DEFAULT, 0 };

static size_t
count_stdin(void)
{
	char bytes[4096];
	size_t total = 0;
	if (isatty(STDIN_FILENO))
		return 0;
	for (ssize_t length = 0; (length = read(STDIN_FILENO, bytes, sizeof bytes)) > 0;)
		total += (size_t)length;
	return total;
}

static void
draw(struct demo *demo)
{
	static const char *const depths[] = { "none", "8", "16", "256", "direct" };
	int width = 0, height = 0;
	struct error err = { 0 };
	demo->screen->size(demo->screen, &width, &height);
	if (!canvas_resize(&demo->canvas, width, height, &err))
		return;
	struct canvas *canvas = &demo->canvas;
	canvas_printf(canvas, 0, 0, width, plain, "size %dx%d depth %s stdin %zu", width, height,
	              depths[demo->screen->depth(demo->screen)], demo->stdin_bytes);
	canvas_printf(canvas, 0, 1, width, plain, "event %d %s key <%s>", demo->count, demo->event,
	              demo->key);
	canvas_put(canvas, 0, 2, (struct cell_style){ STYLE_RUNNING, STYLE_READY, 0 }, "▄");
	canvas_put(canvas, 1, 2, (struct cell_style){ STYLE_SYNC, STYLE_DEFAULT, 0 }, "─");
	canvas_put(canvas, 2, 2, (struct cell_style){ 0, 0, CELL_BOLD | CELL_UNDERLINE }, "b");
	canvas_ground(canvas, 3, 2, 1, STYLE_CURSOR_CELL);
	canvas_string(canvas, 4, 2, width, plain, "日本 e\xcc\x81 end");
	canvas_printf(canvas, 0, 3, width, plain, "changes %d", demo->count);
	if (demo->terminfo != NULL)
		canvas_printf(canvas, 0, 4, width, plain, "environment %s", demo->terminfo);
	for (int y = 0; y < height; y++)
		canvas_put(canvas, width - 1, y, plain, "│");
	for (int i = 1; i <= demo->scrambles; i++)
		scramble(canvas, (uint64_t)i);
	if (demo->scrambles > 0)
		canvas_printf(canvas, 0, height - 1, width, plain, "scrambled %d", demo->scrambles);
	if (!demo->screen->put(demo->screen, canvas, demo->palette, &err))
		demo->is_over = true;
}

static void
crash(void *unused)
{
	(void)unused;
	raise(SIGSEGV);
}

/* Deeper than any stack has room for. */
static int
overflow(const volatile char *above, size_t depth)
{
	volatile char room[1024];
	room[0] = above != NULL ? above[0] : 0;
	return depth > 0 ? overflow(room, depth - 1) + room[0] : 0;
}

static void
crash_by_depth(void *unused)
{
	(void)unused;
	overflow(NULL, SIZE_MAX);
}

static void
wake(void *context)
{
	struct demo *demo = context;
	demo->screen->wake(demo->screen);
}

static void
run_thread(struct demo *demo, void (*function)(void *))
{
	struct error err = { 0 };
	worker_join(worker_new(function, demo, &err));
}

static void
on_key(struct demo *demo)
{
	if (strcmp(demo->key, "q") == 0)
		demo->is_over = true;
	else if (strcmp(demo->key, "C-z") == 0)
		demo->screen->suspend(demo->screen);
	else if (strcmp(demo->key, "w") == 0)
		run_thread(demo, wake);
	else if (strcmp(demo->key, "t") == 0)
		run_thread(demo, crash);
	else if (strcmp(demo->key, "s") == 0)
		crash(NULL);
	else if (strcmp(demo->key, "o") == 0)
		crash_by_depth(NULL);
	else if (strcmp(demo->key, "O") == 0)
		run_thread(demo, crash_by_depth);
	else if (strcmp(demo->key, "m") == 0)
		demo->scrambles++;
	else if (strcmp(demo->key, "e") == 0)
		demo->terminfo = getenv("TERMINFO");
	else if (strcmp(demo->key, "A") == 0)
		abort();
}

static void
take_event(struct demo *demo)
{
	static const char *const names[] = {
		[SCREEN_KEY] = "key",   [SCREEN_RESIZE] = "resize", [SCREEN_TIMEOUT] = "timeout",
		[SCREEN_WAKE] = "wake", [SCREEN_RESUME] = "resume", [SCREEN_TERMINATE] = "terminate",
		[SCREEN_MOUSE] = "mouse",
	};
	struct screen_event event;
	demo->screen->next(demo->screen, -1, &event);
	demo->event = names[event.kind];
	demo->count++;
	snprintf(demo->key, sizeof demo->key, "%s", event.key_name);
	if (event.kind == SCREEN_TERMINATE)
		demo->is_over = true;
	if (event.kind == SCREEN_KEY)
		on_key(demo);
}

static bool
has_option(int argc, char **argv, const char *option)
{
	for (int i = 1; i < argc; i++) {
		if (strcmp(argv[i], option) == 0)
			return true;
	}
	return false;
}

int
main(int argc, char **argv)
{
	setlocale(LC_ALL, "");
	struct demo demo = { .event = "start", .stdin_bytes = count_stdin() };
	demo.palette = palette_find(has_option(argc, argv, "--light") ? "light" : "dark");
	struct term_options options = {
		.without_color = has_option(argc, argv, "--no-color"),
		.crash_message = "termdemo crashed\n",
	};
	struct error err = { 0 };
	demo.screen = term_screen_open(&options, &err);
	if (demo.screen == NULL) {
		fprintf(stderr, "termdemo: %s\n", err.message);
		return 1;
	}
	while (!demo.is_over) {
		draw(&demo);
		take_event(&demo);
	}
	int signal_number = term_screen_signal(demo.screen);
	term_screen_free(demo.screen);
	canvas_release(&demo.canvas);
	printf("termdemo ends\n");
	return signal_number != 0 ? 128 + signal_number : 0;
}

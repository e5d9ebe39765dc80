/* The loading screen: the loader works, the loop here draws and listens. */
#include "app/loading.h"

#include <stdio.h>
#include <string.h>

#include "base/compiler.h"
#include "base/process.h"
#include "base/text.h"
#include "base/units.h"

enum {
	FRAME_MS = 100,
	FIRST_FRAME_MS = 150,      /* what loads faster is never announced */
	RATE_AFTER_NS = 300000000, /* too little was seen before to foretell */
	BAR_CELLS = 60,
	EIGHTHS = 8
};

/* ---- drawing */

static void
draw_bar(const struct loading_picture *picture, struct canvas *canvas, int x, int y, int cells)
{
	static const char *const parts[EIGHTHS] = { "", "\u258f", "\u258e", "\u258d", "\u258c",
		"\u258b", "\u258a", "\u2589" };
	struct cell_style style = { STYLE_RUNNING, STYLE_RUNNING + STYLE_FAINT, 0 };
	double share = (double)picture->done_bytes / (double)picture->total_bytes;
	if (share > 1)
		share = 1;
	int eighths = (int)(share * cells * EIGHTHS);
	for (int i = 0; i < cells; i++) {
		int filled = eighths - i * EIGHTHS;
		if (canvas->ascii)
			canvas_put(canvas, x + i, y, style, filled >= EIGHTHS ? "#" : ".");
		else if (filled >= EIGHTHS)
			canvas_put(canvas, x + i, y, style, "\u2588");
		else
			canvas_put(canvas, x + i, y, style, filled > 0 ? parts[filled] : "");
	}
}

/* Keys and what they do, in the last row. */
static void
draw_keys(struct canvas *canvas, const char *const *keys, size_t count)
{
	struct cell_style key = { STYLE_KEY, STYLE_BAR, CELL_BOLD };
	struct cell_style word = { STYLE_TEXT_DIM, STYLE_BAR, 0 };
	int bottom = canvas->height - 1, x = 1;
	canvas_ground(canvas, 0, bottom, canvas->width, STYLE_BAR);
	for (size_t i = 0; i + 1 < count; i += 2) {
		x += canvas_string(canvas, x, bottom, canvas->width, key, keys[i]) + 1;
		x += canvas_string(canvas, x, bottom, canvas->width, word, keys[i + 1]) + 2;
	}
}

/* Adds a part of the line if the line stays within `cells`. */
static void
add_part(struct text *line, int cells, const char *part)
{
	size_t gap = line->length > 0 ? 3 : 0;
	if (text_width(line->bytes, line->length) + gap + text_width(part, strlen(part)) >
		(size_t)cells)
		return;
	text_add(line, "   ", gap);
	text_add_string(line, part);
}

static void
add_bytes(struct text *line, const struct loading_picture *picture, int cells)
{
	char done[UNITS_TEXT], total[UNITS_TEXT], part[2 * UNITS_TEXT + 8];
	units_bytes(done, picture->read_bytes);
	units_bytes(total, picture->total_bytes);
	if (picture->total_bytes > 0)
		snprintf(part, sizeof part, "%s of %s", done, total);
	else
		snprintf(part, sizeof part, "%s read", done);
	add_part(line, cells, part);
}

/* Whole seconds, rounded up: more would pretend to know. */
static void
add_time_left(struct text *line, uint64_t left_bytes, double bytes_per_ns, int cells)
{
	double left_s = (double)left_bytes / bytes_per_ns / 1e9 + 0.999;
	char part[UNITS_TEXT];
	if (left_s < 60)
		snprintf(part, sizeof part, "%d s left", (int)left_s);
	else if (left_s < 6000)
		snprintf(part, sizeof part, "%d min left", (int)(left_s / 60) + 1);
	else
		snprintf(part, sizeof part, "more than an hour left");
	add_part(line, cells, part);
}

/* Rate and time left, once there is enough to tell them from. */
static void
add_rate(struct text *line, const struct loading_picture *picture, int cells)
{
	if (picture->total_bytes > 0 && picture->done_bytes >= picture->total_bytes) {
		add_part(line, cells, "building the index");
		return;
	}
	if (picture->elapsed_ns < RATE_AFTER_NS || picture->done_bytes == 0)
		return;
	double per_ns = (double)picture->done_bytes / (double)picture->elapsed_ns;
	char number[UNITS_TEXT], part[UNITS_TEXT + 8];
	if (picture->total_bytes > 0)
		add_time_left(line, picture->total_bytes - picture->done_bytes, per_ns, cells);
	units_bytes(number, (uint64_t)(per_ns * 1e9));
	snprintf(part, sizeof part, "%s/s", number);
	add_part(line, cells, part);
}

static void
add_events(struct text *line, const struct loading_picture *picture, int cells)
{
	char number[UNITS_TEXT], part[UNITS_TEXT + 8];
	units_count(number, picture->events);
	snprintf(part, sizeof part, "%s events", number);
	add_part(line, cells, part);
}

void
loading_draw(const struct loading_picture *picture, struct canvas *canvas)
{
	struct cell_style bright = { STYLE_TEXT_BRIGHT, STYLE_DEFAULT, CELL_BOLD };
	struct cell_style plain = { STYLE_DEFAULT, STYLE_DEFAULT, 0 };
	static const char *const keys[] = { "q", "cancel" };
	int cells = canvas->width - 4 < BAR_CELLS ? canvas->width - 4 : BAR_CELLS;
	if (cells < 1)
		cells = canvas->width;
	int x = (canvas->width - cells) / 2;
	int y = canvas->height > 4 ? canvas->height / 2 - 2 : 0;

	canvas_printf(canvas, x, y, cells, bright, "Reading %s", picture->name);
	if (picture->total_bytes > 0)
		draw_bar(picture, canvas, x, y + 1, cells);
	struct text line = { 0 };
	int room = canvas->width - x;
	add_bytes(&line, picture, room);
	add_rate(&line, picture, room);
	add_events(&line, picture, room);
	if (line.length > 0)
		canvas_text(canvas, x, y + 2, room, plain, &line);
	text_release(&line);
	if (canvas->height >= 4)
		draw_keys(canvas, keys, ARRAY_LENGTH(keys));
}

/* Words in lines, as many as there is room for. */
static void
draw_words(struct canvas *canvas, int y, const char *words)
{
	struct cell_style plain = { STYLE_DEFAULT, STYLE_DEFAULT, 0 };
	int cells = canvas->width > 4 ? canvas->width - 4 : canvas->width;
	int x = (canvas->width - cells) / 2;
	for (; *words != '\0' && y + 1 < canvas->height; y++) {
		size_t fit = text_fit(words, strlen(words), (size_t)cells, NULL), end = fit;
		while (words[fit] != '\0' && end > 0 && words[end] != ' ')
			end--;
		struct text line = { 0 };
		end = end > 0 ? end : fit;
		if (end == 0)
			return;
		text_add(&line, words, end);
		canvas_text(canvas, x, y, cells, plain, &line);
		text_release(&line);
		words += end;
		words += strspn(words, " ");
	}
}

/* ---- the loop */

/* A canvas of the screen's size. */
static bool
begin_frame(const struct loading *loading, struct canvas *canvas, struct error *err)
{
	struct screen *screen = loading->screen;
	int width, height;
	screen->size(screen, &width, &height);
	if (!canvas_resize(canvas, width, height, err))
		return false;
	canvas->ascii = loading->ascii;
	canvas->monochrome = screen->depth(screen) == COLORS_NONE || loading->palette->is_monochrome;
	return true;
}

static bool
show(const struct loading *loading, int64_t start_ns, struct canvas *canvas, struct error *err)
{
	struct progress *progress = loading->loader->progress;
	struct loading_picture picture = {
		.name = loading->name,
		.done_bytes = progress_done(progress),
		.read_bytes = progress_read(progress),
		.total_bytes = atomic_load_explicit(&progress->total_bytes, memory_order_relaxed),
		.events = atomic_load_explicit(&progress->events, memory_order_relaxed),
		.elapsed_ns = process_now_ns() - start_ns,
	};
	if (!begin_frame(loading, canvas, err))
		return false;
	loading_draw(&picture, canvas);
	return loading->screen->put(loading->screen, canvas, loading->palette, err);
}

static bool
show_question(const struct loading *loading, const char *question, struct canvas *canvas, struct error *err)
{
	static const char *const keys[] = { "y", "run it", "q", "leave" };
	struct cell_style bright = { STYLE_TEXT_BRIGHT, STYLE_DEFAULT, CELL_BOLD };
	if (!begin_frame(loading, canvas, err))
		return false;
	int y = canvas->height > 8 ? canvas->height / 2 - 3 : 0, x = canvas->width > 4 ? 2 : 0;
	canvas_printf(canvas, x, y, canvas->width - x, bright, "Run a program to read %s?", loading->name);
	draw_words(canvas, y + (canvas->height > 8 ? 2 : 1), question);
	draw_keys(canvas, keys, ARRAY_LENGTH(keys));
	return loading->screen->put(loading->screen, canvas, loading->palette, err);
}

static bool
is_cancel_key(const char *key)
{
	static const char *const names[] = { "q", "Q", "Escape", "C-c" };
	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
		if (strcmp(names[i], key) == 0)
			return true;
	}
	return false;
}

/* Acts on what the screen reports; true when the user does not want to wait any more. */
static bool
gives_up(struct screen *screen, const struct screen_event *event, bool *is_terminated)
{
	if (event->kind == SCREEN_TERMINATE)
		return *is_terminated = true;
	if (event->kind != SCREEN_KEY)
		return false;
	if (strcmp(event->key_name, "C-z") == 0)
		screen->suspend(screen);
	return is_cancel_key(event->key_name);
}

/* There is a trace that will do, or no more will come. */
static bool
is_ready(const struct loading *loading)
{
	struct loader *loader = loading->loader;
	struct trace *before = NULL;
	bool is_new = loader_next(loader, &before);
	trace_free(before);
	if (loader_is_finished(loader))
		return true;
	return is_new && (loading->suffices == NULL ||
				 loading->suffices(loading->context, loader->shown));
}

bool
loading_run(const struct loading *loading, bool *is_terminated, struct error *err)
{
	struct canvas canvas = { 0 };
	int64_t start_ns = process_now_ns();
	int timeout_ms = FIRST_FRAME_MS;
	bool is_fine = true;
	*is_terminated = false;
	while (is_fine && !is_ready(loading)) {
		struct screen_event event;
		bool sleeps = timeout_ms == FRAME_MS && loader_is_waiting(loading->loader);
		loading->screen->next(loading->screen, sleeps ? -1 : timeout_ms, &event);
		if (gives_up(loading->screen, &event, is_terminated)) {
			is_fine = error_set(err, ERROR_CANCELLED, "cancelled while loading");
			break;
		}
		if (event.kind == SCREEN_TIMEOUT)
			timeout_ms = FRAME_MS;
		if (event.kind != SCREEN_WAKE && timeout_ms == FRAME_MS)
			is_fine = show(loading, start_ns, &canvas, err);
	}
	canvas_release(&canvas);
	if (is_fine && loader_has_failed(loading->loader)) {
		*err = loading->loader->err;
		is_fine = false;
	}
	return is_fine;
}

bool
loading_ask(const struct loading *loading, const char *question, bool *is_terminated, struct error *err)
{
	struct canvas canvas = { 0 };
	bool is_agreed = false, is_over = false;
	*is_terminated = false;
	while (!is_over && !is_agreed && show_question(loading, question, &canvas, err)) {
		struct screen_event event;
		loading->screen->next(loading->screen, -1, &event);
		is_over = gives_up(loading->screen, &event, is_terminated) ||
			  (event.kind == SCREEN_KEY &&
				  (strcmp(event.key_name, "n") == 0 || strcmp(event.key_name, "N") == 0));
		is_agreed = event.kind == SCREEN_KEY &&
			    (strcmp(event.key_name, "y") == 0 || strcmp(event.key_name, "Y") == 0);
	}
	canvas_release(&canvas);
	return is_agreed;
}

/* The script is read word by word; a condition stands in for the terminal's wake pipe. */
#include "fakescreen.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct fakescreen *
fake_of(struct screen *screen)
{
	return screen->context;
}

static void
fake_size(struct screen *screen, int *width, int *height)
{
	*width = fake_of(screen)->width;
	*height = fake_of(screen)->height;
}

static enum color_depth
fake_depth(struct screen *screen)
{
	return fake_of(screen)->depth;
}

static bool
fake_put(struct screen *screen, const struct canvas *canvas, const struct palette *palette,
	struct error *err)
{
	struct fakescreen *fake = fake_of(screen);
	(void)palette;
	fake->put_count++;
	fake->rests_left = fake->rest_looks;
	if (!canvas_resize(&fake->shown, canvas->width, canvas->height, err))
		return false;
	memcpy(fake->shown.cells, canvas->cells,
		(size_t)canvas->width * (size_t)canvas->height * sizeof canvas->cells[0]);
	return true;
}

static int
fake_rest_ms(struct screen *screen)
{
	struct fakescreen *fake = fake_of(screen);
	return fake->rests_left > 0 ? fake->rests_left-- : 0;
}

/* Takes the next word of the script; false at its end. */
static bool
take_word(struct fakescreen *fake, char *word, size_t size)
{
	fake->script += strspn(fake->script, " ");
	size_t length = strcspn(fake->script, " ");
	if (length == 0)
		return false;
	snprintf(word, size, "%.*s", (int)length, fake->script);
	fake->script += length;
	return true;
}

/* Waits for wake(), or not at all. */
static void
wait_for_wake(struct fakescreen *fake, bool may_wait, struct screen_event *event)
{
	pthread_mutex_lock(&fake->mutex);
	while (may_wait && !fake->is_woken)
		pthread_cond_wait(&fake->has_woken, &fake->mutex);
	event->kind = fake->is_woken ? SCREEN_WAKE : SCREEN_TIMEOUT;
	fake->is_woken = false;
	pthread_mutex_unlock(&fake->mutex);
}

static void
fake_next(struct screen *screen, int timeout_ms, struct screen_event *event)
{
	struct fakescreen *fake = fake_of(screen);
	bool looks_only = timeout_ms == 0;
	if (!looks_only)
		fake->wait_ms = timeout_ms;
	if (looks_only && fake->gave_key && !fake->is_burst) {
		fake->gave_key = false;
		event->kind = SCREEN_TIMEOUT;
		return;
	}
	if (!take_word(fake, event->key_name, sizeof event->key_name)) {
		if (fake->waits_at_end)
			wait_for_wake(fake, !looks_only, event);
		else
			event->kind = SCREEN_TERMINATE;
		return;
	}
	event->kind = SCREEN_KEY;
	int mouse = 0;
	if (sscanf(event->key_name, "@%d,%d,%d", &mouse, &event->mouse.x, &event->mouse.y) == 3) {
		event->mouse.kind = (enum screen_mouse_kind)mouse;
		event->kind = SCREEN_MOUSE;
	}
	fake->gave_key = true;
	if (strcmp(event->key_name, "!") == 0)
		event->kind = SCREEN_TIMEOUT;
	if (sscanf(event->key_name, "=%dx%d", &fake->width, &fake->height) == 2)
		event->kind = SCREEN_RESIZE;
}

static void
fake_wake(struct screen *screen)
{
	struct fakescreen *fake = fake_of(screen);
	pthread_mutex_lock(&fake->mutex);
	fake->is_woken = true;
	pthread_cond_signal(&fake->has_woken);
	pthread_mutex_unlock(&fake->mutex);
}

static void
fake_suspend(struct screen *screen)
{
	fake_of(screen)->suspend_count++;
}

static void
fake_refresh(struct screen *screen)
{
	fake_of(screen)->refresh_count++;
}

static void
fake_lend(struct screen *screen, void (*job)(void *context), void *context)
{
	fake_of(screen)->lend_count++;
	job(context);
}

static void
fake_set_mouse(struct screen *screen, bool is_on)
{
	fake_of(screen)->has_mouse = is_on;
}

static bool
fake_copy(struct screen *screen, const char *bytes, size_t length)
{
	struct fakescreen *fake = fake_of(screen);
	snprintf(fake->copied, sizeof fake->copied, "%.*s", (int)length, bytes);
	return true;
}

static void
fake_leave(struct screen *screen)
{
	fake_of(screen)->leave_count++;
}

void
fakescreen_init(struct fakescreen *fake, int width, int height, const char *script)
{
	*fake = (struct fakescreen){
		.screen = {
			.context = fake,
			.size = fake_size,
			.depth = fake_depth,
			.put = fake_put,
			.rest_ms = fake_rest_ms,
			.refresh = fake_refresh,
			.next = fake_next,
			.wake = fake_wake,
			.suspend = fake_suspend,
			.lend = fake_lend,
			.copy = fake_copy,
			.set_mouse = fake_set_mouse,
			.leave = fake_leave,
		},
		.width = width,
		.height = height,
		.depth = COLORS_256,
		.script = script,
	};
	pthread_mutex_init(&fake->mutex, NULL);
	pthread_cond_init(&fake->has_woken, NULL);
}

void
fakescreen_release(struct fakescreen *fake)
{
	canvas_release(&fake->shown);
	pthread_mutex_destroy(&fake->mutex);
	pthread_cond_destroy(&fake->has_woken);
}

const char *
fakescreen_row(struct fakescreen *fake, int y)
{
	static char row[8192];
	size_t length = 0, end = 0;
	for (int x = 0; x < fake->shown.width && length + CELL_BYTES < sizeof row; x++) {
		const struct cell *cell = canvas_at(&fake->shown, x, y);
		if (cell == NULL || cell->is_continued)
			continue;
		const char *text = cell->text[0] != '\0' ? cell->text : " ";
		size_t bytes = strlen(text);
		memcpy(row + length, text, bytes);
		length += bytes;
		if (cell->text[0] != '\0')
			end = length;
	}
	row[end] = '\0';
	return row;
}

bool
fakescreen_has(struct fakescreen *fake, const char *text)
{
	for (int y = 0; y < fake->shown.height; y++) {
		if (strstr(fakescreen_row(fake, y), text) != NULL)
			return true;
	}
	return false;
}

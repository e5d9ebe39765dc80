/* A canvas as text and letters. */
#include "scene.h"

#include <stdarg.h>
#include <setjmp.h>

#include <cmocka.h>

static const char *const style_names[STYLE_COUNT] = {
	[STYLE_DEFAULT] = "default",
	[STYLE_TEXT_BRIGHT] = "bright",
	[STYLE_TEXT_DIM] = "dim",
	[STYLE_BAR] = "bar",
	[STYLE_KEY] = "key",
	[STYLE_RULE] = "rule",
	[STYLE_CURSOR] = "cursor",
	[STYLE_CURSOR_ROW] = "cursor-row",
	[STYLE_CURSOR_CELL] = "cursor-cell",
	[STYLE_SELECTION] = "selection",
	[STYLE_MATCH] = "match",
	[STYLE_MATCHED] = "matched",
	[STYLE_ALERT] = "alert",
	[STYLE_MARK] = "mark",
	[STYLE_INK] = "ink",
	[STYLE_RUNNING] = "running",
	[STYLE_RUNNING_ALT] = "running-alt",
	[STYLE_READY] = "ready",
	[STYLE_SYSCALL] = "syscall",
	[STYLE_SYNC] = "sync",
	[STYLE_NETWORK] = "network",
	[STYLE_SLEEP] = "sleep",
	[STYLE_IDLE] = "idle",
	[STYLE_OTHER] = "other",
	[STYLE_UNKNOWN] = "unknown",
	[STYLE_WAITS] = "waits",
	[STYLE_ASLEEP] = "asleep",
	[STYLE_GC] = "gc",
	[STYLE_GC_WORKER] = "gc-worker",
	[STYLE_STW] = "stw",
	[STYLE_FRAME_FIRST] = "frame1",
	[STYLE_FRAME_2] = "frame2",
	[STYLE_FRAME_3] = "frame3",
	[STYLE_FRAME_4] = "frame4",
	[STYLE_FRAME_LAST] = "frame5",
	[STYLE_HEAT_FIRST] = "heat1",
	[STYLE_HEAT_2] = "heat2",
	[STYLE_HEAT_3] = "heat3",
	[STYLE_HEAT_4] = "heat4",
	[STYLE_HEAT_5] = "heat5",
	[STYLE_HEAT_6] = "heat6",
	[STYLE_HEAT_LAST] = "heat7",
	[STYLE_LESS_LAST] = "less3",
	[STYLE_LESS_2] = "less2",
	[STYLE_LESS_FIRST] = "less1",
	[STYLE_SAME] = "same",
	[STYLE_MORE_FIRST] = "more1",
	[STYLE_MORE_2] = "more2",
	[STYLE_MORE_LAST] = "more3",
};

static const char letters[] = ".abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
			      "!#$%&()*+,-/:;<=>?@[]^_{|}~";

enum { MOST_STYLES = sizeof letters - 1 };

/* The styles seen, in order of first appearance; the first is the default of all. */
struct style_key {
	struct cell_style styles[MOST_STYLES];
	size_t count;
};

static char
letter_of(struct style_key *key, const struct cell *cell)
{
	/* The colour of nothing is nobody's. */
	uint8_t fg = cell->text[0] == '\0' ? STYLE_DEFAULT : cell->fg;
	for (size_t i = 0; i < key->count; i++) {
		const struct cell_style *style = &key->styles[i];
		if (style->fg == fg && style->bg == cell->bg &&
			style->attributes == cell->attributes)
			return letters[i];
	}
	assert_true(key->count < MOST_STYLES);
	key->styles[key->count] = (struct cell_style){ fg, cell->bg, cell->attributes };
	return letters[key->count++];
}

static void
add_name(struct text *out, uint8_t style)
{
	if (style >= STYLE_FAINT)
		text_add_string(out, "faint ");
	text_add_string(out, style_names[style % STYLE_FAINT]);
}

static void
add_key(const struct style_key *key, struct text *out)
{
	for (size_t i = 1; i < key->count; i++) {
		const struct cell_style *style = &key->styles[i];
		text_format(out, "%c ", letters[i]);
		add_name(out, style->fg);
		text_add_string(out, " on ");
		add_name(out, style->bg);
		text_add_string(out, (style->attributes & CELL_BOLD) != 0 ? ", bold" : "");
		text_add_string(
			out, (style->attributes & CELL_UNDERLINE) != 0 ? ", underlined" : "");
		text_add_string(out, (style->attributes & CELL_REVERSE) != 0 ? ", reversed" : "");
		text_add_string(out, "\n");
	}
}

static void
trim_line(struct text *out, char blank)
{
	while (out->length > 0 && out->bytes[out->length - 1] == blank)
		out->bytes[--out->length] = '\0';
	text_add_string(out, "\n");
}

static const struct cell *
cell_at(const struct canvas *canvas, int x, int y)
{
	return &canvas->cells[(size_t)y * (size_t)canvas->width + (size_t)x];
}

void
scene_dump_text(const struct canvas *canvas, struct text *out)
{
	for (int y = 0; y < canvas->height; y++) {
		for (int x = 0; x < canvas->width; x++) {
			const struct cell *cell = cell_at(canvas, x, y);
			if (!cell->is_continued)
				text_add_string(out, cell->text[0] == '\0' ? " " : cell->text);
		}
		trim_line(out, ' ');
	}
}

void
scene_dump(const struct canvas *canvas, struct text *out)
{
	struct style_key key = { .count = 1 };
	scene_dump_text(canvas, out);
	text_add_string(out, "\n");
	for (int y = 0; y < canvas->height; y++) {
		for (int x = 0; x < canvas->width; x++) {
			char letter = letter_of(&key, cell_at(canvas, x, y));
			text_add(out, &letter, 1);
		}
		trim_line(out, '.');
	}
	text_add_string(out, "\n");
	add_key(&key, out);
}

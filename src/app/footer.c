/* Shares one row between hints on the left and the position on the right. */
#include "app/footer.h"

#include <stdio.h>
#include <string.h>

#include "app/keys.h"
#include "base/text.h"

enum { MARGIN = 1, GAP = 2, MAX_HINTS = 64 };

/* The row, and how much of it is still free. */
struct row {
	struct canvas *canvas;
	int y, left, right; /* free cells are [left, right) */
};

static int
room_of(const struct row *row)
{
	return row->right > row->left ? row->right - row->left : 0;
}

static int
cells_of(const char *safe)
{
	return (int)text_width(safe, strlen(safe));
}

/* Puts safe text at the right end if a third of the row stays free. */
static void
put_right(struct row *row, const char *safe, struct cell_style style)
{
	int cells = cells_of(safe);
	if (cells == 0 || cells + 2 * MARGIN > room_of(row) - row->canvas->width / 3)
		return;
	row->right -= cells + MARGIN;
	canvas_string(row->canvas, row->right, row->y, cells, style, safe);
	row->right -= GAP - MARGIN;
}

static int
hint_cells(const struct key_map *map, const struct key_hint *hint, unsigned context, bool ascii)
{
	struct text keys = { 0 };
	keys_add_hint(map, &keys, hint, context, ascii);
	size_t cells = text_width(keys.bytes, keys.length) + 1 + strlen(hint->word);
	text_release(&keys);
	return (int)cells + GAP;
}

static bool
is_of_use(const struct key_hint *hint, const struct footer *footer)
{
	const bool is_there[] = {
		[NEEDS_NOTHING] = true,
		[NEEDS_SEARCH] = footer->has_search,
		[NEEDS_WAY_BACK] = footer->has_way_back,
		[NEEDS_NO_WAY_BACK] = !footer->has_way_back,
		[NEEDS_MARK] = footer->has_mark,
		[NEEDS_FILTER] = footer->has_filter,
		[NEEDS_DAMAGE] = footer->has_damage,
		[NEEDS_PART] = footer->lacks_part,
		[NEEDS_CAUSES] = footer->has_causes,
	};
	if ((hint->contexts & footer->context) == 0 || !is_there[hint->need])
		return false;
	if (footer->lacks != NULL && footer->lacks(footer->state, hint->first))
		return false;
	struct text keys = { 0 };
	bool has_key = keys_add_hint(footer->keys, &keys, hint, footer->context, false);
	text_release(&keys);
	return has_key;
}

/* Chooses by rank as long as there is room. */
static void
choose_hints(const struct footer *footer, int room, bool ascii, bool chosen[MAX_HINTS])
{
	size_t count;
	const struct key_hint *hints = keys_hints(&count);
	int last_rank = 0;
	for (size_t i = 0; i < count; i++)
		last_rank = hints[i].rank > last_rank ? hints[i].rank : last_rank;
	for (int rank = 1; rank <= last_rank; rank++) {
		for (size_t i = 0; i < count && i < MAX_HINTS; i++) {
			if (hints[i].rank != rank || !is_of_use(&hints[i], footer))
				continue;
			int cells = hint_cells(footer->keys, &hints[i], footer->context, ascii);
			if (cells > room)
				return;
			room -= cells;
			chosen[i] = true;
		}
	}
}

static void
note_spot(struct footer_spots *spots, int x, int end_x, enum command command)
{
	if (spots->count < FOOTER_SPOTS)
		spots->items[spots->count++] = (struct footer_spot){ x, end_x, command };
}

/* The second half of two keys is the second command; the word is the first one's. */
static void
note_hint(struct footer_spots *spots, const struct key_hint *hint, int x, int keys_x, int end_x)
{
	int second_x = hint->second == hint->first ? keys_x : x + (keys_x - x + 1) / 2;
	note_spot(spots, x, second_x, hint->first);
	note_spot(spots, second_x, keys_x, hint->second);
	note_spot(spots, keys_x, end_x, hint->first);
}

static void
put_hints(struct row *row, const struct footer *footer, struct footer_spots *spots)
{
	struct cell_style key = { STYLE_KEY, STYLE_BAR, CELL_BOLD };
	struct cell_style word = { STYLE_TEXT_DIM, STYLE_BAR, 0 };
	bool chosen[MAX_HINTS] = { false };
	bool ascii = row->canvas->ascii;
	size_t count;
	const struct key_hint *hints = keys_hints(&count);
	choose_hints(footer, room_of(row) + GAP - MARGIN, ascii, chosen);
	struct text keys = { 0 };
	for (size_t i = 0; i < count && i < MAX_HINTS; i++) {
		if (!chosen[i])
			continue;
		text_clear(&keys);
		keys_add_hint(footer->keys, &keys, &hints[i], footer->context, ascii);
		int start_x = row->left;
		row->left += canvas_text(row->canvas, row->left, row->y, room_of(row), key, &keys);
		int keys_x = row->left;
		row->left++;
		row->left += canvas_string(
			row->canvas, row->left, row->y, room_of(row), word, hints[i].word);
		note_hint(spots, &hints[i], start_x, keys_x, row->left);
		row->left += GAP;
	}
	text_release(&keys);
}

/* What does not fit ends in dots. */
static void
put_status(const struct row *row, const char *safe, struct cell_style style)
{
	const char *dots = row->canvas->ascii ? "..." : "\u2026";
	int room = room_of(row), cells = cells_of(safe);
	if (cells > room)
		room -= cells_of(dots);
	int used = canvas_string(row->canvas, row->left, row->y, room, style, safe);
	if (cells > used)
		canvas_string(row->canvas, row->left + used, row->y, room_of(row), style, dots);
}

void
footer_draw(
	const struct footer *footer, struct canvas *canvas, int y, struct footer_spots *spots)
{
	spots->count = 0;
	struct row row = { canvas, y, MARGIN, canvas->width };
	struct cell_style bright = { STYLE_TEXT_BRIGHT, STYLE_BAR, 0 };
	struct cell_style alert = { STYLE_ALERT, STYLE_BAR, CELL_BOLD };
	struct cell_style key = { STYLE_KEY, STYLE_BAR, CELL_BOLD };
	canvas_ground(canvas, 0, y, canvas->width, STYLE_BAR);
	bool has_status = footer->status[0] != '\0';
	if (!has_status ||
		cells_of(footer->status) + cells_of(footer->position) + 2 * GAP <= canvas->width)
		put_right(&row, footer->position, bright);
	if (footer->count > 0) {
		char count[24];
		snprintf(count, sizeof count, "%ld", footer->count);
		put_right(&row, count, key);
	}
	if (has_status)
		put_status(&row, footer->status, footer->status_is_alert ? alert : bright);
	else
		put_hints(&row, footer, spots);
}

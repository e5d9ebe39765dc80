/* The line editor: a table of keys, and small functions on bytes of UTF-8. */
#include "app/prompt.h"

#include <string.h>

#include "base/compiler.h"
#include "base/memory.h"

void
prompt_memory_release(struct prompt_memory *memory)
{
	for (size_t i = 0; i < memory->count; i++)
		memory_free(memory->lines[i]);
	memory->count = memory->entered = 0;
}

void
prompt_memory_add(struct prompt_memory *memory, const char *line)
{
	size_t size = strlen(line) + 1;
	if (size == 1 || (memory->count > 0 && strcmp(memory->lines[memory->count - 1], line) == 0))
		return;
	char *copy = memory_realloc(NULL, size);
	if (copy == NULL)
		return;
	memcpy(copy, line, size);
	if (memory->count == PROMPT_MAX_LINES) {
		memory_free(memory->lines[0]);
		memory->count--;
		memmove(memory->lines, memory->lines + 1, memory->count * sizeof memory->lines[0]);
	}
	memory->lines[memory->count++] = copy;
	if (memory->entered < PROMPT_MAX_LINES)
		memory->entered++;
}

void
prompt_open(struct prompt *prompt, const char *label, struct prompt_memory *memory)
{
	prompt->is_open = true;
	prompt->label = label;
	prompt->memory = memory;
	prompt->cursor = 0;
	prompt->recalled = memory->count;
	text_clear(&prompt->line);
	text_clear(&prompt->draft);
	prompt->guide = NULL;
	prompt->completed = 0;
}

void
prompt_put(struct prompt *prompt, const char *line, size_t cursor)
{
	text_clear(&prompt->line);
	text_add_string(&prompt->line, line);
	prompt->cursor = cursor < prompt->line.length ? cursor : prompt->line.length;
}

void
prompt_follow(
	struct prompt *prompt, const struct prompt_guide *guide, struct prompt_place place)
{
	prompt->guide = guide;
	prompt->place = place;
}

void
prompt_release(struct prompt *prompt)
{
	text_release(&prompt->line);
	text_release(&prompt->draft);
	text_release(&prompt->stem);
	*prompt = (struct prompt){ 0 };
}

static bool
is_combining(const char *bytes, size_t length)
{
	struct text_char next = text_decode(bytes, length);
	return next.is_valid && text_width_of(next.code_point) == 0;
}

/* The grapheme boundary after / before a byte of the line. */
static size_t
boundary_after(const struct text *line, size_t at)
{
	if (at >= line->length)
		return line->length;
	at += text_decode(line->bytes + at, line->length - at).length;
	while (at < line->length && is_combining(line->bytes + at, line->length - at))
		at += text_decode(line->bytes + at, line->length - at).length;
	return at;
}

static size_t
boundary_before(const struct text *line, size_t at)
{
	size_t boundary = 0;
	for (size_t next = 0; next < at; next = boundary_after(line, next))
		boundary = next;
	return boundary;
}

/* Takes out bytes [from, to) and puts the cursor there. */
static void
cut(struct prompt *prompt, size_t from, size_t to)
{
	struct text *line = &prompt->line;
	if (to > from) {
		memmove(line->bytes + from, line->bytes + to, line->length - to + 1);
		line->length -= to - from;
	}
	prompt->cursor = from;
}

static void
insert(struct prompt *prompt, const char *bytes, size_t length)
{
	struct text *line = &prompt->line;
	if (line->length + length > PROMPT_MAX_BYTES || !text_reserve(line, length))
		return;
	size_t at = prompt->cursor, behind = line->length - at;
	text_add(line, bytes, length);
	if (line->failed)
		return;
	memmove(line->bytes + at + length, line->bytes + at, behind);
	memcpy(line->bytes + at, bytes, length);
	prompt->cursor = at + length;
}

static void
go_left(struct prompt *prompt)
{
	prompt->cursor = boundary_before(&prompt->line, prompt->cursor);
}

static void
go_right(struct prompt *prompt)
{
	prompt->cursor = boundary_after(&prompt->line, prompt->cursor);
}

static void
go_home(struct prompt *prompt)
{
	prompt->cursor = 0;
}

static void
go_end(struct prompt *prompt)
{
	prompt->cursor = prompt->line.length;
}

static void
delete_left(struct prompt *prompt)
{
	cut(prompt, boundary_before(&prompt->line, prompt->cursor), prompt->cursor);
}

static void
delete_right(struct prompt *prompt)
{
	cut(prompt, prompt->cursor, boundary_after(&prompt->line, prompt->cursor));
}

static void
delete_to_start(struct prompt *prompt)
{
	cut(prompt, 0, prompt->cursor);
}

static void
delete_to_end(struct prompt *prompt)
{
	cut(prompt, prompt->cursor, prompt->line.length);
}

/* Back over blanks, then over the word before them. */
static void
delete_word(struct prompt *prompt)
{
	const char *bytes = prompt->line.bytes;
	size_t from = prompt->cursor;
	while (from > 0 && bytes[from - 1] == ' ')
		from--;
	while (from > 0 && bytes[from - 1] != ' ')
		from--;
	cut(prompt, from, prompt->cursor);
}

static void
show_remembered(struct prompt *prompt, size_t which)
{
	struct prompt_memory *memory = prompt->memory;
	if (prompt->recalled == memory->count)
		text_copy(&prompt->draft, &prompt->line);
	prompt->recalled = which;
	text_clear(&prompt->line);
	if (which == memory->count)
		text_add(&prompt->line, prompt->draft.bytes, prompt->draft.length);
	else
		text_add_string(&prompt->line, memory->lines[which]);
	go_end(prompt);
}

static void
recall_older(struct prompt *prompt)
{
	if (prompt->recalled > 0)
		show_remembered(prompt, prompt->recalled - 1);
}

static void
recall_newer(struct prompt *prompt)
{
	if (prompt->recalled < prompt->memory->count)
		show_remembered(prompt, prompt->recalled + 1);
}

/* ---- completing */

static void
put_line(struct prompt *prompt, const struct text *text)
{
	text_copy(&prompt->line, text);
	go_end(prompt);
}

/* Writes what all completions of the line begin with; returns how many there are. */
static size_t
common_completion(const struct prompt *prompt, const char *line, struct text *common)
{
	size_t count = 0;
	struct text next = { 0 };
	while (text_clear(&next), prompt->guide->complete(&prompt->place, line, count, &next)) {
		size_t same = 0;
		if (count++ == 0)
			text_add(common, next.bytes, next.length);
		while (same < common->length && same < next.length &&
			common->bytes[same] == next.bytes[same])
			same++;
		/* Not within a character. */
		while (same > 0 && ((unsigned char)common->bytes[same] & 0xc0) == 0x80)
			same--;
		if (same < common->length)
			common->bytes[common->length = same] = '\0';
	}
	text_release(&next);
	return count;
}

/* Shows the completion that is so many further on; behind the last stands what was typed. */
static void
turn_completions(struct prompt *prompt, bool forward)
{
	struct text common = { 0 }, next = { 0 };
	const char *stem = text_string(&prompt->stem);
	size_t count = common_completion(prompt, stem, &common);
	prompt->completed = (prompt->completed + (forward ? 1 : count)) % (count + 1);
	if (prompt->completed > 0)
		prompt->guide->complete(&prompt->place, stem, prompt->completed - 1, &next);
	put_line(prompt, prompt->completed > 0 ? &next : &prompt->stem);
	text_release(&next);
	text_release(&common);
}

/* The first time as far as it is certain, then one after the other. */
static void
complete(struct prompt *prompt, bool forward)
{
	if (prompt->guide == NULL || prompt->cursor < prompt->line.length)
		return;
	if (prompt->completed == 0) {
		struct text common = { 0 };
		size_t count = common_completion(prompt, text_string(&prompt->line), &common);
		bool is_longer = common.length > prompt->line.length;
		if (count > 0 && is_longer)
			put_line(prompt, &common);
		text_release(&common);
		if (count == 0 || is_longer)
			return;
		text_copy(&prompt->stem, &prompt->line);
	}
	turn_completions(prompt, forward);
}

static const struct {
	const char *key;
	void (*edit)(struct prompt *prompt);
} edits[] = {
	{ "Left", go_left },
	{ "C-b", go_left },
	{ "Right", go_right },
	{ "C-f", go_right },
	{ "Home", go_home },
	{ "C-a", go_home },
	{ "End", go_end },
	{ "C-e", go_end },
	{ "Backspace", delete_left },
	{ "C-h", delete_left },
	{ "Delete", delete_right },
	{ "C-d", delete_right },
	{ "C-u", delete_to_start },
	{ "C-k", delete_to_end },
	{ "C-w", delete_word },
	{ "Up", recall_older },
	{ "C-p", recall_older },
	{ "Down", recall_newer },
	{ "C-n", recall_newer },
};

static bool
is_one_of(const char *key, const char *const *names)
{
	for (; *names != NULL; names++) {
		if (strcmp(key, *names) == 0)
			return true;
	}
	return false;
}

/* Whether the key is a typed character and not the name of a key. */
static bool
is_character(const char *key)
{
	size_t length = strlen(key);
	if (length == 0)
		return false;
	struct text_char first = text_decode(key, length);
	return first.is_valid && first.length == length && !text_is_hidden(first.code_point);
}

static void
edit(struct prompt *prompt, const char *key)
{
	for (size_t i = 0; i < ARRAY_LENGTH(edits); i++) {
		if (strcmp(edits[i].key, key) == 0) {
			edits[i].edit(prompt);
			return;
		}
	}
	if (strcmp(key, "Space") == 0)
		insert(prompt, " ", 1);
	else if (is_character(key))
		insert(prompt, key, strlen(key));
}

enum prompt_answer
prompt_key(struct prompt *prompt, const char *key)
{
	static const char *const enter[] = { "Enter", "C-m", "C-j", NULL };
	static const char *const cancel[] = { "Escape", "C-c", "C-g", NULL };
	static const char *const back[] = { "Backspace", "C-h", NULL };
	bool is_empty = prompt->line.length == 0;
	if (is_one_of(key, cancel) || (is_empty && is_one_of(key, back))) {
		prompt->is_open = false;
		return PROMPT_CANCELLED;
	}
	if (is_one_of(key, enter)) {
		prompt->is_open = false;
		if (!is_empty)
			prompt_memory_add(prompt->memory, prompt->line.bytes);
		return PROMPT_ENTERED;
	}
	if (strcmp(key, "Tab") == 0 || strcmp(key, "S-Tab") == 0) {
		complete(prompt, key[0] == 'T');
		return PROMPT_GOES_ON;
	}
	prompt->completed = 0;
	edit(prompt, key);
	return PROMPT_GOES_ON;
}

/* Cells of line[from..to) as it is shown. */
static int
cells_between(const struct prompt *prompt, size_t from, size_t to, bool ascii)
{
	struct text safe = { 0 };
	text_add_safe(&safe, prompt->line.bytes + from, to - from, ascii);
	int cells = (int)text_width(safe.bytes, safe.length);
	text_release(&safe);
	return cells;
}

/* The first byte to show so that the cursor's cell lies within `cells`. */
static size_t
first_shown(const struct prompt *prompt, int cells, bool ascii)
{
	size_t first = 0;
	while (first < prompt->cursor &&
		cells_between(prompt, first, prompt->cursor, ascii) + 1 > cells)
		first = boundary_after(&prompt->line, first);
	return first;
}

/* Two cells behind the line, as far as there is room. */
static void
draw_guidance(const struct prompt *prompt, struct canvas *canvas, int x, int y)
{
	enum { GAP = 2 };
	struct cell_style dim = { STYLE_TEXT_DIM, STYLE_BAR, 0 };
	bool is_guided = prompt->guide != NULL && prompt->guide->describe != NULL;
	if (!is_guided || x + GAP >= canvas->width)
		return;
	const struct text *line = prompt->completed > 0 ? &prompt->stem : &prompt->line;
	struct text safe = { 0 };
	prompt->guide->describe(&prompt->place, text_string(line), &safe);
	canvas_text(canvas, x + GAP, y, canvas->width - x - GAP, dim, &safe);
	text_release(&safe);
}

void
prompt_draw(const struct prompt *prompt, struct canvas *canvas, int y)
{
	struct cell_style label = { STYLE_KEY, STYLE_BAR, CELL_BOLD };
	struct cell_style plain = { STYLE_TEXT_BRIGHT, STYLE_BAR, 0 };
	canvas_ground(canvas, 0, y, canvas->width, STYLE_BAR);
	int x = canvas_string(canvas, 0, y, canvas->width, label, prompt->label);
	if (x >= canvas->width)
		x = 0;
	int cursor_x = x, end_x = x;
	if (prompt->line.length > 0) {
		size_t first = first_shown(prompt, canvas->width - x, canvas->ascii);
		struct text safe = { 0 };
		text_add_safe(&safe, prompt->line.bytes + first, prompt->line.length - first,
			canvas->ascii);
		end_x += canvas_text(canvas, x, y, canvas->width - x, plain, &safe);
		cursor_x += cells_between(prompt, first, prompt->cursor, canvas->ascii);
		text_release(&safe);
	}
	draw_guidance(prompt, canvas, end_x, y);
	struct cell *cell = canvas_at(canvas, cursor_x, y);
	if (cell != NULL)
		cell->attributes |= CELL_REVERSE;
}

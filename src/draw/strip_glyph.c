/*
 * The glyphs of the cells of a lane. Three sets: with colours, where the height
 * tells the share and the colour the class; without, where each class has its own
 * ramp; and ASCII, where a ramp has two steps.
 */
#include "draw/strip_glyph.h"

#include <stddef.h>

#include "trace/words.h"

enum { RAMP_STEPS = STRIP_LEVELS };

/* What a look is in each set. Lines have one glyph per set, bars a ramp. */
struct look_glyphs {
	uint8_t style;
	const char *line; /* blocked classes and syscalls without a processor, with colours */
	const char *mono_line;
	const char *mono[RAMP_STEPS];       /* solid classes, by level */
	const char *ascii_low, *ascii_high; /* below half and from half on; the same for lines */
};

static const struct look_glyphs looks[LOOK_COUNT] = {
	[CLASS_UNKNOWN] = { STYLE_UNKNOWN, "┄", "?", { NULL }, "?", "?" },
	[CLASS_RUNNING] = { STYLE_RUNNING, NULL, NULL, { "▁", "▂", "▃", "▄", "▅", "▆", "▇" }, "=",
		"#" },
	[CLASS_WORKER] = { STYLE_GC_WORKER, NULL, NULL, { "m", "m", "m", "M", "M", "M", "M" },
		"m", "M" },
	[CLASS_READY] = { STYLE_READY, NULL, NULL, { "░", "░", "░", "▒", "▒", "▓", "▓" }, ",",
		"+" },
	[CLASS_SYSCALL] = { STYLE_SYSCALL, "─", "─", { "s", "s", "s", "S", "S", "S", "S" }, "s",
		"S" },
	[CLASS_CHANNEL] = { STYLE_SYNC, "─", "─", { NULL }, "-", "-" },
	[CLASS_SELECT] = { STYLE_SYNC, "─", "┬", { NULL }, "<", "<" },
	[CLASS_SYNC] = { STYLE_SYNC, "─", "━", { NULL }, "_", "_" },
	[CLASS_NETWORK] = { STYLE_NETWORK, "╌", "╌", { NULL }, "~", "~" },
	[CLASS_SLEEP] = { STYLE_SLEEP, "┈", "┈", { NULL }, ".", "." },
	[CLASS_RUNTIME] = { STYLE_GC, "─", "╍", { NULL }, "w", "w" },
	[CLASS_IDLE] = { STYLE_IDLE, "·", "·", { NULL }, "'", "'" },
	[CLASS_FOREVER] = { STYLE_SYNC, "─", "═", { NULL }, "x", "x" },
	[CLASS_OTHER] = { STYLE_OTHER, "─", "┄", { NULL }, "o", "o" },
	[LOOK_WAITS] = { STYLE_WAITS, NULL, NULL, { "c", "c", "c", "C", "C", "C", "C" }, "c", "C" },
	[LOOK_ASLEEP] = { STYLE_ASLEEP, "┅", "┅", { NULL }, "z", "z" },
	[LOOK_OTHERS] = { STYLE_IDLE, NULL, NULL, { "e", "e", "e", "E", "E", "E", "E" }, "e", "E" },
};

static const char *const bar_glyphs[STRIP_LEVELS] = { "▁", "▂", "▃", "▄", "▅", "▆", "▇" };
static const char *const left_glyphs[STRIP_EIGHTHS - 1] = { "▏", "▎", "▍", "▌", "▋", "▊", "▉" };

enum { FIRST_HIGH_LEVEL = STRIP_LEVELS / 2 + 1 }; /* from half on */

uint8_t
strip_style(uint8_t look)
{
	return looks[look].style;
}

static uint8_t
shade_of(uint8_t look, bool is_alternate)
{
	if (look == CLASS_RUNNING && is_alternate)
		return STYLE_RUNNING_ALT;
	return looks[look].style;
}

/* ---- without colours */

/* The look that an edge shows where halves of cells cannot be told: the larger solid part. */
static uint8_t
dominant_look(const struct strip_cell *cell)
{
	if (cell->shape != STRIP_EDGE)
		return cell->look;
	if (!strip_is_solid(cell->second))
		return cell->look;
	if (!strip_is_solid(cell->look))
		return cell->second;
	return cell->level * 2 >= STRIP_EIGHTHS ? cell->look : cell->second;
}

/* Its share in sevenths, at least 1. */
static int
dominant_level(const struct strip_cell *cell)
{
	if (cell->shape != STRIP_EDGE)
		return cell->level;
	bool is_left = dominant_look(cell) == cell->look;
	int eighths = is_left ? cell->level : STRIP_EIGHTHS - cell->level;
	int level = (eighths * STRIP_LEVELS + STRIP_EIGHTHS / 2) / STRIP_EIGHTHS;
	return level < 1 ? 1 : level;
}

static const char *
plain_glyph(const struct canvas *canvas, const struct strip_cell *cell)
{
	const struct look_glyphs *look = &looks[dominant_look(cell)];
	int level = dominant_level(cell);
	if (canvas->ascii)
		return level >= FIRST_HIGH_LEVEL ? look->ascii_high : look->ascii_low;
	return cell->shape == STRIP_LINE ? look->mono_line : look->mono[level - 1];
}

static void
put_plain(struct canvas *canvas, int x, int y, const struct strip_cell *cell)
{
	uint8_t dominant = dominant_look(cell);
	bool is_alternate =
		dominant == cell->look ? cell->is_alternate : cell->second_is_alternate;
	struct cell_style style = { .fg = shade_of(dominant, is_alternate) };
	canvas_put(canvas, x, y, style, plain_glyph(canvas, cell));
}

/* ---- with colours */

static void
put_bar(struct canvas *canvas, int x, int y, const struct strip_cell *cell)
{
	struct cell_style style = {
		.fg = shade_of(cell->look, cell->is_alternate),
		.bg = (uint8_t)(looks[cell->look].style + STYLE_FAINT),
	};
	if (cell->level == STRIP_LEVELS)
		style.bg = STYLE_DEFAULT;
	if (cell->second != CLASS_GONE)
		style.bg = shade_of(cell->second, cell->second_is_alternate);
	canvas_put(canvas, x, y, style, bar_glyphs[cell->level - 1]);
}

/*
 * There are blocks for the left part of a cell only, so one for the right part is that
 * of the left part with the two colours changed about.
 */
static void
put_edge(struct canvas *canvas, int x, int y, const struct strip_cell *cell)
{
	struct cell_style style = { 0 };
	bool has_left = strip_is_solid(cell->look), has_right = strip_is_solid(cell->second);
	if (has_left)
		style.fg = shade_of(cell->look, cell->is_alternate);
	if (has_right && has_left)
		style.bg = shade_of(cell->second, cell->second_is_alternate);
	if (has_right && !has_left) {
		style.fg = shade_of(cell->second, cell->second_is_alternate);
		style.attributes = CELL_REVERSE;
	}
	canvas_put(canvas, x, y, style, left_glyphs[cell->level - 1]);
}

/* ---- marks */

enum { STRIP_MARKS_ASSIST = STRIP_MARK_ASSIST | STRIP_MARK_LITTLE_ASSIST };

const char *
strip_mark_glyph(const struct canvas *canvas, uint8_t marks)
{
	if ((marks & STRIP_MARK_MATCH) != 0)
		return canvas->ascii ? "*" : "◆";
	if ((marks & STRIP_MARK_STW) != 0)
		return canvas->ascii ? "|" : "┃";
	if ((marks & STRIP_MARK_LOG) != 0)
		return canvas->ascii ? "\"" : "▾";
	if ((marks & STRIP_MARK_ASSIST) != 0)
		return canvas->ascii ? "m" : "╻";
	if ((marks & ~STRIP_MARK_LITTLE_ASSIST) == STRIP_MARK_SAMPLE)
		return canvas->ascii ? "^" : "•";
	return canvas->ascii ? "!" : "╹";
}

static uint8_t
mark_style(uint8_t marks)
{
	if ((marks & STRIP_MARK_MATCH) != 0)
		return STYLE_MATCH;
	if ((marks & (STRIP_MARK_STW | STRIP_MARK_LOG)) != 0)
		return (marks & STRIP_MARK_STW) != 0 ? STYLE_STW : STYLE_MARK;
	return (marks & STRIP_MARKS_ASSIST) != 0 ? STYLE_GC_WORKER : STYLE_MARK;
}

/*
 * Assists are the ground behind the bar of what took more, in the hue of the collector, of which
 * a full bar leaves a little. Where they took little the ground is faint, if it is free.
 */
static bool
put_assist(struct canvas *canvas, int x, int y, const struct strip_cell *cell)
{
	uint8_t others = STRIP_MARK_MATCH | STRIP_MARK_STW | STRIP_MARK_LOG;
	bool is_little = (cell->marks & STRIP_MARK_ASSIST) == 0;
	if ((cell->marks & STRIP_MARKS_ASSIST) == 0 || (cell->marks & others) != 0 ||
		cell->shape != STRIP_BAR || canvas->monochrome || canvas->ascii ||
		(is_little && (cell->second != CLASS_GONE ||
				      (cell->marks & STRIP_MARK_HIDDEN) != 0)))
		return false;
	struct strip_cell bar = *cell;
	bar.second = CLASS_WORKER;
	bar.level = bar.level < STRIP_LEVELS ? bar.level : STRIP_LEVELS - 1;
	put_bar(canvas, x, y, &bar);
	if (is_little)
		canvas_ground(canvas, x, y, 1, STYLE_GC_WORKER + STYLE_FAINT);
	return true;
}

/*
 * A log or a stop of the world under a bar colours the bar's ground: in place of it
 * the mark would hide the share, and far out every cell may have one.
 */
static bool
put_marked_ground(struct canvas *canvas, int x, int y, const struct strip_cell *cell)
{
	bool has_ground = cell->shape == STRIP_BAR && cell->second == CLASS_GONE &&
			  cell->level < STRIP_LEVELS;
	if (!has_ground || canvas->monochrome || canvas->ascii ||
		cell->marks == STRIP_MARK_SAMPLE ||
		(cell->marks & (STRIP_MARK_MATCH | STRIP_MARK_HIDDEN)) != 0)
		return false;
	put_bar(canvas, x, y, cell);
	canvas_ground(canvas, x, y, 1, (uint8_t)(mark_style(cell->marks) + STYLE_FAINT));
	return true;
}

/* Without colours two glyphs tell whether half of the cell is solid. */
static bool
put_plain_match(struct canvas *canvas, int x, int y, const struct strip_cell *cell)
{
	const struct cell_style style = { .fg = STYLE_MATCH, .attributes = CELL_BOLD };
	bool is_high =
		strip_is_solid(dominant_look(cell)) && dominant_level(cell) >= FIRST_HIGH_LEVEL;
	if (!canvas->ascii && !canvas->monochrome)
		return false;
	if (canvas->ascii)
		canvas_put(canvas, x, y, style, is_high ? "@" : "*");
	else
		canvas_put(canvas, x, y, style, is_high ? "◆" : "◇");
	return true;
}

/* Without the marks of the cell. */
static void
put_unmarked(struct canvas *canvas, int x, int y, const struct strip_cell *cell)
{
	if (cell->shape == STRIP_NONE)
		return;
	if (canvas->ascii || canvas->monochrome) {
		put_plain(canvas, x, y, cell);
		return;
	}
	if (cell->shape == STRIP_LINE) {
		struct cell_style style = { .fg = looks[cell->look].style };
		canvas_put(canvas, x, y, style, looks[cell->look].line);
		return;
	}
	if (cell->shape == STRIP_BAR)
		put_bar(canvas, x, y, cell);
	else
		put_edge(canvas, x, y, cell);
}

/*
 * A match colours the ground of a line or of a bar that leaves some, so that class and share
 * stay to be seen. Where all is solid there is none: the mark stands on the class.
 */
static bool
put_matched_ground(struct canvas *canvas, int x, int y, const struct strip_cell *cell)
{
	bool has_ground = cell->shape == STRIP_LINE ||
			  (cell->shape == STRIP_BAR && cell->level < STRIP_LEVELS) ||
			  (cell->shape == STRIP_EDGE && !(strip_is_solid(cell->look) &&
								strip_is_solid(cell->second)));
	if (!has_ground)
		return false;
	put_unmarked(canvas, x, y, cell);
	canvas_ground(canvas, x, y, 1, STYLE_MATCHED);
	return true;
}

/* Solid classes stay visible as the ground, full from half of the cell on. */
static void
put_mark(struct canvas *canvas, int x, int y, const struct strip_cell *cell)
{
	bool is_match = (cell->marks & STRIP_MARK_MATCH) != 0;
	if (is_match &&
		(put_plain_match(canvas, x, y, cell) || put_matched_ground(canvas, x, y, cell)))
		return;
	if (put_marked_ground(canvas, x, y, cell))
		return;
	struct cell_style style = { .fg = mark_style(cell->marks), .attributes = CELL_BOLD };
	uint8_t dominant = dominant_look(cell);
	if (strip_is_solid(dominant) && !canvas->monochrome && !canvas->ascii) {
		bool is_high = dominant_level(cell) >= FIRST_HIGH_LEVEL;
		style.bg = (uint8_t)(looks[dominant].style + (is_high ? 0 : STYLE_FAINT));
		if (is_high && style.fg != STYLE_GC_WORKER)
			style.fg = STYLE_INK;
	}
	canvas_put(canvas, x, y, style, strip_mark_glyph(canvas, cell->marks));
}

void
strip_put(struct canvas *canvas, int x, int y, const struct strip_cell *cell)
{
	if (put_assist(canvas, x, y, cell))
		return;
	if ((cell->marks & ~STRIP_MARK_LITTLE_ASSIST) != 0)
		put_mark(canvas, x, y, cell);
	else
		put_unmarked(canvas, x, y, cell);
}

void
strip_put_bar(struct canvas *canvas, int x, int y, const struct bar_look *look, int level)
{
	struct cell_style style = { .fg = look->style, .bg = look->ground };
	if (canvas->ascii) {
		char glyph[2] = " ";
		if (level > 0)
			glyph[0] = level >= FIRST_HIGH_LEVEL ? look->high : look->low;
		canvas_put(canvas, x, y, style, glyph);
		return;
	}
	canvas_put(canvas, x, y, style, level == 0 ? " " : bar_glyphs[level - 1]);
}

const char *
strip_legend_glyph(const struct canvas *canvas, uint8_t look)
{
	const struct look_glyphs *glyphs = &looks[look];
	if (canvas->ascii)
		return glyphs->ascii_high;
	if (strip_is_solid(look))
		return canvas->monochrome ? glyphs->mono[STRIP_LEVELS - 1]
					  : bar_glyphs[STRIP_LEVELS - 1];
	return canvas->monochrome ? glyphs->mono_line : glyphs->line;
}

const char *
strip_look_name(const struct words *words, uint8_t look)
{
	static const char *const names[] = { "waits for a CPU", "asleep in the kernel", "other programs" };
	return look < CLASS_COUNT ? class_name(words, (enum time_class)look) : names[look - CLASS_COUNT];
}

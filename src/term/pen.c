/* The pen: what has to be sent to get from one look to another. */
#include "term/pen.h"

#include <string.h>

static const struct palette_look plain = { COLOR_TERMINAL, COLOR_TERMINAL, 0 };

void
pen_init(struct pen *pen, const struct terminfo *info)
{
	memset(pen, 0, sizeof *pen);
	pen->info = info;
	pen->look = plain;
}

static void
add(const struct pen *pen, enum terminfo_sequence sequence, struct text *out)
{
	if (pen->info->sequences[sequence] != NULL)
		terminfo_add(out, pen->info->sequences[sequence], 0, 0);
}

/* ---- colours */

/* Makes a colour's sequence where it is not the one that was kept; its length may not fit. */
static const struct pen_color *
make_color(struct pen *pen, bool is_ground, uint32_t color)
{
	struct pen_color *made = &pen->colors[is_ground][color % PEN_COLORS];
	if (made->length > 0 && made->color == color)
		return made;
	struct text bytes = { 0 };
	enum terminfo_sequence sequence = is_ground ? TERMINFO_BACKGROUND : TERMINFO_FOREGROUND;
	terminfo_add(&bytes, pen->info->sequences[sequence], (int)color, 0);
	bool fits = !bytes.failed && bytes.length <= sizeof made->bytes;
	made->color = color;
	made->length = fits ? (uint8_t)bytes.length : 0;
	if (made->length > 0)
		memcpy(made->bytes, bytes.bytes, bytes.length);
	text_release(&bytes);
	return made;
}

static void
set_color(struct pen *pen, bool is_ground, uint32_t color, struct text *out)
{
	uint32_t *set = is_ground ? &pen->look.bg : &pen->look.fg;
	if (*set == color || color == COLOR_TERMINAL)
		return;
	const struct pen_color *made = make_color(pen, is_ground, color);
	text_add(out, made->bytes, made->length);
	*set = color;
}

/* Goes back to the terminal's own colours where the look wants them. */
static void
leave_colors(struct pen *pen, struct palette_look look, struct text *out)
{
	bool leaves_fg = look.fg == COLOR_TERMINAL && pen->look.fg != COLOR_TERMINAL;
	bool leaves_bg = look.bg == COLOR_TERMINAL && pen->look.bg != COLOR_TERMINAL;
	bool has_fg = pen->look.fg != COLOR_TERMINAL, has_bg = pen->look.bg != COLOR_TERMINAL;
	if (!leaves_fg && !leaves_bg)
		return;
	if (pen->info->has_own_color && !(leaves_fg && leaves_bg)) {
		text_add_string(out, leaves_fg ? "\033[39m" : "\033[49m");
		has_fg = has_fg && !leaves_fg;
		has_bg = has_bg && !leaves_bg;
	} else {
		add(pen, TERMINFO_COLORS_OFF, out);
		has_fg = has_bg = false;
	}
	pen->look.fg = has_fg ? pen->look.fg : COLOR_TERMINAL;
	pen->look.bg = has_bg ? pen->look.bg : COLOR_TERMINAL;
}

/* ---- attributes */

static const struct {
	uint8_t attribute;
	enum terminfo_sequence on, off; /* TERMINFO_SEQUENCES: only with all others */
} attributes[] = {
	{ CELL_BOLD, TERMINFO_BOLD, TERMINFO_SEQUENCES },
	{ CELL_UNDERLINE, TERMINFO_UNDERLINE, TERMINFO_UNDERLINE_OFF },
	{ CELL_REVERSE, TERMINFO_REVERSE, TERMINFO_REVERSE_OFF },
};

static void
drop_attributes(struct pen *pen, uint8_t wanted, struct text *out)
{
	for (size_t i = 0; i < ARRAY_LENGTH(attributes); i++) {
		uint8_t attribute = attributes[i].attribute;
		if ((pen->look.attributes & attribute) == 0 || (wanted & attribute) != 0)
			continue;
		enum terminfo_sequence off = attributes[i].off;
		if (off == TERMINFO_SEQUENCES || pen->info->sequences[off] == NULL) {
			add(pen, TERMINFO_ALL_OFF, out);
			pen->look = plain;
			return;
		}
		add(pen, off, out);
		pen->look.attributes &= (uint8_t)~attribute;
	}
}

static void
add_attributes(struct pen *pen, uint8_t wanted, struct text *out)
{
	for (size_t i = 0; i < ARRAY_LENGTH(attributes); i++) {
		if ((wanted & ~pen->look.attributes & attributes[i].attribute) != 0)
			add(pen, attributes[i].on, out);
	}
	pen->look.attributes |= wanted;
}

/* ---- */

void
pen_take(struct pen *pen, struct palette_look look, struct text *out)
{
	if (look.fg != COLOR_TERMINAL || look.bg != COLOR_TERMINAL)
		look.attributes &= (uint8_t)~pen->info->plain_attributes;
	drop_attributes(pen, look.attributes, out);
	leave_colors(pen, look, out);
	add_attributes(pen, look.attributes, out);
	set_color(pen, false, look.fg, out);
	set_color(pen, true, look.bg, out);
}

static bool
shows_on_blank(uint8_t attributes_set)
{
	return (attributes_set & (CELL_UNDERLINE | CELL_REVERSE)) != 0;
}

void
pen_take_blank(struct pen *pen, struct palette_look look, struct text *out)
{
	if (!shows_on_blank(look.attributes) && !shows_on_blank(pen->look.attributes)) {
		look.fg = pen->look.fg;
		look.attributes = pen->look.attributes;
	}
	pen_take(pen, look, out);
}

void
pen_lay_down(struct pen *pen, struct text *out)
{
	add(pen, TERMINFO_ALL_OFF, out);
	add(pen, TERMINFO_COLORS_OFF, out);
	pen->look = plain;
}

bool
pen_same_blank(struct palette_look a, struct palette_look b)
{
	if (shows_on_blank(a.attributes) || shows_on_blank(b.attributes))
		return a.fg == b.fg && a.bg == b.bg && a.attributes == b.attributes;
	return a.bg == b.bg;
}

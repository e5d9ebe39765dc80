/* Prints a canvas with SGR sequences, as few of them as can be. */
#include "draw/output.h"

/* What the terminal draws with now. */
struct sgr {
	struct text *out;
	struct palette_look now;
	enum color_depth depth;
};

static const struct palette_look plain_look = { COLOR_TERMINAL, COLOR_TERMINAL, 0 };

/* Parameters of one sequence; a separator stands before each but the first. */
static void
add_parameter(struct text *parameters, unsigned value)
{
	text_format(parameters, parameters->length > 0 ? ";%u" : "%u", value);
}

/* base: 30 for the text, 40 for the ground. */
static void
add_color(struct text *parameters, unsigned base, uint32_t color, enum color_depth depth)
{
	if (color == COLOR_TERMINAL) {
		add_parameter(parameters, base + 9);
	} else if (depth == COLORS_DIRECT) {
		add_parameter(parameters, base + 8);
		text_format(parameters, ";2;%u;%u;%u", color >> 16 & 0xff, color >> 8 & 0xff, color & 0xff);
	} else if (color < 8) {
		add_parameter(parameters, base + color);
	} else if (color < 16) {
		add_parameter(parameters, base + 60 + color - 8);
	} else {
		add_parameter(parameters, base + 8);
		text_format(parameters, ";5;%u", color);
	}
}

static void
add_attributes(struct text *parameters, uint8_t from, uint8_t to)
{
	static const struct {
		uint8_t attribute, on, off;
	} codes[] = { { CELL_BOLD, 1, 22 }, { CELL_UNDERLINE, 4, 24 }, { CELL_REVERSE, 7, 27 } };
	for (size_t i = 0; i < ARRAY_LENGTH(codes); i++) {
		if (((from ^ to) & codes[i].attribute) != 0)
			add_parameter(parameters, (to & codes[i].attribute) != 0 ? codes[i].on : codes[i].off);
	}
}

static bool
is_same_look(const struct palette_look *a, const struct palette_look *b)
{
	return a->fg == b->fg && a->bg == b->bg && a->attributes == b->attributes;
}

static void
change_look(struct sgr *sgr, struct palette_look look)
{
	if (is_same_look(&look, &sgr->now))
		return;
	if (is_same_look(&look, &plain_look)) {
		text_add_string(sgr->out, "\033[m");
		sgr->now = look;
		return;
	}
	struct text parameters = { 0 };
	add_attributes(&parameters, sgr->now.attributes, look.attributes);
	if (look.fg != sgr->now.fg)
		add_color(&parameters, 30, look.fg, sgr->depth);
	if (look.bg != sgr->now.bg)
		add_color(&parameters, 40, look.bg, sgr->depth);
	text_add_string(sgr->out, "\033[");
	text_add(sgr->out, parameters.bytes, parameters.length);
	text_add(sgr->out, "m", 1);
	sgr->out->failed = sgr->out->failed || parameters.failed;
	text_release(&parameters);
	sgr->now = look;
}

/* Whether nothing but the ground shows, so that the colour of the text does not matter. */
static bool
is_bare(const struct cell *cell, const struct palette_look *look)
{
	return cell->text[0] == '\0' && (look->attributes & (CELL_UNDERLINE | CELL_REVERSE)) == 0;
}

/* Cells of the row up to the last that differs from the terminal's own ground. */
static int
shown_cells(const struct cell *row, int width, const struct palette *palette,
            enum color_depth depth)
{
	while (width > 0) {
		const struct cell *last = &row[width - 1];
		struct palette_look look = palette_look(palette, last, depth);
		if (last->is_continued || look.bg != COLOR_TERMINAL || !is_bare(last, &look))
			break;
		width--;
	}
	return width;
}

static void
print_cell(struct sgr *sgr, const struct cell *cell, const struct palette *palette)
{
	struct palette_look look = palette_look(palette, cell, sgr->depth);
	if (is_bare(cell, &look)) {
		look.fg = sgr->now.fg;
		look.attributes = (look.attributes & (uint8_t)~CELL_BOLD) | (sgr->now.attributes & CELL_BOLD);
	}
	change_look(sgr, look);
	text_add_string(sgr->out, cell->text[0] == '\0' ? " " : cell->text);
}

void
output_ansi(const struct canvas *canvas, const struct palette *palette, enum color_depth depth,
            struct text *out)
{
	struct sgr sgr = { .out = out, .now = plain_look, .depth = depth };
	for (int y = 0; y < canvas->height; y++) {
		const struct cell *row = &canvas->cells[(size_t)y * (size_t)canvas->width];
		int shown = shown_cells(row, canvas->width, palette, depth);
		for (int x = 0; x < shown; x++) {
			if (!row[x].is_continued)
				print_cell(&sgr, &row[x], palette);
		}
		change_look(&sgr, plain_look);
		text_add(out, "\n", 1);
	}
}

/*
 * Prints a canvas as SVG. Everything of one colour and kind is collected in one
 * layer: a path for shapes, a group for text. So the file stays small, and
 * grounds lie under shapes and shapes under text.
 */
#include "draw/output.h"

#include <string.h>

#include "base/memory.h"
#include "draw/svg_shapes.h"

enum { BASELINE = 12 }; /* of text, in pixels from the top of its cell */

/* In the order in which they are painted. */
enum layer_kind {
	LAYER_GROUND,
	LAYER_FILL,
	LAYER_DASH, /* + enum svg_dash */
	LAYER_TEXT = LAYER_DASH + SVG_DASHES,
	LAYER_BOLD_TEXT,
	LAYER_KINDS,
};

struct layer {
	int kind; /* enum layer_kind */
	uint32_t rgb;
	struct text content;     /* path data, or text elements */
	struct svg_rect pending; /* not in content yet: the next may continue it */
};

struct svg {
	struct layer *layers;
	size_t count, capacity;
	bool failed;
};

/* A cell with its colours settled. */
struct painted {
	uint32_t fg, bg;
	uint8_t attributes;
};

static struct painted
painted_cell(const struct cell *cell, const struct palette *palette)
{
	struct palette_look look = palette_look(palette, cell, COLORS_DIRECT);
	struct painted painted = { look.fg, look.bg, look.attributes };
	if (painted.fg == COLOR_TERMINAL)
		painted.fg = palette_terminal_rgb(palette, false);
	if (painted.bg == COLOR_TERMINAL)
		painted.bg = palette_terminal_rgb(palette, true);
	if ((look.attributes & CELL_REVERSE) != 0) {
		uint32_t fg = painted.fg;
		painted.fg = painted.bg;
		painted.bg = fg;
	}
	return painted;
}

/* ---- layers */

static struct layer *
layer_of(struct svg *svg, int kind, uint32_t rgb)
{
	for (size_t i = 0; i < svg->count; i++) {
		if (svg->layers[i].kind == kind && svg->layers[i].rgb == rgb)
			return &svg->layers[i];
	}
	struct error err = { 0 };
	if (!array_reserve(&svg->layers, &svg->capacity, svg->count + 1, sizeof *svg->layers, &err)) {
		svg->failed = true;
		return NULL;
	}
	struct layer *layer = &svg->layers[svg->count++];
	*layer = (struct layer){ .kind = kind, .rgb = rgb };
	return layer;
}

static bool
is_dash(int kind)
{
	return kind >= LAYER_DASH && kind < LAYER_TEXT;
}

static void
flush_pending(struct layer *layer)
{
	struct svg_rect *rect = &layer->pending;
	if (rect->width == 0)
		return;
	if (layer->kind == LAYER_DASH + SVG_DOT)
		/* Dots stand in the middle of their cells; half a cell less lets the next begin there. */
		text_format(&layer->content, "M%d %d.5h%d", rect->x + SVG_CELL_WIDTH / 2, rect->y,
		            rect->width - SVG_CELL_WIDTH / 2);
	else if (is_dash(layer->kind))
		text_format(&layer->content, "M%d %d.5h%d", rect->x, rect->y, rect->width);
	else
		text_format(&layer->content, "M%d %dh%dv%dh-%dz", rect->x, rect->y, rect->width, rect->height,
		            rect->width);
	rect->width = 0;
}

static void
add_rect(struct svg *svg, int kind, uint32_t rgb, struct svg_rect rect)
{
	struct layer *layer = layer_of(svg, kind, rgb);
	if (layer == NULL)
		return;
	struct svg_rect *last = &layer->pending;
	bool is_continued = last->width > 0 && last->x + last->width == rect.x && last->y == rect.y &&
	                    last->height == rect.height;
	if (is_continued) {
		last->width += rect.width;
		return;
	}
	flush_pending(layer);
	*last = rect;
}

/* ---- one cell */

static uint32_t
mix(uint32_t fg, uint32_t bg, int fg_percent)
{
	uint32_t mixed = 0;
	for (int shift = 0; shift <= 16; shift += 8) {
		uint32_t a = fg >> shift & 0xff, b = bg >> shift & 0xff;
		mixed |= ((a * (uint32_t)fg_percent + b * (uint32_t)(100 - fg_percent)) / 100) << shift;
	}
	return mixed;
}

static void
add_polygon(struct svg *svg, uint32_t rgb, const struct svg_shape *shape, int left, int top)
{
	struct layer *layer = layer_of(svg, LAYER_FILL, rgb);
	if (layer == NULL)
		return;
	flush_pending(layer);
	for (int i = 0; i < shape->count; i++)
		text_format(&layer->content, "%c%d %d", i == 0 ? 'M' : 'L', left + shape->points[i].x,
		            top + shape->points[i].y);
	text_add(&layer->content, "z", 1);
}

static void
add_shape(struct svg *svg, const struct painted *painted, const struct svg_shape *shape, int left,
          int top)
{
	switch (shape->kind) {
	case SVG_TEXT:
		break;
	case SVG_RECTS:
		for (int i = 0; i < shape->count; i++) {
			struct svg_rect rect = shape->rects[i];
			rect.x += left;
			rect.y += top;
			add_rect(svg, LAYER_FILL, painted->fg, rect);
		}
		break;
	case SVG_SHADE:
		add_rect(svg, LAYER_FILL, mix(painted->fg, painted->bg, shape->shade_percent),
		         (struct svg_rect){ left, top, SVG_CELL_WIDTH, SVG_CELL_HEIGHT });
		break;
	case SVG_LINE:
		add_rect(svg, LAYER_DASH + (int)shape->dash, painted->fg,
		         (struct svg_rect){ left, top + SVG_CELL_HEIGHT / 2 - 1, SVG_CELL_WIDTH, 1 });
		break;
	case SVG_POLYGON:
		add_polygon(svg, painted->fg, shape, left, top);
		break;
	}
}

/* The shape of a cell; none for blanks and combined characters, which a font has to draw. */
static struct svg_shape
shape_of_cell(const struct cell *cell)
{
	size_t length = strlen(cell->text);
	if (length > 0) {
		struct text_char c = text_decode(cell->text, length);
		if (c.length == length)
			return svg_shape_of(c.code_point);
	}
	return (struct svg_shape){ .kind = SVG_TEXT };
}

static void
add_cell(struct svg *svg, const struct cell *cell, const struct palette *palette, int x, int y)
{
	struct painted painted = painted_cell(cell, palette);
	int left = x * SVG_CELL_WIDTH, top = y * SVG_CELL_HEIGHT;
	if (painted.bg != palette_terminal_rgb(palette, true))
		add_rect(svg, LAYER_GROUND, painted.bg,
		         (struct svg_rect){ left, top, SVG_CELL_WIDTH, SVG_CELL_HEIGHT });
	struct svg_shape shape = shape_of_cell(cell);
	add_shape(svg, &painted, &shape, left, top);
	if ((painted.attributes & CELL_UNDERLINE) != 0)
		add_rect(svg, LAYER_FILL, painted.fg,
		         (struct svg_rect){ left, top + SVG_CELL_HEIGHT - 2, SVG_CELL_WIDTH, 1 });
}

/* ---- text */

static bool
is_text(const struct cell *cell)
{
	return cell->text[0] != '\0' && shape_of_cell(cell).kind == SVG_TEXT;
}

static bool
is_same_text(const struct painted *a, const struct painted *b)
{
	return a->fg == b->fg && (a->attributes & CELL_BOLD) == (b->attributes & CELL_BOLD);
}

static bool
is_wide(const struct cell *row, int width, int x)
{
	return x + 1 < width && row[x + 1].is_continued;
}

/*
 * The cell after the run of text that starts at x: words of one colour, a blank between
 * them. A wide grapheme stands alone: few fonts give it just two cells.
 */
static int
run_end(const struct cell *row, int width, int x, const struct palette *palette)
{
	if (is_wide(row, width, x))
		return x + 2;
	struct painted first = painted_cell(&row[x], palette);
	int end = x;
	for (; x < width && !is_wide(row, width, x); x++) {
		struct painted painted = painted_cell(&row[x], palette);
		if (is_text(&row[x]) && is_same_text(&painted, &first))
			end = x + 1;
		else if (row[x].text[0] != '\0' || x > end)
			break;
	}
	return end;
}

static void
add_run(struct svg *svg, const struct cell *row, int start, int end, int y,
        const struct palette *palette)
{
	struct painted painted = painted_cell(&row[start], palette);
	bool is_bold = (painted.attributes & CELL_BOLD) != 0;
	struct layer *layer = layer_of(svg, is_bold ? LAYER_BOLD_TEXT : LAYER_TEXT, painted.fg);
	if (layer == NULL)
		return;
	text_format(&layer->content, "<text x=\"%d\" y=\"%d\" textLength=\"%d\">",
	            start * SVG_CELL_WIDTH, y * SVG_CELL_HEIGHT + BASELINE,
	            (end - start) * SVG_CELL_WIDTH);
	for (int x = start; x < end; x++) {
		const char *text = row[x].text[0] == '\0' ? " " : row[x].text;
		if (!row[x].is_continued)
			text_add_xml(&layer->content, text, strlen(text));
	}
	text_add_string(&layer->content, "</text>\n");
}

static void
add_row(struct svg *svg, const struct canvas *canvas, int y, const struct palette *palette)
{
	const struct cell *row = &canvas->cells[(size_t)y * (size_t)canvas->width];
	for (int x = 0; x < canvas->width; x++)
		add_cell(svg, &row[x], palette, x, y);
	for (int x = 0; x < canvas->width;) {
		if (!is_text(&row[x])) {
			x++;
			continue;
		}
		int end = run_end(row, canvas->width, x, palette);
		add_run(svg, row, x, end, y, palette);
		x = end;
	}
}

/* ---- the file */

/* Lengths of dash and gap; in sum they divide the cell, so that runs of cells join. */
static const char *const dash_patterns[SVG_DASHES] = {
	[SVG_DASH_2] = "stroke-dasharray=\"3 1\"",
	[SVG_DASH_3] = "stroke-dasharray=\"1.7 .966667\"",
	[SVG_DASH_4] = "stroke-dasharray=\"1 1\"",
	[SVG_DOT] = "stroke-width=\"1.6\" stroke-linecap=\"round\" stroke-dasharray=\"0 8\"",
};

static void
print_layer(struct layer *layer, struct text *out)
{
	flush_pending(layer);
	if (is_dash(layer->kind)) {
		text_format(out, "<path fill=\"none\" stroke=\"#%06x\" %s d=\"", (unsigned)layer->rgb,
		            dash_patterns[layer->kind - LAYER_DASH]);
	} else if (layer->kind >= LAYER_TEXT) {
		text_format(out, "<g fill=\"#%06x\"%s>\n", (unsigned)layer->rgb,
		            layer->kind == LAYER_BOLD_TEXT ? " font-weight=\"bold\"" : "");
	} else {
		text_format(out, "<path fill=\"#%06x\" d=\"", (unsigned)layer->rgb);
	}
	text_add(out, layer->content.bytes, layer->content.length);
	text_add_string(out, layer->kind >= LAYER_TEXT ? "</g>\n" : "\"/>\n");
	out->failed = out->failed || layer->content.failed;
}

static void
print_svg(struct svg *svg, const struct canvas *canvas, const struct palette *palette,
          struct text *out)
{
	int width = canvas->width * SVG_CELL_WIDTH, height = canvas->height * SVG_CELL_HEIGHT;
	text_format(out,
	            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
	            "viewBox=\"0 0 %d %d\" font-family=\"'DejaVu Sans Mono',Menlo,Consolas,"
	            "'Liberation Mono',monospace\" font-size=\"13.3\">\n"
	            "<rect width=\"%d\" height=\"%d\" fill=\"#%06x\"/>\n",
	            width, height, width, height, width, height,
	            (unsigned)palette_terminal_rgb(palette, true));
	for (int kind = 0; kind < LAYER_KINDS; kind++) {
		for (size_t i = 0; i < svg->count; i++) {
			if (svg->layers[i].kind == kind)
				print_layer(&svg->layers[i], out);
		}
	}
	text_add_string(out, "</svg>\n");
	out->failed = out->failed || svg->failed;
}

void
output_svg(const struct canvas *canvas, const struct palette *palette, struct text *out)
{
	struct svg svg = { 0 };
	for (int y = 0; y < canvas->height; y++)
		add_row(&svg, canvas, y, palette);
	print_svg(&svg, canvas, palette, out);
	for (size_t i = 0; i < svg.count; i++)
		text_release(&svg.layers[i].content);
	memory_free(svg.layers);
}

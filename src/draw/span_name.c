/*
 * Names on spans. A name that does not fit gives way to a shorter one, never to a
 * fragment; a blocked line keeps at least two cells of line behind it.
 */
#include "draw/span_name.h"

#include "draw/names.h"
#include "draw/strip_glyph.h"
#include "trace/words.h"

enum {
	FEWEST_CELLS = 3, /* nothing is named in less */
	LINE_AFTER_NAME = 2,
	BAR_AROUND_NAME = 1, /* cells of the bar at the name's right end */
};

/* Takes the text if it fits, else empties it. */
static bool
does_fit(struct text *name, size_t cells)
{
	if (name->length > 0 && text_width(name->bytes, name->length) <= cells)
		return true;
	text_clear(name);
	return false;
}

/* The reason in the runtime's words, else the class in one. */
static void
name_blocked(struct text *name, const struct trace *trace, const struct span *span, size_t cells,
	bool ascii)
{
	name_state(name, trace, span, ascii);
	if (does_fit(name, cells))
		return;
	text_add_string(name, class_name(trace->words, span->time_class));
	does_fit(name, cells);
}

/*
 * "P2 G7 main.worker" for what a thread held: the actor alone where there is no room for
 * the processor as well.
 */
static void
name_on_thread(struct text *name, const struct trace *trace, const struct strip_stretch *stretch,
	size_t cells, bool ascii)
{
	const struct span *span = &stretch->span;
	if (span->actor == REF_NONE)
		return;
	if (stretch->has_lost_processor)
		text_add_string(name, "lost ");
	if (span->processor != REF_NONE) {
		name_processor(name, trace, span->processor);
		text_add_string(name, " ");
	}
	size_t used = name->length; /* all of it ASCII */
	if (used < cells)
		name_actor_within(name, trace, span->actor, cells - used, ascii);
	if (name->length > used)
		return;
	text_clear(name);
	name_actor_within(name, trace, span->actor, cells, ascii);
}

static void
name_solid(struct text *name, const struct trace *trace, struct lane lane,
	const struct strip_stretch *stretch, size_t cells, bool ascii)
{
	const struct span *span = &stretch->span;
	if (lane.type == LANE_THREAD) {
		name_on_thread(name, trace, stretch, cells, ascii);
		return;
	}
	if (lane.type == LANE_PROCESSOR || lane.type == LANE_TASK) {
		if (span->actor != REF_NONE)
			name_actor_within(name, trace, span->actor, cells, ascii);
		return;
	}
	if (stretch->look == CLASS_WORKER && span->time_class != CLASS_WORKER)
		text_add_string(name, "assist");
	else if (lane.type == LANE_GC)
		text_add_string(name, "mark");
	else if (lane.type == LANE_STW)
		name_string(name, trace, trace_range(trace, span->range)->name, ascii);
	else if (span->time_class == CLASS_RUNNING && span->processor != REF_NONE)
		name_processor(name, trace, span->processor);
	else
		text_add_string(name, class_name(trace->words, span->time_class));
	does_fit(name, cells);
}

/* How many cells of the stretch stand free of marks, but for matches, before one that has some. */
static int
free_cells(const struct strip *strip, const struct strip_stretch *stretch)
{
	int count = 0;
	while (count < stretch->cells &&
		(strip->cells[stretch->first + count].marks & ~STRIP_MARK_MATCH) == 0)
		count++;
	return count;
}

static bool
is_line(const struct strip_stretch *stretch)
{
	return !strip_is_solid(stretch->look) || stretch->has_lost_processor;
}

/* That it had no CPU, whatever it is. */
static void
name_lost(struct text *name, const struct trace *trace, uint8_t look, size_t cells)
{
	text_add_string(name, strip_look_name(trace->words, look));
	if (does_fit(name, cells))
		return;
	text_add_string(name, look == LOOK_WAITS ? "no CPU" : "asleep");
	does_fit(name, cells);
}

/* What fits into so many cells. */
static void
name_stretch(struct text *name, const struct trace *trace, struct lane lane,
	const struct strip_stretch *stretch, int cells, bool ascii)
{
	text_clear(name);
	if (cells < FEWEST_CELLS)
		return;
	int around = is_line(stretch) ? LINE_AFTER_NAME : BAR_AROUND_NAME;
	if (stretch->look == LOOK_WAITS || stretch->look == LOOK_ASLEEP)
		name_lost(name, trace, stretch->look, (size_t)(cells - around));
	else if (!is_line(stretch))
		name_solid(name, trace, lane, stretch, (size_t)(cells - BAR_AROUND_NAME), ascii);
	else if (stretch->has_lost_processor)
		name_on_thread(name, trace, stretch, (size_t)(cells - BAR_AROUND_NAME), ascii);
	else if (cells > LINE_AFTER_NAME)
		name_blocked(name, trace, &stretch->span, (size_t)(cells - LINE_AFTER_NAME), ascii);
}

static void
put_name(struct canvas *canvas, int x, int y, const struct strip *strip,
	const struct strip_stretch *stretch, const struct text *name)
{
	if (name->length == 0 || name->failed)
		return;
	const struct cell *under = canvas_at(canvas, x + stretch->first, y);
	if (under == NULL)
		return;
	struct cell_style style = { .fg = under->fg, .bg = under->bg };
	if (!is_line(stretch) && under->fg != STYLE_INK && !canvas->monochrome && !canvas->ascii)
		style = (struct cell_style){ STYLE_INK, under->fg, CELL_BOLD };
	if ((strip->cells[stretch->first].marks & STRIP_MARK_MATCH) != 0)
		style.attributes |= CELL_UNDERLINE;
	canvas_text(canvas, x + stretch->first, y, stretch->cells, style, name);
}

void
strip_draw(struct canvas *canvas, int x, int y, const struct strip *strip,
	const struct trace *trace, struct text *scratch)
{
	for (int i = 0; i < strip->width; i++)
		strip_put(canvas, x + i, y, &strip->cells[i]);
	for (int i = 0; i < strip->stretch_count; i++) {
		const struct strip_stretch *stretch = &strip->stretches[i];
		int cells = free_cells(strip, stretch);
		name_stretch(scratch, trace, strip->lane, stretch, cells, canvas->ascii);
		put_name(canvas, x, y, strip, stretch, scratch);
	}
}

/* Which traces are compared, as diff tells it. */
#include "view/diff_sources.h"

#include <string.h>

#include "base/units.h"
#include "trace/parts.h"
#include "trace/words.h"
#include "view/other.h"

enum { MARGIN = 2, GAP = 3, MARK_CELLS = 4 };

struct source {
	const char *mark, *name;
	uint8_t style;             /* of the mark */
	const struct trace *trace;
};

/* What is compared of it: the time that it has of what is meant. */
static int64_t
length_of(const struct source *source, const struct analysis_scope *scope)
{
	const struct trace *trace = source->trace;
	int64_t from_ns = trace->start_ns, until_ns = trace->end_ns;
	if (!scope->is_all && scope->t0_ns > from_ns)
		from_ns = scope->t0_ns;
	if (!scope->is_all && scope->t1_ns < until_ns)
		until_ns = scope->t1_ns;
	return until_ns > from_ns ? until_ns - from_ns : 0;
}

static bool
is_whole(const struct trace *trace)
{
	uint64_t bytes;
	return trace->damage.count == 0 && parts_missing(&trace->parts, &bytes) == 0 &&
	       !trace->parts.has_rest;
}

/* What is told of a source, from most to least. */
enum facts { ALL_FACTS, NO_COUNT, NO_FACTS };

/* " in part 1.22 s, 127 goroutines": what is not there is told in any case. */
static void
add_facts(const struct source *source, const struct analysis_scope *scope, enum facts facts,
	bool ascii, struct text *out)
{
	char length[UNITS_TEXT], count[UNITS_TEXT];
	uint32_t actors = trace_actor_count(source->trace);
	units_duration(length, length_of(source, scope), ascii);
	units_count(count, actors);
	if (!is_whole(source->trace))
		text_add_string(out, " in part");
	if (facts == NO_FACTS || source->trace->clock == TRACE_CLOCK_NONE)
		return;
	text_format(out, " %s", length);
	if (facts == ALL_FACTS)
		text_format_words(out, source->trace->words,
			actors == 1 ? ", %s {actor}" : ", %s {actors}", count);
}

static int
cells_of(const struct text *text)
{
	return text->length > 0 ? (int)text_width(text->bytes, text->length) : 0;
}

/* In so many cells; the name is cut where it has to be. */
static void
draw_source(const struct source *source, const struct text *facts, struct canvas *canvas, int x,
	int y, int cells)
{
	const struct cell_style mark = { .fg = source->style, .attributes = CELL_BOLD };
	const struct cell_style bright = { .fg = STYLE_TEXT_BRIGHT };
	const struct cell_style dim = { .fg = STYLE_TEXT_DIM };
	canvas_string(canvas, x, y, cells, mark, source->mark);
	x += MARK_CELLS;
	x += canvas_string(canvas, x, y, cells - MARK_CELLS - cells_of(facts), bright, source->name);
	if (facts->length > 0)
		canvas_text(canvas, x, y, canvas->width - x, dim, facts);
}

/* The cells that a source takes as a whole. */
static int
whole_cells(const struct source *source, const struct text *facts)
{
	return MARK_CELLS + (int)text_width(source->name, strlen(source->name)) + cells_of(facts);
}

void
diff_sources_draw(const struct analysis_scope *scope, const struct session *session,
	struct canvas *canvas, int y)
{
	const struct source sources[] = {
		{ "---", session->other->name, STYLE_LESS_LAST, session->other->trace },
		{ "+++", session->file_name, STYLE_MORE_LAST, session->trace },
	};
	struct text facts[2] = { { 0 }, { 0 } };
	int room = canvas->width - 2 * MARGIN - GAP;
	for (int told = ALL_FACTS; told <= NO_FACTS; told++) {
		for (int i = 0; i < 2; i++) {
			text_clear(&facts[i]);
			add_facts(&sources[i], scope, (enum facts)told, canvas->ascii, &facts[i]);
		}
		if (whole_cells(&sources[0], &facts[0]) + whole_cells(&sources[1], &facts[1]) <= room)
			break;
	}
	int first = whole_cells(&sources[0], &facts[0]), second = whole_cells(&sources[1], &facts[1]);
	/* Who needs less than a half leaves the rest to the other one. */
	if (first + second > room && first > room / 2)
		first = second < room / 2 ? room - second : room / 2;
	draw_source(&sources[0], &facts[0], canvas, MARGIN, y, first);
	draw_source(&sources[1], &facts[1], canvas, MARGIN + first + GAP, y, room - first);
	text_release(&facts[0]);
	text_release(&facts[1]);
}

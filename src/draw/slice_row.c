/* Rows of slices. */
#include "draw/slice_row.h"

#include <string.h>

#include "base/job.h"
#include "base/memory.h"
#include "draw/names.h"
#include "draw/stack_rows.h"
#include "draw/strip.h"
#include "draw/strip_glyph.h"
#include "query/bits.h"
#include "query/search.h"
#include "trace/lane.h"

enum { FEWEST_NAME_CELLS = 4 };

/* ---- which */

void
slice_rows_of(const struct trace *trace, struct lane lane, column_ref *first, uint32_t *count)
{
	track_ref track;
	uint32_t tracks;
	*first = *count = 0;
	if (trace->slices == NULL || (lane.type != LANE_ACTOR && lane.type != LANE_PROCESSOR))
		return;
	slices_tracks_of(trace->slices,
		lane.type == LANE_ACTOR ? TRACK_OF_ACTOR : TRACK_OF_RESOURCE, lane.ref, &track,
		&tracks);
	if (tracks == 0)
		return;
	const struct track *last = slices_track_at(trace->slices, track + tracks - 1);
	*first = slices_track_at(trace->slices, track)->first_column;
	*count = last->first_column + last->depth_count - *first;
	if (*count > SLICE_ROWS_MOST)
		*count = SLICE_ROWS_MOST;
}

bool
slice_lane(const struct trace *trace, column_ref column, struct lane *lane)
{
	const struct track *track =
		slices_track_at(trace->slices, slices_track_of_column(trace->slices, column));
	if (track->owner != TRACK_OF_ACTOR && track->owner != TRACK_OF_RESOURCE)
		return false;
	*lane = (struct lane){
		track->owner == TRACK_OF_ACTOR ? LANE_ACTOR : LANE_PROCESSOR, track->ref
	};
	return true;
}

/* What is cut out of the actors' slices. */
struct cutting {
	const struct slices *from;
	uint32_t *next; /* by column: the first slice that may not be over yet */
	struct slices *cut;
	track_ref track;
	const atomic_bool *is_cancelled;
	struct error *err;
};

/* The parts of the slices of a column that lie within a span. */
static bool
cut_column(struct cutting *cutting, column_ref column, uint32_t depth, const struct span *span)
{
	enum { SLICES_PER_LOOK = 4096 };
	uint32_t count = slices_in_column(cutting->from, column);
	uint32_t *next = &cutting->next[column];
	for (; *next < count; ++*next) {
		struct slice slice;
		if (*next % SLICES_PER_LOOK == 0 &&
			!job_goes_on(cutting->is_cancelled, cutting->err))
			return false;
		slices_get(cutting->from, column, *next, &slice);
		if (slice.start_ns >= span->end_ns)
			return true;
		if (slice.end_ns < span->start_ns ||
			(slice.end_ns == span->start_ns && slice.start_ns < span->start_ns))
			continue;
		bool goes_on = slice.end_ns > span->end_ns;
		struct slice_end end = { goes_on ? span->end_ns : slice.end_ns, -1, slice.flags };
		int64_t start_ns =
			slice.start_ns < span->start_ns ? span->start_ns : slice.start_ns;
		if (!slices_begin(cutting->cut, cutting->track, depth, start_ns, slice.name,
			    cutting->err) ||
			!slices_end(cutting->cut, cutting->track, depth, end, cutting->err))
			return false;
		slices_detail(cutting->cut, cutting->track, depth,
			slices_number(cutting->from, column, *next) + 1);
		if (goes_on)
			return true;
	}
	return true;
}

static bool
cut_spans(struct cutting *cutting, const struct trace *trace, resource_ref processor)
{
	struct lane lane = { LANE_PROCESSOR, processor };
	struct span span, next;
	bool has_span = lane_next(trace, lane, 0, CLASS_MASK_ALL, &span);
	for (; has_span; has_span = lane_after(trace, lane, &span, &next), span = next) {
		next = span;
		column_ref first = 0;
		uint32_t count = 0;
		if (span.actor != REF_NONE)
			slice_rows_of(
				trace, (struct lane){ LANE_ACTOR, span.actor }, &first, &count);
		for (uint32_t depth = 0; depth < count; depth++)
			if (!cut_column(cutting, first + depth, depth, &span))
				return false;
	}
	return slices_freeze(cutting->cut, trace->end_ns, cutting->err);
}

bool
slice_rows_ran(
	struct slices **ran, const struct trace *trace, resource_ref processor,
	const atomic_bool *is_cancelled, struct error *err)
{
	struct cutting cutting = { .from = trace->slices, .is_cancelled = is_cancelled, .err = err };
	*ran = NULL;
	if (trace->slices == NULL)
		return true;
	cutting.next = array_new(slices_column_count(trace->slices), sizeof *cutting.next, err);
	cutting.cut = cutting.next != NULL ? slices_new(err) : NULL;
	bool is_fine = cutting.cut != NULL &&
		       slices_track(cutting.cut, TRACK_OF_RESOURCE, processor, STRING_EMPTY,
			       &cutting.track, err) &&
		       cut_spans(&cutting, trace, processor);
	memory_free(cutting.next);
	if (!is_fine || slices_count(cutting.cut) == 0) {
		slices_free(cutting.cut);
		return is_fine;
	}
	*ran = cutting.cut;
	return true;
}

bool
slice_row_at(const struct slice_row *row, int64_t t_ns, int64_t from_ns, int64_t until_ns,
	struct slice *slice)
{
	return slices_at(row->slices, row->column, t_ns, slice) ||
	       slices_longest(row->slices, row->column, from_ns, until_ns, slice);
}

void
slice_row_whole(const struct slice_row *row, const struct trace *trace, struct slice *slice)
{
	if (row->is_parts)
		slices_numbered(trace->slices, slice->detail - 1, slice);
}

/* ---- matches */

static bool
has_match(const struct slice_row *row, const struct search *search, enum slice_search which,
	uint32_t first, uint32_t end)
{
	const struct bits *matches = row->matches[which];
	if (!row->is_parts)
		return search_slices_have(search, row->column, first, end);
	return matches != NULL && bits_below(matches, end) > bits_below(matches, first);
}

void
slice_row_marks(const struct slice_row *row, const struct search *search, enum slice_search which,
	struct viewport viewport, int cells, bool *marks)
{
	for (int i = 0; i < cells; i++) {
		uint32_t first, end;
		marks[i] = false;
		if (search == NULL || search_slice_count(search) == 0)
			continue;
		slices_range(row->slices, row->column,
			lane_edge(viewport.t0_ns, viewport.t1_ns, cells, i),
			lane_edge(viewport.t0_ns, viewport.t1_ns, cells, i + 1), &first, &end);
		marks[i] = has_match(row, search, which, first, end);
	}
}

/* ---- drawing */

/* Level of the bar of a cell: 0 for nothing in it, 1 at least for a slice without length too. */
static int
level_of(const struct slice_cell *cell, int64_t whole_ns)
{
	if (cell->longest == UINT32_MAX)
		return 0;
	if (whole_ns <= 0)
		return STRIP_LEVELS;
	int level = (int)((double)cell->covered_ns / (double)whole_ns * STRIP_LEVELS + 0.5);
	return level < 1 ? 1 : level > STRIP_LEVELS ? STRIP_LEVELS : level;
}

/*
 * The name over full cells, unless they are few. A hairline where another slice stands before that has
 * the same colour.
 */
static void
draw_name(struct canvas *canvas, struct cell_run run, const struct trace *trace, string_id name,
	bool needs_line, struct text *scratch)
{
	bool is_plain = canvas->monochrome || canvas->ascii;
	uint8_t colour = stack_row_style(trace, name);
	struct cell_style style = { STYLE_INK, colour, CELL_BOLD };
	if (is_plain)
		style = (struct cell_style){ .fg = colour };
	if (needs_line) {
		canvas_string(canvas, run.x, run.y, 1, (struct cell_style){ style.fg, style.bg, 0 },
			canvas->ascii ? "|" : "▏");
		run.x++;
		run.cells--;
	}
	if (run.cells < FEWEST_NAME_CELLS)
		return;
	text_clear(scratch);
	name_string_within(scratch, trace, name, (size_t)run.cells - 1, canvas->ascii);
	if (scratch->length > 0)
		canvas_text(canvas, run.x, run.y, run.cells, style, scratch);
	text_clear(scratch);
}

/* As lanes do: by the ground, unless a full bar or a name hides that. */
void
slice_row_mark(struct canvas *canvas, struct cell_run run, const bool *marks)
{
	for (int i = 0; i < run.cells; i++) {
		if (!marks[i])
			continue;
		const struct cell *cell = canvas_at(canvas, run.x + i, run.y);
		bool is_name = cell != NULL && cell->fg == STYLE_INK;
		bool is_full = cell != NULL && strcmp(cell->text, "▇") == 0;
		if (canvas->ascii || canvas->monochrome)
			canvas_put(canvas, run.x + i, run.y, (struct cell_style){ .fg = STYLE_MATCH },
				strip_mark_glyph(canvas, STRIP_MARK_MATCH));
		else if (is_full)
			canvas_put(canvas, run.x + i, run.y,
				(struct cell_style){ STYLE_INK, STYLE_MATCH, CELL_BOLD },
				strip_mark_glyph(canvas, STRIP_MARK_MATCH));
		else
			canvas_ground(canvas, run.x + i, run.y, 1,
				is_name ? STYLE_MATCH : STYLE_MATCHED);
	}
}

void
slice_row_draw(struct canvas *canvas, struct cell_run run, const struct slice_row *row,
	const struct strip_source *source, struct slice_cell *cells, struct text *scratch)
{
	const struct trace *trace = source->trace;
	struct viewport viewport = source->viewport;
	slices_cells(row->slices, row->column, viewport.t0_ns, viewport.t1_ns, run.cells, cells);
	uint8_t style_before = STYLE_DEFAULT;
	uint32_t before = UINT32_MAX;
	for (int first = 0, end; first < run.cells; first = end) {
		int64_t from_ns = lane_edge(viewport.t0_ns, viewport.t1_ns, run.cells, first);
		int64_t until_ns = lane_edge(viewport.t0_ns, viewport.t1_ns, run.cells, first + 1);
		int level = level_of(&cells[first], until_ns - from_ns);
		struct slice slice;
		end = first + 1;
		if (level == 0) {
			style_before = STYLE_DEFAULT;
			continue;
		}
		slices_get(row->slices, row->column, cells[first].longest, &slice);
		uint8_t style = stack_row_style(trace, slice.name);
		struct bar_look look = { style, (uint8_t)(style + STYLE_FAINT), '=', '#' };
		strip_put_bar(canvas, run.x + first, run.y, &look, level);
		/* All cells that it fills. */
		bool is_whole = slice.start_ns <= from_ns && slice.end_ns >= until_ns;
		for (; is_whole && end < run.cells; end++) {
			until_ns = lane_edge(viewport.t0_ns, viewport.t1_ns, run.cells, end + 1);
			if (slice.end_ns < until_ns)
				break;
			strip_put_bar(canvas, run.x + end, run.y, &look, STRIP_LEVELS);
		}
		if (level == STRIP_LEVELS)
			draw_name(canvas, (struct cell_run){ run.x + first, run.y, end - first },
				trace, slice.name, style_before == style && before != slice.index, scratch);
		style_before = style;
		before = slice.index;
	}
}

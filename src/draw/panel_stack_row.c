/* The panel on a row of the stack lanes: the frame there, and how it is known. */
#include <inttypes.h>

#include "draw/names.h"
#include "draw/panel_pen.h"
#include "draw/strip_glyph.h"
#include "trace/lane.h"

static void
write_frame(struct panel *panel, const struct stack_cell *cell, uint32_t depth)
{
	const struct trace *trace = panel->scene->trace;
	bool ascii = panel->canvas->ascii;
	const struct stack_frame *frame = stack_leaf(
		&trace->stacks, stack_chart_outer(trace, cell->stack, depth + 1));
	name_string(panel->scratch, trace, frame->function, ascii);
	panel_scratch_bold(panel, STYLE_TEXT_BRIGHT);
	panel_string(panel, STYLE_DEFAULT, "  ");
	text_add_place(panel->scratch, trace, frame, ascii);
	panel_scratch(panel, STYLE_TEXT_DIM);
	text_format(panel->scratch, "  depth %" PRIu32 " of %" PRIu32 " ", depth + 1,
		stack_chart_frames(trace, cell->stack));
	panel_scratch(panel, STYLE_TEXT_DIM);
	panel_next_line(panel);
}

/* "sampled  3 times in this cell, first at 66.54 ms" */
static void
write_samples(struct panel *panel, struct lane lane)
{
	const struct samples *samples = &panel->scene->rows->samples;
	uint32_t count = samples_count(samples, lane, panel->from_ns, panel->until_ns);
	if (count == 0)
		return;
	uint32_t first = samples_next(samples, lane, panel->from_ns);
	panel_heading(panel, "sampled");
	text_format(panel->scratch, "%" PRIu32 " %s in %s, first at ", count,
		count == 1 ? "time" : "times", panel->extent);
	panel_scratch(panel, STYLE_DEFAULT);
	panel_moment(panel, trace_instant(panel->scene->trace, first)->time_ns,
		panel->until_ns - panel->from_ns);
	panel_next_line(panel);
}

/*
 * "here    select  in this stack  1.2 s to 1.3 s (100 ms)": what is known at the cursor itself,
 * where the cell may show something else of its time.
 */
static void
write_piece(struct panel *panel)
{
	const struct stack_chart *chart = &panel->scene->rows->stacks;
	struct lane lane = { LANE_ACTOR, chart->actor };
	struct stack_piece piece;
	struct span span;
	int64_t t_ns = panel->scene->cursor_ns;
	if (!stack_chart_at(chart, t_ns, &piece))
		return;
	panel_heading(panel, "here");
	if (lane_span_at(chart->trace, lane, t_ns, &span)) {
		name_state(panel->scratch, chart->trace, &span, panel->canvas->ascii);
		panel_scratch(panel, strip_style((uint8_t)span.time_class));
		panel_string(panel, STYLE_DEFAULT, "  ");
	}
	if (piece.knowledge == STACK_IS_KNOWN)
		text_add_string(panel->scratch, "in one stack  ");
	else if (piece.knowledge == STACK_IS_BETWEEN)
		text_format(panel->scratch, "between stacks with %" PRIu32 " frames in common  ",
			piece.frames);
	else
		text_add_string(panel->scratch, "in a stack that is not known  ");
	panel_scratch(panel, STYLE_DEFAULT);
	panel_interval(panel, piece.start_ns, piece.end_ns);
	panel_next_line(panel);
}

void
panel_write_stack_row(struct panel *panel, const struct row *row)
{
	const struct timeline_rows *rows = panel->scene->rows;
	const struct panel_stack none = { "", STACK_NONE, NULL };
	struct lane lane = { LANE_ACTOR, row->ref };
	struct stack_cell cell =
		stack_chart_cell(&rows->stacks, &rows->samples, panel->from_ns, panel->until_ns);
	struct panel_stack stack = { "all of the stack", cell.stack, NULL };
	panel_string(panel, STYLE_DEFAULT, " ");
	panel_lane_name(panel, lane);
	panel_dash(panel);
	if (cell.frames > row->part) {
		write_frame(panel, &cell, row->part);
	} else {
		panel_string(panel, STYLE_TEXT_DIM,
			cell.frames > 0 ? "no frame so deep " : "no stack is known here ");
		panel_next_line(panel);
	}
	write_piece(panel);
	write_samples(panel, lane);
	panel_write_stacks(panel, stack, none);
}

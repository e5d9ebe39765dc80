/* The panel on a row of slices: the slice under the cursor, and what the cell holds. */
#include <inttypes.h>

#include "analysis/slice_times.h"
#include "base/units.h"
#include "draw/names.h"
#include "draw/panel_pen.h"
#include "draw/stack_rows.h"

/* A slice as the trace has it, whole, and who it is of. */
struct found {
	struct slice slice;
	const struct track *track;
	uint32_t depth;
	actor_ref actor; /* REF_NONE: a processor's own */
};

static struct found
find_owner(const struct slices *slices, const struct slice *slice)
{
	struct found found = { .slice = *slice, .actor = REF_NONE };
	found.track = slices_track_at(slices, slices_track_of_column(slices, slice->column));
	found.depth = slice->column - found.track->first_column;
	if (found.track->owner == TRACK_OF_ACTOR)
		found.actor = found.track->ref;
	return found;
}

static void
write_title(struct panel *panel, const struct found *found)
{
	const struct trace *trace = panel->scene->trace;
	const struct slice *slice = &found->slice;
	panel_string(panel, STYLE_DEFAULT, " ");
	name_string(panel->scratch, trace, slice->name, panel->canvas->ascii);
	panel_scratch_bold(panel, stack_row_style(trace, slice->name));
	panel_dash(panel);
	panel_interval(panel, slice->start_ns, slice->end_ns);
	if ((slice->flags & SLICE_BEGAN_BEFORE) != 0)
		panel_string(panel, STYLE_ALERT, ", began before");
	if ((slice->flags & SLICE_OPEN) != 0)
		panel_string(panel, STYLE_ALERT, ", not ended");
	if ((slice->flags & SLICE_CUT) != 0)
		panel_string(panel, STYLE_ALERT, ", its end is lost");
	if ((slice->flags & SLICE_FAILED) != 0)
		panel_string(panel, STYLE_ALERT, ", failed");
	if (found->actor != REF_NONE) {
		panel_dash(panel);
		name_actor(panel->scratch, trace, found->actor, panel->canvas->ascii);
		panel_scratch(panel, STYLE_DEFAULT);
	}
	panel_string(panel, STYLE_DEFAULT, " ");
	panel_next_line(panel);
}

static void
write_times(struct panel *panel, const struct found *found)
{
	const struct trace *trace = panel->scene->trace;
	const struct slice *slice = &found->slice;
	int64_t self_ns;
	panel_heading(panel, "took");
	panel_duration(panel, STYLE_DEFAULT, slice->took_ns);
	if (slice_self(trace->slices, slice, &self_ns)) {
		char self[UNITS_TEXT], share[UNITS_TEXT];
		units_duration(self, self_ns, panel->canvas->ascii);
		text_format(panel->scratch, "   self %s", self);
		units_share(share, self_ns, slice->took_ns > 0 ? slice->took_ns : 1);
		if (slice->took_ns > 0)
			text_format(panel->scratch, " %s", share);
	}
	text_format(panel->scratch, "   depth %" PRIu32, found->depth);
	panel_scratch(panel, STYLE_DEFAULT);
	if (slice->detail != STRING_EMPTY) {
		panel_string(panel, STYLE_DEFAULT, "   ");
		name_string(panel->scratch, trace, slice->detail, panel->canvas->ascii);
		panel_scratch(panel, STYLE_TEXT_DIM);
	}
	panel_next_line(panel);
}

/* What the cell holds, or the marked interval. */
static void
write_cell(struct panel *panel, const struct slice_row *row)
{
	char covered[UNITS_TEXT], share[UNITS_TEXT], count[UNITS_TEXT];
	uint32_t first, end;
	slices_range(row->slices, row->column, panel->from_ns, panel->until_ns, &first, &end);
	int64_t covered_ns =
		slices_covered(row->slices, row->column, panel->from_ns, panel->until_ns);
	units_count(count, end - first);
	units_duration(covered, covered_ns, panel->canvas->ascii);
	units_share(share, covered_ns, panel->until_ns - panel->from_ns);
	panel_heading(panel, panel->scene->has_mark ? "marked" : "cell");
	text_format(panel->scratch, "%s %s, %s, %s", count, end - first == 1 ? "slice" : "slices",
		covered, share);
	panel_scratch(panel, STYLE_DEFAULT);
	struct slice longest;
	if (end - first > 1 && slices_longest(row->slices, row->column, panel->from_ns,
				       panel->until_ns, &longest)) {
		panel_string(panel, STYLE_TEXT_DIM, "   longest ");
		name_string(panel->scratch, panel->scene->trace, longest.name,
			panel->canvas->ascii);
		text_add_string(panel->scratch, " ");
		panel_scratch(panel, stack_row_style(panel->scene->trace, longest.name));
		panel_duration(panel, STYLE_DEFAULT, longest.end_ns - longest.start_ns);
	}
	panel_next_line(panel);
}

/* What encloses it, the innermost first. */
static void
write_within(struct panel *panel, const struct found *found)
{
	const struct trace *trace = panel->scene->trace;
	enum { ROOM_FOR_DOTS = 3 };
	bool has_any = false;
	for (uint32_t depth = found->depth; depth-- > 0;) {
		struct slice above;
		if (!slices_at(trace->slices, found->track->first_column + depth,
			    found->slice.start_ns, &above))
			continue;
		if (!has_any)
			panel_heading(panel, "within");
		else
			text_add_string(panel->scratch, panel->canvas->ascii ? " < " : " ‹ ");
		has_any = true;
		name_string(panel->scratch, trace, above.name, panel->canvas->ascii);
		if (!panel_scratch_fits(panel, ROOM_FOR_DOTS)) {
			text_clear(panel->scratch);
			panel_string(panel, STYLE_TEXT_DIM,
				panel->canvas->ascii ? " .." : " …");
			break;
		}
		panel_scratch(panel, STYLE_DEFAULT);
	}
	if (has_any)
		panel_next_line(panel);
}

/* All of its name, wherever they are. */
static void
write_named(struct panel *panel, const struct found *found)
{
	const struct slices *slices = panel->scene->trace->slices;
	const struct viewport *viewport = &panel->scene->viewport;
	char count[UNITS_TEXT], time[UNITS_TEXT];
	uint64_t named = slices_named(slices, found->slice.name);
	units_count(count, named);
	units_duration(time, slices_named_time(slices, found->slice.name, viewport->t0_ns,
				     viewport->t1_ns),
		panel->canvas->ascii);
	panel_heading(panel, "named");
	text_format(panel->scratch, "%s %s in all; on the screen %s", count,
		named == 1 ? "slice" : "slices", time);
	panel_scratch(panel, STYLE_DEFAULT);
	panel_next_line(panel);
}

void
panel_write_slice(struct panel *panel)
{
	const struct timeline_scene *scene = panel->scene;
	struct slice_row at = rows_slices(scene->rows, scene->cursor_row);
	struct slice slice;
	bool has_slice = scene->has_mark ? slices_longest(at.slices, at.column, panel->from_ns,
						   panel->until_ns, &slice)
					 : slice_row_at(&at, scene->cursor_ns, panel->from_ns,
						   panel->until_ns, &slice);
	if (!has_slice) {
		panel_string(panel, STYLE_DEFAULT, " ");
		panel_string(panel, STYLE_TEXT_DIM,
			scene->has_mark ? "nothing in the marked interval" : "nothing here");
		panel_end_title_at_cursor(panel);
		return;
	}
	slice_row_whole(&at, scene->trace, &slice);
	struct found found = find_owner(scene->trace->slices, &slice);
	write_title(panel, &found);
	write_times(panel, &found);
	write_cell(panel, &at);
	write_within(panel, &found);
	write_named(panel, &found);
}

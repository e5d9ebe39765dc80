/* Writing lines of the panel. Only for draw/panel*.c. */
#ifndef TTRACE_DRAW_PANEL_PEN_H
#define TTRACE_DRAW_PANEL_PEN_H

#include <stdbool.h>
#include <stdint.h>

#include "analysis/beneath/lanes.h"
#include "base/text.h"
#include "draw/canvas.h"
#include "draw/timeline_scene.h"

struct task_lane; /* draw/task_rows.h */

/* Writes from left to right, line by line; what does not fit is not written. */
struct panel {
	const struct timeline_scene *scene;
	struct canvas *canvas;
	struct text *scratch;
	int64_t from_ns, until_ns; /* of the marked interval, else of the cell under the cursor */
	const char *extent;        /* what that is: "this cell" or "the interval" */
	int x, y, end_x, end_y;    /* next free place; end of the line; below the last line */
};

/* Lines left, the one being written among them. */
int panel_lines_left(const struct panel *panel);
void panel_next_line(struct panel *panel);
void panel_string(struct panel *panel, uint8_t style, const char *string);
/* What text_add_words() makes of the pattern; the scratch text is empty before and after. */
void panel_words(struct panel *panel, uint8_t style, const char *pattern);
/* The same for what begins the rule above the panel. */
void panel_title(struct panel *panel, const char *pattern);
void panel_bold(struct panel *panel, uint8_t style, const char *string);
/* Writes the scratch text and empties it. */
void panel_scratch(struct panel *panel, uint8_t style);
void panel_scratch_bold(struct panel *panel, uint8_t style);
int panel_scratch_cells(const struct panel *panel);
/* Whether the scratch text, with so many cells more, fits in what is left of the line. */
bool panel_scratch_fits(const struct panel *panel, int cells_more);
/* Goes to a column of the line, unless it is behind it already. */
void panel_column(struct panel *panel, int x);
/* A dash between parts of the title. */
void panel_dash(struct panel *panel);
/* A dim word that heads a line, and the column where its text begins. */
void panel_heading(struct panel *panel, const char *word);

void panel_duration(struct panel *panel, uint8_t style, int64_t duration_ns);
/* "G42 main.worker", "P3", "thread 4711", a group's function, "GC mark phase". */
void panel_lane_name(struct panel *panel, struct lane lane);
/* "1.2034 s to 1.2391 s (35.7 ms)". */
void panel_interval(struct panel *panel, int64_t start_ns, int64_t end_ns);
void panel_moment(struct panel *panel, int64_t t_ns, int64_t step_ns);
/* " - at 1.2217 s", where the cursor is, and the title's line ends. */
void panel_end_title_at_cursor(struct panel *panel);

/* What parts of the time in classes were, of the lane of an actor, a group or a processor within [from, until). */
struct panel_parts {
	int64_t assists_ns; /* run for the collector */
	int64_t lost_ns[BENEATH_UPPERS][BENEATH_LOST];
};
struct panel_parts panel_parts_of(const struct panel *panel, struct lane lane);

/* "3 running   12 ready   40 select", as far as there is room. */
void panel_class_counts(struct panel *panel, const int64_t counts[CLASS_COUNT]);
/*
 * How the time of a cell divides: "running 69 µs 45%, of which assist 12 µs  ready 46 µs 30%",
 * most first; parts may be NULL.
 */
void panel_shares(
	struct panel *panel, const int64_t totals_ns[CLASS_COUNT], const struct panel_parts *parts);
/* The same of a time that is given. */
void panel_shares_of(struct panel *panel, const int64_t totals_ns[CLASS_COUNT], const struct panel_parts *parts,
	int64_t whole_ns);
/* ", of which assist 12 µs", as far as there is room; nothing for 0. */
void panel_assist(struct panel *panel, int64_t assists_ns);
/* ", waited for a CPU 12 ms, asleep 1.7 ms" and what of running was assist, as far as there is room. */
void panel_write_parts(struct panel *panel, enum time_class time_class, const struct panel_parts *parts);
/* A line of what the kernel did while a span ran or was in a system call; none where that is not known. */
void panel_write_beneath(struct panel *panel, const struct span *span);

/* A stack and what it is: "blocked at". */
struct panel_stack {
	const char *title;
	stack_id stack; /* STACK_NONE where unknown */
	const struct trace *trace; /* whose stack it is; NULL: the scene's */
};

/*
 * Writes what is known of the two, beside each other where there is room, with their titles
 * where there are lines, as far as there are lines.
 */
void panel_write_stacks(struct panel *panel, struct panel_stack left, struct panel_stack right);

/*
 * Where a CPU sample of the lane was taken in the cell, takes its stack in place of another one.
 * The title is what it points to then. The sample nearest behind the cursor goes first.
 */
enum { PANEL_SAMPLE_TITLE = 240 };
void panel_take_sample(struct panel *panel, struct lane lane, struct panel_stack *stack,
	char title[PANEL_SAMPLE_TITLE]);

/* Of what the kernel did with a thread. The title's line comes first. */
void panel_write_beneath_thread(struct panel *panel, resource_ref thread);

/* The words for a whole row; see the table in panel.c. The title's line comes first. */
void panel_write_lane(struct panel *panel, struct lane lane);
void panel_write_group(struct panel *panel, struct lane lane);
void panel_write_counts(struct panel *panel, const struct row *row);
void panel_write_heap(struct panel *panel, const struct row *row);
void panel_write_gauge(struct panel *panel, const struct row *row);
/* Between which values it was. */
void panel_write_gauge_range(struct panel *panel, const struct row *row);
/* Between which sizes heap and goal were. */
void panel_write_heap_ranges(struct panel *panel);
/* What the marked interval holds on a row; the lane is NULL where it has none. */
void panel_write_marked(struct panel *panel, const struct row *row, const struct lane *lane);
void panel_write_ranges(struct panel *panel, struct lane lane);
void panel_write_wakes(struct panel *panel, const struct row *row);
void panel_write_samples(struct panel *panel, const struct row *row);
void panel_write_stack_row(struct panel *panel, const struct row *row);
void panel_write_section(struct panel *panel, const struct row *row);
/* What is folded there comes to in the cell; false for a section of which there is nothing to say. */
bool panel_write_folded(struct panel *panel, enum row_section section);
void panel_write_step(struct panel *panel, const struct row *row);
void panel_write_region(struct panel *panel, const struct row *row);
void panel_write_slice(struct panel *panel);
void panel_write_task(struct panel *panel, const struct task_lane *lane);
/* Of the marked interval, or of the cell. */
void panel_write_task_shares(struct panel *panel, const struct task_lane *lane);
void panel_write_logs(struct panel *panel, const struct row *row);

#endif

/* Pieces of a task's life instead of the spans of a lane. */
#include "draw/task_strip.h"

#include <string.h>

#include "query/search.h"
#include "trace/lane.h"

struct walk {
	struct strip *strip;
	const struct strip_source *source;
	const struct task_lane *lane;
	size_t logs_before; /* the cell */
	int cell;
	int64_t from_ns, until_ns; /* of the cell */
	struct task_mark from, until;
};

/* A piece as a span of its actor, for its name. */
static struct span
span_of(const struct task_life *life, size_t piece)
{
	const struct task_piece *seen = &life->pieces[piece];
	return (struct span){
		.start_ns = seen->start_ns,
		.end_ns = task_piece_end_ns(life, piece),
		.time_class = (enum time_class)seen->time_class,
		.kind = seen->kind,
		.actor = seen->actor,
		.processor = REF_NONE,
		.thread = REF_NONE,
		.waker = WAKER_NONE,
		.range = REF_NONE,
		.ordinal = (uint32_t)piece,
	};
}

/* The cells that one piece fills; its number tells whether it is still the same one. */
static void
add_to_stretch(struct walk *walk, size_t piece)
{
	struct strip *strip = walk->strip;
	struct strip_stretch *last =
		strip->stretch_count == 0 ? NULL : &strip->stretches[strip->stretch_count - 1];
	if (walk->lane->life.pieces[piece].actor == REF_NONE)
		return;
	if (last != NULL && last->span.ordinal == (uint32_t)piece) {
		last->cells++;
		return;
	}
	strip->stretches[strip->stretch_count++] = (struct strip_stretch){
		.first = walk->cell, .cells = 1, .span = span_of(&walk->lane->life, piece),
		.look = walk->lane->life.pieces[piece].time_class
	};
}

static uint8_t
class_at(const struct task_life *life, size_t piece)
{
	return piece == SIZE_MAX ? CLASS_GONE : life->pieces[piece].time_class;
}

/* Where exactly one border lies within the cell, it is told to the eighth. */
static bool
fill_by_border(struct walk *walk, size_t first, size_t last)
{
	const struct task_life *life = &walk->lane->life;
	bool is_within = first != SIZE_MAX && last != SIZE_MAX && last == first + 1;
	bool begins = first == SIZE_MAX && last == 0;
	bool ends = last == SIZE_MAX && first != SIZE_MAX && first + 1 == life->piece_count;
	int64_t border_ns = ends ? life->end_ns : life->start_ns;
	if (!is_within && !begins && !ends)
		return false;
	if (is_within)
		border_ns = life->pieces[last].start_ns;
	if (border_ns <= walk->from_ns || border_ns >= walk->until_ns)
		return false;
	walk->strip->cells[walk->cell] = strip_edge(class_at(life, first), class_at(life, last),
		border_ns - walk->from_ns, walk->until_ns - walk->from_ns);
	return true;
}

static void
mark_cell(struct walk *walk, size_t piece)
{
	const struct strip_source *source = walk->source;
	const struct task_lane *lane = walk->lane;
	struct strip_cell *cell = &walk->strip->cells[walk->cell];
	size_t logs = walk->logs_before;
	walk->logs_before += instants_before(
		source->trace, lane->logs + logs, lane->log_count - logs, walk->until_ns);
	if (walk->logs_before > logs)
		cell->marks |= STRIP_MARK_LOG;
	if (source->search == NULL || piece == SIZE_MAX ||
		lane->life.pieces[piece].actor == REF_NONE)
		return;
	struct lane shown = { LANE_ACTOR, lane->life.pieces[piece].actor };
	if (search_overlaps(source->search, shown, walk->from_ns, walk->until_ns))
		cell->marks |= STRIP_MARK_MATCH;
}

/* The piece that the last nanosecond of the cell is in. */
static size_t
last_piece(const struct walk *walk)
{
	const struct task_life *life = &walk->lane->life;
	int64_t last_ns = walk->until_ns - 1;
	if (last_ns < life->start_ns || last_ns >= life->end_ns)
		return SIZE_MAX;
	size_t piece = walk->until.piece == SIZE_MAX ? life->piece_count - 1 : walk->until.piece;
	return life->pieces[piece].start_ns > last_ns ? piece - 1 : piece;
}

static void
fill_cell(struct walk *walk)
{
	int64_t *totals_ns = walk->strip->totals_ns[walk->cell];
	size_t first = walk->from.piece, last = last_piece(walk);
	for (int i = 0; i < LOOK_COUNT; i++)
		totals_ns[i] = i < CLASS_COUNT ? walk->until.before_ns[i] - walk->from.before_ns[i] : 0;
	if (!fill_by_border(walk, first, last))
		walk->strip->cells[walk->cell] =
			strip_cell(totals_ns, walk->until_ns - walk->from_ns);
	if (first != SIZE_MAX && first == last)
		add_to_stretch(walk, first);
	mark_cell(walk, first != SIZE_MAX ? first : last);
}

void
task_strip_fill(
	struct strip *strip, const struct strip_source *source, const struct task_lane *lane)
{
	struct viewport viewport = source->viewport;
	struct walk walk = { .strip = strip, .source = source, .lane = lane };
	strip->lane = (struct lane){ LANE_TASK, lane->life.task };
	strip->stretch_count = 0;
	walk.until_ns = viewport.t0_ns;
	task_life_mark(&lane->life, walk.until_ns, &walk.until);
	walk.logs_before =
		instants_before(source->trace, lane->logs, lane->log_count, viewport.t0_ns);
	memset(strip->matches, 0, (size_t)strip->width * sizeof *strip->matches);
	for (walk.cell = 0; walk.cell < strip->width; walk.cell++) {
		walk.from_ns = walk.until_ns;
		walk.from = walk.until;
		walk.until_ns =
			lane_edge(viewport.t0_ns, viewport.t1_ns, strip->width, walk.cell + 1);
		task_life_mark(&lane->life, walk.until_ns, &walk.until);
		fill_cell(&walk);
	}
}

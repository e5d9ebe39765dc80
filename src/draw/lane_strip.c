/*
 * A lane cut into cells. A first pass takes the totals of all cells; a second one
 * walks the spans that are wider than a cell, for exact borders and names. It asks
 * the index once per cell at most and never looks at what a cell holds by the thousand.
 */
#include "draw/lane_strip.h"

#include <assert.h>
#include <string.h>

#include "analysis/go/syscall_loss.h"
#include "base/checked.h"
#include "base/memory.h"
#include "query/search.h"
#include "trace/lane.h"
#include "trace/time.h"
#include "trace/words.h"

bool
strip_reserve(struct strip *strip, int width, struct error *err)
{
	assert(width > 0);
	size_t count = (size_t)width;
	if (!array_reserve(
		    &strip->cells, &strip->cell_capacity, count, sizeof *strip->cells, err) ||
		!array_reserve(&strip->totals_ns, &strip->total_capacity, count,
			sizeof *strip->totals_ns, err) ||
		!array_reserve(&strip->classes_ns, &strip->class_capacity, count,
			sizeof *strip->classes_ns, err) ||
		!array_reserve(&strip->assists_ns, &strip->assist_capacity, count,
			sizeof *strip->assists_ns, err) ||
		!array_reserve(&strip->others_ns, &strip->others_capacity, count, sizeof *strip->others_ns, err) ||
		!array_reserve(&strip->matches, &strip->match_capacity, count,
			sizeof *strip->matches, err) ||
		!array_reserve(&strip->stretches, &strip->stretch_capacity, count,
			sizeof *strip->stretches, err))
		return false;
	for (int upper = 0; upper < BENEATH_UPPERS; upper++)
		for (int lost = 0; lost < BENEATH_LOST; lost++)
			if (!array_reserve(&strip->lost_ns[upper][lost], &strip->lost_capacity[upper][lost], count,
				    sizeof *strip->lost_ns[upper][lost], err))
				return false;
	strip->width = width;
	return true;
}

void
strip_release(struct strip *strip)
{
	memory_free(strip->cells);
	memory_free(strip->totals_ns);
	memory_free(strip->classes_ns);
	memory_free(strip->assists_ns);
	for (int upper = 0; upper < BENEATH_UPPERS; upper++)
		for (int lost = 0; lost < BENEATH_LOST; lost++)
			memory_free(strip->lost_ns[upper][lost]);
	memory_free(strip->others_ns);
	memory_free(strip->matches);
	memory_free(strip->stretches);
	*strip = (struct strip){ 0 };
}

/* A walk over the cells of a lane together with the spans in them. */
struct walk {
	struct strip *strip;
	const struct strip_source *source;
	struct lane lane;
	struct span span; /* the first one that ends after the cell's start; only if has_span */
	bool has_span;    /* false: no more spans */
	int cell;
	int64_t from_ns, until_ns; /* of the cell */
	bool has_assists;          /* the lane has some somewhere */
	bool has_others;           /* likewise */
	bool has_lost[BENEATH_UPPERS][BENEATH_LOST]; /* the same */
	uint32_t asked;            /* ordinal of the span that lost_ns is of, else UINT32_MAX */
	int64_t lost_ns;           /* when it lost its processor, INT64_MAX for never */
};

static bool
is_sums_only(struct lane lane)
{
	return lane.type == LANE_GROUP || lane.type == LANE_ALL;
}

#define LOOK_BIT(look) (UINT32_C(1) << (look))

static int64_t
whole_of(const struct walk *walk, const int64_t totals_ns[LOOK_COUNT])
{
	int64_t whole_ns = walk->until_ns - walk->from_ns, lived_ns = 0;
	if (!is_sums_only(walk->lane))
		return whole_ns;
	for (int i = CLASS_GONE + 1; i < LOOK_COUNT; i++)
		lived_ns = saturating_add_i64(lived_ns, totals_ns[i] > 0 ? totals_ns[i] : 0);
	return lived_ns > whole_ns ? lived_ns : whole_ns;
}

/* From so much on what a cell hides deserves a mark. */
static int64_t
enough_of(int64_t whole_ns)
{
	return whole_ns / STRIP_HIDDEN_PART + (whole_ns % STRIP_HIDDEN_PART != 0);
}

/* Whether any class of the mask has at least so much time. */
static bool
has_time(const int64_t totals_ns[CLASS_COUNT], class_mask mask, int64_t enough_ns)
{
	for (int i = CLASS_GONE + 1; i < CLASS_COUNT; i++) {
		if ((mask >> i & 1) != 0 && totals_ns[i] >= enough_ns)
			return true;
	}
	return false;
}

/* ---- what a class looks like */

/* What of the time of running and of system calls looks otherwise. */
static void
find_parts(struct walk *walk)
{
	struct strip *strip = walk->strip;
	const struct strip_source *source = walk->source;
	int64_t t0_ns = source->viewport.t0_ns, t1_ns = source->viewport.t1_ns;
	walk->has_assists = source->assists != NULL && pieces_cells(source->assists, walk->lane, t0_ns, t1_ns,
							       strip->width, strip->assists_ns);
	walk->has_others = source->others != NULL && pieces_cells(source->others, walk->lane, t0_ns, t1_ns,
							     strip->width, strip->others_ns);
	for (int upper = 0; source->beneath != NULL && upper < BENEATH_UPPERS; upper++)
		for (int lost = 0; lost < BENEATH_LOST; lost++)
			walk->has_lost[upper][lost] = pieces_cells(&source->beneath->of[upper][lost], walk->lane,
				t0_ns, t1_ns, strip->width, strip->lost_ns[upper][lost]);
}

static int64_t
assists_in_cell(const struct walk *walk)
{
	return walk->has_assists ? walk->strip->assists_ns[walk->cell] : 0;
}

static int64_t
others_in_cell(const struct walk *walk)
{
	return walk->has_others ? walk->strip->others_ns[walk->cell] : 0;
}

static int64_t
lost_in_cell(const struct walk *walk, int upper, int lost)
{
	return walk->has_lost[upper][lost] ? walk->strip->lost_ns[upper][lost][walk->cell] : 0;
}

/*
 * What is run for the collector looks like what its workers run. Other actors than its workers
 * assist, so the time of workers on an actor's own lane then is that of its assists. Which of these had no CPU is
 * not known where it is a part of what runs: what runs otherwise goes first.
 */
static void
find_totals(struct walk *walk)
{
	int64_t *totals_ns = walk->strip->totals_ns[walk->cell];
	int64_t assists_ns = assists_in_cell(walk);
	memcpy(totals_ns, walk->strip->classes_ns[walk->cell], sizeof *walk->strip->classes_ns);
	totals_ns[LOOK_WAITS] = totals_ns[LOOK_ASLEEP] = 0;
	totals_ns[LOOK_OTHERS] = others_in_cell(walk);
	totals_ns[CLASS_RUNNING] -= totals_ns[LOOK_OTHERS];
	totals_ns[CLASS_RUNNING] -= assists_ns;
	totals_ns[CLASS_WORKER] += assists_ns;
	for (int upper = 0; upper < BENEATH_UPPERS; upper++)
		for (int lost = 0; lost < BENEATH_LOST; lost++) {
			int64_t lost_ns = lost_in_cell(walk, upper, lost);
			totals_ns[beneath_upper_class((enum beneath_upper)upper)] -= lost_ns;
			totals_ns[LOOK_WAITS + lost] += lost_ns;
		}
	if (totals_ns[CLASS_RUNNING] < 0) {
		totals_ns[CLASS_WORKER] += totals_ns[CLASS_RUNNING];
		totals_ns[CLASS_RUNNING] = 0;
	}
}

/* How spans of a class look in the cell: bits of looks, of which there are several if not all of it is alike. */
static uint32_t
looks_of(const struct walk *walk, enum time_class time_class)
{
	int64_t rest_ns = walk->strip->classes_ns[walk->cell][time_class];
	uint32_t looks = 0;
	for (int upper = 0; upper < BENEATH_UPPERS; upper++)
		for (int lost = 0; lost < BENEATH_LOST && beneath_upper_class((enum beneath_upper)upper) == time_class;
			lost++) {
			int64_t lost_ns = lost_in_cell(walk, upper, lost);
			looks |= lost_ns > 0 ? LOOK_BIT(LOOK_WAITS + lost) : 0;
			rest_ns -= lost_ns;
		}
	if (time_class == CLASS_RUNNING && assists_in_cell(walk) > 0) {
		looks |= LOOK_BIT(CLASS_WORKER);
		rest_ns -= assists_in_cell(walk);
	}
	if (time_class == CLASS_RUNNING && others_in_cell(walk) > 0) {
		looks |= LOOK_BIT(LOOK_OTHERS);
		rest_ns -= others_in_cell(walk);
	}
	return rest_ns > 0 || looks == 0 ? looks | LOOK_BIT(time_class) : looks;
}

/* Takes the first look out of them. */
static uint8_t
take_look(uint32_t *looks)
{
	uint8_t look = 0;
	while ((*looks & LOOK_BIT(look)) == 0)
		look++;
	*looks &= *looks - 1;
	return look;
}

/* ---- the cells by their totals */

/* Whether something is hidden that matters: see strip_hidden(). */
static bool
is_hiding(const struct walk *walk, const struct strip_cell *cell,
	const int64_t totals_ns[CLASS_COUNT], int64_t whole_ns)
{
	class_mask hidden = strip_hidden(cell);
	int64_t enough_ns = enough_of(whole_ns);
	struct span longest;
	bool has_classes = walk->lane.type == LANE_GROUP || walk->lane.type == LANE_ACTOR;
	if (hidden == 0 || !has_classes || !has_time(totals_ns, hidden, enough_ns))
		return false;
	if (walk->lane.type == LANE_GROUP)
		return true;
	return lane_longest(walk->source->trace, walk->lane, walk->from_ns, walk->until_ns, hidden,
		       &longest) &&
	       span_within(&longest, walk->from_ns, walk->until_ns) >= enough_ns;
}

static void
fill_by_totals(struct walk *walk)
{
	const int64_t *totals_ns = walk->strip->totals_ns[walk->cell];
	int64_t whole_ns = whole_of(walk, totals_ns);
	struct strip_cell *cell = &walk->strip->cells[walk->cell];
	*cell = strip_cell(totals_ns, whole_ns);
	if (is_hiding(walk, cell, totals_ns, whole_ns))
		cell->marks |= STRIP_MARK_HIDDEN;
	int64_t assists_ns = assists_in_cell(walk);
	if (assists_ns > 0 && cell->look != CLASS_WORKER)
		cell->marks |= assists_ns >= enough_of(whole_ns) ? STRIP_MARK_ASSIST
								 : STRIP_MARK_LITTLE_ASSIST;
}

/* ---- the cells that one or two spans fill */

/* On processors and threads neighbours take turns in the shade of running. */
static bool
is_alternate(const struct walk *walk, const struct span *span)
{
	bool has_shades = walk->lane.type == LANE_PROCESSOR || walk->lane.type == LANE_THREAD;
	return has_shades && (span->ordinal & 1) != 0;
}

/* When the span of the walk lost its processor, INT64_MAX for never; on threads alone. */
static int64_t
lost_ns(struct walk *walk)
{
	if (walk->lane.type != LANE_THREAD || walk->span.time_class != CLASS_SYSCALL)
		return INT64_MAX;
	if (walk->asked != walk->span.ordinal) {
		walk->asked = walk->span.ordinal;
		if (!syscall_lost_processor(walk->source->trace, &walk->span, &walk->lost_ns))
			walk->lost_ns = INT64_MAX;
	}
	return walk->lost_ns;
}

static const struct strip_cell lost_cell = { .shape = STRIP_LINE, .look = CLASS_SYSCALL };

/*
 * A span fills the cell, which looks in several ways: an edge where there are two, one of which begins or ends once,
 * else as its totals say.
 */
static void
fill_by_looks(struct walk *walk, uint32_t looks)
{
	const struct pieces *pieces = walk->source->assists;
	uint8_t first = take_look(&looks), second = take_look(&looks);
	uint8_t within = second < CLASS_COUNT ? CLASS_WORKER : second; /* the look of the pieces */
	int64_t border_ns;
	bool is_before;
	if (second == LOOK_OTHERS)
		pieces = walk->source->others;
	for (int i = 0; second >= CLASS_COUNT && i < BENEATH_UPPERS * BENEATH_LOST; i++)
		if (LOOK_WAITS + i % BENEATH_LOST == second &&
			beneath_upper_class((enum beneath_upper)(i / BENEATH_LOST)) == walk->span.time_class)
			pieces = &walk->source->beneath->of[i / BENEATH_LOST][i % BENEATH_LOST];
	fill_by_totals(walk);
	if (looks == 0 &&
		pieces_border(pieces, walk->lane, walk->from_ns, walk->until_ns, &border_ns, &is_before)) {
		uint8_t other = first == within ? second : first;
		walk->strip->cells[walk->cell] = strip_edge(is_before ? within : other,
			is_before ? other : within, border_ns - walk->from_ns, walk->until_ns - walk->from_ns);
	}
}

/* Whether nearly all of the cell is what the span is, so that it has room for the name. */
static bool
is_full(const struct strip_cell *cell, const struct span *span)
{
	return cell->shape == STRIP_BAR && cell->level == STRIP_LEVELS && cell->look == span->time_class &&
	       cell->marks == 0;
}

static void
fill_by_span(struct walk *walk)
{
	struct strip *strip = walk->strip;
	struct strip_cell *cell = &strip->cells[walk->cell];
	uint32_t looks = looks_of(walk, walk->span.time_class);
	uint8_t look = take_look(&looks);
	assert(strip->stretches != NULL);
	struct strip_stretch *last =
		strip->stretch_count == 0 ? NULL : &strip->stretches[strip->stretch_count - 1];
	int64_t lost = lost_ns(walk);
	bool has_lost = lost <= walk->from_ns;
	if (looks != 0)
		fill_by_looks(walk, looks | LOOK_BIT(look));
	else
		fill_by_totals(walk);
	cell->is_alternate = cell->second_is_alternate = is_alternate(walk, &walk->span);
	if (looks != 0 && !is_full(cell, &walk->span))
		return;
	if (has_lost)
		*cell = lost_cell;
	else if (lost < walk->until_ns)
		*cell = strip_edge(CLASS_SYSCALL, CLASS_GONE, lost - walk->from_ns, walk->until_ns - walk->from_ns);
	if (last != NULL && last->first + last->cells == walk->cell &&
		last->span.ordinal == walk->span.ordinal && last->has_lost_processor == has_lost &&
		last->look == look) {
		last->cells++;
		return;
	}
	strip->stretches[strip->stretch_count++] = (struct strip_stretch){
		.first = walk->cell, .cells = 1, .span = walk->span, .has_lost_processor = has_lost, .look = look
	};
}

/* NULL stands for a gap. */
static void
fill_by_edge(
	struct walk *walk, const struct span *left, const struct span *right, int64_t border_ns)
{
	struct strip_cell *cell = &walk->strip->cells[walk->cell];
	uint32_t left_looks = left != NULL ? looks_of(walk, left->time_class) : LOOK_BIT(CLASS_GONE);
	uint32_t right_looks = right != NULL ? looks_of(walk, right->time_class) : LOOK_BIT(CLASS_GONE);
	uint8_t left_look = take_look(&left_looks), right_look = take_look(&right_looks);
	bool is_one_bar = left_look == LOOK_WAITS && right_look == LOOK_WAITS;
	if ((left_looks | right_looks) != 0 || is_one_bar) {
		fill_by_totals(walk);
		return;
	}
	*cell = strip_edge(left_look, right_look, border_ns - walk->from_ns, walk->until_ns - walk->from_ns);
	cell->is_alternate = left != NULL && is_alternate(walk, left);
	cell->second_is_alternate = right != NULL && is_alternate(walk, right);
}

/* The span after walk->span that takes any time; false where there is none. */
static bool
span_after(const struct walk *walk, struct span *next)
{
	struct span span = walk->span;
	for (;;) {
		struct span after;
		if (!lane_after(walk->source->trace, walk->lane, &span, &after))
			return false;
		if (after.end_ns > after.start_ns) {
			*next = after;
			return true;
		}
		if (after.start_ns >= walk->until_ns)
			return false;
		span = after;
	}
}

/* The span began before the cell or with it and ends within. */
static void
fill_from_span(struct walk *walk)
{
	struct span next;
	bool has_next = span_after(walk, &next), has_lost = lost_ns(walk) <= walk->from_ns;
	if (!has_next || next.start_ns >= walk->until_ns) {
		fill_by_edge(walk, &walk->span, NULL, walk->span.end_ns);
		if (has_lost)
			walk->strip->cells[walk->cell] = lost_cell;
	} else if (next.start_ns == walk->span.end_ns && next.end_ns >= walk->until_ns) {
		fill_by_edge(walk, has_lost ? NULL : &walk->span, &next, next.start_ns);
	} else {
		fill_by_totals(walk);
	}
	if (has_next)
		walk->span = next;
}

static void
fill_cell(struct walk *walk)
{
	const struct span *span = &walk->span;
	if (!walk->has_span || span->start_ns >= walk->until_ns) {
		fill_by_totals(walk);
		return;
	}
	if (span->start_ns > walk->from_ns) {
		if (span->end_ns >= walk->until_ns)
			fill_by_edge(walk, NULL, span, span->start_ns);
		else
			fill_by_totals(walk);
		return;
	}
	if (span->end_ns >= walk->until_ns)
		fill_by_span(walk);
	else
		fill_from_span(walk);
}

/*
 * Whether there is no use in looking for spans: the cell's time is of three kinds or
 * more, a gap being one, so that it holds three spans at least.
 */
static bool
is_manifold(const struct walk *walk)
{
	const int64_t *totals_ns = walk->strip->classes_ns[walk->cell];
	int64_t gap_ns = walk->until_ns - walk->from_ns;
	int kinds = 0;
	if (is_sums_only(walk->lane))
		return true;
	for (int i = CLASS_GONE + 1; i < CLASS_COUNT; i++) {
		kinds += totals_ns[i] != 0;
		gap_ns -= totals_ns[i];
	}
	return kinds + (gap_ns != 0) > 2;
}

/*
 * Goes on to the first span that ends after the cell's start. What is open at the very
 * end of the trace holds there as well, but takes no time of a cell that begins there.
 */
static void
find_span(struct walk *walk)
{
	if (!walk->has_span || walk->span.end_ns > walk->from_ns)
		return;
	const struct trace *trace = walk->source->trace;
	walk->has_span =
		(lane_span_at(trace, walk->lane, walk->from_ns, &walk->span) ||
			lane_next(trace, walk->lane, walk->from_ns, CLASS_MASK_ALL, &walk->span)) &&
		walk->span.end_ns > walk->from_ns;
}

/* ---- the whole */

static void
mark_matches(struct strip *strip)
{
	for (int i = 0; i < strip->width; i++)
		if (strip->matches[i])
			strip->cells[i].marks |= STRIP_MARK_MATCH;
}

/* Whether nothing is told of a cell but that there is the actor. */
static bool
is_untold(const struct strip *strip, const struct words *words, int cell)
{
	for (int i = CLASS_UNKNOWN + 1; i < LOOK_COUNT; i++)
		if (strip->totals_ns[cell][i] > 0)
			return false;
	return strip->totals_ns[cell][CLASS_UNKNOWN] > 0 || words->classes[CLASS_RUNNING].name == NULL;
}

/* Where there are many they would be all that one sees of the lane, unless there is nothing else. */
static void
mark_samples(struct strip *strip, const struct strip_source *source, struct lane lane, const struct samples *samples)
{
	int64_t t1_ns = source->viewport.t1_ns;
	uint32_t count = samples_count(samples, lane, source->viewport.t0_ns, t1_ns);
	bool is_crowded = count > (uint32_t)strip->width / STRIP_SAMPLE_CELLS;
	for (int cell = 0; cell < strip->width; cell++) {
		int64_t t0_ns = lane_edge(source->viewport.t0_ns, t1_ns, strip->width, cell);
		uint32_t sample = samples_next(samples, lane, t0_ns);
		int64_t t_ns = sample != REF_NONE ? samples_time_ns(samples, sample) : t1_ns;
		if (t_ns >= t1_ns)
			return;
		cell = viewport_cell(source->viewport, strip->width, t_ns);
		if (!is_crowded || is_untold(strip, source->trace->words, cell))
			strip->cells[cell].marks |= STRIP_MARK_SAMPLE;
	}
}

void
strip_fill(struct strip *strip, const struct strip_source *source, struct lane lane)
{
	int64_t t0_ns = source->viewport.t0_ns, t1_ns = source->viewport.t1_ns;
	struct walk walk = { .strip = strip, .source = source, .lane = lane };
	walk.has_span = !is_sums_only(lane);
	walk.span.end_ns = INT64_MIN; /* none yet */
	walk.asked = UINT32_MAX;
	walk.until_ns = t0_ns;
	strip->lane = lane;
	strip->stretch_count = 0;

	lane_cells(source->trace, lane, t0_ns, t1_ns, strip->width, strip->classes_ns);
	find_parts(&walk);
	if (source->search != NULL)
		search_cells(source->search, lane, t0_ns, t1_ns, strip->width, strip->matches);
	for (walk.cell = 0; walk.cell < strip->width; walk.cell++) {
		walk.from_ns = walk.until_ns;
		walk.until_ns = lane_edge(t0_ns, t1_ns, strip->width, walk.cell + 1);
		find_totals(&walk);
		if (is_manifold(&walk)) {
			fill_by_totals(&walk);
		} else {
			find_span(&walk);
			fill_cell(&walk);
		}
	}
	if (source->moments != NULL)
		moments_mark(source->moments, lane, source->viewport, strip->cells, strip->width);
	if (source->search != NULL)
		mark_matches(strip);
	if (source->samples != NULL)
		mark_samples(strip, source, lane, source->samples);
	if (source->beneath != NULL)
		mark_samples(strip, source, lane, &source->beneath->samples);
}

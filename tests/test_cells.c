/*
 * The picture against the naive model: random lanes in random viewports, from the whole
 * trace to single nanoseconds, cell by cell. What a cell must show is worked out here
 * once more, from the rule in draw/strip.h and the spans that a scan of the ordered
 * events gives. Charts and rows of moments are checked by their glyphs.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "analysis/go/assists.h"
#include "base_testing.h"
#include "draw/counter.h"
#include "draw/lane_strip.h"
#include "draw/moment_row.h"
#include "gotrace_testing.h"
#include "pair.h"
#include "query/search.h"
#include "trace/words.h"

enum { SIMULATED = 16, VIEWPORTS = 3, LANES = 2, MOST_CELLS = 300 };

/* A lane in a viewport, and all that a scan says of it. */
struct picture {
	struct pair *pair;
	struct moments moments;
	struct samples samples;
	struct pieces assists;
	struct search *search;
	bool *found; /* by state of the naive model */
	char needle[32];
	struct strip strip;
	struct viewport viewport;
	int cells;
	int64_t edges_ns[MOST_CELLS + 1];
	struct lane lane;
	struct naive_spans states, logs, stops, sampled;
	struct naive_spans spans; /* the states, where what was run in mark assists is the collector's */
	int64_t totals_ns[MOST_CELLS][CLASS_COUNT];
	uint8_t marks[MOST_CELLS]; /* of logs, stops, samples and matches */
};

#define CELL_FORMAT "%s: %s, %d cells of [%" PRId64 ", %" PRId64 "), cell %d: "
#define CELL(picture, cell)                                                                        \
	(picture)->pair->name, pair_lane_name((picture)->pair, (picture)->lane), (picture)->cells, \
		(picture)->viewport.t0_ns, (picture)->viewport.t1_ns, (cell)

/* ---- what a scan says */

/* The first cell that ends after t. */
static int
cell_from(const struct picture *picture, int64_t t_ns)
{
	int low = 0, high = picture->cells;
	while (low < high) {
		int middle = low + (high - low) / 2;
		if (picture->edges_ns[middle + 1] > t_ns)
			high = middle;
		else
			low = middle + 1;
	}
	return low;
}

static void
scan_totals(struct picture *picture)
{
	memset(picture->totals_ns, 0, sizeof picture->totals_ns);
	for (size_t i = 0; i < picture->spans.count; i++) {
		const struct naive_span *span = &picture->spans.items[i];
		for (int c = cell_from(picture, span->start_ns);
			c < picture->cells && picture->edges_ns[c] < span->end_ns; c++)
			picture->totals_ns[c][span->time_class] +=
				naive_part_ns(span, picture->edges_ns[c], picture->edges_ns[c + 1]);
	}
}

static void
scan_marks(struct picture *picture, const struct naive_spans *spans, uint8_t mark)
{
	for (size_t i = 0; i < spans->count; i++) {
		const struct naive_span *span = &spans->items[i];
		if (mark == STRIP_MARK_MATCH &&
			(span->state == SIZE_MAX || !picture->found[span->state]))
			continue;
		for (int c = cell_from(picture, span->start_ns);
			c < picture->cells && picture->edges_ns[c] <= span->end_ns; c++)
			if (naive_overlaps(span, picture->edges_ns[c], picture->edges_ns[c + 1]))
				picture->marks[c] |= mark;
	}
}

static void
scan_moments(struct picture *picture)
{
	if (picture->lane.type != LANE_ACTOR && picture->lane.type != LANE_GROUP)
		return;
	bool *members = pair_members(picture->pair, picture->lane);
	naive_spans_clear(&picture->logs);
	naive_spans_clear(&picture->stops);
	naive_add_logs(&picture->pair->naive, members, &picture->logs);
	naive_add_stops(&picture->pair->naive, members, &picture->stops);
	scan_marks(picture, &picture->logs, STRIP_MARK_LOG);
	scan_marks(picture, &picture->stops, STRIP_MARK_STW);
	memory_free(members);
}

/* None where there are more than one for every four cells. */
static void
scan_samples(struct picture *picture)
{
	enum lane_type type = picture->lane.type;
	size_t count = 0;
	if ((type != LANE_ACTOR && type != LANE_PROCESSOR && type != LANE_THREAD &&
		    type != LANE_ALL) ||
		(type == LANE_ACTOR && picture->pair->goroutines[picture->lane.ref] == SIZE_MAX))
		return;
	pair_samples(picture->pair, picture->lane, &picture->sampled);
	for (size_t i = 0; i < picture->sampled.count; i++) {
		int64_t t_ns = picture->sampled.items[i].start_ns;
		count += picture->viewport.t0_ns <= t_ns && t_ns < picture->viewport.t1_ns;
	}
	if (count <= (size_t)picture->cells / 4)
		scan_marks(picture, &picture->sampled, STRIP_MARK_SAMPLE);
}

static bool
is_assist(const struct picture *picture, const struct naive_span *span)
{
	return span->time_class == CLASS_WORKER && span->state != SIZE_MAX &&
	       picture->pair->naive.states[span->state].time_class == CLASS_RUNNING;
}

static bool
is_in_assist(const struct naive *naive, size_t goroutine, int64_t t_ns)
{
	for (size_t i = 0; i < naive->range_count; i++) {
		const struct naive_range *range = &naive->ranges[i];
		if (range->type == RANGE_MARK_ASSIST && range->goroutine == goroutine &&
			range->start_ns <= t_ns && t_ns < range->end_ns)
			return true;
	}
	return false;
}

/* The next moment behind t at which an assist of the goroutine begins or ends, or `end_ns`. */
static int64_t
next_assist(const struct naive *naive, size_t goroutine, int64_t t_ns, int64_t end_ns)
{
	for (size_t i = 0; i < naive->range_count; i++) {
		const struct naive_range *range = &naive->ranges[i];
		if (range->type != RANGE_MARK_ASSIST || range->goroutine != goroutine)
			continue;
		if (range->start_ns > t_ns && range->start_ns < end_ns)
			end_ns = range->start_ns;
		if (range->end_ns > t_ns && range->end_ns < end_ns)
			end_ns = range->end_ns;
	}
	return end_ns;
}

/* Cuts what goroutines ran where their assists begin and end. */
static void
scan_assists(struct picture *picture)
{
	const struct naive *naive = &picture->pair->naive;
	bool has_assists = picture->lane.type == LANE_ACTOR || picture->lane.type == LANE_GROUP;
	struct error err = { 0 };
	naive_spans_clear(&picture->spans);
	for (size_t i = 0; i < picture->states.count; i++) {
		struct naive_span span = picture->states.items[i];
		int64_t end_ns = span.end_ns;
		bool is_cut = has_assists && span.time_class == CLASS_RUNNING;
		size_t goroutine = is_cut ? naive->states[span.state].goroutine : SIZE_MAX;
		do {
			struct naive_spans *spans = &picture->spans;
			bool is_in = is_cut && is_in_assist(naive, goroutine, span.start_ns);
			span.end_ns = end_ns;
			if (is_cut)
				span.end_ns = next_assist(naive, goroutine, span.start_ns, end_ns);
			while (is_cut && span.end_ns < end_ns &&
				is_in_assist(naive, goroutine, span.end_ns) == is_in)
				span.end_ns = next_assist(naive, goroutine, span.end_ns, end_ns);
			if (is_cut)
				span.time_class = is_in ? CLASS_WORKER : CLASS_RUNNING;
			if (!array_reserve(&spans->items, &spans->capacity, spans->count + 1,
				    sizeof *spans->items, &err))
				fail_msg("%s", err.message);
			spans->items[spans->count++] = span;
			span.start_ns = span.end_ns;
		} while (span.start_ns < end_ns);
	}
}

static void
scan(struct picture *picture)
{
	pair_spans(picture->pair, picture->lane, &picture->states);
	scan_assists(picture);
	memset(picture->marks, 0, sizeof picture->marks);
	scan_totals(picture);
	scan_moments(picture);
	scan_samples(picture);
	if (picture->search != NULL)
		scan_marks(picture, &picture->states, STRIP_MARK_MATCH);
}

/* ---- the rule of a cell */

static bool
is_solid(uint8_t time_class)
{
	return time_class == CLASS_RUNNING || time_class == CLASS_WORKER ||
	       time_class == CLASS_READY || time_class == CLASS_SYSCALL;
}

static bool
is_blocked(uint8_t time_class)
{
	return time_class >= CLASS_CHANNEL && time_class < CLASS_COUNT;
}

/* The solid or not solid class with most time, another one than `but`. */
static uint8_t
most_of(const int64_t totals_ns[CLASS_COUNT], bool solid, uint8_t but)
{
	uint8_t most = CLASS_GONE;
	for (uint8_t i = 1; i < CLASS_COUNT; i++)
		if (is_solid(i) == solid && i != but && totals_ns[i] > 0 &&
			(most == CLASS_GONE || totals_ns[i] > totals_ns[most]))
			most = i;
	return most;
}

/* part / whole of so many levels, to the nearest. */
static int
nearest(int64_t part_ns, int64_t whole_ns, int levels)
{
	int level = 0;
	while (2 * part_ns * levels >= (2 * level + 1) * whole_ns)
		level++;
	return level;
}

static struct strip_cell
cell_by_totals(const int64_t totals_ns[CLASS_COUNT], int64_t whole_ns)
{
	struct strip_cell cell = { .look = most_of(totals_ns, true, CLASS_GONE) };
	if (cell.look == CLASS_GONE) {
		cell.look = most_of(totals_ns, false, CLASS_GONE);
		cell.shape = cell.look == CLASS_GONE ? STRIP_NONE : STRIP_LINE;
		return cell;
	}
	int64_t first_ns = totals_ns[cell.look];
	int level = nearest(first_ns, whole_ns, STRIP_LEVELS);
	uint8_t second = most_of(totals_ns, true, cell.look);
	cell.shape = STRIP_BAR;
	cell.level = (uint8_t)(level < 1 ? 1 : level);
	if (second != CLASS_GONE && 2 * totals_ns[second] >= whole_ns - first_ns &&
		14 * totals_ns[second] >= whole_ns)
		cell.second = second;
	return cell;
}

static struct strip_cell
cell_by_border(uint8_t left, uint8_t right, int64_t left_ns, int64_t whole_ns)
{
	int level = nearest(left_ns, whole_ns, STRIP_EIGHTHS);
	level = level < 1 ? 1 : level;
	level = level > STRIP_EIGHTHS - 1 ? STRIP_EIGHTHS - 1 : level;
	return (struct strip_cell){
		.shape = STRIP_EDGE,
		.look = left,
		.second = right,
		.level = (uint8_t)level,
	};
}

/* What overlaps a cell for any time: how many spans, the first and the last of them. */
struct within {
	size_t count;
	const struct naive_span *first, *last;
};

static struct within
spans_within(const struct picture *picture, int cell)
{
	struct within within = { 0 };
	for (size_t i = 0; i < picture->spans.count; i++) {
		const struct naive_span *span = &picture->spans.items[i];
		if (span->start_ns >= picture->edges_ns[cell + 1])
			break;
		if (naive_part_ns(span, picture->edges_ns[cell], picture->edges_ns[cell + 1]) <= 0)
			continue;
		if (within.count++ == 0)
			within.first = span;
		within.last = span;
	}
	return within;
}

/* Neighbours on procs and threads take turns. */
static bool
is_alternate(const struct picture *picture, const struct naive_span *span)
{
	bool has_shades = picture->lane.type == LANE_PROCESSOR || picture->lane.type == LANE_THREAD;
	return has_shades && span != NULL && span->time_class == CLASS_RUNNING &&
	       (span - picture->spans.items) % 2 == 1;
}

/* One border in the cell: between two spans that fill it, or between one and nothing. */
static bool
has_one_border(const struct picture *picture, int cell, const struct within *within,
	const struct naive_span **left, const struct naive_span **right)
{
	if (within->count == 0 || within->count > 2)
		return false;
	bool is_from_start = within->first->start_ns <= picture->edges_ns[cell];
	bool is_to_end = within->last->end_ns >= picture->edges_ns[cell + 1];
	if (within->count == 2) {
		*left = within->first;
		*right = within->last;
		return is_from_start && is_to_end &&
		       within->first->end_ns == within->last->start_ns;
	}
	*left = is_from_start ? within->first : NULL;
	*right = is_to_end ? within->first : NULL;
	return is_from_start != is_to_end;
}

/* When a syscall on a thread lost its proc, INT64_MAX for never. */
static int64_t
lost_ns(const struct picture *picture, const struct naive_span *span)
{
	if (picture->lane.type != LANE_THREAD || span == NULL || span->time_class != CLASS_SYSCALL)
		return INT64_MAX;
	const struct naive_state *state = &picture->pair->naive.states[span->state];
	if (state->proc == GO_ID_NONE || state->proc_end_ns >= state->end_ns)
		return INT64_MAX;
	return state->proc_end_ns;
}

/* The cells that a syscall ends in or fills tell where it lost its proc. */
static struct strip_cell
lane_cell_of_loss(const struct picture *picture, int cell, const struct naive_span *left,
	const struct naive_span *right, struct strip_cell wanted)
{
	static const struct strip_cell line = { .shape = STRIP_LINE, .look = CLASS_SYSCALL };
	int64_t from_ns = picture->edges_ns[cell], until_ns = picture->edges_ns[cell + 1];
	int64_t lost = lost_ns(picture, left);
	if (lost > from_ns)
		return left == right && lost < until_ns
			       ? cell_by_border(CLASS_SYSCALL, CLASS_GONE, lost - from_ns,
					 until_ns - from_ns)
			       : wanted;
	if (left == right || right == NULL)
		return line;
	wanted.look = CLASS_GONE;
	return wanted;
}

static struct strip_cell
lane_cell(const struct picture *picture, int cell)
{
	int64_t from_ns = picture->edges_ns[cell];
	int64_t whole_ns = picture->edges_ns[cell + 1] - from_ns;
	struct within within = spans_within(picture, cell);
	struct strip_cell by_totals = cell_by_totals(picture->totals_ns[cell], whole_ns);
	const struct naive_span *left, *right;
	if (!has_one_border(picture, cell, &within, &left, &right)) {
		bool is_one = within.count == 1 && within.first->start_ns <= from_ns &&
			      within.first->end_ns >= picture->edges_ns[cell + 1];
		by_totals.is_alternate = is_one && is_alternate(picture, within.first);
		return is_one ? lane_cell_of_loss(
					picture, cell, within.first, within.first, by_totals)
			      : by_totals;
	}
	uint8_t left_class = left == NULL ? CLASS_GONE : (uint8_t)left->time_class;
	uint8_t right_class = right == NULL ? CLASS_GONE : (uint8_t)right->time_class;
	if (!is_solid(left_class) && !is_solid(right_class))
		return by_totals;
	int64_t border_ns = left != NULL ? left->end_ns : right->start_ns;
	struct strip_cell edge =
		cell_by_border(left_class, right_class, border_ns - from_ns, whole_ns);
	edge.is_alternate = is_alternate(picture, left);
	edge.second_is_alternate = is_alternate(picture, right);
	return lane_cell_of_loss(picture, cell, left, right, edge);
}

static bool
has_many(const struct picture *picture)
{
	return picture->lane.type == LANE_GROUP || picture->lane.type == LANE_ALL;
}

/* The time of the cell, or of those who lived in it. */
static int64_t
whole_of(const struct picture *picture, int cell)
{
	int64_t whole_ns = picture->edges_ns[cell + 1] - picture->edges_ns[cell], lived_ns = 0;
	for (int i = 1; i < CLASS_COUNT; i++)
		lived_ns += picture->totals_ns[cell][i];
	return has_many(picture) && lived_ns > whole_ns ? lived_ns : whole_ns;
}

/* Classes that matter and that the shape does not show. */
static bool
does_hide(const struct strip_cell *cell, uint8_t time_class)
{
	if (cell->shape != STRIP_BAR)
		return false;
	if (time_class == CLASS_READY)
		return cell->look != CLASS_READY && cell->second != CLASS_READY;
	return is_blocked(time_class) && cell->second != CLASS_GONE;
}

static bool
deserves_mark(const struct picture *picture, int cell, const struct strip_cell *shown)
{
	int64_t whole_ns = whole_of(picture, cell);
	if (picture->lane.type == LANE_GROUP) {
		for (uint8_t i = 1; i < CLASS_COUNT; i++)
			if (does_hide(shown, i) &&
				picture->totals_ns[cell][i] * STRIP_HIDDEN_PART >= whole_ns)
				return true;
		return false;
	}
	for (size_t i = 0; picture->lane.type == LANE_ACTOR && i < picture->spans.count; i++) {
		const struct naive_span *span = &picture->spans.items[i];
		int64_t part_ns =
			naive_part_ns(span, picture->edges_ns[cell], picture->edges_ns[cell + 1]);
		if (does_hide(shown, (uint8_t)span->time_class) &&
			part_ns * STRIP_HIDDEN_PART >= whole_ns)
			return true;
	}
	return false;
}

static struct strip_cell
wanted_cell(const struct picture *picture, int cell)
{
	struct strip_cell wanted = has_many(picture) ? cell_by_totals(picture->totals_ns[cell],
							       whole_of(picture, cell))
						     : lane_cell(picture, cell);
	wanted.marks = picture->marks[cell];
	int64_t assists_ns = 0;
	for (size_t i = 0; i < picture->spans.count; i++) {
		int64_t part_ns = naive_part_ns(&picture->spans.items[i], picture->edges_ns[cell],
			picture->edges_ns[cell + 1]);
		if (is_assist(picture, &picture->spans.items[i]) && part_ns > 0)
			assists_ns += part_ns;
	}
	if (assists_ns > 0 && wanted.shape != STRIP_EDGE && wanted.look != CLASS_WORKER)
		wanted.marks |= assists_ns * STRIP_HIDDEN_PART >= whole_of(picture, cell)
					? STRIP_MARK_ASSIST
					: STRIP_MARK_LITTLE_ASSIST;
	if (deserves_mark(picture, cell, &wanted))
		wanted.marks |= STRIP_MARK_HIDDEN;
	return wanted;
}

/* ---- strips */

static void
describe(char *out, size_t size, const struct strip_cell *cell)
{
	static const char *const shapes[] = { "none", "line", "bar", "edge" };
	snprintf(out, size, "%s %s%s over %s%s, level %u, marks %u", shapes[cell->shape],
		class_name(&words_plain, (enum time_class)cell->look), cell->is_alternate ? "'" : "",
		class_name(&words_plain, (enum time_class)cell->second), cell->second_is_alternate ? "'" : "",
		cell->level, cell->marks);
}

static void
check_cell(const struct picture *picture, int i)
{
	char got_text[120], wanted_text[120];
	struct strip_cell got = picture->strip.cells[i], wanted = wanted_cell(picture, i);
	/* Only running has two shades. */
	got.is_alternate = got.is_alternate && got.look == CLASS_RUNNING;
	got.second_is_alternate = got.second_is_alternate && got.second == CLASS_RUNNING;
	describe(got_text, sizeof got_text, &got);
	describe(wanted_text, sizeof wanted_text, &wanted);
	if (strcmp(got_text, wanted_text) != 0)
		fail_msg(CELL_FORMAT "search for %s: got %s, wanted %s", CELL(picture, i),
			picture->needle, got_text, wanted_text);
	if (memcmp(picture->strip.totals_ns[i], picture->totals_ns[i],
		    sizeof *picture->totals_ns) != 0)
		fail_msg(CELL_FORMAT "the times differ", CELL(picture, i));
}

/* The span that alone fills a cell, NULL where there is none. */
static const struct naive_span *
filler_of(const struct picture *picture, int cell)
{
	for (size_t i = 0; !has_many(picture) && i < picture->spans.count; i++)
		if (picture->spans.items[i].start_ns <= picture->edges_ns[cell] &&
			picture->spans.items[i].end_ns >= picture->edges_ns[cell + 1])
			return &picture->spans.items[i];
	return NULL;
}

static bool
has_lost_processor(const struct picture *picture, const struct naive_span *filler, int cell)
{
	return lost_ns(picture, filler) <= picture->edges_ns[cell];
}

/*
 * The names stand where one span fills cells, over all of these, and once more from where it
 * has lost its proc.
 */
static void
check_stretches(const struct picture *picture)
{
	int at = 0;
	for (int c = 0; c < picture->cells;) {
		const struct naive_span *filler = filler_of(picture, c);
		int end = c + 1;
		bool has_lost = has_lost_processor(picture, filler, c);
		while (filler != NULL && end < picture->cells &&
			filler_of(picture, end) == filler &&
			has_lost_processor(picture, filler, end) == has_lost)
			end++;
		if (filler != NULL) {
			const struct strip_stretch *got = &picture->strip.stretches[at];
			if (at >= picture->strip.stretch_count || got->first != c ||
				got->cells != end - c || got->has_lost_processor != has_lost ||
				(got->look == CLASS_WORKER && got->span.time_class != CLASS_WORKER) !=
					is_assist(picture, filler) ||
				got->span.start_ns > filler->start_ns ||
				got->span.end_ns < filler->end_ns)
				fail_msg(CELL_FORMAT "no stretch of %d cells", CELL(picture, c),
					end - c);
			at++;
		}
		c = end;
	}
	if (at != picture->strip.stretch_count)
		fail_msg(CELL_FORMAT "%d stretches, wanted %d", CELL(picture, 0),
			picture->strip.stretch_count, at);
}

static void
check_strip(struct picture *picture)
{
	struct strip_source source = { .trace = picture->pair->trace,
		.moments = &picture->moments,
		.samples = &picture->samples,
		.assists = &picture->assists,
		.search = picture->search,
		.viewport = picture->viewport };
	scan(picture);
	strip_fill(&picture->strip, &source, picture->lane);
	for (int i = 0; i < picture->cells; i++)
		check_cell(picture, i);
	check_stretches(picture);
}

static void
look_elsewhere(struct picture *picture)
{
	struct error err = { 0 };
	picture->cells = 1 + (int)random_below(&picture->pair->random, MOST_CELLS);
	picture->viewport = pair_viewport(picture->pair, picture->cells);
	int64_t width_ns = picture->viewport.t1_ns - picture->viewport.t0_ns;
	for (int i = 0; i <= picture->cells; i++)
		picture->edges_ns[i] = picture->viewport.t0_ns + width_ns * i / picture->cells;
	if (!strip_reserve(&picture->strip, picture->cells, &err))
		fail_msg("%s", err.message);
}

static void
check_strips(struct picture *picture)
{
	for (int type = 0; type < LANE_TYPE_COUNT; type++) {
		bool is_single = type == LANE_ALL || type == LANE_GC || type == LANE_STW;
		for (int i = 0; i < (is_single ? 1 : LANES); i++)
			if (pair_lane(picture->pair, (enum lane_type)type, &picture->lane))
				check_strip(picture);
	}
}

/* ---- something to search for */

static bool
contains(const void *context, const char *bytes, size_t length)
{
	const char *needle = context;
	size_t wanted = strlen(needle);
	for (size_t i = 0; i + wanted <= length; i++)
		if (memcmp(bytes + i, needle, wanted) == 0)
			return true;
	return false;
}

/* A piece of ASCII with a capital in it, so that case matters, from one of the trace's texts. */
static bool
pick_needle(const struct naive *naive, uint64_t *random, char *needle, size_t size)
{
	size_t length, count = 2 + random_below(random, size - 3);
	string_id id = (string_id)random_below(random, intern_count(&naive->strings));
	const char *text = naive_text(naive, id, &length);
	size_t at = length == 0 ? 0 : random_below(random, length), end = at;
	bool has_capital = false;
	while (end < length && end - at < count && text[end] > ' ' && text[end] < 0x7f) {
		has_capital = has_capital || (text[end] >= 'A' && text[end] <= 'Z');
		end++;
	}
	memcpy(needle, text + at, end - at);
	needle[end - at] = '\0';
	return has_capital;
}

static void
search_something(struct picture *picture)
{
	enum { TRIES = 200 };
	struct error note = { 0 };
	char pattern[sizeof picture->needle + 1];
	bool has_needle = false;
	for (int i = 0; !has_needle && i < TRIES; i++)
		has_needle = pick_needle(&picture->pair->naive, &picture->pair->random,
			picture->needle, sizeof picture->needle);
	if (!has_needle)
		return;
	snprintf(pattern, sizeof pattern, "'%s", picture->needle);
	picture->search = search_new(picture->pair->trace, pattern, &note);
	if (picture->search == NULL)
		fail_msg("%s: %s", picture->pair->name, note.message);
	picture->found = naive_search(&picture->pair->naive, contains, picture->needle);
	uint64_t wanted = 0;
	for (size_t i = 0; i < picture->pair->naive.state_count; i++)
		wanted += picture->found[i];
	if (search_count(picture->search) != wanted)
		fail_msg("%s: %" PRIu64 " matches of %s, wanted %" PRIu64, picture->pair->name,
			search_count(picture->search), picture->needle, wanted);
}

/* ---- charts and moments, by their glyphs */

static void
check_glyph(const struct picture *picture, struct canvas *canvas, const char *what, int cell,
	const char *wanted)
{
	const struct cell *got = canvas_at(canvas, cell, 0);
	if (strcmp(got->text, wanted) != 0)
		fail_msg(CELL_FORMAT "%s: got \"%s\", wanted \"%s\"", CELL(picture, cell), what,
			got->text, wanted);
}

static const char *
count_glyph(uint32_t count)
{
	static const char *const glyphs[] = { "", "│", "2", "3", "4", "5", "6", "7", "8", "9" };
	return count < ARRAY_LENGTH(glyphs) ? glyphs[count] : "+";
}

static const char *
level_glyph(int level)
{
	static const char *const glyphs[] = { "", "▁", "▂", "▃", "▄", "▅", "▆", "▇" };
	return glyphs[level];
}

static void
check_wakes(struct picture *picture, struct canvas *canvas)
{
	for (int row = 0; row < WAKE_ROW_COUNT; row++) {
		canvas_clear(canvas);
		moment_row_draw_wakes(canvas, (struct cell_run){ 0, 0, picture->cells },
			picture->pair->trace, picture->viewport, (enum wake_row)row);
		for (int i = 0; i < picture->cells; i++) {
			uint32_t count = naive_wakes(&picture->pair->naive, (enum wake_row)row,
				picture->edges_ns[i], picture->edges_ns[i + 1]);
			check_glyph(picture, canvas, "wakes", i, count_glyph(count));
		}
	}
}

/* Counts where all of them are digits, else bars as high as their share of the greatest. */
static void
check_sample_row(struct picture *picture, struct canvas *canvas)
{
	size_t counts[MOST_CELLS] = { 0 }, most = 0;
	pair_samples(picture->pair, (struct lane){ LANE_ALL, 0 }, &picture->sampled);
	for (size_t i = 0; i < picture->sampled.count; i++) {
		int64_t t_ns = picture->sampled.items[i].start_ns;
		for (int c = 0; c < picture->cells; c++)
			counts[c] += picture->edges_ns[c] <= t_ns && t_ns < picture->edges_ns[c + 1];
	}
	for (int c = 0; c < picture->cells; c++)
		most = counts[c] > most ? counts[c] : most;
	canvas_clear(canvas);
	moment_row_draw_samples(canvas, (struct cell_run){ 0, 0, picture->cells },
		&picture->samples, picture->viewport);
	for (int c = 0; c < picture->cells; c++) {
		int level = 0;
		while ((size_t)level * most < counts[c] * STRIP_LEVELS)
			level++;
		check_glyph(picture, canvas, "samples", c,
			most > 9 ? level_glyph(level) : count_glyph((uint32_t)counts[c]));
	}
}

/* Where ranges take less than half of a cell their number stands there. */
static void
check_range_counts(struct picture *picture, struct canvas *canvas, enum lane_type type)
{
	struct text scratch = { 0 };
	struct strip_source source = { .trace = picture->pair->trace,
		.viewport = picture->viewport };
	picture->lane = (struct lane){ type, 0 };
	scan(picture);
	canvas_clear(canvas);
	strip_fill(&picture->strip, &source, picture->lane);
	moment_row_draw_ranges(canvas, 0, 0, &picture->strip, &source, &scratch);
	for (int i = 0; i < picture->cells; i++) {
		struct strip_cell cell = lane_cell(picture, i);
		uint32_t count = 0;
		for (size_t s = 0; s < picture->spans.count; s++)
			count += naive_part_ns(&picture->spans.items[s], picture->edges_ns[i],
					 picture->edges_ns[i + 1]) > 0;
		if (cell.shape == STRIP_BAR && cell.level <= STRIP_LEVELS / 2)
			check_glyph(picture, canvas, "ranges", i, count_glyph(count));
	}
	text_release(&scratch);
}

static uint64_t
greatest(const struct picture *picture, enum counter_type type, int64_t t0_ns, int64_t t1_ns)
{
	uint64_t least = 0, most = 0;
	naive_counter(&picture->pair->naive, type, t0_ns, t1_ns, &least, &most);
	return most;
}

/* The nearest of seven levels, but some where there is anything. */
static int
heap_level(uint64_t value, uint64_t most)
{
	if (value == 0)
		return 0;
	int level = nearest((int64_t)value, (int64_t)most, STRIP_LEVELS);
	return level < 1 ? 1 : level;
}

static void
check_heap(struct picture *picture, struct canvas *canvas)
{
	static const char *const goals[] = { "", "▁", "▁", "▁", "─", "─", "─", "▔" };
	struct viewport viewport = picture->viewport;
	uint64_t alloc = greatest(picture, COUNTER_HEAP_ALLOC, viewport.t0_ns, viewport.t1_ns);
	uint64_t goal = greatest(picture, COUNTER_HEAP_GOAL, viewport.t0_ns, viewport.t1_ns);
	uint64_t most = alloc > goal ? alloc : goal;
	if (most > INT64_MAX / 16)
		return; /* a chart of that is in doubles, a check of it here would be too */
	canvas_clear(canvas);
	counter_draw_heap(canvas, (struct cell_run){ 0, 0, picture->cells }, picture->pair->trace,
		viewport, COUNTER_WHOLE);
	for (int i = 0; i < picture->cells; i++) {
		int64_t t0_ns = picture->edges_ns[i], t1_ns = picture->edges_ns[i + 1];
		int bar = heap_level(greatest(picture, COUNTER_HEAP_ALLOC, t0_ns, t1_ns), most);
		int line = heap_level(greatest(picture, COUNTER_HEAP_GOAL, t0_ns, t1_ns), most);
		check_glyph(picture, canvas, "heap", i, bar > 0 ? level_glyph(bar) : goals[line]);
	}
}

static int64_t
sum_of(const int64_t totals_ns[CLASS_COUNT], class_mask mask)
{
	int64_t sum_ns = 0;
	for (int i = 1; i < CLASS_COUNT; i++)
		sum_ns += (mask >> i & 1) != 0 ? totals_ns[i] : 0;
	return sum_ns;
}

/* The most in both sets of classes, on the average of a cell. */
static double
highest_average(const struct picture *picture, const struct counter_pair *chart)
{
	double highest = 0;
	for (int i = 0; i < picture->cells; i++) {
		int64_t sum_ns = sum_of(picture->totals_ns[i], chart->first | chart->second);
		double width_ns = (double)(picture->edges_ns[i + 1] - picture->edges_ns[i]);
		highest = (double)sum_ns / width_ns > highest ? (double)sum_ns / width_ns : highest;
	}
	return highest;
}

/* The highest bar of the chart holds so much in a cell, give or take a nanosecond for rounding. */
static int
chart_level(int64_t front_ns, int64_t highest_ns)
{
	if (front_ns == 0)
		return 0;
	if (front_ns >= highest_ns)
		return STRIP_LEVELS;
	int level = nearest(front_ns, highest_ns, STRIP_LEVELS);
	return level < 1 ? 1 : level;
}

static void
check_pair_chart(struct picture *picture, struct canvas *canvas, const struct counter_pair *chart)
{
	double highest = highest_average(picture, chart);
	canvas_clear(canvas);
	counter_draw_pair(canvas, (struct cell_run){ 0, 0, picture->cells }, picture->totals_ns,
		chart, picture->viewport);
	for (int i = 0; i < picture->cells; i++) {
		int64_t first_ns = sum_of(picture->totals_ns[i], chart->first);
		int64_t second_ns = sum_of(picture->totals_ns[i], chart->second);
		int64_t front_ns = first_ns >= second_ns ? first_ns : second_ns;
		int64_t highest_ns = (int64_t)(highest * (double)(picture->edges_ns[i + 1] -
								  picture->edges_ns[i]));
		const char *got = canvas_at(canvas, i, 0)->text;
		int least = chart_level(front_ns, highest_ns + 1);
		int most = chart_level(front_ns, highest_ns > 1 ? highest_ns - 1 : 1);
		if (strcmp(got, level_glyph(least)) < 0 || strcmp(got, level_glyph(most)) > 0)
			fail_msg(CELL_FORMAT "chart: got \"%s\", wanted \"%s\"", CELL(picture, i),
				got, level_glyph(most));
	}
}

static void
check_charts(struct picture *picture)
{
	struct canvas canvas = { 0 };
	struct error err = { 0 };
	if (!canvas_resize(&canvas, picture->cells, 1, &err))
		fail_msg("%s", err.message);
	picture->lane = (struct lane){ LANE_ALL, 0 };
	scan(picture);
	check_pair_chart(picture, &canvas, &counter_actors);
	check_pair_chart(picture, &canvas, &counter_threads);
	check_heap(picture, &canvas);
	check_wakes(picture, &canvas);
	check_sample_row(picture, &canvas);
	check_range_counts(picture, &canvas, LANE_GC);
	check_range_counts(picture, &canvas, LANE_STW);
	canvas_release(&canvas);
}

/* ---- the tests */

static void
picture_release(struct picture *picture)
{
	moments_release(&picture->moments);
	samples_release(&picture->samples);
	pieces_release(&picture->assists);
	search_free(picture->search);
	memory_free(picture->found);
	strip_release(&picture->strip);
	naive_spans_release(&picture->spans);
	naive_spans_release(&picture->states);
	naive_spans_release(&picture->logs);
	naive_spans_release(&picture->stops);
	naive_spans_release(&picture->sampled);
}

static void
check_picture(struct pair *pair, void (*check)(struct picture *picture))
{
	static struct picture picture;
	struct error err = { 0 };
	picture = (struct picture){ .pair = pair };
	if (!moments_build(&picture.moments, pair->trace, &err) ||
		!samples_build(&picture.samples, pair->trace, &err) ||
		!assists_build(&picture.assists, pair->trace, NULL, &err))
		fail_msg("%s: %s", pair->name, err.message);
	search_something(&picture);
	for (unsigned i = 0; i < VIEWPORTS * pair->rounds; i++) {
		look_elsewhere(&picture);
		check(&picture);
	}
	picture_release(&picture);
}

static void
check_lanes(struct pair *pair)
{
	check_picture(pair, check_strips);
}

static void
cells_are_what_a_scan_says(void **state)
{
	(void)state;
	pair_each(1, SIMULATED, check_lanes);
}

/* Shorter than a screen is wide: cells begin at its very end, and lie beyond. */
static void
cells_reach_beyond_a_tiny_trace(void **state)
{
	(void)state;
	pair_text("a tiny trace",
		GO22 FREQ("1") BATCH("1", "0", "100") P0 G1
		"GoStatus dt=3 g=2 m=" NONE " gstatus=1\nGoBlock dt=5 reason_string=0 stack=0\n"
		"GoStart dt=4 g=2 g_seq=1\n", check_lanes);
	pair_text("a single event", GO22 FREQ("1") BATCH("1", "0", "100") P0, check_lanes);
}

static void
check_rows(struct pair *pair)
{
	check_picture(pair, check_charts);
}

static void
charts_are_what_a_scan_says(void **state)
{
	(void)state;
	pair_each(3, SIMULATED, check_rows);
}

static void
check_snapshot(struct pair *pair)
{
	check_lanes(pair);
	check_rows(pair);
}

static void
snapshots_are_what_a_scan_of_the_events_so_far_says(void **state)
{
	(void)state;
	pair_each_snapshot(3, SIMULATED, check_snapshot);
}

/* The moment under the cursor stays in its cell, unless an end of the trace stops the move. */
static void
check_zoom(struct pair *pair, struct viewport before, int cells)
{
	int64_t end_ns = pair->trace->end_ns;
	int64_t length_ns = before.t1_ns - before.t0_ns;
	int64_t at_ns = before.t0_ns + (int64_t)random_below(&pair->random, (size_t)length_ns);
	struct viewport other = pair_viewport(pair, cells);
	struct viewport after =
		viewport_zoom(before, cells, at_ns, other.t1_ns - other.t0_ns, viewport_extent(end_ns));
	struct viewport whole = viewport_whole(viewport_extent(end_ns), cells);
	if (after.t0_ns < 0 || after.t1_ns > whole.t1_ns || after.t1_ns - after.t0_ns < cells)
		fail_msg("%s: %d cells, zoomed to [%" PRId64 ", %" PRId64 ")", pair->name, cells,
			after.t0_ns, after.t1_ns);
	bool is_stopped = after.t0_ns == 0 || after.t1_ns == whole.t1_ns;
	int cell = viewport_cell(before, cells, at_ns);
	int64_t from_ns = lane_edge(after.t0_ns, after.t1_ns, cells, cell);
	int64_t until_ns = lane_edge(after.t0_ns, after.t1_ns, cells, cell + 1);
	if (at_ns < after.t0_ns || at_ns >= after.t1_ns ||
		(!is_stopped && (at_ns < from_ns || at_ns >= until_ns)))
		fail_msg("%s: %d cells, %" PRId64
			 " moved out of its cell %d in zooming from [%" PRId64 ", %" PRId64
			 ") to [%" PRId64 ", %" PRId64 ")",
			pair->name, cells, at_ns, cell, before.t0_ns, before.t1_ns, after.t0_ns,
			after.t1_ns);
}

static void
check_zooms(struct pair *pair)
{
	enum { ZOOMS = 100 };
	for (unsigned i = 0; i < ZOOMS * pair->rounds; i++) {
		int cells = 1 + (int)random_below(&pair->random, MOST_CELLS);
		struct viewport any = pair_viewport(pair, cells);
		check_zoom(pair, viewport_clamp(any, viewport_extent(pair->trace->end_ns), cells), cells);
	}
}

static void
zooming_keeps_the_time_under_the_cursor(void **state)
{
	(void)state;
	pair_each(3, SIMULATED, check_zooms);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(cells_are_what_a_scan_says),
		cmocka_unit_test(cells_reach_beyond_a_tiny_trace),
		cmocka_unit_test(charts_are_what_a_scan_says),
		cmocka_unit_test(snapshots_are_what_a_scan_of_the_events_so_far_says),
		cmocka_unit_test(zooming_keeps_the_time_under_the_cursor),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

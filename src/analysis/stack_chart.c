/* The pieces are made in one walk over the states; a tree over them finds the longest. */
#include "analysis/stack_chart.h"

#include <assert.h>
#include <string.h>

#include "base/job.h"
#include "base/memory.h"
#include "base/sorted.h"

/* ---- frames */

static string_id
function_of(const struct trace *trace, stack_id stack)
{
	return stack_leaf(&trace->stacks, stack)->function;
}

uint32_t
stack_chart_frames(const struct trace *trace, stack_id stack)
{
	static const char outermost[] = "runtime.goexit";
	size_t length;
	if (stack == STACK_NONE)
		return 0;
	const char *root =
		trace_text(trace, stack_root(&trace->stacks, stack)->function, &length);
	bool has_it = length == sizeof outermost - 1 && memcmp(root, outermost, length) == 0;
	return stack_depth(&trace->stacks, stack) - has_it;
}

stack_id
stack_chart_outer(const struct trace *trace, stack_id stack, uint32_t frames)
{
	for (uint32_t depth = stack_chart_frames(trace, stack); depth > frames; depth--)
		stack = stack_caller(&trace->stacks, stack);
	return stack;
}

/* How many outermost frames of two stacks have the same functions. O(depth). */
static uint32_t
shared_frames(const struct trace *trace, stack_id left, stack_id right)
{
	uint32_t left_frames = stack_chart_frames(trace, left);
	uint32_t right_frames = stack_chart_frames(trace, right);
	uint32_t shared = left_frames < right_frames ? left_frames : right_frames;
	left = stack_chart_outer(trace, left, shared);
	right = stack_chart_outer(trace, right, shared);
	/* Equal nodes have equal frames all the way out. */
	for (uint32_t depth = shared; depth > 0 && left != right; depth--) {
		if (function_of(trace, left) != function_of(trace, right))
			shared = depth - 1;
		left = stack_caller(&trace->stacks, left);
		right = stack_caller(&trace->stacks, right);
	}
	return shared;
}

/* ---- making the pieces */

struct making {
	struct stack_chart *chart;
	const struct samples *samples;
	struct error *err;
	stack_id stack;      /* that the actor stands in or ran on from; STACK_NONE: unknown */
	bool is_running;
	int64_t running_ns;  /* since when */
	bool has_failed;
	/* What was counted last: most actors wait at few places, one after the other. */
	stack_id counted, left, right;
	uint32_t counted_frames, shared_frames;
};

static uint32_t
count_frames(struct making *making, stack_id stack)
{
	if (stack != making->counted)
		making->counted_frames = stack_chart_frames(making->chart->trace, stack);
	making->counted = stack;
	return making->counted_frames;
}

static uint32_t
count_shared(struct making *making, stack_id left, stack_id right)
{
	if (left != making->left || right != making->right)
		making->shared_frames = shared_frames(making->chart->trace, left, right);
	making->left = left;
	making->right = right;
	return making->shared_frames;
}

static bool
is_alike(const struct stack_start *start, const struct stack_piece *next)
{
	return start->knowledge == next->knowledge && start->frames == next->frames &&
	       start->stack == next->stack;
}

enum { MOST_FRAMES = (1 << 30) - 1 }; /* far more than any stack has */

/* What took no time gives way, what goes on as before is no new piece. */
static void
add_piece(struct making *making, struct stack_piece piece)
{
	struct stack_chart *chart = making->chart;
	while (chart->count > 0 && chart->starts[chart->count - 1].start_ns >= piece.start_ns)
		chart->count--;
	if (chart->count > 0 && is_alike(&chart->starts[chart->count - 1], &piece))
		return;
	if (making->has_failed || !array_reserve(&chart->starts, &chart->capacity, chart->count + 1,
					  sizeof *chart->starts, making->err)) {
		making->has_failed = true;
		return;
	}
	chart->starts[chart->count++] = (struct stack_start){
		.start_ns = piece.start_ns,
		.stack = piece.stack,
		.frames = piece.frames & MOST_FRAMES,
		.knowledge = piece.knowledge & 3u,
	};
}

static void
add_known(struct making *making, int64_t start_ns, stack_id stack)
{
	struct stack_piece piece = { .start_ns = start_ns, .stack = stack };
	if (stack != STACK_NONE) {
		piece.knowledge = STACK_IS_KNOWN;
		piece.frames = count_frames(making, stack);
	}
	if (piece.frames > making->chart->depth)
		making->chart->depth = piece.frames;
	add_piece(making, piece);
}

/* From one known stack to the next, nothing being known from start_ns on. */
static void
add_between(struct making *making, int64_t start_ns, stack_id left, stack_id right)
{
	struct stack_piece piece = { .start_ns = start_ns };
	if (left != STACK_NONE && right != STACK_NONE)
		piece.frames = count_shared(making, left, right);
	if (piece.frames > 0) {
		piece.knowledge = STACK_IS_BETWEEN;
		piece.stack = left;
	}
	add_piece(making, piece);
}

/* The actor ran up to end_ns and stood in `right` then. */
static void
end_running(struct making *making, int64_t end_ns, stack_id right)
{
	const struct trace *trace = making->chart->trace;
	struct lane lane = { LANE_ACTOR, making->chart->actor };
	int64_t from_ns = making->running_ns;
	stack_id left = making->stack;
	uint32_t sample = samples_next(making->samples, lane, from_ns);
	if (!making->is_running)
		return;
	while (sample != REF_NONE && trace_instant(trace, sample)->time_ns < end_ns) {
		const struct instant *taken = trace_instant(trace, sample);
		if (taken->stack != STACK_NONE) {
			add_between(making, from_ns, left, taken->stack);
			from_ns = taken->time_ns;
			left = taken->stack;
		}
		sample = samples_next(making->samples, lane, taken->time_ns + 1);
	}
	add_between(making, from_ns, left, right);
	making->is_running = false;
}

/* The stack in which a state that is not running begins; STACK_NONE where that is unknown. */
static stack_id
stack_of_state(const struct making *making, const struct state_kind *kind, const struct site *site)
{
	switch (kind->state) {
	case STATE_BLOCKED:
	case STATE_SYSCALL:
		return site->place;
	case STATE_READY:
		if (kind->entry == ENTRY_STOPPED)
			return site->place;
		/* Who is woken, or back from a syscall, has not moved since. */
		return entry_is_wake(kind->entry) || kind->entry == ENTRY_RETURNED
			       ? making->stack
			       : STACK_NONE;
	case STATE_GONE:
	case STATE_UNKNOWN:
	case STATE_RUNNING:
	case STATE_COUNT:
		break;
	}
	return STACK_NONE;
}

static void
add_state(struct making *making, int64_t start_ns, const struct state_kind *kind,
	const struct site *site)
{
	if (kind->state == STATE_RUNNING) {
		if (!making->is_running)
			making->running_ns = start_ns;
		making->is_running = true;
		return;
	}
	stack_id stack = stack_of_state(making, kind, site);
	end_running(making, start_ns, stack);
	add_known(making, start_ns, stack);
	making->stack = stack;
}

static void
add_run(struct making *making, const struct run_ref *ref)
{
	const struct trace *trace = making->chart->trace;
	const struct segment *segment = trace_segment(trace, ref->segment);
	const struct run *run = &segment->runs[ref->run];
	for (uint32_t i = run->first; i < run_end(run); i++)
		add_state(making, segment_start_ns(segment, i),
			&trace->kinds[segment->kind[i] & KIND_MASK], segment_site(segment, i));
}

static bool
add_states(struct making *making, const atomic_bool *is_cancelled)
{
	const struct run_list *list = &making->chart->trace->directory.actors;
	actor_ref actor = making->chart->actor;
	if (actor < list->key_count) {
		for (uint32_t i = list->first[actor]; i < list->first[actor + 1]; i++) {
			if (!job_goes_on(is_cancelled, making->err))
				return false;
			add_run(making, &list->runs[i]);
		}
	}
	end_running(making, making->chart->end_ns, STACK_NONE);
	return !making->has_failed;
}

/* ---- the whole */

/* Stacks of samples count wherever the samples are. */
static void
count_sampled_frames(struct stack_chart *chart, const struct samples *samples)
{
	struct lane lane = { LANE_ACTOR, chart->actor };
	uint32_t sample = samples_next(samples, lane, INT64_MIN);
	while (sample != REF_NONE) {
		const struct instant *taken = trace_instant(chart->trace, sample);
		uint32_t frames = stack_chart_frames(chart->trace, taken->stack);
		if (frames > chart->depth)
			chart->depth = frames;
		sample = samples_next(samples, lane, taken->time_ns + 1);
	}
}

static struct stack_piece
piece_at(const struct stack_chart *chart, size_t index)
{
	const struct stack_start *start = &chart->starts[index];
	bool is_last = index + 1 == chart->count;
	return (struct stack_piece){
		.start_ns = start->start_ns,
		.end_ns = is_last ? chart->end_ns : start[1].start_ns,
		.stack = start->stack,
		.frames = start->frames,
		.knowledge = (enum stack_knowledge)start->knowledge,
	};
}

static int64_t
known_ns(const struct stack_piece *piece)
{
	return piece->knowledge == STACK_IS_KNOWN ? piece->end_ns - piece->start_ns : 0;
}

static uint32_t
longer(const struct stack_chart *chart, uint32_t left, uint32_t right)
{
	struct stack_piece a = piece_at(chart, left), b = piece_at(chart, right);
	int64_t left_ns = known_ns(&a), right_ns = known_ns(&b);
	if (left_ns != right_ns)
		return left_ns > right_ns ? left : right;
	return left < right ? left : right;
}

/* The longest of the pieces [first, end), or the one that is best so far. */
static uint32_t
longest_among(const struct stack_chart *chart, uint32_t best, size_t first, size_t end)
{
	for (; first < end; first++)
		best = longer(chart, best, (uint32_t)first);
	return best;
}

static size_t
block_end(const struct stack_chart *chart, size_t block)
{
	size_t end = (block + 1) * STACK_BLOCK;
	return end < chart->count ? end : chart->count;
}

static void
sum_up_block(struct stack_chart *chart, size_t block, int64_t *before_ns)
{
	size_t first = block * STACK_BLOCK, end = block_end(chart, block);
	chart->known_before_ns[block] = *before_ns;
	chart->longest[chart->blocks + block] =
		longest_among(chart, (uint32_t)first, first, end);
	for (size_t i = first; i < end; i++) {
		struct stack_piece piece = piece_at(chart, i);
		*before_ns += known_ns(&piece);
	}
}

/*
 * Item blocks + i of the tree is the longest piece of block i; each item below is the longer one
 * of items 2i and 2i + 1.
 */
static bool
sum_up(struct stack_chart *chart, struct error *err)
{
	size_t sum_capacity = 0, tree_capacity = 0;
	size_t blocks = chart->blocks = (chart->count + STACK_BLOCK - 1) / STACK_BLOCK;
	int64_t before_ns = 0;
	if (!array_reserve(&chart->known_before_ns, &sum_capacity, blocks,
		    sizeof *chart->known_before_ns, err) ||
		!array_reserve(&chart->longest, &tree_capacity, 2 * blocks, sizeof *chart->longest,
			err))
		return false;
	for (size_t block = 0; block < blocks; block++)
		sum_up_block(chart, block, &before_ns);
	for (size_t i = blocks; i-- > 1;)
		chart->longest[i] = longer(chart, chart->longest[2 * i], chart->longest[2 * i + 1]);
	return true;
}

bool
stack_chart_build(struct stack_chart *chart, const struct trace *trace,
	const struct samples *samples, actor_ref actor, const atomic_bool *is_cancelled,
	struct error *err)
{
	struct making making = { .chart = chart, .samples = samples, .err = err };
	*chart = (struct stack_chart){
		.trace = trace, .actor = actor, .end_ns = trace->end_ns
	};
	if (!add_states(&making, is_cancelled) || !sum_up(chart, err)) {
		stack_chart_release(chart);
		return false;
	}
	count_sampled_frames(chart, samples);
	return true;
}

void
stack_chart_release(struct stack_chart *chart)
{
	memory_free(chart->starts);
	memory_free(chart->known_before_ns);
	memory_free(chart->longest);
	*chart = (struct stack_chart){ .actor = REF_NONE };
}

/* ---- asking */

/* How many pieces begin at or before t. */
static size_t
begun_until(const struct stack_chart *chart, int64_t t_ns)
{
	return sorted_until_field(chart->starts, chart->count, sizeof *chart->starts,
		offsetof(struct stack_start, start_ns), t_ns);
}

bool
stack_chart_at(const struct stack_chart *chart, int64_t t_ns, struct stack_piece *piece)
{
	size_t begun = begun_until(chart, t_ns);
	if (begun == 0 || t_ns >= chart->end_ns)
		return false;
	*piece = piece_at(chart, begun - 1);
	return true;
}

static int64_t
known_until(const struct stack_chart *chart, int64_t t_ns)
{
	size_t begun = begun_until(chart, t_ns);
	if (begun == 0)
		return 0;
	size_t block = (begun - 1) / STACK_BLOCK;
	int64_t sum_ns = chart->known_before_ns[block];
	for (size_t i = block * STACK_BLOCK; i < begun; i++) {
		struct stack_piece piece = piece_at(chart, i);
		if (t_ns < piece.end_ns)
			piece.end_ns = t_ns;
		sum_ns += known_ns(&piece);
	}
	return sum_ns;
}

/* The longest of the pieces [first, end), of which there is one at least. */
static uint32_t
longest_of(const struct stack_chart *chart, size_t first, size_t end)
{
	size_t from = (first + STACK_BLOCK - 1) / STACK_BLOCK, to = end / STACK_BLOCK;
	if (from >= to)
		return longest_among(chart, (uint32_t)first, first, end);
	uint32_t best = longest_among(chart, (uint32_t)first, first, from * STACK_BLOCK);
	best = longest_among(chart, best, to * STACK_BLOCK, end);
	for (from += chart->blocks, to += chart->blocks; from < to; from /= 2, to /= 2) {
		if ((from & 1) != 0)
			best = longer(chart, best, chart->longest[from++]);
		if ((to & 1) != 0)
			best = longer(chart, best, chart->longest[--to]);
	}
	return best;
}

static int64_t
known_within(const struct stack_piece *piece, int64_t t0_ns, int64_t t1_ns)
{
	struct stack_piece part = *piece;
	if (part.start_ns < t0_ns)
		part.start_ns = t0_ns;
	if (part.end_ns > t1_ns)
		part.end_ns = t1_ns;
	return known_ns(&part);
}

/* The piece known for longest within [t0, t1), in which something is known. */
static struct stack_piece
longest_within(const struct stack_chart *chart, int64_t t0_ns, int64_t t1_ns)
{
	size_t begun = begun_until(chart, t0_ns), first = begun == 0 ? 0 : begun - 1;
	size_t last = begun_until(chart, t1_ns - 1) - 1;
	struct stack_piece best = piece_at(chart, first), other;
	if (last > first + 1) {
		other = piece_at(chart, longest_of(chart, first + 1, last));
		if (known_ns(&other) > known_within(&best, t0_ns, t1_ns))
			best = other;
	}
	other = piece_at(chart, last);
	return known_within(&other, t0_ns, t1_ns) > known_within(&best, t0_ns, t1_ns) ? other
											: best;
}

/* The stack of the first sample, STACK_NONE where there is none. */
static stack_id
sampled_within(
	const struct stack_chart *chart, const struct samples *samples, int64_t t0_ns, int64_t t1_ns)
{
	struct lane lane = { LANE_ACTOR, chart->actor };
	uint32_t sample = samples_next(samples, lane, t0_ns);
	if (sample == REF_NONE || trace_instant(chart->trace, sample)->time_ns >= t1_ns)
		return STACK_NONE;
	return trace_instant(chart->trace, sample)->stack;
}

struct stack_cell
stack_chart_cell(const struct stack_chart *chart, const struct samples *samples, int64_t t0_ns,
	int64_t t1_ns)
{
	struct stack_piece piece;
	assert(t0_ns < t1_ns);
	int64_t known = known_until(chart, t1_ns) - known_until(chart, t0_ns);
	bool is_mostly = known >= t1_ns - t0_ns - known;
	stack_id sampled = is_mostly ? STACK_NONE : sampled_within(chart, samples, t0_ns, t1_ns);
	if (sampled != STACK_NONE)
		return (struct stack_cell){ sampled, stack_chart_frames(chart->trace, sampled),
			STACK_CELL_KNOWN };
	if (known > 0) {
		piece = longest_within(chart, t0_ns, t1_ns);
		return (struct stack_cell){ piece.stack, piece.frames,
			is_mostly ? STACK_CELL_KNOWN : STACK_CELL_PART };
	}
	if (stack_chart_at(chart, t0_ns, &piece) && piece.knowledge == STACK_IS_BETWEEN)
		return (struct stack_cell){ piece.stack, piece.frames, STACK_CELL_BETWEEN };
	return (struct stack_cell){ STACK_NONE, 0, STACK_CELL_NONE };
}

/*
 * By where they begin, callers first, frames are as a walk through the tree meets them: each lies on
 * the last one that is nearer to the root and holds its middle.
 */
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/sort.h"
#include "source/flamegraph_svg/frames.h"

/* By as much a place may be off by rounding: 0.06 of a pixel, and of 1180 pixels in percent. */
enum { PIXEL_SLACK = 600, PERCENT_SLACK = 50 };

static const char *
title_of(const struct flame_frames *frames, const struct flame_frame *frame)
{
	return text_string(&frames->titles) + frame->title;
}

/* "all" alone, or with its count. */
static bool
is_named_all(const struct flame_frames *frames, const struct flame_frame *frame)
{
	const char *title = title_of(frames, frame);
	return frame->title_length >= 3 && memcmp(title, "all", 3) == 0 &&
	       (frame->title_length == 3 || (frame->title_length > 5 && memcmp(title + 3, " (", 2) == 0));
}

static bool
is_in_samples(const struct flame_frame *frame)
{
	return frame->from != FLAME_NONE && frame->weight != FLAME_NONE;
}

/* How wide it is drawn; -1 where that is not told in what the others tell it in. */
static int64_t
width_of(const struct flame_frames *frames, const struct flame_frame *frame)
{
	if (frames->is_exact)
		return is_in_samples(frame) ? frame->weight : -1;
	return frame->x != FLAME_NONE && frame->width != FLAME_NONE ? frame->width : -1;
}

/* ---- the root */

/* The rows of some frames: the first and the last y. */
struct rows {
	int64_t top, bottom;
};

static void
add_row(struct rows *rows, int64_t y)
{
	if (y < rows->top)
		rows->top = y;
	if (y > rows->bottom)
		rows->bottom = y;
}

/* The widest is the root; of several the one that is named so, else the one at the edge. */
static size_t
find_root(struct flame_frames *frames, struct rows *all)
{
	struct rows widest = { INT64_MAX, INT64_MIN };
	int64_t width = -1;
	size_t root = 0;
	for (size_t i = 0; i < frames->count; i++) {
		int64_t its = width_of(frames, &frames->items[i]);
		add_row(all, frames->items[i].y);
		if (its < width || its < 0)
			continue;
		if (its > width)
			widest = (struct rows){ INT64_MAX, INT64_MIN };
		width = its;
		add_row(&widest, frames->items[i].y);
	}
	bool is_at_top = widest.top == all->top, is_at_bottom = widest.bottom == all->bottom;
	int64_t edge = is_at_top && (!is_at_bottom || frames->says_inverted) ? widest.top : widest.bottom;
	unsigned best = 0;
	for (size_t i = 0; i < frames->count; i++) {
		const struct flame_frame *frame = &frames->items[i];
		unsigned worth = 1u + (frame->y == edge ? 1u : 0u) +
				 (is_named_all(frames, frame) ? 2u : 0u);
		if (width_of(frames, frame) != width || worth <= best)
			continue;
		best = worth;
		root = i;
	}
	return root;
}

static int
compare_numbers(const void *left, const void *right)
{
	const int64_t *a = left, *b = right;
	return (*a > *b) - (*a < *b);
}

static int64_t
least_step(const int64_t *rows, size_t count, int64_t least)
{
	int64_t found = 0;
	for (size_t i = 1; i < count; i++) {
		int64_t step = rows[i] - rows[i - 1];
		if (step > 0 && step >= least && (found == 0 || step < found))
			found = step;
	}
	return found;
}

/* From row to row; 0 where there is but one. Rows lie no closer than they are high. */
static bool
find_pitch(const struct flame_frames *frames, int64_t height, const atomic_bool *is_cancelled,
	int64_t *pitch, struct error *err)
{
	int64_t *rows = array_new_unset(frames->count, sizeof *rows, err);
	if (rows == NULL)
		return false;
	for (size_t i = 0; i < frames->count; i++)
		rows[i] = frames->items[i].y;
	const struct sort sort = { rows, frames->count, sizeof *rows, compare_numbers };
	bool is_fine = sort_items(&sort, is_cancelled, err);
	*pitch = is_fine ? least_step(rows, frames->count, height) : 0;
	if (is_fine && *pitch == 0)
		*pitch = least_step(rows, frames->count, 0);
	memory_free(rows);
	return is_fine;
}

/* Whether something lies beside the widest one, which then is not the root. */
static bool
has_beside(const struct flame_frames *frames, const struct flame_frame *widest, int64_t slack)
{
	for (size_t i = 0; i < frames->count; i++) {
		const struct flame_frame *frame = &frames->items[i];
		if (frame->x == FLAME_NONE || frame->width == FLAME_NONE)
			continue;
		if (frame->x < widest->x - slack ||
			frame->x + frame->width > widest->x + widest->width + slack)
			return true;
	}
	return false;
}

/* A root beyond all rows, of what is known of it. */
static bool
make_root(struct flame_frames *frames, const struct rows *all, int64_t pitch, struct error *err)
{
	int64_t first = INT64_MAX, last = INT64_MIN, count = 0;
	for (size_t i = 0; i < frames->count; i++) {
		const struct flame_frame *frame = &frames->items[i];
		if (frame->x == FLAME_NONE || frame->width == FLAME_NONE)
			continue;
		first = frame->x < first ? frame->x : first;
		last = frame->x + frame->width > last ? frame->x + frame->width : last;
	}
	if (frames->is_exact)
		count = frames->total_samples;
	if (first > last)
		first = last = 0;
	struct flame_frame root = { .title = frames->titles.length, .title_length = 3, .x = first,
		.width = last - first, .height = FLAME_NONE, .from = 0, .weight = count,
		.count = FLAME_NONE };
	root.y = frames->says_inverted ? all->top - pitch : all->bottom + pitch;
	text_add_string(&frames->titles, "all");
	if (frames->titles.failed)
		return error_set_memory(err, "the frames");
	if (!array_reserve(&frames->items, &frames->capacity, frames->count + 1, sizeof root, err))
		return false;
	frames->root = frames->count;
	frames->items[frames->count++] = root;
	frames->has_made_root = true;
	return true;
}

/* ---- names and weights */

/* That of the root, else of the first title that has one. */
static void
find_unit(struct flame_frames *frames)
{
	struct flame_title title = { 0 };
	const char *titles = text_string(&frames->titles);
	for (size_t i = 0; i <= frames->count; i++) {
		const struct flame_frame *frame = &frames->items[i == 0 ? frames->root : i - 1];
		title.unit = NULL;
		if (!flame_title_read(&title, titles + frame->title, frame->title_length))
			continue;
		frames->unit = (size_t)(title.unit - titles);
		frames->unit_length = title.unit_length;
		return;
	}
}

static void
read_titles(struct flame_frames *frames)
{
	struct flame_title title;
	const char *titles = text_string(&frames->titles);
	for (size_t i = 0; i < frames->count; i++) {
		struct flame_frame *frame = &frames->items[i];
		title.unit = titles + frames->unit;
		title.unit_length = frames->unit_length;
		frame->name_length = frame->title_length;
		if (flame_title_read(&title, titles + frame->title, frame->title_length)) {
			frame->name_length = title.name_length;
			frame->count = title.count;
			frames->is_differential |= title.is_differential;
		} else if (!is_in_samples(frame)) {
			frames->unreadable++;
		}
	}
}

/* Where a place of the drawing lies in samples of the root. */
static int64_t
in_samples(const struct flame_frame *root, int64_t x, int64_t weight)
{
	if (root->width <= 0 || root->x == FLAME_NONE || x == FLAME_NONE)
		return 0;
	double share = (double)(x - root->x) / (double)root->width;
	return share <= 0 ? 0 : share >= 1 ? weight : (int64_t)llround(share * (double)weight);
}

/* What the root weighs; without a title as the widest frame has it. */
static int64_t
weigh_root(const struct flame_frames *frames, const struct flame_frame *root)
{
	if (is_in_samples(root) && frames->is_exact)
		return root->weight;
	if (root->count != FLAME_NONE)
		return root->count;
	const double most = 1e18; /* as a number of the drawing */
	double sum = 0, best = 0;
	for (size_t i = 0; i < frames->count; i++) {
		const struct flame_frame *frame = &frames->items[i];
		double width = (double)width_of(frames, frame);
		if (frame->count == FLAME_NONE || width <= best || root->width <= 0)
			continue;
		best = width;
		sum = (double)frame->count * ((double)root->width / width);
	}
	return best > 0 ? (int64_t)llround(sum < most ? sum : most) : root->width;
}

static void
place_frames(struct flame_frames *frames, int64_t pitch)
{
	const struct flame_frame root = frames->items[frames->root];
	int64_t weight = weigh_root(frames, &root);
	size_t above = 0, below = 0;
	for (size_t i = 0; i < frames->count; i++) {
		above += frames->items[i].y < root.y;
		below += frames->items[i].y > root.y;
	}
	for (size_t i = 0; i < frames->count; i++) {
		struct flame_frame *frame = &frames->items[i];
		int64_t off = below > above ? frame->y - root.y : root.y - frame->y;
		frame->depth = pitch > 0 ? (off + (off < 0 ? -pitch : pitch) / 2) / pitch : 0;
		if (!frames->is_exact) {
			frame->start = frame->x != FLAME_NONE ? frame->x : root.x;
			frame->end = frame->width != FLAME_NONE ? frame->start + frame->width : frame->start;
		} else if (is_in_samples(frame)) {
			frame->start = frame->from;
			frame->end = frame->from + frame->weight;
		} else {
			frame->start = in_samples(&root, frame->x, weight);
			frame->end = in_samples(&root, frame->x + frame->width, weight);
		}
		if (frames->is_exact && is_in_samples(frame))
			frame->own = frame->weight;
		else if (frame->count != FLAME_NONE)
			frame->own = frame->count;
		else
			frame->own = frames->is_exact ? frame->end - frame->start
						      : in_samples(&root, root.x + frame->end - frame->start, weight);
	}
	struct flame_frame *made = &frames->items[frames->root];
	made->own = weight;
	/* All lies on it, wherever that is. */
	made->start = INT64_MIN;
	made->end = INT64_MAX;
	made->depth = 0;
}

/* ---- who lies on whom */

static int
compare_frames(const void *left, const void *right)
{
	const struct flame_frame *a = left, *b = right;
	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	if (a->depth != b->depth)
		return a->depth < b->depth ? -1 : 1;
	return (a->title > b->title) - (a->title < b->title);
}

/* Behind sorting the root is the first. */
static bool
find_parents(struct flame_frames *frames, int64_t slack, struct error *err)
{
	size_t *open = array_new_unset(frames->count, sizeof *open, err), depth = 1;
	if (open == NULL)
		return false;
	open[0] = 0;
	frames->items[0].parent = FLAME_NO_PARENT;
	for (size_t i = 1; i < frames->count; i++) {
		struct flame_frame *frame = &frames->items[i];
		/* Of the middle; it fits, as places have 61 bits at most. */
		int64_t twice = frame->start + frame->end;
		for (; depth > 1; depth--) {
			const struct flame_frame *top = &frames->items[open[depth - 1]];
			if (top->depth < frame->depth && twice < 2 * (top->end + slack))
				break;
		}
		frame->parent = open[depth - 1];
		frames->without_parent += frames->items[frame->parent].depth != frame->depth - 1;
		open[depth++] = i;
	}
	memory_free(open);
	return true;
}

bool
flame_frames_nest(struct flame_frames *frames, const struct progress *progress, struct error *err)
{
	const atomic_bool *is_cancelled = progress_cancel_flag(progress);
	struct rows all = { INT64_MAX, INT64_MIN };
	size_t in_samples_count = 0;
	int64_t pitch;
	for (size_t i = 0; i < frames->count; i++)
		in_samples_count += is_in_samples(&frames->items[i]);
	frames->is_exact = in_samples_count > frames->count / 2;
	frames->root = find_root(frames, &all);
	const struct flame_frame *root = &frames->items[frames->root];
	int64_t slack = frames->is_exact ? 0 : root->is_percent ? PERCENT_SLACK : PIXEL_SLACK;
	if (!find_pitch(frames, root->height, is_cancelled, &pitch, err))
		return false;
	bool is_missing = frames->is_exact ? frames->total_samples > root->weight
					   : has_beside(frames, root, slack);
	if (is_missing && !make_root(frames, &all, pitch > 0 ? pitch : 1, err))
		return false;
	find_unit(frames);
	read_titles(frames);
	place_frames(frames, is_missing && pitch == 0 ? 1 : pitch);
	const struct sort sort = { frames->items, frames->count, sizeof *frames->items, compare_frames };
	if (!sort_items(&sort, is_cancelled, err))
		return false;
	frames->root = 0;
	return find_parents(frames, slack, err);
}

/* Flame graphs drawn as SVG by flamegraph.pl and inferno, back to the stacks that they were made of. */
#include <string.h>

#include "base/checked.h"
#include "base/compiler.h"
#include "base/memory.h"
#include "source/common/profile_trace.h"
#include "source/common/xml.h"
#include "source/flamegraph_svg/frames.h"
#include "source/source.h"

static const struct words flamegraph_svg_words = TIMELESS_WORDS("flamegraph_svg");

/* ---- whether it is one */

enum { FRAMES_POINTS = 20, TITLE_POINTS = 3, EMPTY_POINTS = 6, TITLES_LOOKED_AT = 32 };

/* Titles of frames in what follows. */
static unsigned
points_of_titles(struct scan text)
{
	unsigned points = 0;
	for (int i = 0; i < TITLES_LOOKED_AT; i++) {
		const char *at = scan_find(&text, "<title>");
		if (at == NULL)
			break;
		text.at = at + 7;
		const char *end = scan_find(&text, "</title>");
		struct flame_title title = { 0 };
		if (end == NULL)
			break;
		if (flame_title_read(&title, text.at, (size_t)(end - text.at)))
			points += TITLE_POINTS;
		text.at = end;
	}
	return points;
}

static unsigned
recognise(const uint8_t *bytes, size_t size)
{
	struct scan text = scan_over((const char *)bytes, size);
	const char *at = scan_find(&text, "<svg");
	if (at == NULL)
		return 0;
	text.at = at;
	unsigned points = points_of_titles(text);
	if (scan_find(&text, "id=\"frames\"") != NULL || scan_find(&text, "total_samples=") != NULL)
		points += FRAMES_POINTS;
	if (scan_find(&text, "ERROR: No valid input") != NULL)
		points += EMPTY_POINTS;
	return points;
}

/* ---- the stacks */

struct loading {
	struct trace *trace;
	struct flame_frames frames;
	stack_id *stacks;   /* of each frame */
	int64_t *inner;     /* of each frame, what lies directly on it weighs */
	int64_t *weights;   /* of each stack of the trace, what nothing lies on */
	uint64_t sum, stack_count, negative;
	int64_t depth;
};

/* Callers stand before whom they called. */
static bool
add_stacks(struct loading *loading, struct error *err)
{
	const struct flame_frames *frames = &loading->frames;
	for (size_t i = 0; i < frames->count; i++) {
		const struct flame_frame *frame = &frames->items[i];
		const char *name = text_string(&frames->titles) + frame->title;
		loading->stacks[i] = STACK_NONE;
		loading->depth = frame->depth > loading->depth ? frame->depth : loading->depth;
		if (frame->parent == FLAME_NO_PARENT)
			continue;
		loading->inner[frame->parent] =
			saturating_add_i64(loading->inner[frame->parent], frame->own);
		if (!profile_trace_push(loading->trace, loading->stacks[frame->parent], name,
			    frame->name_length, &loading->stacks[i], err))
			return false;
	}
	/* What nothing lies on but the root is a stack of that name alone. */
	const struct flame_frame *root = &frames->items[0];
	return root->own <= loading->inner[0] ||
	       profile_trace_push(loading->trace, STACK_NONE,
		       text_string(&frames->titles) + root->title, root->name_length,
		       &loading->stacks[0], err);
}

static bool
add_samples(struct loading *loading, struct error *err)
{
	struct trace *trace = loading->trace;
	const struct flame_frames *frames = &loading->frames;
	loading->weights = array_new(stack_count(&trace->stacks), sizeof *loading->weights, err);
	if (loading->weights == NULL)
		return false;
	for (size_t i = 0; i < frames->count; i++) {
		int64_t own = frames->items[i].own - loading->inner[i];
		int64_t *weight = &loading->weights[loading->stacks[i]];
		loading->negative += own < 0;
		if (own > 0)
			*weight = saturating_add_i64(*weight, own);
	}
	for (stack_id stack = 1; stack < stack_count(&trace->stacks); stack++) {
		int64_t weight = loading->weights[stack];
		if (weight == 0)
			continue;
		loading->stack_count++;
		loading->sum += (uint64_t)weight;
		if (!sample_set_add(trace->samples, stack, &weight, NULL, 0, err))
			return false;
	}
	return true;
}

static bool
add_facts(const struct loading *loading, struct error *err)
{
	const struct flame_frames *frames = &loading->frames;
	const struct flame_frame *root = &frames->items[0];
	const struct {
		const char *key;
		int64_t value; /* FLAME_NONE: nobody knows */
	} facts[] = {
		{ "frames", (int64_t)(frames->count - frames->has_made_root) },
		{ "unreadable", (int64_t)frames->unreadable },
		{ "total_samples", frames->total_samples },
		{ "root_count", root->count },
		{ "root_weight", root->own },
		{ "depth", loading->depth + 1 },
		{ "frames_without_parent", (int64_t)frames->without_parent },
		{ "negative_self", (int64_t)loading->negative },
		{ "stacks", (int64_t)loading->stack_count },
		{ "sum", (int64_t)loading->sum },
		{ "damaged", (int64_t)frames->damaged },
	};
	for (size_t i = 0; i < ARRAY_LENGTH(facts); i++) {
		if (facts[i].value != FLAME_NONE &&
			!trace_add_fact(loading->trace, facts[i].key, (uint64_t)facts[i].value, err))
			return false;
	}
	return true;
}

static bool
build(struct loading *loading, const struct input *in, const struct progress *progress,
	struct error *err)
{
	struct trace *trace = loading->trace;
	struct flame_frames *frames = &loading->frames;
	string_id name, unit;
	if (frames->count == 0)
		return error_set(err, ERROR_FORMAT, "the flame graph is empty%s%s",
			frames->error.length > 0 ? ": it says " : "", text_string(&frames->error));
	if (!flame_frames_nest(frames, progress, err))
		return false;
	loading->stacks = array_new_unset(frames->count, sizeof *loading->stacks, err);
	loading->inner = array_new(frames->count, sizeof *loading->inner, err);
	if (loading->stacks == NULL || loading->inner == NULL)
		return false;
	const char *titles = text_string(&frames->titles);
	bool is_fine = intern_add(&trace->strings, "samples", 7, &name, err) &&
		       intern_add(&trace->strings, titles + frames->unit, frames->unit_length, &unit, err) &&
		       sample_set_add_type(trace->samples, name, unit, err) && add_stacks(loading, err) &&
		       add_samples(loading, err) && profile_trace_finish(trace, in, err) &&
		       add_facts(loading, err);
	trace->damage = frames->damage;
	return is_fine;
}

static struct trace *
load(struct input *in, const struct source_wish *wish, struct error *err)
{
	struct loading loading = { .trace = profile_trace_new(&flamegraph_svg_words, err) };
	if (loading.trace == NULL)
		return NULL;
	bool is_fine = flame_frames_read(&loading.frames, in, wish->progress, err) &&
		       build(&loading, in, wish->progress, err);
	flame_frames_release(&loading.frames);
	memory_free(loading.stacks);
	memory_free(loading.inner);
	memory_free(loading.weights);
	if (is_fine)
		return loading.trace;
	trace_free(loading.trace);
	return NULL;
}

const struct source flamegraph_svg_source = {
	.name = "flamegraph_svg",
	.input = "flame graphs drawn as SVG",
	.recognised_by = "\"<svg\", also within a page of text, and in it id=\"frames\" or titles like "
			 "\"main (12 samples, 3.4%)\"",
	.answers = "how many samples were in which function, and who called it",
	.recognise = recognise,
	.load = load,
	.is_whole = true,
	.has_lines = true,
	.element = "svg",
};

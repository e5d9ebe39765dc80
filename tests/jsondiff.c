/* Each event becomes a line that says all that counts; the sorted lines are compared. */
#include "jsondiff.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "jsonread.h"

struct frame {
	struct jsonslice name;
	size_t parent; /* 0 for none */
};

struct line {
	size_t at, length; /* within the text */
};

struct answer {
	struct jsonslice events, stack_frames;
	struct frame *frames; /* by number */
	size_t frame_count;
	struct text text;
	struct line *lines;
	size_t count, capacity;
	int64_t lead_ns;     /* of time 0 before the first event */
	const char *problem; /* NULL for none */
};

/* A value in the one spelling: characters beyond ASCII may be written as such or by number. */
static void
add_value(struct text *text, struct jsonslice value)
{
	for (size_t at = 0; at < value.length;) {
		struct text_char c = text_decode(value.bytes + at, value.length - at);
		uint32_t code = c.is_valid ? c.code_point : (unsigned char)value.bytes[at];
		if (code < 0x7f)
			text_add(text, value.bytes + at, 1);
		else if (code < 0x10000)
			text_format(text, "\\u%04x", (unsigned)code);
		else
			text_format(text, "\\u%04x\\u%04x", 0xd800 + (unsigned)((code - 0x10000) >> 10),
				0xdc00 + (unsigned)(code & 0x3ff));
		at += c.length;
	}
}

/* ---- frames */

static size_t
number_of(struct jsonslice slice)
{
	const char *digits = slice.bytes + (slice.bytes[0] == '"');
	return (size_t)strtoull(digits, NULL, 10);
}

static void
add_frame(struct answer *answer, size_t number, struct jsonslice value)
{
	struct jsonslice key, field;
	if (number >= answer->frame_count) {
		size_t count = number * 2 + 64;
		answer->frames = realloc(answer->frames, count * sizeof(*answer->frames));
		assert(answer->frames != NULL);
		memset(answer->frames + answer->frame_count, 0,
			(count - answer->frame_count) * sizeof(*answer->frames));
		answer->frame_count = count;
	}
	struct jsonread in = jsonread_over(value);
	while (jsonread_member(&in, &key, &field)) {
		if (jsonslice_is(key, "name"))
			answer->frames[number].name = field;
		else if (jsonslice_is(key, "parent"))
			answer->frames[number].parent = number_of(field);
	}
	if (in.failed)
		answer->problem = "a frame is no object";
}

static void
read_frames(struct answer *answer)
{
	enum { FRAMES_MAX = 10000000 };
	struct jsonslice key, value;
	struct jsonread in = jsonread_over(answer->stack_frames);
	while (jsonread_member(&in, &key, &value)) {
		size_t number = number_of(key);
		if (number == 0 || number > FRAMES_MAX)
			answer->problem = "a frame has no good number";
		else
			add_frame(answer, number, value);
	}
	if (in.failed)
		answer->problem = "stackFrames is no object";
}

/* The frames of a stack, the leaf first. */
static void
add_stack(struct answer *answer, size_t number)
{
	enum { DEPTH_MAX = 10000 };
	size_t depth = 0;
	for (; number != 0; number = answer->frames[number].parent) {
		bool is_good = number < answer->frame_count &&
			       answer->frames[number].name.bytes != NULL && depth++ < DEPTH_MAX;
		if (!is_good) {
			answer->problem = "a stack has no frames";
			return;
		}
		text_add_string(&answer->text, " <");
		add_value(&answer->text, answer->frames[number].name);
	}
}

/* ---- events */

static int64_t
ns_of(struct jsonslice microseconds)
{
	return llround(strtod(microseconds.bytes, NULL) * 1000);
}

/* The time, then the duration of an event, as if there were no lead. */
static void
add_times(struct answer *answer, int64_t time_ns, int64_t duration_ns)
{
	bool is_since_start = time_ns == 0;
	text_format(
		&answer->text, "ts=%" PRId64 "ns ", is_since_start ? 0 : time_ns - answer->lead_ns);
	if (duration_ns != 0)
		text_format(&answer->text, "dur=%" PRId64 "ns ",
			is_since_start ? duration_ns - answer->lead_ns : duration_ns);
}

/* One event on the line that ends the text; *joins says that another one belongs to it. */
static void
add_event(struct answer *answer, struct jsonslice event, bool *joins)
{
	struct jsonslice key, value;
	struct jsonread in = jsonread_over(event);
	int64_t time_ns = 0, duration_ns = 0;
	*joins = false;
	while (jsonread_member(&in, &key, &value)) {
		if (jsonslice_is(key, "id"))
			continue;
		if (jsonslice_is(key, "ts") || jsonslice_is(key, "dur")) {
			*(jsonslice_is(key, "ts") ? &time_ns : &duration_ns) = ns_of(value);
			continue;
		}
		if (jsonslice_is(key, "ph"))
			*joins = jsonslice_is(value, "s") || jsonslice_is(value, "b");
		text_add(&answer->text, key.bytes, key.length);
		if (jsonslice_is(key, "sf") || jsonslice_is(key, "esf"))
			add_stack(answer, number_of(value));
		else
			add_value(&answer->text, value);
		text_add_string(&answer->text, " ");
	}
	add_times(answer, time_ns, duration_ns);
	if (in.failed)
		answer->problem = "an event is no object";
}

static void
add_line(struct answer *answer, size_t start)
{
	if (answer->count == answer->capacity) {
		answer->capacity = answer->capacity * 2 + 1024;
		answer->lines = realloc(answer->lines, answer->capacity * sizeof(*answer->lines));
		assert(answer->lines != NULL);
	}
	answer->lines[answer->count++] = (struct line){ start, answer->text.length - start };
}

static struct jsonslice
id_of(struct jsonslice event)
{
	struct jsonslice key, value;
	struct jsonread in = jsonread_over(event);
	while (jsonread_member(&in, &key, &value)) {
		if (jsonslice_is(key, "id"))
			return value;
	}
	return (struct jsonslice){ "", 0 };
}

/* The second end of what was begun follows at once. */
static bool
add_second_end(struct answer *answer, struct jsonread *in, struct jsonslice first)
{
	struct jsonslice second;
	bool joins;
	if (!jsonread_element(in, &second))
		return false;
	struct jsonslice a = id_of(first), b = id_of(second);
	add_event(answer, second, &joins);
	return !joins && a.length == b.length && memcmp(a.bytes, b.bytes, a.length) == 0;
}

static void
read_events(struct answer *answer)
{
	struct jsonslice event;
	struct jsonread in = jsonread_over(answer->events);
	while (answer->problem == NULL && jsonread_element(&in, &event)) {
		size_t start = answer->text.length;
		bool joins;
		add_event(answer, event, &joins);
		if (joins && !add_second_end(answer, &in, event))
			answer->problem = "an arrow or a region has no second end";
		add_line(answer, start);
	}
	if (in.failed)
		answer->problem = "traceEvents is no array";
}

static bool
read_answer(struct answer *answer, const struct text *json)
{
	struct jsonslice key, value, unit = { "", 0 };
	struct jsonread in = jsonread_over((struct jsonslice){ json->bytes, json->length });
	while (jsonread_member(&in, &key, &value)) {
		if (jsonslice_is(key, "traceEvents"))
			answer->events = value;
		else if (jsonslice_is(key, "stackFrames"))
			answer->stack_frames = value;
		else if (jsonslice_is(key, "displayTimeUnit"))
			unit = value;
	}
	if (in.failed || answer->events.bytes == NULL || answer->stack_frames.bytes == NULL)
		answer->problem = "not an object with traceEvents and stackFrames";
	else if (!jsonslice_is(unit, "ns"))
		answer->problem = "the unit is another";
	else
		read_frames(answer);
	if (answer->problem == NULL)
		read_events(answer);
	if (answer->text.failed)
		answer->problem = "not enough memory";
	return answer->problem == NULL;
}

static void
release_answer(struct answer *answer)
{
	free(answer->frames);
	free(answer->lines);
	text_release(&answer->text);
}

/* ---- comparing */

static int
compare_bytes(const char *a, size_t a_length, const char *b, size_t b_length)
{
	int order = memcmp(a, b, a_length < b_length ? a_length : b_length);
	return order != 0 ? order : (a_length > b_length) - (a_length < b_length);
}

/* Lines know only where they stand in their text. */
static const char *sorted_text;

static int
compare_lines(const void *left, const void *right)
{
	const struct line *a = left, *b = right;
	return compare_bytes(sorted_text + a->at, a->length, sorted_text + b->at, b->length);
}

static void
sort(struct answer *answer)
{
	sorted_text = answer->text.bytes;
	if (answer->count > 0)
		qsort(answer->lines, answer->count, sizeof(*answer->lines), compare_lines);
}

static void
tell(struct text *out, size_t *count, const char *side, const struct answer *answer, size_t at)
{
	if (++*count > JSONDIFF_SHOWN)
		return;
	text_add_string(out, side);
	text_add(out, answer->text.bytes + answer->lines[at].at, answer->lines[at].length);
	text_add_string(out, "\n");
}

static void
compare_sorted(struct jsondiff *diff, const struct answer *ours, const struct answer *theirs)
{
	size_t a = 0, b = 0;
	while (a < ours->count || b < theirs->count) {
		int order = a == ours->count ? 1 : b == theirs->count ? -1 : 0;
		if (order == 0)
			order = compare_bytes(ours->text.bytes + ours->lines[a].at,
				ours->lines[a].length, theirs->text.bytes + theirs->lines[b].at,
				theirs->lines[b].length);
		if (order < 0)
			tell(&diff->problem, &diff->ours, "only ours:   ", ours, a);
		else if (order > 0)
			tell(&diff->problem, &diff->theirs, "only theirs: ", theirs, b);
		a += order <= 0;
		b += order >= 0;
	}
}

bool
jsondiff_compare(struct jsondiff *diff, const struct text *ours, const struct text *theirs,
	int64_t their_lead_ns)
{
	struct answer our_answer = { 0 }, their_answer = { .lead_ns = their_lead_ns };
	*diff = (struct jsondiff){ 0 };
	if (!read_answer(&our_answer, ours)) {
		text_format(&diff->problem, "ours: %s\n", our_answer.problem);
	} else if (!read_answer(&their_answer, theirs)) {
		text_format(&diff->problem, "theirs: %s\n", their_answer.problem);
	} else {
		sort(&our_answer);
		sort(&their_answer);
		diff->events = our_answer.count;
		compare_sorted(diff, &our_answer, &their_answer);
	}
	release_answer(&our_answer);
	release_answer(&their_answer);
	return diff->problem.length == 0;
}

void
jsondiff_release(struct jsondiff *diff)
{
	text_release(&diff->problem);
}

/*
 * Folded stacks: a line for each, its functions outermost first with semicolons between them, and
 * behind them how often it was, as "main;serve;read 12". Two numbers are what was and what is.
 * The format is that of Brendan Gregg's stackcollapse-*.pl and difffolded.pl.
 */
#include <inttypes.h>
#include <string.h>

#include "base/checked.h"
#include "base/memory.h"
#include "source/common/line_damage.h"
#include "source/common/line_reader.h"
#include "source/common/profile_trace.h"
#include "source/source.h"

static const struct words folded_words = TIMELESS_WORDS("folded");

enum { MOST_DECIMALS = 9, MOST_DIGITS = 18, RECOGNISED_LINES = 100 };

/* ---- a line */

/* A number with digits behind its point, as it stands there. */
struct count {
	int64_t value; /* counts 10^-decimals */
	int decimals;
	bool is_rounded; /* there were more digits than are kept */
};

struct stack_line {
	struct scan stack; /* without the blanks around it */
	struct count counts[2]; /* the last one first */
	int count_count;
};

static bool
is_blank(char c)
{
	return c == ' ' || c == '\t';
}

/* Reads "12", "3." or "0.25", of which no more than 18 digits count; false for anything else. */
static bool
read_count(struct scan word, struct count *count)
{
	int digits = 0;
	*count = (struct count){ 0 };
	if (!scan_sees_digit(&word))
		return false;
	for (; scan_sees_digit(&word); word.at++) {
		digits += digits > 0 || *word.at != '0';
		if (digits > MOST_DIGITS)
			return false;
		count->value = count->value * 10 + (*word.at - '0');
	}
	if (!scan_char(&word, '.'))
		return scan_is_end(&word);
	for (; scan_sees_digit(&word); word.at++) {
		bool is_kept = count->decimals < MOST_DECIMALS && digits < MOST_DIGITS;
		if (is_kept) {
			count->value = count->value * 10 + (*word.at - '0');
			count->decimals++;
			digits++;
		} else if (!count->is_rounded) {
			count->value += *word.at >= '5';
			count->is_rounded = true;
		}
	}
	while (count->decimals > 0 && count->value % 10 == 0) {
		count->value /= 10;
		count->decimals--;
	}
	return scan_is_end(&word);
}

/* Takes a number with blanks before it from the end of the text. */
static bool
take_count(struct scan *text, struct count *count)
{
	struct scan rest = *text;
	while (rest.end > rest.at && is_blank(rest.end[-1]))
		rest.end--;
	const char *end = rest.end;
	while (rest.end > rest.at && !is_blank(rest.end[-1]))
		rest.end--;
	if (rest.end == rest.at || !read_count((struct scan){ rest.end, end }, count))
		return false;
	while (rest.end > rest.at && is_blank(rest.end[-1]))
		rest.end--;
	text->end = rest.end;
	return true;
}

static bool
read_line(struct scan text, struct stack_line *line)
{
	while (text.at < text.end && is_blank(*text.at))
		text.at++;
	*line = (struct stack_line){ .stack = text };
	if (!take_count(&line->stack, &line->counts[0]) || scan_is_end(&line->stack))
		return false;
	line->count_count = 1;
	struct scan shorter = line->stack;
	if (take_count(&shorter, &line->counts[1]) && !scan_is_end(&shorter)) {
		line->stack = shorter;
		line->count_count = 2;
	}
	return true;
}

/* "# made by ..."; a function may be called "#word". */
static bool
is_comment(const struct scan *text)
{
	return scan_left(text) >= 2 && text->at[0] == '#' && text->at[1] == ' ';
}

static bool
is_empty(const struct scan *text)
{
	for (const char *at = text->at; at < text->end; at++)
		if (!is_blank(*at))
			return false;
	return true;
}

/* ---- all lines */

/* A frame of the last stack: where its name ends in the text of that. */
struct frame {
	size_t end;
	stack_id stack;
};

struct reading {
	struct trace *trace;
	struct line_reader lines;
	struct line_damage damage;
	char *last; /* the text of the last stack, whose beginning the next one often shares */
	size_t last_length, last_capacity;
	struct frame *frames;
	size_t frame_count, frame_capacity;
	frame_id *path;  /* frames of a stack that are not in the last one */
	stack_id *nodes; /* of these */
	size_t path_capacity, node_capacity;
	frame_id *frame_of; /* by the id of a name, the frame + 1 */
	size_t frame_of_count, frame_of_capacity;
	uint64_t line_count, ignored, comments, two_counts, rounded;
	uint32_t depth;
	bool is_too_large; /* the sum */
};

/* The frame of a name, which no more than that is known of. */
static bool
find_frame(struct reading *reading, const char *name, size_t length, frame_id *frame, struct error *err)
{
	struct stack_frame found = { 0 };
	if (!intern_add(&reading->trace->strings, name, length, &found.function, err))
		return false;
	size_t needed = (size_t)found.function + 1;
	if (needed > reading->frame_of_count) {
		if (!array_reserve(&reading->frame_of, &reading->frame_of_capacity, needed,
			    sizeof *reading->frame_of, err))
			return false;
		memset(reading->frame_of + reading->frame_of_count, 0,
			(needed - reading->frame_of_count) * sizeof *reading->frame_of);
		reading->frame_of_count = needed;
	}
	frame_id *known = &reading->frame_of[found.function];
	if (*known == 0) {
		if (!stack_table_add_frame(&reading->trace->stacks, &found, frame, err))
			return false;
		*known = *frame + 1;
	}
	*frame = *known - 1;
	return true;
}

/* How many bytes both begin with. */
static size_t
common_length(const char *a, const char *b, size_t most)
{
	size_t same = 0;
	while (most - same >= 8 && memcmp(a + same, b + same, 8) == 0)
		same += 8;
	while (same < most && a[same] == b[same])
		same++;
	return same;
}

/* Drops the frames of the last stack that the new one does not begin with; returns where to go on. */
static size_t
keep_common(struct reading *reading, const struct scan *text)
{
	size_t length = scan_left(text);
	size_t most = length < reading->last_length ? length : reading->last_length;
	size_t same = common_length(reading->last, text->at, most);
	size_t kept = reading->frame_count;
	while (kept > 0) {
		size_t end = reading->frames[kept - 1].end;
		bool ends_alike = end < same || (end == same && (end == length || text->at[end] == ';'));
		if (ends_alike)
			break;
		kept--;
	}
	reading->frame_count = kept;
	return kept == 0 ? 0 : reading->frames[kept - 1].end + 1;
}

/* The stack of a text; frames may be empty. */
static bool
find_stack(struct reading *reading, const struct scan *text, stack_id *stack, struct error *err)
{
	size_t length = scan_left(text), from = keep_common(reading, text);
	if (!array_reserve(&reading->last, &reading->last_capacity, length + 1, 1, err))
		return false;
	size_t count = 0, kept = reading->frame_count;
	for (; from <= length; count++) {
		const char *semicolon = memchr(text->at + from, ';', length - from);
		size_t end = semicolon != NULL ? (size_t)(semicolon - text->at) : length;
		if (!array_reserve(&reading->frames, &reading->frame_capacity, kept + count + 1,
			    sizeof *reading->frames, err) ||
			!array_reserve(&reading->path, &reading->path_capacity, count + 1,
				sizeof *reading->path, err) ||
			!find_frame(reading, text->at + from, end - from, &reading->path[count], err))
			return false;
		reading->frames[kept + count].end = end;
		from = end + 1;
	}
	if (!array_reserve(&reading->nodes, &reading->node_capacity, count, sizeof *reading->nodes, err) ||
		!stack_table_add_path(&reading->trace->stacks,
			kept > 0 ? reading->frames[kept - 1].stack : STACK_NONE, reading->path, count,
			reading->nodes, err))
		return false;
	for (size_t i = 0; i < count; i++)
		reading->frames[kept + i].stack = reading->nodes[i];
	reading->frame_count = kept + count;
	memcpy(reading->last, text->at, length);
	reading->last_length = length;
	*stack = reading->frames[reading->frame_count - 1].stack;
	if (reading->frame_count > reading->depth)
		reading->depth = (uint32_t)reading->frame_count;
	return true;
}

static int64_t
scaled(int64_t value, int by)
{
	for (; by > 0; by--)
		value = saturating_mul_i64(value, 10);
	return value;
}

/* All weights count the smallest unit that any line has. */
static void
refine(struct sample_set *set, int decimals)
{
	int by = decimals - set->decimals;
	if (by <= 0)
		return;
	for (size_t i = 0; i < set->count * set->type_count; i++)
		set->weights[i] = scaled(set->weights[i], by);
	set->decimals = decimals;
}

static bool
name_types(struct trace *trace, bool are_two, struct error *err)
{
	struct sample_set *set = trace->samples;
	string_id name, unit = STRING_EMPTY;
	const char *first = are_two ? "after" : "samples";
	/* What is counted is not told: it may be nanoseconds or bytes as well. */
	if (!intern_add(&trace->strings, first, strlen(first), &name, err))
		return false;
	if (!are_two)
		return sample_set_add_type(set, name, unit, err);
	set->types[0].name = name;
	set->keeps_zeros = true;
	return intern_add(&trace->strings, "before", 6, &name, err) &&
	       sample_set_add_type(set, name, unit, err);
}

static bool
take_stack(struct reading *reading, const struct stack_line *line, struct error *err)
{
	struct sample_set *set = reading->trace->samples;
	int64_t weights[2] = { 0 };
	stack_id stack;
	if (line->count_count == 2 && reading->two_counts++ == 0 &&
		!name_types(reading->trace, true, err))
		return false;
	for (int i = 0; i < line->count_count; i++) {
		refine(set, line->counts[i].decimals);
		reading->rounded += line->counts[i].is_rounded;
	}
	for (int i = 0; i < line->count_count; i++)
		weights[i] = scaled(line->counts[i].value, set->decimals - line->counts[i].decimals);
	reading->line_count++;
	return find_stack(reading, &line->stack, &stack, err) &&
	       sample_set_add(set, stack, weights, NULL, 0, err);
}

/* What is no stack is told, comments and empty lines are not. */
static bool
take_line(struct reading *reading, const struct scan *text, struct error *err)
{
	struct stack_line line;
	if (is_comment(text)) {
		reading->comments++;
		return true;
	}
	if (is_empty(text))
		return true;
	if (read_line(*text, &line) && !reading->lines.is_part)
		return take_stack(reading, &line, err);
	reading->ignored++;
	line_damage_add(&reading->damage, &reading->lines, text, "has no count behind a stack");
	return true;
}

/* A line that is longer than a part of the reader's is put together. */
static bool
read_all(struct reading *reading, struct error *err)
{
	struct text whole = { 0 };
	struct scan text;
	bool is_fine = true, was_part = false;
	while (is_fine) {
		is_fine = line_reader_next(&reading->lines, &text, err);
		if (!is_fine || text.at == NULL)
			break;
		bool is_part = reading->lines.is_part;
		if (was_part || is_part) {
			if (!was_part)
				text_clear(&whole);
			text_add(&whole, text.at, scan_left(&text));
			text = scan_over_text(&whole);
		}
		if (whole.failed)
			is_fine = error_set_memory(err, "a line");
		else if (!is_part)
			is_fine = take_line(reading, &text, err);
		was_part = is_part;
	}
	text_release(&whole);
	if (is_fine && reading->line_count > 0 && !reading->lines.has_newline)
		line_damage_add_end(&reading->damage, &reading->lines,
			"no line end; the last count may be short");
	return is_fine;
}

/* ---- the trace */

static uint64_t
sum_of(struct reading *reading, unsigned type)
{
	const struct sample_set *set = reading->trace->samples;
	int64_t sum = 0;
	for (size_t i = 0; i < set->count; i++)
		sum = saturating_add_i64(sum, set->weights[i * set->type_count + type]);
	reading->is_too_large = reading->is_too_large || sum == INT64_MAX;
	return (uint64_t)sum;
}

/* Stacks that are told of, each once. */
static bool
count_stacks(const struct trace *trace, uint64_t *count, struct error *err)
{
	const struct sample_set *set = trace->samples;
	bool *is_known = array_new(stack_count(&trace->stacks), sizeof *is_known, err);
	*count = 0;
	for (size_t i = 0; is_known != NULL && i < set->count; i++) {
		*count += !is_known[set->stacks[i]];
		is_known[set->stacks[i]] = true;
	}
	memory_free(is_known);
	return is_known != NULL;
}

static bool
add_facts(struct reading *reading, struct error *err)
{
	struct trace *trace = reading->trace;
	bool are_two = trace->samples->type_count > 1;
	uint64_t stacks;
	/* A sum with digits behind the point is no number of this kind. */
	bool has_sum = trace->samples->decimals == 0;
	return count_stacks(trace, &stacks, err) &&
	       trace_add_fact(trace, "lines", reading->line_count, err) &&
	       trace_add_fact(trace, "ignored", reading->ignored, err) &&
	       trace_add_fact(trace, "comments", reading->comments, err) &&
	       trace_add_fact(trace, "stacks", stacks, err) &&
	       trace_add_fact(trace, "frames", trace->stacks.frames.count, err) &&
	       trace_add_fact(trace, "depth", reading->depth, err) &&
	       (!has_sum || trace_add_fact(trace, "sum", sum_of(reading, 0), err)) &&
	       (!has_sum || !are_two || trace_add_fact(trace, "sum_before", sum_of(reading, 1), err)) &&
	       trace_add_fact(trace, "damaged", reading->damage.count, err);
}

static struct trace *
load(struct input *in, const struct source_wish *wish, struct error *err)
{
	struct reading reading = { .trace = profile_trace_new(&folded_words, err) };
	(void)wish;
	if (reading.trace == NULL)
		return NULL;
	line_reader_init(&reading.lines, in);
	reading.lines.keeps_all = true;
	bool is_fine = name_types(reading.trace, false, err) && read_all(&reading, err) &&
		       add_facts(&reading, err) && profile_trace_finish(reading.trace, in, err);
	reading.trace->damage = reading.damage.map;
	reading.trace->event_count = reading.line_count;
	line_reader_release(&reading.lines);
	memory_free(reading.last);
	memory_free(reading.frames);
	memory_free(reading.path);
	memory_free(reading.nodes);
	memory_free(reading.frame_of);
	if (is_fine)
		return reading.trace;
	trace_free(reading.trace);
	return NULL;
}

/*
 * Nearly everything ends in numbers, so this is asked last of all, as it were: over half of the first
 * lines are of the form, and one has a semicolon.
 */
static unsigned
recognise(const uint8_t *bytes, size_t size)
{
	struct scan rest = scan_over((const char *)bytes, size), line;
	unsigned lines = 0, stacks = 0;
	bool has_semicolon = false, has_newline = true;
	while (lines < RECOGNISED_LINES && line_take(&rest, &line, &has_newline)) {
		struct stack_line read;
		/* The last one may be cut by where the look at the input ends. */
		if (is_empty(&line) || is_comment(&line) || (!has_newline && lines > 0))
			continue;
		lines++;
		if (!read_line(line, &read))
			continue;
		stacks++;
		has_semicolon = has_semicolon ||
				memchr(read.stack.at, ';', scan_left(&read.stack)) != NULL;
	}
	return has_semicolon && stacks * 2 > lines ? SOURCE_LEAST : 0;
}

const struct source folded_source = {
	.name = "folded",
	.input = "folded stacks",
	.recognised_by = "lines \"main;serve;read 12\": functions with semicolons, and one number or two",
	.answers = "which stacks weigh most, as a tree, a flame graph and by function",
	.recognise = recognise,
	.load = load,
	.is_whole = true,
};

/* Lines of spans, and the heap of those that may be among the first. */
#include "report/spans.h"

#include <inttypes.h>

#include "analysis/flows.h"
#include "analysis/slice_times.h"
#include "base/memory.h"
#include "draw/names.h"
#include "query/search.h"
#include "report/csv.h"
#include "report/markdown.h"
#include "report/words.h"
#include "trace/own_code.h"
#include "trace/words.h"

/* ---- columns */

/* A span or a slice, and what tells about it. */
struct line {
	const struct spans_list *list;
	const struct trace *trace;
	const char *file_name;
	const struct slice *slice; /* NULL: the span */
	const struct track *track; /* of the slice */
	const struct span *span;
	bool has_wake;
	struct span wake; /* the ready state that tells who woke it */
};

static bool
put_string(const struct line *line, string_id id, struct text *value)
{
	size_t length;
	const char *bytes = trace_text(line->trace, id, &length);
	text_add(value, bytes, length);
	return length > 0;
}

static bool
put_number(struct text *value, int64_t number)
{
	text_format(value, "%" PRId64, number);
	return true;
}

static bool
put_file(const struct line *line, struct text *value)
{
	text_add_string(value, line->file_name);
	return true;
}

static bool
put_start(const struct line *line, struct text *value)
{
	return put_number(value, line->span->start_ns);
}

static bool
put_duration(const struct line *line, struct text *value)
{
	return put_number(value, line->span->end_ns - line->span->start_ns);
}

static bool
put_open(const struct line *line, struct text *value)
{
	text_add_string(value, line->span->is_open ? "true" : "false");
	return true;
}

static bool
put_actor(const struct line *line, struct text *value)
{
	return put_number(value, trace_actor(line->trace, line->span->actor)->id);
}

static bool
put_name(const struct line *line, struct text *value)
{
	return put_string(
		line, trace_actor(line->trace, line->span->actor)->name, value);
}

static bool
put_state(const struct line *line, struct text *value)
{
	text_add_string(value, state_name(line->span->kind->state));
	return true;
}

static bool
put_class(const struct line *line, struct text *value)
{
	text_add_string(value, class_name(line->trace->words, line->span->time_class));
	return true;
}

static bool
put_reason(const struct line *line, struct text *value)
{
	return put_string(line, line->span->kind->reason, value);
}

static bool
put_processor(const struct line *line, struct text *value)
{
	resource_ref processor = line->span->processor;
	return processor != REF_NONE &&
	       put_number(value, trace_processor(line->trace, processor)->id);
}

static bool
put_thread(const struct line *line, struct text *value)
{
	resource_ref thread = line->span->thread;
	return thread != REF_NONE && put_number(value, trace_thread(line->trace, thread)->id);
}

static bool
put_function_of(
	const struct line *line, stack_id stack, actor_ref actor, struct text *value)
{
	const struct stack_frame *frame = own_code_frame(line->trace, stack, actor);
	return frame != NULL && put_string(line, frame->function, value);
}

static bool
put_function(const struct line *line, struct text *value)
{
	return put_function_of(line, line->span->stack, line->span->actor, value);
}

static bool
put_place(const struct line *line, struct text *value)
{
	const struct stack_frame *frame =
		own_code_frame(line->trace, line->span->stack, line->span->actor);
	if (frame == NULL || !put_string(line, frame->file, value))
		return false;
	text_format(value, ":%" PRIu64, frame->line);
	return true;
}

static actor_ref
waking_actor(const struct line *line)
{
	bool is_actor = line->has_wake && line->wake.waker.type == WAKER_ACTOR;
	return is_actor ? line->wake.waker.ref : REF_NONE;
}

static bool
put_waker(const struct line *line, struct text *value)
{
	actor_ref waker = waking_actor(line);
	return waker != REF_NONE && put_number(value, trace_actor(line->trace, waker)->id);
}

static bool
put_waker_name(const struct line *line, struct text *value)
{
	actor_ref waker = waking_actor(line);
	return waker != REF_NONE &&
	       put_string(line, trace_actor(line->trace, waker)->name, value);
}

static bool
put_waker_function(const struct line *line, struct text *value)
{
	return line->has_wake && put_function_of(line, line->wake.waker_stack, waking_actor(line), value);
}

static bool
put_slice_start(const struct line *line, struct text *value)
{
	return put_number(value, line->slice->start_ns);
}

static bool
put_slice_duration(const struct line *line, struct text *value)
{
	return put_number(value, line->slice->end_ns - line->slice->start_ns);
}

static bool
put_slice_took(const struct line *line, struct text *value)
{
	return put_number(value, line->slice->took_ns);
}

static bool
put_slice_self(const struct line *line, struct text *value)
{
	int64_t self_ns;
	return slice_self(line->trace->slices, line->slice, &self_ns) && put_number(value, self_ns);
}

static bool
put_slice_flag(const struct line *line, enum slice_flag flag, struct text *value)
{
	text_add_string(value, (line->slice->flags & flag) != 0 ? "true" : "false");
	return true;
}

static bool
put_slice_open(const struct line *line, struct text *value)
{
	return put_slice_flag(line, SLICE_OPEN, value);
}

static bool
put_slice_cut(const struct line *line, struct text *value)
{
	return put_slice_flag(line, SLICE_CUT, value);
}

static bool
put_slice_began_before(const struct line *line, struct text *value)
{
	return put_slice_flag(line, SLICE_BEGAN_BEFORE, value);
}

static bool
put_slice_name(const struct line *line, struct text *value)
{
	return put_string(line, line->slice->name, value);
}

static bool
put_slice_depth(const struct line *line, struct text *value)
{
	return put_number(value, line->slice->column - line->track->first_column);
}

static bool
put_slice_actor(const struct line *line, struct text *value)
{
	return line->track->owner == TRACK_OF_ACTOR &&
	       put_number(value, trace_actor(line->trace, line->track->ref)->id);
}

static bool
put_slice_actor_name(const struct line *line, struct text *value)
{
	return line->track->owner == TRACK_OF_ACTOR &&
	       put_string(line, trace_actor(line->trace, line->track->ref)->name, value);
}

static bool
put_slice_processor(const struct line *line, struct text *value)
{
	return line->track->owner == TRACK_OF_RESOURCE &&
	       put_number(value, trace_processor(line->trace, line->track->ref)->id);
}

static bool
put_slice_detail(const struct line *line, struct text *value)
{
	return put_string(line, line->slice->detail, value);
}

/* The fields of the query language by their names, and what else there is. */
struct column {
	const char *name; /* a pattern of words_key() */
	bool is_text; /* else a number or true or false */
	/* Appends the value as it is; false where there is none. */
	bool (*put)(const struct line *line, struct text *value);
};

static const struct column columns_of_slices[] = {
	{ "file", true, put_file },
	{ "start_ns", false, put_slice_start },
	{ "dur_ns", false, put_slice_duration },
	{ "took_ns", false, put_slice_took },
	{ "self_ns", false, put_slice_self },
	{ "open", false, put_slice_open },
	{ "cut", false, put_slice_cut },
	{ "began_before", false, put_slice_began_before },
	{ "name", true, put_slice_name },
	{ "depth", false, put_slice_depth },
	{ "{id}", false, put_slice_actor },
	{ "actor_name", true, put_slice_actor_name },
	{ "{processor}", false, put_slice_processor },
	{ "detail", true, put_slice_detail },
};

static const struct column columns_of_spans[] = {
	{ "file", true, put_file },
	{ "start_ns", false, put_start },
	{ "dur_ns", false, put_duration },
	{ "open", false, put_open },
	{ "{id}", false, put_actor },
	{ "name", true, put_name },
	{ "state", true, put_state },
	{ "class", true, put_class },
	{ "reason", true, put_reason },
	{ "{p}", false, put_processor },
	{ "{m}", false, put_thread },
	{ "func", true, put_function },
	{ "place", true, put_place },
	{ "{wake_id}", false, put_waker },
	{ "wake.name", true, put_waker_name },
	{ "wake.func", true, put_waker_function },
};

static const struct column *
columns_of(const struct spans_list *list, size_t *count)
{
	*count = list->is_of_slices ? ARRAY_LENGTH(columns_of_slices)
				    : ARRAY_LENGTH(columns_of_spans);
	return list->is_of_slices ? columns_of_slices : columns_of_spans;
}

/* ---- CSV and JSON */

static void
make_csv(struct spans_list *list, const struct line *line)
{
	size_t count;
	const struct column *columns = columns_of(list, &count);
	for (size_t i = 0; i < count; i++) {
		text_clear(&list->value);
		if (i > 0)
			text_add_string(&list->line, ",");
		if (columns[i].put(line, &list->value) && list->value.length > 0)
			csv_add(&list->line, list->value.bytes, list->value.length,
				list->options->ascii);
	}
}

static void
make_json(struct spans_list *list, const struct line *line)
{
	size_t count;
	const struct column *columns = columns_of(list, &count);
	for (size_t i = 0; i < count; i++) {
		text_clear(&list->value);
		bool has_value = columns[i].put(line, &list->value);
		const char *quote = columns[i].is_text && has_value ? "\"" : "";
		text_format(&list->line, "%s\"%s\":%s", i == 0 ? "{" : ",",
			words_key(line->trace->words, columns[i].name), quote);
		if (!has_value)
			text_add_string(&list->line, "null");
		else
			text_add_json(&list->line, list->value.bytes, list->value.length);
		text_add_string(&list->line, quote);
	}
	text_add_string(&list->line, "}");
}

static bool
is_markdown(const struct spans_list *list)
{
	return list->options->format == REPORT_AS_MARKDOWN;
}

static void
add_titles(const struct spans_list *list, const struct words *words, struct text *out)
{
	if (is_markdown(list)) {
		text_add_string(out, list->names_files ? "| file " : "");
		text_add_string(out, list->is_of_slices
					     ? "| at | for | what | whose | depth | details |\n"
					     : "| at | for | who | state | where | woken by |\n");
		text_add_string(out, list->names_files ? "| --- " : "");
		text_add_string(out, list->is_of_slices
					     ? "| ---: | ---: | --- | --- | ---: | --- |\n"
					     : "| ---: | ---: | --- | --- | --- | --- |\n");
	}
	if (list->options->format != REPORT_AS_CSV)
		return;
	size_t count;
	const struct column *columns = columns_of(list, &count);
	for (size_t i = 0; i < count; i++)
		text_format(out, "%s%s", i == 0 ? "" : ",", words_key(words, columns[i].name));
	text_add_string(out, "\n");
}

/* ---- text and Markdown */

/*
 * Puts the value on the line in so many cells, or more where it is longer; and a gap. Without cells
 * no value is nothing.
 */
static void
add_cell(struct spans_list *list, size_t cells, bool is_right)
{
	if (is_markdown(list)) {
		text_add_string(&list->line, "| ");
		markdown_add(&list->line, list->value.bytes, list->value.length);
		text_add_string(&list->line, " ");
		text_clear(&list->value);
		return;
	}
	if (cells == 0 && list->value.length == 0)
		return;
	size_t width = text_width(list->value.bytes, list->value.length);
	int padding = width < cells ? (int)(cells - width) : 0;
	if (is_right)
		text_format(&list->line, "%*s", padding, "");
	text_add(&list->line, list->value.bytes, list->value.length);
	text_format(&list->line, "%*s  ", is_right ? 0 : padding, "");
	text_clear(&list->value);
}

static void
add_stack(struct spans_list *list, const struct line *line)
{
	stack_id own = own_code_stack(line->trace, line->span->stack, line->span->actor);
	if (own == STACK_NONE)
		return;
	const struct stack_frame *frame = stack_leaf(&line->trace->stacks, own);
	if (own_code_is_creation(line->trace, line->span->stack, own))
		text_add_string(&list->value, "created by ");
	words_string(&list->value, list->options, line->trace, frame->function);
	text_add_string(&list->value, " (");
	text_add_place(&list->value, line->trace, frame, list->options->ascii);
	text_add_string(&list->value, ")");
}

enum { START_CELLS = 14, DURATION_CELLS = 8, ACTOR_CELLS = 24, STATE_CELLS = 20 };

/* What a row begins with: the file, when and for how long. */
static void
begin_row(struct spans_list *list, const struct line *line, int64_t start_ns, int64_t duration_ns)
{
	text_clear(&list->value);
	if (list->names_files && is_markdown(list)) {
		text_add_string(&list->value, line->file_name);
		add_cell(list, 0, false);
	} else if (list->names_files) {
		text_format(&list->line, "%s: ", line->file_name);
	}
	/* Whole, so that it lies within the span, and that the points stand below each other. */
	words_moment(&list->value, list->options, line->trace, start_ns, 1);
	add_cell(list, START_CELLS, true);
	words_duration(&list->value, list->options, duration_ns);
	add_cell(list, DURATION_CELLS, true);
}

static void
end_row(struct spans_list *list)
{
	while (list->line.length > 0 && list->line.bytes[list->line.length - 1] == ' ')
		list->line.bytes[--list->line.length] = '\0';
	text_add_string(&list->line, is_markdown(list) ? " |" : "");
}

static void
make_slice_row(struct spans_list *list, const struct line *line)
{
	const struct slice *slice = line->slice;
	enum { NAME_CELLS = 32, DEPTH_CELLS = 8 };
	begin_row(list, line, slice->start_ns, slice->end_ns - slice->start_ns);
	words_string(&list->value, list->options, line->trace, slice->name);
	add_cell(list, NAME_CELLS, false);
	if (line->track->owner == TRACK_OF_ACTOR)
		words_actor(&list->value, list->options, line->trace, line->track->ref);
	else if (line->track->owner == TRACK_OF_RESOURCE)
		text_add_id(&list->value, &line->trace->words->processor,
			trace_processor(line->trace, line->track->ref)->id);
	add_cell(list, ACTOR_CELLS, false);
	text_format(&list->value, "%s%" PRIu32, is_markdown(list) ? "" : "depth ",
		slice->column - line->track->first_column);
	add_cell(list, DEPTH_CELLS, false);
	if ((slice->flags & SLICE_BEGAN_BEFORE) != 0)
		text_add_string(&list->value, "its begin is lost");
	if ((slice->flags & SLICE_OPEN) != 0)
		text_add_string(&list->value, "not ended");
	if ((slice->flags & SLICE_CUT) != 0)
		text_add_string(&list->value, "its end is lost");
	if (slice->detail != STRING_EMPTY) {
		text_add_string(&list->value, list->value.length > 0 ? ", " : "");
		words_string(&list->value, list->options, line->trace, slice->detail);
	}
	add_cell(list, 0, false);
	end_row(list);
}

static void
make_row(struct spans_list *list, const struct line *line)
{
	const struct span *span = line->span;
	if (line->slice != NULL) {
		make_slice_row(list, line);
		return;
	}
	begin_row(list, line, span->start_ns, span->end_ns - span->start_ns);
	words_actor(&list->value, list->options, line->trace, span->actor);
	add_cell(list, ACTOR_CELLS, false);
	text_add_string(&list->value, state_name(span->kind->state));
	if (span->kind->reason != STRING_EMPTY) {
		text_add_string(&list->value, ": ");
		words_string(&list->value, list->options, line->trace, span->kind->reason);
	}
	add_cell(list, STATE_CELLS, false);
	add_stack(list, line);
	add_cell(list, 0, false);
	if (waking_actor(line) != REF_NONE)
		text_add_string(&list->value, is_markdown(list) ? "" : "woken by ");
	words_actor(&list->value, list->options, line->trace, waking_actor(line));
	add_cell(list, 0, false);
	end_row(list);
}

/* ---- the heap */

/* Whether a is to stand behind b in the list. */
static bool
is_behind(const struct spans_held *a, const struct spans_held *b)
{
	if (a->duration_ns != b->duration_ns)
		return a->duration_ns < b->duration_ns;
	return a->number > b->number;
}

static void
swap(struct spans_held *a, struct spans_held *b)
{
	struct spans_held swapped = *a;
	*a = *b;
	*b = swapped;
}

/* The item has moved towards the end of the list. */
static void
sift_up(struct spans_held *heap, size_t at)
{
	for (; at > 0 && is_behind(&heap[at], &heap[(at - 1) / 2]); at = (at - 1) / 2)
		swap(&heap[at], &heap[(at - 1) / 2]);
}

static void
sift_down(struct spans_held *heap, size_t count)
{
	for (size_t at = 0;;) {
		size_t child = at * 2 + 1;
		if (child + 1 < count && is_behind(&heap[child + 1], &heap[child]))
			child++;
		if (child >= count || !is_behind(&heap[child], &heap[at]))
			return;
		swap(&heap[at], &heap[child]);
		at = child;
	}
}

static bool
hold_line(struct spans_list *list, struct spans_held item, struct error *err)
{
	item.length = list->line.length;
	item.line = array_copy(list->line.bytes, item.length, 1, err);
	if (item.line == NULL)
		return false;
	list->held_bytes += item.length;
	if (list->limit > 0 && list->held_count == list->limit) {
		list->held_bytes -= list->held[0].length;
		memory_free(list->held[0].line);
		list->held[0] = item;
		sift_down(list->held, list->held_count);
		return true;
	}
	if (!array_reserve(&list->held, &list->held_capacity, list->held_count + 1,
		    sizeof(*list->held), err)) {
		memory_free(item.line);
		return false;
	}
	list->held[list->held_count++] = item;
	sift_up(list->held, list->held_count - 1);
	return true;
}

/* ---- the list */

static bool
write_out(struct spans_list *list, struct text *out, struct error *err)
{
	if (out->failed || list->line.failed || list->value.failed)
		return error_set_memory(err, "the spans");
	return report_flush(list->options, out, err);
}

/* Fills list->line. */
static void
make_line(struct spans_list *list, struct line *line)
{
	static void (*const makers[])(struct spans_list *list, const struct line *line) = {
		[REPORT_AS_TEXT] = make_row,
		[REPORT_AS_CSV] = make_csv,
		[REPORT_AS_JSON] = make_json,
		[REPORT_AS_MARKDOWN] = make_row,
	};
	line->has_wake = line->slice == NULL && flows_ready(line->trace, line->span, &line->wake);
	text_clear(&list->line);
	makers[list->options->format](list, line);
	text_add_string(&list->line, "\n");
}

static bool
add_line(struct spans_list *list, struct line *line, int64_t duration_ns, struct text *out,
	struct error *err)
{
	struct spans_held item = { duration_ns, list->found++, NULL, 0 };
	if (list->order == SPANS_BY_START) {
		make_line(list, line);
		text_add(out, list->line.bytes, list->line.length);
		return write_out(list, out, err);
	}
	bool is_full = list->limit > 0 && list->held_count == list->limit;
	if (is_full && is_behind(&item, &list->held[0]))
		return true;
	make_line(list, line);
	return write_out(list, out, err) && hold_line(list, item, err);
}

bool
spans_list_is_full(const struct spans_list *list)
{
	return list->order == SPANS_BY_START && list->limit > 0 && list->found >= list->limit;
}

/* Whether [start, end) overlaps the interval, and whether none that begins later does. */
static bool
is_within(const struct spans_list *list, int64_t start_ns, int64_t end_ns, bool *is_last)
{
	const struct report_options *options = list->options;
	*is_last = options->has_interval && start_ns >= options->t1_ns;
	return !*is_last && (!options->has_interval || start_ns >= options->t0_ns ||
				    end_ns > options->t0_ns);
}

static bool
add_slices(struct spans_list *list, struct line *line, struct search *search, struct text *out,
	struct error *err)
{
	const struct slices *slices = line->trace->slices;
	struct slice slice;
	bool is_last = false;
	line->slice = &slice;
	for (uint64_t i = 0; i < search_slice_count(search) && !spans_list_is_full(list); i++) {
		search_slice(search, i, &slice);
		bool has_slice = is_within(list, slice.start_ns, slice.end_ns, &is_last);
		if (is_last)
			break;
		line->track = slices_track_at(slices, slices_track_of_column(slices, slice.column));
		if (has_slice &&
			!add_line(list, line, slice.end_ns - slice.start_ns, out, err))
			return false;
	}
	return true;
}

static bool
add_spans(struct spans_list *list, struct line *line, struct search *search, struct text *out,
	struct error *err)
{
	struct span span;
	bool is_last = false;
	line->span = &span;
	for (uint64_t i = 0; search_match(search, i, &span) && !spans_list_is_full(list); i++) {
		bool has_span = is_within(list, span.start_ns, span.end_ns, &is_last);
		if (is_last)
			break;
		if (has_span && !add_line(list, line, span.end_ns - span.start_ns, out, err))
			return false;
	}
	return true;
}

bool
spans_list_add(struct spans_list *list, const struct trace *trace, const char *file_name,
	struct search *search, struct text *out, struct error *err)
{
	struct line line = { .list = list, .trace = trace, .file_name = file_name };
	bool has_slices = search_slice_count(search) > 0;
	if (list->words == NULL)
		list->words = trace->words;
	if (!list->has_titles && (has_slices || search_count(search) > 0)) {
		list->is_of_slices = has_slices;
		list->has_titles = true;
		add_titles(list, trace->words, out);
	}
	return (list->is_of_slices ? add_slices(list, &line, search, out, err)
				   : add_spans(list, &line, search, out, err)) &&
	       write_out(list, out, err);
}

bool
spans_list_finish(struct spans_list *list, struct text *out, struct error *err)
{
	size_t count = list->held_count;
	if (!list->has_titles && list->words != NULL)
		add_titles(list, list->words, out);
	for (size_t left = count; left > 1; left--) {
		swap(&list->held[0], &list->held[left - 1]);
		sift_down(list->held, left - 1);
	}
	for (size_t i = 0; i < count; i++) {
		text_add(out, list->held[i].line, list->held[i].length);
		if (!write_out(list, out, err))
			return false;
	}
	return true;
}

void
spans_list_release(struct spans_list *list)
{
	for (size_t i = 0; i < list->held_count; i++)
		memory_free(list->held[i].line);
	memory_free(list->held);
	text_release(&list->value);
	text_release(&list->line);
	list->held = NULL;
	list->held_count = list->held_capacity = list->held_bytes = 0;
}

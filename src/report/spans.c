/* Lines of spans, and the heap of those that may be among the first. */
#include "report/spans.h"

#include <inttypes.h>

#include "analysis/flows.h"
#include "base/memory.h"
#include "draw/names.h"
#include "query/search.h"
#include "report/csv.h"
#include "report/markdown.h"
#include "report/words.h"
#include "trace/own_code.h"
#include "trace/words.h"

/* ---- columns */

/* A span and what tells about it. */
struct line {
	const struct spans_list *list;
	const struct trace *trace;
	const char *file_name;
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

/* The fields of the query language by their names, and what else there is. */
static const struct column {
	const char *name;
	bool is_text; /* else a number or true or false */
	/* Appends the value as it is; false where there is none. */
	bool (*put)(const struct line *line, struct text *value);
} columns[] = {
	{ "file", true, put_file },
	{ "start_ns", false, put_start },
	{ "dur_ns", false, put_duration },
	{ "open", false, put_open },
	{ "g", false, put_actor },
	{ "name", true, put_name },
	{ "state", true, put_state },
	{ "class", true, put_class },
	{ "reason", true, put_reason },
	{ "p", false, put_processor },
	{ "m", false, put_thread },
	{ "func", true, put_function },
	{ "place", true, put_place },
	{ "wake.g", false, put_waker },
	{ "wake.name", true, put_waker_name },
	{ "wake.func", true, put_waker_function },
};

/* ---- CSV and JSON */

static void
make_csv(struct spans_list *list, const struct line *line)
{
	for (size_t i = 0; i < ARRAY_LENGTH(columns); i++) {
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
	for (size_t i = 0; i < ARRAY_LENGTH(columns); i++) {
		text_clear(&list->value);
		bool has_value = columns[i].put(line, &list->value);
		const char *quote = columns[i].is_text && has_value ? "\"" : "";
		text_format(&list->line, "%s\"%s\":%s", i == 0 ? "{" : ",", columns[i].name, quote);
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
add_titles(const struct spans_list *list, struct text *out)
{
	if (is_markdown(list)) {
		text_add_string(out, list->names_files ? "| file " : "");
		text_add_string(out, "| at | for | who | state | where | woken by |\n");
		text_add_string(out, list->names_files ? "| --- " : "");
		text_add_string(out, "| ---: | ---: | --- | --- | --- | --- |\n");
	}
	if (list->options->format != REPORT_AS_CSV)
		return;
	for (size_t i = 0; i < ARRAY_LENGTH(columns); i++)
		text_format(out, "%s%s", i == 0 ? "" : ",", columns[i].name);
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

static void
make_row(struct spans_list *list, const struct line *line)
{
	enum { START_CELLS = 14, DURATION_CELLS = 8, ACTOR_CELLS = 24, STATE_CELLS = 20 };
	const struct span *span = line->span;
	int64_t duration_ns = span->end_ns - span->start_ns;
	text_clear(&list->value);
	if (list->names_files && is_markdown(list)) {
		text_add_string(&list->value, line->file_name);
		add_cell(list, 0, false);
	} else if (list->names_files) {
		text_format(&list->line, "%s: ", line->file_name);
	}
	/* Whole, so that it lies within the span, and that the points stand below each other. */
	words_moment(&list->value, list->options, line->trace, span->start_ns, 1);
	add_cell(list, START_CELLS, true);
	words_duration(&list->value, list->options, duration_ns);
	add_cell(list, DURATION_CELLS, true);
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
	while (list->line.length > 0 && list->line.bytes[list->line.length - 1] == ' ')
		list->line.bytes[--list->line.length] = '\0';
	text_add_string(&list->line, is_markdown(list) ? " |" : "");
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
	line->has_wake = flows_ready(line->trace, line->span, &line->wake);
	text_clear(&list->line);
	makers[list->options->format](list, line);
	text_add_string(&list->line, "\n");
}

static bool
add_span(struct spans_list *list, struct line *line, struct text *out, struct error *err)
{
	struct spans_held item = { line->span->end_ns - line->span->start_ns, list->found++, NULL, 0 };
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

bool
spans_list_add(struct spans_list *list, const struct trace *trace, const char *file_name,
	struct search *search, struct text *out, struct error *err)
{
	const struct report_options *options = list->options;
	struct span span;
	struct line line = { .list = list, .trace = trace, .file_name = file_name, .span = &span };
	if (!list->has_titles)
		add_titles(list, out);
	list->has_titles = true;
	for (uint64_t i = 0; search_match(search, i, &span) && !spans_list_is_full(list); i++) {
		if (options->has_interval && span.start_ns >= options->t1_ns)
			break;
		if (options->has_interval && span.start_ns < options->t0_ns &&
			span.end_ns <= options->t0_ns)
			continue;
		if (!add_span(list, &line, out, err))
			return false;
	}
	return write_out(list, out, err);
}

bool
spans_list_finish(struct spans_list *list, struct text *out, struct error *err)
{
	size_t count = list->held_count;
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

/* What cells say, how they are ordered by their type, and which rows are shown in which order. */
#include "view/figure_table.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "base/units.h"
#include "draw/names.h"
#include "draw/task_words.h"
#include "draw/time_form.h"
#include "query/pattern.h"
#include "query/radix.h"
#include "result/measure.h"
#include "trace/words.h"

enum { MOMENT_STEPS = 100000 /* of the trace, that moments are told apart by */, MILLION = 1000000 };

/* ---- what a cell says */

static bool
is_named(enum figure_type type)
{
	return type <= FIGURE_NAME;
}

/* Of a cell that is named. */
static const char *
text_of(const struct figures *figures, const struct trace *trace, struct figures_at at, size_t *length)
{
	enum figure_type type = figures->columns[at.column].type;
	string_id id = (string_id)*figures_cell(figures, at.layer, at.row, at.column);
	if (type == FIGURE_TEXT && *figures_cell(figures, at.layer, at.row, at.column) == FIGURE_NONE)
		id = STRING_EMPTY;
	if (type == FIGURE_TEXT || type == FIGURE_NAME)
		return intern_text(figures->own_texts, id, length);
	return figures->texts != NULL ? intern_text(figures->texts, id, length)
				      : trace_text(trace, id, length);
}

/* What has no name has a word for that. */
static void
add_named(struct text *out, enum figure_type type, const char *bytes, size_t length, bool ascii)
{
	if (length > 0 || type == FIGURE_STRING || type == FIGURE_TEXT)
		text_add_safe(out, bytes, length, ascii);
	else
		text_add_string(out, type == FIGURE_CALLED ? NAME_CALLED_UNKNOWN : NAME_START_UNKNOWN);
}

static void
add_frame(struct text *out, const struct trace *trace, stack_id stack, bool ascii)
{
	if (stack != STACK_NONE)
		name_string(out, trace, stack_leaf(&trace->stacks, stack)->function, ascii);
}

static void
add_number(struct text *out, enum figure_type type, int64_t value, int decimals, bool ascii)
{
	char number[UNITS_TEXT] = "";
	if (value == FIGURE_NONE)
		return;
	if (value != 0 && (type == FIGURE_AMOUNT || (type == FIGURE_BYTES && value < 0))) {
		amount_add(out, value, decimals);
		return;
	}
	if (type == FIGURE_COUNT)
		units_count(number, (uint64_t)value);
	else if (type == FIGURE_BYTES)
		units_bytes(number, (uint64_t)value);
	else if (type == FIGURE_MEAN)
		snprintf(number, sizeof number, "%.2f", figure_share(value));
	else if (type == FIGURE_SHARE || type == FIGURE_PERCENT)
		units_share(number, (int64_t)(figure_share(value) * MILLION), MILLION);
	else
		units_duration(number, value, ascii);
	text_add_string(out, value == 0 ? "-" : number);
}

static void
add_moment(struct text *out, const struct trace *trace, int64_t t_ns, bool is_wall, bool ascii)
{
	char moment[UNITS_TEXT];
	int64_t step_ns = trace->end_ns / MOMENT_STEPS;
	time_form_write(moment, time_form_of(trace, is_wall, ascii), t_ns, step_ns > 0 ? step_ns : 1,
		trace->end_ns);
	text_add_string(out, moment);
}

/* "+12%", "-100%" of what is gone, "new". */
static void
add_change(struct text *out, enum figure_type type, int64_t value, bool ascii)
{
	char number[UNITS_TEXT];
	if (type != FIGURE_CHANGE_SHARE) {
		units_change(number, value, figure_units(type), ascii);
		text_add_string(out, number);
		return;
	}
	units_share(number, value < 0 ? -value : value, MILLION);
	if (value == 0 || value == FIGURE_NEW)
		text_add_string(out, value == 0 ? "=" : "new");
	else
		text_format(out, "%c%s", value < 0 ? '-' : '+', number);
}

void
figures_add(const struct figures *figures, const struct trace *trace, struct figures_at at,
	bool is_wall, bool ascii, struct text *out)
{
	enum figure_type type = figures->columns[at.column].type;
	int64_t value = *figures_cell(figures, at.layer, at.row, at.column);
	const char *bytes;
	size_t length;
	switch (type) {
	case FIGURE_FUNCTION:
	case FIGURE_CALLED:
	case FIGURE_STRING:
	case FIGURE_TEXT:
	case FIGURE_NAME:
		bytes = text_of(figures, trace, at, &length);
		add_named(out, type, bytes, length, ascii);
		return;
	case FIGURE_ACTOR:
		if ((actor_ref)value != REF_NONE)
			name_actor(out, trace, (actor_ref)value, ascii);
		return;
	case FIGURE_TASK:
		if ((task_ref)value != REF_NONE)
			task_words_name(out, trace, (task_ref)value, ascii);
		return;
	case FIGURE_PROCESSOR:
		if ((resource_ref)value != REF_NONE)
			text_add_id(out, &trace->words->processor,
				trace_processor(trace, (resource_ref)value)->id);
		return;
	case FIGURE_FRAME:
		add_frame(out, trace, (stack_id)value, ascii);
		return;
	case FIGURE_NUMBER:
		if (value != FIGURE_NONE)
			text_format(out, "%" PRId64, value);
		return;
	case FIGURE_MOMENT:
		if (value != FIGURE_NONE)
			add_moment(out, trace, value, is_wall, ascii);
		return;
	case FIGURE_BAR:
		return;
	case FIGURE_COUNT:
	case FIGURE_AMOUNT:
	case FIGURE_DURATION:
	case FIGURE_BYTES:
	case FIGURE_SHARE:
	case FIGURE_PERCENT:
	case FIGURE_MEAN:
		add_number(out, type, value, figures->columns[at.column].decimals, ascii);
		return;
	case FIGURE_CHANGE:
	case FIGURE_CHANGE_COUNT:
	case FIGURE_CHANGE_BYTES:
	case FIGURE_CHANGE_SHARE:
		add_change(out, type, value, ascii);
		return;
	}
}

/* ---- by what a cell is ordered */

/* The bytes of a cell that is a name; NULL for others. */
static const char *
name_of(const struct figures *figures, const struct trace *trace, struct figures_at at, size_t *length)
{
	enum figure_type type = figures->columns[at.column].type;
	stack_id stack = (stack_id)*figures_cell(figures, at.layer, at.row, at.column);
	if (is_named(type))
		return text_of(figures, trace, at, length);
	if (type != FIGURE_FRAME)
		return NULL;
	return trace_text(trace,
		stack != STACK_NONE ? stack_leaf(&trace->stacks, stack)->function : STRING_EMPTY,
		length);
}

void
figures_add_name(const struct figures *figures, const struct trace *trace, struct figures_at at,
	struct text *out)
{
	size_t length;
	const char *bytes = name_of(figures, trace, at, &length);
	if (bytes != NULL)
		text_add(out, bytes, length);
}

static int64_t
order_of(const struct trace *trace, enum figure_type type, int64_t value)
{
	bool is_ref = type == FIGURE_ACTOR || type == FIGURE_TASK || type == FIGURE_PROCESSOR;
	if (is_ref && (uint32_t)value == REF_NONE)
		return INT64_MIN;
	if (type == FIGURE_ACTOR)
		return trace_actor(trace, (actor_ref)value)->id;
	if (type == FIGURE_TASK)
		return trace_task(trace, (task_ref)value)->id;
	if (type == FIGURE_PROCESSOR)
		return trace_processor(trace, (resource_ref)value)->id;
	/* What changed most stands beside what changed as much the other way. */
	if (figure_is_change(type) && type != FIGURE_CHANGE_SHARE)
		return value == INT64_MIN ? INT64_MAX : value < 0 ? -value : value;
	return value;
}

bool
figure_row_matches(const struct figure_page *page, const struct figures *figures,
	const struct trace *trace, size_t row, struct pattern *pattern, struct text *scratch)
{
	for (int column = 0; column < figures->column_count; column++) {
		enum figure_type type = figures->columns[column].type;
		if (!figure_is_text(type))
			continue;
		text_clear(scratch);
		figures_add(figures, trace, (struct figures_at){ page->layer, row, column }, false,
			false, scratch);
		if (scratch->length > 0 &&
			pattern_matches(pattern, scratch->bytes, scratch->length))
			return true;
	}
	return false;
}

/* ---- the order of rows */

/* What a row is ordered by: bytes, of the trace or the texts, where they are not NULL; else the number. */
struct figure_key {
	const char *bytes;
	size_t length;
	int64_t number;
	uint32_t row;
};

static int
compare_texts(const struct figure_key *a, const struct figure_key *b)
{
	return text_compare(a->bytes, a->length, b->bytes, b->length);
}

/* Equals stay in the order in which the analysis has them. */
static int
compare_up(const void *a, const void *b)
{
	const struct figure_key *left = a, *right = b;
	int order = compare_texts(left, right);
	return order != 0 ? order : (left->row > right->row) - (left->row < right->row);
}

static int
compare_down(const void *a, const void *b)
{
	const struct figure_key *left = a, *right = b;
	int order = compare_texts(right, left);
	return order != 0 ? order : (left->row > right->row) - (left->row < right->row);
}

/* The rows that are shown, in the order of the analysis. */
static bool
gather(struct figure_page *page, const struct figures *figures, const struct trace *trace,
	struct error *err)
{
	struct text scratch = { 0 };
	page->shown = 0;
	if (!array_reserve(&page->order, &page->capacity, figures->row_count, sizeof *page->order,
		    err))
		return false;
	for (size_t row = 0; row < figures->row_count; row++) {
		if (page->only == NULL ||
			figure_row_matches(page, figures, trace, row, page->only, &scratch))
			page->order[page->shown++] = (uint32_t)row;
	}
	text_release(&scratch);
	return true;
}

static struct figure_key
key_of(const struct figure_page *page, const struct figures *figures, const struct trace *trace,
	size_t at)
{
	const struct figures_at cell = { page->layer, page->order[at], page->sort_column };
	struct figure_key key = { .row = page->order[at] };
	key.bytes = name_of(figures, trace, cell, &key.length);
	if (key.bytes == NULL)
		key.number = order_of(trace, figures->columns[cell.column].type,
			*figures_cell(figures, cell.layer, cell.row, cell.column));
	return key;
}

static bool
sort_texts(struct figure_page *page, const struct figures *figures, const struct trace *trace,
	bool is_down, struct error *err)
{
	struct figure_key *keys = array_new_unset(page->shown, sizeof *keys, err);
	if (keys == NULL)
		return false;
	for (size_t i = 0; i < page->shown; i++)
		keys[i] = key_of(page, figures, trace, i);
	if (page->shown > 0)
		qsort(keys, page->shown, sizeof *keys, is_down ? compare_down : compare_up);
	for (size_t i = 0; i < page->shown; i++)
		page->order[i] = keys[i].row;
	memory_free(keys);
	return true;
}

/* In linear time, as there may be very many rows and a key is to be answered at once. */
static bool
sort_numbers(struct figure_page *page, const struct figures *figures, const struct trace *trace,
	bool is_down, struct error *err)
{
	struct radix_item *items = array_new_unset(page->shown, sizeof *items, err);
	for (size_t i = 0; items != NULL && i < page->shown; i++) {
		/* Below 0 comes before the rest. */
		uint64_t key = (uint64_t)key_of(page, figures, trace, i).number ^ (UINT64_C(1) << 63);
		items[i] = (struct radix_item){ is_down ? ~key : key, page->order[i] };
	}
	bool is_fine = items != NULL && radix_sort(items, page->shown, NULL, err);
	for (size_t i = 0; is_fine && i < page->shown; i++)
		page->order[i] = (uint32_t)items[i].value;
	memory_free(items);
	return is_fine;
}

void
figure_rows_arrange(struct figure_page *page, const struct figures *figures, const struct trace *trace)
{
	struct error err;
	if (page->is_ordered)
		return;
	error_clear(&err);
	page->is_ordered = true;
	page->width = 0; /* other rows may be shown, for which the columns are measured anew */
	enum figure_type type = figures->columns[page->sort_column].type;
	bool is_down = (type > FIGURE_MOMENT) != page->is_reversed;
	bool has_texts = figure_is_text(type) && type != FIGURE_ACTOR && type != FIGURE_TASK;
	bool is_fine = gather(page, figures, trace, &err) &&
		       (has_texts ? sort_texts(page, figures, trace, is_down, &err)
				  : sort_numbers(page, figures, trace, is_down, &err));
	if (!is_fine)
		page->shown = 0;
}

size_t
figure_rows_find(const struct figure_page *page, uint32_t row)
{
	for (size_t i = 0; i < page->shown; i++) {
		if (page->order[i] == row)
			return i;
	}
	return 0;
}

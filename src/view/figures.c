/* What cells say and how they are ordered, by their type. */
#include "view/figures.h"

#include <inttypes.h>
#include <string.h>

#include "analysis/cycles.h"
#include "base/checked.h"
#include "base/memory.h"
#include "base/units.h"
#include "draw/names.h"
#include "draw/task_words.h"
#include "draw/time_form.h"
#include "trace/words.h"

enum { MOMENT_STEPS = 100000 /* of the trace, that moments are told apart by */, MILLION = 1000000 };

struct figures *
figures_new(size_t row_count, int column_count, int layer_count, struct error *err)
{
	struct figures *figures = array_new(1, sizeof *figures, err);
	size_t count;
	if (figures == NULL)
		return NULL;
	figures->row_count = row_count;
	figures->column_count = column_count;
	figures->layer_count = layer_count;
	figures->columns = array_new((size_t)column_count, sizeof *figures->columns, err);
	if (!checked_mul_size(row_count, (size_t)(column_count * layer_count), &count))
		error_set_memory(err, "the analysis");
	else
		figures->cells = array_new(count, sizeof *figures->cells, err);
	if (figures->columns != NULL && figures->cells != NULL)
		return figures;
	figures_free(figures);
	return NULL;
}

struct figures_column
figures_actor_column(const struct trace *trace)
{
	struct figures_column column = { .type = FIGURE_ACTOR };
	snprintf(column.title, sizeof column.title, "%s", trace->words->actor.one);
	return column;
}

bool
figures_add_places(struct figures *figures, struct error *err)
{
	figures->places = array_new(figures->row_count, sizeof *figures->places, err);
	return figures->places != NULL;
}

struct figures *
figures_new_with(const struct figures_column *columns, int column_count, size_t row_count,
	struct error *err)
{
	struct figures *figures = figures_new(row_count, column_count, 1, err);
	if (figures == NULL)
		return NULL;
	for (int i = 0; i < column_count; i++)
		figures->columns[i] = columns[i];
	if (figures_add_places(figures, err))
		return figures;
	figures_free(figures);
	return NULL;
}

void
figures_free(struct figures *figures)
{
	if (figures == NULL)
		return;
	memory_free(figures->columns);
	memory_free(figures->cells);
	memory_free(figures->places);
	if (figures->own_texts != NULL)
		intern_release(figures->own_texts);
	memory_free(figures->own_texts);
	memory_free(figures);
}

bool
figures_take_texts(struct figures *figures, struct intern *texts, struct error *err)
{
	figures->own_texts = array_new(1, sizeof *figures->own_texts, err);
	figures->texts = figures->own_texts;
	if (figures->own_texts == NULL)
		return false;
	*figures->own_texts = *texts;
	*texts = (struct intern){ 0 };
	return true;
}

bool
figure_is_right(enum figure_type type)
{
	return type >= FIGURE_NUMBER;
}

bool
figure_is_text(enum figure_type type)
{
	return type < FIGURE_NUMBER;
}

bool
figure_is_change(enum figure_type type)
{
	return type >= FIGURE_CHANGE;
}

/* ---- what a cell says */

static bool
is_named(enum figure_type type)
{
	return type == FIGURE_FUNCTION || type == FIGURE_CALLED || type == FIGURE_STRING;
}

static const char *
text_of(const struct figures *figures, const struct trace *trace, string_id id, size_t *length)
{
	return figures->texts != NULL ? intern_text(figures->texts, id, length)
				      : trace_text(trace, id, length);
}

/* What has no name has a word for that. */
static void
add_named(struct text *out, enum figure_type type, const char *bytes, size_t length, bool ascii)
{
	if (length > 0 || type == FIGURE_STRING)
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

/* Of a type that stands for words. */
static const char *
words_of(enum figure_type type, int64_t value)
{
	return type == FIGURE_CUT ? gc_cut_words((unsigned)value)
				  : gc_trigger_name((enum gc_trigger)value);
}

static void
add_number(struct text *out, enum figure_type type, int64_t value, bool ascii)
{
	char number[UNITS_TEXT] = "";
	if (value == FIGURE_NONE)
		return;
	if (type == FIGURE_COUNT)
		units_count(number, (uint64_t)value);
	else if (type == FIGURE_BYTES)
		units_bytes(number, (uint64_t)value);
	else if (type == FIGURE_SHARE)
		units_share(number, value, MILLION);
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
		units_change(number, value, type == FIGURE_CHANGE, ascii);
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
		bytes = text_of(figures, trace, (string_id)value, &length);
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
	case FIGURE_FRAME:
		add_frame(out, trace, (stack_id)value, ascii);
		return;
	case FIGURE_NUMBER:
		text_format(out, "%" PRId64, value);
		return;
	case FIGURE_MOMENT:
		add_moment(out, trace, value, is_wall, ascii);
		return;
	case FIGURE_TRIGGER:
	case FIGURE_CUT:
		text_add_string(out, words_of(type, value));
		return;
	case FIGURE_COUNT:
	case FIGURE_DURATION:
	case FIGURE_BYTES:
	case FIGURE_SHARE:
		add_number(out, type, value, ascii);
		return;
	case FIGURE_CHANGE:
	case FIGURE_CHANGE_COUNT:
	case FIGURE_CHANGE_SHARE:
		add_change(out, type, value, ascii);
		return;
	}
}

int64_t
figures_change_share(int64_t before, int64_t after)
{
	if (before == after)
		return 0;
	double share = before != 0 ? ((double)after - (double)before) / (double)before * MILLION : 0;
	if (before == 0 || share >= (double)FIGURE_NEW)
		return FIGURE_NEW;
	/* Less than a millionth is not nothing. */
	if ((int64_t)share == 0)
		return after > before ? 1 : -1;
	return (int64_t)share;
}

/* ---- order */

static struct figure_key
string_key(const struct figures *figures, const struct trace *trace, string_id string)
{
	struct figure_key key = { 0 };
	key.bytes = text_of(figures, trace, string, &key.length);
	return key;
}

static struct figure_key
number_key(int64_t number)
{
	return (struct figure_key){ .number = number };
}

/* What changed most stands beside what changed as much the other way. */
static struct figure_key
change_key(int64_t value)
{
	return number_key(value == INT64_MIN ? INT64_MAX : value < 0 ? -value : value);
}

struct figure_key
figures_key(const struct figures *figures, const struct trace *trace, struct figures_at at)
{
	enum figure_type type = figures->columns[at.column].type;
	int64_t value = *figures_cell(figures, at.layer, at.row, at.column);
	bool is_ref = type == FIGURE_ACTOR || type == FIGURE_TASK;
	if (is_named(type))
		return string_key(figures, trace, (string_id)value);
	if (type == FIGURE_FRAME) {
		stack_id stack = (stack_id)value;
		return string_key(figures, trace,
			stack != STACK_NONE ? stack_leaf(&trace->stacks, stack)->function
					    : STRING_EMPTY);
	}
	if (type == FIGURE_TRIGGER || type == FIGURE_CUT)
		return (struct figure_key){ .bytes = words_of(type, value),
			.length = strlen(words_of(type, value)) };
	if (is_ref && (uint32_t)value == REF_NONE)
		return number_key(INT64_MIN);
	if (type == FIGURE_ACTOR)
		return number_key(trace_actor(trace, (actor_ref)value)->id);
	if (type == FIGURE_TASK)
		return number_key(trace_task(trace, (task_ref)value)->id);
	if (type == FIGURE_CHANGE || type == FIGURE_CHANGE_COUNT)
		return change_key(value);
	return number_key(value);
}

/* The tables that the input has ready made, told as they are. */
#include "analysis/registry.h"
#include "base/compiler.h"
#include "trace/ready.h"

/* A number is two columns of the result: as it was printed, for people, and behind that itself. */
struct telling {
	const struct trace *trace;
	const struct ready_table *from;
	struct result_sink *sink;
	struct result_table table;
	struct result_column columns[2 * READY_MOST_COLUMNS];
};

static bool
is_number(const struct ready_column *column)
{
	return column->type != READY_TEXT && column->type != READY_FUNCTION;
}

/* A text of the trace that lasts as long as the result; NULL without memory. */
static const char *
word(struct telling *telling, string_id id, struct error *err)
{
	struct text safe = { 0 };
	size_t length;
	int64_t cell = 0;
	const char *bytes = trace_text(telling->trace, id, &length);
	text_add_safe(&safe, bytes, length, telling->sink->ascii);
	bool is_fine = !safe.failed || error_set_memory(err, "the table");
	is_fine = is_fine && result_text(telling->sink, text_string(&safe), safe.length, &cell, err);
	text_release(&safe);
	return is_fine ? intern_text(&telling->sink->texts, (string_id)cell, NULL) : NULL;
}

/* What is below 0 in a row is a change: a difference was printed. */
static enum figure_type
type_of(const struct ready_table *table, unsigned column)
{
	bool is_change = false;
	for (size_t row = 0; row < table->row_count && !is_change; row++) {
		int64_t number = ready_cell(table, row, column)->number;
		is_change = number < 0 && number != READY_NONE;
	}
	switch ((enum ready_type)table->columns[column].type) {
	case READY_TEXT:
		return FIGURE_STRING;
	case READY_FUNCTION:
		return FIGURE_CALLED;
	case READY_COUNT:
		return is_change ? FIGURE_CHANGE_COUNT : FIGURE_COUNT;
	case READY_BYTES:
		return is_change ? FIGURE_CHANGE_BYTES : FIGURE_BYTES;
	case READY_DURATION:
		return is_change ? FIGURE_CHANGE : FIGURE_DURATION;
	case READY_PERCENT:
		break;
	}
	return FIGURE_PERCENT;
}

static bool
add_column(struct telling *telling, unsigned index, struct error *err)
{
	const struct ready_column *from = &telling->from->columns[index];
	struct result_column *to = &telling->columns[telling->table.column_count];
	const char *title = word(telling, from->title, err);
	const char *key = word(telling, from->key, err);
	if (title == NULL || key == NULL)
		return false;
	if (is_number(from)) {
		*to++ = (struct result_column){ .title = title, .type = FIGURE_STRING,
			.is_printed_only = true, .is_right = true, .rank = from->rank };
		*to = (struct result_column){ .key = key, .on_screen = title,
			.type = type_of(telling->from, index), .is_dimension = from->is_dimension,
			.rank = from->rank };
	} else {
		*to = (struct result_column){ .key = key, .title = title,
			.type = type_of(telling->from, index), .is_dimension = from->is_dimension,
			.rank = from->rank };
	}
	telling->table.column_count += is_number(from) ? 2 : 1;
	if (index == telling->from->usual_column)
		telling->table.usual_column = telling->table.column_count - 1;
	return true;
}

static int64_t
cell_of(const struct ready_column *column, int64_t number)
{
	if (number == READY_NONE)
		return FIGURE_NONE;
	return column->type == READY_PERCENT ? figure_of_share((double)number / READY_WHOLE) : number;
}

static bool
tell_row(struct telling *telling, size_t row, struct error *err)
{
	int64_t cells[ARRAY_LENGTH(telling->columns)];
	int count = 0;
	for (unsigned i = 0; i < telling->from->column_count; i++) {
		const struct ready_cell *cell = ready_cell(telling->from, row, i);
		cells[count++] = cell->text;
		if (is_number(&telling->from->columns[i]))
			cells[count++] = cell_of(&telling->from->columns[i], cell->number);
	}
	return telling->sink->row(telling->sink, cells, NULL, err);
}

static bool
tell_table(struct telling *telling, const struct ready_table *from, struct search_watch *watch,
	struct error *err)
{
	telling->from = from;
	telling->table = (struct result_table){
		.name = word(telling, from->name, err),
		.title = word(telling, from->title, err),
		.columns = telling->columns,
		.none = "it has no rows",
	};
	if (telling->table.name == NULL || telling->table.title == NULL)
		return false;
	for (unsigned i = 0; i < from->column_count; i++)
		if (!add_column(telling, i, err))
			return false;
	if (!telling->sink->begin(telling->sink, &telling->table, err))
		return false;
	for (size_t row = 0; row < from->row_count; row++)
		if (!search_watch_check_item(watch, row, err) || !tell_row(telling, row, err))
			return false;
	return telling->sink->end(telling->sink, err);
}

static bool
fill(struct analysis_work *work, struct result_sink *sink, struct error *err)
{
	const struct ready *ready = work->trace->ready;
	struct telling telling = { .trace = work->trace, .sink = sink };
	for (size_t i = 0; i < ready->note_count && sink->fact != NULL; i++) {
		const char *key = word(&telling, ready->notes[i].key, err);
		const char *value = word(&telling, ready->notes[i].value, err);
		if (key == NULL || value == NULL)
			return false;
		sink->fact(sink, key, value);
	}
	for (size_t i = 0; i < ready->table_count; i++) {
		search_watch_expect(&work->watch, ready->tables[i].row_count);
		if (!tell_table(&telling, &ready->tables[i], &work->watch, err))
			return false;
	}
	return true;
}

const struct analysis_kind table_kind = {
	.name = "table",
	.help = "what the input has as tables, as it was printed",
	.heading = "As printed",
	.title = "As printed",
	.needs = NEEDS_TABLES,
	.is_of_whole = true,
	.fill = fill,
};

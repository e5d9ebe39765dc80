/* Each cell becomes a call of the grid, by the type of its column. */
#include "report/result.h"

#include <assert.h>
#include <string.h>

#include "base/memory.h"
#include "report/chart.h"
#include "report/words.h"
#include "trace/words.h"

/* Who a row is about is kept with the name, since ids are those of one trace; what has no key is not kept. */
static bool
is_named(const struct grid *grid, const struct result_column *column)
{
	return grid->options->format == REPORT_AS_KEPT && column->type == FIGURE_ACTOR &&
	       column->is_dimension && column->key != NULL;
}

/* A frame is a function and, in a column of its own, the place. */
static int
put_columns(struct grid_column *columns, const struct grid *grid, const struct result_column *column)
{
	bool is_frame = column->type == FIGURE_FRAME;
	bool is_name = is_frame || column->type == FIGURE_FUNCTION ||
		       column->type == FIGURE_CALLED || column->type == FIGURE_NAME ||
		       column->type == FIGURE_ACTOR;
	columns[0] = (struct grid_column){
		{ .title = column->title,
			.is_right = (figure_is_right(column->type) || column->type == FIGURE_TASK ||
					   column->is_right) &&
				    !column->is_left,
			.is_name = is_name && column->least_cells > 0,
			.least_cells = column->least_cells,
			.rank = column->rank },
		column->key
	};
	if (is_frame)
		columns[1] = (struct grid_column){
			{ .title = column->title != NULL ? "" : NULL,
				.rank = column->place_rank > 0 ? column->place_rank
							       : (uint8_t)(column->rank + 1) },
			"place"
		};
	if (is_named(grid, column))
		columns[1] = (struct grid_column){ .key = "actor_name" };
	return 1 + (is_frame || is_named(grid, column));
}

static bool
is_printed(const struct result_column *column)
{
	return column->key != NULL || column->title != NULL;
}

static void
fact(struct result_sink *sink, const char *key, const char *value)
{
	grid_fact(((struct result_printer *)sink)->grid, key, "%s", value);
}

/* A picture is made of all rows at once. */
static bool
is_drawn(const struct result_printer *printer)
{
	return printer->table->chart != NULL && printer->sink.chart_columns > 0;
}

static bool
begin(struct result_sink *sink, const struct result_table *table, struct error *err)
{
	struct result_printer *printer = (struct result_printer *)sink;
	struct grid *grid = printer->grid;
	int count = 0, read = 0;
	(void)err;
	printer->table = table;
	printer->cell_count = 0;
	if (is_drawn(printer))
		return true;
	for (int i = 0; i < table->column_count; i++) {
		if (!is_printed(&table->columns[i]))
			continue;
		assert(count + 1 < RESULT_MOST_COLUMNS);
		for (int last = count + put_columns(&printer->columns[count], grid, &table->columns[i]);
			count < last; count++) {
			if (table->columns[i].is_dimension)
				grid->dimensions |= UINT64_C(1) << count;
			struct table_column *look = &printer->columns[count].look;
			/* On paper there is no room for more. */
			if (look->title != NULL && read++ >= TABLE_MAX_COLUMNS)
				look->title = NULL;
		}
	}
	if (table->is_as_made)
		grid_as_made(grid);
	if (table->is_exact)
		grid->step_ns = 1;
	grid_table(grid, table->name, table->title, printer->columns, count);
	return true;
}

static void
put_cell(struct result_printer *printer, const struct result_column *column, int64_t cell)
{
	enum figure_type type = column->type;
	struct grid *grid = printer->grid;
	const struct trace *trace = grid->trace;
	bool may_be_none = type >= FIGURE_NUMBER || type == FIGURE_TEXT;
	const char *bytes;
	size_t length;
	if (may_be_none && cell == FIGURE_NONE) {
		grid_none(grid);
		return;
	}
	switch (type) {
	case FIGURE_FUNCTION:
	case FIGURE_CALLED:
	case FIGURE_STRING:
		grid_string(grid, (string_id)cell);
		return;
	case FIGURE_TEXT:
	case FIGURE_NAME:
		bytes = intern_text(&printer->sink.texts, (string_id)cell, &length);
		grid_text(grid, bytes, length);
		return;
	case FIGURE_ACTOR:
		(column->is_id ? grid_actor_id : grid_actor)(grid, (actor_ref)cell);
		if (is_named(grid, column) && (actor_ref)cell == REF_NONE)
			grid_none(grid);
		else if (is_named(grid, column))
			grid_string(grid, trace_actor(trace, (actor_ref)cell)->name);
		return;
	case FIGURE_TASK:
		if ((task_ref)cell != REF_NONE)
			grid_id(grid, trace_task(trace, (task_ref)cell)->id);
		else
			grid_none(grid);
		return;
	case FIGURE_PROCESSOR:
		grid_processor(grid, (resource_ref)cell);
		return;
	case FIGURE_FRAME:
		grid_frame(grid, (stack_id)cell != STACK_NONE
					 ? stack_leaf(&trace->stacks, (stack_id)cell)
					 : NULL);
		return;
	case FIGURE_BAR:
		grid_bar(grid, figure_share(cell));
		return;
	case FIGURE_NUMBER:
		grid_id(grid, cell);
		return;
	case FIGURE_MOMENT:
		grid_moment(grid, cell);
		return;
	case FIGURE_COUNT:
		grid_count(grid, (uint64_t)cell);
		return;
	case FIGURE_AMOUNT:
		grid_amount(grid, cell, column->decimals);
		return;
	case FIGURE_DURATION:
		grid_duration(grid, cell);
		return;
	case FIGURE_BYTES:
		if (cell < 0)
			grid_amount(grid, cell, 0);
		else
			grid_bytes(grid, (uint64_t)cell);
		return;
	case FIGURE_SHARE:
		grid_share(grid, figure_share(cell));
		return;
	case FIGURE_PERCENT:
		grid_percent(grid, figure_share(cell));
		return;
	case FIGURE_MEAN:
		grid_number(grid, figure_share(cell), 2);
		return;
	case FIGURE_CHANGE:
	case FIGURE_CHANGE_COUNT:
	case FIGURE_CHANGE_BYTES:
		grid_change(grid, cell, figure_units(type));
		return;
	case FIGURE_CHANGE_SHARE:
		grid_share(grid, (double)cell / 1e6);
		return;
	}
}

/* False once somebody does not want more, or memory has run out: the grid has said so. */
static bool
row(struct result_sink *sink, const int64_t *cells, const struct result_place *place, struct error *err)
{
	struct result_printer *printer = (struct result_printer *)sink;
	size_t count = (size_t)printer->table->column_count;
	if (is_drawn(printer)) {
		if (!array_reserve(&printer->cells, &printer->cell_capacity,
			    printer->cell_count + count, sizeof *printer->cells, err))
			return false;
		memcpy(&printer->cells[printer->cell_count], cells, count * sizeof *cells);
		printer->cell_count += count;
		return true;
	}
	printer->grid->place = place;
	for (int i = 0; i < printer->table->column_count; i++) {
		if (is_printed(&printer->table->columns[i]))
			put_cell(printer, &printer->table->columns[i], cells[i]);
	}
	return !printer->grid->page.has_failed;
}

static bool
end(struct result_sink *sink, struct error *err)
{
	struct result_printer *printer = (struct result_printer *)sink;
	if (is_drawn(printer))
		return chart_print(printer->grid, printer->table, printer->cells,
			printer->cell_count / (size_t)printer->table->column_count, err);
	grid_table_end(printer->grid, printer->table->none);
	if (!printer->table->is_as_made) {
		memory_free(printer->shown);
		sink->shown = printer->shown = grid_take_shown(printer->grid, &sink->shown_count);
	}
	sink->awaits_sort = printer->grid->options->sort != NULL && !printer->grid->has_sorted;
	return !printer->grid->page.has_failed;
}

bool
result_printer_begin(struct result_printer *printer, struct grid *grid, struct error *err)
{
	*printer = (struct result_printer){
		.sink = { .fact = grid_is_text(grid) ? fact : NULL, .begin = begin, .row = row, .end = end,
			.wants_parts = grid_is_text(grid), .ascii = grid->options->ascii },
		.grid = grid,
	};
	if (grid_is_text(grid))
		chart_room(grid, &printer->sink.chart_columns, &printer->sink.chart_rows);
	return intern_init(&printer->sink.texts, err);
}

void
result_printer_end(struct result_printer *printer)
{
	intern_release(&printer->sink.texts);
	memory_free(printer->shown);
	memory_free(printer->cells);
}

/* ---- all of an analysis */

/* What people read first: what it is of. */
static bool
put_head(struct grid *grid, const struct analysis_work *work, struct error *err)
{
	const struct analysis_kind *kind = work->kind;
	const struct words *words = grid->trace->words;
	struct text line = { 0 }, heading = { 0 };
	if (kind->heading != NULL)
		text_add_words(&line, words, kind->heading);
	if (kind->title_of != NULL)
		kind->title_of(&work->scope, words, work->parameter, &line);
	text_add_safe(&heading, line.bytes, line.length, grid->options->ascii);
	bool is_whole = !line.failed && !heading.failed;
	grid_heading(grid, text_string(&heading));
	text_release(&heading);
	grid_usual_facts(grid);
	text_clear(&line);
	if (work->scope.actor != REF_NONE) {
		words_actor(&line, grid->options, grid->trace, work->scope.actor);
		grid_fact(grid, words->actor.one, "%s", text_string(&line));
	}
	text_release(&line);
	return is_whole || error_set_memory(err, "the report");
}

bool
result_tell(struct grid *grid, struct analysis_work *work, struct error *err)
{
	struct result_printer printer;
	if (!result_printer_begin(&printer, grid, err))
		return false;
	bool is_fine = work->kind->fill(work, &printer.sink, err);
	result_printer_end(&printer);
	return is_fine;
}

bool
report_result(const struct trace *trace, const struct analysis_work *asked,
	const struct report_options *options, struct text *out, struct error *err)
{
	struct analysis_work work = {
		.kind = asked->kind,
		.trace = trace,
		.scope = asked->scope,
		.parameter = asked->parameter,
		.beneath = asked->beneath,
		.only = options->only,
		.sort = options->sort,
		.limit = options->limit,
	};
	struct grid grid;
	work.scope.is_all = !options->has_interval;
	work.scope.with_runtime = options->with_runtime;
	words_interval(options, trace, &work.scope.t0_ns, &work.scope.t1_ns);
	if (!grid_begin(&grid, trace, options, out, err))
		return false;
	bool is_fine = (!grid_is_text(&grid) || put_head(&grid, &work, err)) &&
		       result_tell(&grid, &work, err);
	return grid_end(&grid) && is_fine;
}

/* Tables in memory. */
#include "result/figures.h"

#include <stdio.h>
#include <string.h>

#include "base/checked.h"
#include "base/compiler.h"
#include "base/memory.h"
#include "base/text.h"
#include "trace/words.h"

enum { MILLION = 1000000 };

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
	if (figures->own_texts != NULL)
		intern_release(figures->own_texts);
	memory_free(figures->own_texts);
	while (figures != NULL) {
		struct figures *next = figures->next;
		memory_free(figures->columns);
		memory_free(figures->cells);
		memory_free(figures->places);
		memory_free(figures);
		figures = next;
	}
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


size_t
figures_key_length(const char *key)
{
	static const char *const units[] = { "_ns", "_bytes", "_samples" };
	size_t length = strlen(key);
	for (size_t i = 0; i < ARRAY_LENGTH(units); i++) {
		size_t unit = strlen(units[i]);
		if (length > unit && strcmp(key + length - unit, units[i]) == 0)
			return length - unit;
	}
	return length;
}

/* ---- keeping what an analysis fills in */

static bool
is_kept(const struct figures_sink *keep, const struct result_column *column)
{
	return keep->is_for_programs ? column->key != NULL
				     : (column->title != NULL || column->on_screen != NULL) &&
					       !column->is_printed_only;
}

static void
take_column(struct figures_column *kept, const struct result_column *column, const struct words *words)
{
	struct text title = { 0 };
	const char *pattern = column->on_screen != NULL ? column->on_screen : column->title;
	if (pattern != NULL)
		text_add_words(&title, words, pattern);
	*kept = (struct figures_column){ .type = column->type,
		.style = column->hue,
		.key = column->key,
		.is_dimension = column->is_dimension,
		.decimals = column->decimals };
	snprintf(kept->title, sizeof kept->title, "%s", text_string(&title));
	text_release(&title);
}

static bool
begin(struct result_sink *sink, const struct result_table *table, struct error *err)
{
	struct figures_sink *keep = (struct figures_sink *)sink;
	bool has_layers = sink->is_screen && table->layers != NULL;
	keep->is_left_out = true;
	for (int i = 0; i < table->column_count; i++)
		keep->is_left_out = keep->is_left_out && !is_kept(keep, &table->columns[i]);
	if (keep->is_left_out)
		return true;
	struct figures *figures =
		figures_new(0, table->column_count, has_layers ? table->layer_count : 1, err);
	if (figures == NULL)
		return false;
	*(keep->last != NULL ? &keep->last->next : &keep->first) = figures;
	keep->last = figures;
	keep->table = table;
	keep->cell_count = keep->cell_capacity = keep->place_capacity = 0;
	figures->name = table->name;
	figures->opens = table->opens;
	figures->parameter_of = table->parameter_of;
	figures->none = table->none_on_screen != NULL ? table->none_on_screen : table->none;
	figures->all_count = table->all_count;
	figures->layer_names = has_layers ? table->layers : NULL;
	figures->column_count = 0;
	for (int i = 0; i < table->column_count; i++) {
		if (i == table->usual_column)
			figures->usual_column = figures->column_count;
		if (is_kept(keep, &table->columns[i]))
			take_column(&figures->columns[figures->column_count++],
				&table->columns[i], keep->words);
	}
	return true;
}

static bool
row(struct result_sink *sink, const int64_t *cells, const struct result_place *place, struct error *err)
{
	struct figures_sink *keep = (struct figures_sink *)sink;
	struct figures *figures = keep->last;
	const struct result_table *table = keep->table;
	if (!job_goes_on(keep->is_cancelled, err))
		return false;
	if (keep->is_left_out)
		return true;
	if (!array_reserve(&figures->cells, &keep->cell_capacity,
		    keep->cell_count + (size_t)(figures->layer_count * figures->column_count),
		    sizeof *figures->cells, err))
		return false;
	for (int i = 0; i < figures->layer_count * table->column_count; i++) {
		if (is_kept(keep, &table->columns[i % table->column_count]))
			figures->cells[keep->cell_count++] = cells[i];
	}
	if (place != NULL) {
		if (!array_reserve(&figures->places, &keep->place_capacity, figures->row_count + 1,
			    sizeof *figures->places, err))
			return false;
		figures->places[figures->row_count] = *place;
	}
	figures->row_count++;
	return true;
}

static bool
end(struct result_sink *sink, struct error *err)
{
	(void)sink;
	(void)err;
	return true;
}

bool
figures_sink_begin(struct figures_sink *keep, const struct trace *trace, bool is_for_programs,
	struct error *err)
{
	*keep = (struct figures_sink){ .sink = { .begin = begin, .row = row, .end = end,
					       .is_screen = !is_for_programs },
		.words = trace->words,
		.is_for_programs = is_for_programs };
	return intern_init(&keep->sink.texts, err);
}

struct figures *
figures_sink_end(struct figures_sink *keep, bool is_fine, struct error *err)
{
	struct figures *figures = keep->first;
	if (is_fine && figures == NULL)
		is_fine = error_set(err, ERROR_USAGE, "none of it is told here");
	is_fine = is_fine && figures_take_texts(figures, &keep->sink.texts, err);
	intern_release(&keep->sink.texts);
	if (is_fine) {
		figures->texts = NULL;
		for (struct figures *it = figures->next; it != NULL; it = it->next)
			it->own_texts = figures->own_texts;
		return figures;
	}
	figures_free(figures);
	return NULL;
}

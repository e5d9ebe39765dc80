/* Types are those of the cells, since a column of a grid does not say its own. */
#include "report/kept.h"

#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "report/grid_internal.h"
#include "trace/words.h"

void
kept_release(struct kept *kept)
{
	figures_free(kept->first);
	*kept = (struct kept){ 0 };
}

static bool
add_texts(struct figures *figures, struct error *err)
{
	struct intern texts;
	if (!intern_init(&texts, err))
		return false;
	if (figures_take_texts(figures, &texts, err))
		return true;
	intern_release(&texts);
	return false;
}

/* What the report made outlives it here; NULL without memory. */
static const char *
keep_word(struct figures *figures, const char *word, struct error *err)
{
	string_id id;
	if (!intern_add(figures->own_texts, word, strlen(word), &id, err))
		return NULL;
	return intern_text(figures->own_texts, id, NULL);
}

bool
kept_begin(struct kept *kept, const struct grid *grid, struct error *err)
{
	struct figures *figures = figures_new(0, grid->column_count, 1, err);
	if (figures == NULL)
		return false;
	*(kept->last != NULL ? &kept->last->next : &kept->first) = figures;
	kept->last = figures;
	kept->cell_count = kept->cell_capacity = kept->place_capacity = 0;
	/* The first has the texts of all. */
	if (kept->first != figures)
		figures->own_texts = kept->first->own_texts;
	else if (!add_texts(figures, err))
		return false;
	figures->name = keep_word(figures, words_title(grid->words, grid->name), err);
	figures->column_count = 0;
	for (int i = 0; i < grid->column_count && figures->name != NULL; i++) {
		if (grid->columns[i].key == NULL)
			continue;
		const char *key = keep_word(figures, words_key(grid->words, grid->columns[i].key), err);
		if (key == NULL)
			return false;
		struct figures_column *column = &figures->columns[figures->column_count++];
		*column = (struct figures_column){
			.key = key,
			.type = FIGURE_BAR, /* not known yet */
			.is_dimension = (grid->dimensions >> i & 1) != 0,
		};
		if (grid->columns[i].look.title != NULL)
			snprintf(column->title, sizeof column->title, "%s",
				words_title(grid->words, grid->columns[i].look.title));
	}
	return figures->name != NULL;
}

static const struct result_place nowhere = { .until_ns = -1 };

static const struct {
	enum figure_type type;
	bool names; /* what a row is about, where the report does not say which columns do */
} types[] = {
	[VALUE_COUNT] = { FIGURE_COUNT, false },
	[VALUE_BYTES] = { FIGURE_BYTES, false },
	[VALUE_AMOUNT] = { FIGURE_AMOUNT, false },
	[VALUE_DURATION] = { FIGURE_DURATION, false },
	[VALUE_SINCE] = { FIGURE_DURATION, false },
	[VALUE_CHANGE] = { FIGURE_CHANGE, false },
	[VALUE_MOMENT] = { FIGURE_MOMENT, false },
	[VALUE_SHARE] = { FIGURE_SHARE, false },
	[VALUE_NUMBER] = { FIGURE_SHARE, false },
	[VALUE_PERCENT] = { FIGURE_PERCENT, false },
	[VALUE_TEXT] = { FIGURE_TEXT, true },
	[VALUE_STRING] = { FIGURE_TEXT, true },
	[VALUE_ACTOR] = { FIGURE_NUMBER, true },
	[VALUE_ACTOR_ID] = { FIGURE_NUMBER, false },
	[VALUE_PROCESSOR] = { FIGURE_NUMBER, true },
	[VALUE_ID] = { FIGURE_NUMBER, false },
};

static bool
value_of(const struct grid *grid, const struct grid_cell *cell, struct intern *texts, int64_t *value,
	struct error *err)
{
	const char *bytes;
	size_t length;
	string_id text;
	switch ((enum grid_value_type)cell->type) {
	case VALUE_TEXT:
	case VALUE_STRING:
		bytes = grid_cell_bytes(grid, cell, &length);
		if (!intern_add(texts, bytes, length, &text, err))
			return false;
		*value = text;
		return true;
	case VALUE_ACTOR:
	case VALUE_ACTOR_ID:
		*value = trace_actor(grid->trace, cell->u.id)->id;
		return true;
	case VALUE_PROCESSOR:
		*value = trace_processor(grid->trace, cell->u.id)->id;
		return true;
	case VALUE_SHARE:
	case VALUE_NUMBER:
		*value = figure_of_share(cell->u.number);
		return true;
	case VALUE_PERCENT:
		*value = figure_of_share(cell->u.number / 100);
		return true;
	case VALUE_COUNT:
	case VALUE_BYTES:
		*value = cell->u.count < INT64_MAX ? (int64_t)cell->u.count : INT64_MAX;
		return true;
	case VALUE_DURATION:
	case VALUE_AMOUNT:
	case VALUE_SINCE:
	case VALUE_CHANGE:
	case VALUE_MOMENT:
	case VALUE_ID:
		*value = cell->u.ns;
		return true;
	case VALUE_NONE:
	case VALUE_BAR:
		break;
	}
	*value = FIGURE_NONE;
	return true;
}

bool
kept_row(struct kept *kept, const struct grid *grid, const struct grid_cell *cells, struct error *err)
{
	struct figures *figures = kept->last;
	size_t count = kept->cell_count;
	int column = 0;
	if (!array_reserve(&figures->cells, &kept->cell_capacity, count + (size_t)figures->column_count,
		    sizeof *figures->cells, err) ||
		!array_reserve(&figures->places, &kept->place_capacity, figures->row_count + 1,
			sizeof *figures->places, err))
		return false;
	figures->places[figures->row_count] = grid->place != NULL ? *grid->place : nowhere;
	for (int i = 0; i < grid->column_count; i++) {
		if (grid->columns[i].key == NULL)
			continue;
		struct figures_column *it = &figures->columns[column++];
		const struct grid_cell *cell = &cells[i];
		if (!value_of(grid, cell, figures->own_texts, &figures->cells[count++], err))
			return false;
		if (it->type != FIGURE_BAR || cell->type == VALUE_NONE || cell->type == VALUE_BAR)
			continue;
		it->type = types[cell->type].type;
		if (cell->type == VALUE_CHANGE && cell->detail != UNITS_OF_DURATION)
			it->type = cell->detail == UNITS_OF_BYTES ? FIGURE_CHANGE_BYTES
								  : FIGURE_CHANGE_COUNT;
		if (cell->type == VALUE_AMOUNT)
			it->decimals = cell->detail;
		if (grid->dimensions == 0)
			it->is_dimension = types[cell->type].names;
	}
	kept->cell_count = count;
	figures->row_count++;
	return true;
}

const struct result_place *
kept_place(const struct figures *figures, size_t row)
{
	const struct result_place *place = &figures->places[row];
	return place->until_ns >= place->from_ns ? place : NULL;
}

const struct figures *
kept_find(const struct kept *kept, const char *key, size_t length, int *column)
{
	const struct figures *titled = NULL;
	int titled_column = 0;
	for (const struct figures *it = kept->first; it != NULL; it = it->next) {
		for (int i = 0; i < it->column_count; i++) {
			const char *own = it->columns[i].key, *title = it->columns[i].title;
			bool is_it = strlen(own) == length || figures_key_length(own) == length;
			*column = i;
			if (is_it && memcmp(own, key, length) == 0)
				return it;
			if (titled == NULL && strlen(title) == length && memcmp(title, key, length) == 0) {
				titled = it;
				titled_column = i;
			}
		}
	}
	*column = titled_column;
	return titled;
}

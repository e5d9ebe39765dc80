/* Rows get the number of their names, under which both sides are looked up. */
#include "result/join.h"

#include <inttypes.h>
#include <string.h>

#include "base/checked.h"
#include "base/memory.h"
#include "base/sort.h"

enum side { BEFORE, AFTER, SIDES };
enum { TOLD = 3 /* columns of a measure: before, after, change */ };

#define NO_ROW SIZE_MAX

/* What has the same dimensions in both. */
struct pair {
	size_t row[SIDES];
	int64_t change; /* of the measure that is looked at first */
};

struct join {
	const struct figures *sides[SIDES]; /* NULL: there is no such table */
	const struct figures *shape;        /* one of them */
	int *other;                         /* of each of its columns, that of the other one; -1: it has none */
	bool only_changes;
	struct result_sink *sink;
	struct intern names;                /* of rows; their number is that of the pair, and 1 more */
	struct text name;
	struct pair *pairs;
	size_t pair_count, pair_capacity;
	struct result_column *columns;
	int64_t *cells;
	int column_count, first_measure;    /* of the shape's columns; -1: there is none */
};

/* ---- columns of the shape */

/* The table that is not the shape; NULL: there is none. */
static const struct figures *
other_table(const struct join *join)
{
	return join->sides[join->shape == join->sides[AFTER] ? BEFORE : AFTER];
}

/* A column's in the other table; NULL: it has none. */
static const struct figures_column *
other_column(const struct join *join, int column)
{
	return join->other[column] >= 0 ? &other_table(join)->columns[join->other[column]] : NULL;
}

/* A table without values knows no type of a column, FIGURE_BAR; the other one may. */
static enum figure_type
type_of(const struct join *join, int column)
{
	enum figure_type type = join->shape->columns[column].type;
	const struct figures_column *other = other_column(join, column);
	if (type == FIGURE_BAR && other != NULL)
		type = other->type;
	return type == FIGURE_BAR ? FIGURE_TEXT : type;
}

static bool
is_dimension(const struct join *join, int column)
{
	const struct figures_column *other = other_column(join, column);
	return join->shape->columns[column].is_dimension || (other != NULL && other->is_dimension);
}

static bool
is_measure(const struct join *join, int column)
{
	return !is_dimension(join, column) && type_of(join, column) >= FIGURE_COUNT;
}

/* What is told as something else there is no value to compare with. */
static int
find_other(const struct figures *figures, const struct figures_column *column)
{
	for (int i = 0; figures != NULL && i < figures->column_count; i++) {
		const struct figures_column *it = &figures->columns[i];
		bool is_same = it->type == column->type || it->type == FIGURE_BAR || column->type == FIGURE_BAR;
		if (strcmp(it->key, column->key) == 0)
			return is_same ? i : -1;
	}
	return -1;
}

static int64_t
cell_of(const struct join *join, enum side side, size_t row, int column)
{
	const struct figures *figures = join->sides[side];
	if (figures != join->shape)
		column = join->other[column];
	return column >= 0 ? *figures_cell(figures, 0, row, column) : FIGURE_NONE;
}

static int64_t
value_of(const struct join *join, const struct pair *pair, enum side side, int column)
{
	return pair->row[side] != NO_ROW ? cell_of(join, side, pair->row[side], column) : FIGURE_NONE;
}

/* What is not there counts as nothing. */
static int64_t
change_of(const struct join *join, const struct pair *pair, int column)
{
	int64_t before = value_of(join, pair, BEFORE, column), after = value_of(join, pair, AFTER, column);
	if (before == FIGURE_NONE && after == FIGURE_NONE)
		return FIGURE_NONE;
	if (type_of(join, column) == FIGURE_SHARE || type_of(join, column) == FIGURE_PERCENT)
		return figure_of_share((after != FIGURE_NONE ? figure_share(after) : 0) -
				       (before != FIGURE_NONE ? figure_share(before) : 0));
	/* No value is as low as FIGURE_NONE, so that each can be turned round. */
	return saturating_add_i64(after != FIGURE_NONE ? after : 0, before != FIGURE_NONE ? -before : 0);
}

/* ---- rows */

/* All that the row is about, and which one of several it is. */
static void
name_row(struct join *join, enum side side, size_t row, unsigned nth)
{
	text_clear(&join->name);
	text_format(&join->name, "%u", nth);
	for (int i = 0; i < join->shape->column_count; i++) {
		int64_t cell = cell_of(join, side, row, i);
		size_t length = 0;
		const char *bytes = "";
		if (!is_dimension(join, i))
			continue;
		if (type_of(join, i) == FIGURE_TEXT && cell != FIGURE_NONE)
			bytes = intern_text(join->sides[side]->own_texts, (string_id)cell, &length);
		else
			text_format(&join->name, "#%" PRId64, cell);
		text_format(&join->name, "|%zu:", length);
		text_add(&join->name, bytes, length);
	}
}

static bool
find_pair(struct join *join, struct pair **pair, struct error *err)
{
	string_id id;
	if (join->name.failed)
		return error_set_memory(err, "the difference");
	if (!intern_add(&join->names, join->name.bytes, join->name.length, &id, err) ||
		!array_reserve(&join->pairs, &join->pair_capacity, id, sizeof *join->pairs, err))
		return false;
	if (id > join->pair_count)
		join->pairs[join->pair_count++] = (struct pair){ .row = { NO_ROW, NO_ROW } };
	*pair = &join->pairs[id - 1];
	return true;
}

static bool
add_side(struct join *join, enum side side, struct error *err)
{
	const struct figures *figures = join->sides[side];
	for (size_t row = 0; figures != NULL && row < figures->row_count; row++) {
		struct pair *pair = NULL;
		unsigned nth = 0;
		do {
			name_row(join, side, row, nth++);
			if (!find_pair(join, &pair, err))
				return false;
		} while (pair->row[side] != NO_ROW);
		pair->row[side] = row;
	}
	return true;
}

/* The greatest change first, whichever way it went; equals as they came. */
static int
compare_pairs(const void *a, const void *b)
{
	const struct pair *x = a, *y = b;
	uint64_t left = x->change < 0 ? -(uint64_t)x->change : (uint64_t)x->change;
	uint64_t right = y->change < 0 ? -(uint64_t)y->change : (uint64_t)y->change;
	if (left != right)
		return left > right ? -1 : 1;
	size_t of_x = x->row[x->row[AFTER] == NO_ROW ? BEFORE : AFTER];
	size_t of_y = y->row[y->row[AFTER] == NO_ROW ? BEFORE : AFTER];
	return (of_x > of_y) - (of_x < of_y);
}

/* ---- columns */

/* "total_before_ns" of "total_ns", with the unit; "total before" without. */
static bool
add_word(struct join *join, const char **word, const char *key, const char *behind, bool has_unit,
	struct error *err)
{
	size_t length = figures_key_length(key);
	int64_t cell;
	text_clear(&join->name);
	text_add(&join->name, key, length);
	text_format(&join->name, "%s%s%s", has_unit ? "_" : " ", behind, has_unit ? key + length : "");
	if (join->name.failed)
		return error_set_memory(err, "the difference");
	if (!result_text(join->sink, join->name.bytes, join->name.length, &cell, err))
		return false;
	*word = intern_text(&join->sink->texts, (string_id)cell, NULL);
	return true;
}

static enum figure_type
type_of_change(enum figure_type type)
{
	return type == FIGURE_DURATION || type == FIGURE_CHANGE ? FIGURE_CHANGE
	       : type == FIGURE_BYTES				? FIGURE_CHANGE_BYTES
	       : type == FIGURE_SHARE || type == FIGURE_PERCENT	? type
								: FIGURE_CHANGE_COUNT;
}

/* People see of all measures but the first only the change, as there is room. */
static bool
add_measure(struct join *join, int index, struct error *err)
{
	static const char *const words[TOLD] = { "change", "before", "after" };
	const char *key = join->shape->columns[index].key;
	enum figure_type type = type_of(join, index);
	struct result_column *columns = &join->columns[join->column_count];
	bool is_first = index == join->first_measure;
	join->column_count += TOLD;
	for (int i = 0; i < TOLD; i++) {
		columns[i] = (struct result_column){ .title = is_first && i > 0 ? words[i] : NULL,
			.type = i == 0 ? type_of_change(type) : type,
			.rank = (uint8_t)(is_first ? 0 : index) };
		if (!add_word(join, &columns[i].key, key, words[i], true, err))
			return false;
	}
	return add_word(join, &columns[0].title, key, words[0], false, err);
}

static bool
add_columns(struct join *join, struct error *err)
{
	const struct figures *shape = join->shape;
	size_t most = (size_t)shape->column_count * TOLD;
	join->other = array_new((size_t)shape->column_count, sizeof *join->other, err);
	join->columns = array_new(most, sizeof *join->columns, err);
	join->cells = array_new(most, sizeof *join->cells, err);
	join->first_measure = -1;
	if (join->other == NULL || join->columns == NULL || join->cells == NULL)
		return false;
	for (int i = 0; i < shape->column_count; i++)
		join->other[i] = find_other(other_table(join), &shape->columns[i]);
	for (int i = shape->column_count - 1; i >= 0; i--) {
		if (is_measure(join, i) && (join->first_measure < 0 || type_of(join, i) == FIGURE_DURATION ||
						   type_of(join, join->first_measure) != FIGURE_DURATION))
			join->first_measure = i;
	}
	for (int i = 0; i < shape->column_count; i++) {
		const char *key = shape->columns[i].key;
		if (is_dimension(join, i))
			join->columns[join->column_count++] = (struct result_column){ .key = key,
				.title = key, .type = type_of(join, i), .is_dimension = true };
	}
	bool is_fine = join->first_measure < 0 || add_measure(join, join->first_measure, err);
	for (int i = 0; is_fine && i < shape->column_count; i++) {
		if (is_measure(join, i) && i != join->first_measure)
			is_fine = add_measure(join, i, err);
	}
	return is_fine;
}

/* ---- telling */

/* Appends the cells of a measure; false where it is the same in both. */
static bool
put_measure(struct join *join, const struct pair *pair, int index, int64_t **cell)
{
	int64_t change = change_of(join, pair, index);
	*(*cell)++ = change;
	*(*cell)++ = value_of(join, pair, BEFORE, index);
	*(*cell)++ = value_of(join, pair, AFTER, index);
	return change != 0 && change != FIGURE_NONE;
}

static bool
tell_pair(struct join *join, const struct pair *pair, struct error *err)
{
	enum side side = pair->row[AFTER] != NO_ROW ? AFTER : BEFORE;
	const struct figures *figures = join->sides[side];
	int64_t *cell = join->cells;
	bool has_changed = pair->row[BEFORE] == NO_ROW || pair->row[AFTER] == NO_ROW;
	for (int i = 0; i < join->shape->column_count; i++) {
		size_t length;
		if (!is_dimension(join, i))
			continue;
		*cell = value_of(join, pair, side, i);
		if (type_of(join, i) == FIGURE_TEXT && *cell != FIGURE_NONE) {
			const char *bytes = intern_text(figures->own_texts, (string_id)*cell, &length);
			if (!result_text(join->sink, bytes, length, cell, err))
				return false;
		}
		cell++;
	}
	if (join->first_measure >= 0)
		has_changed |= put_measure(join, pair, join->first_measure, &cell);
	for (int i = 0; i < join->shape->column_count; i++) {
		if (is_measure(join, i) && i != join->first_measure)
			has_changed |= put_measure(join, pair, i, &cell);
	}
	return (join->only_changes && !has_changed) || join->sink->row(join->sink, join->cells, NULL, err);
}

static bool
tell(struct join *join, struct error *err)
{
	const struct result_table table = {
		.name = join->shape->name,
		.title = join->shape->name,
		.columns = join->columns,
		.column_count = join->column_count,
		.none = join->pair_count > 0 ? "nothing has changed" : "none",
	};
	for (size_t i = 0; join->first_measure >= 0 && i < join->pair_count; i++) {
		int64_t change = change_of(join, &join->pairs[i], join->first_measure);
		join->pairs[i].change = change != FIGURE_NONE ? change : 0;
	}
	const struct sort sort = { join->pairs, join->pair_count, sizeof *join->pairs, compare_pairs };
	if (!sort_items(&sort, NULL, err) ||
		!join->sink->begin(join->sink, &table, err))
		return false;
	for (size_t i = 0; i < join->pair_count; i++)
		if (!tell_pair(join, &join->pairs[i], err))
			return false;
	return join->sink->end(join->sink, err);
}

static bool
is_about_moments(const struct figures *figures)
{
	for (int i = 0; i < figures->column_count; i++)
		if (figures->columns[i].is_dimension && figures->columns[i].type == FIGURE_MOMENT)
			return true;
	return false;
}

static void
leave_out(const struct figures *figures, struct text *left_out)
{
	text_format(left_out, "%s%s", left_out->length > 0 ? ", " : "", figures->name);
}

static bool
join_tables(const struct figures *before, const struct figures *after, bool only_changes,
	struct result_sink *sink, struct error *err)
{
	struct join join = { .sides = { before, after }, .shape = after != NULL ? after : before,
		.only_changes = only_changes, .sink = sink };
	bool is_fine = intern_init(&join.names, err) && add_columns(&join, err) &&
		       add_side(&join, AFTER, err) && add_side(&join, BEFORE, err) && tell(&join, err);
	intern_release(&join.names);
	text_release(&join.name);
	memory_free(join.pairs);
	memory_free(join.other);
	memory_free(join.columns);
	memory_free(join.cells);
	return is_fine;
}

static const struct figures *
find_table(const struct figures *list, const char *name)
{
	while (list != NULL && strcmp(list->name, name) != 0)
		list = list->next;
	return list;
}

bool
result_join(const struct figures *before, const struct figures *after, bool only_changes,
	struct result_sink *sink, struct text *left_out, struct error *err)
{
	bool is_fine = true;
	for (const struct figures *it = after; is_fine && it != NULL; it = it->next) {
		if (is_about_moments(it))
			leave_out(it, left_out);
		else
			is_fine = join_tables(find_table(before, it->name), it, only_changes, sink, err);
	}
	for (const struct figures *it = before; is_fine && it != NULL; it = it->next) {
		if (find_table(after, it->name) != NULL)
			continue;
		if (is_about_moments(it))
			leave_out(it, left_out);
		else
			is_fine = join_tables(it, NULL, only_changes, sink, err);
	}
	return is_fine && (!left_out->failed || error_set_memory(err, "the difference"));
}

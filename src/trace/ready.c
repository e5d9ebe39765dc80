/* Tables of an input, row by row. */
#include "trace/ready.h"

#include <string.h>

#include "base/memory.h"

struct ready *
ready_new(struct error *err)
{
	return array_new(1, sizeof(struct ready), err);
}

void
ready_free(struct ready *ready)
{
	if (ready == NULL)
		return;
	for (size_t i = 0; i < ready->table_count; i++)
		memory_free(ready->tables[i].cells);
	memory_free(ready->tables);
	memory_free(ready->notes);
	memory_free(ready);
}

size_t
ready_bytes(const struct ready *ready)
{
	size_t bytes = sizeof *ready + ready->table_capacity * sizeof *ready->tables +
		       ready->note_capacity * sizeof *ready->notes;
	for (size_t i = 0; i < ready->table_count; i++)
		bytes += ready->tables[i].cell_capacity * sizeof(struct ready_cell);
	return bytes;
}

struct ready_table *
ready_add_table(struct ready *ready, string_id name, string_id title, struct error *err)
{
	if (!array_reserve(&ready->tables, &ready->table_capacity, ready->table_count + 1,
		    sizeof *ready->tables, err))
		return NULL;
	struct ready_table *table = &ready->tables[ready->table_count++];
	*table = (struct ready_table){ .name = name, .title = title };
	return table;
}

bool
ready_add_column(struct ready_table *table, const struct ready_column *column, struct error *err)
{
	if (table->column_count == READY_MOST_COLUMNS)
		return error_set(err, ERROR_LIMIT, "a table has more than %d columns", READY_MOST_COLUMNS);
	table->columns[table->column_count++] = *column;
	return true;
}

bool
ready_add_row(struct ready_table *table, const struct ready_cell *cells, struct error *err)
{
	size_t count = table->row_count * table->column_count;
	if (!array_reserve(&table->cells, &table->cell_capacity, count + table->column_count,
		    sizeof *table->cells, err))
		return false;
	memcpy(&table->cells[count], cells, table->column_count * sizeof *cells);
	table->row_count++;
	return true;
}

bool
ready_add_note(struct ready *ready, string_id key, string_id value, struct error *err)
{
	if (!array_reserve(&ready->notes, &ready->note_capacity, ready->note_count + 1,
		    sizeof *ready->notes, err))
		return false;
	ready->notes[ready->note_count++] = (struct ready_note){ key, value };
	return true;
}

/* Drawn as any map of counts is, with an axis and times of its own. */
#include "draw/bucket_map.h"

#include <inttypes.h>
#include <string.h>

#include "base/memory.h"
#include "base/sort.h"
#include "base/text.h"
#include "base/units.h"

/* Lines around the map, and cells beside it. */
enum { LEGEND_LINE, TIMES_LINE, MAP_LINE, AXIS_CELLS = 9, INTERVAL_CELLS_MOST = 10 };

static int
compare_buckets(const void *left, const void *right)
{
	const struct bucket *a = left, *b = right;
	if (a->high != b->high)
		return a->high < b->high ? -1 : 1;
	return a->low < b->low ? -1 : a->low > b->low;
}

/* All buckets that occur, in order, each once. */
static bool
find_buckets(struct bucket_map *map, const struct bucket_map_cell *cells, size_t count, size_t *found,
	struct error *err)
{
	if (!array_reserve(&map->rows, &map->row_capacity, count + 1, sizeof *map->rows, err))
		return false;
	for (size_t i = 0; i < count; i++)
		map->rows[i] = cells[i].bucket;
	struct sort sort = { map->rows, count, sizeof *map->rows, compare_buckets };
	if (!sort_items(&sort, NULL, err))
		return false;
	*found = 0;
	for (size_t i = 0; i < count; i++) {
		if (*found > 0 && compare_buckets(&map->rows[*found - 1], &map->rows[i]) == 0)
			continue;
		map->rows[(*found)++] = map->rows[i];
	}
	return true;
}

/* Neighbours become one row where there is no room for each. */
static void
join_rows(struct bucket_map *map, size_t found, size_t per_row)
{
	for (size_t i = 0; i < found; i += per_row) {
		size_t last = i + per_row <= found ? i + per_row - 1 : found - 1;
		struct bucket row = { map->rows[i].low, map->rows[last].high, 0 };
		map->rows[i / per_row] = row;
	}
	map->row_count = (int)((found + per_row - 1) / per_row);
}

/* The first row that ends at or above the bucket's end. */
static int
row_of(const struct bucket_map *map, const struct bucket *bucket)
{
	int low = 0, high = map->row_count - 1;
	while (low < high) {
		int middle = low + (high - low) / 2;
		if (map->rows[middle].high < bucket->high)
			low = middle + 1;
		else
			high = middle;
	}
	/* Of those that overlap, which end alike. */
	while (low + 1 < map->row_count && compare_buckets(&map->rows[low], bucket) < 0 &&
		map->rows[low].high == bucket->high)
		low++;
	return low;
}

void
bucket_map_column(const struct bucket_map *map, int column, size_t *from, size_t *until)
{
	size_t columns = (size_t)map->heat.columns, at = (size_t)column;
	if (map->cells > 0) {
		*from = at / (size_t)map->cells;
		*until = *from + 1;
		return;
	}
	*from = at * map->intervals / columns;
	*until = (at + 1) * map->intervals / columns;
}

static int
first_column(const struct bucket_map *map, size_t interval)
{
	if (map->cells > 0)
		return (int)interval * map->cells;
	return (int)(((interval + 1) * (size_t)map->heat.columns - 1) / map->intervals);
}

static void
count_cell(struct bucket_map *map, const struct bucket_map_cell *cell)
{
	int row = row_of(map, &cell->bucket), column = first_column(map, cell->interval);
	map->rows[row].count += cell->bucket.count;
	int columns = map->cells > 0 ? map->cells : 1;
	for (int i = 0; i < columns * map->rows_each; i++) {
		size_t at = (size_t)(column + i % columns) * (size_t)map->heat.scale.rows;
		uint32_t *count = &map->heat.counts[at + (size_t)(row * map->rows_each + i / columns)];
		uint32_t room = UINT32_MAX - *count;
		*count += cell->bucket.count < room ? (uint32_t)cell->bucket.count : room;
		map->heat.most = *count > map->heat.most ? *count : map->heat.most;
	}
}

bool
bucket_map_build(struct bucket_map *map, const struct bucket_map_cell *cells, size_t count,
	struct bucket_map_room room, struct error *err)
{
	const size_t intervals = map->intervals;
	size_t found, columns = room.width > AXIS_CELLS ? (size_t)(room.width - AXIS_CELLS) : 1;
	size_t most = room.height > MAP_LINE ? (size_t)((room.height - MAP_LINE) * room.rows_per_line) : 1;
	map->cells = columns >= intervals ? (int)(columns / intervals) : 0;
	if (map->cells > INTERVAL_CELLS_MOST)
		map->cells = INTERVAL_CELLS_MOST;
	columns = map->cells > 0 ? (size_t)map->cells * intervals : columns;
	if (!find_buckets(map, cells, count, &found, err))
		return false;
	join_rows(map, found, found > most ? (found + most - 1) / most : 1);
	/* Few buckets have a line each. */
	map->rows_each = (size_t)(map->row_count * room.rows_per_line) <= most ? room.rows_per_line : 1;
	const struct heat_scale scale = { .rows = map->row_count * map->rows_each };
	map->lines = (scale.rows + room.rows_per_line - 1) / room.rows_per_line;
	if (!heat_begin(&map->heat, &scale, (struct heat_columns){ 0, 1, (int)columns }, err))
		return false;
	for (size_t i = 0; i < count; i++)
		count_cell(map, &cells[i]);
	return true;
}

void
bucket_map_release(struct bucket_map *map)
{
	heat_release(&map->heat);
	memory_free(map->rows);
	*map = (struct bucket_map){ 0 };
}

int
bucket_map_height(const struct bucket_map *map)
{
	return MAP_LINE + map->lines;
}

/* ---- drawing */

void
bucket_bound(char out[UNITS_TEXT], int64_t bound)
{
	static const char units[] = " KMGTPE";
	int unit = 0;
	if (bound == BUCKET_OPEN_LOW || bound == BUCKET_OPEN_HIGH) {
		snprintf(out, UNITS_TEXT, "...");
		return;
	}
	while ((bound >= 1024 || bound <= -1024) && bound % 1024 == 0) {
		bound /= 1024;
		unit++;
	}
	snprintf(out, UNITS_TEXT, "%" PRId64 "%.*s", bound, unit > 0, &units[unit]);
}

static void
draw_axis(struct canvas *canvas, int top, const struct bucket_map *map)
{
	const struct cell_style rule = { .fg = STYLE_RULE }, dim = { .fg = STYLE_TEXT_DIM };
	for (int line = 0; line < map->lines; line++) {
		int y = top + map->lines - 1 - line;
		int per_line = heat_map_rows_per_line(canvas) / map->rows_each;
		const struct bucket *row = &map->rows[line * per_line];
		char label[UNITS_TEXT];
		bucket_bound(label, row->low);
		int cells = (int)strlen(label);
		cells = cells < AXIS_CELLS - 2 ? cells : AXIS_CELLS - 2;
		canvas_string(canvas, AXIS_CELLS - 2 - cells, y, cells, dim, label);
		canvas_put(canvas, AXIS_CELLS - 1, y, rule, canvas->ascii ? "|" : "│");
	}
}

/* As many as there is room for. */
static void
draw_times(struct canvas *canvas, int y, const struct bucket_map *map)
{
	const struct cell_style dim = { .fg = STYLE_TEXT_DIM };
	int free = 0;
	for (size_t i = 0; i < map->intervals; i++) {
		int at = first_column(map, i);
		int cells = (int)text_width(map->names[i], strlen(map->names[i]));
		if (at < free || cells > map->heat.columns - at)
			continue;
		canvas_string(canvas, AXIS_CELLS + at, y, cells, dim, map->names[i]);
		free = at + cells + 1;
	}
}

void
bucket_map_draw(struct canvas *canvas, int y, const struct bucket_map *map, struct heat_cursor cursor)
{
	const struct cell_style dim = { .fg = STYLE_TEXT_DIM };
	int x = AXIS_CELLS + canvas_string(canvas, AXIS_CELLS, y + LEGEND_LINE, canvas->width - AXIS_CELLS, dim,
				     "how many, by bucket and interval  ");
	heat_map_legend(canvas, x, y + LEGEND_LINE, canvas->width - x, &map->heat);
	draw_times(canvas, y + TIMES_LINE, map);
	draw_axis(canvas, y + MAP_LINE, map);
	heat_map_draw(canvas, AXIS_CELLS, y + MAP_LINE, map->lines, &map->heat, cursor);
}

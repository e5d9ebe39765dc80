/*
 * A map of histograms of one kind over their intervals: a row for each bucket, the lowest at the
 * bottom, intervals from left to right, the more the warmer.
 */
#ifndef TTRACE_DRAW_BUCKET_MAP_H
#define TTRACE_DRAW_BUCKET_MAP_H

#include <stddef.h>

#include "base/units.h"
#include "draw/heat_map.h"
#include "trace/histogram_set.h"

/* What a bucket counts in an interval, which is numbered from 0 on. */
struct bucket_map_cell {
	uint32_t interval;
	struct bucket bucket;
};

struct bucket_map_room {
	int width, height; /* of the canvas: with the axis, the times and the legend */
	int rows_per_line; /* as heat_map_rows_per_line() says */
};

/* Zero-initialise, or use again. */
struct bucket_map {
	struct heat heat;       /* as it is drawn, without a scale of time */
	struct bucket *rows;    /* of each row its bounds and what it counts in all, the lowest first */
	size_t row_capacity;
	int row_count, rows_each; /* a row takes that many rows of the heat */
	const char *const *names; /* of intervals, safe texts that the caller keeps */
	size_t intervals;
	int cells;              /* that an interval takes; 0: a column has several */
	int lines;              /* of the canvas, that the map takes */
};

/*
 * Lays out the map of its intervals, whose number and names the caller has set. Where the room does
 * not have a row for each bucket or a column for each interval, a row or a column has several
 * neighbours. O(cells log cells).
 */
bool bucket_map_build(struct bucket_map *map, const struct bucket_map_cell *cells, size_t count,
	struct bucket_map_room room, struct error *err);
void bucket_map_release(struct bucket_map *map);

/* The first interval of a column, and the first behind it. */
void bucket_map_column(const struct bucket_map *map, int column, size_t *from, size_t *until);
/* "64K" for 65536, as bpftrace has it, "..." for an open end. */
void bucket_bound(char out[UNITS_TEXT], int64_t bound);
/* Lines of the canvas that it takes. */
int bucket_map_height(const struct bucket_map *map);
/* From a line on; the cursor is in columns and rows of map->heat. */
void bucket_map_draw(struct canvas *canvas, int y, const struct bucket_map *map, struct heat_cursor cursor);

#endif

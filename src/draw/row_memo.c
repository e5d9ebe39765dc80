/* A ring of rows, few enough to be searched from end to end. */
#include "draw/row_memo.h"

#include <assert.h>
#include <string.h>

#include "base/memory.h"

static struct row_memo_of
what_rows_go_by(const struct timeline_scene *scene, const struct canvas *canvas, int cells)
{
	return (struct row_memo_of){
		.trace = scene->trace,
		.rows = scene->rows,
		.renewals = scene->rows->renewals,
		.beneath = scene->rows->beneath,
		.others = scene->rows->others,
		.viewport = scene->viewport,
		.cells = cells,
		.search = scene->search,
		.filter = scene->filter.search,
		.search_number = scene->search_number,
		.filter_number = scene->filter.number,
		.hides = scene->filter.hides,
		.is_tall = scene->rows->size == ROWS_TALL,
		.ascii = canvas->ascii,
		.monochrome = canvas->monochrome,
	};
}

static bool
is_same(const struct row_memo_of *a, const struct row_memo_of *b)
{
	return a->trace == b->trace && a->rows == b->rows && a->renewals == b->renewals && a->beneath == b->beneath && a->others == b->others &&
	       a->viewport.t0_ns == b->viewport.t0_ns && a->viewport.t1_ns == b->viewport.t1_ns &&
	       a->cells == b->cells && a->search == b->search && a->filter == b->filter &&
	       a->search_number == b->search_number && a->filter_number == b->filter_number &&
	       a->hides == b->hides && a->is_tall == b->is_tall && a->ascii == b->ascii &&
	       a->monochrome == b->monochrome;
}

bool
row_memo_enter(struct row_memo *memo, const struct timeline_scene *scene,
	const struct canvas *canvas, const struct timeline_layout *layout, struct error *err)
{
	struct row_memo_of of = what_rows_go_by(scene, canvas, layout->cells);
	size_t most = layout->row_lines > 0 ? 2 * (size_t)layout->row_lines : 0;
	if (most == memo->most && is_same(&of, &memo->of))
		return true;
	memo->count = memo->next = memo->most = 0;
	if (!array_reserve(&memo->rows, &memo->row_capacity, most, sizeof *memo->rows, err) ||
		!array_reserve(&memo->drawn, &memo->cell_capacity, most * (size_t)layout->cells,
			sizeof *memo->drawn, err))
		return false;
	memo->of = of;
	memo->most = most;
	return true;
}

/* Its place in the ring; memo->count where it is not there. */
static size_t
place_of(const struct row_memo *memo, struct row row)
{
	for (size_t i = 0; i < memo->count; i++) {
		const struct row *known = &memo->rows[i];
		if (known->type == row.type && known->ref == row.ref && known->part == row.part)
			return i;
	}
	return memo->count;
}

bool
row_memo_put(const struct row_memo *memo, struct row row, struct canvas *canvas, int x, int y)
{
	size_t place = place_of(memo, row);
	struct cell *first = canvas_at(canvas, x, y);
	if (place == memo->count || first == NULL)
		return false;
	assert(x + memo->of.cells <= canvas->width);
	memcpy(first, &memo->drawn[place * (size_t)memo->of.cells],
		(size_t)memo->of.cells * sizeof *first);
	return true;
}

void
row_memo_keep(struct row_memo *memo, struct row row, struct canvas *canvas, int x, int y)
{
	const struct cell *first = canvas_at(canvas, x, y);
	if (memo->most == 0 || first == NULL)
		return;
	assert(x + memo->of.cells <= canvas->width);
	memo->rows[memo->next] = row;
	memcpy(&memo->drawn[memo->next * (size_t)memo->of.cells], first,
		(size_t)memo->of.cells * sizeof *first);
	memo->next = (memo->next + 1) % memo->most;
	memo->count += memo->count < memo->most;
}

void
row_memo_release(struct row_memo *memo)
{
	memory_free(memo->rows);
	memory_free(memo->drawn);
	*memo = (struct row_memo){ 0 };
}

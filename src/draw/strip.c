/* The rule of a cell. */
#include "draw/strip.h"

#include <assert.h>

/*
 * part * levels / whole, rounded to nearest. Times near the limits of their type
 * lose their last bits, which no rounding to so few levels can tell.
 */
static int
share_of(int64_t part_ns, int64_t whole_ns, int levels)
{
	while (whole_ns > INT64_MAX / 32) {
		whole_ns /= 2;
		part_ns /= 2;
	}
	if (part_ns >= whole_ns)
		return levels;
	return (int)((2 * part_ns * levels + whole_ns) / (2 * whole_ns));
}

/* Of those that are solid, or are not, the one with most time but for one; CLASS_GONE when none has any. */
static uint8_t
largest_look(const int64_t totals_ns[LOOK_COUNT], bool is_solid, uint8_t but)
{
	uint8_t largest = CLASS_GONE;
	int64_t most_ns = 0;
	for (uint8_t i = CLASS_GONE + 1; i < LOOK_COUNT; i++) {
		if (strip_is_solid(i) == is_solid && i != but && totals_ns[i] > most_ns) {
			most_ns = totals_ns[i];
			largest = i;
		}
	}
	return largest;
}

static struct strip_cell
line_cell(const int64_t totals_ns[LOOK_COUNT])
{
	uint8_t largest = largest_look(totals_ns, false, CLASS_GONE);
	return (struct strip_cell){
		.shape = largest == CLASS_GONE ? STRIP_NONE : STRIP_LINE,
		.look = largest,
	};
}

struct strip_cell
strip_cell(const int64_t totals_ns[LOOK_COUNT], int64_t whole_ns)
{
	assert(whole_ns > 0);
	uint8_t main = largest_look(totals_ns, true, CLASS_GONE);
	if (main == CLASS_GONE)
		return line_cell(totals_ns);

	int level = share_of(totals_ns[main], whole_ns, STRIP_LEVELS);
	struct strip_cell cell = {
		.shape = STRIP_BAR,
		.look = main,
		.level = level == 0 ? 1 : (uint8_t)level,
	};
	uint8_t second = largest_look(totals_ns, true, main);
	if (second == CLASS_GONE)
		return cell;
	int64_t rest_ns = whole_ns - totals_ns[main];
	bool has_half = totals_ns[second] >= rest_ns - totals_ns[second];
	if (has_half && share_of(totals_ns[second], whole_ns, STRIP_LEVELS) > 0)
		cell.second = second;
	return cell;
}

struct strip_cell
strip_edge(uint8_t left_look, uint8_t right_look, int64_t left_ns, int64_t whole_ns)
{
	assert(left_ns > 0 && left_ns < whole_ns);
	if (!strip_is_solid(left_look) && !strip_is_solid(right_look)) {
		int64_t totals_ns[LOOK_COUNT] = { 0 };
		totals_ns[left_look] += left_ns;
		totals_ns[right_look] += whole_ns - left_ns;
		totals_ns[CLASS_GONE] = 0;
		return line_cell(totals_ns);
	}
	int level = share_of(left_ns, whole_ns, STRIP_EIGHTHS);
	if (level < 1)
		level = 1;
	if (level > STRIP_EIGHTHS - 1)
		level = STRIP_EIGHTHS - 1;
	return (struct strip_cell){
		.shape = STRIP_EDGE,
		.look = left_look,
		.second = right_look,
		.level = (uint8_t)level,
	};
}

class_mask
strip_hidden(const struct strip_cell *cell)
{
	if (cell->shape != STRIP_BAR)
		return 0;
	class_mask hidden = 0;
	if (cell->look != CLASS_READY && cell->second != CLASS_READY)
		hidden |= CLASS_BIT(CLASS_READY);
	if (cell->second != CLASS_GONE)
		hidden |= CLASS_MASK_BLOCKED;
	return hidden;
}

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

/* The class of the mask with most time, CLASS_GONE when none has any. */
static uint8_t
largest_class(const int64_t totals_ns[CLASS_COUNT], class_mask mask)
{
	uint8_t largest = CLASS_GONE;
	int64_t most_ns = 0;
	for (int i = CLASS_GONE + 1; i < CLASS_COUNT; i++) {
		if ((mask >> i & 1) != 0 && totals_ns[i] > most_ns) {
			most_ns = totals_ns[i];
			largest = (uint8_t)i;
		}
	}
	return largest;
}

static struct strip_cell
line_cell(const int64_t totals_ns[CLASS_COUNT])
{
	uint8_t largest = largest_class(totals_ns, CLASS_MASK_ALL & (class_mask)~CLASS_MASK_SOLID);
	return (struct strip_cell){
		.shape = largest == CLASS_GONE ? STRIP_NONE : STRIP_LINE,
		.time_class = largest,
	};
}

struct strip_cell
strip_cell(const int64_t totals_ns[CLASS_COUNT], int64_t whole_ns)
{
	assert(whole_ns > 0);
	uint8_t main = largest_class(totals_ns, CLASS_MASK_SOLID);
	if (main == CLASS_GONE)
		return line_cell(totals_ns);

	int level = share_of(totals_ns[main], whole_ns, STRIP_LEVELS);
	struct strip_cell cell = {
		.shape = STRIP_BAR,
		.time_class = main,
		.level = level == 0 ? 1 : (uint8_t)level,
	};
	uint8_t second = largest_class(totals_ns, CLASS_MASK_SOLID & (class_mask)~CLASS_BIT(main));
	if (second == CLASS_GONE)
		return cell;
	int64_t rest_ns = whole_ns - totals_ns[main];
	bool has_half = totals_ns[second] >= rest_ns - totals_ns[second];
	if (has_half && share_of(totals_ns[second], whole_ns, STRIP_LEVELS) > 0)
		cell.second = second;
	return cell;
}

struct strip_cell
strip_edge(uint8_t left_class, uint8_t right_class, int64_t left_ns, int64_t whole_ns)
{
	assert(left_ns > 0 && left_ns < whole_ns);
	if (!strip_is_solid(left_class) && !strip_is_solid(right_class)) {
		int64_t totals_ns[CLASS_COUNT] = { 0 };
		totals_ns[left_class] += left_ns;
		totals_ns[right_class] += whole_ns - left_ns;
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
		.time_class = left_class,
		.second = right_class,
		.level = (uint8_t)level,
	};
}

class_mask
strip_hidden(const struct strip_cell *cell)
{
	if (cell->shape != STRIP_BAR)
		return 0;
	class_mask hidden = 0;
	if (cell->time_class != CLASS_READY && cell->second != CLASS_READY)
		hidden |= CLASS_BIT(CLASS_READY);
	if (cell->second != CLASS_GONE)
		hidden |= CLASS_MASK_BLOCKED;
	return hidden;
}

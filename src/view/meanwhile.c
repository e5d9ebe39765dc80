/* A line per processor, longest turns first. */
#include "view/meanwhile.h"

#include "analysis/turns.h"
#include "base/units.h"
#include "draw/names.h"

enum {
	SHOWN = 3,
	PROCESSOR_COLUMN = 3,
	RAN_COLUMN = 8,
};

static void
add_share(struct sheet *sheet, int64_t part_ns, int64_t whole_ns)
{
	char share[UNITS_TEXT];
	units_share(share, part_ns, whole_ns);
	text_format(sheet->scratch, " %s  ", share);
	sheet_scratch(sheet, prose_dim);
}

static void
add_processor(struct sheet *sheet, resource_ref ref, int64_t from_ns, int64_t until_ns)
{
	const struct trace *trace = sheet->trace;
	int64_t whole_ns = until_ns - from_ns, left_ns;
	struct turns turns;
	turns_find(&turns, trace, ref, from_ns, until_ns);
	left_ns = turns.busy_ns;
	sheet_line(sheet, PROCESSOR_COLUMN);
	name_processor(sheet->scratch, trace, ref);
	sheet_scratch(sheet, prose_plain);
	sheet->column = sheet->column < RAN_COLUMN ? RAN_COLUMN : sheet->column + 1;
	for (int shown = 0; shown < SHOWN; shown++) {
		struct turn *turn = turns_longest(&turns);
		if (turn == NULL)
			break;
		name_actor(sheet->scratch, trace, turn->actor, sheet->ascii);
		sheet_scratch(sheet, prose_plain);
		add_share(sheet, turn->time_ns, whole_ns);
		left_ns -= turn->time_ns;
		turn->time_ns = 0;
	}
	if (left_ns > 0) {
		sheet_string(sheet, prose_dim, "others");
		add_share(sheet, left_ns, whole_ns);
	}
	if (turns.busy_ns < whole_ns) {
		sheet_string(sheet, prose_dim, "nothing");
		add_share(sheet, whole_ns - turns.busy_ns, whole_ns);
	}
}

void
meanwhile_write(struct sheet *sheet, int64_t from_ns, int64_t until_ns)
{
	if (until_ns <= from_ns)
		return;
	sheet_heading(sheet, "meanwhile the {processors} ran");
	resource_ref processors[SHEET_MOST_PROCESSORS];
	size_t count = sheet_processors(sheet, processors);
	for (size_t i = 0; i < count; i++)
		add_processor(sheet, processors[i], from_ns, until_ns);
	sheet_more(sheet, PROCESSOR_COLUMN, trace_processor_count(sheet->trace) - count);
}

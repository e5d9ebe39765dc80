/* Writes parts and shares, and where each leads. */
#include "view/path_sheet.h"

#include "base/units.h"
#include "draw/critical_words.h"
#include "draw/names.h"
#include "draw/strip_glyph.h"
#include "trace/own_code.h"
#include "trace/words.h"

enum {
	DURATION_COLUMN = 19,
	WHO_COLUMN = 29,
	INDENT = 2,
	MOST_INDENT = 16,
	SHARE_COLUMN = WALK_TEXT_COLUMN,
	TOTAL_COLUMN = 11,
	COUNT_COLUMN = 21,
	PROCESSORS_FROM = 1000, /* of so many parts of the whole, one is worth telling of */
};

static void
go_to_column(struct sheet *sheet, int column)
{
	sheet->column = sheet->column < column ? column : sheet->column + 1;
}

static void
add_state(struct sheet *sheet, const struct state_kind *kind)
{
	uint8_t style = strip_style(kind == NULL ? CLASS_UNKNOWN : (uint8_t)kind->time_class);
	critical_add_state(sheet->scratch, sheet->trace, kind, sheet->ascii);
	sheet_scratch(sheet, (struct cell_style){ .fg = style });
}

static void
add_place(struct sheet *sheet, stack_id stack, actor_ref actor)
{
	stack_id own = own_code_stack(sheet->trace, stack, actor);
	if (own == STACK_NONE)
		return;
	const struct stack_frame *frame = stack_leaf(&sheet->trace->stacks, own);
	bool is_creation = own_code_is_creation(sheet->trace, stack, own);
	sheet->column++;
	text_add_string(sheet->scratch, is_creation ? "(created at " : "at ");
	name_string(sheet->scratch, sheet->trace, frame->function, sheet->ascii);
	text_add_string(sheet->scratch, " ");
	text_add_place(sheet->scratch, sheet->trace, frame, sheet->ascii);
	text_add_string(sheet->scratch, is_creation ? ")" : "");
	sheet_scratch(sheet, sheet_dim);
}

/* ---- parts */

/* ", woke G5 after 12.3 ms of chan receive"; of being ready " while P0 ran G1" */
static void
add_how(struct sheet *sheet, const struct critical_path *path, const struct critical_part *part)
{
	int64_t duration_ns = part->end_ns - part->start_ns;
	bool has_processors = part->kind != NULL && part->kind->state == STATE_READY &&
			 duration_ns >= (path->end_ns - path->start_ns) / PROCESSORS_FROM;
	text_add_string(sheet->scratch, ", ");
	size_t length = sheet->scratch->length;
	critical_add_how(sheet->scratch, sheet->trace, path, part, sheet->ascii);
	if (sheet->scratch->length == length)
		text_clear(sheet->scratch);
	if (sheet->scratch->length == 0 && has_processors) {
		text_add_string(sheet->scratch, " while ");
		critical_add_processors(sheet->scratch, sheet->trace, part->start_ns, part->end_ns);
	}
	sheet_scratch(sheet, sheet_plain);
}

static void
add_part(struct sheet *sheet, struct walk *walk, const struct critical_path *path,
	const struct critical_part *part)
{
	uint32_t depth = part->wait == REF_NONE ? 0 : path->waits[part->wait].depth;
	int indent = depth < MOST_INDENT / INDENT ? (int)depth * INDENT : MOST_INDENT;
	sheet_line(sheet, WALK_TEXT_COLUMN);
	if (part->actor != REF_NONE)
		walk_step_to(
			walk, (struct lane){ LANE_ACTOR, part->actor }, part->start_ns);
	sheet_moment(sheet, sheet_dim, part->start_ns);
	go_to_column(sheet, DURATION_COLUMN);
	sheet_duration(sheet, sheet_plain, part->end_ns - part->start_ns);
	go_to_column(sheet, WHO_COLUMN + indent);
	sheet->wrapped_column = WHO_COLUMN + indent + INDENT;
	if (part->actor != REF_NONE) {
		name_actor(sheet->scratch, sheet->trace, part->actor, sheet->ascii);
		sheet_scratch(sheet, sheet_bright);
		sheet->column++;
	}
	add_state(sheet, part->kind);
	add_how(sheet, path, part);
	add_place(sheet, part->stack, part->actor);
	sheet->wrapped_column = WALK_TEXT_COLUMN + INDENT;
}

void
path_sheet_parts(struct sheet *sheet, struct walk *walk, const struct critical_path *path)
{
	size_t shown = path->part_count < PATH_MOST_PARTS ? path->part_count : PATH_MOST_PARTS;
	for (size_t i = 0; i < shown; i++)
		add_part(sheet, walk, path, &path->parts[i]);
	sheet_more(sheet, WALK_TEXT_COLUMN, path->part_count - shown);
}

/* ---- shares */

static void
add_share(struct sheet *sheet, struct walk *walk, const struct critical_share *share,
	int64_t whole_ns)
{
	char number[UNITS_TEXT];
	sheet_line(sheet, SHARE_COLUMN);
	if (share->actor != REF_NONE)
		walk_step_to(walk, (struct lane){ LANE_ACTOR, share->actor },
			share->longest_start_ns);
	units_share(number, share->total_ns, whole_ns);
	sheet_string(sheet, sheet_bright, number);
	go_to_column(sheet, TOTAL_COLUMN);
	sheet_duration(sheet, sheet_plain, share->total_ns);
	go_to_column(sheet, COUNT_COLUMN);
	units_count(number, share->count);
	sheet_string(sheet, sheet_dim, number);
	go_to_column(sheet, WHO_COLUMN);
	sheet->wrapped_column = WHO_COLUMN + INDENT;
	if (share->actor != REF_NONE) {
		name_function(sheet->scratch, sheet->trace, share->name, SIZE_MAX, sheet->ascii);
		sheet_scratch(sheet, sheet_plain);
		sheet->column++;
	}
	add_state(sheet, share->kind);
	if (share->cause != CAUSE_STATE) {
		text_add_string(sheet->scratch, ", ");
		text_add_words(sheet->scratch, sheet->trace->words,
			critical_cause_words(share->cause));
	}
	sheet_scratch(sheet, sheet_plain);
	add_place(sheet, share->stack, share->actor);
	sheet->wrapped_column = WALK_TEXT_COLUMN + INDENT;
}

void
path_sheet_shares(struct sheet *sheet, struct walk *walk, const struct critical_path *path,
	const struct critical_share *shares, size_t count)
{
	for (size_t i = 0; i < count; i++)
		add_share(sheet, walk, &shares[i], path->end_ns - path->start_ns);
}

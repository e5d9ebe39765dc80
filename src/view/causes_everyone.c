/* The page of all actors at a time, in groups of those alike. */
#include "base/units.h"
#include "draw/moment_words.h"
#include "draw/parts_words.h"
#include "trace/words.h"
#include "view/causes_internal.h"

enum {
	MOST_GROUPS = 2000,
	ACTORS_AT_ONCE = 2000, /* each is asked what it did: some milliseconds */
	FRAME_COLUMN = 7,
};

static bool
find_everyone(struct causes_page *page, const atomic_bool *is_cancelled, struct error *err)
{
	if (is_cancelled == NULL && trace_actor_count(page->trace) > ACTORS_AT_ONCE)
		return page_job_takes_long(err);
	return moment_build(&page->moment, page->trace, page->t_ns, NULL, is_cancelled, err);
}

static void
release_everyone(struct causes_page *page)
{
	moment_release(&page->moment);
}

/* Else nothing is known, which is not the same as nobody being there. */
static bool
is_loaded(const struct causes_page *page)
{
	return parts_extent(&page->trace->parts, page->t_ns, page->t_ns + 1) == PARTS_LOADED;
}

static void
title_everyone(struct causes_page *page, struct text *out, bool ascii)
{
	char count[UNITS_TEXT];
	(void)ascii;
	if (!is_loaded(page)) {
		text_add_string(out, "This part of the trace is not loaded");
		return;
	}
	if (!page_job_has_answer(&page->job)) {
		text_add_words(out, page->trace->words, "{Actors} at this time");
		return;
	}
	units_count(count, page->moment.actor_count);
	text_format_words(out, page->trace->words, "%s {actors} at this time", count);
}

static void
write_frame(struct sheet *sheet, const struct stack_frame *frame)
{
	sheet_line(sheet, WALK_TEXT_COLUMN);
	moment_add_call(sheet->scratch, sheet->trace, frame, sheet->ascii);
	sheet_scratch(sheet, prose_plain);
	sheet_line(sheet, FRAME_COLUMN);
	moment_add_place(sheet->scratch, sheet->trace, frame, sheet->ascii);
	sheet_scratch(sheet, prose_dim);
}

static void
write_creation(struct sheet *sheet, actor_ref actor)
{
	const struct stack_frame *frame;
	if (!moment_add_creation(
		    sheet->scratch, sheet->trace, actor, sheet->ascii, &frame))
		return;
	sheet_line(sheet, WALK_TEXT_COLUMN);
	sheet_scratch(sheet, prose_dim);
	sheet_line(sheet, FRAME_COLUMN);
	moment_add_place(sheet->scratch, sheet->trace, frame, sheet->ascii);
	sheet_scratch(sheet, prose_dim);
}

static void
write_group(struct causes_page *page, struct sheet *sheet, const struct moment_group *group)
{
	const struct stack_table *stacks = &sheet->trace->stacks;
	const struct moment_actor *first = &page->moment.actors[group->first];
	sheet_line(sheet, WALK_TEXT_COLUMN);
	moment_add_alike(sheet->scratch, sheet->trace, &page->moment, group);
	if (sheet->scratch->length > 0) {
		sheet_line(sheet, WALK_TEXT_COLUMN);
		sheet_scratch(sheet, prose_plain);
	}
	sheet_line(sheet, WALK_TEXT_COLUMN);
	walk_step_to(&page->walk, (struct lane){ LANE_ACTOR, first->actor },
		page->moment.t_ns);
	moment_add_header(sheet->scratch, sheet->trace, &page->moment, first, sheet->ascii);
	sheet_scratch(sheet, prose_bright);
	for (stack_id at = first->stack; at != STACK_NONE; at = stack_caller(stacks, at))
		write_frame(sheet, stack_leaf(stacks, at));
	write_creation(sheet, first->actor);
}

static void
write_everyone(struct causes_page *page, struct sheet *sheet)
{
	size_t count = page->moment.group_count;
	size_t shown = count < MOST_GROUPS ? count : MOST_GROUPS;
	sheet_line(sheet, WALK_TEXT_COLUMN);
	sheet_string(sheet, prose_dim, "at ");
	sheet_moment(sheet, prose_plain, page->moment.t_ns);
	if (!is_loaded(page)) {
		sheet_string(sheet, prose_dim, " nothing is known: ");
		parts_add_part(sheet->scratch, parts_at(&page->trace->parts, page->t_ns));
		sheet_scratch(sheet, prose_plain);
		sheet_string(sheet, prose_dim, "; load-part in the timeline loads it");
		return;
	}
	for (size_t i = 0; i < shown; i++)
		write_group(page, sheet, &page->moment.groups[i]);
	sheet_more(sheet, WALK_TEXT_COLUMN, count - shown);
}

const struct causes_ops causes_everyone_ops = {
	find_everyone, NULL, release_everyone, title_everyone, write_everyone
};

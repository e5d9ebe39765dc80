/* Shares and parts of a critical path, a row each. */
#include "draw/critical_text.h"

#include "base/compiler.h"
#include "base/units.h"
#include "draw/critical_words.h"
#include "draw/names.h"
#include "trace/own_code.h"

enum {
	PROCESSORS_FROM = 1000, /* of so many parts of the whole, one is worth telling what else went on */
	WHO_COLUMN = 29,
};

/* ---- cells */

static void
tell_state(struct prose *prose, const struct state_kind *kind)
{
	prose_join(prose, " ");
	critical_add_state(prose->words, prose->trace, kind, prose->ascii);
	prose_cell(prose, prose_class_style(kind == NULL ? CLASS_UNKNOWN : kind->time_class));
}

/* A function and its place, two cells. */
static void
tell_place(struct prose *prose, stack_id stack, actor_ref actor)
{
	stack_id own = own_code_stack(prose->trace, stack, actor);
	const struct stack_frame *frame =
		own != STACK_NONE ? stack_leaf(&prose->trace->stacks, own) : NULL;
	bool is_creation = own_code_is_creation(prose->trace, stack, own);
	prose_frame(prose, is_creation ? " (created at " : " at ", prose_dim, frame);
	prose_string(prose, prose_dim, is_creation ? ")" : "");
}

/* ---- shares */

static void
tell_sum(struct prose *prose, const struct critical_share *share, int64_t whole_ns)
{
	char number[UNITS_TEXT];
	units_share(number, share->total_ns, whole_ns);
	text_add_string(prose->words, number);
	prose_cell(prose, prose_bright);
	prose_add_duration(prose, share->total_ns);
	prose_cell(prose, prose_plain);
	units_count(number, share->count);
	text_add_string(prose->words, number);
	prose_cell(prose, prose_dim);
	prose_add_duration(prose, share->longest_ns);
	prose_cell(prose, prose_plain);
}

static void
tell_share(struct prose *prose, const struct critical_share *share, int64_t whole_ns)
{
	prose_row(prose, 0);
	if (share->actor != REF_NONE)
		prose_lead(prose, (struct lane){ LANE_ACTOR, share->actor }, share->longest_start_ns,
			share->longest_start_ns + share->longest_ns);
	tell_sum(prose, share, whole_ns);
	if (share->actor != REF_NONE)
		name_function(prose->words, prose->trace, share->name, SIZE_MAX, prose->ascii);
	prose_cell(prose, prose_plain);
	tell_state(prose, share->kind);
	prose_join(prose, ", ");
	text_add_words(prose->words, prose->trace->words, critical_cause_words(share->cause));
	prose_cell(prose, prose_plain);
	tell_place(prose, share->stack, share->actor);
}

static void
tell_rest(struct prose *prose, const struct critical_share *shares, size_t count, int64_t whole_ns)
{
	struct critical_share rest = { 0 };
	for (size_t i = 0; i < count; i++) {
		rest.total_ns += shares[i].total_ns;
		rest.count += shares[i].count;
		if (rest.longest_ns < shares[i].longest_ns)
			rest.longest_ns = shares[i].longest_ns;
	}
	prose_row(prose, 0);
	tell_sum(prose, &rest, whole_ns);
	text_format(prose->words, "(%zu more)", count);
	prose_cell(prose, prose_dim);
	for (int i = 0; i < 4; i++)
		prose_cell(prose, prose_plain);
}

void
critical_tell_shares(struct prose *prose, const struct critical_path *path,
	const struct critical_share *shares, size_t count)
{
	static const struct prose_column columns[] = {
		{ .look = { .title = "share", .is_right = true }, .at = 3 },
		{ .look = { .title = "time", .is_right = true }, .at = 11 },
		{ .look = { .title = "count", .is_right = true, .rank = 4 }, .at = 21 },
		{ .look = { .title = "longest", .is_right = true, .rank = 5 }, .is_printed_only = true },
		{ .look = { .title = "{actor}", .is_name = true, .least_cells = 12 },
			.at = WHO_COLUMN, .is_nested = true },
		{ .look = { .title = "state", .least_cells = 10 } },
		{ .look = { .title = "", .rank = 6 } },
		{ .look = { .title = "where", .is_name = true, .least_cells = 16, .rank = 1 } },
		{ .look = { .title = "", .is_name = true, .least_cells = 12, .rank = 3 } },
	};
	size_t named = count <= prose->most_sums ? count : prose->most_sums - 1;
	int64_t whole_ns = path->end_ns - path->start_ns;
	prose_heading(prose, "share, time and count by {name}, state, reason and stack");
	prose_list(prose, columns, (int)ARRAY_LENGTH(columns));
	for (size_t i = 0; i < named; i++)
		tell_share(prose, &shares[i], whole_ns);
	if (named < count)
		tell_rest(prose, &shares[named], count - named, whole_ns);
}

/* ---- parts */

/*
 * "woke G5 after 12.3 ms of chan receive"; of being ready "P0 ran G1", where waiting for that took a
 * thousandth of the time at least.
 */
static void
tell_how(struct prose *prose, const struct critical_path *path, const struct critical_part *part)
{
	bool has_processors = part->kind != NULL && part->kind->state == STATE_READY &&
			      part->end_ns - part->start_ns >=
				      (path->end_ns - path->start_ns) / PROCESSORS_FROM;
	prose_join(prose, ", ");
	size_t length = prose->words->length;
	critical_add_how(prose->words, prose->trace, path, part, prose->ascii);
	bool is_told = prose->words->length != length || prose->words->failed;
	if (!is_told && has_processors) {
		text_clear(prose->words);
		prose_join(prose, " while ");
		critical_add_processors(prose->words, prose->trace, part->start_ns, part->end_ns);
	}
	prose_cell(prose, prose_plain);
}

static void
tell_part(struct prose *prose, const struct critical_path *path, const struct critical_part *part)
{
	prose_row(prose, part->wait == REF_NONE ? 0 : path->waits[part->wait].depth);
	if (part->actor != REF_NONE)
		prose_lead(prose, (struct lane){ LANE_ACTOR, part->actor }, part->start_ns,
			part->end_ns);
	prose_add_moment(prose, part->start_ns, (path->end_ns - path->start_ns) / 1000);
	prose_cell(prose, prose_dim);
	prose_add_duration(prose, part->end_ns - part->start_ns);
	prose_cell(prose, prose_plain);
	if (part->actor != REF_NONE)
		name_actor(prose->words, prose->trace, part->actor, prose->ascii);
	prose_cell(prose, prose_bright);
	tell_state(prose, part->kind);
	if (part->processor != REF_NONE)
		name_processor(prose->words, prose->trace, part->processor);
	prose_cell(prose, prose_plain);
	tell_how(prose, path, part);
	tell_place(prose, part->stack, part->actor);
}

void
critical_tell_parts(struct prose *prose, const struct critical_path *path, bool is_why,
	const struct search *only)
{
	static const struct prose_column columns[] = {
		{ .look = { .title = "from", .is_right = true }, .at = 3 },
		{ .look = { .title = "for", .is_right = true }, .at = 19 },
		{ .look = { .title = "{actor}", .least_cells = 20 }, .at = WHO_COLUMN, .is_nested = true },
		{ .look = { .title = "state", .least_cells = 10 } },
		{ .look = { .title = "{processor}", .rank = 6 }, .is_printed_only = true },
		{ .look = { .title = "", .least_cells = 24, .rank = 3 } },
		{ .look = { .title = "where", .is_name = true, .least_cells = 12, .rank = 4 } },
		{ .look = { .title = "", .is_name = true, .least_cells = 10, .rank = 5 } },
	};
	size_t i = 0;
	prose_heading(prose,
		is_why ? "back in time: what ended it, what that had waited for, and so on"
		       : "back in time from the end");
	prose_list(prose, columns, (int)ARRAY_LENGTH(columns));
	for (; i < path->part_count && prose_has_room(prose, i); i++)
		if (critical_part_matches(prose->trace, &path->parts[i], only))
			tell_part(prose, path, &path->parts[i]);
	if (!prose->is_over)
		prose_more(prose, path->part_count - i);
}

/* ---- beneath */

static void
tell_lost(struct prose *prose, const struct critical_path *path, const struct critical_part *part,
	const struct critical_lost *lost)
{
	prose_row(prose, 0);
	prose_lead(prose, (struct lane){ LANE_ACTOR, part->actor }, part->start_ns, part->end_ns);
	prose_add_moment(prose, part->start_ns, (path->end_ns - path->start_ns) / 1000);
	prose_cell(prose, prose_dim);
	prose_add_duration(prose, lost->time_ns);
	prose_cell(prose, prose_plain);
	name_actor(prose->words, prose->trace, part->actor, prose->ascii);
	prose_cell(prose, prose_bright);
	tell_state(prose, part->kind);
	prose_join(prose, ", ");
	critical_add_lost(prose->words, prose->beneath, lost, prose->ascii);
	prose_cell(prose, prose_plain);
}

void
critical_tell_beneath(struct prose *prose, const struct critical_path *path)
{
	static const struct prose_column columns[] = {
		{ .look = { .title = "from", .is_right = true }, .at = 3 },
		{ .look = { .title = "no CPU", .is_right = true }, .at = 19 },
		{ .look = { .title = "{actor}", .is_name = true, .least_cells = 12 }, .at = WHO_COLUMN },
		{ .look = { .title = "state", .rank = 1 } },
		{ .look = { .title = "who had it", .least_cells = 38 } },
	};
	uint64_t told = 0;
	for (size_t i = 0; prose->beneath != NULL && i < path->part_count && !prose->is_over; i++) {
		struct critical_lost lost;
		if (!critical_find_lost(&lost, prose->beneath, &path->parts[i]) ||
			lost.time_ns < (path->end_ns - path->start_ns) / PROCESSORS_FROM)
			continue;
		if (told == 0) {
			prose_heading(prose, "beneath: parts of it whose {threads} had no CPU");
			prose_list(prose, columns, (int)ARRAY_LENGTH(columns));
		}
		if (prose->most_rows != 0 && told == prose->most_rows)
			return;
		told++;
		tell_lost(prose, path, &path->parts[i], &lost);
	}
}

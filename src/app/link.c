/* What one looks at in words for a shell. */
#include "app/link.h"

#include <inttypes.h>
#include <string.h>

#include "analysis/critical.h"
#include "analysis/registry.h"
#include "base/checked.h"
#include "base/units.h"
#include "trace/lane_name.h"
#include "trace/notes.h"
#include "view/other.h"

/* ---- the command line */

static void
add_time(struct text *out, const char *option, int64_t time_ns)
{
	char time[UNITS_TEXT];
	units_option_time(time, time_ns, 1);
	text_format(out, " --%s=%s", option, time);
}

static void
add_row_option(struct text *out, const struct session *session)
{
	struct text row = { 0 };
	lane_name_add(&row, session->trace, session->lane);
	if (row.length > 0 && strlen(row.bytes) == row.length) {
		text_add_string(out, " --row=");
		text_add_shell_word(out, row.bytes);
	}
	text_release(&row);
}

/* Nothing for NULL. */
static void
add_option(struct text *out, const char *option, const char *value)
{
	if (value == NULL)
		return;
	text_format(out, " --%s=", option);
	text_add_shell_word(out, value);
}

/* What of [*from_ns, *until_ns) is within the trace: another one beside it may be longer. False for nothing. */
static bool
cut(const struct session *session, int64_t *from_ns, int64_t *until_ns)
{
	int64_t end_ns = session->panes != NULL ? session->trace->end_ns : INT64_MAX;
	*from_ns = *from_ns > 0 ? *from_ns : 0;
	*until_ns = *until_ns < end_ns ? *until_ns : end_ns;
	return *from_ns < *until_ns;
}

static void
add_place(struct text *out, const struct session *session)
{
	int64_t from_ns = session->viewport.t0_ns, until_ns = session->viewport.t1_ns;
	if (!cut(session, &from_ns, &until_ns))
		return;
	add_time(out, "from", from_ns);
	add_time(out, "to", until_ns);
	if (session->cursor_ns >= from_ns && session->cursor_ns < until_ns)
		add_time(out, "at", session->cursor_ns);
}

/* The interval from A to B is named by its ends: the marks themselves are the user's. */
static void
add_marked(struct text *out, const struct session *session)
{
	char from[UNITS_TEXT], until[UNITS_TEXT];
	int64_t from_ns, until_ns;
	if (!session_marked(session, &from_ns, &until_ns))
		return;
	if (session->has_mark && !session->has_mark_end) {
		from_ns = session->mark_ns;
		until_ns = saturating_add_i64(from_ns, 1);
		if (cut(session, &from_ns, &until_ns))
			add_time(out, "mark", session->mark_ns);
		return;
	}
	if (!cut(session, &from_ns, &until_ns))
		return;
	units_option_time(from, from_ns, 1);
	units_option_time(until, until_ns, 1);
	text_format(out, " --mark=%s,%s", from, until);
}

static void
add_plan(struct text *out, struct arrange_plan plan)
{
	if (plan.by != GROUP_BY_NAME)
		text_format(out, " --group=%s", group_by_words[plan.by]);
	if (plan.sort != LANES_AS_USUAL)
		text_format(out, " --sort-lanes=%s", lane_sort_words[plan.sort]);
}

static void
add_interacts(struct text *out, const struct session *session)
{
	struct interacts_plan plan = session->interacts;
	if (plan.steps == 0)
		return;
	text_format(out, " --interacts=%" PRId64 ",",
		trace_actor(session->trace, plan.actor)->id);
	interacts_add_words(out, plan);
}

static void
add_notes(struct text *out, const struct session *session)
{
	const struct notes *notes = session->notes;
	if (session->keeps_notes || notes == NULL ||
		(!notes->has_mark[MARK_A] && !notes->has_mark[MARK_B]))
		return;
	text_add_string(out, " --no-state --marks=");
	for (int mark = 0; mark < MARK_COUNT; mark++) {
		char time[UNITS_TEXT];
		units_option_time(time, notes->mark_ns[mark], 1);
		text_format(out, "%s%s", mark > 0 ? "," : "", notes->has_mark[mark] ? time : "");
	}
}

static void
add_path(struct text *out, const struct session *session)
{
	char from[UNITS_TEXT], until[UNITS_TEXT];
	if (session->path == NULL)
		return;
	units_option_time(from, session->path->start_ns, 1);
	units_option_time(until, session->path->end_ns, 1);
	char letter = session->trace->words->actor.letter;
	text_add_string(out, " --path=");
	if (letter == 'G') /* which the option takes, and no other letter */
		text_add(out, &letter, 1);
	text_format(out, "%" PRId64 ",%s,%s",
		trace_actor(session->trace, session->path_actor)->id, from, until);
}

static void
add_fold(void *context, const char *name)
{
	add_option(context, "fold", name);
}

/* "12", or "12,3" where something stands above the screen. */
static void
add_line(struct text *out, const struct view_place *place)
{
	text_format(out, "%zu", place->line + 1);
	if (place->top > 0)
		text_format(out, ",%zu", place->top + 1);
}

/* What is folded, and which row is selected, unless its name says so. */
static void
add_rows(struct text *out, const struct session *session, const struct link_view *rows)
{
	struct view_place place;
	if (rows->ops == NULL)
		return;
	if (rows->ops->name_folds != NULL)
		rows->ops->name_folds(rows->state, session, add_fold, out);
	if (rows->ops->place != NULL && rows->ops->place(rows->state, session, &place)) {
		text_add_string(out, " --line=");
		add_line(out, &place);
	}
}

static void
add_page_name(struct text *out, const struct session *session, const struct link_view *page)
{
	struct text name = { 0 };
	view_add_page(page->ops, page->state, session, &name);
	if (name.length > 0)
		add_option(out, "view", name.bytes);
	text_release(&name);
}

static void
add_setting(void *context, const char *setting)
{
	add_option(context, "page-set", setting);
}

static void
add_page(struct text *out, const struct session *session, const struct link_view *page)
{
	struct view_place place;
	/* Who compares traces sees that first, unless something else is asked for. */
	if (page->ops == NULL && session->other != NULL)
		add_option(out, "view", "timeline");
	if (page->ops == NULL)
		return;
	add_page_name(out, session, page);
	if (page->ops->place != NULL && page->ops->place(page->state, session, &place)) {
		text_add_string(out, " --page-line=");
		add_line(out, &place);
	}
	const struct setting_sink sink = { add_setting, out };
	if (page->ops->name_settings != NULL)
		page->ops->name_settings(page->state, session, &sink);
}

static bool
is_loaded(const struct trace *trace)
{
	return parts_extent(&trace->parts, 0, trace->end_ns) == PARTS_LOADED;
}

/* What was wanted: the interval on the screen would lead to other parts. */
static void
add_part(struct text *out, const struct trace *trace, struct go_wish part)
{
	char from[UNITS_TEXT], to[UNITS_TEXT];
	units_option_time(from, part.from_ns, 1);
	units_option_time(to, part.to_ns, 1);
	if (is_loaded(trace))
		return;
	if (part.goroutine > 0)
		text_format(out, " --part=G%" PRId64, part.goroutine);
	else if (part.from_ns < part.to_ns)
		text_format(out, " --part=%s,%s", from, to);
	else
		text_format(out, " --part=%s", from);
}

void
link_add_command(struct text *out, const struct session *session, actor_ref focus,
	const struct link_origin *origin)
{
	bool has_time = session->trace->clock != TRACE_CLOCK_NONE;
	text_add_string(out, "ttrace");
	if (has_time)
		add_place(out, session);
	if (focus != REF_NONE)
		text_format(out, " --%s=%" PRId64,
			registry_shown_name("goroutine", session->trace->words),
			trace_actor(session->trace, focus)->id);
	add_interacts(out, session);
	if (session->has_stacks)
		text_format(out, " --stack-lanes=%" PRId64,
			trace_actor(session->trace, session->stacks)->id);
	if (focus == REF_NONE && session->tasks != TASKS_OFF)
		text_format(out, " --%s=%" PRId64,
			session->tasks == TASKS_ONE ? "focus-task" : "task",
			trace_task(session->trace, session->task)->id);
	/* Beneath tasks a row stands by its number: its name may lead to other rows. */
	if (has_time && session->has_lane && session->tasks == TASKS_OFF)
		add_row_option(out, session);
	add_rows(out, session, &origin->rows);
	add_marked(out, session);
	add_notes(out, session);
	add_path(out, session);
	add_option(out, "search", session_searched(session));
	if (session->filter_mode != FILTER_OFF && session->filter_text.length > 0) {
		add_option(out, "query", session->filter_text.bytes);
		text_add_string(out, session->filter_mode == FILTER_HIDES ? " --hide" : "");
	}
	add_plan(out, session->plan);
	row_picks_add_options(&session->hidden, session->trace, "hide-row", text_add_shell_word, out);
	row_picks_add_options(&session->pinned, session->trace, "pin-row", text_add_shell_word, out);
	if (session->with_runtime)
		text_add_string(out, " --runtime");
	if (session->is_wall)
		text_add_string(out, " --time=wall");
	if (origin->is_strict)
		text_add_string(out, " --strict");
	add_option(out, "source", origin->source);
	add_option(out, "section", origin->section);
	add_option(out, "sample-type", origin->sample_type);
	add_option(out, "diff-type", origin->diff_type);
	add_option(out, "memory", origin->memory);
	add_part(out, session->trace, origin->part);
	add_option(out, "notes", origin->notes);
	if (session->other != NULL)
		add_option(out, "diff", session->other->file);
	add_page(out, session, &origin->page);
	add_option(out, "align", origin->align);
	text_add_string(out, " ");
	text_add_shell_file(out, origin->file);
	for (int i = 0; origin->more[i] != NULL; i++) {
		text_add_string(out, " ");
		text_add_shell_file(out, origin->more[i]);
	}
}

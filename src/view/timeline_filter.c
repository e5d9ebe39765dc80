/* The timeline's filter: what it leaves, and what is said of it and of counts. */
#include <stdio.h>

#include "base/units.h"
#include "draw/task_rows.h"
#include "query/search.h"
#include "trace/words.h"
#include "view/timeline_state.h"

static const struct view_answer redraw = { .reaction = VIEW_REDRAW };

/* ---- rows */

/* The row that was selected, or the nearest before it that is left. */
static void
select_again(struct timeline *timeline, struct session *session, struct row here)
{
	size_t count = timeline->rows.count;
	size_t row = rows_find_again(&timeline->rows, here, session->trace);
	if (row == ROW_NONE && timeline->cursor_row < count &&
		timeline->rows.items[timeline->cursor_row].type > ROW_SECTION)
		row = timeline->cursor_row;
	if (row == ROW_NONE)
		row = rows_first_lane(&timeline->rows);
	timeline_select_row(timeline, session, row < count ? row : 0);
}

void
timeline_follow_filter(struct timeline *timeline, struct session *session)
{
	struct timeline_rows *rows = &timeline->rows;
	struct search *wanted =
		session->filter_mode == FILTER_HIDES ? session->filter : NULL;
	struct row here = { .type = ROW_TYPE_COUNT };
	struct error err;
	if (rows->filter == wanted && timeline->filter_number == session->filter_number)
		return;
	error_clear(&err);
	timeline->filter_number = session->filter_number;
	if (rows->tasks != NULL)
		task_rows_forget_matches(rows->tasks);
	if (rows->filter == NULL && wanted == NULL)
		return;
	/* What was selected elsewhere meanwhile; with a filter that is gone it cannot be looked for. */
	if (rows->filter == NULL)
		timeline_follow_session(timeline, session);
	if (timeline->cursor_row < rows->count)
		here = rows->items[timeline->cursor_row];
	if (!rows_filter(rows, wanted, &err) || !rows_match_more(rows, session->filter, &err)) {
		/* The rows are as they were, but may not ask what is gone. */
		rows->filter = NULL;
		session_status(session, true, "%s", err.message);
		return;
	}
	select_again(timeline, session, here);
}

size_t
timeline_filter_left(struct timeline *timeline, const struct session *session)
{
	const struct timeline_rows *rows = &timeline->rows;
	bool lasts;
	if (session->filter == NULL)
		return SIZE_MAX;
	if (timeline->left_number == session->filter_number &&
		timeline->left_listings == rows->listings)
		return timeline->rows_left;
	timeline->rows_left = rows_count_matching(rows, session->filter, &lasts);
	timeline->left_number = session->filter_number;
	timeline->left_listings = lasts ? rows->listings : 0;
	return timeline->rows_left;
}

/* ---- words */

const char *
timeline_filter_words(struct timeline *timeline, const struct session *session)
{
	struct text *words = &timeline->filter_words;
	text_clear(words);
	text_add_safe(words, session->filter_text.bytes, session->filter_text.length,
		session->ascii);
	return words->length > 0 && !words->failed ? words->bytes : "";
}

/* ---- commands */

struct view_answer
timeline_filter(const struct timeline_request *request)
{
	struct session *session = request->session;
	struct error note;
	error_clear(&note);
	if (request->argument != NULL)
		return session_filter(session, request->argument, &note)
			       ? redraw
			       : timeline_say(request, true, note.message);
	if (session->filter_mode == FILTER_DIMS) {
		session->filter_mode = FILTER_HIDES;
		session_status(session, false, "what the filter does not match is hidden");
	} else {
		session_drop_filter(session);
		session_status(session, false, "all is shown again");
	}
	timeline_follow_filter(request->timeline, session);
	return redraw;
}

struct view_answer
timeline_count(const struct timeline_request *request)
{
	struct error note;
	error_clear(&note);
	if (request->argument == NULL ||
		session_count(request->session, request->argument, &note))
		return redraw;
	return timeline_say(request, true, note.message);
}

static struct view_answer
tell_matches(const struct timeline_request *request, uint64_t spans, bool are_slices,
	const char *more, const struct error *note)
{
	char count[UNITS_TEXT], message[sizeof note->message + 200];
	units_count(count, spans);
	const char *so_far = request->session->loading[0] != '\0' ? " so far" : "";
	int used = snprintf(message, sizeof message, "%s %s%s%s%s", count,
		are_slices ? "slice" : "span", spans == 1 ? " matches" : "s match", so_far, more);
	if (note->kind != ERROR_NONE && used > 0)
		snprintf(message + used, sizeof message - (size_t)used, "; %s", note->message);
	return timeline_say(request, spans == 0 || note->kind != ERROR_NONE, message);
}

struct view_answer
timeline_take_filter(const struct timeline_request *request, const struct error *note)
{
	struct session *session = request->session;
	struct text more = { 0 };
	char count[UNITS_TEXT];
	bool has_failed = session->purpose == FOR_FILTER && session->filter == NULL;
	if (has_failed || note->kind == ERROR_MEMORY)
		return timeline_say(request, true, note->message);
	bool is_told = session->purpose == FOR_FILTER ? session->tells_filter : session->tells_count;
	if (session->is_repeated && !is_told)
		return redraw;
	session_tell_else(session);
	session->tells_filter = session->purpose == FOR_FILTER;
	session->tells_count = !session->tells_filter;
	if (session->tells_filter) {
		uint64_t slices = search_slice_count(session->filter);
		return tell_matches(request, slices > 0 ? slices : search_count(session->filter),
			slices > 0, "; & hides what does not", note);
	}
	units_count(count, session->counted_actors);
	text_format_words(&more, session->trace->words,
		session->counted_actors == 1 ? ", of %s {actor}" : ", of %s {actors}", count);
	struct view_answer answer =
		tell_matches(request, session->counted_spans,
		session->counted_slices, text_string(&more), note);
	text_release(&more);
	return answer;
}

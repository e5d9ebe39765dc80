/* What all views share. */
#include "view/view.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "analysis/critical.h"
#include "base/memory.h"
#include "base/text.h"
#include "query/query.h"
#include "query/search.h"
#include "query/search_job.h"
#include "trace/notes.h"
#include "trace/words.h"

void
view_add_page(const struct view_ops *ops, const void *state, const struct session *session,
	struct text *out)
{
	if (ops->add_name != NULL)
		ops->add_name(state, session, out);
	else
		text_add_string(out, ops->name);
	if (out->length > 0 && strlen(out->bytes) != out->length)
		text_clear(out);
}

/* Drops what a full buffer left of a character at its end. */
static void
cut_after_whole_characters(char *safe)
{
	size_t length = strlen(safe), at = 0;
	while (at < length) {
		struct text_char next = text_decode(safe + at, length - at);
		if (!next.is_valid)
			break;
		at += next.length;
	}
	safe[at] = '\0';
}

void
session_status(struct session *session, bool is_alert, const char *format, ...)
{
	struct text message = { 0 };
	va_list args;
	va_start(args, format);
	text_format_words_list(&message, session->trace->words, format, args);
	va_end(args);
	snprintf(session->status, sizeof session->status, "%s", text_string(&message));
	text_release(&message);
	cut_after_whole_characters(session->status);
	session->status_is_alert = is_alert;
}

void
session_tell_else(struct session *session)
{
	session->tells_search = session->tells_filter = session->tells_count = false;
}

/* ---- the marked interval */

static void
put_in_order(int64_t a_ns, int64_t b_ns, int64_t *from_ns, int64_t *until_ns)
{
	*from_ns = a_ns < b_ns ? a_ns : b_ns;
	*until_ns = a_ns < b_ns ? b_ns : a_ns;
}

bool
session_between(const struct session *session, int64_t *from_ns, int64_t *until_ns)
{
	const struct notes *notes = session->notes;
	if (notes == NULL || !notes->has_mark[MARK_A] || !notes->has_mark[MARK_B])
		return false;
	put_in_order(notes->mark_ns[MARK_A], notes->mark_ns[MARK_B], from_ns, until_ns);
	return true;
}

bool
session_marked(const struct session *session, int64_t *from_ns, int64_t *until_ns)
{
	if (!session->has_mark && session->is_between)
		return session_between(session, from_ns, until_ns);
	put_in_order(session->mark_ns,
		session->has_mark_end ? session->mark_end_ns : session->cursor_ns, from_ns,
		until_ns);
	return session->has_mark;
}

void
session_mark(struct session *session, int64_t from_ns)
{
	session->has_mark = true;
	session->has_mark_end = false;
	session->mark_ns = from_ns;
	session->is_between = false;
}

void
session_hold_mark(struct session *session)
{
	if (!session->has_mark || session->has_mark_end || session->mark_ns == session->cursor_ns)
		return;
	session->has_mark_end = true;
	session->mark_end_ns = session->cursor_ns;
}

bool
session_unmark(struct session *session)
{
	int64_t from_ns, until_ns;
	bool is_marked = session_marked(session, &from_ns, &until_ns);
	session->has_mark = session->is_between = false;
	return is_marked;
}

/* ---- searching */

/* A search prompt takes patterns as well; elsewhere all is a query. */
static struct query *
read_query(const struct session *session, const struct text *text, enum search_purpose purpose,
	struct error *note)
{
	const struct words *words = session->trace->words;
	const char *bytes = text_string(text);
	return purpose == FOR_SEARCH ? query_new_search(bytes, words, note)
				     : query_new(bytes, words, note);
}

static bool
begin_search(struct session *session, const struct text *text, enum search_purpose purpose,
	struct error *note)
{
	if (text->failed)
		return error_set_memory(note, "the search");
	struct query *query = read_query(session, text, purpose, note);
	struct search_job *job = NULL;
	if (query != NULL)
		job = search_job_start_query(
			session->trace, query, session->wake, session->wake_context, note);
	if (job == NULL)
		return false;
	search_job_end(session->searching);
	session->searching = job;
	session->purpose = purpose;
	return true;
}

static void
take_text(struct text *to, struct text *from)
{
	text_release(to);
	*to = *from;
	*from = (struct text){ 0 };
}

static bool
ask(struct session *session, const char *text, enum search_purpose purpose, struct error *note)
{
	struct text asked = { 0 };
	text_add_string(&asked, text);
	if (!begin_search(session, &asked, purpose, note)) {
		text_release(&asked);
		return false;
	}
	take_text(&session->asked, &asked);
	session->is_repeated = false;
	session->searched_from_ns = session->cursor_ns;
	session->searched_from_lane = session->lane;
	return true;
}

bool
session_search(struct session *session, const char *pattern, struct error *note)
{
	return ask(session, pattern, FOR_SEARCH, note);
}

bool
session_filter(struct session *session, const char *query, struct error *note)
{
	return ask(session, query, FOR_FILTER, note);
}

bool
session_count(struct session *session, const char *query, struct error *note)
{
	return ask(session, query, FOR_COUNT, note);
}

/* What was asked is kept apart until the search is taken. */
const struct text *
session_filter_text(const struct session *session)
{
	bool is_asked = session->searching != NULL && session->purpose == FOR_FILTER &&
			!session->is_repeated && session->asked.length > 0;
	if (is_asked)
		return &session->asked;
	return session->filter_mode != FILTER_OFF ? &session->filter_text : NULL;
}

void
session_drop_filter(struct session *session)
{
	if (session->searching != NULL && session->purpose == FOR_FILTER)
		session_stop_search(session);
	search_free(session->filter);
	session->filter = NULL;
	session->filter_mode = FILTER_OFF;
	session->filter_number++;
}

/* ---- what was made */

void
session_drop_search(struct session *session)
{
	search_free(session->search);
	session->search = NULL;
	session->search_number++;
}

static void
keep_search(struct session *session, struct search *search)
{
	session_drop_search(session);
	session->search = search;
	if (!session->is_repeated)
		take_text(&session->pattern, &session->asked);
}

static void
keep_filter(struct session *session, struct search *search)
{
	search_free(session->filter);
	session->filter = search;
	session->filter_number++;
	if (!session->is_repeated)
		take_text(&session->filter_text, &session->asked);
	if (search == NULL)
		session->filter_mode = FILTER_OFF;
	else if (!session->is_repeated)
		session->filter_mode = FILTER_DIMS;
}

static void
keep_count(struct session *session, struct search *search)
{
	session->counted_slices = search != NULL && search_slice_count(search) > 0;
	session->counted_spans = search == NULL ? 0
				 : session->counted_slices ? search_slice_count(search)
							   : search_count(search);
	session->counted_actors = search != NULL ? search_actor_count(search) : 0;
	if (!session->is_repeated)
		take_text(&session->counted, &session->asked);
	session_stop_search(session); /* which still has a part in it */
	search_free(search);
}

static void
filter_again(struct session *session)
{
	struct error note;
	error_clear(&note);
	session->is_repeated = true;
	if (!begin_search(session, &session->filter_text, FOR_FILTER, &note)) {
		session->filter_mode = FILTER_OFF;
		session_status(session, true, "%s", note.message);
	}
}

/* What was told stays, where it cannot be. */
static void
count_again(struct session *session)
{
	struct error ignored;
	error_clear(&ignored);
	session->counts_again = false;
	session->is_repeated = true;
	if (session->tells_count)
		(void)begin_search(session, &session->counted, FOR_COUNT, &ignored);
}

/* What was filtered before more came is filtered again, once the search is there; then it is counted. */
void
session_go_on(struct session *session)
{
	if (session->searching != NULL)
		return;
	if (session->filter_mode != FILTER_OFF && session->filter == NULL)
		filter_again(session);
	else if (session->counts_again)
		count_again(session);
}

bool
session_take_search(struct session *session, struct error *note)
{
	static void (*const keep[])(struct session *session, struct search *search) = {
		[FOR_SEARCH] = keep_search,
		[FOR_FILTER] = keep_filter,
		[FOR_COUNT] = keep_count,
	};
	struct search *search;
	if (session->searching == NULL)
		return false;
	bool is_new = search_job_take(session->searching, &search, note);
	if (is_new)
		keep[session->purpose](session, search);
	if (session->searching != NULL && search_job_is_done(session->searching))
		session_stop_search(session);
	return is_new;
}

const char *
session_searched(const struct session *session)
{
	bool is_made = session->searching == NULL || session->purpose != FOR_SEARCH;
	if (!is_made && !session->is_repeated)
		return session->asked.bytes;
	return !is_made || session->search != NULL ? session->pattern.bytes : NULL;
}

bool
session_stop_search(struct session *session)
{
	bool is_searching = session->searching != NULL && !search_job_is_made(session->searching);
	search_job_end(session->searching);
	session->searching = NULL;
	if (is_searching && session->purpose == FOR_FILTER && session->filter == NULL)
		session->filter_mode = FILTER_OFF;
	return is_searching;
}

void
session_release(struct session *session)
{
	session_drop_analyses(session);
	session_stop_search(session);
	arrange_job_end(session->arranging);
	arrangement_release(&session->arrangement);
	row_picks_release(&session->hidden);
	row_picks_release(&session->pinned);
	session_drop_path(session);
	session_drop_search(session);
	session_drop_filter(session);
	text_release(&session->filter_text);
	text_release(&session->pattern);
	text_release(&session->asked);
	text_release(&session->counted);
	text_release(&session->noted);
}

/* ---- the critical path */

bool
session_take_path(struct session *session, const struct critical_path *path,
	actor_ref actor, struct error *err)
{
	struct critical_path *kept = memory_realloc(NULL, sizeof *kept);
	if (kept == NULL)
		return error_set_memory(err, "the critical path");
	*kept = *path;
	session_drop_path(session);
	session->path = kept;
	session->path_actor = actor;
	return true;
}

bool
session_show_path(struct session *session, actor_ref actor, int64_t t0_ns, int64_t t1_ns,
	struct error *err)
{
	struct critical_path path;
	struct critical_scope scope = { actor, t0_ns, t1_ns, SESSION_PATH_STEPS, NULL };
	if (!critical_build(&path, session->trace, &scope, err))
		return false;
	if (session_take_path(session, &path, actor, err))
		return true;
	critical_release(&path);
	return false;
}

bool
session_drop_path(struct session *session)
{
	if (session->path == NULL)
		return false;
	critical_release(session->path);
	memory_free(session->path);
	session->path = NULL;
	return true;
}

/* Parts name kinds of states of their snapshot: so none can stay. */
static void
path_again(struct session *session)
{
	struct error note;
	error_clear(&note);
	if (session->path == NULL)
		return;
	if (session_show_path(session, session->path_actor, session->path->start_ns,
		    session->path->end_ns, &note))
		return;
	session_drop_path(session);
	session_status(session, true, "%s", note.message);
}

/* ---- more of the trace */

static void
follow_end(struct session *session, const struct trace *before, bool is_live)
{
	struct viewport *viewport = &session->viewport;
	int64_t end_ns = session->trace->end_ns;
	if (viewport->t1_ns < before->end_ns)
		return;
	if (viewport->t0_ns > 0 && is_live)
		viewport->t0_ns += end_ns - viewport->t1_ns;
	if (viewport->t0_ns == 0 || is_live)
		viewport->t1_ns = end_ns;
	if (session->cursor_ns < viewport->t0_ns)
		session->cursor_ns = viewport->t0_ns;
}

static void
resume_search(struct session *session)
{
	struct error note;
	error_clear(&note);
	session->is_repeated = true;
	if (!begin_search(session, &session->pattern, FOR_SEARCH, &note))
		session_status(session, true, "%s", note.message);
}

/* The matches of the part before are forgotten: groups have other refs now. */
static void
search_again(struct session *session)
{
	if (session->search == NULL)
		return;
	session_drop_search(session);
	resume_search(session);
}

void
session_resume_search(struct session *session, const char *pattern)
{
	text_clear(&session->pattern);
	text_add_string(&session->pattern, pattern);
	resume_search(session);
}

void
session_renew(struct session *session, const struct trace *trace, bool is_live)
{
	const struct trace *before = session->trace;
	session->trace = trace;
	session->snapshot++;
	session->lane = session_follow_lane(session, session->lane, before);
	session->searched_from_lane =
		session_follow_lane(session, session->searched_from_lane, before);
	follow_end(session, before, is_live);
	search_free(session->filter);
	session->filter = NULL;
	session->filter_number++;
	session->counts_again = session->tells_count;
	search_again(session);
	session_go_on(session);
	path_again(session);
}

struct lane
session_follow_lane(const struct session *session, struct lane lane, const struct trace *before)
{
	if (lane.type == LANE_GROUP)
		lane.ref = trace_follow_group(session->trace, before, lane.ref);
	return lane;
}

void
session_go_to(struct session *session, int cells, int64_t t_ns)
{
	struct viewport viewport = session->viewport;
	session->cursor_ns = t_ns;
	if (viewport.t0_ns <= t_ns && t_ns < viewport.t1_ns)
		return;
	int64_t middle_ns = viewport.t0_ns + viewport_span(viewport) / 2;
	session->viewport = viewport_pan(viewport, cells, t_ns - middle_ns, session_extent(session));
}

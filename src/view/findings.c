/* Has them looked for on another thread, and lists them. */
#include "view/findings.h"

#include "analysis/findings_job.h"
#include "base/checked.h"
#include "base/memory.h"
#include "draw/findings_text.h"
#include "query/search.h"
#include "trace/words.h"
#include "view/verdict.h"
#include "view/walk_text.h"

struct page {
	struct walk walk;
	int64_t t0_ns, t1_ns;     /* what is looked at ... */
	bool is_all;              /* ... is the trace, however long it gets */
	struct findings_job *job; /* while they are looked for, else NULL */
	bool has_findings;        /* maybe of an earlier snapshot, while a job goes on */
	struct findings findings;
	struct error failure;     /* why there are none */
};

/* ---- looking for them */

static bool
begin(struct page *page, struct session *session, struct error *err)
{
	if (page->is_all)
		page->t1_ns = session->trace->end_ns;
	const struct findings_scope scope = {
		.t0_ns = page->t0_ns, .t1_ns = page->t1_ns, .beneath = session->beneath
	};
	page->job = findings_job_start(session->trace, &scope, session->wake, session->wake_context, err);
	return page->job != NULL;
}

/* Ends the job and takes what it has; false where that is nothing. */
static bool
take(struct page *page)
{
	struct findings findings;
	struct error err;
	error_clear(&err);
	bool is_fine = findings_job_end(page->job, &findings, &err);
	page->job = NULL;
	page->failure = err;
	if (!is_fine)
		return false;
	if (page->has_findings)
		findings_release(&page->findings);
	page->findings = findings;
	page->has_findings = true;
	return true;
}

static void *
page_open(struct session *session, struct error *err)
{
	struct page *page = memory_realloc(NULL, sizeof *page);
	if (page == NULL) {
		error_set_memory(err, "the page");
		return NULL;
	}
	*page = (struct page){ 0 };
	error_clear(&page->failure);
	page->is_all = !session_marked(session, &page->t0_ns, &page->t1_ns) ||
		       page->t0_ns == page->t1_ns;
	if (page->is_all)
		page->t0_ns = session->trace->start_ns;
	if (page->is_all && verdict_hand_over(session, &page->job, &page->findings,
				    &page->has_findings)) {
		page->t1_ns = session->trace->end_ns;
		return page;
	}
	verdict_dismiss(session);
	if (begin(page, session, err))
		return page;
	if (page->has_findings)
		findings_release(&page->findings);
	memory_free(page);
	return NULL;
}

static void
page_close(void *state)
{
	struct page *page = state;
	if (page->job != NULL)
		take(page);
	if (page->has_findings)
		findings_release(&page->findings);
	walk_release(&page->walk);
	memory_free(page);
}

static bool
page_look(void *state, struct session *session)
{
	struct page *page = state;
	if (page->job == NULL)
		return false;
	if (!findings_job_is_done(page->job))
		return true;
	bool is_first = !page->has_findings;
	take(page);
	walk_forget(&page->walk);
	if (is_first)
		page->walk.selected = session->finding;
	return true;
}

/* What was found stays until more is: all that it refers to is the same in the later snapshot. */
static bool
page_renew(void *state, struct session *session, const struct trace *before, struct error *err)
{
	struct page *page = state;
	(void)before;
	if (page->job != NULL)
		take(page);
	walk_forget(&page->walk);
	return begin(page, session, err);
}

/* ---- the page */

static void
write_page(struct page *page, struct sheet *sheet)
{
	struct walk_text text;
	sheet_line(sheet, WALK_TEXT_COLUMN);
	if (!page->has_findings) {
		sheet_string(sheet, prose_dim,
			page->failure.kind != ERROR_NONE ? page->failure.message : "");
		return;
	}
	sheet_string(sheet, prose_dim, "of ");
	sheet_duration(sheet, prose_bright, page->findings.t1_ns - page->findings.t0_ns);
	sheet_string(sheet, prose_dim, ", from ");
	sheet_moment(sheet, prose_plain, page->findings.t0_ns);
	sheet_string(sheet, prose_dim, " to ");
	sheet_moment(sheet, prose_plain, page->findings.t1_ns);
	struct prose *prose = walk_text_begin(&text, &page->walk, sheet);
	for (size_t i = 0; i < page->findings.count; i++)
		findings_tell(prose, &page->findings, i);
	findings_tell_end(prose, &page->findings);
}

static void
add_title(const struct page *page, const struct session *session, struct text *title)
{
	text_add_string(title, "Findings");
	if (page->job != NULL)
		text_format(title, ", looked for: %d%%", findings_job_percent(page->job));
	else if (page->has_findings && page->findings.count > 0) {
		text_add_string(title, " of ");
		text_add_whose(title, session->trace->words, false);
		text_add_string(title, ", the most time lost first");
	}
}

static void
page_draw(void *state, struct session *session, struct canvas *canvas)
{
	struct page *page = state;
	struct sheet sheet;
	struct text title = { 0 };
	if (walk_begins(&page->walk, session, canvas, &sheet))
		write_page(page, &sheet);
	add_title(page, session, &title);
	walk_draw(&page->walk, text_string(&title), canvas);
	text_release(&title);
}

/* The place fills a third of the screen, so that it is seen with what is around. */
static void
zoom_to(struct session *session, const struct finding *finding)
{
	int64_t length_ns = finding->end_ns - finding->start_ns;
	int64_t beside_ns = length_ns > 0 ? length_ns : 1;
	struct viewport viewport = { finding->start_ns - beside_ns,
		saturating_add_i64(finding->end_ns, beside_ns) };
	if (viewport.t0_ns < 0)
		viewport.t0_ns = 0;
	if (viewport.t1_ns > session->trace->end_ns)
		viewport.t1_ns = session->trace->end_ns;
	if (viewport.t1_ns > viewport.t0_ns)
		session->viewport = viewport;
}

/*
 * Of requests the slowest one, with its critical path. A filter that would take the colour of what is
 * shown away is dropped.
 */
static void
show(struct session *session, const struct finding *finding)
{
	struct error note = { 0 };
	zoom_to(session, finding);
	if (session->filter != NULL && finding->lane.type <= LANE_GROUP &&
		!search_overlaps(session->filter, finding->lane, finding->start_ns, finding->end_ns))
		session_drop_filter(session);
	if (finding->kind == FINDING_REQUESTS &&
		!session_show_path(
			session, finding->actor, finding->start_ns, finding->end_ns, &note))
		session_status(session, true, "%s", note.message);
}

static struct view_answer
page_command(void *state, struct session *session, enum command command, long count,
	const char *argument)
{
	struct page *page = state;
	struct view_answer answer = walk_command(&page->walk, session, command, count, argument);
	if (page->has_findings)
		session->finding = page->walk.selected;
	if (answer.reaction == VIEW_LEAVE || answer.reaction == VIEW_OPEN)
		verdict_tell(session, &page->findings.items[page->walk.selected]);
	if (command == COMMAND_OPEN && answer.reaction == VIEW_LEAVE)
		show(session, &page->findings.items[page->walk.selected]);
	return answer;
}

const struct view_ops findings_view = {
	.name = "findings",
	.context = IN_WALK,
	.open = page_open,
	.close = page_close,
	.command = page_command,
	.look = page_look,
	.renew = page_renew,
	.draw = page_draw,
	.place = walk_view_place,
	.go_to_place = walk_view_go_to_place,
	.position = walk_view_position,
};

/* Has them looked for on another thread, as often as it is worth it. */
#include "view/verdict.h"

#include "analysis/findings_job.h"
#include "base/checked.h"
#include "draw/findings_words.h"

static void
drop_job(struct verdict *verdict)
{
	struct findings findings;
	struct error ignored;
	error_clear(&ignored);
	if (findings_job_end(verdict->job, &findings, &ignored))
		findings_release(&findings);
	verdict->job = NULL;
}

/* Without memory there is no line. */
static void
take(struct verdict *verdict)
{
	struct findings findings;
	struct error ignored;
	error_clear(&ignored);
	bool is_fine = findings_job_end(verdict->job, &findings, &ignored);
	verdict->job = NULL;
	if (!is_fine) {
		verdict->is_over = true;
		return;
	}
	if (verdict->has_findings)
		findings_release(&verdict->findings);
	verdict->findings = findings;
	verdict->has_findings = true;
}

static bool
is_due(const struct session *session, const struct verdict *verdict)
{
	int64_t end_ns = session->trace->end_ns;
	if (!verdict->is_wanted || session_is_making(session) ||
		trace_state_count(session->trace) == 0)
		return false;
	if (!verdict->has_findings || verdict->findings.has_beneath != (session->beneath != NULL))
		return true;
	bool is_whole = session->loading[0] == '\0';
	int64_t grown_ns = saturating_add_i64(verdict->looked_ns, verdict->looked_ns);
	return is_whole ? end_ns != verdict->looked_ns : end_ns >= grown_ns;
}

bool
verdict_look(struct session *session)
{
	struct verdict *verdict = session->verdict;
	struct error ignored;
	error_clear(&ignored);
	if (verdict == NULL || verdict->is_over)
		return false;
	if (verdict->job != NULL) {
		if (findings_job_is_done(verdict->job))
			take(verdict);
		return true;
	}
	if (!is_due(session, verdict))
		return false;
	verdict->looked_ns = session->trace->end_ns;
	const struct findings_scope scope = {
		.t0_ns = session->trace->start_ns, .t1_ns = session->trace->end_ns, .beneath = session->beneath
	};
	verdict->job = findings_job_start(
		session->trace, &scope, session->wake, session->wake_context, &ignored);
	verdict->is_over = verdict->job == NULL;
	return true;
}

void
verdict_renew(struct session *session)
{
	struct verdict *verdict = session->verdict;
	if (verdict == NULL || verdict->job == NULL)
		return;
	drop_job(verdict);
	verdict->looked_ns = 0;
}

void
verdict_dismiss(struct session *session)
{
	struct verdict *verdict = session->verdict;
	if (verdict == NULL)
		return;
	verdict->is_over = true;
	if (verdict->job != NULL)
		drop_job(verdict);
	if (verdict->has_findings)
		findings_release(&verdict->findings);
	verdict->has_findings = false;
}

bool
verdict_hand_over(struct session *session, struct findings_job **job, struct findings *findings,
	bool *has_findings)
{
	struct verdict *verdict = session->verdict;
	if (verdict == NULL || verdict->is_over)
		return false;
	bool is_current = verdict->looked_ns == session->trace->end_ns;
	*job = verdict->job;
	*findings = verdict->findings;
	*has_findings = verdict->has_findings;
	verdict->job = NULL;
	verdict->has_findings = false;
	verdict->is_over = true;
	return *job != NULL || (*has_findings && is_current);
}

bool
verdict_line(struct session *session, struct verdict_line *line)
{
	struct verdict *verdict = session->verdict;
	if (verdict == NULL || verdict->is_over || !findings_can_be(session->trace))
		return false;
	if (!verdict->is_wanted) {
		verdict->is_wanted = true;
		if (session->wake != NULL)
			session->wake(session->wake_context);
	}
	*line = (struct verdict_line){
		.findings = verdict->has_findings ? &verdict->findings : NULL,
		.where = session->loading[0] != '\0' ? " so far"
			 : session->trace->parts.count > 0 ? " in what is loaded" : "",
		.percent = verdict->job != NULL ? findings_job_percent(verdict->job) : 0,
	};
	return true;
}

/* ---- why */

void
verdict_tell(struct session *session, const struct finding *finding)
{
	struct verdict *verdict = session->verdict;
	if (verdict == NULL)
		return;
	text_clear(&verdict->told);
	findings_add_line(&verdict->told, session->trace, finding, session->ascii);
	verdict->has_told = !verdict->told.failed;
	verdict->lane = finding->lane;
	verdict->start_ns = finding->start_ns;
}

const char *
verdict_told(const struct session *session, struct lane lane, int64_t start_ns)
{
	const struct verdict *verdict = session->verdict;
	bool is_it = verdict != NULL && verdict->has_told && verdict->lane.type == lane.type &&
		     verdict->lane.ref == lane.ref && verdict->start_ns == start_ns;
	return is_it ? text_string(&verdict->told) : NULL;
}

void
verdict_release(struct verdict *verdict)
{
	if (verdict->job != NULL)
		drop_job(verdict);
	if (verdict->has_findings)
		findings_release(&verdict->findings);
	text_release(&verdict->told);
	*verdict = (struct verdict){ 0 };
}

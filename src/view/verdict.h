/*
 * What is odd in the whole trace, looked for beside the first picture: told on a line of the timeline
 * until somebody has seen the list, or wants the line gone.
 */
#ifndef TTRACE_VIEW_VERDICT_H
#define TTRACE_VIEW_VERDICT_H

#include "analysis/findings.h"
#include "draw/verdict_line.h"
#include "view/session.h"

struct findings_job; /* analysis/findings_job.h */

/* Zero-initialised is nothing looked for yet. */
struct verdict {
	bool is_wanted; /* the timeline has been drawn */
	bool is_over;   /* for good: the line is gone, nothing is looked for */
	struct findings_job *job;
	bool has_findings; /* maybe of an earlier snapshot */
	struct findings findings;
	int64_t looked_ns; /* end of the trace that they are of */
	/* The finding that somebody went to last, for who asks why it was. */
	bool has_told;
	struct lane lane;
	int64_t start_ns;
	struct text told;
};

/*
 * Begins the search where it is time to: once the timeline has been drawn, and again when the trace
 * has doubled or is whole. Takes in what was found. True while it goes on, and when some was taken:
 * it is to be drawn.
 */
bool verdict_look(struct session *session);
/* The trace is another one from now on: what goes on for the one before ends, soon. */
void verdict_renew(struct session *session);
/* The line is gone for good. Nothing for a session without one. */
void verdict_dismiss(struct session *session);
/*
 * The same, where the list is opened: what was found, and the search that goes on, become the
 * caller's. False where there is neither.
 */
bool verdict_hand_over(struct session *session, struct findings_job **job,
	struct findings *findings, bool *has_findings);
/* What to draw; false for no line. Tells the verdict that there is a picture. */
bool verdict_line(struct session *session, struct verdict_line *line);

/* Somebody goes to a finding: the page that tells why has the same words. */
void verdict_tell(struct session *session, const struct finding *finding);
/* Those words, if this span is it; else NULL. */
const char *verdict_told(const struct session *session, struct lane lane, int64_t start_ns);
void verdict_release(struct verdict *verdict);

#endif

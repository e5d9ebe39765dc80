/* Which analyses there are, their names, and those that are kept. Only for view/. */
#ifndef TTRACE_VIEW_ANALYSES_H
#define TTRACE_VIEW_ANALYSES_H

#include <stdbool.h>
#include <stddef.h>

#include "view/analysis.h"
#include "view/session.h"

/* Those that there are. */
extern const struct analysis_ops menu_analysis; /* view/analysis_menu.c */
extern const struct analysis_ops diff_profile_analysis; /* view/analysis_diff_profile.c */
extern const struct analysis_ops diff_functions_analysis, diff_regions_analysis; /* view/analysis_diff.c */
extern const struct analysis_ops table_analysis;   /* view/figure_page.c */
extern const struct analysis_ops profile_analysis; /* view/analysis_profile.c */
extern const struct analysis_ops durations_analysis;   /* view/durations.c */
extern const struct analysis_ops histogram_analysis;   /* view/analysis_histogram.c */
extern const struct analysis_ops mmu_analysis;         /* view/analysis_mmu.c */
extern const struct analysis_ops utilisation_analysis; /* view/analysis_utilisation.c */

/* Counted from 0; false behind the last. */
bool analyses_row(size_t index, struct analyses_row *row);
/* The next form of the same analysis, -1 where it has one form. */
int analyses_next_form(const struct analysis *analysis);

/*
 * Appends "tree:sched", and what it is limited to besides interval and query: "tree:sched@G42",
 * "@T7", "@main.worker". Raw bytes.
 */
void analyses_add_name(
	const struct analysis *analysis, const struct trace *trace, struct text *out);
/* Limits it to the actor, task or function of that name; false where the trace has none. */
bool analyses_find_subject(
	struct analysis_scope *scope, const struct trace *trace, const char *name);

/* By what it can be limited, enum analysis_limit or'ed. */
unsigned analyses_limits(const struct analysis_ops *ops, const struct analysis_kind *kind);
/*
 * What a name asks for, "top:sched@G42", but for whom behind the @, which *subject is; NULL for none.
 * In a parameter @@ stands for an @. False where there is no such analysis, or not with that
 * parameter. Release the parameter in any case: the choice is good until then.
 */
bool analyses_read(const char *name, struct analysis_choice *choice, struct text *parameter,
	const char **subject);
/* The interval, and whom it is about; else err says that it cannot be limited so. */
bool analyses_limit(const struct session *session, const struct analysis_choice *choice,
	struct analysis_scope *scope, struct error *err);

/* ---- those that are kept, of struct session: view/analyses_kept.c */

/*
 * The analysis that is chosen, with the marked interval and the filter of the session as it is
 * limited by them; one that is kept, or a new one whose numbers are begun to be made. Open until
 * analyses_close(). NULL and err where there is none.
 */
struct analysis *analyses_open(
	struct session *session, const struct analysis_choice *choice, struct error *err);
/* Makes the numbers of what is not finished no longer. */
void analyses_close(struct analysis *analysis);
/*
 * Begins to make the numbers, unless they are of the session's trace; those that there are stay
 * until then. What is made of an earlier snapshot is made first: while a trace grows there would be
 * none for long. Where the other trace is needed and not there yet, they are begun by
 * analyses_look() once it is.
 */
bool analyses_renew(struct session *session, struct analysis *analysis, struct error *err);
/*
 * Takes numbers that are made, and begins again where the session has a later snapshot than they;
 * true while they are not made, and when they were.
 */
bool analyses_look(struct session *session, struct analysis *analysis);
/*
 * Makes them with another parameter, one that it accepts; until then those that there are stay, and
 * where it comes to nothing their parameter is put back.
 */
bool analyses_change(struct session *session, struct analysis *analysis, const char *parameter,
	struct error *err);
/* Makes them with the runtime's actors, or without, as the session has it now. */
bool analyses_count_runtime(struct session *session, struct analysis *analysis, struct error *err);
/* Gives up making them, or waiting for the other trace; false where nobody does. */
bool analyses_cancel(struct session *session, struct analysis *analysis);
/* How far the making of numbers is, 0 to 99. */
int analyses_percent(const struct analysis_job *job);

#endif

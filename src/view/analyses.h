/* Which analyses there are, their names, and those that are kept. Only for view/. */
#ifndef TTRACE_VIEW_ANALYSES_H
#define TTRACE_VIEW_ANALYSES_H

#include <stdbool.h>
#include <stddef.h>

#include "view/analysis.h"
#include "view/session.h"

/* A name of an analysis. An analysis that has several forms has a name for each. */
struct analyses_row {
	const char *name;      /* as --view has it, before a colon */
	const struct analysis_ops *ops;
	int form;
	const struct analysis_kind *kind; /* as of struct analysis */
};

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
/* Whether there is an analysis of that name, whatever it is limited to. */
bool analyses_have(const char *name);
/* Whether it is one that is a picture. */
bool analyses_is_chart(const char *name);
/* By what it can be limited, enum analysis_limit or'ed. */
unsigned analyses_limits(const char *name);
/* Limits it to the actor, task or function of that name; false where the trace has none. */
bool analyses_find_subject(
	struct analysis_scope *scope, const struct trace *trace, const char *name);
/* The whole trace, where all of it is meant. */
void analyses_set_times(struct analysis_scope *scope, const struct trace *trace);

/* ---- names in parts, for view/analyses*.c */

/* A name in its parts; to be released. */
struct name_parts {
	struct analyses_row row;
	struct text parameter; /* behind the colon */
	const char *subject;   /* NULL for none; of the name */
};

/*
 * In a parameter @@ stands for an @, since a single one is what the subject comes behind. False
 * where there is no such analysis; its parameter may still be wrong.
 */
bool analyses_cut(const char *name, struct name_parts *parts);
void analyses_release_parts(struct name_parts *parts);
const char *analyses_parameter_of(const struct name_parts *parts);
/* By what it can be limited, enum analysis_limit or'ed. */
unsigned analyses_limits_of(const struct analyses_row *row);
/* Whether the analysis accepts the parameter, or the lack of one. */
bool analyses_take_parameter(const struct name_parts *parts);

/* The interval, and the subject as the analysis can be limited to; else nothing is limited so. */
bool analyses_limit(const struct session *session, const struct name_parts *parts,
	struct analysis_scope *scope, struct error *err);

/* ---- those that are kept, of struct session: view/analyses_kept.c */

/*
 * The analysis of that name, with the marked interval and the filter of the session as it
 * is limited by them; one that is kept, or a new one whose numbers are begun to be made. Open until
 * analyses_close(). NULL and err where there is none.
 */
struct analysis *analyses_open(struct session *session, const char *name, struct error *err);
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

/*
 * Which profile a page shows, as the name of the analysis has it behind the colon: "sched",
 * "sched,as-go" and "sched,as-go,exact" by Go's rules, "sync,focus=main\.serve,ignore=^runtime".
 * A comma in a pattern is written twice.
 * Only for view/.
 */
#ifndef TTRACE_VIEW_PROFILE_CHOICE_H
#define TTRACE_VIEW_PROFILE_CHOICE_H

#include <stdbool.h>

#include "analysis/profile.h"
#include "base/error.h"
#include "base/text.h"
#include "view/analysis.h"

/* Zero-initialise, or use again. */
struct profile_choice {
	enum profile_kind kind;
	enum profile_rule rule;
	/*
	 * Patterns (query/pattern.h): stacks with a function that matches, and
	 * those without; empty: none.
	 */
	struct text focus, ignore;
};

/* False where there is no such profile, or without memory. Release in any case. */
bool profile_choice_read(struct profile_choice *choice, const char *parameter);
void profile_choice_release(struct profile_choice *choice);
/* Appends what reads back as the same; raw bytes. */
void profile_choice_add(struct text *out, const struct profile_choice *choice);

/* Leaves of a profile the stacks that are asked for. */
bool profile_choice_filter(const struct profile_choice *choice, struct profile *profile,
                           const struct trace *trace, struct error *err);

/*
 * FOCUS_CALLS and IGNORE_CALLS: the page is made with the pattern in place of the one before, or
 * without one for an empty text.
 */
void profile_choice_change(struct analysis *analysis, struct session *session,
                           enum command command, const char *pattern);
/* First what is ignored comes back, then what is not in focus; false where all is there. */
bool profile_choice_drop(struct analysis *analysis, struct session *session);

#endif

/* The program without a screen: reports on standard output or through a pager. */
#ifndef TTRACE_APP_PRINT_H
#define TTRACE_APP_PRINT_H

#include <stdbool.h>

#include "app/environment.h"
#include "app/options.h"
#include "app/outcome.h"
#include "app/start.h"
#include "base/error.h"
#include "base/text.h"
#include "report/kept.h"
#include "report/profile.h"
#include "trace/trace.h"

struct beneath; /* analysis/beneath/beneath.h */
struct outlet; /* app/outlet.h */
struct search; /* query/search.h */

struct print {
	const struct trace *trace;
	const struct beneath *beneath; /* what another trace tells of its threads; else NULL */
	const struct tally *tally; /* of a trace that was only summed up, for the summary; else NULL */
	const struct profile *profile; /* of one whose states went by, likewise for a profile */
	unsigned points; /* that its source gave the input, for REPORT_INPUT; else 0 */
	const char *file_name; /* as the command line has it, safe text; NULL for standard input */
	const char *file;      /* the same as it is, for a command line */
	const char *title;     /* over the lanes, safe text */
	const struct options *options;
	const struct environment *environment;
	/* What print_prepare() makes of the options and the trace. */
	struct start start;
	struct search *only; /* of --query; NULL without */
	struct text query;   /* what it asks, safe */
};

/* Whether a profile of all actors at all times is asked for, so that no states need be kept. */
bool print_is_passing_profile(const struct options *options);

/*
 * Finds what the options name in the trace. False with err set where the report cannot be made:
 * *outcome is how the program ends; else OUTCOME_NO, which is no failure, where --query finds
 * nothing and neither --check nor --diff decides about that, or OUTCOME_FINE. `tell` is told what else
 * there is to say of a query. To be released after success.
 */
bool print_prepare(struct print *print, enum outcome *outcome,
	void (*tell)(void *context, const char *message), void *context, struct error *err);
void print_release(struct print *print);

/* What a report of it needs to know, without where to write it. Good until print_release(). */
struct report_options print_report_options(const struct print *print);

/* The profile that the options ask for, within the interval of the report. */
struct profile_request print_profile_request(
	const struct print *print, const struct report_options *interval);

/*
 * The tables of a report of the trace, "latency:sched", NULL for that of --report, with what the
 * options say besides; kept is to be released in any case.
 */
bool print_kept(const struct print *print, const char *report, struct kept *kept, struct error *err);

/*
 * Prints what --report names; without it the summary and then the lanes, or the
 * actor of --goroutine, or the task of --task. A reader that goes early is no failure.
 */
bool print_run(const struct print *print, struct error *err);
/* The same of one of several traces, into an outlet that is open for all. */
bool print_into(const struct print *print, struct outlet *outlet, struct error *err);

#endif

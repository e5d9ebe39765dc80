/* Two traces side by side, as they are printed. */
#ifndef TTRACE_REPORT_DIFF_H
#define TTRACE_REPORT_DIFF_H

#include <stdbool.h>
#include <stdint.h>

#include "analysis/diff_profile.h"
#include "analysis/diff_states.h"
#include "base/error.h"
#include "base/text.h"
#include "report/kept.h"
#include "report/profile.h"
#include "report/report.h"

/* What was compared. */
struct diff_source {
	struct text name;    /* of the file, safe text */
	bool is_timeless;    /* the next is not told, and actors are none */
	int64_t length_ns;   /* of the time that was looked at */
	struct text from_to; /* ", from 1 s to 2 s" of it, where that is not the whole trace */
	uint64_t actors;     /* that there are in the trace */
};

struct diff_tables {
	struct diff_source sources[DIFF_SIDES];
	const struct diff_states *functions, *regions; /* sorted; NULL: not asked for */
};

/*
 * A row for each function and state, and then for each region and state: what changed most first,
 * people read only what has changed, and some of it unless there is a limit. trace:
 * one of both, for the grid.
 */
bool report_diff(const struct trace *trace, const struct diff_tables *tables,
	const struct report_options *options, struct text *out, struct error *err);

/* The tables of any report. */
struct diff_kept {
	struct diff_source sources[DIFF_SIDES];
	const struct kept *kept; /* of each side */
	const char *report;      /* its name, safe text */
};

/* Why tables are left out, whose names are "%s". */
#define DIFF_LEFT_OUT "%s: told moment by moment, and no two traces have those in common"

/*
 * A table for each that the report has, as result_join() tells them. Names of those that are left
 * out are added to *left_out; people read of them on the page.
 */
bool report_diff_kept(const struct trace *trace, const struct diff_kept *diff,
	const struct report_options *options, struct text *left_out, struct text *out, struct error *err);

/* Profiles as differences; the profile is sorted. */
struct diff_profiles {
	struct diff_source sources[DIFF_SIDES];
	const struct profile_request *request;
	const struct diff_profile *diff;
};

/* By function: flat and with callees, before and after. */
bool report_diff_top(const struct trace *trace, const struct diff_profiles *profiles,
	const struct report_options *options, struct text *out, struct error *err);
/* As a tree of calls; people do not read branches that changed by less than half a percent of all. */
bool report_diff_tree(const struct trace *trace, const struct diff_profiles *profiles,
	const struct report_options *options, struct text *out, struct error *err);
/* Each stack with both values, "main;main.run;sync.Wait 1200 1234": what difffolded.pl writes. */
bool report_diff_folded(const struct diff_profiles *profiles, const struct report_options *options,
	struct text *out, struct error *err);
/*
 * The flame graph of the profile after, red where that is more than before and blue where it is
 * less; what is not there any more cannot be seen.
 */
bool report_diff_flamegraph(const struct trace *trace, const struct diff_profiles *profiles,
	const struct report_options *options, struct text *out, struct error *err);

#endif

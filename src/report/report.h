/*
 * The printed forms: what `ttrace FILE | cat` and --report=NAME write. A report
 * is lines of UTF-8 (or ASCII), made with the same canvas and palette as the
 * screen, so that what stems from the trace is safe text here too.
 */
#ifndef TTRACE_REPORT_REPORT_H
#define TTRACE_REPORT_REPORT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/text.h"
#include "draw/palette.h"
#include "trace/tally.h"
#include "trace/trace.h"

struct beneath; /* analysis/beneath/beneath.h */
struct kept;   /* report/kept.h */
struct search; /* query/search.h */

/*
 * For people, for spreadsheets (comma-separated values), for programs (a JSON object a line), for
 * pages; or the tables are not written but kept, as programs would read them.
 */
enum report_format {
	REPORT_AS_TEXT, REPORT_AS_CSV, REPORT_AS_JSON, REPORT_AS_MARKDOWN, REPORT_AS_KEPT
};

/* Whether people read it, with headings, facts and units; else programs do. */
static inline bool
report_is_for_people(enum report_format format)
{
	return format == REPORT_AS_TEXT || format == REPORT_AS_MARKDOWN;
}

struct report_options {
	const char *file_name;         /* safe text, as the command line has it; NULL for standard input */
	const char *file;              /* the same as it is, for a command line */
	int width_cells;               /* lines are made to fit; below REPORT_MIN_WIDTH that counts */
	bool ascii;
	bool is_terminal;              /* the reader is one: exports are made safe for it */
	enum report_format format;
	struct kept *kept;             /* report/kept.h, which takes the tables of REPORT_AS_KEPT */
	bool names_file;               /* rows for programs say of which file they are */
	const char *sort;              /* the column that tables are sorted by, "-" in front: the other way */
	uint64_t limit;                /* of rows of a table; 0: none, or what the report thinks fit */
	enum color_depth depth;        /* COLORS_NONE: plain text, palette is not looked at */
	const struct palette *palette;
	bool has_interval;             /* false: the whole trace */
	int64_t t0_ns, t1_ns;          /* [t0, t1), 0 <= t0 < t1 */
	bool has_cursor;               /* a moment is asked for; the life of an actor tells of it */
	int64_t cursor_ns;             /* within the trace */
	bool is_wall;                  /* times of the wall clock, if the trace has one */
	int map_lines;                 /* height of a map; 0: as looks well */
	struct search *only;           /* spans that it does not match are left out; NULL: none are */
	const char *query;             /* what it asks, safe text */
	bool with_runtime;             /* of the runtime's own actors too, where they are left out */
	const struct beneath *beneath; /* what lies beneath the trace, of findings; NULL: nothing is known of that */
	/*
	 * Called whenever the text has grown large: writes it and clears it. What is
	 * left at the end is the caller's to write. NULL: all of it stays in the text.
	 */
	bool (*flush)(void *context, struct text *out, struct error *err);
	void *flush_context;
};

enum { REPORT_MIN_WIDTH = 40 };

/* For reports, after each line or so: hands the text over if it has grown large, as above. */
bool report_flush(const struct report_options *options, struct text *out, struct error *err);

/* File, sizes, actors by function, GC, longest delays, losses. */
bool report_summary(const struct trace *trace, const struct report_options *options,
                    struct text *out, struct error *err);
/* The same out of sums; the trace is the one that they are of. */
bool report_tally(const struct trace *trace, const struct tally *tally,
                  const struct report_options *options, struct text *out, struct error *err);
/*
 * One actor's life: who it is, totals by state and reason, then state by state.
 * An id that the trace does not have is ERROR_USAGE and names the nearest ones.
 */
bool report_actor(const struct trace *trace, int64_t id, const struct report_options *options,
                      struct text *out, struct error *err);
/* Its states alone, as a table; with a query those that match. */
bool report_actor_states(const struct trace *trace, actor_ref actor,
                             const struct report_options *options, struct text *out,
                             struct error *err);

#endif

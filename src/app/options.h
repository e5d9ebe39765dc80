/*
 * The command line, and what the config sets. One table of options makes the parser, --help,
 * the settings and the check against the man page.
 */
#ifndef TTRACE_APP_OPTIONS_H
#define TTRACE_APP_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analysis/interacts.h"
#include "analysis/profile.h"
#include "base/error.h"
#include "base/text.h"
#include "draw/palette.h"
#include "dump/dump.h"
#include "report/report.h"
#include "source/go/bound.h"
#include "trace/notes.h"
#include "view/view.h"

struct analysis_kind; /* analysis/analysis.h */

enum option_report {
	REPORT_NONE,
	REPORT_SUMMARY,
	REPORT_LANES,
	REPORT_ACTOR,
	REPORT_CRITICAL,
	REPORT_WHY,
	REPORT_MOMENT,
	REPORT_INPUT,
	REPORT_TOP,
	REPORT_FINDINGS,
	REPORT_TREE,
	REPORT_TASK,
	REPORT_RESULT /* options->analysis */
};
/* Forms of --export that the whole trace is loaded for: of a profile, but for the last. */
enum option_loaded_export {
	LOADED_EXPORT_NONE,
	LOADED_EXPORT_FOLDED, LOADED_EXPORT_PPROF, LOADED_EXPORT_SVG,
	LOADED_EXPORT_CSV /* its spans */
};
/* Forms of --dump. */
enum option_dump {
	DUMP_OF_NOTHING,
	DUMP_OF_WIRE,
	DUMP_OF_PARSED,
	DUMP_OF_GO123,
	DUMP_OF_FOOTPRINT
};
enum option_format { FORMAT_TEXT, FORMAT_ANSI, FORMAT_SVG, FORMAT_CSV, FORMAT_JSON, FORMAT_MARKDOWN };
enum option_color { COLOR_AUTO, COLOR_ALWAYS, COLOR_NEVER };
enum option_charset { CHARSET_AUTO, CHARSET_UTF8, CHARSET_ASCII };
enum option_time { TIME_RELATIVE, TIME_WALL };
enum option_palette {
	PALETTE_AUTO, /* dark or light, as the ground is */
	PALETTE_DARK,
	PALETTE_LIGHT,
	PALETTE_HIGH_CONTRAST,
	PALETTE_COLOR_BLIND,
	PALETTE_MONOCHROME
};
enum option_shell { SHELL_NONE, SHELL_BASH, SHELL_ZSH, SHELL_FISH };
enum option_mouse { MOUSE_OPTION_ON, MOUSE_OPTION_OFF };
enum option_state { STATE_ON, STATE_OFF };
enum option_background { BACKGROUND_AUTO, BACKGROUND_DARK, BACKGROUND_LIGHT };
enum option_depth { DEPTH_AUTO, DEPTH_8, DEPTH_16, DEPTH_256, DEPTH_TRUECOLOR };

/* Widest and highest picture that can be asked for, in cells. */
enum {
	OPTION_MIN_WIDTH = 40,
	OPTION_MAX_WIDTH = 2000,
	OPTION_MIN_HEIGHT = 5,
	OPTION_MAX_HEIGHT = 10000,
	OPTION_MAX_LIMIT = 1000000000 /* spans */
};

#define OPTION_MIN_MEMORY (UINT64_C(1) << 20)
/* At least as many as there are options. */
enum { OPTION_MOST = 80 };

/* Of an option that may come several times. */
struct option_names {
	const char **items;
	size_t count, capacity;
};

/* What the command line says; zeros are what holds without options. */
/* So many traces stand beside the first one on the screen at most. */
enum { OPTIONS_MOST_BESIDE = 3 };

struct options {
	const char *output; /* of -o; NULL: standard output */
	const char *file; /* NULL: none was named; "-" is standard input */
	const char **more_files; /* the rest of them, of --find */
	size_t more_count, more_capacity;
	const char *find; /* a query that can be compiled; NULL for none */
	const char *query; /* the same of --query, for the screen and reports */
	const char *sort; /* a column, "-" in front of it for the other way; NULL: as usual */
	int limit;        /* of --find and of tables; 0: not given */
	bool help, version, no_pager;
	const char *source; /* the name of the one that the input is of; NULL: it is recognised */
	bool sources;     /* all of them are told, and nothing else is done */
	bool strict;      /* a damaged trace ends where Go's reader stops */
	uint64_t memory_bytes; /* the most that loading may take; 0: not given */
	bool cache;          /* traces are kept in a cache, and opened out of it ... */
	bool no_cache;       /* ... but not now */
	bool clear_cache;    /* all caches are removed, and nothing else is done */
	const char *notes;   /* of --notes; NULL: the usual place */
	int state;           /* enum option_state */
	bool no_state;       /* nothing is kept in the state folder now */
	bool load_only;      /* the trace is loaded and what that cost is printed */
	bool has_stack_lanes, has_actor, has_task, has_at, has_interval, has_from, has_to;
	const char *row;               /* of --row; NULL: none was named */
	bool has_mark, has_mark_end;   /* an interval is marked, to the cursor or up to an end */
	int64_t mark_ns, mark_end_ns;  /* at least 0, the end behind the mark */
	const char *search;            /* a pattern or query that is marked; NULL for none */
	const char *view;              /* the name of the page to open; NULL for none */
	bool hide;                     /* what --query does not match is not shown */
	int64_t actor;                 /* of --goroutine, or of --report=goroutine:ID */
	int64_t stack_lanes;           /* of --stack-lanes: an actor */
	struct interacts_plan interacts; /* of --interacts, but for who it is about ... */
	int64_t interacts_id;            /* ... which is this one */
	int64_t task;                  /* of --task, of --report=task:ID, or of --focus-task ... */
	bool focus_task;               /* ... which is the case */
	int64_t at_ns, from_ns, to_ns; /* at least 0 */
	/* Times of day as they were given, to be read by the trace's clock; NULL: the _ns counts. */
	const char *at_clock, *from_clock, *to_clock;
	int64_t interval_ns;           /* above 0 */
	bool has_window;
	int64_t window_ns;             /* of --report=mmu, above 0 */
	const char *mmu;               /* the words of --mmu, which can be read; NULL: not given */
	const char *align;             /* "FILE:SHIFT" of a trace beneath another; NULL: not said */
	const char *diff;              /* the trace that another one is compared with; NULL: none */
	struct option_names checks;    /* conditions of --check that can be read */
	struct option_names hidden_rows, pinned_rows, folds; /* of --hide-row, --pin-row, --fold */
	struct option_names page_settings; /* of --page-set, each with a = */
	bool has_path;                 /* the critical path is shown of ... */
	int64_t path;                  /* ... this actor ... */
	int64_t path_from_ns, path_to_ns; /* ... and that time, which is not empty */
	bool has_note_mark[MARK_COUNT]; /* of --marks: A, B */
	int64_t note_mark_ns[MARK_COUNT];
	bool has_part;                 /* under --memory that is loaded which ... */
	struct go_wish part;           /* ... has this */
	bool has_line, has_page_line;  /* of --line and --page-line, as are: */
	struct view_place place, page_place;
	int group_by;                  /* enum group_by */
	int sort_lanes;                /* enum lane_sort */
	int time;                      /* enum option_time */
	int report;                    /* enum option_report */
	const struct analysis_kind *analysis; /* of the registry that the report is; NULL: it is none */
	int loaded_export;            /* enum option_loaded_export */
	enum profile_kind profile;     /* where a report or an export is of one */
	const char *profile_of;        /* what stands behind its colon; NULL: no profile is asked for */
	const char *label, *sample_type;
	const char *diff_type;         /* of --diff, the type of samples of that profile; NULL: the same */
	const char *section;           /* of a text with parts: a number or a kind; NULL: the text */
	const char *report_parameter;  /* behind the colon of a report of the registry; NULL: none */
	void *report_asked;            /* what the analysis read of it */
	const char *region;            /* of a profile: the name of regions; NULL for all time */
	const char *focus, *ignore;    /* patterns over the functions of a profile; NULL for none */
	int dump;                      /* enum option_dump */
	bool has_export, invert;
	bool runtime;                  /* the runtime's own actors count as well */
	bool as_go;                    /* of a profile: by the rules of Go's tool ... */
	bool profile_exact;            /* ... of Go 1.26 */
	bool with_open;                /* in --export=pprof: also waits that have not ended */
	enum dump_json_view export;    /* where has_export */
	int64_t export_id;             /* of the actor or the task that it names */
	int format, color, charset;    /* enum option_format, option_color, option_charset */
	int palette, mouse;            /* enum option_palette, option_mouse */
	int background, color_depth;   /* enum option_background, option_depth */
	int width_cells, height_cells; /* 0: not given */
	const char *config;            /* of --config; NULL: the usual place */
	bool print_config;
	int completion;                /* enum option_shell */
	/* By row of the table: the value as it was given, "" where it takes none; NULL: not given. */
	const char *given[OPTION_MOST];
	bool from_command_line[OPTION_MOST]; /* so that the config has no say */
};

struct option_row {
	const char *name;     /* without the dashes */
	char letter;          /* of the short form, 0 for none */
	const char *argument; /* as --help shows it, NULL for none */
	const char *help;
};

/* The rows in the order of --help, counted from 0; NULL behind the last. */
const struct option_row *options_row(size_t index);

/*
 * Reads argv[1..argc). The strings in the result point into argv. False for
 * wrong usage (ERROR_USAGE): err names the option, what is wrong with it and what
 * is allowed. With --help or --version what follows is not looked at. To be released after success.
 */
bool options_parse(int argc, char *const *argv, struct options *options, struct error *err);

/* Only reads them; options_check() looks whether they fit together. */
bool options_read(int argc, char *const *argv, struct options *options, struct error *err);
bool options_check(const struct options *options, struct error *err);

/*
 * Sets an option as the config does, unless the command line has given it: flags are on, which
 * NULL stands for as well, or off. The value must outlive the options. False for wrong usage, as
 * options_parse().
 */
bool options_set(struct options *options, const char *name, const char *value, struct error *err);
/*
 * Appends the index-th option that can be set as options_set() takes it: "palette = light", or,
 * where it was not given, what holds as a comment. False behind the last.
 */
bool options_add_setting(const struct options *options, size_t index, struct text *out);

/*
 * Whether the times can be meant together. options_parse() checks it where it can: without
 * times of day. False with err set.
 */
bool options_check_times(const struct options *options, struct error *err);

void options_release(struct options *options);

/* The traces in their order, counted from 0, "-" for standard input; NULL behind the last. */
const char *options_file(const struct options *options, size_t index);

/* The value of an option as it was given, NULL where it was not. */
const char *options_given(const struct options *options, const char *name);
/* Whether something is to be written, so that the screen is not wanted. */
bool options_print(const struct options *options);
/* What a comparison that is written cannot be limited to; false with err set. */
bool options_check_printed_diff(const struct options *options, struct error *err);
/* Whether the trace is to be kept in a cache and opened out of it; parts of one never are. */
bool options_cache(const struct options *options);
/* Whether notes and what was typed are kept in the user's state folder. */
bool options_state(const struct options *options);
/* Whether it is written while the trace is read: a dump or an export. */
bool options_stream(const struct options *options);
/* Whether all traces are gone through that are named, not just the one; and rows say of which they are. */
bool options_takes_files(const struct options *options);
bool options_names_files(const struct options *options);
/* Whether what is printed is of one trace alone. */
bool options_is_of_one(const struct options *options);
/* Whether what is asked for is of one trace beneath another: that report, and a picture of two traces. */
bool options_beneath(const struct options *options);
/* Whether one of two traces may be printed with the other one beneath it. */
bool options_pairs(const struct options *options);
/* The name of an option that chooses stacks or samples: without a report only where a trace has these; or NULL. */
const char *options_of_samples(const struct options *options);
/* Whether a profile is asked for; and whether a report that has rows, in any of its forms. */
bool options_profile(const struct options *options);
/*
 * The options as they would be with --report=REPORT in place of --check; false with err set where
 * there is no such report. They own nothing but what options_forget_report() frees, in any case.
 */
bool options_for_report(struct options *changed, const struct options *options, const char *report,
	struct error *err);
void options_forget_report(struct options *options);
/* Appends the parameter of the analysis: what stands behind the colon, and what options of its own say. */
void options_add_parameter(const struct options *options, struct text *parameter);
enum profile_rule options_profile_rule(const struct options *options);
bool options_table(const struct options *options);

/* The form of a report; those that only pictures have count as text. */
enum report_format options_rows_format(const struct options *options);
/* The names of palettes, NULL behind the last. */
const char *const *options_palette_names(void);
/* The palette that --palette names, for such a ground where it names none. */
const struct palette *options_palette(const struct options *options, bool is_light);
/* What --help prints, and the lines on top of it. */
void options_add_help(struct text *out);
const char *options_usage(void);

#endif

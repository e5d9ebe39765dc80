/*
 * Analyses on the screen: the numbers behind the picture, each as a page. An analysis is one file
 * with one constant table of functions, and a row in view/analyses.c. Its numbers are made on a
 * thread of its own and kept, with how the user left the page, so that going back costs nothing.
 */
#ifndef TTRACE_VIEW_ANALYSIS_H
#define TTRACE_VIEW_ANALYSIS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analysis/analysis.h"
#include "base/error.h"
#include "base/text.h"
#include "trace/span.h"
#include "trace/trace.h"
#include "view/view.h"

struct analysis_job;

/* What an analysis has to do with the trace that this one is compared with. */
enum analysis_other { OTHER_UNUSED, OTHER_USED, OTHER_NEEDED };

struct analysis;

struct analysis_ops {
	bool is_chart;   /* a picture, and no table: its commands are those IN_CHART */
	unsigned limits; /* enum analysis_limit, or'ed; what is not there is not limited so */
	enum analysis_other other; /* without OTHER_NEEDED it is made whether that is there or not */
	/*
	 * What can be shown, and takes commands, before there are numbers: the same with less in
	 * it. NULL with err set where that fails. May be NULL.
	 */
	void *(*sketch)(const struct analysis_work *work, struct error *err);
	/*
	 * Makes the numbers; NULL with err set where that fails or is not wanted any more.
	 * They hold refs and ids, no pointers into the trace: a later snapshot takes its
	 * place while they are shown.
	 */
	void *(*build)(struct analysis_work *work, struct error *err);
	void (*release)(void *numbers);
	/* How the user left the page: analysis.state, zero at first. */
	size_t state_size;
	void (*end)(void *state);            /* frees what the state holds; NULL: nothing */
	void (*made)(struct analysis *analysis); /* there are numbers, or others than before; may be NULL */
	/*
	 * What the page shows: a pattern of text_add_words(), "All {actors} by function", and behind it
	 * what title() adds as safe text. Either may be NULL.
	 */
	const char *heading;
	void (*title)(const struct analysis *analysis, struct text *out);
	/*
	 * As of struct view_ops, but only called once there are numbers. The canvas
	 * begins below the title bar, as the mouse's rows do. `command` answers
	 * VIEW_NOTHING to what it does not know.
	 */
	struct view_answer (*command)(struct analysis *analysis, struct session *session,
		enum command command, long count, const char *argument);
	/* As of struct view_ops, whose NEXT_FORM is seen to; may be NULL. */
	bool (*lacks)(const struct analysis *analysis, enum command command);
	struct view_answer (*mouse)(struct analysis *analysis, struct session *session,
		const struct screen_mouse *mouse); /* may be NULL: the wheel is UP and DOWN */
	/* Makes all ready for a canvas of that size: order, what is in sight, where it stands. */
	void (*lay_out)(struct analysis *analysis, struct session *session,
		const struct canvas *canvas);
	/* Draws what was laid out, and changes nothing. */
	void (*draw)(const struct analysis *analysis, const struct session *session,
		struct canvas *canvas);
	/* Opens what a row of figures leads to; NULL: the figures say it. */
	struct view_answer (*open)(const struct analysis *analysis, struct session *session, size_t row);
	stack_id (*stack)(const struct analysis *analysis); /* of what is selected; may be NULL */
	void (*position)(const struct analysis *analysis, struct text *out); /* may be NULL */
	/*
	 * Tells what it is set to otherwise than at first; takes one, false for what it does not
	 * know.
	 */
	void (*name_settings)(const struct analysis *analysis, const struct setting_sink *sink);
	bool (*set)(struct analysis *analysis, struct session *session, const char *setting);
	/* Where one stands on the page; both may be NULL, as the two before. */
	void (*place)(const struct analysis *analysis, struct view_place *place);
	void (*go_to_place)(struct analysis *analysis, struct session *session,
		const struct view_place *place);
};

/* A name of an analysis. One that has several forms has a name for each. */
struct analyses_row {
	const char *name; /* as --view has it, before a colon */
	const struct analysis_ops *ops;
	int form;
	const struct analysis_kind *kind; /* as of struct analysis */
};

/* What is chosen to be shown. */
struct analysis_choice {
	struct analyses_row row;
	const char *parameter; /* so many bytes, none of them zero */
	size_t length;
	const struct analysis_scope *of; /* whose actor, task or function it is limited to; NULL: all */
};

/* An analysis that is open, or was. */
struct analysis {
	const struct analysis_ops *ops;
	const struct analysis_kind *kind; /* of the registry, whose parameter it takes; NULL: it takes none */
	const struct words *words; /* of the trace */
	int form;                  /* of several that it can be shown in, as view/analyses.c has them */
	struct text parameter;
	struct analysis_scope scope;
	struct text query;         /* of the filter that limits it; empty for none */
	void *numbers;             /* NULL: none yet. While a job goes on those before, or a sketch */
	struct text made_parameter; /* theirs: another one than what is being made */
	void *state;
	struct error failure;      /* why there are none */
	uint32_t snapshot;         /* of the session, which they were made of */
	struct analysis_job *job;  /* makes them; NULL for none */
	uint32_t begun_snapshot;   /* of which it makes them */
	bool has_other;            /* the other trace was there for them, too */
	bool awaits_other;         /* they are made when the other trace is there */
	struct analyses *owner;    /* the session's */
	unsigned open_count;       /* pages that show it */
	uint64_t used;             /* when it was open last */
};

static inline const char *
analysis_parameter(const struct analysis *analysis)
{
	return text_string(&analysis->parameter);
}

/*
 * Names as analysis_open() takes them, in the order of the menu: of those that make sense of a trace
 * that has so much (analysis_has()), and need no name of anything. NULL behind the last.
 */
const char *analysis_offered(const struct words *words, unsigned has, size_t index);
/* "tree", or "histogram:sched", which must be there; other parameters, and whom it is of, may be set. */
struct analysis_choice analysis_choose(const char *name);
/* Opens what is chosen over the page that is open. For a command to return. */
struct view_answer analysis_open(struct session *session, const struct analysis_choice *choice);
/* The list of them, first those of whom the scope is about. */
struct view_answer analysis_open_list(struct session *session, const struct analysis_scope *of);
/* "G42 main.worker", "task 7 GET /", "main.worker", or nothing: to whom it is limited, as safe text. */
void analysis_add_subject(const struct analysis_scope *scope, const struct trace *trace, bool ascii,
	struct text *out);
/* The same as names of analyses have it: "G42", "T7", "main.worker"; raw bytes. */
void analysis_add_subject_name(
	const struct analysis_scope *scope, const struct trace *trace, struct text *out);
/* Leaves all pages for a place on the timeline, with what is around [from, until) on the screen. */
struct view_answer analysis_leave(
	struct session *session, struct lane lane, int64_t from_ns, int64_t until_ns);

#endif

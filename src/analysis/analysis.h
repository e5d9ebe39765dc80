/*
 * An analysis: one question to a trace, answered as a result. It is one file with one constant
 * struct analysis_kind, and a row in analysis/registry.h; page, report, completion, `--check` and
 * `--diff` follow from that (doc/ADDING.md).
 */
#ifndef TTRACE_ANALYSIS_ANALYSIS_H
#define TTRACE_ANALYSIS_ANALYSIS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/text.h"
#include "query/watch.h"
#include "result/result.h"
#include "trace/trace.h"

struct beneath; /* analysis/beneath/beneath.h */
struct search; /* query/search.h */

/* What is analysed. */
struct analysis_scope {
	bool is_all;             /* the trace, however long it gets; else ... */
	int64_t t0_ns, t1_ns;    /* ... [t0, t1) */
	actor_ref actor;         /* at most one of these three; else REF_NONE */
	task_ref task;
	string_id function;      /* actors of this start function; else STRING_EMPTY */
	string_id region;        /* of a profile, the time within regions of this name; else STRING_EMPTY */
	bool with_runtime;       /* of the runtime's actors too; only where ANALYSIS_BY_RUNTIME */
	bool has_other;          /* there is a trace to compare with */
};

/* By what an analysis can be limited besides the interval. */
enum analysis_limit {
	ANALYSIS_BY_ACTOR = 1,
	ANALYSIS_BY_TASK = 2,
	ANALYSIS_BY_FUNCTION = 4,
	ANALYSIS_BY_QUERY = 8,
	ANALYSIS_BY_RUNTIME = 16 /* to the program's actors, unless the runtime's are wanted too */
};

struct analysis_kind;

/* What the answer is made from, on a thread that shares nothing else. */
struct analysis_work {
	const struct analysis_kind *kind;
	const struct trace *trace;   /* frozen; stays until the work is done */
	struct analysis_scope scope; /* t0 and t1 are set */
	const void *parameter;       /* as the kind's read() made it; NULL: it takes none */
	struct search *only;         /* spans that it does not match are left out; NULL: none are */
	const char *sort;            /* by what --sort orders the rows; NULL: the analysis chooses */
	uint64_t limit;              /* so many of the rows, in that order, are enough; 0: it chooses */
	struct search_watch watch;   /* to be told of progress, and asked whether to go on */
	/*
	 * The same of the trace that this one is compared with, of the same time since its start;
	 * NULL: there is none, or it has no such subject.
	 */
	struct analysis_work *other;
	const struct beneath *beneath; /* what lies beneath the trace, for NEEDS_BENEATH and profiles of it; or NULL */
};

/* What a trace must have for an analysis to make sense of it. */
enum analysis_needs {
	NEEDS_WAITS = 1, /* its source tells when actors were ready or blocked; ... */
	NEEDS_SLICES = 2,
	NEEDS_TASKS = 4, /* its source tells of tasks */
	NEEDS_COLLECTOR = 8, /* what it is of has a garbage collector */
	NEEDS_ALLOCATIONS = 16,
	NEEDS_READY = 32,    /* ... of ready ones, ... */
	NEEDS_BLOCKED = 64,  /* ... of blocked ones, ... */
	NEEDS_SYNC = 128,    /* ... for each other, ... */
	NEEDS_NETWORK = 256, /* ... for the network; */
	NEEDS_SYSCALLS = 512, /* of those in system calls */
	NEEDS_TABLES = 1024, /* its input has tables ready made, ... */
	NEEDS_HISTOGRAMS = 2048, /* ... or histograms */
	NEEDS_TIME = 4096,    /* there is an axis of time */
	NEEDS_SAMPLES = 8192, /* there are samples without one (trace/sample_set.h) */
	NEEDS_PARTS = 16384,  /* its input is a text with others in it */
	NEEDS_OR_SAMPLES = 32768, /* where there are samples, nothing else is needed */
	NEEDS_KERNEL = 65536, /* its actors are tasks that the kernel's scheduler tells of */
	NEEDS_CALLS = 131072, /* its source tells of system calls one by one */
	NEEDS_GAUGES = 262144, /* its input names counters */
	NEEDS_BENEATH = 524288, /* another trace lies beneath it, which no trace alone has, and tells of threads, ... */
	NEEDS_SAMPLES_BENEATH = 1048576 /* ... or has samples of them */
};

struct analysis_kind {
	const char *name;     /* of its page and report: "slices" */
	const char *help;     /* a line of the menu, a pattern of text_add_words() */
	const char *heading;  /* of the report, a pattern: "Slices" */
	const char *title;    /* of the page, a pattern: "Slices by name"; behind it the parameter, or ... */
	unsigned needs;       /* enum analysis_needs, or'ed */
	unsigned limits;      /* enum analysis_limit, or'ed; what is not there is not limited so */
	bool is_of_whole;     /* no interval limits it */
	const char *parameters; /* what stands behind the colon of its name, for who left it out */
	/*
	 * Names that menu and completion list, "longest:sched", up to a NULL. NULL: its own, unless it
	 * takes a parameter.
	 */
	const char *const *listed;
	/*
	 * Reads the parameter, text from text[from] on, for the functions below, and until forget() of
	 * it. NULL: there is no such analysis; it may say why, of characters with their places in the
	 * text. Both are NULL where it takes no parameter.
	 */
	void *(*read)(const char *text, size_t from, struct error *why);
	void (*forget)(void *parameter);
	/* Whether the trace has what the parameter names; else err tells what is like it. May be NULL. */
	bool (*finds)(const struct trace *trace, const void *parameter, struct error *err);
	/* ... what this appends of the subject, safe; that behind the heading, too. May be NULL. */
	void (*title_of)(const struct analysis_scope *scope, const struct words *words,
		const void *parameter, struct text *out);
	/*
	 * Fills the tables. Cells hold refs and ids, no pointers into the trace: a later snapshot
	 * takes its place while they are shown. ERROR_CANCELLED where the watch says so.
	 */
	bool (*fill)(struct analysis_work *work, struct result_sink *sink, struct error *err);
};

/*
 * The parameter of a kind, or of none with NULL, from text[from] on: *parameter is NULL where it takes
 * none. False where it cannot be; *why may say so. Forget it after success.
 */
bool analysis_read(const struct analysis_kind *kind, const char *text, size_t from, void **parameter,
	struct error *why);
void analysis_forget(const struct analysis_kind *kind, void *parameter);

/* What of that the trace has, or'ed. O(1). */
unsigned analysis_has(const struct trace *trace);
/* What lies beneath a trace adds to that; 0 for NULL. And both, of what is analysed. */
unsigned analysis_beneath_has(const struct beneath *beneath);
unsigned analysis_work_has(const struct analysis_work *work);
/* Whether that is all of what is needed; the same by what a trace has. */
bool analysis_suffices(unsigned needs, unsigned has);
bool analysis_applies(unsigned needs, const struct trace *trace);
/* The same; else err says what it does not tell of. */
bool analysis_require(unsigned needs, const struct trace *trace, const char *name, struct error *err);

/*
 * For what goes on meanwhile: [t0, t1) of the work is cut to when its actor or task was there.
 */
void analysis_clip_to_subject(struct analysis_work *work);

#endif

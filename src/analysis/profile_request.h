/*
 * Which profile is asked for. As a text it is the parameter of an analysis, behind the colon of its
 * name: "sched"; "sched,as-go" and "sched,as-go,exact" by Go's rules;
 * "sync,focus=main\.serve,ignore=^runtime". A comma in a pattern is written twice.
 * Of a trace with samples (trace/sample_set.h) the first word is one of their types, or empty: the
 * usual one; "alloc_space,label=tenant:acme". Where the word is empty, other traces have slices.
 * "beneath" and "beneath:TYPE" are samples of the trace that lies beneath.
 */
#ifndef TTRACE_ANALYSIS_PROFILE_REQUEST_H
#define TTRACE_ANALYSIS_PROFILE_REQUEST_H

#include "analysis/analysis.h"
#include "analysis/profile.h"

/* What it can be limited by. */
#define PROFILE_LIMITS                                                                             \
	(ANALYSIS_BY_ACTOR | ANALYSIS_BY_TASK | ANALYSIS_BY_FUNCTION | ANALYSIS_BY_QUERY |         \
		ANALYSIS_BY_RUNTIME)

/* Zero-initialise, or use again. */
struct profile_request {
	const struct profile *made; /* what is asked for, unfiltered, where it is at hand; else NULL */
	enum profile_kind kind;
	struct profile_scope scope; /* of which the text has the rule */
	/* Patterns (query/pattern.h): stacks with a function that matches, and those without; or NULL. */
	const char *focus, *ignore;
	const char *label;          /* a pattern for a label of samples; or NULL */
	const char *of;             /* the first word; NULL: what `kind` says */
	bool is_inverted;           /* trees begin at the other end */
	struct text read[4];        /* what they are of, if they were read */
};

/*
 * Reads a parameter, with the limits of the scope but its times. False where there is no such
 * profile, or without memory. Release in any case.
 */
bool profile_request_read(struct profile_request *request, const char *parameter,
	const struct analysis_scope *scope);
void profile_request_release(struct profile_request *request);
/*
 * As an analysis reads it, and forgets. What is then asked for, limited to a subject or within all
 * limits of the work, refers to it and is not to be released.
 */
void *profile_request_new(const char *text, size_t from, struct error *why);
void profile_request_free(void *request);
struct profile_request profile_request_limited(
	const void *parameter, const struct analysis_scope *scope);
struct profile_request profile_request_of(struct analysis_work *work);
/* Whether the first word, or NULL, means samples of the trace beneath. */
bool profile_word_is_beneath(const char *of);
/*
 * The trace is known: the kind, of samples the type, and whether they lie beneath, for which the scope says what
 * does. ERROR_USAGE where it has no such.
 */
bool profile_request_settle(
	struct profile_request *request, const struct trace *trace, struct error *err);
/* Appends what reads back as the same; raw bytes. */
void profile_request_add(struct text *out, const struct profile_request *request);

/*
 * The profile that is asked for, filtered. A pattern that does not compile is plain text. Release
 * after success.
 */
bool profile_request_build(const struct profile_request *request, const struct trace *trace,
	struct profile *profile, struct error *err);

/* Appends ", of the program's goroutines" or ", of all goroutines" where it can be otherwise. */
void profile_request_add_whose(
	const struct profile_request *request, const struct words *words, struct text *out);

#endif

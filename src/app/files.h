/* Any number of traces, loaded one after the other. */
#ifndef TTRACE_APP_FILES_H
#define TTRACE_APP_FILES_H

#include <stdbool.h>

#include "app/environment.h"
#include "app/options.h"
#include "app/outcome.h"
#include "app/print.h"
#include "base/error.h"
#include "base/thread.h"

struct files {
	const struct options *options; /* which name the traces */
	const struct environment *environment;
	struct progress *progress;
	/* Told what stands in the way of one of the traces, and what is lost of it. */
	void (*tell)(void *context, const char *message);
	void *context;
};

/*
 * Puts the files of the options in the order of their sources, as the table of sources has these: so what a program
 * wrote stands before what the kernel did, however they were named. Standard input and pipes, which can be read only
 * once, stay behind the file that is named before them.
 */
void files_order(struct options *options);

/*
 * Takes one of them, good until it returns; *is_enough, so that no further one is wanted. False
 * with err set where there is no use in going on.
 */
typedef bool files_visitor(
	void *context, const struct print *print, bool *is_enough, struct error *err);

/*
 * Visits all traces, also behind one that cannot be used, as the options have it. *outcome is what
 * was wrong with one of them, or that --query finds nothing in one; OUTCOME_FINE else. False with
 * err set as the visitor, or without memory.
 */
bool files_visit(const struct files *files, files_visitor *visit, void *context,
                 enum outcome *outcome, struct error *err);

#endif

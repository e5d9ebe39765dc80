/* The program on a screen: load, show, until the user leaves. */
#ifndef TTRACE_APP_INTERACTIVE_H
#define TTRACE_APP_INTERACTIVE_H

#include <stdbool.h>
#include <stddef.h>

#include "app/app.h"
#include "app/loader.h"
#include "app/options.h"
#include "app/other.h"
#include "app/outcome.h"
#include "base/error.h"
#include "base/text.h"

struct interactive {
	struct screen *screen;
	const struct options *options;
	const struct palette *palette;
	bool ascii;
	const char *file_name; /* for the title, safe text */
	loading_function load; /* and its context */
	void *load_context;
	bool (*check)(void *context, struct error *err); /* as in struct loader, as is keep() */
	void (*keep)(void *context, const struct trace *trace, struct loader *loader);
	/* The trace was not sound and is to be loaded in another way now. */
	void (*distrust)(void *context);
	/* The user has agreed to what load() said that they have to: it may. NULL: nothing is asked. */
	void (*agree)(void *context);
	struct progress *progress;    /* of load */
	struct other *other;          /* open, that the trace is compared with; NULL for none */
	struct other *beside;         /* open, that stand beside it */
	int beside_count;
	const char *editor;           /* as $EDITOR has it; NULL: none */
	const struct key_map *keys;   /* for struct app_parts, as what follows */
	struct notefile *notefile;
	const char *typed_path;       /* where lines of the prompts are kept; NULL: nowhere */
	const char *notice;
	struct text *link;            /* gets the command line that was yanked last; NULL: nobody */
	/*
	 * Of a text with parts: gets the one that is to be opened next, from 1; 0: none. And whether
	 * the user has closed the last page where there is something to come back to. NULL: nobody asks.
	 */
	uint32_t *section;
	bool comes_back, *is_closed;
	const struct app_view *views;
	size_t view_count;
};

/*
 * Runs to the end; the screen is left open. With OUTCOME_FINE and OUTCOME_DAMAGED
 * the user has left, or *is_terminated tells that a signal did; else err says why.
 * *damage gets a line about a damaged trace, safe text. Giving up while
 * it loads is OUTCOME_UNUSABLE with ERROR_CANCELLED.
 */
enum outcome interactive_run(const struct interactive *interactive, bool *is_terminated,
	struct text *damage, struct error *err);

#endif

/* The same report of each of several traces. */
#ifndef TTRACE_APP_SEVERAL_H
#define TTRACE_APP_SEVERAL_H

#include "app/files.h"
#include "app/outlet.h"
#include "app/outcome.h"
#include "base/error.h"

struct several {
	struct outlet outlet; /* that is open */
	bool had_one;
};

/* Prints one more of them: a files_visitor, whose context this is. */
bool several_print(void *context, const struct print *print, bool *is_enough, struct error *err);

/*
 * One after the other, with an empty line between them where people or spreadsheets read them.
 * Behind one that cannot be used the rest follow. With err set nothing more could be written, or
 * there was no memory. A reader that goes early is no failure.
 */
enum outcome several_run(const struct files *files, struct error *err);

#endif

/* --find: the spans of any number of traces that a query matches. */
#ifndef TTRACE_APP_FIND_H
#define TTRACE_APP_FIND_H

#include "app/files.h"
#include "app/outcome.h"
#include "base/error.h"

/*
 * Goes through all traces, also behind one that cannot be used. OUTCOME_NO when nothing was
 * found; else OUTCOME_FINE, or what was wrong with a trace. With err set what is found
 * could not be written, or there was no memory. A reader that goes early is no failure.
 */
enum outcome find_run(const struct files *files, struct error *err);

#endif

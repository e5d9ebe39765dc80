/* --report=beneath, and findings and a picture of two traces: one trace beneath another. */
#ifndef TTRACE_APP_PAIRING_H
#define TTRACE_APP_PAIRING_H

#include "app/files.h"
#include "app/outcome.h"
#include "base/error.h"

/*
 * Loads the two traces that the options name, in any order, finds what their clocks are apart, which it tells, and
 * prints the report. Where it is of findings and they do not belong together, it is printed of one after the other.
 * With err set nothing is.
 */
enum outcome pairing_run(const struct files *files, struct error *err);

#endif

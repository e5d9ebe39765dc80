/* --report=beneath, and a picture: one trace beneath another. */
#ifndef TTRACE_APP_PAIRING_H
#define TTRACE_APP_PAIRING_H

#include "app/files.h"
#include "app/outcome.h"
#include "base/error.h"

/*
 * Loads the two traces that the options name, in any order, finds what their clocks are apart, which it tells, and
 * prints the report. With err set, or where one of them cannot be used, nothing is printed.
 */
enum outcome pairing_run(const struct files *files, struct error *err);

#endif

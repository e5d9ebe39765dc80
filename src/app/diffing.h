/* --diff: two traces side by side. */
#ifndef TTRACE_APP_DIFFING_H
#define TTRACE_APP_DIFFING_H

#include "app/files.h"
#include "app/outcome.h"
#include "base/error.h"

/*
 * Loads the trace of --diff, keeps tables of it, and then the other one, and prints what the report
 * of the options is of both. With err set, or where one of them cannot be used, nothing is
 * printed. A reader that goes early is no failure.
 */
enum outcome diffing_run(const struct files *files, struct error *err);

#endif

/* --check: whether any number of traces keep to the conditions, in one table. */
#ifndef TTRACE_APP_CHECKING_H
#define TTRACE_APP_CHECKING_H

#include "app/files.h"
#include "app/outcome.h"
#include "base/error.h"

/*
 * OUTCOME_NO when a condition does not hold, or what was wrong with a trace. With err set the table
 * could not be written, or there was no memory. A reader that goes early is no failure.
 */
enum outcome checking_run(const struct files *files, struct error *err);

#endif

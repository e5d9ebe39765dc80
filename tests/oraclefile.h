/* Whole files for tests, also compressed ones. */
#ifndef TTRACE_TESTS_ORACLEFILE_H
#define TTRACE_TESTS_ORACLEFILE_H

#include <stdbool.h>

#include "base/text.h"

/*
 * Reads all of a file, through `gzip -dc` where its name ends in .gz. False with a
 * message on standard error when that cannot be done.
 */
bool oraclefile_read(const char *path, struct text *out);

/* Whether there is a gzip. */
bool oraclefile_has_gzip(void);

#endif

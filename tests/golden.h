/*
 * Golden texts: what a test made, against tests/golden/NAME. With
 * TTRACE_GOLDEN=write in the environment the files are written instead, to be
 * read with `git diff` before they are committed.
 */
#ifndef TTRACE_TESTS_GOLDEN_H
#define TTRACE_TESTS_GOLDEN_H

#include "base/text.h"

/* Fails and shows the first line that differs. */
void golden_check(const char *name, const struct text *made);

#endif

/* Values of comma-separated lines. */
#ifndef TTRACE_REPORT_CSV_H
#define TTRACE_REPORT_CSV_H

#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"

/* Appends bytes of any kind as one value: safe text, quoted where it needs to be. */
void csv_add(struct text *line, const char *bytes, size_t length, bool ascii);

#endif

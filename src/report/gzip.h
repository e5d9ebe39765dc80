/* Packs what is written for programs that want it so. */
#ifndef TTRACE_REPORT_GZIP_H
#define TTRACE_REPORT_GZIP_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "base/text.h"

/* Whether the program was built with zlib. */
bool gzip_is_available(void);
/* Appends the bytes as a gzip file. */
bool gzip_add(struct text *out, const void *bytes, size_t size, struct error *err);

#endif

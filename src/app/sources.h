/* What --sources prints. */
#ifndef TTRACE_APP_SOURCES_H
#define TTRACE_APP_SOURCES_H

#include <stdbool.h>

#include "base/text.h"

/* All sources with what they are recognised by and what they answer; as JSON an object a line. */
void sources_add(struct text *out, bool is_json);

#endif

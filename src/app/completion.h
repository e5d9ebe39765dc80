/* What shells need to complete our command lines, made from the table of options. */
#ifndef TTRACE_APP_COMPLETION_H
#define TTRACE_APP_COMPLETION_H

#include "app/options.h"
#include "base/text.h"

/* Appends the script for a shell. */
void completion_write(struct text *out, enum option_shell shell);

#endif

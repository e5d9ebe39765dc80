/* Where printed text goes: standard output, or a pager that shows it. */
#ifndef TTRACE_APP_OUTLET_H
#define TTRACE_APP_OUTLET_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/error.h"
#include "base/text.h"

struct outlet {
	int fd;
	pid_t pager;    /* 0 for none */
	bool is_closed; /* the reader has gone: no error, but nothing more is of use */
};

/*
 * pager is a command for /bin/sh, NULL for none. Signals of failed writes must be ignored.
 * False when the pager's process cannot be made. A signal that ends us ends the pager, too.
 */
bool outlet_open(struct outlet *outlet, const char *pager, struct error *err);
/* Writes all of the bytes; fails as outlet_flush() does. */
bool outlet_write(struct outlet *outlet, const char *bytes, size_t length, struct error *err);
/*
 * Writes all of the text and clears it. False on failure, and when the reader has
 * gone (is_closed; then err stays empty). Fits struct report_options.flush.
 */
bool outlet_flush(void *context, struct text *text, struct error *err);
/* Waits for the pager to end. False if it could not be run, so that nothing was shown. */
bool outlet_close(struct outlet *outlet);

#endif

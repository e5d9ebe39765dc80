/* How the program ends: the exit status. */
#ifndef TTRACE_APP_OUTCOME_H
#define TTRACE_APP_OUTCOME_H

#include "base/error.h"

enum outcome {
	OUTCOME_FINE = 0,
	OUTCOME_UNUSABLE = 1, /* the trace could not be read, or its picture not be shown */
	OUTCOME_USAGE = 2,    /* wrong options */
	OUTCOME_DAMAGED = 3,  /* shown, but part of it is lost or there is a warning */
	OUTCOME_NO = 4        /* the trace was read and the answer is no */
};

/* The one that counts where both apply: usage, then unusable, no, damaged, fine. */
enum outcome outcome_combine(enum outcome a, enum outcome b);
/* Of a report that failed: wrong usage, or unusable. */
enum outcome outcome_of_failure(const struct error *err);

#endif

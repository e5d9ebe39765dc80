/*
 * Descriptions of terminals that terminfo's database on the machine does not have: what nearly all
 * of today take, which is what xterm takes.
 */
#ifndef TTRACE_TERM_DESCRIPTION_H
#define TTRACE_TERM_DESCRIPTION_H

#include <stdbool.h>

/* The type, of those described here, that is closest to the one of that name. */
const char *description_type(const char *name);

struct description_offer {
	bool is_made;
	char *before; /* what the environment has otherwise; NULL for nothing */
};

/*
 * Lets curses find the description of such a type, until description_withdraw(): in the environment,
 * since that is where it takes one from. No thread may read the environment meanwhile. False
 * without memory, and nothing is offered.
 */
bool description_offer(struct description_offer *offer, const char *type);
/* The environment is as it was before, also for children. Harmless where nothing was offered. */
void description_withdraw(struct description_offer *offer);

#endif

/*
 * The minimum mutator utilisation as it is asked for, "stw,assist,window=5ms": what counts as the
 * collector's, and the width of the windows of which the worst are wanted.
 */
#ifndef TTRACE_ANALYSIS_MMU_H
#define TTRACE_ANALYSIS_MMU_H

#include "analysis/analysis.h"
#include "analysis/go/mutator.h"

enum { MMU_POINTS = 100 }; /* of the curve at most; Go's page has so many */

/* The parameter that the analysis is given. */
struct mmu_asked {
	unsigned parts;    /* enum mutator_part, or'ed */
	int64_t window_ns; /* 0: none was asked for */
};

struct mmu {
	unsigned parts;         /* as asked for */
	int64_t window_ns;
	struct mutator mutator; /* refers to processors, which are the same in a later snapshot */
	struct mutator_point points[MMU_POINTS];
	int count;              /* of them; 0 where the trace does not tell how many processors there were */
};

/* "" is what is counted usually, "none" nothing. False with err set for what it cannot be. */
bool mmu_parse(const char *parameter, unsigned *parts, int64_t *window_ns, struct error *err);
/* Appends what reads back as the same. */
void mmu_add_parameter(struct text *out, unsigned parts, int64_t window_ns);

/*
 * A curve of so many points, of what mutator_build() takes and mutator_point() for each of them;
 * the work is watched. Release with mmu_release() in any case.
 */
bool mmu_build(struct mmu *mmu, struct analysis_work *work, int points, struct error *err);
void mmu_release(struct mmu *mmu);

#endif

/* --report=mmu */
#ifndef TTRACE_REPORT_MMU_H
#define TTRACE_REPORT_MMU_H

#include "report/report.h"

struct mmu_request {
	unsigned parts;    /* of enum mutator_part */
	int64_t window_ns; /* whose worst are listed; 0: 10 ms, or a tenth of what is shorter than that */
};

/*
 * Minimum mutator utilisation: the curve, as widths of windows with their least mean and
 * some quantiles of it, then the worst windows of one width, 10 without a limit.
 */
bool report_mmu(const struct trace *trace, const struct mmu_request *request,
                const struct report_options *options, struct text *out, struct error *err);

#endif

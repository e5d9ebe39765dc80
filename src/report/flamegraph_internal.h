/* The parts of a flame graph. Only for report/flamegraph*.c. */
#ifndef TTRACE_REPORT_FLAMEGRAPH_INTERNAL_H
#define TTRACE_REPORT_FLAMEGRAPH_INTERNAL_H

/*
 * Asks for a group #frames with a width, of groups with data-name, data-start, data-value and
 * data-depth that hold title, rect and text, parents first and the root before all; and for
 * #details, #matched, #reset and #search.
 */
extern const char flamegraph_script[];

#endif

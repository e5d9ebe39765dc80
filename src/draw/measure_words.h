/* What measures of actors (analysis/measures.h) are called. */
#ifndef TTRACE_DRAW_MEASURE_WORDS_H
#define TTRACE_DRAW_MEASURE_WORDS_H

#include <stdint.h>

/* What stands for a reason that the trace does not tell. */
#define MEASURE_NO_REASON "(no reason told)"

/* "running", "blocked": the state, also of a measure of one reason. */
const char *measure_word(uint32_t measure);

#endif

#include "draw/measure_words.h"

#include "analysis/measures.h"

const char *
measure_word(uint32_t measure)
{
	static const char *const names[] = {
		[MEASURE_LIFE] = "life",
		[MEASURE_RUNNING] = "running",
		[MEASURE_READY] = "ready",
		[MEASURE_SYSCALL] = "syscall",
		[MEASURE_BLOCKED] = "blocked",
		[MEASURE_UNKNOWN] = "unknown",
		[MEASURE_ASSIST] = "GC assist",
		[MEASURE_SWEEP] = "sweep",
		[MEASURE_ASSISTING] = "assisting",
	};
	return names[measure < MEASURE_REASONS ? measure : MEASURE_BLOCKED];
}

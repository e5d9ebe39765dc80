/* Beyond 2^32 there is more room for numbers, and less for stars. */
#include "draw/latency_words.h"

#include <inttypes.h>

enum { NARROW_MOST = 32 };

void
latency_words_titles(struct text *text, const char *unit, int used)
{
	bool is_wide = used > NARROW_MOST;
	text_format(text, "%*s%-*s : count     distribution", is_wide ? 15 : 5, "",
		is_wide ? 29 : 19, unit);
}

/* Parts of a star are dropped. */
void
latency_words_bucket(struct text *text, const uint64_t *counts, int used, int index)
{
	static const char stars[] = "****************************************";
	bool is_wide = used > NARROW_MOST;
	int digits = is_wide ? 20 : 10, width = is_wide ? 20 : 40;
	uint64_t low = index == 0 ? 0 : UINT64_C(1) << index, high = (UINT64_C(2) << index) - 1;
	uint64_t most = 1;
	for (int i = 0; i < used; i++)
		most = counts[i] > most ? counts[i] : most;
	int length = (int)((double)width * (double)counts[index] / (double)most);
	text_format(text, "%*" PRIu64 " -> %-*" PRIu64 " : %-8" PRIu64 " |%-*.*s|", digits, low,
		digits, high, counts[index], width, length, stars);
}

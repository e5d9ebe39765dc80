/* Beyond 2^32 there is more room for numbers, and less for stars. */
#include "draw/latency_words.h"

#include <inttypes.h>
#include <stdio.h>

enum { BOUND_BYTES = 24 };

struct latency_words
latency_words_of(const struct bucket *buckets, size_t count)
{
	struct latency_words words = { .most = 1 };
	for (size_t i = 0; i < count; i++) {
		const struct bucket *it = &buckets[i];
		words.most = it->count > words.most ? it->count : words.most;
		words.is_wide = words.is_wide || it->low >= INT64_C(1) << 32 ||
				(it->low <= -(INT64_C(1) << 29) && it->low != BUCKET_OPEN_LOW);
	}
	return words;
}

void
latency_words_titles(struct text *text, const struct latency_words *words, const char *unit)
{
	text_format(text, "%*s%-*s : count     distribution", words->is_wide ? 15 : 5, "",
		words->is_wide ? 29 : 19, unit);
}

/* Parts of a star are dropped. */
void
latency_words_bucket(struct text *text, const struct latency_words *words, const struct bucket *bucket)
{
	static const char stars[] = "****************************************";
	int digits = words->is_wide ? 20 : 10, width = words->is_wide ? 20 : 40;
	char low[BOUND_BYTES] = "...", high[BOUND_BYTES] = "...";
	if (bucket->low != BUCKET_OPEN_LOW)
		snprintf(low, sizeof low, "%" PRId64, bucket->low);
	if (bucket->high != BUCKET_OPEN_HIGH)
		snprintf(high, sizeof high, "%" PRId64, bucket->high - 1);
	int length = (int)((double)width * (double)bucket->count / (double)words->most);
	text_format(text, "%*s -> %-*s : %-8" PRIu64 " |%-*.*s|", digits, low, digits, high,
		bucket->count, width, length, stars);
}

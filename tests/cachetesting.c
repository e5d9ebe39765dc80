/* Writing caches to memory. */
#include "cachetesting.h"

const struct cache_key cachetesting_key = { .size_bytes = 12345, .changed_s = 3, .sample = 7 };

static bool
put(void *context, const char *bytes, size_t length, struct error *err)
{
	struct text *out = context;
	text_add(out, bytes, length);
	return !out->failed || error_set_memory(err, "the cache");
}

bool
cachetesting_write(const struct trace *trace, struct text *out, struct error *err)
{
	return cache_write(trace, &cachetesting_key, put, out, err);
}

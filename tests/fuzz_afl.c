/* The mutator of traces as a shared object for AFL++, which does its own changes as well. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "mutate.h"
#include "simpool.h"

/* What AFL++ calls, which has no header for it. */
void *afl_custom_init(void *afl, unsigned seed);
size_t afl_custom_fuzz(void *context, uint8_t *bytes, size_t size, uint8_t **out, uint8_t *other,
	size_t other_size, size_t max_size);
void afl_custom_deinit(void *context);

struct mutator {
	uint64_t random;
	uint8_t *bytes;
	size_t capacity;
};

void *
afl_custom_init(void *afl, unsigned seed)
{
	(void)afl;
	struct mutator *mutator = calloc(1, sizeof(*mutator));
	if (mutator != NULL)
		mutator->random = seed;
	return mutator;
}

/* The input as it is where nothing could be changed. */
size_t
afl_custom_fuzz(void *context, uint8_t *bytes, size_t size, uint8_t **out, uint8_t *other,
	size_t other_size, size_t max_size)
{
	struct mutator *mutator = context;
	(void)other;
	(void)other_size;
	*out = bytes;
	if (mutator->capacity < max_size) {
		uint8_t *larger = realloc(mutator->bytes, max_size);
		if (larger == NULL)
			return size;
		mutator->bytes = larger;
		mutator->capacity = max_size;
	}
	if (size > max_size)
		return size;
	memcpy(mutator->bytes, bytes, size);
	size_t changed =
		mutate_trace(mutator->bytes, size, max_size, pool_random(&mutator->random));
	if (changed == 0)
		return size;
	*out = mutator->bytes;
	return changed;
}

void
afl_custom_deinit(void *context)
{
	struct mutator *mutator = context;
	free(mutator->bytes);
	free(mutator);
}

/* The one place that knows libxxhash. */
#include "config.h"

#include "cache/checksum.h"

#if HAVE_XXHASH

#include <xxhash.h>

bool
checksum_is_available(void)
{
	return true;
}

uint64_t
checksum_more(uint64_t before, const void *bytes, size_t size)
{
	return size == 0 ? before : XXH3_64bits_withSeed(bytes, size, before);
}

#else

bool
checksum_is_available(void)
{
	return false;
}

uint64_t
checksum_more(uint64_t before, const void *bytes, size_t size)
{
	(void)before;
	(void)bytes;
	(void)size;
	return 0;
}

#endif

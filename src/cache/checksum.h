/* Checksums, by libxxhash (XXH3), which a build may be without. */
#ifndef TTRACE_CACHE_CHECKSUM_H
#define TTRACE_CACHE_CHECKSUM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Whether this build has the library; without it all sums are 0. */
bool checksum_is_available(void);

/* The sum of bytes that follow others, whose sum is `before` (0 for none). Pieces count. */
uint64_t checksum_more(uint64_t before, const void *bytes, size_t size);

#endif

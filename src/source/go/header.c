/* One line with a number in it. */
#include "source/go/header.h"

#include <stddef.h>
#include <string.h>

bool
header_parse(const uint8_t header[HEADER_BYTES], uint32_t *minor)
{
	static const char before[] = "go 1.", after[] = " trace";
	size_t at = sizeof(before) - 1;
	if (memcmp(header, before, at) != 0)
		return false;
	size_t first_digit = at;
	*minor = 0;
	for (; at < HEADER_BYTES && header[at] >= '0' && header[at] <= '9'; at++)
		*minor = *minor * 10 + (uint32_t)(header[at] - '0');
	if (at == first_digit || at - first_digit > 2 ||
	    memcmp(header + at, after, sizeof(after) - 1) != 0)
		return false;
	for (at += sizeof(after) - 1; at < HEADER_BYTES; at++) {
		if (header[at] != 0)
			return false;
	}
	return true;
}

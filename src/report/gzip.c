/* By zlib, in one go. */
#include "config.h"

#include "report/gzip.h"

#include <limits.h>

#if HAVE_ZLIB

#include <zlib.h>

#include "base/memory.h"

/* The largest window, and a gzip header and trailer around the data. */
enum { WINDOW_BITS = 15 + 16, MEMORY_LEVEL = 8 };

bool
gzip_is_available(void)
{
	return true;
}

bool
gzip_add(struct text *out, const void *bytes, size_t size, struct error *err)
{
	z_stream stream = { .zalloc = memory_take_items, .zfree = memory_give_items };
	if (size > UINT_MAX / 2)
		return error_set(err, ERROR_LIMIT, "too much to be packed at once");
	if (deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, WINDOW_BITS, MEMORY_LEVEL,
		    Z_DEFAULT_STRATEGY) != Z_OK)
		return error_set_memory(err, "packing");
	size_t bound = deflateBound(&stream, (uLong)size);
	bool is_fine = text_reserve(out, bound);
	if (is_fine) {
		stream.next_in = (Bytef *)(uintptr_t)bytes;
		stream.avail_in = (uInt)size;
		stream.next_out = (Bytef *)out->bytes + out->length;
		stream.avail_out = (uInt)bound;
		is_fine = deflate(&stream, Z_FINISH) == Z_STREAM_END;
		out->length += bound - stream.avail_out;
	}
	deflateEnd(&stream);
	return is_fine || error_set_memory(err, "packing");
}

#else

bool
gzip_is_available(void)
{
	return false;
}

bool
gzip_add(struct text *out, const void *bytes, size_t size, struct error *err)
{
	(void)out;
	(void)bytes;
	(void)size;
	return error_set(err, ERROR_LIMIT, "ttrace was built without zlib");
}

#endif

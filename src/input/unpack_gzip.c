/* gzip, by zlib. */
#include "config.h"

#include "input/unpack_internal.h"

static bool
begins(const uint8_t bytes[UNPACK_MAGIC_BYTES])
{
	/* 8 is deflate, the only method there has ever been. */
	return bytes[0] == 0x1f && bytes[1] == 0x8b && bytes[2] == 8;
}

#if HAVE_ZLIB

#include <limits.h>

#include <zlib.h>

#include "base/memory.h"

/* The largest window, and a gzip header and trailer around the data. */
enum { WINDOW_BITS = 15 + 16 };

static void *
gzip_new(struct error *err)
{
	z_stream *stream = array_new(1, sizeof(*stream), err);

	if (stream == NULL)
		return NULL;
	stream->zalloc = memory_take_items;
	stream->zfree = memory_give_items;
	if (inflateInit2(stream, WINDOW_BITS) == Z_OK)
		return stream;
	memory_free(stream);
	error_set_memory(err, "unpacking");
	return NULL;
}

static bool
gzip_begin(void *decoder, struct error *err)
{
	return inflateReset(decoder) == Z_OK || error_set_memory(err, "unpacking");
}

static uInt
portion(size_t size)
{
	return size < UINT_MAX ? (uInt)size : UINT_MAX;
}

static enum unpack_outcome
gzip_step(void *decoder, struct unpack_io *io, struct error *err)
{
	z_stream *stream = decoder;
	uInt in = portion(io->in_left), out = portion(io->out_left);

	stream->next_in = (Bytef *)(uintptr_t)io->in;
	stream->avail_in = in;
	stream->next_out = io->out;
	stream->avail_out = out;
	int result = inflate(stream, Z_NO_FLUSH);
	io->in += in - stream->avail_in;
	io->in_left -= in - stream->avail_in;
	io->out += out - stream->avail_out;
	io->out_left -= out - stream->avail_out;
	if (result == Z_STREAM_END)
		return UNPACK_END;
	/* Z_BUF_ERROR: nothing could be done, which is for the caller to judge. */
	if (result == Z_OK || result == Z_BUF_ERROR)
		return UNPACK_MORE;
	if (result == Z_MEM_ERROR)
		error_set_memory(err, "unpacking");
	else
		error_set(err, ERROR_FORMAT, "%s", stream->msg != NULL ? stream->msg : "bad data");
	return UNPACK_BROKEN;
}

static void
gzip_free(void *decoder)
{
	inflateEnd(decoder);
	memory_free(decoder);
}

#endif

const struct packing packing_gzip = {
	.name = "gzip",
	.library = "zlib",
	.tool = "gzip -dc",
	.begins = begins,
#if HAVE_ZLIB
	.new = gzip_new,
	.begin = gzip_begin,
	.step = gzip_step,
	.free = gzip_free,
#endif
};

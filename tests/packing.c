/* gzip by zlib, zstd by libzstd. */
#include "config.h"

#include "packing.h"

#include <stdlib.h>

#if HAVE_ZLIB
#include <zlib.h>

static void
pack_gzip(struct text *out, const void *bytes, size_t size)
{
	z_stream stream = { 0 };
	if (deflateInit2(&stream, 9, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) != Z_OK)
		abort();
	size_t bound = deflateBound(&stream, (uLong)size);
	if (!text_reserve(out, bound))
		abort();
	stream.next_in = (Bytef *)(uintptr_t)bytes;
	stream.avail_in = (uInt)size;
	stream.next_out = (Bytef *)out->bytes + out->length;
	stream.avail_out = (uInt)bound;
	if (deflate(&stream, Z_FINISH) != Z_STREAM_END)
		abort();
	out->length += stream.total_out;
	deflateEnd(&stream);
}
#else
static void
pack_gzip(struct text *out, const void *bytes, size_t size)
{
	(void)out;
	(void)bytes;
	(void)size;
}
#endif

#if HAVE_ZSTD
#include <zstd.h>

/* With a checksum, as the command does it. */
static void
pack_zstd(struct text *out, const void *bytes, size_t size)
{
	ZSTD_CCtx *context = ZSTD_createCCtx();
	size_t bound = ZSTD_compressBound(size);
	if (context == NULL || !text_reserve(out, bound))
		abort();
	ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1);
	size_t packed = ZSTD_compress2(context, out->bytes + out->length, bound, bytes, size);
	if (ZSTD_isError(packed))
		abort();
	out->length += packed;
	ZSTD_freeCCtx(context);
}
#else
static void
pack_zstd(struct text *out, const void *bytes, size_t size)
{
	(void)out;
	(void)bytes;
	(void)size;
}
#endif

const struct packer packers[PACKERS] = {
	{ "gzip", HAVE_ZLIB, pack_gzip },
	{ "zstd", HAVE_ZSTD, pack_zstd },
};

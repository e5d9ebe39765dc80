/* zstd, by libzstd. */
#include "config.h"

#include "input/unpack_internal.h"

/* A frame, or one to be skipped (16 numbers are set aside for these). */
static bool
begins(const uint8_t bytes[UNPACK_MAGIC_BYTES])
{
	bool is_frame = bytes[0] == 0x28 && bytes[1] == 0xb5 && bytes[2] == 0x2f &&
	                bytes[3] == 0xfd;
	bool is_skippable = (bytes[0] & 0xf0) == 0x50 && bytes[1] == 0x2a && bytes[2] == 0x4d &&
	                    bytes[3] == 0x18;
	return is_frame || is_skippable;
}

#if HAVE_ZSTD

#include <zstd.h>

#include "base/memory.h"

enum { FIRST_BYTES = 5 }; /* as many tell how long the header of a frame is */

/*
 * The library is given as many bytes as it asks for, which is a block at a time:
 * what one step has unpacked is lost when that step fails.
 */
struct decoder {
	ZSTD_DCtx *context;
	size_t wanted_bytes;
};

static void
zstd_free(void *context)
{
	struct decoder *decoder = context;

	ZSTD_freeDCtx(decoder->context);
	memory_free(decoder);
}

static void *
zstd_new(struct error *err)
{
	struct decoder *decoder = array_new(1, sizeof(*decoder), err);

	if (decoder == NULL)
		return NULL;
	decoder->context = ZSTD_createDCtx();
	if (decoder->context != NULL &&
	    !ZSTD_isError(ZSTD_DCtx_setParameter(decoder->context, ZSTD_d_windowLogMax,
	                                         UNPACK_WINDOW_BITS)))
		return decoder;
	zstd_free(decoder);
	error_set_memory(err, "unpacking");
	return NULL;
}

static bool
zstd_begin(void *context, struct error *err)
{
	struct decoder *decoder = context;

	decoder->wanted_bytes = FIRST_BYTES;
	return !ZSTD_isError(ZSTD_DCtx_reset(decoder->context, ZSTD_reset_session_only)) ||
	       error_set_memory(err, "unpacking");
}

static enum unpack_outcome
zstd_step(void *context, struct unpack_io *io, struct error *err)
{
	struct decoder *decoder = context;
	size_t in_size = io->in_left < decoder->wanted_bytes ? io->in_left : decoder->wanted_bytes;
	ZSTD_inBuffer in = { io->in, in_size, 0 };
	ZSTD_outBuffer out = { io->out, io->out_left, 0 };
	size_t result = ZSTD_decompressStream(decoder->context, &out, &in);

	io->in += in.pos;
	io->in_left -= in.pos;
	io->out += out.pos;
	io->out_left -= out.pos;
	if (ZSTD_isError(result)) {
		error_set(err, ERROR_FORMAT, "%s", ZSTD_getErrorName(result));
		return UNPACK_BROKEN;
	}
	decoder->wanted_bytes = result;
	return result == 0 ? UNPACK_END : UNPACK_MORE;
}

#endif

const struct packing packing_zstd = {
	.name = "zstd",
	.library = "libzstd",
	.tool = "zstd -dc",
	.begins = begins,
#if HAVE_ZSTD
	.new = zstd_new,
	.begin = zstd_begin,
	.step = zstd_step,
	.free = zstd_free,
#endif
};

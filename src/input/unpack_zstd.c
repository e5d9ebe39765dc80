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

enum {
	FIRST_BYTES = 5, /* as many tell how long the header of a frame is */
	BLOCK_HEADER_BYTES = 3,
};

/*
 * What a call of the library has unpacked is lost when that call fails. So it is
 * given no more than a block at a time, without the header of the next one, which it
 * asks for as well; and nothing while it still holds what had no room.
 */
struct decoder {
	ZSTD_DCtx *context;
	size_t wanted_bytes;
	bool may_hold;
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
	decoder->may_hold = false;
	return !ZSTD_isError(ZSTD_DCtx_reset(decoder->context, ZSTD_reset_session_only)) ||
	       error_set_memory(err, "unpacking");
}

static size_t
portion(const struct decoder *decoder, size_t in_left)
{
	size_t size = decoder->wanted_bytes;

	if (size > BLOCK_HEADER_BYTES)
		size -= BLOCK_HEADER_BYTES;
	return size < in_left ? size : in_left;
}

/* Gives the library in_size bytes. */
static enum unpack_outcome
give(struct decoder *decoder, struct unpack_io *io, size_t in_size, struct error *err)
{
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
	decoder->may_hold = io->out_left == 0;
	return result == 0 ? UNPACK_END : UNPACK_MORE;
}

static enum unpack_outcome
zstd_step(void *context, struct unpack_io *io, struct error *err)
{
	struct decoder *decoder = context;
	size_t room = io->out_left;

	if (decoder->may_hold) {
		enum unpack_outcome outcome = give(decoder, io, 0, err);
		if (outcome != UNPACK_MORE || io->out_left < room)
			return outcome;
	}
	return give(decoder, io, portion(decoder, io->in_left), err);
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

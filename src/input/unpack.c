/*
 * The part of unpacking that is the same for every packing: one member after
 * another, what stands behind the last one, the limit, and the words for what
 * goes wrong.
 */
#include "input/unpack_internal.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/compiler.h"
#include "base/memory.h"

static const struct packing *const packings[] = { &packing_gzip, &packing_zstd };

struct unpacker {
	const struct packing *packing;
	void *decoder;
	uint64_t unpacked_bytes;
	bool is_in_member;
	bool is_at_end;
	struct error failure; /* told by every read() from now on */
};

const struct packing *
unpack_recognise(const uint8_t *bytes, size_t size)
{
	for (size_t i = 0; size >= UNPACK_MAGIC_BYTES && i < ARRAY_LENGTH(packings); i++) {
		if (packings[i]->begins(bytes))
			return packings[i];
	}
	return NULL;
}

const char *
packing_name(const struct packing *packing)
{
	return packing->name;
}

/* ---- what goes wrong */

static void
fail(struct unpacker *unpacker, enum error_kind kind, const char *what, uint64_t packed_offset_bytes)
{
	error_set_at(&unpacker->failure, kind, unpacker->unpacked_bytes,
	             "%s %s, near byte %" PRIu64 " of the compressed data", unpacker->packing->name,
	             what, packed_offset_bytes);
}

static void
fail_broken(struct unpacker *unpacker, const struct error *cause, uint64_t packed_offset_bytes)
{
	if (cause->kind == ERROR_MEMORY) {
		unpacker->failure = *cause;
		return;
	}
	fail(unpacker, cause->kind, "data cannot be unpacked", packed_offset_bytes);
	size_t used = strlen(unpacker->failure.message);
	snprintf(unpacker->failure.message + used, sizeof(unpacker->failure.message) - used,
	         ": %s", cause->message);
}

/* See UNPACK_MAX_RATIO. */
static void
check_ratio(struct unpacker *unpacker, const struct input *from)
{
	uint64_t packed_bytes = input_root(from)->offset_bytes;

	if (unpacker->unpacked_bytes <= UNPACK_FREE_BYTES ||
	    unpacker->unpacked_bytes / UNPACK_MAX_RATIO <= packed_bytes)
		return;
	char what[60];
	snprintf(what, sizeof(what), "data unpack to more than %d times their size",
	         UNPACK_MAX_RATIO);
	fail(unpacker, ERROR_LIMIT, what, from->offset_bytes);
}

/* ---- members */

/* Takes zero bytes; *found when there is something else, at which `from` then stands. */
static bool
skip_padding(struct input *from, bool *found, struct error *err)
{
	const uint8_t *bytes;
	size_t ready, zeros;

	do {
		if (!input_ready(from, &bytes, &ready, err))
			return false;
		for (zeros = 0; zeros < ready && bytes[zeros] == 0;)
			zeros++;
		input_take(from, zeros);
	} while (ready > 0 && zeros == ready);
	*found = ready > 0;
	return true;
}

/* Between two members: begins the next one, or finds that there is none. */
static bool
begin_member(struct unpacker *unpacker, struct input *from, struct error *err)
{
	const uint8_t *bytes;
	size_t size;
	bool is_garbage;

	if (!input_peek(from, UNPACK_MAGIC_BYTES, &bytes, &size, err))
		return false;
	assert(unpacker->packing != NULL);
	if (unpack_recognise(bytes, size) == unpacker->packing) {
		unpacker->is_in_member = true;
		return unpacker->packing->begin(unpacker->decoder, err);
	}
	if (!skip_padding(from, &is_garbage, err))
		return false;
	unpacker->is_at_end = !is_garbage;
	if (is_garbage)
		fail(unpacker, ERROR_FORMAT, "data are followed by something else",
		     from->offset_bytes);
	return true;
}

/* Unpacks some of the member that has begun. */
static bool
unpack_some(struct unpacker *unpacker, struct input *from, struct unpack_io *io,
            struct error *err)
{
	size_t room = io->out_left, ready;
	struct error cause;

	if (!input_ready(from, &io->in, &ready, err))
		return false;
	error_clear(&cause);
	io->in_left = ready;
	enum unpack_outcome outcome = unpacker->packing->step(unpacker->decoder, io, &cause);
	size_t made = room - io->out_left;
	input_take(from, ready - io->in_left);
	unpacker->unpacked_bytes += made;
	unpacker->is_in_member = outcome != UNPACK_END;
	if (outcome == UNPACK_BROKEN)
		fail_broken(unpacker, &cause, from->offset_bytes);
	else if (outcome == UNPACK_MORE && made == 0 && ready == 0)
		fail(unpacker, ERROR_TRUNCATED, "data break off", from->offset_bytes);
	else if (outcome == UNPACK_MORE && made == 0 && io->in_left == ready)
		fail(unpacker, ERROR_FORMAT, "data lead nowhere", from->offset_bytes);
	else
		check_ratio(unpacker, from);
	return true;
}

static bool
read_unpacked(struct input *in, void *out, size_t size, size_t *got, struct error *err)
{
	struct unpacker *unpacker = in->context;
	struct unpack_io io = { .out = out, .out_left = size };

	while (io.out_left == size && !unpacker->is_at_end) {
		bool ok;
		if (unpacker->failure.kind != ERROR_NONE) {
			*err = unpacker->failure;
			return false;
		}
		if (unpacker->is_in_member)
			ok = unpack_some(unpacker, in->from, &io, err);
		else
			ok = begin_member(unpacker, in->from, err);
		if (!ok) {
			err->offset_bytes = unpacker->unpacked_bytes;
			return false;
		}
	}
	*got = size - io.out_left;
	return true;
}

/* ---- opening and closing */

static void
release(void *context)
{
	struct unpacker *unpacker = context;

	unpacker->packing->free(unpacker->decoder);
	memory_free(unpacker);
}

static struct unpacker *
unpacker_new(const struct packing *packing, struct error *err)
{
	struct unpacker *unpacker = array_new(1, sizeof(*unpacker), err);

	if (unpacker == NULL)
		return NULL;
	unpacker->packing = packing;
	unpacker->decoder = packing->new(err);
	if (unpacker->decoder != NULL)
		return unpacker;
	memory_free(unpacker);
	return NULL;
}

bool
unpack_open(struct input *in, struct input *from, const struct packing *packing,
            struct error *err)
{
	*in = (struct input){ .fd = -1 };
	if (packing->new == NULL)
		return error_set_at(err, ERROR_FORMAT, 0,
		                    "this is %s data, and ttrace was built without %s; "
		                    "%s unpacks it", packing->name, packing->library,
		                    packing->tool);
	struct unpacker *unpacker = unpacker_new(packing, err);
	return unpacker != NULL &&
	       input_open_converted(in, from, read_unpacked, release, unpacker, err);
}

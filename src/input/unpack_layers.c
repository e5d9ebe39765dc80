/* Layers of packing, peeled off by what the first bytes of each say. */
#include "input/unpack.h"

/* *is_done when what is inside of the layers so far is not packed. */
static bool
peel(struct unpacked *unpacked, bool *is_done, struct error *err)
{
	const uint8_t *bytes;
	size_t size;
	if (!input_peek(unpacked->in, UNPACK_MAGIC_BYTES, &bytes, &size, err))
		return false;
	const struct packing *packing = unpack_recognise(bytes, size);
	*is_done = packing == NULL;
	if (packing == NULL)
		return true;
	unsigned count = unpacked->count;
	if (count == UNPACK_LAYERS)
		return error_set_at(err, ERROR_LIMIT, unpacked->in->offset_bytes,
		                    "compressed more than %d times over", UNPACK_LAYERS);
	if (!unpack_open(&unpacked->layers[count], unpacked->in, packing, err))
		return false;
	unpacked->packings[unpacked->count++] = packing;
	unpacked->in = &unpacked->layers[count];
	return true;
}

bool
unpacked_open(struct unpacked *unpacked, struct input *file, struct error *err)
{
	bool is_done = false;
	*unpacked = (struct unpacked){ .in = file };
	for (unsigned i = 0; i < UNPACK_LAYERS; i++)
		unpacked->layers[i].fd = -1;
	while (!is_done) {
		if (!peel(unpacked, &is_done, err))
			return false;
	}
	return true;
}

void
unpacked_close(struct unpacked *unpacked)
{
	for (unsigned i = UNPACK_LAYERS; i > 0; i--)
		input_close(&unpacked->layers[i - 1]);
}

void
unpacked_explain(const struct unpacked *unpacked, struct error *err)
{
	if (err->offset_bytes == ERROR_NO_OFFSET || err->kind == ERROR_NONE ||
	    err->kind == ERROR_MEMORY || err->kind == ERROR_CANCELLED)
		return;
	for (unsigned i = unpacked->count; i > 0; i--)
		error_prefix(err, "unpacked from %s", packing_name(unpacked->packings[i - 1]));
}

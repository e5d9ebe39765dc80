/*
 * Unpacking on any bytes: it ends, within its limit, and the bytes do not depend on
 * the pieces in which they come. The first byte says which packing it shall be.
 */
#include "fuzz.h"

#include <stdbool.h>
#include <string.h>

#include "base/text.h"
#include "input/unpack.h"

const struct fuzz_corpus fuzz_corpus = { ".packed", { "fuzz/unpack", NULL } };

enum { LITTLE_BYTES = 7 };

static void
unpack(const uint8_t *bytes, size_t size, const struct packing *packing, size_t piece,
	struct text *out, struct error *err)
{
	struct input from, in;
	const uint8_t *ready;
	size_t count = 1;
	error_clear(err);
	if (!input_open_memory(&from, bytes, size, err))
		return;
	bool ok = unpack_open(&in, &from, packing, err);
	while (ok && count > 0) {
		ok = input_peek(&in, piece, &ready, &count, err);
		if (!ok)
			break;
		text_add(out, (const char *)ready, count);
		input_take(&in, count);
		must(in.offset_bytes <= UNPACK_FREE_BYTES + INPUT_BUFFER_BYTES ||
		             in.offset_bytes / UNPACK_MAX_RATIO <= size + INPUT_BUFFER_BYTES,
			"the limit holds");
	}
	must(from.offset_bytes <= size, "no more is read than there is");
	input_close(&in);
	input_close(&from);
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	static const uint8_t starts[2][UNPACK_MAGIC_BYTES] = {
		{ 0x1f, 0x8b, 8, 0 }, { 0x28, 0xb5, 0x2f, 0xfd },
	};
	struct text whole = { 0 }, little = { 0 };
	struct error whole_err, little_err;
	if (size == 0)
		return 0;
	const struct packing *packing = unpack_recognise(starts[bytes[0] & 1], UNPACK_MAGIC_BYTES);
	must(packing != NULL, "both are known");
	unpack(bytes + 1, size - 1, packing, INPUT_BUFFER_BYTES, &whole, &whole_err);
	unpack(bytes + 1, size - 1, packing, LITTLE_BYTES, &little, &little_err);
	must(whole.length == little.length &&
	             (whole.length == 0 || memcmp(whole.bytes, little.bytes, whole.length) == 0),
		"pieces give the same bytes");
	must(whole_err.kind == little_err.kind, "pieces give the same error");
	text_release(&whole);
	text_release(&little);
	return 0;
}

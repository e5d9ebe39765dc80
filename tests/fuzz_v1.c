/* The reader on traces of the form before Go 1.22, which it reads in one way only. */
#include "fuzz.h"

#include "fuzz_reading.h"
#include "source/go/header.h"
#include "source/go/v1_wire.h"

const struct fuzz_corpus fuzz_corpus = { ".trace", { "fuzz/v1", NULL } };

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	uint32_t minor;
	if (size >= HEADER_BYTES && header_parse(bytes, &minor) && minor <= V1_MINOR_STW_KINDS)
		fuzz_read(bytes, size, false);
	return 0;
}

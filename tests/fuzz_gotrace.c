/* The reader on any bytes, strictly and leniently. */
#include "fuzz.h"

#include "fuzz_reading.h"

const struct fuzz_corpus fuzz_corpus = { ".trace", { ".", "fuzz/gotrace", "fuzz/v1", NULL } };

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	fuzz_read(bytes, size, false);
	fuzz_read(bytes, size, true);
	return 0;
}

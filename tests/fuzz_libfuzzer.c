/* How libFuzzer reaches the mutator of traces. A fuzzer of anything else is without it. */

#include "mutate.h"

/* Of the engine. */
size_t LLVMFuzzerMutate(uint8_t *bytes, size_t size, size_t max_size);

size_t LLVMFuzzerCustomMutator(uint8_t *bytes, size_t size, size_t max_size, unsigned seed);

/* Every fourth time any byte may change, so that broken framing is tried as well. */
size_t
LLVMFuzzerCustomMutator(uint8_t *bytes, size_t size, size_t max_size, unsigned seed)
{
	size_t changed = seed % 4 > 0 ? mutate_trace(bytes, size, max_size, seed) : 0;
	return changed > 0 ? changed : LLVMFuzzerMutate(bytes, size, max_size);
}

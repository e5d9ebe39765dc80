/* Any text as lines that were typed: what is taken is written, and read as the same again. */
#include "fuzz.h"

#include <string.h>

#include "app/typed.h"

const struct fuzz_corpus fuzz_corpus = { ".txt", { "fuzz/typed", "fuzz/text", NULL } };

static void
release(struct prompt_memory memories[PROMPT_KINDS])
{
	for (size_t kind = 0; kind < PROMPT_KINDS; kind++)
		prompt_memory_release(&memories[kind]);
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	struct prompt_memory memories[PROMPT_KINDS] = { { .count = 0 } };
	struct prompt_memory again[PROMPT_KINDS] = { { .count = 0 } };
	struct text file = { 0 }, once = { 0 }, twice = { 0 };
	if (size == 0 || size > 100000)
		return 0;
	text_add(&file, (const char *)bytes, size);
	bool is_ours = typed_parse(&file, memories);
	for (size_t kind = 0; kind < PROMPT_KINDS; kind++)
		must(is_ours || memories[kind].count == 0, "nothing is taken of what is not ours");
	typed_format(memories, &once);
	text_add(&twice, once.bytes, once.length);
	must(typed_parse(&twice, again), "what is written can be read");
	text_clear(&twice);
	typed_format(again, &twice);
	must(once.length == twice.length && memcmp(once.bytes, twice.bytes, once.length) == 0,
		"it is written as the same again");
	release(memories);
	release(again);
	text_release(&file);
	text_release(&once);
	text_release(&twice);
	return 0;
}

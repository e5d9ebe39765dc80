/*
 * Any text as a config: every line is taken or complained of, and what is printed of it is
 * taken whole and printed as the same again.
 */
#include "fuzz.h"

#include <string.h>

#include "app/config.h"

const struct fuzz_corpus fuzz_corpus = { ".txt", { "fuzz/config", "fuzz/text", NULL } };

static size_t
lines_of(const uint8_t *bytes, size_t size)
{
	size_t lines = 0;
	for (size_t i = 0; i < size; i++)
		lines += bytes[i] == '\n' || i + 1 == size;
	return lines;
}

static void
print_again(const struct text *printed)
{
	static struct config config;
	struct options options = { 0 };
	struct text again = { 0 };
	config = (struct config){ 0 };
	config_init(&config);
	config_read(&config, printed->bytes, printed->length, &options);
	must(config.complaint_count == 0, "what is printed can be read");
	config_print(&config, &options, &again);
	must(again.length == printed->length &&
			memcmp(again.bytes, printed->bytes, again.length) == 0,
		"it is printed as the same again");
	text_release(&again);
	config_release(&config);
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	static struct config config;
	struct options options = { 0 };
	struct text printed = { 0 };
	if (size == 0 || size > 100000)
		return 0;
	config = (struct config){ 0 };
	config_init(&config);
	config_read(&config, (const char *)bytes, size, &options);
	must(config.complaint_count <= lines_of(bytes, size), "a line is complained of once");
	config_print(&config, &options, &printed);
	print_again(&printed);
	text_release(&printed);
	config_release(&config);
	return 0;
}

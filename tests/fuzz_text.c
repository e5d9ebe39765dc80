/*
 * Any bytes become safe text: valid UTF-8 without controls or hidden
 * characters, of which any number of cells can be cut off.
 */
#include "fuzz.h"

#include <stdbool.h>

#include "base/text.h"

const struct fuzz_corpus fuzz_corpus = { ".txt", { "fuzz/text", NULL } };

static void
check_safe(const struct text *safe, bool ascii)
{
	for (size_t at = 0; at < safe->length;) {
		struct text_char c = text_decode(safe->bytes + at, safe->length - at);
		must(c.length > 0 && c.length <= safe->length - at, "a character ends within the text");
		must(c.is_valid, "safe text is valid UTF-8");
		must(c.code_point >= 0x20 && !(c.code_point >= 0x7f && c.code_point < 0xa0),
			"safe text has no controls");
		must(!text_is_hidden(c.code_point), "safe text hides nothing");
		must(!ascii || c.code_point < 0x7f, "ASCII was asked for");
		at += c.length;
	}
}

static void
check_fit(const struct text *safe, size_t cells)
{
	size_t used = 0;
	size_t fits = text_fit(safe->bytes, safe->length, cells, &used);
	must(fits <= safe->length, "what fits is a part of the text");
	must(used <= cells, "what fits is as wide as asked for");
	must(text_width(safe->bytes, fits) == used, "the cells said are the cells taken");
	if (cells >= text_width(safe->bytes, safe->length))
		must(fits == safe->length, "what is narrow enough fits whole");
}

static void
check_short_name(const struct text *safe, size_t cells, bool ascii)
{
	struct text name = { 0 };
	text_add_short_name(&name, safe->bytes, safe->length, cells, ascii);
	must(text_width(name.bytes, name.length) <= cells, "a short name fits");
	check_safe(&name, ascii);
	text_release(&name);
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	for (int ascii = 0; ascii < 2; ascii++) {
		struct text safe = { 0 };
		text_add_safe(&safe, (const char *)bytes, size, ascii == 1);
		check_safe(&safe, ascii == 1);
		for (size_t cells = 0; cells < 24; cells++) {
			check_fit(&safe, cells);
			check_short_name(&safe, cells, ascii == 1);
		}
		check_fit(&safe, size * 16);
		text_release(&safe);
	}
	return 0;
}

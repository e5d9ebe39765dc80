/*
 * Any text as a condition: what is refused has a place within the text and a message, and what is
 * taken is taken again with blanks around it.
 */
#include "fuzz.h"

#include <stdio.h>
#include <string.h>

#include "analysis/condition.h"

const struct fuzz_corpus fuzz_corpus = { ".txt", { "fuzz/condition", "fuzz/latency", NULL } };

enum { TEXT_BYTES = 600 };

static bool
is_same(const struct condition *a, const struct condition *b)
{
	bool has_name = a->kind.name != NULL;
	return a->function == b->function && a->part == b->part && a->relation == b->relation &&
	       a->value == b->value && a->kind.type == b->kind.type &&
	       has_name == (b->kind.name != NULL) &&
	       (!has_name || strcmp(a->kind.name, b->kind.name) == 0);
}

static void
check_again(const struct condition *condition, const char *text)
{
	char wrapped[TEXT_BYTES + 8];
	struct condition again;
	struct error err;
	error_clear(&err);
	snprintf(wrapped, sizeof wrapped, "  %s\t", text);
	must(condition_parse(&again, wrapped, &err), "blanks around it mean nothing");
	must(is_same(condition, &again), "it is the same condition");
	condition_release(&again);
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	char text[TEXT_BYTES + 1] = { 0 };
	memcpy(text, bytes, size < TEXT_BYTES ? size : TEXT_BYTES);
	struct condition condition;
	struct error err;
	error_clear(&err);
	if (condition_parse(&condition, text, &err)) {
		must(condition.part <= CONDITION_WHOLE, "a percentile is of 100");
		check_again(&condition, text);
	} else {
		must_refuse(&err, strlen(text));
	}
	condition_release(&condition);
	return 0;
}

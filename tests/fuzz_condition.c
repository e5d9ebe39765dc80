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
is_text(const char *a, const char *b)
{
	return a == NULL || b == NULL ? a == b : strcmp(a, b) == 0;
}

static bool
is_same(const struct condition *a, const struct condition *b)
{
	return is_text(a->report, b->report) && is_text(a->column, b->column) &&
	       is_text(a->about, b->about) && a->unit == b->unit && a->function == b->function && a->part == b->part && a->relation == b->relation &&
	       a->value == b->value && a->kind.type == b->kind.type &&
	       is_text(a->kind.name, b->kind.name);
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

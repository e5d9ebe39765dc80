/*
 * Any text as how far interactions go: what is refused is told and changes nothing, and what is
 * taken is written, and read as the same again.
 */
#include "fuzz.h"

#include <string.h>

#include "analysis/interacts.h"

const struct fuzz_corpus fuzz_corpus = { ".txt", { "fuzz/interacts", NULL } };

enum { TEXT_BYTES = 600, GOROUTINE = 7 };

static void
check_again(struct interacts_plan plan)
{
	struct text written = { 0 };
	struct interacts_plan again = { .actor = GOROUTINE };
	struct error err;
	error_clear(&err);
	must(plan.steps >= 1 && plan.steps <= INTERACTS_MOST_STEPS, "so many steps there are");
	interacts_add_words(&written, plan);
	must(interacts_parse(&again, written.bytes, &err), "what is written can be read");
	must(interacts_is_same(again, plan), "it is the same");
	text_release(&written);
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	static const struct interacts_plan before = { GOROUTINE, INTERACTS_MOST_STEPS + 1, true };
	char text[TEXT_BYTES + 1] = { 0 };
	memcpy(text, bytes, size < TEXT_BYTES ? size : TEXT_BYTES);
	struct interacts_plan plan = before;
	struct error err;
	error_clear(&err);
	if (interacts_parse(&plan, text, &err)) {
		must(plan.actor == GOROUTINE, "whose interactions is told elsewhere");
		check_again(plan);
		return 0;
	}
	must(interacts_is_same(plan, before), "what is refused changes nothing");
	must(err.kind == ERROR_USAGE, "it is the text that is wrong");
	must(err.message[0] != '\0', "it is said what is wrong");
	return 0;
}

/*
 * The viewer's JSON of any bytes, in all views: whatever can be read becomes a whole
 * answer, with the frames of all its stacks and both ends of all its arrows.
 */
#include "fuzz.h"

#include <stdbool.h>
#include <stdlib.h>

#include "base/text.h"
#include "dump/dump.h"
#include "jsondiff.h"

const struct fuzz_corpus fuzz_corpus = { ".trace", { "fuzz/gotrace", "fuzz/report", "fuzz/v1", NULL } };

static bool
collect(void *context, const char *bytes, size_t length, struct error *err)
{
	struct text *text = context;
	text_add(text, bytes, length);
	return !text->failed || error_set_memory(err, "a fuzzer");
}

static void
check_answer(const struct text *answer)
{
	struct jsondiff diff;
	bool is_whole = jsondiff_compare(&diff, answer, answer, 0);
	must(is_whole, is_whole ? "an answer is whole" : diff.problem.bytes);
	jsondiff_release(&diff);
}

static void
export_view(struct input *in, enum dump_json_view view, int64_t id)
{
	struct text answer = { 0 };
	struct writer out;
	struct go_read_result result = { 0 };
	struct error err;
	error_clear(&err);
	if (!writer_init(&out, collect, &answer, &err))
		return;
	const struct dump dump = { .out = &out };
	if (dump_json(&dump, in, view, id, &result, &err))
		check_answer(&answer);
	else
		must(err.kind != ERROR_NONE, "a failure says why");
	writer_release(&out);
	text_release(&answer);
}

/* The views of one thing are about one of the first, which bytes choose. */
int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	for (int view = DUMP_JSON_PROC; view <= DUMP_JSON_FOCUSTASK; view++) {
		struct input in;
		struct error err;
		error_clear(&err);
		if (!input_open_memory(&in, bytes, size, &err))
			return 0;
		export_view(&in, (enum dump_json_view)view, size == 0 ? 1 : bytes[size - 1] % 4);
		input_close(&in);
	}
	return 0;
}

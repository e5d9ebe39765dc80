/*
 * The query language on any text: what is refused has a place within the text and a message,
 * and what is taken, in parentheses and turned round twice, is taken again.
 */
#include "fuzz.h"

#include <stdio.h>
#include <string.h>

#include "query/query.h"
#include "trace/words.h"
#include "query/query_hint.h"
#include "trace/words.h"

const struct fuzz_corpus fuzz_corpus = { ".txt", { "fuzz/query", "fuzz/pattern", NULL } };

enum { TEXT_BYTES = 600 };

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	char text[TEXT_BYTES + 1] = { 0 }, wrapped[TEXT_BYTES + 16];
	memcpy(text, bytes, size < TEXT_BYTES ? size : TEXT_BYTES);
	struct error note;
	error_clear(&note);
	struct query *query = query_new(text, &words_plain, &note);
	if (query == NULL && note.kind == ERROR_USAGE)
		must_refuse(&note, strlen(text));
	const char *rest = text + strspn(text, " \t\r\n");
	/* A word may have opened what the added ones would close. */
	if (query != NULL && strchr(text, '(') == NULL) {
		snprintf(wrapped, sizeof wrapped, "!(!(%s))", *rest == '=' ? rest + 1 : rest);
		error_clear(&note);
		struct query *again = query_new(wrapped, &words_plain, &note);
		must(again != NULL, "a query is one in parentheses, too");
		query_free(again);
	}
	query_free(query);
	query_is_meant(text);
	struct text hint = { 0 };
	query_describe(text, &words_plain, &hint);
	text_clear(&hint);
	for (size_t i = 0; i < 3 && query_complete(text, &words_plain, i, &hint); i++)
		text_clear(&hint);
	text_release(&hint);
	return 0;
}

/*
 * The words of the text form: doc/format/go-trace-semantics.md, section 10. A
 * cursor stands somewhere in one line, and each function moves it on.
 */
#ifndef TTRACE_SOURCE_GO_TEXT_TOKEN_H
#define TTRACE_SOURCE_GO_TEXT_TOKEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/text.h"

/* The rest of a line, without its newline. */
struct text_rest {
	const char *at, *end;
};

/* Bytes of the line; none where size is 0. */
struct text_token {
	const char *bytes;
	size_t size;
};

/*
 * The next token: up to white space, which may be any of Unicode, a comment, or the
 * end. Of size 0 when there is none left.
 */
struct text_token text_next_token(struct text_rest *rest);

/* Whether the token is `word`. */
bool text_token_is(struct text_token token, const char *word);

/* An unsigned decimal number of 64 bits, and nothing else. */
bool text_number(struct text_token token, uint64_t *value);

/*
 * Takes "name=number" tokens, one for each of the names separated by spaces, and
 * appends the values. False when one is missing, misnamed, or no such number.
 */
bool text_arguments(struct text_rest *rest, const char *names, uint64_t *values,
                    struct error *err);

/* False, with what is left named in err, unless there is only white space and comment. */
bool text_expect_end(struct text_rest *rest, struct error *err);

/* Whether the rest, behind white space, begins with "data=". Does not move. */
bool text_is_data(struct text_rest rest);

/* Takes data="..." or data=`...` and appends the bytes meant to *data. */
bool text_data(struct text_rest *rest, struct text *data, struct error *err);

/* "what: token" as an error of format. Returns false. */
bool text_refuse(struct text_token token, const char *what, struct error *err);

#endif

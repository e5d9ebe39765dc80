/* What the things of a Go trace are called. */
#ifndef TTRACE_SOURCE_GO_WORDS_H
#define TTRACE_SOURCE_GO_WORDS_H

#include "trace/trace.h"
#include "trace/words.h"

extern const struct words go_words;

/* As trace_new(), with Go's words. */
struct trace *go_trace_new(struct error *err);

#endif

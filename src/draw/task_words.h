/* Tasks in words, as safe text. All functions append. */
#ifndef TTRACE_DRAW_TASK_WORDS_H
#define TTRACE_DRAW_TASK_WORDS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"
#include "trace/trace.h"

struct task_event; /* analysis/task_events.h */

/* "task 42 GET /items"; "task 42" where its type is not known. */
void task_words_name(struct text *out, const struct trace *trace, task_ref task, bool ascii);
/* How long it took: "5.7 ms", and ">5.7 ms" where one of its ends was not seen. */
void task_words_length(struct text *out, const struct trace *trace, task_ref task, bool ascii);
/* What was not seen: ", began before what is loaded", ", not ended", both of them, or nothing. */
void task_words_open(struct text *out, const struct trace *trace, task_ref task);
/* A class of task_life.h's: "nobody" while no actor works, "mark assist", else its name. */
const char *task_words_class(const struct words *words, uint8_t time_class);
/* "region begins: decode", "log retry: attempt 2", "task 43 begins: fetch", "task 43 ends". */
void task_words_event(
	struct text *out, const struct trace *trace, const struct task_event *event, bool ascii);
/* The style in which that stands. */
uint8_t task_words_event_style(const struct task_event *event);
/* "retry: attempt 2": category, where it has one, and message of a log. */
void task_words_log(struct text *out, const struct trace *trace, uint32_t instant, bool ascii);

#endif

/* Things of the trace as the reports write them. */
#ifndef TTRACE_REPORT_WORDS_H
#define TTRACE_REPORT_WORDS_H

#include <stdint.h>

#include "base/text.h"
#include "draw/table.h"
#include "report/report.h"

/* What reports call the trace: the name of its file, or "standard input". Safe text. */
const char *words_file(const struct report_options *options);
/* "trace of Go 1.26", or of another source by its name. */
void words_source(struct text *text, const struct trace *trace);

/* All others append safe text by the options' charset. */

/* The trace's text with this id. */
void words_string(struct text *text, const struct report_options *options,
                  const struct trace *trace, string_id id);
/* "G42 main.worker"; "G42" where the name is not known, nothing for REF_NONE. */
void words_actor(struct text *text, const struct report_options *options,
                     const struct trace *trace, actor_ref actor);
/* The columns of a table with the trace's words for {actor} and the like in the titles. */
void words_columns(const struct trace *trace, const struct table_column *patterns, int count,
                   struct table_column *columns);
/* "35.7 ms" */
void words_duration(struct text *text, const struct report_options *options, int64_t duration_ns);
/* "1.2034 s": a moment, told as finely as a duration there needs to be told. */
void words_moment(struct text *text, const struct report_options *options,
                  const struct trace *trace, int64_t time_ns, int64_t duration_ns);
/*
 * " --at=1.20341s --interval=0.0302s": options that show a span with as much time on either side,
 * the cursor in its middle. Without an interval where that would be all of the trace.
 */
void words_option_span(
	struct text *text, const struct trace *trace, int64_t start_ns, int64_t end_ns);
/* "state=blocked: 1,234 spans match, of 56 goroutines", where options->only is there. */
void words_query(struct text *text, const struct report_options *options,
                 const struct trace *trace);

/* ", from 1.2 s to 1.3 s" of the interval that the options ask for; nothing if they ask for none. */
void words_from_to(struct text *text, const struct report_options *options,
                   const struct trace *trace);
/* The interval that the options ask for, clipped to the trace. */
void words_interval(const struct report_options *options, const struct trace *trace,
                    int64_t *t0_ns, int64_t *t1_ns);

#endif

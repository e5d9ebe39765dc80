/* Words for actors, times and places. */
#include "report/words.h"

#include <inttypes.h>

#include "base/units.h"
#include "draw/names.h"
#include "draw/time_form.h"
#include "query/search.h"
#include "trace/words.h"

const char *
words_file(const struct report_options *options)
{
	return options->file_name != NULL ? options->file_name : "standard input";
}

void
words_string(struct text *text, const struct report_options *options, const struct trace *trace,
	string_id id)
{
	size_t length;
	const char *bytes = trace_text(trace, id, &length);
	text_add_safe(text, bytes, length, options->ascii);
}

void
words_source(struct text *text, const struct trace *trace)
{
	if (trace->go_minor > 0)
		text_format(text, "trace of Go 1.%" PRIu32, trace->go_minor);
	else
		text_format(text, "trace of %s", trace->words->source);
}

void
words_actor(struct text *text, const struct report_options *options, const struct trace *trace,
	actor_ref ref)
{
	if (ref != REF_NONE)
		name_actor(text, trace, ref, options->ascii);
}

void
words_columns(const struct trace *trace, const struct table_column *patterns, int count,
	struct table_column *columns)
{
	for (int i = 0; i < count; i++) {
		columns[i] = patterns[i];
		columns[i].title = words_title(trace->words, patterns[i].title);
	}
}

void
words_duration(struct text *text, const struct report_options *options, int64_t duration_ns)
{
	char out[UNITS_TEXT];
	units_duration(out, duration_ns, options->ascii);
	text_add_string(text, out);
}

void
words_moment(struct text *text, const struct report_options *options, const struct trace *trace,
	int64_t time_ns, int64_t duration_ns)
{
	time_form_add(text, time_form_of(trace, options->is_wall, options->ascii), trace, time_ns,
		duration_ns);
}

static void
add_option_time(struct text *text, const char *option, int64_t time_ns, int64_t duration_ns)
{
	char out[UNITS_TEXT];
	units_option_time(out, time_ns, time_form_step(duration_ns));
	text_format(text, " %s=%s", option, out);
}

void
words_option_span(struct text *text, const struct trace *trace, int64_t start_ns, int64_t end_ns)
{
	int64_t duration_ns = end_ns - start_ns;
	add_option_time(text, "--at", start_ns + duration_ns / 2, duration_ns);
	if (duration_ns < trace->end_ns / 3)
		add_option_time(text, "--interval", duration_ns * 3 + 3, duration_ns);
}

void
words_query(struct text *text, const struct report_options *options, const struct trace *trace)
{
	char number[UNITS_TEXT];
	uint64_t spans = search_count(options->only), slices = search_slice_count(options->only);
	uint64_t matches = slices > 0 ? slices : spans;
	uint32_t count = search_actor_count(options->only);
	units_count(number, matches);
	text_format(text, "%s: %s %s%s, of ", options->query, number, slices > 0 ? "slice" : "span",
		matches == 1 ? " matches" : "s match");
	units_count(number, count);
	text_format(text, "%s ", number);
	text_add_words(text, trace->words, count == 1 ? "{actor}" : "{actors}");
	if (slices == 0)
		return;
	units_count(number, spans);
	text_format(text, "; %s %s", number, spans == 1 ? "span" : "spans");
}

void
words_interval(const struct report_options *options, const struct trace *trace, int64_t *t0_ns,
	int64_t *t1_ns)
{
	*t0_ns = 0;
	*t1_ns = trace->end_ns > 0 ? trace->end_ns : 1;
	if (!options->has_interval)
		return;
	if (options->t1_ns < *t1_ns)
		*t1_ns = options->t1_ns;
	*t0_ns = options->t0_ns < *t1_ns ? options->t0_ns : *t1_ns - 1;
}

void
words_from_to(struct text *text, const struct report_options *options, const struct trace *trace)
{
	int64_t t0_ns, t1_ns;
	if (!options->has_interval)
		return;
	words_interval(options, trace, &t0_ns, &t1_ns);
	text_add_string(text, ", from ");
	words_moment(text, options, trace, t0_ns, t1_ns - t0_ns);
	text_add_string(text, " to ");
	words_moment(text, options, trace, t1_ns, t1_ns - t0_ns);
}

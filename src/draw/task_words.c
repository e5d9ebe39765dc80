/* Tasks in words. */
#include "draw/task_words.h"

#include <inttypes.h>

#include "analysis/task_events.h"
#include "base/units.h"
#include "draw/names.h"
#include "draw/palette.h"
#include "trace/task_times.h"
#include "trace/words.h"

void
task_words_name(struct text *out, const struct trace *trace, task_ref ref, bool ascii)
{
	const struct task *task = trace_task(trace, ref);
	text_format(out, "%s %" PRId64, trace->words->task.one, task->id);
	if (task->name == STRING_EMPTY)
		return;
	text_add_string(out, " ");
	name_string(out, trace, task->name, ascii);
}

void
task_words_length(struct text *out, const struct trace *trace, task_ref ref, bool ascii)
{
	const struct task *task = trace_task(trace, ref);
	char length[UNITS_TEXT];
	units_duration(length, task_end_ns(trace, ref) - task_start_ns(trace, ref), ascii);
	text_format(out, "%s%s", task->began_before || task->end_ns == TIME_OPEN ? ">" : "",
		length);
}

void
task_words_open(struct text *out, const struct trace *trace, task_ref ref)
{
	const struct task *task = trace_task(trace, ref);
	if (task->began_before)
		text_format(out, ", began before %s",
			trace->start_ns > 0 ? "what is loaded" : "the trace");
	if (task->end_ns == TIME_OPEN)
		text_add_string(out, ", not ended");
}

const char *
task_words_class(const struct words *words, uint8_t time_class)
{
	if (time_class == CLASS_IDLE)
		return "nobody";
	if (time_class == CLASS_WORKER)
		return "mark assist";
	return class_name(words, (enum time_class)time_class);
}

void
task_words_log(struct text *out, const struct trace *trace, uint32_t instant, bool ascii)
{
	const struct instant *log = trace_instant(trace, instant);
	if (log->category != STRING_EMPTY) {
		name_string(out, trace, log->category, ascii);
		text_add_string(out, ": ");
	}
	name_string(out, trace, log->text, ascii);
}

static bool
is_begin(const struct task_event *event)
{
	return event->type == TASK_EVENT_BEGIN || event->type == TASK_EVENT_REGION_BEGIN;
}

/* The name stands behind, where one that is too long may end. */
void
task_words_event(
	struct text *out, const struct trace *trace, const struct task_event *event, bool ascii)
{
	string_id name = STRING_EMPTY;
	switch (event->type) {
	case TASK_EVENT_LOG:
		text_add_string(out, "log ");
		task_words_log(out, trace, event->ref, ascii);
		return;
	case TASK_EVENT_BEGIN:
	case TASK_EVENT_END:
		text_format(out, "%s %" PRId64, trace->words->task.one,
			trace_task(trace, event->task)->id);
		name = trace_task(trace, event->task)->name;
		break;
	case TASK_EVENT_REGION_BEGIN:
	case TASK_EVENT_REGION_END:
		text_add_string(out, "region");
		name = trace_range(trace, event->ref)->name;
		break;
	}
	text_add_string(out, is_begin(event) ? " begins" : " ends");
	if (name == STRING_EMPTY)
		return;
	text_add_string(out, ": ");
	name_string(out, trace, name, ascii);
}

uint8_t
task_words_event_style(const struct task_event *event)
{
	if (event->type == TASK_EVENT_LOG)
		return STYLE_MARK;
	return event->type == TASK_EVENT_REGION_BEGIN || event->type == TASK_EVENT_REGION_END
		       ? STYLE_OTHER
		       : STYLE_DEFAULT;
}

/* Reading old traces for tests. */
#include "v1testing.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#include "v1writer.h"

static const char *const go_states[] = {
	"Undetermined", "NotExist", "Runnable", "Running", "Waiting", "Syscall",
};
static const char *const proc_states[] = { "Undetermined", "NotExist", "Running", "Idle" };
static const char *const metrics[] = { "procs", "heap", "goal" };
static const char *const ranges[] = { "STW", "GC", "sweep", "assist" };

static const char *
text_of(const struct v1_reading *out, string_id id)
{
	return intern_text(&out->strings, id, NULL);
}

static void
add_id(struct text *line, int64_t id, const char *behind)
{
	if (id == GO_ID_NONE)
		text_format(line, "-%s", behind);
	else
		text_format(line, "%" PRId64 "%s", id, behind);
}

static void
add_range(struct v1_reading *out, const struct go_event *event, const char *what)
{
	text_format(&out->lines, "%s %s", what, ranges[event->u.range.range]);
	if (event->u.range.range == GO_RANGE_STW)
		text_format(&out->lines, " (%s)", text_of(out, event->u.range.detail));
	if (event->u.range.scope_g != GO_ID_NONE)
		text_format(&out->lines, " g%" PRId64, event->u.range.scope_g);
	if (event->u.range.scope_p != GO_ID_NONE)
		text_format(&out->lines, " p%" PRId64, event->u.range.scope_p);
	if (event->u.range.swept_bytes > 0)
		text_format(&out->lines, " %" PRIu64 "/%" PRIu64, event->u.range.swept_bytes,
		            event->u.range.reclaimed_bytes);
}

static void
add_goroutine(struct v1_reading *out, const struct go_event *event)
{
	const char *reason = text_of(out, event->u.goroutine.reason);
	text_format(&out->lines, "g%" PRId64 " %s->%s", event->u.goroutine.id,
	            go_states[event->u.goroutine.from], go_states[event->u.goroutine.to]);
	if (*reason != '\0')
		text_format(&out->lines, " (%s)", reason);
	if (event->u.goroutine.stack != STACK_NONE && event->u.goroutine.stack != event->stack)
		text_format(&out->lines, " in %s",
		            text_of(out, stack_leaf(&out->stacks, event->u.goroutine.stack)
		                                 ->function));
}

static void
add_task(struct v1_reading *out, const struct go_event *event, const char *what)
{
	text_format(&out->lines, "%s task %" PRId64 " of ", what, event->u.task.id);
	add_id(&out->lines, event->u.task.parent, " ");
	text_format(&out->lines, "%s", text_of(out, event->u.task.name));
}

static void
add_what(struct v1_reading *out, const struct go_event *event)
{
	struct text *line = &out->lines;
	switch (event->kind) {
	case GO_EVENT_SYNC:
		text_format(line, "sync %" PRIu64, event->u.sync.number);
		break;
	case GO_EVENT_METRIC:
		text_format(line, "%s %" PRIu64, metrics[event->u.metric.metric],
		            event->u.metric.value);
		break;
	case GO_EVENT_LABEL:
		text_format(line, "label %s", text_of(out, event->u.label.label));
		break;
	case GO_EVENT_SAMPLE:
		text_add_string(line, "sample");
		break;
	case GO_EVENT_RANGE_BEGIN:
		add_range(out, event, "begin");
		break;
	case GO_EVENT_RANGE_END:
		add_range(out, event, "end");
		break;
	case GO_EVENT_TASK_BEGIN:
		add_task(out, event, "begin");
		break;
	case GO_EVENT_TASK_END:
		add_task(out, event, "end");
		break;
	case GO_EVENT_REGION_BEGIN:
	case GO_EVENT_REGION_END:
		text_format(line, "%s region %" PRId64 " %s",
		            event->kind == GO_EVENT_REGION_BEGIN ? "begin" : "end",
		            event->u.region.task, text_of(out, event->u.region.name));
		break;
	case GO_EVENT_LOG:
		text_format(line, "log %" PRId64 " %s %s", event->u.log.task,
		            text_of(out, event->u.log.category), text_of(out, event->u.log.message));
		break;
	case GO_EVENT_GOROUTINE:
		add_goroutine(out, event);
		break;
	case GO_EVENT_PROC:
		text_format(line, "p%" PRId64 " %s->%s", event->u.proc.id,
		            proc_states[event->u.proc.from], proc_states[event->u.proc.to]);
		break;
	case GO_EVENT_RANGE_ACTIVE:
	case GO_EVENT_EXPERIMENTAL:
	case GO_EVENT_KIND_COUNT:
		fail_msg("an old trace has no event of kind %d", event->kind);
	}
}

static bool
take_event(void *context, const struct go_event *event, struct error *err)
{
	struct v1_reading *out = context;
	(void)err;
	out->is_out_of_order |= out->event_count > 0 && event->time_ns <= out->last_time_ns;
	out->last_time_ns = event->time_ns;
	out->event_count++;
	out->sync_count += event->kind == GO_EVENT_SYNC;
	text_format(&out->lines, "%" PRId64 " ", event->time_ns);
	add_id(&out->lines, event->m, "/");
	add_id(&out->lines, event->p, "/");
	add_id(&out->lines, event->g, " ");
	add_what(out, event);
	if (event->stack != STACK_NONE)
		text_format(&out->lines, " @%s",
		            text_of(out, stack_leaf(&out->stacks, event->stack)->function));
	text_add_string(&out->lines, "\n");
	return true;
}

void
v1_read_bytes(struct v1_reading *out, const void *bytes, size_t size)
{
	const struct go_sink sink = {
		.event = take_event,
		.context = out,
		.strings = &out->strings,
		.stacks = &out->stacks,
	};
	struct error err = { 0 };
	struct input in;
	assert_true(intern_init(&out->strings, &err));
	assert_true(stack_table_init(&out->stacks, &err));
	assert_true(input_open_memory(&in, bytes, size, &err));
	text_add(&out->lines, "", 0);
	out->ok = go_read(&in, &sink, NULL, &out->result, &out->err);
	if (out->ok) {
		assert_int_equal(out->err.kind, ERROR_NONE);
		out->err = out->result.damage.rows[0].first;
		assert_int_equal(out->result.events, out->event_count);
	} else {
		assert_int_not_equal(out->err.kind, ERROR_NONE);
	}
	input_close(&in);
}

void
v1_assemble(const char *text, struct text *out)
{
	char problem[200];
	if (!v1w_assemble(text, out, problem))
		fail_msg("the test's own trace is wrong: %s\n%s", problem, text);
}

void
v1_read_text(struct v1_reading *out, const char *text)
{
	struct text bytes = { 0 };
	v1_assemble(text, &bytes);
	v1_read_bytes(out, bytes.bytes, bytes.length);
	text_release(&bytes);
}

void
v1_reading_release(struct v1_reading *out)
{
	intern_release(&out->strings);
	stack_table_release(&out->stacks);
	text_release(&out->lines);
	*out = (struct v1_reading){ 0 };
}

/* Reading traces for tests. */
#include "readtrace.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#include "tracetesting.h"

static const char *const kind_names[GO_EVENT_KIND_COUNT] = {
	"Sync", "Metric", "Label", "Sample", "RangeBegin", "RangeActive", "RangeEnd",
	"TaskBegin", "TaskEnd", "RegionBegin", "RegionEnd", "Log", "", "", "Experimental",
};

static const char *const go_states[] = {
	"Undetermined", "NotExist", "Runnable", "Running", "Waiting", "Syscall",
};

static const char *const proc_states[] = { "Undetermined", "NotExist", "Running", "Idle" };

static void
add_id(struct text *line, int64_t id, const char *behind)
{
	if (id == GO_ID_NONE)
		text_format(line, "-%s", behind);
	else
		text_format(line, "%" PRId64 "%s", id, behind);
}

static void
add_line(struct text *lines, const struct go_event *event)
{
	add_id(lines, event->m, "/");
	add_id(lines, event->p, "/");
	add_id(lines, event->g, " ");
	if (event->kind == GO_EVENT_GOROUTINE)
		text_format(lines, "g%" PRId64 " %s->%s", event->u.goroutine.id,
		            go_states[event->u.goroutine.from], go_states[event->u.goroutine.to]);
	else if (event->kind == GO_EVENT_PROC)
		text_format(lines, "p%" PRId64 " %s->%s", event->u.proc.id,
		            proc_states[event->u.proc.from], proc_states[event->u.proc.to]);
	else
		text_format(lines, "%s", kind_names[event->kind]);
	text_add_string(lines, "\n");
}

static bool
take_event(void *context, const struct go_event *event, struct error *err)
{
	struct readtrace *out = context;
	if (++out->event_count == out->refuse_event)
		return error_set(err, ERROR_IO, "the sink is full");
	if (out->event_count == 1)
		out->first_time_ns = event->time_ns;
	else if (event->time_ns <= out->last_time_ns)
		out->is_out_of_order = true;
	out->last_time_ns = event->time_ns;
	out->last = *event;
	if (event->kind != GO_EVENT_SYNC)
		add_line(&out->events, event);
	else if (out->sync_count < READTRACE_SYNCS_MAX)
		out->syncs[out->sync_count++] = *event;
	return true;
}

static bool
take_generation(void *context, uint64_t generation, struct error *err)
{
	struct readtrace *out = context;
	(void)generation;
	(void)err;
	if (out->generation_count < READTRACE_SYNCS_MAX)
		out->generation_ends[out->generation_count] = out->events.length;
	out->generation_count++;
	return true;
}

/* An input that gives a few bytes at a time. */
struct dribble {
	struct input in; /* first, so that the one is the other */
	bool (*read)(struct input *in, void *out, size_t size, size_t *got, struct error *err);
	size_t max_bytes;
};

static bool
read_little(struct input *in, void *out, size_t size, size_t *got, struct error *err)
{
	struct dribble *dribble = (struct dribble *)in;
	return dribble->read(in, out, size < dribble->max_bytes ? size : dribble->max_bytes, got,
	                     err);
}

void
readtrace_bytes(struct readtrace *out, const void *bytes, size_t size)
{
	const struct go_sink sink = {
		.event = take_event,
		.generation = take_generation,
		.context = out,
		.strings = &out->strings,
		.stacks = &out->stacks,
	};
	const struct go_read_options options = {
		.progress = out->progress,
		.is_lenient = out->is_lenient,
	};
	struct dribble dribble = { .max_bytes = out->read_bytes_max };
	struct error err = { 0 };
	assert_true(intern_init(&out->strings, &err));
	assert_true(stack_table_init(&out->stacks, &err));
	assert_true(input_open_memory(&dribble.in, bytes, size, &err));
	text_add(&out->events, "", 0);
	if (out->read_bytes_max > 0) {
		dribble.read = dribble.in.read;
		dribble.in.read = read_little;
	}
	out->ok = go_read(&dribble.in, &sink, &options, &out->result, &out->err);
	if (out->ok) {
		assert_int_equal(out->err.kind, ERROR_NONE);
		out->err = out->result.damage.rows[0].first;
		assert_int_equal(out->result.events, out->event_count);
	} else {
		assert_int_not_equal(out->err.kind, ERROR_NONE);
	}
	input_close(&dribble.in);
}

void
readtrace_text(struct readtrace *out, const char *text)
{
	struct text bytes = { 0 };
	testing_assemble(text, &bytes);
	readtrace_bytes(out, bytes.bytes, bytes.length);
	text_release(&bytes);
}

void
readtrace_release(struct readtrace *out)
{
	intern_release(&out->strings);
	stack_table_release(&out->stacks);
	text_release(&out->events);
	*out = (struct readtrace){ 0 };
}

const char *
readtrace_problem(const struct readtrace *out)
{
	return out->err.kind == ERROR_NONE ? "" : out->err.message;
}

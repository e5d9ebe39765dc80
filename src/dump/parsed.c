/* The ordered events as `go tool trace -d=parsed` prints them. */
#include "dump/dump.h"

#include "dump/own_stack.h"
#include "dump/stack_text.h"
#include "dump/wall_clock.h"
#include "source/go/event.h"
#include "source/go/names.h"
#include "source/go/reader.h"
#include "source/go/wire.h"

struct parsed {
	struct writer *out;
	bool is_go123;
	struct intern strings;
	struct stack_table stacks;
	struct stack_text stack_text;
	const struct go_read_result *result;
	struct dump_interval interval;
	bool is_behind_interval; /* the rest of the trace is of no use */
};

/* ---- parts */

static void
write_quoted(const struct parsed *dump, const char *label, string_id id)
{
	size_t length;
	const char *text = intern_text(&dump->strings, id, &length);
	writer_string(dump->out, label);
	writer_quoted(dump->out, text, length);
}

static void
write_labelled_u64(struct writer *out, const char *label, uint64_t number)
{
	writer_string(out, label);
	writer_u64(out, number);
}

static void
write_labelled_i64(struct writer *out, const char *label, int64_t number)
{
	writer_string(out, label);
	writer_i64(out, number);
}

/* "Goroutine(12)" and the like behind a label. */
static void
write_resource(struct writer *out, const char *label, int64_t id)
{
	write_labelled_i64(out, label, id);
	writer_char(out, ')');
}

/* A number as the public model wraps it. */
static void
write_value(const struct parsed *dump, const char *label, uint64_t value)
{
	writer_string(dump->out, label);
	write_labelled_u64(dump->out, dump->is_go123 ? "Uint64(" : "Value{Uint64(", value);
	writer_string(dump->out, dump->is_go123 ? ")" : ")}");
}

static void
write_change(struct writer *out, const char *label, int64_t id, const char *from, const char *to)
{
	write_labelled_i64(out, label, id);
	writer_char(out, ' ');
	writer_string(out, from);
	writer_string(out, "->");
	writer_string(out, to);
}

/* ---- what the kinds have of their own */

typedef void details_function(const struct parsed *dump, const struct go_event *event);

static void
write_sync(const struct parsed *dump, const struct go_event *event)
{
	struct writer *out = dump->out;
	if (dump->is_go123)
		return;
	write_labelled_u64(out, " N=", event->u.sync.number);
	if (!event->u.sync.has_clock)
		return;
	write_labelled_i64(out, " Trace=", event->u.sync.clock_trace_ns);
	write_labelled_i64(out, " Mono=", event->u.sync.clock_mono_ns);
	writer_string(out, " Wall=");
	wall_clock_write(out, event->u.sync.clock_wall_s, event->u.sync.clock_wall_ns);
}

static void
write_metric(const struct parsed *dump, const struct go_event *event)
{
	writer_string(dump->out, " Name=\"");
	writer_string(dump->out, go_metric_names[event->u.metric.metric]);
	write_value(dump, "\" Value=", event->u.metric.value);
}

static void
write_label(const struct parsed *dump, const struct go_event *event)
{
	write_quoted(dump, " Label=", event->u.label.label);
	write_resource(dump->out, " Resource=Goroutine(", event->g);
}

static void
write_range(const struct parsed *dump, const struct go_event *event)
{
	struct writer *out = dump->out;
	writer_string(out, " Name=\"");
	writer_string(out, go_range_names[event->u.range.range]);
	if (event->u.range.range == GO_RANGE_STW) {
		size_t length;
		const char *detail = intern_text(&dump->strings, event->u.range.detail, &length);
		writer_escaped(out, detail, length);
		writer_char(out, ')');
	}
	if (event->u.range.scope_g != GO_ID_NONE)
		write_resource(out, "\" Scope=Goroutine(", event->u.range.scope_g);
	else if (event->u.range.scope_p != GO_ID_NONE)
		write_resource(out, "\" Scope=Proc(", event->u.range.scope_p);
	else
		writer_string(out, "\" Scope=None");
}

static void
write_range_end(const struct parsed *dump, const struct go_event *event)
{
	write_range(dump, event);
	writer_string(dump->out, " Attributes=[");
	if (event->u.range.range == GO_RANGE_GC_SWEEP) {
		write_value(dump, "\"bytes swept\"=", event->u.range.swept_bytes);
		write_value(dump, " \"bytes reclaimed\"=", event->u.range.reclaimed_bytes);
	}
	writer_char(dump->out, ']');
}

static void
write_task(const struct parsed *dump, const struct go_event *event)
{
	write_labelled_u64(dump->out, " ID=", (uint64_t)event->u.task.id);
	write_labelled_u64(dump->out, " Parent=", (uint64_t)event->u.task.parent);
	write_quoted(dump, " Type=", event->u.task.name);
}

static void
write_region(const struct parsed *dump, const struct go_event *event)
{
	write_labelled_u64(dump->out, " Task=", (uint64_t)event->u.region.task);
	write_quoted(dump, " Type=", event->u.region.name);
}

static void
write_log(const struct parsed *dump, const struct go_event *event)
{
	write_labelled_u64(dump->out, " Task=", (uint64_t)event->u.log.task);
	write_quoted(dump, " Category=", event->u.log.category);
	write_quoted(dump, " Message=", event->u.log.message);
}

static void
write_goroutine(const struct parsed *dump, const struct go_event *event)
{
	const char *from = go_state_names[event->u.goroutine.from];
	const char *to = go_state_names[event->u.goroutine.to];
	int64_t id = event->u.goroutine.id;
	if (!dump->is_go123) {
		write_change(dump->out, " GoID=", id, from, to);
		write_quoted(dump, " Reason=", event->u.goroutine.reason);
		return;
	}
	write_resource(dump->out, " Resource=Goroutine(", id);
	write_quoted(dump, " Reason=", event->u.goroutine.reason);
	write_change(dump->out, " GoID=", id, from, to);
}

static void
write_proc(const struct parsed *dump, const struct go_event *event)
{
	const char *from = go_proc_state_names[event->u.proc.from];
	const char *to = go_proc_state_names[event->u.proc.to];
	int64_t id = event->u.proc.id;
	if (!dump->is_go123) {
		write_change(dump->out, " ProcID=", id, from, to);
		writer_string(dump->out, " Reason=\"\"");
		return;
	}
	write_resource(dump->out, " Resource=Proc(", id);
	write_change(dump->out, " Reason=\"\" ProcID=", id, from, to);
}

/* The words of a list of operands ("dt id type"), one after another; NULL at its end. */
static const char *
next_word(const char **list, size_t *length)
{
	const char *word = *list + strspn(*list, " ");
	*length = strcspn(word, " ");
	*list = word + *length;
	return *length > 0 ? word : NULL;
}

/* [a b] and [1 2]. */
static void
write_go123_operands(const struct parsed *dump, const struct go_event *event, const char *names)
{
	struct writer *out = dump->out;
	size_t length;
	writer_string(out, " ArgNames=[");
	for (unsigned i = 0; i < event->u.experimental.arg_count; i++) {
		const char *name = next_word(&names, &length);
		writer_string(out, i > 0 ? " " : "");
		writer_add(out, name, length);
	}
	writer_string(out, "] Args=[");
	for (unsigned i = 0; i < event->u.experimental.arg_count; i++)
		write_labelled_u64(out, i > 0 ? " " : "", event->u.experimental.args[i]);
	writer_char(out, ']');
}

/* [a=VALUE, b=VALUE] */
static void
write_operands(const struct parsed *dump, const struct go_event *event, const char *names)
{
	struct writer *out = dump->out;
	size_t length;
	writer_string(out, " Args=[");
	for (unsigned i = 0; i < event->u.experimental.arg_count; i++) {
		const char *name = next_word(&names, &length);
		writer_string(out, i > 0 ? ", " : "");
		writer_add(out, name, length);
		write_value(dump, "=", event->u.experimental.args[i]);
	}
	writer_char(out, ']');
}

static void
write_experimental(const struct parsed *dump, const struct go_event *event)
{
	const struct wire_kind *kind = &wire_kinds[event->wire_id];
	const char *names = kind->args;
	size_t length;
	next_word(&names, &length); /* dt is no operand of the public event */
	writer_string(dump->out, " Name=");
	writer_string(dump->out, kind->name);
	if (dump->is_go123)
		write_go123_operands(dump, event, names);
	else
		write_operands(dump, event, names);
}

static void
write_nothing(const struct parsed *dump, const struct go_event *event)
{
	(void)dump;
	(void)event;
}

static details_function *const details[GO_EVENT_KIND_COUNT] = {
	[GO_EVENT_SYNC] = write_sync,
	[GO_EVENT_METRIC] = write_metric,
	[GO_EVENT_LABEL] = write_label,
	[GO_EVENT_SAMPLE] = write_nothing,
	[GO_EVENT_RANGE_BEGIN] = write_range,
	[GO_EVENT_RANGE_ACTIVE] = write_range,
	[GO_EVENT_RANGE_END] = write_range_end,
	[GO_EVENT_TASK_BEGIN] = write_task,
	[GO_EVENT_TASK_END] = write_task,
	[GO_EVENT_REGION_BEGIN] = write_region,
	[GO_EVENT_REGION_END] = write_region,
	[GO_EVENT_LOG] = write_log,
	[GO_EVENT_GOROUTINE] = write_goroutine,
	[GO_EVENT_PROC] = write_proc,
	[GO_EVENT_EXPERIMENTAL] = write_experimental,
};

/* ---- stacks */

/* The stack of a sample counts as present also where it is none. */
static bool
has_stack(const struct go_event *event)
{
	return event->stack != STACK_NONE || event->kind == GO_EVENT_SAMPLE;
}

static void
write_stacks(struct parsed *dump, const struct go_event *event)
{
	struct writer *out = dump->out;
	if (event->kind == GO_EVENT_GOROUTINE && own_stack_is_present(event, dump->is_go123)) {
		writer_string(out, "TransitionStack=\n");
		stack_text_write(&dump->stack_text, event->u.goroutine.stack, out);
		writer_char(out, '\n');
	}
	if (has_stack(event)) {
		writer_string(out, "Stack=\n");
		stack_text_write(&dump->stack_text, event->stack, out);
		writer_char(out, '\n');
	}
}

/* ---- the sink */

static void
write_event(struct parsed *dump, const struct go_event *event)
{
	struct writer *out = dump->out;
	write_labelled_i64(out, "M=", event->m);
	write_labelled_i64(out, " P=", event->p);
	write_labelled_i64(out, " G=", event->g);
	writer_char(out, ' ');
	writer_string(out, go_kind_names[event->kind]);
	write_labelled_i64(out, " Time=", event->time_ns);
	details[event->kind](dump, event);
	writer_char(out, '\n');
	write_stacks(dump, event);
}

static bool
take_event(void *context, const struct go_event *event, struct error *err)
{
	struct parsed *dump = context;
	int64_t time_ns = event->time_ns - dump->result->start_ns;
	if (dump->interval.has_to && time_ns >= dump->interval.to_ns) {
		dump->is_behind_interval = true;
		return error_set(err, ERROR_CANCELLED, "the interval has ended");
	}
	if (!dump->interval.has_from || time_ns >= dump->interval.from_ns)
		write_event(dump, event);
	return writer_check(dump->out, err);
}

static bool
read_all(struct parsed *dump, const struct dump *options, struct input *in,
	struct go_read_result *result, struct error *err)
{
	struct go_sink sink = {
		.event = take_event,
		.context = dump,
		.strings = &dump->strings,
		.stacks = &dump->stacks,
	};
	struct go_read_options read_options = {
		.progress = options->progress,
		.syncs_at_ends = dump->is_go123,
	};
	dump->result = result;
	if (!go_read(in, &sink, &read_options, result, err)) {
		if (!dump->is_behind_interval) {
			writer_empty(dump->out); /* what came before the failure stays */
			return false;
		}
		error_clear(err);
	}
	return writer_finish(dump->out, err);
}

bool
dump_parsed(const struct dump *options, struct input *in, enum dump_parsed_form form,
	struct go_read_result *result, struct error *err)
{
	struct parsed dump = {
		.out = options->out,
		.is_go123 = form == DUMP_PARSED_GO123,
		.interval = options->interval,
	};
	bool ok = intern_init(&dump.strings, err) && stack_table_init(&dump.stacks, err) &&
		  stack_text_init(&dump.stack_text, &dump.strings, &dump.stacks, err) &&
		  read_all(&dump, options, in, result, err);
	stack_text_release(&dump.stack_text);
	stack_table_release(&dump.stacks);
	intern_release(&dump.strings);
	return ok;
}

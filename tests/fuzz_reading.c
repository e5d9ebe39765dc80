/*
 * The reader on any bytes: whatever it delivers is in order and within the
 * tables, and what it says of losses fits the input.
 */
#include "fuzz_reading.h"

#include "damagecheck.h"
#include "fuzz.h"

#include "source/go/reader.h"

struct witness {
	struct intern strings;
	struct stack_table stacks;
	uint64_t events;
	bool is_lenient;
	int64_t last_time_ns;
};

static void
check_string(const struct witness *witness, string_id id)
{
	must(id < intern_count(&witness->strings), "a string is in the table");
}

static void
check_payload(const struct witness *witness, const struct go_event *event)
{
	switch (event->kind) {
	case GO_EVENT_LABEL:
		check_string(witness, event->u.label.label);
		return;
	case GO_EVENT_RANGE_BEGIN:
	case GO_EVENT_RANGE_ACTIVE:
	case GO_EVENT_RANGE_END:
		check_string(witness, event->u.range.detail);
		must(event->u.range.range < GO_RANGE_COUNT, "a range has a type");
		return;
	case GO_EVENT_TASK_BEGIN:
	case GO_EVENT_TASK_END:
		check_string(witness, event->u.task.name);
		return;
	case GO_EVENT_REGION_BEGIN:
	case GO_EVENT_REGION_END:
		check_string(witness, event->u.region.name);
		return;
	case GO_EVENT_LOG:
		check_string(witness, event->u.log.category);
		check_string(witness, event->u.log.message);
		return;
	case GO_EVENT_GOROUTINE:
		check_string(witness, event->u.goroutine.reason);
		must(event->u.goroutine.stack < stack_count(&witness->stacks), "a stack is in the table");
		must(event->u.goroutine.to != GO_UNDETERMINED || witness->is_lenient,
			"a transition leads to a known state");
		return;
	case GO_EVENT_PROC:
		must(event->u.proc.to != PROC_UNDETERMINED || witness->is_lenient,
			"a transition leads to a known state");
		return;
	case GO_EVENT_METRIC:
		must(event->u.metric.metric < GO_METRIC_COUNT, "a metric has a type");
		return;
	case GO_EVENT_SYNC:
	case GO_EVENT_SAMPLE:
	case GO_EVENT_EXPERIMENTAL:
		return;
	case GO_EVENT_KIND_COUNT:
		break;
	}
	must(false, "an event has a kind");
}

static bool
on_event(void *context, const struct go_event *event, struct error *err)
{
	struct witness *witness = context;
	(void)err;
	must(witness->events == 0 || event->time_ns > witness->last_time_ns, "times increase");
	must(event->stack < stack_count(&witness->stacks), "a stack is in the table");
	check_payload(witness, event);
	witness->last_time_ns = event->time_ns;
	witness->events++;
	return true;
}

static void
check_outcome(const struct witness *witness, bool is_usable, const struct go_read_result *result,
	const struct error *err, size_t size)
{
	must(is_usable || err->kind != ERROR_NONE, "a failure says why");
	must(result->events == witness->events, "events are counted");
	must(result->read_bytes <= size, "no more is read than there is");
	if (!is_usable)
		return;
	const char *problem =
		damage_map_problem(&result->damage, result->is_packed ? DAMAGE_ANYWHERE : size);
	must(problem == NULL, problem);
}

void
fuzz_read(const uint8_t *bytes, size_t size, bool is_lenient)
{
	struct witness witness = { .is_lenient = is_lenient };
	struct go_sink sink = {
		.event = on_event,
		.context = &witness,
		.strings = &witness.strings,
		.stacks = &witness.stacks,
	};
	struct go_read_options options = { .is_lenient = is_lenient };
	struct go_read_result result = { .go_minor = 0 };
	struct input in;
	struct error err;
	error_clear(&err);
	if (!intern_init(&witness.strings, &err) || !stack_table_init(&witness.stacks, &err) ||
		!input_open_memory(&in, bytes, size, &err))
		return;
	bool is_usable = go_read(&in, &sink, &options, &result, &err);
	check_outcome(&witness, is_usable, &result, &err, size);
	input_close(&in);
	stack_table_release(&witness.stacks);
	intern_release(&witness.strings);
}

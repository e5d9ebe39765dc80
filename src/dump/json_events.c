/* One event after another, each a line. */
#include "dump/json_events.h"

#include "base/compiler.h"

void
json_events_init(struct json_events *events, struct writer *out, const struct intern *strings,
	const struct stack_table *stacks)
{
	*events = (struct json_events){ .out = out };
	events->strings.strings = strings;
	events->frames.stacks = stacks;
}

void
json_events_release(struct json_events *events)
{
	json_strings_release(&events->strings);
	json_frames_release(&events->frames);
}

bool
json_events_check(const struct json_events *events, struct error *err)
{
	if (UNLIKELY(events->failed)) {
		*err = events->err;
		return false;
	}
	return writer_check(events->out, err);
}

/* ---- parts of an event */

static void
add_number(struct writer *out, const char *label, uint64_t number)
{
	writer_string(out, label);
	writer_u64(out, number);
}

static void
add_text(struct json_events *events, const char *label, const struct json_name *text)
{
	writer_string(events->out, label);
	events->failed |= !json_name_write(&events->strings, text, events->out, &events->err);
	writer_char(events->out, '"');
}

static void
add_word(struct writer *out, const char *label, const char *word)
{
	if (word == NULL)
		return;
	writer_string(out, label);
	writer_string(out, word);
	writer_char(out, '"');
}

static void
add_stack(struct json_events *events, const char *label, stack_id stack)
{
	uint32_t number;
	if (stack == STACK_NONE)
		return;
	if (json_frames_number(&events->frames, stack, &number, &events->err))
		add_number(events->out, label, number);
	else
		events->failed = true;
}

static void
add_arg(struct json_events *events, const struct json_arg *arg)
{
	struct writer *out = events->out;
	writer_char(out, '"');
	writer_string(out, arg->key);
	if (arg->text != NULL) {
		add_text(events, "\":\"", arg->text);
		return;
	}
	writer_string(out, "\":");
	if (arg->is_signed)
		writer_i64(out, (int64_t)arg->number);
	else
		writer_u64(out, arg->number);
}

static void
add_args(struct json_events *events, const struct json_event *event)
{
	if (!event->has_args)
		return;
	writer_string(events->out, ",\"args\":{");
	for (size_t i = 0; i < event->arg_count; i++) {
		if (i > 0)
			writer_char(events->out, ',');
		add_arg(events, &event->args[i]);
	}
	writer_char(events->out, '}');
}

void
json_events_put(struct json_events *events, const struct json_event *event)
{
	struct writer *out = events->out;
	writer_string(out, events->has_events ? "\n,{" : "{");
	events->has_events = true;
	if (!json_name_is_empty(&event->name)) {
		add_text(events, "\"name\":\"", &event->name);
		writer_char(out, ',');
	}
	writer_string(out, "\"ph\":\"");
	writer_char(out, event->phase);
	writer_char(out, '"');
	add_word(out, ",\"s\":\"", event->scope);
	writer_string(out, ",\"ts\":");
	json_micros(out, event->time_ns - events->start_ns);
	if (event->duration_ns != 0 || (events->keeps_zeros && event->phase == 'X')) {
		writer_string(out, ",\"dur\":");
		json_micros(out, event->duration_ns);
	}
	add_number(out, ",\"pid\":", event->section);
	add_number(out, ",\"tid\":", (uint64_t)event->lane);
	if (event->id != 0)
		add_number(out, ",\"id\":", event->id);
	add_stack(events, ",\"sf\":", event->begin_stack);
	add_stack(events, ",\"esf\":", event->end_stack);
	add_args(events, event);
	add_word(out, ",\"cname\":\"", event->color);
	add_word(out, ",\"cat\":\"", event->category);
	writer_char(out, '}');
}

/* ---- around the events */

void
json_events_begin(struct json_events *events)
{
	writer_string(events->out, "{\"displayTimeUnit\":\"ns\"\n,\"traceEvents\":[");
}

void
json_events_end(struct json_events *events)
{
	writer_string(events->out, "]\n,\"stackFrames\":");
	events->failed |=
		!json_frames_write(&events->frames, &events->strings, events->out, &events->err);
	writer_string(events->out, "\n}\n");
}

/* ---- what is shown */

void
json_events_slice(struct json_events *events, const struct json_slice *slice)
{
	bool is_shown = (json_events_has_time(events, slice->from_ns) ||
				json_events_has_time(events, slice->to_ns)) &&
			json_events_has_lane(events, slice->lane);
	if (!is_shown)
		return;
	json_events_put(events, &(struct json_event){
					.phase = 'X',
					.name = slice->name,
					.time_ns = slice->from_ns,
					.duration_ns = slice->to_ns - slice->from_ns,
					.lane = slice->lane,
					.begin_stack = slice->begin_stack,
					.end_stack = slice->end_stack,
					.has_args = slice->arg != NULL,
					.arg_count = slice->arg != NULL,
					.args = slice->arg,
				});
}

void
json_events_instant(struct json_events *events, const struct json_instant *instant)
{
	if (!json_events_has_time(events, instant->time_ns) ||
		!json_events_has_lane(events, instant->lane))
		return;
	json_events_put(events, &(struct json_event){
					.phase = 'I',
					.scope = "t",
					.name = instant->name,
					.time_ns = instant->time_ns,
					.lane = instant->lane,
					.begin_stack = instant->stack,
					.category = instant->category,
					.has_args = instant->has_args,
					.arg_count = instant->arg != NULL,
					.args = instant->arg,
				});
}

void
json_events_put_flow(
	struct json_events *events, const struct json_flow *flow, enum json_section section)
{
	struct json_event event = {
		.phase = 's',
		.name = flow->name,
		.time_ns = flow->from_ns,
		.section = section,
		.lane = flow->from_lane,
		.begin_stack = flow->stack,
		.id = ++events->flow_count,
	};
	json_events_put(events, &event);
	event.phase = 't';
	event.time_ns = flow->to_ns;
	event.lane = flow->to_lane;
	event.begin_stack = STACK_NONE;
	json_events_put(events, &event);
}

void
json_events_flow(struct json_events *events, const struct json_flow *flow)
{
	if (json_events_has_time(events, flow->from_ns) &&
		json_events_has_time(events, flow->to_ns) &&
		json_events_has_lane(events, flow->from_lane) &&
		json_events_has_lane(events, flow->to_lane))
		json_events_put_flow(events, flow, JSON_RESOURCES);
}

void
json_events_counter(struct json_events *events, int64_t time_ns, const char *name,
	const struct json_arg *values, size_t count)
{
	if (!json_events_has_time(events, time_ns))
		return;
	json_events_put(events, &(struct json_event){
					.phase = 'C',
					.name = { .head = name },
					.time_ns = time_ns,
					.section = JSON_STATS,
					.has_args = true,
					.arg_count = count,
					.args = values,
				});
}

/* ---- metadata */

static void
put_metadata(struct json_events *events, const char *what, enum json_section section, int64_t lane,
	const struct json_arg *value)
{
	json_events_put(events, &(struct json_event){
					.phase = 'M',
					.name = { .head = what },
					.time_ns = events->start_ns,
					.section = section,
					.lane = lane,
					.has_args = true,
					.arg_count = 1,
					.args = value,
				});
}

static struct json_arg
place_arg(int64_t place)
{
	return (struct json_arg){
		.key = "sort_index",
		.number = (uint64_t)place,
		.is_signed = true,
	};
}

void
json_events_process(
	struct json_events *events, enum json_section section, const char *name, int64_t place)
{
	const struct json_name text = { .head = name };
	const struct json_arg order = place_arg(place);
	put_metadata(events, "process_name", section, 0,
		&(struct json_arg){ .key = "name", .text = &text });
	put_metadata(events, "process_sort_index", section, 0, &order);
}

void
json_events_lane(struct json_events *events, enum json_section section, int64_t lane,
	const struct json_name *name, int64_t place)
{
	const struct json_arg order = place_arg(place);
	put_metadata(events, "thread_name", section, lane,
		&(struct json_arg){ .key = "name", .text = name });
	put_metadata(events, "thread_sort_index", section, lane, &order);
}

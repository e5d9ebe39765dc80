/*
 * The events of the viewer's JSON, one after another into a writer, with the frames of
 * their stacks behind them: doc/format/cmd-trace-views.md, 4.1. What a view does not
 * show (another time, another lane) is left out here.
 */
#ifndef TTRACE_DUMP_JSON_EVENTS_H
#define TTRACE_DUMP_JSON_EVENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/intern.h"
#include "base/map.h"
#include "dump/json_frames.h"
#include "dump/json_text.h"
#include "dump/writer.h"
#include "trace/stack.h"

/* The processes of the viewer. */
enum json_section {
	JSON_RESOURCES, JSON_STATS, JSON_TASKS,      /* of Go's viewer */
	JSON_ACTORS, JSON_PROCESSORS, JSON_THREADS, JSON_REST /* of any trace: json_trace.c */
};

/* One field of an event's arguments: text, or a number where there is none. */
struct json_arg {
	const char *key;
	const struct json_name *text;
	uint64_t number;
	bool is_signed;
};

/* Zeros are left out, but for time, section and lane. */
struct json_event {
	struct json_name name;
	char phase;
	const char *scope;
	int64_t time_ns; /* on the trace's clock, like all times here */
	int64_t duration_ns;
	enum json_section section;
	int64_t lane;
	uint64_t id;
	stack_id begin_stack, end_stack;
	bool has_args;
	size_t arg_count;
	const struct json_arg *args;
	const char *color, *category;
};

/*
 * Zero-initialised are all times and all lanes. Errors (no memory, the writer's) stick
 * like those of a writer; json_events_check() tells them.
 */
struct json_events {
	struct writer *out;
	struct json_strings strings;
	struct json_frames frames;
	int64_t start_ns; /* what times count from */
	bool has_window;
	int64_t from_ns, to_ns; /* both ends belong to it */
	bool is_filtered;
	const struct map *shown; /* the lanes, where is_filtered; the caller's */
	uint64_t flow_count;
	bool keeps_zeros; /* a duration of 0 is told, too */
	bool has_events;
	bool failed;
	struct error err; /* of the first failure */
};

/* The tables must outlive it. */
void json_events_init(struct json_events *events, struct writer *out, const struct intern *strings,
	const struct stack_table *stacks);
void json_events_release(struct json_events *events);
bool json_events_check(const struct json_events *events, struct error *err);

/* What stands before the first event and behind the last one. */
void json_events_begin(struct json_events *events);
void json_events_end(struct json_events *events);

/* Writes an event, whatever is shown. */
void json_events_put(struct json_events *events, const struct json_event *event);

static inline bool
json_events_has_time(const struct json_events *events, int64_t time_ns)
{
	return !events->has_window || (time_ns >= events->from_ns && time_ns <= events->to_ns);
}

static inline bool
json_events_has_lane(const struct json_events *events, int64_t lane)
{
	return !events->is_filtered || map_find(events->shown, (uint64_t)lane) != MAP_NONE;
}

struct json_slice {
	struct json_name name;
	int64_t from_ns, to_ns;
	int64_t lane;
	stack_id begin_stack, end_stack;
	const struct json_arg *arg; /* NULL for none */
};

struct json_instant {
	struct json_name name;
	int64_t time_ns;
	int64_t lane;
	stack_id stack;
	const char *category;
	bool has_args;
	const struct json_arg *arg; /* NULL for none */
};

struct json_flow {
	struct json_name name;
	int64_t from_ns, to_ns;
	int64_t from_lane, to_lane;
	stack_id stack; /* at its start */
};

/* Each is written if it is shown. A slice has its beginning or its end in the window. */
void json_events_slice(struct json_events *events, const struct json_slice *slice);
void json_events_instant(struct json_events *events, const struct json_instant *instant);
void json_events_flow(struct json_events *events, const struct json_flow *flow);
/* A counter of up to three values. */
void json_events_counter(struct json_events *events, int64_t time_ns, const char *name,
	const struct json_arg *values, size_t count);
/* An arrow within a section, whatever is shown. */
void json_events_put_flow(
	struct json_events *events, const struct json_flow *flow, enum json_section section);

/* "process_name" and the like: a name and a place in the order. */
void json_events_process(
	struct json_events *events, enum json_section section, const char *name, int64_t place);
void json_events_lane(struct json_events *events, enum json_section section, int64_t lane,
	const struct json_name *name, int64_t place);

#endif

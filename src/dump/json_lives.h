/*
 * Goroutines as the viewer's JSON draws them: one after another on the lane of a proc, a
 * thread or of their own, with the ranges within and the arrows that lead to each run
 * (doc/format/cmd-trace-views.md, section 4.4).
 */
#ifndef TTRACE_DUMP_JSON_LIVES_H
#define TTRACE_DUMP_JSON_LIVES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/intern.h"
#include "base/map.h"
#include "dump/json_events.h"
#include "source/go/event.h"
#include "trace/stack.h"

enum { JSON_LANE_NONE = -1 };

/* What leads to the next run. */
struct json_cause {
	bool is_set;
	struct json_name name;
	int64_t time_ns;
	int64_t lane;
	stack_id stack;
};

struct json_life {
	int64_t id;
	bool is_named;
	string_id function; /* that it began with; empty where unknown */
	bool has_label;
	string_id label;
	bool is_executing;
	int64_t lane, run_ns;       /* while it executes: where, since when */
	stack_id stop_stack;        /* of the last stop */
	uint32_t active, completed; /* ranges, by index + 1, chained */
	bool is_in_syscall;
	int64_t syscall_ns;
	stack_id syscall_stack;
	bool holds_proc; /* the view remembers it by the proc of its system call */
	string_id block_reason;
	struct json_cause cause;
	uint32_t next_free; /* index + 1, where it stands for nobody */
};

struct json_life_range;

struct json_lives {
	struct json_events *out;
	struct map by_id; /* goroutine to its index */
	struct json_life *items;
	size_t count, capacity;
	uint32_t first_free; /* index + 1 */
	struct json_life_range *ranges;
	size_t range_count, range_capacity;
	uint32_t first_free_range; /* index + 1 */
};

void json_lives_init(struct json_lives *lives, struct json_events *out);
void json_lives_release(struct json_lives *lives);

/* NULL when it is not known. Pointers are good until the next one is added. */
struct json_life *json_lives_find(struct json_lives *lives, int64_t goroutine);
/* NULL when there is no memory, which `out` then knows. */
struct json_life *json_lives_add(struct json_lives *lives, int64_t goroutine);
/* Forgets one that has died and is not drawn any more. */
void json_lives_bury(struct json_lives *lives, struct json_life *life);
uint32_t json_lives_index(const struct json_lives *lives, const struct json_life *life);

struct json_name json_life_name(const struct json_life *life);
bool json_life_has_range(
	const struct json_lives *lives, const struct json_life *life, enum go_range range);

void json_life_start(
	struct json_lives *lives, struct json_life *life, int64_t time_ns, int64_t lane);
void json_life_stop(
	struct json_lives *lives, struct json_life *life, int64_t time_ns, stack_id stack);
void json_life_created(struct json_life *life, int64_t time_ns, int64_t lane, stack_id stack);

/* `lane` is that of the one who unblocks, `wakes_here` whether the network's wakes are shown there. */
struct json_unblock {
	int64_t time_ns;
	int64_t lane;
	bool wakes_here;
	stack_id stack;
};
void json_life_unblock(
	struct json_lives *lives, struct json_life *life, const struct json_unblock *unblock);

void json_life_syscall_begin(struct json_life *life, int64_t time_ns, int64_t lane, stack_id stack);
void json_life_syscall_end(
	struct json_lives *lives, struct json_life *life, int64_t time_ns, bool was_blocked);
void json_life_syscall_blocked(
	struct json_lives *lives, struct json_life *life, int64_t time_ns, stack_id stack);

/* Beginning, activity or end of a range whose scope it is. */
void json_life_range(
	struct json_lives *lives, struct json_life *life, const struct go_event *event);

/* The end of the trace, for all of them. */
void json_lives_finish(struct json_lives *lives, int64_t end_ns);

/* The name of a range. */
struct json_name json_range_name(enum go_range range, string_id detail);

#endif

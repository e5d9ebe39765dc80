/*
 * The reader against simulated traces: it delivers exactly the facts that the
 * simulator tells, in their order and with their times. Where threads' clocks
 * disagree the order between goroutines is open; then the life of each one is
 * compared.
 */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "source/go/reader.h"
#include "tracesim.h"

#define SEEDS 150

struct comparison {
	uint64_t seed;
	struct sim *sim;
	struct sim_facts facts;
	struct intern strings;
	struct stack_table stacks;
	size_t next;       /* fact */
	size_t *next_of_g; /* fact to fact of the same goroutine; with open order only */
	bool is_exact;
};

static void
expect(const struct comparison *c, bool ok, const char *what)
{
	if (!ok)
		fail_msg("seed %llu, fact %zu: %s differs", (unsigned long long)c->seed, c->next,
			what);
}

static bool
same_text(const struct comparison *c, string_id id, struct sim_text text)
{
	size_t length;
	const char *bytes = intern_text(&c->strings, id, &length);
	return length == text.size && (length == 0 || memcmp(bytes, text.data, length) == 0);
}

static bool
same_stack(const struct comparison *c, stack_id id, uint32_t stack)
{
	size_t depth = sim_stack_depth(c->sim, stack);
	if (stack_depth(&c->stacks, id) != depth)
		return false;
	for (size_t i = 0; i < depth; i++) {
		struct sim_frame wanted = sim_stack_frame(c->sim, stack, i);
		const struct stack_frame *frame = stack_leaf(&c->stacks, id);
		if (frame->pc != wanted.pc || frame->line != wanted.line ||
			!same_text(c, frame->function, wanted.func) ||
			!same_text(c, frame->file, wanted.file))
			return false;
		id = stack_caller(&c->stacks, id);
	}
	return true;
}

static const enum go_state go_states[] = {
	[SIM_UNKNOWN] = GO_UNDETERMINED,
	[SIM_DEAD] = GO_NOT_EXIST,
	[SIM_READY] = GO_RUNNABLE,
	[SIM_RUNNING] = GO_RUNNING,
	[SIM_BLOCKED] = GO_WAITING,
	[SIM_IN_SYSCALL] = GO_SYSCALL,
};

static const enum proc_state proc_states[] = {
	[SIM_UNKNOWN] = PROC_UNDETERMINED,
	[SIM_DEAD] = PROC_NOT_EXIST,
	[SIM_RUNNING] = PROC_RUNNING,
	[SIM_IDLE] = PROC_IDLE,
};

/* What is certain of a transition even when the order of threads is open. */
static void
compare_go(const struct comparison *c, const struct sim_fact *fact, const struct go_event *event)
{
	expect(c, event->kind == GO_EVENT_GOROUTINE, "kind");
	expect(c, event->u.goroutine.id == fact->subject, "goroutine");
	expect(c, event->u.goroutine.from == go_states[fact->from], "state before");
	expect(c, event->u.goroutine.to == go_states[fact->to], "state after");
	expect(c, same_text(c, event->u.goroutine.reason, fact->text), "reason");
	expect(c, same_stack(c, event->u.goroutine.stack, fact->subject_stack), "its stack");
	expect(c, same_stack(c, event->stack, fact->stack), "stack");
	expect(c, event->is_synthetic == fact->is_synthetic, "synthetic");
}

static void
compare_sync(const struct comparison *c, const struct sim_fact *fact, const struct go_event *event)
{
	expect(c, event->kind == GO_EVENT_SYNC, "kind");
	expect(c, event->u.sync.number == (uint64_t)fact->subject, "number of the sync");
}

static void
compare_proc(const struct comparison *c, const struct sim_fact *fact, const struct go_event *event)
{
	expect(c, event->kind == GO_EVENT_PROC, "kind");
	expect(c, event->u.proc.id == fact->subject, "proc");
	expect(c, event->u.proc.from == proc_states[fact->from], "state before");
	expect(c, event->u.proc.to == proc_states[fact->to], "state after");
	expect(c, event->is_synthetic == fact->is_synthetic, "synthetic");
}

static void
compare_range(const struct comparison *c, const struct sim_fact *fact,
	const struct go_event *event)
{
	static const enum go_range ranges[] = {
		[SIM_RANGE_STW] = GO_RANGE_STW,
		[SIM_RANGE_GC] = GO_RANGE_GC_MARK,
		[SIM_RANGE_SWEEP] = GO_RANGE_GC_SWEEP,
		[SIM_RANGE_ASSIST] = GO_RANGE_MARK_ASSIST,
	};
	static const enum go_event_kind kinds[] = {
		[SIM_FACT_RANGE_BEGIN] = GO_EVENT_RANGE_BEGIN,
		[SIM_FACT_RANGE_ACTIVE] = GO_EVENT_RANGE_ACTIVE,
		[SIM_FACT_RANGE_END] = GO_EVENT_RANGE_END,
	};
	expect(c, event->kind == kinds[fact->kind], "kind");
	expect(c, event->u.range.range == ranges[fact->range], "range");
	expect(c, event->u.range.scope_g == fact->range_g, "goroutine of the range");
	expect(c, event->u.range.scope_p == fact->range_p, "proc of the range");
	expect(c, same_text(c, event->u.range.detail, fact->text), "detail");
	if (fact->wire_id != WIRE_GC_SWEEP_END)
		return;
	expect(c, event->u.range.swept_bytes == fact->value[0], "swept");
	expect(c, event->u.range.reclaimed_bytes == fact->value[1], "reclaimed");
}

static void
compare_task(const struct comparison *c, const struct sim_fact *fact, const struct go_event *event)
{
	bool is_begin = fact->kind == SIM_FACT_TASK_BEGIN;
	int64_t parent = fact->value[0] == 0 ? GO_ID_NONE : (int64_t)fact->value[0];
	expect(c, event->kind == (is_begin ? GO_EVENT_TASK_BEGIN : GO_EVENT_TASK_END), "kind");
	expect(c, event->u.task.id == fact->subject, "task");
	expect(c, event->u.task.parent == parent, "parent");
	expect(c, same_text(c, event->u.task.name, fact->text), "name of the task");
}

static void
compare_region(const struct comparison *c, const struct sim_fact *fact,
	const struct go_event *event)
{
	bool is_begin = fact->kind == SIM_FACT_REGION_BEGIN;
	expect(c, event->kind == (is_begin ? GO_EVENT_REGION_BEGIN : GO_EVENT_REGION_END), "kind");
	expect(c, event->u.region.task == fact->subject, "task of the region");
	expect(c, same_text(c, event->u.region.name, fact->text), "name of the region");
}

static void
compare_log(const struct comparison *c, const struct sim_fact *fact, const struct go_event *event)
{
	expect(c, event->kind == GO_EVENT_LOG, "kind");
	expect(c, event->u.log.task == fact->subject, "task of the log");
	expect(c, same_text(c, event->u.log.category, fact->key), "category");
	expect(c, same_text(c, event->u.log.message, fact->text), "message");
}

static void
compare_label(const struct comparison *c, const struct sim_fact *fact,
	const struct go_event *event)
{
	expect(c, event->kind == GO_EVENT_LABEL, "kind");
	expect(c, same_text(c, event->u.label.label, fact->text), "label");
}

static void
compare_metric(const struct comparison *c, const struct sim_fact *fact,
	const struct go_event *event)
{
	enum go_metric metric = fact->wire_id == WIRE_PROCS_CHANGE ? GO_METRIC_GOMAXPROCS :
		fact->wire_id == WIRE_HEAP_ALLOC ? GO_METRIC_HEAP_ALLOC : GO_METRIC_HEAP_GOAL;
	expect(c, event->kind == GO_EVENT_METRIC, "kind");
	expect(c, event->u.metric.metric == metric, "metric");
	expect(c, event->u.metric.value == fact->value[0], "value");
}

static void
compare_sample(const struct comparison *c, const struct sim_fact *fact,
	const struct go_event *event)
{
	(void)fact;
	expect(c, event->kind == GO_EVENT_SAMPLE, "kind");
}

static void
compare_experiment(const struct comparison *c, const struct sim_fact *fact,
	const struct go_event *event)
{
	expect(c, event->kind == GO_EVENT_EXPERIMENTAL, "kind");
	expect(c, event->wire_id == fact->wire_id, "experimental event");
	expect(c, event->u.experimental.arg_count == wire_spec_find(fact->wire_id)->args,
		"operands");
	for (unsigned i = 0; i < event->u.experimental.arg_count; i++)
		expect(c, event->u.experimental.args[i] == fact->value[i], "operand");
}

typedef void compare_fn(const struct comparison *c, const struct sim_fact *fact,
	const struct go_event *event);

static compare_fn *const compare[] = {
	[SIM_FACT_SYNC] = compare_sync,
	[SIM_FACT_GO] = compare_go,
	[SIM_FACT_PROC] = compare_proc,
	[SIM_FACT_RANGE_BEGIN] = compare_range,
	[SIM_FACT_RANGE_ACTIVE] = compare_range,
	[SIM_FACT_RANGE_END] = compare_range,
	[SIM_FACT_TASK_BEGIN] = compare_task,
	[SIM_FACT_TASK_END] = compare_task,
	[SIM_FACT_REGION_BEGIN] = compare_region,
	[SIM_FACT_REGION_END] = compare_region,
	[SIM_FACT_LOG] = compare_log,
	[SIM_FACT_LABEL] = compare_label,
	[SIM_FACT_METRIC] = compare_metric,
	[SIM_FACT_SAMPLE] = compare_sample,
	[SIM_FACT_EXPERIMENT] = compare_experiment,
};

/* ---- in exact order */

static bool
take_exact(void *context, const struct go_event *event, struct error *err)
{
	(void)err;
	struct comparison *c = context;
	if (c->next == c->facts.count)
		fail_msg("seed %llu: more events than facts", (unsigned long long)c->seed);
	const struct sim_fact *fact = &c->facts.items[c->next];
	compare[fact->kind](c, fact, event);
	expect(c, event->time_ns == fact->delivered_ns, "time");
	expect(c, event->m == fact->m, "thread");
	expect(c, event->p == fact->p, "proc of the context");
	expect(c, event->g == fact->g, "goroutine of the context");
	expect(c, same_stack(c, event->stack, fact->stack), "stack");
	c->next++;
	return true;
}

/* ---- in the order of each goroutine */

/* From each fact of a goroutine to its next one; [count + id] is the first of goroutine id. */
static void
link_goroutines(struct comparison *c, size_t last_g)
{
	size_t count = c->facts.count;
	c->next_of_g = calloc(count + last_g + 1, sizeof *c->next_of_g);
	assert_non_null(c->next_of_g);
	for (size_t i = 0; i < count + last_g + 1; i++)
		c->next_of_g[i] = count;
	for (size_t i = count; i-- > 0;) {
		const struct sim_fact *fact = &c->facts.items[i];
		if (fact->kind != SIM_FACT_GO)
			continue;
		size_t *first = &c->next_of_g[count + (size_t)fact->subject];
		c->next_of_g[i] = *first;
		*first = i;
	}
}

static size_t
last_goroutine(const struct comparison *c)
{
	int64_t last = 0;
	for (size_t i = 0; i < c->facts.count; i++) {
		const struct sim_fact *fact = &c->facts.items[i];
		if (fact->kind == SIM_FACT_GO && fact->subject > last)
			last = fact->subject;
	}
	return (size_t)last;
}

static bool
take_by_goroutine(void *context, const struct go_event *event, struct error *err)
{
	(void)err;
	struct comparison *c = context;
	if (event->kind != GO_EVENT_GOROUTINE)
		return true;
	size_t *first = &c->next_of_g[c->facts.count + (size_t)event->u.goroutine.id];
	c->next = *first;
	expect(c, c->next < c->facts.count, "number of its events");
	compare_go(c, &c->facts.items[c->next], event);
	*first = c->next_of_g[c->next];
	return true;
}

static void
expect_all_taken(struct comparison *c, size_t last_g)
{
	for (size_t g = 0; g <= last_g; g++) {
		c->next = c->next_of_g[c->facts.count + g];
		expect(c, c->next == c->facts.count, "number of events");
	}
}

/* ---- */

static void
read_trace(struct comparison *c, const struct wire *trace)
{
	struct input in;
	struct error err = { 0 };
	struct go_read_result result = { 0 };
	struct go_sink sink = {
		.event = c->is_exact ? take_exact : take_by_goroutine,
		.context = c,
		.strings = &c->strings,
		.stacks = &c->stacks,
	};
	assert_true(intern_init(&c->strings, &err));
	assert_true(stack_table_init(&c->stacks, &err));
	assert_true(input_open_memory(&in, trace->data, trace->size, &err));
	bool ok = go_read(&in, &sink, &(struct go_read_options){ 0 }, &result, &err);
	if (!ok || result.damage.count > 0)
		fail_msg("seed %llu: %s", (unsigned long long)c->seed,
			ok ? result.damage.rows[0].first.message : err.message);
	input_close(&in);
}

static void
check_seed(uint64_t seed)
{
	struct comparison c = { .seed = seed };
	struct sim_options options;
	struct wire trace;
	sim_options_random(&options, seed);
	options.mix[SIM_EXPERIMENT] = seed % 3 == 0 ? 20 : 0;
	c.sim = sim_new(&options);
	assert_non_null(c.sim);
	wire_init(&trace, NULL);
	assert_true(sim_write(c.sim, &trace, sim_collect, &c.facts));
	assert_false(c.facts.has_failed);
	c.is_exact = sim_is_exact(c.sim);
	size_t last_g = last_goroutine(&c);
	link_goroutines(&c, last_g);
	read_trace(&c, &trace);
	if (c.is_exact)
		assert_int_equal(c.next, c.facts.count);
	else
		expect_all_taken(&c, last_g);
	free(c.next_of_g);
	sim_free(c.sim);
	sim_facts_release(&c.facts);
	intern_release(&c.strings);
	stack_table_release(&c.stacks);
	wire_release(&trace);
}

static void
test_reader_delivers_the_facts(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= SEEDS; seed++)
		check_seed(seed);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_reader_delivers_the_facts),
	};
	return cmocka_run_group_tests_name("gotrace_simulated", tests, NULL, NULL);
}

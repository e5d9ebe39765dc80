/*
 * Prints the ordered events of a trace in the form of `go tool trace -d=parsed`,
 * so that the two can be compared line by line. Strings are Go-quoted, but with
 * every byte outside of printable ASCII as \xHH. Not a test by itself.
 *
 *     dumpevents [-q] [FILE]    -q: only counts and the outcome
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "gotrace/reader.h"
#include "gotrace/wire.h"

struct dump {
	const struct intern *strings;
	const struct stack_table *stacks;
	bool is_quiet;
};

static const char *const metric_names[GO_METRIC_COUNT] = {
	"/sched/gomaxprocs:threads",
	"/memory/classes/heap/objects:bytes",
	"/gc/heap/goal:bytes",
};

static const char *const go_state_names[] = {
	"Undetermined", "NotExist", "Runnable", "Running", "Waiting", "Syscall",
};

static const char *const proc_state_names[] = { "Undetermined", "NotExist", "Running", "Idle" };

static const char *const kind_names[GO_EVENT_KIND_COUNT] = {
	"Sync", "Metric", "Label", "StackSample", "RangeBegin", "RangeActive", "RangeEnd",
	"TaskBegin", "TaskEnd", "RegionBegin", "RegionEnd", "Log", "StateTransition",
	"StateTransition", "Experimental",
};

static void
print_quoted(const struct dump *dump, string_id id)
{
	size_t length;
	const unsigned char *text = (const unsigned char *)intern_text(dump->strings, id, &length);
	putchar('"');
	for (size_t i = 0; i < length; i++) {
		if (text[i] == '"' || text[i] == '\\')
			printf("\\%c", text[i]);
		else if (text[i] < 0x20 || text[i] > 0x7e)
			printf("\\x%02x", text[i]);
		else
			putchar(text[i]);
	}
	putchar('"');
}

static void
print_raw(const struct dump *dump, string_id id)
{
	size_t length;
	const char *text = intern_text(dump->strings, id, &length);
	fwrite(text, 1, length, stdout);
}

static void
print_stack(const struct dump *dump, const char *title, stack_id stack)
{
	if (stack == STACK_NONE)
		return;
	printf("%s=\n", title);
	for (; stack != STACK_NONE; stack = stack_caller(dump->stacks, stack)) {
		const struct stack_frame *frame = stack_leaf(dump->stacks, stack);
		putchar('\t');
		print_raw(dump, frame->function);
		printf(" @ 0x%" PRIx64 "\n\t\t", frame->pc);
		print_raw(dump, frame->file);
		printf(":%" PRIu64 "\n", frame->line);
	}
	putchar('\n');
}

static void
print_range(const struct dump *dump, const struct go_event *event)
{
	printf(" Name=\"");
	switch (event->u.range.range) {
	case GO_RANGE_STW:
		printf("stop-the-world (");
		print_raw(dump, event->u.range.detail);
		printf(")");
		break;
	case GO_RANGE_GC_MARK:
		printf("GC concurrent mark phase");
		break;
	case GO_RANGE_GC_SWEEP:
		printf("GC incremental sweep");
		break;
	case GO_RANGE_MARK_ASSIST:
		printf("GC mark assist");
		break;
	case GO_RANGE_COUNT:
		break;
	}
	if (event->u.range.scope_g != GO_ID_NONE)
		printf("\" Scope=Goroutine(%" PRId64 ")", event->u.range.scope_g);
	else if (event->u.range.scope_p != GO_ID_NONE)
		printf("\" Scope=Proc(%" PRId64 ")", event->u.range.scope_p);
	else
		printf("\" Scope=None");
	if (event->kind != GO_EVENT_RANGE_END)
		return;
	if (event->u.range.range == GO_RANGE_GC_SWEEP)
		printf(" Attributes=[\"bytes swept\"=Uint64(%" PRIu64
		       ") \"bytes reclaimed\"=Uint64(%" PRIu64 ")]",
		       event->u.range.swept_bytes, event->u.range.reclaimed_bytes);
	else
		printf(" Attributes=[]");
}

static void
print_task(const struct dump *dump, const struct go_event *event)
{
	printf(" ID=%" PRIu64 " Parent=%" PRIu64 " Type=", (uint64_t)event->u.task.id,
	       (uint64_t)event->u.task.parent);
	print_quoted(dump, event->u.task.name);
}

static void
print_sync(const struct go_event *event)
{
	printf(" N=%" PRIu64, event->u.sync.number);
	if (event->u.sync.has_clock)
		printf(" Trace=%" PRId64 " Mono=%" PRId64 " Wall=%" PRIu64 ".%09" PRIu64,
		       event->u.sync.clock_trace_ns, event->u.sync.clock_mono_ns,
		       event->u.sync.clock_wall_s, event->u.sync.clock_wall_ns);
}

static void
print_experimental(const struct go_event *event)
{
	printf(" Name=\"%s\" Args=[", go_wire_name(event->wire_id));
	for (unsigned i = 0; i < event->u.experimental.arg_count; i++)
		printf("%s%" PRIu64, i ? " " : "", event->u.experimental.args[i]);
	printf("]");
}

static void
print_details(const struct dump *dump, const struct go_event *event)
{
	switch (event->kind) {
	case GO_EVENT_SYNC:
		print_sync(event);
		break;
	case GO_EVENT_METRIC:
		printf(" Name=\"%s\" Value=Uint64(%" PRIu64 ")",
		       metric_names[event->u.metric.metric], event->u.metric.value);
		break;
	case GO_EVENT_LABEL:
		printf(" Label=");
		print_quoted(dump, event->u.label.label);
		printf(" Resource=Goroutine(%" PRId64 ")", event->g);
		break;
	case GO_EVENT_RANGE_BEGIN:
	case GO_EVENT_RANGE_ACTIVE:
	case GO_EVENT_RANGE_END:
		print_range(dump, event);
		break;
	case GO_EVENT_TASK_BEGIN:
	case GO_EVENT_TASK_END:
		print_task(dump, event);
		break;
	case GO_EVENT_REGION_BEGIN:
	case GO_EVENT_REGION_END:
		printf(" Task=%" PRIu64 " Type=", (uint64_t)event->u.region.task);
		print_quoted(dump, event->u.region.name);
		break;
	case GO_EVENT_LOG:
		printf(" Task=%" PRIu64 " Category=", (uint64_t)event->u.log.task);
		print_quoted(dump, event->u.log.category);
		printf(" Message=");
		print_quoted(dump, event->u.log.message);
		break;
	case GO_EVENT_GOROUTINE:
		printf(" Resource=Goroutine(%" PRId64 ") Reason=", event->u.goroutine.id);
		print_quoted(dump, event->u.goroutine.reason);
		printf(" GoID=%" PRId64 " %s->%s", event->u.goroutine.id,
		       go_state_names[event->u.goroutine.from],
		       go_state_names[event->u.goroutine.to]);
		break;
	case GO_EVENT_PROC:
		printf(" Resource=Proc(%" PRId64 ") Reason=\"\" ProcID=%" PRId64 " %s->%s",
		       event->u.proc.id, event->u.proc.id, proc_state_names[event->u.proc.from],
		       proc_state_names[event->u.proc.to]);
		break;
	case GO_EVENT_EXPERIMENTAL:
		print_experimental(event);
		break;
	case GO_EVENT_SAMPLE:
	case GO_EVENT_KIND_COUNT:
		break;
	}
}

static bool
print_event(void *context, const struct go_event *event, struct error *err)
{
	const struct dump *dump = context;
	(void)err;
	if (dump->is_quiet)
		return true;
	printf("M=%" PRId64 " P=%" PRId64 " G=%" PRId64 " %s Time=%" PRId64, event->m, event->p,
	       event->g, kind_names[event->kind], event->time_ns);
	print_details(dump, event);
	putchar('\n');
	if (event->kind == GO_EVENT_GOROUTINE)
		print_stack(dump, "TransitionStack", event->u.goroutine.stack);
	print_stack(dump, "Stack", event->stack);
	return true;
}

static void
print_outcome(const struct go_read_result *result)
{
	char text[600];
	fprintf(stderr,
	        "go1.%" PRIu32 ": %" PRIu64 " bytes, %" PRIu64 " generations, %" PRIu64
	        " events, %" PRIu64 " wire events\n",
	        result->go_minor, result->read_bytes, result->generations, result->events,
	        result->wire_events);
	if (!result->is_damaged)
		return;
	error_format(&result->damage, text, sizeof(text));
	fprintf(stderr, "damaged: %s; lost %" PRIu64 " bytes from %" PRIu64 "\n", text,
	        result->lost_bytes, result->lost_from_bytes);
}

int
main(int argc, char **argv)
{
	static struct intern strings;
	static struct stack_table stacks;
	struct dump dump = { &strings, &stacks, argc > 1 && strcmp(argv[1], "-q") == 0 };
	const struct go_sink sink = { print_event, NULL, &dump };
	const char *path = argc > 1 + dump.is_quiet ? argv[1 + dump.is_quiet] : "-";
	struct go_read_result result;
	struct input in;
	struct error err = { 0 };
	char text[600];

	bool ok = intern_init(&strings, &err) && stack_table_init(&stacks, &err) &&
	          input_open_file(&in, path, &err);
	if (ok) {
		ok = go_read(&in, &strings, &stacks, &sink, NULL, &result, &err);
		print_outcome(&result);
		input_close(&in);
	}
	if (!ok) {
		error_format(&err, text, sizeof(text));
		fprintf(stderr, "failed: %s\n", text);
	}
	stack_table_release(&stacks);
	intern_release(&strings);
	return !ok ? 1 : result.is_damaged ? 3 : 0;
}

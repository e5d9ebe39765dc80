/* A sentence for each kind, around the same numbers. */
#include "draw/findings_words.h"

#include <inttypes.h>

#include "base/units.h"
#include "draw/names.h"
#include "trace/own_code.h"

struct writer {
	struct text *out;
	const struct trace *trace;
	const struct finding *finding;
	bool ascii;
};

const char *
findings_title(enum finding_kind kind)
{
	static const char *const titles[FINDING_KIND_COUNT] = {
		[FINDING_DELAY] = "scheduling delay",
		[FINDING_IDLE] = "idle procs",
		[FINDING_STOP] = "stop-the-world",
		[FINDING_CONVOY] = "lock convoy",
		[FINDING_FOREVER] = "blocked throughout",
		[FINDING_LEAK] = "goroutine leak",
		[FINDING_SYSCALL] = "blocking syscall",
		[FINDING_ASSIST] = "mark assist",
		[FINDING_GC] = "GC back to back",
	};
	return titles[kind];
}

void
findings_add_severity(
	struct text *out, const struct findings *findings, const struct finding *finding)
{
	double severity = findings_severity(findings, finding);
	text_format(out, severity < 0.1 ? "x%.3f" : severity < 10 ? "x%.2f" : "x%.1f", severity);
}

/* ---- pieces */

static void
add_count(const struct writer *writer, uint64_t count, const char *one, const char *several)
{
	char number[UNITS_TEXT];
	units_count(number, count);
	text_format(writer->out, "%s %s", number, count == 1 ? one : several);
}

static void
add_duration(const struct writer *writer, int64_t duration_ns)
{
	char duration[UNITS_TEXT];
	units_duration(duration, duration_ns, writer->ascii);
	text_add_string(writer->out, duration);
}

/* "main.worker: " */
static void
add_subject(const struct writer *writer)
{
	name_function(
		writer->out, writer->trace, writer->finding->name, SIZE_MAX, writer->ascii);
	text_add_string(writer->out, ": ");
}

/* " of 4 goroutines" */
static void
add_goroutines(const struct writer *writer)
{
	text_add_string(writer->out, " of ");
	add_count(writer, writer->finding->goroutines, "goroutine", "goroutines");
}

/* " of 4 goroutines, 120 ms in all" */
static void
add_sum(const struct writer *writer)
{
	add_goroutines(writer);
	text_add_string(writer->out, ", ");
	add_duration(writer, writer->finding->total_ns);
	text_add_string(writer->out, " in all");
}

/* "; longest 35.7 ms" */
static void
add_longest(const struct writer *writer)
{
	text_add_string(writer->out, "; longest ");
	add_duration(writer, writer->finding->end_ns - writer->finding->start_ns);
}

/* "; longest 35.7 ms, G42 main.handler"; the name where the line does not begin with it. */
static void
add_longest_of(const struct writer *writer, bool is_named)
{
	add_longest(writer);
	if (writer->finding->goroutine == REF_NONE)
		return;
	text_add_string(writer->out, ", ");
	if (is_named)
		name_goroutine(
			writer->out, writer->trace, writer->finding->goroutine, writer->ascii);
	else
		name_goroutine_id(writer->out, writer->trace, writer->finding->goroutine);
}

static void
add_share(const struct writer *writer, int64_t part, int64_t whole)
{
	char share[UNITS_TEXT];
	units_share(share, part, whole);
	text_add_string(writer->out, share);
}

/* ---- by kind */

static void
add_delay(const struct writer *writer)
{
	add_subject(writer);
	add_count(writer, writer->finding->count, "wait", "waits");
	text_add_string(writer->out, " for a P");
	add_sum(writer);
	add_longest_of(writer, false);
}

static void
add_idle(const struct writer *writer)
{
	const struct finding *finding = writer->finding;
	add_count(writer, finding->count, "wait", "waits");
	text_add_string(writer->out, " for a P");
	add_sum(writer);
	text_add_string(writer->out, ", while a P was idle");
	add_longest_of(writer, true);
	text_add_string(writer->out, ", when ");
	if (finding->idle_proc != REF_NONE)
		text_format(writer->out, "P%" PRId64,
			trace_proc(writer->trace, finding->idle_proc)->id);
	else
		text_add_string(writer->out, "one that never ran");
	text_add_string(writer->out, " was idle for ");
	add_duration(writer, finding->idle_ns);
}

static void
add_stop(const struct writer *writer)
{
	const struct finding *finding = writer->finding;
	name_string(writer->out, writer->trace, finding->name, writer->ascii);
	text_add_string(writer->out, finding->name != STRING_EMPTY ? ": " : "");
	add_count(writer, finding->count, "stop", "stops");
	text_add_string(writer->out, " of all goroutines, ");
	add_duration(writer, finding->total_ns);
	text_add_string(writer->out, " in all");
	add_longest(writer);
	if (finding->goroutine == REF_NONE)
		return;
	text_add_string(writer->out, " by ");
	name_goroutine(writer->out, writer->trace, finding->goroutine, writer->ascii);
}

static void
add_convoy(const struct writer *writer)
{
	const struct finding *finding = writer->finding;
	add_count(writer, finding->count, "wait", "waits");
	text_add_string(writer->out, " for a lock");
	add_sum(writer);
	text_add_string(writer->out, ", ");
	add_share(writer, finding->handed, (int64_t)finding->count);
	text_add_string(writer->out, " ended by one of them");
	add_longest_of(writer, true);
}

static void
add_forever(const struct writer *writer)
{
	const struct finding *finding = writer->finding;
	add_subject(writer);
	add_count(writer, finding->count, "goroutine", "goroutines");
	text_format(writer->out, " blocked from start to end (%s)", class_name(finding->time_class));
}

static void
add_leak(const struct writer *writer)
{
	char count[UNITS_TEXT];
	add_subject(writer);
	units_count(count, writer->finding->count);
	text_format(writer->out, "more and more goroutines, %s of them blocked to the end (%s)", count,
		class_name(writer->finding->time_class));
	add_longest_of(writer, false);
}

static void
add_syscall(const struct writer *writer)
{
	add_subject(writer);
	add_count(writer, writer->finding->count, "system call", "system calls");
	add_sum(writer);
	text_add_string(writer->out, ", that lost their P");
	add_longest_of(writer, false);
}

static void
add_assist(const struct writer *writer)
{
	const struct finding *finding = writer->finding;
	add_subject(writer);
	text_add_string(writer->out, "ran for ");
	add_duration(writer, finding->whole_ns);
	text_add_string(writer->out, ", ");
	add_duration(writer, finding->total_ns);
	text_add_string(writer->out, " of that in ");
	add_count(writer, finding->count, "mark assist", "mark assists");
	add_goroutines(writer);
	text_add_string(writer->out, ", ");
	add_duration(writer, finding->lost_ns);
	text_add_string(writer->out, " with waits");
	add_longest_of(writer, false);
}

static void
add_collections(const struct writer *writer)
{
	const struct finding *finding = writer->finding;
	add_count(writer, finding->count, "collection", "collections");
	text_add_string(writer->out, " marked for ");
	add_duration(writer, finding->total_ns);
	text_add_string(writer->out, " of ");
	add_duration(writer, finding->whole_ns);
	add_longest(writer);
}

void
findings_add_line(
	struct text *out, const struct trace *trace, const struct finding *finding, bool ascii)
{
	static void (*const writers[FINDING_KIND_COUNT])(const struct writer *writer) = {
		[FINDING_DELAY] = add_delay,
		[FINDING_IDLE] = add_idle,
		[FINDING_STOP] = add_stop,
		[FINDING_CONVOY] = add_convoy,
		[FINDING_FOREVER] = add_forever,
		[FINDING_LEAK] = add_leak,
		[FINDING_SYSCALL] = add_syscall,
		[FINDING_ASSIST] = add_assist,
		[FINDING_GC] = add_collections,
	};
	struct writer writer = { out, trace, finding, ascii };
	writers[finding->kind](&writer);
}

void
findings_add_place(
	struct text *out, const struct trace *trace, const struct finding *finding, bool ascii)
{
	const struct stack_frame *frame = own_code_frame(trace, finding->stack, finding->goroutine);
	if (frame == NULL)
		return;
	name_string(out, trace, frame->function, ascii);
	text_add_string(out, " at ");
	name_place(out, trace, frame, ascii);
}

/* ---- in short */

/* "99% of one goroutine's time", "the time of 12 goroutines". */
static void
add_loss(struct text *out, const struct finding *finding)
{
	bool is_of_all = finding->kind == FINDING_GC || finding->kind == FINDING_STOP;
	int64_t lost_ns = is_of_all ? finding->total_ns : finding->lost_ns;
	double times = finding->interval_ns > 0 ? (double)lost_ns / (double)finding->interval_ns : 0;
	char share[UNITS_TEXT];
	if (times >= 1.5 && !is_of_all) {
		text_format(out, "the time of %.*f goroutines", times < 10, times);
		return;
	}
	units_share(share, lost_ns, finding->interval_ns);
	text_format(out, "%s of %s time", share, is_of_all ? "the" : "one goroutine's");
}

void
findings_add_short(
	struct text *out, const struct trace *trace, const struct finding *finding, bool ascii)
{
	const struct stack_frame *frame = own_code_frame(trace, finding->stack, finding->goroutine);
	text_add_string(out, findings_title(finding->kind));
	text_add_string(out, " ");
	if (frame != NULL) {
		name_place(out, trace, frame, ascii);
		text_add_string(out, " ");
	}
	add_loss(out, finding);
}

/* Sentences for each kind: what happened, and one thing to do about it. */
#include "draw/findings_words.h"

#include <ctype.h>
#include <inttypes.h>
#include <string.h>

#include "analysis/analysis.h"
#include "base/checked.h"
#include "base/compiler.h"
#include "base/units.h"
#include "draw/names.h"
#include "trace/own_code.h"
#include "trace/words.h"

struct writer {
	struct text *out;
	const struct trace *trace;
	const struct finding *finding;
	bool ascii;
};

void
findings_add_title(struct text *out, const struct trace *trace, enum finding_kind kind)
{
	static const char *const titles[FINDING_KIND_COUNT] = {
		[FINDING_DELAY] = "scheduling delay",
		[FINDING_IDLE] = "idle {processors}",
		[FINDING_STOP] = "stop-the-world",
		[FINDING_CONVOY] = "lock convoy",
		[FINDING_FOREVER] = "blocked throughout",
		[FINDING_LEAK] = "{actor} leak",
		[FINDING_SYSCALL] = "blocking syscall",
		[FINDING_ASSIST] = "mark assist",
		[FINDING_GC] = "GC back to back",
		[FINDING_REQUESTS] = "slow requests",
		[FINDING_DISK] = "disk sleep",
		[FINDING_HOG] = "CPU hog",
		[FINDING_INTERRUPT] = "long interrupt",
		[FINDING_CALL] = "long system call",
		[FINDING_QUOTA] = "CPU quota",
		[FINDING_STARVED] = "running without a CPU",
		[FINDING_HELD] = "{slot} without a CPU",
		[FINDING_LATE] = "stop without a CPU",
	};
	text_add_words(out, trace->words, titles[kind]);
}

/* ---- pieces */

static void
add_string(const struct writer *writer, const char *string)
{
	text_add_string(writer->out, string);
}

/* A pattern of text_add_words(). */
static void
add_words(const struct writer *writer, const char *pattern)
{
	text_add_words(writer->out, writer->trace->words, pattern);
}

static void
add_count(const struct writer *writer, uint64_t count, const char *one, const char *several)
{
	char number[UNITS_TEXT];
	units_count(number, count);
	text_format(writer->out, "%s ", number);
	add_words(writer, count == 1 ? one : several);
}

static void
add_duration(const struct writer *writer, int64_t duration_ns)
{
	char duration[UNITS_TEXT];
	units_duration(duration, duration_ns, writer->ascii);
	add_string(writer, duration);
}

static void
add_share(const struct writer *writer, int64_t part, int64_t whole)
{
	char share[UNITS_TEXT];
	units_share(share, part, whole);
	add_string(writer, share);
}

/* "4 goroutines of main.worker" */
static void
add_actors(const struct writer *writer, uint64_t count)
{
	const struct finding *finding = writer->finding;
	add_count(writer, count, "{actor}", "{actors}");
	add_string(writer, " of ");
	name_function(writer->out, writer->trace, finding->name, SIZE_MAX, writer->ascii);
}

static void
add_line_of(const struct writer *writer, stack_id stack)
{
	text_add_place(writer->out, writer->trace, stack_leaf(&writer->trace->stacks, stack),
		writer->ascii);
}

/* " at main.go:88", " at 12 places (main.go:88, main.go:97, pool.go:5)"; nothing where unknown. */
static void
add_places(const struct writer *writer)
{
	const struct finding *finding = writer->finding;
	char count[UNITS_TEXT];
	if (finding->stack != STACK_NONE || finding->place_count == 1) {
		add_string(writer, " at ");
		add_line_of(writer, finding->places[0].stack);
		return;
	}
	if (finding->place_count == 0)
		return;
	units_count(count, finding->place_count);
	text_format(writer->out, " at %s places (", count);
	for (uint32_t i = 0; i < finding->place_count && i < FINDING_PLACES; i++) {
		add_string(writer, i > 0 ? ", " : "");
		add_line_of(writer, finding->places[i].stack);
	}
	add_string(writer, finding->place_count > FINDING_PLACES ? ", ...)" : ")");
}

/* "the longest 35.7 ms, G42"; "the longest there ..." */
static void
add_longest(const struct writer *writer)
{
	const struct finding *finding = writer->finding;
	/* Where one place has most of the time it is the longest of that. */
	bool is_of_place = finding->stack != STACK_NONE && finding->place_count > 1;
	text_format(writer->out, "the longest%s ", is_of_place ? " there" : "");
	add_duration(writer, finding->longest_ns);
	if (finding->actor == REF_NONE)
		return;
	add_string(writer, ", ");
	name_actor_id(writer->out, writer->trace, finding->actor);
}

/* " took 35.7 ms"; of several " took 120 ms in all, the longest 35.7 ms, G42". */
static void
add_took(const struct writer *writer)
{
	const struct finding *finding = writer->finding;
	add_string(writer, " took ");
	add_duration(writer, finding->total_ns);
	if (finding->count > 1) {
		add_string(writer, " in all, ");
		add_longest(writer);
	} else if (finding->actor != REF_NONE) {
		add_string(writer, ", ");
		name_actor_id(writer->out, writer->trace, finding->actor);
	}
}

/* ---- what happened, by kind */

static void
add_delay(const struct writer *writer)
{
	const struct finding *finding = writer->finding;
	add_actors(writer, finding->actors);
	add_words(writer, " waited for {an slot}");
	add_string(writer, trace_processor_count(writer->trace) > 0 ? " while all were busy. " : ". ");
	add_count(writer, finding->count, "wait", "waits");
	add_string(writer, " of 1 ms or more");
	add_took(writer);
	add_string(writer, ".");
}

static void
add_idle(const struct writer *writer)
{
	const struct finding *finding = writer->finding;
	add_count(writer, finding->actors, "{actor}", "{actors}");
	add_words(writer, " waited for {an slot} while one was idle. ");
	add_count(writer, finding->count, "wait", "waits");
	add_string(writer, " of 1 ms or more");
	add_took(writer);
	add_string(writer, ", when ");
	if (finding->idle_processor != REF_NONE)
		name_processor(writer->out, writer->trace, finding->idle_processor);
	else
		add_string(writer, "one that never ran");
	add_string(writer, " was idle for ");
	add_duration(writer, finding->idle_ns);
	add_words(writer, writer->trace->words->is_scheduled
				  ? ". A quota, an affinity or the balancing of the kernel kept them off it."
				  : ". An idle {slot} at such a time points to a machine with too few CPUs.");
}

static void
add_stop(const struct writer *writer)
{
	const struct finding *finding = writer->finding;
	add_count(writer, finding->count, "stop", "stops");
	add_words(writer, " of all {actors}");
	if (finding->name != STRING_EMPTY) {
		add_string(writer, " for ");
		name_string(writer->out, writer->trace, finding->name, writer->ascii);
	}
	add_places(writer);
	add_took(writer);
	add_string(writer, finding->count > 1 ? ". In all that is " : ". That is ");
	add_share(writer, finding->total_ns, finding->interval_ns);
	add_string(writer, " of the time.");
}

static void
add_convoy(const struct writer *writer)
{
	const struct finding *finding = writer->finding;
	add_count(writer, finding->actors, "{actor}", "{actors}");
	add_string(writer, " queue for a lock");
	add_places(writer);
	add_string(writer, ". At least one of them waits ");
	add_share(writer, finding->whole_ns, finding->interval_ns);
	add_string(writer, " of ");
	add_duration(writer, finding->interval_ns);
	add_string(writer, "; ");
	add_count(writer, finding->count, "wait", "waits");
	add_took(writer);
	add_string(writer, ". ");
	add_share(writer, finding->handed, (int64_t)finding->count);
	add_string(writer, " ended when another of them let go.");
}

/* " (channel)"; of a state from before the trace it is not known. */
static void
add_class(const struct writer *writer)
{
	enum time_class time_class = writer->finding->time_class;
	if (time_class != CLASS_OTHER)
		text_format(writer->out, " (%s)", class_name(writer->trace->words, time_class));
}

static void
add_forever(const struct writer *writer)
{
	const struct finding *finding = writer->finding;
	add_actors(writer, finding->count);
	add_string(writer, " are blocked from start to end");
	add_class(writer);
	add_places(writer);
	add_string(writer, ".");
}

static void
add_leak(const struct writer *writer)
{
	const struct finding *finding = writer->finding;
	add_words(writer, "More and more {actors} start and never end: ");
	add_actors(writer, finding->count);
	add_string(writer, " are blocked to the end");
	add_class(writer);
	add_places(writer);
	/* Those that have waited for less do not count yet. */
	add_string(writer, ", each for ");
	add_duration(writer, finding->interval_ns / FINDING_LEAK_PART);
	add_string(writer, " or more, ");
	add_longest(writer);
	add_string(writer, ".");
}

static void
add_syscall(const struct writer *writer)
{
	const struct finding *finding = writer->finding;
	add_actors(writer, finding->actors);
	add_words(writer, finding->actors == 1 ? " lost its {slot}" : " lost their {slot}");
	add_string(writer, " in system calls");
	add_places(writer);
	add_string(writer, ". ");
	add_count(writer, finding->count, "call", "calls");
	add_took(writer);
	add_string(writer, ".");
}

static void
add_assist(const struct writer *writer)
{
	const struct finding *finding = writer->finding;
	add_actors(writer, finding->actors);
	add_string(writer, " ran for ");
	add_duration(writer, finding->whole_ns);
	add_string(writer, ", ");
	add_share(writer, finding->total_ns, finding->whole_ns);
	add_string(writer, " of that for the collector, because of allocations");
	add_places(writer);
	add_string(writer, ". ");
	add_count(writer, finding->count, "mark assist", "mark assists");
	add_took(writer);
	add_string(writer, ".");
}

static void
add_disk(const struct writer *writer)
{
	const struct finding *finding = writer->finding;
	add_actors(writer, finding->actors);
	add_string(writer, finding->actors == 1 ? " was" : " were");
	add_string(writer, " in disk sleep for most of the time");
	add_places(writer);
	add_string(writer, ". ");
	add_count(writer, finding->count, "sleep", "sleeps");
	add_took(writer);
	add_string(writer, ".");
}

static void
add_hog(const struct writer *writer)
{
	const struct finding *finding = writer->finding;
	name_actor(writer->out, writer->trace, finding->holder, writer->ascii);
	add_string(writer, " ran for ");
	add_duration(writer, finding->whole_ns);
	add_string(writer, " of ");
	add_duration(writer, finding->interval_ns);
	add_string(writer, ", while ");
	add_count(writer, finding->actors, "{actor}", "{actors}");
	add_words(writer, " waited for its {slot}. ");
	add_count(writer, finding->count, "wait", "waits");
	add_string(writer, " of 1 ms or more");
	add_took(writer);
	add_string(writer, ".");
}

/* "irq_handler:eth0 kept a CPU for 1 ms or more, 12 times": `what` in the middle. */
static void
add_long_slices(const struct writer *writer, const char *what)
{
	const struct finding *finding = writer->finding;
	char count[UNITS_TEXT];
	units_count(count, finding->count);
	name_string(writer->out, writer->trace, finding->name, writer->ascii);
	add_string(writer, what);
	if (finding->count > 1)
		text_format(writer->out, ", %s times", count);
	add_string(writer, ". It");
	add_took(writer);
}

static void
add_interrupt(const struct writer *writer)
{
	add_long_slices(writer, " kept a CPU for 1 ms or more");
	add_string(writer, ", on ");
	name_processor(writer->out, writer->trace, writer->finding->lane.ref);
	add_string(writer, ".");
}

static void
add_call(const struct writer *writer)
{
	add_long_slices(writer, " took 100 ms or more, and was not asleep for half of it");
	add_string(writer, ".");
}

static void
add_quota(const struct writer *writer)
{
	const struct finding *finding = writer->finding;
	char count[UNITS_TEXT];
	/* From beneath it is all of the program. */
	bool is_of_name = finding->name != STRING_EMPTY;
	add_words(writer, is_of_name ? "All {actors} of " : "All {threads}");
	if (is_of_name)
		name_function(writer->out, writer->trace, finding->name, SIZE_MAX, writer->ascii);
	add_string(writer, " stood still for ");
	add_duration(writer, finding->least_ns);
	add_string(writer, " to ");
	add_duration(writer, finding->longest_ns);
	add_string(writer, " of every ");
	add_duration(writer, finding->period_ns);
	units_count(count, finding->count);
	text_format(writer->out, ", %s times, although they could run, and went on together: a CPU quota.", count);
}

/* " both", " all 8", " 3 of 8 CPUs": those that the holder had for half of the time or more. */
static void
add_cpus(const struct writer *writer, const struct holder *holder)
{
	if (holder->had < holder->cpus)
		text_format(writer->out, "%" PRIu32 " of %" PRIu32 " CPUs", holder->had, holder->cpus);
	else if (holder->cpus > 2)
		text_format(writer->out, "all %" PRIu32, holder->cpus);
	else
		add_string(writer, holder->cpus == 2 ? "both" : "it");
}

/* ", mostly while `compile` had both" */
static void
add_holder(const struct writer *writer)
{
	const struct finding_beneath *beneath = &writer->finding->beneath;
	const struct holder *holder = &beneath->holder;
	if (holder->kind == HOLDER_NONE)
		return;
	if (holder->kind == HOLDER_QUOTA) {
		add_words(writer, ", mostly while a CPU quota stopped all {threads}");
		return;
	}
	if (holder->kind == HOLDER_IDLE) {
		add_string(writer, holder->had > 0 ? ", mostly while a CPU was idle" : "");
		return;
	}
	add_string(writer, holder->had > 0 ? ", mostly while " : "; most of the CPUs' time was then with ");
	if (holder->kind == HOLDER_OWN) {
		add_words(writer, "other {threads} of the program");
	} else {
		add_string(writer, "`");
		text_add_safe(writer->out, beneath->name, strlen(beneath->name), writer->ascii);
		add_string(writer, "`");
	}
	if (holder->had == 0)
		return;
	add_string(writer, " had ");
	add_cpus(writer, holder);
}

static void
add_starved(const struct writer *writer)
{
	const struct finding *finding = writer->finding;
	const char *source = writer->trace->words->source;
	add_words(writer, "{Actors} ran for ");
	add_duration(writer, finding->whole_ns);
	text_format(writer->out, " by %c%s's account; ", toupper((unsigned char)source[0]), source + 1);
	add_words(writer, "their {threads} had a CPU for ");
	add_duration(writer, finding->beneath.on_ns);
	add_string(writer, " of that");
	if (finding->beneath.asleep_ns > finding->whole_ns / 10) {
		add_string(writer, ", slept for ");
		add_duration(writer, finding->beneath.asleep_ns);
	}
	add_string(writer, " and waited ");
	add_duration(writer, finding->total_ns);
	add_string(writer, " for one");
	add_holder(writer);
	add_string(writer, ".");
}

static void
add_held(const struct writer *writer)
{
	const struct finding *finding = writer->finding;
	name_processor(writer->out, writer->trace, finding->beneath.processor);
	add_words(writer, " was held by {an thread} without a CPU for ");
	add_duration(writer, finding->longest_ns);
	add_string(writer, " while ");
	add_count(writer, finding->beneath.ready, "{actor} was", "{actors} were");
	add_string(writer, " ready.");
	if (finding->count < 2)
		return;
	add_words(writer, " With others of 1 ms or more, {slots} were held so for ");
	add_duration(writer, finding->total_ns);
	add_string(writer, " in all.");
}

static void
add_late(const struct writer *writer)
{
	const struct finding *finding = writer->finding;
	if (finding->count > 1) {
		add_count(writer, finding->count, "stop", "stops");
		add_string(writer, " of the world took ");
		add_duration(writer, finding->total_ns);
		add_words(writer, " because {an thread} was not scheduled. The longest took ");
	} else {
		add_string(writer, "The stop of the world took ");
	}
	add_duration(writer, finding->longest_ns);
	add_words(writer, " because {thread} ");
	text_format(writer->out, "%" PRId64 " was not scheduled.", finding->beneath.thread);
}

/* " because the heap grew past its goal of 4 MiB", " by runtime.GC at main.go:86" */
static void
add_cause(const struct writer *writer, enum gc_trigger trigger)
{
	const struct finding *finding = writer->finding;
	char least[UNITS_TEXT], most[UNITS_TEXT];
	switch (trigger) {
	case GC_TRIGGER_HEAP:
		units_bytes(least, finding->goal_least_bytes);
		units_bytes(most, finding->goal_most_bytes);
		add_string(writer, " because the heap grew past its goal");
		if (finding->goal_most_bytes > 0)
			text_format(writer->out, strcmp(least, most) == 0 ? " of %s" : "s of %s to %s",
				least, most);
		return;
	case GC_TRIGGER_CALL:
		add_string(writer, " by runtime.GC");
		add_places(writer);
		return;
	case GC_TRIGGER_TIMER:
		add_string(writer, " because two minutes had passed");
		return;
	case GC_TRIGGER_UNKNOWN:
	case GC_TRIGGER_COUNT:
		add_string(writer, " for a cause that the trace does not tell");
		return;
	}
}

static void
add_collections(const struct writer *writer)
{
	const struct finding *finding = writer->finding;
	bool is_told[GC_TRIGGER_COUNT] = { false };
	char number[UNITS_TEXT], all[UNITS_TEXT];
	add_count(writer, finding->count, "collection", "collections");
	add_string(writer, " marked for ");
	add_duration(writer, finding->total_ns);
	add_string(writer, " of ");
	add_duration(writer, finding->whole_ns);
	if (finding->back_to_back < finding->count) {
		units_count(number, finding->back_to_back);
		text_format(writer->out, ", %s of them back to back", number);
	} else {
		add_string(writer, ", all of them back to back");
	}
	bool is_of_cause = finding->cause != GC_TRIGGER_COUNT &&
			   finding->triggers[finding->cause] < finding->count;
	if (!is_of_cause) {
		add_string(writer, ", the longest ");
		add_duration(writer, finding->longest_ns);
	}
	/* The most common cause first. */
	for (int told = 0; told < GC_TRIGGER_COUNT; told++) {
		int best = -1;
		for (int i = 0; i < GC_TRIGGER_COUNT; i++)
			if (!is_told[i] && finding->triggers[i] > 0 &&
				(best < 0 || finding->triggers[i] > finding->triggers[best]))
				best = i;
		if (best < 0)
			break;
		is_told[best] = true;
		units_count(number, finding->triggers[best]);
		units_count(all, finding->count);
		if (told == 0)
			text_format(writer->out, ". %s of %s began", number, all);
		else
			text_format(writer->out, ", %s", number);
		add_cause(writer, (enum gc_trigger)best);
		if (!is_of_cause || best != (int)finding->cause)
			continue;
		add_string(writer, " (the longest ");
		add_duration(writer, finding->longest_ns);
		add_string(writer, ")");
	}
	add_string(writer, ".");
}

static void
add_kind(const struct writer *writer, string_id name, bool is_task)
{
	if (!is_task) {
		add_string(writer, "requests of net/http");
		return;
	}
	add_string(writer, "`");
	name_string(writer->out, writer->trace, name, writer->ascii);
	add_string(writer, "`");
}

/* What an actor waits for in package sync, or in the runtime itself. */
enum sync_wait { WAIT_CONDITION, WAIT_GROUP, WAIT_LOCK, WAIT_COLLECTOR, WAIT_RUNTIME };

static enum sync_wait
sync_wait_of(const struct trace *trace, stack_id stack)
{
	static const struct {
		const char *prefix;
		enum sync_wait wait;
	} rows[] = {
		{ "sync.(*Cond)", WAIT_CONDITION },
		{ "sync.(*WaitGroup)", WAIT_GROUP },
		{ "sync.", WAIT_LOCK },
		{ "runtime.gc", WAIT_COLLECTOR },
	};
	for (; stack != STACK_NONE; stack = stack_caller(&trace->stacks, stack)) {
		size_t length;
		const char *name =
			trace_text(trace, stack_leaf(&trace->stacks, stack)->function, &length);
		for (size_t i = 0; i < ARRAY_LENGTH(rows); i++)
			if (text_has_prefix(name, length, rows[i].prefix))
				return rows[i].wait;
	}
	return WAIT_RUNTIME;
}

/* What they did, a pattern of text_add_words(): "waited for a lock". */
static const char *
words_did(const struct trace *trace, enum time_class time_class, stack_id stack)
{
	static const char *const words[CLASS_COUNT] = {
		[CLASS_RUNNING] = "ran",
		[CLASS_WORKER] = "helped the collector to mark",
		[CLASS_READY] = "waited for {an slot}",
		[CLASS_SYSCALL] = "were in system calls",
		[CLASS_CHANNEL] = "waited on a channel",
		[CLASS_SELECT] = "waited in select",
		[CLASS_NETWORK] = "waited for the network",
		[CLASS_SLEEP] = "slept",
		[CLASS_RUNTIME] = "waited for the collector",
		[CLASS_FOREVER] = "were blocked",
		[CLASS_OTHER] = "were blocked",
	};
	static const char *const sync_words[] = {
		[WAIT_CONDITION] = "waited for a condition",
		[WAIT_GROUP] = "waited for a WaitGroup",
		[WAIT_LOCK] = "waited for a lock",
		[WAIT_COLLECTOR] = "waited for the collector",
		[WAIT_RUNTIME] = "waited for a lock of the runtime",
	};
	if (time_class == CLASS_SYNC)
		return sync_words[sync_wait_of(trace, stack)];
	return words[time_class] != NULL ? words[time_class] : "did what the trace does not tell";
}

/* " in region acquire at main.go:19" */
static void
add_where(const struct writer *writer, string_id region, stack_id stack, actor_ref actor)
{
	stack_id own = own_code_stack(writer->trace, stack, actor);
	if (region != STRING_EMPTY) {
		add_string(writer, " in region ");
		name_string(writer->out, writer->trace, region, writer->ascii);
	}
	if (own != STACK_NONE) {
		add_string(writer, " at ");
		add_line_of(writer, own);
	}
}

static bool
is_for_collector(const struct trace *trace, const struct slow_requests *slow)
{
	return slow->time_class == CLASS_WORKER || slow->time_class == CLASS_RUNTIME ||
	       (slow->time_class == CLASS_SYNC &&
		       sync_wait_of(trace, slow->stack) == WAIT_COLLECTOR);
}

/* ", for what other requests gave back" */
static void
add_end(const struct writer *writer)
{
	static const char *const words[SLOW_END_COUNT] = {
		[SLOW_END_REQUEST] = "for what other requests gave back",
		[SLOW_END_OWN] = "for what other {actors} did for them",
		[SLOW_END_ACTOR] = "for what other {actors} did",
		[SLOW_END_TIMER] = "until a timer went off",
	};
	const struct slow_requests *slow = &writer->finding->requests;
	const struct slow_cause *cause = &slow->cause;
	if (words[slow->end] == NULL || is_for_collector(writer->trace, slow) ||
		(slow->end == SLOW_END_TIMER && slow->time_class == CLASS_SLEEP)) {
		add_string(writer, ".");
		return;
	}
	add_string(writer, ", ");
	add_words(writer, words[slow->end]);
	add_string(writer, ".");
	if (cause->part_ns == 0)
		return;
	add_string(writer, " During ");
	add_share(writer, cause->part_ns, cause->whole_ns);
	add_string(writer, " of these waits ");
	if (cause->request != STRING_EMPTY)
		add_kind(writer, cause->request, true);
	else
		add_string(writer, slow->is_task ? "others" : "other requests");
	add_string(writer, " ");
	add_words(writer, words_did(writer->trace, cause->time_class, cause->stack));
	add_where(writer, cause->region, cause->stack, cause->actor);
	add_string(writer, ".");
}

static void
add_requests(const struct writer *writer)
{
	const struct slow_requests *slow = &writer->finding->requests;
	char count[UNITS_TEXT];
	units_count(count, slow->count);
	text_format(writer->out, "Half of %s ", count);
	add_kind(writer, slow->name, slow->is_task);
	add_string(writer, slow->is_of_all ? " took more than " : " took at most ");
	add_duration(writer, slow->p50_ns);
	add_string(writer,
		slow->is_of_all ? ", one in ten more than " : ", the slowest tenth ");
	add_duration(writer, slow->is_of_all ? slow->p90_ns : slow->slowest_tenth_ns);
	add_string(writer, slow->is_of_all ? ". " : " on average. ");
	add_share(writer, slow->part_ns, slow->whole_ns);
	add_string(writer, " of that ");
	bool is_nobody = slow->time_class == CLASS_IDLE;
	add_string(writer, is_nobody ? "" : "they ");
	add_words(writer, is_nobody ? "no {actor} worked for them"
				    : words_did(writer->trace, slow->time_class, slow->stack));
	if (slow->places > 1)
		add_places(writer);
	add_where(writer, slow->region, slow->stack, slow->stack_actor);
	add_end(writer);
}

/* ---- what to do */

static const char *
advice_for_stop(const struct writer *writer)
{
	size_t length;
	const char *name = trace_text(writer->trace, writer->finding->name, &length);
	if (gc_is_own_stop(writer->trace, writer->finding->name))
		return "collect less often: raise GOGC or set a memory limit";
	if (text_has_prefix(name, length, "read mem stats"))
		return "call runtime.ReadMemStats less often";
	return "do that less often";
}

static const char *
advice_for_requests(const struct trace *trace, const struct slow_requests *slow)
{
	if (is_for_collector(trace, slow))
		return "allocate less there, or raise GOGC";
	bool is_of_others = slow->cause.part_ns > 0 && slow->end != SLOW_END_REQUEST;
	switch (is_of_others ? slow->cause.time_class : slow->time_class) {
	case CLASS_RUNNING:
		return "see what they compute, with a CPU profile";
	case CLASS_READY:
		return "give it more CPU, or let less run at once";
	case CLASS_NETWORK:
		return "see why the other side answers late";
	case CLASS_SLEEP:
		return "see whether they have to sleep";
	case CLASS_SYSCALL:
		return "make fewer or shorter calls";
	case CLASS_IDLE:
		return "let more {actors} work for them";
	default:
		return slow->end == SLOW_END_REQUEST
			       ? "hold what they wait for shorter, or have more of it"
			       : "see the critical path of the slowest one";
	}
}

/* A pattern of text_add_words(). */
static const char *
advice_for_cpu(const struct writer *writer)
{
	switch (writer->finding->beneath.holder.kind) {
	case HOLDER_TASK:
		return "keep what had the CPUs to other ones, or lower its priority";
	case HOLDER_QUOTA:
		return "raise the CPU limit of its container or group";
	case HOLDER_IDLE:
		return "see which CPUs it may use, and whether it has a quota";
	case HOLDER_OWN:
	case HOLDER_NONE:
		break;
	}
	return writer->trace->words->worker != NULL
		       ? "give it more CPU, or lower GOMAXPROCS to the CPUs that it can have"
		       : "give it more CPU, or let fewer {threads} run at once";
}

/* A pattern of text_add_words(). */
static const char *
advice(const struct writer *writer)
{
	const struct finding *finding = writer->finding;
	bool has_runtime = writer->trace->words->worker != NULL;
	switch (finding->kind) {
	case FINDING_DELAY:
		return "give it more CPU, or let less run at once";
	case FINDING_IDLE:
		return has_runtime ? "give it more CPU, or lower GOMAXPROCS"
				   : "see which CPUs they may use, and whether they have a quota";
	case FINDING_STOP:
		return advice_for_stop(writer);
	case FINDING_CONVOY:
		return "split the lock or shorten what it guards";
	case FINDING_FOREVER:
		return "see who should wake them, or start fewer";
	case FINDING_LEAK:
		if (finding->time_class == CLASS_SYNC)
			return "see who keeps the lock, or never says that it is done";
		return has_runtime ? "give each a way to end, such as a context that is cancelled"
			     : "give each a way to end";
	case FINDING_SYSCALL:
		return "make fewer or shorter calls, or let fewer {actors} make them at once";
	case FINDING_ASSIST:
		return "allocate less there, or raise GOGC";
	case FINDING_GC:
		return finding->triggers[GC_TRIGGER_CALL] * 2 > finding->count
			       ? "call runtime.GC less often"
			       : "raise GOGC or set a memory limit";
	case FINDING_REQUESTS:
		return advice_for_requests(writer->trace, &finding->requests);
	case FINDING_DISK:
		return "see which file, device or lock they wait for, with w";
	case FINDING_HOG:
		return "lower its priority, or keep it to other CPUs";
	case FINDING_INTERRUPT:
		return "see what the device does, or move its interrupts to another CPU";
	case FINDING_CALL:
		return "see what it did for so long, beneath its task";
	case FINDING_QUOTA:
		return "raise the CPU limit of its container or group, or run fewer threads in it";
	case FINDING_STARVED:
	case FINDING_HELD:
	case FINDING_LATE:
		return advice_for_cpu(writer);
	case FINDING_KIND_COUNT:
		break;
	}
	return "";
}

void
findings_add_spent(struct text *out, const struct trace *trace, const struct finding *finding,
	bool is_slowest, bool ascii)
{
	const int64_t *mean_ns =
		is_slowest ? finding->requests.slow_ns : finding->requests.middle_ns;
	struct writer writer = { .out = out, .trace = trace, .ascii = ascii };
	class_mask told = 0;
	int64_t whole_ns = 0;
	for (int i = 0; i < CLASS_COUNT; i++)
		whole_ns = saturating_add_i64(whole_ns, mean_ns[i]);
	for (int rank = 0; rank < CLASS_COUNT; rank++) {
		int most = CLASS_GONE;
		for (int i = CLASS_GONE + 1; i < CLASS_COUNT; i++)
			if ((told & CLASS_BIT(i)) == 0 && mean_ns[i] > 0 &&
				(most == CLASS_GONE || mean_ns[i] > mean_ns[most]))
				most = i;
		if (most == CLASS_GONE || (rank > 0 && mean_ns[most] < whole_ns / 100))
			return;
		told |= CLASS_BIT(most);
		text_format(out, "%s%s ", rank > 0 ? ", " : "",
			most == CLASS_WORKER ? "assist"
			: most == CLASS_IDLE	? "nobody"
						: class_name(trace->words, (enum time_class)most));
		add_duration(&writer, mean_ns[most]);
	}
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
		[FINDING_REQUESTS] = add_requests,
		[FINDING_DISK] = add_disk,
		[FINDING_HOG] = add_hog,
		[FINDING_INTERRUPT] = add_interrupt,
		[FINDING_CALL] = add_call,
		[FINDING_QUOTA] = add_quota,
		[FINDING_STARVED] = add_starved,
		[FINDING_HELD] = add_held,
		[FINDING_LATE] = add_late,
	};
	struct writer writer = { out, trace, finding, ascii };
	writers[finding->kind](&writer);
}

void
findings_add_advice(struct text *out, const struct trace *trace, const struct finding *finding)
{
	struct writer writer = { out, trace, finding, false };
	add_words(&writer, advice(&writer));
}

void
findings_add_place(
	struct text *out, const struct trace *trace, const struct finding *finding, bool ascii)
{
	struct writer writer = { out, trace, finding, ascii };
	if (finding->stack == STACK_NONE)
		return;
	name_string(out, trace, stack_leaf(&trace->stacks, finding->stack)->function, ascii);
	text_add_string(out, " at ");
	add_line_of(&writer, finding->stack);
}

/* ---- in short */

void
findings_add_loss(struct text *out, const struct trace *trace, const struct finding *finding)
{
	const struct words *words = trace->words;
	bool is_of_all = finding->kind == FINDING_GC || finding->kind == FINDING_STOP ||
			 finding->kind == FINDING_LATE;
	int64_t lost_ns = is_of_all ? finding->total_ns : finding->lost_ns;
	double times = finding->interval_ns > 0 ? (double)lost_ns / (double)finding->interval_ns : 0;
	char share[UNITS_TEXT], count[UNITS_TEXT];
	/* What is hardly more than one actor's time is all of it. */
	units_share(share, lost_ns < finding->interval_ns ? lost_ns : finding->interval_ns,
		finding->interval_ns);
	if (finding->kind == FINDING_LEAK || finding->kind == FINDING_FOREVER) {
		units_count(count, finding->count);
		text_format_words(out, words, "%s {actors}, %s of all", count, share);
		return;
	}
	if (finding->kind == FINDING_REQUESTS) {
		units_share(share, finding->requests.part_ns, finding->requests.whole_ns);
		text_format(out, "%s of %s time", share,
			finding->requests.is_of_all ? "their" : "the slowest tenth's");
		return;
	}
	if (times >= 1.05 && !is_of_all) {
		text_format_words(out, words, "holds up %.*f {actors}", times < 10, times);
		return;
	}
	text_format_words(out, words, is_of_all ? "%s of the time" : "%s of one {actor}'s time", share);
}

void
findings_add_short(
	struct text *out, const struct trace *trace, const struct finding *finding, bool ascii)
{
	struct writer writer = { out, trace, finding, ascii };
	findings_add_title(out, trace, finding->kind);
	text_add_string(out, " ");
	if (finding->kind == FINDING_REQUESTS && finding->requests.is_task) {
		name_string(out, trace, finding->name, ascii);
		text_add_string(out, " ");
	}
	if (finding->stack != STACK_NONE) {
		add_line_of(&writer, finding->stack);
		text_add_string(out, " ");
	}
	findings_add_loss(out, trace, finding);
}

/* ---- what is not odd */

const char *
findings_none(const struct findings *findings)
{
	return findings->has_waits
		       ? "nothing odd: no finding is above its threshold"
		       : "the trace does not tell of waits, so nothing odd can be looked for";
}

void
findings_add_fine(struct text *out, const struct trace *trace, const struct findings *findings)
{
	static const struct {
		uint32_t kinds;
		unsigned needs; /* enum analysis_needs */
		const char *pattern;
	} rows[] = {
		{ 1U << FINDING_DELAY | 1U << FINDING_IDLE, NEEDS_READY,
			"no {actor} waited long for {an slot}" },
		{ 1U << FINDING_CONVOY, NEEDS_SYNC, "no lock had a queue" },
		{ 1U << FINDING_FOREVER | 1U << FINDING_LEAK, NEEDS_BLOCKED,
			"no {actors} were stuck" },
		{ 1U << FINDING_SYSCALL, NEEDS_SYSCALLS, "no system calls cost much time" },
		{ 1U << FINDING_STOP, NEEDS_COLLECTOR, "no stop of the world was long" },
		{ 1U << FINDING_ASSIST, NEEDS_COLLECTOR,
			"no {actors} worked much for the collector" },
		{ 1U << FINDING_GC, NEEDS_COLLECTOR, "no collections ran back to back" },
		{ 1U << FINDING_REQUESTS, NEEDS_TASKS, "no kind of requests was slow" },
		{ 1U << FINDING_DISK, NEEDS_KERNEL, "no {actors} were mostly in disk sleep" },
		{ 1U << FINDING_INTERRUPT, NEEDS_KERNEL, "no interrupt took 1 ms" },
		{ 1U << FINDING_CALL, NEEDS_KERNEL, "no system call worked for 100 ms" },
		{ 1U << FINDING_QUOTA | 1U << FINDING_HOG, NEEDS_KERNEL,
			"nothing points to a quota or a hog" },
		{ 1U << FINDING_STARVED, NEEDS_BENEATH, "its {threads} waited little for a CPU" },
		{ 1U << FINDING_QUOTA, NEEDS_BENEATH, "nothing points to a CPU quota" },
		{ 1U << FINDING_HELD, NEEDS_BENEATH, "no {slot} was held in vain" },
		{ 1U << FINDING_LATE, NEEDS_BENEATH, "no stop of the world waited for a CPU" },
	};
	const unsigned has = analysis_has(trace) | (findings->has_beneath ? NEEDS_BENEATH : 0u);
	uint32_t odd = findings->unknown_kinds;
	bool is_first = true;
	for (size_t i = 0; i < findings->count; i++)
		odd |= 1U << findings->items[i].kind;
	for (size_t i = 0; i < ARRAY_LENGTH(rows); i++) {
		if ((rows[i].kinds & odd) != 0 || !analysis_suffices(rows[i].needs, has))
			continue;
		text_add_string(out, is_first ? "" : ", ");
		text_add_words(out, trace->words, rows[i].pattern);
		is_first = false;
	}
	if (is_first)
		text_add_string(out, "nothing of all that is looked for");
}

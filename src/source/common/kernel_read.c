/*
 * The fields of the kernel's events. A name of a task may hold anything, also what looks like the next
 * field, but has 15 bytes at most: it ends where all that has to follow it does.
 */
#include "source/common/kernel_internal.h"

#include <inttypes.h>
#include <string.h>

enum { ERRORS_MOST = 4095 }; /* a call that failed returned -1 to -4095 */

/* What keys of stretches on a CPU are about, in the highest byte. */
enum { KEY_IRQ = 1, KEY_SOFTIRQ, KEY_HRTIMER, KEY_TIMER };

static uint64_t
key_of(unsigned what, uint64_t number)
{
	return (uint64_t)what << 56 | (number & UINT64_MAX >> 8);
}

/* ---- parts of fields */

/* "12", "-1", and as the option "fields" has it "0xc (12)". */
static bool
take_number(struct scan *scan, int64_t *value)
{
	struct scan rest = *scan;
	uint64_t bits;
	if (scan_address(&rest, &bits)) {
		int64_t again;
		*value = (int64_t)bits;
		*scan = rest;
		if (scan_text(&rest, " (") && scan_signed(&rest, &again) && scan_char(&rest, ')')) {
			*value = again;
			*scan = rest;
		}
		return true;
	}
	return scan_signed(scan, value);
}

static bool
take_pid(struct scan *scan, int32_t *pid)
{
	int64_t value;
	struct scan rest = *scan;
	if (!take_number(&rest, &value) || value < -1 || value > INT32_MAX)
		return false;
	*scan = rest;
	*pid = (int32_t)value;
	return true;
}

/* "NAME pid=12 prio=": up to the first place where both keys and a number between them stand. */
static bool
take_task(struct scan *scan, const char *pid_key, const char *next_key, struct scan *name, int32_t *pid)
{
	struct scan rest = *scan;
	const char *at;
	while ((at = scan_find(&rest, pid_key)) != NULL) {
		struct scan behind = { at + strlen(pid_key), scan->end };
		if (take_pid(&behind, pid) && (scan_text(&behind, next_key) || scan_is_end(&behind))) {
			*name = (struct scan){ scan->at, at };
			*scan = behind;
			return true;
		}
		rest.at = at + 1;
	}
	return false;
}

/* "NAME:12 [120]", as trace-cmd prints a task, at the end of a text. */
static bool
task_at_end(struct scan text, struct scan *name, int32_t *pid)
{
	const char *at = text.end;
	if (at == text.at || *--at != ']')
		return false;
	while (at > text.at && ((at[-1] >= '0' && at[-1] <= '9') || at[-1] == '-'))
		at--;
	if (at - text.at < 2 || at[-1] != '[' || at[-2] != ' ')
		return false;
	const char *end = at -= 2;
	while (at > text.at && ((at[-1] >= '0' && at[-1] <= '9') || at[-1] == '-'))
		at--;
	struct scan digits = { at, end };
	if (!take_pid(&digits, pid) || !scan_is_end(&digits))
		return false;
	*name = (struct scan){ text.at, at > text.at && at[-1] == ':' ? at - 1 : at };
	return true;
}

/* "S", "R+", "D|W", or bits as numbers. */
static unsigned
state_of(struct scan word)
{
	static const char letters[] = "RSDTtXPI";
	static const uint8_t states[] = { KERNEL_RUNNABLE, KERNEL_ASLEEP, KERNEL_IN_DISK, KERNEL_STOPPED,
		KERNEL_TRACED, KERNEL_DEAD, KERNEL_PARKED, KERNEL_IDLE };
	/* Bits from the lowest: S, D, T, t, X, Z, P, I, and R+ for what was stopped by the kernel. */
	static const uint8_t bits[] = { KERNEL_ASLEEP, KERNEL_IN_DISK, KERNEL_STOPPED, KERNEL_TRACED,
		KERNEL_DEAD, KERNEL_DEAD, KERNEL_PARKED, KERNEL_IDLE, KERNEL_RUNNABLE };
	int64_t number;
	if (scan_is_end(&word))
		return KERNEL_OTHERWISE;
	if (take_number(&word, &number)) {
		for (unsigned i = 0; i < sizeof bits; i++)
			if ((number >> i & 1) != 0)
				return bits[i];
		return number == 0 ? KERNEL_RUNNABLE : KERNEL_OTHERWISE;
	}
	char letter = *word.at == 'Z' ? 'X' : *word.at;
	const char *found = letter == '\0' ? NULL : strchr(letters, letter);
	return found == NULL ? KERNEL_OTHERWISE : states[found - letters];
}

static bool
name_event(struct kernel *kernel, struct scan text, string_id *id, struct error *err)
{
	return intern_add(&kernel->trace->strings, text.at, scan_left(&text), id, err);
}

/* "softirq:TIMER" */
static bool
name_slice(struct kernel *kernel, const char *what, struct scan which, string_id *id, struct error *err)
{
	text_clear(&kernel->scratch);
	text_add_string(&kernel->scratch, what);
	text_add(&kernel->scratch, which.at, scan_left(&which));
	if (kernel->scratch.failed)
		return error_set_memory(err, "names");
	return intern_add(&kernel->trace->strings, kernel->scratch.bytes, kernel->scratch.length, id, err);
}

/* ---- the scheduler */

static bool
read_switch(struct kernel *kernel, struct scan fields, struct kernel_event *event, struct error *err)
{
	struct scan rest = fields, prev, next, state;
	int64_t priority;
	bool fits = false;
	if (scan_text(&rest, "prev_comm=")) {
		fits = take_task(&rest, " prev_pid=", " prev_prio=", &prev, &event->other) &&
		       take_number(&rest, &priority) && scan_text(&rest, " prev_state=");
		if (fits) {
			state = scan_word(&rest);
			struct scan number = rest;
			if (scan_text(&number, " (") && scan_signed(&number, &priority) && scan_char(&number, ')'))
				rest = number;
			scan_text(&rest, " ==>");
			fits = scan_text(&rest, " next_comm=") &&
			       take_task(&rest, " next_pid=", " next_prio=", &next, &event->next);
		}
	} else {
		/* trace-cmd: "bash:12 [120] S ==> swapper/0:0 [120]" */
		const char *arrow;
		for (; !fits && (arrow = scan_find(&rest, " ==> ")) != NULL; rest.at = arrow + 1) {
			struct scan left = { fields.at, arrow }, right = { arrow + 5, fields.end };
			const char *word = left.end;
			while (word > left.at && word[-1] != ' ')
				word--;
			state = (struct scan){ word, left.end };
			left.end = word > left.at ? word - 1 : word;
			fits = task_at_end(left, &prev, &event->other) && task_at_end(right, &next, &event->next);
		}
	}
	if (!fits)
		return true;
	event->kind = KERNEL_SWITCH;
	event->state = state_of(state) & 15;
	event->text = STRING_EMPTY;
	if (event->state == KERNEL_OTHERWISE && !name_event(kernel, state, &event->text, err))
		return false;
	return kernel_name_field(kernel, event->other, prev, err) &&
	       kernel_name_field(kernel, event->next, next, err);
}

/* "comm=bash pid=12 prio=120 target_cpu=001", and trace-cmd's "bash:12 [120] CPU:001". */
static bool
read_wake(struct kernel *kernel, struct scan fields, enum kernel_kind kind, struct kernel_event *event,
	struct error *err)
{
	struct scan rest = fields, name;
	bool fits = false;
	if (scan_text(&rest, "comm=")) {
		fits = take_task(&rest, " pid=", " prio=", &name, &event->other);
	} else {
		const char *at;
		for (; !fits && (at = scan_find(&rest, "] ")) != NULL; rest.at = at + 1)
			fits = task_at_end((struct scan){ fields.at, at + 1 }, &name, &event->other);
	}
	if (!fits || event->other <= 0)
		return true;
	event->kind = kind;
	return kernel_name_field(kernel, event->other, name, err);
}

static bool
read_fork(struct kernel *kernel, struct scan fields, struct kernel_event *event, struct error *err)
{
	struct scan rest = fields, parent, child;
	int32_t pid;
	if (!scan_text(&rest, "comm=") || !take_task(&rest, " pid=", " child_comm=", &parent, &pid) ||
		!take_task(&rest, " child_pid=", " ", &child, &event->other) || event->other <= 0)
		return true;
	event->kind = KERNEL_FORK;
	return kernel_name_field(kernel, event->other, child, err);
}

/* Of any other event that tells of a task no more than the name is taken. */
static bool
read_name(struct kernel *kernel, struct scan fields, struct error *err)
{
	struct scan rest = fields, name;
	int32_t pid;
	return !scan_text(&rest, "comm=") || !take_task(&rest, " pid=", " ", &name, &pid) || pid <= 0 ||
	       kernel_name_field(kernel, pid, name, err);
}

/* ---- stretches */

/* "NR 257 (ffffff9c, 55b2, 241)" */
static bool
read_enter(struct kernel *kernel, struct scan fields, struct kernel_event *event, struct error *err)
{
	struct scan rest = fields, number;
	int64_t nr;
	if (!scan_text(&rest, "NR "))
		return true;
	number = rest;
	if (!scan_signed(&rest, &nr) || nr < 0)
		return true;
	number.end = rest.at;
	scan_blanks(&rest);
	event->kind = KERNEL_ENTER;
	event->key = (uint64_t)nr;
	return name_slice(kernel, "syscall ", number, &event->name, err) &&
	       name_event(kernel, rest, &event->text, err);
}

/* Whether a result says that the call failed: -2, and 0xfffffffffffffffe. */
static bool
is_failure(struct scan result)
{
	int64_t value;
	return take_number(&result, &value) && value < 0 && value >= -ERRORS_MOST;
}

static bool
read_return(struct kernel *kernel, struct scan fields, struct kernel_event *event, struct error *err)
{
	struct scan rest = fields;
	int64_t nr;
	if (!scan_text(&rest, "NR ") || !scan_signed(&rest, &nr) || !scan_text(&rest, " = "))
		return true;
	event->kind = KERNEL_RETURN;
	event->key = (uint64_t)nr;
	event->has_failed = is_failure(rest);
	return name_event(kernel, rest, &event->text, err);
}

/* "sys_read(fd: 3, buf: 0x55)" and "sys_read -> 0x40" */
static bool
read_named_call(struct kernel *kernel, struct scan name, struct scan fields, struct kernel_event *event,
	struct error *err)
{
	struct scan rest = fields;
	bool is_return = scan_text(&rest, "-> ");
	if (!is_return && !scan_sees(&rest, '('))
		return true;
	name.at += strlen("sys_");
	event->kind = is_return ? KERNEL_RETURN : KERNEL_ENTER;
	event->has_failed = is_return && is_failure(rest);
	if (!name_event(kernel, name, &event->name, err) || !name_event(kernel, rest, &event->text, err))
		return false;
	event->key = UINT64_C(1) << 63 | event->name;
	return true;
}

/* What stands behind a key, up to the next blank. */
static struct scan
value_of(struct scan fields, const char *key)
{
	struct scan value = { fields.end, fields.end };
	const char *at = scan_find(&fields, key);
	if (at != NULL) {
		fields.at = at + strlen(key);
		value = scan_word(&fields);
	}
	return value;
}

/* Pairs of events on a CPU. The number behind `key` tells who is who, the word behind `named` what it is. */
static const struct pair {
	const char *begin, *end;
	const char *key;
	bool is_hex;
	const char *named, *what;
	uint8_t kind;
} pairs[] = {
	{ "irq_handler_entry", "irq_handler_exit", "irq=", false, "name=", "irq_handler:", KEY_IRQ },
	{ "softirq_entry", "softirq_exit", "vec=", false, "[action=", "softirq:", KEY_SOFTIRQ },
	{ "hrtimer_expire_entry", "hrtimer_expire_exit", "hrtimer=", true, "function=", "hrtimer_expire:",
		KEY_HRTIMER },
	{ "timer_expire_entry", "timer_expire_exit", "timer=", true, "function=", "timer_expire:", KEY_TIMER },
};

static bool
read_pair(struct kernel *kernel, const struct pair *pair, bool is_end, struct scan fields,
	struct kernel_event *event, struct error *err)
{
	struct scan word = value_of(fields, pair->key), which = value_of(fields, pair->named);
	uint64_t number;
	if (pair->is_hex)
		scan_text(&word, "0x");
	if (!(pair->is_hex ? scan_hex(&word, &number) : scan_number(&word, &number)))
		return true;
	if (pair->kind == KEY_IRQ && !is_end) {
		const char *name = scan_find(&fields, pair->named);
		if (name != NULL) /* which may have blanks in it */
			which = (struct scan){ name + strlen(pair->named), fields.end };
	}
	if (scan_left(&which) > 0 && which.end[-1] == ']')
		which.end--;
	event->kind = is_end ? KERNEL_END : KERNEL_BEGIN;
	event->key = key_of(pair->kind, number);
	return is_end || name_slice(kernel, pair->what, which, &event->name, err);
}

/* "work struct 0000000012345678: function vmstat_update" */
static bool
read_work(struct kernel *kernel, bool is_end, struct scan fields, struct kernel_event *event,
	struct error *err)
{
	struct scan rest = fields;
	if (!scan_text(&rest, "work struct "))
		return true;
	scan_text(&rest, "0x");
	if (!scan_hex(&rest, &event->key))
		return true;
	event->kind = is_end ? KERNEL_WORK_END : KERNEL_WORK;
	return is_end || name_slice(kernel, "work:", value_of(rest, "function "), &event->name, err);
}

/* A value of the counter that the scratch text names. */
static bool
set_gauge(struct kernel *kernel, int64_t value, struct kernel_event *event, struct error *err)
{
	const struct text *name = &kernel->scratch;
	event->kind = KERNEL_GAUGE;
	event->key = (uint64_t)value;
	if (name->failed)
		return error_set_memory(err, "names");
	return intern_add(&kernel->trace->strings, name->bytes, name->length, &event->name, err);
}

/* "cpu_idle: state=2 cpu_id=3" is "CPU 3 idle". A CPU that is left to a task has the state 2^32 - 1. */
static bool
read_cpu_state(struct kernel *kernel, struct scan name, struct scan fields, struct kernel_event *event,
	struct error *err)
{
	struct scan state = value_of(fields, "state="), cpu = value_of(fields, "cpu_id=");
	uint64_t value, number;
	bool is_idle = scan_is(&name, "cpu_idle");
	if (!scan_number(&state, &value) || !scan_number(&cpu, &number) || value > INT64_MAX)
		return true;
	text_clear(&kernel->scratch);
	text_format(&kernel->scratch, "CPU %" PRIu64 "%s", number, is_idle ? " idle" : " frequency");
	return set_gauge(kernel, is_idle && value == UINT32_MAX ? -1 : (int64_t)value, event, err);
}

/* Marks that programs write: "B|12|draw", "E", "S|12|load|7", "C|12|queue|5". Others are words. */
static bool
read_mark(struct kernel *kernel, struct scan fields, struct kernel_event *event, struct error *err)
{
	struct scan rest = fields, process;
	kernel->counts.marks++;
	if (scan_is_end(&rest))
		return true;
	char letter = *rest.at++;
	if (letter == 'E' && (scan_is_end(&rest) || scan_sees(&rest, '|'))) {
		event->kind = KERNEL_CLOSE;
		return true;
	}
	if (!scan_char(&rest, '|') || letter == '\0' || strchr("BSFC", letter) == NULL)
		return true;
	process.at = rest.at;
	while (scan_sees_digit(&rest))
		rest.at++;
	process.end = rest.at;
	if (!scan_char(&rest, '|'))
		return true;
	if (letter == 'B') {
		event->kind = KERNEL_OPEN;
		return name_event(kernel, rest, &event->name, err);
	}
	const char *cookie = rest.end;
	while (cookie > rest.at && cookie[-1] != '|')
		cookie--;
	if (cookie == rest.at)
		return true;
	if (letter == 'C') {
		struct scan digits = { cookie, rest.end };
		int64_t value;
		if (!scan_signed(&digits, &value) || !scan_is_end(&digits))
			return true;
		text_clear(&kernel->scratch);
		text_add(&kernel->scratch, rest.at, (size_t)(cookie - 1 - rest.at));
		text_add_string(&kernel->scratch, " ");
		text_add(&kernel->scratch, process.at, scan_left(&process));
		return set_gauge(kernel, value, event, err);
	}
	event->kind = letter == 'S' ? KERNEL_START : KERNEL_FINISH;
	process.end = fields.end;
	return name_event(kernel, (struct scan){ rest.at, cookie - 1 }, &event->name, err) &&
	       name_event(kernel, process, &event->text, err);
}

bool
kernel_read_fields(struct kernel *kernel, struct scan name, struct scan fields,
	struct kernel_event *event, struct error *err)
{
	struct scan mark = fields;
	event->kind = KERNEL_OTHER;
	if (scan_is(&name, "sched_switch")) {
		if (!read_switch(kernel, fields, event, err))
			return false;
		kernel->counts.switches += event->kind == KERNEL_SWITCH;
	} else if (scan_is(&name, "sched_waking")) {
		if (!read_wake(kernel, fields, KERNEL_WAKING, event, err))
			return false;
		kernel->has_waking = kernel->has_waking || event->kind == KERNEL_WAKING;
	} else if (scan_is(&name, "sched_wakeup")) {
		if (!read_wake(kernel, fields, KERNEL_WAKEUP, event, err))
			return false;
	} else if (scan_is(&name, "sched_wakeup_new")) {
		if (!read_wake(kernel, fields, KERNEL_NEW, event, err))
			return false;
	} else if (scan_is(&name, "sched_process_fork")) {
		if (!read_fork(kernel, fields, event, err))
			return false;
	} else if (scan_is(&name, "sys_enter")) {
		if (!read_enter(kernel, fields, event, err))
			return false;
	} else if (scan_is(&name, "sys_exit")) {
		if (!read_return(kernel, fields, event, err))
			return false;
	} else if (scan_is(&name, "tracing_mark_write") || scan_is(&name, "print")) {
		scan_text(&mark, "tracing_mark_write: ");
		if (!read_mark(kernel, mark, event, err))
			return false;
	} else if (scan_is(&name, "cpu_frequency") || scan_is(&name, "cpu_idle")) {
		if (!read_cpu_state(kernel, name, fields, event, err))
			return false;
	} else if (scan_is(&name, "workqueue_execute_start") || scan_is(&name, "workqueue_execute_end")) {
		if (!read_work(kernel, name.end[-1] == 'd', fields, event, err))
			return false;
	} else if (scan_left(&name) > 4 && memcmp(name.at, "sys_", 4) == 0) {
		if (!read_named_call(kernel, name, fields, event, err))
			return false;
	} else {
		for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
			bool is_end = scan_is(&name, pairs[i].end);
			if ((is_end || scan_is(&name, pairs[i].begin)) &&
				!read_pair(kernel, &pairs[i], is_end, fields, event, err))
				return false;
		}
	}
	return (event->kind != KERNEL_OTHER && event->kind != KERNEL_FORK) || read_name(kernel, fields, err);
}

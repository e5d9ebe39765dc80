/*
 * mkgraph: writes a simulated function_graph of any size, for measurements and for trying things.
 * The same options give the same bytes.
 *
 *     mkgraph --columns=time,cpu,task,duration --cpus=4 --size=100M > FILE
 *
 * With --facts=FILE it says there what a reader must find.
 */

#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_CPUS = 64, MAX_TASKS = 1000, MAX_DEPTH = 40, FUNCTIONS = 600 };

enum { TIME = 1, REL = 2, CPU = 4, TASK = 8, FLAGS = 16, DURATION = 32 };

static const struct {
	const char *name;
	unsigned bit;
} column_names[] = { { "time", TIME }, { "rel", REL }, { "cpu", CPU }, { "task", TASK },
	{ "flags", FLAGS }, { "duration", DURATION } };

struct call {
	unsigned function;
	uint64_t start_ns;
};

struct task {
	unsigned pid;
	struct call open[MAX_DEPTH];
	unsigned depth;
};

struct cpu {
	uint64_t now_ns;
	unsigned task;
	bool was_seen; /* a line of it was printed: from then on switches are */
};

struct making {
	/* options */
	uint64_t seed, bytes;
	unsigned columns, cpu_count, task_count, lost_per_million;
	bool is_trace_cmd, is_one_line, has_arguments;
	/* state */
	struct cpu cpus[MAX_CPUS];
	struct task tasks[MAX_TASKS];
	uint64_t written;
	/* facts */
	uint64_t leaves, nested, exits, switches, losses, lost;
};

static uint64_t
next_random(struct making *making)
{
	making->seed += UINT64_C(0x9E3779B97F4A7C15);
	uint64_t mixed = making->seed;
	mixed = (mixed ^ mixed >> 31) * UINT64_C(0x7FB5D329728EA185);
	mixed = (mixed ^ mixed >> 27) * UINT64_C(0x81DADEF4BC2DD44D);
	return mixed ^ mixed >> 33;
}

static unsigned
below(struct making *making, unsigned limit)
{
	return (unsigned)(next_random(making) % limit);
}

/* Writes a line; in one line its blanks are collapsed, as a page of the web does. */
static void
put(struct making *making, const char *line)
{
	if (!making->is_one_line) {
		making->written += (uint64_t)fprintf(stdout, "%s\n", line);
		return;
	}
	bool is_blank = false;
	for (; *line == ' '; line++)
		;
	for (; *line != '\0'; line++) {
		if (is_blank && *line == ' ')
			continue;
		is_blank = *line == ' ';
		putchar(*line);
		making->written++;
	}
	if (!is_blank) {
		putchar(' ');
		making->written++;
	}
}

static void
function_name(unsigned function, char out[64])
{
	static const char *const first[] = { "tcp", "vfs", "ext4", "__alloc", "kmem_cache", "sched",
		"raw_spin", "nf_conntrack", "dev_queue", "security" };
	static const char *const second[] = { "read", "write", "lock", "unlock", "xmit", "alloc", "free",
		"enqueue", "check", "hash" };
	static const char *const third[] = { "", "_rcu", ".isra.0", "_slow", " [virtio_net]", "_list" };
	snprintf(out, 64, "%s_%s%s", first[function % 10], second[function / 10 % 10],
		third[function / 100 % 6]);
}

/* The name of a task, cut to 7 bytes where it stands in a column, with its pid in 14 bytes. */
static void
task_column(const struct making *making, unsigned task, char out[64])
{
	char text[40];
	unsigned pid = making->tasks[task].pid;
	int length = snprintf(text, sizeof text, "%s-%u", task % 7 == 3 ? "a) 0.5 " : "worker", pid);
	int blanks = length < 14 ? 14 - length : 0;
	snprintf(out, 64, "%*s%s%*s", blanks / 2, "", text, blanks - blanks / 2, "");
}

/* As the kernel prints it: seven digits in all, three behind the point at most, cut and not rounded. */
static void
duration_text(uint64_t took_ns, char out[64])
{
	char digits[40], mark = ' ';
	static const struct {
		char mark;
		uint64_t ns;
	} marks[] = { { '+', 10000 }, { '!', 100000 }, { '#', 1000000 }, { '*', 10000000 },
		{ '@', 100000000 }, { '$', 1000000000 } };
	for (size_t i = 0; i < sizeof marks / sizeof marks[0]; i++) {
		if (took_ns > marks[i].ns)
			mark = marks[i].mark;
	}
	int length = snprintf(digits, sizeof digits, "%" PRIu64, took_ns / 1000);
	int decimals = length < 4 ? 3 : length < 7 ? 7 - length : 0;
	if (decimals > 0)
		snprintf(digits + length, sizeof digits - (size_t)length, ".%03u", (unsigned)(took_ns % 1000));
	digits[length + (decimals > 0 ? decimals + 1 : 0)] = '\0';
	snprintf(out, 64, "%c %s us%*s|", mark, digits, (int)(11 - (int)strlen(digits) - 2), "");
}

/* A line of the columns; took_ns UINT64_MAX: no duration. */
static void
put_record(struct making *making, unsigned cpu, uint64_t time_ns, uint64_t took_ns, unsigned depth,
	const char *text)
{
	static const char *const flags[] = { ".....", "d..1.", "d.h..", "dNh2.", "..s1." };
	char line[1000], column[64], took[64] = "              |";
	unsigned columns = making->columns;
	int at = 0;
	if (took_ns != UINT64_MAX)
		duration_text(took_ns, took);
	if (making->is_trace_cmd) {
		bool is_exit = text[0] == '}';
		snprintf(line, sizeof line, "%16s-%-5u [%03u] %s %5" PRIu64 ".%06" PRIu64 ": %-22s%s  %*s%s",
			"worker", making->tasks[making->cpus[cpu].task].pid, cpu, flags[below(making, 5)],
			time_ns / 1000000000, time_ns / 1000 % 1000000,
			is_exit ? "funcgraph_exit:" : "funcgraph_entry:", took, (int)(2 * depth), "", text);
		put(making, line);
		return;
	}
	if (columns & TIME)
		at += snprintf(line + at, sizeof line - (size_t)at, "%5" PRIu64 ".%06" PRIu64 " |  ",
			time_ns / 1000000000, time_ns / 1000 % 1000000);
	if (columns & REL)
		at += snprintf(line + at, sizeof line - (size_t)at, "%9" PRIu64 " us |  ", time_ns / 1000);
	if (columns & CPU)
		at += snprintf(line + at, sizeof line - (size_t)at, " %*u) ", making->cpu_count > 10 ? 2 : 1, cpu);
	if (columns & TASK) {
		task_column(making, making->cpus[cpu].task, column);
		at += snprintf(line + at, sizeof line - (size_t)at, "%s | ", column);
	}
	if (columns & FLAGS)
		at += snprintf(line + at, sizeof line - (size_t)at, " %s | ", flags[below(making, 5)]);
	if (columns & DURATION)
		at += snprintf(line + at, sizeof line - (size_t)at, "%s  ", took);
	snprintf(line + at, sizeof line - (size_t)at, "%*s%s", (int)(2 * depth), "", text);
	put(making, line);
}

static void
put_header(struct making *making)
{
	char line[400];
	if (making->is_trace_cmd) {
		snprintf(line, sizeof line, "cpus=%u", making->cpu_count);
		put(making, line);
		return;
	}
	put(making, "# tracer: function_graph");
	put(making, "#");
	snprintf(line, sizeof line, "#%s%s%s%s%s%s               FUNCTION CALLS",
		making->columns & TIME ? "     TIME       " : "", making->columns & REL ? "   REL TIME     " : "",
		making->columns & CPU ? " CPU" : "", making->columns & TASK ? "  TASK/PID       " : "",
		making->columns & FLAGS ? "|||||  " : "", making->columns & DURATION ? "  DURATION   " : "");
	put(making, line);
}

static void
put_call(struct making *making, unsigned cpu)
{
	struct task *task = &making->tasks[making->cpus[cpu].task];
	uint64_t *now_ns = &making->cpus[cpu].now_ns;
	char text[300], name[64], arguments[80] = "", result[80] = "";
	unsigned action = below(making, 100), function = below(making, FUNCTIONS);
	function_name(function, name);
	if (making->has_arguments) {
		snprintf(arguments, sizeof arguments, "file=0x%" PRIx64 ", n=%u",
			next_random(making) >> 24, below(making, 100));
		snprintf(result, sizeof result, " /* <-%s+0x1a/0x90 ret=%d */", "vfs_read",
			(int)below(making, 40) - 20);
	}
	if (task->depth > 0 && (action < 30 || task->depth == MAX_DEPTH)) {
		const struct call *call = &task->open[--task->depth];
		*now_ns += 20 + below(making, 300);
		function_name(call->function, name);
		snprintf(text, sizeof text, making->has_arguments ? "} /* %s ret=0x0 */" : "}", name);
		put_record(making, cpu, *now_ns, *now_ns - call->start_ns, task->depth, text);
		making->exits++;
	} else if (action < 65 || task->depth == MAX_DEPTH) {
		uint64_t took_ns = 30 + below(making, 900);
		if (below(making, 500) == 0)
			took_ns *= 1 + below(making, 100000);
		snprintf(text, sizeof text, "%s(%s);%s", name, arguments, result);
		put_record(making, cpu, *now_ns, took_ns, task->depth, text);
		*now_ns += took_ns;
		making->leaves++;
	} else {
		snprintf(text, sizeof text, "%s(%s) {", name, arguments);
		put_record(making, cpu, *now_ns, UINT64_MAX, task->depth, text);
		task->open[task->depth++] = (struct call){ function, *now_ns };
		making->nested++;
	}
	*now_ns += below(making, 100);
}

/* Another task that runs nowhere; some tasks never do. */
static void
put_switch(struct making *making, unsigned cpu)
{
	unsigned next = below(making, making->task_count);
	for (unsigned i = 0; i < making->cpu_count; i++) {
		if (making->cpus[i].task == next)
			return;
	}
	char line[200], from[64], to[64];
	task_column(making, making->cpus[cpu].task, from);
	task_column(making, next, to);
	making->cpus[cpu].task = next;
	if (making->is_trace_cmd)
		return;
	put(making, " ------------------------------------------");
	snprintf(line, sizeof line, " %*u) %s => %s", making->cpu_count > 10 ? 2 : 1, cpu, from, to);
	put(making, line);
	put(making, " ------------------------------------------");
	put(making, "");
	making->switches++;
}

static void
put_loss(struct making *making, unsigned cpu)
{
	char line[80];
	unsigned count = 1 + below(making, 5000);
	snprintf(line, sizeof line, making->is_trace_cmd ? "CPU:%u [%u EVENTS DROPPED]" : "CPU:%u [LOST %u EVENTS]",
		cpu, count);
	put(making, line);
	making->losses++;
	making->lost += count;
}

static void
make(struct making *making)
{
	for (unsigned i = 0; i < making->task_count; i++)
		making->tasks[i].pid = 100 + 7 * i;
	for (unsigned i = 0; i < making->cpu_count; i++)
		making->cpus[i] = (struct cpu){ .now_ns = UINT64_C(5000000000) + i, .task = i };
	put_header(making);
	while (making->written < making->bytes) {
		unsigned cpu = 0;
		for (unsigned i = 1; i < making->cpu_count; i++) {
			if (making->cpus[i].now_ns < making->cpus[cpu].now_ns)
				cpu = i;
		}
		unsigned what = below(making, 1000000);
		if (what < making->lost_per_million) {
			put_loss(making, cpu);
		} else if (what < 5000 && making->cpus[cpu].was_seen) {
			put_switch(making, cpu);
		} else {
			put_call(making, cpu);
			making->cpus[cpu].was_seen = true;
		}
	}
}

static void
say_facts(const struct making *making, FILE *out)
{
	uint64_t open = 0;
	for (unsigned i = 0; i < making->task_count; i++)
		open += making->tasks[i].depth;
	fprintf(out,
		"leaves %" PRIu64 "\nnested %" PRIu64 "\nspans %" PRIu64 "\nopen_at_end %" PRIu64
		"\nswitches %" PRIu64 "\nlost_records %" PRIu64 "\nlost_events %" PRIu64 "\n",
		making->leaves, making->nested, making->leaves + making->exits, open, making->switches,
		making->losses, making->lost);
}

static bool
take_columns(struct making *making, const char *text)
{
	making->columns = 0;
	while (*text != '\0') {
		size_t length = strcspn(text, ","), i = 0;
		for (; i < sizeof column_names / sizeof column_names[0]; i++) {
			if (strlen(column_names[i].name) == length &&
				memcmp(column_names[i].name, text, length) == 0)
				break;
		}
		if (i == sizeof column_names / sizeof column_names[0])
			return false;
		making->columns |= column_names[i].bit;
		text += length + (text[length] == ',');
	}
	return true;
}

static uint64_t
size_of(const char *text)
{
	char *end;
	uint64_t bytes = strtoull(text, &end, 10);
	return *end == 'K' ? bytes << 10 : *end == 'M' ? bytes << 20 : *end == 'G' ? bytes << 30 : bytes;
}

/* The value of an option that the argument sets; NULL where it sets another. */
static const char *
value_of(const char *argument, const char *option)
{
	size_t length = strlen(option);
	return strncmp(argument, option, length) == 0 ? argument + length : NULL;
}

static unsigned
at_most(uint64_t value, unsigned most)
{
	return value == 0 ? 1 : value > most ? most : (unsigned)value;
}

int
main(int argc, char **argv)
{
	static struct making making = { .columns = CPU | DURATION,
		.bytes = 1 << 20,
		.cpu_count = 4,
		.task_count = 40 };
	const char *facts = NULL;
	for (int i = 1; i < argc; i++) {
		const char *value;
		bool is_known = true;
		if ((value = value_of(argv[i], "--columns=")) != NULL)
			is_known = take_columns(&making, value);
		else if ((value = value_of(argv[i], "--size=")) != NULL)
			making.bytes = size_of(value);
		else if ((value = value_of(argv[i], "--seed=")) != NULL)
			making.seed = strtoull(value, NULL, 10);
		else if ((value = value_of(argv[i], "--cpus=")) != NULL)
			making.cpu_count = at_most(strtoull(value, NULL, 10), MAX_CPUS);
		else if ((value = value_of(argv[i], "--tasks=")) != NULL)
			making.task_count = at_most(strtoull(value, NULL, 10), MAX_TASKS);
		else if ((value = value_of(argv[i], "--lost=")) != NULL)
			making.lost_per_million = at_most(strtoull(value, NULL, 10), 1000);
		else if ((value = value_of(argv[i], "--facts=")) != NULL)
			facts = value;
		else if (strcmp(argv[i], "--trace-cmd") == 0)
			making.is_trace_cmd = true;
		else if (strcmp(argv[i], "--one-line") == 0)
			making.is_one_line = true;
		else if (strcmp(argv[i], "--arguments") == 0)
			making.has_arguments = true;
		else
			is_known = false;
		if (!is_known) {
			fputs("usage: mkgraph [--columns=time,rel,cpu,task,flags,duration] [--size=100M]\n"
			      "               [--seed=N] [--cpus=N] [--tasks=N] [--lost=PER_MILLION]\n"
			      "               [--arguments] [--trace-cmd | --one-line] [--facts=FILE] > FILE\n",
				stderr);
			return 2;
		}
	}
	if (making.task_count < 2 * making.cpu_count)
		making.task_count = 2 * making.cpu_count;
	make(&making);
	FILE *out = facts != NULL ? fopen(facts, "w") : NULL;
	if (out != NULL)
		say_facts(&making, out);
	if ((facts != NULL && (out == NULL || fclose(out) != 0)) || fflush(stdout) != 0) {
		perror("mkgraph");
		return 1;
	}
	return 0;
}

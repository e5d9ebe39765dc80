/*
 * mktrace: writes a simulated Go trace, for benchmarks and for trying things.
 *
 *     mktrace --goroutines=1000 --procs=8 --generations=10 --size=100M -o FILE
 */

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tracesim.h"
#include "tracewriter.h"
#include "v1sim.h"

enum option_type { TYPE_U64, TYPE_U32, TYPE_SIZE, TYPE_FLAG };

struct option {
	const char *name;
	enum option_type type;
	size_t offset; /* in struct sim_options */
	const char *help;
};

#define FIELD(name) offsetof(struct sim_options, name)

static const struct option options[] = {
	{ "seed", TYPE_U64, FIELD(seed), "the same seed and options give the same bytes" },
	{ "version", TYPE_U32, FIELD(version), "format: 22, 23, 25 or 26; or 11, 19, 21, by seed and events alone" },
	{ "goroutines", TYPE_U32, FIELD(goroutines), "alive at a time, about" },
	{ "procs", TYPE_U32, FIELD(procs), "GOMAXPROCS at most" },
	{ "threads", TYPE_U32, FIELD(threads), "0: some more than procs" },
	{ "generations", TYPE_U32, FIELD(generations), "how many" },
	{ "events", TYPE_U64, FIELD(events), "in all, about" },
	{ "size", TYPE_U64, FIELD(bytes), "bytes in all, about; with K, M or G" },
	{ "freq", TYPE_U64, FIELD(ticks_per_s), "ticks per second" },
	{ "gap", TYPE_U32, FIELD(mean_gap_ticks), "ticks between two events, on average" },
	{ "batch", TYPE_SIZE, FIELD(batch_bytes), "bytes in a batch at most" },
	{ "equal-times", TYPE_U32, FIELD(equal_times), "per cent of events with the tick before" },
	{ "skew", TYPE_U32, FIELD(skew_ticks), "ticks by which threads' clocks differ" },
	{ "hostile-text", TYPE_FLAG, FIELD(hostile_text), "names that attack terminals" },
	{ "quiet-start", TYPE_FLAG, FIELD(is_quiet_start), "begin as a real trace does" },
};

#define OPTION_COUNT (sizeof options / sizeof options[0])

static void
usage(FILE *to)
{
	fputs("usage: mktrace [--option=value ...] [--random=SEED] [--mix=NAME:WEIGHT,...] [-o FILE]\n",
		to);
	for (size_t i = 0; i < OPTION_COUNT; i++)
		fprintf(to, "  --%-14s %s\n", options[i].name, options[i].help);
	fputs("  --random         draw all options from this seed\n"
		"  --facts=FILE     write what the trace says, a line per fact\n"
		"  --mix            weights of activities:", to);
	for (int i = 0; i < SIM_ACTIVITY_COUNT; i++)
		fprintf(to, " %s", sim_activity_name((enum sim_activity)i));
	fputc('\n', to);
}

static bool
parse_number(const char *text, size_t length, uint64_t *value)
{
	static const char suffixes[] = "KMG";
	if (length == 0 || text[0] < '0' || text[0] > '9')
		return false;
	char *end;
	errno = 0;
	unsigned long long number = strtoull(text, &end, 10);
	const char *suffix = *end != '\0' ? strchr(suffixes, *end) : NULL;
	unsigned shift = 0;
	if (suffix != NULL) {
		shift = 10 * (unsigned)(suffix - suffixes + 1);
		end++;
	}
	if (errno != 0 || end != text + length || number > UINT64_MAX >> shift)
		return false;
	*value = (uint64_t)number << shift;
	return true;
}

static bool
set_option(const struct option *option, struct sim_options *o, const char *text)
{
	char *field = (char *)o + option->offset;
	uint64_t value = 1;
	if (option->type != TYPE_FLAG && !parse_number(text, strlen(text), &value))
		return false;
	switch (option->type) {
	case TYPE_U64:
		memcpy(field, &value, sizeof value);
		return true;
	case TYPE_U32: {
		uint32_t narrow = (uint32_t)value;
		memcpy(field, &narrow, sizeof narrow);
		return value <= UINT32_MAX;
	}
	case TYPE_SIZE: {
		size_t size = (size_t)value;
		memcpy(field, &size, sizeof size);
		return true;
	}
	case TYPE_FLAG:
		memcpy(field, &(bool){ true }, sizeof(bool));
		return *text == '\0';
	}
	return false;
}

/* One "name:weight" of --mix, `length` bytes long. */
static bool
set_weight(struct sim_options *o, const char *text, size_t length)
{
	const char *colon = memchr(text, ':', length);
	if (colon == NULL)
		return false;
	size_t name = (size_t)(colon - text);
	uint64_t weight;
	if (!parse_number(colon + 1, length - name - 1, &weight) || weight > UINT16_MAX)
		return false;
	for (int i = 0; i < SIM_ACTIVITY_COUNT; i++) {
		const char *known = sim_activity_name((enum sim_activity)i);
		if (strlen(known) == name && memcmp(known, text, name) == 0) {
			o->mix[i] = (uint16_t)weight;
			return true;
		}
	}
	return false;
}

static bool
set_mix(struct sim_options *o, const char *text)
{
	while (*text != '\0') {
		size_t length = strcspn(text, ",");
		if (!set_weight(o, text, length))
			return false;
		text += length;
		text += *text == ',';
	}
	return true;
}

/* --name=value or --name */
static bool
parse_argument(struct sim_options *o, const char *argument)
{
	if (strncmp(argument, "--", 2) != 0)
		return false;
	const char *name = argument + 2;
	size_t length = strcspn(name, "=");
	const char *value = name[length] == '=' ? name + length + 1 : "";
	uint64_t seed;
	if (strncmp(name, "random=", 7) == 0 && parse_number(value, strlen(value), &seed)) {
		sim_options_random(o, seed);
		return true;
	}
	if (strncmp(name, "mix=", 4) == 0)
		return set_mix(o, value);
	for (size_t i = 0; i < OPTION_COUNT; i++) {
		if (strlen(options[i].name) == length && memcmp(options[i].name, name, length) == 0)
			return set_option(&options[i], o, value);
	}
	return false;
}

struct fact_printer {
	FILE *to;
	const struct sim *sim;
};

static void
print_text(FILE *to, const char *name, struct sim_text text)
{
	if (text.size == 0)
		return;
	fprintf(to, " %s=\"", name);
	for (size_t i = 0; i < text.size; i++) {
		unsigned char c = (unsigned char)text.data[i];
		if (c >= ' ' && c < 0x7f && c != '"' && c != '\\')
			fputc(c, to);
		else
			fprintf(to, "\\x%02x", c);
	}
	fputc('"', to);
}

static void
print_stack(const struct fact_printer *printer, const char *name, uint32_t stack)
{
	size_t depth = sim_stack_depth(printer->sim, stack);
	if (depth == 0)
		return;
	struct sim_frame leaf = sim_stack_frame(printer->sim, stack, 0);
	fprintf(printer->to, " %s=%zu:%llu", name, depth, (unsigned long long)leaf.line);
	print_text(printer->to, "leaf", leaf.func);
}

static void
print_state(FILE *to, const struct sim_fact *fact)
{
	static const char *const states[] = { "unknown", "dead", "ready", "running", "blocked",
		"syscall", "idle" };
	fprintf(to, " %lld %s->%s", (long long)fact->subject, states[fact->from],
		states[fact->to]);
}

/* What a reader must find, a line each. */
static void
print_fact(void *context, const struct sim_fact *fact)
{
	static const char *const kinds[] = { "sync", "go", "proc", "range-begin", "range-active",
		"range-end", "task-begin", "task-end", "region-begin", "region-end", "log", "label",
		"metric", "sample", "experiment" };
	const struct fact_printer *printer = context;
	FILE *to = printer->to;
	fprintf(to, "%lld M=%lld P=%lld G=%lld %s", (long long)fact->delivered_ns,
		(long long)fact->m, (long long)fact->p, (long long)fact->g, kinds[fact->kind]);
	if (fact->kind == SIM_FACT_GO || fact->kind == SIM_FACT_PROC)
		print_state(to, fact);
	else if (fact->kind == SIM_FACT_METRIC)
		fprintf(to, " %llu", (unsigned long long)fact->value[0]);
	else if (fact->kind >= SIM_FACT_TASK_BEGIN && fact->kind <= SIM_FACT_LOG)
		fprintf(to, " %lld", (long long)fact->subject);
	print_text(to, "key", fact->key);
	print_text(to, "text", fact->text);
	print_stack(printer, "stack", fact->stack);
	print_stack(printer, "of", fact->subject_stack);
	fputc('\n', to);
}

static int
write_trace(const struct sim_options *o, FILE *file, FILE *facts)
{
	struct sim *sim = sim_new(o);
	if (sim == NULL) {
		fputs("mktrace: an option is out of bounds, or no memory\n", stderr);
		return 2;
	}
	if (facts != NULL)
		fprintf(facts, "# %s\n", sim_is_exact(sim) ? "exact" : "order and times may differ");
	struct wire out;
	wire_init(&out, file);
	struct fact_printer printer = { facts, sim };
	bool ok = sim_write(sim, &out, facts != NULL ? print_fact : NULL, &printer);
	ok = wire_flush(&out) && ok;
	wire_release(&out);
	sim_free(sim);
	return ok ? 0 : 1;
}

/* The older form has a simulation of its own. */
static int
write_old_trace(const struct sim_options *o, FILE *file, FILE *facts)
{
	struct text trace = { 0 }, lines = { 0 };
	bool ok = v1sim_make(o->seed, o->version, (unsigned)o->events, &trace, &lines) &&
	          fwrite(trace.bytes, 1, trace.length, file) == trace.length &&
	          (facts == NULL || fwrite(lines.bytes, 1, lines.length, facts) == lines.length);
	text_release(&trace);
	text_release(&lines);
	return ok ? 0 : 1;
}

static int
write_files(const struct sim_options *o, const char *path, const char *facts_path)
{
	FILE *file = path != NULL ? fopen(path, "wb") : stdout;
	FILE *facts = facts_path != NULL ? fopen(facts_path, "w") : NULL;
	int status = 1;
	if (file != NULL && (facts != NULL || facts_path == NULL))
		status = o->version < 22 ? write_old_trace(o, file, facts)
		                         : write_trace(o, file, facts);
	if (facts != NULL && fclose(facts) != 0)
		status = 1;
	if (file != NULL && fclose(file) != 0)
		status = 1;
	if (status == 1)
		perror("mktrace");
	return status;
}

int
main(int argc, char **argv)
{
	struct sim_options o;
	const char *path = NULL;
	const char *facts_path = NULL;
	sim_options_init(&o);
	uint64_t default_events = o.events;
	o.events = 0;
	for (int i = 1; i < argc; i++) {
		if (strcmp(argv[i], "--help") == 0) {
			usage(stdout);
			return 0;
		}
		if (strcmp(argv[i], "-o") == 0 && i + 1 < argc) {
			path = argv[++i];
		} else if (strncmp(argv[i], "--facts=", 8) == 0) {
			facts_path = argv[i] + 8;
		} else if (!parse_argument(&o, argv[i])) {
			fprintf(stderr, "mktrace: what is %s?\n", argv[i]);
			usage(stderr);
			return 2;
		}
	}
	if (o.events == 0 && o.bytes == 0)
		o.events = default_events;
	return write_files(&o, path, facts_path);
}

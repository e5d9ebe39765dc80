/* Finds rows of the table of analyses. */
#include "analysis/registry.h"

#include <string.h>

#include "base/compiler.h"

#define ROW(name) &name##_kind,
static const struct analysis_kind *const rows[] = { ANALYSIS_TABLE(ROW) };
#undef ROW

const struct analysis_kind *
registry_at(size_t index)
{
	return index < ARRAY_LENGTH(rows) ? rows[index] : NULL;
}

const struct analysis_kind *
registry_find(const char *name, size_t length)
{
	for (size_t i = 0; i < ARRAY_LENGTH(rows); i++) {
		if (strlen(rows[i]->name) == length && memcmp(rows[i]->name, name, length) == 0)
			return rows[i];
	}
	return NULL;
}

/* ---- names */

static const struct {
	const char *own, *neutral;
} names[] = {
	{ "goroutines", "actors" },
	{ "goroutine", "actor" },
	{ "procs", "processors" }, /* of rows */
};

static bool
is_word(const char *word, const char *text, size_t length)
{
	return strlen(word) == length && memcmp(word, text, length) == 0;
}

const char *
registry_own_name(const char *name, size_t length)
{
	for (size_t i = 0; i < ARRAY_LENGTH(names); i++)
		if (is_word(names[i].own, name, length) || is_word(names[i].neutral, name, length))
			return names[i].own;
	return NULL;
}

const char *
registry_shown_name(const char *name, const struct words *words)
{
	for (size_t i = 0; i < ARRAY_LENGTH(names); i++)
		if (strcmp(names[i].own, name) == 0 && strcmp(words->actor.many, names[0].own) != 0)
			return names[i].neutral;
	return name;
}

/* ---- what they need */

/* Pages and reports that are not in the table; their parameters are below. */
static const struct {
	const char *name;
	unsigned needs;
} others[] = {
	{ "diff-regions", NEEDS_WAITS },
	{ "bars", NEEDS_HISTOGRAMS },
	{ "heap", NEEDS_COLLECTOR },
	{ "summary", NEEDS_TIME },
	{ "lanes", NEEDS_TIME },
	{ "findings", NEEDS_TIME },
	{ "goroutine", NEEDS_TIME },
	{ "task", NEEDS_TIME },
	{ "critical-path", NEEDS_TIME },
	{ "why", NEEDS_TIME },
	{ "moment", NEEDS_TIME },
	{ "diff", NEEDS_TIME },
	{ "top", NEEDS_OR_SAMPLES },
	{ "tree", NEEDS_OR_SAMPLES },
	{ "flame", NEEDS_OR_SAMPLES },
	{ "diff-top", NEEDS_OR_SAMPLES },
	{ "diff-tree", NEEDS_OR_SAMPLES },
	{ "diff-flame", NEEDS_OR_SAMPLES },
};

/* What profiles and durations are of. */
static const struct {
	const char *parameter;
	unsigned needs;
} parameters[] = {
	{ "sched", NEEDS_READY },
	{ "sync", NEEDS_SYNC },
	{ "net", NEEDS_NETWORK },
	{ "syscall", NEEDS_SYSCALLS },
	{ "offcpu", NEEDS_WAITS },
	{ "cpu", NEEDS_WAITS }, /* samples come with them so far */
	{ "block", NEEDS_BLOCKED },
	{ "region", NEEDS_WAITS },
	{ "slices", NEEDS_SLICES },
	{ "task", NEEDS_TASKS },
	{ "stw", NEEDS_COLLECTOR },
	{ "gc", NEEDS_COLLECTOR },
	{ "assist", NEEDS_COLLECTOR },
	{ "sweep", NEEDS_COLLECTOR },
	{ "beneath", NEEDS_SAMPLES_BENEATH },
};

/* "block=select" is a "block". Names of functions and regions are none. */
static unsigned
needs_of_parameter(const char *name, size_t length)
{
	if (name[length] != ':' || is_word("function", name, length) || is_word("region", name, length))
		return 0;
	const char *parameter = name + length + 1;
	size_t end = strcspn(parameter, "=@");
	for (size_t i = 0; i < ARRAY_LENGTH(parameters); i++)
		if (is_word(parameters[i].parameter, parameter, end))
			return parameters[i].needs;
	return 0;
}

bool
registry_means_histograms(const char *name)
{
	struct error ignored;
	size_t length = strcspn(name, ":@");
	void *parameter = NULL;
	error_clear(&ignored);
	bool is_meant = is_word(histogram_kind.name, name, length) &&
			analysis_read(&histogram_kind, name, length + (name[length] == ':'), &parameter, &ignored);
	analysis_forget(&histogram_kind, parameter);
	return is_meant;
}

unsigned
registry_needs(const char *name)
{
	size_t length = strcspn(name, ":@");
	const struct analysis_kind *kind = registry_find(name, length);
	if (kind == &histogram_kind && !registry_means_histograms(name))
		kind = NULL;
	unsigned needs = needs_of_parameter(name, length) | (kind != NULL ? kind->needs : 0);
	for (size_t i = 0; i < ARRAY_LENGTH(others); i++)
		if (is_word(others[i].name, name, length))
			needs |= others[i].needs;
	return needs;
}

const char *
registry_first(const struct trace *trace)
{
	if (trace->clock != TRACE_CLOCK_NONE)
		return NULL;
	if (trace->samples != NULL)
		return tree_kind.name;
	for (size_t i = 0; i < ARRAY_LENGTH(rows); i++)
		if ((rows[i]->needs & (NEEDS_TABLES | NEEDS_HISTOGRAMS | NEEDS_PARTS)) != 0 &&
			analysis_applies(rows[i]->needs, trace))
			return rows[i]->name;
	return NULL;
}

#include "profiletesting.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/registry.h"
#include "base_testing.h"
#include "input/input.h"
#include "jsonread.h"
#include "oraclefile.h"
#include "report/flamegraph.h"
#include "report/profile.h"
#include "report/result.h"
#include "source/source.h"
#include "trace/sample_set.h"

static struct trace *
load(const char *bytes, size_t size, const char *source, struct error *err)
{
	struct input in;
	const struct source_wish wish = { .is_lenient = true };
	error_clear(err);
	if (!input_open_memory(&in, bytes, size, err))
		return NULL;
	struct trace *trace = source_load(&in, source, &wish, err);
	input_close(&in);
	return trace;
}

struct trace *
profiletesting_load(const char *row, const char *bytes, size_t size, const char *source)
{
	struct error err;
	struct trace *trace = load(bytes, size, source, &err);
	if (trace == NULL)
		fail_msg("%s: %s", row, err.message);
	return trace;
}

static void
read_file(const char *folder, const char *file, struct text *text)
{
	char path[1000];
	snprintf(path, sizeof path, "%s/%s/%s", getenv("TTRACE_TESTDATA"), folder, file);
	*text = (struct text){ 0 };
	assert_true(oraclefile_read(path, text));
}

struct trace *
profiletesting_load_file(const char *folder, const char *file)
{
	struct text text;
	read_file(folder, file, &text);
	struct trace *trace = profiletesting_load(file, text.bytes, text.length, NULL);
	text_release(&text);
	return trace;
}

/* As people read it. */
static bool
print_all(const struct trace *trace, const char *type, struct text *out, struct error *err)
{
	const struct report_options options = { .width_cells = 80, .ascii = true };
	const struct profile_request request = {
		.kind = PROFILE_SAMPLES, .of = type, .scope = profile_whole(trace)
	};
	return report_top(trace, &request, &options, out, err) &&
	       report_tree(trace, &request, &options, out, err) &&
	       report_flamegraph(trace, &request, &options, out, err);
}

static bool
add_folded(const struct trace *trace, const char *type, struct text *out, struct error *err)
{
	const struct report_options options = { .width_cells = 80 };
	struct profile_request request = {
		.kind = PROFILE_SAMPLES, .of = type, .scope = profile_whole(trace)
	};
	return report_folded(trace, &request, &options, out, err);
}

void
profiletesting_add_folded(const struct trace *trace, const char *type, struct text *out)
{
	struct error err;
	error_clear(&err);
	if (!add_folded(trace, type, out, &err))
		fail_msg("%s: %s", type, err.message);
}

/* ---- facts */

static bool
is_number(struct jsonslice value)
{
	return value.length > 0 && strspn(value.bytes, "-0123456789") >= value.length;
}

static const struct trace_fact *
find_fact(const struct trace *trace, struct jsonslice key)
{
	for (size_t i = 0; i < trace->facts.count; i++)
		if (jsonslice_is(key, trace->facts.items[i].key))
			return &trace->facts.items[i];
	return NULL;
}

static bool
is_wanted(struct jsonslice key, const char *const *keys)
{
	while (*keys != NULL && !jsonslice_is(key, *keys))
		keys++;
	return *keys != NULL;
}

void
profiletesting_check_facts(const struct trace *trace, const char *folder, const char *name,
	const char *const *keys)
{
	char file[300];
	struct text oracle;
	struct jsonslice key, value;
	snprintf(file, sizeof file, "%s.oracle.json", name);
	read_file(folder, file, &oracle);
	struct jsonread in = jsonread_over((struct jsonslice){ oracle.bytes, oracle.length });
	int checked = 0;
	while (jsonread_member(&in, &key, &value)) {
		const struct trace_fact *fact = find_fact(trace, key);
		if (!is_number(value))
			continue;
		if (fact == NULL && is_wanted(key, keys))
			fail_msg("%s: no fact %.*s", name, (int)key.length, key.bytes);
		if (fact == NULL)
			continue;
		char told[40];
		snprintf(told, sizeof told, "%" PRId64, (int64_t)fact->value);
		if (strlen(told) != value.length || memcmp(told, value.bytes, value.length) != 0)
			fail_msg("%s: %s is %s, not %.*s", name, fact->key, told, (int)value.length,
				value.bytes);
		checked++;
	}
	assert_false(in.failed);
	assert_true(checked > 0);
	text_release(&oracle);
}

void
profiletesting_check_folded(const struct trace *trace, const char *type, const char *folder,
	const char *file)
{
	struct text wanted, made = { 0 };
	read_file(folder, file, &wanted);
	profiletesting_add_folded(trace, type, &made);
	if (made.length != wanted.length || memcmp(text_string(&made), text_string(&wanted), made.length) != 0)
		fail_msg("%s: the stacks are\n%s", file, text_string(&made));
	text_release(&wanted);
	text_release(&made);
}

/* ---- whatever can be asked */

static const char *
ask(const struct trace *trace, const struct analysis_kind *kind, enum report_format format)
{
	const struct report_options options = { .width_cells = 80, .format = format };
	struct text out = { 0 };
	struct error err;
	void *parameter = NULL;
	error_clear(&err);
	if (!analysis_read(kind, "", 0, &parameter, &err))
		return NULL;
	const struct analysis_work work = {
		.kind = kind, .scope = { .actor = REF_NONE, .task = REF_NONE }, .parameter = parameter
	};
	bool is_fine = report_result(trace, &work, &options, &out, &err);
	analysis_forget(kind, parameter);
	text_release(&out);
	return is_fine || err.kind == ERROR_MEMORY || err.kind == ERROR_USAGE ? NULL : kind->name;
}

const char *
profiletesting_look(const uint8_t *bytes, size_t size, const char *source)
{
	struct error err;
	struct text out = { 0 };
	const char *fault = NULL;
	const struct analysis_kind *kind;
	struct trace *trace = load((const char *)bytes, size, source, &err);
	if (trace == NULL)
		return err.kind != ERROR_NONE ? NULL : "no trace, and no error";
	for (size_t i = 0; fault == NULL && (kind = registry_at(i)) != NULL; i++) {
		if (analysis_applies(kind->needs, trace)) {
			fault = ask(trace, kind, REPORT_AS_CSV);
			fault = fault != NULL ? fault : ask(trace, kind, REPORT_AS_JSON);
		}
	}
	for (unsigned i = 0; trace->samples != NULL && i < trace->samples->type_count; i++) {
		size_t length;
		const char *type = trace_text(trace, trace->samples->types[i].name, &length);
		text_clear(&out);
		if (fault == NULL && strlen(type) == length &&
			!(add_folded(trace, type, &out, &err) && print_all(trace, type, &out, &err)))
			fault = err.kind == ERROR_MEMORY || err.kind == ERROR_USAGE ? NULL : "no folded stacks";
	}
	text_release(&out);
	trace_free(trace);
	return fault;
}

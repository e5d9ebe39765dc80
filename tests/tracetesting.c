/* Loads what is in testdata and takes the tables of facts apart. */
#include "tracetesting.h"

#include <dirent.h>
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/error.h"
#include "base/memory.h"
#include "input/input.h"
#include "query/search.h"
#include "source/go/load.h"
#include "texttrace.h"
#include "trace/lane.h"

static const char *
folder(void)
{
	const char *named = getenv("TTRACE_TESTDATA");
	return named != NULL ? named : "testdata";
}

const char *
testing_path(const char *name, const char *suffix)
{
	static char path[4096];
	snprintf(path, sizeof(path), "%s/%s%s", folder(), name, suffix);
	return path;
}

void
testing_read(const char *path, struct text *out)
{
	char piece[4096];
	size_t got;
	FILE *file = fopen(path, "rb");
	if (file == NULL)
		fail_msg("%s: %s", path, strerror(errno));
	while ((got = fread(piece, 1, sizeof(piece), file)) > 0)
		text_add(out, piece, got);
	fclose(file);
	assert_false(out->failed);
}

void
testing_assemble(const char *text, struct text *out)
{
	struct error err = { 0 };
	if (!texttrace_assemble(text, strlen(text), out, &err))
		fail_msg("the test's own trace is wrong: %s\n%s", err.message, text);
}

static int
compare_names(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

void
testing_each(const char *suffix, void (*function)(const char *name))
{
	enum { MOST = 200 };
	char *names[MOST];
	size_t count = 0;
	DIR *dir = opendir(folder());
	if (dir == NULL)
		fail_msg("%s: %s", folder(), strerror(errno));
	for (struct dirent *entry; (entry = readdir(dir)) != NULL && count < MOST;) {
		size_t length = strlen(entry->d_name), tail = strlen(suffix);
		if (length <= tail || strcmp(entry->d_name + length - tail, suffix) != 0)
			continue;
		names[count] = memory_realloc(NULL, length - tail + 1);
		memcpy(names[count], entry->d_name, length - tail);
		names[count++][length - tail] = '\0';
	}
	closedir(dir);
	assert_true(count > 0);
	qsort(names, count, sizeof(*names), compare_names);
	for (size_t i = 0; i < count; i++) {
		function(names[i]);
		memory_free(names[i]);
	}
}

struct trace *
testing_load(const char *name)
{
	struct input in;
	struct error err = { 0 };
	if (!input_open_file(&in, testing_path(name, ".trace"), &err))
		fail_msg("%s: %s", name, err.message);
	struct trace *trace = go_load(&in, NULL, &err);
	input_close(&in);
	if (trace == NULL)
		fail_msg("%s: %s", name, err.message);
	return trace;
}

static struct trace *
load_bytes(const char *name, const void *bytes, size_t size,
           const struct go_read_options *options)
{
	struct input in;
	struct error err = { 0 };
	assert_true(input_open_memory(&in, bytes, size, &err));
	struct trace *trace = go_load(&in, options, &err);
	input_close(&in);
	if (trace == NULL)
		fail_msg("%s: %s", name, err.message);
	return trace;
}

struct trace *
testing_load_bytes(const char *name, const void *bytes, size_t size)
{
	return load_bytes(name, bytes, size, NULL);
}

static struct trace *
load_damaged(const char *name, const void *bytes, size_t size,
             const struct go_read_options *options)
{
	struct trace *trace = load_bytes(name, bytes, size, options);
	assert_true(trace->damage.count > 0);
	return trace;
}

struct trace *
testing_load_cut(const char *name, unsigned percent)
{
	struct text bytes = { 0 };
	testing_read(testing_path(name, ".trace"), &bytes);
	struct trace *trace =
		load_damaged(name, bytes.bytes, bytes.length * percent / 100, NULL);
	text_release(&bytes);
	return trace;
}

struct trace *
testing_load_without(const char *name, size_t from_bytes, size_t size)
{
	struct text bytes = { 0 };
	testing_read(testing_path(name, ".trace"), &bytes);
	size_t to_bytes = from_bytes + size;
	assert_true(to_bytes <= bytes.length);
	memmove(bytes.bytes + from_bytes, bytes.bytes + to_bytes, bytes.length - to_bytes);
	const struct go_read_options options = { .is_lenient = true };
	struct trace *trace = load_damaged(name, bytes.bytes, bytes.length - size, &options);
	text_release(&bytes);
	return trace;
}

struct ends {
	struct progress progress;
	uint64_t *bytes;
	size_t count, most;
};

bool
testing_in_order(const struct trace *trace, string_id first, string_id second)
{
	size_t first_length, second_length;
	const char *first_text = trace_text(trace, first, &first_length);
	const char *second_text = trace_text(trace, second, &second_length);
	return text_compare(first_text, first_length, second_text, second_length) <= 0;
}

bool
testing_finds(const struct trace *trace, const struct search *only, actor_ref goroutine,
	int64_t start_ns, int64_t end_ns)
{
	struct lane lane = { LANE_ACTOR, goroutine };
	struct span span;
	if (goroutine == REF_NONE)
		return false;
	bool is_there = lane_next(trace, lane, INT64_MIN, CLASS_MASK_ALL, &span);
	for (; is_there; is_there = lane_after(trace, lane, &span, &span))
		if (span_within(&span, start_ns, end_ns > start_ns ? end_ns : start_ns + 1) > 0 &&
			search_matches(only, span.segment, span.state))
			return true;
	return false;
}

bool
testing_ignore_event(void *context, const struct go_event *event, struct error *err)
{
	(void)context;
	(void)event;
	(void)err;
	return true;
}

static bool
note_end(void *context, uint64_t generation, struct error *err)
{
	struct ends *ends = context;
	(void)generation;
	(void)err;
	if (ends->count < ends->most)
		ends->bytes[ends->count++] = atomic_load(&ends->progress.done_bytes);
	return true;
}

size_t
testing_generation_ends(const void *bytes, size_t size, uint64_t *ends, size_t most)
{
	struct ends found = { .bytes = ends, .most = most };
	struct intern strings;
	struct stack_table stacks;
	struct go_sink sink = {
		.event = testing_ignore_event,
		.generation = note_end,
		.context = &found,
		.strings = &strings,
		.stacks = &stacks,
	};
	struct go_read_options options = { .progress = &found.progress };
	struct go_read_result result;
	struct input in;
	struct error err = { 0 };
	assert_true(intern_init(&strings, &err) && stack_table_init(&stacks, &err));
	assert_true(input_open_memory(&in, bytes, size, &err));
	assert_true(go_read(&in, &sink, &options, &result, &err));
	assert_int_equal(result.damage.count, 0);
	input_close(&in);
	intern_release(&strings);
	stack_table_release(&stacks);
	return found.count;
}

/* ---- facts */

static char *
read_file(const char *path, size_t *length)
{
	FILE *file = fopen(path, "rb");
	if (file == NULL)
		fail_msg("%s: %s", path, strerror(errno));
	assert_int_equal(fseek(file, 0, SEEK_END), 0);
	*length = (size_t)ftell(file);
	rewind(file);
	char *bytes = memory_realloc(NULL, *length + 1);
	assert_non_null(bytes);
	assert_int_equal(fread(bytes, 1, *length, file), *length);
	bytes[*length] = '\0';
	fclose(file);
	return bytes;
}

static void
split_line(char *line, struct fact *fact)
{
	fact->count = 0;
	for (char *field = line; field != NULL;) {
		char *tab = strchr(field, '\t');
		assert_true(fact->count < FACT_FIELDS);
		fact->fields[fact->count++] = field;
		if (tab != NULL)
			*tab++ = '\0';
		field = tab;
	}
	for (int i = fact->count; i < FACT_FIELDS; i++)
		fact->fields[i] = "";
}

void
facts_read(struct facts *facts, const char *name, const char *suffix)
{
	size_t length, lines = 0;
	*facts = (struct facts){ .bytes = read_file(testing_path(name, suffix), &length) };
	for (size_t i = 0; i < length; i++)
		lines += facts->bytes[i] == '\n';
	facts->lines = memory_realloc(NULL, (lines + 1) * sizeof(*facts->lines));
	assert_non_null(facts->lines);
	for (char *line = facts->bytes; *line != '\0';) {
		char *end = strchr(line, '\n');
		assert_non_null(end);
		*end = '\0';
		split_line(line, &facts->lines[facts->count++]);
		line = end + 1;
	}
	assert_true(facts->count > 0);
}

void
facts_release(struct facts *facts)
{
	memory_free(facts->bytes);
	memory_free(facts->lines);
	*facts = (struct facts){ 0 };
}

int64_t
fact_number(const struct fact *fact, int field, int64_t none)
{
	const char *text = fact->fields[field];
	if (strcmp(text, "-") == 0)
		return none;
	char *end;
	long long number = strtoll(text, &end, 10);
	if (end == text || *end != '\0')
		fail_msg("%s: field %d is \"%s\"", fact->fields[0], field, text);
	return number;
}

int64_t
facts_single(const struct facts *facts, const char *which)
{
	for (size_t i = 0; i < facts->count; i++)
		if (strcmp(facts->lines[i].fields[0], which) == 0)
			return fact_number(&facts->lines[i], 1, -1);
	fail_msg("no fact \"%s\"", which);
	return 0;
}

bool
fact_string_is(const char *field, const char *bytes, size_t length)
{
	enum { KEPT_BYTES = 200 };
	struct text text = { 0 };
	for (size_t i = 0; i < length && i < KEPT_BYTES; i++) {
		unsigned char byte = (unsigned char)bytes[i];
		if (byte >= 0x20 && byte < 0x7f && byte != '\\')
			text_add(&text, &bytes[i], 1);
		else
			text_format(&text, "\\x%02x", byte);
	}
	if (length > KEPT_BYTES)
		text_format(&text, "\\...%zu", length);
	bool is_equal = strcmp(text.length > 0 ? text.bytes : "", field) == 0;
	text_release(&text);
	return is_equal;
}

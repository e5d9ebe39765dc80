/*
 * Whose input it is: every trace of testdata, packed as well, texts that are none, ties, what is
 * told of what nobody knows; and that recognising takes nothing, of a pipe neither.
 */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/compiler.h"
#include "base_testing.h"
#include "oraclefile.h"
#include "packing.h"
#include "source/source.h"

static struct source_match
recognise(const char *bytes, size_t size, const char *name, struct error *err)
{
	struct input in;
	struct source_match match = { .source = NULL };
	error_clear(err);
	assert_true(input_open_memory(&in, bytes, size, err));
	bool is_fine = source_recognise(&match, name, &in, err);
	assert_int_equal(is_fine, match.source != NULL);
	assert_int_equal(is_fine, err->kind == ERROR_NONE);
	assert_int_equal(in.offset_bytes, 0);
	input_close(&in);
	return match;
}

static void
is_of_by(const char *row, const char *bytes, size_t size, const char *name, unsigned least)
{
	struct error err;
	struct source_match match = recognise(bytes, size, NULL, &err);
	if (match.source == NULL)
		fail_msg("%s: %s", row, err.message);
	if (strcmp(match.source->name, name) != 0 || match.points < least)
		fail_msg("%s: %s by %u points", row, match.source->name, match.points);
}

static void
is_of(const char *row, const char *bytes, size_t size, const char *name)
{
	is_of_by(row, bytes, size, name, SOURCE_LEAST);
}

/*
 * As it is, and packed, and packed twice. A first block of more than SOURCE_HEAD_BYTES, as zstd
 * makes of what packs badly, is left to the first row.
 */
static void
is_of_packed(const char *row, const struct text *plain, const char *name)
{
	is_of(row, plain->bytes, plain->length, name);
	for (size_t i = 0; i < PACKERS; i++) {
		struct text once = { 0 }, twice = { 0 };
		if (!packers[i].is_built)
			continue;
		packers[i].pack(&once, plain->bytes, plain->length);
		packers[i].pack(&twice, once.bytes, once.length);
		unsigned least = strcmp(name, source_row(0)->name) == 0 ? 0 : SOURCE_LEAST;
		is_of_by(row, once.bytes, once.length, name, least);
		is_of_by(row, twice.bytes, twice.length, name, least);
		text_release(&once);
		text_release(&twice);
	}
}

/* All files of a folder of testdata that end so. */
static size_t
folder_is_of(const char *folder, const char *suffix, const char *name)
{
	char path[1000];
	snprintf(path, sizeof path, "%s/%s", getenv("TTRACE_TESTDATA"), folder);
	DIR *files = opendir(path);
	assert_non_null(files);
	size_t count = 0;
	const struct dirent *file;
	while ((file = readdir(files)) != NULL) {
		size_t length = strlen(file->d_name);
		char full[2000];
		struct text text = { 0 };
		if (length < strlen(suffix) ||
			strcmp(file->d_name + length - strlen(suffix), suffix) != 0)
			continue;
		snprintf(full, sizeof full, "%s/%s", path, file->d_name);
		assert_true(oraclefile_read(full, &text));
		is_of_packed(file->d_name, &text, name);
		text_release(&text);
		count++;
	}
	closedir(files);
	return count;
}

static void
all_traces_are_recognised(void **state)
{
	(void)state;
	assert_true(folder_is_of(".", ".trace", "go") > 20);
	assert_true(folder_is_of("function_graph", ".txt", "function_graph") > 5);
	assert_true(folder_is_of("ftrace", ".txt.gz", "ftrace") > 6);
	assert_true(folder_is_of("histogram", ".txt", "histogram") > 4);
	assert_true(folder_is_of("perf_report", ".txt", "perf_report") > 9);
	assert_true(folder_is_of("strace", ".txt", "strace") > 5);
	assert_true(folder_is_of("perf_script", ".txt.gz", "perf_script") > 6);
	assert_true(folder_is_of("folded", ".folded", "folded") > 5);
	assert_true(folder_is_of("pprof", ".pb", "pprof") > 0);
	assert_true(folder_is_of("pprof", ".pb.gz", "pprof") > 4);
	assert_true(folder_is_of("pprof", ".debug1", "pprof") > 2);
	assert_true(folder_is_of("pprof", ".gperf", "pprof") > 0);
	assert_true(folder_is_of("flamegraph_svg", ".svg", "flamegraph_svg") > 4);
	assert_true(folder_is_of("pprof_text", ".txt", "pprof_text") > 7);
}

/*
 * Further inputs, where TTRACE_INPUTS names a folder of folders that are called as sources are: what
 * lies in one is that source's, but for what lies beside inputs.
 */
static void
further_inputs_are_recognised(void **state)
{
	static const char *const beside[] = { ".json", ".md", ".merged", ".folded", ".top.txt", ".raw.txt",
		".traces.txt", ".tree.txt", ".tags.txt", ".peek.txt", ".top-default.txt", ".timehist",
		".timehist-summary" };
	const char *top = getenv("TTRACE_INPUTS");
	(void)state;
	if (top == NULL)
		skip();
	for (size_t i = 0; source_names[i] != NULL; i++) {
		char path[1000];
		snprintf(path, sizeof path, "%s/%s", top, source_names[i]);
		DIR *files = opendir(path);
		const struct dirent *file;
		while (files != NULL && (file = readdir(files)) != NULL) {
			bool is_beside = file->d_name[0] == '.' || strchr(file->d_name, '.') == NULL;
			for (size_t n = 0; n < ARRAY_LENGTH(beside); n++) {
				const char *end = strstr(file->d_name, beside[n]);
				bool is_own = strcmp(source_names[i], "folded") == 0 &&
					      strcmp(beside[n], ".folded") == 0;
				is_beside = is_beside || (end != NULL && !is_own && strlen(end) == strlen(beside[n]));
			}
			char full[2000];
			struct text text = { 0 };
			snprintf(full, sizeof full, "%s/%s", path, file->d_name);
			if (is_beside || !oraclefile_read(full, &text))
				continue;
			is_of(file->d_name, text.bytes, text.length, source_names[i]);
			text_release(&text);
		}
		if (files != NULL)
			closedir(files);
	}
}

static void
texts_of_go_are_recognised(void **state)
{
	static const char *const texts[] = {
		"Trace Go1.22\n",
		"# a note\n\nTrace Go1.26\nEventBatch\n",
		"about this case\n-- expect --\nSUCCESS\n-- trace --\nTrace Go1.23\n",
		"go 1.22 trace\0\0", /* all 16 bytes are looked at */
	};
	(void)state;
	for (size_t i = 0; i + 1 < ARRAY_LENGTH(texts); i++)
		is_of(texts[i], texts[i], strlen(texts[i]), "go");
	is_of("header", texts[3], 16, "go");
	is_of("cut header", "go 1.2", 6, "go");
	is_of("odd header", "go 1.zz trace\n\n\n\n", 17, "go");
}

static void
check_refused(const char *bytes, size_t size, const char *wanted)
{
	struct error err;
	struct source_match match = recognise(bytes, size, NULL, &err);
	if (match.source != NULL)
		fail_msg("\"%.*s\" is %s by %u points", (int)size, bytes, match.source->name,
			match.points);
	if (strstr(err.message, wanted) == NULL)
		fail_msg("\"%s\" lacks \"%s\"", err.message, wanted);
	assert_int_equal(err.kind, ERROR_FORMAT);
	struct text names = { 0 };
	source_add_names(&names, "nor");
	assert_non_null(strstr(err.message, text_string(&names)));
	text_release(&names);
	assert_null(strchr(err.message, '\33'));
}

static void
what_nobody_knows_is_told(void **state)
{
	struct text readme = { 0 };
	char path[1000];
	(void)state;
	check_refused("", 0, "there is nothing in it");
	check_refused("404 page not found\n", 19, "this is plain text: \"404 page not found\"");
	check_refused("\33[2Jx { y } z();\n", 17, "this is plain text: \"");
	check_refused("\x8f\x1d\2\0\x91zz", 7, "it begins with the bytes 8f 1d 02 00 91 7a 7a");
	check_refused("\177ELF\2\1\1", 7, "this is an ELF program or library");
	check_refused("it took 3 us | and then { it } was over;\n", 41, "plain text");
	snprintf(path, sizeof path, "%s/README.md", getenv("TTRACE_TESTDATA"));
	assert_true(oraclefile_read(path, &readme));
	check_refused(readme.bytes, readme.length, "this is plain text: \"# Traces for the tests\"");
	for (size_t i = 0; i < PACKERS; i++) {
		struct text packed = { 0 };
		char wanted[100];
		if (!packers[i].is_built)
			continue;
		packers[i].pack(&packed, "hello\n", 6);
		snprintf(wanted, sizeof wanted, "unpacked from %s: no trace", packers[i].name);
		check_refused(packed.bytes, packed.length, wanted);
		text_release(&packed);
	}
	text_release(&readme);
}

/* What is packed and damaged from its beginning is told as that. */
static void
damage_of_the_packing_is_told(void **state)
{
	static const char gzip[] = "\x1f\x8b\x08\0\0\0\0\0\0\x03\xff\xff\xff\xff\xff\xff\xff";
	struct error err;
	(void)state;
	if (!packers[0].is_built)
		return;
	struct source_match match = recognise(gzip, sizeof gzip - 1, NULL, &err);
	assert_null(match.source);
	assert_non_null(strstr(err.message, "gzip data cannot be unpacked"));
}

/* Both give ten points: the first row has it. */
static void
a_tie_is_for_the_first_row(void **state)
{
	static const char text[] = "go 1.\n# tracer: function_graph\n";
	struct error err;
	(void)state;
	struct source_match go = recognise(text, sizeof text - 1, "go", &err);
	struct source_match graph = recognise(text, sizeof text - 1, "function_graph", &err);
	assert_int_equal(go.points, graph.points);
	assert_ptr_equal(recognise(text, sizeof text - 1, NULL, &err).source, source_row(0));
}

static void
a_name_overrules(void **state)
{
	struct error err;
	(void)state;
	struct source_match match = recognise("hello\n", 6, "function_graph", &err);
	assert_string_equal(match.source->name, "function_graph");
	assert_int_equal(match.points, 0);
	assert_string_equal(recognise("", 0, "go", &err).source->name, "go");
}

static struct trace *
load(const char *bytes, size_t size, const char *name, const struct go_bound *bound,
	struct error *err)
{
	struct input in;
	struct source_wish wish = { .bound = bound };
	error_clear(err);
	assert_true(input_open_memory(&in, bytes, size, err));
	struct trace *trace = source_load(&in, name, &wish, err);
	assert_int_equal(trace != NULL, err->kind == ERROR_NONE);
	input_close(&in);
	return trace;
}

/* The reader of another kind says what is wrong. */
static void
the_wrong_source_does_no_harm(void **state)
{
	static const char graph[] = "# tracer: function_graph\n 0)   1.234 us    |  name();\n";
	struct error err;
	(void)state;
	assert_null(load(graph, sizeof graph - 1, "go", NULL, &err));
	assert_non_null(strstr(err.message, "not a Go execution trace: this is plain text"));
	assert_null(load("go 1.22 trace\0\0\0\1\2\3", 19, "function_graph", NULL, &err));
	assert_string_equal(err.message, "function_graph finds nothing of its own in it");
	assert_null(load("", 0, "function_graph", NULL, &err));
}

static void
a_bound_is_refused_by_name(void **state)
{
	static const char graph[] = "# tracer: function_graph\n 0)   1.234 us    |  name();\n";
	struct go_bound bound = { .memory_bytes = 1 << 30 };
	struct error err;
	(void)state;
	assert_null(load(graph, sizeof graph - 1, NULL, &bound, &err));
	assert_int_equal(err.kind, ERROR_USAGE);
	assert_string_equal(err.message, "--memory: function_graph is only loaded whole, not in parts");
}

/* Of a pipe that goes on being open the first bytes do, and all come again. */
static void
recognising_takes_nothing_of_a_pipe(void **state)
{
	static const char header[16] = "go 1.26 trace";
	struct source_match match;
	struct input in;
	struct error err;
	int ends[2];
	char again[32];
	size_t got;
	(void)state;
	error_clear(&err);
	assert_int_equal(pipe(ends), 0);
	assert_int_equal(write(ends[1], header, sizeof header), sizeof header);
	assert_true(input_open_fd(&in, ends[0], &err));
	alarm(20); /* it would wait for ever */
	assert_true(source_recognise(&match, NULL, &in, &err));
	alarm(0);
	assert_string_equal(match.source->name, "go");
	assert_int_equal(write(ends[1], "more", 4), 4);
	close(ends[1]);
	assert_true(input_exact(&in, again, sizeof header + 4, &err));
	assert_memory_equal(again, header, sizeof header);
	assert_memory_equal(again + sizeof header, "more", 4);
	assert_true(input_some(&in, again, sizeof again, &got, &err));
	assert_int_equal(got, 0);
	input_close(&in);
}

static void
names_are_those_of_the_rows(void **state)
{
	size_t i = 0;
	(void)state;
	for (; source_row(i) != NULL; i++) {
		assert_string_equal(source_names[i], source_row(i)->name);
		assert_ptr_equal(source_find(source_names[i]), source_row(i));
	}
	assert_null(source_names[i]);
	assert_null(source_find("nothing"));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_traces_are_recognised),
		cmocka_unit_test(further_inputs_are_recognised),
		cmocka_unit_test(texts_of_go_are_recognised),
		cmocka_unit_test(what_nobody_knows_is_told),
		cmocka_unit_test(damage_of_the_packing_is_told),
		cmocka_unit_test(a_tie_is_for_the_first_row),
		cmocka_unit_test(a_name_overrules),
		cmocka_unit_test(the_wrong_source_does_no_harm),
		cmocka_unit_test(a_bound_is_refused_by_name),
		cmocka_unit_test(recognising_takes_nothing_of_a_pipe),
		cmocka_unit_test(names_are_those_of_the_rows),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

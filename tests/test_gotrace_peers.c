/*
 * Text traces from elsewhere: every *.test file of the directory that
 * TTRACE_PEER_TESTS names (the form of doc/format/go-trace-semantics.md, section
 * 11), and beside each, if there, the same trace in binary as *.trace. Skipped
 * when the variable is not set.
 */
#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include "readtrace.h"
#include "texttrace.h"

static bool
read_file(const char *path, struct text *out)
{
	FILE *file = fopen(path, "rb");
	char piece[4096];
	size_t got;
	if (file == NULL)
		return false;
	while ((got = fread(piece, 1, sizeof(piece), file)) > 0)
		text_add(out, piece, got);
	fclose(file);
	return !out->failed;
}

/* The text behind a section's marker line, or NULL. */
static const char *
section(const char *text, const char *marker)
{
	const char *at = strstr(text, marker);
	return at == NULL ? NULL : at + strlen(marker);
}

static bool
matches(const char *pattern, size_t length, const char *text)
{
	int code;
	PCRE2_SIZE place;
	pcre2_code *compiled =
		pcre2_compile((PCRE2_SPTR)pattern, length, 0, &code, &place, NULL);
	assert_non_null(compiled);
	pcre2_match_data *data = pcre2_match_data_create_from_pattern(compiled, NULL);
	int result = pcre2_match(compiled, (PCRE2_SPTR)text, strlen(text), 0, 0, data, NULL);
	pcre2_match_data_free(data);
	pcre2_code_free(compiled);
	return result >= 0;
}

/* `expected` starts with SUCCESS, or FAILURE and a quoted pattern. */
static void
check_outcome(const struct readtrace *got, const char *expected, const char *path)
{
	const char *problem = readtrace_problem(got);
	if (got->is_out_of_order)
		fail_msg("%s: times do not increase", path);
	if (strncmp(expected, "FAILURE \"", 9) != 0) {
		if (*problem != '\0')
			fail_msg("%s: %s", path, problem);
		return;
	}
	const char *pattern = expected + 9;
	if (*problem == '\0' || !matches(pattern, strcspn(pattern, "\""), problem))
		fail_msg("%s: \"%s\" is not the expected failure", path, problem);
}

/* The file as it is: the program finds the trace in it. */
static void
check_text(const char *path, const struct text *file, const char *expected)
{
	struct readtrace got = { 0 };
	readtrace_bytes(&got, file->bytes, file->length);
	check_outcome(&got, expected, path);
	readtrace_release(&got);
}

/* The same trace as bytes, where there is one beside it. */
static void
check_binary(const char *path, const struct text *file, const char *expected)
{
	struct text binary = { 0 }, converted = { 0 };
	struct readtrace got = { 0 };
	struct error err = { 0 };
	if (!read_file(path, &binary))
		return;
	readtrace_bytes(&got, binary.bytes, binary.length);
	check_outcome(&got, expected, path);
	readtrace_release(&got);
	if (!texttrace_convert(file->bytes, file->length, &converted, &err))
		fail_msg("%s: %s", path, err.message);
	if (binary.length != converted.length ||
	    memcmp(binary.bytes, converted.bytes, binary.length) != 0)
		fail_msg("%s: the text stands for other bytes", path);
	text_release(&binary);
	text_release(&converted);
}

static void
check_case(const char *directory, const char *name)
{
	struct text file = { 0 };
	char path[1000];
	snprintf(path, sizeof(path), "%s/%s", directory, name);
	assert_true(read_file(path, &file));
	const char *expected = section(file.bytes, "-- expect --\n");
	assert_non_null(expected);
	check_text(path, &file, expected);
	snprintf(path, sizeof(path), "%s/%.*s.trace", directory, (int)strlen(name) - 5, name);
	check_binary(path, &file, expected);
	text_release(&file);
}

static void
test_peers(void **state)
{
	const char *path = getenv("TTRACE_PEER_TESTS");
	unsigned count = 0;
	const struct dirent *entry;
	(void)state;
	DIR *directory = opendir(path);
	if (directory == NULL)
		fail_msg("%s cannot be opened", path);
	while ((entry = readdir(directory)) != NULL) {
		size_t length = strlen(entry->d_name);
		if (length > 5 && strcmp(entry->d_name + length - 5, ".test") == 0) {
			check_case(path, entry->d_name);
			count++;
		}
	}
	closedir(directory);
	assert_true(count > 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_peers) };
	if (getenv("TTRACE_PEER_TESTS") == NULL)
		return 77;
	return cmocka_run_group_tests(tests, NULL, NULL);
}

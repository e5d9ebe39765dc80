/* Compares with a file or, when told to, writes it. */
#include "golden.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void
golden_path(const char *name, char *path, size_t size)
{
	const char *top = getenv("TTRACE_SRCDIR");
	snprintf(path, size, "%s/tests/golden/%s", top != NULL ? top : ".", name);
}

static void
write_golden(const char *path, const struct text *made)
{
	FILE *file = fopen(path, "wb");
	if (file == NULL)
		fail_msg("%s: %s", path, strerror(errno));
	assert_int_equal(fwrite(made->bytes, 1, made->length, file), made->length);
	assert_int_equal(fclose(file), 0);
}

static void
read_golden(const char *path, struct text *wanted)
{
	char part[4096];
	FILE *file = fopen(path, "rb");
	if (file == NULL)
		fail_msg("%s: %s (TTRACE_GOLDEN=write makes it)", path, strerror(errno));
	for (size_t got; (got = fread(part, 1, sizeof(part), file)) > 0;)
		text_add(wanted, part, got);
	fclose(file);
	assert_false(wanted->failed);
}

static int
line_length(const char *bytes)
{
	return (int)strcspn(bytes, "\n");
}

void
golden_check(const char *name, const struct text *made)
{
	char path[4096];
	golden_path(name, path, sizeof(path));
	assert_true(made->length > 0 && !made->failed);
	if (getenv("TTRACE_GOLDEN") != NULL && strcmp(getenv("TTRACE_GOLDEN"), "write") == 0) {
		write_golden(path, made);
		return;
	}
	struct text text = { 0 };
	read_golden(path, &text);
	const char *got = made->bytes, *wanted = text.length > 0 ? text.bytes : "";
	int line = 1;
	while (line_length(got) == line_length(wanted) &&
		memcmp(got, wanted, (size_t)line_length(got)) == 0) {
		got += line_length(got);
		wanted += line_length(wanted);
		if (*got == '\0' || *wanted == '\0')
			break;
		got++;
		wanted++;
		line++;
	}
	if (*got != '\0' || *wanted != '\0')
		fail_msg("%s, line %d:\ngot    \"%.*s\"\nwanted \"%.*s\"", name, line,
			line_length(got), got, line_length(wanted), wanted);
	text_release(&text);
}

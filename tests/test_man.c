/*
 * The manual page against the tables that drive the program: every option with its
 * forms, every command with its keys and its help. On a difference the lines
 * that the page should have are printed.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "analysis/registry.h"
#include "app/keys.h"
#include "app/options.h"
#include "source/go/words.h"
#include "trace/words.h"

/* The page, whole. */
static int
read_page(void **state)
{
	const char *top = getenv("TTRACE_SRCDIR");
	char path[4096];
	snprintf(path, sizeof path, "%s/man/ttrace.1", top != NULL ? top : ".");
	FILE *file = fopen(path, "r");
	if (file == NULL)
		return -1;
	static struct text page;
	char bytes[4096];
	size_t got;
	while ((got = fread(bytes, 1, sizeof bytes, file)) > 0)
		text_add(&page, bytes, got);
	fclose(file);
	*state = &page;
	return page.failed || page.length == 0 ? -1 : 0;
}

static int
release_page(void **state)
{
	text_release(*state);
	return 0;
}

static void
check_lines(const struct text *page, const char *lines)
{
	if (strstr(page->bytes, lines) == NULL)
		fail_msg("the manual page lacks\n%s", lines);
}

static void
the_page_has_every_option(void **state)
{
	for (size_t i = 0; options_row(i) != NULL; i++) {
		const struct option_row *row = options_row(i);
		struct text lines = { 0 };
		text_add_string(&lines, "\n.It ");
		if (row->letter != 0)
			text_format(&lines, "Fl %c , ", row->letter);
		text_format(&lines, "Fl -%s", row->name);
		if (row->argument != NULL)
			text_format(&lines, " Ns = Ns Ar %s", row->argument);
		text_add_string(&lines, "\n");
		check_lines(*state, lines.bytes);
		text_release(&lines);
	}
}

/* In the list of reports, with what stands behind the colon where there is something. */
static void
the_page_has_every_analysis(void **state)
{
	const struct analysis_kind *kind;
	for (size_t i = 0; (kind = registry_at(i)) != NULL; i++) {
		struct text lines = { 0 };
		text_format(&lines, "\n.It Cm %s%s", kind->name, kind->read != NULL ? " : " : "\n");
		check_lines(*state, lines.bytes);
		text_release(&lines);
	}
}

static void
the_page_has_no_other_option(void **state)
{
	const struct text *page = *state;
	const char *at = page->bytes;
	while ((at = strstr(at, "Fl -")) != NULL) {
		at += strlen("Fl -");
		size_t length = strcspn(at, " \n,"), i = 0;
		for (; options_row(i) != NULL; i++) {
			const char *name = options_row(i)->name;
			if (strlen(name) == length && strncmp(name, at, length) == 0)
				break;
		}
		if (options_row(i) == NULL)
			fail_msg("there is no option --%.*s", (int)length, at);
	}
}

/* A key as the argument of a macro: what the formatter would take for its own is shielded. */
static void
add_key(struct text *out, const char *key, size_t length)
{
	bool is_name = strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789",
			       *key) != NULL;
	if (*key == '^')
		text_add_string(out, "\\(ha");
	else if (*key == '-')
		text_add_string(out, "\\-");
	else
		text_format(out, "%s%.*s", is_name ? "" : "\\&", (int)length, key);
}

static void
add_command(struct text *out, enum command command, unsigned context)
{
	struct text keys = { 0 };
	keys_add_names(keys_usual(), &keys, command, context);
	text_add_string(out, ".It Ic");
	for (const char *key = keys.bytes; *key != '\0'; key += strspn(key, " ")) {
		size_t length = strcspn(key, " ");
		text_add_string(out, " ");
		add_key(out, key, length);
		key += length;
	}
	text_add_string(out, "\n");
	text_add_words(out, &go_words, command_row(command)->help);
	text_format(out, "\n.Pq Cm %s\n", command_row(command)->name);
	text_release(&keys);
}

static void
check_commands(const struct text *page, unsigned context)
{
	struct text lines = { 0 };
	for (int group = 0; group < GROUP_COUNT; group++) {
		text_clear(&lines);
		for (int i = 0; i < COMMAND_COUNT; i++) {
			const struct command_row *row = command_row((enum command)i);
			if ((int)row->group == group && (row->contexts & context) != 0)
				add_command(&lines, (enum command)i, context);
		}
		if (lines.length > 0)
			check_lines(page, lines.bytes);
	}
	text_release(&lines);
}

static void
the_page_has_the_keys_of_the_timeline(void **state)
{
	check_commands(*state, IN_TIMELINE);
}

static void
the_page_has_the_keys_of_pages_of_text(void **state)
{
	check_commands(*state, IN_DETAIL);
}

static void
the_page_has_the_keys_of_analyses(void **state)
{
	check_commands(*state, IN_ANALYSIS);
}

static void
the_page_has_the_keys_of_charts(void **state)
{
	check_commands(*state, IN_CHART);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_page_has_every_option),
		cmocka_unit_test(the_page_has_every_analysis),
		cmocka_unit_test(the_page_has_no_other_option),
		cmocka_unit_test(the_page_has_the_keys_of_the_timeline),
		cmocka_unit_test(the_page_has_the_keys_of_pages_of_text),
		cmocka_unit_test(the_page_has_the_keys_of_analyses),
		cmocka_unit_test(the_page_has_the_keys_of_charts),
	};
	return cmocka_run_group_tests(tests, read_page, release_page);
}

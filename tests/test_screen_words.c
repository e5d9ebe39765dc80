/*
 * The screen of a trace whose source has words of its own: no page says one of Go's, but for what is
 * told of Go alone.
 */
#include <ctype.h>
#include <string.h>

#include "base_testing.h"
#include "pagetest.h"
#include "trace/words.h"

enum { WIDTH = 220, HEIGHT = 150, MOST_LEFT = 6 };

static struct words zork_words = {
	.source = "zork",
	.actor = { "zork", "zorks", 'Z' },
	.processor = { "quux", "quuxes", '\0' },
	.thread = { "yarn", "yarns", 'Y' },
	.group = { "horde", "hordes", '\0' },
	.task = { "quest", "quests", 'Q' },
};

/* On any page: what the trace says itself. */
static const char *const anywhere[] = { "system goroutine wait", "system goroutine wai..." };

static void
cover(struct text *page, const char *words)
{
	for (char *found; (found = strstr(page->bytes, words)) != NULL;)
		memset(found, '#', strlen(words));
}

/* "G1" and the like. */
static bool
has_id(const char *line)
{
	for (size_t i = 0; line[i] != '\0'; i++)
		if (strchr("GPM", line[i]) != NULL && isdigit((unsigned char)line[i + 1]) &&
			(i == 0 || !isalnum((unsigned char)line[i - 1])))
			return true;
	return false;
}

/* Tells of each line that has one of Go's words outside the texts that are left; how many there are. */
static int
check_page(struct page_test *test, const char *name, const char *const left[])
{
	static const char *const words[] = { "goroutine", "Goroutine", " proc", "Procs", " thread", "Thread",
		"for a P ", "for a P,", "for a P:", " its P", " their P", "user task", "user region", "GOMAXPROCS" };
	struct text page = { 0 };
	int wrong = 0;
	text_add_string(&page, page_text(test));
	for (size_t i = 0; i < MOST_LEFT && left[i] != NULL; i++) {
		if (strstr(page.bytes, left[i]) == NULL) {
			print_error("%s lacks: %s\n", name, left[i]);
			wrong++;
		}
		cover(&page, left[i]);
	}
	for (size_t i = 0; i < ARRAY_LENGTH(anywhere); i++)
		cover(&page, anywhere[i]);
	for (char *line = page.bytes; *line != '\0'; line += strlen(line) + 1) {
		line[strcspn(line, "\n")] = '\0';
		if (has_id(line)) {
			print_error("%s: %s\n", name, line);
			wrong++;
		}
		for (size_t i = 0; i < ARRAY_LENGTH(words); i++)
			if (strstr(line, words[i]) != NULL) {
				print_error("%s: %s\n", name, line);
				wrong++;
			}
	}
	text_release(&page);
	return wrong;
}

static void
no_page_says_a_word_of_go(void **state)
{
	static const struct {
		const char *name, *keys, *line; /* from the timeline; then a command, NULL for none */
		const char *has;                /* one of the source's words, NULL for none */
		const char *left[MOST_LEFT];    /* what only Go has */
	} pages[] = {
		{ "timeline", "", NULL, "Zorks", { NULL } },
		{ "help", "?", NULL, "zork", { NULL } },
		{ "analyses", "a", NULL, "all zorks", { NULL } },
		{ "goroutines", "", "analyse goroutines", "All zorks by name", { NULL } },
		{ "members", "", "analyse function:main.main", "Zorks of main.main", { NULL } },
		{ "longest", "", "analyse longest:block", "zork", { NULL } },
		{ "histogram", "", "analyse histogram:block", NULL, { NULL } },
		{ "top", "", "analyse top:sync", NULL, { NULL } },
		{ "tree", "", "analyse tree:offcpu", NULL, { NULL } },
		{ "flame", "", "analyse flame:sched", NULL, { NULL } },
		{ "tasks", "", "analyse tasks", NULL, { NULL } },
		{ "regions", "", "analyse regions", NULL, { NULL } },
		{ "gc", "", "analyse gc", NULL, { NULL } },
		{ "mmu", "", "analyse mmu", "each quux", { NULL } },
		{ "utilisation", "", "analyse utilisation", "quuxes busy", { NULL } },
		{ "heap", "", "analyse heap", "quuxes of the collector", { NULL } },
		{ "nobody", "", "analyse function:main.nobody", NULL, { NULL } },
		{ "everyone", "", "everyone", "zorks at this time", { NULL } },
		{ "why", ": j u m p Space 5 0 % Enter : l a s t - r o w Enter", "why", "Why Z", { NULL } },
		{ "critical", "", "critical-path", "Critical path of Z1", { NULL } },
		{ "woken", "", "woken", "Whom Z1", { NULL } },
		{ "detail", "", "open", "on quux 0, yarn ", { NULL } },
		{ "focus", "", "focus-goroutine", "Z1", { NULL } },
		{ "interacts", "", "interacts", " zorks are ", { NULL } },
		{ "findings", "", "findings", "Findings of the program's zorks", { NULL } },
		{ "slots", "", "findings", "2 zorks waited for a quux", { NULL } },
		{ "fine", "", "findings", "no zorks were stuck", { NULL } },
		{ "groups", "", "group-lanes creator", "zorks are grouped by creator", { NULL } },
		{ "sorting", "", "sort-lanes", "zorks: ", { NULL } },
		{ "counting", "", "count dur>1ns", " zorks", { NULL } },
		{ "prompt", ": e v e r y", NULL, "all zorks at this time", { NULL } },
		{ "requests", "", "requests", "Quests", { NULL } },
	};
	int wrong = 0;
	(void)state;
	memcpy(zork_words.classes, words_plain.classes, sizeof zork_words.classes);
	for (size_t i = 0; i < ARRAY_LENGTH(pages); i++) {
		struct page_test test;
		page_begin(&test, "httpserver-go1.23", WIDTH, HEIGHT, NULL);
		test.trace->words = &zork_words;
		page_settle(&test);
		page_press(&test, pages[i].keys);
		if (pages[i].line != NULL) {
			page_press(&test, ":");
			page_type(&test, pages[i].line);
		}
		if (pages[i].has != NULL && strstr(page_text(&test), pages[i].has) == NULL) {
			print_error("%s lacks: %s\n", pages[i].name, pages[i].has);
			wrong++;
		}
		wrong += check_page(&test, pages[i].name, pages[i].left);
		page_end(&test);
	}
	assert_int_equal(wrong, 0);
}

/* Of a source that has none, and no system calls either. */
static void
what_a_trace_cannot_have_is_not_named(void **state)
{
	static const char *const words[] = { "ollect", "GC", "gc", "world", "ssist", "yscall", "ystem call" };
	static const struct {
		const char *line, *has;
	} pages[] = {
		{ "analyse", "the quuxes" },
		{ "analyse utilisation", "quuxes busy" },
		{ "findings", "no zorks were stuck" },
	};
	int wrong = 0;
	(void)state;
	memcpy(zork_words.classes, words_plain.classes, sizeof zork_words.classes);
	zork_words.classes[CLASS_WORKER].name = zork_words.classes[CLASS_SYSCALL].name = NULL;
	for (size_t i = 0; i < ARRAY_LENGTH(pages); i++) {
		struct page_test test;
		page_begin(&test, "tasks-go1.23", WIDTH, HEIGHT, NULL);
		test.trace->words = &zork_words;
		page_settle(&test);
		page_press(&test, ":");
		page_type(&test, pages[i].line);
		const char *page = page_text(&test);
		if (strstr(page, pages[i].has) == NULL) {
			print_error("%s lacks: %s\n%s\n", pages[i].line, pages[i].has, page);
			wrong++;
		}
		for (size_t k = 0; k < ARRAY_LENGTH(words); k++)
			if (strstr(page, words[k]) != NULL) {
				print_error("%s: %.60s\n", pages[i].line, strstr(page, words[k]));
				wrong++;
			}
		page_end(&test);
	}
	assert_int_equal(wrong, 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(no_page_says_a_word_of_go),
		cmocka_unit_test(what_a_trace_cannot_have_is_not_named),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

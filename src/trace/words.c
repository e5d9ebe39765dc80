/* The words of a trace, and texts that leave room for them. */
#include "trace/words.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/compiler.h"

const struct words words_plain = {
	.source = "",
	.actor = { "actor", "actors", 'A' },
	.processor = { "processor", "processors", 'P' },
	.thread = { "thread", "threads", 'T' },
	.group = { "group", "groups", '\0' },
	.name = { "name", "names", '\0' },
	.function = { "name", "names", '\0' },
	.task = { "task", "tasks", '\0' },
	.sample = { "CPU sample", "CPU samples", '\0' },
	.classes = {
		[CLASS_GONE] = { "gone", NULL },
		[CLASS_UNKNOWN] = { "unknown", "unknown: the trace does not say" },
		[CLASS_RUNNING] = { "running", "running" },
		[CLASS_WORKER] = { "worker", "runs for the runtime" },
		[CLASS_READY] = { "ready", "ready to run: waits for {an processor}" },
		[CLASS_SYSCALL] = { "syscall", "in a system call" },
		[CLASS_CHANNEL] = { "channel", "blocked: sends or receives" },
		[CLASS_SELECT] = { "select", "blocked: for one of several things" },
		[CLASS_SYNC] = { "sync", "blocked: for a lock or another {actor}" },
		[CLASS_NETWORK] = { "network", "blocked: network" },
		[CLASS_SLEEP] = { "sleep", "blocked: asleep" },
		[CLASS_RUNTIME] = { "runtime wait", "blocked: waits for the runtime" },
		[CLASS_IDLE] = { "idle", "has nothing to do" },
		[CLASS_FOREVER] = { "forever", "blocked for ever" },
		[CLASS_OTHER] = { "blocked", "blocked: anything else" },
	},
};

const char *
class_name(const struct words *words, enum time_class time_class)
{
	const char *name = words->classes[time_class].name;
	return name != NULL ? name : words_plain.classes[time_class].name;
}

const char *
words_clock(const struct words *words, uint32_t minor)
{
	return minor >= words->clock.since_minor ? words->clock.name : NULL;
}

class_mask
words_classes(const struct words *words)
{
	class_mask classes = 0;
	for (int i = CLASS_GONE + 1; i < CLASS_COUNT; i++)
		if (words->classes[i].name != NULL)
			classes = (class_mask)(classes | CLASS_BIT(i));
	return classes;
}

static bool
is_text(const char *text, const char *bytes, size_t length)
{
	return strlen(text) == length && memcmp(text, bytes, length) == 0;
}

static const struct reason_class *
find_reason(const struct words *words, const char *reason, size_t length)
{
	const struct reason_class *it = words->reasons;
	while (it != NULL && it->reason != NULL && !is_text(it->reason, reason, length))
		it++;
	return it != NULL && it->reason != NULL ? it : NULL;
}

bool
words_have_reason(const struct words *words, const char *reason, size_t length)
{
	return find_reason(words, reason, length) != NULL;
}

enum time_class
words_class(const struct words *words, enum state state, bool is_worker, const char *reason,
	size_t length)
{
	switch (state) {
	case STATE_GONE:
		return CLASS_GONE;
	case STATE_UNKNOWN:
		return CLASS_UNKNOWN;
	case STATE_RUNNING:
		return is_worker ? CLASS_WORKER : CLASS_RUNNING;
	case STATE_READY:
		return CLASS_READY;
	case STATE_SYSCALL:
		return CLASS_SYSCALL;
	case STATE_BLOCKED:
	case STATE_COUNT:
		break;
	}
	const struct reason_class *of = find_reason(words, reason, length);
	return of != NULL ? of->time_class : CLASS_OTHER;
}

bool
words_name_worker(const struct words *words, const char *name, size_t length)
{
	return words->worker != NULL && is_text(words->worker, name, length);
}

/* Whether the name in braces [name, name + length) is that of the noun, or of several. */
static bool
is_name(const char *name, size_t length, const char *noun, bool *are_many)
{
	size_t own = strlen(noun);
	*are_many = length == own + 1 && name[own] == 's';
	return (length == own || *are_many) && tolower((unsigned char)name[0]) == noun[0] &&
	       memcmp(name + 1, noun + 1, own - 1) == 0;
}

/* The word for what stands in braces, the model's where the trace has none; NULL for no noun. */
static const char *
find_word(const struct words *words, const char *name, size_t length)
{
	const struct {
		const char *name;
		const struct noun *noun;
	} nouns[] = {
		{ "actor", &words->actor },
		{ "processor", &words->processor },
		{ "slot", words->slot.one != NULL ? &words->slot : &words->processor },
		{ "thread", &words->thread },
		{ "group", &words->group },
		{ "task", &words->task },
		{ "sample", &words->sample },
		{ "name", &words->name },
		{ "function", &words->function },
	};
	bool are_many = false;
	size_t i;
	for (i = 0; i < ARRAY_LENGTH(nouns); i++)
		if (is_name(name, length, nouns[i].name, &are_many))
			break;
	if (i == ARRAY_LENGTH(nouns))
		return NULL;
	const char *word = are_many ? nouns[i].noun->many : nouns[i].noun->one;
	return word != NULL ? word : find_word(&words_plain, name, length);
}

/* Adds the word for [name, name + length); false where that is no name of a word. */
static bool
add_word(struct text *out, const struct words *words, const char *name, size_t length)
{
	bool is_capital = isupper((unsigned char)name[0]) != 0;
	bool has_article = length > 3 && tolower((unsigned char)name[0]) == 'a' &&
			   memcmp(name + 1, "n ", 2) == 0;
	const char *word = find_word(
		words, has_article ? name + 3 : name, has_article ? length - 3 : length);
	if (word == NULL)
		return false;
	if (has_article) {
		text_add_string(out, is_capital ? "A" : "a");
		text_add_string(out, strchr("aeiou", word[0]) != NULL ? "n " : " ");
	} else if (is_capital) {
		text_add(out, &(char){ (char)toupper((unsigned char)word[0]) }, 1);
		word++;
	}
	text_add_string(out, word);
	return true;
}

void
text_add_words(struct text *out, const struct words *words, const char *pattern)
{
	for (;;) {
		size_t plain = strcspn(pattern, "{");
		text_add(out, pattern, plain);
		pattern += plain;
		if (*pattern == '\0')
			return;
		const char *end = strchr(pattern, '}');
		if (end != NULL &&
			add_word(out, words, pattern + 1, (size_t)(end - pattern) - 1)) {
			pattern = end + 1;
			continue;
		}
		text_add(out, pattern++, 1);
	}
}

/* The format that a pattern is, in `room`. */
static ATTR_FORMAT_OF(3) const char *
format_of(struct text *room, const struct words *words, const char *pattern)
{
	text_add_words(room, words, pattern);
	return text_string(room);
}

void
text_format_words_list(
	struct text *out, const struct words *words, const char *pattern, va_list args)
{
	struct text room = { 0 };
	text_format_list(out, format_of(&room, words, pattern), args);
	out->failed = out->failed || room.failed;
	text_release(&room);
}

void
text_format_words(struct text *out, const struct words *words, const char *pattern, ...)
{
	va_list args;
	va_start(args, pattern);
	text_format_words_list(out, words, pattern, args);
	va_end(args);
}

bool
error_set_words(struct error *err, enum error_kind kind, const struct words *words,
	const char *pattern, ...)
{
	struct text message = { 0 };
	va_list args;
	va_start(args, pattern);
	text_format_words_list(&message, words, pattern, args);
	va_end(args);
	if (message.failed)
		error_set_memory(err, "a message");
	else
		error_set(err, kind, "%s", text_string(&message));
	text_release(&message);
	return false;
}

const char *
words_title(const struct words *words, const char *pattern)
{
	size_t length = strlen(pattern);
	const char *word = NULL;
	if (length > 2 && pattern[0] == '{' && pattern[length - 1] == '}')
		word = find_word(words, pattern + 1, length - 2);
	return word != NULL ? word : pattern;
}

const char *
words_key(const struct words *words, const char *pattern)
{
	const struct {
		const char *pattern, *own, *general;
	} keys[] = {
		{ "{id}", words->keys.id, words_title(words, "{actor}") },
		{ "{wake_id}", words->keys.wake_id, "wake.of" },
		{ "{p}", words->keys.processor, words_title(words, "{processor}") },
		{ "{m}", words->keys.thread, words_title(words, "{thread}") },
	};
	for (size_t i = 0; i < ARRAY_LENGTH(keys); i++)
		if (strcmp(keys[i].pattern, pattern) == 0)
			return keys[i].own != NULL ? keys[i].own : keys[i].general;
	return words_title(words, pattern);
}

void
text_add_id(struct text *out, const struct noun *noun, int64_t id)
{
	if (noun->letter != '\0')
		text_format(out, "%c%" PRId64, noun->letter, id);
	else
		text_format(out, "%s %" PRId64, noun->one, id);
}

void
text_add_whose(struct text *out, const struct words *words, bool is_of_all)
{
	text_add_words(out, words, is_of_all ? "all {actors}" : "the program's {actors}");
}

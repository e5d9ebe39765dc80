/*
 * Names in folded stacks as stackcollapse-perf.pl and inferno-collapse-perf have them, so that what
 * knows theirs knows ours. Everywhere else names are as perf script prints them.
 */
#include <string.h>

#include "source/perf_script/script.h"

static const char anonymous[] = "(anonymous namespace)", inlined[] = "_[i]";

void
script_fold_task(struct text *out, const char *name, size_t length)
{
	size_t start = out->length;
	text_add(out, name, length);
	for (size_t i = start; i < out->length && !out->failed; i++)
		if (out->bytes[i] == ' ' || out->bytes[i] == '\t')
			out->bytes[i] = '_';
}

/* Where the arguments begin: at the first "(" outside of other brackets that belongs to no name. */
static size_t
without_arguments(const char *name, size_t length)
{
	long depth = 0;
	for (size_t i = 0; i < length; i++) {
		char c = name[i];
		depth += c == '<' || c == '{' || c == '[';
		depth -= c == '>' || c == '}' || c == ']';
		if (c != '(' || depth > 0 || (i > 0 && name[i - 1] == '.'))
			continue;
		if (length - i < strlen(anonymous) || memcmp(name + i, anonymous, strlen(anonymous)) != 0)
			return i;
	}
	return length;
}

bool
script_fold_name(struct text *out, const char *name, size_t length, const char *task, size_t task_length)
{
	size_t mark = strlen(inlined);
	bool is_inlined = length >= mark && memcmp(name + length - mark, inlined, mark) == 0;
	if (length > 0 && name[0] == '(' && !is_inlined)
		return false;
	length = without_arguments(name, length - (is_inlined ? mark : 0));
	/* Java's own names of classes, "Ljava/lang/String". */
	if (text_has_prefix(task, task_length, "java") && length > 0 && name[0] == 'L' &&
		memchr(name, '/', length) != NULL) {
		name++;
		length--;
	}
	size_t start = out->length;
	text_add(out, name, length);
	for (size_t i = start; i < out->length && !out->failed; i++)
		if (out->bytes[i] == ';')
			out->bytes[i] = ':';
	text_add_string(out, is_inlined ? inlined : "");
	return true;
}

/* What of a value names a profile. */
#include <string.h>

#include "app/options_internal.h"

static const char exact[] = ",exact";

/* Whether the text is the word, and perhaps asks for the exact rule. */
static bool
names(const char *text, const char *word, bool *is_exact)
{
	size_t length = strlen(word);
	if (strncmp(text, word, length) != 0)
		return false;
	*is_exact = strcmp(text + length, exact) == 0;
	return *is_exact || text[length] == '\0';
}

bool
option_take_profile(const struct option *option, const char *value, const char *text,
	struct options *options, struct error *err)
{
	for (int kind = 0; kind < PROFILE_KIND_COUNT; kind++) {
		bool is_exact;
		if (!names(text, profile_name((enum profile_kind)kind), &is_exact))
			continue;
		if (is_exact && (kind == PROFILE_CPU || kind == PROFILE_OFFCPU))
			return error_set(err, ERROR_USAGE, "--%s=%s: %s is always exact",
				option->row.name, value, profile_name((enum profile_kind)kind));
		options->profile = (enum profile_kind)kind;
		options->profile_rule = is_exact ? PROFILE_EXACT : PROFILE_STACKED;
		return true;
	}
	return error_set(err, ERROR_USAGE,
		"--%s=%s: of what? behind the colon wanted net, sync, syscall, sched, cpu or offcpu",
		option->row.name, value);
}

/* Words with commas between them. */
#include "view/profile_choice.h"

#include <string.h>

#include "analysis/profile_filter.h"
#include "query/pattern.h"
#include "view/analyses.h"

static const char as_go[] = "as-go", exact[] = "exact", focus_is[] = "focus=", ignore_is[] = "ignore=";

/* Takes the next word, with single commas for double ones; returns what is behind it, NULL for nothing. */
static const char *
take_word(struct text *word, const char *at)
{
	text_clear(word);
	for (; *at != '\0' && (*at != ',' || at[1] == ','); at++) {
		at += *at == ',';
		text_add(word, at, 1);
	}
	return *at == ',' ? at + 1 : NULL;
}

static bool
read_kind(struct profile_choice *choice, const char *word)
{
	for (int i = 0; i < PROFILE_KIND_COUNT; i++) {
		if (strcmp(profile_name((enum profile_kind)i), word) != 0)
			continue;
		choice->kind = (enum profile_kind)i;
		return true;
	}
	return false;
}

/* A pattern behind such a word; one that is not empty, and there is only one. */
static bool
read_pattern(struct text *pattern, const struct text *word, const char *before)
{
	size_t length = strlen(before);
	if (!text_has_prefix(word->bytes, word->length, before) || word->length == length ||
		pattern->length > 0)
		return false;
	text_add(pattern, word->bytes + length, word->length - length);
	return !pattern->failed;
}

static bool
read_word(struct profile_choice *choice, const struct text *word)
{
	if (word->failed || word->length == 0)
		return false;
	if (strcmp(word->bytes, as_go) == 0 && choice->rule == PROFILE_STATES) {
		choice->rule = PROFILE_STACKED;
		return true;
	}
	if (strcmp(word->bytes, exact) == 0 && choice->rule == PROFILE_STACKED) {
		choice->rule = PROFILE_EXACT;
		return choice->kind != PROFILE_CPU && choice->kind != PROFILE_OFFCPU;
	}
	return read_pattern(&choice->focus, word, focus_is) ||
	       read_pattern(&choice->ignore, word, ignore_is);
}

bool
profile_choice_read(struct profile_choice *choice, const char *parameter)
{
	struct text word = { 0 };
	choice->rule = PROFILE_STATES;
	text_clear(&choice->focus);
	text_clear(&choice->ignore);
	const char *rest = take_word(&word, parameter);
	bool is_fine = word.length > 0 && !word.failed && read_kind(choice, word.bytes);
	while (is_fine && rest != NULL) {
		rest = take_word(&word, rest);
		is_fine = read_word(choice, &word);
	}
	text_release(&word);
	return is_fine;
}

void
profile_choice_release(struct profile_choice *choice)
{
	text_release(&choice->focus);
	text_release(&choice->ignore);
}

static void
add_pattern(struct text *out, const char *before, const struct text *pattern)
{
	if (pattern->length == 0)
		return;
	text_format(out, ",%s", before);
	for (size_t i = 0; i < pattern->length; i++) {
		text_add(out, &pattern->bytes[i], 1);
		if (pattern->bytes[i] == ',')
			text_add_string(out, ",");
	}
}

void
profile_choice_add(struct text *out, const struct profile_choice *choice)
{
	text_add_string(out, profile_name(choice->kind));
	if (choice->rule != PROFILE_STATES)
		text_format(out, ",%s", as_go);
	if (choice->rule == PROFILE_EXACT)
		text_format(out, ",%s", exact);
	add_pattern(out, focus_is, &choice->focus);
	add_pattern(out, ignore_is, &choice->ignore);
}

bool
profile_choice_filter(const struct profile_choice *choice, struct profile *profile,
	const struct trace *trace, struct error *err)
{
	return profile_filter(
		profile, trace, text_string(&choice->focus), text_string(&choice->ignore), err);
}

/* ---- of a page */

/* Makes the profile that is chosen now. */
static void
choose(struct analysis *analysis, struct session *session, const struct profile_choice *choice)
{
	struct text parameter = { 0 };
	struct error err;
	error_clear(&err);
	profile_choice_add(&parameter, choice);
	if (parameter.failed)
		error_set_memory(&err, "the profile");
	if (parameter.failed || !analyses_change(session, analysis, parameter.bytes, &err))
		session_status(session, true, "%s", err.message);
	text_release(&parameter);
}

void
profile_choice_change(struct analysis *analysis, struct session *session, enum command command,
	const char *argument)
{
	struct profile_choice choice = { 0 };
	struct error note;
	error_clear(&note);
	profile_choice_read(&choice, analysis_parameter(analysis));
	struct text *pattern = command == COMMAND_FOCUS_CALLS ? &choice.focus : &choice.ignore;
	text_clear(pattern);
	text_add_string(pattern, argument);
	struct pattern *tried = *argument != '\0' ? pattern_new(argument, &note) : NULL;
	if (note.kind != ERROR_NONE)
		session_status(session, true, "%s", note.message);
	if (tried != NULL || *argument == '\0')
		choose(analysis, session, &choice);
	pattern_free(tried);
	profile_choice_release(&choice);
}

bool
profile_choice_drop(struct analysis *analysis, struct session *session)
{
	struct profile_choice choice = { 0 };
	profile_choice_read(&choice, analysis_parameter(analysis));
	struct text *pattern = choice.ignore.length > 0 ? &choice.ignore : &choice.focus;
	bool has_any = pattern->length > 0;
	text_clear(pattern);
	if (has_any)
		choose(analysis, session, &choice);
	profile_choice_release(&choice);
	return has_any;
}

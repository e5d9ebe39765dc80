/* A word, perhaps with a name behind it; what begins with none of the words is a query. */
#include "analysis/latency_kind.h"

#include <string.h>

#include "base/memory.h"
#include "query/query.h"
#include "trace/words.h"

enum takes { TAKES_NOTHING, TAKES_MAYBE, TAKES_NAME };

static const struct {
	const char *word;
	enum takes takes;
} types[LATENCY_QUERY] = {
	[LATENCY_SCHED] = { "sched", TAKES_NOTHING },
	[LATENCY_STW] = { "stw", TAKES_NOTHING },
	[LATENCY_GC] = { "gc", TAKES_NOTHING },
	[LATENCY_ASSIST] = { "assist", TAKES_NOTHING },
	[LATENCY_SWEEP] = { "sweep", TAKES_NOTHING },
	[LATENCY_SYSCALL] = { "syscall", TAKES_NOTHING },
	[LATENCY_BLOCK] = { "block", TAKES_MAYBE },
	[LATENCY_REGION] = { "region", TAKES_NAME },
	[LATENCY_TASK] = { "task", TAKES_NAME },
};

/* What is being read. */
struct part {
	const char *text;
	size_t from, to;
	struct error *err;
};

static bool
fail_at(const struct part *part, size_t at, const char *what)
{
	return error_set_at(part->err, ERROR_USAGE, at, "%s, at character %zu", what,
		text_character_number(part->text, strlen(part->text), at));
}

static bool
is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

static void
trim(struct part *part)
{
	while (part->from < part->to && is_blank(part->text[part->from]))
		part->from++;
	while (part->from < part->to && is_blank(part->text[part->to - 1]))
		part->to--;
}

/* Takes off the quotes. */
static bool
unquote(struct part *part)
{
	if (part->from == part->to || part->text[part->from] != '"')
		return true;
	if (part->to - part->from < 2 || part->text[part->to - 1] != '"')
		return fail_at(part, part->from, "this quote is not closed");
	part->from++;
	part->to--;
	return true;
}

static bool
take_name(const struct part *part, struct latency_kind *kind)
{
	size_t length = part->to - part->from;
	kind->name = array_new(length + 1, 1, part->err);
	if (kind->name != NULL)
		memcpy(kind->name, part->text + part->from, length);
	return kind->name != NULL;
}

/* Blanks before it, which are skipped, make the places in its errors those in the whole text. */
static bool
check_query(const struct part *part)
{
	struct error note;
	error_clear(&note);
	if (part->to > QUERY_MOST_BYTES)
		return fail_at(part, QUERY_MOST_BYTES, "the query is too long");
	char *padded = array_new(part->to + 1, 1, part->err);
	if (padded == NULL)
		return false;
	memset(padded, ' ', part->from);
	memcpy(padded + part->from, part->text + part->from, part->to - part->from);
	struct query *query = query_new(padded, &words_plain, &note);
	memory_free(padded);
	if (query == NULL)
		*part->err = note;
	query_free(query);
	return query != NULL;
}

static bool
take_query(struct part *part, struct latency_kind *kind)
{
	kind->type = LATENCY_QUERY;
	return unquote(part) && check_query(part) && take_name(part, kind);
}

/* The type whose word begins the part, and ends at a blank, a = or its end. */
static enum latency_type
find_word(const struct part *part)
{
	size_t length = 0;
	while (part->from + length < part->to && part->text[part->from + length] != '=' &&
		!is_blank(part->text[part->from + length]))
		length++;
	int type = 0;
	while (type < LATENCY_QUERY && (strlen(types[type].word) != length ||
		       memcmp(types[type].word, part->text + part->from, length) != 0))
		type++;
	return (enum latency_type)type;
}

/* What may stand behind the word. */
static bool
take_rest(struct part *part, struct latency_kind *kind)
{
	enum takes takes = types[kind->type].takes;
	part->from += strlen(types[kind->type].word);
	trim(part);
	if (part->from == part->to)
		return takes != TAKES_NAME || fail_at(part, part->to, "= and a name are missing");
	if (takes == TAKES_NOTHING)
		return fail_at(part, part->from, "nothing stands behind this kind");
	if (part->text[part->from] != '=')
		return fail_at(part, part->from, "before the name = is missing");
	part->from++;
	trim(part);
	if (part->from == part->to)
		return fail_at(part, part->from, "a name is missing");
	return unquote(part) && take_name(part, kind);
}

static bool
parse(struct part *part, struct latency_kind *kind)
{
	trim(part);
	if (part->from == part->to)
		return fail_at(part, part->from, "a kind is missing");
	kind->type = find_word(part);
	if (kind->type != LATENCY_QUERY)
		return take_rest(part, kind);
	if (part->text[part->from] == '"' || query_is_meant(part->text + part->from))
		return take_query(part, kind);
	return fail_at(part, part->from,
		"there is no such kind; there are sched, stw, gc, assist, sweep, syscall, "
		"block[=REASON], region=NAME, task=NAME and a query in quotes");
}

bool
latency_kind_parse(
	struct latency_kind *kind, const char *text, size_t from, size_t to, struct error *err)
{
	struct part part = { text, from, to, err };
	*kind = (struct latency_kind){ 0 };
	if (parse(&part, kind))
		return true;
	latency_kind_release(kind);
	return false;
}

bool
latency_kind_copy(struct latency_kind *kind, const struct latency_kind *from, struct error *err)
{
	const struct part part = { from->name, 0, from->name != NULL ? strlen(from->name) : 0, err };
	*kind = (struct latency_kind){ .type = from->type };
	return from->name == NULL || take_name(&part, kind);
}

void
latency_kind_release(struct latency_kind *kind)
{
	memory_free(kind->name);
	*kind = (struct latency_kind){ 0 };
}

/* Without quotes it would be taken as something else. */
static bool
needs_quotes(const struct latency_kind *kind)
{
	size_t length = strlen(kind->name);
	return kind->type == LATENCY_QUERY || length == 0 || kind->name[0] == '"' ||
	       is_blank(kind->name[0]) || is_blank(kind->name[length - 1]);
}

void
latency_kind_add(struct text *out, const struct latency_kind *kind)
{
	if (kind->type != LATENCY_QUERY)
		text_add_string(out, types[kind->type].word);
	if (kind->name == NULL)
		return;
	const char *quote = needs_quotes(kind) ? "\"" : "";
	if (kind->type != LATENCY_QUERY)
		text_add_string(out, "=");
	text_add_string(out, quote);
	text_add_string(out, kind->name);
	text_add_string(out, quote);
}

/* Matches functions, each when it first comes by. */
#include "analysis/profile_filter.h"

#include "query/bits.h"
#include "query/pattern.h"

struct matcher {
	const struct trace *trace;
	const struct stack_table *stacks;
	struct pattern *pattern; /* NULL: nothing is looked for */
	struct bits known, found; /* functions */
};

/* A text that does not compile is plain text. */
static bool
matcher_init(struct matcher *matcher, const char *text, struct error *err)
{
	struct error note;
	error_clear(&note);
	if (text == NULL || *text == '\0')
		return true;
	matcher->pattern = pattern_new(text, &note);
	if (matcher->pattern == NULL) {
		*err = note;
		return false;
	}
	uint32_t count = intern_count(&matcher->trace->strings);
	return bits_init(&matcher->known, count, err) && bits_init(&matcher->found, count, err);
}

static void
matcher_release(struct matcher *matcher)
{
	pattern_free(matcher->pattern);
	bits_release(&matcher->known);
	bits_release(&matcher->found);
}

static bool
matches_function(struct matcher *matcher, string_id function)
{
	if (!bits_has(&matcher->known, function)) {
		size_t length;
		const char *name = trace_text(matcher->trace, function, &length);
		bits_add(&matcher->known, function);
		if (pattern_matches(matcher->pattern, name, length))
			bits_add(&matcher->found, function);
	}
	return bits_has(&matcher->found, function);
}

static bool
matches_stack(struct matcher *matcher, stack_id stack)
{
	const struct stack_table *stacks = matcher->stacks;
	for (; stack != STACK_NONE; stack = stack_caller(stacks, stack))
		if (matches_function(matcher, stack_leaf(stacks, stack)->function))
			return true;
	return false;
}

bool
profile_filter(struct profile *profile, const char *focus, const char *ignore, struct error *err)
{
	const struct stack_table *stacks = profile_stacks(profile);
	struct matcher wanted = { .trace = profile->trace, .stacks = stacks };
	struct matcher unwanted = { .trace = profile->trace, .stacks = stacks };
	bool is_fine = matcher_init(&wanted, focus, err) && matcher_init(&unwanted, ignore, err);
	uint32_t kept = 0;
	for (uint32_t i = 0; i < profile->entry_count && is_fine; i++) {
		stack_id stack = profile->entries[i].stack;
		if ((wanted.pattern == NULL || matches_stack(&wanted, stack)) &&
			(unwanted.pattern == NULL || !matches_stack(&unwanted, stack)))
			profile->entries[kept++] = profile->entries[i];
	}
	if (is_fine)
		profile->entry_count = kept;
	matcher_release(&wanted);
	matcher_release(&unwanted);
	return is_fine;
}

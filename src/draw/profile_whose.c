/* Says it where the scope has a choice. */
#include "draw/profile_whose.h"

#include "draw/names.h"
#include "trace/words.h"

void
profile_add_whose(enum profile_kind kind, const struct profile_scope *scope,
	const struct words *words, struct text *out)
{
	struct profile_scope other = *scope;
	other.with_runtime = !scope->with_runtime;
	bool is_of_all = profile_is_of_all(kind, scope);
	if (is_of_all == profile_is_of_all(kind, &other))
		return;
	text_add_string(out, ", of ");
	text_add_whose(out, words, is_of_all);
}

/* Says it where the scope has a choice. */
#include "draw/profile_whose.h"

#include "draw/names.h"

void
profile_add_whose(enum profile_kind kind, const struct profile_scope *scope, struct text *out)
{
	struct profile_scope other = *scope;
	other.with_runtime = !scope->with_runtime;
	bool is_of_all = profile_is_of_all(kind, scope);
	if (is_of_all != profile_is_of_all(kind, &other))
		text_format(out, ", of %s", names_whose(is_of_all));
}

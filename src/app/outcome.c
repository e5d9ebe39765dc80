/* The order among exit statuses. */
#include "app/outcome.h"

enum outcome
outcome_combine(enum outcome a, enum outcome b)
{
	static const int weight[] = {
		[OUTCOME_FINE] = 0,
		[OUTCOME_DAMAGED] = 1,
		[OUTCOME_NO] = 2,
		[OUTCOME_UNUSABLE] = 3,
		[OUTCOME_USAGE] = 4,
	};
	return weight[a] >= weight[b] ? a : b;
}

enum outcome
outcome_of_failure(const struct error *err)
{
	return err->kind == ERROR_USAGE ? OUTCOME_USAGE : OUTCOME_UNUSABLE;
}

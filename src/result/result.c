/* Cells that are no plain numbers. */
#include "result/result.h"

#include <string.h>

/* The bits of a number that is not negative are in the order of the numbers. */
int64_t
figure_of_share(double share)
{
	int64_t cell;
	memcpy(&cell, &share, sizeof cell);
	return cell;
}

double
figure_share(int64_t cell)
{
	double share;
	memcpy(&share, &cell, sizeof share);
	return share;
}

bool
result_text(struct result_sink *sink, const char *bytes, size_t length, int64_t *cell, struct error *err)
{
	string_id id;
	if (!intern_add(&sink->texts, bytes, length, &id, err))
		return false;
	*cell = id;
	return true;
}

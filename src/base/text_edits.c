/* How alike two names are: the steps from one to the other, row by row of the usual table. */
#include "base/text.h"

enum { LONGEST_BYTES = 64 };

static size_t
least_of(size_t a, size_t b, size_t c)
{
	size_t least = a < b ? a : b;
	return least < c ? least : c;
}

size_t
text_edits(const char *a, size_t a_length, const char *b, size_t b_length)
{
	size_t row[LONGEST_BYTES + 1]; /* from what was looked at of a to each beginning of b */
	size_t rows = a_length < LONGEST_BYTES ? a_length : LONGEST_BYTES;
	size_t columns = b_length < LONGEST_BYTES ? b_length : LONGEST_BYTES;
	for (size_t j = 0; j <= columns; j++)
		row[j] = j;
	for (size_t i = 1; i <= rows; i++) {
		size_t diagonal = row[0];
		row[0] = i;
		for (size_t j = 1; j <= columns; j++) {
			size_t changed = diagonal + (a[i - 1] != b[j - 1]);
			diagonal = row[j];
			row[j] = least_of(changed, row[j] + 1, row[j - 1] + 1);
		}
	}
	return row[columns];
}

/*
 * Compares two answers of the viewer, as jsondiff.h says, and prints the first events
 * that only one of them has. Either may be compressed (.gz). Exit status 0 for equal, 1
 * for different, 2 for trouble.
 *
 *     comparejson OURS THEIRS [THEIR_LEAD_NS]
 */
#include <stdio.h>
#include <stdlib.h>

#include "jsondiff.h"
#include "oraclefile.h"

int
main(int argc, char **argv)
{
	struct text ours = { 0 }, theirs = { 0 };
	struct jsondiff diff;
	if (argc != 3 && argc != 4) {
		fprintf(stderr, "usage: comparejson OURS THEIRS [THEIR_LEAD_NS]\n");
		return 2;
	}
	if (!oraclefile_read(argv[1], &ours) || !oraclefile_read(argv[2], &theirs))
		return 2;
	int64_t their_lead_ns = argc == 4 ? strtoll(argv[3], NULL, 10) : 0;
	bool is_equal = jsondiff_compare(&diff, &ours, &theirs, their_lead_ns);
	printf("%zu events, only ours %zu, only theirs %zu\n", diff.events, diff.ours, diff.theirs);
	if (!is_equal)
		fputs(diff.problem.bytes, stdout);
	jsondiff_release(&diff);
	text_release(&ours);
	text_release(&theirs);
	return is_equal ? 0 : 1;
}

/*
 * Compares two dumps of ordered events, as parseddiff.h says. Either may be
 * compressed (.gz). Exit status 0 for equal, 1 for different, 2 for trouble.
 *
 *     compareparsed OURS THEIRS
 */
#include <stdio.h>

#include "oraclefile.h"
#include "parseddiff.h"

int
main(int argc, char **argv)
{
	struct text ours = { 0 }, theirs = { 0 };
	struct parseddiff diff;
	if (argc != 3) {
		fprintf(stderr, "usage: compareparsed OURS THEIRS\n");
		return 2;
	}
	if (!oraclefile_read(argv[1], &ours) || !oraclefile_read(argv[2], &theirs))
		return 2;
	bool is_equal = parseddiff_compare(&diff, &ours, &theirs);
	printf("%zu events, %zu runs in another order%s\n", diff.events, diff.differing_runs,
		is_equal ? "" : ", and a difference");
	if (!is_equal)
		fputs(diff.problem.bytes, stdout);
	parseddiff_release(&diff);
	text_release(&ours);
	text_release(&theirs);
	return is_equal ? 0 : 1;
}

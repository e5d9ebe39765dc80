/*
 * Puts the parts together.
 */
#include "app/version.h"

#include <stdio.h>
#include <string.h>

int
main(int argc, char **argv)
{
	if (argc == 2 && strcmp(argv[1], "--version") == 0) {
		printf("ttrace %s\n", app_version());
		return 0;
	}
	if (argc == 2 && strcmp(argv[1], "--help") == 0) {
		printf("usage: ttrace [OPTION...] [FILE]\n");
		return 0;
	}
	fprintf(stderr, "usage: ttrace [OPTION...] [FILE]\n");
	return 2;
}

/*
 * Reads what a report has printed in a form, from standard input, as strictly as formreading.h does.
 * Exit status 0 for right, 1 for wrong, which is told, 2 for trouble.
 *
 *     readforms json|csv|markdown
 */
#include <stdio.h>
#include <string.h>

#include "base/compiler.h"
#include "formreading.h"

int
main(int argc, char **argv)
{
	static const struct {
		const char *name;
		bool (*read)(const char *bytes, struct text *problem);
	} forms[] = {
		{ "json", formreading_json },
		{ "csv", formreading_csv },
		{ "markdown", formreading_markdown },
	};
	struct text bytes = { 0 }, problem = { 0 };
	char buffer[65536];
	size_t form = 0;
	while (argc == 2 && form < ARRAY_LENGTH(forms) && strcmp(forms[form].name, argv[1]) != 0)
		form++;
	if (argc != 2 || form == ARRAY_LENGTH(forms)) {
		fprintf(stderr, "usage: readforms json|csv|markdown\n");
		return 2;
	}
	for (size_t length; (length = fread(buffer, 1, sizeof buffer, stdin)) > 0;)
		text_add(&bytes, buffer, length);
	if (ferror(stdin) || bytes.failed)
		return 2;
	bool is_fine = strlen(text_string(&bytes)) == bytes.length &&
		       forms[form].read(text_string(&bytes), &problem);
	if (!is_fine)
		printf("%s\n", problem.length > 0 ? problem.bytes : "a zero byte");
	text_release(&bytes);
	text_release(&problem);
	return is_fine ? 0 : 1;
}

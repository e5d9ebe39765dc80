/*
 * Dumps a trace as `ttrace --dump` does, but without the program around it. A
 * tool to look at traces with, and for tests that compare; not a test by itself.
 *
 *     dumpevents parsed|go123|wire|footprint [FILE]
 */
#include <stdio.h>
#include <string.h>

#include "dump/dump.h"

static bool
write_out(void *context, const char *bytes, size_t length, struct error *err)
{
	return fwrite(bytes, 1, length, context) == length ||
	       error_set(err, ERROR_IO, "cannot write");
}

static bool
run(const char *form, struct input *in, const struct dump *dump, struct go_read_result *result,
	struct error *err)
{
	if (strcmp(form, "go123") == 0)
		return dump_parsed(dump, in, DUMP_PARSED_GO123, result, err);
	if (strcmp(form, "wire") == 0)
		return dump_wire(dump, in, result, err);
	if (strcmp(form, "footprint") == 0)
		return dump_footprint(dump, in, result, err);
	return dump_parsed(dump, in, DUMP_PARSED_NEWEST, result, err);
}

int
main(int argc, char **argv)
{
	struct go_read_result result = { 0 };
	struct input in;
	struct writer out;
	struct error err = { 0 };
	char text[600];
	const struct dump dump = { .out = &out };

	bool ok = argc > 1 && writer_init(&out, write_out, stdout, &err) &&
		  input_open_file(&in, argc > 2 ? argv[2] : "-", &err) &&
		  run(argv[1], &in, &dump, &result, &err);
	if (!ok || result.damage.count > 0) {
		error_format(ok ? &result.damage.rows[0].first : &err, text, sizeof(text));
		fprintf(stderr, "%s: %s\n", ok ? "damaged" : "failed", text);
	}
	return !ok ? 1 : result.damage.count > 0 ? 3 : 0;
}

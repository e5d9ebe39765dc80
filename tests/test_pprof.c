/* What is exported for pprof, read back: every number leads somewhere, and stacks are whole. */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

#include "oraclefile.h"
#include "report/pprof.h"
#include "tracetesting.h"

#if HAVE_PROTOBUF_C

#include <pprof.pb-c.h>

/* The bytes of a gzip file, unpacked. */
static void
unpack(const struct text *packed, struct text *out)
{
	const char *folder = getenv("TMPDIR");
	char path[4096];
	snprintf(path, sizeof path, "%s/ttrace-pprof-%ld.gz", folder != NULL ? folder : "/tmp",
		(long)getpid());
	FILE *file = fopen(path, "wb");
	assert_non_null(file);
	assert_int_equal(fwrite(packed->bytes, 1, packed->length, file), packed->length);
	assert_int_equal(fclose(file), 0);
	assert_true(oraclefile_read(path, out));
	assert_int_equal(remove(path), 0);
}

static void
check_text(const Pprof__Profile *message, const struct trace *trace, int64_t number, string_id id)
{
	size_t length;
	const char *bytes = trace_text(trace, id, &length);
	struct text safe = { 0 };
	text_add_safe(&safe, bytes, length, false);
	text_add(&safe, "", 0);
	assert_in_range(number, 0, message->n_text - 1);
	assert_string_equal(message->text[number], safe.length > 0 ? safe.bytes : "");
	text_release(&safe);
}

static void
check_frame(const Pprof__Profile *message, uint64_t id, const struct trace *trace, stack_id stack)
{
	const struct stack_frame *frame = stack_leaf(&trace->stacks, stack);
	assert_in_range(id, 1, message->n_location);
	const Pprof__Location *location = message->location[id - 1];
	assert_int_equal(location->id, id);
	assert_int_equal(location->address, frame->pc);
	assert_int_equal(location->n_line, 1);
	assert_int_equal(location->line[0]->line, frame->line);
	assert_in_range(location->line[0]->function, 1, message->n_function);
	const Pprof__Function *function = message->function[location->line[0]->function - 1];
	assert_int_equal(function->id, location->line[0]->function);
	check_text(message, trace, function->name, frame->function);
	check_text(message, trace, function->file, frame->file);
}

static void
check_sample(const Pprof__Profile *message, const Pprof__Sample *sample, const struct trace *trace,
	const struct profile *profile, const struct profile_entry *entry)
{
	stack_id stack = entry->stack;
	assert_int_equal(sample->n_value, profile->kind == PROFILE_CPU ? 1 : 2);
	assert_int_equal(sample->value[0], entry->count);
	if (profile->kind != PROFILE_CPU)
		assert_int_equal(sample->value[1], entry->ns);
	for (size_t i = 0; i < sample->n_location; i++) {
		assert_true(stack != STACK_NONE);
		check_frame(message, sample->location[i], trace, stack);
		stack = stack_caller(&trace->stacks, stack);
	}
	assert_true(stack == STACK_NONE);
}

static void
check_kind(const struct trace *trace, enum profile_kind kind)
{
	struct profile_request request = { .kind = kind, .scope = profile_whole(trace) };
	struct report_options options = { .width_cells = 100 };
	struct profile profile;
	struct text packed = { 0 }, bytes = { 0 };
	struct error err = { 0 };
	assert_true(profile_build(&profile, trace, kind, &request.scope, &err));
	assert_true(report_pprof(trace, &request, &options, &packed, &err));
	unpack(&packed, &bytes);
	Pprof__Profile *message =
		pprof__profile__unpack(NULL, bytes.length, (const uint8_t *)bytes.bytes);
	assert_non_null(message);
	assert_string_equal(message->text[0], "");
	assert_int_equal(message->n_sample_type, kind == PROFILE_CPU ? 1 : 2);
	assert_int_equal(message->n_sample, profile.entry_count);
	for (size_t i = 0; i < message->n_sample; i++)
		check_sample(message, message->sample[i], trace, &profile, &profile.entries[i]);
	pprof__profile__free_unpacked(message, NULL);
	text_release(&packed);
	text_release(&bytes);
	profile_release(&profile);
}

static void
the_export_reads_back(void **state)
{
	static const char *const names[] = { "contention-go1.23", "samples-go1.26" };
	const char *missing;
	(void)state;
	if (!report_pprof_is_available(&missing) || !oraclefile_has_gzip())
		skip();
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		struct trace *trace = testing_load(names[i]);
		for (int kind = 0; kind < PROFILE_KIND_COUNT; kind++)
			check_kind(trace, (enum profile_kind)kind);
		trace_free(trace);
	}
}

#else

static void
the_export_reads_back(void **state)
{
	const char *missing;
	(void)state;
	assert_false(report_pprof_is_available(&missing));
	assert_string_equal(missing, "libprotobuf-c");
	skip();
}

#endif

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_export_reads_back),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

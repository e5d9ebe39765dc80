/* Dumps for tests. */
#include "dumptesting.h"

#include "base_testing.h"
#include "tracetesting.h"

static bool
collect(void *context, const char *bytes, size_t length, struct error *err)
{
	struct dumptest *out = context;
	if (out->refuses)
		return error_set(err, ERROR_IO, "the disk is full");
	text_add(&out->text, bytes, length);
	return !out->text.failed || error_set_memory(err, "a test");
}

static bool
run_form(struct dumptest *out, const struct dump *dump, struct input *in)
{
	switch (out->form) {
	case DUMPTEST_PARSED:
		return dump_parsed(dump, in, DUMP_PARSED_NEWEST, &out->result, &out->err);
	case DUMPTEST_GO123:
		return dump_parsed(dump, in, DUMP_PARSED_GO123, &out->result, &out->err);
	case DUMPTEST_WIRE:
		return dump_wire(dump, in, &out->result, &out->err);
	case DUMPTEST_FOOTPRINT:
		return dump_footprint(dump, in, &out->result, &out->err);
	case DUMPTEST_JSON:
		return dump_json(dump, in, out->view, out->id, &out->result, &out->err);
	}
	return false;
}

static void
run(struct dumptest *out, struct input *in)
{
	struct writer writer;
	const struct dump dump = { .interval = out->interval, .out = &writer };
	assert_true(writer_init(&writer, collect, out, &out->err));
	text_add_string(&out->text, "");
	memory_fail_after(out->fail_after);
	out->ok = run_form(out, &dump, in);
	memory_fail_after(0);
	writer_release(&writer);
	input_close(in);
}

void
dumptest_file(struct dumptest *out, const char *path)
{
	struct input in;
	assert_true(input_open_file(&in, path, &out->err));
	run(out, &in);
}

void
dumptest_fd(struct dumptest *out, int fd)
{
	struct input in;
	assert_true(input_open_fd(&in, fd, &out->err));
	run(out, &in);
}

void
dumptest_bytes(struct dumptest *out, const void *bytes, size_t size)
{
	struct input in;
	assert_true(input_open_memory(&in, bytes, size, &out->err));
	run(out, &in);
}

void
dumptest_text(struct dumptest *out, const char *text)
{
	struct text bytes = { 0 };
	testing_assemble(text, &bytes);
	dumptest_bytes(out, bytes.bytes, bytes.length);
	text_release(&bytes);
}

void
dumptest_release(struct dumptest *out)
{
	text_release(&out->text);
}

void
dumptest_fail_in_turn(const struct dumptest *setting, const void *bytes, size_t size)
{
	bool is_done = false;
	for (uint64_t place = 1; !is_done; place = fault_next(place)) {
		struct dumptest got = *setting;
		got.fail_after = place;
		dumptest_bytes(&got, bytes, size);
		is_done = got.ok;
		if (!is_done && got.err.kind != ERROR_MEMORY)
			fail_msg("form %d: allocation %llu fails, and the error is %d, \"%s\"",
				(int)got.form, (unsigned long long)place, (int)got.err.kind,
				got.err.message);
		dumptest_release(&got);
	}
}

bool
dumptest_collect(void *context, const char *bytes, size_t length, struct error *err)
{
	struct text *text = context;
	text_add(text, bytes, length);
	return !text->failed || error_set_memory(err, "a test");
}

void
dumptest_check_written(struct writer *out, const char *expected)
{
	struct error err = { 0 };
	struct text *text = out->context;
	assert_true(writer_finish(out, &err));
	assert_string_equal(text->bytes, expected);
	text_clear(text);
}

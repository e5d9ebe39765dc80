#include "beneathtesting.h"

#include <string.h>

#include "base_testing.h"
#include "profiletesting.h"
#include "source/source.h"

struct trace *
beneathtesting_read(const char *name, const void *bytes, size_t size)
{
	const struct source_wish wish = { .is_lenient = true };
	struct input in;
	struct error err;
	error_clear(&err);
	struct trace *trace =
		input_open_memory(&in, bytes, size, &err) ? source_load(&in, NULL, &wish, &err) : NULL;
	if (trace == NULL)
		fail_msg("%s: %s", name, err.message);
	input_close(&in);
	return trace;
}

struct trace *
beneathtesting_load(const char *name, const char *suffix)
{
	struct text text;
	profiletesting_read_file("go-and-sched", name, suffix, &text);
	struct trace *trace = beneathtesting_read(name, text.bytes, text.length);
	text_release(&text);
	return trace;
}

/* Takes over what is below. */
void
beneathtesting_put(struct pair *pair, const char *name, struct trace *below)
{
	struct error err;
	error_clear(&err);
	pair->above = beneathtesting_load(name, ".trace.gz");
	pair->below = below;
	assert_true(beneath_is_above(pair->above));
	assert_true(beneath_is_below(pair->below));
	assert_false(beneath_is_below(pair->above));
	assert_false(beneath_is_above(pair->below));
	assert_true(beneath_init(&pair->beneath, pair->above, pair->below, &err));
}

void
beneathtesting_open(struct pair *pair, const char *name)
{
	beneathtesting_put(pair, name, beneathtesting_load(name, ".txt.gz"));
}

void
beneathtesting_close(struct pair *pair)
{
	beneath_release(&pair->beneath);
	trace_free(pair->above);
	trace_free(pair->below);
}

void
beneathtesting_refuses(const char *name, struct trace *below, const char *wanted)
{
	struct pair pair;
	struct error err;
	error_clear(&err);
	beneathtesting_put(&pair, name, below);
	assert_false(beneath_align(&pair.beneath, NULL, &err));
	if (strstr(err.message, wanted) == NULL)
		fail_msg("%s", err.message);
	beneathtesting_close(&pair);
}

/* Profiles that are made while a trace is read, beside those of the trace that was loaded. */
#ifndef TTRACE_TESTS_PASSING_H
#define TTRACE_TESTS_PASSING_H

#include <stddef.h>

#include "analysis/profile.h"
#include "source/go/reader.h"

struct passing {
	const void *bytes; /* of the trace */
	size_t size;
	struct go_read_options options;
	enum profile_kind kind;
	enum profile_rule rule;
	bool with_runtime;
};

/* The trace without its states, and the profile that they came to; NULL with err. Release both. */
struct trace *passing_load(
	const struct passing *passing, struct profile *profile, struct error *err);
/*
 * NULL where that is the profile of `whole`, which was loaded from the same bytes; else what is
 * not the same.
 */
const char *passing_problem(const struct passing *passing, const struct trace *whole);

#endif

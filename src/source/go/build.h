/* Fills a trace: carries out the steps that events were turned into. */
#ifndef TTRACE_SOURCE_GO_BUILD_H
#define TTRACE_SOURCE_GO_BUILD_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "source/go/allocations.h"
#include "source/go/showing.h"
#include "source/go/steps.h"
#include "trace/builder.h"

struct go_build {
	struct builder *builder;
	struct showing showing; /* the caller's to set */
	struct allocations allocations;
};

/* Borrows the builder. */
void go_build_init(struct go_build *build, struct builder *builder);
/* Carries out what a step_writer wrote, in the order in which it did. */
bool go_build_steps(struct go_build *build, const struct step *steps, size_t count,
                    struct error *err);
/* Carries out an event that is no step of its own; its time was told before. */
bool go_build_event(struct go_build *build, const struct go_event *event, struct error *err);
/* Whether the runtime labels workers of the collector so: semantics, section 7.1. */
bool go_label_is_of_gc(const char *text, size_t length);
/* All steps were given: finishes the trace. */
bool go_build_finish(struct go_build *build, struct error *err);
/* Frees what it needed on the way. */
void go_build_release(struct go_build *build);

#endif

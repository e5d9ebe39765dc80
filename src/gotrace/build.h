/* The sink that fills a trace: translates ordered Go events into the words of the builder. */
#ifndef TTRACE_GOTRACE_BUILD_H
#define TTRACE_GOTRACE_BUILD_H

#include <stdbool.h>

#include "base/error.h"
#include "gotrace/allocations.h"
#include "gotrace/event.h"
#include "trace/builder.h"

enum { BUILD_CACHE = 1024 };

/* Ids that were seen lately, so that most events need no look into a hash table. */
struct build_cache {
	int64_t id[BUILD_CACHE];
	uint32_t ref[BUILD_CACHE];
};

struct go_build {
	struct builder *builder;
	struct build_cache goroutines, procs, threads;
	struct allocations allocations;
};

/* Borrows the builder. */
void go_build_init(struct go_build *build, struct builder *builder);
/* A sink over it, good as long as `build` is. */
struct go_sink go_build_sink(struct go_build *build);
/* All events were given: finishes the trace. */
bool go_build_finish(struct go_build *build, struct error *err);
/* Frees what it needed on the way. */
void go_build_release(struct go_build *build);

#endif

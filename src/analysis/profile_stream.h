/*
 * A profile of all of a trace, summed up while that is read: by the states that go by, so that
 * none of them is kept.
 */
#ifndef TTRACE_ANALYSIS_PROFILE_STREAM_H
#define TTRACE_ANALYSIS_PROFILE_STREAM_H

#include "analysis/profile.h"
#include "trace/draft.h"

struct profile_stream;

/* NULL with err for want of memory. */
struct profile_stream *profile_stream_new(
	enum profile_kind kind, enum profile_rule rule, bool with_runtime, struct error *err);
/* Takes what go_load_past() (source/go/load.h) tells; as long as the stream lives. */
struct draft_taker profile_stream_taker(struct profile_stream *stream);
/*
 * All was told, and this is the trace: what profile_build() would make of profile_whole() with the
 * rule and the runtime's actors as asked for, had the states been kept. Once only; release the
 * profile after success.
 */
bool profile_stream_finish(struct profile_stream *stream, const struct trace *trace,
	struct profile *profile, struct error *err);
void profile_stream_free(struct profile_stream *stream);

#endif

/* By the package of the start function. */
#include "trace/runtime.h"

#include "base/text.h"

bool
trace_is_runtime_name(const struct trace *trace, string_id name)
{
	size_t length;
	const char *text = trace_text(trace, name, &length);
	return text_has_prefix(text, length, "runtime.") ||
	       text_has_prefix(text, length, "runtime/");
}

bool
trace_is_runtime(const struct trace *trace, actor_ref actor)
{
	return trace_is_runtime_name(trace, trace_actor(trace, actor)->name);
}

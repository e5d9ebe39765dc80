/* The builder's part for a trace of which only a part is loaded, so that it fits a bound. */
#include "trace/builder_internal.h"

#include "base/units.h"

void
builder_begin_at(struct builder *builder, int64_t origin_ns, int64_t start_ns)
{
	struct trace *trace = builder->trace;

	assert(!builder->has_origin && start_ns >= origin_ns);
	builder->has_origin = true;
	trace->origin_ns = origin_ns;
	trace->start_ns = trace->all.rest.since_ns = start_ns - origin_ns;
	builder->now_ns = trace->end_ns = trace->start_ns;
}

void
builder_take_parts(struct builder *builder, struct parts *parts, size_t first)
{
	assert(builder->trace->parts.count == 0);
	builder->trace->parts = *parts;
	builder->first_part = first;
	*parts = (struct parts){ 0 };
}

void
builder_mark_part(struct builder *builder)
{
	struct trace *trace = builder->trace;
	struct parts *parts = &trace->parts;

	if (parts->count > 0 && trace->generation_count < parts->count - builder->first_part)
		parts->rows[builder->first_part + trace->generation_count].is_loaded = true;
}

void
builder_mark_parts(struct builder *builder, size_t count)
{
	struct parts *parts = &builder->trace->parts;

	assert(builder->first_part + count <= parts->count);
	if (count == parts->count)
		parts_release(parts);
	for (size_t i = 0; i < parts->count; i++)
		parts->rows[i].is_loaded =
			i >= builder->first_part && i - builder->first_part < count;
}

void
builder_extend(struct builder *builder, int64_t end_ns)
{
	struct trace *trace = builder->trace;

	if (end_ns - trace->origin_ns > builder->now_ns)
		builder->now_ns = trace->end_ns = end_ns - trace->origin_ns;
}

void
builder_limit(struct builder *builder, uint64_t most_bytes)
{
	builder->most_bytes = most_bytes;
}

static uint64_t
resource_builder_bytes(const struct resource_builder *resources)
{
	return resources->build_capacity * sizeof(*resources->builds);
}

uint64_t
builder_bytes(const struct builder *builder)
{
	return trace_built_bytes(builder->trace) +
	       builder->actor_capacity * sizeof(*builder->actors) +
	       resource_builder_bytes(&builder->processors) +
	       resource_builder_bytes(&builder->threads) + draft_grown_bytes(&builder->draft) +
	       publisher_bytes(builder->publisher);
}

bool
builder_is_within_limit(const struct builder *builder, struct error *err)
{
	char most[UNITS_TEXT];

	if (builder->most_bytes == 0 || builder_bytes(builder) <= builder->most_bytes)
		return true;
	units_bytes(most, builder->most_bytes);
	return error_set(err, ERROR_LIMIT, "the trace needs more memory than %s", most);
}

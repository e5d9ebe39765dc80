/* Goes along the cuts of the processors' entries. */
#include "trace/processor_losses.h"

struct teller {
	const struct trace *trace;
	bool (*function)(void *context, const struct processor_loss *loss);
	void *context;
	resource_ref processor;
	/* The last entry so far; a later segment may tell that the processor lost it. */
	bool has_last;
	uint32_t last_segment, last_state;
};

static bool
tell(const struct teller *teller, uint32_t segment, uint32_t state, int64_t time_ns)
{
	uint8_t kind = trace_segment(teller->trace, segment)->kind[state] & KIND_MASK;
	struct processor_loss loss = { segment, state, teller->processor, time_ns };
	return teller->trace->kinds[kind].state != STATE_SYSCALL ||
	       teller->function(teller->context, &loss);
}

static bool
tell_run(struct teller *teller, const struct run_ref *at)
{
	const struct resource_column *column =
		&trace_segment(teller->trace, at->segment)->processors;
	const struct resource_run *run = &column->runs[at->run];
	uint32_t end = run->first + run->count;
	if (run->carried_cut_ns != NOT_CUT && teller->has_last &&
		!tell(teller, teller->last_segment, teller->last_state, run->carried_cut_ns))
		return false;
	for (uint32_t i = resource_first_cut(column, run->first);
		i < column->cut_count && column->cuts[i].entry < end; i++)
		if (!tell(teller, at->segment,
			    state_list_at(&column->entries, column->cuts[i].entry),
			    column->cuts[i].end_ns))
			return false;
	if (run->count == 0)
		return true;
	teller->has_last = true;
	teller->last_segment = at->segment;
	teller->last_state = state_list_at(&column->entries, end - 1);
	return true;
}

bool
processor_losses_each(const struct trace *trace,
	bool (*function)(void *context, const struct processor_loss *loss), void *context)
{
	const struct run_list *processors = &trace->directory.processors;
	for (resource_ref processor = 0; processor < processors->key_count; processor++) {
		struct teller teller = { .trace = trace,
			.function = function,
			.context = context,
			.processor = processor };
		for (uint32_t i = processors->first[processor];
			i < processors->first[processor + 1]; i++)
			if (!tell_run(&teller, &processors->runs[i]))
				return false;
	}
	return true;
}

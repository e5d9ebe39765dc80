/* Goes along the cuts of the procs' entries. */
#include "trace/proc_losses.h"

struct teller {
	const struct trace *trace;
	bool (*function)(void *context, const struct proc_loss *loss);
	void *context;
	proc_ref proc;
	/* The last entry so far; a later segment may tell that the proc lost it. */
	bool has_last;
	uint32_t last_segment, last_state;
};

static bool
tell(const struct teller *teller, uint32_t segment, uint32_t state, int64_t time_ns)
{
	uint8_t kind = trace_segment(teller->trace, segment)->kind[state] & KIND_MASK;
	struct proc_loss loss = { segment, state, teller->proc, time_ns };
	return teller->trace->kinds[kind].state != STATE_SYSCALL ||
	       teller->function(teller->context, &loss);
}

static bool
tell_run(struct teller *teller, const struct run_ref *at)
{
	const struct resource_column *column = &trace_segment(teller->trace, at->segment)->procs;
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
proc_losses_each(const struct trace *trace,
	bool (*function)(void *context, const struct proc_loss *loss), void *context)
{
	const struct run_list *procs = &trace->directory.procs;
	for (proc_ref proc = 0; proc < procs->key_count; proc++) {
		struct teller teller = {
			.trace = trace, .function = function, .context = context, .proc = proc
		};
		for (uint32_t i = procs->first[proc]; i < procs->first[proc + 1]; i++)
			if (!tell_run(&teller, &procs->runs[i]))
				return false;
	}
	return true;
}

/* Snapshots at the ends of generations. */
#include "gotrace/showing.h"

#include "base/process.h"

static bool
has_all(const struct progress *progress)
{
	uint64_t total_bytes, done_bytes;

	if (progress == NULL)
		return false;
	total_bytes = atomic_load_explicit(&progress->total_bytes, memory_order_relaxed);
	done_bytes = atomic_load_explicit(&progress->done_bytes, memory_order_relaxed);
	return total_bytes > 0 && done_bytes >= total_bytes;
}

void
showing_generation(struct showing *showing, struct builder *builder,
                   const struct table_counts *counts)
{
	int64_t start_ns = process_now_ns();
	struct error ignored = { 0 };
	struct trace *snapshot;

	if (showing->watch == NULL || has_all(showing->progress) ||
	    start_ns - showing->ended_ns < showing->watch->rest * showing->took_ns)
		return;
	snapshot = builder_snapshot(builder, counts, &ignored);
	if (snapshot != NULL) {
		snapshot->go_minor = showing->result->go_minor;
		showing->watch->show(showing->watch->context, snapshot);
	}
	showing->ended_ns = process_now_ns();
	showing->took_ns = showing->ended_ns - start_ns;
}

/* Snapshots at the ends of generations. */
#include "source/go/showing.h"

#include "base/process.h"

static bool
has_all(const struct progress *progress)
{
	uint64_t total_bytes;

	if (progress == NULL)
		return false;
	total_bytes = atomic_load_explicit(&progress->total_bytes, memory_order_relaxed);
	return total_bytes > 0 && progress_done(progress) >= total_bytes;
}

/* When the next one may be made. */
static int64_t
next_ns(const struct showing *showing)
{
	return showing->ended_ns + showing->watch->rest * showing->took_ns;
}

static void
show(struct showing *showing, struct builder *builder, const struct table_counts *counts)
{
	int64_t start_ns = process_now_ns();
	struct error ignored = { 0 };
	struct trace *snapshot = builder_snapshot(builder, counts, &ignored);

	if (snapshot != NULL) {
		snapshot->go_minor = showing->result->go_minor;
		showing->watch->show(showing->watch->context, snapshot);
	}
	showing->ended_ns = process_now_ns();
	showing->took_ns = showing->ended_ns - start_ns;
}

void
showing_generation(struct showing *showing, struct builder *builder,
                   const struct table_counts *counts)
{
	if (showing->watch == NULL || has_all(showing->progress))
		return;
	if (process_now_ns() >= next_ns(showing)) {
		show(showing, builder, counts);
		return;
	}
	showing->is_due = showing->may_follow;
	showing->counts = *counts;
}

int64_t
showing_wait_ns(const struct showing *showing)
{
	int64_t wait_ns;

	if (!showing->is_due)
		return -1;
	wait_ns = next_ns(showing) - process_now_ns();
	return wait_ns > 0 ? wait_ns : 0;
}

void
showing_follow(struct showing *showing, struct builder *builder)
{
	showing->is_due = false;
	if (!has_all(showing->progress))
		show(showing, builder, &showing->counts);
}

void
showing_forget(struct showing *showing)
{
	showing->is_due = false;
}

/*
 * The runtime writes whole batches, and a program that does not call trace.Stop() ends the
 * trace behind one of them, mostly. A full disk takes what fills its last block, so that
 * the file ends where a block does; a copy that was broken off and a writer that was killed
 * end anywhere. After a crash of the system blocks may be zeros that were never written.
 * In the middle of a file zeros say more than that bytes have changed, and so do good events
 * under no header, or a batch that comes before the one ahead of it ends. Batches that
 * come again, often of long ago, come from a runtime that wrote its list of free buffers
 * with those that are full.
 */
#include "source/go/cause.h"

/* Of all file systems in use: some blocks are larger, but multiples of this. */
enum { BLOCK_BYTES = 4096 };
/* A few zeros in a row are in any data. */
enum { ZEROS_MIN = 64 };

enum damage_cause
cause_of(const struct cause_signs *signs)
{
	if (signs->is_other_trace)
		return DAMAGE_JOINED;
	if (signs->is_disorder)
		return DAMAGE_DISORDER;
	if (signs->zero_run_bytes >= ZEROS_MIN)
		return DAMAGE_ZEROED;
	if (signs->has_repeats)
		return DAMAGE_REPEATED;
	if (!signs->is_tail && signs->has_wrong_times)
		return DAMAGE_CHANGED;
	if (!signs->is_tail)
		return signs->is_missing || signs->lost_bytes == 0 ? DAMAGE_MISSING : DAMAGE_CHANGED;
	if (signs->is_between_batches)
		return DAMAGE_NEVER_STOPPED;
	if (!signs->is_packed && signs->end_bytes % BLOCK_BYTES == 0)
		return DAMAGE_DISK_FULL;
	return DAMAGE_CUT;
}

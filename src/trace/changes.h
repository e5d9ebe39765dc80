/*
 * How many actors of a set are in each class of time, over time: the list of
 * changes, in blocks with counts and prefix sums. Time per class summed over
 * the set within any interval is exact in O(log n + block).
 */
#ifndef TTRACE_TRACE_CHANGES_H
#define TTRACE_TRACE_CHANGES_H

#include <assert.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/compiler.h"
#include "base/error.h"
#include "trace/state.h"

enum { CHANGE_BLOCK = 256 }; /* changes per block */
enum { CHANGE_HEAD_BYTES = sizeof(int64_t) + sizeof(uint32_t) };

struct change_block {
	int64_t start_ns;   /* of its first change */
	uint32_t offset;    /* of its first byte in `bytes` */
	class_mask classes; /* with a head; in the others there was nobody so far */
};

enum { CHANGE_SLICE = 16 }; /* blocks per slice */

/* Of a list whose bytes are checked slice by slice, see backing.h: which were looked at. */
struct change_slices {
	atomic_bool *are_checked;
	size_t count;
	struct backing *backing;
	size_t first; /* how many bodies the backing counts before the first one */
};

/* Zero-initialised is the empty list. */
struct change_list {
	struct change_slices *slices; /* NULL where nothing needs to be checked */
	struct change_block *blocks;
	size_t block_count, block_capacity;
	/*
	 * Of each block: per class with a head, ascending, the time in it up to start_ns (8) and
	 * who is in it before the first change (4); then per change: from << 4 | to, and the varint
	 * of the ns since the one before.
	 */
	uint8_t *bytes;
	size_t byte_count, byte_capacity;
	uint64_t granted_count; /* changes there was room made for so far ... */
	uint32_t room;          /* ... of which so many were not added yet, all of one block */
	int64_t last_ns;
	uint32_t counts[CLASS_COUNT]; /* after the last change */
	/*
	 * Per class, the moments at which a member left it, less those at which one came: so
	 * the time in it up to t is this and t for each who is there. Wraps, so that
	 * differences stay exact.
	 */
	uint64_t balance_ns[CLASS_COUNT];
	/*
	 * Members whose first mention came late, but who had been in their class since
	 * since_ns: the moments of mention, ascending per class, and the sum of those
	 * before each.
	 */
	int64_t since_ns; /* when the trace begins */
	struct late_members {
		int64_t *mention_ns, *before_ns;
		size_t count, capacity, before_capacity;
	} late[CLASS_COUNT];
};

/* An empty list on the heap, of a trace that begins then. Release it and free it. */
struct change_list *change_list_new(int64_t since_ns, struct error *err);
/* Makes room for another change, at time_ns. */
bool change_list_make_room(struct change_list *list, int64_t time_ns, struct error *err);
/* Appends a varint; there is room. */
void change_list_put_varint(struct change_list *list, uint64_t value);

/*
 * One member goes from one class to another at time_ns, which must not be
 * before the previous change. CLASS_GONE on either side: joins or leaves. In line, as
 * every change of state comes through here twice.
 */
static inline bool
change_list_add(struct change_list *list, int64_t time_ns, enum time_class from,
                enum time_class to, struct error *err)
{
	uint64_t passed_ns;
	uint8_t *at;

	if (from == to)
		return true;
	if (UNLIKELY(list->room == 0) && !change_list_make_room(list, time_ns, err))
		return false;
	assert(time_ns >= list->last_ns);
	passed_ns = (uint64_t)(time_ns - list->last_ns);
	list->room--;
	list->last_ns = time_ns;
	list->counts[from]--; /* CLASS_GONE is counted by nobody */
	list->counts[to]++;
	list->balance_ns[from] += (uint64_t)time_ns;
	list->balance_ns[to] -= (uint64_t)time_ns;
	at = &list->bytes[list->byte_count];
	at[0] = (uint8_t)((unsigned)from << 4 | (unsigned)to);
	/* One byte or two without a branch, as either is as likely. */
	if (LIKELY(passed_ns < 0x80 << 7)) {
		unsigned is_long = passed_ns >= 0x80;

		at[1] = (uint8_t)(passed_ns | is_long << 7);
		at[2] = (uint8_t)(passed_ns >> 7);
		list->byte_count += 2 + is_long;
		return true;
	}
	list->byte_count++;
	change_list_put_varint(list, passed_ns);
	return true;
}

/*
 * A member is first mentioned at time_ns and had been in `to` since since_ns.
 * Later sums count it from then on, at every time, also before time_ns.
 */
bool change_list_add_late(struct change_list *list, int64_t time_ns, enum time_class to,
                          struct error *err);
/* A list of its own that says the same, to be asked only; on failure *copy is empty. */
bool change_list_copy(struct change_list *copy, const struct change_list *list,
                      struct error *err);
/* Gives back spare room. */
void change_list_trim(struct change_list *list);
void change_list_release(struct change_list *list);
size_t change_list_bytes(const struct change_list *list);

enum { CHANGE_EACH_MOST = 64 };
/*
 * Time per class summed over all members within [0, t), for each of `count` moments, which
 * ascend; at most CHANGE_EACH_MOST. O(log n + block) each, and faster than one by one.
 */
void change_list_until(const struct change_list *list, const int64_t *t_ns, int count,
                       int64_t (*sums_ns)[CLASS_COUNT]);

/*
 * The changes of all actors, most of which stand in the lists of a few large groups
 * already: these are parts of the whole from some moment on. All else is in a list of its own.
 */
enum { CHANGE_PARTS = 16 };

struct all_changes {
	struct change_list rest; /* until a part begins, of its members as well */
	struct change_part {
		struct change_list *list;
		bool is_own;                    /* no group has this list: it is released with the part */
		int64_t from_ns;
		int64_t before_ns[CLASS_COUNT]; /* what the list says of the time before that */
	} parts[CHANGE_PARTS];
	uint32_t part_count;
};

/*
 * The list becomes a part at time_ns, not before any change in it or in the rest, which has
 * the same members up to then. There is room for one.
 */
bool all_changes_add_part(struct all_changes *all, struct change_list *list, int64_t time_ns,
                          struct error *err);
/*
 * A member of a part is first mentioned, having been in `to` since time 0: the rest has had it
 * up to now, if it is there already, and the part has it from now on.
 */
bool all_changes_join_late(struct all_changes *all, struct change_list *part, bool is_in_rest,
                           enum time_class to, struct error *err);
/* All but the lists of the parts. */
bool all_changes_copy(struct all_changes *copy, const struct all_changes *all,
                      struct error *err);
void all_changes_release(struct all_changes *all);
size_t all_changes_bytes(const struct all_changes *all);
/* As change_list_until(), for all actors. */
void all_changes_until(const struct all_changes *all, const int64_t *t_ns, int count,
                       int64_t (*sums_ns)[CLASS_COUNT]);

#endif

/* What the files of the publisher share. Not for others. */
#ifndef TTRACE_TRACE_PUBLISHER_INTERNAL_H
#define TTRACE_TRACE_PUBLISHER_INTERNAL_H

#include <assert.h>

#include "base/compiler.h"
#include "base/map.h"
#include "base/memory.h"
#include "base/ring.h"
#include "base/thread.h"
#include "trace/publisher.h"

/* Sums of an actor long-lived enough to have checkpoints or carries. */
struct checkpoint_state {
	struct checkpoint sums;  /* up to last_ns; longest and classes of the block so far */
	int64_t last_ns;
	enum time_class last_class;
};

/*
 * The most start functions that have lists of their own. A program has fewer. A file made for it
 * could have one for every few of its bytes, and a list is much larger; the groups beyond get
 * theirs at the end, if they need one at all.
 */
enum { LISTED_GROUPS = 4096, GROUP_UNLISTED = UINT16_MAX };

/* What is published of an actor: there may be a million of them. */
struct published {
	uint32_t total;           /* states in all */
	uint32_t next;            /* where the next one goes, while sorting */
	uint32_t last_segment, last_run;
	uint32_t checkpoint_slot; /* in checkpoint_states, REF_NONE for none */
	uint16_t listed_group;    /* in publisher.listed, GROUP_UNLISTED while it has no name */
	uint8_t listed_class;     /* after its last state */
	uint8_t passed;           /* states since its last checkpoint or carry */
};

/* What is published of a processor or thread. */
struct published_resource {
	struct resource_checkpoint sums; /* of entries that ended; longest of the block so far */
	int64_t open_since_ns;           /* when its last entry began */
	int64_t ended_ns;                /* the last one that did */
	uint32_t open_ordinal;           /* which one that is */
	uint8_t open_class;
	bool is_open;                    /* it has not ended */
};

/* All processors, or all threads, by ref. */
struct published_resources {
	struct published_resource *items;
	size_t count, capacity;
};

/* The actors of a name. */
struct listed_group {
	actor_ref first;             /* member */
	bool has_begun;              /* there is a second one */
	struct change_list *changes; /* NULL: none is needed, or to be made at the end */
	struct change_part *part;    /* that it is of all changes, else NULL */
	struct change_list *only;    /* all that its changes are written to; NULL: two lists */
	bool is_incomplete;          /* it lacks members, and is only of use as a part */
};

/* So many drafts even out what the one or the other side has to do at times. */
enum { PUBLISHER_DRAFTS = 3 };

struct publisher {
	struct trace *trace;
	const uint8_t *kind_class;
	const struct progress *progress; /* of the work that it is for, may be NULL */
	const struct draft_taker *taker; /* of drafts that are not to be published, else NULL */

	struct ring *ring;     /* of struct draft *, into `drafts` */
	struct worker *worker; /* NULL: before the first draft, or where none can be had */
	bool has_begun;
	struct draft drafts[PUBLISHER_DRAFTS];
	size_t next_draft;
	struct error error;    /* of publishing; good once the ring has stopped */

	struct published *actors; /* by ref */
	size_t actor_count, actor_capacity;
	struct checkpoint_state *checkpoint_states;
	size_t checkpoint_state_count, checkpoint_state_capacity;
	struct published_resources processors, threads;
	uint32_t *next;        /* by processor or thread: where its next item goes, while sorting */
	size_t next_capacity;

	struct listed_group *listed;
	size_t listed_count, listed_capacity;
	struct map listed_of;  /* name -> index in listed */
};

static inline struct published *
published_at(const struct publisher *publisher, actor_ref ref)
{
	assert(ref < publisher->actor_count);
	return &publisher->actors[ref];
}

/* ---- publisher_segment.c */

/* Sorts the draft into a segment and appends that. The draft is of no use any more. */
bool publisher_publish(struct publisher *publisher, struct draft *draft, struct error *err);

/* ---- publisher_resource.c: columns of processors or threads */

/* How long the column will be. */
void publisher_count_column(const struct draft_column *draft, struct resource_column *column);
/*
 * Writes the entries, sorted by resource, and their checkpoints into the segment's columns of
 * those lengths. The states were sorted.
 */
bool publisher_fill_columns(struct publisher *publisher, struct draft *draft,
                            struct segment *segment, struct error *err);

/* ---- publisher_changes.c */

/* The actor has got its name. */
bool publisher_join_group(struct publisher *publisher, const struct draft_name *name,
                          struct error *err);
/*
 * An actor goes from the class in which it was listed to another one, `start` as in a
 * segment after base_ns; where that is not for one list alone.
 */
bool publisher_list_widely(struct publisher *publisher, struct published *actor,
                           int64_t base_ns, uint32_t start, enum time_class to,
                           struct error *err);
/* Lists that have become long are made parts of all changes, from time_ns on. */
bool publisher_choose_parts(struct publisher *publisher, int64_t time_ns, struct error *err);
void publisher_release_lists(struct publisher *publisher);

static inline bool
publisher_list_change(struct publisher *publisher, struct published *actor, int64_t base_ns,
                      uint32_t start, enum time_class to, struct error *err)
{
	struct change_list *list;
	enum time_class from = (enum time_class)actor->listed_class;

	if (UNLIKELY(actor->listed_group == GROUP_UNLISTED || start == START_AT_ORIGIN))
		return publisher_list_widely(publisher, actor, base_ns, start, to, err);
	list = publisher->listed[actor->listed_group].only;
	if (UNLIKELY(list == NULL))
		return publisher_list_widely(publisher, actor, base_ns, start, to, err);
	actor->listed_class = (uint8_t)to;
	return change_list_add(list, base_ns + (int64_t)start, from, to, err);
}

#endif

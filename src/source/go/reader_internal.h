/* What the strict reader (reader.c) and the lenient one (reader_lenient.c) share. */
#ifndef TTRACE_SOURCE_GO_READER_INTERNAL_H
#define TTRACE_SOURCE_GO_READER_INTERNAL_H

#include "source/go/delivery.h"
#include "source/go/generation.h"
#include "source/go/order.h"
#include "source/go/reader.h"
#include "source/go/source.h"
#include "source/go/tables.h"

struct reader {
	const struct go_source *from;
	struct input *in; /* the bytes of the trace, out of that */
	struct go_read_result *result;
	struct generation_source source;
	struct generation generation;
	struct tables tables;
	struct delivery delivery;
	struct order order;
	bool is_lenient;
	const struct go_window *window; /* NULL: all */
	uint64_t last_generation; /* delivered last, by the lenient reader */
	uint64_t start_ticks;     /* of that one */
	uint64_t frequency;       /* of the trace's clock; 0 until the lenient reader knows it */
	bool is_behind_gap;       /* everything was lost since */
	bool has_unseen;          /* no whole generation followed on what left states unknown */
};

/* ---- reader.c */

/* Delivers the events of a generation whose tables are good. */
bool reader_deliver_generation(struct reader *reader, struct error *err);
/* The trace ends before this generation, which cannot be used, as err says. False: a failure. */
bool reader_drop_generation(struct reader *reader, struct error *err);
/* The Sync that ends a trace, or goes before the error that does. */
bool reader_deliver_last_sync(struct reader *reader, struct error *err);

/* ---- reader_lenient.c */

/*
 * Reads and delivers what there is of one generation, and adds to the damage map what there
 * is not; *is_done when it was the last.
 */
bool reader_salvage_generation(struct reader *reader, bool *is_done, struct error *err);

#endif

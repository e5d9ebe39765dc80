/*
 * What the forms of a profile share (profile-sources, section 3): the bytes of the whole input, the
 * trace that they become, and what was wrong with them.
 */
#ifndef TTRACE_SOURCE_PPROF_PPROF_H
#define TTRACE_SOURCE_PPROF_PPROF_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/compiler.h"
#include "base/error.h"
#include "trace/damage.h"
#include "trace/sample_set.h"
#include "trace/trace.h"

struct pprof {
	const uint8_t *bytes; /* the input, unpacked */
	size_t size;
	size_t whole; /* of a profile.proto: the fields up to there are looked at */
	bool is_cut;  /* it ends before its end: what is named and not there was lost */
	bool is_broken; /* found while it was read: it has to be read anew, up to `whole` */
	struct trace *trace;
	struct damage_map damage;
	uint64_t damaged; /* how much of it: samples, frames, labels, lines, the end */
	uint64_t mappings, locations, functions; /* of use */
	uint64_t depth; /* of the longest stack, with what was inlined */
	const atomic_bool *is_cancelled; /* may be NULL */
};

/* What stands at [from, from + size) is not used; the format says why. */
void pprof_damaged(struct pprof *pprof, size_t from, size_t size, const char *format, ...)
	ATTR_PRINTF(4, 5);
/* Nothing from there on was used. */
void pprof_cut(struct pprof *pprof, size_t from, const char *format, ...) ATTR_PRINTF(3, 4);

bool pprof_is_cancelled(const struct pprof *pprof, struct error *err);

/* The name of what has none: "[libc.so]" after the file of its mapping, or "<unknown>". */
bool pprof_name_unknown(struct pprof *pprof, string_id mapping_file, string_id *name,
	struct error *err);
/* "0x4c0ffee", of what had a name that is lost. */
bool pprof_name_address(struct pprof *pprof, uint64_t address, string_id *name,
	struct error *err);
/* The id of a text of ours. */
bool pprof_text(struct pprof *pprof, const char *text, string_id *id, struct error *err);
/* A file's name without its folders. */
bool pprof_base_name(struct pprof *pprof, string_id file, string_id *base, struct error *err);
/* Types of samples in their order, as names and units in turn, NULL behind the last. */
bool pprof_add_types(struct pprof *pprof, const char *const *types, struct error *err);

/*
 * Read the bytes into the trace, which is empty. False for want of memory, once cancelled, and where
 * there is nothing to show.
 */
bool pprof_read_proto(struct pprof *pprof, struct error *err);
bool pprof_read_text(struct pprof *pprof, struct error *err);
bool pprof_read_cpu(struct pprof *pprof, struct error *err);

#endif

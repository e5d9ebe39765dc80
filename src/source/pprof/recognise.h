/* Which form of a profile it is, by its first bytes (profile-sources, section 1). */
#ifndef TTRACE_SOURCE_PPROF_RECOGNISE_H
#define TTRACE_SOURCE_PPROF_RECOGNISE_H

#include <stddef.h>
#include <stdint.h>

#include "source/common/scan.h"

enum pprof_form {
	PPROF_PROTO, /* the protocol buffer, also where nothing is known */
	PPROF_TEXT,  /* of ?debug=1 and gperftools */
	PPROF_CPU    /* gperftools' words */
};

/* The form, and the points for it: 0 where it is none. */
enum pprof_form pprof_recognise(const uint8_t *bytes, size_t size, unsigned *points);

/* Which text it is, by its first line. */
enum pprof_text_kind {
	PPROF_TEXT_NONE,
	PPROF_TEXT_HEAP,       /* heap profile: 1: 8 [2: 16] @ heap/1048576 */
	PPROF_TEXT_COUNT,      /* goroutine profile: total 7 */
	PPROF_TEXT_CONTENTION, /* --- mutex: */
	PPROF_TEXT_THREADS,    /* --- threadz 1 --- */
	PPROF_TEXT_PAGES       /* --- heapz 1 ---: a first line before another one */
};
enum pprof_text_kind pprof_text_kind(struct scan line);

/* How words of the binary form are written. */
struct pprof_words {
	size_t word_bytes; /* 4 or 8; 0: it is none */
	bool is_big;       /* the most significant byte first */
};
enum { PPROF_CPU_HEADER_WORDS = 5, PPROF_CPU_PERIOD_WORD = 3 };
struct pprof_words pprof_words_of(const uint8_t *bytes, size_t size);
/* The word of that number, which is whole. */
uint64_t pprof_word(const struct pprof_words *words, const uint8_t *bytes, size_t index);

#endif

/*
 * XML, and what looks like it within any text, piece by piece: tags with their attributes, and the
 * text between them. Comments, declarations and instructions are left out. It makes the best of
 * what is broken: a tag that meets another `<` before its end is dropped and counted, tags need not
 * match, and any bytes are read to their end. Nothing is kept of what was handed out.
 */
#ifndef TTRACE_SOURCE_COMMON_XML_H
#define TTRACE_SOURCE_COMMON_XML_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/text.h"
#include "input/input.h"
#include "source/common/scan.h"

enum {
	XML_PART_BYTES = 64 * 1024, /* longer text comes in parts */
	XML_TAG_BYTES = 1024 * 1024 /* a longer tag is none */
};

enum xml_kind {
	XML_OPEN,
	XML_CLOSE,
	XML_TEXT, /* with its entities: xml_decode() */
	XML_RAW,  /* of CDATA, and all that is within script and style */
	XML_END
};

struct xml {
	/* The last piece, good until the next call. */
	enum xml_kind kind;
	struct scan name;       /* of a tag */
	struct scan attributes; /* of XML_OPEN: xml_attribute() */
	struct scan text;       /* of XML_TEXT and XML_RAW */
	bool is_empty;          /* XML_OPEN that closes itself: no XML_CLOSE follows */
	uint64_t from_bytes, to_bytes; /* where it stands in the input */
	uint64_t damaged;       /* tags so far that were dropped ... */
	struct { uint64_t from_bytes, to_bytes; } last_damaged; /* ... and where the last one stands */

	struct input *in;
	char *buffer;           /* begin..end were read and not handed out yet */
	size_t begin, end, capacity;
	const char *until;      /* ends what is being passed over, or the CDATA; NULL: neither */
	const char *raw;        /* the element within which all is raw: "script"; NULL: none */
	bool is_cdata, is_input_ended;
};

/* Begins where the input, which the caller keeps open, stands. xml_release() frees. */
void xml_init(struct xml *xml, struct input *in);
void xml_release(struct xml *xml);

/* The next piece. False where the input cannot be read, the work is cancelled, or memory is short. */
bool xml_next(struct xml *xml, struct error *err);

/* Whether the tag has that name, in any case. */
bool xml_is(const struct xml *xml, const char *name);
/*
 * Takes the next of a tag's attributes; false when there is none left. The value is without its
 * quotes and with its entities.
 */
bool xml_attribute(struct scan *attributes, struct scan *name, struct scan *value);
/*
 * Adds text with its entities decoded, once: the five of XML and numbers. What is no entity stays as
 * it is.
 */
void xml_decode(struct text *out, struct scan text);

#endif

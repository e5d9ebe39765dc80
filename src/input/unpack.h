/*
 * Compressed input: recognised by its first bytes and unpacked while it is read.
 * Members (gzip) and frames (zstd) behind each other are one stream, as gzip -dc
 * and zstd -dc have it; zero bytes behind the last one are padding.
 *
 * What could be unpacked before the data break off or turn out to be damaged is
 * delivered; then reading fails with an error whose offset counts unpacked bytes,
 * and whose message names the place in the compressed ones.
 */
#ifndef TTRACE_INPUT_UNPACK_H
#define TTRACE_INPUT_UNPACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "input/input.h"

/*
 * A few bytes can be made to unpack to very many. Beyond the first of these two
 * no more is unpacked than the second times the bytes of the file that were read,
 * or it is ERROR_LIMIT. Real traces unpack to two to ten times their size.
 */
enum { UNPACK_FREE_BYTES = 16 * 1024 * 1024, UNPACK_MAX_RATIO = 100 };

/* Memory that a zstd frame may ask for, as a power of two: what zstd itself takes by default. */
enum { UNPACK_WINDOW_BITS = 27 };

/* How many bytes tell which packing it is. */
enum { UNPACK_MAGIC_BYTES = 4 };

struct packing;

/* The packing that begins with these bytes, or NULL. */
const struct packing *unpack_recognise(const uint8_t *bytes, size_t size);
/* "gzip" or "zstd". */
const char *packing_name(const struct packing *packing);

/*
 * Opens an input that unpacks `from`, which the caller keeps open. Fails where
 * the library for it was not built in, and says so.
 */
bool unpack_open(struct input *in, struct input *from, const struct packing *packing,
                 struct error *err);

/* A server may compress what is compressed already; more is somebody's joke. */
enum { UNPACK_LAYERS = 2 };

/* What stands inside of all packings of a file. Not to be moved once it is open. */
struct unpacked {
	struct input *in; /* the file itself where nothing is packed */
	struct input layers[UNPACK_LAYERS];
	const struct packing *packings[UNPACK_LAYERS];
	unsigned count;
};

/*
 * Opens as many layers as the first bytes of each say; `file` stays the caller's.
 * unpacked_close() is needed after a failure too, which unpacked_explain() completes.
 */
bool unpacked_open(struct unpacked *unpacked, struct input *file, struct error *err);
void unpacked_close(struct unpacked *unpacked);
/* An error about bytes names the packings that these were in. */
void unpacked_explain(const struct unpacked *unpacked, struct error *err);

#endif

/*
 * Where bytes come from: a file, a pipe, memory (tests), or another input whose
 * bytes are converted on the way. Read, mostly in order, and never mapped, so that a file
 * that shrinks meanwhile is an error and no crash.
 */
#ifndef TTRACE_INPUT_INPUT_H
#define TTRACE_INPUT_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/thread.h"

struct input {
	/*
	 * Fills up to `size` bytes and returns how many (0 at the end); on an error
	 * returns false. Short reads are fine. EINTR is handled inside.
	 */
	bool (*read)(struct input *in, void *out, size_t size, size_t *got, struct error *err);
	int fd;                /* -1 for memory */
	bool owns_fd;
	const uint8_t *memory; /* for input_open_memory */
	size_t memory_size, memory_at;
	struct input *from;    /* for input_open_converted: what is read */
	void (*release)(void *context); /* may be NULL */
	void *context;         /* of read() and release() */
	const char *path;      /* as it was opened by name, of the caller; else NULL */
	bool can_rewind;       /* a regular file, or memory */
	int64_t start_bytes;   /* where it was opened in the file */
	uint8_t *buffer;       /* read ahead, buffer_at..buffer_end not taken yet */
	size_t buffer_at, buffer_end, buffer_capacity;
	bool is_skimming;      /* after a skip: the next thing is hardly more than a header */
	uint64_t offset_bytes; /* in the stream, of the next byte to be taken */
	uint64_t total_bytes;  /* size of a regular file or memory, 0 where unknown */
	/*
	 * Of the work that reads; may be NULL. Once it is cancelled, waiting for bytes that do not
	 * come (a pipe) ends with ERROR_CANCELLED within a tenth of a second, at once where
	 * progress_open() was called for it; such a wait is told to it after a tenth of a second.
	 */
	struct progress *progress;
};

/*
 * Each opener fills *in wholly; after a failure input_close() is not needed but
 * harmless.
 */

/*
 * Opens a file by name, which the caller keeps alive; "-" is standard input. ERROR_IO names the file and
 * the reason.
 */
bool input_open_file(struct input *in, const char *path, struct error *err);
/* Takes over an open descriptor (a pipe); closed by input_close(), and on failure. */
bool input_open_fd(struct input *in, int fd, struct error *err);
/* Reads from memory that the caller keeps alive. */
bool input_open_memory(struct input *in, const void *bytes, size_t size, struct error *err);
/*
 * An input that `read` fills with what it makes of the bytes of `from`, which the
 * caller keeps open; of the same work. Takes over context: input_close() releases it, and so does a failure.
 */
bool input_open_converted(struct input *in, struct input *from,
                          bool (*read)(struct input *in, void *out, size_t size, size_t *got,
                                       struct error *err),
                          void (*release)(void *context), void *context, struct error *err);
void input_close(struct input *in);

/* Whether input_rewind() can work: of files and memory, not of pipes. */
bool input_can_rewind(const struct input *in);
/* Goes back to where the input was opened. ERROR_IO when the file refuses. */
bool input_rewind(struct input *in, struct error *err);
/* Goes anywhere in an input that can be rewound; bytes are counted from where it was opened. */
bool input_seek(struct input *in, uint64_t offset_bytes, struct error *err);
/* Passes over bytes of an input that can be rewound, seldom reading them. */
bool input_skip(struct input *in, uint64_t count, struct error *err);
/*
 * Copies up to `size` bytes from any place of an input that can be rewound; fewer at the end.
 * Takes nothing, so any thread may do it while another reads.
 */
bool input_look(const struct input *in, uint64_t offset_bytes, void *out, size_t size,
                size_t *got, struct error *err);

/* Whether a file is still as long as it was when it was opened; true for what is none. */
bool input_has_all(const struct input *in);

/* All of the input that is known of: its size, or as far as it was seen. */
uint64_t input_known_bytes(const struct input *in);

/* The input at the end of a chain of converting ones: what offsets of the file count. */
const struct input *input_root(const struct input *in);

/* How far input_peek() can look ahead, and the longest line with its end. */
enum { INPUT_BUFFER_BYTES = 64 * 1024 };

/*
 * A view of the next `size` bytes, INPUT_BUFFER_BYTES at most, without taking them;
 * fewer only at the end of the input, or where it cannot be read any further. It
 * lives until the next call.
 */
bool input_peek(struct input *in, size_t size, const uint8_t **bytes, size_t *got,
                struct error *err);
/* A view of what is there, one byte at least but at the end of the input. */
bool input_ready(struct input *in, const uint8_t **bytes, size_t *got, struct error *err);
/* Takes bytes that were seen. */
void input_take(struct input *in, size_t count);
/*
 * Puts back bytes that were taken last, or others in their place: they come again, and
 * offset_bytes goes back by `count`. The buffer grows for as long as they are in it.
 */
bool input_unread(struct input *in, const void *bytes, size_t count, struct error *err);
/*
 * Takes the next line and shows it without its newline; the view lives until the
 * next call. *line is NULL at the end of the input. A line that does not fit the
 * buffer is ERROR_LIMIT, with nothing taken.
 */
bool input_line(struct input *in, const uint8_t **line, size_t *length, struct error *err);

/* One byte; *at_end true (and true returned) when there is none left. */
bool input_byte(struct input *in, uint8_t *byte, bool *at_end, struct error *err);
/* Exactly size bytes into out, or ERROR_TRUNCATED. */
bool input_exact(struct input *in, void *out, size_t size, struct error *err);
/* Up to size bytes into out, as they come; *got is 0 at the end alone (size is not 0). */
bool input_some(struct input *in, void *out, size_t size, size_t *got, struct error *err);

#endif

/*
 * What the things of a trace are called: the words of where it comes from. Go's actors are
 * goroutines, the kernel's are tasks. Screen, reports and queries ask here and know no language.
 *
 * Classes of time have a fixed look and role each (trace/state.h), so that what means the same looks
 * the same in any trace. The source says what its states fall into and what that is called.
 */
#ifndef TTRACE_TRACE_WORDS_H
#define TTRACE_TRACE_WORDS_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/compiler.h"
#include "base/error.h"
#include "base/text.h"
#include "trace/state.h"

struct noun {
	const char *one, *many; /* small letters; NULL where such a trace has none */
	char letter;            /* before an id, as in "G42"; '\0': the word stands there, "task 42" */
};

struct class_words {
	const char *name;    /* in queries and on the screen: "syscall"; NULL: no state is of it */
	const char *meaning; /* in the help, a pattern of text_add_words(); NULL: its name */
};

struct reason_class {
	const char *reason;
	enum time_class time_class;
};

/* Of static storage: a source has one. Plain ASCII. */
struct words {
	const char *source; /* as `--source=` names it */
	struct noun actor, processor, thread, group, task;
	struct noun name;     /* what the name of an actor is: a start function ... */
	struct noun function; /* ... which a word of it alone may stand for */
	struct noun sample; /* what tells where an actor was at a moment */
	struct noun slot; /* what {actors} wait for to run, where it has a short name; else the processor */
	const char *no_tasks;   /* what is said where a trace has no tasks; NULL: that alone ... */
	const char *no_regions; /* ... or no regions */
	/* What a dump of all actors at a moment calls their states; NULL: what everything does. */
	const char *dump_states[STATE_COUNT];
	/*
	 * Of columns for programs: ids of actors, of a waker, of processors and threads. NULL: the noun,
	 * "wake.of".
	 */
	struct { const char *id, *wake_id, *processor, *thread; } keys;
	struct class_words classes[CLASS_COUNT];
	bool has_calls;    /* system calls are slices, on tracks "syscalls" of actors */
	bool is_scheduled; /* by the kernel, which tells of it: who sleeps is of CLASS_SLEEP, CLASS_IDLE or CLASS_RUNTIME */
	/* Of blocked states, the last one's reason is NULL; others are CLASS_OTHER. NULL: all are. */
	const struct reason_class *reasons;
	/* That times are of, where the format states it: from that minor version of the program on. */
	struct { const char *name; uint32_t since_minor; } clock;
	const char *worker;        /* actors of that name work for the runtime: CLASS_WORKER */
	const char *assist;        /* in queries, what runs while it helps such workers */
	/*
	 * Functions that begin so belong to who polls the network, so that a wake from elsewhere is
	 * the network's; NULL: a wake is by whom it names.
	 */
	const char *poller;
};

/* The model's own words, for a trace that no source has named. */
extern const struct words words_plain;

/*
 * Adds a text in which names of nouns stand in braces for the trace's words: {actor}, {actors},
 * {processor}, {slot}, {thread}, {group}, {task}, {sample}, {name}, {function}. {Actors} begins with a capital,
 * {an actor} has "a" or "an" in front. Braces around anything else stay. O(length).
 */
void text_add_words(struct text *out, const struct words *words, const char *pattern);
/* The same with a pattern that is a format of printf() once the words stand in it. */
void text_format_words(struct text *out, const struct words *words, const char *pattern, ...)
	ATTR_PRINTF(3, 4);
void text_format_words_list(struct text *out, const struct words *words, const char *pattern,
	va_list args) ATTR_PRINTF(3, 0);

/* error_set() with such a pattern. Returns false. */
bool error_set_words(struct error *err, enum error_kind kind, const struct words *words,
	const char *pattern, ...) ATTR_PRINTF(4, 5);
/* The word of a pattern that is one name in braces; any other text is returned as it is. */
const char *words_title(const struct words *words, const char *pattern);
/* The same for the key of a column, where {id}, {wake_id}, {p} and {m} stand for those. */
const char *words_key(const struct words *words, const char *pattern);

/* "running", "sync": as the screen and queries say it; the model's word where the trace has none. */
const char *class_name(const struct words *words, enum time_class time_class);
/* The class of a state; the reason counts for a blocked one, is_worker for one that runs. O(reasons). */
enum time_class words_class(const struct words *words, enum state state, bool is_worker,
	const char *reason, size_t length);
/* The clock that times of such a trace are of, where the format states it of this version of the program; or NULL. O(1). */
const char *words_clock(const struct words *words, uint32_t minor);
/* The classes of time that such a trace can have: those with a name, but CLASS_GONE. O(1). */
class_mask words_classes(const struct words *words);
/* Whether the source knows that reason; a trace may have others. */
bool words_have_reason(const struct words *words, const char *reason, size_t length);
/* Whether actors of that name work for the runtime. */
bool words_name_worker(const struct words *words, const char *name, size_t length);

/* "the program's goroutines", or "all goroutines" where the runtime's own count as well. */
void text_add_whose(struct text *out, const struct words *words, bool is_of_all);
/* "G42", or "task 42" where the noun has no letter. */
void text_add_id(struct text *out, const struct noun *noun, int64_t id);

/* What stands for a name that nobody knows. */
#define NAME_CALLED_UNKNOWN "<unknown>"
#define NAME_START_UNKNOWN "(start unknown)"

#endif

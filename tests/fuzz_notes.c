/*
 * Any text as notes: each line is taken or complained of, and what is written of them is read
 * without a complaint and written as the same again, whatever is changed.
 */
#include "fuzz.h"

#include <string.h>

#include "trace/notes.h"

const struct fuzz_corpus fuzz_corpus = { ".txt", { "fuzz/notes", "fuzz/text", NULL } };

static void
check_order(const struct notes *notes)
{
	for (size_t i = 0; i < notes->count; i++) {
		const struct bookmark *bookmark = &notes->bookmarks[i];
		must(bookmark->t_ns >= 0 && *bookmark->name != '\0', "a bookmark has a place");
		must(i == 0 || notes->bookmarks[i - 1].t_ns <= bookmark->t_ns, "they are in order");
		must(notes_find(notes, bookmark->name) == i, "no two have one name");
	}
}

/* Writes notes twice, with reading in between. */
static void
write_again(const struct notes *notes)
{
	struct text once = { 0 }, twice = { 0 }, complaints = { 0 };
	struct notes again = { .count = 0 };
	notes_write(notes, "x.trace", &once);
	must(notes_read(&again, &once, "notes", &complaints), "what is written can be read");
	notes_write(&again, "x.trace", &twice);
	must(once.length == twice.length && memcmp(once.bytes, twice.bytes, once.length) == 0,
		"it is written as the same again");
	notes_release(&again);
	text_release(&once);
	text_release(&twice);
}

/* Changes that go by what the text itself has for names and notes. */
static void
change(struct notes *notes, const struct text *text)
{
	static const enum notes_act acts[] = { NOTES_PUT, NOTES_ANNOTATE, NOTES_MARK, NOTES_PUT,
		NOTES_DROP, NOTES_UNMARK };
	struct error err;
	for (size_t i = 0; i < sizeof acts / sizeof acts[0]; i++) {
		struct notes_change change = {
			.act = acts[i],
			.t_ns = (int64_t)(text->length * i),
			.name = text->bytes,
			.row = text->bytes + text->length / 2,
			.note = text->bytes + text->length / 3,
		};
		error_clear(&err);
		bool is_made = notes_make(notes, &change, &err);
		must(is_made == (err.kind == ERROR_NONE), "a change that fails says why");
		check_order(notes);
	}
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	struct text file = { 0 }, complaints = { 0 };
	struct notes notes = { .count = 0 };
	if (size == 0 || size > 100000)
		return 0;
	text_add(&file, (const char *)bytes, size);
	bool is_fine = notes_read(&notes, &file, "notes", &complaints);
	must(is_fine == (complaints.length == 0), "what is left out is told");
	check_order(&notes);
	write_again(&notes);
	change(&notes, &file);
	write_again(&notes);
	notes_release(&notes);
	text_release(&complaints);
	text_release(&file);
	return 0;
}

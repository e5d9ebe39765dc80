/* A change is a row of a table, and so is a line of the file, which becomes a change. */
#include "trace/notes.h"

#include <string.h>

#include "base/compiler.h"
#include "base/memory.h"
#include "base/text_lines.h"
#include "base/units.h"

#define FIRST_LINE "ttrace-notes"

enum { VERSION = 1, MOST_COMPLAINTS = 20 };

static void
release_bookmark(struct bookmark *bookmark)
{
	memory_free(bookmark->name);
	memory_free(bookmark->row);
	memory_free(bookmark->note);
}

void
notes_release(struct notes *notes)
{
	for (size_t i = 0; i < notes->count; i++)
		release_bookmark(&notes->bookmarks[i]);
	memory_free(notes->bookmarks);
	*notes = (struct notes){ 0 };
}

/* name: without blanks before it. */
static bool
is_name(const struct bookmark *bookmark, const char *name)
{
	size_t same = 0;
	while (bookmark->name[same] != '\0' && bookmark->name[same] == name[same])
		same++;
	return bookmark->name[same] == '\0' && name[same + strspn(name + same, " ")] == '\0';
}

size_t
notes_find(const struct notes *notes, const char *name)
{
	size_t i = 0;
	name += strspn(name, " ");
	while (i < notes->count && !is_name(&notes->bookmarks[i], name))
		i++;
	return i;
}

/* ---- texts */

static bool
check_text(const char *what, const char *text, struct error *err)
{
	size_t length = strlen(text);
	if (length > NOTES_MOST_TEXT)
		return error_set(err, ERROR_LIMIT, "the %s is too long", what);
	for (size_t i = 0; i < length; i++) {
		unsigned char byte = (unsigned char)text[i];
		if (byte < ' ' || byte == 0x7f)
			return error_set(err, ERROR_USAGE, "the %s holds a control character", what);
	}
	return true;
}

static void
cut_end(char *text)
{
	size_t length = strlen(text);
	while (length > 0 && text[length - 1] == ' ')
		length--;
	text[length] = '\0';
}

/* The text without blanks at its ends. */
static bool
copy_text(char **copy, const char *text, struct error *err)
{
	text += strspn(text, " ");
	size_t size = strlen(text) + 1;
	*copy = memory_realloc(NULL, size);
	if (*copy == NULL)
		return error_set_memory(err, "a note");
	memcpy(*copy, text, size);
	cut_end(*copy);
	return true;
}

static bool
replace_text(char **text, const char *what, const char *with, struct error *err)
{
	char *copy;
	if (!check_text(what, with, err) || !copy_text(&copy, with, err))
		return false;
	memory_free(*text);
	*text = copy;
	return true;
}

/* ---- changes */

static bool
mark(struct notes *notes, const struct notes_change *change, struct error *err)
{
	(void)err;
	notes->has_mark[change->mark] = true;
	notes->mark_ns[change->mark] = change->t_ns;
	return true;
}

static bool
unmark(struct notes *notes, const struct notes_change *change, struct error *err)
{
	(void)err;
	notes->has_mark[change->mark] = false;
	return true;
}

/* Takes a bookmark out of the order without freeing it. */
static struct bookmark
take_out(struct notes *notes, size_t at)
{
	struct bookmark bookmark = notes->bookmarks[at];
	notes->count--;
	memmove(notes->bookmarks + at, notes->bookmarks + at + 1,
		(notes->count - at) * sizeof *notes->bookmarks);
	return bookmark;
}

/* There is room for it. */
static void
put_in(struct notes *notes, struct bookmark bookmark)
{
	size_t at = notes->count++;
	for (; at > 0 && notes->bookmarks[at - 1].t_ns > bookmark.t_ns; at--)
		notes->bookmarks[at] = notes->bookmarks[at - 1];
	notes->bookmarks[at] = bookmark;
}

static bool
put_new(struct notes *notes, const struct notes_change *change, char *name, struct error *err)
{
	struct bookmark bookmark = { .t_ns = change->t_ns, .name = name };
	if (notes->count == NOTES_MOST_BOOKMARKS)
		error_set(err, ERROR_LIMIT, "there are %zu bookmarks, and no room for more",
			notes->count);
	else if (replace_text(&bookmark.row, "row", change->row, err) &&
		 copy_text(&bookmark.note, "", err) &&
		 array_reserve(&notes->bookmarks, &notes->capacity, notes->count + 1,
			 sizeof *notes->bookmarks, err)) {
		put_in(notes, bookmark);
		return true;
	}
	release_bookmark(&bookmark);
	return false;
}

static bool
put(struct notes *notes, const struct notes_change *change, struct error *err)
{
	char *name = NULL;
	if (!replace_text(&name, "name", change->name, err))
		return false;
	if (*name == '\0') {
		memory_free(name);
		return error_set(err, ERROR_USAGE, "the bookmark has no name");
	}
	size_t at = notes_find(notes, name);
	if (at == notes->count)
		return put_new(notes, change, name, err);
	memory_free(name);
	if (!replace_text(&notes->bookmarks[at].row, "row", change->row, err))
		return false;
	struct bookmark moved = take_out(notes, at);
	moved.t_ns = change->t_ns;
	put_in(notes, moved);
	return true;
}

static bool
drop(struct notes *notes, const struct notes_change *change, struct error *err)
{
	size_t at = notes_find(notes, change->name);
	(void)err;
	if (at == notes->count)
		return true;
	struct bookmark dropped = take_out(notes, at);
	release_bookmark(&dropped);
	return true;
}

static bool
annotate(struct notes *notes, const struct notes_change *change, struct error *err)
{
	size_t at = notes_find(notes, change->name);
	if (at == notes->count)
		return error_set(err, ERROR_USAGE, "the bookmark is gone");
	return replace_text(&notes->bookmarks[at].note, "note", change->note, err);
}

bool
notes_make(struct notes *notes, const struct notes_change *change, struct error *err)
{
	static bool (*const acts[])(
		struct notes *notes, const struct notes_change *change, struct error *err) = {
		[NOTES_MARK] = mark,
		[NOTES_UNMARK] = unmark,
		[NOTES_PUT] = put,
		[NOTES_DROP] = drop,
		[NOTES_ANNOTATE] = annotate,
	};
	if (change->t_ns < 0 && (change->act == NOTES_MARK || change->act == NOTES_PUT))
		return error_set(err, ERROR_USAGE, "notes stand at times of the trace, which begins later");
	return acts[change->act](notes, change, err);
}

/* ---- reading */

/* What is read of a file. */
struct reading {
	struct notes *notes;
	bool has_bookmark; /* what follows is of the one at ... */
	size_t at;
	bool has_begun; /* with a version that is known */
};

/* Cuts the first word off; returns what is behind it and its blanks. */
static char *
cut_word(char *text)
{
	char *rest = text + strcspn(text, " ");
	if (*rest != '\0')
		*rest++ = '\0';
	return rest + strspn(rest, " ");
}

static bool
read_time(const char *word, int64_t *t_ns, struct error *err)
{
	if (!units_parse_duration(word, t_ns, err))
		return false;
	return *t_ns >= 0 || error_set(err, ERROR_USAGE, "%.80s: before the trace", word);
}

static bool
read_mark(struct reading *reading, char *rest, struct error *err)
{
	char *time = cut_word(rest);
	bool is_a = strcmp(rest, "a") == 0;
	struct notes_change change = { .act = NOTES_MARK, .mark = is_a ? MARK_A : MARK_B };
	if (!is_a && strcmp(rest, "b") != 0)
		return error_set(err, ERROR_USAGE, "wanted mark a TIME or mark b TIME");
	if (reading->notes->has_mark[change.mark])
		return error_set(err, ERROR_USAGE, "there is a mark %s above", rest);
	return read_time(time, &change.t_ns, err) && notes_make(reading->notes, &change, err);
}

static bool
read_bookmark(struct reading *reading, char *rest, struct error *err)
{
	char *name = cut_word(rest);
	struct notes_change change = { .act = NOTES_PUT, .name = name, .row = "" };
	reading->has_bookmark = false; /* what follows is of this one, or of none */
	cut_end(name);
	if (!read_time(rest, &change.t_ns, err))
		return false;
	if (notes_find(reading->notes, name) < reading->notes->count)
		return error_set(err, ERROR_USAGE, "there is a bookmark %.80s above", name);
	if (!notes_make(reading->notes, &change, err))
		return false;
	reading->has_bookmark = true;
	reading->at = notes_find(reading->notes, name);
	return true;
}

/* Of which bookmark a line tells. */
static struct bookmark *
bookmark_above(const struct reading *reading, struct error *err)
{
	if (reading->has_bookmark)
		return &reading->notes->bookmarks[reading->at];
	error_set(err, ERROR_USAGE, "there is no bookmark above");
	return NULL;
}

static bool
read_row(struct reading *reading, char *rest, struct error *err)
{
	struct bookmark *bookmark = bookmark_above(reading, err);
	return bookmark != NULL && replace_text(&bookmark->row, "row", rest, err);
}

static bool
read_note(struct reading *reading, char *rest, struct error *err)
{
	struct bookmark *bookmark = bookmark_above(reading, err);
	return bookmark != NULL && replace_text(&bookmark->note, "note", rest, err);
}

static bool
read_first(struct reading *reading, const char *version, struct error *err)
{
	reading->has_begun = strcmp(version, "1") == 0;
	if (reading->has_begun)
		return true;
	return error_set(err, ERROR_USAGE, "notes of version %.20s, which this ttrace cannot read",
		version);
}

static bool
read_line(struct reading *reading, char *line, struct error *err)
{
	static const struct {
		const char *word;
		bool (*read)(struct reading *reading, char *rest, struct error *err);
	} words[] = { { "mark", read_mark }, { "bookmark", read_bookmark }, { "row", read_row },
		{ "note", read_note } };
	line += strspn(line, " \t");
	char *rest = cut_word(line);
	if (!reading->has_begun && strcmp(line, FIRST_LINE) == 0)
		return read_first(reading, rest, err);
	if (!reading->has_begun)
		return error_set(err, ERROR_USAGE, "no notes of ttrace: wanted %s %d",
			FIRST_LINE, VERSION);
	for (size_t i = 0; i < ARRAY_LENGTH(words); i++) {
		if (strcmp(words[i].word, line) == 0)
			return words[i].read(reading, rest, err);
	}
	return error_set(err, ERROR_USAGE, "wanted mark, bookmark, row or note");
}

static void
complain(struct text *complaints, const char *path, size_t number, const struct error *err)
{
	text_format(complaints, "%s:%zu: %s\n", path, number, err->message);
}

bool
notes_read(struct notes *notes, const struct text *file, const char *path,
	struct text *complaints)
{
	struct text bytes = { 0 };
	struct reading reading = { .notes = notes };
	struct error err;
	size_t count = 0;
	char *line;
	error_clear(&err);
	text_add(&bytes, file->bytes, file->length);
	struct text_lines lines = { .bytes = bytes.bytes, .length = bytes.length };
	if (bytes.failed) {
		error_set_memory(&err, "the notes");
		complain(complaints, path, ++count, &err);
		lines.length = 0;
	}
	while (text_lines_next(&lines, &line, &err)) {
		if (err.kind == ERROR_NONE && read_line(&reading, line, &err))
			continue;
		complain(complaints, path, lines.number, &err);
		error_clear(&err);
		/* Without its first line nothing would be what it seems to be. */
		if (++count == MOST_COMPLAINTS || !reading.has_begun)
			break;
	}
	text_release(&bytes);
	return count == 0;
}

/* ---- writing */

static void
add_time(struct text *out, const char *words, int64_t t_ns)
{
	char time[UNITS_TEXT];
	units_option_time(time, t_ns, 1);
	text_format(out, "%s %s", words, time);
}

void
notes_write(const struct notes *notes, const char *file_name, struct text *out)
{
	static const char *const marks[] = { [MARK_A] = "mark a", [MARK_B] = "mark b" };
	text_format(out, FIRST_LINE " %d\n# of %s\n", VERSION, file_name);
	for (size_t i = 0; i < MARK_COUNT; i++) {
		if (!notes->has_mark[i])
			continue;
		add_time(out, marks[i], notes->mark_ns[i]);
		text_add_string(out, "\n");
	}
	for (size_t i = 0; i < notes->count; i++) {
		const struct bookmark *bookmark = &notes->bookmarks[i];
		add_time(out, "bookmark", bookmark->t_ns);
		text_format(out, " %s\n", bookmark->name);
		if (*bookmark->row != '\0')
			text_format(out, "\trow %s\n", bookmark->row);
		if (*bookmark->note != '\0')
			text_format(out, "\tnote %s\n", bookmark->note);
	}
}

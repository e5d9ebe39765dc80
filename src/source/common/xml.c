/* A window over the input, which holds the piece that is handed out. */
#include "source/common/xml.h"

#include "base/compiler.h"
#include "base/memory.h"

enum { ENTITY_BYTES = 12 /* of "&#x10FFFF;", and room for zeros */ };

void
xml_init(struct xml *xml, struct input *in)
{
	*xml = (struct xml){ .in = in };
}

void
xml_release(struct xml *xml)
{
	memory_free(xml->buffer);
}

static size_t
left(const struct xml *xml)
{
	return xml->end - xml->begin;
}

static uint64_t
offset(const struct xml *xml)
{
	return xml->in->offset_bytes - left(xml);
}

/* Reads more behind what is there; is_input_ended says that there is none. */
static bool
fill(struct xml *xml, struct error *err)
{
	size_t got;
	if (xml->begin > 0)
		memmove(xml->buffer, xml->buffer + xml->begin, left(xml));
	xml->end -= xml->begin;
	xml->begin = 0;
	if (xml->end == xml->capacity &&
		!array_reserve(&xml->buffer, &xml->capacity, xml->end + XML_PART_BYTES, 1, err))
		return false;
	if (!input_some(xml->in, xml->buffer + xml->end, xml->capacity - xml->end, &got, err))
		return false;
	xml->end += got;
	xml->is_input_ended = got == 0;
	return true;
}

/* So many bytes are in the window, unless the input ends before. */
static bool
want(struct xml *xml, size_t bytes, struct error *err)
{
	while (left(xml) < bytes && !xml->is_input_ended)
		if (!fill(xml, err))
			return false;
	return true;
}

static bool
sees(const struct xml *xml, const char *text)
{
	size_t length = strlen(text);
	return left(xml) >= length && memcmp(xml->buffer + xml->begin, text, length) == 0;
}

static bool
is_same_letter(char a, char b)
{
	return a == b || (a >= 'A' && a <= 'Z' && a - 'A' + 'a' == b);
}

/* Whether these bytes are that word of small letters, in any case. */
static bool
is_word(const char *bytes, size_t length, const char *word)
{
	if (strlen(word) != length)
		return false;
	for (size_t i = 0; i < length; i++)
		if (!is_same_letter(bytes[i], word[i]))
			return false;
	return true;
}

bool
xml_is(const struct xml *xml, const char *name)
{
	return is_word(xml->name.at, scan_left(&xml->name), name);
}

static bool
is_space(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static bool
is_name_start(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == ':' ||
	       ((unsigned char)c & 0x80) != 0;
}

/* Takes so many bytes as the piece. */
static void
take(struct xml *xml, enum xml_kind kind, size_t length)
{
	xml->kind = kind;
	xml->from_bytes = offset(xml);
	xml->text = scan_over(xml->buffer + xml->begin, length);
	xml->begin += length;
	xml->to_bytes = offset(xml);
}

/* ---- what is passed over, and CDATA */

/*
 * Up to the end of it, part by part. *is_piece: a part of CDATA was taken; else all of it was passed
 * over.
 */
static bool
go_until(struct xml *xml, bool *is_piece, struct error *err)
{
	size_t last = strlen(xml->until);
	*is_piece = false;
	for (;;) {
		if (!want(xml, last, err))
			return false;
		struct scan there = scan_over(xml->buffer + xml->begin, left(xml));
		const char *at = scan_find(&there, xml->until);
		/* Without its end all but what may be the beginning of that. */
		size_t length = at != NULL ? (size_t)(at - there.at)
				: xml->is_input_ended || left(xml) < last ? left(xml)
									  : left(xml) - last + 1;
		if (at == NULL && !xml->is_input_ended && left(xml) < XML_PART_BYTES) {
			if (!fill(xml, err))
				return false;
			continue;
		}
		if (xml->is_cdata && length > 0) {
			take(xml, XML_RAW, length);
			*is_piece = true;
			return true;
		}
		xml->begin += at != NULL ? length + last : length;
		if (at == NULL && !xml->is_input_ended)
			continue;
		xml->until = NULL;
		xml->is_cdata = false;
		return true;
	}
}

/* Whether something begins here that is passed over, or CDATA. */
static bool
begins_until(struct xml *xml)
{
	static const struct {
		const char *begin, *until;
	} kinds[] = {
		{ "<!--", "-->" },
		{ "<![CDATA[", "]]>" },
		{ "<!", ">" },
		{ "<?", "?>" },
	};
	for (size_t i = 0; i < ARRAY_LENGTH(kinds); i++) {
		bool is_cdata = kinds[i].until[0] == ']';
		if (!sees(xml, kinds[i].begin) || (xml->raw != NULL && !is_cdata))
			continue;
		xml->until = kinds[i].until;
		xml->is_cdata = is_cdata;
		xml->begin += strlen(kinds[i].begin);
		return true;
	}
	return false;
}

/* ---- text */

/* No entity is cut in two by the end of a part. */
static size_t
length_of_part(const struct xml *xml)
{
	size_t length = left(xml);
	for (size_t i = 1; i <= ENTITY_BYTES && i < length; i++) {
		char c = xml->buffer[xml->end - i];
		if (c == ';')
			break;
		if (c == '&')
			return length - i;
	}
	return length;
}

/* The first byte is text, whatever it is. */
static bool
take_text(struct xml *xml, struct error *err)
{
	for (;;) {
		const char *from = xml->buffer + xml->begin;
		const char *at = left(xml) > 1 ? memchr(from + 1, '<', left(xml) - 1) : NULL;
		if (at == NULL && !xml->is_input_ended && left(xml) < XML_PART_BYTES) {
			if (!fill(xml, err))
				return false;
			continue;
		}
		size_t length = at != NULL		? (size_t)(at - from)
				: xml->is_input_ended ? left(xml)
							: length_of_part(xml);
		take(xml, xml->raw != NULL ? XML_RAW : XML_TEXT, length);
		return true;
	}
}

/* ---- tags */

static bool
is_tag(const struct xml *xml)
{
	size_t name = sees(xml, "</") ? 2 : 1;
	const char *at = xml->buffer + xml->begin;
	if (at[0] != '<' || left(xml) <= name || !is_name_start(at[name]))
		return false;
	if (xml->raw == NULL)
		return true;
	/* Within a script only its end counts. */
	size_t length = strlen(xml->raw);
	return name == 2 && left(xml) >= name + length && is_word(at + name, length, xml->raw);
}

/* The tag without its angle brackets becomes a name and attributes. */
static void
read_tag(struct xml *xml, struct scan tag)
{
	xml->kind = scan_char(&tag, '/') ? XML_CLOSE : XML_OPEN;
	xml->is_empty = xml->kind == XML_OPEN && tag.end > tag.at && tag.end[-1] == '/';
	tag.end -= xml->is_empty;
	xml->name.at = tag.at;
	while (!scan_is_end(&tag) && !is_space(*tag.at) && *tag.at != '/')
		tag.at++;
	xml->name.end = tag.at;
	xml->attributes = tag;
	xml->raw = xml->kind == XML_CLOSE || xml->is_empty ? NULL
		   : xml_is(xml, "script")		   ? "script"
		   : xml_is(xml, "style")		   ? "style"
							   : NULL;
}

/* Takes the tag that begins here; *is_piece is false where it is broken and was dropped. */
static bool
take_tag(struct xml *xml, bool *is_piece, struct error *err)
{
	char quote = '\0';
	size_t i = 1;
	for (;; i++) {
		if (i == left(xml) && !xml->is_input_ended && i < XML_TAG_BYTES && !fill(xml, err))
			return false;
		char c = i < left(xml) ? xml->buffer[xml->begin + i] : '<';
		if (c == '<' || (c == '>' && quote == '\0'))
			break;
		if (quote != '\0' ? c == quote : c == '"' || c == '\'')
			quote = quote == '\0' ? c : '\0';
	}
	*is_piece = i < left(xml) && xml->buffer[xml->begin + i] == '>';
	take(xml, XML_OPEN, i + *is_piece);
	if (*is_piece) {
		read_tag(xml, scan_over(xml->text.at + 1, i - 1));
		return true;
	}
	xml->damaged++;
	xml->last_damaged.from_bytes = xml->from_bytes;
	xml->last_damaged.to_bytes = xml->to_bytes;
	xml->raw = NULL;
	return true;
}

bool
xml_next(struct xml *xml, struct error *err)
{
	enum { MOST_TOLD = 16 /* bytes by which it can be told what begins */ };
	bool is_piece = false;
	while (!is_piece) {
		if (xml->until != NULL && !go_until(xml, &is_piece, err))
			return false;
		if (is_piece)
			return true;
		if (!want(xml, MOST_TOLD, err))
			return false;
		if (left(xml) == 0) {
			take(xml, XML_END, 0);
			return true;
		}
		if (begins_until(xml))
			continue;
		if (!is_tag(xml))
			return take_text(xml, err);
		if (!take_tag(xml, &is_piece, err))
			return false;
	}
	return true;
}

/* ---- attributes and entities */

static void
pass_spaces(struct scan *scan)
{
	while (!scan_is_end(scan) && is_space(*scan->at))
		scan->at++;
}

bool
xml_attribute(struct scan *attributes, struct scan *name, struct scan *value)
{
	pass_spaces(attributes);
	if (scan_is_end(attributes))
		return false;
	name->at = attributes->at;
	while (!scan_is_end(attributes) && !is_space(*attributes->at) && *attributes->at != '=')
		attributes->at++;
	name->end = attributes->at;
	value->at = value->end = attributes->at;
	pass_spaces(attributes);
	if (!scan_char(attributes, '='))
		return true;
	pass_spaces(attributes);
	char quote = scan_sees(attributes, '"') ? '"' : scan_sees(attributes, '\'') ? '\'' : '\0';
	attributes->at += quote != '\0';
	value->at = attributes->at;
	while (!scan_is_end(attributes) &&
		(quote != '\0' ? *attributes->at != quote : !is_space(*attributes->at)))
		attributes->at++;
	value->end = attributes->at;
	attributes->at += quote != '\0' && !scan_is_end(attributes);
	return true;
}

/* "#65" or "#x41"; false where it is no character. */
static bool
decode_number(struct text *out, struct scan digits)
{
	unsigned base = scan_char(&digits, 'x') || scan_char(&digits, 'X') ? 16 : 10;
	uint32_t value = 0;
	if (scan_is_end(&digits))
		return false;
	for (; !scan_is_end(&digits); digits.at++) {
		char c = *digits.at;
		unsigned digit = c >= '0' && c <= '9'			? (unsigned)(c - '0')
				 : (c | 0x20) >= 'a' && (c | 0x20) <= 'f' ? (unsigned)((c | 0x20) - 'a') + 10
									 : 99;
		if (digit >= base || value > 0x10ffff)
			return false;
		value = value * base + digit;
	}
	if (value == 0 || value > 0x10ffff || (value >= 0xd800 && value < 0xe000))
		return false;
	char bytes[4];
	text_add(out, bytes, text_encode(value, bytes));
	return true;
}

static bool
decode_entity(struct text *out, struct scan entity)
{
	static const struct {
		const char *name, *text;
	} names[] = {
		{ "lt", "<" },
		{ "gt", ">" },
		{ "amp", "&" },
		{ "quot", "\"" },
		{ "apos", "'" },
	};
	if (scan_char(&entity, '#'))
		return decode_number(out, entity);
	for (size_t i = 0; i < ARRAY_LENGTH(names); i++) {
		if (!scan_is(&entity, names[i].name))
			continue;
		text_add_string(out, names[i].text);
		return true;
	}
	return false;
}

void
xml_decode(struct text *out, struct scan text)
{
	while (!scan_is_end(&text)) {
		const char *at = memchr(text.at, '&', scan_left(&text));
		const char *plain = at != NULL ? at : text.end;
		text_add(out, text.at, (size_t)(plain - text.at));
		text.at = plain;
		if (at == NULL)
			return;
		size_t room = scan_left(&text) < ENTITY_BYTES ? scan_left(&text) : ENTITY_BYTES;
		const char *end = memchr(at, ';', room);
		if (end != NULL && decode_entity(out, scan_over(at + 1, (size_t)(end - at - 1)))) {
			text.at = end + 1;
			continue;
		}
		text_add(out, at, 1);
		text.at = at + 1;
	}
}

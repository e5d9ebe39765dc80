/* XML piece by piece: tags, attributes, text, what is passed over, and what is broken. */
#include "base_testing.h"

#include <stdlib.h>
#include <string.h>

#include "base/compiler.h"
#include "source/common/xml.h"

/* ---- an input that comes in pieces of one byte */

static bool
read_byte(struct input *in, void *out, size_t size, size_t *got, struct error *err)
{
	return input_some(in->from, out, size > 1 ? 1 : size, got, err);
}

static void
ignore(void *context)
{
	(void)context;
}

/* ---- pieces as a line: "<name a=b>", "</name>", "text", "{raw}" */

static void
add_scan(struct text *out, struct scan scan)
{
	text_add(out, scan.at, scan_left(&scan));
}

static void
add_piece(struct text *out, const struct xml *xml)
{
	struct scan attributes = xml->attributes, name, value;
	switch (xml->kind) {
	case XML_OPEN:
		text_add_string(out, "<");
		add_scan(out, xml->name);
		while (xml_attribute(&attributes, &name, &value)) {
			text_add_string(out, " ");
			add_scan(out, name);
			text_add_string(out, "=");
			xml_decode(out, value);
		}
		text_add_string(out, xml->is_empty ? "/>" : ">");
		break;
	case XML_CLOSE:
		text_add_string(out, "</");
		add_scan(out, xml->name);
		text_add_string(out, ">");
		break;
	case XML_TEXT:
		xml_decode(out, xml->text);
		break;
	case XML_RAW:
		text_add_string(out, "{");
		add_scan(out, xml->text);
		text_add_string(out, "}");
		break;
	case XML_END:
		break;
	}
}

static uint64_t
read_all(const char *bytes, size_t size, bool in_bytes, struct text *out)
{
	struct error err = { 0 };
	struct input whole, single;
	struct xml xml;
	assert_true(input_open_memory(&whole, bytes, size, &err));
	if (in_bytes)
		assert_true(input_open_converted(&single, &whole, read_byte, ignore, NULL, &err));
	xml_init(&xml, in_bytes ? &single : &whole);
	uint64_t at = 0;
	do {
		assert_true(xml_next(&xml, &err));
		assert_true(xml.from_bytes >= at && xml.to_bytes >= xml.from_bytes);
		at = xml.to_bytes;
		add_piece(out, &xml);
	} while (xml.kind != XML_END);
	assert_int_equal(at, size);
	uint64_t damaged = xml.damaged;
	xml_release(&xml);
	if (in_bytes)
		input_close(&single);
	input_close(&whole);
	return damaged;
}

static void
pieces_are_told(void **state)
{
	static const struct {
		const char *xml, *told;
		unsigned damaged;
	} rows[] = {
		{ "", "", 0 },
		{ "plain", "plain", 0 },
		{ "<a b='1' c=\"2\">x</a>y", "<a b=1 c=2>x</a>y", 0 },
		{ "<a  b = 'x y'\n\td=e f/>", "<a b=x y d=e f=/>", 0 },
		{ "<a b='>' c=\"/\">", "<a b=> c=/>", 0 },
		{ "<?xml version='1.0'?><!DOCTYPE svg><svg/>", "<svg/>", 0 },
		{ "a<!-- <b> -- -> -->c", "ac", 0 },
		{ "a<!-- never", "a", 0 },
		{ "<![CDATA[<a>]]]>b", "{<a>]}b", 0 },
		{ "<![CDATA[<a>", "{<a>}", 0 },
		{ "<![CDATA[]]>b", "b", 0 },
		{ "<script>if (a<b) '</g>'</script><g>", "<script>{if (a}{<b) '}{</g>'}</script><g>", 0 },
		{ "<SCRIPT><![CDATA[</script>]]></SCRIPT>", "<SCRIPT>{</script>}</SCRIPT>", 0 },
		{ "<style>a{}</style>", "<style>{a{}}</style>", 0 },
		{ "<script/><a>", "<script/><a>", 0 },
		{ "1 < 2 <- 3 <<", "1 < 2 <- 3 <<", 0 },
		{ "<a <b>", "<b>", 1 },
		{ "<a b='<c>", "<c>", 1 },
		{ "x<a b='1'", "x", 1 },
		{ "</a", "", 1 },
		{ "&lt;&gt;&amp;&quot;&apos;", "<>&\"'", 0 },
		{ "&amp;lt;", "&lt;", 0 },
		{ "&#65;&#x42;&#xe9;&#x1F600;", "AB\xc3\xa9\xf0\x9f\x98\x80", 0 },
		{ "&#0;&#xd800;&#x110000;&#;&#x;&none;&", "&#0;&#xd800;&#x110000;&#;&#x;&none;&", 0 },
		{ "&#x000000041;&#9999999999;", "&#x000000041;&#9999999999;", 0 },
	};
	(void)state;
	for (size_t i = 0; i < ARRAY_LENGTH(rows); i++) {
		for (int in_bytes = 0; in_bytes < 2; in_bytes++) {
			struct text out = { 0 };
			uint64_t damaged = read_all(rows[i].xml, strlen(rows[i].xml), in_bytes != 0, &out);
			if (strcmp(text_string(&out), rows[i].told) != 0 || damaged != rows[i].damaged)
				fail_msg("%s: %s, %u damaged", rows[i].xml, text_string(&out),
					(unsigned)damaged);
			text_release(&out);
		}
	}
}

/* Long text comes in parts, which never cut an entity in two. */
static void
long_texts_come_in_parts(void **state)
{
	enum { COUNT = 100000 };
	struct text in = { 0 }, wanted = { 0 }, out = { 0 };
	(void)state;
	for (int i = 0; i < COUNT; i++) {
		text_add_string(&in, i % 7 == 0 ? "&quot;" : "a");
		text_add_string(&wanted, i % 7 == 0 ? "\"" : "a");
	}
	text_add_string(&in, "<!-- ");
	for (int i = 0; i < COUNT; i++)
		text_add_string(&in, "-> ");
	text_add_string(&in, "-->end");
	text_add_string(&wanted, "end");
	assert_int_equal(read_all(in.bytes, in.length, false, &out), 0);
	assert_string_equal(text_string(&out), text_string(&wanted));
	text_release(&in);
	text_release(&wanted);
	text_release(&out);
}

/* One that never ends is given up, and what stands behind it is read. */
static void
a_tag_has_a_limit(void **state)
{
	struct text in = { 0 }, out = { 0 };
	(void)state;
	text_add_string(&in, "<a ");
	while (in.length < XML_TAG_BYTES + 3 * XML_PART_BYTES)
		text_add_string(&in, "b ");
	text_add_string(&in, "<c>");
	assert_int_equal(read_all(in.bytes, in.length, false, &out), 1);
	assert_non_null(strstr(text_string(&out), "<c>"));
	text_release(&in);
	text_release(&out);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(pieces_are_told),
		cmocka_unit_test(long_texts_come_in_parts),
		cmocka_unit_test(a_tag_has_a_limit),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

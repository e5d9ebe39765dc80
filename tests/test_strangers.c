/*
 * Files that are no traces: each is refused by its name where that can be told,
 * whole and compressed, and nothing in it reaches a terminal as it is.
 */
#include <stdlib.h>

#include "base/compiler.h"
#include "gotrace_testing.h"
#include "input/stranger.h"
#include "packing.h"

#define FILE_BYTES(bytes) bytes, sizeof(bytes) - 1

static const struct stranger_row {
	const char *bytes;
	size_t size;
	const char *name; /* NULL: nothing can be told */
} rows[] = {
	{ FILE_BYTES("\177ELF\2\1\1\0\0\0\0\0\0\0\0\0\2\0\x3e\0"), "an ELF program or library" },
	{ FILE_BYTES("\177ELF\2\1\1\0\0\0\0\0\0\0\0\0\4\0\x3e\0"), "an ELF core dump" },
	{ FILE_BYTES("\177ELF\2\2\1\0\0\0\0\0\0\0\0\0\0\4\0\x16"), "an ELF core dump" },
	{ FILE_BYTES("\xcf\xfa\xed\xfe\7\0\0\1"), "a Mach-O program or library" },
	{ FILE_BYTES("\xca\xfe\xba\xbe\0\0\0\2"), "a Mach-O program for several processors" },
	{ FILE_BYTES("MZ\x90\0\3\0\0\0"), "a Windows program" },
	{ FILE_BYTES("MDMP\x93\xa7\0\0"), "a Windows core dump" },
	{ FILE_BYTES("PK\3\4\x14\0\0\0"), "a zip archive" },
	{ FILE_BYTES("\xfd" "7zXZ\0\0\4"), "xz data, which xz -dc unpacks" },
	{ FILE_BYTES("BZh91AY&SY\1"), "bzip2 data, which bzip2 -dc unpacks" },
	{ FILE_BYTES("\4\"M\x18" "d@\xa7"), "lz4 data, which lz4 -dc unpacks" },
	{ FILE_BYTES("7z\xbc\xaf\x27\x1c\0\4"), "a 7-Zip archive" },
	{ FILE_BYTES("!<arch>\ndebian-binary"), "an ar archive" },
	{ FILE_BYTES("PERFILE2\x68\0\0\0"), "a recording of Linux perf" },
	{ FILE_BYTES("go1.7 heap dump\n\6\0"), "a Go heap dump" },
	{ FILE_BYTES("\x0a\x84\x80\x80\x80\x80\x80\x80\x80\x80\1\x08\1\x10\2"), NULL },
	{ FILE_BYTES("M=-1 P=-1 G=-1 Sync Time=1\n"), "a dump by go tool trace -d" },
	{ FILE_BYTES("\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"), "only zero bytes" },
	{ FILE_BYTES(" \n\t\r\n"), "only white space" },
	{ FILE_BYTES("strace: Process 12 attached\n% time     seconds  usecs/call     calls    errors syscall\n"),
		"the table of strace -c, which tells of no single call" },
	{ FILE_BYTES("404 page not found\n"), "plain text: \"404 page not found\"" },
	{ FILE_BYTES("\n  two words  \r\nmore\n"), "plain text: \"two words\"" },
	{ FILE_BYTES("red \33[31mtext\33]0;title\7\n"), NULL },
	{ FILE_BYTES("red \33[31mtext\n"), "plain text: \"red \u241b[31mtext\"" },
	{ FILE_BYTES("\u202eturned\n"), "plain text: \"<U+202E>turned\"" },
	{ FILE_BYTES("{\"traceEvents\":[{\"ph\":\"M\"}]}"), "trace events as JSON" },
	{ FILE_BYTES("[\n{\"name\":\"x\",\"ph\":\"X\"}]"), "trace events as JSON" },
	{ FILE_BYTES("{\"error\": \"no such profile\"}"), "JSON" },
	{ FILE_BYTES("{ no JSON"), "plain text: \"{ no JSON\"" },
	{ FILE_BYTES("<?xml version=\"1.0\"?>\n<a/>"), "XML: " },
	{ FILE_BYTES("<!DOCTYPE html>\n<HTML><head><Title class=x>\n 502 Bad Gateway\n</title>"),
	  "an HTML page: \"502 Bad Gateway\"" },
	{ FILE_BYTES("\xef\xbb\xbf <html><body><p>\n</p><b>Sign\33[2J in</b>"),
	  "an HTML page: \"Sign\u241b[2J in\"" },
	{ FILE_BYTES("<html><title></title>"), "an HTML page" },
	{ FILE_BYTES("<html><title"), "an HTML page" },
	{ FILE_BYTES("<html"), "an HTML page" },
	{ FILE_BYTES("\x8f\x1d\2\0\x91garbage"), NULL },
	{ FILE_BYTES("caf\xe9 of another encoding"), NULL },
};

static void
check_refused(const char *bytes, size_t size, const char *before, const struct stranger_row *row)
{
	struct readtrace got = { 0 };
	char wanted[200];
	readtrace_bytes(&got, bytes, size);
	if (row->name != NULL)
		snprintf(wanted, sizeof(wanted), "%snot a Go execution trace: this is %s", before,
		         row->name);
	else
		snprintf(wanted, sizeof(wanted), "%sbad file format: not a Go execution trace?",
		         before);
	assert_false(got.ok);
	if (strncmp(readtrace_problem(&got), wanted, strlen(wanted)) != 0)
		fail_msg("\"%s\" should be \"%s\"", readtrace_problem(&got), wanted);
	assert_int_equal(got.err.offset_bytes, 0);
	readtrace_release(&got);
}

static void
test_strangers(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LENGTH(rows); i++)
		check_refused(rows[i].bytes, rows[i].size, "", &rows[i]);
}

/* A profile comes with gzip around it; anything may. */
static void
test_packed_strangers(void **state)
{
	(void)state;
	for (size_t i = 0; i < PACKERS * ARRAY_LENGTH(rows); i++) {
		const struct packer *packer = &packers[i % PACKERS];
		const struct stranger_row *row = &rows[i / PACKERS];
		struct text packed = { 0 };
		char before[40];
		if (!packer->is_built)
			continue;
		packer->pack(&packed, row->bytes, row->size);
		snprintf(before, sizeof(before), "unpacked from %s: ", packer->name);
		check_refused(packed.bytes, packed.length, before, row);
		text_release(&packed);
	}
}

static void
test_empty(void **state)
{
	struct readtrace got = { 0 };
	(void)state;
	readtrace_bytes(&got, "", 0);
	assert_false(got.ok);
	assert_string_equal(readtrace_problem(&got),
	                    "not a Go execution trace: there is nothing in it");
	readtrace_release(&got);
}

/* The magic of a tar archive stands behind the name of its first file. */
static void
test_tar(void **state)
{
	char bytes[512] = "http.trace";
	const struct stranger_row row = { bytes, sizeof(bytes), "a tar archive" };
	(void)state;
	memcpy(bytes + 257, "ustar", 5);
	check_refused(bytes, sizeof(bytes), "", &row);
}

/* A name is cut at a character, and fits whatever the text is made of. */
static void
test_long_text(void **state)
{
	char name[STRANGER_NAME_BYTES], bytes[STRANGER_HEAD_BYTES + 10];
	(void)state;
	for (size_t i = 0; i + 3 <= sizeof(bytes); i += 3)
		memcpy(bytes + i, "\u20ac", 3);
	assert_true(stranger_name((const uint8_t *)bytes, sizeof(bytes) - 2, name));
	assert_non_null(strstr(name, "\u20ac...\""));
	memset(bytes, '\33', sizeof(bytes));
	assert_true(stranger_name((const uint8_t *)bytes, sizeof(bytes), name));
	assert_non_null(strstr(name, "\u241b...\""));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_strangers),
		cmocka_unit_test(test_packed_strangers),
		cmocka_unit_test(test_empty),
		cmocka_unit_test(test_tar),
		cmocka_unit_test(test_long_text),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

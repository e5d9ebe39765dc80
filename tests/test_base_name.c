/* Names of functions in little room: the end stays, and what stays fits. */
#include "base_testing.h"

#include "base/text.h"

struct name_row {
	const char *name;
	size_t cells;
	const char *wanted, *wanted_ascii;
};

static const struct name_row name_rows[] = {
	{ "net/http.(*conn).serve", 22, "net/http.(*conn).serve", "net/http.(*conn).serve" },
	{ "net/http.(*conn).serve", 21, "http.(*conn).serve", "http.(*conn).serve" },
	{ "net/http.(*conn).serve", 17, "http.conn.serve", "http.conn.serve" },
	{ "net/http.(*conn).serve", 14, "htt\u2026conn.serve", "htt..onn.serve" },
	{ "net/http.(*persistConn).writeLoop", 19, "http\u2026Conn.writeLoop",
		"http..onn.writeLoop" },
	{ "runtime.gcBgMarkWorker", 20, "runti\u2026gcBgMarkWorker", "runt..gcBgMarkWorker" },
	{ "runtime.selectgo", 12, "run\u2026selectgo", "ru..selectgo" },
	{ "runtime.selectgo", 10, "\u2026.selectgo", "..selectgo" },
	{ "runtime.selectgo", 8, "ru\u2026ectgo", "ru..ctgo" },
	{ "main.main.func5", 13, "ma\u2026main.func5", "...main.func5" },
	{ "main.main.func5", 12, "\u2026.main.func5", "..main.func5" },
	{ "G22 main.main.func1.1", 16, "G22 \u2026ain.func1.1", "G22 ..in.func1.1" },
	{ "main.handle.func2.1", 16, "\u2026.handle.func2.1", "..handle.func2.1" },
	{ "main.handle.gowrap3", 18, "mai\u2026handle.gowrap3", "ma..handle.gowrap3" },
	{ "github.com/a/b-c/d.F", 6, "d.F", "d.F" },
	{ "main.main", 9, "main.main", "main.main" },
	{ "main.main", 8, "ma\u2026.main", "ma..main" },
	{ "main.main", 7, "\u2026n.main", "...main" },
	{ "main.main", 4, "\u2026ain", "..in" },
	{ "main.main", 3, "ain", "ain" },
	{ "main.main", 1, "n", "n" },
	{ "main.main", 0, "", "" },
	{ "", 0, "", "" },
	{ "main.Map[a/b.T,c/d.U]", 20, "main.Map", "main.Map" },
	{ "x/y.Map[a/b.T]", 12, "y.Map[a/b.T]", "y.Map[a/b.T]" },
	{ "x/y.(*Set[go.shape.int]).Add", 12, "y.(*Set).Add", "y.(*Set).Add" },
	{ "x/y.(*Set[go.shape.int]).Add", 11, "y.Set.Add", "y.Set.Add" },
	{ "*net/http.Request", 13, "*http.Request", "*http.Request" },
	{ "[]*net/http.Request", 15, "[]*http.Request", "[]*http.Request" },
	{ "func(net/http.Request)", 21, "func(\u2026t/http.Request)", "func(../http.Request)" },
	{ "a.(b/c.d", 7, "\u2026(b/c.d", "..b/c.d" },
	{ "a.b)/c.d[e", 9, "c.d[e", "c.d[e" },
	{ "worker", 5, "\u2026rker", "..ker" },
	{ "kworker/u16:3", 12, "kwo\u2026er/u16:3", "kwo..r/u16:3" },
	{ "migration/0", 8, "mi\u2026ion/0", "mi..on/0" },
	{ "\u4E2D\u6587.\u4E2D\u6587", 8, "\u4E2D\u2026.\u4E2D\u6587", "\u4E2D..\u4E2D\u6587" },
	{ "aaaaaaaaae\u0301e\u0301e\u0301", 3, "e\u0301e\u0301e\u0301", "e\u0301e\u0301e\u0301" },
	{ "aaaaaaaaae\u0301e\u0301e\u0301", 4, "\u2026e\u0301e\u0301e\u0301", "..e\u0301e\u0301" },
};

static void
names_are_shortened_where_they_tell_least(void **state)
{
	(void)state;
	struct text text = { 0 };
	for (size_t i = 0; i < ARRAY_LENGTH(name_rows); i++) {
		const struct name_row *row = &name_rows[i];
		text_clear(&text);
		text_add_short_name(&text, row->name, strlen(row->name), row->cells, false);
		check_text(row->name, text.bytes, row->wanted);
		text_clear(&text);
		text_add_short_name(&text, row->name, strlen(row->name), row->cells, true);
		check_text(row->name, text.bytes, row->wanted_ascii);
	}
	text_release(&text);
}

static void
what_stood_before_stays(void **state)
{
	(void)state;
	struct text text = { 0 };
	text_add_string(&text, "a/b[c].(*d) ");
	text_add_short_name(&text, "net/http.(*conn).serve", 22, 15, false);
	check_text("appended", text.bytes, "a/b[c].(*d) http.conn.serve");
	text_release(&text);
}

/* Names put together from all that means something in them. */
static void
random_name(struct text *name, uint64_t *random)
{
	static const char *const pieces[] = { "a", "serve", ".", "/", "(*", ")", "[", "]", "(", "*",
		"[]", "\u00E9", "\u4E2D", "e\u0301", "func1", "..." };
	size_t count = random_below(random, 16);
	for (size_t i = 0; i < count; i++)
		text_add_string(name, pieces[random_below(random, ARRAY_LENGTH(pieces))]);
}

static void
check_short_name(const struct text *name, size_t cells, bool ascii, uint64_t seed)
{
	struct text text = { 0 };
	text_add(&text, "", 0);
	text_add_short_name(&text, name->bytes, name->length, cells, ascii);
	size_t width = text_width(text.bytes, text.length);
	size_t whole = text_width(name->bytes, name->length);
	if (width > cells || strlen(text.bytes) != text.length)
		fail_msg("seed %llu: \"%s\" in %zu cells: \"%s\"", (unsigned long long)seed,
			name->bytes, cells, text.bytes);
	if (whole <= cells)
		check_text("whole", text.bytes, name->bytes);
	for (size_t at = 0; at < text.length;) {
		struct text_char next = text_decode(text.bytes + at, text.length - at);
		if (!next.is_valid)
			fail_msg("seed %llu: \"%s\" was cut in a character",
				(unsigned long long)seed, name->bytes);
		at += next.length;
	}
	text_release(&text);
}

static void
any_name_fits_any_room(void **state)
{
	(void)state;
	const uint64_t seed = 515;
	uint64_t random = seed;
	struct text name = { 0 };
	for (int round = 0; round < 3000; round++) {
		text_clear(&name);
		text_add(&name, "", 0);
		random_name(&name, &random);
		for (size_t cells = 0; cells < 30; cells++)
			check_short_name(&name, cells, cells % 2 == 0, seed);
	}
	text_release(&name);
}

/* A plain name is never cut at its end, however little room there is. */
static void
the_end_is_always_kept(void **state)
{
	(void)state;
	static const char name[] = "example.com/pkg.worker.start";
	struct text text = { 0 };
	for (size_t cells = 1; cells <= strlen(name); cells++) {
		text_clear(&text);
		text_add_short_name(&text, name, strlen(name), cells, true);
		size_t kept = cells < 4 ? cells : cells - 2 - cells / 4;
		if (text.length < kept)
			kept = text.length;
		assert_memory_equal(
			text.bytes + text.length - kept, name + strlen(name) - kept, kept);
	}
	text_release(&text);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_are_shortened_where_they_tell_least),
		cmocka_unit_test(what_stood_before_stays),
		cmocka_unit_test(any_name_fits_any_room),
		cmocka_unit_test(the_end_is_always_kept),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Views of the whole program in tests: the screen of a trace of testdata, keys, and what stands there. */
#ifndef TTRACE_TESTS_PAGETEST_H
#define TTRACE_TESTS_PAGETEST_H

#include <stdbool.h>

#include "app/app.h"
#include "fakescreen.h"
#include "trace/trace.h"

struct page_test {
	struct trace *trace;
	struct other other;        /* is there where it was asked for ... */
	struct trace *other_trace; /* ... with this trace, else NULL */
	struct fakescreen fake;
	struct options options;
	struct app app;
};

/* The screen of a trace of testdata; the page is open if it is not NULL. */
void page_begin(struct page_test *test, const char *name, int width, int height, const char *page);
/* The same while it is compared with another one of testdata. */
void page_begin_compared(struct page_test *test, const char *name, const char *other, int width,
	int height, const char *page);
void page_end(struct page_test *test);

/* All that other threads make is there, and drawn. */
void page_settle(struct page_test *test);
void page_settle_app(struct app *app);
/* Keys with blanks between. */
void page_press(struct page_test *test, const char *keys);
/* Types a line and enters it. */
void page_type(struct page_test *test, const char *line);
/* The same at once, before what it begins is done. */
void page_type_ahead(struct page_test *test, const char *line);

/* Good until the next call. */
const char *page_text(struct page_test *test);
void page_has(struct page_test *test, const char *wanted);
void page_lacks(struct page_test *test, const char *unwanted);

/* What a page looks like after keys. */
struct page_picture {
	const char *golden, *trace, *page, *keys;
	int width, height;
	bool ascii, mono;
};

void page_check_picture(const struct page_picture *picture);
/* While its trace is compared with another one. */
void page_check_compared(const struct page_picture *picture, const char *other);

#endif

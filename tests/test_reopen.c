/*
 * A session that opens its trace out of a cache: with a cache that is damaged it shows nothing of
 * that, loads the trace itself, and says so.
 */
#include <locale.h>

#include "app/interactive.h"
#include "base_testing.h"
#include "base/compiler.h"
#include "cache/form.h"
#include "cachetesting.h"
#include "fakescreen.h"
#include "tracetesting.h"
#include "view/timeline.h"

static const struct app_view views[] = { { &timeline_view, true } };

static const char trace_name[] = "long-go1.26";

struct reopening {
	struct text cache;
	struct fakescreen fake;
	unsigned opened, loaded, distrusted, kept;
	int put_before; /* frames that were shown of what came from the cache */
};

static struct trace *
load(void *context, const struct go_wish *wish, const struct trace_watch *watch,
	struct progress *progress, struct error *err)
{
	struct reopening *reopening = context;
	(void)wish;
	(void)watch;
	(void)progress;
	if (reopening->distrusted == 0) {
		reopening->opened++;
		return cache_open_memory(reopening->cache.bytes, reopening->cache.length,
			&cachetesting_key, true, err);
	}
	reopening->loaded++;
	return testing_load(trace_name);
}

static void
keep(void *context, const struct trace *trace, struct loader *loader)
{
	struct reopening *reopening = context;
	reopening->kept++;
	if (trace->backing == NULL)
		loader_tell(loader, false, "kept it");
}

static void
distrust(void *context)
{
	struct reopening *reopening = context;
	reopening->distrusted++;
	reopening->put_before = reopening->fake.put_count;
}

static enum outcome
run(struct reopening *reopening)
{
	struct options options;
	struct progress progress = { .done_bytes = 0 };
	struct error err;
	struct text damage = { 0 };
	bool is_terminated = false;
	char *const arguments[] = { "ttrace", "--cache", "long.trace", NULL };
	error_clear(&err);
	assert_true(options_parse(3, arguments, &options, &err) && options.cache);
	const struct interactive interactive = {
		.screen = &reopening->fake.screen,
		.options = &options,
		.palette = palette_find("dark"),
		.file_name = "long.trace",
		.load = load,
		.load_context = reopening,
		.keep = keep,
		.distrust = distrust,
		.progress = &progress,
		.views = views,
		.view_count = ARRAY_LENGTH(views),
	};
	enum outcome outcome = interactive_run(&interactive, &is_terminated, &damage, &err);
	text_release(&damage);
	return outcome;
}

/* A key that leaves, once there is a picture. */
static bool (*put_on_fake)(struct screen *screen, const struct canvas *canvas,
	const struct palette *palette, struct error *err);

static bool
put_and_leave(struct screen *screen, const struct canvas *canvas, const struct palette *palette,
	struct error *err)
{
	struct fakescreen *fake = screen->context;
	fake->script = "q";
	return put_on_fake(screen, canvas, palette, err);
}

static void
reopening_init(struct reopening *reopening)
{
	struct error err = { 0 };
	*reopening = (struct reopening){ .opened = 0 };
	struct trace *trace = testing_load(trace_name);
	assert_true(cachetesting_write(trace, &reopening->cache, &err));
	trace_free(trace);
	fakescreen_init(&reopening->fake, 100, 30, "");
	reopening->fake.waits_at_end = true;
	put_on_fake = reopening->fake.screen.put;
	reopening->fake.screen.put = put_and_leave;
}

static void
reopening_release(struct reopening *reopening)
{
	fakescreen_release(&reopening->fake);
	text_release(&reopening->cache);
}

static void
a_cache_that_is_fine_is_shown(void **state)
{
	(void)state;
	struct reopening reopening;
	reopening_init(&reopening);
	assert_int_equal(run(&reopening), OUTCOME_FINE);
	assert_int_equal(reopening.opened, 1);
	assert_int_equal(reopening.distrusted, 0);
	assert_int_equal(reopening.kept, 1);
	assert_true(reopening.fake.put_count > 0);
	reopening_release(&reopening);
}

static void
a_damaged_cache_is_not_shown(void **state)
{
	(void)state;
	struct reopening reopening;
	reopening_init(&reopening);
	struct form_trailer trailer;
	memcpy(&trailer, reopening.cache.bytes + reopening.cache.length - sizeof trailer,
		sizeof trailer);
	for (size_t at = 200; at < trailer.tables_at; at += 200)
		reopening.cache.bytes[at] ^= 0x55;
	assert_int_equal(run(&reopening), OUTCOME_FINE);
	assert_int_equal(reopening.opened, 1);
	assert_int_equal(reopening.distrusted, 1);
	assert_int_equal(reopening.put_before, 0);
	assert_int_equal(reopening.loaded, 1);
	assert_true(fakescreen_has(&reopening.fake, "the cache is damaged"));
	reopening_release(&reopening);
}

int
main(void)
{
	if (!cache_is_available())
		return 77;
	setlocale(LC_CTYPE, "");
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_cache_that_is_fine_is_shown),
		cmocka_unit_test(a_damaged_cache_is_not_shown),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

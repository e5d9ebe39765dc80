/* Stands in for bench_keys.c and bench_picture.c where there is no emulator to run the program in. */
#include <stdio.h>

#include "bench.h"
#include "bench_picture.h"

bool
picture_time(const char *program, const char *trace, double *first_ms, double *whole_ms,
	struct error *err)
{
	(void)program;
	(void)trace;
	*first_ms = *whole_ms = 0;
	return error_set(err, ERROR_IO, "configure did not find vterm");
}

bool
bench_pictures(const struct bench_setting *setting, struct bench_report *report, struct error *err)
{
	(void)setting;
	(void)report;
	(void)err;
	return true;
}

bool
bench_reopening(const struct bench_setting *setting, struct bench_report *report, struct error *err)
{
	(void)setting;
	(void)report;
	(void)err;
	return true;
}

bool
bench_keys(const struct bench_setting *setting, struct bench_report *report, struct error *err)
{
	(void)report;
	(void)err;
	fprintf(stderr,
		"bench: %s: no first picture and no bytes per key: configure did not "
		"find vterm\n",
		setting->trace);
	return true;
}

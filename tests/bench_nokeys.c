/* Stands in for bench_keys.c where there is no emulator to run the program in. */
#include <stdio.h>

#include "bench.h"

bool
bench_keys(const struct bench_setting *setting, struct bench_report *report, struct error *err)
{
	(void)report;
	(void)err;
	fprintf(stderr, "bench: %s: no bytes per key: configure did not find vterm\n",
	        setting->trace);
	return true;
}

/* The machine that the numbers belong to, as far as it tells. */
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "bench.h"

/* Linux names the processor in a file; elsewhere the architecture has to do. */
static void
find_processor(char *out, size_t size)
{
	FILE *file = fopen("/proc/cpuinfo", "r");
	char line[200];
	while (file != NULL && fgets(line, sizeof line, file) != NULL) {
		const char *colon = strchr(line, ':');
		if (strncmp(line, "model name", 10) != 0 || colon == NULL)
			continue;
		colon += 1 + strspn(colon + 1, " ");
		snprintf(out, size, "%.*s", (int)strcspn(colon, "\n"), colon);
		break;
	}
	if (file != NULL)
		fclose(file);
}

void
machine_look(struct machine *machine)
{
	struct utsname name;
	*machine = (struct machine){ 0 };
	if (uname(&name) == 0) {
		snprintf(machine->system, sizeof machine->system, "%.30s %.60s", name.sysname,
			name.release);
		snprintf(machine->processor, sizeof machine->processor, "%.60s", name.machine);
	}
	find_processor(machine->processor, sizeof machine->processor);
	machine->processors = sysconf(_SC_NPROCESSORS_ONLN);
	machine->memory_gb = (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE) / 1e9;
	if (getloadavg(&machine->load, 1) != 1)
		machine->load = 0;
}

void
machine_print(void)
{
	struct machine machine;
	machine_look(&machine);
	printf("%s, %ld processors, %.0f GB, %s; load average %.1f%s\n\n", machine.processor,
		machine.processors, machine.memory_gb, machine.system, machine.load,
		machine.load > 0.5 ? ": not at rest" : "");
}

void
machine_write_json(FILE *out)
{
	struct machine machine;
	machine_look(&machine);
	fprintf(out, "{\"processor\":");
	json_write_string(out, machine.processor);
	fprintf(out, ",\"system\":");
	json_write_string(out, machine.system);
	fprintf(out, ",\"processors\":%ld,\"memory_gb\":%.3g,\"load\":%.3g}", machine.processors,
		machine.memory_gb, machine.load);
}

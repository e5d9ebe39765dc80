/* Values measured several times, and the numbers made of them. */
#include <stdlib.h>

#include "base/memory.h"
#include "base/process.h"
#include "bench.h"

bool
samples_add(struct samples *samples, double value, struct error *err)
{
	if (!array_reserve(&samples->values, &samples->capacity, samples->count + 1,
		    sizeof *samples->values, err))
		return false;
	samples->values[samples->count++] = value;
	return true;
}

static int
compare_values(const void *a, const void *b)
{
	double left = *(const double *)a, right = *(const double *)b;
	return (left > right) - (left < right);
}

double
samples_percentile(struct samples *samples, int percent)
{
	if (samples->count == 0)
		return 0;
	qsort(samples->values, samples->count, sizeof *samples->values, compare_values);
	size_t rank = (samples->count * (size_t)percent + 99) / 100;
	return samples->values[rank > 0 ? rank - 1 : 0];
}

void
samples_release(struct samples *samples)
{
	memory_free(samples->values);
	*samples = (struct samples){ 0 };
}

bool
cost_add(struct cost *cost, double wall, double processor, struct error *err)
{
	return samples_add(&cost->wall, wall, err) && samples_add(&cost->processor, processor, err);
}

struct moment
moment_now(void)
{
	return (struct moment){ process_now_ns(), process_used_ns() };
}

bool
cost_add_since(struct cost *cost, struct moment start, struct error *err)
{
	struct moment end = moment_now();
	return cost_add(cost, (double)(end.wall_ns - start.wall_ns) / 1e6,
		(double)(end.processor_ns - start.processor_ns) / 1e6, err);
}

void
cost_release(struct cost *cost)
{
	samples_release(&cost->wall);
	samples_release(&cost->processor);
}

struct bench_number
number_of_samples(const char *name, const char *meaning, const char *unit, struct samples *samples)
{
	struct bench_number number = { .name = name, .meaning = meaning, .unit = unit };
	number.value = samples_percentile(samples, 50);
	if (samples->count > 1) {
		number.least = samples_percentile(samples, 0);
		number.most = samples_percentile(samples, 100);
	}
	return number;
}

struct bench_number
number_of_cost(const char *name, const char *meaning, const char *unit, struct cost *cost)
{
	struct bench_number number = number_of_samples(name, meaning, unit, &cost->wall);
	number.processor = samples_percentile(&cost->processor, 50);
	return number;
}

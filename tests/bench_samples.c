/* Values measured several times, and the numbers made of them. */
#include <stdlib.h>

#include "base/memory.h"
#include "base/process.h"
#include "bench.h"

bool
costs_add(struct costs *samples, double value, struct error *err)
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
costs_percentile(struct costs *samples, int percent)
{
	if (samples->count == 0)
		return 0;
	qsort(samples->values, samples->count, sizeof *samples->values, compare_values);
	size_t rank = (samples->count * (size_t)percent + 99) / 100;
	return samples->values[rank > 0 ? rank - 1 : 0];
}

void
costs_release(struct costs *samples)
{
	memory_free(samples->values);
	*samples = (struct costs){ 0 };
}

bool
cost_add(struct cost *cost, double wall, double processor, struct error *err)
{
	return costs_add(&cost->wall, wall, err) && costs_add(&cost->processor, processor, err);
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
	costs_release(&cost->wall);
	costs_release(&cost->processor);
}

struct bench_number
number_of_samples(const char *name, const char *meaning, const char *unit, struct costs *samples)
{
	struct bench_number number = { .name = name, .meaning = meaning, .unit = unit };
	number.value = costs_percentile(samples, 50);
	if (samples->count > 1) {
		number.least = costs_percentile(samples, 0);
		number.most = costs_percentile(samples, 100);
	}
	return number;
}

struct bench_number
number_of_cost(const char *name, const char *meaning, const char *unit, struct cost *cost)
{
	struct bench_number number = number_of_samples(name, meaning, unit, &cost->wall);
	number.processor = costs_percentile(&cost->processor, 50);
	return number;
}

/*
 * mkprofile: writes a profile of pprof of any size, bare, for measurements. The same size gives the
 * same bytes.
 *
 *     mkprofile 100M [STACKS] > FILE
 *
 * Samples are walks down a tree of calls, in no order, each of one of STACKS (20000) stacks with two
 * values and labels: large profiles are many labels of the same stacks. As Go does it, strings come last.
 */

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FUNCTIONS = 8000, CALLEES = 4, DEPTH = 48, TENANTS = 64, SIZES = 64, MESSAGE_BYTES = 1024 };

struct message {
	unsigned char bytes[MESSAGE_BYTES];
	size_t size;
};

static uint64_t written, state = 1, stacks = 20000;

static uint64_t
next_random(void)
{
	state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return state >> 33;
}

static void
put_varint(struct message *out, uint64_t value)
{
	for (; value >= 0x80; value >>= 7)
		out->bytes[out->size++] = (unsigned char)(value | 0x80);
	out->bytes[out->size++] = (unsigned char)value;
}

static void
put_number(struct message *out, unsigned field, uint64_t value)
{
	put_varint(out, field << 3);
	put_varint(out, value);
}

static void
put_bytes(struct message *out, unsigned field, const void *bytes, size_t size)
{
	put_varint(out, field << 3 | 2);
	put_varint(out, size);
	memcpy(out->bytes + out->size, bytes, size);
	out->size += size;
}

static void
put_message(struct message *out, unsigned field, const struct message *inner)
{
	put_bytes(out, field, inner->bytes, inner->size);
}

static void
write_field(unsigned field, const struct message *inner)
{
	struct message out = { .size = 0 };
	put_varint(&out, field << 3 | 2);
	put_varint(&out, inner->size);
	written += fwrite(out.bytes, 1, out.size, stdout);
	written += fwrite(inner->bytes, 1, inner->size, stdout);
}

static void
write_string(const char *string)
{
	struct message text = { .size = strlen(string) };
	memcpy(text.bytes, string, text.size);
	write_field(6, &text);
}

static void
write_type(uint64_t name, uint64_t unit)
{
	struct message type = { .size = 0 };
	put_number(&type, 1, name);
	put_number(&type, 2, unit);
	write_field(1, &type);
}

/* Whom a function calls at one of its places; later functions are called seldom and by few. */
static uint64_t
callee(uint64_t function, uint64_t place)
{
	uint64_t mixed = (function * CALLEES + place + 1) * UINT64_C(0x9E3779B97F4A7C15);
	return (mixed >> 40) % FUNCTIONS;
}

static void
write_sample(void)
{
	struct message sample = { .size = 0 }, stack = { .size = 0 }, values = { .size = 0 };
	struct message tenant = { .size = 0 }, bytes = { .size = 0 };
	uint64_t after = next_random(), one = next_random() % stacks, other = next_random() % stacks;
	state = (one < other ? one : other) * UINT64_C(0x9E3779B97F4A7C15); /* some come often */
	uint64_t locations[DEPTH], function = next_random() % 3, count = 0;
	uint64_t depth = 8 + next_random() % (DEPTH - 8);
	while (count < depth) {
		/* Mostly the first call: programs have hot paths. */
		uint64_t chance = next_random() % 64;
		uint64_t place = chance < 58 ? 0 : chance < 62 ? 1 : 2 + chance % 2;
		locations[count++] = 1 + function * CALLEES + place;
		function = callee(function, place);
	}
	while (count > 0)
		put_varint(&stack, locations[--count]);
	put_message(&sample, 1, &stack);
	state = after;
	uint64_t weight = 1 + next_random() % 9;
	put_varint(&values, weight);
	put_varint(&values, weight * 10000000);
	put_message(&sample, 2, &values);
	put_number(&tenant, 1, 5);
	put_number(&tenant, 2, 7 + next_random() % TENANTS);
	put_message(&sample, 3, &tenant);
	put_number(&bytes, 1, 6);
	put_number(&bytes, 3, 16 * (next_random() % SIZES));
	put_message(&sample, 3, &bytes);
	write_field(2, &sample);
}

static void
write_tables(void)
{
	struct message mapping = { .size = 0 };
	put_number(&mapping, 1, 1);
	put_number(&mapping, 3, UINT64_C(1) << 40);
	put_number(&mapping, 5, 7 + TENANTS);
	write_field(3, &mapping);
	for (uint64_t i = 0; i < FUNCTIONS * CALLEES; i++) {
		struct message location = { .size = 0 }, line = { .size = 0 };
		put_number(&line, 1, 1 + i / CALLEES);
		put_number(&line, 2, 10 + i % CALLEES);
		put_number(&location, 1, 1 + i);
		put_number(&location, 2, 1);
		put_number(&location, 3, 0x400000 + i * 16);
		put_message(&location, 4, &line);
		write_field(4, &location);
	}
	for (uint64_t i = 0; i < FUNCTIONS; i++) {
		struct message function = { .size = 0 };
		put_number(&function, 1, 1 + i);
		put_number(&function, 2, 8 + TENANTS + i);
		put_number(&function, 4, 7 + TENANTS);
		write_field(5, &function);
	}
	static const char *const strings[] = { "", "samples", "count", "cpu", "nanoseconds", "tenant",
		"bytes" };
	char name[80];
	for (size_t i = 0; i < sizeof strings / sizeof *strings; i++)
		write_string(strings[i]);
	for (unsigned i = 0; i < TENANTS; i++) {
		snprintf(name, sizeof name, "t%u", i);
		write_string(name);
	}
	write_string("/usr/bin/server");
	for (unsigned i = 0; i < FUNCTIONS; i++) {
		snprintf(name, sizeof name, "example.com/server/part%u.(*Thing).Function%u", i % 40, i);
		write_string(name);
	}
}

int
main(int argc, char **argv)
{
	char *end = NULL;
	uint64_t size = argc > 1 ? strtoull(argv[1], &end, 10) : 0;
	if (argc == 3)
		stacks = strtoull(argv[2], NULL, 10);
	if (argc > 3 || end == NULL || stacks == 0 || (*end != '\0' && strcmp(end, "M") != 0)) {
		fputs("usage: mkprofile BYTES[M] [STACKS] > FILE\n", stderr);
		return 2;
	}
	size *= *end == 'M' ? 1000000 : 1;
	write_type(1, 2);
	write_type(3, 4);
	while (written < size)
		write_sample();
	write_tables();
	return 0;
}

/*
 * Allocations of the AllocFree experiment: the sums of real traces as counted from what
 * Go's tool prints, and small traces for what they do not hold.
 */
#include <inttypes.h>

#include "base/compiler.h"
#include "gotrace_testing.h"
#include "tracetesting.h"

static const char *const kind_names[ALLOC_KIND_COUNT] = {
	[ALLOC_HEAP_SPAN] = "heap_span",
	[ALLOC_OTHER_SPAN] = "other_span",
	[ALLOC_OBJECT] = "object",
	[ALLOC_STACK] = "stack",
};

static const char *const change_names[ALLOC_CHANGE_COUNT] = {
	[ALLOC_BEFORE] = "before",
	[ALLOC_MADE] = "made",
	[ALLOC_FREED] = "freed",
	[ALLOC_PACKED] = "packed",
	[ALLOC_STRAY] = "stray",
};

/* ---- real traces */

static const struct fact *
find_sum(const struct facts *facts, int kind, int change)
{
	for (size_t i = 0; i < facts->count; i++)
		if (strcmp(facts->lines[i].fields[0], kind_names[kind]) == 0 &&
			strcmp(facts->lines[i].fields[1], change_names[change]) == 0)
			return &facts->lines[i];
	return NULL;
}

/* All types together are all objects, but for those freed of which no type was told. */
static void
check_types(const char *name, const struct trace *trace, int change)
{
	struct alloc_sum sum = { 0 };
	for (uint32_t i = 0; i < trace->alloc_types.count; i++) {
		const struct alloc_type *type = stable_at(&trace->alloc_types, i);
		sum.count += type->flow.sums[change].count;
		sum.bytes += type->flow.sums[change].bytes;
	}
	const struct alloc_sum *all = &trace->allocs[ALLOC_OBJECT].sums[change];
	if (change != ALLOC_STRAY && (sum.count != all->count || sum.bytes != all->bytes))
		fail_msg("%s: %s: the types do not add up", name, change_names[change]);
}

static void
check_sums(const char *name)
{
	struct trace *trace = testing_load(name);
	struct facts facts;
	facts_read(&facts, name, ".allocs.txt");
	for (int kind = 0; kind < ALLOC_KIND_COUNT; kind++) {
		for (int change = 0; change < ALLOC_CHANGE_COUNT; change++) {
			const struct fact *fact = find_sum(&facts, kind, change);
			int64_t count = fact == NULL ? 0 : fact_number(fact, 2, 0);
			int64_t bytes = fact == NULL ? 0 : fact_number(fact, 3, 0);
			const struct alloc_sum *sum = &trace->allocs[kind].sums[change];
			if (sum->count != (uint64_t)count || sum->bytes != (uint64_t)bytes)
				fail_msg("%s: %s %s: %" PRIu64 " of %" PRIu64
					 " bytes, should be %" PRId64 " of %" PRId64,
					name, kind_names[kind], change_names[change], sum->count,
					sum->bytes, count, bytes);
		}
		assert_int_equal(trace->allocs[kind].unsized, 0);
	}
	for (int change = 0; change < ALLOC_CHANGE_COUNT; change++)
		check_types(name, trace, change);
	facts_release(&facts);
	trace_free(trace);
}

static void
sums_are_those_of_the_reference(void **state)
{
	(void)state;
	testing_each(".allocs.txt", check_sums);
}

/* ---- small traces */

#define HEAD GO26 SYNC("1")
#define EVENTS BATCH("1", "0", "10") P0 G1
#define END "EndOfGeneration\n"
/* Pages of 8192 bytes, object ids by 8 bytes. */
#define INFO \
	"ExperimentalBatch exp=1 gen=1 m=0 time=0\n\tdata=\"\\x01\\x80\\x20\\x80\\x40\\x08\\x80\\x10\"\n"
/* Type 5 is a "T" of 24 bytes; behind it stands half a type. */
#define TYPES \
	"ExperimentalBatch exp=1 gen=1 m=0 time=0\n\tdata=\"\\x00\\x05\\x00\\x18\\x08\\x01T\\x06\\x00\"\n"

static const struct {
	const char *name, *text;
	const char *sums; /* kind change count bytes, but for zeros */
	uint64_t unsized;
} rows[] = {
	{ "no units", HEAD EVENTS "SpanAlloc dt=1 id=1 npages_value=2 kindclass=1\n"
	  "HeapObjectAlloc dt=1 id=1 type=0\n" END,
	  "other_span made 1 0\nobject made 1 0\n", 2 },
	{ "no span: as large as its type", HEAD INFO TYPES EVENTS
	  "HeapObjectAlloc dt=1 id=1 type=5\n" END, "object made 1 24\n", 0 },
	{ "a type that is cut off", HEAD INFO TYPES EVENTS
	  "HeapObjectAlloc dt=1 id=1 type=6\n" END, "object made 1 0\n", 1 },
	/* Span 2 has slots of 32 bytes: its first object has the id 2048. */
	{ "the slot, not the type", HEAD INFO TYPES EVENTS
	  "Span dt=1 id=2 npages_value=1 kindclass=16\n" "HeapObject dt=1 id=2048 type=5\n"
	  "HeapObjectAlloc dt=1 id=2054 type=5\n" "HeapObjectFree dt=1 id=2052\n" END,
	  "heap_span before 1 8192\nobject before 1 32\nobject made 1 32\nobject freed 1 32\n", 0 },
	{ "two in one slot", HEAD INFO EVENTS "SpanAlloc dt=1 id=0 npages_value=1 kindclass=10\n"
	  "HeapObjectAlloc dt=1 id=2 type=0\n" "HeapObjectAlloc dt=1 id=3 type=0\n"
	  "HeapObjectFree dt=1 id=2\n" "HeapObjectAlloc dt=1 id=2 type=0\n" END,
	  "heap_span made 1 8192\nobject made 2 32\nobject freed 1 16\nobject packed 1 0\n", 0 },
	{ "an object as large as its span", HEAD INFO EVENTS
	  "SpanAlloc dt=1 id=3 npages_value=5 kindclass=0\n" "HeapObjectAlloc dt=1 id=3072 type=0\n"
	  "HeapObjectFree dt=1 id=3072\n" "SpanFree dt=1 id=3\n" END,
	  "heap_span made 1 40960\nheap_span freed 1 40960\n"
	  "object made 1 40960\nobject freed 1 40960\n", 0 },
	{ "behind the end of a span", HEAD INFO EVENTS
	  "SpanAlloc dt=1 id=3 npages_value=1 kindclass=16\n"
	  "HeapObjectAlloc dt=1 id=4096 type=0\n" END,
	  "heap_span made 1 8192\nobject made 1 0\n", 1 },
	{ "a class that does not exist, and sizes that cannot be", HEAD INFO EVENTS
	  "SpanAlloc dt=1 id=0 npages_value=1 kindclass=272\n" "HeapObjectAlloc dt=1 id=0 type=0\n"
	  "SpanAlloc dt=1 id=9 npages_value=" NONE " kindclass=" NONE "\n"
	  "GoroutineStackAlloc dt=1 id=1 order=" NONE "\n" END,
	  "heap_span made 2 8192\nobject made 1 0\nstack made 1 0\n", 3 },
	{ "stacks", HEAD EVENTS "GoroutineStack dt=1 id=1 order=12\n"
	  "GoroutineStack dt=1 id=7 order=0\n" "GoroutineStackAlloc dt=1 id=2 order=13\n"
	  "GoroutineStackFree dt=1 id=1\n" END,
	  "stack before 1 2048\nstack made 1 4096\nstack freed 1 2048\n", 0 },
	{ "freed, but never seen", HEAD INFO EVENTS "SpanFree dt=1 id=1\n"
	  "HeapObjectFree dt=1 id=1\n" "GoroutineStackFree dt=1 id=1\n" END,
	  "heap_span stray 1 0\nobject stray 1 0\nstack stray 1 0\n", 0 },
	{ "units for good, types for their generation", HEAD INFO TYPES EVENTS END
	  SYNC("2") BATCH("2", "0", "100") P0 G1 "HeapObjectAlloc dt=1 id=1 type=5\n"
	  "SpanAlloc dt=1 id=1 npages_value=2 kindclass=1\n" END,
	  "other_span made 1 16384\nobject made 1 0\n", 1 },
	{ "units that cannot be", HEAD
	  "ExperimentalBatch exp=1 gen=1 m=0 time=0\n\tdata=\"\\x01\\x00\\x01\\x08\\x01\"\n" EVENTS
	  "SpanAlloc dt=1 id=1 npages_value=2 kindclass=1\n" END, "other_span made 1 0\n", 1 },
};

static struct trace *
load_text(const char *name, const char *source)
{
	struct text bytes = { 0 };
	testing_assemble(source, &bytes);
	struct trace *trace = testing_load_bytes(name, bytes.bytes, bytes.length);
	if (damage_map_places(&trace->damage) > 0)
		fail_msg("%s: damaged", name);
	text_release(&bytes);
	return trace;
}

static void
check_row(size_t row)
{
	struct trace *trace = load_text(rows[row].name, rows[row].text);
	struct text sums = { 0 };
	uint64_t unsized = 0;
	text_add_string(&sums, "");
	for (int kind = 0; kind < ALLOC_KIND_COUNT; kind++) {
		for (int change = 0; change < ALLOC_CHANGE_COUNT; change++) {
			const struct alloc_sum *sum = &trace->allocs[kind].sums[change];
			if (sum->count != 0 || sum->bytes != 0)
				text_format(&sums, "%s %s %" PRIu64 " %" PRIu64 "\n",
					kind_names[kind], change_names[change], sum->count,
					sum->bytes);
		}
		unsized += trace->allocs[kind].unsized;
	}
	if (strcmp(sums.bytes, rows[row].sums) != 0 || unsized != rows[row].unsized)
		fail_msg("%s: sums are\n%sand %" PRIu64 " unsized", rows[row].name, sums.bytes,
			unsized);
	text_release(&sums);
	trace_free(trace);
}

static void
small_traces_add_up(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LENGTH(rows); i++)
		check_row(i);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sums_are_those_of_the_reference),
		cmocka_unit_test(small_traces_add_up),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

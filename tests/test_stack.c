/* The prefix tree of stacks. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/memory.h"
#include "trace/stack.h"

static frame_id
add_frame(struct stack_table *table, uint64_t pc)
{
	struct stack_frame frame = { pc, pc + 1, (string_id)pc, 7, 0, 0 };
	struct error err = { 0 };
	frame_id id;
	assert_true(stack_table_add_frame(table, &frame, &id, &err));
	return id;
}

static stack_id
add_node(struct stack_table *table, stack_id caller, uint64_t pc)
{
	struct error err = { 0 };
	stack_id id;
	assert_true(stack_table_add_node(table, caller, add_frame(table, pc), &id, &err));
	return id;
}

static void
test_shared_callers(void **state)
{
	struct stack_table table;
	struct error err = { 0 };
	(void)state;
	assert_true(stack_table_init(&table, &err));
	assert_int_equal(stack_count(&table), 1);
	assert_int_equal(stack_depth(&table, STACK_NONE), 0);

	stack_id root = add_node(&table, STACK_NONE, 10);
	stack_id middle = add_node(&table, root, 20);
	stack_id left = add_node(&table, middle, 30);
	stack_id right = add_node(&table, middle, 40);
	assert_int_equal(stack_count(&table), 5);
	assert_int_equal(add_node(&table, middle, 30), left);
	assert_int_equal(add_node(&table, STACK_NONE, 10), root);
	assert_int_equal(stack_count(&table), 5);

	assert_int_equal(stack_depth(&table, right), 3);
	assert_int_equal(stack_caller(&table, left), middle);
	assert_int_equal(stack_caller(&table, root), STACK_NONE);
	assert_int_equal(stack_leaf(&table, right)->pc, 40);
	assert_int_equal(stack_root(&table, right)->pc, 10);
	assert_int_equal(stack_root(&table, root)->line, 11);
	stack_table_release(&table);
	stack_table_release(&table);
}

/* Frames that differ in one field are different frames. */
static void
test_fields_count(void **state)
{
	const struct stack_frame frames[] = {
		{ 1, 2, 3, 4, 0, 0 }, { 5, 2, 3, 4, 0, 0 }, { 1, 5, 3, 4, 0, 0 },
		{ 1, 2, 5, 4, 0, 0 }, { 1, 2, 3, 5, 0, 0 }, { 1, 2, 3, 4, 5, 0 },
		{ 1, 2, 3, 4, 0, 1 },
	};
	struct stack_table table;
	struct error err = { 0 };
	(void)state;
	assert_true(stack_table_init(&table, &err));
	for (frame_id i = 0; i < 14; i++) {
		frame_id id;
		assert_true(stack_table_add_frame(&table, &frames[i % 7], &id, &err));
		assert_int_equal(id, i % 7);
	}
	stack_table_release(&table);
}

/* Recursion: the same frame again is another node each time. */
static void
test_many(void **state)
{
	enum { DEPTH = 20000 };
	struct stack_table table;
	struct error err = { 0 };
	stack_id stack = STACK_NONE, second = STACK_NONE;
	(void)state;
	assert_true(stack_table_init(&table, &err));
	for (unsigned i = 0; i < DEPTH; i++)
		stack = add_node(&table, stack, i % 100);
	assert_int_equal(stack_depth(&table, stack), DEPTH);
	assert_int_equal(stack_count(&table), DEPTH + 1);
	assert_int_equal(table.frames.count, 100);
	for (unsigned i = 0; i < DEPTH; i++)
		second = add_node(&table, second, i % 100);
	assert_int_equal(second, stack);
	assert_true(stack_table_bytes(&table) > DEPTH * sizeof(struct stack_node));
	stack_table_release(&table);
}

static void
test_no_memory(void **state)
{
	(void)state;
	for (uint64_t n = 1;; n++) {
		struct stack_table table;
		struct error err = { 0 };
		struct stack_frame frame = { .pc = 1 };
		frame_id id;
		stack_id stack;
		memory_fail_after(n);
		bool is_ready = stack_table_init(&table, &err);
		bool ok = is_ready && stack_table_add_frame(&table, &frame, &id, &err) &&
		          stack_table_add_node(&table, STACK_NONE, id, &stack, &err);
		memory_fail_after(0);
		if (is_ready)
			stack_table_release(&table);
		if (ok) {
			assert_true(n > 3);
			return;
		}
		assert_int_equal(err.kind, ERROR_MEMORY);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_shared_callers),
		cmocka_unit_test(test_fields_count),
		cmocka_unit_test(test_many),
		cmocka_unit_test(test_no_memory),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

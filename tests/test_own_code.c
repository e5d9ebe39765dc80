/* Whose code a stack is of, by rows of frames as programs have them. */
#include <string.h>

#include "base_testing.h"
#include "source/go/words.h"
#include "trace/own_code.h"
#include "tracetesting.h"

enum { MOST_FRAMES = 4 };

struct frame_row {
	const char *function, *file;
};

static string_id
intern(struct trace *trace, const char *text)
{
	struct error err = { 0 };
	string_id id;
	assert_true(intern_add(&trace->strings, text, strlen(text), &id, &err));
	return id;
}

/* Innermost first, as they are written down. */
static stack_id
stack_of(struct trace *trace, const struct frame_row *frames)
{
	struct error err = { 0 };
	stack_id stack = STACK_NONE;
	int count = 0;
	while (count < MOST_FRAMES && frames[count].function != NULL)
		count++;
	while (count-- > 0) {
		struct stack_frame frame = { .line = 7, .function = intern(trace, frames[count].function),
			.file = intern(trace, frames[count].file) };
		frame_id id;
		assert_true(stack_table_add_frame(&trace->stacks, &frame, &id, &err));
		assert_true(stack_table_add_node(&trace->stacks, stack, id, &stack, &err));
	}
	return stack;
}

static void
check_named(const struct trace *trace, const struct stack_frame *frame, const char *wanted)
{
	assert_non_null(frame);
	if (!trace_text_is(trace, frame->function, wanted))
		fail_msg("got %s, wanted %s", trace_text(trace, frame->function, NULL), wanted);
}

static void
the_innermost_frame_outside_the_library_is_named(void **state)
{
	(void)state;
	static const struct {
		const char *runtime; /* a file of package runtime, NULL for none */
		struct frame_row frames[MOST_FRAMES];
		const char *wanted;
	} rows[] = {
		{ "/usr/local/go/src/runtime/proc.go",
			{ { "syscall.write", "/usr/local/go/src/syscall/zsyscall_linux_amd64.go" },
				{ "net.(*netFD).Write", "/usr/local/go/src/net/fd_posix.go" },
				{ "main.send", "/home/u/app/main.go" } },
			"main.send" },
		/* A module may be called like a package of the library; where its files lie tells. */
		{ "/usr/local/go/src/runtime/proc.go",
			{ { "sync.(*Mutex).Lock", "/usr/local/go/src/sync/mutex.go" },
				{ "log/store.(*DB).Put", "/home/u/log/store/db.go" },
				{ "main.main", "/home/u/app/main.go" } },
			"log/store.(*DB).Put" },
		{ "/usr/local/go/src/runtime/proc.go",
			{ { "vendor/golang.org/x/net/http2/hpack.(*Decoder).Write",
				  "/usr/local/go/src/vendor/golang.org/x/net/http2/hpack/hpack.go" },
				{ "golang.org/x/net/http2.(*Framer).ReadFrame",
					"/home/u/go/pkg/mod/golang.org/x/net@v0.30.0/http2/frame.go" } },
			"golang.org/x/net/http2.(*Framer).ReadFrame" },
		/* Go's own commands are programs. */
		{ "/usr/local/go/src/runtime/proc.go",
			{ { "os.ReadFile", "/usr/local/go/src/os/file.go" },
				{ "cmd/go/internal/load.Packages",
					"/usr/local/go/src/cmd/go/internal/load/pkg.go" } },
			"cmd/go/internal/load.Packages" },
		/* Files that lie nowhere: the package tells. */
		{ "/usr/local/go/src/runtime/proc.go",
			{ { "net._C2func_getaddrinfo", "_cgo_gotypes.go" },
				{ "main._Cfunc_work", "_cgo_gotypes.go" } },
			"main._Cfunc_work" },
		/* -trimpath */
		{ "runtime/proc.go",
			{ { "encoding/json.(*Decoder).Decode", "encoding/json/stream.go" },
				{ "go.uber.org/zap.(*Logger).Info",
					"go.uber.org/zap@v1.27.0/logger.go" } },
			"go.uber.org/zap.(*Logger).Info" },
		{ "runtime/proc.go",
			{ { "time.Sleep", "runtime/time.go" },
				{ "timer.(*Wheel[net/netip.Addr]).run", "timer/wheel.go" } },
			"timer.(*Wheel[net/netip.Addr]).run" },
		/* Nothing of package runtime in the trace. */
		{ NULL,
			{ { "os.(*File).Read", "/usr/local/go/src/os/file.go" },
				{ "main.main.func1", "/home/u/app/main.go" } },
			"main.main.func1" },
		/* Nothing of the program: the outermost. */
		{ "/usr/local/go/src/runtime/proc.go",
			{ { "runtime.gopark", "/usr/local/go/src/runtime/proc.go" },
				{ "runtime.bgsweep", "/usr/local/go/src/runtime/mgcsweep.go" } },
			"runtime.bgsweep" },
	};
	for (size_t i = 0; i < ARRAY_LENGTH(rows); i++) {
		struct error err = { 0 };
		struct trace *trace = go_trace_new(&err);
		assert_non_null(trace);
		stack_id stack = stack_of(trace, rows[i].frames);
		if (rows[i].runtime != NULL)
			stack_of(trace, (const struct frame_row[MOST_FRAMES]){
						{ "runtime.main", rows[i].runtime } });
		trace->runtime_file = own_code_find_runtime(trace);
		check_named(trace, own_code_frame(trace, stack, REF_NONE), rows[i].wanted);
		assert_null(own_code_frame(trace, STACK_NONE, REF_NONE));
		trace_free(trace);
	}
}

/* A stack of that root alone, of a goroutine that starts with it, is named by ... */
static void
check_root(const char *start, const char *wanted)
{
	struct trace *trace = testing_load("httpserver-go1.23");
	int count = 0;
	for (actor_ref i = 0; i < trace_actor_count(trace); i++) {
		const struct actor *goroutine = trace_actor(trace, i);
		if (!trace_text_is(trace, goroutine->name, start) ||
			goroutine->create_stack == STACK_NONE)
			continue;
		for (stack_id at = 1; at < stack_count(&trace->stacks); at++) {
			if (stack_caller(&trace->stacks, at) != STACK_NONE ||
				stack_leaf(&trace->stacks, at)->function != goroutine->name)
				continue;
			check_named(trace, own_code_frame(trace, at, i), wanted);
			check_named(trace, own_code_frame(trace, at, REF_NONE), start);
			count++;
		}
	}
	assert_true(count > 0);
	trace_free(trace);
}

static void
a_stack_of_the_library_alone_is_of_who_began_it(void **state)
{
	(void)state;
	check_root("net/http.(*persistConn).readLoop", "main.client");
	/* Those of the runtime are nobody's: whoever needs one first begins it. */
	check_root("runtime.gcBgMarkWorker", "runtime.gcBgMarkWorker");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_innermost_frame_outside_the_library_is_named),
		cmocka_unit_test(a_stack_of_the_library_alone_is_of_who_began_it),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

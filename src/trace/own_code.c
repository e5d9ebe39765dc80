/* Tells the program's own frames from those of Go's standard library. */
#include "trace/own_code.h"

#include <string.h>

#include "base/compiler.h"
#include "base/text.h"
#include "trace/runtime.h"

/* A chain of creators may be a ring in a damaged trace; real ones have two or three in the library. */
enum { MOST_CREATORS = 8 };

/* The first parts of the library's packages; of those that it has a copy of, vendor. */
static const char *const library[] = { "archive", "arena", "bufio", "builtin", "bytes", "cmp",
	"compress", "container", "context", "crypto", "database", "debug", "embed", "encoding",
	"errors", "expvar", "flag", "fmt", "go", "hash", "html", "image", "index", "internal", "io",
	"iter", "log", "maps", "math", "mime", "net", "os", "path", "plugin", "reflect", "regexp",
	"runtime", "slices", "sort", "strconv", "strings", "structs", "sync", "syscall", "testing",
	"text", "time", "unicode", "unique", "unsafe", "vendor", "weak" };

/* "encoding" of "encoding/json.Marshal", "go.uber.org" of "go.uber.org/zap.New", else "time". */
static bool
is_library_name(const char *name, size_t length)
{
	size_t end = 0, dot = length;
	for (; end < length && strchr("/[(", name[end]) == NULL; end++)
		if (name[end] == '.' && dot == length)
			dot = end;
	if (end == length || name[end] != '/')
		end = dot < end ? dot : end;
	for (size_t i = 0; i < ARRAY_LENGTH(library); i++)
		if (end == strlen(library[i]) && memcmp(name, library[i], end) == 0)
			return true;
	return false;
}

/* The length of GOROOT/src/ in the path of a file of package runtime. */
static bool
find_root(const char *file, size_t length, size_t *root)
{
	static const char directory[] = "runtime/";
	size_t own = strlen(directory), at = length;
	while (at > 0 && file[at - 1] != '/')
		at--;
	if (at < own || memcmp(file + at - own, directory, own) != 0)
		return false;
	*root = at - own;
	return *root == 0 || file[*root - 1] == '/';
}

string_id
own_code_find_runtime(const struct trace *trace)
{
	for (frame_id i = 0; i < trace->stacks.frames.count; i++) {
		const struct stack_frame *frame = stable_at(&trace->stacks.frames, i);
		size_t length, root;
		const char *name = trace_text(trace, frame->function, &length);
		if (!text_has_prefix(name, length, "runtime."))
			continue;
		const char *file = trace_text(trace, frame->file, &length);
		if (find_root(file, length, &root))
			return frame->file;
	}
	return STRING_EMPTY;
}

/* A frame of which nothing is known is nobody's. */
static bool
is_own(const struct trace *trace, const struct stack_frame *frame)
{
	size_t name_length, length, runtime_length, root = 0;
	const char *name = trace_text(trace, frame->function, &name_length);
	const char *file = trace_text(trace, frame->file, &length);
	const char *runtime = trace_text(trace, trace->runtime_file, &runtime_length);
	if (name_length == 0)
		return false;
	if (!find_root(runtime, runtime_length, &root) || root == 0 ||
		memchr(file, '/', length) == NULL)
		return !is_library_name(name, name_length);
	return length < root || memcmp(file, runtime, root) != 0 ||
	       text_has_prefix(file + root, length - root, "cmd/");
}

static stack_id
own_part(const struct trace *trace, stack_id stack)
{
	const struct stack_table *stacks = &trace->stacks;

	while (stack != STACK_NONE && !is_own(trace, stack_leaf(stacks, stack)))
		stack = stack_caller(stacks, stack);
	return stack;
}

stack_id
own_code_stack(const struct trace *trace, stack_id stack, actor_ref actor)
{
	stack_id own = own_part(trace, stack), caller;

	if (own != STACK_NONE || stack == STACK_NONE)
		return own;
	for (int i = 0; i < MOST_CREATORS && own == STACK_NONE && actor != REF_NONE; i++) {
		const struct actor *of = trace_actor(trace, actor);

		if (trace_is_runtime_name(trace, of->name))
			break; /* a worker of the collector is begun by whoever allocates */
		own = own_part(trace, of->create_stack);
		actor = of->creator;
	}
	if (own != STACK_NONE)
		return own;
	while ((caller = stack_caller(&trace->stacks, stack)) != STACK_NONE)
		stack = caller;
	return stack;
}

bool
own_code_is_creation(const struct trace *trace, stack_id stack, stack_id named)
{
	while (stack != STACK_NONE && stack != named)
		stack = stack_caller(&trace->stacks, stack);
	return stack != named;
}

const struct stack_frame *
own_code_frame(const struct trace *trace, stack_id stack, actor_ref actor)
{
	stack_id own = own_code_stack(trace, stack, actor);

	return own == STACK_NONE ? NULL : stack_leaf(&trace->stacks, own);
}

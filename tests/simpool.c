/* Names and stacks for simulated traces; see simpool.h. */

#include "simpool.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define BASE_STACKS 600      /* what the programs do before their last call */
#define STACKS_PER_KIND 40
#define LINES_PER_FUNCTION 4 /* call sites */
#define HOSTILE_EVERY 3      /* one base frame in so many has a hostile name */

struct function {
	const char *name, *file;
};

/* Where goroutines start. */
static const struct function entries[] = {
	{ "runtime.main", "runtime/proc.go" },
	{ "net/http.(*Server).Serve.gowrap3", "net/http/server.go" },
	{ "net/http.(*Transport).dialConn.gowrap2", "net/http/transport.go" },
	{ "net/http.(*persistConn).readLoop", "net/http/transport.go" },
	{ "net/http.(*persistConn).writeLoop", "net/http/transport.go" },
	{ "main.(*pool).run.func1", "./pool.go" },
	{ "main.(*indexer).scan.func2", "./indexer/scan.go" },
	{ "main.main.func1", "./main.go" },
	{ "database/sql.(*DB).connectionOpener", "database/sql/sql.go" },
	{ "os/signal.loop", "os/signal/signal_unix.go" },
	{ "example.org/shop/worker.Start.gowrap1", "./worker/worker.go" },
	{ "golang.org/x/sync/errgroup.(*Group).Go.func1", "golang.org/x/sync/errgroup/errgroup.go" },
};

static const struct function functions[] = {
	{ "main.main", "./main.go" },
	{ "main.run", "./main.go" },
	{ "main.(*pool).next", "./pool.go" },
	{ "main.(*pool).do", "./pool.go" },
	{ "main.(*indexer).document", "./indexer/scan.go" },
	{ "main.(*indexer).tokenize", "./indexer/tokens.go" },
	{ "main.(*indexer).flush", "./indexer/flush.go" },
	{ "main.merge[...]", "./indexer/merge.go" },
	{ "main.merge[...].func1", "./indexer/merge.go" },
	{ "net/http.(*conn).serve", "net/http/server.go" },
	{ "net/http.serverHandler.ServeHTTP", "net/http/server.go" },
	{ "net/http.HandlerFunc.ServeHTTP", "net/http/server.go" },
	{ "net/http.(*ServeMux).ServeHTTP", "net/http/server.go" },
	{ "net/http.(*Client).Do", "net/http/client.go" },
	{ "net/http.(*Client).do", "net/http/client.go" },
	{ "net/http.send", "net/http/client.go" },
	{ "net/http.(*Transport).roundTrip", "net/http/transport.go" },
	{ "example.org/shop/api.(*Handler).Checkout", "./api/checkout.go" },
	{ "example.org/shop/api.(*Handler).Cart", "./api/cart.go" },
	{ "example.org/shop/api.withTrace.func1", "./api/middleware.go" },
	{ "example.org/shop/store.(*Store).Get", "./store/store.go" },
	{ "example.org/shop/store.(*Store).Put", "./store/store.go" },
	{ "example.org/shop/store.(*Store).withTx", "./store/tx.go" },
	{ "example.org/shop/worker.(*Queue).Pop", "./worker/queue.go" },
	{ "example.org/shop/worker.(*Queue).handle", "./worker/queue.go" },
	{ "database/sql.(*DB).QueryContext", "database/sql/sql.go" },
	{ "database/sql.(*DB).conn", "database/sql/sql.go" },
	{ "database/sql.withLock", "database/sql/sql.go" },
	{ "encoding/json.Marshal", "encoding/json/encode.go" },
	{ "encoding/json.(*encodeState).marshal", "encoding/json/encode.go" },
	{ "encoding/json.structEncoder.encode", "encoding/json/encode.go" },
	{ "encoding/json.Unmarshal", "encoding/json/decode.go" },
	{ "encoding/json.(*decodeState).object", "encoding/json/decode.go" },
	{ "bufio.(*Reader).Read", "bufio/bufio.go" },
	{ "bufio.(*Writer).Flush", "bufio/bufio.go" },
	{ "io.Copy", "io/io.go" },
	{ "io.copyBuffer", "io/io.go" },
	{ "fmt.Fprintf", "fmt/print.go" },
	{ "sort.Slice", "sort/slice.go" },
	{ "slices.pdqsortCmpFunc[...]", "slices/zsortanyfunc.go" },
	{ "strings.(*Builder).WriteString", "strings/builder.go" },
	{ "regexp.(*Regexp).doExecute", "regexp/exec.go" },
	{ "compress/flate.(*compressor).deflate", "compress/flate/deflate.go" },
	{ "crypto/tls.(*Conn).Write", "crypto/tls/conn.go" },
	{ "crypto/sha256.block", "crypto/sha256/sha256block.go" },
	{ "sync.(*Once).doSlow", "sync/once.go" },
	{ "context.WithTimeout", "context/context.go" },
	{ "time.AfterFunc", "time/sleep.go" },
	{ "path/filepath.WalkDir", "path/filepath/path.go" },
	{ "path/filepath.walkDir", "path/filepath/path.go" },
};

/* The last two calls of each kind of stack, outer one first. */
static const struct function leaves[STACKS_COUNT][2] = {
	[STACKS_RUN] = { { "main.(*indexer).score", "./indexer/score.go" },
		{ "strings.IndexByte", "strings/strings.go" } },
	[STACKS_CHAN_RECEIVE] = { { "main.(*pool).wait", "./pool.go" },
		{ "runtime.chanrecv1", "runtime/chan.go" } },
	[STACKS_CHAN_SEND] = { { "main.(*pool).submit", "./pool.go" },
		{ "runtime.chansend1", "runtime/chan.go" } },
	[STACKS_SELECT] = { { "main.(*pool).either", "./pool.go" },
		{ "runtime.selectgo", "runtime/select.go" } },
	[STACKS_LOCK] = { { "sync.(*Mutex).lockSlow", "sync/mutex.go" },
		{ "sync.runtime_SemacquireMutex", "runtime/sema.go" } },
	[STACKS_COND] = { { "sync.(*Cond).Wait", "sync/cond.go" },
		{ "sync.runtime_notifyListWait", "runtime/sema.go" } },
	[STACKS_NETWORK] = { { "net.(*netFD).Read", "net/fd_posix.go" },
		{ "internal/poll.(*FD).Read", "internal/poll/fd_unix.go" } },
	[STACKS_SLEEP] = { { "main.backoff", "./retry.go" }, { "time.Sleep", "runtime/time.go" } },
	[STACKS_YIELD] = { { "main.spin", "./spin.go" }, { "runtime.Gosched", "runtime/proc.go" } },
	[STACKS_SYSCALL] = { { "internal/poll.(*FD).Write", "internal/poll/fd_unix.go" },
		{ "syscall.write", "syscall/zsyscall_linux_amd64.go" } },
	[STACKS_CREATE] = { { "main.(*pool).grow", "./pool.go" },
		{ "main.(*pool).spawn", "./pool.go" } },
	[STACKS_WAKE] = { { "sync.(*Mutex).unlockSlow", "sync/mutex.go" },
		{ "sync.runtime_Semrelease", "runtime/sema.go" } },
	[STACKS_GC] = { { "runtime.mallocgc", "runtime/malloc.go" },
		{ "runtime.gcStart", "runtime/mgc.go" } },
	[STACKS_ALLOC] = { { "runtime.makeslice", "runtime/slice.go" },
		{ "runtime.mallocgc", "runtime/malloc.go" } },
	[STACKS_WORKER] = { { "runtime.gcBgMarkWorker", "runtime/mgc.go" },
		{ "runtime.gopark", "runtime/proc.go" } },
	[STACKS_PROCS] = { { "runtime.GOMAXPROCS", "runtime/debug.go" },
		{ "runtime.startTheWorldGC", "runtime/proc.go" } },
	[STACKS_ANNOTATION] = { { "main.traced", "./traced.go" },
		{ "runtime/trace.WithRegion", "runtime/trace/annotation.go" } },
};

static const char *const stw_kinds[] = { "GC mark termination", "GC sweep termination",
	"GOMAXPROCS", "start trace", "read mem stats", "goroutine profile" };
static const char *const labels[] = { "GC (fractional)", "checkout", "batch import" };
static const char *const tasks[] = { "checkout", "import", "render page", "mail", "reindex",
	"refresh cache" };
static const char *const regions[] = { "parse", "price", "query", "encode", "lock stock",
	"wait for gateway" };
static const char *const log_keys[] = { "", "order", "retry", "cache", "sql" };
static const char *const log_values[] = { "4711", "1 of 3", "miss", "hit", "select 12 rows",
	"gateway said: try later", "", "evicted 17 entries", "user=anna items=3 total=12.90" };
static const char *const reasons[REASON_COUNT] = {
	[REASON_NONE] = "",
	[REASON_UNSPECIFIED] = "unspecified",
	[REASON_FOREVER] = "forever",
	[REASON_NETWORK] = "network",
	[REASON_SELECT] = "select",
	[REASON_COND] = "sync.(*Cond).Wait",
	[REASON_SYNC] = "sync",
	[REASON_CHAN_SEND] = "chan send",
	[REASON_CHAN_RECEIVE] = "chan receive",
	[REASON_ASSIST_WAIT] = "GC mark assist wait for work",
	[REASON_SYSTEM] = "system goroutine wait",
	[REASON_SLEEP] = "sleep",
	[REASON_GOSCHED] = "runtime.Gosched",
	[REASON_PREEMPTED] = "preempted",
	[REASON_GC_DEDICATED] = "GC (dedicated)",
	[REASON_GC_IDLE] = "GC (idle)",
};

#define LITERAL(text) { (text), sizeof(text) - 1 }

/* What may try to get at the terminal, the layout or the parser of a name. */
static const struct sim_text hostile[] = {
	LITERAL("\x1b[2J\x1b[31mred\x1b]0;title\x07"),
	LITERAL("\xc2\x9b" "2J C1 control"),
	LITERAL("\x9b" "31m bare C1 byte"),
	LITERAL("cut \xe2\x82 off, \xff\xfe never, \xc0\xaf overlong, \xed\xa0\x80 surrogate"),
	LITERAL("right\xe2\x80\xae" "tfel\xe2\x80\xac \xe2\x81\xa6isolate\xe2\x81\xa9"),
	LITERAL("zero\0byte\0inside"),
	LITERAL("line\nbreak\r\tand\vmore\f\b\x7f"),
	LITERAL("\xe6\x97\xa5\xe6\x9c\xac\xe8\xaa\x9e wide \xef\xbc\xa1\xf0\x9f\x98\x80"),
	LITERAL("e\xcc\x81\xcc\x82\xcc\x83\xcc\x84 combining \xe2\x80\x8b\xe2\x80\x8d zero width"),
	LITERAL("%s%n%d %99999d"),
	LITERAL("</script><b>&amp;\"quoted\" 'single' \\ `back`"),
	LITERAL(" leading and trailing  "),
	LITERAL("main.f\x1bP1$q q\x1b\\.func1"),
};

#define LENGTH(array) ((uint32_t)(sizeof(array) / sizeof((array)[0])))

/* ---- texts */

static void
add_text(struct pool *pool, struct sim_text text)
{
	if (pool->text_count == pool->text_capacity) {
		uint32_t capacity = pool->text_capacity == 0 ? 64 : pool->text_capacity * 2;
		struct sim_text *texts = realloc(pool->texts, capacity * sizeof *texts);
		if (texts == NULL) {
			pool->has_failed = true;
			return;
		}
		pool->texts = texts;
		pool->text_capacity = capacity;
	}
	pool->texts[pool->text_count++] = text;
}

static void
add_string(struct pool *pool, const char *text)
{
	add_text(pool, (struct sim_text){ text, strlen(text) });
}

static void
begin_kind(struct pool *pool, enum pool_texts kind)
{
	pool->kinds[kind].first = pool->text_count;
}

static void
end_kind(struct pool *pool, enum pool_texts kind)
{
	pool->kinds[kind].count = pool->text_count - pool->kinds[kind].first;
}

static void
add_hostile(struct pool *pool)
{
	for (uint32_t i = 0; i < LENGTH(hostile); i++)
		add_text(pool, hostile[i]);
	add_text(pool, (struct sim_text){ pool->long_text, WIRE_MAX_STRING });
}

static void
add_kind(struct pool *pool, enum pool_texts kind, const char *const *texts, uint32_t count,
	bool hostile_text)
{
	begin_kind(pool, kind);
	for (uint32_t i = 0; i < count; i++)
		add_string(pool, texts[i]);
	if (hostile_text)
		add_hostile(pool);
	end_kind(pool, kind);
}

/*
 * Function i has name FUNCTION + i and file FILE + i: entries, then ordinary
 * ones, then the leaves, then the hostile ones.
 */
static void
add_functions(struct pool *pool, enum pool_texts kind, bool hostile_text)
{
	bool files = kind == TEXTS_FILE;
	begin_kind(pool, kind);
	for (uint32_t i = 0; i < LENGTH(entries); i++)
		add_string(pool, files ? entries[i].file : entries[i].name);
	for (uint32_t i = 0; i < LENGTH(functions); i++)
		add_string(pool, files ? functions[i].file : functions[i].name);
	for (uint32_t i = 0; i < STACKS_COUNT; i++) {
		for (int j = 0; j < 2; j++) {
			const struct function *leaf = &leaves[i][j];
			const char *name = files ? leaf->file : leaf->name;
			add_string(pool, name != NULL ? name : "runtime.goexit");
		}
	}
	if (hostile_text)
		add_hostile(pool);
	end_kind(pool, kind);
}

static bool
add_texts(struct pool *pool, bool hostile_text)
{
	pool->long_text = malloc(WIRE_MAX_STRING);
	if (pool->long_text == NULL)
		return false;
	for (size_t i = 0; i < WIRE_MAX_STRING; i++)
		pool->long_text[i] = (char)('a' + i % 26);
	add_functions(pool, TEXTS_FUNCTION, hostile_text);
	add_functions(pool, TEXTS_FILE, hostile_text);
	add_kind(pool, TEXTS_STW, stw_kinds, LENGTH(stw_kinds), false);
	add_kind(pool, TEXTS_LABEL, labels, LENGTH(labels), hostile_text);
	add_kind(pool, TEXTS_TASK, tasks, LENGTH(tasks), hostile_text);
	add_kind(pool, TEXTS_REGION, regions, LENGTH(regions), hostile_text);
	add_kind(pool, TEXTS_LOG_KEY, log_keys, LENGTH(log_keys), hostile_text);
	add_kind(pool, TEXTS_LOG_VALUE, log_values, LENGTH(log_values), hostile_text);
	add_kind(pool, TEXTS_REASON, reasons, LENGTH(reasons), false);
	return !pool->has_failed;
}

/* ---- stacks */

/* A new stack: function number `function` called at one of its lines by parent. */
static void
add_node(struct pool *pool, uint64_t *random, uint32_t parent, uint32_t function)
{
	assert(pool->node_count < pool->node_capacity);
	uint32_t line = pool_below(random, LINES_PER_FUNCTION);
	struct pool_node *node = &pool->nodes[pool->node_count++];
	*node = (struct pool_node){
		.parent = parent,
		.depth = pool->nodes[parent].depth + 1,
		.frame = {
			.func = pool->kinds[TEXTS_FUNCTION].first + function,
			.file = pool->kinds[TEXTS_FILE].first + function,
			.pc = 0x400000 + (uint64_t)function * 0x400 + line * 0x21,
			.line = 20 + function * 37 % 400 + line * 7,
		},
	};
}

/* Some function to call on the way to a leaf. */
static uint32_t
any_function(const struct pool *pool, uint64_t *random)
{
	uint32_t first_hostile = LENGTH(entries) + LENGTH(functions) + 2 * STACKS_COUNT;
	uint32_t hostile_count = pool->kinds[TEXTS_FUNCTION].count - first_hostile;
	if (hostile_count > 0 && pool_below(random, HOSTILE_EVERY) == 0)
		return first_hostile + pool_below(random, hostile_count);
	return LENGTH(entries) + pool_below(random, LENGTH(functions));
}

/* Stacks 1..BASE_STACKS: the entries, and calls from those that came before. */
static void
add_bases(struct pool *pool, uint64_t *random)
{
	for (uint32_t i = 0; i < LENGTH(entries); i++)
		add_node(pool, random, 0, i);
	pool->stacks[STACKS_ENTRY] = (struct pool_span){ 1, LENGTH(entries) };
	while (pool->node_count <= BASE_STACKS) {
		/* Mostly from a recent one: else no stack would become deep. */
		uint32_t count = pool->node_count - 1;
		uint32_t recent = count < 8 || pool_below(random, 4) == 0 ? count : 8;
		uint32_t parent = count - pool_below(random, recent);
		if (pool->nodes[parent].depth + 3 <= POOL_MAX_DEPTH)
			add_node(pool, random, parent, any_function(pool, random));
	}
}

static void
add_leaves(struct pool *pool, uint64_t *random, enum pool_stacks kind)
{
	uint32_t function = LENGTH(entries) + LENGTH(functions) + 2 * (uint32_t)kind;
	uint32_t outer = pool->node_count;
	for (uint32_t i = 0; i < STACKS_PER_KIND; i++)
		add_node(pool, random, 1 + pool_below(random, BASE_STACKS), function);
	pool->stacks[kind] = (struct pool_span){ pool->node_count, STACKS_PER_KIND };
	for (uint32_t i = 0; i < STACKS_PER_KIND; i++)
		add_node(pool, random, outer + i, function + 1);
}

static bool
add_stacks(struct pool *pool, uint64_t *random)
{
	pool->node_capacity = 1 + BASE_STACKS + 2 * STACKS_PER_KIND * STACKS_COUNT;
	pool->nodes = calloc(pool->node_capacity, sizeof *pool->nodes);
	if (pool->nodes == NULL)
		return false;
	pool->node_count = 1;
	add_bases(pool, random);
	for (int kind = 0; kind < STACKS_COUNT; kind++) {
		if (kind != STACKS_ENTRY)
			add_leaves(pool, random, (enum pool_stacks)kind);
	}
	return true;
}

bool
pool_build(struct pool *pool, uint64_t seed, bool hostile_text)
{
	uint64_t random = seed;
	*pool = (struct pool){ 0 };
	return add_texts(pool, hostile_text) && add_stacks(pool, &random);
}

void
pool_release(struct pool *pool)
{
	free(pool->texts);
	free(pool->nodes);
	free(pool->long_text);
	*pool = (struct pool){ 0 };
}

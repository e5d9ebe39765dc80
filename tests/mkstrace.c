/*
 * mkstrace: writes what `strace -f -ttt -T -y` could have printed, of any size, for measurements. The
 * same size gives the same bytes.
 *
 *     mkstrace 100M [THREADS] > FILE
 *
 * THREADS (8) threads call now and then; a call that another thread's line comes into is cut in two.
 */

#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST_THREADS = 4096, FIRST_PID = 4711, KINDS = 8 };

struct thread {
	int64_t next_us, start_us, took_us; /* its next line; its call */
	unsigned kind;
	bool is_open;
};

static struct thread threads[MOST_THREADS];
static uint64_t state = 1;
static unsigned thread_count = 8;

static unsigned
next_random(unsigned below)
{
	state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (unsigned)((state >> 33) % below);
}

static int
put_head(const struct thread *thread, int64_t time_us)
{
	return printf("%d 17954%05" PRId64 ".%06" PRId64 " ", FIRST_PID + (int)(thread - threads),
		56574 + time_us / 1000000, time_us % 1000000);
}

/* What stands before the place where a call may be cut, and behind it. */
static int
put_begin(unsigned kind)
{
	static const char *const names[KINDS] = { "read", "write", "futex", "openat", "close", "epoll_wait",
		"newfstatat", "mmap" };
	unsigned file = next_random(900);
	switch (kind) {
	case 0:
		return printf("read(%u</srv/data/part-%03u.db>, ", 3 + file % 60, file);
	case 1:
		return printf("write(%u<socket:[%u]>, \"HTTP/1.1 200 OK\\r\\nContent-Length: %u\"..., %u",
			3 + file % 60, 70000 + file, next_random(100000), next_random(8192));
	case 2:
		return printf("futex(0x7f3a%08x, FUTEX_WAIT_PRIVATE, 2, NULL", next_random(1 << 20) * 64);
	case 3:
		return printf("openat(AT_FDCWD</srv>, \"/srv/data/part-%03u.db\", O_RDONLY|O_CLOEXEC", file);
	case 4:
		return printf("close(%u</srv/data/part-%03u.db>", 3 + file % 60, file);
	case 5:
		return printf("epoll_wait(5<anon_inode:[eventpoll]>, ");
	case 6:
		return printf("newfstatat(%u</srv/data/part-%03u.db>, \"\", ", 3 + file % 60, file);
	default:
		return printf("%s(NULL, %u, PROT_READ, MAP_PRIVATE, %u</srv/data/part-%03u.db>, 0", names[kind],
			4096 * (1 + file), 3 + file % 60, file);
	}
}

static int
put_rest(unsigned kind, int64_t took_us)
{
	int length = 0;
	unsigned bytes = 1 + next_random(4096);
	switch (kind) {
	case 0:
		length = printf("\"\\0\\1%u\\377\\20k=v\"..., 4096) = %u", next_random(1000000), bytes);
		break;
	case 1:
		length = printf(") = %u", bytes);
		break;
	case 3:
		length = next_random(4) == 0 ? printf(") = -1 ENOENT (No such file or directory)")
					     : printf(") = %u</srv/data/part-%03u.db>", bytes % 60, bytes % 900);
		break;
	case 5:
		length = printf("[{events=EPOLLIN, data={u32=%u, u64=%u}}], 64, -1) = 1", bytes, bytes);
		break;
	case 6:
		length = printf("{st_mode=S_IFREG|0644, st_size=%u, ...}, AT_EMPTY_PATH) = 0", bytes);
		break;
	case 7:
		length = printf(") = 0x7f3b%08x", next_random(1 << 20) * 64);
		break;
	default:
		length = kind == 2 && next_random(8) == 0
				 ? printf(") = -1 EAGAIN (Resource temporarily unavailable)")
				 : printf(")%*s= 0", kind == 4 ? 3 : 1, "");
	}
	return length + printf(" <%" PRId64 ".%06" PRId64 ">\n", took_us / 1000000, took_us % 1000000);
}

static unsigned
find_next(void)
{
	unsigned next = 0;
	for (unsigned i = 1; i < thread_count; i++)
		if (threads[i].next_us < threads[next].next_us)
			next = i;
	return next;
}

static int
put_line(struct thread *thread)
{
	static const char *const names[KINDS] = { "read", "write", "futex", "openat", "close", "epoll_wait",
		"newfstatat", "mmap" };
	int64_t now_us = thread->next_us;
	int length = put_head(thread, now_us);
	if (thread->is_open) {
		thread->is_open = false;
		thread->next_us = now_us + 5 + next_random(200);
		length += printf("<... %s resumed>", names[thread->kind]);
		return length + put_rest(thread->kind, thread->took_us);
	}
	thread->kind = next_random(KINDS);
	thread->start_us = now_us;
	thread->took_us = 5 + next_random(thread->kind == 2 || thread->kind == 5 ? 3000 : 20);
	thread->next_us = now_us + thread->took_us;
	thread->is_open = &threads[find_next()] != thread;
	length += put_begin(thread->kind);
	if (thread->is_open)
		return length + printf(" <unfinished ...>\n");
	thread->next_us += 5 + next_random(200);
	return length + put_rest(thread->kind, thread->took_us);
}

int
main(int argc, char **argv)
{
	char *end = argc > 1 ? argv[1] : NULL;
	uint64_t size = end != NULL ? strtoull(end, &end, 10) : 0, written = 0;
	if (size > 0 && *end == 'M')
		size *= 1000000;
	if (argc > 2)
		thread_count = (unsigned)strtoul(argv[2], NULL, 10);
	if (size == 0 || thread_count == 0 || thread_count > MOST_THREADS) {
		fputs("usage: mkstrace BYTES[M] [THREADS] > FILE\n", stderr);
		return 2;
	}
	for (unsigned i = 0; i < thread_count; i++)
		threads[i].next_us = next_random(1000);
	while (written < size) {
		int length = put_line(&threads[find_next()]);
		if (length < 0)
			return 1;
		written += (uint64_t)length;
	}
	return fflush(stdout) == 0 ? 0 : 1;
}

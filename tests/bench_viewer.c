/* A browser as far as a time to the first picture needs one: it fetches and draws nothing. */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "bench_go.h"

enum { PAGE_BYTES = 65536 };

/* ---- HTTP */

static int
connect_to(unsigned port, const struct child *child, int limit_s)
{
	const struct sockaddr_in address = {
		.sin_family = AF_INET,
		.sin_port = htons((uint16_t)port),
		.sin_addr = { htonl(INADDR_LOOPBACK) },
	};
	double left_s = limit_s > 0 ? limit_s - child_seconds(child) : 0;
	struct timeval patience = { .tv_sec = left_s > 1 ? (time_t)left_s : limit_s > 0 };
	int fd = socket(AF_INET, SOCK_STREAM, 0);
	if (fd < 0)
		return -1;
	setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
	if (connect(fd, (const struct sockaddr *)&address, sizeof address) == 0)
		return fd;
	close(fd);
	return -1;
}

/* Keeps the beginning of the answer in page, a string, and drops the rest. */
static bool
read_answer(int fd, char page[PAGE_BYTES])
{
	char rest[PAGE_BYTES];
	size_t length = 0;
	ssize_t got = 1;
	while (got > 0) {
		bool is_full = length == PAGE_BYTES - 1;
		got = is_full ? read(fd, rest, sizeof rest)
			      : read(fd, page + length, PAGE_BYTES - 1 - length);
		if (got > 0 && !is_full)
			length += (size_t)got;
	}
	page[length] = '\0';
	return got == 0 && strncmp(page, "HTTP/1.", 7) == 0 && strncmp(page + 8, " 200", 4) == 0;
}

/* 1.0, so that the answer ends with the connection and is not cut into chunks. */
static bool
fetch(int fd, const char *path, char page[PAGE_BYTES])
{
	char request[512];
	int length = snprintf(
		request, sizeof request, "GET %s HTTP/1.0\r\nHost: 127.0.0.1\r\n\r\n", path);
	if (length < 0 || (size_t)length >= sizeof request)
		return false;
	return write(fd, request, (size_t)length) == length && read_answer(fd, page);
}

/* ---- the viewer */

/* The port it says it listens on; 0 if it ended before. */
static unsigned
wait_for_port(struct child *child, char *said, size_t size)
{
	char line[200];
	unsigned port = 0;
	while (port == 0 && child_read_line(child, line, sizeof line)) {
		const char *colon = strstr(line, "http://127.0.0.1:");
		if (colon != NULL)
			port = (unsigned)strtoul(strrchr(colon, ':') + 1, NULL, 10);
		child_note_cause(line, said, size);
	}
	return port;
}

/* The first page links /trace?ARGUMENTS; the page there asks for /jsontrace?ARGUMENTS. */
static bool
find_events(const char *page, char path[256])
{
	const char *link = strstr(page, "\"/trace?");
	if (link == NULL)
		return false;
	link += strlen("\"/trace?");
	size_t length = 0;
	memcpy(path, "/jsontrace?", 12);
	for (size_t at = 11; at < 255 && link[length] != '\0' && link[length] != '"'; at++) {
		path[at] = link[length];
		path[at + 1] = '\0';
		length += strncmp(link + length, "&amp;", 5) == 0 ? 5 : 1;
	}
	return true;
}

static bool
fetch_path(const struct go_setting *setting, const struct child *child, unsigned port,
	const char *path, char page[PAGE_BYTES])
{
	int fd = connect_to(port, child, setting->limits.seconds);
	bool is_fetched = fd >= 0 && fetch(fd, path, page);
	if (fd >= 0)
		close(fd);
	return is_fetched;
}

/* Fetches one page after the other; false with what is known of the cause. */
static bool
look(const struct go_setting *setting, struct child *child, struct child_result *page, char *said,
	size_t size)
{
	char answer[PAGE_BYTES], path[256];
	unsigned port = wait_for_port(child, said, size);
	if (port == 0 || !fetch_path(setting, child, port, "/", answer))
		return false;
	page->seconds = child_seconds(child);
	return find_events(answer, path) && fetch_path(setting, child, port, path, answer);
}

static void
note_failure(struct child_result *result, double seconds, const char *said)
{
	snprintf(result->failure, sizeof result->failure, "no answer after %.0f s: %s", seconds,
		said);
}

bool
viewer_run(const struct go_setting *setting, const char *trace, struct child_result *page,
	struct child_result *result, struct error *err)
{
	const char *const argv[] = { setting->tool, "-http=127.0.0.1:0", trace, NULL };
	struct child child;
	char said[120] = "";
	setenv("BROWSER", "true", 1);
	*page = (struct child_result){ 0 };
	if (!child_start(&child, argv, STDERR_FILENO, &setting->limits, err))
		return false;
	bool is_fine = look(setting, &child, page, said, sizeof said);
	double seconds = child_seconds(&child);
	child_kill(&child);
	child_end(&child, result);
	result->seconds = seconds;
	result->failure[0] = '\0';
	if (!is_fine)
		note_failure(result, seconds, said);
	if (page->seconds == 0)
		note_failure(page, seconds, said);
	return true;
}

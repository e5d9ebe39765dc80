/* What a cache is found by: size, time and a sample of the input. */
#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/descriptor.h"
#include "cache/cache.h"
#include "cache/checksum.h"

#if defined(__APPLE__)
#define st_mtim st_mtimespec
#endif

enum {
	SAMPLE_BLOCKS = 64,
	SAMPLE_BYTES = 4096,
};

/* Short where the file ends. */
static bool
read_at(int fd, char *out, size_t size, uint64_t offset, size_t *got, struct error *err)
{
	for (*got = 0; *got < size;) {
		ssize_t count = pread(fd, out + *got, size - *got, (off_t)(offset + *got));

		if (count == 0)
			return true;
		if (count > 0)
			*got += (size_t)count;
		else if (!descriptor_can_read_again(fd))
			return error_set(err, ERROR_IO, "%s", strerror(errno));
	}
	return true;
}

/* Takes bytes into a sum. */
typedef uint64_t (*sum_more)(uint64_t before, const void *bytes, size_t size);

/* Blocks at equal distances, the first and the last bytes among them. */
static bool
read_sample(int fd, uint64_t size_bytes, sum_more more, uint64_t *sample, struct error *err)
{
	char block[SAMPLE_BYTES];
	uint64_t last = size_bytes > SAMPLE_BYTES ? size_bytes - SAMPLE_BYTES : 0;
	size_t got;

	*sample = 0;
	for (uint64_t i = 0; i < SAMPLE_BLOCKS; i++) {
		uint64_t offset = last / (SAMPLE_BLOCKS - 1) * i +
		                  last % (SAMPLE_BLOCKS - 1) * i / (SAMPLE_BLOCKS - 1);

		if (!read_at(fd, block, sizeof(block), offset, &got, err))
			return false;
		*sample = more(*sample, block, got);
	}
	return true;
}

bool
cache_is_available(void)
{
	return checksum_is_available();
}

static bool
look_at(int fd, struct stat *status, struct error *err)
{
	if (fstat(fd, status) != 0)
		return error_set(err, ERROR_IO, "%s", strerror(errno));
	return S_ISREG(status->st_mode) || error_set(err, ERROR_FORMAT, "not a regular file");
}

bool
cache_key_read(int fd, uint64_t mode, struct cache_key *key, struct error *err)
{
	struct stat status;

	if (!look_at(fd, &status, err))
		return false;
	*key = (struct cache_key){
		.size_bytes = (uint64_t)status.st_size,
		.changed_s = (int64_t)status.st_mtim.tv_sec,
		.changed_ns = (int64_t)status.st_mtim.tv_nsec,
		.mode = mode,
	};
	return read_sample(fd, key->size_bytes, checksum_more, &key->sample, err);
}

/* FNV-1a, which every build has. */
static uint64_t
plain_more(uint64_t before, const void *bytes, size_t size)
{
	const unsigned char *at = bytes;

	for (size_t i = 0; i < size; i++)
		before = (before ^ at[i]) * UINT64_C(0x100000001b3);
	return before;
}

bool
cache_content_number(int fd, uint64_t *number, struct error *err)
{
	struct stat status;

	if (!look_at(fd, &status, err))
		return false;
	uint64_t size_bytes = (uint64_t)status.st_size;
	if (!read_sample(fd, size_bytes, plain_more, number, err))
		return false;
	for (int i = 0; i < 8; i++) {
		unsigned char byte = (unsigned char)(size_bytes >> 8 * i);
		*number = plain_more(*number, &byte, 1);
	}
	return true;
}

bool
cache_key_is_same(const struct cache_key *a, const struct cache_key *b)
{
	return memcmp(a, b, sizeof(*a)) == 0; /* no padding */
}

uint64_t
cache_key_number(const struct cache_key *key)
{
	return checksum_more(0, key, sizeof(*key));
}

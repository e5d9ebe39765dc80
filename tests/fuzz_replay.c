/*
 * Feeds a fuzzer without an engine: each file of its corpus whole, cut at
 * seeded places, with seeded bytes changed, and traces with seeded contents
 * changed (mutate.h). With arguments, just those files, whole. Prints what it is about to feed, so
 * that the last line before a crash says how to repeat it.
 */
#include "fuzz.h"

#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mutate.h"

enum { SEED = 20240206, ROUNDS = 24, MAX_EDITS = 8, MAX_MUTATIONS = 6, PATH_BYTES = 4096 };

struct blob {
	uint8_t *bytes;
	size_t size;
};

static uint64_t
next_random(uint64_t *state)
{
	*state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return *state >> 33;
}

static struct blob
read_blob(const char *path)
{
	struct blob blob = { 0 };
	FILE *file = fopen(path, "rb");
	if (file == NULL || fseek(file, 0, SEEK_END) != 0) {
		perror(path);
		exit(99);
	}
	blob.size = (size_t)ftell(file);
	rewind(file);
	blob.bytes = malloc(blob.size + 1);
	if (blob.bytes == NULL || fread(blob.bytes, 1, blob.size, file) != blob.size) {
		perror(path);
		exit(99);
	}
	fclose(file);
	return blob;
}

/* Feeds an allocation of exactly that size, so that a sanitizer sees a step beyond its end. */
static void
feed(const uint8_t *bytes, size_t size)
{
	uint8_t *exact = malloc(size > 0 ? size : 1);
	if (exact == NULL)
		exit(99);
	memcpy(exact, bytes, size);
	LLVMFuzzerTestOneInput(exact, size);
	free(exact);
}

/* Cuts it, or not, and changes bytes of what is left. Returns the size. */
static size_t
damage(uint8_t *bytes, size_t size, uint64_t *state)
{
	if (next_random(state) % 3 == 0)
		size = next_random(state) % (size + 1);
	uint64_t edits = next_random(state) % MAX_EDITS;
	for (uint64_t i = 0; i < edits && size > 0; i++)
		bytes[next_random(state) % size] = (uint8_t)next_random(state);
	return size;
}

/* Changes what a trace says. Returns the size, or 0 where it is no trace. */
static size_t
mutate(uint8_t *bytes, size_t size, size_t max_size, uint64_t *state)
{
	size_t mutated = 0;
	uint64_t mutations = 1 + next_random(state) % MAX_MUTATIONS;
	for (uint64_t i = 0; i < mutations; i++) {
		size_t changed = mutate_trace(bytes, size, max_size, next_random(state));
		if (changed > 0)
			mutated = size = changed;
	}
	return mutated;
}

static void
feed_damaged(const struct blob *blob, uint64_t seed)
{
	uint64_t state = seed;
	size_t max_size = 2 * blob->size + 1;
	uint8_t *copy = malloc(max_size);
	if (copy == NULL)
		exit(99);
	memcpy(copy, blob->bytes, blob->size);
	size_t size = seed % 2 == 0 ? mutate(copy, blob->size, max_size, &state) : 0;
	if (size == 0)
		size = damage(copy, blob->size, &state);
	feed(copy, size);
	free(copy);
}

static void
replay(const char *path, unsigned rounds)
{
	struct blob blob = read_blob(path);
	printf("%s: whole", path);
	fflush(stdout);
	feed(blob.bytes, blob.size);
	for (unsigned i = 0; i < rounds; i++) {
		printf(" %u", SEED + i);
		fflush(stdout);
		feed_damaged(&blob, SEED + i);
	}
	printf("\n");
	free(blob.bytes);
}

static bool
has_suffix(const char *name, const char *suffix)
{
	size_t length = strlen(name), wanted = strlen(suffix);
	return length > wanted && strcmp(name + length - wanted, suffix) == 0;
}

static unsigned
replay_folder(const char *testdata, const char *folder)
{
	char path[PATH_BYTES];
	snprintf(path, sizeof path, "%s/%s", testdata, folder);
	DIR *entries = opendir(path);
	if (entries == NULL) {
		perror(path);
		exit(99);
	}
	unsigned count = 0;
	for (struct dirent *entry; (entry = readdir(entries)) != NULL;) {
		if (!has_suffix(entry->d_name, fuzz_corpus.suffix))
			continue;
		int length = snprintf(path, sizeof path, "%s/%s/%s", testdata, folder, entry->d_name);
		if (length < 0 || (size_t)length >= sizeof path)
			exit(99);
		replay(path, ROUNDS);
		count++;
	}
	closedir(entries);
	return count;
}

int
main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++)
		replay(argv[i], 0);
	if (argc > 1)
		return 0;
	const char *testdata = getenv("TTRACE_TESTDATA");
	if (testdata == NULL) {
		fprintf(stderr, "TTRACE_TESTDATA is not set: run this with make check\n");
		return 99;
	}
	unsigned count = 0;
	for (size_t i = 0; fuzz_corpus.folders[i] != NULL; i++)
		count += replay_folder(testdata, fuzz_corpus.folders[i]);
	return count > 0 ? 0 : 99;
}

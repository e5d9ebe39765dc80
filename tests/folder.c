/* Makes a folder below /tmp, and removes it whole. */
#include "folder.h"

#include <ftw.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

enum { MOST_OPEN = 8 };

void
folder_make(char path[FOLDER_PATH_BYTES], const char *word)
{
	snprintf(path, FOLDER_PATH_BYTES, "/tmp/ttrace-%s.%ld", word, (long)getpid());
	assert_int_equal(mkdir(path, 0700), 0);
}

const char *
folder_within(const char *path, const char *name)
{
	static char whole[200];
	snprintf(whole, sizeof whole, "%s/%s", path, name);
	return whole;
}

static int
remove_entry(const char *path, const struct stat *status, int type, struct FTW *place)
{
	(void)status;
	(void)type;
	(void)place;
	return remove(path);
}

void
folder_remove(const char *path)
{
	assert_int_equal(nftw(path, remove_entry, MOST_OPEN, FTW_DEPTH | FTW_PHYS), 0);
}

/* A folder of a test's own. */
#ifndef TTRACE_TESTS_FOLDER_H
#define TTRACE_TESTS_FOLDER_H

enum { FOLDER_PATH_BYTES = 40 };

/* Makes one for the user alone, named by a word and the process. */
void folder_make(char path[FOLDER_PATH_BYTES], const char *word);
/* The path of what has that name in it; good until the next call. */
const char *folder_within(const char *path, const char *name);
/* Removes it with all that it holds. */
void folder_remove(const char *path);

#endif

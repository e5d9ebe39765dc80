/* The user's editor. */
#ifndef TTRACE_APP_EDITOR_H
#define TTRACE_APP_EDITOR_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/text.h"

/*
 * Appends the command for /bin/sh, in which "$1" is the file and "$2" the line: "vim +$2 $1", in
 * the way that this editor wants it. editor: as $EDITOR has it; NULL or empty for vi.
 */
void editor_add_command(struct text *out, const char *editor);

/* Checks that there is such a file on this machine. The path is from a trace. */
bool editor_check(const char *path, struct error *err);

/*
 * Runs the editor and waits for its end. ^C is the editor's meanwhile, and ^Z stops both. The
 * terminal must have been given back.
 */
bool editor_run(const char *editor, const char *path, uint64_t line, struct error *err);

#endif

#!/bin/sh
# Writes the lists of the files in src/ for Makefile.am, one for each folder: a new file
# is built once `./bootstrap` or `autoreconf -fi` has run.
set -eu
LC_ALL=C
export LC_ALL

for folder in src/*/; do
	name=${folder#src/}
	printf '%s_sources =' "${name%/}"
	find "$folder" -name '*.[ch]' | sort | while IFS= read -r file; do
		printf ' \\\n\t%s' "$file"
	done
	printf '\n\n'
done

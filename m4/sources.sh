#!/bin/sh
# Writes the lists of the files in src/ for Makefile.am: one for each folder, and library_sources,
# which is all but the terminal and main.c. A new file is built once `./bootstrap` or `autoreconf -fi` has run.
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

printf 'library_sources ='
for folder in src/*/; do
	name=${folder#src/}
	# shellcheck disable=SC2016 # for make, not for us
	[ "$name" = term/ ] || printf ' \\\n\t$(%s_sources)' "${name%/}"
done
printf '\n'

#!/bin/sh
# Compiles each header of src alone and twice over, warnings fatal: a header
# includes what it needs and guards itself. TTRACE_CC is the compiler with our
# flags.
set -u

if [ -z "${TTRACE_CC-}" ]; then
	echo "TTRACE_CC is not set: run this with make check"
	exit 99
fi
src=${TTRACE_SRCDIR:-.}/src
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT

# Compiles what stands on standard input, a C file without a name.
compiles() {
	cat > "$work/header.c"
	$TTRACE_CC -Werror -c -o "$work/header.o" "$work/header.c"
}

if echo 'size_t header_needs_stddef(void);' | compiles 2> /dev/null; then
	echo "FAIL: a header that does not include what it needs passed"
	exit 1
fi

status=0
count=0
for header in $(cd "$src" && find . -name '*.h' | LC_ALL=C sort); do
	name=${header#./}
	if ! printf '#include "%s"\n#include "%s"\n' "$name" "$name" | compiles; then
		echo "FAIL: $name does not compile on its own"
		status=1
	fi
	count=$((count + 1))
done
echo "$count headers"
exit $status

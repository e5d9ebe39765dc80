#!/bin/sh
# The rules of doc/STYLE.md that a few lines can check: the lengths of files and
# functions, leftovers, and functions that must not be used.
set -u

top=${TTRACE_SRCDIR:-.}

# Prints one line for each thing wrong in the files that are named.
findings() {
	awk '
	function report(text) {
		print FILENAME ":" FNR ": " text
	}

	# Those between parameters, of a list that may go over several lines; three dots are none.
	function count_commas(line,    i, c) {
		sub(/, \.\.\.\)/, ")", line)
		for (i = 1; i <= length(line) && depth >= 0; i++) {
			c = substr(line, i, 1)
			if (c == "(")
				depth++
			else if (c == ")" && --depth == 0)
				depth = -1
			else if (c == "," && depth == 1)
				commas++
		}
		if (depth < 0 && commas >= 6 && FILENAME ~ /\/src\//)
			report(name " has " commas + 1 " parameters")
	}

	FNR == 1 {
		limit = FILENAME ~ /\.h$/ ? 300 : 1200
		name = ""
		is_comment = 0
	}

	FNR == limit + 1 { report("more than " limit " lines") }

	/[ \t]$/ { report("white space at the end") }
	/^(<<<<<<<|=======|>>>>>>>)( |$)/ { report("a merge was left open") }
	/(TODO|FIXME|XXX)/ { report("an open end") }

	# The name stands alone on its line, at the left margin; the body ends
	# with a brace there.
	/^[a-z_0-9]+\(/ { name = $0; sub(/\(.*/, "", name); commas = depth = 0 }
	name != "" && depth >= 0 { count_commas($0) }
	/^\{/ { first = FNR }
	/^\}/ {
		if (name != "" && FNR - first - 1 > 100)
			report(name " has " FNR - first - 1 " lines")
		name = ""
	}

	{
		code = $0
		gsub(/"([^"\\]|\\.)*"/, "\"\"", code)
		gsub(/\/\*.*\*\//, "", code)
		if (code ~ /\/\*/) { is_comment = 1; sub(/\/\*.*/, "", code) }
		if (is_comment) {
			if (code !~ /\*\//)
				code = ""
			else {
				is_comment = 0
				sub(/.*\*\//, "", code)
			}
		}
		while (match(code, /[A-Za-z_][A-Za-z_0-9]*[ \t]*\(/)) {
			called = substr(code, RSTART, RLENGTH - 1)
			sub(/[ \t]+$/, "", called)
			if (called in banned && FILENAME !~ /base\/banned\.h$/)
				report(called " is banned: " banned[called])
			if (called in banned_in_src && FILENAME ~ /\/src\//)
				report(called " is banned: " banned_in_src[called])
			code = substr(code, RSTART + RLENGTH)
		}
	}

	BEGIN {
		n = split("strcpy strcat strncpy strncat sprintf vsprintf strtok gets", names)
		for (i = 1; i <= n; i++)
			banned[names[i]] = "no bounds"
		n = split("atoi atol atoll atof sscanf", names)
		for (i = 1; i <= n; i++)
			banned_in_src[names[i]] = "no errors"
		n = split("alloca setjmp longjmp system usleep", names)
		for (i = 1; i <= n; i++)
			banned[names[i]] = "doc/STYLE.md"
	}' "$@"
}

# notices TEXT: what stands on standard input is found to be wrong.
notices() {
	cat > "$work/src/bad.c"
	if ! findings "$work/src/bad.c" | grep -q "$1"; then
		echo "FAIL: not noticed: $1"
		exit 1
	fi
}

work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
mkdir "$work/src"
echo 'strcpy(a, b);' | notices 'strcpy is banned'
printf '/* about\n * it */ x = atoi (s);\n' | notices 'atoi is banned'
printf 'int x; \n' | notices 'white space'
awk 'BEGIN { print "long_one(void)\n{"; for (i = 0; i < 101; i++) print "\tf();"; print "}" }' |
	notices 'long_one has 101 lines'
printf 'wide_one(int a, int (*b)(int, int), int c, int d,\n\tint e, int f, int g)\n{\n}\n' |
	notices 'wide_one has 7 parameters'
awk 'BEGIN { for (i = 0; i < 1201; i++) print "" }' | notices 'more than 1200 lines'
printf '/* strcpy(a, b) */\nputs("sprintf(x)");\n/*\n * gets(x)\n */\nmy_strcpy(a);\n' > "$work/src/good.c"
printf 'six(int a, int (*b)(int, int), int c, int d,\n\tint e, int f, ...)\n{\n\tg(1, 2);\n}\n' >> "$work/src/good.c"
if [ -n "$(findings "$work/src/good.c")" ]; then
	findings "$work/src/good.c"
	echo "FAIL: found in a file without faults"
	exit 1
fi

found=$(find "$top/src" "$top/tests" -name '*.[ch]' -print | LC_ALL=C sort |
	while IFS= read -r file; do findings "$file"; done)
if [ -n "$found" ]; then
	printf '%s\n' "$found"
	exit 1
fi

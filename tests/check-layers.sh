#!/bin/sh
# Fails on an include that the table in doc/DESIGN.md does not allow, on a
# library header outside the layer that owns it, and on an include cycle among
# modules (a module is NAME.c with NAME.h and NAME_internal.h). Before that, it
# shows on a small tree of its own that it would notice each of these.
#
# A folder inside another one (source/go/) that has no row of its own is part of the
# layer around it (source/), but includes nothing of its sisters (source/perf/). With a
# row (source/common/) it is a layer like any other.
#
# usage: check-layers.sh [SRC DESIGN.md]
set -u

# Prints one line for each thing wrong in the tree $1 by the table in $2.
findings() {
	(cd "$1" && find . -name '*.[ch]' | sed 's|^\./||' | LC_ALL=C sort) |
	awk -v src="$1" -v design="$2" '
	# The rows look like: | `input/` | where bytes come from | base, trace |
	# A row names only rows above it; "everything" is all of them.
	function read_table(    line, cell, layer, name, names, is_open, n, i) {
		while ((getline line < design) > 0) {
			if (line !~ /^\| `[a-z_\/]+(\/|\.c)` \|/)
				continue
			split(line, cell, / *\| */)
			layer = cell[2]
			gsub(/\/?`/, "", layer)
			is_open = sub(/^everything( but )?/, "", cell[4])
			for (name in layers)
				allowed[layer, name] = is_open
			n = split(cell[4], names, /, */)
			for (i = 1; i <= n; i++) {
				if (!(names[i] in layers) && names[i] != "C library")
					print design ": " layer " names " names[i] ", which is not above it"
				allowed[layer, names[i]] = !is_open
			}
			layers[layer] = 1
		}
		close(design)
	}

	# Two levels of folders: "source/go" for source/go/wire.c, "trace" for trace/lane.h.
	function folder_of(path,    part) {
		return split(path, part, "/") > 2 ? part[1] "/" part[2] : part[1]
	}

	function layer_of(folder) {
		if (!(folder in layers))
			sub(/\/.*/, "", folder)
		return folder
	}

	function may_include(from, to,    layer) {
		layer = layer_of(from)
		if (layer == layer_of(to))
			return from == to || from == layer || to == layer
		return allowed[layer, layer_of(to)]
	}

	function check_library(path, name,    layer) {
		layer = path
		sub(/\/.*/, "", layer)
		if (name ~ /(^|\/)n?curses[a-z_]*\.h$|^term(key|info)?\.h$/ && layer != "term")
			print path ": <" name "> belongs to term/"
		if (name == "pcre2.h" && layer != "query")
			print path ": <" name "> belongs to query/"
		if (name == "zlib.h" && layer != "input" && layer != "report")
			print path ": <" name "> belongs to input/ and report/"
		if (name == "zstd.h" && layer != "input")
			print path ": <" name "> belongs to input/"
		if (name ~ /(^|\/|\.)(protobuf-c|pb-c)\.h$/ && layer != "report")
			print path ": <" name "> belongs to report/"
		if (name == "xxhash.h" && layer != "cache")
			print path ": <" name "> belongs to cache/"
	}

	function read_file(path,    line, name, folder) {
		folder = folder_of(path)
		if (!(layer_of(folder) in layers))
			print path ": " folder " is not in the table of layers"
		while ((getline line < (src "/" path)) > 0) {
			if (line !~ /^[ \t]*#[ \t]*include/)
				continue
			name = line
			gsub(/^[^<"]*[<"]|[>"].*$/, "", name)
			if (line ~ /</)
				check_library(path, name)
			else if (name != "config.h")
				check_own(path, folder, name)
		}
		close(src "/" path)
	}

	function check_own(path, folder, name,    from, to) {
		if (!may_include(folder, folder_of(name)))
			print path ": " folder " may not include " name
		if (!(name in files))
			print path ": " name " does not exist (paths start in src)"
		from = module(path)
		to = module(name)
		if (from != to && !((from, to) in edge)) {
			edge[from, to] = 1
			needs[from] = needs[from] " " to
		}
	}

	function module(path) {
		sub(/(_internal)?\.[ch]$/, "", path)
		return path
	}

	# Depth first; a module met again while its own includes are still being
	# followed closes a cycle.
	function follow(m, trail,    n, i, next_modules) {
		if (mark[m] == "done")
			return
		if (mark[m] == "open") {
			sub(".* " m " ", m " ", trail)
			print "include cycle: " trail m
			return
		}
		mark[m] = "open"
		n = split(needs[m], next_modules, " ")
		for (i = 1; i <= n; i++)
			follow(next_modules[i], trail m " ")
		mark[m] = "done"
	}

	BEGIN { read_table() }
	{ files[$0] = 1; order[NR] = $0 }
	END {
		for (i = 1; i <= NR; i++)
			read_file(order[i])
		for (i = 1; i <= NR; i++)
			follow(module(order[i]), " ")
	}'
}

# Writes the file $2 of the small tree with the includes that follow.
write() {
	file=$work/src/$2
	mkdir -p "${file%/*}"
	shift 2
	for name in "$@"; do
		echo "#include $name"
	done > "$file"
}

# notices TEXT PATH INCLUDE...: with that file in the tree, TEXT is found.
notices() {
	text=$1
	path=$2
	write "$@"
	if ! findings "$work/src" "$work/table" | grep -q "$text"; then
		echo "FAIL: $path with an include of $3 passed"
		exit 1
	fi
	rm "$work/src/$path"
}

# notices_row TEXT SED: with the table changed so, TEXT is found.
notices_row() {
	sed "$2" "$work/table" > "$work/bad-table"
	if ! findings "$work/src" "$work/bad-table" | grep -q "$1"; then
		echo "FAIL: a table with $2 passed"
		exit 1
	fi
}

self_test() {
	work=$(mktemp -d) || exit 99
	trap 'rm -rf "$work"' EXIT
	cat > "$work/table" <<-'TABLE'
	| folder | idea | may include |
	| --- | --- | --- |
	| `low/` | a | C library |
	| `side/` | b | low |
	| `source/common/` | c | low |
	| `source/` | d | low, source/common |
	| `term/` | e | low |
	| `top/` | f | everything but term |
	| `main.c` | g | everything |
	TABLE
	write - low/a.h '<stdio.h>'
	write - low/b.h '"low/a.h"'
	write - low/b.c '"low/b.h"' '"low/a.h"'
	write - side/s.h '"low/b.h"'
	write - source/source.h '"low/a.h"'
	write - source/all.c '"source/source.h"' '"source/go/go.h"' '"source/perf/perf.h"'
	write - source/common/lines.h '"low/b.h"'
	write - source/go/go.h '"source/source.h"' '"source/common/lines.h"' '"low/b.h"'
	write - source/go/old/v1.c '"source/go/go.h"'
	write - source/perf/perf.h '"source/common/lines.h"'
	write - term/t.h '<curses.h>'
	write - top/top.c '"side/s.h"' '"source/common/lines.h"' '"source/go/go.h"'
	write - main.c '"top/x.h"' '"term/t.h"'
	write - top/x.h '"low/a.h"'
	write - top/x_internal.h '"top/x.h"'
	write - top/x.c '"top/x_internal.h"'
	if [ -n "$(findings "$work/src" "$work/table")" ]; then
		findings "$work/src" "$work/table"
		echo "FAIL: a tree without faults did not pass"
		exit 1
	fi
	notices 'low may not include side/s.h' low/up.c '"side/s.h"'
	notices 'low may not include source/go/go.h' low/up.c '"source/go/go.h"'
	notices 'side may not include source/go/go.h' side/up.c '"source/go/go.h"'
	notices 'side may not include source/common/lines.h' side/up.c '"source/common/lines.h"'
	notices 'source/common may not include source/go/go.h' source/common/up.c '"source/go/go.h"'
	notices 'source/common may not include source/source.h' source/common/up.c '"source/source.h"'
	notices 'source/go may not include top/x.h' source/go/up.c '"top/x.h"'
	notices 'source/go may not include side/s.h' source/go/across.c '"side/s.h"'
	notices 'source/go may not include source/perf/perf.h' source/go/across.c '"source/perf/perf.h"'
	notices 'source/go may not include source/perf/perf.h' source/go/old/across.c '"source/perf/perf.h"'
	notices 'top may not include main.c' top/up.c '"main.c"'
	notices 'term may not include side/s.h' term/across.c '"side/s.h"'
	notices 'top may not include term/t.h' top/denied.c '"term/t.h"'
	write - low/c.h '"low/d.h"'
	notices 'include cycle: low/c low/d low/c' low/d.h '"low/c.h"'
	rm "$work/src/low/c.h"
	notices 'other is not in the table' other/o.c '<stdio.h>'
	notices 'other/deep is not in the table' other/deep/o.c '<stdio.h>'
	notices 'does not exist' top/missing.c '"a.h"'
	notices 'belongs to term' top/screen.c '<ncursesw/curses.h>'
	notices 'belongs to term' low/keys.h '<termkey.h>'
	notices 'belongs to query' top/match.c '<pcre2.h>'
	notices 'belongs to input' top/unpack.c '<zlib.h>'
	notices 'belongs to report' top/message.c '<pprof.pb-c.h>'
	notices 'belongs to input' side/unpack.c '<zstd.h>'
	notices 'belongs to cache' side/sum.c '<xxhash.h>'
	notices 'belongs to query' source/go/match.c '<pcre2.h>'
	notices_row 'low names side, which is not above it' 's/C library/side/'
	notices_row 'side names lo, which is not above it' 's/| low |/| lo |/'
}

self_test
src=${1:-${TTRACE_SRCDIR:-.}/src}
found=$(findings "$src" "${2:-${TTRACE_SRCDIR:-.}/doc/DESIGN.md}")
if [ -n "$found" ]; then
	printf '%s\n' "$found"
	exit 1
fi
echo "the includes of $(find "$src" -name '*.[ch]' | wc -l) files follow the table of layers"

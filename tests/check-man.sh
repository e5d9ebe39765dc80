#!/bin/sh
# The manual pages are well-formed, and the examples that the first one shows work: each is
# run on a trace of testdata and must end with status 0.
set -u

page=$TTRACE_SRCDIR/man/ttrace.1
tutorial=$TTRACE_SRCDIR/man/ttrace-tutorial.7
sources=$TTRACE_SRCDIR/man/ttrace-sources.5
work=${TMPDIR:-/tmp}/ttrace-man.$$
failed=0

complain() {
	printf '%s\n' "$*" >&2
	failed=1
}

check_form() {
	found=$(mandoc -Tlint -Wwarning "$page" "$tutorial" "$sources" 2>&1 | grep -v 'outdated mandoc.db')
	[ -z "$found" ] || complain "$found"
}

# Prints the examples, one per line: those that start with ttrace, for there is no
# server here that would bring a trace.
examples() {
	sed -n 's/^\.Dl \$ \(ttrace .*\)/\1/p' "$page"
}

run_examples() {
	mkdir -p "$work/bin" || exit 1
	trap 'rm -rf "$work"' EXIT
	trap 'exit 1' HUP INT TERM
	ln -s "$TTRACE" "$work/bin/ttrace"
	ln -s "$TTRACE_TESTDATA/httpserver-go1.23.trace" "$work/http.trace"
	ln -s "$TTRACE_TESTDATA/httpserver-go1.22.trace" "$work/before.trace"
	cd "$work" || exit 1
	PATH=$work/bin:$PATH
	examples >list
	[ -s list ] || complain "the page shows no examples"
	while IFS= read -r example; do
		(eval "$example") >output 2>errors </dev/null || complain "fails: $example"
		[ ! -s errors ] || complain "$example: $(cat errors)"
		[ -s output ] || [ -s http.svg ] || [ -s http.json ] || complain "prints nothing: $example"
	done <list
}

if command -v mandoc >/dev/null 2>&1; then
	check_form
else
	echo "mandoc is missing: the form of the page is not checked"
fi
run_examples
exit $failed

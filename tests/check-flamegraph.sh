#!/bin/sh
# Opens a flame graph in a browser without a screen: it answers to search and zoom, no script
# fails, and names that want to be more than text are not. Skipped where there is no Chromium.
set -u

ttrace=${TTRACE:-./ttrace}
testdata=${TTRACE_TESTDATA:-testdata}
status=0

for browser in chromium chromium-browser google-chrome none; do
	command -v "$browser" > /dev/null && break
done
if [ "$browser" = none ]; then
	echo "skipped: there is no Chromium"
	exit 77
fi
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT

fail() {
	echo "FAIL: $*"
	status=1
}

# open_page HASH: what the browser makes of the picture then, into $work/page.
open_page() {
	HOME=$work timeout 120 "$browser" --headless --no-sandbox --disable-gpu \
		--user-data-dir="$work/profile" --enable-logging=stderr --dump-dom \
		"file://$work/graph.svg#$1" > "$work/page" 2> "$work/log"
	grep -q '<svg[^>]*class="live"' "$work/page" || fail "#$1: the script did not run"
	! grep 'CONSOLE' "$work/log" || fail "#$1: the browser complains"
}

count() {
	grep -o "$1" "$work/page" | grep -c .
}

# has TEXT: in the page.
has() {
	grep -qF -- "$1" "$work/page" || fail "no $1 in the page"
}

# A trace in text form, in which two functions have names that are none, of the same length.
"$ttrace" --dump=wire "$testdata/contention-go1.23.trace" |
	sed 's|main.(\*queue).get"|</title><script>x"|
		s|main.(\*queue).put"|\\" onload=\\"al()]]>"|' > "$work/trace.txt"
"$ttrace" --export=svg:sync -o "$work/graph.svg" "$work/trace.txt" || fail "there is no graph"

open_page ""
has 'data-name="&lt;/title&gt;&lt;script&gt;x"'
has 'data-name="&quot; onload=&quot;al()]]&gt;"'
[ "$(count '<script')" -eq 1 ] || fail "a name became a script"
[ "$(count '<[^>]* onload="')" -eq 0 ] || fail "a name became an attribute"
[ "$(count 'class="[^"]*hidden')" -eq 1 ] || fail "more than the way back is hidden at first"
all=$(count '<g data-name=')

# What pprof's table says of the functions: 15.60% go through RWMutex.
open_page search=RWMutex
has '>Matched: 15.60%<'
[ "$(count 'class="[^"]*found')" -gt 0 ] || fail "nothing is found"

open_page search=rwmutex
has '>Matched: 15.60%<'

# A box fills the picture, what is below it dims, what is beside it goes.
number=$(sed -n 's/^<g data-name="\([^"]*\)".*/\1/p' "$work/graph.svg" |
	awk '$0 ~ /RWMutex/ { print NR - 1; exit }')
open_page "zoom=$number"
around=$(count 'class="around')
hidden=$(count 'class="hidden')
[ "$around" -gt 0 ] || fail "nothing is around the box"
[ "$hidden" -gt 0 ] || fail "nothing is hidden"
[ "$((around + hidden))" -lt "$all" ] || fail "all $all boxes are hidden"
grep '<g data-name="sync.(\*RWMutex)' "$work/page" | head -n 1 |
	grep -q '<rect x="0%"[^>]* width="100%"' || fail "the box does not fill the picture"

# Nonsense in the address does no harm.
open_page "zoom=99999&search=("
exit "$status"

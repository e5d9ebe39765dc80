#!/bin/sh
# The completions of shells: their shells take them, and complete what there is.
set -u

work=${TMPDIR:-/tmp}/ttrace-completion.$$
failed=0

mkdir -p "$work" || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM

complain() {
	printf '%s\n' "$*" >&2
	failed=1
}

for shell in bash zsh fish; do
	"$TTRACE" --completion=$shell > "$work/$shell" || complain "no completion for $shell"
	for option in $("$TTRACE" --help | sed -n 's/^ .*--\([a-z-]*\).*  .*/\1/p'); do
		grep -q -e "-$option" -e "-l $option" "$work/$shell" ||
			complain "$shell: --$option is not completed"
	done
done

# becomes WORDS WANTED: what bash makes of the last of the words.
becomes() {
	got=$(cd "$work" && bash -c '
		compopt() { :; }
		. ./bash
		COMP_WORDS=($1) COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
		_ttrace
		echo "${COMPREPLY[@]}"' - "$1" 2>&1)
	[ "$got" = "$2" ] || complain "bash: $1 becomes $got, not $2"
}

if command -v bash > /dev/null; then
	: > "$work/http.trace"
	becomes 'ttrace --pale' '--palette='
	becomes 'ttrace --palette = da' 'dark'
	becomes 'ttrace --palette =' 'auto dark light high-contrast color-blind monochrome'
	becomes 'ttrace --time w' 'wall'
	becomes 'ttrace --strict http' 'http.trace'
	becomes 'ttrace -o ht' 'http.trace'
fi
if command -v zsh > /dev/null; then
	zsh -n "$work/zsh" || complain "zsh does not take its completion"
fi
if command -v fish > /dev/null; then
	fish -n "$work/fish" || complain "fish does not take its completion"
	fish -c "source $work/fish; complete -C 'ttrace --palette=da'" | grep -q '^--palette=dark' ||
		complain "fish does not complete a palette"
fi
exit $failed

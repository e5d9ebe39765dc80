#!/bin/sh
# That the guards which configure chose have reached the program: what of them an ELF
# file tells. -fstack-clash-protection and -fcf-protection leave no mark that is ours.
set -u

failed=0

skip() {
	echo "$*"
	exit 77
}

# has WHAT PATTERN READELF-OPTION: the table that the option prints has a line like that.
has() {
	readelf -W "$3" "$TTRACE" | grep -q -- "$2" && return
	echo "no $1: readelf $3 shows no $2" >&2
	failed=1
}

[ -n "${TTRACE_HARDENING# }" ] || skip "built without hardening"
command -v readelf >/dev/null || skip "readelf is missing"
readelf -h "$TTRACE" >/dev/null 2>&1 || skip "the program is no ELF file"

for flag in $TTRACE_HARDENING; do
	case $flag in
	-fstack-protector*) has 'stack protector' '__stack_chk_fail' --dyn-syms ;;
	-D_FORTIFY_SOURCE*) has 'checked copy' '__mem[a-z]*_chk\|__[a-z]*printf_chk' --dyn-syms ;;
	-pie) has 'random place' 'Type: *DYN' -h ;;
	*,relro) has 'read-only relocations' 'GNU_RELRO' -l ;;
	*,now) has 'binding at the start' '(FLAGS_1).* NOW' -d ;;
	esac
done
if readelf -lW "$TTRACE" | grep -q 'GNU_STACK.* RWE '; then
	echo "the stack can be executed" >&2
	failed=1
fi
exit $failed

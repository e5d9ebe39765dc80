#!/bin/sh
# Runs ./bootstrap on machines made of a few commands in a folder: each package
# manager, root or not, with sudo or without. No real command that installs or
# builds can be reached from there.
set -u

top=${TTRACE_SRCDIR:-.}
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
status=0

fail() {
	echo "FAIL: $1"
	sed 's/^/    /' "$work/out"
	status=1
}

# command_in_path NAME BODY: puts a command on the machine.
command_in_path() {
	printf '#!/bin/sh\n%s\n' "$2" > "$work/bin/$1"
	chmod +x "$work/bin/$1"
}

# machine MANAGER UID: a new one, where nothing that the build needs is there.
# Installing with the manager brings pkg-config and the other commands.
machine() {
	rm -rf "${work:?}/bin" "$work/tree"
	mkdir -p "$work/bin" "$work/tree"
	cp "$top/bootstrap" "$top/configure.ac" "$work/tree"
	for tool in sh cat cut tr find dirname mkdir rm env chmod grep; do
		ln -s "$(command -v "$tool")" "$work/bin/$tool"
	done
	command_in_path id "echo $2"
	command_in_path "$1" "
		echo \"RAN $1 \$*\"
		cd '$work/bin' || exit 1
		[ \"\$1\" = --prefix ] && exit
		for name in cc make autoconf automake autoreconf pkg-config protoc-c; do
			echo \"#!/bin/sh\" > \$name
			chmod +x \$name
		done"
}

# boot WORD...: bootstrap check WORD... on that machine; its exit status, its words in $work/out.
boot() {
	(cd "$work/tree" && PATH="$work/bin" sh ./bootstrap check "$@") > "$work/out" 2>&1 < /dev/null
}

says() {
	grep -q -e "$1" "$work/out"
}

# Rows: the manager, and how its command line begins.
managers='apt-get:env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends gcc libc6-dev make
dnf:dnf install -y gcc glibc-devel make
pacman:pacman -S --needed --noconfirm gcc make
apk:apk add gcc musl-dev make'

while IFS=: read -r manager line; do
	machine "$manager" 1000
	boot && fail "$manager, not root: went on"
	says 'RAN' && fail "$manager, not root: ran the package manager"
	says "^$line" || fail "$manager, not root: does not say: $line"

	machine "$manager" 0
	boot
	says "^+ $line" || fail "$manager, root: does not show: $line"
	says "^RAN $manager" || fail "$manager, root: did not install"
	says '^+ autoreconf' || fail "$manager, root: did not go on"

	machine "$manager" 1000
	# shellcheck disable=SC2016 # for the command, not for us
	command_in_path sudo '[ "$1" = -n ] && exit; echo SUDO; exec "$@"'
	boot
	says "^+ sudo $line" || fail "$manager, sudo: does not show: sudo $line"
	says '^SUDO' || fail "$manager, sudo: did not use it"

	machine "$manager" 1000
	command_in_path sudo 'exit 1'
	boot && fail "$manager, sudo asks for a password: went on"
	says 'Please run as root' || fail "$manager, sudo asks for a password: does not say what to run"
done <<TABLE
$managers
TABLE

machine brew 1000
boot
says '^+ brew install gcc make' || fail "brew: does not show its command"

machine apt-get 0
"$work/bin/apt-get" > /dev/null
boot
says '^RAN' && fail "everything is there: installed all the same"
says '^+ autoreconf' || fail "everything is there: did not go on"

# What is built was configured otherwise: it is not kept.
machine apt-get 0
"$work/bin/apt-get" > /dev/null
mkdir "$work/tree/build"
command_in_path make 'echo "MAKE $*"'
for part in configure build/config.status; do
	printf '#!/bin/sh\n' > "$work/tree/$part"
	chmod +x "$work/tree/$part"
done
touch "$work/tree/Makefile.in"
boot || fail "is built: did not check"
says 'configure' && fail "is built: configured again"
says 'MAKE.*clean' && fail "is built: builds anew"
boot --enable-werror CC=gcc || fail "words for configure: did not check"
says '^+ ../configure --enable-werror CC=gcc' || fail "words for configure: did not hand them on"
says 'MAKE.*clean' || fail "words for configure: keeps what was built without them"

machine apt-get 0
rm "$work/bin/apt-get"
boot && fail "no package manager: went on"
says 'module termkey' || fail "no package manager: does not say what is missing"

exit $status

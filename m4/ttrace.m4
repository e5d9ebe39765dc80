dnl What configure.ac uses to talk about flags and libraries.

dnl TTRACE_CFLAG(FLAG): adds FLAG to TTRACE_CFLAGS if the compiler takes it, and
dnl leaves yes or no in ttrace_flag_ok.  clang only warns of flags it does not
dnl know, hence -Werror while asking.
AC_DEFUN([TTRACE_CFLAG],
[AC_MSG_CHECKING([whether $CC takes $1])
ttrace_saved_CFLAGS=$CFLAGS
CFLAGS="$CFLAGS -Werror $1"
AC_COMPILE_IFELSE([AC_LANG_SOURCE([[int ttrace_flag_test;]])],
  [ttrace_flag_ok=yes], [ttrace_flag_ok=no])
CFLAGS=$ttrace_saved_CFLAGS
AC_MSG_RESULT([$ttrace_flag_ok])
AS_IF([test "$ttrace_flag_ok" = yes], [TTRACE_CFLAGS="$TTRACE_CFLAGS $1"])
])

dnl TTRACE_BUILD_MODE(SWITCH, FLAGS): compiles and links everything with FLAGS,
dnl or stops if the compiler cannot.
AC_DEFUN([TTRACE_BUILD_MODE],
[AC_MSG_CHECKING([whether $CC can link with $2])
ttrace_saved_CFLAGS=$CFLAGS
CFLAGS="$CFLAGS $2"
AC_LINK_IFELSE([AC_LANG_PROGRAM([], [])],
  [AC_MSG_RESULT([yes])],
  [AC_MSG_RESULT([no])
   AC_MSG_ERROR([$1: $CC cannot link a program with $2])])
CFLAGS=$ttrace_saved_CFLAGS
TTRACE_CFLAGS="$TTRACE_CFLAGS $2"
TTRACE_LDFLAGS="$TTRACE_LDFLAGS $2"
])

dnl TTRACE_HARDEN(CFLAGS, LDFLAGS): compiles and links with these if $CC can, without
dnl a warning (of _FORTIFY_SOURCE, say, where CFLAGS do not optimise), and notes
dnl them in TTRACE_HARDENING.
AC_DEFUN([TTRACE_HARDEN],
[AS_VAR_SET([ttrace_flags], ["m4_normalize([$1 $2])"])
AC_MSG_CHECKING([whether $CC hardens with $ttrace_flags])
ttrace_saved_CFLAGS=$CFLAGS
CFLAGS="$CFLAGS -Werror $ttrace_flags"
AC_LINK_IFELSE([AC_LANG_PROGRAM([[#include <string.h>]], [[return (int)strlen("");]])],
  [ttrace_flag_ok=yes], [ttrace_flag_ok=no])
CFLAGS=$ttrace_saved_CFLAGS
AC_MSG_RESULT([$ttrace_flag_ok])
AS_IF([test "$ttrace_flag_ok" = yes],
  [TTRACE_CFLAGS="$TTRACE_CFLAGS $1"
   TTRACE_LDFLAGS="$TTRACE_LDFLAGS $2"
   TTRACE_HARDENING="$TTRACE_HARDENING $ttrace_flags"])
])

dnl TTRACE_LIBRARY(PREFIX, MODULE, DEBIAN, FEDORA, ARCH, ALPINE, HOMEBREW): sets
dnl have_PREFIX and notes the package's names in case it is missing.
AC_DEFUN([TTRACE_LIBRARY],
[PKG_CHECK_MODULES([$1], [$2], [have_$1=yes], [have_$1=no
ttrace_missing="$ttrace_missing
  $2: Debian $3, Fedora $4, Arch $5, Alpine $6, Homebrew $7"])])

AC_DEFUN([TTRACE_REQUIRE_LIBRARIES],
[AS_IF([test -n "$ttrace_missing"],
  [AC_MSG_ERROR([libraries are missing; the packages that bring them are called:
$ttrace_missing

Install them, or run ./bootstrap demo, which does. If a library is installed where
pkg-config does not look, name the folder of its .pc file in PKG_CONFIG_PATH.])])])

dnl TTRACE_OPTIONAL_LIBRARIES(CONSEQUENCE): names the packages of those that are
dnl missing among the libraries asked for since the last such report.
AC_DEFUN([TTRACE_OPTIONAL_LIBRARIES],
[AS_IF([test -n "$ttrace_missing"],
  [AC_MSG_NOTICE([$1:
$ttrace_missing
])
   ttrace_missing=])])

dnl TTRACE_OPTIONAL(PREFIX, NAME, MODULE, WHAT, packages as above): a library that
dnl can be done without, and its switch --without-NAME. The C files see HAVE_PREFIX.
AC_DEFUN([TTRACE_OPTIONAL],
[AC_ARG_WITH([$2],
  [AS_HELP_STRING([--without-$2], [do not $4])],
  [], [with_$2=yes])
have_$1=no
AS_IF([test "$with_$2" != no],
  [TTRACE_LIBRARY([$1], [$3], [$5], [$6], [$7], [$8], [$9])])
AS_IF([test "$have_$1" = yes], [ttrace_value=1], [ttrace_value=0])
AC_DEFINE_UNQUOTED([HAVE_$1], [$ttrace_value], [1 to $4])])

/* Functions that are too easy to get wrong do not compile here. */
#ifndef TTRACE_BASE_BANNED_H
#define TTRACE_BASE_BANNED_H

#include <string.h>
#include <stdio.h>

#undef strcpy
#undef strcat
#undef strncpy
#undef strncat
#undef sprintf
#undef vsprintf
#undef strtok
#undef gets
#undef mktemp
#undef tmpnam
#define strcpy(d, s) use_text_functions_instead_of_strcpy
#define strcat(d, s) use_text_functions_instead_of_strcat
#define strncpy(d, s, n) use_text_functions_instead_of_strncpy
#define strncat(d, s, n) use_text_functions_instead_of_strncat
#define sprintf(...) use_snprintf_instead_of_sprintf
#define vsprintf(...) use_vsnprintf_instead_of_vsprintf
#define strtok(s, d) use_strcspn_instead_of_strtok
#define gets(s) use_fgets_instead_of_gets
#define mktemp(s) use_mkstemp_instead_of_mktemp
#define tmpnam(s) use_mkstemp_instead_of_tmpnam

#endif

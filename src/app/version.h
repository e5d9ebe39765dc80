#ifndef TTRACE_APP_VERSION_H
#define TTRACE_APP_VERSION_H

/* The program's version as configure.ac has it, for example "0.1"; static. */
const char *app_version(void);

#endif

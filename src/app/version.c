/*
 * The version number, in the one file that has to be compiled again when it
 * changes.
 */
#include <config.h>

#include "app/version.h"

const char *
app_version(void)
{
	return PACKAGE_VERSION;
}

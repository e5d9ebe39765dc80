#!/bin/sh
# Stands in for the unit tests where they could not be built.
echo "the unit tests were not built: configure did not find cmocka"
exit 77

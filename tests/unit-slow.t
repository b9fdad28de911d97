#!/bin/sh
# Runs the unit tests with the tag `slow`, which tests/unit.t leaves out.
CK_INCLUDE_TAGS=slow
export CK_INCLUDE_TAGS
exec "$(dirname "$0")/unit.t"

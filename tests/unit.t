#!/bin/sh
# Runs the unit tests, which are built where the library Check was found.
set -u

if test -x tests/unit/unit; then
    # shellcheck disable=SC2086 # COLLCOST_RUN is a command with its options
    exec ${COLLCOST_RUN-} tests/unit/unit
fi
echo "1..0 # SKIP the unit tests need the library Check (see ./configure)"

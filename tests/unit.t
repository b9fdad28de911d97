#!/bin/sh
# Runs the unit tests, which are built where the library Check was found: those without the tag `slow`,
# or, as tests/unit-slow.t does, those that $CK_INCLUDE_TAGS names.
set -u

test -n "${CK_INCLUDE_TAGS-}" || export CK_EXCLUDE_TAGS=slow

# Against what never ends, not against what is slow: the machine may be busy.
CK_DEFAULT_TIMEOUT=${CK_DEFAULT_TIMEOUT-300}
export CK_DEFAULT_TIMEOUT

if test -x tests/unit/unit; then
    # shellcheck disable=SC2086 # COLLCOST_RUN is a command with its options
    exec ${COLLCOST_RUN-} tests/unit/unit
fi
echo "1..0 # SKIP the unit tests need the library Check (see ./configure)"

#!/bin/sh
# Runs the unit tests, which are built where the library Check was found: those without the tag `slow`,
# or, as tests/unit-slow.t does, those that $CK_INCLUDE_TAGS names. All in one process, which takes a
# third of the time; where one fails, crashes or does not end, again with a process for each.
set -u
. "$(dirname "$0")/sandbox.sh"

test -n "${CK_INCLUDE_TAGS-}" || export CK_EXCLUDE_TAGS=slow

# Against what never ends, not against what is slow: the machine may be busy.
CK_DEFAULT_TIMEOUT=${CK_DEFAULT_TIMEOUT-300}
export CK_DEFAULT_TIMEOUT

if ! test -x tests/unit/unit; then
    echo "1..0 # SKIP the unit tests need the library Check (see ./configure)"
    exit
fi
if test -z "${CK_FORK-}" && CK_FORK=no timeout $((900 * ${CK_TIMEOUT_MULTIPLIER-1})) tests/unit/unit >"$work/out" 2>&1; then
    cat "$work/out"
    exit
fi
# shellcheck disable=SC2086 # COLLCOST_RUN is a command with its options
${COLLCOST_RUN-} tests/unit/unit

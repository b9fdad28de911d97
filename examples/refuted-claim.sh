#!/bin/sh
# A published formula that does not hold.
#
# The library keeps closed forms from the literature, each with its source, and `verify` compares
# them with the cost derived from the schedule, exactly. The formula that S3 prints for the chain
# reduction leaves out the time for combining; it is recorded as refuted, and the corrected one
# is beside it. Status 0 means: every verdict is the recorded one.
set -eu
run() {
    echo "\$ collcost $*"
    collcost "$@"
    echo
}

run verify reduce/chain -p 1..8
echo "Only the claims, for programs:"
run verify reduce/chain -p 2 -o json
echo "What the missing term amounts to, for 1 MiB on 8 ranks of the default machine:"
echo "\$ collcost eval '(p - 1) * m * tc' -p 8 -m 1MiB"
collcost eval '(p - 1) * m * tc' -p 8 -m 1MiB

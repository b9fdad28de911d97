#!/bin/sh
# An algorithm of your own, from an idea to a recommendation.
#
# own-algorithm.yaml holds a collective (allgather) and two algorithms for it, in one file.
#   verify  runs them on real data and compares their claims with the derived costs;
#   trace   shows who sends what to whom;
#   switch  says which one is the fastest. On a complete network doubling is never beaten.
#           In a row of ranks its long messages share links, and the ring overtakes it.
# At the end a mistake is put into the ring: it stops one round too early. verify says which rank
# lacks which block, for the smallest p where that shows, and its status is 1.
set -eu
run() {
    echo "\$ collcost $*"
    collcost "$@"
    echo
}

run verify own-algorithm.yaml
run trace allgather/doubling -t linear:4 -m 1KiB --models own-algorithm.yaml
run switch allgather -t full:16 --models own-algorithm.yaml
run switch allgather -t linear:16 --set th=100ns --models own-algorithm.yaml

sed 's/0 .. p - 2/0 .. p - 3/' own-algorithm.yaml >mistake.yaml
echo '$ collcost verify mistake.yaml'
status=0
collcost verify mistake.yaml 2>&1 || status=$?
echo "status $status"

#!/bin/sh
# Parts of the schedule language: functions, a grid of ranks, transfers repeated for each port, named
# arrays of blocks, chunks.
set -eu
run() {
    echo "\$ collcost $*"
    collcost "$@"
    echo
}

run verify own-language.yaml --ports 2 -p 1..16
run trace broadcast/knomial -t full:9 --ports 2 --models own-language.yaml
run trace gather/rows-then-column -t full:9 --models own-language.yaml
run trace prefix/recursive-doubling -t full:3 -m 1MB --models own-language.yaml
run cost exchange -t full:4 -m 1MB --models own-language.yaml

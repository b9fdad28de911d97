#!/bin/sh
# A machine of your own, and tables for other programs.
#
# own-machine.yaml states what a message and a combination cost; `assumed` marks what was not
# measured, and every text that names the machine says so. --models brings the file in; in daily use
# $COLLCOST_MODELS saves the typing. A range of sizes doubles, and -o csv gives SI base units with
# full precision: seconds and bytes, one row for each algorithm and size, the fastest first.
set -eu
run() {
    echo "\$ collcost $*"
    collcost "$@"
    echo
}

run switch reduce -t full:8 --machine testbed --models own-machine.yaml

COLLCOST_MODELS=own-machine.yaml
export COLLCOST_MODELS
echo '$ export COLLCOST_MODELS=own-machine.yaml'
run cost reduce -t full:8 --machine testbed -m 64KiB..1MiB --among binomial,pipelined-chain -o csv

echo "The fastest for each size, as a spreadsheet or awk would find it:"
collcost cost reduce -t full:8 --machine testbed -m 64KiB..1MiB -o csv |
    awk -F, 'NR > 1 && $5 != size { size = $5; printf "%8d bytes  %-26s %.1f us\n", $5, $2, $12 * 1e6 }'

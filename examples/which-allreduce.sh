#!/bin/sh
# Which allreduce for my machine? 16 nodes on 25 Gbit/s Ethernet, in a 4x4 torus.
#
#   map      the fastest for every number of ranks up to 16 and every size: letters in the terminal;
#   switch   the rows for 16 ranks, and by how much the second best is slower in each;
#            with --tolerance the fewest that lose no more than that anywhere;
#            with --vary how far the switch points move where the machine is not known so well;
#   explain  why one is faster than another at one size, and what would reverse that.
# The startup time and the bandwidth of own-machine.yaml were measured; the time per hop was not.
set -eu
export COLLCOST_MODELS=own-machine.yaml
run() {
    echo "\$ collcost $*"
    collcost "$@"
    echo
}

run map allreduce -t torus -p 2..16 --machine testbed
run switch allreduce -t torus:4x4 --machine testbed
run switch allreduce -t torus:4x4 --machine testbed --tolerance 20%
run switch allreduce -t torus:4x4 --machine testbed --vary startup=50% --vary per-hop=90% -o csv
run explain allreduce/bine bucket -t torus:4x4 --machine testbed -m 1MiB
